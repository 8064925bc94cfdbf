"""How a place is asked about in the games that are known by pictures."""

from firmware.board_games.spots import Spot
from firmware.screens import typeset
from firmware.screens.board_views import UnsureSpotView
from firmware.screens.canvas import BODY_BOTTOM, ROW_HEIGHT, WIDTH, Canvas
from firmware.screens.doubt_views import Other
from firmware.screens.draw_board import spot_name
from firmware.screens.draw_doubt import BESIDE_CROP, draw_crop
from firmware.screens.table_map import draw_place_on_map
from firmware.screens.texts import Texts
from firmware.screens.words import pieces, result

ROOM = (WIDTH - BESIDE_CROP) // typeset.SMALLEST_WIDTH
"""Letters of a row beside the picture."""
MOST_OPTION = 7
"""Letters: 100/160."""
ROWS = BODY_BOTTOM // ROW_HEIGHT
"""Rows beside the picture, the first of which says where."""


def draw_unsure_spot(canvas: Canvas, view: UnsureSpotView, texts: Texts) -> None:
    """Its picture; beside that the place, what is offered, and which offer of how many it is."""
    draw_crop(canvas, view.crop)
    place, number = (
        spot_name(view.spot, texts, lettered=view.lettered),
        f"{view.number}/{view.count}",
    )
    canvas.text(_row(0), place)
    if len(place) + 1 + len(number) <= ROOM:
        canvas.text(_row(0), number, align="right")
    lines = typeset.wrap(f"{_guess(view.guess, view.spot, texts)}?", ROOM)
    for row, line in enumerate(lines[: ROWS - 1], start=1):
        canvas.text(_row(row), line)
    option = f"{view.option}/{view.options}"
    if len(lines) < ROWS - 1:
        left, top, right, bottom = _row(ROWS - 1)
        if view.options > 1:
            canvas.text((left, top, right, bottom), option, align="right")
        if view.table is not None:
            edge = right - MOST_OPTION * typeset.SMALLEST_WIDTH
            draw_place_on_map(canvas, view.table, (left, top, edge, bottom + 1), view.spot.grid)
    canvas.position(view.number, view.count)


def _row(row: int) -> tuple[int, int, int, int]:
    return (BESIDE_CROP, row * ROW_HEIGHT, WIDTH, (row + 1) * ROW_HEIGHT)


def _guess(guess: str | Other, spot: Spot, texts: Texts) -> str:
    if guess is Other.LATER:
        return texts.say(result.FACES[Other.LATER])
    if isinstance(guess, Other):
        return texts.say(pieces.NOTHING[spot.what])
    return texts.piece(guess)
