"""How likely a face is right, by a curve fitted on looks that no network was trained on."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

WEIGHTS = np.array([29.7, 12.1, 12.1, 4.9])
"""Of margin, that of parts, likeness and whole, each capped as below."""
CAPS = np.array([0.3, 0.3, 0.8, 1.0])
OFFSET = -13.65


def likely_right(evidence: Doubles) -> Doubles:
    """Confidence (n,) of evidence (n, 4), see ``WEIGHTS``."""
    return np.asarray(1 / (1 + np.exp(-(np.minimum(evidence, CAPS) @ WEIGHTS + OFFSET))))
