"""How alike tiles and pictures look where light is uneven.

Brightness and contrast are brought to the same level round every single pixel, so the edge of a
shadow and the slope of a lamp's reflection vanish and the drawing stays; what light has burnt out
is left out of account. Of what remains the normalised correlation is taken: distance 0 for the same
drawing, 1 for drawings that have nothing in common.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.compare import COARSE_SHIFTS, FINE_SHIFTS, PLACES_AT_ONCE
from vision.boards.known import KnownEdition, kept
from vision.boards.looks import STRIDE_PX, TILE_PX, Windows, darkest, products, softened
from vision.boards.windows import Corners, Sheet, corners_about
from vision.exposure import WHITE

AROUND_PX = 3.5
"""Standard deviation of what counts as round a pixel."""
LEAST_CONTRAST = 4.0
"""Levels: fainter contrast is noise and is not raised to that of drawings."""
LEAST_SEEN = 0.35
"""With less of a tile than this not burnt out, nothing is told of it."""
NOTHING_ALIKE = 1.0
_SOFTENED = 3
"""Levels by which what is burnt out is darker in a softened picture."""
LEAST_DRAWN = 50.0
"""Strength of what has hardly a line: less is rounding, and like nothing."""


_MEAN = np.full((1, 3), 1 / 3, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class LocalLooks:
    """Evened pictures as they are compared.

    Attributes:
        drawing: (n, 3 * pixels).
        strength: (n, pixels) sums of the squares over the channels.
    """

    drawing: NDArray[np.float32]
    strength: NDArray[np.float32]

    @classmethod
    def of(cls, windows: Windows) -> Self:
        """Of windows (n, 3, h, w) of evened pictures."""
        pixels = windows.reshape(len(windows), 3, -1)
        strength = np.einsum("ncp,ncp->np", pixels, pixels)
        return cls(pixels.reshape(len(windows), -1), strength)


@dataclass(frozen=True, slots=True, eq=False)
class LocalGrid:
    """A grid laid flat and evened.

    Attributes:
        even: 0 where it is burnt out.
        seen: 1 where it is not burnt out, else 0.
    """

    even: Sheet
    seen: Sheet

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
        burnt = (darkest(flat) >= (WHITE - _SOFTENED) * gain).astype(np.uint8)
        grown = cv2.dilate(burnt, np.ones((3, 3), np.uint8))
        seen = np.asarray(1 - grown, np.float32)
        if shown is not None:
            seen = seen * shown
        return cls(Sheet(evened(flat) * seen[..., None]), Sheet(seen))

    def distances(self, middle: tuple[float, float], pictures: LocalLooks) -> NDArray[np.float32]:
        """How unlike pictures (n,) a place about a pixel (x, y) is, each where it fits best."""
        return np.asarray(self.table([middle], pictures)[0], np.float32)

    def table(
        self,
        middles: Sequence[tuple[float, float]],
        pictures: LocalLooks,
        least_seen: float = LEAST_SEEN,
    ) -> NDArray[np.float32]:
        """The same (places, n) of several places, which is quicker.

        Args:
            middles: the pixels.
            pictures: that they are compared with.
            least_seen: share of a place; if less is seen, it is like nothing.
        """
        nearest = [np.zeros((0, len(pictures.drawing)), np.float32)]
        for first in range(0, len(middles), PLACES_AT_ONCE):
            corners = corners_about(middles[first : first + PLACES_AT_ONCE])[:, None]
            coarse = self._at(corners + COARSE_SHIFTS, pictures, least_seen)
            shifts = COARSE_SHIFTS[coarse.min(axis=2).argmin(axis=1)][:, None] + FINE_SHIFTS
            fine = self._at(corners + shifts, pictures, least_seen)
            nearest.append(np.minimum(coarse.min(axis=1), fine.min(axis=1)))
        return np.concatenate(nearest)

    def _at(self, corners: Corners, pictures: LocalLooks, least_seen: float) -> NDArray[np.float32]:
        """The same (…, n) of tiles with these corners (…, 2)."""
        tiles = LocalLooks.of(self.even.tiles(corners))
        shown = self.seen.tiles(corners).reshape(len(tiles.drawing), -1)
        squares = tiles.strength.sum(axis=1)[:, None] * products(shown, pictures.strength)
        alike = products(tiles.drawing, pictures.drawing)
        distances = 1 - alike / np.sqrt(np.maximum(squares, LEAST_DRAWN**2))
        distances[squares < LEAST_DRAWN**2] = NOTHING_ALIKE
        distances[shown.mean(axis=1) < least_seen] = NOTHING_ALIKE
        return np.asarray(distances, np.float32).reshape(*corners.shape[:-1], -1)


def evened(
    flat: FloatImage, around_px: float = AROUND_PX, least_contrast: float = LEAST_CONTRAST
) -> FloatImage:
    """A softened picture (h, w, 3) with the same brightness and contrast round every pixel.

    Args:
        flat: the picture.
        around_px: standard deviation of what counts as round a pixel.
        least_contrast: levels; fainter contrast is not raised to that of drawings.
    """
    away = flat - cv2.GaussianBlur(flat, (0, 0), around_px)
    squares = cv2.transform(away * away, _MEAN)
    spread = cv2.GaussianBlur(squares, (0, 0), around_px)
    scale = 1 / np.sqrt(spread + least_contrast**2)
    return np.asarray(away * scale[..., None], np.float32)


@kept
def local_faces(known: KnownEdition) -> LocalLooks:
    """The pictures of all faces of the grid, in the order of ``known.in_grid``."""
    turns = int(known.in_grid.turns.max()) + 1
    pictures: list[FloatImage] = []
    for name in known.in_grid.names:
        for picture in known.edition.pictures[name]:
            small = cv2.resize(picture, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
            even = evened(softened(np.asarray(small, np.uint8)))
            pictures += [np.rot90(even, -turn) for turn in range(turns)]
    windows = np.array(pictures, np.float32)[:, ::STRIDE_PX, ::STRIDE_PX].transpose(0, 3, 1, 2)
    return LocalLooks.of(np.ascontiguousarray(windows))


@kept
def nearest_others(known: KnownEdition) -> NDArray[np.float32]:
    """How near the drawing of each face (n,) comes to that of another."""
    looks, faces = local_faces(known), known.in_grid.faces
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


def local_plot(known: KnownEdition, middle: tuple[float, float]) -> LocalLooks | None:
    """The empty board about a pixel (x, y) of its flat picture; None: there is no board."""
    board = _local_board(known)
    return None if board is None else LocalLooks.of(board.tiles(corners_about([middle])))
