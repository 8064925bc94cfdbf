"""Dice board, own drawing: the board and the description of the whole edition.

Twelve rows of twelve plots with streets between them; their numbers stand along all four edges,
each to be read from its side.
"""

from pathlib import Path

import numpy as np

from scoring.faces import Cell
from vision.arrays import Image
from vision.editions.description import BoardDescription, Description, FaceDescription, Turned
from vision.editions.edition import MOST_BOARD_PX, Edition
from vision.simulate.drawing import Board, Spot, from_hex, mix
from vision.simulate.drawn.canvas import draw_sheet
from vision.simulate.drawn.dice_board_cards import FACES, draw_face
from vision.simulate.drawn.dice_board_map import draw_plot
from vision.simulate.drawn.files import write_edition
from vision.simulate.drawn.frames import draw_frame
from vision.simulate.drawn.numerals import draw_number
from vision.simulate.emblems import INK, IVORY

NUMBERS = (1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1)
"""Along every edge (rulebook: the dice reach 6, the centre counts most)."""

PLOTS = len(NUMBERS)
"""Rows, and columns, of the board."""

CARD_MM, PITCH_MM = 18.5, 20.0
FRAME_MM, NUMBERS_MM = 13.0, 9.0
SIZE_MM = (PLOTS * PITCH_MM + 2 * (FRAME_MM + NUMBERS_MM),) * 2
"""Width and height of the board."""

_FIRST_MM = FRAME_MM + NUMBERS_MM + PITCH_MM / 2

BOARD = BoardDescription(
    image="board.png",
    size_mm=(SIZE_MM[0], SIZE_MM[1]),
    first_cell_mm=(_FIRST_MM, _FIRST_MM),
    cell_mm=(PITCH_MM, PITCH_MM),
)
"""The board as the edition describes it."""

FACE_PX = 96
"""Edge of a face's picture in the edition."""

_STREET, _KERB = from_hex("#f7f2e4"), from_hex("#b8ab92")
_NUMBER_TINTS = tuple(
    from_hex(rgb) for rgb in ("#4f7fb0", "#3f9c8a", "#6fa63c", "#d9a520", "#d9772a", "#c23a34")
)


def draw_board(longer_px: int = MOST_BOARD_PX) -> Image:
    """Draw the empty board.

    Args:
        longer_px: its edge.

    Returns:
        A new BGR picture, square.

    Raises:
        ValueError: the size is under ``SMALLEST_PICTURE_PX``.
    """
    return draw_sheet(_board, SIZE_MM, longer_px, least_master_px=MOST_BOARD_PX)


def plot_centre_mm(cell: Cell) -> Spot:
    """Where the middle of a plot lies on the board (x, y)."""
    return _FIRST_MM + cell[1] * PITCH_MM, _FIRST_MM + cell[0] * PITCH_MM


def edition() -> Edition:
    """Draw the whole edition."""
    description = Description(
        name="standard",
        game="dice-board",
        rows=PLOTS,
        columns=PLOTS,
        tile_mm=CARD_MM,
        turned=Turned.ANY,
        faces=tuple(FaceDescription(name, (f"{name}.png",), ((name,),)) for name in FACES),
        board=BOARD,
        numbers={"row_numbers": NUMBERS, "column_numbers": NUMBERS},
    )
    pictures = {name: (draw_face(name, FACE_PX),) for name in FACES}
    return Edition(description, pictures, draw_board())


def write(folder: Path) -> None:
    """Write the edition, ``edition.toml`` and its pictures, into a folder."""
    write_edition(folder, edition())


def _board(board: Board) -> None:
    board.box(0, 0, *SIZE_MM, _STREET)
    _streets(board)
    for row in range(PLOTS):
        for column in range(PLOTS):
            x, y = plot_centre_mm((row, column))
            plot = board.part(x, y, CARD_MM / 2)
            draw_plot(plot, (row, column), NUMBERS[row] + NUMBERS[column])
    _edge_numbers(board)
    draw_frame(board, SIZE_MM, FRAME_MM, seed=57)


def _streets(board: Board) -> None:
    """Kerbs, and cars in the streets."""
    rng = np.random.default_rng(12)
    near, far = FRAME_MM + NUMBERS_MM, SIZE_MM[0] - FRAME_MM - NUMBERS_MM
    board.box(near, near, far, far, _KERB)
    for line in range(PLOTS + 1):
        at = near + line * PITCH_MM
        board.box(at - 0.6, near, at + 0.6, far, _STREET)
        board.box(near, at - 0.6, far, at + 0.6, _STREET)
    for _ in range(220):
        along = float(rng.uniform(near, far - 2))
        across = near + int(rng.integers(PLOTS + 1)) * PITCH_MM + float(rng.choice([-0.3, 0.3]))
        paint = _NUMBER_TINTS[int(rng.integers(len(_NUMBER_TINTS)))]
        if rng.random() < 0.5:
            board.box(along, across - 0.25, along + 1.3, across + 0.25, paint)
        else:
            board.box(across - 0.25, along, across + 0.25, along + 1.3, paint)


def _edge_numbers(board: Board) -> None:
    """The numbers on coloured flags, on each side with their tops outwards."""
    image, length = board.image, SIZE_MM[0]
    band = round(NUMBERS_MM * board.px_per_unit)
    start = round(FRAME_MM * board.px_per_unit)
    for side in range(4):
        strip = Board(np.zeros((band, image.shape[1], 3), np.uint8), board.px_per_unit)
        strip.box(0, 0, length, NUMBERS_MM, from_hex("#3a3040"))
        for place, number in enumerate(NUMBERS):
            _flag(strip.part(_FIRST_MM + place * PITCH_MM, NUMBERS_MM / 2), number, side)
        turned = np.rot90(strip.image, -side)
        near, far = slice(start, start + band), slice(-start - band, -start)
        inside = slice(start, image.shape[1] - start)
        rows = (near, inside, far, inside)[side]
        columns = (inside, far, inside, near)[side]
        whole = slice(None)
        cut_rows = (whole, inside, whole, inside)[side]
        cut_columns = (inside, whole, inside, whole)[side]
        image[rows, columns] = turned[cut_rows, cut_columns]


def _flag(board: Board, number: int, side: int) -> None:
    tint = mix(_NUMBER_TINTS[number - 1], INK, 0.1)
    shapes: tuple[list[Spot], ...] = (
        [(-9.0, -3.6), (9.0, -3.6), (7.4, 0.0), (9.0, 3.6), (-9.0, 3.6), (-7.4, 0.0)],
        [(-7.4, -3.6), (7.4, -3.6), (9.2, 0.0), (7.4, 3.6), (-7.4, 3.6), (-9.2, 0.0)],
        [(-9.0, -3.6), (9.0, -3.6), (9.0, 2.0), (0.0, 4.0), (-9.0, 2.0)],
        [(-8.6, -3.6), (8.6, -3.6), (8.6, 3.6), (-8.6, 3.6)],
    )
    board.polygon(shapes[side], tint)
    board.stroke(shapes[side], 0.5, IVORY, closed=True)
    draw_number(board, str(number), 0, -0.1, 5.2, IVORY)
    for pip in range(number):
        x = (4.2 if pip % 2 else -4.2) + (1.6 * (pip // 2) if pip % 2 else -1.6 * (pip // 2))
        board.disc(x, 0, 0.6, IVORY)
