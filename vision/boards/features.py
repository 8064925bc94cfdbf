"""Local features: points of a picture that are found again in photos of the same print.

Method: D. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 2004; a match
counts if it is clearly better than the second best. Each feature has a direction and a size, so a
single match tells where the picture lies, how it is turned and how large it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, Points, floats, percentile
from vision.boards.descriptors import DIMENSIONS, described, main_angles
from vision.boards.keypoints import keypoints_of, scale_space

_BRIGHT = 220.0
"""To which the brightest parts of a picture are brought, lest little is found in dim photos."""
_SPREAD_LEVELS, _SPREAD_POWER = 64.0, 6
"""By so much cameras squeeze what is brightest into too few levels, about."""
_WORTH_IT = 1.2
"""A picture is only brought to a size so much smaller; by less it would but lose sharpness."""
_KEPT_DIMENSIONS = 48
"""Of a descriptor's that are compared: those in which the features of an edition differ most,
as in Y. Ke and R. Sukthankar, "PCA-SIFT", CVPR 2004."""
_LEAST_SPREAD = 0.01
"""Of the spread along the main direction; where there is less, chance decides."""
_RATIO = 0.85
"""A match must be nearer by so much than the second best."""
_AT_ONCE = 256
"""So many features are compared at a time, that the distances stay in the processor's cache."""
MOST_VOTES = 1500
"""The clearest matches."""
_SAME_PLACE = 0.12
"""Two features of pictures count as one if they lie so near in tile widths."""
_SAME_POINT = 0.06
"""Votes for the same picture from points no further apart, in its widths, are one."""
_SAME_TURN = np.deg2rad(15)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of one picture.

    Attributes:
        points: (n, 2), pixels of the picture, (0, 0) the centre of the top left one.
        angles: (n,) radians, clockwise as seen.
        sizes: (n,) pixels.
        bright: (n,) whether it is brighter than what is around; only such are alike.
        descriptors: (n, DIMENSIONS) float32.
    """

    points: Points
    angles: NDArray[np.float32]
    sizes: NDArray[np.float32]
    bright: NDArray[np.bool_]
    descriptors: NDArray[np.float32]

    def enlarged(self, factor: float) -> "Features":
        """The same in a picture so much larger."""
        points = floats((self.points + 0.5) * factor - 0.5)
        return replace(self, points=points, sizes=floats(self.sizes * factor))


def features_of(
    image: Image,
    most: int,
    area_px: float | None = None,
    *,
    several_angles: bool = False,
    where: NDArray[np.uint8] | None = None,
    is_dazzling: bool = False,
) -> Features:
    """The strongest features of a picture.

    Args:
        image: (h, w, 3) BGR.
        most: how many keypoints to keep.
        area_px: size to which larger pictures are brought before; None: as it is.
        several_angles: whether a keypoint may have several directions and is a feature for each;
            that it has on one side is enough to match it.
        where: (h, w) of any size, 0 where the picture is not looked at; None: all of it is.
        is_dazzling: whether what light has made so bright that it has hardly any contrast gets
            more of it.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey, factor = _brought_to(np.asarray(grey, np.uint8), area_px)
    octaves = scale_space(_well_lit(grey, is_dazzling=is_dazzling))
    keypoints = keypoints_of(octaves, most, where)
    if len(keypoints) == 0:
        nothing = np.zeros(0, np.float32)
        return Features(
            keypoints.points, nothing, nothing, keypoints.bright,
            np.zeros((0, DIMENSIONS), np.float32),
        )  # fmt: skip
    which, angles = main_angles(octaves, keypoints, several=several_angles)
    keypoints = keypoints.only(which)
    return Features(
        floats((keypoints.points + 0.5) / factor - 0.5),
        angles,
        floats(keypoints.sigmas * keypoints.pixels / factor),
        keypoints.bright,
        described(octaves, keypoints, angles),
    )


