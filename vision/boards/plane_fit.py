"""Planes in perspective through many points, by least squares.

Method: the direct linear transformation with normalised points (R. Hartley and A. Zisserman,
"Multiple View Geometry", 2nd ed., 4.1). That the middle of the points stays in sight leaves eight
unknowns, so that a small system of equations is all there is to solve.
"""

import numpy as np
from numpy.typing import NDArray

_RIDGE = 1e-12
"""Added to the equations, which points on a line leave without a solution."""


def planes_through(flat: NDArray[np.floating], seen: NDArray[np.floating]) -> NDArray[np.float64]:
    """The homographies (k, 3, 3) that lead from points to each of several sets of others.

    Args:
        flat: (n, 2) about their middle, about one apart.
        seen: (k, n, 2) the same.
    """
    across, down = seen[..., :1], seen[..., 1:]
    flat = np.broadcast_to(homogeneous(flat), (*seen.shape[:2], 3))
    terms = np.concatenate([flat, flat * across, flat * down], axis=-1)
    sums = terms.transpose(0, 2, 1) @ terms
    normal = np.zeros_like(sums)
    normal[:, :3, :3] = normal[:, 3:6, 3:6] = sums[:, :3, :3]
    normal[:, :3, 6:], normal[:, 3:6, 6:] = -sums[:, :3, 3:6], -sums[:, :3, 6:]
    normal[:, 6:] = normal[:, :, 6:].transpose(0, 2, 1)
    normal[:, 6:, 6:] = sums[:, 3:6, 3:6] + sums[:, 6:, 6:]
    normal += _RIDGE * flat.shape[1] * np.eye(9)
    numbers = np.ones((len(seen), 9))
    numbers[:, :8] = np.linalg.solve(normal[:, :8, :8], -normal[:, :8, 8:])[..., 0]
    return numbers.reshape(-1, 3, 3)


def normalised(points: NDArray[np.floating]) -> tuple[NDArray[np.float64], float]:
    """Points (n, 2) about their middle, about one apart, and by what they were divided."""
    away = points - points.mean(axis=0, dtype=np.float64)
    size = float(np.sqrt(np.einsum("ij,ij", away, away) / away.size)) or 1.0
    return away / size, size


def homogeneous(points: NDArray[np.floating]) -> NDArray[np.float64]:
    """Points (..., 2) with a third coordinate, 1."""
    return np.concatenate([points, np.ones_like(points[..., :1])], axis=-1, dtype=np.float64)
