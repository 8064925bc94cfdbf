"""How likely a face is right, by a curve fitted on looks that no network was trained on."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

WEIGHTS = np.array([29.5, 6.5, 12.0, 2.9, 0.0])
"""Of margin, that of parts, likeness, whole and the grid's middle likeness, capped as below."""
CAPS = np.array([0.3, 0.3, 0.8, 1.0, 0.9])
OFFSET = -11.6


def likely_right(evidence: Doubles) -> Doubles:
    """Confidence (n,) of evidence (n, 5), see ``WEIGHTS``."""
    return np.asarray(1 / (1 + np.exp(-(np.minimum(evidence, CAPS) @ WEIGHTS + OFFSET))))
