"""Tasks that may take long or never end, on threads of their own; and the wake-up of the loop.

The result of a task comes back on the thread of the loop. The caller documents what else its task
shares with the loop. A task that exceeds its time is abandoned: its caller gets an error, and a
result that still comes goes to a function that cleans up.
"""

import os
import queue
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from firmware.base.errors import FirmwareError, wrap_unexpected
from firmware.base.problem import Problem
from hardware.errors import HardwareError
from scoring.errors import ScoringError
from vision.errors import VisionError
from vision.message import Message

_READ_BYTES: Final = 4096
_CLOSED: Final = -1


class WakeUp:
    """Pipe by which any thread wakes the loop, so that waiting costs nothing."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def wake(self) -> None:
        """Wake the loop; any thread may call it."""
        with suppress(OSError):  # full: it has been woken already
            os.write(self._write_end, b".")

    def wait(self, timeout_s: float, files: Sequence[int] = ()) -> None:
        """Wait for ``wake``, for one of the files to be readable, or for the end of the time."""
        try:
            ready, _w, _x = select.select([self._read_end, *files], [], [], max(0.0, timeout_s))
        except (OSError, ValueError):  # a terminal that has gone
            ready, _w, _x = select.select([self._read_end], [], [], max(0.0, timeout_s))
        if self._read_end in ready:
            with suppress(OSError):
                os.read(self._read_end, _READ_BYTES)

    def close(self) -> None:
        """Free the pipe; ``wake`` does nothing after that."""
        read_end, write_end = self._read_end, self._write_end
        self._read_end = self._write_end = _CLOSED
        os.close(read_end)
        os.close(write_end)


class OverdueError(Exception):
    """Task that did not end in its time; it may still be running."""

    def __init__(self, name: str, limit_s: float) -> None:
        super().__init__(f"{name} did not end within {limit_s:g} s")
        self.name = name
        self.limit_s = limit_s


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Result of a task.

    Attributes:
        value: Returned value; None if the task failed.
        error: Exception; None if the task succeeded.
    """

    value: Any = None
    error: Exception | None = None


OnResult = Callable[[TaskResult], None]
"""Receiver of a result, on the thread of the loop."""


ThreadStarter = Callable[[str, Callable[[], None]], None]
"""Starts work under a name and returns at once; ``in_thread`` is the real one."""


def in_thread(name: str, work: Callable[[], None]) -> None:
    """Run work in a thread of its own, which does not keep the program from ending."""
    threading.Thread(target=work, name=name, daemon=True).start()


@dataclass(slots=True, eq=False)
class Task:
    """Work on a thread of its own that somebody may still wait for.

    Attributes:
        name: Name for messages.
        on_result: Receiver of the result.
        on_late_result: Receiver of the result if the task was abandoned before.
        limit_s: Longest duration in seconds; None for no limit.
        until_s: End of that time in monotonic seconds.
        abandoned: True if nobody waits for it any more.
    """

    name: str
    on_result: OnResult
    on_late_result: OnResult
    limit_s: float | None
    until_s: float
    abandoned: bool = False


NEVER_S: Final = float("inf")
"""Time that never comes, in monotonic seconds."""


def ignore(_result: TaskResult) -> None:
    """Ignore a result."""


