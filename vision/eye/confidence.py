"""How likely what was read is right: logistic curves fitted on what no network was trained on.

Tiles: two other looks of 4x4 cities, boards of 5x5 and 7x7 tiles of which one, two or eight were
taught, and plots of a printed board, 7,000 tiles on 107 photos. What is below the line between sure
and unsure is embedded more steadily; the line is where hardly any tile of a taught face is wrong
then (2 in 5,600) and fewest right ones are asked about.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints, Masks


@dataclass(frozen=True, slots=True)
class Curve:
    """A calibration curve: evidence, clipped to where it was fitted, to a probability.

    Attributes:
        weights: of each piece of evidence, in units of the logit.
        least, most: to which each is clipped.
        offset: of the logit.
    """

    weights: tuple[float, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]
    offset: float

    def __call__(self, evidence: Doubles) -> Doubles:
        """Probabilities (n,) of evidence (n, k)."""
        seen = np.clip(evidence, self.least, self.most)
        return np.asarray(1 / (1 + np.exp(-(seen @ np.array(self.weights) + self.offset))))


TILE = Curve((4.2, 14.0, 2.1, 7.0), (0.2, 0.0, -0.2, -1.0), (1.0, 0.5, 1.0, 1.0), -9.68)
"""By the similarity of a tile to its face, its margin, the similarity of the second least similar
part, and the mean one of the parts."""
TILE_BY_WINDOWS = Curve((0.19, 15.1), (-np.inf, -np.inf), (np.inf, np.inf), -7.05)
"""By the logit of the confidence so far and the similarity of the third least similar window, for
tiles that ``TILE`` leaves in doubt. It was fitted on the 162 of those photos of which the lead of
one number over another is no matter; where it says that a face is sure, 52 of 52 are right. Of
tiles that figures hide in part, on which it was not fitted, it tells by one of the windows seen."""
FIGURE = Curve(
    (1.4, 1.1, -2.6, -2.8, -6.4, 1.7),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (2.0, 1.0, 1.0, 1.0, 2.0, 1.0),
    4.9,
)
"""By what is seen of a figure, as a share of its foot's area; how likely the squares show one in
the mean; the similarity of the parts of the tile under its middle and under its foot to those of
the tile's face; how far its colour is from the nearest paint, and by how much farther from the
next. It was fitted on 3,200 things on 76 simulated tables of the drawn Cities."""
FIGURE_BY_WINDOW = Curve((0.8, -22.2), (-4.6, 0.65), (6.9, 0.95), 17.9)
"""By the logit of how likely it is so far, and the least similarity of the windows of its tile over
it to those of the tile's face. It was fitted on 1,165 figures and 2,589 other things on simulated
tables of the drawn Cities and of a copy in other colours that was taught."""

SURE_CONFIDENCE: Final = 0.95
"""Confidence from which on the face of a tile is sure; any other is flagged for a person to check.
Larger: more right ones are flagged; smaller: more wrong ones are not."""
SURE_CONFIDENCE_SMEARED: Final = 0.99
"""The same in a photo that is smeared because the camera moved; ``SUPPORTED`` is not enough
then."""
CLEAR_CONFIDENCE: Final = 0.98
"""Confidence from which on a tile is examined no further: by windows, or by votes of other
tiles."""
MIN_EXAMINED_CONFIDENCE: Final = 0.3
"""Least confidence of a face that windows or votes of other tiles may make sure."""
MIN_LEAD: Final = 0.15
"""Least lead (``Ranking.lead``) of a sure face over one that looks alike but for a part."""
CLEAR_LEAD: Final = 0.3
"""Lead from which on such a face is clear. With less, and not ``CLEAR_CONFIDENCE`` either, it is in
doubt, and no windows make it sure, as they look right nearly all over."""
CLEAR_MARGIN: Final = 0.12
"""Margin (``Ranking.margin``) from which on a face needs no comparison with the next one: other
tiles may vote for it though none shows that one, and windows examine it alone."""
MOST_IF_STRANGE = 0.9
"""A face is no likelier right whose lead is too small, or that is too little like it for ``TILE``
to tell."""
FEWEST_WINDOWS = 2
"""Of a tile of which figures hide more, the windows tell nothing."""
SUPPORTED, OPPOSED = 0.99, 0.6
"""How likely the face of a tile is right for which others of the photo vote, and of one that seemed
sure and against which they vote: 240 of 240 and 6 of 9 in those photos. In a smeared photo the
first is no more than a doubt: ``SURE_CONFIDENCE_SMEARED``."""


def mean_of_parts(parts: Doubles, covered: Masks) -> Doubles:
    """The mean (...) of values (..., parts) of those parts that nothing covers, if there is one."""
    seen = ~covered | covered.all(axis=-1, keepdims=True)
    return np.asarray((parts * seen).sum(axis=-1) / seen.sum(axis=-1))


def evidence_of(
    similarity: Doubles, margin: Doubles, lead: Doubles, parts: Doubles, covered: Masks
) -> Doubles:
    """(n, 5): that of ``TILE``, and the lead.

    Args:
        similarity: (n,).
        margin: (n,).
        lead: (n,) see ``vision.eye.identify.Ranking``.
        parts: (n, parts).
        covered: (n, parts) those that something hides.
    """
    seen = ~covered | covered.all(axis=1, keepdims=True)
    ordered = np.partition(np.where(seen, parts, 1.0), 1, axis=1)
    second = np.where(seen.sum(axis=1) > 1, ordered[:, 1], ordered[:, 0])
    return np.column_stack([similarity, margin, second, mean_of_parts(parts, covered), lead])


def tile_confidence(evidence: Doubles) -> Doubles:
    """Confidence (n,) of evidence (n, 5)."""
    confidence, lead = TILE(evidence[:, :-1]), evidence[:, -1]
    narrow = lead < np.where(confidence < CLEAR_CONFIDENCE, CLEAR_LEAD, MIN_LEAD)
    return np.asarray(np.where(narrow, np.minimum(confidence, MOST_IF_STRANGE), confidence))


def least_windows(similarity: Floats, covered: Masks) -> Doubles:
    """(n,) similarity of the third least similar window (n, windows) that nothing covers.

    One or two of nine may be wrong without a reason: a reflection, an edge; none of few.
    """
    seen = (~covered).sum(axis=1)
    ordered = np.sort(np.where(covered, np.inf, similarity), axis=1)
    least = ordered[np.arange(len(similarity)), np.clip(seen // 2 - 1, 0, 2)]
    return np.where(seen < FEWEST_WINDOWS, 0.0, least)


def confidence_by_windows(confidence: Doubles, least: Doubles) -> Doubles:
    """Confidence (n,) of tiles that were in doubt, by ``least_windows`` (n,)."""
    return TILE_BY_WINDOWS(np.column_stack([_logit(confidence), least]))


def with_votes(confidence: Doubles, votes: Ints) -> Doubles:
    """Confidence (n,) once others have voted 1, 0 or -1 (n,), see ``vision.eye.consensus``."""
    supported = np.where(votes > 0, np.maximum(confidence, SUPPORTED), confidence)
    return np.where(votes < 0, np.minimum(supported, OPPOSED), supported)


def figure_by_window(chance: Doubles, windows: Doubles) -> Doubles:
    """How likely each of n things is a figure (n,), by ``FiguresOnGrid.windows`` where known."""
    by_window = FIGURE_BY_WINDOW(np.column_stack([_logit(chance), windows]))
    return np.where(np.isnan(windows) | (chance == 0), chance, by_window)


def _logit(probability: Doubles) -> Doubles:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probability / (1 - probability)))
