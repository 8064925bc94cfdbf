"""Checks of camera, display, buttons and signals."""

import sys
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Final, TypeVar

from PIL import Image, ImageDraw

from firmware.base.language import N_, _
from firmware.base.problem import Problem
from firmware.base.terminal import print_lines
from firmware.camera.aim_measurement import MAX_LIGHT, MIN_LIGHT
from firmware.doctor.check_results import (
    CheckContext,
    CheckResult,
    CheckResults,
    Devices,
    PartState,
)
from firmware.screens import typeset
from hardware.buttons import Button, ButtonAction, Buttons
from hardware.camera import SupervisedCamera, brightness
from hardware.display import Display
from hardware.errors import HardwareError
from hardware.signals import Signal
from hardware.timeouts import NeverReturnedError, call_with_limit
from vision.message import Message

T = TypeVar("T")

CHECK_CAPTURE_TIMEOUT_S: Final = 10.0
"""Longest time for the test picture in seconds."""
CHECK_OPEN_LIMIT_S: Final = 10.0
"""Longest opening of a display or of the buttons; a hanging bus fails its own check alone."""
PRESS_TIMEOUT_S: Final = 20.0
"""Longest wait for a person to press a button."""

_POLL_INTERVAL_S: Final = 0.02
_NO: Final = "n"
"""First letter of no, nein and nem."""
_LABELS: Final = {Button.SCAN: "SCAN", Button.NEXT: "NEXT", Button.OK: "OK"}
_FRAME_QUESTION: Final = N_(
    "Does the display show a frame along all four edges, and upright: 1 2 3? [y/n]"
)
_FULL_QUESTION: Final = N_("Is the whole display lit now, without dark lines? [y/n]")


def check_camera(context: CheckContext) -> CheckResults:
    """Take a picture and check its brightness."""
    settings = context.settings.camera
    if settings.kind == "none":
        yield CheckResult(PartState.UNUSED, _("The settings name none."))
        return
    with closing(
        SupervisedCamera(lambda: context.devices.open_camera(settings), where=settings.where)
    ) as camera:
        context.frame = camera.capture(CHECK_CAPTURE_TIMEOUT_S)
    image_bgr = context.frame.image_bgr
    light = brightness(image_bgr)
    if MIN_LIGHT <= light <= MAX_LIGHT:
        text = _("The camera took a photo of {width} x {height} pixels ({where}).")
        height, width = image_bgr.shape[:2]
        where = settings.where
        yield CheckResult(PartState.FINE, text.format(width=width, height=height, where=where))
        return
    what = Message("almost black: take off the cap, switch on a light")
    if light > MAX_LIGHT:
        what = Message("almost white: keep lamps and the sun out of the picture")
    message = Message("the camera works, but its picture is {what}", what=what)
    yield CheckResult(PartState.LOOK, Problem("camera-light", message, settings.where))


def check_display(context: CheckContext) -> CheckResults:
    """Open the display; show test pictures to a person who is there."""
    settings = context.settings.display
    if settings.kind == "none":
        yield CheckResult(PartState.UNUSED, _("The settings name none."))
        return
    context.display = _open_within_limit(
        lambda: context.devices.open_display(settings), "display-lost", settings.where
    )
    context.close_at_end.callback(context.display.close)
    if context.is_interactive:
        yield _ask_about_display(context.display, settings.where)
        return
    text = _("The display answers: {controller} of {width} x {height} pixels ({where}).")
    width, height = context.display.size_wh
    name, where = settings.controller.upper(), settings.where
    yield CheckResult(
        PartState.FINE, text.format(controller=name, width=width, height=height, where=where)
    )


def check_buttons(context: CheckContext) -> CheckResults:
    """Open the buttons; ask a person who is there to press each of them."""
    settings = context.settings.buttons
    with closing(
        _open_within_limit(lambda: context.devices.open_buttons(settings), "buttons-broken", "GPIO")
    ) as buttons:
        if context.is_interactive:
            yield from _ask_for_presses(buttons, context)
            return
        buttons.poll(context.devices.clock())
    text = _("SCAN is on GPIO {scan}, NEXT on GPIO {next}, OK on GPIO {ok}.")
    numbers = {"scan": settings.scan_gpio, "next": settings.next_gpio, "ok": settings.ok_gpio}
    yield CheckResult(PartState.FINE, text.format(**numbers))


