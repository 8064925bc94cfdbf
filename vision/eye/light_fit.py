"""Light of a photo: fitted to its tiles, and taken out of their colours.

Light is an affine map of log colours, from those of the references to those in the photo. It is
fitted to tiles and their nearest references, by ``reference_similarity.similarities`` first for the
table, then for each grid. What is left of the difference between two colours lowers their
similarity.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles

COLOUR_WEIGHT: Final = 1.5
"""Similarity lost for a squared difference of 1 between log colours, brightness apart.

Larger: coloured light misleads. Smaller: faces that differ in colour alone are confused.
"""
GREY_WEIGHT: Final = 0.05
"""The same for brightness, which depends most on light."""
MAX_COLOUR_COST: Final = 0.3
"""Upper bound of the similarity lost by colours, since a shadow may have changed them. Larger:
tiles in shadow become unknown; smaller: faces that differ in colour alone are confused."""
COLOUR_SPREAD: Final = 0.15
"""Standard deviation of the log colour of one face in one photo; larger residuals of a fit of light
count as outliers. Larger: outliers bend the fit; smaller: the fit follows few tiles."""
INITIAL_COLOUR_SPREAD: Final = 0.6
"""The same in the first iteration of a fit, halved in each further one: light is unknown then."""
LIGHT_ITERATIONS: Final = 5
"""Number of iterations of a fit; the last two have the spread ``COLOUR_SPREAD``. Larger: more time
for the same light; smaller: outliers still bend it."""
LIGHT_PRIOR_WEIGHT: Final = 2
"""Weight of the prior light in a fit, in tiles. Larger: coloured light is not taken out where tiles
are few; smaller: their own colours are."""
PRIOR_SPREAD: Final = 1.0
"""Distance between the mean log colour seen and the one in the prior light at which the prior has
half its weight. Larger: in a light far from the taught one no face is known; smaller: the prior
hardly counts."""
LIGHT_MATRIX_PRIOR: Final = np.eye(3)
"""Weight of the prior light's matrix in a fit, as sums of squared log colours of tiles. Larger:
coloured light is taken for colours of tiles; smaller: few tiles of like colours bend it."""


@dataclass(frozen=True, slots=True)
class Light:
    """Affine maps from log colours as taught to those in a photo, one for a table or for each grid.

    Attributes:
        matrix: Shape (..., 3, 3).
        shift: Shape (..., 1, 3).
    """

    matrix: Doubles
    shift: Doubles

    @classmethod
    def neutral(cls) -> "Light":
        """Return the light under which the references were taught."""
        return cls(np.eye(3), np.zeros((1, 3)))

    def apply(self, colours: Doubles) -> Doubles:
        """Return log colours (..., n, 3) as they look in this light."""
        return np.asarray(colours @ self.matrix + self.shift)


def fit_light(taught: Doubles, seen: Doubles, weights: Doubles, prior: Light) -> Light:
    """Fit the light that turns taught colours into seen ones, by iteratively reweighted regression.

    Args:
        taught: Log colours (..., n, 3) of references.
        seen: Log colours (..., n, 3) of tiles in the photo.
        weights: Shape (..., n).
        prior: Light to stay close to where tiles are few.
    """
    current_weights = weights
    for step in range(LIGHT_ITERATIONS):
        total = current_weights.sum(axis=-1)[..., None, None]
        share = current_weights[..., None, :] / (total + 1e-9)
        taught_mean, seen_mean = share @ taught, share @ seen
        x, y = taught - taught_mean, seen - seen_mean
        weighted_x = (x * current_weights[..., None]).swapaxes(-1, -2)
        matrix = prior.matrix + np.linalg.solve(
            weighted_x @ x + LIGHT_MATRIX_PRIOR, weighted_x @ (y - x @ prior.matrix)
        )
        expected = prior.apply(taught_mean)
        # A light far from the prior must not be drawn back: its tiles would become outliers
        distance = ((seen_mean - expected) ** 2).sum(axis=-1, keepdims=True)
        prior_weight = LIGHT_PRIOR_WEIGHT / (1 + distance / PRIOR_SPREAD**2)
        prior_share = prior_weight / (prior_weight + total)
        centre = seen_mean * (1 - prior_share) + expected * prior_share
        shift = centre - taught_mean @ matrix
        errors = ((seen - (taught @ matrix + shift)) ** 2).sum(axis=-1)
        # The first fits are far from the light, so large residuals are no outliers yet
        spread = max(COLOUR_SPREAD, INITIAL_COLOUR_SPREAD / 2**step)
        current_weights = weights / (1 + errors / spread**2)
    return Light(matrix, shift)


def colour_costs(colours: Doubles, others: Doubles) -> Doubles:
    """Return the similarity (..., n, m) lost between log colours (..., n, 3) and (..., m, 3)."""
    grey, colour = np.sqrt([GREY_WEIGHT, COLOUR_WEIGHT])
    weigh = np.eye(3) * colour + (grey - colour) / 3
    a, b = colours @ weigh, others @ weigh
    squares = (a**2).sum(axis=-1)[..., None] + (b**2).sum(axis=-1)[..., None, :]
    distances = squares - 2 * a @ b.swapaxes(-1, -2)
    return np.asarray(np.clip(distances, 0, MAX_COLOUR_COST))
