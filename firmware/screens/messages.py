"""Screens that say one thing: ready, hold still, what is wrong."""

from firmware.screens import texts, typeset
from firmware.screens.canvas import (
    BODY_ROWS,
    BODY_TOP,
    HEIGHT,
    ROW_LETTERS,
    WIDTH,
    Canvas,
    Screen,
    body_row,
)

BIG_SIZES = (24, 20, 18, 16, 14, 12)


def ready_screen() -> Screen:
    """The scanner waits for the button."""
    return _statement("ready", texts.READY_TITLE, texts.READY, texts.READY_HINT)


def hold_still_screen() -> Screen:
    """The photo is being taken."""
    return _statement("hold-still", texts.HOLD_TITLE, texts.HOLD)


def reading_screen() -> Screen:
    """The photo is being read."""
    return _statement("reading", texts.READY_TITLE, texts.READING)


def error_screens(message: str) -> tuple[Screen, ...]:
    """What is wrong and what to do, on as many pages as the message needs."""
    return message_screens("error", texts.ERROR_TITLE, message)


def message_screens(name: str, title: str, message: str) -> tuple[Screen, ...]:
    """A text under a title, wrapped, on as many pages as it needs.

    Args:
        name: identifier of the screens; further pages get ``-2``, ``-3``, …
        title: one line.
        message: any text.
    """
    lines = typeset.wrap(typeset.printable(message), ROW_LETTERS)
    # A single page has no hint row, which leaves room for a fourth line.
    rows = BODY_ROWS + 1 if len(lines) == BODY_ROWS + 1 else BODY_ROWS
    pages = [lines[start : start + rows] for start in range(0, len(lines), rows)] or [()]
    screens = []
    for number, page in enumerate(pages, start=1):
        canvas = Canvas()
        canvas.header((title,))
        for row, line in enumerate(page):
            canvas.text(body_row(row), line)
        if len(pages) > 1:
            canvas.footer(texts.page(number, len(pages)), (), texts.NEXT)
        screens.append(canvas.screen(name if number == 1 else f"{name}-{number}"))
    return tuple(screens)


def _statement(name: str, title: str, statement: str, hint: str = "") -> Screen:
    canvas = Canvas()
    canvas.header((title,))
    bottom = HEIGHT if not hint else HEIGHT - 12
    canvas.text((0, BODY_TOP, WIDTH, bottom), statement, align="centre", sizes=BIG_SIZES)
    if hint:
        canvas.text((0, bottom, WIDTH, HEIGHT), hint, align="centre")
    return canvas.screen(name)
