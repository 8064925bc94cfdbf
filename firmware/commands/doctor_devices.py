"""The examination of what is screwed on: camera, display, buttons, and the computer itself."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from firmware.commands.doctor_findings import Finding, Part, State, problem
from firmware.errors import message_of
from firmware.language import _
from firmware.settings import ButtonSettings, CameraSettings, DisplaySettings, Settings
from hardware.buttons import Buttons, open_buttons
from hardware.camera import Camera, Frame, SteadyCamera, brightness, open_camera
from hardware.display import Display, open_display
from hardware.errors import HardwareError
from hardware.health import Health, HealthSource, RaspberryHealth
from hardware.timeouts import NeverReturnedError, call_with_limit
from vision.errors import Message

Result = TypeVar("Result")

CAPTURE_TIMEOUT_S: Final = 10.0
DEVICE_LIMIT_S: Final = 10.0
"""To open a display or the buttons; a bus that hangs must not hang the examination."""

DARK: Final = 20.0
"""Mean of all pixels, 0 to 255, below which hardly anything can be read."""

BRIGHT: Final = 235.0


@dataclass(frozen=True, slots=True)
class Devices:
    """How devices are opened, and what tells the time; others in tests."""

    open_camera: Callable[[CameraSettings], Camera] = open_camera
    open_display: Callable[[DisplaySettings], Display] = open_display
    open_buttons: Callable[[ButtonSettings], Buttons] = open_buttons
    health: HealthSource = field(default_factory=RaspberryHealth)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def opened_display(devices: Devices, settings: Settings) -> Display | None:
    """The display; None: by the settings there is none.

    Raises:
        HardwareError: it cannot be opened.
    """
    if settings.display.kind == "none":
        return None
    display = settings.display
    return _limited(lambda: devices.open_display(display), "display-lost", display.place)


def opened_buttons(devices: Devices, settings: Settings) -> Buttons:
    """The buttons.

    Raises:
        HardwareError: they cannot be opened.
    """
    return _limited(lambda: devices.open_buttons(settings.buttons), "buttons-broken", "GPIO")


def camera_findings(devices: Devices, settings: Settings) -> tuple[list[Finding], Frame | None]:
    """Take a picture; gives it as well, if there is one."""
    if settings.camera.kind == "none":
        return [Finding(Part.CAMERA, State.UNUSED, _("The settings name none."))], None
    place = settings.camera.place
    camera = SteadyCamera(lambda: devices.open_camera(settings.camera), place=place)
    try:
        frame = camera.capture(CAPTURE_TIMEOUT_S)
    except HardwareError as error:
        return [broken(Part.CAMERA, error)], None
    finally:
        camera.close()
    height, width = frame.image_bgr.shape[:2]
    said = _("It took a picture of {width} x {height} pixels ({where}).").format(
        width=width, height=height, where=place
    )
    return [_light_finding(frame, place) or Finding(Part.CAMERA, State.FINE, said)], frame


def display_findings(display: Display | None, settings: DisplaySettings) -> list[Finding]:
    """What can be said of a display that was opened."""
    if display is None:
        return [Finding(Part.DISPLAY, State.UNUSED, _("The settings name none."))]
    width, height = display.size_wh
    said = _("It answers: {controller} of {width} x {height} pixels ({where}).").format(
        controller=settings.controller.upper(), width=width, height=height, where=settings.place
    )
    return [Finding(Part.DISPLAY, State.FINE, said)]


def button_findings(buttons: Buttons, devices: Devices, settings: ButtonSettings) -> list[Finding]:
    """What can be said of buttons that nobody is asked to press."""
    try:
        buttons.poll(devices.clock())
    except HardwareError as error:
        return [broken(Part.BUTTONS, error)]
    said = _("SCAN is on GPIO {scan}, NEXT on GPIO {next}, OK on GPIO {ok}.").format(
        scan=settings.scan_gpio, next=settings.next_gpio, ok=settings.ok_gpio
    )
    return [Finding(Part.BUTTONS, State.FINE, said)]


def computer_findings(health: Health) -> list[Finding]:
    """Supply and heat."""
    found: list[Finding] = []
    if health.under_voltage or health.under_voltage_before:
        found.append(
            problem(
                "under-voltage",
                Message(
                    "the supply is or was too weak: use the one made for this Raspberry Pi, and "
                    "a short cable"
                ),
                "supply",
                Part.COMPUTER,
                State.LOOK,
            )
        )
    if health.too_hot or health.throttled:
        found.append(
            problem(
                "too-hot",
                Message("the computer is slowed down or too hot: give it air or a heat sink"),
                "processor",
                Part.COMPUTER,
                State.LOOK,
            )
        )
    if found:
        return found
    if health.temperature_c is None:
        return [Finding(Part.COMPUTER, State.FINE, _("It does not say how it is."))]
    said = _("It has {degrees} degrees Celsius.").format(degrees=round(health.temperature_c))
    return [Finding(Part.COMPUTER, State.FINE, said)]


def broken(part: Part, error: HardwareError) -> Finding:
    """A device that does not work."""
    return problem(error.code, message_of(error), error.where, part, State.BROKEN)


def _light_finding(frame: Frame, place: str) -> Finding | None:
    light = brightness(frame.image_bgr)
    if DARK <= light <= BRIGHT:
        return None
    what = Message("almost black: take off the cap, switch on a light")
    if light > BRIGHT:
        what = Message("almost white: keep lamps and the sun out of the picture")
    return problem(
        "camera-light",
        Message("it works, but its picture is {what}", what=what),
        place,
        Part.CAMERA,
        State.LOOK,
    )


def _limited(job: Callable[[], Result], code: str, place: str) -> Result:
    try:
        return call_with_limit(job, DEVICE_LIMIT_S)
    except NeverReturnedError:
        raise HardwareError(
            code, "it does not answer: switch off, check its wires, switch on", place
        ) from None
