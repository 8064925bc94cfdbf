"""Stadtblick's own drawn edition of Cities: 24 tiles, each of 2x2 fields.

A tile is 60 mm wide. Fields of different kinds differ in pattern as well as in colour: sights are
landmarks on pale paving, cafes awnings and parasols on terracotta, parks trees on a light lawn,
water waves and boats. No landmark comes twice and the rest is strewn anew for each tile, so that a
part of a tile is enough to know it. Pictures are BGR, upright, and the same on each call.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scoring.faces import Field
from vision.arrays import Image
from vision.editions.description import (
    Description,
    FaceDescription,
    TokenDescription,
    Turned,
)
from vision.editions.edition import Edition
from vision.simulate.drawing import Board, from_hex
from vision.simulate.drawn import canvas
from vision.simulate.drawn.cities_cafes import draw_cafe
from vision.simulate.drawn.cities_ink import INK, IVORY
from vision.simulate.drawn.cities_parks import draw_park
from vision.simulate.drawn.cities_sights import LANDMARKS, draw_sight
from vision.simulate.drawn.cities_water import draw_water
from vision.simulate.drawn.files import write_edition
from vision.simulate.drawn.numerals import draw_number

TILE_MM = 60.0
PICTURE_PX = 192
"""Edge of the pictures that are shipped."""

_TOURISTS: Mapping[str, str] = {
    "red": "#c8232c",
    "blue": "#1f5fb4",
    "yellow": "#f2c318",
    "green": "#2f9e44",
}
"""Colours that no large patch of a tile has, so that the figures stand out."""
_FOOT_MM = 13.0
_HEIGHT_MM = 20.0

_RIM = 1.8
_ROAD = 2.4
_EDGE = (100.0 - 2 * _RIM - _ROAD) / 2
_FIELD_UNITS = 100.0
_SEED = 4
_KERB = from_hex("#f3ead6")


@dataclass(frozen=True, slots=True)
class TileDesign:
    """What one tile shows.

    Attributes:
        cells: the field of each cell of the upright tile, in rows.
        landmarks: names of its sights in reading order; one over two fields is named once.
    """

    cells: tuple[tuple[Field, Field], tuple[Field, Field]]
    landmarks: tuple[str, ...]


_LETTERS: Mapping[str, Field] = {
    "S": Field.SIGHT,
    "C": Field.CAFE,
    "P": Field.PARK,
    "W": Field.WATER,
}


def _design(rows: str, *landmarks: str) -> TileDesign:
    top, bottom = ((_LETTERS[row[0]], _LETTERS[row[1]]) for row in rows.split("/"))
    return TileDesign((top, bottom), landmarks)


TILES: Mapping[int, TileDesign] = {
    1: _design("SC/WP", "clock tower"),
    2: _design("WP/CS", "windmill"),
    3: _design("PC/SW", "lighthouse"),
    4: _design("CS/WP", "museum"),
    5: _design("SW/PC", "ferris wheel"),
    6: _design("WP/SC", "pagoda"),
    7: _design("SS/WP", "castle"),
    8: _design("PS/WS", "cathedral"),
    9: _design("CW/SS", "theatre", "obelisk"),
    10: _design("SW/SC", "onion church", "city gate"),
    11: _design("SP/SC", "television tower"),
    12: _design("WW/SS", "old bridge"),
    13: _design("SS/PP", "palace"),
    14: _design("SP/WS", "domed mosque", "lattice tower"),
    15: _design("CS/SP", "town hall", "triumphal arch"),
    16: _design("PP/CS", "observatory"),
    17: _design("PC/PS", "carousel"),
    18: _design("WS/PP", "leaning tower"),
    19: _design("WP/CP"),
    20: _design("PC/WP"),
    21: _design("PP/SP", "stepped pyramid"),
    22: _design("CW/SW", "glass pyramid"),
    23: _design("CC/WW"),
    24: _design("WC/CW"),
}
"""All tiles by their numbers. No two have the same fields in the same order round the middle."""


def draw_tile(number: int, size_px: int = PICTURE_PX) -> Image:
    """Draw one tile upright, from edge to edge.

    Args:
        number: of the tile, a key of ``TILES``.
        size_px: edge of the square picture.

    Returns:
        A new BGR picture (size_px, size_px, 3).

    Raises:
        KeyError: there is no tile of this number.
        ValueError: the size is under ``canvas.SMALLEST_PICTURE_PX``.
    """
    design = TILES[number]
    return canvas.draw_tile(lambda board: _paint(board, number, design), size_px)


def edition() -> Edition:
    """Draw the whole edition."""
    faces = tuple(
        FaceDescription(
            face_name(number),
            (f"{face_name(number)}.png",),
            tuple(tuple(field.value for field in row) for row in design.cells),
        )
        for number, design in TILES.items()
    )
    description = Description(
        name="standard",
        game="cities",
        rows=8,
        columns=8,
        tile_mm=TILE_MM,
        turned=Turned.ANY,
        faces=faces,
        tile_cells=(2, 2),
        tokens=tuple(
            TokenDescription(f"tourist-{name}", from_hex(colour), _FOOT_MM, _HEIGHT_MM)
            for name, colour in _TOURISTS.items()
        ),
        most_grids=4,
    )
    pictures = {face_name(number): (draw_tile(number),) for number in TILES}
    return Edition(description, pictures)


def write(folder: Path) -> None:
    """Write the edition, ``edition.toml`` and its pictures, into a folder."""
    write_edition(folder, edition())


def face_name(number: int) -> str:
    """The identifier of a tile, such as ``tile-7``."""
    return f"tile-{number}"


_PAINTERS: Mapping[Field, Callable[[Board, np.random.Generator, int], None]] = {
    Field.CAFE: draw_cafe,
    Field.PARK: draw_park,
    Field.WATER: draw_water,
}


def _paint(board: Board, number: int, design: TileDesign) -> None:
    _paint_frame(board)
    names = iter(design.landmarks)
    covered: set[tuple[int, int]] = set()
    for row, fields in enumerate(design.cells):
        for column, field in enumerate(fields):
            if (row, column) in covered:
                continue
            rng = np.random.default_rng([_SEED, number, row, column])
            if field is Field.SIGHT:
                name = next(names)
                down, across = LANDMARKS[name].fields
                covered |= {(row + i, column + j) for i in range(down) for j in range(across)}
                window = _window(board, row, column, (down, across))
                draw_sight(window, rng, name, (_length(across), _length(down)))
                _paint_stubs(window, across, down)
            else:
                window = _window(board, row, column, (1, 1))
                _PAINTERS[field](window, rng, _count_before(number, row, column, field))
    _paint_number(board, number)


def _paint_frame(board: Board) -> None:
    """The rim of the tile and the road between its fields, which show where nothing else lies."""
    board.box(0, 0, 100, 100, from_hex("#4a4038"))
    near, far = _RIM + _EDGE, 100 - _RIM - _EDGE
    middle = 50.0
    for left, top, right, bottom in ((near, 0, far, 100), (0, near, 100, far)):
        board.box(left, top, right, bottom, _KERB)
    board.stroke([(middle, _RIM), (middle, 100 - _RIM)], 0.5, from_hex("#b3a488"))
    board.stroke([(_RIM, middle), (100 - _RIM, middle)], 0.5, from_hex("#b3a488"))


def _paint_stubs(board: Board, across: int, down: int) -> None:
    """Ends of the road at the edges of a sight over two fields, to show that it is two."""
    end = _length(2) - _FIELD_UNITS
    for near, far in ((0.0, 5.0), (_FIELD_UNITS - 5.0, _FIELD_UNITS)):
        if across == 2:
            board.box(_FIELD_UNITS, near, end, far, _KERB)
        if down == 2:
            board.box(near, _FIELD_UNITS, far, end, _KERB)


def _window(board: Board, row: int, column: int, fields: tuple[int, int]) -> Board:
    """A board over some fields that clips what is drawn beyond them; units as motifs expect."""
    scale = board.px_per_unit
    step = _EDGE + _ROAD
    top, left = _RIM + row * step, _RIM + column * step
    bottom, right = top + fields[0] * step - _ROAD, left + fields[1] * step - _ROAD
    top_px, bottom_px, left_px, right_px = (round(v * scale) for v in (top, bottom, left, right))
    clipped = board.image[top_px:bottom_px, left_px:right_px]
    origin = left * scale - left_px, top * scale - top_px
    return Board(clipped, scale * _EDGE / _FIELD_UNITS, origin)


def _length(fields: int) -> float:
    """Of one field, or of two with the road between, in the units of a motif."""
    return _FIELD_UNITS * (fields + (fields - 1) * _ROAD / _EDGE)


def _count_before(number: int, row: int, column: int, field: Field) -> int:
    """How many fields of this kind come before this one in the whole set."""
    count = 0
    for other, design in TILES.items():
        for i, fields in enumerate(design.cells):
            for j, kind in enumerate(fields):
                count += kind is field and (other, i, j) < (number, row, column)
    return count


def _paint_number(board: Board, number: int) -> None:
    """A plaque in the top left corner; a lone 6 or 9 is underlined, as tiles lie any way round."""
    width = 9.0 if number < 10 else 12.0
    board.round_box(-4, -4, width + 0.7, 10.0, 2.6, INK)
    board.round_box(-4, -4, width, 9.3, 2.2, IVORY)
    middle = (width + 0.5) / 2
    draw_number(board, str(number), middle, 4.7, 6.0, INK)
    if number in (6, 9):
        board.stroke([(middle - 2, 8.2), (middle + 2, 8.2)], 0.8, INK)
