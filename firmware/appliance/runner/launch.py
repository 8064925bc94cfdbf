"""Puts the devices of this start together and runs the appliance until it is asked to stop."""

import re
import secrets
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import Any, Final, cast

from firmware.appliance.events import Choices
from firmware.appliance.faults import Fault, no_camera
from firmware.appliance.link import OpenPage
from firmware.appliance.modes import FIRST_START
from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.crew import Crew, Doorbell
from firmware.appliance.runner.glass import DeviceGlass
from firmware.appliance.runner.jobs import game_choices
from firmware.appliance.runner.loop import Appliance, Ends, Parts
from firmware.appliance.runner.page_service import Listen
from firmware.appliance.runner.power import ServiceManager
from firmware.appliance.runner.terminal import LISTEN_EVERY_S, TerminalGlass, emulated, logged_to
from firmware.appliance.state import State
from firmware.base.errors import PROGRAM, Diagnostic, UsageError
from firmware.base.failed_starts import note_complete_start
from firmware.base.language import LANGUAGES
from firmware.base.listening import listen_for_programs
from firmware.base.user_data import calibration_path, user_folder
from firmware.camera.cameras import open_camera_of
from firmware.data import SAMPLE
from firmware.history import wall_time
from firmware.report.support_bundle import keep_log
from firmware.scan.scan import usual_eye
from firmware.settings import Settings
from firmware.settings.model import PageSettings
from hardware.buttons import Buttons, StandInButtons, open_buttons
from hardware.camera import Camera, FileCamera, Frame, SteadyCamera
from hardware.display import Display
from hardware.errors import ButtonsError, CameraError, HardwareError
from hardware.settings import CameraKind, CameraSettings
from hardware.signals import StandInSignals, open_signals

_NUMBERED: Final = re.compile(r"(picamera|v4l2)(?::(?:/dev/video)?([0-9]{1,3}))?")


def camera_of(given: str, usual: CameraSettings) -> CameraSettings:
    """The camera that is meant.

    Args:
        given: ``picamera``, ``v4l2``, both with ``:N`` or not, ``none``, or the path of a photo or
            of a folder of photos.
        usual: that of the settings, for all that is not said.

    Raises:
        UsageError: ``unknown-camera``.
    """
    numbered = _NUMBERED.fullmatch(given)
    if numbered is not None:
        kind = cast(CameraKind, numbered[1])
        number = int(numbered[2]) if numbered[2] else usual.number if kind == usual.kind else 0
        return replace(usual, kind=kind, number=number)
    if given == "none":
        return replace(usual, kind="none")
    path = Path(given).expanduser()
    if path.is_dir():
        return replace(usual, kind="folder", source=str(path))
    if path.is_file():
        return replace(usual, kind="file", source=str(path))
    raise UsageError(
        "unknown-camera",
        "there is no such camera, photo or folder: name picamera, v4l2, none or a path",
        f"--camera {given}",
    )


CLOSE_LIMIT_S: Final = 6.0
"""For the last result to be stored and the devices to be let go of; after that they are left."""
_LONGEST_WAIT_S: Final = 0.5
_STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def run(
    appliance: Appliance, doorbell: Doorbell, *, files: Callable[[], Sequence[int]] = tuple
) -> bool:
    """Turn until somebody wants it to end.

    Args:
        appliance: ready to turn.
        doorbell: rung by its crew.
        files: what else wakes the loop, such as a terminal.

    Returns:
        Whether all was let go of; if not, threads still hang in some device.
    """
    parts = appliance.parts
    appliance.turn()
    parts.service.ready("ready")
    while not parts.ends.wanted:
        wait_s = min(appliance.next_turn_s() - parts.crew.now_s(), _LONGEST_WAIT_S)
        doorbell.wait(wait_s, files())
        appliance.turn()
    parts.service.stopping()
    return end(appliance, doorbell)


def end(appliance: Appliance, doorbell: Doorbell) -> bool:
    """Store what is still to be stored and let go of all devices; see ``run``."""
    crew = appliance.parts.crew
    appliance.close()
    until_s = crew.now_s() + CLOSE_LIMIT_S
    while not appliance.is_closed and crew.now_s() < until_s:
        doorbell.wait(min(until_s, crew.next_limit_s()) - crew.now_s())
        crew.turn()
    return crew.is_free


