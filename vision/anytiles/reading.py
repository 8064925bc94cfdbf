"""Read a photo of tiles that were taught: what the eye saw, as a reading."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product
from time import perf_counter
from typing import TypeVar

import cv2
import numpy as np

from scoring.faces import Cell
from vision.anytiles.eye import GridRead, Model, read
from vision.anytiles.lattice import Layout
from vision.anytiles.locate import Floats
from vision.anytiles.parameters import PARAMETERS
from vision.anytiles.teach import teach_board, teach_pictures, untaught
from vision.editions.description import Description, Turned
from vision.editions.edition import GAME, Edition, is_read_by_model
from vision.exposure import LIGHT_HIDES, MOST_WHITE, MUCH_LIGHT, white_areas, white_share
from vision.order import clockwise
from vision.photo import Photo
from vision.photo_edges import edges_overrun, overrun_note
from vision.pyramid import Pyramid
from vision.quads import photo_quad, photo_quads
from vision.reading import GridReading, Note, NoteCode, Reading, Unread, note
from vision.usable import doubts_of_photo, refuse_if_colourless, refuse_if_hopeless

MANY_UNSURE = 8
"""With more unsure cells in a grid it is worth looking for a common cause."""
COLOURFUL = 0.3
"""Difference of tints of an edition's faces, in logarithms, that a grey photo has lost."""
TILES_ACROSS = 20
"""A photo's side in tiles, where none was found to measure them by."""

_Contents = tuple[tuple[str | None, ...], ...]
T = TypeVar("T")


def empty_model(description: Description) -> Model:
    """A model of a game that knows no face yet."""
    layout = Layout(
        description.tile_rows,
        description.tile_columns,
        description.most_grids,
        description.board is not None,
        description.tile_cells != (1, 1),
    )
    return untaught(layout, upright=description.turned is Turned.UPRIGHT)


def with_model(edition: Edition) -> Edition:
    """An edition with what its pictures teach, if it is to be read by that."""
    if edition.model is None and is_read_by_model(edition):
        return replace(edition, model=of_pictures(edition))
    return edition


def model_of(edition: Edition) -> Model:
    """What was learned of an edition; of one that brings pictures alone, what these teach."""
    return edition.model or of_pictures(edition)


@lru_cache(maxsize=2)
def of_pictures(edition: Edition) -> Model:
    """What the pictures of an edition teach."""
    description = edition.description
    pictures = [
        (face.name, picture)
        for face in description.grid_faces
        for picture in edition.pictures.get(face.name, ())
    ]
    model = teach_pictures(pictures, empty_model(description))
    if description.board is None or edition.board is None:
        return model
    wide, high = description.board.size_mm
    scale = np.array([edition.board.shape[1] / wide, edition.board.shape[0] / high])
    first_x, first_y = (scale * description.board.first_cell_mm - 0.5).tolist()
    cell_x, cell_y = (scale * description.board.cell_mm).tolist()
    return teach_board(edition.board, (first_x, first_y), (cell_x, cell_y), model)


def read_tiles(photo: Photo, edition: Edition) -> Reading:
    """Read a table of tiles that were taught.

    Args:
        photo: as loaded by ``vision.photo``.
        edition: what its tiles look like; ``is_read_by_model``.

    Raises:
        PhotoError: the photo has no colours, though the tiles have; or nothing was found, and it is
            too dark or too blurred to have shown it.
    """
    start = perf_counter()
    model = model_of(edition)
    if _is_colourful(model):
        refuse_if_colourless(photo.image_bgr, photo.name)
    seen = read(photo.image_bgr, model, PARAMETERS)
    grids = [_grid_reading(grid, edition, photo) for grid in seen.grids]
    lit, light_notes = _hidden_by_light(photo, seen.grids, edition)
    code = (
        NoteCode.CITY_UNREADABLE if edition.description.game == GAME else NoteCode.GRID_UNREADABLE
    )
    unread = [*(Unread(photo_quad(quad, photo), Note(code)) for quad in seen.unread), *lit]
    if not grids:
        refuse_if_hopeless(photo.image_bgr, photo.name)
    doubtful = bool(unread) or not grids or any(len(grid.unsure) > MANY_UNSURE for grid in grids)
    return Reading(
        photo=photo.name,
        game=edition.description.game,
        edition=edition.name,
        size_wh=photo.size_wh,
        grids=tuple(clockwise(grids)),
        unread=tuple(unread),
        notes=(*light_notes, *(doubts_of_photo(photo.image_bgr) if doubtful else ())),
        timings_ms={
            "locate": seen.locating_ms,
            "recognise": (perf_counter() - start) * 1000 - seen.locating_ms,
        },
    )


def _is_colourful(model: Model) -> bool:
    """Whether some faces differ by more than their brightness."""
    colours = model.references.colours
    tints = colours - colours.mean(axis=1, keepdims=True)
    return bool(len(tints)) and float(np.ptp(tints, axis=0).max()) > COLOURFUL


