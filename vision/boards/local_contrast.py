"""How alike tiles and pictures look where light is uneven.

Brightness and contrast are brought to the same level round every single pixel, so the edge of a
shadow and the slope of a lamp's reflection vanish and the drawing stays; what light has burnt out
is left out of account. Of what remains the normalised correlation is taken: distance 0 for the same
drawing, 1 for drawings that have nothing in common.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.known import KnownEdition, kept
from vision.boards.looks import STRIDE_PX, TILE_PX, products, softened
from vision.exposure import WHITE

AROUND_PX = 3.5
"""Standard deviation of what counts as round a pixel."""
LEAST_CONTRAST = 4.0
"""Levels: fainter contrast is noise and is not raised to that of drawings."""
LEAST_SEEN = 0.35
"""With less of a tile than this not burnt out, nothing is told of it."""
NOTHING_ALIKE = 1.0
COARSE = tuple((y, x) for y in (-4, 0, 4) for x in (-4, 0, 4))
FINE = tuple((y, x) for y in (-2, 0, 2) for x in (-2, 0, 2))
"""Pixels by which a tile may lie off its place."""
_SOFTENED = 3
"""Levels by which what is burnt out is darker in a softened picture."""
LEAST_DRAWN = 50.0
"""Strength of what has hardly a line: less is rounding, and like nothing."""

Shift = tuple[int, int]
Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class LocalLooks:
    """Evened pictures as they are compared.

    Attributes:
        drawing: (n, pixels * 3).
        strength: (n, pixels) sums of the squares over the channels.
    """

    drawing: NDArray[np.float32]
    strength: NDArray[np.float32]

    @classmethod
    def of(cls, windows: Sequence[FloatImage]) -> "LocalLooks":
        """Of windows (TILE_PX, TILE_PX, 3) of evened pictures."""
        pixels = np.array([w[::STRIDE_PX, ::STRIDE_PX] for w in windows], np.float32)
        pixels = pixels.reshape(len(windows), -1, 3)
        strength = np.asarray((pixels**2).sum(axis=2), np.float32)
        return cls(pixels.reshape(len(windows), -1), strength)


@dataclass(frozen=True, slots=True, eq=False)
class LocalGrid:
    """A grid laid flat and evened.

    Attributes:
        even: (h, w, 3), TILE_PX pixels a tile.
        seen: (h, w) 1 where it is not burnt out, else 0.
    """

    even: FloatImage
    seen: FloatImage

    @classmethod
    def of(cls, flat: FloatImage, gain: float) -> "LocalGrid":
        """Of a softened picture (h, w, 3) that is brighter than the photo by ``gain``."""
        burnt = (flat.min(axis=2) >= (WHITE - _SOFTENED) * gain).astype(np.uint8)
        grown = cv2.dilate(burnt, np.ones((3, 3), np.uint8))
        return cls(evened(flat), np.asarray(1 - grown, np.float32))

    def distances(self, middle: tuple[float, float], pictures: LocalLooks) -> NDArray[np.float32]:
        """How unlike pictures (n,) a place about a pixel (x, y) is, each where it fits best."""
        coarse = self._at_shifts(middle, COARSE, pictures)
        y, x = COARSE[int(coarse.min(axis=1).argmin())]
        near = [(y + down, x + right) for down, right in FINE]
        fine = self._at_shifts(middle, near, pictures)
        return np.asarray(np.minimum(coarse.min(axis=0), fine.min(axis=0)), np.float32)

    def _at_shifts(
        self, middle: tuple[float, float], shifts: Sequence[Shift], pictures: LocalLooks
    ) -> NDArray[np.float32]:
        """The same (shifts, n) where the tile lies off its place by y and x pixels."""
        windows = [_window(self.even.shape, middle, shift) for shift in shifts]
        seen = [self.seen[window] for window in windows]
        tiles = LocalLooks.of(
            [self.even[w] * s[..., None] for w, s in zip(windows, seen, strict=True)]
        )
        shown = np.array([s[::STRIDE_PX, ::STRIDE_PX].ravel() for s in seen], np.float32)
        squares = tiles.strength.sum(axis=1)[:, None] * products(shown, pictures.strength)
        alike = products(tiles.drawing, pictures.drawing)
        distances = 1 - alike / np.sqrt(np.maximum(squares, LEAST_DRAWN**2))
        distances[squares < LEAST_DRAWN**2] = NOTHING_ALIKE
        distances[shown.mean(axis=1) < LEAST_SEEN] = NOTHING_ALIKE
        return np.asarray(distances, np.float32)


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
    spread = cv2.GaussianBlur((away**2).mean(axis=2), (0, 0), around_px)
    scale = 1 / np.sqrt(spread + least_contrast**2)
    return np.asarray(away * scale[..., None], np.float32)


@kept
def local_faces(known: KnownEdition) -> LocalLooks:
    """The pictures of all faces of the grid, in the order of ``known.in_grid``."""
    turns = int(known.in_grid.turns.max()) + 1
    windows: list[FloatImage] = []
    for name in known.in_grid.names:
        for picture in known.edition.pictures[name]:
            small = cv2.resize(picture, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
            even = evened(softened(np.asarray(small, np.uint8)))
            windows += [np.rot90(even, -turn) for turn in range(turns)]
    return LocalLooks.of(windows)


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
def _local_board(known: KnownEdition) -> FloatImage | None:
    return None if known.board_flat is None else evened(known.board_flat)


def local_plot(known: KnownEdition, middle: tuple[float, float]) -> LocalLooks | None:
    """The empty board about a pixel (x, y) of its flat picture; None: there is no board."""
    board = _local_board(known)
    return None if board is None else LocalLooks.of([board[_window(board.shape, middle, (0, 0))]])


def _window(shape: tuple[int, ...], middle: tuple[float, float], shift: Shift) -> Window:
    """The tile about a place, shifted by y and x pixels, within a picture."""
    top = min(max(round(middle[1]) - TILE_PX // 2 + shift[0], 0), shape[0] - TILE_PX)
    left = min(max(round(middle[0]) - TILE_PX // 2 + shift[1], 0), shape[1] - TILE_PX)
    return slice(top, top + TILE_PX), slice(left, left + TILE_PX)
