"""Whether the nine tiles of a reference grid are nine faces, whoever may know their look.

Two tiles of one face differ only in light and in how exactly they were cut out, so once they are
laid over one another they agree everywhere. Two faces, even taverns that share a picture, differ
somewhere: at the least in their emblem. So tiles are judged by the part in which they agree least.
"""

from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from vision.arrays import FloatImage, Image, floats
from vision.editions.edition import FACES, EditionError
from vision.editions.likeness import Vectors, all_windows, compared, middles
from vision.editions.reference import HOW_TO_LAY

LEAST_AGREEMENT = 0.85
"""Correlation of the part in which two tiles agree least, from which on they show one face: most
pairs of one face reach 0.9, two faces of one print, even taverns, 0.77 at the most."""
PARTS = 6
"""A tile is judged in so many parts along each edge."""
EDGE_SHARE = 1 / 12
"""What of a tile is left out along each edge: what lies beyond it may show there."""
LEAST_CONTRAST = 0.5
"""Contrast of a part relative to the whole tile's, below which it shows nothing."""
FEWEST_PARTS = 6
"""With fewer parts in which something can be seen, nothing is known."""
_SHOWN = 250
LIKE_ENOUGH = 0.5
"""Tiles whose middles correlate less anywhere are not laid over one another."""
_COARSE_TO_FINE = (3.0, 1.5)
"""Blur in pixels under which tiles are laid over one another, step by step."""
_MOST_STEPS = 20
_SOFTENED_PX = 1.0
_FURTHEST_SHIFT = 1 / 6
"""How far apart two tiles may have been cut out, in tile widths."""

ALIKE_TAVERNS = 0.5
"""Four tiles that correlate as well with one another are the taverns of one print ..."""
CLEARLY_ALIKE = 0.08
"""... if none of the other tiles comes as near to one of them, by so much."""
_TAVERNS = frozenset(number for number, face in enumerate(FACES) if face.is_tavern)


def check_distinct(pictures: Sequence[Image], name: str) -> None:
    """Refuse a grid in which a face lies twice.

    Args:
        pictures: of the nine tiles, (n, n, 3) BGR, upright, in the order of ``FACES``.
        name: of the photo.

    Raises:
        EditionError: ``teach-alike``, naming the two places.
    """
    for first, second in combinations(range(len(pictures)), 2):
        if agreement(pictures[first], pictures[second]) >= LEAST_AGREEMENT:
            raise EditionError(
                "teach-alike",
                "the tiles in the places of {first} and {second} look the same: lay one tile of "
                "each face",
                name,
                first=FACES[first].value,
                second=FACES[second].value,
            )


def check_taverns(pictures: Sequence[Image], name: str) -> None:
    """Refuse a grid whose taverns lie in wrong places, in a print where they are nearly alike.

    This finds a wrong order, and a wrong way up, of a look that no network knows. Prints whose
    taverns differ as much as other faces are let pass.

    Args:
        pictures: of the nine tiles, (n, n, 3) BGR, in the order of ``FACES``.
        name: of the photo.

    Raises:
        EditionError: ``teach-wrong-order``.
    """
    small = [compared(picture) for picture in pictures]
    models = middles(small)
    alike = np.array([[_best_likeness(models, tile, n) for n in range(4)] for tile in small])
    alike = alike.transpose(2, 0, 1)  # tile, turned tile, quarters
    best = alike.max(axis=2)
    four = _four_alike(np.minimum(best, best.T))
    if four is None:
        return
    if four != _TAVERNS:
        raise EditionError(
            "teach-wrong-order",
            "the four tiles that look nearly alike do not lie where the taverns belong: {advice}",
            name,
            advice=HOW_TO_LAY,
        )
    for tavern in sorted(four):
        others = sorted(four - {tavern})
        if int(alike[others, tavern].sum(axis=0).argmax()) != 0:
            raise EditionError(
                "teach-wrong-order",
                "the tile {face} does not lie upright: {advice}",
                name,
                face=FACES[tavern].value,
                advice=HOW_TO_LAY,
            )


def _best_likeness(models: Vectors, tile: Image, quarters: int) -> FloatImage:
    """How alike each model is to the tile turned back by quarters, wherever it fits best."""
    turned = np.ascontiguousarray(np.rot90(tile, quarters))
    return floats((models @ all_windows(turned).T).max(axis=1))


