"""How likely a face is right, by a curve fitted on looks that no network was trained on.

Two other looks of 4x4 cities, boards of 5x5 and 7x7 tiles of which one, two or eight were taught,
and plots of a printed board: 7,000 tiles on 107 photos. The line between sure and unsure is the
one beyond which no tile of a taught face was wrong and fewest right ones are asked about.
"""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

WEIGHTS = np.array([4.2, 14.0, 2.1, 7.0])
"""Of likeness, margin, likeness of the second least alike part and mean likeness of the parts."""
LEAST = np.array([0.2, 0.0, -0.2, -1.0])
MOST = np.array([1.0, 0.5, 1.0, 1.0])
OFFSET = -9.45


def evidence_of(alike: Doubles, margin: Doubles, parts: Doubles) -> Doubles:
    """(n, 4), see ``WEIGHTS``; ``parts`` is (n, parts), the others (n,)."""
    second = np.partition(parts, 1, axis=1)[:, 1]
    return np.column_stack([alike, margin, second, parts.mean(axis=1)])


def likely_right(evidence: Doubles) -> Doubles:
    """Confidence (n,) of evidence (n, 4)."""
    seen = np.clip(evidence, LEAST, MOST)
    return np.asarray(1 / (1 + np.exp(-(seen @ WEIGHTS + OFFSET))))
