"""Confidences: evidence about tiles and figures turned into probabilities, by logistic curves.

The curves were fitted on photos that no network was trained on. Tiles: 4x4 cities of two further
editions, boards of 5x5 and 7x7 tiles of which one, two or eight were taught, and plots of a printed
board; 7,000 tiles on 107 photos. Tiles below ``SURE_CONFIDENCE`` are embedded once more, averaged
over several views. At this threshold hardly any tile of a taught face is wrong and sure (2 in
5,600).

From low to high, the confidences that decide what becomes of a tile:
``MIN_EXAMINED_CONFIDENCE`` < ``OPPOSED_CONFIDENCE`` < ``MAX_DOUBTED_CONFIDENCE`` <
``SURE_CONFIDENCE`` < ``CLEAR_CONFIDENCE`` < ``SUPPORTED_CONFIDENCE``, which is
``SURE_CONFIDENCE_MOTION_BLURRED`` and ``face_ranking.MIN_CLEAR_CONFIDENCE``, too.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints, Masks, ParallelArrays


@dataclass(frozen=True, slots=True)
class Curve:
    """Logistic curve from evidence, clipped to the range it was fitted on, to a probability.

    Attributes:
        weights: Weight of each kind of evidence, in units of the logit.
        minimum, maximum: Range to which each kind of evidence is clipped.
        offset: Offset of the logit.
    """

    weights: tuple[float, ...]
    minimum: tuple[float, ...]
    maximum: tuple[float, ...]
    offset: float

    def __call__(self, evidence: Doubles) -> Doubles:
        """Return the probabilities (n,) for evidence (n, k)."""
        clipped = np.clip(evidence, self.minimum, self.maximum)
        return np.asarray(1 / (1 + np.exp(-(clipped @ np.array(self.weights) + self.offset))))


TILE_CURVE: Final = Curve(
    (4.2, 14.0, 2.1, 7.0), (0.2, 0.0, -0.2, -1.0), (1.0, 0.5, 1.0, 1.0), -9.68
)
"""Confidence of a tile's face.

Evidence: similarity of the tile to its face, margin over the next face, second lowest similarity of
its parts, and mean similarity of its parts.
"""
TILE_WINDOW_CURVE: Final = Curve((0.19, 15.1), (-np.inf, -np.inf), (np.inf, np.inf), -7.05)
"""Confidence of a tile's face that ``TILE_CURVE`` leaves in doubt.

Evidence: logit of the confidence by ``TILE_CURVE``, and ``robust_window_minimum``. Fitted on the
162 tiles of those photos that ``TILE_CURVE`` leaves in doubt and whose next face is no lookalike;
52 of 52 that it makes sure are right. It was not fitted on tiles that figures hide in part, for
which fewer windows count.
"""
FIGURE_CURVE: Final = Curve(
    (1.4, 1.1, -2.6, -2.8, -6.4, 1.7),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (2.0, 1.0, 1.0, 1.0, 2.0, 1.0),
    4.9,
)
"""Probability that a detection is a figure.

Evidence: detected area as a share of the area of a figure's foot; mean probability of its map
cells; similarity to the tile's face of the part under its centre, and of the part under the foot;
distance of its colour from the nearest kind, and how much farther the next kind is. Fitted on 3,200
detections on 76 simulated tables of the drawn Cities.
"""
FIGURE_WINDOW_CURVE: Final = Curve((0.8, -22.2), (-4.6, 0.65), (6.9, 0.95), 17.9)
"""Probability that a detection on a tile with a sure face is a figure.

Evidence: logit of the probability by ``FIGURE_CURVE``, and lowest similarity to the tile's face of
the windows over the detection. Fitted on 1,165 figures and 2,589 other detections on simulated
tables of the drawn Cities and of a taught copy in other colours.
"""

SURE_CONFIDENCE: Final = 0.95
"""Confidence that a tile's face must exceed to be sure; with less, a person is asked about it.

