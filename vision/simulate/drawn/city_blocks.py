"""City Blocks, own drawing: the board and the description of the whole edition.

The board, from top to bottom: red's strip for value tiles, a place for a value tile above every
column, five rows of six plots with a place for a value tile left of each, blue's strip.
"""

from pathlib import Path

import numpy as np

from scoring.faces import Cell
from vision.arrays import Image
from vision.editions.description import (
    BoardDescription,
    Description,
    FaceDescription,
    Heap,
    Slots,
    Turned,
)
from vision.editions.edition import MOST_BOARD_PX, Edition
from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix, ring
from vision.simulate.drawn.canvas import draw_sheet
from vision.simulate.drawn.city_blocks_plots import draw_plot
from vision.simulate.drawn.city_blocks_tiles import FACES, VALUE_TILES, draw_face
from vision.simulate.drawn.files import write_edition
from vision.simulate.drawn.frames import draw_frame
from vision.simulate.drawn.numerals import draw_number
from vision.simulate.emblems import INK, IVORY

ROWS, COLUMNS = 5, 6
TILE_MM, PITCH_MM = 30.0, 32.0
FRAME_MM, STRIP_MM = 16.0, 38.0
GAP_MM = 6.0
"""Between the places of the value tiles and the plots."""

_LEFT = FRAME_MM + 1 + PITCH_MM + GAP_MM
_TOP = FRAME_MM + STRIP_MM + 1 + PITCH_MM + GAP_MM
SIZE_MM = (
    _LEFT + COLUMNS * PITCH_MM + GAP_MM + FRAME_MM,
    _TOP + ROWS * PITCH_MM + GAP_MM + STRIP_MM + FRAME_MM,
)
"""Width and height of the board."""

_BESIDE_MM = 34.0
"""Value tiles that find no place in a strip lie beside the board, at most so far from it."""

_FIRST_CELL = (_LEFT + PITCH_MM / 2, _TOP + PITCH_MM / 2)
_ROW_SLOT_X = FRAME_MM + 1 + PITCH_MM / 2
_COLUMN_SLOT_Y = FRAME_MM + STRIP_MM + 1 + PITCH_MM / 2

BOARD = BoardDescription(
    image="board.png",
    size_mm=SIZE_MM,
    first_cell_mm=_FIRST_CELL,
    cell_mm=(PITCH_MM, PITCH_MM),
    slots=(
        Slots("row", VALUE_TILES, (_ROW_SLOT_X, _FIRST_CELL[1]), (0.0, PITCH_MM), ROWS),
        Slots("column", VALUE_TILES, (_FIRST_CELL[0], _COLUMN_SLOT_Y), (PITCH_MM, 0.0), COLUMNS),
    ),
    heaps=(
        Heap(
            "blue",
            VALUE_TILES,
            (0.0, SIZE_MM[1] - FRAME_MM - STRIP_MM, SIZE_MM[0], SIZE_MM[1] + _BESIDE_MM),
        ),
        Heap("red", VALUE_TILES, (0.0, -_BESIDE_MM, SIZE_MM[0], FRAME_MM + STRIP_MM)),
    ),
)
"""The board as the edition describes it."""

FACE_PX = 192
"""Edge of a face's picture in the edition."""

_GROUND = from_hex("#e9dfc6")
_COIN, _SLOT = from_hex("#f0bb3a"), from_hex("#a8792a")
_FLOWERS = tuple(
    from_hex(rgb) for rgb in ("#c5352b", "#3f7fb8", "#5f9a45", "#8a4fa3", "#d9772a", "#2f8f8a")
)
_STRIPS = {
    "red": (from_hex("#f9c9c4"), from_hex("#c0141f")),
    "blue": (from_hex("#c4e0fa"), from_hex("#0e4fa3")),
}


def draw_board(longer_px: int = MOST_BOARD_PX) -> Image:
    """Draw the empty board.

    Args:
        longer_px: its height, which is the longer side.

    Returns:
        A new BGR picture in the proportions of ``SIZE_MM``.

    Raises:
        ValueError: the size is under ``SMALLEST_PICTURE_PX``.
    """
    return draw_sheet(_board, SIZE_MM, longer_px, least_master_px=MOST_BOARD_PX)


