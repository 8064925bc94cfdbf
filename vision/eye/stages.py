"""The stages of reading in order: look, place, complete, recognise, account for the rest.

Every part of the table is seen with tiles about ``BEST_PX`` wide before the reading ends. What
the looks show is united, none is chosen; what becomes of each thing stands in a ``Ledger``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.editions.model import Model
from vision.eye.completion import FEWEST, complete, is_good
from vision.eye.identify import cosines
from vision.eye.lattice import Unexplained, leftovers, overlap
from vision.eye.ledger import SAME_THING, Explained, Explanation, Ledger, meets
from vision.eye.placement import (
    BEST_PX,
    CLEAR_PX,
    CLOSER,
    MOST_CLOSER,
    Candidate,
    Sight,
    aligned,
    first_scales,
    grids_in,
    look,
    place_grids,
    reduction,
)
from vision.eye.recognise import (
    MIN_BEST_SIMILARITY,
    MIN_TYPICAL_SIMILARITY,
    RecognisedGrid,
    is_smeared,
    recognise,
)
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads

LIKE_WHOLE: Final = 0.6
"""Mean probability of whole tiles from which on a refused grid is asked about,"""
LIKE_KNOWN: Final = 0.42
"""and its mean similarity to known faces. Lower: cloths are asked about; higher: dark or dazzled
cities are not."""
LEAST_STEP: Final = 1.3
"""Least growth of the area from look to look; less shows nothing new."""
MOST_STEP: Final = 4.0
"""Most growth, lest one wrong size of tiles make a look far too close."""
MIN_UNREAD_SHARE: Final = 0.3
"""Share of a grid above which tiles that lie together without one may be a grid left unread."""
MAX_TILE_SIZE_RATIO: Final = 1.3
"""Ratio of the sides of tiles up to which grids have tiles of one size."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoRead:
    """Reading of a photo, before names and notes.

    Attributes:
        grids: all that were read.
        unread: (4, 2) round each thing that may be a grid and could not be read.
        explained: what looks like tiles and is no grid.
        typical: median similarity to references of each grid that was seen, also of other looks.
        smeared: whether the camera moved while it took the photo.
        seen_px: (n, 2) centres of all tiles that the locator detected in any look.
        locating_ms: time that the search took.
    """

    grids: tuple[RecognisedGrid, ...]
    unread: tuple[Floats, ...] = ()
    explained: tuple[Explained, ...] = ()
    typical: tuple[float, ...] = ()
    smeared: bool = False
    seen_px: Floats = field(default_factory=lambda: np.empty((0, 2), np.float32))
    locating_ms: float = 0.0

    @property
    def sure(self) -> int:
        """Number of tiles that are sure."""
        return sum(grid.confidence.size - len(grid.unsure) for grid in self.grids)


def read(pyramid: Pyramid, model: Model, scale: float = 1.0) -> PhotoRead:
    """Read a photo; ``scale`` as of ``look``. A model that knows no face finds nothing."""
    if not len(model.references.face):
        return PhotoRead(())
    if model.layout.board:
        return _read_boards(pyramid, model, scale)
    return _read_free(pyramid, model, scale)


def _read_free(pyramid: Pyramid, model: Model, scale: float) -> PhotoRead:
    """Read grids of free tiles."""
    start = perf_counter()
    sights, candidates, share = _first_looks(pyramid, model, scale)
    for passes in range(MOST_CLOSER):
        good = [each for each in candidates if is_good(each)]
        tile_px = _tile_px(good or candidates) / reduction(pyramid, scale * share)
        finest = reduction(pyramid, scale * share) <= 1
        all_found = len(good) >= model.layout.most_grids
        # Where nothing is known yet, one closer look has to do
        enough = tile_px > CLEAR_PX if good else passes > 0
        if finest or all_found or enough:
            break
        if good:
            share *= min(max((BEST_PX / tile_px) ** 2, LEAST_STEP), MOST_STEP)
        else:
            share = max(share * CLOSER, 1.0)
        sights.append(look(pyramid, model.layout, scale * share))
        more = _placed_in(pyramid, sights[-1], good, model)
        candidates = _disjoint([*candidates, *more])
    left = _leftovers(sights, [each.corners_px for each in candidates], model)
    candidates, refused = complete(pyramid, candidates, sights[-1], left, model)
    locating_ms = (perf_counter() - start) * 1000
    ledger = Ledger()
    found = _recognised(pyramid, candidates, model, ledger)
    _account(pyramid, sights, found, refused, model, ledger)
    return _finished(found, sights, ledger, locating_ms)


