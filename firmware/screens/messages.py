"""Screens that say one thing: ready, hold still, what is wrong."""

from firmware.language import Language
from firmware.screens.canvas import Screen
from firmware.screens.device_views import HoldStillView, MessageView, ReadyView, Stage, StageView
from firmware.screens.hints import NO_HINTS, Hint, Hints
from firmware.screens.render import paged, render
from firmware.screens.texts import Texts
from firmware.screens.words import device

_TEXT_HINTS = Hints(next=Hint.MORE)


def ready_screen(language: Language | None = None) -> Screen:
    """The scanner waits for the button."""
    return render(ReadyView(hints=Hints(Hint.SCAN)), language)


def hold_still_screen(language: Language | None = None) -> Screen:
    """The photo is being taken."""
    return render(HoldStillView(), language)


def reading_screen(language: Language | None = None) -> Screen:
    """The photo is being read."""
    return render(StageView(stage=Stage.RECOGNISE, hints=NO_HINTS), language)


def error_screens(message: str, language: Language | None = None) -> tuple[Screen, ...]:
    """What is wrong and what to do, on as many pages as the message needs."""
    return message_screens("error", Texts.of(language).say(device.PROBLEM), message, language)


def message_screens(
    name: str, title: str, message: str, language: Language | None = None
) -> tuple[Screen, ...]:
    """A text under a title, wrapped, on as many pages as it needs.

    Args:
        name: identifier of the screens; further pages get ``-2``, ``-3``, …
        title: one line.
        message: any text.
        language: of the hints; None: that of all texts.
    """
    view = MessageView(title=title, text=message, hints=_TEXT_HINTS)
    return tuple(
        Screen(name if number == 1 else f"{name}-{number}", page.image, page.texts)
        for number, page in enumerate(
            (render(each, language) for each in paged(view, language)), start=1
        )
    )
