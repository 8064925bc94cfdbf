"""How alike tiles and pictures look where light is uneven.

Their drawing is compared on its own, see ``evened``; what light has burnt out is left out of
account.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, floats
from vision.boards.compare import PLACES_AT_ONCE
from vision.boards.evened import (
    LEAST_DRAWN,
    NOTHING_ALIKE,
    LocalFaces,
    LocalLooks,
    evened,
    unlike,
    without_margin,
)
from vision.boards.known import KnownEdition, kept
from vision.boards.looks import BLOCK_PX, STRIDE_PX, TILE_PX, products, reaching, softened
from vision.boards.windows import COARSE_SHIFTS, FINE_SHIFTS, Corners, Sheet, corners_about
from vision.exposure import WHITE

LEAST_SEEN = 0.35
"""With less of a tile than this not burnt out, nothing is told of it."""
_SOFTENED = 3
"""Levels by which what is burnt out is darker in a softened picture."""
FARTHEST_PX = 6
"""By so much a place is shifted at most."""
FELT_PX = 28
"""Further away no pixel changes how another one is evened."""
KEPT = 24
"""Pictures that are compared in full: those that are most alike when compared roughly."""
WHOLE = 0.9
"""Where less of a place is seen, it is compared with all pictures in full."""
_ROUGHLY_DRAWN = LEAST_DRAWN / (BLOCK_PX / STRIDE_PX) ** 2


@dataclass(frozen=True, slots=True, eq=False)
class LocalGrid:
    """A grid laid flat and evened.

    Attributes:
        even: 0 where it is burnt out.
        seen: 1 where it is not burnt out, else 0; None: nothing is burnt out.
    """

    even: Sheet
    seen: Sheet | None

    @classmethod
    def of(
        cls, flat: FloatImage, gain: float, shown: NDArray[np.float32] | None = None
    ) -> "LocalGrid":
        """Of a softened picture.

        Args:
            flat: (h, w, 3).
            gain: by which it is brighter than the photo.
            shown: (h, w) 1 where it shows the photo, 0 where it lies outside; None: all does.
        """
        even, seen = cls._flats(flat, gain, shown)
        return cls(Sheet(even), None if seen is None else Sheet(seen))

    @staticmethod
    def _flats(
        flat: FloatImage,
        gain: float,
        shown: NDArray[np.float32] | None = None,
        margin_px: int = 0,
    ) -> tuple[FloatImage, FloatImage | None]:
        """What ``even`` and ``seen`` are cut out of, both without a margin."""
        even = evened(flat, margin_px=margin_px)
        grown_px = min(margin_px, 1)
        inner = without_margin(flat, margin_px - grown_px)
        burnt = reaching(inner, (WHITE - _SOFTENED) * gain)
        if shown is None and not cv2.countNonZero(burnt):
            return even, None
        grown = cv2.dilate(burnt, np.ones((3, 3), np.uint8))
        seen = without_margin(np.asarray(grown == 0, np.float32), grown_px)
        if shown is not None:
            seen = seen * shown
        return floats(cv2.multiply(even, cv2.merge((seen,) * 3))), seen

    @classmethod
    def about(
        cls, flat: FloatImage, gain: float, middles: Sequence[tuple[float, float]]
    ) -> tuple["LocalGrid", list[tuple[float, float]]]:
        """Of some places alone if they are few, which is quicker, and their middles in it.

        Args:
            flat: see ``of``.
            gain: see ``of``.
            middles: pixels (x, y) about which the places lie.
        """
        side = TILE_PX + 2 * (FARTHEST_PX + FELT_PX)
        if len(middles) * side**2 > flat.shape[0] * flat.shape[1]:
            return cls.of(flat, gain), list(middles)
        grids = [
            cls._flats(_part_of(flat, corner, side), gain, margin_px=FELT_PX)
            for corner in corners_about(middles) - (FARTHEST_PX + FELT_PX)
        ]
        even = Sheet(np.hstack([even for even, _ in grids]))
        inner = side - 2 * FELT_PX
        at = [((number + 0.5) * inner, inner / 2) for number in range(len(grids))]
        if all(seen is None for _, seen in grids):
            return cls(even, None), at
        everything = np.ones((inner, inner), np.float32)
        shown = [everything if seen is None else seen for _, seen in grids]
        return cls(even, Sheet(np.hstack(shown))), at

    def distances(
        self, middles: Sequence[tuple[float, float]], pictures: LocalLooks
    ) -> NDArray[np.float32]:
        """How unlike pictures places (places, n) are, each where it fits best.

        Args:
            middles: pixels (x, y) about which the places lie.
            pictures: n for all places, or (places, n) others for each.
        """
        return self._in_full(corners_about(middles), pictures, LEAST_SEEN)

    def table(
        self,
        middles: Sequence[tuple[float, float]],
        faces: LocalFaces,
        least_seen: float = LEAST_SEEN,
    ) -> NDArray[np.float32]:
        """How unlike pictures places (places, n) are; those that are hardly alike, about.

        Args:
            middles: pixels (x, y) about which the places lie.
            faces: the pictures.
            least_seen: share of a place; if less is seen, it is like nothing.
        """
        nearest = [np.zeros((0, len(faces)), np.float32)]
        for first in range(0, len(middles), PLACES_AT_ONCE):
            corners = corners_about(middles[first : first + PLACES_AT_ONCE])
            nearest.append(self._nearest(corners, faces, least_seen))
        return np.concatenate(nearest)

    def _nearest(
        self, corners: Corners, faces: LocalFaces, least_seen: float
    ) -> NDArray[np.float32]:
        """The same of places with these corners (places, 2)."""
        tiles = LocalLooks.of(self.even.coarse_tiles_around(corners))
        shown = None
        is_whole = np.ones(len(corners), np.bool_)
        if self.seen is not None:
            shown = self.seen.coarse_tiles_around(corners).reshape(len(tiles.drawing), -1)
            is_whole = shown.reshape(len(corners), -1).mean(axis=1) >= WHOLE
        at_shifts = unlike(tiles, shown, faces.rough, least_seen, _ROUGHLY_DRAWN)
        table = at_shifts.reshape(len(corners), len(COARSE_SHIFTS), -1).min(axis=1)
        # Where next to nothing is seen, or drawn, roughly, it is not in full either
        is_like_any = table.min(axis=1, initial=NOTHING_ALIKE) < NOTHING_ALIKE
        whole, rest = np.flatnonzero(is_whole), np.flatnonzero(~is_whole & is_like_any)
        if len(whole):
            rough = table[whole]
            kept = np.argpartition(rough, min(KEPT, rough.shape[1]) - 1, axis=1)[:, :KEPT]
            nearest = self._in_full(corners[whole], faces.full.only(kept), least_seen)
            # What was compared roughly only is less alike than what was kept
            rough = np.maximum(rough, nearest.max(axis=1, keepdims=True))
            rough[np.arange(len(rough))[:, None], kept] = nearest
            table[whole] = rough
        if len(rest):
            table[rest] = self._in_full(corners[rest], faces.full, least_seen)
        return np.asarray(table, np.float32)

    def _in_full(
        self, corners: Corners, pictures: LocalLooks, least_seen: float
    ) -> NDArray[np.float32]:
        """The same (places, n), every picture compared in full.

        Args:
            corners: (places, 2).
            pictures: n for all places, or (places, n) others for each.
            least_seen: see ``table``.
        """
        around = corners[:, None]
        coarse = self._at(around + COARSE_SHIFTS, pictures, least_seen)
        shifts = COARSE_SHIFTS[coarse.min(axis=2).argmin(axis=1)][:, None] + FINE_SHIFTS
        fine = self._at(around + shifts, pictures, least_seen)
        return np.asarray(np.minimum(coarse.min(axis=1), fine.min(axis=1)), np.float32)

    def _at(self, corners: Corners, pictures: LocalLooks, least_seen: float) -> NDArray[np.float32]:
        """The same (places, shifts, n) of tiles with these corners (places, shifts, 2)."""
        tiles = LocalLooks.of(self.even.tiles(corners))
        shown = None
        if self.seen is not None:
            shown = self.seen.tiles(corners).reshape(len(tiles.drawing), -1)
        distances = unlike(tiles, shown, pictures, least_seen, LEAST_DRAWN)
        return distances.reshape(*corners.shape[:-1], -1)


def _part_of(picture: FloatImage, corner: Corners, side: int) -> FloatImage:
    """A square of a picture (h, w, 3) that is mirrored at its edges.

    Args:
        picture: to cut it out of, at least half as large.
        corner: (2,) its first row and column.
        side: of the square, pixels.
    """
    top, left, bottom, right = (int(end) for end in (*corner, *(corner + side)))
    part = picture[max(top, 0) : bottom, max(left, 0) : right]
    lacking = (
        max(-top, 0),
        max(bottom - picture.shape[0], 0),
        max(-left, 0),
        max(right - picture.shape[1], 0),
    )
    if not any(lacking):
        return part
    return np.asarray(cv2.copyMakeBorder(part, *lacking, cv2.BORDER_REFLECT_101), np.float32)


def evened_faces(known: KnownEdition, tile_px: int) -> list[FloatImage]:
    """The pictures of all faces of the grid, evened, in the order of ``known.in_grid``.

    Args:
        known: the edition.
        tile_px: side to which they are brought.
    """
    turns = int(known.in_grid.turns.max()) + 1
    pictures: list[FloatImage] = []
    for name in known.in_grid.names:
        for picture in known.edition.pictures[name]:
            sized = cv2.resize(picture, (tile_px, tile_px), interpolation=cv2.INTER_AREA)
            even = evened(softened(np.asarray(sized, np.uint8)))
            pictures += [np.rot90(even, -turn) for turn in range(turns)]
    return pictures


@kept
def local_faces(known: KnownEdition) -> LocalFaces:
    """The pictures of all faces of the grid, in the order of ``known.in_grid``."""
    windows = np.array(evened_faces(known, TILE_PX), np.float32).transpose(0, 3, 1, 2)
    side = TILE_PX // BLOCK_PX
    blocks = windows.reshape(-1, 3, side, BLOCK_PX, side, BLOCK_PX).mean(axis=(3, 5))
    thinned = np.ascontiguousarray(windows[..., ::STRIDE_PX, ::STRIDE_PX])
    return LocalFaces(LocalLooks.of(thinned), LocalLooks.of(blocks))


@kept
def nearest_others(known: KnownEdition) -> NDArray[np.float32]:
    """How near the drawing of each face (n,) comes to that of another."""
    looks, faces = local_faces(known).full, known.in_grid.faces
    lengths = np.sqrt(np.maximum(looks.strength.sum(axis=1), LEAST_DRAWN))
    alike = products(looks.drawing, looks.drawing)
    distances = 1 - alike / np.outer(lengths, lengths)
    distances[faces[:, None] == faces] = NOTHING_ALIKE
    nearest = np.full(len(known.in_grid.names), NOTHING_ALIKE, np.float32)
    np.minimum.at(nearest, faces, distances.min(axis=1))
    return nearest


@kept
def _local_board(known: KnownEdition) -> Sheet | None:
    return None if known.board_flat is None else Sheet(evened(known.board_flat))


def local_plots(known: KnownEdition, middles: Sequence[tuple[float, float]]) -> LocalLooks | None:
    """The empty board (places, 1) about pixels (x, y) of its flat picture; None: there is none."""
    board = _local_board(known)
    if board is None:
        return None
    plots = LocalLooks.of(board.tiles(corners_about(middles)))
    return plots.only(np.arange(len(middles))[:, None])
