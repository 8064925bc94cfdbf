"""The trained networks, files in ``vision/weights``, and how much work they do."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np

LARGE = frozenset({"locate"})
"""Networks for which OpenCV's quicker way to convolve (Winograd's) would take 16 MB."""


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
        work.multiply_adds += _multiply_adds(name, tuple(shape))
        work.patches += patches


@cache
def _multiply_adds(name: str, shape: tuple[int, ...]) -> int:
    network, shapes = network_called(name), [list(shape)]
    try:
        operations = network.getFLOPS(shapes)
    except TypeError:  # OpenCV 5 wants to know the types as well
        operations = network.getFLOPS(shapes, [cv2.CV_32F])  # type: ignore[call-overload]
    # A multiplication and an addition are two of its operations
    return int(operations) // 2


def weights(name: str) -> bytes:
    """The content of the file of a network."""
    return (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()


@cache
def network_called(name: str) -> cv2.dnn.Net:
    """A network, loaded once."""
    network = cv2.dnn.readNetFromONNX(np.frombuffer(weights(name), np.uint8))
    network.enableWinograd(useWinograd=name not in LARGE)
    return network
