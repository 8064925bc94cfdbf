"""Compose the appliance with its devices, or with the page alone, and run it until it ends."""

import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, Final

from firmware.appliance.choices import Choices
from firmware.appliance.features.first_start import FIRST_START
from firmware.appliance.features.standard_modes import first_state
from firmware.appliance.page_channel import OpenPage
from firmware.appliance.problems import no_camera_error
from firmware.appliance.runner.available_editions import game_choices
from firmware.appliance.runner.button_service import ButtonService
from firmware.appliance.runner.loop import (
    Appliance,
    ApplianceParts,
    StopRequest,
    run_until_stopped,
    stop_signals,
)
from firmware.appliance.runner.page_service import Listen
from firmware.appliance.runner.screen_outputs import DisplayOutput
from firmware.appliance.runner.service_manager import ServiceManager
from firmware.appliance.runner.tasks import TaskRunner, WakeUp
from firmware.appliance.runner.terminal_front import (
    LISTEN_EVERY_S,
    TerminalOutput,
    emulated_front,
    logged_to,
)
from firmware.appliance.state import State
from firmware.base.errors import PROGRAM
from firmware.base.failed_starts import reset_start_count
from firmware.base.language import LANGUAGES
from firmware.base.page_sockets import listen_for_programs
from firmware.base.problem import Problem
from firmware.base.user_data import calibration_path, user_folder
from firmware.camera.configured_camera import named_camera, open_camera_of
from firmware.data import SAMPLE
from firmware.history import wall_time
from firmware.report.support_bundle import keep_log
from firmware.scan.make_scan import default_reader
from firmware.settings import Settings
from firmware.settings.defaults import PageSettings
from hardware.buttons import Buttons, StandInButtons, open_buttons
from hardware.camera import Camera, FileCamera, Frame, SupervisedCamera
from hardware.display import Display
from hardware.errors import ButtonsError, CameraError, HardwareError
from hardware.settings import CameraSettings
from hardware.signals import NoSignals, open_signals