@dataclass(slots=True)
class TaskRunner:
    """Starts tasks and hands back their results; all methods but ``call`` belong to the loop.

    Args:
        wake: Function that wakes the loop because a result is ready; any thread calls it.
        now_s: Clock in monotonic seconds.
        start_thread: Function that runs the work.
    """

    wake: Callable[[], None]
    now_s: Callable[[], float] = time.monotonic
    start_thread: ThreadStarter = in_thread
    _tasks: list[Task] = field(default_factory=list)
    _calls: "queue.SimpleQueue[Callable[[], None]]" = field(default_factory=queue.SimpleQueue)

    def start(
        self,
        name: str,
        work: Callable[[], Any],
        *,
        on_result: OnResult = ignore,
        limit_s: float | None = None,
        on_late_result: OnResult = ignore,
    ) -> Task:
        """Start a task.

        Args:
            name: Name for messages and the thread.
            work: Function to run; its exceptions become the result.
            on_result: Function that ``run_due`` calls with the result, or with an ``OverdueError``.
            limit_s: Longest duration in seconds, after which it is abandoned; None for no limit.
            on_late_result: Function that ``run_due`` calls with the result of an abandoned task.
        """
        until_s = NEVER_S if limit_s is None else self.now_s() + limit_s
        task = Task(name, on_result, on_late_result, limit_s, until_s)
        self._tasks.append(task)

        def run() -> None:
            try:
                result = TaskResult(work())
            except Exception as error:  # noqa: BLE001 - the loop must get any error
                result = TaskResult(error=error)
            self.call(lambda: self._hand_back(task, result))

        try:
            self.start_thread(name, run)
        except RuntimeError as error:  # no more threads can be started
            failure = TaskResult(error=error)
            self.call(lambda: self._hand_back(task, failure))
        return task

    def call(self, function: Callable[[], None]) -> None:
        """Have the next ``run_due`` call a function; the only method that any thread may call."""
        self._calls.put(function)
        self.wake()

    def abandon(self, task: Task) -> None:
        """Stop waiting for a task; ``on_late_result`` gets its result."""
        task.abandoned = True
        task.until_s = NEVER_S

    def run_due(self) -> None:
        """Hand back the results that are ready, and abandon tasks that have exceeded their time."""
        for _count in range(self._calls.qsize()):
            self._calls.get_nowait()()
        for task in tuple(self._tasks):
            if self.now_s() >= task.until_s:
                self.abandon(task)
                task.on_result(TaskResult(error=OverdueError(task.name, task.limit_s or 0.0)))

    def _hand_back(self, task: Task, result: TaskResult) -> None:
        self._tasks.remove(task)
        (task.on_late_result if task.abandoned else task.on_result)(result)

    def next_limit_s(self) -> float:
        """Return the time of the next ``run_due``, or infinity; ``wake`` may ask for it earlier."""
        return min((task.until_s for task in self._tasks), default=NEVER_S)

    def is_running(self, name: str) -> bool:
        """Return whether a task of this name is running, even if it was abandoned."""
        return any(task.name == name for task in self._tasks)

    @property
    def is_idle(self) -> bool:
        """True if nobody waits for any task."""
        return all(task.abandoned for task in self._tasks)

    @property
    def is_free(self) -> bool:
        """True if no task is running, not even an abandoned one."""
        return not self._tasks


class SerialQueue:
    """Queue of tasks that run one at a time, in the order in which they come, each on a new thread.

    Args:
        tasks: Runner of the tasks.
        name: Name of the tasks, for messages and threads.
        after_each: Function that is run as a task of its own after each task, and may overlap the
            next one; None for none.
    """

    def __init__(
        self, tasks: TaskRunner, name: str, after_each: Callable[[], None] | None = None
    ) -> None:
        self._tasks = tasks
        self._name = name
        self._after_each = after_each
        self._waiting: deque[tuple[Callable[[], Any], OnResult]] = deque()
        self._task: Task | None = None
        self._since_s = 0.0

    def add(self, work: Callable[[], Any], on_result: OnResult) -> None:
        """Run work after all that was added before.

        Args:
            work: Function to run; its exceptions become the result.
            on_result: Receiver of the result, called on the thread of the loop.
        """
        self._waiting.append((work, on_result))
        self._start_next()

    def abandon(self) -> None:
        """Stop waiting for the present task, and drop all that have not started."""
        self._waiting.clear()
        if self._task is not None:
            self._tasks.abandon(self._task)

    @property
    def is_idle(self) -> bool:
        """True if no task runs."""
        return self._task is None

    def running_s(self) -> float:
        """Return the run time of the present task so far; 0 if there is none."""
        return 0.0 if self._task is None else self._tasks.now_s() - self._since_s

    def _start_next(self) -> None:
        if self._task is not None or not self._waiting:
            return
        work, on_result = self._waiting.popleft()
        self._since_s = self._tasks.now_s()

        def finish(result: TaskResult) -> None:
            self._task = None
            try:
                on_result(result)
            finally:
                if self._after_each is not None:
                    self._tasks.start(f"{self._name}, tidying up", self._after_each)
                self._start_next()

        self._task = self._tasks.start(self._name, work, on_result=finish)


def problem_from(error: Exception) -> Problem:
    """Return the problem that shows an exception; also for an unforeseen one."""
    if isinstance(error, FirmwareError | VisionError | ScoringError | HardwareError):
        return Problem.of(error)
    if isinstance(error, MemoryError):
        return Problem("out-of-memory", Message("there is not enough memory: restart the scanner"))
    if isinstance(error, OverdueError):
        return Problem("too-slow", Message("{name} takes too long: try again", name=error.name))
    return Problem.of(wrap_unexpected(error))
