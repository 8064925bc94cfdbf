"""Puts the devices of this start together and runs the appliance until it is asked to stop."""

import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Final, cast

from firmware.appliance.faults import Fault
from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.composition import (
    Ends,
    Parts,
    compose,
    started,
    steady,
    steady_or_sample,
    with_language,
)
from firmware.appliance.runner.crew import Crew, Doorbell, SystemClock
from firmware.appliance.runner.glass import DeviceGlass
from firmware.appliance.runner.loop import Appliance
from firmware.appliance.runner.power import NoPowerSwitch, ServiceManager
from firmware.appliance.runner.terminal import emulated, logged_to
from firmware.boots import boot_complete
from firmware.errors import Diagnostic, UsageError
from firmware.settings import Settings
from firmware.user_data import user_folder
from hardware.buttons import Buttons, open_buttons
from hardware.display import Display
from hardware.errors import ButtonsError, HardwareError
from hardware.settings import CameraKind, CameraSettings

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
    appliance: Appliance,
    crew: Crew,
    doorbell: Doorbell,
    service: ServiceManager,
    ends: Ends,
    *,
    files: Callable[[], Sequence[int]] = tuple,
) -> bool:
    """Turn until somebody wants it to end.

    Args:
        appliance: ready to turn.
        crew: that of the appliance.
        doorbell: that of the crew.
        service: is told when it is ready and when it stops.
        ends: says when to end.
        files: what else wakes the loop, such as a terminal.

    Returns:
        Whether all was let go of; if not, threads still hang in some device.
    """
    appliance.turn()
    service.ready("ready")
    while not ends.wanted:
        wait_s = min(appliance.next_turn_s() - crew.now_s(), _LONGEST_WAIT_S)
        doorbell.wait(wait_s, files())
        appliance.turn()
    service.stopping()
    return end(appliance, crew, doorbell)


def end(appliance: Appliance, crew: Crew, doorbell: Doorbell) -> bool:
    """Store what is still to be stored and let go of all devices; see ``run``."""
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


_WHOLE_FILE: Final = ("settings-not-toml", "settings-unreadable")
"""Warnings after which all settings are the defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What is known before the devices are opened.

    Attributes:
        settings: to start with.
        warnings: what could not be used of those on the disk.
        safe_mode: whether the last starts did not complete.
        camera: what ``--camera`` says; None: nothing.
        language: what ``--lang`` says; None: nothing.
        display: open already; None: it is not.
        no_display: why not; None: none is wanted.
    """

    settings: Settings
    warnings: Sequence[Diagnostic] = ()
    safe_mode: bool = False
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


def launch(start: Start, *, emulate: bool) -> Ended:
    """Run the appliance until it is to end.

    Args:
        start: what is known so far.
        emulate: display and buttons are in the terminal.

    Raises:
        UsageError: ``unknown-camera``.
    """
    camera = start.settings.camera
    if start.camera is not None:
        camera = camera_of(start.camera, camera)
    doorbell = Doorbell()
    parts = _usual_parts(start, camera, Crew(SystemClock(), doorbell))
    # Before a terminal is taken, so that it is given back however soon a signal comes.
    with stop_signals(parts.ends, doorbell):
        if emulate:
            return _emulated(parts, doorbell, camera, is_chosen=start.camera is not None)
        return _with_devices(parts, doorbell, start)


def _with_devices(parts: Parts, doorbell: Doorbell, start: Start) -> Ended:
    if start.display is None:  # without buttons either, there is nothing to start for
        try:
            first = open_buttons(start.settings.buttons)
        except ButtonsError as problem:
            both = (problem, start.no_display)
            return Ended(problems=tuple(one for one in both if one is not None))
        parts = replace(parts, buttons=ButtonDesk(_opening(start.settings, first)))
    ended = _run(parts, doorbell, tuple)
    boot_complete(parts.folder)
    return ended


def _opening(settings: Settings, first: Buttons) -> Callable[[], Buttons]:
    """Opens the buttons, the first time by giving those that are open already.

    Lines that were closed and are taken again in the same process would call back twice.
    """
    ready = [first]
    return lambda: ready.pop() if ready else open_buttons(settings.buttons)


def _usual_parts(start: Start, camera: CameraSettings, crew: Crew) -> Parts:
    """The appliance with real devices."""
    folder = user_folder()
    settings, stored_language = with_language(start.settings, start.language)
    display, first = settings.display, start.display
    has_display = display.kind != "none"
    return Parts(
        folder=folder,
        started=started(
            settings,
            crew.now_s(),
            safe_mode=start.safe_mode,
            settings_fault=_settings_fault(start.warnings),
        ),
        crew=crew,
        glasses=(lambda report: DeviceGlass(display, crew, report, display=first),)
        if has_display
        else (),
        buttons=ButtonDesk(lambda: open_buttons(settings.buttons)),
        camera=lambda: steady(camera),
        stored_language=stored_language,
        service=ServiceManager.of_environment(),
        when_sound=lambda: boot_complete(folder),
    )


def _emulated(
    parts: Parts, doorbell: Doorbell, camera: CameraSettings, *, is_chosen: bool
) -> Ended:
    with ExitStack() as stack:
        front = stack.enter_context(emulated(parts.ends))
        if front.say is not None:
            say, crew = front.say, parts.crew
            stack.enter_context(logged_to(lambda line: crew.call(lambda: say(line))))
        in_terminal = replace(
            parts,
            glasses=(lambda _report: front.glass,),
            buttons=front.buttons,
            camera=parts.camera if is_chosen else lambda: steady_or_sample(camera),
            power=lambda _crew, _report, ends: NoPowerSwitch(ends),
            when_sound=lambda: None,
        )
        return _run(in_terminal, doorbell, lambda: front.keys.files)


def _run(parts: Parts, doorbell: Doorbell, files: Callable[[], Sequence[int]]) -> Ended:
    appliance = compose(parts)
    appliance.performer.recorder.prepare()
    appliance.performer.scanner.make_ready(parts.started.settings)
    is_free = run(appliance, parts.crew, doorbell, parts.service, parts.ends, files=files)
    doorbell.close()
    return Ended(is_free=is_free, restart=parts.ends.restart and not parts.service.is_there)


def _settings_fault(warnings: Sequence[Diagnostic]) -> Fault | None:
    """Why the settings are not those on the disk."""
    for warning in warnings:
        if warning.code in _WHOLE_FILE:
            return Fault(warning.code, warning.message, warning.where)
    return None