def _read_boards(pyramid: Pyramid, model: Model, scale: float) -> PhotoRead:
    """Read printed boards; closer once more where the place of one is not certain."""
    start = perf_counter()
    sights, candidates, share = _first_looks(pyramid, model, scale)
    locating_ms = (perf_counter() - start) * 1000
    ledger = Ledger()
    found = _recognised(pyramid, candidates, model, ledger)
    certain = bool(found.grids) and all(grid.certain for grid in found.grids)
    if not certain and reduction(pyramid, scale * share) > 1:
        share = max(share * CLOSER, 1.0)
        sights.append(look(pyramid, model.layout, scale * share))
        candidates += _placed_in(pyramid, sights[-1], (), model)
        again = Ledger()
        closer = _recognised(pyramid, candidates, model, again)
        found, ledger = unite((found, ledger), (closer, again))
    _account(pyramid, sights, found, (), model, ledger)
    return _finished(found, sights, ledger, locating_ms)


def _finished(
    found: PhotoRead, sights: Sequence[Sight], ledger: Ledger, locating_ms: float
) -> PhotoRead:
    return replace(
        found,
        unread=tuple(ledger.unread),
        explained=tuple(ledger.explained),
        seen_px=np.concatenate([sight.detected_px for sight in sights]),
        locating_ms=locating_ms,
    )


def _first_looks(
    pyramid: Pyramid, model: Model, scale: float
) -> tuple[list[Sight], list[Candidate], float]:
    """Look until grids of known faces show; the share of the usual area in the last look used."""
    sights: list[Sight] = []
    best: tuple[list[Candidate], float] = ([], 0.0)
    for share in first_scales(model.layout):
        sights.append(look(pyramid, model.layout, scale * share))
        candidates = _placed_in(pyramid, sights[-1], (), model)
        # A cloth that resembles tiles may hide that there are some
        if any(each.mean_similarity > MIN_TYPICAL_SIMILARITY for each in candidates):
            best = candidates, share
            break
        best = max(best, (candidates, share), key=lambda each: (bool(each[0]), each[1]))
    candidates, share = best
    return sights, candidates if model.layout.board else _disjoint(candidates), share


def _placed_in(
    pyramid: Pyramid,
    sight: Sight,
    known: Sequence[Candidate],
    model: Model,
) -> list[Candidate]:
    """Place the grids that a look shows beside those that are known, some in several ways."""
    quads = [each.corners_px for each in known]
    candidates: list[Candidate] = []
    for found in grids_in(pyramid, sight, model.layout):
        new = tuple(g for g in found.grids if not meets(g.corners_px(found.camera), quads))
        camera, placed = place_grids(pyramid, replace(found, grids=new), model)
        candidates += aligned(pyramid, camera, placed, model)
    return candidates


