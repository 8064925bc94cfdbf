"""The small networks of the eye, run by numpy and OpenCV.

``locator`` says where tiles lie, ``faces`` reads a rectified tile and corrects its corners,
``emblem`` reads the emblem alone and so is a second, separate opinion; ``joints`` tells duplex
tiles from two single ones. They are ``.onnx`` files; the first two layers of all but the last are
in ``.npz`` files, see ``vision.stems``. How they were trained: ``vision/training`` and docs/eye.md.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, Images
from vision.stems import Patches, Stem, in_patches

LOCATOR = "locator"
"""The one for the tiles of Between Two Cities; those of other games have others."""
LOCATOR_STRIDE_PX = 8
LOCATOR_PATCH_PX = 4
LOCATOR_ROWS_AT_ONCE = 6
"""Of the locator's output; what its first layers make of more would leave the processor's cache."""
LOCATOR_UNIT_PX = 32.0
LOCATOR_CHANNELS = 8

FACE_SIZE_PX = 48
FACE_PATCH_PX = 3
FACE_MARGIN = 0.125
"""Share of a tile's width that a face crop shows beyond the tile on every side."""
FACE_CLASSES = 9 * 4 + 1
"""Nine faces upright, then turned clockwise by one, two and three quarters; last: no tile."""

EMBLEM_SIZE_PX = 32
EMBLEM_PATCH_PX = 2
EMBLEM_WINDOW = (0.0, 0.0, 0.46, 0.46)
"""What an emblem crop shows of a tile: left, top, right, bottom in tile widths."""
EMBLEM_CLASSES = 9 + 1
"""Nine faces; last: no readable emblem."""

LEAST_CONTRAST = 4.0
"""Grey levels; what has less than this is not drawn out of the noise."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Features of several crops side by side in one picture, each at the top left of its place.

    What is as small as one crop OpenCV convolves slowly, or even without Winograd's method, which
    handles six areas of 6x6 outputs at once; the sheets are made to measure for that. Right of and
    below each crop one row of features is zero, as is what it meets beyond the edge of a picture.

    Attributes:
        side: features across and down that the reader's first layers make of a crop.
        rows: of crops.
        columns: of crops.
    """

    side: int
    rows: int
    columns: int

    @property
    def pitch(self) -> int:
        """From one crop to the next."""
        return self.side + 1

    @property
    def size_hw(self) -> tuple[int, int]:
        """Height and width in features."""
        return self.rows * self.pitch, self.columns * self.pitch

    @property
    def crops(self) -> int:
        """How many there is room for."""
        return self.rows * self.columns

    def of(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """The features (squares, d) of so many crops at most, row by row: (1, d, *size_hw)."""
        side, pitch, channels = self.side, self.pitch, features.shape[1]
        lacking = self.crops * side**2 - len(features)
        crops = np.pad(features, ((0, lacking), (0, 0))) if lacking else features
        sheet = np.zeros((channels, self.rows, pitch, self.columns, pitch), np.float32)
        in_rows = crops.reshape(self.rows, self.columns, side, side, channels)
        sheet[:, :, :side, :, :side] = in_rows.transpose(4, 0, 2, 1, 3)
        return sheet.reshape(1, channels, *self.size_hw)


FACE_SHEET = Sheet(8, rows=2, columns=4)
EMBLEM_SHEET = Sheet(8, rows=4, columns=4)


@cache
def _network(name: str) -> cv2.dnn.Net:
    data = (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


@cache
def _stem(name: str) -> Stem:
    return Stem.read((resources.files("vision") / "weights" / f"{name}.npz").read_bytes())


def locate(image_bgr: Image, name: str = LOCATOR) -> NDArray[np.float32]:
    """Run a locator on (h, w, 3); both divisible by 8. Returns (LOCATOR_CHANNELS, h/8, w/8)."""
    return _output(name, locator_features(_stem(name), image_bgr))


def locator_features(stem: Stem, image_bgr: Image) -> NDArray[np.float32]:
    """What the locator's first layers say of a picture (h, w, 3): (1, d, h/8, w/8)."""
    rows, columns = (side // LOCATOR_STRIDE_PX for side in image_bgr.shape[:2])
    features = np.empty((stem.second.shape[1], rows, columns), np.float32)
    for start in range(0, rows, LOCATOR_ROWS_AT_ONCE):
        here = slice(start, start + LOCATOR_ROWS_AT_ONCE)
        strip = image_bgr[here.start * LOCATOR_STRIDE_PX : here.stop * LOCATOR_STRIDE_PX]
        seen = stem.features(in_patches(strip[None], LOCATOR_PATCH_PX))
        features[:, here] = seen.T.reshape(len(features), -1, columns)
    return features[None]


def read_faces(crops: Images) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Probabilities (n, FACE_CLASSES) and corner offsets (n, 4, 2) in tile widths."""
    if len(crops) == 0:
        crops = np.empty((0, FACE_SIZE_PX, FACE_SIZE_PX, 3), np.uint8)
    return read_face_patches(in_patches(crops, FACE_PATCH_PX))


def read_face_patches(crops: Patches) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The same of crops that are in patches already."""
    out = _read("faces", FACE_SHEET, FACE_CLASSES + 8, crops)
    return softmax(out[:, :FACE_CLASSES]), out[:, FACE_CLASSES:].reshape(-1, 4, 2)


def read_emblem_patches(crops: Patches) -> NDArray[np.float32]:
    """Probabilities (n, EMBLEM_CLASSES) of crops in patches."""
    return softmax(_read("emblem", EMBLEM_SHEET, EMBLEM_CLASSES, crops))


def read_joints(strips: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Logits (n,) of being within one duplex tile, of strips as ``vision.joints`` cuts them."""
    if len(strips) == 0:
        return np.zeros(0, np.float32)
    network = _network("joints")
    network.setInput(contrasted(strips))
    return np.asarray(network.forward(), np.float32)[:, 0]


def contrasted(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Pictures (n, h, w, 3) as (n, 3, h, w), each with mean 0 and standard deviation 1."""
    levels = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32)
    flat = levels.reshape(len(levels), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= np.sqrt((flat * flat).mean(axis=1, keepdims=True)) + LEAST_CONTRAST
    return levels


def _read(name: str, sheet: Sheet, classes: int, crops: Patches) -> NDArray[np.float32]:
    """What a reader says of each crop, (n, classes)."""
    stem = _stem(name)
    said = np.empty((len(crops), classes), np.float32)
    # One sheet at a time: OpenCV arranges its memory anew whenever their number changes
    for start in range(0, len(crops), sheet.crops):
        some = crops[start : start + sheet.crops]
        of_places = _output(name, sheet.of(stem.features(some))).reshape(classes, -1).T
        said[start : start + len(some)] = of_places[: len(some)]
    return said


def _output(name: str, features: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a network says of one picture, from what its first layers say (1, d, h, w)."""
    network = _network(name)
    network.setInput(features)
    out: NDArray[np.float32] = np.asarray(network.forward(), np.float32)[0]
    return out


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Row by row."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