def _well_lit(grey: NDArray[np.uint8], *, is_dazzling: bool) -> FloatImage:
    """A grey picture as bright as others; what is dazzling is spread over more levels."""
    gain = _BRIGHT / max(percentile(grey[::4, ::4], 95), 1.0)
    levels = np.arange(256)
    lit = np.minimum(np.rint(levels * gain), 255.0)
    if is_dazzling:
        lit += _SPREAD_LEVELS * (levels / 255.0) ** _SPREAD_POWER
    return np.asarray(cv2.LUT(grey, floats(lit)), np.float32)


def is_brought_to(area_px: float, size_wh: tuple[int, int]) -> bool:
    """Whether a picture of this size is made smaller to have about so many pixels."""
    return size_wh[0] * size_wh[1] > _WORTH_IT * area_px


def _brought_to(grey: NDArray[np.uint8], area_px: float | None) -> tuple[NDArray[np.uint8], float]:
    """A picture of about this size at most, and by what its lengths are multiplied."""
    height, width = grey.shape
    if area_px is None or not is_brought_to(area_px, (width, height)):
        return grey, 1.0
    factor = float(np.sqrt(area_px / grey.size))
    size = (round(width * factor), round(height * factor))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), size[0] / width


@dataclass(frozen=True, slots=True, eq=False)
class PictureIndex:
    """The features of several pictures, to be found in photos.

    Attributes:
        pictures: (n,) number of the picture that each feature belongs to.
        offsets: (n, 2) where it lies, from the middle of the picture, in units of its width.
        angles: (n,) radians.
        sizes: (n,) in units of the picture's width.
        bright: (n,) whether it is brighter than what is around.
        axes: (DIMENSIONS, d) directions in which descriptors are compared.
        descriptors: (n, d) along these axes.
    """

    pictures: NDArray[np.int32]
    offsets: Points
    angles: NDArray[np.float32]
    sizes: NDArray[np.float32]
    bright: NDArray[np.bool_]
    axes: NDArray[np.float32]
    descriptors: NDArray[np.float32]

    @classmethod
    def of(cls, images: Sequence[Image], most_each: int) -> "PictureIndex":
        """The index of pictures (h, w, 3) BGR; number n is that of the n-th."""
        found = [features_of(image, most_each, several_angles=True) for image in images]
        widths = [np.float32(image.shape[1]) for image in images]
        middles = [floats([image.shape[1], image.shape[0]]) / 2 - 0.5 for image in images]
        descriptors = np.concatenate([f.descriptors for f in found])
        axes = _main_axes(descriptors)
        return cls(
            np.repeat(np.arange(len(images), dtype=np.int32), [len(f.points) for f in found]),
            np.concatenate(
                [(f.points - m) / w for f, m, w in zip(found, middles, widths, strict=True)]
            ),
            np.concatenate([f.angles for f in found]),
            np.concatenate([f.sizes / w for f, w in zip(found, widths, strict=True)]),
            np.concatenate([f.bright for f in found]),
            axes,
            descriptors @ axes,
        )