def plot_centre_mm(cell: Cell) -> Spot:
    """Where the middle of a plot lies on the board (x, y)."""
    return _FIRST_CELL[0] + cell[1] * PITCH_MM, _FIRST_CELL[1] + cell[0] * PITCH_MM


def edition() -> Edition:
    """Draw the whole edition."""
    description = Description(
        name="standard",
        game="city-blocks",
        rows=ROWS,
        columns=COLUMNS,
        tile_mm=TILE_MM,
        turned=Turned.ANY,
        faces=tuple(FaceDescription(name, (f"{name}.png",), ((name,),)) for name in FACES),
        board=BOARD,
    )
    pictures = {name: (draw_face(name, FACE_PX),) for name in FACES}
    return Edition(description, pictures, draw_board())


def write(folder: Path) -> None:
    """Write the edition, ``edition.toml`` and its pictures, into a folder."""
    write_edition(folder, edition())


def _board(board: Board) -> None:
    board.box(0, 0, *SIZE_MM, _GROUND)
    _paving(board)
    _strip(board, "red", FRAME_MM)
    _strip(board, "blue", SIZE_MM[1] - FRAME_MM - STRIP_MM)
    for slots in BOARD.slots:
        for number in range(slots.count):
            x = slots.first_mm[0] + number * slots.step_mm[0]
            y = slots.first_mm[1] + number * slots.step_mm[1]
            _value_place(board.part(x, y), number, points_down=slots.name == "column")
    _fountain(board.part(_ROW_SLOT_X, _COLUMN_SLOT_Y))
    for row in range(ROWS):
        for column in range(COLUMNS):
            draw_plot(board.part(*plot_centre_mm((row, column)), TILE_MM / 2), (row, column))
    draw_frame(board, SIZE_MM, FRAME_MM, seed=31)


def _paving(board: Board) -> None:
    """Streets: setts of many shades."""
    rng = np.random.default_rng(7)
    left, top = FRAME_MM, FRAME_MM + STRIP_MM
    for row, y in enumerate(np.arange(top, SIZE_MM[1] - top, 3.2).tolist()):
        for x in np.arange(left - 2.4 * (row % 2), SIZE_MM[0] - left, 4.8).tolist():
            shade = mix(_GROUND, from_hex("#7d6a4c"), float(rng.uniform(0.0, 0.5)))
            board.round_box(x + 0.2, y + 0.2, x + 4.6, y + 3.0, 0.5, shade)


