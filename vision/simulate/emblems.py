"""The nine emblems: a coloured shape that tells the building type, with a glyph on it.

Every emblem is drawn round (0, 0) within the radius 1 of the board it is given.
"""

from collections.abc import Callable, Mapping

from scoring.faces import Face
from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix, ring

IVORY = from_hex("#fffaf0")
INK = from_hex("#2b2a33")

TYPE_COLOUR: Mapping[Face, Colour] = {
    Face.SHOP: from_hex("#f4bf1f"),
    Face.FACTORY: from_hex("#4a4f58"),
    Face.TAVERN_FOOD: from_hex("#cf2a2e"),
    Face.TAVERN_BED: from_hex("#cf2a2e"),
    Face.TAVERN_MUSIC: from_hex("#cf2a2e"),
    Face.TAVERN_DRINK: from_hex("#cf2a2e"),
    Face.OFFICE: from_hex("#2468b4"),
    Face.PARK: from_hex("#2f9448"),
    Face.HOUSE: from_hex("#9c4a2c"),
}
"""The leading colour of each face: emblem, key strip and building share it."""


def draw_emblem(board: Board, face: Face, x: float, y: float, radius: float) -> None:
    """Draw the emblem of a face round (x, y) on a light rim."""
    emblem = board.part(x, y, radius)
    outline, colour = _OUTLINES[Face.TAVERN_FOOD if face.is_tavern else face], TYPE_COLOUR[face]
    emblem.stroke(outline, 0.24, mix(colour, INK, 0.75), closed=True)
    emblem.stroke(outline, 0.13, IVORY, closed=True)
    emblem.polygon(outline, colour)
    _GLYPHS[face](emblem)


def gear_outline(teeth: int, inner: float, outer: float) -> list[Spot]:
    """The outline of a gear round (0, 0)."""
    step = 360.0 / teeth
    outline: list[Spot] = []
    for tooth in range(teeth):
        middle = tooth * step - 90.0
        outline += arc((0.0, 0.0), inner, inner, middle - 0.5 * step, middle - 0.28 * step, 3)
        outline += arc((0.0, 0.0), outer, outer, middle - 0.2 * step, middle + 0.2 * step, 3)
        outline += arc((0.0, 0.0), inner, inner, middle + 0.28 * step, middle + 0.5 * step, 3)
    return outline


def draw_quavers(board: Board, colour: Colour) -> None:
    """Two joined quavers round (0, 0), about one unit high."""
    board.oval(-0.31, 0.36, 0.19, 0.14, colour, -20.0)
    board.oval(0.29, 0.24, 0.19, 0.14, colour, -20.0)
    board.stroke([(-0.17, 0.33), (-0.17, -0.36)], 0.08, colour)
    board.stroke([(0.43, 0.21), (0.43, -0.48)], 0.08, colour)
    board.polygon([(-0.21, -0.40), (0.47, -0.54), (0.47, -0.30), (-0.21, -0.16)], colour)


def draw_mug(board: Board, body: Colour, beer: Colour, foam: Colour) -> None:
    """A beer mug round (0, 0), about one unit high, its handle to the right."""
    board.stroke(arc((0.26, 0.1), 0.24, 0.23, -90.0, 90.0), 0.11, body)
    board.round_box(-0.40, -0.28, 0.30, 0.52, 0.07, body)
    board.round_box(-0.31, -0.20, 0.21, 0.43, 0.05, beer)
    for x in (-0.14, 0.05):
        board.stroke([(x, -0.10), (x, 0.34)], 0.06, mix(beer, IVORY, 0.55))
    for x, y, radius in ((-0.33, -0.26, 0.15), (-0.05, -0.32, 0.21), (0.22, -0.26, 0.16)):
        board.disc(x, y, radius, foam)
    board.round_box(-0.43, -0.29, 0.33, -0.12, 0.08, foam)


def draw_cutlery(board: Board, colour: Colour) -> None:
    """A fork and a knife side by side round (0, 0), about one unit high."""
    for x in (-0.36, -0.24, -0.12):
        board.stroke([(x, -0.50), (x, -0.16)], 0.065, colour)
    board.stroke([*arc((-0.24, -0.18), 0.12, 0.14, 180.0, 0.0, 8)], 0.08, colour)
    board.stroke([(-0.24, -0.05), (-0.24, 0.50)], 0.10, colour)
    board.polygon([(0.17, -0.54), (0.30, -0.46), (0.35, -0.22), (0.34, 0.08), (0.17, 0.08)], colour)
    board.stroke([(0.23, 0.02), (0.23, 0.50)], 0.10, colour)


def draw_bed(board: Board, frame: Colour, pillow: Colour, blanket: Colour) -> None:
    """A bed from the side round (0, 0), about 1.2 units wide."""
    board.round_box(-0.60, -0.34, -0.49, 0.42, 0.04, frame)
    board.round_box(0.49, -0.08, 0.60, 0.42, 0.04, frame)
    board.box(-0.55, 0.12, 0.55, 0.28, frame)
    board.round_box(-0.47, -0.16, -0.15, 0.11, 0.10, pillow)
    board.polygon(
        [(-0.12, 0.12), (-0.12, -0.06), (0.0, -0.14), (0.47, -0.06), (0.47, 0.12)], blanket
    )


