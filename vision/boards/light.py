"""The light on a grid: by how much each colour channel is brighter than in the pictures."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points

FEWEST_FOR_SLOPE = 8
WEIGHT = 0.03
"""Of the squared number of usual deviations by which a colour is off."""
MOST_DISTANCE = 1.5
LEAST_DEVIATION = 0.05
"""Colours of the same print differ by no less, as logarithms."""
_ROUNDS = 4
_LEAST_SCALE = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """What tells colours in the photo from those in the pictures.

    Attributes:
        terms: (3, 3) logarithm of the brightness relative to the pictures: constant, x and y terms
            of each channel.
        scatter: (3, 3) covariance of what remains when tiles are compared with their pictures.
    """

    terms: NDArray[np.float64]
    scatter: NDArray[np.float64]

    def distances(
        self, places: Points, seen: NDArray[np.float32], drawn: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """How unlikely it is that colours are those of pictures, (places, pictures).

        Args:
            places: (n, 2) of tiles in the grid.
            seen: (n, 3) logarithms of their mean colours in the photo.
            drawn: (m, 3) of the pictures; or (n, m, 3), others for each place.
        """
        apart = (seen - self.at(places))[:, None] - (drawn[None] if drawn.ndim == 2 else drawn)
        whitened = apart @ np.linalg.cholesky(np.linalg.inv(self.scatter))
        return np.asarray(np.minimum(WEIGHT * (whitened**2).sum(axis=2), MOST_DISTANCE), np.float32)

    def at(self, places: Points) -> NDArray[np.float32]:
        """At places (n, 2) of the grid, per channel (n, 3)."""
        return np.asarray(_design(places) @ self.terms, np.float32)


def fitted_light(places: Points, seen: NDArray[np.float32], drawn: NDArray[np.float32]) -> Light:
    """The light that explains mean colours.

    Args:
        places: (n, 2) of tiles in the grid, n at least 1.
        seen: (n, 3) logarithms of their mean colours in the photo.
        drawn: the same in the pictures of what they are believed to show.
    """
    apart: NDArray[np.float64] = np.asarray(seen - drawn, np.float64)
    design: NDArray[np.float64] = _design(places)
    if len(places) < FEWEST_FOR_SLOPE:
        design = np.asarray(design * [1, 0, 0], np.float64)
    weights = np.ones(len(places))
    terms: NDArray[np.float64] = np.zeros((3, 3))
    for _ in range(_ROUNDS):
        root = np.sqrt(weights)[:, None]
        solved = np.linalg.lstsq(design * root, apart * root, rcond=None)[0]
        terms = np.asarray(solved, np.float64)
        error = np.linalg.norm(apart - design @ terms, axis=1)
        scale = max(float(np.median(error)), _LEAST_SCALE)
        weights = 1 / (1 + (error / (2 * scale)) ** 2) ** 2
    left = apart - design @ terms
    scatter = (left * weights[:, None]).T @ left / weights.sum()
    return Light(terms, scatter + np.eye(3) * LEAST_DEVIATION**2)


def _design(places: Points) -> NDArray[np.float64]:
    xy = np.asarray(places, np.float64)
    return np.column_stack([np.ones(len(xy)), xy])
