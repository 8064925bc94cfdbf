"""Read the faces of a lattice's cells, decide which way up the city is read, and how sure that is.

Two opinions that see different things, the whole face and the emblem alone, are multiplied as
independent evidence; a cell where they differ is left to a person. Pictures of an edition that a
user has taught are a third opinion, where they are like the tile and plainly name one face.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell, Face
from vision import networks
from vision.arrays import Corners, Image, floats, transformed
from vision.editions.taught import TaughtFaces, TaughtOpinion
from vision.pyramid import Picture
from vision.rectify import UNIT_SQUARE, emblem_crop, face_crop

FACES = tuple(Face)

WORTH_A_SECOND_LOOK = 0.035
"""After smaller corrections of the corners, in tile widths, a second look shows the same."""
MUCH = 0.12
"""After corrections this large even what was clear is worth a second look."""
CLEAR = 0.97
"""Likelihood of a face from which on it needs no second look."""
SURE = 0.90
"""Cells below this confidence are shown to a person."""
EMBLEM_WEIGHT = 0.7
FLOOR = 1e-3
OVERRULED = 0.9
"""An emblem read less certainly than this yields to the face where taught pictures confirm it."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A first look at a place.

    Attributes:
        quad_px: its corners, corrected if a tile lies there.
        chances: probabilities (FACE_CLASSES,) of all faces in all four turns.
        moved: by how much the corners were corrected, in tile widths.
    """

    quad_px: Corners
    chances: NDArray[np.float32]
    moved: float

    @property
    def is_tile(self) -> float:
        """How likely a readable tile lies there."""
        return float(1 - self.chances[-1])

    @property
    def clarity(self) -> float:
        """How likely the likeliest face is, in whatever turn."""
        return float(self.chances[:-1].max())


@dataclass(frozen=True, eq=False)
class CellReading:
    """What was read in one cell; arrays over the nine faces in the order of ``Face``.

    Attributes:
        quad_px: corners of the tile as read upright, refined.
        is_tile: how likely a readable tile lies there.
        upright: how likely it lies the way the city does, given that it is a tile.
        half_turned: whether, if it lies another way, it is most likely upside down.
        by_face: probabilities from the whole face, given a tile lying upright.
        by_emblem: probabilities from the emblem alone; its tenth number: cannot be read.
        taught: what the pictures of a taught edition say; None: there is none.
        known_look: whether the networks know the look of the tiles; if not, the taught pictures
            have made ``by_face``.
    """

    quad_px: Corners
    is_tile: float
    upright: float
    by_face: NDArray[np.float32]
    by_emblem: NDArray[np.float32]
    taught: TaughtOpinion | None = None
    known_look: bool = True
    half_turned: bool = False

    @cached_property
    def together(self) -> NDArray[np.float64]:
        """All opinions as one distribution over the faces."""
        emblem = self.by_emblem[:9] + self.by_emblem[9] / 9
        product = (self.by_face + FLOOR) * (emblem + FLOOR) ** EMBLEM_WEIGHT
        if self._third is not None:
            product = product * (self._third.chances + FLOOR)
        return np.asarray(product / product.sum(), np.float64)

    @cached_property
    def face(self) -> Face:
        """The likeliest face."""
        return FACES[int(np.argmax(self.together))]

    @cached_property
    def confidence(self) -> float:
        """How likely the face is right: there is a tile, it lies upright, and it shows this."""
        return float(self.together.max() * self.is_tile * self.upright)

    @property
    def agreed(self) -> bool:
        """Whether the opinions name the same face, and one of them is certain of it."""
        if not self.known_look:
            return self.taught is not None and self.taught.is_clear
        emblem = self.by_emblem[:9]
        third = self._third
        if third is not None:
            same_face = third.best == int(np.argmax(self.by_face))
            same_emblem = third.best == int(np.argmax(emblem))
            return same_face and (same_emblem or float(emblem.max()) < OVERRULED)
        if float(emblem.max()) < 0.4:
            return float(self.by_face.max()) > 0.985
        return int(np.argmax(emblem)) == int(np.argmax(self.by_face))

    @property
    def _third(self) -> TaughtOpinion | None:
        """The taught pictures' opinion, where it is one and is not in ``by_face`` already."""
        taught = self.taught
        return taught if taught is not None and taught.is_clear and self.known_look else None

    @property
    def alternatives(self) -> tuple[Face, ...]:
        """Other faces worth offering, likeliest first."""
        order = np.argsort(-self.together, kind="stable")[1:4]
        return tuple(FACES[int(i)] for i in order)


