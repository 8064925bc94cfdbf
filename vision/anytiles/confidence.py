"""How likely a face is right, by a curve fitted on looks that no network was trained on."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

WEIGHTS = np.array([5.7, 5.4, 17.7, 4.3])
"""Of likeness, whole, margin and likeness to the picture where that is least; in these limits."""
LEAST = np.array([0.0, 0.0, 0.0, -0.2])
MOST = np.array([1.0, 1.0, 0.5, 1.0])
OFFSET = -10.8


def likely_right(evidence: Doubles) -> Doubles:
    """Confidence (n,) of evidence (n, 4), see ``WEIGHTS``."""
    return np.asarray(
        1 / (1 + np.exp(-(np.clip(evidence[:, [0, 1, 2, 4]], LEAST, MOST) @ WEIGHTS + OFFSET)))
    )
