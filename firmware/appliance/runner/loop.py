"""Loop of the appliance: it feeds the machine with events and carries out its effects.

A pass never waits for stored data, other computers or devices, except for the GPIO lines of
buttons, buzzer and lamp, which it opens and sets within milliseconds. Files of the program itself
are read at their first use: modules of a game, catalogues of texts and the neural network. The
longest pass compares the pictures of corrected tiles with a new photo, by that network, and scores
a table: with many unsure tiles that takes up to some seconds on the slowest boards. Between two
passes the loop sleeps until something is due, such as polling the buttons, or until a key of the
terminal, a signal of the operating system or a finished task wakes it.
"""

import logging
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, TypeVar

from firmware.appliance.base import Effect, Event, RefuseCommand, Show
from firmware.appliance.camera_recovery import OpenCamera
from firmware.appliance.display_transitions import GiveSignal, SetBrightness
from firmware.appliance.features.aiming import TakeAimingPicture
from firmware.appliance.features.alerts import ClockKnownChanged, HealthChanged
from firmware.appliance.features.calibrating import (
    SolveCalibration,
    StoreCalibration,
    TakeCalibrationPhoto,
)
from firmware.appliance.features.game_choice import RefreshEditions
from firmware.appliance.features.grouping import FindGroups, LearnGroups
from firmware.appliance.features.learning_corrections import LearnCorrections, UndoTeaching
from firmware.appliance.features.past_games import (
    ComputeStatistics,
    DeletePhotoFiles,
    ListPastGames,
    MoveGameToBin,
    OpenPastGame,
)
from firmware.appliance.features.phone import SwitchHotspot
from firmware.appliance.features.photo_series import ReadSeriesPhoto
from firmware.appliance.features.power import ShutDown
from firmware.appliance.features.scanning import TakeAndReadPhoto
from firmware.appliance.features.starting import Started
from firmware.appliance.features.teaching import LearnLayout
from firmware.appliance.inputs import Tick
from firmware.appliance.machine import step
from firmware.appliance.page_channel import OpenPage
from firmware.appliance.runner.available_editions import list_editions
from firmware.appliance.runner.button_service import ButtonService
from firmware.appliance.runner.calibration_jobs import CalibrationJobs
from firmware.appliance.runner.camera_service import CameraService
from firmware.appliance.runner.job_runner import JobRunner, trim_memory
from firmware.appliance.runner.page_service import (
    Listen,
    PageParts,
    PageService,
    listen_everywhere,
)
from firmware.appliance.runner.power_off import power_off
from firmware.appliance.runner.scan_jobs import ScanJobs
from firmware.appliance.runner.screen_outputs import FrontPanel, ScreenOutput
from firmware.appliance.runner.service_manager import ServiceManager
from firmware.appliance.runner.storage_service import StorageService
from firmware.appliance.runner.tasks import (
    NEVER_S,
    SerialQueue,
    TaskResult,
    TaskRunner,
    WakeUp,
)
from firmware.appliance.runner.teaching_jobs import TeachingJobs
from firmware.appliance.saving import ForgetPossibleEarlier, LoadLastResult, SaveResult
from firmware.appliance.state import State
from firmware.appliance.stored_settings import RestartProgram, UseSettings
from firmware.appliance.transitions import CancelJob, LogProblem
from firmware.base.language import use_language
from firmware.history import History, wall_time
from firmware.screens.words import Alert
from firmware.settings.defaults import PageSettings
from hardware.camera import SupervisedCamera
from hardware.errors import ButtonsError, SignalsError
from hardware.health import Health, HealthSource, RaspberryHealth
from hardware.hotspot import Hotspot, ManagedHotspot
from hardware.signals import NoSignals, Signals

if TYPE_CHECKING:
    from vision.calibration.reader import PhotoReader

TICK_EVERY_S: Final = 0.5
"""Interval of ``Tick`` events in seconds."""
HEALTH_EVERY_S: Final = 10.0
"""Interval in seconds at which the computer's health is read."""
COMPLETE_START_S: Final = 20.0
"""Run time in seconds after which the start counts as complete."""
WORK_LIMIT_S: Final = 600.0
"""Longest time in seconds for reading, learning or storing; after it the work counts as stuck and
the watchdog restarts the program."""

APPLIANCE_CLOSE_LIMIT_S: Final = 6.0
"""Longest time in seconds to store the last result and to release the devices."""
_LONGEST_WAIT_S: Final = 0.5
_STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

E = TypeVar("E", bound=Effect)

_AT_ONCE: Final = float("-inf")
_HEALTH: Final = "health"

