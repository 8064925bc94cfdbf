"""Puts the devices of this start together and lets the appliance run."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from firmware.appliance.faults import Fault
from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.camera_option import camera_of
from firmware.appliance.runner.composition import (
    Parts,
    compose,
    started,
    steady,
    steady_or_sample,
    with_language,
)
from firmware.appliance.runner.crew import Crew
from firmware.appliance.runner.device_glass import DeviceGlass
from firmware.appliance.runner.emulation import emulated, logged_to
from firmware.appliance.runner.power import NoPowerSwitch
from firmware.appliance.runner.running import run, stop_signals
from firmware.appliance.runner.service import ServiceManager
from firmware.appliance.runner.waiting import Doorbell, SystemClock
from firmware.boots import boot_complete
from firmware.errors import Diagnostic
from firmware.settings import CameraSettings, Settings
from firmware.user_data import user_folder
from hardware.buttons import Buttons, open_buttons
from hardware.display import Display
from hardware.errors import ButtonsError, HardwareError

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
