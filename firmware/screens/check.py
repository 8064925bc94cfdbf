"""The pages of what a person has to look at before the result is sure."""

from functools import partial

from firmware.screens import texts, typeset
from firmware.screens.canvas import BODY_ROWS, ROW_LETTERS, WIDTH, Canvas, Draft, body_row
from scoring.faces import Cell
from vision.reading import Unread, city_name

Place = tuple[int, Cell]
"""A city's index, and row and column in it."""

PLACES_PER_ROW = 3
PLACES_PER_PAGE = PLACES_PER_ROW * BODY_ROWS


def place_drafts(name: str, title: str, places: tuple[Place, ...], mark: str) -> tuple[Draft, ...]:
    """Pages that list places in cities.

    Args:
        name: of the pages, which are numbered from 1.
        title: of every page.
        places: in the order of the list; no page if there are none.
        mark: stands behind every place.
    """
    labels = [texts.place(city_name(city), row, column, mark) for city, (row, column) in places]
    return tuple(
        Draft(
            f"{name}-{number}",
            partial(_draw_places, title=title, labels=labels[start : start + PLACES_PER_PAGE]),
        )
        for number, start in enumerate(range(0, len(labels), PLACES_PER_PAGE), start=1)
    )


def unread_drafts(unread: tuple[Unread, ...]) -> tuple[Draft, ...]:
    """Pages that say how much was not read, and why; no page if all was."""
    reasons = dict.fromkeys(typeset.printable(each.why) for each in unread)
    lines = [line for reason in reasons for line in typeset.wrap(reason, ROW_LETTERS)]
    starts = range(0, max(len(lines), 1), BODY_ROWS) if unread else ()
    return tuple(
        Draft(
            f"unread-{number}",
            partial(
                _draw_lines, title=texts.unread(len(unread)), lines=lines[start : start + BODY_ROWS]
            ),
        )
        for number, start in enumerate(starts, start=1)
    )


def _draw_places(canvas: Canvas, *, title: str, labels: list[str]) -> None:
    canvas.header((title,))
    width = WIDTH // PLACES_PER_ROW
    for number, label in enumerate(labels):
        row, column = divmod(number, PLACES_PER_ROW)
        canvas.text(body_row(row, column * width, (column + 1) * width), label)
    if len(labels) <= PLACES_PER_PAGE - PLACES_PER_ROW:
        canvas.text(body_row(BODY_ROWS - 1), texts.PLACE_LEGEND)


def _draw_lines(canvas: Canvas, *, title: str, lines: list[str]) -> None:
    canvas.header((title,))
    for row, line in enumerate(lines):
        canvas.text(body_row(row), line)