def _four_alike(best: FloatImage) -> frozenset[int] | None:
    """The four tiles that are all alike and like no other; None: there are no such four."""
    for four in combinations(range(len(best)), len(_TAVERNS)):
        others = [n for n in range(len(best)) if n not in four]
        least = min(float(best[pair]) for pair in combinations(four, 2))
        if least >= ALIKE_TAVERNS and least >= float(best[np.ix_(four, others)].max()) + (
            CLEARLY_ALIKE
        ):
            return frozenset(four)
    return None


def agreement(first: Image, second: Image) -> float:
    """How far two tiles of the same size agree where they agree least: -1 to 1."""
    greys = [np.asarray(cv2.cvtColor(t, cv2.COLOR_BGR2GRAY), np.uint8) for t in (first, second)]
    shift, likeness = _shift(greys[0], greys[1])
    if likeness < LIKE_ENOUGH:
        return likeness
    ways = shift, _best_fit(greys[0], greys[1], shift)
    return max(_least_agreement(first, second, way) for way in ways)


def _best_fit(first: Image, second: Image, start: FloatImage) -> FloatImage:
    """The affine map (2, 3) from a grey tile to another at which they fit best.

    Maximises the enhanced correlation coefficient (Evangelidis and Psarakis 2008), beginning with
    ``start``; that is left where they are so unlike that no map is better than another.
    """
    moved = start
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _MOST_STEPS, 1e-3)
    try:
        for blur in _COARSE_TO_FINE:
            soft, softer = (cv2.GaussianBlur(levels, (0, 0), blur) for levels in (first, second))
            _, found = cv2.findTransformECC(soft, softer, moved, cv2.MOTION_AFFINE, steps)
            moved = floats(found)
    except cv2.error:
        return start
    return moved


def _shift(first: Image, second: Image) -> tuple[FloatImage, float]:
    """The shift (2, 3) at which the middle of a grey tile fits another best, and how well."""
    room = round(first.shape[0] * _FURTHEST_SHIFT)
    middle = first[room:-room, room:-room]
    fits = cv2.matchTemplate(second, middle, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(fits)
    return floats([[1, 0, x - room], [0, 1, y - room]]), best


def _least_agreement(first: Image, second: Image, moved: FloatImage) -> float:
    """How far the tiles agree where they agree least, as far as both pictures show them.

    Args:
        first: a picture of a tile.
        second: another of the same size.
        moved: the affine map (2, 3) from the first one to the second.
    """
    size = (first.shape[1], first.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    over = cv2.warpAffine(second, moved, size, flags=flags)
    seen = cv2.warpAffine(np.full(second.shape[:2], 255, np.uint8), moved, size, flags=flags)
    tiles = [_inside(tile) for tile in (first, np.asarray(over, np.uint8))]
    faint = LEAST_CONTRAST * max(float(tile.std()) for tile in tiles)
    agreements = [
        _correlation(a, b)
        for a, b, shown in zip(*map(_parts, (*tiles, _inside(floats(seen)))), strict=True)
        if shown.min() > _SHOWN and max(_contrast(a), _contrast(b)) >= faint
    ]
    return min(agreements) if len(agreements) >= FEWEST_PARTS else -1.0


def _inside(tile: Image | FloatImage) -> FloatImage:
    """The tile without its edges, softened."""
    edge = round(tile.shape[0] * EDGE_SHARE)
    soft = cv2.GaussianBlur(tile, (0, 0), _SOFTENED_PX)
    return floats(soft)[edge:-edge, edge:-edge]


def _parts(tile: FloatImage) -> list[FloatImage]:
    return [
        part
        for row in np.array_split(tile, PARTS, axis=0)
        for part in np.array_split(row, PARTS, axis=1)
    ]


def _contrast(part: FloatImage) -> float:
    """Root mean square of the levels (h, w, 3) about the mean of their channel."""
    return float(np.sqrt(part.reshape(-1, 3).var(axis=0).mean()))


def _correlation(first: FloatImage, second: FloatImage) -> float:
    """Of parts (h, w, 3), each channel about its own mean."""
    a, b = (part.reshape(-1, 3) - part.reshape(-1, 3).mean(axis=0) for part in (first, second))
    lengths = float(np.linalg.norm(a)) * float(np.linalg.norm(b))
    return float((a * b).sum()) / max(lengths, 1e-6)