_log: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class StopRequest:
    """Request to end the program.

    Attributes:
        wanted: True once the program is to end after the present pass.
        restart: True if it has to start again after that.
    """

    wanted: bool = False
    restart: bool = False

    def __call__(self, *, restart: bool = False) -> None:
        """End after this pass, and start again if ``restart``."""
        self.wanted = True
        self.restart = self.restart or restart


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplianceParts:
    """Devices, services and functions that the appliance works with; tests give stand-ins.

    Attributes:
        folder: Folder of the user's own things.
        state: State of the machine before its start.
        tasks: Runner of slow tasks.
        make_outputs: Functions that make the outputs of screens; each gets the receiver of its
            events.
        buttons: Buttons.
        make_camera: Function that makes a camera that is not open yet.
        open_page: Function that serves the page for phones.
        open_signals: Function that takes the lines of buzzer and lamp.
        stored_language: Language of the settings on the disk; None if this run uses the same.
        health: Source of the computer's health.
        service: Service manager.
        reader: Function that reads photos; None for ``default_reader``.
        power_off: Function that powers the computer off; it gets the receiver of its events.
        listen: Function that opens the socket of the page.
        page_only: Settings of the page if there are no devices: photos are uploaded, and the page
            is served even if the settings switch it off; None with devices.
        hotspot: Wi-Fi network of the scanner.
        open_local_socket: Function that opens the Unix socket for programs on this computer, such
            as the MQTT bridge; it returns None if there is none.
        stop: Request to end the program.
        on_complete_start: Function that is called once the program has run for
            ``COMPLETE_START_S``.
    """

    folder: Path
    state: State
    tasks: TaskRunner
    make_outputs: tuple[Callable[[Callable[[Event], None]], ScreenOutput], ...]
    buttons: ButtonService
    make_camera: Callable[[], SupervisedCamera]
    open_page: OpenPage
    open_signals: Callable[[], Signals] = NoSignals
    stored_language: str | None = None
    health: HealthSource = field(default_factory=RaspberryHealth)
    service: ServiceManager = field(default_factory=ServiceManager)
    reader: "PhotoReader | None" = None
    power_off: Callable[[TaskRunner, Callable[[Event], None]], None] = power_off
    listen: Listen = listen_everywhere
    page_only: PageSettings | None = None
    hotspot: Hotspot = field(default_factory=ManagedHotspot)
    open_local_socket: Callable[[], socket.socket | None] = lambda: None
    stop: StopRequest = field(default_factory=StopRequest)
    on_complete_start: Callable[[], None] = lambda: None


class EffectHandlers:
    """Handlers of effects, by the type of the effect."""

    def __init__(self) -> None:
        self._handlers: dict[type[Effect], Callable[[Effect], None]] = {}

    def register(self, kind: type[E], handle: Callable[[E], None]) -> None:
        """Let a function carry out all effects of a type."""

        def handle_kind(effect: Effect) -> None:
            assert isinstance(effect, kind)  # noqa: S101 - it was looked up by its type
            handle(effect)

        self._handlers[kind] = handle_kind

    def handle(self, effect: Effect) -> None:
        """Carry out an effect."""
        self._handlers[type(effect)](effect)

    @property
    def kinds(self) -> frozenset[type[Effect]]:
        """Types of effects that have a handler."""
        return frozenset(self._handlers)


