"""Aiming: a live picture that helps to mount the camera.

Opened from the menu, from the web page or during the first start. Takes one picture after the other
until someone leaves, or nobody has pressed a button for ``IDLE_TIMEOUT_S``.
"""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from firmware.appliance.base import Command, Job, JobEvent, SetupStep, StepResult, is_interruptible
from firmware.appliance.camera_recovery import start_opening_camera
from firmware.appliance.job_mode import JobMode, clear_camera_problem, receive_failure, start_job
from firmware.appliance.state import State
from firmware.appliance.transitions import continue_with, enter, go_back
from firmware.screens.device_views import AimPart, AimView, StageView
from firmware.screens.view import View
from firmware.screens.words import Stage
from hardware.buttons import Button
from vision.photo.load import Photo

IDLE_TIMEOUT_S: Final = 900.0
"""Time in seconds without a button press or a start on the page after which aiming ends."""


@dataclass(frozen=True, slots=True)
class TakeAimingPicture(Job):
    """Take a picture and measure it: light, sharpness, height, tilt.

    Answered by ``AimingPictureTaken`` or ``JobFailed``.
    """


@dataclass(frozen=True, slots=True)
class AimingPictureTaken(JobEvent):
    """The camera took a picture.

    Attributes:
        aim_view: View with the picture and its measurements.
        photo: Picture in full size, for the web page.
    """

    aim_view: AimView
    photo: Photo | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AimingMode(JobMode):
    """Live picture with advice. Buttons work while the next picture is being taken.

    Attributes:
        last_press_s: Time of the last button press or ``StartAiming`` of the page.
        aim_view: View of the latest picture; None before the first one.
        part: Part of that view that is shown.
        photo: Latest picture in full size, for the web page.
    """

    signals_when_done: ClassVar[bool] = False  # it would beep at every picture

    last_press_s: float = 0.0
    aim_view: AimView | None = None
    part: AimPart = AimPart.PICTURE
    photo: Photo | None = field(default=None, compare=False)

    def view(self, state: State) -> View:
        return self.idle_view(state)

    def press(self, state: State, button: Button) -> StepResult:
        """SCAN: focus and expose again. NEXT: next part. OK: leave.

        Before the first picture NEXT cancels, and the other buttons do nothing.
        """
        if self.aim_view is None:
            return stop_aiming(state) if button is Button.NEXT else (state, ())
        mode = replace(self, last_press_s=state.now_s)
        match button:
            case Button.SCAN:
                so_far = enter(state, replace(mode, aim_view=None))
                return continue_with(so_far, start_opening_camera)
            case Button.NEXT:
                part = AimPart((self.part + 1) % len(AimPart))
                return enter(state, replace(mode, part=part))
            case Button.OK:
                return stop_aiming(state)

    def idle_view(self, state: State) -> View:
        if self.aim_view is None:
            return StageView(stage=Stage.CAPTURE)
        return replace(self.aim_view, part=self.part)

    def press_idle(self, state: State, button: Button) -> StepResult:
        return self.press(state, button)

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        if isinstance(event, AimingPictureTaken):
            return self._show(state, event)
        return receive_failure(state, event)

    def _show(self, state: State, event: AimingPictureTaken) -> StepResult:
        """Show the picture and take the next one."""
        mode = replace(self, job_id=None, aim_view=event.aim_view, photo=event.photo)
        state = replace(clear_camera_problem(state), mode=mode)
        if state.now_s - mode.last_press_s >= IDLE_TIMEOUT_S:
            return go_back(replace(state, menu=None))
        return start_job(state, mode, TakeAimingPicture)


@dataclass(frozen=True, slots=True)
class StartAiming(Command):
    """Start aiming; if it is running, restart the time after which it ends by itself."""

    @property
    def needs_camera(self) -> bool:
        return True

    def is_allowed(self, state: State) -> bool:
        return isinstance(state.mode, AimingMode) or is_interruptible(state)

    def run(self, state: State) -> StepResult:
        if isinstance(state.mode, AimingMode):
            return replace(state, mode=replace(state.mode, last_press_s=state.now_s)), ()
        return continue_with(enter(state, state.standard_modes.ready()), start_aiming)


@dataclass(frozen=True, slots=True)
class StopAiming(Command):
    """Leave aiming; does nothing in other modes."""

    def is_allowed(self, state: State) -> bool:
        return isinstance(state.mode, AimingMode) or is_interruptible(state)

    def run(self, state: State) -> StepResult:
        return stop_aiming(state) if isinstance(state.mode, AimingMode) else (state, ())


@dataclass(frozen=True, slots=True)
class AimingStep(SetupStep):
    """Aiming during the first start."""

    def open(self, state: State) -> StepResult | None:
        return start_aiming(state)


def start_aiming(state: State) -> StepResult:
    """Enter aiming and take the first picture."""
    return start_job(state, AimingMode(last_press_s=state.now_s), TakeAimingPicture)


def stop_aiming(state: State) -> StepResult:
    """Leave aiming and reopen the camera: at its new place it needs other focus and exposure."""
    return continue_with(go_back(state), start_opening_camera)
