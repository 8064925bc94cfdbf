"""Numerals drawn as strokes: the same on every machine, and legible when small or blurred."""

from collections.abc import Mapping, Sequence

from vision.simulate.drawing import Board, Colour, Spot, arc

_ADVANCE = 0.74


def draw_number(board: Board, text: str, x: float, y: float, height: float, colour: Colour) -> None:
    """Write digits, or ``$``, centred on (x, y).

    Args:
        board: to write on.
        text: of the characters ``0123456789$``.
        x: middle of the line.
        y: middle of the numerals.
        height: of a numeral, in the units of the board.
        colour: of the ink.

    Raises:
        KeyError: a character has no drawing.
    """
    left = x - height * (_ADVANCE * (len(text) - 1) + 0.6) / 2
    for place, character in enumerate(text):
        glyph = board.part(left + height * _ADVANCE * place, y - height / 2, height)
        for path in _PATHS[character]:
            glyph.stroke(path, 0.17, colour)


def _half_turned(paths: Sequence[Sequence[Spot]]) -> tuple[list[Spot], ...]:
    return tuple([(0.6 - x, 1.0 - y) for x, y in path] for path in paths)


_SIX = (
    arc((0.3, 0.66), 0.23, 0.26, -180.0, 180.0),
    [(0.44, 0.08), (0.26, 0.22), (0.13, 0.42), (0.07, 0.66)],
)

_PATHS: Mapping[str, tuple[list[Spot], ...]] = {
    "0": (arc((0.3, 0.5), 0.23, 0.42, 0.0, 360.0),),
    "1": ([(0.10, 0.26), (0.33, 0.08), (0.33, 0.92)], [(0.13, 0.92), (0.53, 0.92)]),
    "2": ([*arc((0.3, 0.31), 0.22, 0.23, 190.0, 395.0), (0.07, 0.92), (0.55, 0.92)],),
    "3": (
        arc((0.28, 0.29), 0.21, 0.21, 205.0, 450.0),
        arc((0.28, 0.71), 0.24, 0.21, -90.0, 155.0),
    ),
    "4": ([(0.42, 0.92), (0.42, 0.08), (0.05, 0.66), (0.58, 0.66)],),
    "5": (
        [
            (0.51, 0.08),
            (0.15, 0.08),
            (0.12, 0.47),
            *arc((0.28, 0.66), 0.25, 0.26, 232.0, 510.0),
        ],
    ),
    "6": _SIX,
    "7": ([(0.06, 0.08), (0.54, 0.08), (0.22, 0.92)],),
    "8": (
        arc((0.3, 0.28), 0.19, 0.2, 0.0, 360.0),
        arc((0.3, 0.70), 0.23, 0.22, 0.0, 360.0),
    ),
    "9": _half_turned(_SIX),
    "$": (
        [
            *arc((0.3, 0.30), 0.2, 0.17, -25.0, -225.0),
            *arc((0.3, 0.70), 0.22, 0.18, -60.0, 155.0),
        ],
        [(0.3, 0.0), (0.3, 1.0)],
    ),
}