Compared in ``grid_faces._verify_tiles``. Not all tiles above it stay sure: see
``recognise.make_recognised_grid``, ``grid_reading`` (cut off by the photo's edge), ``supply``,
``vision.calibration.reader`` (tiles of a wrong size), and the objections of the rules.

Larger: more right faces are unsure. Smaller: more wrong faces are not.
"""
CLEAR_CONFIDENCE: Final = 0.98
"""Confidence above which a tile is examined no further, by all its windows or by votes of other
tiles, unless its similarity is weak (``windows.WEAK_SIMILARITY``). Lookalikes are compared in some
windows up to ``face_ranking.MIN_CLEAR_CONFIDENCE``."""
MIN_EXAMINED_CONFIDENCE: Final = 0.3
"""Minimum confidence of a face that windows or votes of other tiles may make sure. Larger: more
tiles stay unsure; smaller: more windows are embedded, of tiles that are hardly their face."""
CLEAR_RELATIVE_MARGIN: Final = 0.3
"""``face_ranking.Ranking.relative_margin`` over a lookalike that makes a face clear.

A face whose relative margin is smaller and whose confidence is below ``CLEAR_CONFIDENCE`` is in
doubt; windows cannot make it sure, since lookalikes agree in nearly all of them.
"""
CLEAR_MARGIN: Final = 0.12
"""``face_ranking.Ranking.margin``, a difference of scores, above which a face needs no comparison
with the next one.

Other tiles may then vote for it even if none of them shows the next face, and windows are compared
with this face alone.
"""
MAX_DOUBTED_CONFIDENCE: Final = 0.9
"""Upper bound of the confidence of a tile

- whose relative margin over a lookalike is too small;
- which ``vision.eye.windows`` finds unlike the taught tiles of its face;
- whose face the photo does not distinguish from others (``vision.eye.confusable_faces``);
- of which more than ``MAX_SURE_WHITE_SHARE`` is white;
- or which its windows must decide on, if they cannot be examined.
"""
MAX_SURE_WHITE_SHARE: Final = 0.5
"""Maximum share of white pixels (``white_areas.white_share``) in a sure tile. Larger: plain faces
are surely read where glare hides all print; smaller: pale tiles in a strong light are unsure."""
MIN_WINDOWS: Final = 2
"""Minimum number of uncovered windows by which a tile can be judged. Larger: tiles under figures
stay unsure; smaller: a single window decides."""
SUPPORTED_CONFIDENCE: Final = 0.99
"""Confidence of a tile that others of the photo vote for; 240 of 240 were right."""
SURE_CONFIDENCE_MOTION_BLURRED: Final = SUPPORTED_CONFIDENCE
"""``SURE_CONFIDENCE`` in a photo blurred by a moving camera. Votes alone make no tile sure there:
they give exactly this value, and a sure confidence has to exceed it."""
OPPOSED_CONFIDENCE: Final = 0.6
"""Confidence of a tile that seemed sure and that others vote against; 6 of 9 were right."""


def _parts_that_count(covered: Masks) -> Masks:
    """Return a mask of the parts that nothing covers, or of all of a tile if none is left."""
    return np.asarray(~covered | covered.all(axis=-1, keepdims=True))


def mean_uncovered(parts: Doubles, covered: Masks) -> Doubles:
    """Average values (..., parts) over the parts that nothing covers, or over all if none is."""
    seen = _parts_that_count(covered)
    return np.asarray((parts * seen).sum(axis=-1) / seen.sum(axis=-1))


@dataclass(frozen=True, slots=True, eq=False)
class TileEvidence(ParallelArrays):
    """Evidence about the faces of n tiles.

    Attributes:
        similarity: Shape (n,), similarity of the tile to its face.
        margin: Shape (n,), see ``vision.eye.face_ranking.Ranking``.
        second_lowest_part: Shape (n,), second lowest similarity of its uncovered parts.
        mean_part: Shape (n,), mean similarity of its uncovered parts.
        relative_margin: Shape (n,), see ``vision.eye.face_ranking.Ranking``.
    """

    similarity: Doubles
    margin: Doubles
    second_lowest_part: Doubles
    mean_part: Doubles
    relative_margin: Doubles


def tile_evidence(
    similarity: Doubles, margin: Doubles, relative_margin: Doubles, parts: Doubles, covered: Masks
) -> TileEvidence:
    """Collect the evidence about tiles.

    Args:
        similarity: Shape (n,), similarity of the tile to its face.
        margin: Shape (n,), see ``vision.eye.face_ranking.Ranking``.
        relative_margin: Shape (n,), see ``vision.eye.face_ranking.Ranking``.
        parts: Shape (n, parts), similarity of the tile's parts to those of its face.
        covered: Shape (n, parts), True for parts that a figure hides.
    """
    seen = _parts_that_count(covered)
    ordered = np.partition(np.where(seen, parts, 1.0), 1, axis=1)
    second = np.where(seen.sum(axis=1) > 1, ordered[:, 1], ordered[:, 0])
    return TileEvidence(similarity, margin, second, mean_uncovered(parts, covered), relative_margin)


def tile_confidence(evidence: TileEvidence) -> Doubles:
    """Return the confidences (n,) for the evidence about tiles."""
    confidence = TILE_CURVE(
        np.column_stack(
            [evidence.similarity, evidence.margin, evidence.second_lowest_part, evidence.mean_part]
        )
    )
    relative = evidence.relative_margin
    narrow = (relative <= 0) | (
        (relative < CLEAR_RELATIVE_MARGIN) & (confidence < CLEAR_CONFIDENCE)
    )
    return limit_confidence(confidence, np.asarray(narrow))


def limit_confidence(confidence: Doubles, in_doubt: Masks) -> Doubles:
    """Return the confidence (n,), ``MAX_DOUBTED_CONFIDENCE`` at most for tiles in doubt (n,)."""
    limited = np.minimum(confidence, MAX_DOUBTED_CONFIDENCE)
    return np.asarray(np.where(in_doubt, limited, confidence))


def robust_window_minimum(similarity: Floats, covered: Masks) -> Doubles:
    """Return the third lowest similarity (n,) of windows (n, windows) that nothing covers.

    A reflection or an edge may spoil one or two of nine windows. With less than six uncovered the
    second lowest counts, with less than four the lowest; 0 with fewer than ``MIN_WINDOWS``.
    """
    uncovered = (~covered).sum(axis=1)
    ordered = np.sort(np.where(covered, np.inf, similarity), axis=1)
    lowest = ordered[np.arange(len(similarity)), np.clip(uncovered // 2 - 1, 0, 2)]
    return np.where(uncovered < MIN_WINDOWS, 0.0, lowest)


def confidence_from_windows(confidence: Doubles, window_minimum: Doubles) -> Doubles:
    """Return the confidence (n,) of doubtful tiles, given ``robust_window_minimum`` (n,)."""
    return TILE_WINDOW_CURVE(np.column_stack([_logit(confidence), window_minimum]))


def apply_votes(confidence: Doubles, votes: Ints) -> Doubles:
    """Return the confidence (n,) after votes 1, 0 or -1 (n,) of ``votes.collect_votes``."""
    supported = np.where(votes > 0, np.maximum(confidence, SUPPORTED_CONFIDENCE), confidence)
    return np.where(votes < 0, np.minimum(supported, OPPOSED_CONFIDENCE), supported)


def figure_probability(probability: Doubles, lowest_window_similarity: Doubles) -> Doubles:
    """Refine the probabilities (n,) of figures by the windows over them, where these are known.

    Args:
        probability: Shape (n,), by the detector.
        lowest_window_similarity: Shape (n,), see ``PossibleFigures``.
    """
    refined = FIGURE_WINDOW_CURVE(np.column_stack([_logit(probability), lowest_window_similarity]))
    is_unknown = np.isnan(lowest_window_similarity) | (probability == 0)
    return np.where(is_unknown, probability, refined)


def _logit(probability: Doubles) -> Doubles:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probability / (1 - probability)))
