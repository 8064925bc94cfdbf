"""City Blocks: the value tiles $1 to $15, with as many coins as dollars.

Where the number stands, the shape of its medallion, the pattern of the ground and the way the coins
lie all change from tile to tile, so that a tile is known by more than its number.
"""

from collections.abc import Callable

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, ring
from vision.simulate.drawn.numerals import draw_number
from vision.simulate.emblems import gear_outline

VALUES = range(1, 16)

_PAPER, _AMBER = from_hex("#fff2b8"), from_hex("#f2b62c")
_DEEP, _BROWN = from_hex("#c98a12"), from_hex("#4a2f08")
_GREEN, _CREAM = from_hex("#1e6b46"), from_hex("#fffbe6")

_MEDALLIONS: tuple[list[Spot], ...] = (
    ring((0, 0), 1.0, 40),
    ring((0, 0), 1.12, 6, 0.0),
    [(-0.95, -0.8), (0.95, -0.8), (0.95, 0.8), (-0.95, 0.8)],
    [
        (-0.7, -0.95),
        (0.7, -0.95),
        (1.0, -0.6),
        (0.92, 0.35),
        (0.0, 1.1),
        (-0.92, 0.35),
        (-1.0, -0.6),
    ],
    gear_outline(12, 0.94, 1.1),
)
"""Outlines round (0, 0)."""

_MIDDLES: tuple[Spot, ...] = ((60.0, 38.0), (50.0, 37.0), (37.0, 50.0))
"""Where the medallion stands: top right, top, left."""


def value(board: Board, dollars: int) -> None:
    """Draw a value tile on a board of 100 x 100 units.

    Args:
        board: to draw on.
        dollars: 1 to 15.
    """
    _GROUNDS[(dollars + dollars // 10) % len(_GROUNDS)](board)
    place = (dollars - 1) % 3
    spots, radius = (_round_a_corner, _in_two_rows, _in_two_columns)[place](dollars)
    for x, y in spots:
        _coin(board.part(x, y, radius))
    _medallion(board, _MIDDLES[place], 27, dollars)
    for inset, width, colour in ((0.0, 5.0, _BROWN), (3.4, 2.2, _AMBER)):
        near, far = inset, 100 - inset
        edge = [(near, near), (far, near), (far, far), (near, far)]
        board.stroke(edge, width, colour, closed=True)


def _medallion(board: Board, middle: Spot, radius: float, dollars: int) -> None:
    medal = board.part(*middle, radius)
    outline = _MEDALLIONS[(dollars // 3) % 5]
    ground, ink = (_GREEN, _CREAM) if dollars % 2 == 0 else (_CREAM, _BROWN)
    medal.stroke(outline, 0.22, _BROWN, closed=True)
    medal.polygon(outline, ground)
    medal.stroke([(x * 0.9, y * 0.9) for x, y in outline], 0.04, ink, closed=True)
    tall, shift = (1.0, 0.2) if dollars < 10 else (0.84, 0.19)
    draw_number(medal, str(dollars), shift, 0.0, tall, ink)
    draw_number(medal, "$", -0.36 if dollars < 10 else -0.6, 0.0, 0.46, ink)
    if dollars in (6, 9):  # tiles lie any way round
        medal.stroke([(shift - 0.28, 0.66), (shift + 0.28, 0.66)], 0.13, ink)


def _round_a_corner(dollars: int) -> tuple[list[Spot], float]:
    """Middles and radius of coins down the left side and along the bottom."""
    if dollars == 1:
        return [(26.0, 74.0)], 17.0
    step = 136.0 / (dollars - 1)
    radius = min(11.0, step * 0.52)
    along = [n * step for n in range(dollars)]
    return [(17.0, 16.0 + a) if a <= 68 else (17.0 + a - 68, 84.0) for a in along], radius


def _in_two_rows(dollars: int) -> tuple[list[Spot], float]:
    """Middles and radius of coins in rows at the bottom, the longer one below."""
    upper = dollars // 2 if dollars > 2 else 0
    lower = dollars - upper
    radius = min(8.0, 42.0 / lower)
    spots = [(50 + (n - (lower - 1) / 2) * 2 * radius, 86.0) for n in range(lower)]
    spots += [(50 + (n - (upper - 1) / 2) * 2 * radius, 86.0 - 1.8 * radius) for n in range(upper)]
    return spots, radius


def _in_two_columns(dollars: int) -> tuple[list[Spot], float]:
    """Middles and radius of coins in columns on the right, the longer one outside."""
    inner = dollars // 2 if dollars > 3 else 0
    outer = dollars - inner
    radius = min(7.4, 42.0 / outer)
    spots = [(85.0, 93 - radius - n * 2 * radius) for n in range(outer)]
    spots += [(85.0 - 1.8 * radius, 93 - radius - n * 2 * radius) for n in range(inner)]
    return spots, radius


def _coin(board: Board) -> None:
    board.disc(0, 0, 1.0, _BROWN)
    board.disc(0, 0, 0.84, _AMBER)
    board.disc(-0.12, -0.12, 0.6, from_hex("#ffd969"))
    board.stroke([(0, -0.42), (0, 0.42)], 0.24, _BROWN)


def _rays(board: Board) -> None:
    board.box(0, 0, 100, 100, _PAPER)
    for ray in range(12):
        board.polygon([(50, 50), *arc((50, 50), 75, 75, 30 * ray, 30 * ray + 15, 2)], _AMBER)


def _level_stripes(board: Board) -> None:
    _bands(board, [(-10, 0), (110, 0)], (0.0, 1.0), _PAPER, _DEEP)


def _slant_stripes(board: Board) -> None:
    board.box(0, 0, 100, 100, _AMBER)
    for offset in range(-100, 101, 25):
        board.polygon(
            [(offset, 0), (offset + 12, 0), (offset + 112, 100), (offset + 100, 100)], _PAPER
        )


def _bands(board: Board, line: list[Spot], step: Spot, ground: Colour, stripe: Colour) -> None:
    board.box(0, 0, 100, 100, ground)
    for band in range(0, 100, 20):
        board.stroke(
            [(x + step[0] * (band + 10), y + step[1] * (band + 10)) for x, y in line], 9, stripe
        )


def _rings(board: Board) -> None:
    board.box(0, 0, 100, 100, _AMBER)
    for radius, colour in ((80, _PAPER), (66, _DEEP), (52, _PAPER), (38, _AMBER), (24, _PAPER)):
        board.disc(100, 100, radius, colour)


def _checks(board: Board) -> None:
    board.box(0, 0, 100, 100, _PAPER)
    for row in range(5):
        for column in range(5):
            if (row + column) % 2:
                board.box(column * 20, row * 20, column * 20 + 20, row * 20 + 20, _DEEP)


_GROUNDS: tuple[Callable[[Board], None], ...] = (
    _checks,
    _rays,
    _level_stripes,
    _slant_stripes,
    _rings,
)
