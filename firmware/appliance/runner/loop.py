"""The loop: it owns the clock, feeds the machine with events and has its effects done.

A turn never waits for anything. Between two turns the loop sleeps until something is due, or until
a button, a signal or finished work wakes it.
"""

import logging
import socket
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from firmware.appliance import effects
from firmware.appliance.events import ClockChanged, Event, HealthChanged, Started, Tick
from firmware.appliance.link import OpenPage
from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.camera_desk import CameraDesk
from firmware.appliance.runner.crew import Crew, InTurn, Outcome
from firmware.appliance.runner.glass import Front, Glass
from firmware.appliance.runner.jobs import Jobs, give_back_memory
from firmware.appliance.runner.page_service import Listen, PageService, listen_everywhere
from firmware.appliance.runner.power import ServiceManager, switch_off
from firmware.appliance.runner.recorder import Recorder
from firmware.appliance.state import State
from firmware.appliance.step import step
from firmware.base.language import use_language
from firmware.history import History, wall_time
from firmware.scan.scan import Eye
from firmware.screens.words import Alert
from firmware.settings.model import PageSettings
from hardware.camera import SteadyCamera
from hardware.errors import ButtonsError, SignalsError
from hardware.health import Health, HealthSource, RaspberryHealth
from hardware.hotspot import Hotspot, ManagedHotspot
from hardware.signals import Signals, StandInSignals

TICK_EVERY_S: Final = 0.5
LOOK_AFTER_HEALTH_EVERY_S: Final = 10.0
SOUND_AFTER_S: Final = 20.0
"""A program that has run for so long has started well."""
WORK_LIMIT_S: Final = 600.0
"""Reading, learning or storing that lasts longer than this hangs."""

_NEVER: Final = float("inf")
_HEALTH: Final = "health"

_log: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class Ends:
    """Whether the program is to end, and what then."""

    wanted: bool = False
    restart: bool = False

    def __call__(self, *, restart: bool = False) -> None:
        """End after this turn; ``restart``: and start anew."""
        self.wanted = True
        self.restart = self.restart or restart


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """All that the appliance is made of and that differs between the real one and a test.

    Attributes:
        folder: of the user's own things.
        state: of the machine, before it has started.
        crew: does what takes long.
        glasses: make what shows the screens; each is given what takes its events.
        buttons: the three buttons.
        camera: makes a camera that is not open yet.
        signals: takes the lines of buzzer and lamp.
        stored_language: that of the settings on the disk, if another one is used this time.
        health: says how the computer is.
        service: the service manager.
        eye: what reads photos; None: the real eye.
        switch_off: switches the computer off; it is given what takes its events.
        open_page: Function that serves the page for phones.
        listen: Function that opens the socket of the page.
        serves: the page is all there is, photos are given to it, and it is served so whatever the
            settings say; None: as they say.
        hotspot: makes the scanner's own network.
        programs: Function that opens the socket at which programs of this computer come; it gives
            None if there is none.
        ends: is told when the program is to end.
        when_sound: called once it has run for a while.
    """

    folder: Path
    state: State
    crew: Crew
    glasses: tuple[Callable[[Callable[[Event], None]], Glass], ...]
    buttons: ButtonDesk
    camera: Callable[[], SteadyCamera]
    open_page: OpenPage
    signals: Callable[[], Signals] = StandInSignals
    stored_language: str | None = None
    health: HealthSource = field(default_factory=RaspberryHealth)
    service: ServiceManager = field(default_factory=ServiceManager)
    eye: Eye | None = None
    switch_off: Callable[[Crew, Callable[[Event], None]], None] = switch_off
    listen: Listen = listen_everywhere
    serves: PageSettings | None = None
    hotspot: Hotspot = field(default_factory=ManagedHotspot)
    programs: Callable[[], socket.socket | None] = lambda: None
    ends: Ends = field(default_factory=Ends)
    when_sound: Callable[[], None] = lambda: None


