"""Which tiles of a lattice are a grid: where tiles are seen, where the table, and where nothing."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, floats
from vision.boards.known import KnownEdition
from vision.boards.local_contrast import LocalGrid, local_faces
from vision.boards.looks import TILE_PX
from vision.boards.places import UNSEEN, Area, Places, chosen, shifted, tiles_of
from vision.boards.surface import Surface
from vision.boards.view import View, in_pixels
from vision.exposure import WHITE
from vision.pyramid import Pyramid

STEPS = 10
"""A place is looked at in so many rows and columns of spots to tell how much of it is seen."""
ENOUGH = 0.35
"""Of so much of a place that is seen its drawing tells whether it is a tile."""
TILE, BARE = 0.45, 0.66
"""Drawings nearer to a picture than the former are a tile's, those further away are none's."""
LITTLE, PLAINLY_TILE = 0.2, 0.27
"""Of so little only what is so near to a picture is a tile."""
SLIVER, MAY_BE_TILE = 0.15, 0.4
"""Of more than this what is further away may be the table beyond the grid."""
WHOLE = 0.8
"""So much of a place must be seen for it to be bare."""
MOSTLY = 0.75
"""Share of the places of another choice that must be bare where this one has none."""
FEWEST_BESIDE = 2
"""Places beside the grid that tell what the table looks like."""
STRIDE_PX = 4
"""Of a flat picture every so many-th pixel tells of colours."""
MOST_COLOURS = 1000
"""Of larger areas only so many colours are compared."""
FINE_PX = 2
"""How finely it is told what lies outside the photo."""
SAME_COLOUR = 6.0
"""Distance of colours of one table (L*a*b*, lightness counting half)."""
OF_TABLE = 0.8
"""Share of bare places that shows colours of the table beside the grid."""
OF_BARE = 0.4
"""Share of the table there that shows colours of those places; a cover is often plainer."""


@dataclass(frozen=True, slots=True)
class PlaceSeen:
    """What is seen of a place where a tile may lie.

    Attributes:
        unlike: how unlike any picture what is seen of it is drawn, see ``local_contrast``.
        hidden: share of it that is white with light or outside the photo.
    """

    unlike: float
    hidden: float

    @property
    def likeness(self) -> float:
        """Distance to the most similar picture; ``UNSEEN`` as far as it is hidden."""
        if 1 - self.hidden < ENOUGH:
            return UNSEEN
        return (1 - self.hidden) * self.unlike + self.hidden * UNSEEN

    @property
    def is_tile(self) -> bool:
        """Whether it is plainly a tile."""
        if 1 - self.hidden >= ENOUGH:
            return self.unlike <= TILE
        return 1 - self.hidden >= LITTLE and self.unlike <= PLAINLY_TILE

    @property
    def shows_table(self) -> bool:
        """Whether what is seen of it is no tile."""
        return 1 - self.hidden >= ENOUGH and self.unlike >= BARE

    @property
    def is_bare(self) -> bool:
        """Whether no tile is seen though it would be."""
        return 1 - self.hidden >= WHOLE and self.shows_table

    @property
    def may_be_tile(self) -> bool:
        """Whether it is hidden, and what little of it is seen is no bare table."""
        seen = 1 - self.hidden
        return seen < SLIVER or (seen < ENOUGH and self.unlike <= MAY_BE_TILE)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """A part of a lattice, place by place.

    Attributes:
        flat: (h, w, 3) softened, TILE_PX pixels a tile, the first place at its top left.
        seen: what is seen of each place.
        begin: row and column of the first place.
    """

    flat: FloatImage
    seen: Mapping[Cell, PlaceSeen]
    begin: Cell

    @classmethod
    def of(
        cls, picture: Pyramid, surface: Surface, area: Area, known: KnownEdition
    ) -> "Surroundings":
        """What is seen of an area of the lattice that has these coordinates."""
        top, left, tall, wide = area
        around = Places(shifted(surface, (top, left)), tall, wide)
        window = (0.0, 0.0, float(wide), float(tall))
        view = View.of(picture, around.surface, window)
        flat = view.softened(window)
        grid = LocalGrid.of(flat, view.gain, _shown(picture, around))
        middles = in_pixels(floats([around.middle(cell) for cell in around.cells]), window)
        unlikes = grid.table(middles, local_faces(known), SLIVER).min(axis=1).tolist()
        seen: dict[Cell, PlaceSeen] = {}
        for cell, unlike in zip(around.cells, unlikes, strict=True):
            hidden = _hidden_share(picture, around, cell)
            seen[cell[0] + top, cell[1] + left] = PlaceSeen(unlike, hidden)
        return cls(flat / np.float32(view.gain), seen, (top, left))

    def colours(self, cells: Set[Cell]) -> NDArray[np.float32]:
        """Some colours (n, 3) of places: L*a*b* with half the lightness."""
        parts = []
        for row, column in sorted(cells):
            y, x = (row - self.begin[0]) * TILE_PX, (column - self.begin[1]) * TILE_PX
            part = self.flat[y : y + TILE_PX : STRIDE_PX, x : x + TILE_PX : STRIDE_PX]
            parts.append(cv2.cvtColor(part / np.float32(255), cv2.COLOR_BGR2LAB).reshape(-1, 3))
        return floats(np.concatenate(parts) * floats([0.5, 1, 1]))


def window_of(
    picture: Pyramid, surface: Surface, areas: Sequence[Area], known: KnownEdition
) -> tuple[Area, bool]:
    """Which of several areas of a lattice is the grid, and whether it can be no other.

    Args:
        picture: the photo, decoded.
        surface: of the lattice.
        areas: as given by ``places.choices``.
        known: the edition.
    """
    around = Surroundings.of(picture, surface, _holding(areas), known)
    area, others = chosen(areas, {cell: place.likeness for cell, place in around.seen.items()})
    beyond = opposite_ends(area, others, around.seen)
    if beyond is None:
        return area, False
    return area, not beyond or _is_table(picture, surface, area, beyond, known)


def opposite_ends(
    best: Area, others: Sequence[Area], seen: Mapping[Cell, PlaceSeen]
) -> set[Cell] | None:
    """The bare places that alone tell that a grid ends there, and so goes on where it is hidden.

    None if it may as well be one of the others. None of these is it if each takes in a row or
    column that is bare, and leaves out a tile that is seen, or such as light or the photo's edge
    hides.
    """
    beyond: set[Cell] = set()
    for other in others:
        own, instead = tiles_of(best) - tiles_of(other), tiles_of(other) - tiles_of(best)
        bare = sum(seen[cell].is_bare for cell in instead)
        if bare < MOSTLY * len(instead) or any(seen[cell].is_tile for cell in instead):
            return None
        if any(seen[cell].is_bare for cell in own):
            return None
        if any(seen[cell].is_tile for cell in own):
            continue
        if not all(seen[cell].may_be_tile for cell in own):
            return None
        beyond |= instead
    if beyond and any(seen[cell].is_bare for cell in tiles_of(best)):
        return None
    return beyond


def _is_table(
    picture: Pyramid, surface: Surface, area: Area, beyond: Set[Cell], known: KnownEdition
) -> bool:
    """Whether bare places beyond a grid look like the table beside it, and not like a cover."""
    top, left, tall, wide = area
    around = Surroundings.of(picture, surface, (top - 1, left - 1, tall + 2, wide + 2), known)
    tiles = {cell for cell in tiles_of(area) if around.seen[cell].is_tile}
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    beside = {(row + down, column + right) for row, column in tiles for down, right in steps}
    beside = {cell for cell in beside - tiles_of(area) - beyond if around.seen[cell].shows_table}
    if len(beside) < FEWEST_BESIDE:
        return False
    there, here = around.colours(beyond & around.seen.keys()), around.colours(beside)
    there, here = (part[:: -(-len(part) // MOST_COLOURS)] for part in (there, here))
    is_same = np.linalg.norm(there[:, None] - here[None], axis=2) < SAME_COLOUR
    return bool(is_same.any(axis=1).mean() >= OF_TABLE and is_same.any(axis=0).mean() >= OF_BARE)


def _holding(areas: Sequence[Area]) -> Area:
    """The smallest area that holds them all."""
    top, left = (min(area[axis] for area in areas) for axis in (0, 1))
    bottom, right = (max(area[axis] + area[axis + 2] for area in areas) for axis in (0, 1))
    return top, left, bottom - top, right - left


def _shown(picture: Pyramid, places: Places) -> NDArray[np.float32]:
    """1 where a flat picture of places shows the photo, 0 beyond its edge and close to it."""
    tall, wide = places.rows * TILE_PX, places.columns * TILE_PX
    ys, xs = np.arange(0, tall, FINE_PX), np.arange(0, wide, FINE_PX)
    spots = np.stack(np.meshgrid(xs, ys), axis=2).reshape(-1, 2) + FINE_PX / 2
    at = places.surface.at(spots / TILE_PX).reshape(len(ys), len(xs), 2)
    shown = np.asarray(_inside(at, picture), np.uint8)
    kept = cv2.erode(shown, np.ones((3, 3), np.uint8))
    return floats(cv2.resize(kept, (wide, tall), interpolation=cv2.INTER_NEAREST))


def _hidden_share(picture: Pyramid, places: Places, cell: Cell) -> float:
    """How much of a place is white with light or outside the photo."""
    x, y = places.middle(cell)
    steps = (np.arange(STEPS) + 0.5) / STEPS - 0.5
    spots = np.stack(np.meshgrid(x + steps, y + steps), axis=2).reshape(-1, 2)
    at = np.round(places.surface.at(spots))
    inside = _inside(at, picture)
    x_px, y_px = at[inside].astype(np.intp).T
    levels = picture.image[y_px, x_px]
    white = float((levels.min(axis=1) >= WHITE).sum()) if len(levels) else 0.0
    return float((~inside).sum() + white) / len(at)


def _inside(at: NDArray[np.float32], picture: Pyramid) -> NDArray[np.bool_]:
    """Which points (…, 2) lie in the photo."""
    height, width = picture.image.shape[:2]
    return np.asarray((at >= 0).all(axis=-1) & (at < (width, height)).all(axis=-1), np.bool_)