def _strip(board: Board, owner: str, top: float) -> None:
    """A player's strip for value tiles won."""
    light, dark = _STRIPS[owner]
    wide, rng = SIZE_MM[0] - 2 * FRAME_MM, np.random.default_rng(len(owner))
    strip = board.part(FRAME_MM, top)
    strip.box(0, 0, wide, STRIP_MM, light)
    for place in range(84):
        x = 4 + (wide - 8) * (place % 28 + float(rng.uniform(0.2, 0.8))) / 28
        y = 5 + (STRIP_MM - 10) * (place // 28 + float(rng.uniform(0.1, 0.9))) / 3
        size, tint = float(rng.uniform(1.4, 3.4)), mix(light, dark, float(rng.uniform(0.2, 0.55)))
        if rng.random() < 0.6:
            _pale_coin(strip.part(x, y, size), tint, light)
        else:
            _pale_note(strip.part(x, y, size * 1.2), tint, light, float(rng.uniform(0, 360)))
    _purse(strip.part(14 if owner == "blue" else wide - 14, STRIP_MM / 2, 11), dark)
    strip.stroke([(0, 0), (wide, 0), (wide, STRIP_MM), (0, STRIP_MM)], 1.6, dark, closed=True)


def _pale_coin(board: Board, ink: Colour, ground: Colour) -> None:
    board.disc(0, 0, 1, ink)
    board.disc(0, 0, 0.74, ground)
    board.stroke([(0, -0.4), (0, 0.4)], 0.28, ink)


def _pale_note(board: Board, ink: Colour, ground: Colour, turn: float) -> None:
    for size, colour in ((1.0, ink), (0.74, ground)):
        board.polygon(
            [spot for a in (26, 154, 206, 334) for spot in ring((0, 0), size, 1, a + turn)], colour
        )
    board.disc(0, 0, 0.26, ink)


def _purse(board: Board, colour: Colour) -> None:
    """A full purse round (0, 0): what is collected lies here."""
    board.disc(0, 0, 1.2, IVORY)
    board.polygon([(-0.3, -0.45), (-0.55, -0.9), (0.5, -0.85), (0.3, -0.45)], colour)
    board.polygon([*arc((0, 0.2), 0.85, 0.75, -40, 220), (-0.3, -0.42), (0.3, -0.42)], colour)
    board.stroke([(-0.38, -0.42), (0.38, -0.42)], 0.16, _COIN)
    board.disc(0, 0.25, 0.42, _COIN)
    board.stroke([(0, 0.05), (0, 0.45)], 0.14, INK)
    for x, y in ((-0.75, 0.95), (0.8, 0.9)):
        board.disc(x, y, 0.22, INK)
        board.disc(x, y, 0.18, _COIN)


def _value_place(board: Board, number: int, *, points_down: bool) -> None:
    """The place of a value tile: a dashed square, a coin in a flower, an arrow along its street."""
    half, petals = TILE_MM / 2, number + (4 if points_down else 10)
    board.round_box(-half, -half, half, half, 3, mix(_COIN, IVORY, 0.72))
    for dash in np.arange(-half + 2, half - 2, 4.2).tolist():
        for edge in (-half + 0.8, half - 0.8):
            board.stroke([(dash, edge), (dash + 2.2, edge)], 1.0, _SLOT)
            board.stroke([(edge, dash), (edge, dash + 2.2)], 1.0, _SLOT)
    middle = (0.0, -1.6) if points_down else (-1.6, 0.0)
    tint = _FLOWERS[number % len(_FLOWERS)]
    size = min(3.6, 21.0 / petals)
    for x, y in ring(middle, 6.6, petals, -90.0 + 17 * number):
        board.disc(x, y, size + 0.5, _SLOT)
        board.disc(x, y, size, tint)
    _coin(board.part(*middle, 5.2))
    arrow = [(-4.2, 10.0), (4.2, 10.0), (0.0, 14.0)]
    board.polygon(arrow if points_down else [(y, -x) for x, y in arrow], from_hex("#8f2f1c"))


def _coin(board: Board) -> None:
    board.disc(0, 0, 1.0, _SLOT)
    board.disc(0, 0, 0.84, _COIN)
    board.disc(-0.12, -0.12, 0.6, mix(_COIN, IVORY, 0.45))
    draw_number(board, "$", 0, 0, 1.05, _SLOT)


def _fountain(board: Board) -> None:
    """The market fountain in the corner between the places of the value tiles."""
    board.disc(0, 0, 15.5, mix(_GROUND, INK, 0.55))
    board.disc(0, 0, 14.7, mix(_GROUND, IVORY, 0.5))
    for spoke in range(16):
        (near,), (far,) = (ring((0, 0), size, 1, 22.5 * spoke) for size in (10.5, 14.2))
        board.stroke([near, far], 0.7, mix(_GROUND, INK, 0.4))
    board.polygon(ring((0, 0), 11.0, 8, 22.5), from_hex("#6f6a66"))
    board.polygon(ring((0, 0), 9.6, 8, 22.5), from_hex("#5aa9d0"))
    for size in (7.8, 5.6):
        board.stroke(arc((0.4, 0.3), size, size, -50, 120), 0.6, IVORY)
        board.stroke(arc((-0.4, -0.3), size, size, 150, 260), 0.6, IVORY)
    board.disc(0, 0, 3.9, from_hex("#6f6a66"))
    board.disc(0, 0, 3.1, from_hex("#d9d4c8"))
    for drop in range(5):
        (spot,) = ring((0, 0), 5.0, 1, 72 * drop + 20)
        board.stroke([(0, 0), spot], 0.9, IVORY)
    board.disc(0, 0, 1.5, _COIN)
    for x, y, paint in ((-13, 12.4, "#c5352b"), (13.2, -12.4, "#2f6fb2"), (12.8, 12.8, "#3f7f3c")):
        board.box(x - 2.6, y - 2.0, x + 2.6, y + 2.0, INK)
        for stripe in range(5):
            colour = from_hex(paint) if stripe % 2 == 0 else IVORY
            board.box(x - 2.3 + 0.92 * stripe, y - 1.7, x - 1.38 + 0.92 * stripe, y + 1.7, colour)
