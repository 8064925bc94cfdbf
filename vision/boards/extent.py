"""Which tiles of a lattice are a grid: where tiles are seen, where the table, and where nothing."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, floats
from vision.boards.find import Found
from vision.boards.known import KnownEdition
from vision.boards.local_contrast import LocalGrid, local_faces
from vision.boards.looks import TILE_PX
from vision.boards.place_seen import BARE, TILE, PlaceSeen, are_bare
from vision.boards.places import Area, Places, chosen, shifted, tiles_of
from vision.boards.view import View, in_pixels
from vision.exposure import WHITE
from vision.pyramid import Pyramid

SPOTS = 10
"""A place is looked at in so many rows and columns of spots to tell how much of it is seen."""
SLIVER = 0.15
"""Less of a place tells nothing of its drawing."""
A_TILE = 4.0
"""Evidence, in all, of places of which one at least is a tile."""
NOT_BARE = -1.0
"""Evidence, in all, of places that look no more like the table than like tiles."""
MOST_GAPS = 2
"""Tiles of a grid that may be missing where it goes on unseen."""
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
OF_TABLE = 0.7
"""Share of bare places that shows colours of the table beside the grid."""
OF_BARE = 0.5
"""Share of the table there that shows colours of those places; a cover is often plainer."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """A part of a lattice, place by place.

    Attributes:
        flat: (h, w, 3) softened, TILE_PX pixels a tile, the first place at its top left.
        evidence: how far what is seen of places speaks for a tile, see ``place_seen``.
        places: the part of the lattice.
        begin: row and column of the first place.
    """

    flat: FloatImage
    evidence: Mapping[Cell, float]
    places: Places
    begin: Cell

    @classmethod
    def of(
        cls,
        picture: Pyramid,
        found: Found,
        area: Area,
        cells: Set[Cell],
        known: KnownEdition,
    ) -> "Surroundings":
        """What is seen of some cells of an area of the lattice that was found."""
        top, left, tall, wide = area
        surface = shifted(found.surface, (top, left))
        around = Places.with_gaps(surface, tall, wide, found.tile_share)
        window = (0.0, 0.0, wide * around.pitch[0], tall * around.pitch[1])
        view = View.of(picture, around.surface, window)
        flat = view.softened(window)
        # Of a single row of tiles that are taken to overlap a little it would be too low for one
        lacking = [max(TILE_PX - side, 0) for side in flat.shape[:2]]
        flat = np.asarray(
            cv2.copyMakeBorder(flat, 0, lacking[0], 0, lacking[1], cv2.BORDER_REPLICATE), np.float32
        )
        hidden, is_inside = _hidden_shares(picture, around)
        size = flat.shape[0], flat.shape[1]
        grid = LocalGrid.of(flat, view.gain, None if is_inside else _shown(picture, around, size))
        ordered = sorted(cells)
        middles = [around.middle((row - top, column - left)) for row, column in ordered]
        places = grid.table(in_pixels(floats(middles), window), local_faces(known), SLIVER)
        evidence = {
            cell: PlaceSeen(unlike, float(hidden[cell[0] - top, cell[1] - left])).evidence
            for cell, unlike in zip(ordered, places.min(axis=1).tolist(), strict=True)
        }
        return cls(flat / np.float32(view.gain), evidence, around, (top, left))

    def colours(self, cells: Set[Cell]) -> NDArray[np.float32]:
        """Some colours (n, 3) of places: L*a*b* with half the lightness."""
        parts = []
        for row, column in sorted(cells):
            middle = self.places.middle((row - self.begin[0], column - self.begin[1]))
            x, y = (round((at - 0.5) * TILE_PX) for at in middle)
            part = self.flat[y : y + TILE_PX : STRIDE_PX, x : x + TILE_PX : STRIDE_PX]
            parts.append(cv2.cvtColor(part / np.float32(255), cv2.COLOR_BGR2LAB).reshape(-1, 3))
        return floats(np.concatenate(parts) * floats([0.5, 1, 1]))


def window_of(
    picture: Pyramid, found: Found, areas: Sequence[Area], known: KnownEdition
) -> tuple[Area, bool]:
    """Which of several areas of a lattice is the grid, and whether it can be no other.

    Args:
        picture: the photo, decoded.
        found: where the lattice lies.
        areas: as given by ``places.choices``.
        known: the edition.
    """
    in_any, in_all = tiles_of(areas[0]), tiles_of(areas[0])
    for area in areas[1:]:
        in_any, in_all = in_any | tiles_of(area), in_all & tiles_of(area)
    around = Surroundings.of(picture, found, _holding(areas), in_any - in_all, known)
    evidence = around.evidence
    area, others = chosen(areas, evidence)
    beyond = opposite_ends(area, others, evidence)
    if beyond is None:
        return area, False
    return area, not beyond or _goes_on(picture, found, area, beyond, known)


def opposite_ends(
    best: Area, others: Sequence[Area], evidence: Mapping[Cell, float]
) -> set[Cell] | None:
    """The bare places that alone tell that a grid ends there, and so goes on where it is hidden.

    None if it may as well be one of the others. None of these is it if each takes in a row or
    column that is bare, and leaves out a tile that is seen, or places that are hidden.
    """
    beyond: set[Cell] = set()
    for other in others:
        own = [evidence[cell] for cell in sorted(tiles_of(best) - tiles_of(other))]
        instead = tiles_of(other) - tiles_of(best)
        if not are_bare(evidence[cell] for cell in sorted(instead)):
            return None
        if sum(max(each, 0.0) for each in own) >= A_TILE:
            continue
        if sum(own) < NOT_BARE:
            return None
        beyond |= instead
    return beyond


def _goes_on(
    picture: Pyramid, found: Found, area: Area, beyond: Set[Cell], known: KnownEdition
) -> bool:
    """Whether bare places beyond a grid are its end, as they look like the table beside it.

    What covers tiles seldom does. Of a grid with many gaps a whole row may be missing there.
    """
    top, left, tall, wide = area
    wider = (top - 1, left - 1, tall + 2, wide + 2)
    around = Surroundings.of(picture, found, wider, tiles_of(wider), known)
    evidence = around.evidence
    if sum(evidence[cell] <= BARE for cell in tiles_of(area)) > MOST_GAPS:
        return False
    tiles = {cell for cell in tiles_of(area) if evidence[cell] >= TILE}
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    beside = {(row + down, column + right) for row, column in tiles for down, right in steps}
    beside = {cell for cell in beside - tiles_of(area) - beyond if evidence[cell] <= BARE}
    if len(beside) < FEWEST_BESIDE or not beyond & evidence.keys():
        return False
    there, here = around.colours(beyond & evidence.keys()), around.colours(beside)
    there, here = (part[:: -(-len(part) // MOST_COLOURS)] for part in (there, here))
    apart = np.zeros((len(there), len(here)), np.float32)
    for first, second in zip(there.T, here.T, strict=True):
        apart += (first[:, None] - second) ** 2
    is_same = apart < SAME_COLOUR**2
    return bool(is_same.any(axis=1).mean() >= OF_TABLE and is_same.any(axis=0).mean() >= OF_BARE)


def _holding(areas: Sequence[Area]) -> Area:
    """The smallest area that holds them all."""
    top, left = (min(area[axis] for area in areas) for axis in (0, 1))
    bottom, right = (max(area[axis] + area[axis + 2] for area in areas) for axis in (0, 1))
    return top, left, bottom - top, right - left


def _shown(picture: Pyramid, places: Places, size: tuple[int, int]) -> NDArray[np.float32]:
    """1 where a flat picture (h, w) of places shows the photo, 0 beyond its edge or near it."""
    tall, wide = size
    ys, xs = np.arange(0, tall, FINE_PX), np.arange(0, wide, FINE_PX)
    spots = np.stack(np.meshgrid(xs, ys), axis=2).reshape(-1, 2) + FINE_PX / 2
    at = places.surface.at(spots / TILE_PX).reshape(len(ys), len(xs), 2)
    shown = np.asarray(_inside(at, picture), np.uint8)
    kept = cv2.erode(shown, np.ones((3, 3), np.uint8))
    return floats(cv2.resize(kept, (wide, tall), interpolation=cv2.INTER_NEAREST))


def _hidden_shares(picture: Pyramid, places: Places) -> tuple[NDArray[np.float64], bool]:
    """How much of each place (rows, columns) is white with light or outside the photo.

    Also whether all of them lie in it.
    """
    in_tile = (np.arange(SPOTS) + 0.5) / SPOTS - 0.5
    down, across = (
        np.add.outer((np.arange(count) + 0.5) * pitch, in_tile).ravel()
        for count, pitch in zip((places.rows, places.columns), places.pitch[::-1], strict=True)
    )
    spots = np.stack(np.meshgrid(across, down), axis=2).reshape(-1, 2)
    at = np.round(places.surface.at(spots))
    inside = _inside(at, picture)
    x_px, y_px = at[inside].astype(np.intp).T
    hidden = ~inside
    hidden[inside] = picture.image[y_px, x_px].min(axis=1) >= WHITE
    each = hidden.reshape(places.rows, SPOTS, places.columns, SPOTS).mean(axis=(1, 3))
    return np.asarray(each, np.float64), bool(inside.all())


def _inside(at: NDArray[np.float32], picture: Pyramid) -> NDArray[np.bool_]:
    """Which points (…, 2) lie in the photo."""
    height, width = picture.image.shape[:2]
    return np.asarray((at >= 0).all(axis=-1) & (at < (width, height)).all(axis=-1), np.bool_)
