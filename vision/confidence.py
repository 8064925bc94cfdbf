"""How likely a face is right, by a curve fitted on looks that no network was trained on.

Two other looks of 4x4 cities, boards of 5x5 and 7x7 tiles of which one, two or eight were taught,
and plots of a printed board: 7,000 tiles on 107 photos. What is below the line between sure and
unsure is looked at more steadily; the line is where hardly any tile of a taught face is wrong then
(2 in 5,600) and fewest right ones are asked about.
"""

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.parameters import EyeParameters

Doubles = NDArray[np.float64]

WEIGHTS = np.array([4.2, 14.0, 2.1, 7.0])
"""Of likeness, margin, likeness of the second least alike part and mean likeness of the parts."""
LEAST = np.array([0.2, 0.0, -0.2, -1.0])
MOST = np.array([1.0, 0.5, 1.0, 1.0])
OFFSET = -9.68
NARROW = 0.9
"""A face is no likelier right whose lead is too small: ``EyeParameters.least_lead``."""


def mean_of_parts(parts: Doubles, covered: NDArray[np.bool_]) -> Doubles:
    """The mean (...) of values (..., parts) of those parts that nothing covers, if there is one."""
    seen = ~covered | covered.all(axis=-1, keepdims=True)
    return np.asarray((parts * seen).sum(axis=-1) / seen.sum(axis=-1))


def evidence_of(
    alike: Doubles,
    margin: Doubles,
    lead: Doubles,
    parts: Doubles,
    covered: NDArray[np.bool_],
) -> Doubles:
    """(n, 5), see ``WEIGHTS``; the last is the lead.

    Args:
        alike: (n,).
        margin: (n,).
        lead: (n,) see ``vision.identify.Chosen``.
        parts: (n, parts).
        covered: (n, parts) those that something hides.
    """
    seen = ~covered | covered.all(axis=1, keepdims=True)
    ordered = np.partition(np.where(seen, parts, 1.0), 1, axis=1)
    second = np.where(seen.sum(axis=1) > 1, ordered[:, 1], ordered[:, 0])
    return np.column_stack([alike, margin, second, mean_of_parts(parts, covered), lead])


def likely_right(evidence: Doubles, p: EyeParameters) -> Doubles:
    """Confidence (n,) of evidence (n, 5)."""
    seen = np.clip(evidence[:, :-1], LEAST, MOST)
    confidence = 1 / (1 + np.exp(-(seen @ WEIGHTS + OFFSET)))
    narrow = evidence[:, -1] < np.where(confidence < p.clearly_sure, p.clear_lead, p.least_lead)
    return np.asarray(np.where(narrow, np.minimum(confidence, NARROW), confidence))


CLOSER_WEIGHTS = np.array([0.19, 15.1])
"""Of the logit of the confidence so far, and of how alike the third least alike window is, for
tiles that this leaves in doubt. It was fitted on the 162 of those photos of which the lead of one
number over another is no matter; where it says that a face is sure, 52 of 52 are right. Of tiles
that figures hide in part, on which it was not fitted, it tells by one of the windows seen."""
CLOSER_OFFSET = -7.05
FEWEST_WINDOWS = 2
"""Of a tile of which figures hide more, the windows tell nothing."""


def least_windows(alike: Floats, covered: NDArray[np.bool_]) -> Doubles:
    """(n,) how alike the third least alike window (n, windows) is that nothing covers.

    One or two of nine may be wrong without a reason: a reflection, an edge; none of few.
    """
    seen = (~covered).sum(axis=1)
    ordered = np.sort(np.where(covered, np.inf, alike), axis=1)
    least = ordered[np.arange(len(alike)), np.clip(seen // 2 - 1, 0, 2)]
    return np.where(seen < FEWEST_WINDOWS, 0.0, least)


def likely_right_closer(confidence: Doubles, least: Doubles) -> Doubles:
    """Confidence (n,) of tiles that were in doubt, by ``least_windows`` (n,)."""
    logit = np.log(confidence / (1 - confidence))
    seen = np.column_stack([logit, least])
    return np.asarray(1 / (1 + np.exp(-(seen @ CLOSER_WEIGHTS + CLOSER_OFFSET))))


VOUCHED, SPOKEN_AGAINST = 0.99, 0.6
"""How likely the face of a tile is right for which others of the photo vouch, and of one that
seemed sure and against which they speak: 240 of 240 and 6 of 9 in those photos. In a smeared photo
the first is no more than a doubt: ``EyeParameters.sure_smeared``."""


def heard(confidence: Doubles, witnesses: NDArray[np.intp]) -> Doubles:
    """Confidence (n,) once others were heard, which say 1, 0 or -1 (n,) of each."""
    for_it = np.where(witnesses > 0, np.maximum(confidence, VOUCHED), confidence)
    return np.where(witnesses < 0, np.minimum(for_it, SPOKEN_AGAINST), for_it)


FIGURE_WEIGHTS = np.array([1.4, 1.1, -2.6, -2.8, -6.4, 1.7])
"""Of what is seen of a figure, as a share of its foot's area; how likely the squares show one in
the mean; how alike the parts of the tile under its middle and under its foot are to those of the
tile's face; how far its colour is from the nearest paint, and by how much farther from the next."""
FIGURE_LEAST = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
FIGURE_MOST = np.array([2.0, 1.0, 1.0, 1.0, 2.0, 1.0])
FIGURE_OFFSET = 4.9


def likely_a_figure(evidence: Doubles) -> Doubles:
    """How likely each of n things is a figure (n,), by evidence (n, 6)."""
    seen = np.clip(evidence, FIGURE_LEAST, FIGURE_MOST)
    return np.asarray(1 / (1 + np.exp(-(seen @ FIGURE_WEIGHTS + FIGURE_OFFSET))))


CLOSER_FIGURE_WEIGHTS = np.array([0.8, -22.2])
"""Of the logit of how likely it is so far, and of how alike the windows of its tile over it are to
those of the tile's face. It was fitted on 1,165 figures and 2,589 other things on simulated tables
of the drawn Cities and of a copy in other colours that was taught."""
CLOSER_FIGURE_LEAST = np.array([-4.6, 0.65])
CLOSER_FIGURE_MOST = np.array([6.9, 0.95])
CLOSER_FIGURE_OFFSET = 17.9


def likely_a_figure_closer(chance: Doubles, windows: Doubles) -> Doubles:
    """How likely each of n things is a figure (n,), by ``Standing.windows`` where these tell."""
    with np.errstate(divide="ignore"):
        logit = np.log(chance / (1 - chance))
    seen = np.clip(np.column_stack([logit, windows]), CLOSER_FIGURE_LEAST, CLOSER_FIGURE_MOST)
    closer = 1 / (1 + np.exp(-(seen @ CLOSER_FIGURE_WEIGHTS + CLOSER_FIGURE_OFFSET)))
    return np.where(np.isnan(windows) | (chance == 0), chance, closer)
