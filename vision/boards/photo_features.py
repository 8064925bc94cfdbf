"""The features of a photo brought to one of several sizes."""

from collections.abc import Iterator, Sequence
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Image
from vision.boards.features import Features, features_of, is_brought_to
from vision.pyramid import Pyramid, to_level

WORK_AREA_PX = 600_000.0
"""Photos are brought to about so many pixels, in which tiles are some 40 to 75 wide."""
MOST_FEATURES = 3600
EVERY_FEATURE = 20_000
"""More than this a photo hardly ever has."""
MORE_IF_DAZZLING = 1.3
"""By so much more features there must be where light leaves less contrast."""
CLOSEST_AREA_PX = 1_500_000.0
OTHER_AREAS_PX = (200_000.0, CLOSEST_AREA_PX)
BLEACHED = 235
"""Grey level from which on light has drowned most of a tile's contrast."""
MOST_BLEACHED = 0.08
"""Share of a photo with such light from which on its brightest parts are looked at closely."""


def photo_features(
    picture: Pyramid,
    area_px: float,
    most: int,
    *,
    but_for: Sequence[Corners] = (),
    is_dazzling: bool = False,
) -> Features:
    """The strongest features of a photo, in its own pixels.

    Args:
        picture: the photo.
        area_px: to about so many pixels it is brought before.
        most: how many keypoints to keep; of a part of the photo fewer, in proportion.
        but_for: outlines, in the photo's pixels, of what is not looked at.
        is_dazzling: whether light leaves little contrast; then more keypoints are kept, too.
    """
    enough = [n for n, copy in enumerate(picture.levels) if copy[..., 0].size >= area_px]
    level = max(enough, default=0)
    where = _elsewhere(picture, but_for) if but_for else None
    share = 1.0 if where is None else float(where.mean())
    features = features_of(
        picture.levels[level],
        round(most * share * (MORE_IF_DAZZLING if is_dazzling else 1)),
        area_px,
        where=where,
        is_dazzling=is_dazzling,
    )
    return features.enlarged(2**level)


def looked_at_closely(
    picture: Pyramid,
    *,
    larger: float = 1.0,
    but_for: Sequence[Corners] = (),
    is_dazzling: bool = False,
) -> Iterator[Features]:
    """The strongest features of a photo brought to one size after the other.

    At last all features, if there are more: a cloth with a thousand dots has stronger ones than
    tiles have.

    Args:
        picture: the photo.
        larger: by how much larger tiles are to be seen at first than is usual; then there are
            more features, too. No copy is larger than CLOSEST_AREA_PX, nor than the photo.
        but_for: as for ``photo_features``.
        is_dazzling: as for ``photo_features``.
    """
    areas = areas_px(*size_wh(picture.image))
    look = partial(photo_features, picture, but_for=but_for, is_dazzling=is_dazzling)
    area_px = min(areas[0] * larger**2, max(areas[0], CLOSEST_AREA_PX))
    first = look(area_px, round(MOST_FEATURES * area_px / areas[0]))
    yield first
    for area_px in areas[1:]:
        yield look(area_px, MOST_FEATURES)
    if len(first.points) >= MOST_FEATURES:
        yield look(areas[0], EVERY_FEATURE)


def is_dazzling(picture: Pyramid) -> bool:
    """Whether much of a photo is so bright that tiles lose their contrast."""
    grey = cv2.cvtColor(picture.levels[-1], cv2.COLOR_BGR2GRAY)
    return float((grey >= BLEACHED).mean()) > MOST_BLEACHED


def areas_px(width: int, height: int) -> list[float]:
    """The sizes in which a photo is looked at; one that is small already, only once as it is."""
    every = (WORK_AREA_PX, *OTHER_AREAS_PX)
    smaller = [area_px for area_px in every if is_brought_to(area_px, (width, height))]
    as_it_is = [area_px for area_px in every if area_px not in smaller][:1]
    return sorted((*smaller, *as_it_is), key=every.index)


def _elsewhere(picture: Pyramid, outlines: Sequence[Corners]) -> NDArray[np.uint8]:
    """1 where the smallest copy of a photo shows nothing within some outlines, 0 within them."""
    level = len(picture.levels) - 1
    where = np.ones(picture.levels[level].shape[:2], np.uint8)
    to_copy = to_level(level)
    for outline in outlines:
        corners = outline @ to_copy[:2, :2].T + to_copy[:2, 2]
        cv2.fillConvexPoly(where, np.rint(corners).astype(np.int32), 0)
    return where


def size_wh(image: Image) -> tuple[int, int]:
    """Width and height."""
    return image.shape[1], image.shape[0]
