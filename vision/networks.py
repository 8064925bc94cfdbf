"""The three small networks of the eye, run by OpenCV.

``locator.onnx`` says where tiles lie, ``faces.onnx`` reads a rectified tile and corrects its
corners, ``emblem.onnx`` reads the emblem alone and so is a second, separate opinion. How they
were trained: ``vision/training`` and docs/eye.md.
"""

from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image

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

BATCH = 16
"""Crops given to a tile reader at once: keeps its working memory small."""


@cache
def _network(name: str) -> cv2.dnn.Net:
    data = (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def locate(image_bgr: Image) -> NDArray[np.float32]:
    """Run the locator on (h, w, 3); both divisible by 8. Returns (LOCATOR_CHANNELS, h/8, w/8)."""
    network = _network("locator")
    network.setInput(cv2.dnn.blobFromImage(image_bgr))
    return np.asarray(network.forward()[0], np.float32)


def read_faces(crops: list[Image]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Probabilities (n, FACE_CLASSES) and corner offsets (n, 4, 2) in tile widths."""
    out = _in_batches("faces", crops, FACE_CLASSES + 8)
    return softmax(out[:, :FACE_CLASSES]), out[:, FACE_CLASSES:].reshape(-1, 4, 2)


def read_emblems(crops: list[Image]) -> NDArray[np.float32]:
    """Probabilities (n, EMBLEM_CLASSES)."""
    return softmax(_in_batches("emblem", crops, EMBLEM_CLASSES))


def _in_batches(name: str, crops: list[Image], width: int) -> NDArray[np.float32]:
    network = _network(name)
    parts = [np.zeros((0, width), np.float32)]
    for start in range(0, len(crops), BATCH):
        network.setInput(cv2.dnn.blobFromImages(crops[start : start + BATCH]))
        parts.append(np.asarray(network.forward(), np.float32))
    return np.concatenate(parts)


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Row by row."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
