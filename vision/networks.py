"""Loading of the trained networks in ``vision/weights``, and a count of their work."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import cv2
import numpy as np

MULTIPLY_ADDS_PER_PIXEL: Final = {
    "fold": 81.5,
    "locate": 127_545.0,
    "embed": 2170.5,
    "pieces": 1951.7,
}
"""Multiply-adds per input pixel of the fully convolutional networks; "locate" sees the map cells
that "fold" describes.

They are half of the operations that ``getFLOPS`` of OpenCV 4 counts; in OpenCV 5 that function has
another signature.
"""


@dataclass(slots=True)
class NetworkWork:
    """Work of the networks, the same on every machine.

    Attributes:
        multiply_adds: Sum over all networks.
        patches: Number of embedded patches, whole tiles and windows.
    """

    multiply_adds: int = 0
    patches: int = 0


_work: ContextVar[NetworkWork | None] = ContextVar("work", default=None)


@contextmanager
def measure_work() -> Iterator[NetworkWork]:
    """Count the work of the networks within a ``with`` block, in this thread."""
    work = NetworkWork()
    token = _work.set(work)
    try:
        yield work
    finally:
        _work.reset(token)


def count_work(name: str, shape: Sequence[int], patches: int = 0) -> None:
    """Count one run of a network; does nothing outside ``measure_work``.

    Args:
        name: Name of the network.
        shape: Shape of its input (n, channels, height, width).
        patches: Number of patches in the input.
    """
    work = _work.get()
    if work is not None:
        work.multiply_adds += round(
            MULTIPLY_ADDS_PER_PIXEL[name] * shape[0] * shape[-2] * shape[-1]
        )
        work.patches += patches


def read_weights(name: str) -> bytes:
    """Read the ONNX file of a network."""
    return (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()


@cache
def load_network(name: str, batch: int = 1) -> cv2.dnn.Net:  # noqa: ARG001 (key of the cache)
    """Load a network; later calls return the same object.

    Convolutions are computed by Winograd's method, which is faster but takes 7 times the memory of
    their weights, except where the file has the attribute ``use_winograd`` with the value 0.

    Args:
        name: Name of the network.
        batch: Number of images that it sees at once. Each has an object of its own, since OpenCV
            allocates its memory again when that number changes.
    """
    return cv2.dnn.readNetFromONNX(np.frombuffer(read_weights(name), np.uint8))
