"""Read what lies on one grid that was found."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, FloatImage, Points, floats
from vision.boards.beside import Beside, Piece, read_beside
from vision.boards.compare import Comparison, compared, distances_here
from vision.boards.find import Found
from vision.boards.judge import Answer, answer_for
from vision.boards.known import KnownEdition
from vision.boards.light import Light, fitted_light
from vision.boards.places import (
    Places,
    choices,
    chosen,
    corners_inside,
    quarter_turned,
    shifted,
    turns_to_photo_up,
)
from vision.boards.reading import BesidePiece, GridReading
from vision.boards.surface import Surface
from vision.boards.view import View, Window, in_pixels
from vision.photo import Photo
from vision.pyramid import Pyramid
from vision.reading import Quad, Unread

MARGIN = 0.25
"""What is seen around a grid, in tile edges."""
LIKELY = 0.75
"""Tiles nearer to a picture than this tell of the light."""
FEWEST_FOR_LIGHT = 3
LEAST_READABLE = 0.3
"""Share of the tiles that must be sure for something to be a grid."""
MOST_MEAN_DISTANCE = 0.8
UNREADABLE = "what lies here like a grid of this edition cannot be read"
MAY_LIE_ELSEWHERE = "it cannot be told for certain where this grid ends: all may lie a row further"


def read_grid(
    picture: Pyramid, found: Found, known: KnownEdition, photo: Photo
) -> GridReading | Unread | None:
    """The reading of a grid; or that it cannot be read; or None if there is none.

    Args:
        picture: the photo, decoded.
        found: where the grid lies.
        known: the edition.
        photo: for the coordinates of the reading.
    """
    places = _places(picture, found, known)
    middles = floats([places.middle(cell) for cell in places.cells])
    view, window = _view(picture, places)
    flat = view.softened(window)
    at = in_pixels(middles, window)
    comparison = compared(flat, at, known.in_grid)
    light = _light(comparison, known, middles)
    table = comparison.total(known.in_grid, light, middles)
    empty = _empty(flat, at, middles, known, light)
    turn_matters = known.description.tile_cells != (1, 1) or known.description.game == "dice-board"
    answers = {
        cell: answer_for(
            table[number],
            known.in_grid,
            empty=None if empty is None else float(empty[number]),
            turn_matters=turn_matters,
        )
        for number, cell in enumerate(places.cells)
    }
    sure = sum(answer.is_sure for answer in answers.values())
    outline = _outline(places)
    if sure < LEAST_READABLE * len(answers):
        return Unread(_photo_quad(outline, photo), UNREADABLE)
    beside = read_beside(view, known, light)
    return _reading(places, answers, beside, known, photo)


def _places(picture: Pyramid, found: Found, known: KnownEdition) -> Places:
    description = known.description
    rows, columns = description.tile_rows, description.tile_columns
    if description.board is not None:
        return Places(found.surface, rows, columns, known.pitch)
    begins = choices(found, known)
    is_clear = True
    begin = begins[0]
    if len(begins) > 1:
        begin, is_clear = chosen(
            begins, _likeness(picture, found.surface, begins, known), rows, columns
        )
    surface = shifted(found.surface, begin)
    turns = turns_to_photo_up(surface, rows, columns) if rows == columns else 0
    return Places(quarter_turned(surface, rows, columns, turns), rows, columns, is_certain=is_clear)


def _likeness(
    picture: Pyramid, surface: Surface, begins: Sequence[Cell], known: KnownEdition
) -> dict[Cell, float]:
    """How unlike any face each place is that may belong to the grid."""
    rows, columns = known.description.tile_rows, known.description.tile_columns
    top, left = (min(begin[axis] for begin in begins) for axis in (0, 1))
    tall = max(begin[0] for begin in begins) + rows - top
    wide = max(begin[1] for begin in begins) + columns - left
    around = Places(shifted(surface, (top, left)), tall, wide)
    view, window = _view(picture, around)
    middles = floats([around.middle(cell) for cell in around.cells])
    comparison = compared(view.softened(window), in_pixels(middles, window), known.in_grid)
    table = comparison.total(known.in_grid, _light(comparison, known, middles), middles)
    return {
        (cell[0] + top, cell[1] + left): float(table[number].min())
        for number, cell in enumerate(around.cells)
    }


def _view(picture: Pyramid, places: Places) -> tuple[View, Window]:
    """The grid seen from above, and how much of it is shown."""
    right = places.columns * places.pitch[0] + MARGIN
    bottom = places.rows * places.pitch[1] + MARGIN
    window = (-MARGIN, -MARGIN, right, bottom)
    return View.of(picture, places.surface, window), window


def _light(comparison: Comparison, known: KnownEdition, middles: Points) -> Light | None:
    """The light by the tiles whose texture says plainly what they are; corrected once."""
    light: Light | None = None
    for _ in range(2):
        table = comparison.total(known.in_grid, light, middles)
        best = table.argmin(axis=1)
        likely = table.min(axis=1) < LIKELY
        if likely.sum() < FEWEST_FOR_LIGHT:
            return light
        light = fitted_light(
            middles[likely],
            comparison.colours[likely],
            known.in_grid.looks.colour[best[likely]],
        )
    return light


def _empty(
    flat: FloatImage,
    at: Sequence[tuple[float, float]],
    middles: Points,
    known: KnownEdition,
    light: Light | None,
) -> NDArray[np.float32] | None:
    """How unlike the empty board each place is."""
    if known.board_flat is None:
        return None
    left, top = known.board_offset[0]
    on_board = in_pixels(middles, (float(left), float(top)))
    return distances_here(flat, at, known.board_flat, on_board, light, middles)


def _reading(
    places: Places,
    answers: dict[Cell, Answer],
    beside: Beside,
    known: KnownEdition,
    photo: Photo,
) -> GridReading:
    description = known.description
    tall, wide = description.tile_cells
    names = known.in_grid.names
    shown: dict[Cell, str | None] = {}
    confidence: dict[Cell, float] = {}
    unsure: list[Cell] = []
    alternatives: dict[Cell, tuple[str | None, ...]] = {}
    size_wh = photo.image_bgr.shape[1], photo.image_bgr.shape[0]
    quads: dict[Cell, Corners] = {cell: _quad(places, cell) for cell in places.cells}
    for cell, answer in answers.items():
        is_sure = answer.is_sure and places.is_certain and corners_inside(quads[cell], size_wh)
        contents = _contents(known, answer)
        others = [_contents(known, _as(answer, face)) for face in answer.alternatives]
        for row in range(tall):
            for column in range(wide):
                at = cell[0] * tall + row, cell[1] * wide + column
                shown[at] = contents[row][column]
                confidence[at] = round(answer.confidence, 3)
                if not is_sure:
                    unsure.append(at)
                    offered = [other[row][column] for other in others]
                    alternatives[at] = tuple(
                        name for name in dict.fromkeys(offered) if name != shown[at]
                    )
    tile_rows = range(places.rows)
    tile_columns = range(places.columns)

    def tile(cell: Cell) -> str | None:
        face = answers[cell].face
        return None if face is None else names[face]

    return GridReading(
        corners_px=_photo_quad(_outline(places), photo),
        grid=tuple(
            tuple(shown[row, column] for column in range(description.columns))
            for row in range(description.rows)
        ),
        confidence=tuple(
            tuple(confidence[row, column] for column in range(description.columns))
            for row in range(description.rows)
        ),
        unsure=tuple(sorted(unsure)),
        tiles=tuple(tuple(tile((row, column)) for column in tile_columns) for row in tile_rows),
        turns=tuple(
            tuple(
                None if answers[row, column].face is None else answers[row, column].turn
                for column in tile_columns
            )
            for row in tile_rows
        ),
        tile_quads_px=tuple(
            tuple(_photo_quad(quads[row, column], photo) for column in tile_columns)
            for row in tile_rows
        ),
        alternatives=alternatives,
        beside=tuple(_piece(piece, known, photo) for piece in beside.pieces),
        unsure_slots=beside.unreadable,
        notes=() if places.is_certain else (MAY_LIE_ELSEWHERE,),
    )


def _piece(piece: Piece, known: KnownEdition, photo: Photo) -> BesidePiece:
    names = known.beside.names
    answer = piece.answer
    return BesidePiece(
        place=piece.place,
        number=piece.number,
        face=names[answer.face or 0],
        corners_px=_photo_quad(piece.corners_px, photo),
        confidence=round(answer.confidence, 3),
        unsure=not answer.is_sure,
        alternatives=tuple(names[face] for face in answer.alternatives if face is not None),
    )


def _as(answer: Answer, face: int | None) -> Answer:
    return Answer(face, answer.turn, answer.distance, answer.lead, is_sure=False)


def _contents(known: KnownEdition, answer: Answer) -> tuple[tuple[str | None, ...], ...]:
    """What each cell of a place shows."""
    tall, wide = known.description.tile_cells
    if answer.face is None:
        return ((None,) * wide,) * tall
    cells = np.array(known.cells_of(known.in_grid.names[answer.face]), dtype=object)
    turned = np.rot90(cells, -answer.turn)
    return tuple(tuple(row) for row in turned.tolist())


def _quad(places: Places, cell: Cell) -> Corners:
    x, y = places.middle(cell)
    return places.surface.quad(x - 0.5, y - 0.5, x + 0.5, y + 0.5)


def _outline(places: Places) -> Corners:
    """The corners of the corner tiles."""
    bottom, right = places.rows - 1, places.columns - 1
    corners = [_quad(places, cell) for cell in ((0, 0), (0, right), (bottom, right), (bottom, 0))]
    return floats([quad[number] for number, quad in enumerate(corners)])


def _photo_quad(corners: Corners, photo: Photo) -> Quad:
    points = photo.to_photo_px(corners)
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in points)
    return a, b, c, d