def _main_axes(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The directions (DIMENSIONS, d) in which descriptors vary most, these weighed less."""
    if len(descriptors) < 2:
        return np.eye(DIMENSIONS, _KEPT_DIMENSIONS, dtype=np.float32)
    centred = (descriptors - descriptors.mean(axis=0)).astype(np.float64)
    spread, axes = np.linalg.eigh(centred.T @ centred)
    spread, axes = spread[::-1][:_KEPT_DIMENSIONS], axes[:, ::-1][:, :_KEPT_DIMENSIONS]
    # Half way to equal weights: the strongest directions tell less than their spread promises
    share = spread / max(float(spread[0]), 1e-12)
    return floats(axes * np.maximum(share, _LEAST_SPREAD) ** -0.25)


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """What the matched features of a photo say, each on its own, of where a picture lies.

    Attributes:
        points: (n, 2) of the features in the photo, pixels.
        offsets: (n, 2) of the features in the picture, from its middle, in units of its width.
        pictures: (n,) number of the picture.
        angles: (n,) by how much the picture is turned clockwise, radians.
        widths: (n,) of the picture in the photo, pixels.
    """

    points: Points
    offsets: Points
    pictures: NDArray[np.int32]
    angles: NDArray[np.float32]
    widths: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.points)

    @property
    def centres(self) -> Points:
        """Where the middle of the picture would lie, (n, 2) pixels."""
        return self.points - self.widths[:, None] * turned(self.offsets, self.angles)

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Votes":
        """Some of them."""
        return Votes(
            self.points[chosen], self.offsets[chosen], self.pictures[chosen],
            self.angles[chosen], self.widths[chosen],
        )  # fmt: skip

    def with_new(self, others: "Votes") -> "Votes":
        """These and those of some others that do not say the same about the same point."""
        reach = _SAME_POINT * self.widths
        near = others.pictures[:, None] == self.pictures
        for axis in (0, 1):
            near &= np.abs(others.points[:, None, axis] - self.points[:, axis]) <= reach
        new = others.only(~near.any(axis=1))
        columns = ((getattr(self, each.name), getattr(new, each.name)) for each in fields(self))
        return Votes(*(np.concatenate(column) for column in columns))


def turned(points: Points, angles: NDArray[np.float32]) -> Points:
    """Each point (n, 2) turned clockwise about the origin by its own angle (n,)."""
    c, s = np.cos(angles), np.sin(angles)
    x, y = points[:, 0], points[:, 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=1).astype(np.float32)


def votes_for(index: PictureIndex, features: Features) -> Votes:
    """Match a photo's features with those of the pictures."""
    if len(features.points) == 0 or len(index.descriptors) < 2:
        nothing = np.zeros(0, np.float32)
        none = np.zeros((0, 2), np.float32)
        return Votes(none, none, np.zeros(0, np.int32), nothing, nothing)
    first, second, nearer = _two_nearest(index, features)
    apart = np.linalg.norm(index.offsets[first] - index.offsets[second], axis=1)
    turn = np.abs(wrapped(index.angles[first] - index.angles[second]))
    same = (apart < _SAME_PLACE) & (turn < _SAME_TURN)
    ratio = np.where(same, 0.5, nearer)
    good = np.flatnonzero(ratio < _RATIO)
    if len(good) > MOST_VOTES:
        good = np.sort(good[np.argsort(ratio[good], kind="stable")[:MOST_VOTES]])
    chosen = first[good]
    return Votes(
        features.points[good],
        index.offsets[chosen],
        index.pictures[chosen],
        wrapped(features.angles[good] - index.angles[chosen]),
        features.sizes[good] / index.sizes[chosen],
    )


def _two_nearest(
    index: PictureIndex, features: Features
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]:
    """For each feature the nearest one of the index, the next, and the ratio of their distances."""
    sought = features.descriptors @ index.axes
    squares = np.einsum("ij,ij->i", sought, sought) / 2
    with_one = np.column_stack([sought, np.ones_like(squares)])
    first, second = np.zeros((2, len(sought)), np.intp)
    ratio = np.ones(len(sought), np.float32)
    for bright in (False, True):
        like = np.flatnonzero(index.bright == bright)
        if len(like) < 2:
            continue
        known = index.descriptors[like]
        # The nearest has the largest product less half its own square
        half_squares = np.einsum("ij,ij->i", known, known) / 2
        columns = np.vstack([known.T, -half_squares])
        rows = np.flatnonzero(features.bright == bright)
        for some in np.split(rows, range(_AT_ONCE, len(rows), _AT_ONCE)):
            closeness = with_one[some] @ columns
            every = np.arange(len(some))
            best = closeness.argmax(axis=1)
            near = squares[some] - closeness[every, best]
            closeness[every, best] = -np.inf
            next_best = closeness.argmax(axis=1)
            far = squares[some] - closeness[every, next_best]
            first[some], second[some] = like[best], like[next_best]
            ratio[some] = np.sqrt(np.maximum(near, 0) / np.maximum(far, 1e-9))
    return first, second, ratio


def wrapped(angles: NDArray[np.float32]) -> NDArray[np.float32]:
    """Angles brought between -pi and pi."""
    return floats((angles + np.pi) % (2 * np.pi) - np.pi)