def corrected(quad_px: Corners, offsets: NDArray[np.float32]) -> Corners:
    """The quad with its corners moved by ``offsets`` (4, 2) in tile widths."""
    to_photo = cv2.getPerspectiveTransform(UNIT_SQUARE, np.asarray(quad_px, np.float32))
    return transformed(UNIT_SQUARE + offsets, to_photo)


def look_at(picture: Picture, quads: Sequence[Corners]) -> list[Look]:
    """Read rectified faces, correct their corners, and look again where that was unclear."""
    looks = _first_look(picture, quads)
    again = [
        n
        for n, look in enumerate(looks)
        if look.moved > WORTH_A_SECOND_LOOK and (look.clarity < CLEAR or look.moved > MUCH)
    ]
    seconds = _first_look(picture, [looks[n].quad_px for n in again])
    for n, second in zip(again, seconds, strict=True):
        if second.is_tile >= looks[n].is_tile - 0.1:
            looks[n] = second
    return looks


def _first_look(picture: Picture, quads: Sequence[Corners]) -> list[Look]:
    chances, offsets = networks.read_faces([face_crop(picture, quad) for quad in quads])
    looks = []
    for quad, chance, offset in zip(quads, chances, offsets, strict=True):
        if float(chance[-1]) > 0.5:
            looks.append(Look(quad, chance, 0.0))
        else:
            looks.append(Look(corrected(quad, offset), chance, float(np.abs(offset).max())))
    return looks


def turn_of_city(looks: Iterable[Look]) -> int:
    """By how many quarters clockwise the tiles appear turned: the vote of all tiles."""
    chances = floats([look.chances for look in looks])
    turns = chances[:, :36].reshape(-1, 4, 9).sum(axis=2)
    tile = chances[:, :36].sum(axis=1)
    votes = np.log(turns + 0.01) * tile[:, None]
    return int(np.argmax(votes.sum(axis=0)))


def turned_cell(cell: Cell, rows: int, columns: int, turns: int) -> Cell:
    """Where a cell comes to lie when a lattice is turned back to be read upright.

    The lattice has ``rows`` x ``columns``, and its tiles appear turned clockwise by ``turns``
    quarters.
    """
    row, column = cell
    for _ in range(turns):
        row, column = columns - 1 - column, row
        rows, columns = columns, rows
    return row, column


def opinions(picture: Picture, looks: Mapping[Cell, Look], turns: int) -> dict[Cell, CellReading]:
    """What face and emblem say of each cell of a city whose tiles appear turned by ``turns``.

    Keys stay those of the lattice as it lies in the picture; quads are named as read upright.
    """
    # A tile that appears turned clockwise by k quarters has its upright top left corner k
    # places further along its quad.
    upright = {cell: floats(np.roll(look.quad_px, -turns, axis=0)) for cell, look in looks.items()}
    emblems = networks.read_emblems([emblem_crop(picture, quad) for quad in upright.values()])
    cells = {}
    for (cell, look), emblem in zip(looks.items(), emblems, strict=True):
        by_turn = look.chances[:36].reshape(4, 9)
        tile, right_way = look.is_tile, float(by_turn[turns].sum())
        cells[cell] = CellReading(
            quad_px=upright[cell],
            is_tile=tile,
            upright=right_way / max(tile, 1e-6),
            by_face=floats(by_turn[turns] / max(right_way, 1e-6)),
            by_emblem=emblem,
            half_turned=int(by_turn.sum(axis=1).argmax()) == (turns + 2) % 4,
        )
    return cells


def with_taught(
    image: Image, cells: Mapping[Cell, CellReading], taught: TaughtFaces
) -> dict[Cell, CellReading]:
    """The cells with the opinion of taught pictures added."""
    views = taught.opinions(image, [cell.quad_px for cell in cells.values()])
    return {
        place: replace(cell, taught=view)
        for (place, cell), view in zip(cells.items(), views, strict=True)
    }
