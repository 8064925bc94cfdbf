"""The strongest points of a picture, spread over it."""

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points

_PARTS = 12
"""A picture is divided into so many parts each way, of which none may take all keypoints."""
_LAST_RANK = np.iinfo(np.uint16).max


def spread(
    points: Points, strengths: NDArray[np.float32], shape: tuple[int, ...], most: int
) -> NDArray[np.intp]:
    """The strongest of each part of a picture, lest a patterned cloth takes them all.

    Args:
        points: (n, 2) pixels of the picture.
        strengths: (n,) how much they stand out.
        shape: height and width of the picture.
        most: how many to choose.

    Returns:
        Their numbers in ascending order.
    """
    side = np.array(shape[::-1]) + 1
    columns, rows = (points / side * _PARTS).astype(np.intp).T
    strongest = np.argsort(-strengths, kind="stable")
    # Of few values, which are quicker to sort
    part = (rows * _PARTS + columns).astype(np.uint8)[strongest]
    by_part = np.argsort(part, kind="stable")
    counts = np.bincount(part, minlength=_PARTS**2)
    rank = np.empty(len(part), np.intp)
    rank[by_part] = np.arange(len(part)) - np.repeat(np.cumsum(counts) - counts, counts)
    # The strongest of every part, then the second of every part, as many as fit
    order = np.argsort(np.minimum(rank, _LAST_RANK).astype(np.uint16), kind="stable")
    return np.sort(strongest[order[:most]])
