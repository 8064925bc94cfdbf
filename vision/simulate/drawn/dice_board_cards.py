"""Dice board: both sides of all cards, own drawing.

Four cards of a company show the quarters of a round sign, the middle of the sign at the inner
corner; turned over, the quarters of a sight. Players differ in more than colour, which a lamp can
turn: in what is light and what dark, in the pattern of ground and edge, and in which way round the
picture stands. A quarter has as many studs on the rim of its sign as it comes clockwise from the
top left.
"""

import math
from collections.abc import Callable
from functools import partial

from vision.arrays import Image
from vision.simulate.drawing import Board, arc
from vision.simulate.drawn.canvas import draw_tile
from vision.simulate.drawn.dice_board_companies import COMPANIES, draw_company
from vision.simulate.drawn.dice_board_looks import LOOKS, Look
from vision.simulate.drawn.dice_board_sights import SUNS, draw_sight

COLOURS = ("red", "blue", "green", "yellow")
QUARTERS = ("nw", "ne", "se", "sw")
"""Quarters of a sign, clockwise."""

FACES = tuple(
    f"{colour}-{company}-{quarter}{side}"
    for side in ("", "-sight")
    for colour in COLOURS
    for company in COMPANIES
    for quarter in QUARTERS
)
"""Names of both sides of all cards."""

_MIRRORED = {"nw": "ne", "ne": "nw", "se": "sw", "sw": "se"}
_CORNERS = {"nw": (0.0, 0.0), "ne": (100.0, 0.0), "se": (100.0, 100.0), "sw": (0.0, 100.0)}
_SIGN_RADIUS = 86.0
_COMPANY_SCALE = 0.95
_STAVES = {
    "bakery": (12, 0.25),
    "brewery": (20, 0.5),
    "shipyard": (44, 0.5),
    "theatre": (8, 0.5),
    "post": (30, 0.3),
}
"""How many staves the rim of each company's sign has, and how much of it they cover."""


def draw_face(name: str, size_px: int = 96) -> Image:
    """Draw one side of a card upright, as the complete sign or sight shows it.

    Args:
        name: one of ``FACES``.
        size_px: edge of the square picture.

    Returns:
        A new BGR picture (size_px, size_px, 3).

    Raises:
        KeyError: no such face.
        ValueError: the size is under ``SMALLEST_PICTURE_PX``.
    """
    if name not in FACES:
        raise KeyError(name)
    colour, company, quarter = name.removesuffix("-sight").split("-")
    paint = _sight if name.endswith("-sight") else _sign
    return draw_tile(partial(paint, look=LOOKS[colour], company=company, quarter=quarter), size_px)


def _whole(board: Board, quarter: str) -> Board:
    """A board of 200 x 200 units of which the card shows a quarter."""
    x, y = _CORNERS[quarter]
    return board.part(-x, -y)


def _sign(board: Board, look: Look, company: str, quarter: str) -> None:
    board.box(0, 0, 100, 100, look.ground)
    look.fill(board, look.pattern)
    _in_its_way_round(board, look, quarter, lambda whole: _disc_with_company(whole, look, company))
    _studs(_whole(board, quarter), look, quarter)
    x, y = _CORNERS[quarter]
    badge = board.part(24 if x == 0 else 76, 24 if y == 0 else 76, 16)
    badge.disc(0, 0, 1.0, look.inks.figure)
    badge.disc(0, 0, 0.86, look.inks.ground)
    draw_company(badge.part(-0.92, -0.92, 0.0092), company, look.inks)
    _edges(board, look, quarter)


def _disc_with_company(whole: Board, look: Look, company: str) -> None:
    whole.disc(100, 100, _SIGN_RADIUS, look.inks.figure)
    whole.disc(100, 100, _SIGN_RADIUS - 2.5, look.rim)
    _rim_ornament(whole, look, company)
    whole.disc(100, 100, _SIGN_RADIUS - 10, look.inks.ground)
    margin = 100 * (1 - _COMPANY_SCALE)
    draw_company(whole.part(margin, margin, _COMPANY_SCALE), company, look.inks)


def _rim_ornament(whole: Board, look: Look, company: str) -> None:
    """Staves across the rim, of another number and width for each company."""
    count, share = _STAVES[company]
    for stave in range(count):
        start = 360.0 * stave / count
        ends = arc(
            (100, 100),
            _SIGN_RADIUS - 2.5,
            _SIGN_RADIUS - 2.5,
            start,
            start + 360 * share / count,
            6,
        )
        whole.polygon([(100, 100), *ends], look.inks.half)


def _sight(board: Board, look: Look, company: str, quarter: str) -> None:
    def paint(whole: Board) -> None:
        whole.box(0, 0, 200, 200, look.day.sky)
        look.sky(whole, look.day, SUNS[company])
        draw_sight(whole, company, look.day)

    _in_its_way_round(board, look, quarter, paint)
    _edges(board, look, quarter)


def _in_its_way_round(
    board: Board, look: Look, quarter: str, paint: Callable[[Board], None]
) -> None:
    if look.mirrored:
        board.image[:] = board.image[:, ::-1].copy()
        paint(_whole(board, _MIRRORED[quarter]))
        board.image[:] = board.image[:, ::-1].copy()
    else:
        paint(_whole(board, quarter))


def _studs(whole: Board, look: Look, quarter: str) -> None:
    place = QUARTERS.index(quarter)
    middle, radius = math.radians(90 * place - 135), _SIGN_RADIUS - 6
    for stud in range(place + 1):
        angle = middle + 0.16 * (stud - place / 2)
        x, y = 100 + radius * math.cos(angle), 100 + radius * math.sin(angle)
        whole.disc(x, y, 5.0, look.inks.figure)
        whole.disc(x, y, 3.6, look.inks.accent)


def _edges(board: Board, look: Look, quarter: str) -> None:
    """The player's edge along the two outer sides of the card."""
    whole = _whole(board, quarter)
    look.edge(whole, look.ground, look.pattern)
