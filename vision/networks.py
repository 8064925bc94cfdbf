"""The trained networks, files in ``vision/weights``."""

from functools import cache
from importlib import resources

import cv2
import numpy as np

LARGE = frozenset({"locate"})
"""Networks for which OpenCV's quicker way to convolve (Winograd's) would take 16 MB."""


def weights(name: str) -> bytes:
    """The content of the file of a network."""
    return (resources.files("vision") / "weights" / f"{name}.onnx").read_bytes()


@cache
def network_called(name: str) -> cv2.dnn.Net:
    """A network, loaded once."""
    network = cv2.dnn.readNetFromONNX(np.frombuffer(weights(name), np.uint8))
    network.enableWinograd(useWinograd=name not in LARGE)
    return network