def _hidden_by_light(
    photo: Photo, grids: Sequence[GridRead], edition: Edition
) -> tuple[list[Unread], list[Note]]:
    """Areas so white with light that a grid may lie there unseen, and a note if others are."""
    if len(grids) == edition.description.most_grids or (edition.description.board and grids):
        return [], []
    picture = Pyramid.of(photo.image_bgr)
    quads: list[Floats] = [quad for grid in grids for quad in grid.quads_px.reshape(-1, 4, 2)]
    height, width = photo.image_bgr.shape[:2]
    sides = [float(np.sqrt(cv2.contourArea(quad))) for quad in quads]
    tile_px = float(np.median(sides)) if sides else float(np.sqrt(width * height)) / TILES_ACROSS
    areas = white_areas(picture, tile_px, [grid.corners_px for grid in grids])
    lit = [a for a in areas if a.from_light]
    bright = len(areas) > len(lit) or white_share(picture) > MOST_WHITE
    hidden = [Unread(photo_quad(area.outline_px, photo), LIGHT_HIDES) for area in lit]
    return hidden, [MUCH_LIGHT] if bright and edition.description.board is None else []


def _grid_reading(read: GridRead, edition: Edition, photo: Photo) -> GridReading:
    description = edition.description
    tall, wide = description.tile_cells
    rows, columns = read.quads_px.shape[:2]
    size_wh = photo.image_bgr.shape[1], photo.image_bgr.shape[0]
    places = list(product(range(rows), range(columns)))
    bare = {place for place in places if not _may_lie(place, description)}
    names = {p: None if p in bare else read.faces[p[0]][p[1]] for p in places}
    turns = {p: int(read.turns[p]) for p in places}
    doubtful = {
        p
        for p in places
        if p not in bare and (p in read.rivals or edges_overrun(read.quads_px[p], size_wh))
    }
    unsure = tuple(
        cell
        for cell in product(range(description.rows), range(description.columns))
        if (cell[0] // tall, cell[1] // wide) in doubtful
    )
    quads = photo_quads(list(read.quads_px.reshape(-1, 4, 2)), photo)
    corners = photo_quad(read.corners_px, photo)

    def rows_of(values: dict[Cell, tuple[tuple[T, ...], ...]]) -> tuple[tuple[T, ...], ...]:
        """What the cells have, from what the cells of each tile have."""
        return tuple(
            tuple(chain.from_iterable(values[row, column][line] for column in range(columns)))
            for row in range(rows)
            for line in range(tall)
        )

    shown = {p: _contents(names[p], turns[p], description) for p in places}
    chances = {p: 1.0 if p in bare else round(float(read.confidence[p]), 3) for p in places}
    return GridReading(
        corners_px=corners,
        grid=rows_of(shown),
        confidence=rows_of({p: ((chances[p],) * wide,) * tall for p in places}),
        unsure=unsure,
        tile_quads_px=tuple(
            tuple(quads[row * columns : (row + 1) * columns]) for row in range(rows)
        ),
        tiles=tuple(tuple(names[row, c] for c in range(columns)) for row in range(rows)),
        turns=tuple(
            tuple(None if names[row, c] is None else turns[row, c] for c in range(columns))
            for row in range(rows)
        ),
        alternatives={cell: _alternatives(cell, shown, read, description) for cell in unsure},
        notes=_notes(read, edges_overrun(corners, photo.size_wh)),
    )


def _notes(read: GridRead, edges: Sequence[str]) -> tuple[Note, ...]:
    notes = [overrun_note(edges)] if edges else []
    if not read.certain:
        notes.append(note(NoteCode.END_UNCERTAIN))
    elif len(read.unsure) == read.confidence.size:
        notes.append(note(NoteCode.ALL_UNCLEAR))
    return tuple(notes)


def _may_lie(tile: Cell, description: Description) -> bool:
    """Whether something may lie in the place of a tile: on a board, only on its plots."""
    board = description.board
    if board is None or not board.plots:
        return True
    tall, wide = description.tile_cells
    cells = product(range(tall), range(wide))
    return any((tile[0] * tall + r, tile[1] * wide + c) in board.plots for r, c in cells)


def _contents(name: str | None, turn: int, description: Description) -> _Contents:
    """What each cell of a tile shows."""
    if name is None:
        return ((None,) * description.tile_cells[1],) * description.tile_cells[0]
    face = next(face for face in description.faces if face.name == name)
    return face.turned_cells(turn)


def _alternatives(
    cell: Cell, shown: dict[Cell, _Contents], read: GridRead, description: Description
) -> tuple[str | None, ...]:
    """What else an unsure cell may show."""
    tall, wide = description.tile_cells
    tile = cell[0] // tall, cell[1] // wide
    row, column = cell[0] % tall, cell[1] % wide
    others = [
        _contents(name, turn, description)[row][column] for name, turn in read.rivals.get(tile, ())
    ]
    return tuple(name for name in dict.fromkeys(others) if name != shown[tile][row][column])
