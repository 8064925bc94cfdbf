"""The light on a grid: by how much each colour channel is brighter than in the pictures."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points, median

FEWEST_FOR_SLOPE = 8
WEIGHT = 0.03
"""Of the squared number of usual deviations by which a colour is off."""
MOST_DISTANCE = 1.5
MOST_FOR_TEXTURED = 0.35
"""The same for a picture full of drawing, which tells more than a colour that shadows change."""
LEAST_DEVIATION = 0.05
"""Colours of the same print differ by no less, as logarithms."""
DARKEST = 30.0
"""Levels added before logarithms are taken, lest the noise of dark channels counts for much."""
_BLACK = 6.0
"""The same where the strength of the light is measured, in which dark channels count little."""
_ROUNDS = 4
_LEAST_SCALE = 0.05
_RIDGE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """What tells colours in the photo from those in the pictures.

    Attributes:
        terms: (3, 3) logarithm of the factor by which the photo is brighter than the pictures:
            constant, x and y terms of each channel.
        scatter: (3, 3) covariance of what remains when tiles are compared with their pictures.
    """

    terms: NDArray[np.float64]
    scatter: NDArray[np.float64]

    def distances(
        self,
        places: Points,
        seen: NDArray[np.float32],
        drawn: NDArray[np.float32],
        textured: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """How unlikely it is that colours are those of pictures, (places, pictures).

        Args:
            places: (n, 2) of tiles in the grid.
            seen: (n, 3) their mean colours in the photo, levels.
            drawn: (m, 3) of the pictures; or (n, m, 3), others for each place.
            textured: (m,) or (n, m): 0 for flat pictures, 1 for those full of drawing.
        """
        axes = np.linalg.cholesky(np.linalg.inv(self.scatter))
        first = _compressed(seen / self.factor(places)) @ axes
        second = _compressed(drawn) @ axes
        if drawn.ndim == 2:
            squares = (first**2).sum(axis=1)[:, None] + (second**2).sum(axis=1)
            apart = np.maximum(squares - 2 * first @ second.T, 0)
        else:
            apart = ((first[:, None] - second) ** 2).sum(axis=2)
        most = MOST_DISTANCE + (MOST_FOR_TEXTURED - MOST_DISTANCE) * textured
        return np.asarray(np.minimum(WEIGHT * apart, most), np.float32)

    def factor(self, places: Points) -> NDArray[np.float32]:
        """By how much the photo is brighter at places (n, 2) of the grid, per channel (n, 3)."""
        return np.asarray(np.exp(_design(places) @ self.terms), np.float32)


def fitted_light(places: Points, seen: NDArray[np.float32], drawn: NDArray[np.float32]) -> Light:
    """The light that explains mean colours.

    Args:
        places: (n, 2) of tiles in the grid, n at least 1.
        seen: (n, 3) their mean colours in the photo, levels.
        drawn: the same in the pictures of what they are believed to show.
    """
    apart = np.log((seen.astype(np.float64) + _BLACK) / (drawn.astype(np.float64) + _BLACK))
    strength = drawn / (drawn + np.float32(DARKEST))
    design: NDArray[np.float64] = _design(places)
    if len(places) < FEWEST_FOR_SLOPE:
        design = np.asarray(design * [1, 0, 0], np.float64)
    weights = np.ones(len(places))
    terms: NDArray[np.float64] = np.zeros((3, 3))
    squares = (strength.astype(np.float64) ** 2).T
    told = squares * apart.T
    pairs = (design[:, :, None] * design[:, None]).reshape(-1, 9)
    ridge = np.eye(3) * _RIDGE  # for places that lie in a line
    for _ in range(_ROUNDS):
        # The normal equations of all channels
        normal = ((weights * squares) @ pairs).reshape(3, 3, 3) + ridge
        each = np.linalg.solve(normal, ((weights * told) @ design)[..., None])
        terms = np.asarray(each[..., 0].T, np.float64)
        left_over = (apart - design @ terms) * strength
        error = np.sqrt((left_over * left_over).sum(axis=1))
        scale = max(float(median(error)), _LEAST_SCALE)
        weights = 1 / (1 + (error / (2 * scale)) ** 2) ** 2
    light = Light(terms, np.eye(3))
    left = (_compressed(seen / light.factor(places)) - _compressed(drawn)).astype(np.float64)
    scatter = (left * weights[:, None]).T @ left / weights.sum()
    return Light(terms, scatter + np.eye(3) * LEAST_DEVIATION**2)


def _compressed(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.log(np.maximum(colours, 0) + np.float32(DARKEST)), np.float32)


def _design(places: Points) -> NDArray[np.float64]:
    design = np.ones((len(places), 3))
    design[:, 1:] = places
    return design
