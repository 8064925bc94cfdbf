"""Comparison of patches: whether the same tile still lies in its place in a later photo.

A *patch* is a tile cut out of a photo, upright and of fixed size, with a margin (``PATCH_PX``).
Patches are compared by their embeddings, so that light, camera and compression matter little.

Measured on 58 cities of 12 photos, each turned, reduced, compressed, darkened, blurred and seen
from elsewhere: the cosine of 8,352 pairs of patches of one tile is always 0.84 or more, in 99 % of
them 0.90 or more; that of 13,900 pairs of two tiles, a tavern always with another tavern, is always
below 0.97.
"""

import base64
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Image, floats
from vision.errors import PhotoError
from vision.patches.cut import Pyramid, cut_patches
from vision.patches.embedding import MARGIN_PX, PATCH_PX, TILE_PX, embed
from vision.photo.image_file import inspect_image

Patch = Image
"""Picture of one tile, shape (PATCH_PX, PATCH_PX, 3)."""

MIN_SAME_TILE_COSINE: Final = 0.97
"""Minimum cosine of two patches that surely show one tile, whatever the eye reads in them."""
MIN_SAME_FACE_TILE_COSINE: Final = 0.90
"""Minimum cosine of two patches of one tile if the same face is read in both."""
MAX_OTHER_TILE_COSINE: Final = 0.83
"""Upper bound, excluded, of the cosine of two patches that surely show two tiles."""

_JPEG_QUALITY: Final = 95
_MAX_TEXT: Final = 40_000
"""Maximum length of a patch as text; about 3,000 is typical."""


def cut_patch(image_bgr: Image, quad_px: Corners) -> Patch | None:
    """Cut a tile out of a picture.

    Args:
        image_bgr: Picture, shape (h, w, 3).
        quad_px: Corners of the tile in the picture, shape (4, 2), from its top left clockwise.

    Returns:
        The patch; None if the tile has no extent or lies outside the picture.
    """
    if cv2.contourArea(quad_px) < 1:
        return None
    margin = MARGIN_PX / TILE_PX * float(np.ptp(quad_px, axis=0).max()) + 2
    height, width = image_bgr.shape[:2]
    left, top = np.maximum(np.floor(quad_px.min(axis=0) - margin), 0).astype(int).tolist()
    right, bottom = np.ceil(quad_px.max(axis=0) + margin).astype(int).tolist()
    part = image_bgr[top : min(bottom, height), left : min(right, width)]
    if 0 in part.shape:
        return None
    return np.asarray(cut_patches(Pyramid(part), floats(quad_px - floats([left, top]))[None])[0])


def patch_similarity(first: Patch, second: Patch) -> float:
    """Return the cosine of the embeddings of two patches."""
    one, other = embed(np.stack([first, second])).vectors
    return float(one @ other)


def patch_to_text(patch: Patch) -> str:
    """Encode a patch as a JPEG in base64, about 3 kB."""
    encoded, data = cv2.imencode(".jpg", patch, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return base64.b64encode(data.tobytes()).decode("ascii") if encoded else ""


def patch_from_text(text: str) -> Patch | None:
    """Decode a patch; None if the text is none."""
    if not 0 < len(text) <= _MAX_TEXT:
        return None
    try:
        data = base64.b64decode(text, validate=True)
        if inspect_image(data, "patch").stored_wh != (PATCH_PX, PATCH_PX):
            return None
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (ValueError, PhotoError, cv2.error):
        return None
    # imdecode returns None for what it cannot read, which its type information leaves out
    patch = np.asarray(decoded)
    return patch.astype(np.uint8) if patch.shape == (PATCH_PX, PATCH_PX, 3) else None