MISSING_CAMERA_CODES: Final = frozenset({"camera-missing", "camera-driver-missing", "camera-none"})
"""Codes of errors of a missing camera, as opposed to one that does not work."""
_MAX_FIRST_ID: Final = 10**9
"""Upper bound of the random number with which the ids of a run begin."""
_UNUSABLE_FILE_CODES: Final = ("settings-not-toml", "settings-unreadable")
"""Codes of warnings after which all settings are the defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOptions:
    """Options of a start, known before the devices are opened.

    Attributes:
        settings: Settings to start with.
        warnings: Problems with the settings on the disk.
        safe_mode: True if the last starts did not complete.
        is_first: True if there were never settings on this computer.
        camera: Value of ``--camera``; None if it is not given.
        language: Value of ``--lang``; None if it is not given.
        display: Display that is open already; None if there is none.
        display_error: Error because of which there is no display; None if it is open or not wanted.
    """

    settings: Settings
    warnings: Sequence[Problem] = ()
    safe_mode: bool = False
    is_first: bool = False
    camera: str | None = None
    language: str | None = None
    display: Display | None = None
    display_error: HardwareError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """End of a run.

    Attributes:
        is_free: True if all devices were released.
        restart: True if the program has to start itself again.
        problems: Errors that prevented the start.
    """

    is_free: bool = True
    restart: bool = False
    problems: tuple[HardwareError, ...] = ()


def launch(options: LaunchOptions, open_page: OpenPage, *, emulate: bool) -> RunOutcome:
    """Run the appliance until a signal, the key to quit or a shutdown ends it.

    Args:
        options: Options of this start.
        open_page: Function that serves the page for phones.
        emulate: True for display and buttons in the terminal.

    Raises:
        UsageError: ``unknown-camera``.
    """
    camera = options.settings.camera
    if options.camera is not None:
        camera = named_camera(options.camera, camera)
    wake_up = WakeUp()
    parts = _default_parts(options, camera, TaskRunner(wake_up.wake), open_page)
    # Before a terminal is taken, so that it is given back however soon a signal comes.
    with stop_signals(parts.stop, wake_up):
        if emulate:
            return _run_emulated(parts, wake_up, camera, is_chosen=options.camera is not None)
        return _run_with_devices(parts, wake_up, options)


class NoCamera:
    """Camera without pictures, for a page to which photos are uploaded."""

    def capture(self, _timeout_s: float) -> Frame:
        """Refuse a picture.

        Raises:
            CameraError: ``camera-missing``.
        """
        raise no_camera_error()

    def close(self) -> None:
        """Do nothing."""


def serve(
    settings: Settings, open_page: OpenPage, listen: Listen, language: str | None = None
) -> RunOutcome:
    """Serve the page without any device, for uploaded photos, until a signal comes.

    Args:
        settings: Settings to start with; the page is served even if they switch it off.
        open_page: Function that serves the page.
        listen: Function that opens its socket.
        language: Language of this run; None for that of the settings.
    """
    wake_up, stop = WakeUp(), StopRequest()
    options = LaunchOptions(settings=settings, language=language)
    parts = replace(
        _default_parts(options, settings.camera, TaskRunner(wake_up.wake), open_page),
        make_outputs=(),
        buttons=ButtonService(StandInButtons),
        make_camera=lambda: SupervisedCamera(NoCamera),
        open_signals=NoSignals,
        # The calibration is that of another camera
        reader=default_reader(calibrated=False),
        power_off=lambda _tasks, _report: stop(),
        listen=listen,
        page_only=PageSettings(on=True),
        stop=stop,
        on_complete_start=lambda: None,
    )
    parts = replace(parts, state=replace(parts.state, must_ask_players=False))
    with stop_signals(stop, wake_up):
        return _run(parts, wake_up, tuple)


def _run_with_devices(parts: ApplianceParts, wake_up: WakeUp, options: LaunchOptions) -> RunOutcome:
    if options.display is None:  # without buttons either, there is nothing to start for
        try:
            first = open_buttons(options.settings.buttons)
        except ButtonsError as problem:
            both = (problem, options.display_error)
            return RunOutcome(problems=tuple(one for one in both if one is not None))
        parts = replace(parts, buttons=ButtonService(_open_buttons(options.settings, first)))
    ended = _run(parts, wake_up, tuple)
    reset_start_count(parts.folder)
    return ended


def _open_buttons(settings: Settings, first: Buttons) -> Callable[[], Buttons]:
    """Return a function that opens the buttons; its first call gives those that are open already.

    Lines that are open cannot be taken a second time.
    """
    ready = [first]
    return lambda: ready.pop() if ready else open_buttons(settings.buttons)


def _default_parts(
    options: LaunchOptions, camera: CameraSettings, tasks: TaskRunner, open_page: OpenPage
) -> ApplianceParts:
    folder, settings, stored_language = user_folder(), options.settings, None
    if options.language not in (None, settings.language):
        stored_language = settings.language
        settings = replace(settings, language=options.language)
    display, first = settings.display, options.display
    has_display = display.kind != "none"
    unusable = (warning for warning in options.warnings if warning.code in _UNUSABLE_FILE_CODES)
    return ApplianceParts(
        folder=folder,
        state=initial_state(
            settings,
            tasks.now_s(),
            safe_mode=options.safe_mode,
            settings_problem=next(unusable, None),
            must_ask_players=True,
            setup_steps=FIRST_START if options.is_first else (),
        ),
        tasks=tasks,
        make_outputs=(lambda report: DisplayOutput(display, tasks, report, display=first),)
        if has_display
        else (),
        buttons=ButtonService(lambda: open_buttons(settings.buttons)),
        make_camera=lambda: supervised_camera(camera),
        open_signals=lambda: open_signals(settings.signals),
        stored_language=stored_language,
        open_page=open_page,
        open_local_socket=listen_for_programs,
        service=ServiceManager.from_environment(),
        on_complete_start=lambda: reset_start_count(folder),
    )


def initial_state(settings: Settings, now_s: float, **more: Any) -> State:
    """Return the state of the machine before its start, with the choices of this computer.

    Args:
        settings: Settings to start with.
        now_s: Monotonic seconds.
        **more: Further fields of ``State``.
    """
    return replace(
        first_state(settings, Choices(game_choices(), LANGUAGES)),
        now_s=now_s,
        # A page that was opened before a restart may still name a table by such a number
        next_id=1 + secrets.randbelow(_MAX_FIRST_ID),
        calibrated=calibration_path().exists(),
        clock_known=wall_time().known,
        version=version(PROGRAM),
        **more,
    )


def supervised_camera(settings: CameraSettings, *, or_sample: bool = False) -> SupervisedCamera:
    """Return the camera of the settings, not open yet.

    Args:
        settings: Settings of the camera.
        or_sample: True to give the sample photo where there is no such camera.
    """

    def open_camera() -> Camera:
        try:
            return open_camera_of(settings)
        except CameraError as error:
            if not or_sample or error.code not in MISSING_CAMERA_CODES:
                raise
            return FileCamera(SAMPLE)

    return SupervisedCamera(open_camera, where=settings.where)


def _run_emulated(
    parts: ApplianceParts, wake_up: WakeUp, camera: CameraSettings, *, is_chosen: bool
) -> RunOutcome:
    with ExitStack() as stack:
        output, keys = stack.enter_context(emulated_front(parts.stop))
        if isinstance(output, TerminalOutput):
            show_line, tasks = output.show_line, parts.tasks
            stack.enter_context(logged_to(lambda line: tasks.call(lambda: show_line(line))))
        in_terminal = replace(
            parts,
            make_outputs=(lambda _report: output,),
            buttons=ButtonService(lambda: keys, poll_every_s=LISTEN_EVERY_S),
            make_camera=lambda: supervised_camera(camera, or_sample=not is_chosen),
            open_signals=NoSignals,
            power_off=lambda _tasks, _report: parts.stop(),
            on_complete_start=lambda: None,
        )
        return _run(in_terminal, wake_up, lambda: keys.files)


def _run(parts: ApplianceParts, wake_up: WakeUp, files: Callable[[], Sequence[int]]) -> RunOutcome:
    keep_log()
    appliance = Appliance(parts)
    appliance.prepare()
    is_free = run_until_stopped(appliance, wake_up, files=files)
    wake_up.close()
    return RunOutcome(
        is_free=is_free, restart=parts.stop.restart and not parts.service.restarts_program
    )