def draw_gable_house(board: Board, wall: Colour, hole: Colour) -> None:
    """A small house with a chimney round (0, 0)."""
    board.box(0.20, -0.46, 0.34, -0.10, wall)
    board.polygon([(-0.56, 0.04), (0.0, -0.50), (0.56, 0.04)], wall)
    board.box(-0.38, 0.0, 0.38, 0.48, wall)
    board.box(-0.08, 0.16, 0.14, 0.48, hole)
    board.box(-0.27, 0.10, -0.15, 0.26, hole)


def _gift(board: Board) -> None:
    ribbon = from_hex("#c6282d")
    for side in (-1.0, 1.0):
        board.stroke(
            [(0.0, -0.28), (side * 0.16, -0.56), (side * 0.34, -0.42), (0.0, -0.28)], 0.09, ribbon
        )
    board.box(-0.46, -0.10, 0.46, 0.56, IVORY)
    board.box(-0.54, -0.28, 0.54, -0.06, IVORY)
    board.stroke([(-0.46, -0.04), (0.46, -0.04)], 0.04, from_hex("#d8cda8"))
    board.box(-0.10, -0.28, 0.10, 0.56, ribbon)


def _chimney(board: Board) -> None:
    board.polygon([(-0.30, 0.48), (-0.22, -0.12), (0.06, -0.12), (0.14, 0.48)], IVORY)
    board.polygon(
        [(0.10, 0.48), (0.10, 0.16), (0.34, 0.02), (0.34, 0.16), (0.54, 0.02), (0.54, 0.48)], IVORY
    )
    for x, y, radius in ((-0.08, -0.28, 0.11), (0.08, -0.42, 0.15), (0.30, -0.50, 0.12)):
        board.disc(x, y, radius, IVORY)


def _nib(board: Board) -> None:
    board.polygon(
        [(-0.62, 0.36), (-0.50, 0.02), (-0.08, -0.34), (0.30, 0.04), (-0.10, 0.30), (-0.62, 0.36)],
        IVORY,
    )
    board.polygon([(0.02, -0.42), (0.16, -0.52), (0.52, -0.16), (0.38, -0.06)], IVORY)
    blue = TYPE_COLOUR[Face.OFFICE]
    board.stroke([(-0.60, 0.35), (-0.14, 0.04)], 0.05, blue)
    board.disc(-0.12, 0.02, 0.08, blue)


def _tree(board: Board) -> None:
    board.box(-0.07, 0.10, 0.07, 0.50, IVORY)
    for x, y, radius in ((-0.17, 0.02, 0.20), (0.17, 0.02, 0.20), (0.0, -0.22, 0.22)):
        board.disc(x, y, radius, IVORY)
    board.stroke([(0.20, 0.40), (0.56, 0.40)], 0.08, IVORY)
    for x in (0.26, 0.50):
        board.stroke([(x, 0.40), (x, 0.52)], 0.07, IVORY)


_OUTLINES: Mapping[Face, list[Spot]] = {
    Face.SHOP: ring((0.0, 0.0), 1.0, 6, 0.0),
    Face.FACTORY: gear_outline(10, 0.80, 1.0),
    Face.TAVERN_FOOD: ring((0.0, 0.0), 1.1, 4),
    Face.OFFICE: [(-1.0, -0.72), (1.0, -0.72), (1.0, 0.72), (-1.0, 0.72)],
    Face.PARK: [(0.0, -1.0), (1.08, 0.80), (-1.08, 0.80)],
    Face.HOUSE: [(0.0, -1.0), (0.92, -0.30), (0.92, 0.86), (-0.92, 0.86), (-0.92, -0.30)],
}

_GLYPHS: Mapping[Face, Callable[[Board], None]] = {
    Face.SHOP: lambda board: _gift(board.part(0.0, 0.0, 0.95)),
    Face.FACTORY: lambda board: _chimney(board.part(-0.06, 0.02, 0.95)),
    Face.TAVERN_FOOD: lambda board: draw_cutlery(board, IVORY),
    Face.TAVERN_BED: lambda board: draw_bed(board.part(0.0, 0.0, 1.05), IVORY, IVORY, IVORY),
    Face.TAVERN_MUSIC: lambda board: draw_quavers(board.part(-0.05, 0.06, 1.05), IVORY),
    Face.TAVERN_DRINK: lambda board: draw_mug(
        board.part(-0.02, 0.0, 0.95), IVORY, from_hex("#f0a824"), IVORY
    ),
    Face.OFFICE: lambda board: _nib(board.part(0.05, 0.06, 1.05)),
    Face.PARK: lambda board: _tree(board.part(0.0, 0.24, 0.95)),
    Face.HOUSE: lambda board: draw_gable_house(
        board.part(0.0, 0.16, 1.1), IVORY, TYPE_COLOUR[Face.HOUSE]
    ),
}