class Appliance:
    """Loop of the appliance with its services.

    Opens the socket for local clients; camera and history are opened later.

    Args:
        parts: Parts that differ between the real appliance and a test.
    """

    def __init__(self, parts: ApplianceParts) -> None:
        self.parts, self.state = parts, parts.state
        self._tasks = tasks = parts.tasks
        self._events: deque[Event] = deque([Started()])
        self._report = report = self._events.append
        self._reading_queue = SerialQueue(tasks, "reading", trim_memory)
        self._camera = CameraService(parts.make_camera, tasks, report)
        settings = parts.state.settings
        history = History(parts.folder, **asdict(settings.storage))
        self._storage = StorageService(
            SerialQueue(tasks, "storing"),
            history,
            report,
            language=settings.language if parts.stored_language is not None else None,
            stored_language=parts.stored_language or "",
        )
        self._jobs = jobs = JobRunner(self._camera, tasks, self._reading_queue, report)
        self._scans = ScanJobs(jobs, self._reading_queue, self._storage.keep_photo, parts.reader)
        self._calibrations = CalibrationJobs(jobs)
        self._teaching_jobs = TeachingJobs(jobs, lambda: self._scans.last_photo)
        self._front = FrontPanel([make(report) for make in parts.make_outputs])
        page_parts = PageParts(
            open_page=parts.open_page,
            listen=parts.listen,
            local_socket=parts.open_local_socket(),
            has_devices=parts.page_only is None,
        )
        self._page = PageService(self.state, history, tasks, report, page_parts, parts.hotspot)
        self.handlers = EffectHandlers()
        self._register_handlers()
        self._signals: Signals | None = None
        self._shown_problem: ButtonsError | None = None
        self._known_health: tuple[HealthChanged, ClockKnownChanged] | None = None
        self._next_tick_s = self._next_health_s = _AT_ONCE
        self._complete_start_s = tasks.now_s() + COMPLETE_START_S

    def _register_handlers(self) -> None:
        register, parts = self.handlers.register, self.parts
        register(Show, self._front.show)
        register(SetBrightness, self._set_brightness)
        register(TakeAndReadPhoto, self._scans.scan)
        register(ReadSeriesPhoto, self._scans.read_series_photo)
        register(CancelJob, self._jobs.cancel)
        register(OpenCamera, lambda _effect: self._camera.open())
        register(GiveSignal, self._give_signal)
        register(TakeAimingPicture, self._calibrations.take_aiming_picture)
        register(TakeCalibrationPhoto, self._calibrations.photograph_sheet)
        register(SolveCalibration, self._calibrations.solve)
        register(StoreCalibration, self._calibrations.store)
        register(LearnLayout, self._teaching_jobs.learn_layout)
        register(FindGroups, self._teaching_jobs.find_groups)
        register(LearnGroups, self._teaching_jobs.learn_groups)
        register(RefreshEditions, lambda _effect: list_editions(self._reading_queue, self._report))
        register(LearnCorrections, self._teaching_jobs.learn_corrections)
        register(UndoTeaching, self._teaching_jobs.undo_teaching)
        register(SaveResult, self._storage.save)
        register(ForgetPossibleEarlier, self._storage.forget_possible_earlier)
        register(LoadLastResult, self._storage.load_last)
        register(ListPastGames, self._storage.list_past_games)
        register(ComputeStatistics, self._storage.compute_statistics)
        register(OpenPastGame, self._storage.open_game)
        register(MoveGameToBin, self._storage.move_to_bin)
        register(DeletePhotoFiles, self._storage.delete_photos)
        register(UseSettings, self._use_settings)
        register(SwitchHotspot, self._page.switch_hotspot)
        register(RestartProgram, lambda _effect: parts.stop(restart=True))
        register(ShutDown, lambda _effect: parts.power_off(self._tasks, self._report))
        register(RefuseCommand, self._page.refuse)
        register(LogProblem, _log_problem)

    def prepare(self) -> None:
        """Open the history and load the edition in use, so that the first scan need not wait.

        Also take the lines of buzzer and lamp; the appliance works without them.
        """
        try:
            self._signals = self.parts.open_signals()
        except SignalsError as error:
            _log.warning("%s: %s (%s)", error.code, error.message, error.where)
        self._storage.prepare()
        self._scans.preload_edition(self.state.settings)
        self._page.use_settings(self.parts.page_only or self.state.settings.page)

    def run_due(self) -> None:
        """Do all that is due, once."""
        self._tasks.run_due()
        now_s = self._tasks.now_s()
        self._collect_presses(now_s)
        if now_s >= self._next_tick_s:
            self._next_tick_s = now_s + TICK_EVERY_S
            self._events.append(Tick(now_s))
        if now_s >= self._next_health_s:
            self._next_health_s = now_s + HEALTH_EVERY_S
            if not self._tasks.is_running(_HEALTH):
                self._tasks.start(_HEALTH, self._read_health, on_result=self._report_health)
            self._storage.look_for_changes(self.state.result)
        if now_s >= self._complete_start_s:
            self._complete_start_s = NEVER_S
            self._tasks.start("start completed", self.parts.on_complete_start)
        while self._events:
            self.state, effects = step(self.state, self._events.popleft())
            for effect in effects:
                self.perform(effect)
        for output in self._front.outputs:
            output.run_due(now_s)
        self._page.run_due(now_s)
        self._storage.run_due(now_s)
        self._page.publish(self.state)
        if not self._is_stuck:
            self.parts.service.alive(now_s)

    def next_due_s(self) -> float:
        """Return the latest time of the next pass, in monotonic seconds."""
        return min(
            self._tasks.next_limit_s(),
            self.parts.buttons.next_due_s(self._tasks.now_s()),
            self._next_tick_s,
            *(output.next_due_s() for output in self._front.outputs),
        )

    def perform(self, effect: Effect) -> None:
        """Start an effect, or carry out one that takes no time; results come as events."""
        self.handlers.handle(effect)

    def close(self) -> None:
        """Store all that waits, then release all devices, by tasks.

        ``is_closed`` becomes true when that is done.
        """
        self.parts.buttons.close()
        if self._signals is not None:
            self._signals.close()
        self._reading_queue.abandon()
        self._camera.close()
        self._page.close()
        for output in self._front.outputs:
            output.close()
        self._storage.close()

    @property
    def is_closed(self) -> bool:
        """True if nothing is left to wait for; abandoned tasks do not count."""
        return self._tasks.is_idle

    @property
    def _is_stuck(self) -> bool:
        """True if something hangs in a way that only a restart of the program can end."""
        running_s = max(self._reading_queue.running_s(), self._storage.running_s())
        return self._camera.is_stuck or running_s > WORK_LIMIT_S

    def _collect_presses(self, now_s: float) -> None:
        self._events.extend(self.parts.buttons.poll(now_s))
        problem = self.parts.buttons.problem
        if problem is not self._shown_problem:
            self._shown_problem = problem
            self._front.show_problem(problem)

    def _read_health(self) -> tuple[HealthChanged, ClockKnownChanged]:
        found = health_alerts(self.parts.health.read())
        return HealthChanged(found), ClockKnownChanged(wall_time().known)

    def _report_health(self, result: TaskResult) -> None:
        if result.error is None and result.value != self._known_health:
            self._known_health = result.value
            self._events.extend(result.value)
            if result.value[1].known:
                self._storage.date_scans()

    def _give_signal(self, effect: GiveSignal) -> None:
        """Give a signal; lines that fail are not used again."""
        if self._signals is None:
            return
        try:
            self._signals.give(effect.signal)
        except SignalsError as error:
            _log.warning("%s: %s (%s)", error.code, error.message, error.where)
            self._signals.close()
            self._signals = None

    def _set_brightness(self, effect: SetBrightness) -> None:
        for output in self._front.outputs:
            output.dim(dimmed=effect.dimmed)

    def _use_settings(self, effect: UseSettings) -> None:
        """Use settings from now on, and store them."""
        use_language(effect.settings.language)
        for output in self._front.outputs:
            output.use_settings(effect.settings.display)
        self._scans.preload_edition(effect.settings)
        self._page.use_settings(self.parts.page_only or effect.settings.page)
        self._storage.store_settings(effect)


