"""Runner of the machine's jobs: one at a time, off the loop's thread, answered by an event."""

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from firmware.appliance.base import Event
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.runner.camera_service import CameraService, photo_from_frame
from firmware.appliance.runner.tasks import SerialQueue, TaskResult, TaskRunner, problem_from
from firmware.appliance.transitions import CancelJob
from firmware.base.problem import Problem
from firmware.screens.words import Stage
from hardware.camera import Frame
from vision.photo.load import Photo

Work = TypeVar("Work")

PHOTO_NAME: Final = "camera"
"""Name of a photo of the camera in readings and errors."""


class JobRunner:
    """Runner of one job at a time, with the camera and by the reading queue.

    A job that is cancelled while it waits for the camera ends there. Work that was handed to the
    reading queue goes on to its end, but ``is_current`` is False for it: the machine drops its
    event, ``ScanJobs`` reads no photo that still waits in the queue, and ``TeachingJobs`` stores no
    edition that was learned. Methods are for the loop's thread, except ``is_current`` and
    ``report_in_next_pass``.

    Attributes:
        report: Receiver of the events.

    Args:
        camera: Camera that takes the pictures.
        tasks: Runner by which tasks of the reading queue call back.
        reading_queue: Queue that reads, calibrates and learns, one photo at a time.
        report: Receiver of the events.
    """

    def __init__(
        self,
        camera: CameraService,
        tasks: TaskRunner,
        reading_queue: SerialQueue,
        report: Callable[[Event], None],
    ) -> None:
        self.report = report
        self._camera = camera
        self._tasks = tasks
        self._reading_queue = reading_queue
        self._current: int | None = None

    def begin(self, job_id: int) -> None:
        """Make a job the current one."""
        self._current = job_id

    def is_current(self, job_id: int) -> bool:
        """Return whether a job is the current one, thus neither cancelled nor replaced."""
        return self._current == job_id

    def cancel(self, effect: CancelJob) -> None:
        """Cancel a job: its picture is not waited for, its event dropped; see the class."""
        if self.is_current(effect.job_id):
            self._current = None
            self._camera.cancel()

    def report_all(self, events: tuple[Event, ...]) -> None:
        """Report several events in their order."""
        for event in events:
            self.report(event)

    def report_in_next_pass(self, event: Event) -> None:
        """Report an event in the loop's next pass; any thread may call it."""
        self._tasks.call(partial(self.report, event))

    def run_in_next_pass(self, job_id: int, call: Callable[[], None]) -> None:
        """Call a function in the loop's next pass, unless the job was cancelled by then."""

        def call_if_current() -> None:
            if self.is_current(job_id):
                call()

        self._tasks.call(call_if_current)

    def report_stage(self, job_id: int, stage: Stage) -> None:
        """Report that a job has reached a stage."""
        self.report(StageReached(job_id, stage))

    def begin_with_capture(self, job_id: int, use: Callable[[Frame], None]) -> None:
        """Begin a job with a picture of the camera."""

        def receive(picture: Frame | Problem) -> None:
            if isinstance(picture, Problem):
                self.report(JobFailed(job_id, picture))
            else:
                use(picture)

        self.begin(job_id)
        self._camera.capture(receive)

    def begin_with_photo(
        self,
        job_id: int,
        given: Photo | None,
        receive_loader: Callable[[Callable[[], Photo]], None],
        name: str = PHOTO_NAME,
    ) -> None:
        """Begin a job with a photo, taken with the camera if none is given.

        Args:
            job_id: Number of the job.
            given: Photo of a phone or of an earlier job; None to take one.
            receive_loader: Receiver of a function that returns the photo; that reduces a picture of
                the camera, so call it in the reading queue.
            name: Name of a photo of the camera in errors.
        """
        if given is None:
            self.begin_with_capture(
                job_id, lambda frame: receive_loader(partial(photo_from_frame, frame, name))
            )
        else:
            self.begin(job_id)
            receive_loader(lambda: given)

    def run_in_queue(
        self, job_id: int, work: Callable[[], Work], on_done: Callable[[Work], None]
    ) -> None:
        """Run a job's work in the reading queue.

        Args:
            job_id: Number of the job; it fails if ``work`` raises an exception.
            work: Function to run.
            on_done: Receiver of what it returns, called on the loop's thread.
        """

        def finish(result: TaskResult) -> None:
            if result.error is not None:
                self.report(JobFailed(job_id, problem_from(result.error)))
            else:
                on_done(result.value)

        self._reading_queue.add(work, finish)


def trim_memory() -> None:
    """Return the freed memory of the last photo to the system.

    The C library keeps it for later, several times what the waiting appliance needs. Does nothing
    where the C library cannot return it.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
