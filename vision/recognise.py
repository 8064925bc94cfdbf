"""Read the faces of a lattice's cells, decide which way up the city is read, and how sure that is.

Two opinions that see different things, the whole face and the emblem alone, are multiplied as
independent evidence; a cell where they differ is left to a person. Pictures of an edition that a
user has taught are a third opinion, where they are like the tile and plainly name one face.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.faces import Cell, Face
from vision import networks
from vision.arrays import Corners, floats
from vision.editions.taught import TaughtFaces, TaughtOpinion
from vision.networks import (
    EMBLEM_PATCH_PX,
    EMBLEM_SIZE_PX,
    EMBLEM_WINDOW,
    FACE_PATCH_PX,
    FACE_SIZE_PX,
)
from vision.pyramid import Picture
from vision.rectify import FACE_WINDOW, UNIT_SQUARE, crop_patches, in_tiles

FACES = tuple(Face)

WORTH_A_SECOND_LOOK = 0.035
"""After smaller corrections of the corners, in tile widths, a second look shows the same."""
MUCH = 0.12
"""After corrections this large even what was clear is worth a second look."""
CLEAR = 0.95
"""Likelihood of a face from which on it needs no second look."""
SURE = 0.90
"""Cells below this confidence are shown to a person."""
EMBLEM_WEIGHT = 0.7
FLOOR = 1e-3
NO_TILE = 0.5
"""From this likelihood of no tile on what was seen of its corners means nothing."""
OVERRULED = 0.9
"""An emblem read less certainly than this yields to the face where taught pictures confirm it."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A first look at a place.

    Attributes:
        quad_px: its corners, corrected if a tile lies there.
        chances: probabilities (FACE_CLASSES,) of all faces in all four turns.
        moved: by how much the corners were corrected, in tile widths.
        is_tile: how likely a readable tile lies there.
        clarity: how likely the likeliest face is, in whatever turn.
    """

    quad_px: Corners
    chances: NDArray[np.float32]
    moved: float
    is_tile: float
    clarity: float


@dataclass(frozen=True, slots=True, eq=False)
class CellReading:
    """What was read in one cell; arrays over the nine faces in the order of ``Face``.

    Attributes:
        quad_px: corners of the tile as read upright, refined.
        is_tile: how likely a readable tile lies there.
        upright: how likely it lies the way the city does, given that it is a tile.
        by_face: probabilities from the whole face, given a tile lying upright.
        by_emblem: probabilities from the emblem alone; its tenth number: cannot be read.
        taught: what the pictures of a taught edition say; None: there is none.
        half_turned: whether, if it lies another way, it is most likely upside down.
        face: the likeliest one.
        confidence: how likely it is right: there is a tile, it lies upright, and it shows this.
    """

    quad_px: Corners
    is_tile: float
    upright: float
    by_face: NDArray[np.float32]
    by_emblem: NDArray[np.float32]
    taught: TaughtOpinion | None = None
    half_turned: bool = False

    face: Face = field(init=False)
    confidence: float = field(init=False)
    _together: list[float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Hear the opinions together."""
        together = self._heard_together()
        most = max(together)
        object.__setattr__(self, "_together", together)
        object.__setattr__(self, "face", FACES[together.index(most)])
        object.__setattr__(self, "confidence", most * self.is_tile * self.upright)

    @property
    def together(self) -> NDArray[np.float64]:
        """All opinions as one distribution over the faces."""
        return np.array(self._together)

    def _heard_together(self) -> list[float]:  # of nine numbers a list is quicker than an array
        *emblem, illegible = self.by_emblem.tolist()
        spare = illegible / 9 + FLOOR
        product = [
            (by_face + FLOOR) * (by_emblem + spare) ** EMBLEM_WEIGHT
            for by_face, by_emblem in zip(self.by_face.tolist(), emblem, strict=True)
        ]
        third = self._third
        if third is not None:
            product = [
                so_far * (by_third + FLOOR)
                for so_far, by_third in zip(product, third.chances.tolist(), strict=True)
            ]
        whole = sum(product)
        return [share / whole for share in product]

    @property
    def agreed(self) -> bool:
        """Whether the opinions name the same face, and one of them is certain of it."""
        faces: list[float] = self.by_face.tolist()
        emblems: list[float] = self.by_emblem.tolist()[:9]
        certain, legible = max(faces), max(emblems)
        by_face, by_emblem = faces.index(certain), emblems.index(legible)
        third = self._third
        if third is not None:
            same_emblem = third.best == by_emblem
            return third.best == by_face and (same_emblem or legible < OVERRULED)
        if legible < 0.4:
            return certain > 0.985
        return by_emblem == by_face

    @property
    def _third(self) -> TaughtOpinion | None:
        """The taught pictures' opinion, where it is one."""
        taught = self.taught
        return taught if taught is not None and taught.is_clear else None

    @property
    def alternatives(self) -> tuple[Face, ...]:
        """Other faces worth offering, likeliest first."""
        order = sorted(range(len(FACES)), key=lambda n: -self._together[n])
        return tuple(FACES[n] for n in order[1:4])