def health_alerts(health: Health) -> tuple[Alert, ...]:
    """Return the problems of a computer as alerts, the worst first."""
    found = (
        (Alert.UNDER_VOLTAGE, health.under_voltage),
        (Alert.TOO_HOT, health.too_hot),
        (Alert.THROTTLED, health.throttled),
    )
    return tuple(alert for alert, holds in found if holds)


def _log_problem(effect: LogProblem) -> None:
    problem = effect.problem
    _log.warning("%s: %s (%s)", problem.code, problem.message, problem.where or "appliance")


def run_until_stopped(
    appliance: Appliance, wake_up: WakeUp, *, files: Callable[[], Sequence[int]] = tuple
) -> bool:
    """Run the loop until a signal or the machine asks it to end.

    Args:
        appliance: Appliance that is ready to run.
        wake_up: Pipe by which tasks wake the loop.
        files: Function that gives further files that wake the loop, such as a terminal.

    Returns:
        True if everything was released; False if threads still hang in some device.
    """
    parts = appliance.parts
    appliance.run_due()
    parts.service.ready("ready")
    while not parts.stop.wanted:
        wait_s = min(appliance.next_due_s() - parts.tasks.now_s(), _LONGEST_WAIT_S)
        wake_up.wait(wait_s, files())
        appliance.run_due()
    parts.service.stopping()
    return close_all(appliance, wake_up)


def close_all(appliance: Appliance, wake_up: WakeUp) -> bool:
    """Store all that waits and release all devices; see ``run_until_stopped``."""
    tasks = appliance.parts.tasks
    appliance.run_due()  # a photo that was read in the last pass is scored in this one
    appliance.close()
    until_s = tasks.now_s() + APPLIANCE_CLOSE_LIMIT_S
    while not appliance.is_closed and tasks.now_s() < until_s:
        wake_up.wait(min(until_s, tasks.next_limit_s()) - tasks.now_s())
        tasks.run_due()
    return tasks.is_free


@contextmanager
def stop_signals(stop: StopRequest, wake_up: WakeUp) -> Iterator[None]:
    """Let SIGTERM, SIGINT and SIGHUP end the program in order.

    Args:
        stop: Request that the signals make.
        wake_up: Pipe that wakes the loop.
    """

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop()
        wake_up.wake()

    before = {number: signal.signal(number, on_signal) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
