"""The small networks of the eye, run by OpenCV.

``locator.onnx`` says where tiles lie, ``faces.onnx`` reads a rectified tile and corrects its
corners, ``emblem.onnx`` reads the emblem alone and so is a second, separate opinion;
``joints.onnx`` tells duplex tiles from two single ones. How they were trained:
``vision/training`` and docs/eye.md.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Image, Images

GREY = 128
"""The networks take pixels less this: zero, as is what they meet beyond the edge of a picture."""

LOCATOR_STRIDE_PX = 8
LOCATOR_UNIT_PX = 32.0
LOCATOR_CHANNELS = 8

FACE_SIZE_PX = 48
FACE_MARGIN = 0.125
"""Share of a tile's width that a face crop shows beyond the tile on every side."""
FACE_CLASSES = 9 * 4 + 1
"""Nine faces upright, then turned clockwise by one, two and three quarters; last: no tile."""

EMBLEM_SIZE_PX = 32
EMBLEM_WINDOW = (0.0, 0.0, 0.46, 0.46)
"""What an emblem crop shows of a tile: left, top, right, bottom in tile widths."""
EMBLEM_CLASSES = 9 + 1
"""Nine faces; last: no readable emblem."""

LEAST_CONTRAST = 4.0
"""Grey levels; what has less than this is not drawn out of the noise."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Crops side by side in one picture, each at the top left of its place.

    What is as small as one crop OpenCV convolves slowly, or even without Winograd's method, which
    handles six areas of 6x6 outputs at once; the sheets are made to measure for that. Between two
    crops lies room for one output of the reader's first layers.

    Attributes:
        crop_px: width and height of a crop.
        output_px: the reader's first layers make one output of so many pixels across and down.
        rows: of crops.
        columns: of crops.
    """

    crop_px: int
    output_px: int
    rows: int
    columns: int

    @property
    def pitch_px(self) -> int:
        """From one crop to the next."""
        return self.crop_px + self.output_px

    @property
    def size_hw(self) -> tuple[int, int]:
        """Height and width in pixels."""
        room = self.output_px
        return self.rows * self.pitch_px - room, self.columns * self.pitch_px - room

    @property
    def crops(self) -> int:
        """How many there is room for."""
        return self.rows * self.columns

    def of(self, crops: Images) -> NDArray[np.float32]:
        """The crops on as many sheets as they need, row by row: (sheets, 3, *size_hw)."""
        sheets = -(-len(crops) // self.crops)
        size, pitch, (height, width) = self.crop_px, self.pitch_px, self.size_hw
        places = np.full((sheets * self.crops, pitch, pitch, 3), GREY, np.uint8)
        places[: len(crops), :size, :size] = crops
        in_rows = places.reshape(-1, self.columns, pitch, pitch, 3).swapaxes(1, 2)
        planes = cv2.split(in_rows.reshape(-1, self.columns * pitch, 3))
        by_sheet = np.reshape(planes, (3, sheets, -1, self.columns * pitch)).swapaxes(0, 1)
        return _levels(by_sheet[:, :, :height, :width])


FACE_SHEET = Sheet(FACE_SIZE_PX, output_px=6, rows=2, columns=4)
EMBLEM_SHEET = Sheet(EMBLEM_SIZE_PX, output_px=4, rows=4, columns=4)


@cache
def _network(name: str) -> cv2.dnn.Net:
    data = (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def locate(image_bgr: Image) -> NDArray[np.float32]:
    """Run the locator on (h, w, 3); both divisible by 8. Returns (LOCATOR_CHANNELS, h/8, w/8)."""
    return _output("locator", _levels(cv2.split(image_bgr))[None])


def read_faces(crops: Images) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Probabilities (n, FACE_CLASSES) and corner offsets (n, 4, 2) in tile widths."""
    out = _read("faces", FACE_SHEET, FACE_CLASSES + 8, crops)
    return softmax(out[:, :FACE_CLASSES]), out[:, FACE_CLASSES:].reshape(-1, 4, 2)


def read_emblems(crops: Images) -> NDArray[np.float32]:
    """Probabilities (n, EMBLEM_CLASSES)."""
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


def _read(name: str, sheet: Sheet, classes: int, crops: Images) -> NDArray[np.float32]:
    """What a reader says of each crop, (n, classes)."""
    if len(crops) == 0:
        return np.zeros((0, classes), np.float32)
    # One sheet at a time: OpenCV arranges its memory anew whenever their number changes
    parts = [_output(name, one[None]).reshape(classes, -1).T for one in sheet.of(crops)]
    return np.concatenate(parts)[: len(crops)]


def _levels(pixels: ArrayLike) -> NDArray[np.float32]:
    """Pixels as the networks take them."""
    return np.subtract(pixels, GREY, dtype=np.float32, order="C")


def _output(name: str, images: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a network says of one picture (1, 3, h, w), BGR less GREY."""
    network = _network(name)
    network.setInput(images)
    out: NDArray[np.float32] = np.asarray(network.forward(), np.float32)[0]
    return out


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Row by row."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
