"""From quads in the photo to upright patches and their embeddings, and back to the photo.

Quads are (4, 2) float32: top left, top right, bottom right, bottom left as read upright, in
pixels with (0, 0) the centre of the top left pixel.
"""

from dataclasses import fields, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Corners, Floats, Homography, Image, floats
from vision.patches.embedding import MARGIN_PX, PATCH_PX, TILE_PX, Embeddings, embed, normalised

FINEST = 1.6
"""Where tiles are larger than patches by this factor the photo is halved first, or it aliases."""
SPARSEST = 1.4
"""Pixels of the picture for one of a crop from which on fine lines would alias."""
CORNERS = floats([[0, 0], [1, 0], [1, 1], [0, 1]])
WHOLE_TILE = (0.0, 0.0, 1.0, 1.0)
"""A part of a tile: left, top, right, bottom in tile widths."""
AROUND = floats(
    [
        (0, 0, 1),
        *((x, x, 1 + x) for x in (0.05, -0.05)),
        *((x, -x, 1 - x) for x in (0.05, -0.05)),
    ]
)
"""How far right and down of its place, in tile widths, and how wide the views of a tile are that
are averaged."""


class Pyramid:
    """A photo and its halves, each made when first wanted; and the embeddings of its patches.

    Attributes:
        embedded: by quad: some embeddings, and the row of this one.
    """

    def __init__(self, photo: Image) -> None:
        self._levels = [photo]
        self.embedded: dict[bytes, tuple[Embeddings, int]] = {}

    def level(self, halvings: int) -> Image:
        """The photo halved so many times; a last row or column without a partner is left out."""
        while len(self._levels) <= halvings:
            last = self._levels[-1]
            size = max(1, last.shape[1] // 2), max(1, last.shape[0] // 2)
            even = last[: 2 * size[1], : 2 * size[0]]
            self._levels.append(
                np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._levels[halvings]


def halvings_for(size_px: float) -> int:
    """How often tiles of a size are halved until they are little larger than patches."""
    return max(0, int(np.ceil(np.log2(max(size_px, 1.0) / TILE_PX / FINEST))))


def to_level(halvings: int) -> Homography:
    """From pixels of a photo to those of a level; in both (0, 0) is the centre of a pixel."""
    half = 0.5**halvings
    return np.array([[half, 0, half / 2 - 0.5], [0, half, half / 2 - 0.5], [0, 0, 1]])


def rectified(photo: Pyramid, quads_px: Floats) -> Image:
    """Patches (n, PATCH_PX, PATCH_PX, 3) of quads (n, 4, 2), each of the level that fits it."""
    patches = np.empty((len(quads_px), PATCH_PX, PATCH_PX, 3), np.uint8)
    right, down = quads_px[:, 1] - quads_px[:, 0], quads_px[:, 3] - quads_px[:, 0]
    areas = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    levels = [halvings_for(size) for size in np.sqrt(areas).tolist()]
    place = CORNERS * np.float32(TILE_PX) + np.float32(MARGIN_PX - 0.5)
    for quad, halvings, patch in zip(quads_px, levels, patches, strict=True):
        view = cv2.getPerspectiveTransform(place, floats((quad + 0.5) / 2**halvings - 0.5))
        _warped(photo.level(halvings), view, (PATCH_PX, PATCH_PX), patch)
    return patches


def crop_window(
    image: Image, quad_px: Corners, window: tuple[float, float, float, float], size_px: int
) -> Image:
    """The part ``window`` of a tile, square BGR.

    Tiles larger than the crop are sampled twice as densely and averaged, lest fine lines alias.
    """
    left, top, right, bottom = window
    step_px = float(np.sqrt(max(cv2.contourArea(quad_px), 1.0))) * (right - left) / size_px
    side = size_px * (2 if step_px > SPARSEST else 1)
    edges = floats([[left, top], [right, top], [right, bottom], [left, bottom]])
    place = CORNERS * np.float32(side) - np.float32(0.5)
    to_tile = cv2.getPerspectiveTransform(place, edges)
    crop = _warped(image, cv2.getPerspectiveTransform(CORNERS, quad_px) @ to_tile, (side, side))
    if side == size_px:
        return crop
    small = cv2.resize(crop, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _warped(
    image: Image, view: ArrayLike, size_wh: tuple[int, int], out: Image | None = None
) -> Image:
    """A picture (h, w, 3) whose points a homography (3, 3) sends to another one."""
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    sent = np.asarray(view, np.float64)
    warped = cv2.warpPerspective(image, sent, size_wh, out, how, cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def embed_at(photo: Pyramid, quads_px: Floats) -> Embeddings:
    """Embeddings of what lies in quads (n, 4, 2), which are kept with the photo."""
    places = [quad.tobytes() for quad in floats(quads_px)]
    new = {place: n for n, place in enumerate(places) if place not in photo.embedded}
    embeddings = embed(rectified(photo, quads_px[list(new.values())]))
    photo.embedded.update((place, (embeddings, n)) for n, place in enumerate(new))
    if len(new) == len(places):
        return embeddings
    rows = [photo.embedded[place] for place in places]
    return Embeddings(
        *(
            np.stack([getattr(some, field.name)[n] for some, n in rows])
            for field in fields(Embeddings)
        )
    )


def embed_averaged(photo: Pyramid, quads_px: Floats) -> Embeddings:
    """Embeddings of what lies in quads (n, 4, 2) in the mean of several views, slightly aside.

    Where a quad lies not quite right, and what resampling makes of a tile, matters less. Colours,
    corners and ``whole`` are those of the quads themselves.
    """
    count = len(quads_px)
    places = (CORNERS - 0.5) * AROUND[:, None, 2:] + 0.5 + AROUND[:, None, :2]
    embeddings = embed_at(
        photo, inside(np.tile(quads_px, (len(AROUND), 1, 1)), np.repeat(places, count, axis=0))
    )
    vectors = embeddings.vectors.reshape(len(AROUND), count, -1).sum(axis=0)
    parts = embeddings.parts.reshape(len(AROUND), count, *embeddings.parts.shape[1:]).sum(axis=0)
    middle = embeddings.take(slice(count))
    return replace(middle, vectors=normalised(floats(vectors)), parts=normalised(floats(parts)))


def laid_flat(photo: Pyramid, view: NDArray[np.floating], size_wh: tuple[int, int]) -> Image:
    """A picture (h, w, 3) whose points a homography (3, 3) sends to the photo."""
    wide, high = size_wh
    depth = abs(float(view[2] @ [wide / 2, high / 2, 1]))
    px = float(np.sqrt(abs(np.linalg.det(view)) / max(depth, 1e-9) ** 3))
    halvings = max(0, int(np.floor(np.log2(max(px, 1.0)))))
    return _warped(photo.level(halvings), to_level(halvings) @ view, size_wh)


def rolled(quads: Floats, turns: ArrayLike) -> Floats:
    """Quads (n, 4, 2) of tiles that lie turned by so many quarters each, as if they did not."""
    corners = (np.arange(4) - np.asarray(turns, np.intp)[:, None]) % 4
    return floats(quads[np.arange(len(quads))[:, None], corners])


def inside(quads: Floats, places: Floats) -> Floats:
    """Points (n, k, 2) at places (n, k, 2) of quads (n, 4, 2), whose corners are ``CORNERS``."""
    u, v = places[..., :1], places[..., 1:]
    a, b, c, d = (quads[:, None, k] for k in range(4))
    return floats(a * (1 - u) * (1 - v) + b * u * (1 - v) + c * u * v + d * (1 - u) * v)
