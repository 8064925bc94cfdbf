"""Local features: points of a picture that are found again in photos of the same print.

Method: D. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 2004; a match
counts if it is clearly better than the second best. Each feature has a direction and a size, so a
single match tells where the picture lies, how it is turned and how large it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, Points, floats

_CONTRAST = 0.012
_BRIGHT = 220.0
"""To which the brightest parts of a picture are brought, lest little is found in dim photos."""
_KEPT_DIMENSIONS = 36
"""Of a descriptor's 128 that are compared: those in which the features of an edition differ most,
as in Y. Ke and R. Sukthankar, "PCA-SIFT", CVPR 2004."""
_PARTS = 12
"""A picture is divided into so many parts each way, of which none may take all features."""
_RATIO = 0.85
"""A match must be nearer by so much than the second best."""
MOST_VOTES = 1500
"""The clearest matches; all pairs of them are compared, which takes memory."""
_SAME_PLACE = 0.12
"""Two features of pictures count as one if they lie so near in tile widths."""
_SAME_TURN = np.deg2rad(15)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Features of one picture.

    Attributes:
        points: (n, 2), pixels of the picture, (0, 0) the centre of the top left one.
        angles: (n,) radians, clockwise as seen.
        sizes: (n,) pixels.
        descriptors: (n, 128) float32.
    """

    points: Points
    angles: NDArray[np.float32]
    sizes: NDArray[np.float32]
    descriptors: NDArray[np.float32]


def features_of(image: Image, most: int, area_px: float | None = None) -> Features:
    """The strongest features of a picture.

    Args:
        image: (h, w, 3) BGR.
        most: how many to keep.
        area_px: size to which larger pictures are brought before; None: as it is.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    factor = 1.0
    if area_px is not None and grey.size > area_px:
        height, width = grey.shape
        factor = float(np.sqrt(area_px / grey.size))
        size = (round(width * factor), round(height * factor))
        factor = size[0] / width
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    gain = _BRIGHT / max(float(np.percentile(grey[::4, ::4], 95)), 1.0)
    grey = cv2.convertScaleAbs(grey, alpha=gain)
    detector = cv2.SIFT.create(contrastThreshold=_CONTRAST, enable_precise_upscale=True)
    strongest = _spread(detector.detect(grey), most, grey.shape)
    keypoints, descriptors = detector.compute(grey, strongest)
    if not keypoints:
        return Features(
            np.zeros((0, 2), np.float32),
            *(np.zeros(0, np.float32),) * 2,
            np.zeros((0, 128), np.float32),
        )
    points = floats([point.pt for point in keypoints])
    return Features(
        (points + np.float32(0.5)) / np.float32(factor) - np.float32(0.5),
        np.deg2rad(floats([point.angle for point in keypoints])),
        floats([point.size for point in keypoints]) / np.float32(factor),
        floats(descriptors),
    )


def _spread(
    keypoints: Sequence[cv2.KeyPoint], most: int, shape: tuple[int, ...]
) -> list[cv2.KeyPoint]:
    """The strongest of each part of a picture, lest a patterned cloth takes them all."""
    if len(keypoints) <= most:
        return list(keypoints)
    points = np.array([point.pt for point in keypoints])
    strength = np.array([point.response for point in keypoints])
    parts = (points / (np.array(shape[1::-1]) + 1) * _PARTS).astype(np.intp)
    part = parts[:, 1] * _PARTS + parts[:, 0]
    order = np.lexsort((-strength, part))
    first = np.searchsorted(part[order], part[order])
    rank = np.arange(len(order)) - first
    # Of parts that have many the strongest only, as many of each as fit
    limits = np.sort(rank)[:most]
    chosen = order[rank <= limits[-1]]
    chosen = chosen[np.argsort(-strength[chosen], kind="stable")][:most]
    return [keypoints[n] for n in chosen]


@dataclass(frozen=True, slots=True, eq=False)
class PictureIndex:
    """The features of several pictures, to be found in photos.

    Attributes:
        pictures: (n,) number of the picture that each feature belongs to.
        offsets: (n, 2) where it lies, from the middle of the picture, in units of its width.
        angles: (n,) radians.
        sizes: (n,) in units of the picture's width.
        axes: (128, d) directions in which descriptors are compared.
        descriptors: (n, d) along these axes.
    """

    pictures: NDArray[np.int32]
    offsets: Points
    angles: NDArray[np.float32]
    sizes: NDArray[np.float32]
    axes: NDArray[np.float32]
    descriptors: NDArray[np.float32]

    @classmethod
    def of(cls, images: Sequence[Image], most_each: int) -> "PictureIndex":
        """The index of pictures (h, w, 3) BGR; number n is that of the n-th."""
        found = [features_of(image, most_each) for image in images]
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
            axes,
            descriptors @ axes,
        )


def _main_axes(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The directions (128, d) in which descriptors (n, 128) vary most."""
    if len(descriptors) < 2:
        return np.eye(128, _KEPT_DIMENSIONS, dtype=np.float32)
    centred = (descriptors - descriptors.mean(axis=0)).astype(np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    return floats(axes[:, ::-1][:, :_KEPT_DIMENSIONS])


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
    distances, nearest = cv2.batchDistance(
        features.descriptors @ index.axes, index.descriptors, cv2.CV_32F, K=2, normType=cv2.NORM_L2
    )
    first, second = nearest[:, 0], nearest[:, 1]
    apart = np.linalg.norm(index.offsets[first] - index.offsets[second], axis=1)
    turn = np.abs(wrapped(index.angles[first] - index.angles[second]))
    same = (apart < _SAME_PLACE) & (turn < _SAME_TURN)
    ratio = np.where(same, 0.5, distances[:, 0] / np.maximum(distances[:, 1], 1e-6))
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


def wrapped(angles: NDArray[np.float32]) -> NDArray[np.float32]:
    """Angles brought between -pi and pi."""
    return floats((angles + np.pi) % (2 * np.pi) - np.pi)