def _disjoint(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keep of grids that overlap those whose tiles are whole and known best."""
    kept: list[Candidate] = []
    for each in sorted(candidates, key=lambda each: -each.support):
        if not meets(each.corners_px, [other.corners_px for other in kept]):
            kept.append(each)
    return kept


def unite(
    first: tuple[PhotoRead, Ledger], second: tuple[PhotoRead, Ledger]
) -> tuple[PhotoRead, Ledger]:
    """Unite two readings: the grids of the surer one; what the other alone has stays unread."""
    (other, left), (better, before) = sorted((second, first), key=lambda each: _worth(*each))
    ledger = Ledger([*before.unread], [*before.explained])
    places = [*(grid.corners_px for grid in better.grids)]
    for quad in (*(grid.corners_px for grid in other.grids), *left.unread):
        if not meets(quad, places):
            ledger.leave_unread(quad)
    ledger.explained += left.explained
    return better, ledger


def _worth(read: PhotoRead, ledger: Ledger) -> tuple[float, ...]:
    """Return the sort key of a reading: a better one has the greater key."""
    # Where no tile is sure, how like known ones they are
    similarity = 0.0 if read.sure else sum(read.typical)
    return read.sure, len(read.grids), -len(ledger.unread), similarity


def _tile_px(grids: Sequence[RecognisedGrid] | Sequence[Candidate]) -> float:
    """Median side of the tiles of grids; 0: there are none."""
    areas = [cv2.contourArea(each.corners_px) / len(each) for each in grids]
    return float(np.sqrt(np.median(areas))) if areas else 0.0


def _leftovers(
    sights: Sequence[Sight],
    quads_px: Sequence[Floats],
    model: Model,
    aside: float = 0.5,
) -> list[Unexplained]:
    """Tiles that any look shows outside of some quads, in groups that lie together."""
    areas = [cv2.contourArea(quad) for quad in quads_px]
    tile_px = float(np.sqrt(min(areas, default=0.0) / (model.layout.rows * model.layout.columns)))
    parts = 2.0 if model.layout.quartered and not tile_px else 1.0
    left: list[Unexplained] = []
    for sight in reversed(sights):
        known = [*quads_px, *(each.quad_px for each in left)]
        left += leftovers(sight.detections, sight.scale, known, tile_px, parts, aside)
    return left


def _may_be_a_grid(group: Unexplained, model: Model) -> bool:
    """Whether tiles that lie together are enough to be what is seen of a grid."""
    return group.count > MIN_UNREAD_SHARE * model.layout.rows * model.layout.columns


def _recognised(
    pyramid: Pyramid,
    candidates: Sequence[Candidate],
    model: Model,
    ledger: Ledger,
) -> PhotoRead:
    """Recognise grids; of candidates that overlap, that whose faces are known best."""
    kept: list[Candidate] = []
    quads: list[Floats] = []
    candidates = sorted(candidates, key=lambda each: -each.mean_similarity)
    good = [each for each in candidates if is_good(each)]
    usual = float(
        np.median([each.placed.grid.lattice.cell_size for each in good or candidates[:1]] or [1])
    )
    for each in candidates:
        corners = each.corners_px
        if meets(corners, quads):
            continue
        quads.append(corners)
        if abs(np.log(each.placed.grid.lattice.cell_size / usual)) > np.log(MAX_TILE_SIZE_RATIO):
            if each.similarity.max() < MIN_BEST_SIMILARITY:
                ledger.explain(corners, Explanation.OTHER_SIZE)
            else:
                ledger.leave_unread(corners)
        elif len(kept) >= model.layout.most_grids:
            ledger.leave_unread(corners)
        else:
            kept.append(each)
    smeared = is_smeared(pyramid, kept)
    grids, typical = recognise(pyramid, kept, model, ledger=ledger, smeared=smeared)
    return PhotoRead(grids, typical=typical, smeared=smeared)


def _account(
    pyramid: Pyramid,
    sights: Sequence[Sight],
    found: PhotoRead,
    refused: Sequence[Candidate],
    model: Model,
    ledger: Ledger,
) -> None:
    """Enter every detection that lies in nothing that was read or entered."""
    known = [*(grid.corners_px for grid in found.grids), *ledger.quads_px]
    for group in _leftovers(sights, known, model):
        if group.count >= FEWEST and _nearly_a_grid(group, refused):
            ledger.leave_unread(group.quad_px)
        elif not _may_be_a_grid(group, model):
            ledger.explain(group.quad_px, Explanation.LOOSE)
        elif _may_be_known(pyramid, group, model):
            ledger.leave_unread(group.quad_px)
        else:
            ledger.explain(group.quad_px, Explanation.NO_KNOWN_FACE)
    known = [*(grid.corners_px for grid in found.grids), *ledger.quads_px]
    for group in _leftovers(sights, known, model, aside=0.0):
        ledger.explain(group.quad_px, Explanation.ASIDE)


def _nearly_a_grid(group: Unexplained, refused: Sequence[Candidate]) -> bool:
    """Whether a grid that was refused lies there and looks like one too dark to tell."""
    return any(
        each.mean_whole > LIKE_WHOLE
        and each.mean_similarity > LIKE_KNOWN
        and overlap(group.quad_px, each.corners_px) > SAME_THING
        for each in refused
    )


def _may_be_known(photo: Pyramid, left: Unexplained, model: Model) -> bool:
    """Whether anything among tiles that lie together is like a known face."""
    quad = left.quad_px
    wide, high = (float(np.linalg.norm(quad[k] - quad[0])) / left.tile_px for k in (1, 3))
    steps = [np.linspace(0, max(size - 1, 0), max(int(2 * size) - 1, 1)) for size in (wide, high)]
    places = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 1, 2) + UNIT_SQUARE
    quads = points_in_quads(
        np.repeat(quad[None], len(places), axis=0), floats(places / [wide, high])
    )
    similarity = cosines(embed_quads(photo, quads), model.references)
    return bool(similarity.max() > MIN_BEST_SIMILARITY)
