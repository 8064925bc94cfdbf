"""The trained networks, files in ``vision/weights``, and how much work they do."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import cv2
import numpy as np

LARGE = frozenset({"locate"})
"""Networks for which OpenCV's quicker way to convolve (Winograd's) would take 16 MB."""


MULTIPLY_ADDS_PER_PIXEL: Final = {"locate": 2074.4, "embed": 2196.9, "pieces": 1951.7}
"""Cost of each network, which convolves alone: half the operations that OpenCV 4 counts of it
(``getFLOPS``; OpenCV 5 has another form of that function)."""


@dataclass(slots=True)
class Work:
    """Work of the networks, the same on every machine.

    Attributes:
        multiply_adds: of all networks.
        patches: embedded, whole tiles and windows; empty places of a sheet are not counted.
    """

    multiply_adds: int = 0
    patches: int = 0


_work: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def measured_work() -> Iterator[Work]:
    """Count what the networks do within the block, in this thread."""
    work = Work()
    token = _work.set(work)
    try:
        yield work
    finally:
        _work.reset(token)


def count_work(name: str, shape: Sequence[int], patches: int = 0) -> None:
    """Count one run of a network on an input of this shape, if somebody measures."""
    work = _work.get()
    if work is not None:
        work.multiply_adds += round(MULTIPLY_ADDS_PER_PIXEL[name] * shape[-2] * shape[-1])
        work.patches += patches


def weights(name: str) -> bytes:
    """The content of the file of a network."""
    return (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()


@cache
def network_called(name: str) -> cv2.dnn.Net:
    """A network, loaded once."""
    network = cv2.dnn.readNetFromONNX(np.frombuffer(weights(name), np.uint8))
    network.enableWinograd(useWinograd=name not in LARGE)
    return network