class Appliance:
    """The machine with all that it works with; nothing is opened yet.

    Args:
        parts: what it is made of.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts, self.state = parts, parts.state
        self._crew = crew = parts.crew
        self._events: deque[Event] = deque([Started()])
        report = self._events.append
        self._heavy = InTurn(crew, "reading", give_back_memory)
        self._desk = CameraDesk(parts.camera, crew, report)
        settings = parts.state.settings
        history = History(parts.folder, **asdict(settings.storage))
        self._recorder = Recorder(
            InTurn(crew, "storing"),
            history,
            report,
            language=settings.language if parts.stored_language is not None else None,
            stored_language=parts.stored_language or "",
        )
        self._jobs = Jobs(
            self._desk, crew, self._heavy, report, self._recorder.keep_photo, parts.eye
        )
        self._front = Front([make(report) for make in parts.glasses])
        self._page = PageService(
            self.state,
            history,
            crew,
            report,
            takes_photos=parts.serves is not None,
            open_page=parts.open_page,
            listen=parts.listen,
            programs=parts.programs(),
            hotspot=parts.hotspot,
        )
        self.ways: Mapping[type[effects.Effect], Callable[[Any], None]] = {
            effects.Show: self._front.show,
            effects.SetBrightness: self._dim,
            effects.StartScan: self._jobs.scan,
            effects.CancelJob: self._jobs.cancel,
            effects.OpenCamera: lambda _effect: self._desk.open(),
            effects.Give: self._give,
            effects.LookToAim: self._jobs.look_to_aim,
            effects.TakeCalibrationPhoto: self._jobs.photograph_sheet,
            effects.SolveCalibration: self._jobs.calibrate,
            effects.KeepCalibration: self._jobs.keep_calibration,
            effects.StartTeaching: self._jobs.teach,
            effects.StartGrouping: self._jobs.group,
            effects.LearnGroups: self._jobs.learn_groups,
            effects.LookForEditions: self._jobs.look_for_editions,
            effects.LearnCorrected: self._jobs.learn_corrected,
            effects.UndoLesson: self._jobs.undo_lesson,
            effects.Save: self._recorder.save,
            effects.RecallLast: self._recorder.recall_last,
            effects.ReadHistory: self._recorder.read_history,
            effects.CountGames: self._recorder.count_games,
            effects.OpenGame: self._recorder.open_game,
            effects.DeleteGame: self._recorder.delete_game,
            effects.DeletePhotos: self._recorder.delete_photos,
            effects.StoreSettings: self._use,
            effects.SwitchHotspot: self._page.switch_hotspot,
            effects.Restart: lambda _effect: parts.ends(restart=True),
            effects.ShutDown: lambda _effect: parts.switch_off(crew, report),
            effects.Log: _write_down,
        }
        """Who does each effect."""
        self._signals: Signals | None = None
        self._told: ButtonsError | None = None
        self._health_is: tuple[HealthChanged, ClockChanged] | None = None
        self._next_tick_s = self._next_health_s = -_NEVER
        self._sound_s = crew.now_s() + SOUND_AFTER_S

    def prepare(self) -> None:
        """Open the history and load the edition in use, so that the first scan need not wait.

        Buzzer and lamp are taken, too; without them all goes on.
        """
        try:
            self._signals = self.parts.signals()
        except SignalsError as error:
            _log.warning("%s: %s (%s)", error.code, error.message, error.where)
        self._recorder.prepare()
        self._jobs.make_ready(self.state.settings)
        self._page.use(self.parts.serves or self.state.settings.page)

    def turn(self) -> None:
        """Do all that is due, once; takes as long as drawing a screen or two."""
        self._crew.turn()
        now_s = self._crew.now_s()
        self._listen(now_s)
        if now_s >= self._next_tick_s:
            self._next_tick_s = now_s + TICK_EVERY_S
            self._events.append(Tick(now_s))
        if now_s >= self._next_health_s:
            self._next_health_s = now_s + LOOK_AFTER_HEALTH_EVERY_S
            if not self._crew.running(_HEALTH):
                self._crew.begin(_HEALTH, self._examine, then=self._examined)
        if now_s >= self._sound_s:
            self._sound_s = _NEVER
            self._crew.begin("start completed", self.parts.when_sound)
        while self._events:
            self.state, wanted = step(self.state, self._events.popleft())
            for effect in wanted:
                self.perform(effect)
        for glass in self._front.glasses:
            glass.turn(now_s)
        self._page.turn(now_s)
        self._recorder.turn(now_s)
        self._page.publish(self.state)
        if not self._is_stuck:
            self.parts.service.alive(now_s)

    def next_turn_s(self) -> float:
        """When the next turn has to be at the latest, in monotonic seconds."""
        return min(
            self._crew.next_limit_s(),
            self.parts.buttons.next_turn_s(self._crew.now_s()),
            self._next_tick_s,
            *(glass.next_turn_s() for glass in self._front.glasses),
        )

    def perform(self, effect: effects.Effect) -> None:
        """Begin an effect, or do one that takes no time; answers are reported as events."""
        self.ways[type(effect)](effect)

    def close(self) -> None:
        """Let go of all devices, in the background; ``is_closed`` says when that is done.

        What is to be stored is still stored.
        """
        self.parts.buttons.close()
        if self._signals is not None:
            self._signals.close()
        self._heavy.give_up()
        self._desk.close()
        self._page.close()
        for glass in self._front.glasses:
            glass.close()
        self._recorder.close()

    @property
    def is_closed(self) -> bool:
        """Whether nothing is left to wait for; work that was given up is not."""
        return self._crew.idle

    @property
    def _is_stuck(self) -> bool:
        """Whether something hangs in a way that only a new start of the program can end."""
        lasts_s = max(self._heavy.lasts_s(), self._recorder.lasts_s())
        return self._desk.stuck or lasts_s > WORK_LIMIT_S

    def _listen(self, now_s: float) -> None:
        self._events.extend(self.parts.buttons.presses(now_s))
        problem = self.parts.buttons.problem
        if problem is not self._told:
            self._told = problem
            self._front.hinder(problem)

    def _examine(self) -> tuple[HealthChanged, ClockChanged]:
        suffers = ailments(self.parts.health.read())
        return HealthChanged(suffers), ClockChanged(wall_time().known)

    def _examined(self, outcome: Outcome) -> None:
        if outcome.error is None and outcome.value != self._health_is:
            self._health_is = outcome.value
            self._events.extend(outcome.value)

    def _give(self, effect: effects.Give) -> None:
        """Give a signal; lines that fail are not asked again."""
        if self._signals is None:
            return
        try:
            self._signals.give(effect.signal)
        except SignalsError as error:
            _log.warning("%s: %s (%s)", error.code, error.message, error.where)
            self._signals.close()
            self._signals = None

    def _dim(self, effect: effects.SetBrightness) -> None:
        for glass in self._front.glasses:
            glass.dim(dimmed=effect.dimmed)

    def _use(self, effect: effects.StoreSettings) -> None:
        """Use settings from now on, and store them."""
        use_language(effect.settings.language)
        for glass in self._front.glasses:
            glass.use(effect.settings.display)
        self._jobs.make_ready(effect.settings)
        self._page.use(self.parts.serves or effect.settings.page)
        self._recorder.store_settings(effect)


def ailments(health: Health) -> tuple[Alert, ...]:
    """What a computer suffers from, as alerts, the worst first."""
    suffers = (
        (Alert.UNDER_VOLTAGE, health.under_voltage),
        (Alert.TOO_HOT, health.too_hot),
        (Alert.THROTTLED, health.throttled),
    )
    return tuple(alert for alert, holds in suffers if holds)


def _write_down(effect: effects.Log) -> None:
    fault = effect.fault
    _log.warning("%s: %s (%s)", fault.code, fault.message, fault.where or "appliance")
