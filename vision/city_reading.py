"""What is told of a city: its faces, which of them a person must look at, and why."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

import cv2
import numpy as np

from scoring.faces import Cell, Face
from vision.arrays import Corners, Image, floats
from vision.city import TILE_THERE, City
from vision.exposure import WHITE
from vision.photo import Photo
from vision.photo_edges import edges_overrun, overrun_note
from vision.quads import photo_quads
from vision.reading import GridReading, Note, NoteCode, note
from vision.recognise import SURE, CellReading
from vision.rectify import crop_window
from vision.usable import remedy

MOST_TURNED: Final = 4
"""More tiles turned the wrong way are the mark of a city whose cells were misplaced."""
MOST_UNSURE: Final = 8
"""With more unsure cells than this in a city, even the others are not to be trusted."""
MANY_UNSURE: Final = 3
"""With more unsure cells than this it is worth looking for a common cause."""
WHITE_SHARE: Final = 0.3
"""An unsure tile of which so much is white with light lies in glare."""
ILLEGIBLE: Final = 0.5
"""A tile whose face is less certain is hidden rather than unclear."""
_WHOLE_TILE: Final = (0.0, 0.0, 1.0, 1.0)
_LOOKED_AT_PX: Final = 24


class Doubt(Enum):
    """Why a person must look at a cell."""

    OFF_THE_PICTURE = auto()
    NO_TILE = auto()
    UPSIDE_DOWN = auto()
    TURNED = auto()
    GLARE = auto()
    HIDDEN = auto()
    UNCLEAR = auto()


_NOTES: Final = {
    Doubt.NO_TILE: NoteCode.NO_TILE,
    Doubt.UPSIDE_DOWN: NoteCode.UPSIDE_DOWN,
    Doubt.TURNED: NoteCode.ON_ITS_SIDE,
    Doubt.HIDDEN: NoteCode.HIDDEN,
}
"""The notes on single tiles that say more than that a person must look."""


def city_reading(found: City, photo: Photo) -> GridReading:
    """The reading of one city; its cells are those of ``found``, upright."""
    image = photo.image_bgr
    rows, columns = range(found.rows), range(found.columns)
    cells = [[found.cells[row, column] for column in columns] for row in rows]
    corners = floats([cell.quad_px for row in cells for cell in row])
    runs_off = bool(edges_overrun(corners.reshape(-1, 2), _size_wh(image)))
    outline, *quads = photo_quads([found.outline_px, *corners], photo)
    doubts = {
        cell: Doubt.OFF_THE_PICTURE
        if runs_off and edges_overrun(read.quad_px, _size_wh(image))
        else _doubt(read, image)
        for cell, read in sorted(found.cells.items())
    }
    unsure = {cell: doubt for cell, doubt in doubts.items() if doubt is not None}
    notes = [*_edge_notes(found, image), *_tile_notes(unsure)]
    if len(unsure) > MANY_UNSURE:
        tile_px = float(np.sqrt(cv2.contourArea(found.outline_px) / len(found.cells)))
        cause = remedy(image, found.outline_px, tile_px)
        notes += [cause] if cause else []
    turned = sum(doubt in (Doubt.UPSIDE_DOWN, Doubt.TURNED) for doubt in unsure.values())
    if len(unsure) > MOST_UNSURE or turned > MOST_TURNED:
        unsure = dict.fromkeys(found.cells, Doubt.UNCLEAR)
        notes.append(note(NoteCode.ALL_UNCLEAR))
    elif _may_lie_elsewhere(found):
        unsure = dict.fromkeys(found.cells, Doubt.UNCLEAR)
        notes.append(note(NoteCode.EDGE_ROW_EMPTY))
    faces = tuple(tuple(map(_face, row)) for row in cells)
    return GridReading(
        corners_px=outline,
        grid=faces,
        confidence=tuple(tuple(map(_certainty, row)) for row in cells),
        unsure=tuple(sorted(unsure)),
        tile_quads_px=tuple(
            tuple(quads[row * found.columns : (row + 1) * found.columns]) for row in rows
        ),
        tiles=faces,
        turns=tuple(tuple(None if face is None else 0 for face in row) for row in faces),
        alternatives={cell: found.cells[cell].alternatives for cell in sorted(unsure)},
        notes=tuple(notes),
    )


def _tile_notes(unsure: dict[Cell, Doubt]) -> Sequence[Note]:
    """A note for each tile of which more is known than that it is unclear; one for all glare."""
    notes = [note(_NOTES[doubt], cell) for cell, doubt in unsure.items() if doubt in _NOTES]
    bright = [cell for cell, doubt in unsure.items() if doubt is Doubt.GLARE]
    if bright:
        notes.append(note(NoteCode.GLARE, *bright))
    return notes


def _edge_notes(found: City, image: Image) -> Sequence[Note]:
    edges = edges_overrun(found.outline_px, _size_wh(image))
    return (overrun_note(edges),) if edges else ()


def _size_wh(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _may_lie_elsewhere(found: City) -> bool:
    """Whether the square could as well be laid one row further, over a tile not seen there."""
    last_row, last_column = found.rows - 1, found.columns - 1
    edges = (
        [(0, column) for column in range(found.columns)],
        [(last_row, column) for column in range(found.columns)],
        [(row, 0) for row in range(found.rows)],
        [(row, last_column) for row in range(found.rows)],
    )
    return any(all(_face(found.cells[cell]) is None for cell in edge) for edge in edges)


def _face(cell: CellReading) -> Face | None:
    return cell.face if cell.is_tile >= TILE_THERE else None


def _certainty(cell: CellReading) -> float:
    certain = cell.confidence if cell.is_tile >= TILE_THERE else 1 - cell.is_tile
    return round(min(certain, 0.999), 3)


def _doubt(cell: CellReading, image: Image) -> Doubt | None:
    """Why a person must look at a cell within the picture; None: it is sure."""
    if cell.is_tile < TILE_THERE:
        return Doubt.GLARE if _white_share(image, cell.quad_px) > WHITE_SHARE else Doubt.NO_TILE
    if cell.upright < TILE_THERE:
        return Doubt.UPSIDE_DOWN if cell.half_turned else Doubt.TURNED
    if cell.agreed and cell.confidence >= SURE:
        return None
    if _white_share(image, cell.quad_px) > WHITE_SHARE:
        return Doubt.GLARE
    hidden = cell.is_tile < SURE or cell.confidence < ILLEGIBLE
    return Doubt.HIDDEN if hidden else Doubt.UNCLEAR


def _white_share(image: Image, quad_px: Corners) -> float:
    crop = crop_window(image, quad_px, _WHOLE_TILE, _LOOKED_AT_PX)
    return float(np.mean(cv2.inRange(crop, (WHITE,) * 3, (255,) * 3) > 0))