@contextmanager
def stop_signals(ends: Ends, doorbell: Doorbell) -> Iterator[None]:
    """Let the usual signals end the program in order, and wake the loop at once.

    Args:
        ends: is told that the program is to end.
        doorbell: wakes the loop.
    """

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        ends()
        doorbell.ring()

    before = {number: signal.signal(number, on_signal) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


NO_CAMERA: Final = frozenset({"camera-missing", "camera-driver-missing", "camera-none"})
"""Codes of the errors that say that there is no camera, rather than one that does not work."""
_MOST_JOBS: Final = 10**9
"""Somewhere below, the numbers of a run begin."""
_WHOLE_FILE: Final = ("settings-not-toml", "settings-unreadable")
"""Warnings after which all settings are the defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What is known before the devices are opened.

    Attributes:
        settings: to start with.
        warnings: what could not be used of those on the disk.
        safe_mode: whether the last starts did not complete.
        is_first: whether nothing was ever set on this computer.
        camera: what ``--camera`` says; None: nothing.
        language: what ``--lang`` says; None: nothing.
        display: open already; None: it is not.
        no_display: why not; None: none is wanted.
    """

    settings: Settings
    warnings: Sequence[Diagnostic] = ()
    safe_mode: bool = False
    is_first: bool = False
    camera: str | None = None
    language: str | None = None
    display: Display | None = None
    no_display: HardwareError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a run has ended.

    Attributes:
        is_free: whether all devices were let go of.
        restart: whether the program is to start anew, and nobody else sees to it.
        problems: why it could not start at all.
    """

    is_free: bool = True
    restart: bool = False
    problems: tuple[HardwareError, ...] = ()


def launch(start: Start, open_page: OpenPage, *, emulate: bool) -> Ended:
    """Run the appliance until it is to end.

    Args:
        start: what is known so far.
        open_page: Function that serves the page for phones.
        emulate: display and buttons are in the terminal.

    Raises:
        UsageError: ``unknown-camera``.
    """
    camera = start.settings.camera
    if start.camera is not None:
        camera = camera_of(start.camera, camera)
    doorbell = Doorbell()
    parts = _usual_parts(start, camera, Crew(doorbell.ring), open_page)
    # Before a terminal is taken, so that it is given back however soon a signal comes.
    with stop_signals(parts.ends, doorbell):
        if emulate:
            return _emulated(parts, doorbell, camera, is_chosen=start.camera is not None)
        return _with_devices(parts, doorbell, start)


class NoCamera:
    """Stands where photos are given to the page; there is nothing to be looked for or told."""

    def capture(self, _timeout_s: float) -> Frame:
        """Refuse to give a picture.

        Raises:
            CameraError: ``camera-missing``.
        """
        raise no_camera()

    def close(self) -> None:
        """Do nothing."""


def serve(
    settings: Settings, open_page: OpenPage, listen: Listen, language: str | None = None
) -> Ended:
    """Serve the page without any device, for photos that are given to it, until a signal comes.

    Args:
        settings: to start with; whatever they say, the page is served.
        open_page: Function that serves it.
        listen: Function that opens its socket.
        language: this time; None: that of the settings.
    """
    doorbell, ends = Doorbell(), Ends()
    start = Start(settings=settings, language=language)
    parts = replace(
        _usual_parts(start, settings.camera, Crew(doorbell.ring), open_page),
        glasses=(),
        buttons=ButtonDesk(StandInButtons),
        camera=lambda: SteadyCamera(NoCamera),
        signals=StandInSignals,
        # The calibration is that of another camera
        eye=usual_eye(calibrated=False),
        switch_off=lambda _crew, _report: ends(),
        listen=listen,
        serves=PageSettings(on=True),
        ends=ends,
        when_sound=lambda: None,
    )
    parts = replace(parts, state=replace(parts.state, evening=False))
    with stop_signals(ends, doorbell):
        return _run(parts, doorbell, tuple)


def _with_devices(parts: Parts, doorbell: Doorbell, start: Start) -> Ended:
    if start.display is None:  # without buttons either, there is nothing to start for
        try:
            first = open_buttons(start.settings.buttons)
        except ButtonsError as problem:
            both = (problem, start.no_display)
            return Ended(problems=tuple(one for one in both if one is not None))
        parts = replace(parts, buttons=ButtonDesk(_opening(start.settings, first)))
    ended = _run(parts, doorbell, tuple)
    note_complete_start(parts.folder)
    return ended


def _opening(settings: Settings, first: Buttons) -> Callable[[], Buttons]:
    """Opens the buttons, the first time by giving those that are open already.

    Lines that were closed and are taken again in the same process would call back twice.
    """
    ready = [first]
    return lambda: ready.pop() if ready else open_buttons(settings.buttons)


def _usual_parts(start: Start, camera: CameraSettings, crew: Crew, open_page: OpenPage) -> Parts:
    """The appliance with real devices."""
    folder, settings, stored_language = user_folder(), start.settings, None
    if start.language not in (None, settings.language):
        stored_language = settings.language
        settings = replace(settings, language=start.language)
    display, first = settings.display, start.display
    has_display = display.kind != "none"
    unusable = [each for each in start.warnings if each.code in _WHOLE_FILE]
    faults = [Fault(each.code, each.message, each.where) for each in unusable]
    return Parts(
        folder=folder,
        state=state_of(
            settings,
            crew.now_s(),
            safe_mode=start.safe_mode,
            settings_fault=next(iter(faults), None),
            evening=True,
            steps=FIRST_START if start.is_first else (),
        ),
        crew=crew,
        glasses=(lambda report: DeviceGlass(display, crew, report, display=first),)
        if has_display
        else (),
        buttons=ButtonDesk(lambda: open_buttons(settings.buttons)),
        camera=lambda: steady(camera),
        signals=lambda: open_signals(settings.signals),
        stored_language=stored_language,
        open_page=open_page,
        programs=listen_for_programs,
        service=ServiceManager.of_environment(),
        when_sound=lambda: note_complete_start(folder),
    )


def state_of(settings: Settings, now_s: float, **more: Any) -> State:
    """The machine before it starts, with what there is to choose from on this computer.

    Args:
        settings: to start with.
        now_s: monotonic seconds.
        **more: further fields of ``State``.
    """
    return State(
        settings,
        Choices(game_choices(), LANGUAGES),
        now_s=now_s,
        # A page that was opened before a restart may still name a table by such a number
        next_job=1 + secrets.randbelow(_MOST_JOBS),
        calibrated=calibration_path().exists(),
        clock_known=wall_time().known,
        version=version(PROGRAM),
        **more,
    )


def steady(settings: CameraSettings, *, or_sample: bool = False) -> SteadyCamera:
    """The camera of these settings, not open yet.

    Args:
        settings: which camera.
        or_sample: where there is no such camera, it gives the sample photo.
    """

    def opened() -> Camera:
        try:
            return open_camera_of(settings)
        except CameraError as error:
            if not or_sample or error.code not in NO_CAMERA:
                raise
            return FileCamera(SAMPLE)

    return SteadyCamera(opened, place=settings.place)


def _emulated(
    parts: Parts, doorbell: Doorbell, camera: CameraSettings, *, is_chosen: bool
) -> Ended:
    with ExitStack() as stack:
        glass, keys = stack.enter_context(emulated(parts.ends))
        if isinstance(glass, TerminalGlass):
            say, crew = glass.say, parts.crew
            stack.enter_context(logged_to(lambda line: crew.call(lambda: say(line))))
        in_terminal = replace(
            parts,
            glasses=(lambda _report: glass,),
            buttons=ButtonDesk(lambda: keys, poll_every_s=LISTEN_EVERY_S),
            camera=lambda: steady(camera, or_sample=not is_chosen),
            signals=StandInSignals,
            switch_off=lambda _crew, _report: parts.ends(),
            when_sound=lambda: None,
        )
        return _run(in_terminal, doorbell, lambda: keys.files)


def _run(parts: Parts, doorbell: Doorbell, files: Callable[[], Sequence[int]]) -> Ended:
    keep_log()
    appliance = Appliance(parts)
    appliance.prepare()
    is_free = run(appliance, doorbell, files=files)
    doorbell.close()
    return Ended(is_free=is_free, restart=parts.ends.restart and not parts.service.is_there)
