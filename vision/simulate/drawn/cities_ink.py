"""Inked shapes that the drawings of the Cities tiles share.

Units are those of the given board; see ``vision.simulate.drawing``.
"""

from collections.abc import Sequence

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex

INK = from_hex("#3a2f2b")
IVORY = from_hex("#fbf4e3")

LINE = 1.3
"""Width of an outline where a field has an edge of 100."""


def shape(board: Board, spots: Sequence[Spot], colour: Colour, line: float = LINE) -> None:
    """Fill a polygon and draw its outline in ink."""
    board.polygon(spots, colour)
    board.stroke(spots, line, INK, closed=True)


def block(
    board: Board,
    left: float,
    top: float,
    right: float,
    bottom: float,
    colour: Colour,
    line: float = LINE,
) -> None:
    """An upright rectangle with an outline."""
    shape(board, [(left, top), (right, top), (right, bottom), (left, bottom)], colour, line)


def ball(board: Board, x: float, y: float, radius: float, colour: Colour) -> None:
    """A circle with an outline."""
    shape(board, arc((x, y), radius, radius, 0.0, 350.0, 36), colour)


def gable(
    board: Board, left: float, right: float, bottom: float, height: float, colour: Colour
) -> None:
    """A triangle standing on its base: a roof, a pediment, a spire."""
    shape(board, [(left, bottom), ((left + right) / 2, bottom - height), (right, bottom)], colour)


def dome(
    board: Board, left: float, right: float, bottom: float, height: float, colour: Colour
) -> None:
    """A half-round roof standing on its base."""
    radius = (right - left) / 2
    shape(board, arc((left + radius, bottom), radius, height, 180.0, 360.0), colour)


def windows(
    board: Board,
    lefts: Sequence[float],
    top: float,
    size: tuple[float, float],
    colour: Colour = INK,
    *,
    arched: bool = True,
) -> None:
    """A row of windows or doors of (width, height), each beginning at one of ``lefts``."""
    width, height = size
    for left in lefts:
        if arched:
            board.arch(left, top, left + width, top + height, colour)
        else:
            board.box(left, top, left + width, top + height, colour)


def flag(board: Board, x: float, foot: float, height: float, colour: Colour) -> None:
    """A flag on a pole that rises from (x, foot)."""
    top = foot - height
    board.stroke([(x, foot), (x, top)], LINE, INK)
    shape(board, [(x, top), (x + 0.8 * height, top + 0.2 * height), (x, top + 0.45 * height)],
          colour, 0.8)  # fmt: skip


def spaced(first: float, last: float, count: int) -> list[float]:
    """``count`` numbers from ``first`` to ``last``, evenly spaced."""
    return [first + (last - first) * i / max(1, count - 1) for i in range(count)]
