"""Figures that stand on their own colour: a green one on a green tree hides nearly nothing.

Where a tile's picture has the paint of a figure in the shape of one, paint tells nothing. But a
figure hides the finer drawing: only where that is seen again, or hardly a pixel differs, nothing
stands there.
"""

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, Image, floats
from vision.boards.evened import evened
from vision.boards.figure_outline import TOKEN_PX, shape_of, squares_apart
from vision.boards.known import KnownEdition, kept
from vision.boards.lying import LyingTile, Part

LIKE_PAINT = 50.0
"""By so many levels a picture may differ from a figure that hides on it."""
DARK_SIDE, LIT_SIDE = 0.55, 1.05
"""Light on the sides of a figure."""
OWN_PAINT = 0.55
"""Share of what a figure stands on that is like its paint, from which on it is hidden."""
FINE_PX = 0.5
"""Standard deviation by which pictures are smoothed: far less than where colours are compared."""
AROUND_PX = 2.5
LEAST_CONTRAST = 5.0
DRAWING_SEEN = 0.84
"""Correlation of the drawing with its picture from which on nothing hides it."""
NOTHING_OTHER = 23.0
"""Levels by which the pixels differ on the average, up to which nothing hides them."""
MOST_SHIFT_PX = 2
FELT_PX = 24
"""Nothing that is farther away is felt where a picture is smoothed and evened."""


def cells_that_may_hide(
    taken: Image,
    gain: float,
    even: FloatImage,
    expected: FloatImage,
    tiles: Mapping[Cell, tuple[LyingTile, Part]],
    kinds: frozenset[int],
    known: KnownEdition,
) -> Iterator[Cell]:
    """The cells on which figures of some kinds may stand unseen.

    Args:
        taken: (h, w, 3) the grid laid flat, TOKEN_PX a tile, not softened.
        gain: by which it is to be brightened.
        even: (h, w, 3) the grid without its light, TOKEN_PX a tile.
        expected: the same as drawn.
        tiles: those that are sure, with where they lie.
        kinds: numbers of the kinds.
        known: the edition.
    """
    foot = _foot(known)
    suspects = [
        (cell, tile, part, hidden)
        for cell, (tile, part) in tiles.items()
        for feet in [_hidden_feet(known, tile.face, kinds)]
        if feet is not None
        for apart in [np.sqrt(squares_apart(even[part], expected[part]))]
        for hidden in [np.rot90(feet, -tile.turn) & (_under(apart, foot) > NOTHING_OTHER)]
        if hidden.any()
    ]
    if not suspects:
        return
    around = _around([part for _, _, part, _ in suspects])
    flat = cv2.GaussianBlur(taken[around].astype(np.float32), (0, 0), FINE_PX)
    fine = np.zeros(taken.shape, np.float32)
    fine[around] = _evened(np.asarray(flat * np.float32(gain), np.float32))
    tall, wide = known.description.tile_cells
    for (row, column), tile, part, hidden in suspects:
        drawn = np.rot90(_fine_picture(known, tile.face), -tile.turn)
        likeness = _likeness(_aligned(fine, drawn, part), drawn, foot)
        may_hide = hidden & (likeness < DRAWING_SEEN)
        for down in range(tall):
            for right in range(wide):
                y, x = (slice(n * TOKEN_PX // k, (n + 1) * TOKEN_PX // k)
                        for n, k in ((down, tall), (right, wide)))  # fmt: skip
                if may_hide[y, x].any():
                    yield row * tall + down, column * wide + right


@kept
def _hidden_feet(known: KnownEdition, face: str, kinds: frozenset[int]) -> NDArray[np.bool_] | None:
    """Where on an upright tile (h, w) a figure of one of the kinds stands on its own paint.

    None: nowhere.
    """
    picture = _picture(known, face)
    foot = _foot(known)
    hidden = np.zeros((TOKEN_PX, TOKEN_PX), np.bool_)
    for kind in kinds:
        alike = _like_paint(picture, known.description.tokens[kind].colour_bgr)
        hidden |= _under(alike, foot) >= OWN_PAINT
    return hidden if hidden.any() else None


def _like_paint(picture: FloatImage, colour_bgr: tuple[int, int, int]) -> FloatImage:
    """Which pixels (h, w) hardly differ from a paint in some light, 1 or 0."""
    paint = floats(colour_bgr)
    light = np.clip(picture @ paint / float(paint @ paint), DARK_SIDE, LIT_SIDE)
    apart = np.linalg.norm(picture - light[..., None] * paint, axis=2)
    return np.asarray(apart < LIKE_PAINT, np.float32)


def _picture(known: KnownEdition, face: str) -> FloatImage:
    picture = known.edition.pictures[face][0]
    small = cv2.resize(picture, (TOKEN_PX, TOKEN_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), FINE_PX), np.float32)


@kept
def _fine_picture(known: KnownEdition, face: str) -> FloatImage:
    return _evened(_picture(known, face))


@kept
def _foot(known: KnownEdition) -> FloatImage:
    """A mask of what the smallest figure stands on, of which all pixels together are 1."""
    token = min(known.description.tokens, key=lambda token: token.foot_mm)
    mask = shape_of(token, known.description, (0.0, 0.0)).tight
    return np.asarray(mask / mask.sum(), np.float32)


def _under(values: FloatImage, foot: FloatImage) -> FloatImage:
    """The mean of values (h, w) under a foot on each pixel; 0 beyond the edge."""
    mean = cv2.filter2D(values, -1, foot, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mean, np.float32)


def _evened(picture: FloatImage) -> FloatImage:
    return evened(picture, AROUND_PX, LEAST_CONTRAST)


def _around(parts: Sequence[Part]) -> Part:
    """What there is to see of tiles, however they are aligned, and all that is evened with it."""
    room = MOST_SHIFT_PX + FELT_PX
    rows, columns = (
        slice(
            max(min(part[axis].start for part in parts) - room, 0),
            max(part[axis].stop for part in parts) + room,
        )
        for axis in (0, 1)
    )
    return rows, columns


def _aligned(fine: FloatImage, drawn: FloatImage, part: Part) -> FloatImage:
    """The tile where it fits its picture best, a little off its place."""
    top, left = part[0].start - MOST_SHIFT_PX, part[1].start - MOST_SHIFT_PX
    room = TOKEN_PX + 2 * MOST_SHIFT_PX
    around = np.ascontiguousarray(fine[top : top + room, left : left + room])
    fits = cv2.matchTemplate(around, np.ascontiguousarray(drawn), cv2.TM_CCORR)
    y, x = np.unravel_index(int(fits.argmax()), fits.shape)
    return around[y : y + TOKEN_PX, x : x + TOKEN_PX]


def _likeness(tile: FloatImage, drawn: FloatImage, foot: FloatImage) -> FloatImage:
    """The correlation (h, w) of a tile and its picture under a foot on each pixel."""
    both, own, other = (
        _under(np.einsum("hwc,hwc->hw", first, second), foot)
        for first, second in ((tile, drawn), (tile, tile), (drawn, drawn))
    )
    return np.asarray(both / np.sqrt(np.maximum(own * other, 1e-6)), np.float32)