def look_at(picture: Picture, quads: Sequence[Corners]) -> list[Look]:
    """Read rectified faces, correct their corners, and look again where that was unclear."""
    looks = _first_look(picture, quads)
    again = [
        n
        for n, look in enumerate(looks)
        if look.moved > WORTH_A_SECOND_LOOK and (look.clarity < CLEAR or look.moved > MUCH)
    ]
    seconds = _first_look(picture, [looks[n].quad_px for n in again]) if again else []
    for n, second in zip(again, seconds, strict=True):
        if second.is_tile >= looks[n].is_tile - 0.1:
            looks[n] = second
    return looks


def _first_look(picture: Picture, quads: Sequence[Corners]) -> list[Look]:
    crops = crop_patches(picture, quads, FACE_WINDOW, FACE_SIZE_PX, FACE_PATCH_PX)
    chances, offsets = networks.read_face_patches(crops)
    there = chances[:, -1] <= NO_TILE
    offsets = np.where(there[:, None, None], offsets, 0)
    seen = in_tiles(UNIT_SQUARE + offsets, floats(quads).reshape(-1, 4, 2))
    numbers = np.abs(offsets).max(axis=(1, 2)), 1 - chances[:, -1], chances[:, :-1].max(axis=1)
    return [
        Look(*look)
        for look in zip(seen, chances, *(each.tolist() for each in numbers), strict=True)
    ]


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


def opinions(picture: Picture, looks: Sequence[Look], turns: ArrayLike) -> list[CellReading]:
    """What face and emblem say of each place, its quad named as read upright.

    Args:
        picture: the photo.
        looks: at each place, of several cities at best, for that is quicker.
        turns: by how many quarters clockwise the tiles of its city appear turned, for each place
            or for all.
    """
    turned = np.broadcast_to(np.asarray(turns, np.intp), len(looks))
    # A tile that appears turned clockwise by k quarters has its upright top left corner k
    # places further along its quad.
    corners = (np.arange(4) + turned[:, None]) % 4
    each = np.arange(len(looks))
    quads = floats([look.quad_px for look in looks])[each[:, None], corners]
    crops = crop_patches(picture, quads, EMBLEM_WINDOW, EMBLEM_SIZE_PX, EMBLEM_PATCH_PX)
    emblems = networks.read_emblem_patches(crops)
    by_turn = floats([look.chances[:36] for look in looks]).reshape(-1, 4, 9)
    faces = by_turn[each, turned]
    right_way = faces.sum(axis=1)
    faces /= np.maximum(right_way, 1e-6)[:, None]
    half_turned = by_turn.sum(axis=2).argmax(axis=1) == (turned + 2) % 4
    return [
        CellReading(
            quad_px=quads[n],
            is_tile=look.is_tile,
            upright=upright / max(look.is_tile, 1e-6),
            by_face=faces[n],
            by_emblem=emblems[n],
            half_turned=half,
        )
        for n, (look, upright, half) in enumerate(
            zip(looks, right_way.tolist(), half_turned.tolist(), strict=True)
        )
    ]


def with_taught(
    picture: Picture, cells: Mapping[Cell, CellReading], taught: TaughtFaces
) -> dict[Cell, CellReading]:
    """The cells with the opinion of taught pictures added."""
    views = taught.opinions(picture, [cell.quad_px for cell in cells.values()])
    return {
        place: replace(cell, taught=view)
        for (place, cell), view in zip(cells.items(), views, strict=True)
    }
