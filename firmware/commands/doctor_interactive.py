"""The part of the examination that needs a person: looking at the display, pressing buttons."""

import sys
from collections.abc import Callable
from typing import Final

from PIL import Image, ImageDraw

from firmware.commands.doctor_devices import Devices, broken
from firmware.commands.doctor_findings import Finding, Part, State, problem
from firmware.errors import UsageError
from firmware.language import N_, _
from firmware.screens import typeset
from firmware.terminal import printing
from hardware.buttons import Button, ButtonEvent, Buttons
from hardware.display import Display
from hardware.errors import HardwareError
from vision.errors import Message

PATIENCE_S: Final = 20.0
"""For somebody to press a button."""

_LOOK_EVERY_S: Final = 0.02
_NO: Final = "n"
"""The first letter of no, nein and nem."""

_LABELS: Final = {Button.SCAN: "SCAN", Button.NEXT: "NEXT", Button.OK: "OK"}
_FRAME_QUESTION: Final = N_(
    "Does the display show a frame along all four edges, and upright: 1 2 3? [y/n]"
)
_FULL_QUESTION: Final = N_("Is the whole display lit now, without dark lines? [y/n]")


def check_somebody_is_there() -> None:
    """Refuse where nobody can be asked.

    Raises:
        UsageError: ``doctor-nobody-there``.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "doctor-nobody-there",
            "nobody can be asked here: leave out --interactive, or use a terminal",
            "--interactive",
        )


def look_at_display(display: Display, place: str) -> list[Finding]:
    """Show test pictures and ask what is seen."""
    tests = (
        (frame_picture(display.size_wh), _FRAME_QUESTION,
         Message("the picture is wrong: try another controller, or upside_down, in the settings")),
        (full_picture(display.size_wh), _FULL_QUESTION,
         Message("some of its pixels stay dark: check its wires, or use another display")),
    )  # fmt: skip
    try:
        for picture, question, advice in tests:
            display.show(picture)
            if not _says_yes(_(question)):
                return [problem("display-wrong", advice, place, Part.DISPLAY, State.BROKEN)]
        display.show(Image.new("1", display.size_wh))
    except HardwareError as error:
        return [broken(Part.DISPLAY, error)]
    return [Finding(Part.DISPLAY, State.FINE, _("It shows the test pictures."))]


def press_buttons(buttons: Buttons, devices: Devices, show: Callable[[str], None]) -> list[Finding]:
    """Ask for each button to be pressed.

    Args:
        buttons: to listen to.
        devices: their clock and how to let time go by.
        show: shows a short text on the display, if there is one.
    """
    found: list[Finding] = []
    try:
        for wanted, label in _LABELS.items():
            _say(_("Press {button} shortly.").format(button=label))
            show(label)
            pressed = _pressed(buttons, devices)
            if pressed is None:
                message = Message(
                    "{label} was not heard: check its two wires, and its number", label=label
                )
                found.append(
                    problem("button-not-heard", message, "GPIO", Part.BUTTONS, State.BROKEN)
                )
            elif pressed.button is not wanted:
                message = Message(
                    "{label} was asked for and {heard} was heard: swap their wires, or their "
                    "numbers in the settings",
                    label=label,
                    heard=_LABELS[pressed.button],
                )
                found.append(
                    problem("buttons-swapped", message, "GPIO", Part.BUTTONS, State.BROKEN)
                )
    except HardwareError as error:
        return [broken(Part.BUTTONS, error)]
    return found or [Finding(Part.BUTTONS, State.FINE, _("All three were heard."))]


def frame_picture(size_wh: tuple[int, int]) -> Image.Image:
    """A frame along the edges, its diagonals, and digits that show which way is up."""
    picture = Image.new("1", size_wh)
    draw = ImageDraw.Draw(picture)
    right, bottom = size_wh[0] - 1, size_wh[1] - 1
    draw.rectangle((0, 0, right, bottom), outline=1)
    draw.line((0, 0, right, bottom), fill=1)
    draw.line((0, bottom, right, 0), fill=1)
    _centred(picture, "1 2 3")
    return picture


def full_picture(size_wh: tuple[int, int]) -> Image.Image:
    """Every pixel lit."""
    return Image.new("1", size_wh, 1)


def text_picture(size_wh: tuple[int, int], text: str) -> Image.Image:
    """A short text in large letters."""
    picture = Image.new("1", size_wh)
    _centred(picture, text)
    return picture


def _centred(picture: Image.Image, text: str) -> None:
    font = typeset.font(24)
    draw = ImageDraw.Draw(picture)
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    x = (picture.width - (right - left)) // 2 - left
    y = (picture.height - (bottom - top)) // 2 - top
    draw.rectangle((x + left - 4, y + top - 4, x + right + 3, y + bottom + 3), fill=0)
    draw.text((x, y), text, font=font, fill=1)


def _pressed(buttons: Buttons, devices: Devices) -> ButtonEvent | None:
    """The first button that is pressed and released; None: nobody has pressed one."""
    buttons.poll(devices.clock())
    until_s = devices.clock() + PATIENCE_S
    while (now_s := devices.clock()) < until_s:
        for event in buttons.poll(now_s):
            if event.kind != "press":
                return event
        devices.sleep(_LOOK_EVERY_S)
    return None


def _says_yes(question: str) -> bool:
    """What is answered; an empty line means yes, and so does any word but no."""
    _say(question)
    answer = sys.stdin.readline()
    return bool(answer) and not answer.strip().lower().startswith(_NO)


def _say(text: str) -> None:
    with printing() as console:
        console.print(text, soft_wrap=True)
