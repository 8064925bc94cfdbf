"""How likely a face is right, by a curve fitted on looks that no network was trained on."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

WEIGHTS = np.array([15.4, 9.2, 18.5])
"""Of likeness, whole and margin, each capped as below."""
CAPS = np.array([0.85, 1.0, 0.2])
OFFSET = -19.7


def likely_right(evidence: Doubles) -> Doubles:
    """Confidence (n,) of evidence (n, 3), see ``WEIGHTS``."""
    return np.asarray(1 / (1 + np.exp(-(np.minimum(evidence, CAPS) @ WEIGHTS + OFFSET))))