def check_signals(context: CheckContext) -> CheckResults:
    """Open buzzer and lamp, which the appliance can do without; try them if a person is there."""
    settings = context.settings.signals
    if not settings.is_connected:
        yield CheckResult(PartState.UNUSED, _("The settings name none."))
        return
    numbers = {"buzzer": settings.buzzer_gpio, "lamp": settings.lamp_gpio}
    try:
        with closing(context.devices.open_signals(settings)) as signals:
            if context.is_interactive:
                signals.give(Signal.LOOK_AT_DISPLAY)
                print_lines(_("Did the buzzer sound twice, or the lamp flash twice? [y/n]"))
                if not _is_confirmed():
                    message = Message("no signal came: check their wires, and their numbers")
                    yield CheckResult(PartState.LOOK, Problem("signals-not-seen", message, "GPIO"))
                    return
    except HardwareError as error:
        yield CheckResult(PartState.LOOK, Problem.of(error))
        return
    text = _("The buzzer is on GPIO {buzzer}, the lamp on GPIO {lamp}; -1: not there.")
    yield CheckResult(PartState.FINE, text.format(**numbers))


def _open_within_limit(open_device: Callable[[], T], code: str, where: str) -> T:
    try:
        return call_with_limit(open_device, CHECK_OPEN_LIMIT_S)
    except NeverReturnedError:
        raise HardwareError(
            code, "it does not answer: switch off, check its wires, switch on", where
        ) from None


def _ask_about_display(display: Display, where: str) -> CheckResult:
    """Show test pictures and ask what is seen."""
    tests = (
        (frame_picture(display.size_wh), _FRAME_QUESTION,
         Message("the picture is wrong: try another controller, or upside_down, in the settings")),
        (Image.new("1", display.size_wh, 1), _FULL_QUESTION,
         Message("some of its pixels stay dark: check its wires, or use another display")),
    )  # fmt: skip
    for picture, question, advice in tests:
        display.show(picture)
        print_lines(_(question))
        if not _is_confirmed():
            return CheckResult(PartState.BROKEN, Problem("display-wrong", advice, where))
    display.show(Image.new("1", display.size_wh))
    return CheckResult(PartState.FINE, _("The display shows the test pictures."))


def _is_confirmed() -> bool:
    """Read an answer: an empty line means yes, and so does any word but no; its end means no."""
    answer = sys.stdin.readline()
    return bool(answer) and not answer.strip().lower().startswith(_NO)


def _ask_for_presses(buttons: Buttons, context: CheckContext) -> CheckResults:
    """Ask for each button to be pressed, on the display as well."""
    all_heard = True
    for wanted, label in _LABELS.items():
        print_lines(_("Press {button} briefly.").format(button=label))
        if context.display is not None:
            with suppress(HardwareError):  # its own check has found that
                context.display.show(_text_picture(context.display.size_wh, label))
        pressed = _wait_for_press(buttons, context.devices)
        if pressed is not None and pressed.button is wanted:
            continue
        all_heard = False
        if pressed is None:
            message = Message(
                "{label} was not heard: check its two wires, and its number", label=label
            )
            yield CheckResult(PartState.BROKEN, Problem("button-not-heard", message, "GPIO"))
        else:
            message = Message(
                "{label} was asked for and {heard} was heard: swap their wires, or their numbers "
                "in the settings",
                label=label,
                heard=_LABELS[pressed.button],
            )
            yield CheckResult(PartState.BROKEN, Problem("buttons-swapped", message, "GPIO"))
    if all_heard:
        yield CheckResult(PartState.FINE, _("All three buttons responded."))


def _wait_for_press(buttons: Buttons, devices: Devices) -> ButtonAction | None:
    """Return the first button pressed and released; None if nobody pressed one in time."""
    buttons.poll(devices.clock())
    until_s = devices.clock() + PRESS_TIMEOUT_S
    while (now_s := devices.clock()) < until_s:
        for action in buttons.poll(now_s):
            return action
        devices.sleep(_POLL_INTERVAL_S)
    return None


def frame_picture(size_wh: tuple[int, int]) -> Image.Image:
    """Draw a frame along the edges, its diagonals, and digits that show which way is up."""
    picture = Image.new("1", size_wh)
    draw = ImageDraw.Draw(picture)
    right, bottom = size_wh[0] - 1, size_wh[1] - 1
    draw.rectangle((0, 0, right, bottom), outline=1)
    draw.line((0, 0, right, bottom), fill=1)
    draw.line((0, bottom, right, 0), fill=1)
    picture.paste(_text_picture((68, 28), "1 2 3"), (right // 2 - 33, bottom // 2 - 13))
    return picture


def _text_picture(size_wh: tuple[int, int], text: str) -> Image.Image:
    """Draw a short text in large letters in the middle of a picture."""
    picture = Image.new("1", size_wh)
    middle = size_wh[0] / 2, size_wh[1] / 2
    ImageDraw.Draw(picture).text(middle, text, font=typeset.font(24), fill=1, anchor="mm")
    return picture
