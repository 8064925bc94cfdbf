"""The stages in order: locate, place, align, recognise; and closer, up to thrice, if in doubt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.identify import cosines
from vision.lattice import Unexplained, overlap
from vision.model import Model
from vision.parameters import EyeParameters
from vision.patches import CORNERS, Pyramid, embed_at, inside
from vision.placement import (
    CLEAR_PX,
    CLOSER,
    MOST_CLOSER,
    SMALL_PX,
    Candidate,
    aligned,
    first_scales,
    locate,
    place_grids,
    reduction,
)
from vision.recognise import RecognisedGrid, is_smeared, recognise


@dataclass(frozen=True, slots=True, eq=False)
class PhotoRead:
    """What was read of a photo.

    Attributes:
        grids: all that were found.
        unread: quads where something may lie that could not be read.
        typical: median similarity to references of each grid that was seen, also of other looks.
        smeared: whether the camera moved while it took the photo.
        locating_ms: time that finding them took, without placing them.
    """

    grids: tuple[RecognisedGrid, ...]
    unread: tuple[Floats, ...]
    typical: tuple[float, ...]
    smeared: bool = False
    locating_ms: float = 0.0

    @property
    def sure(self) -> int:
        """How many tiles are sure."""
        return sum(grid.confidence.size - len(grid.unsure) for grid in self.grids)


def read(pyramid: Pyramid, model: Model, p: EyeParameters, scale: float = 1.0) -> PhotoRead:
    """Read a photo; ``scale`` as of ``locate``. A model that knows no face finds none."""
    if not len(model.references.face):
        return PhotoRead((), (), ())
    candidates: list[Candidate] = []
    left: tuple[Unexplained, ...] = ()
    locating_ms = 0.0
    for share in first_scales(model.layout):
        more, rest, spent_ms = _candidates(pyramid, scale * share, model, p)
        locating_ms += spent_ms
        # A cloth that resembles tiles may hide that there are some
        if any(each.mean_similarity > p.least_typical for each in more):
            candidates, left = more, rest
            break
        candidates, left = candidates or more, left or rest
    else:
        share = max(first_scales(model.layout))
    seen = _recognised(pyramid, candidates, left, model, p)
    first_share = share
    for passes in range(MOST_CLOSER):
        certain = bool(seen.grids) and all(grid.certain for grid in seen.grids)
        certain &= model.layout.board or not seen.unread
        tile_px = _tile_px(seen.grids or candidates) / reduction(pyramid, scale)
        small = tile_px * np.sqrt(first_share) < SMALL_PX
        clear = tile_px * np.sqrt(share) > CLEAR_PX
        all_seen = len(seen.grids) == model.layout.most_grids or not candidates
        finest = reduction(pyramid, scale * share) <= 1
        if (certain or passes) and (all_seen or clear or not small or finest):
            break
        # Tiles may be too small, or too few of them seen, to tell where all grids lie
        share = max(share * CLOSER, 1.0)
        closer, left, spent_ms = _candidates(pyramid, scale * share, model, p)
        locating_ms += spent_ms
        candidates += closer
        seen = _better(seen, _recognised(pyramid, candidates, left, model, p), p)
    return replace(seen, locating_ms=locating_ms)


def _better(before: PhotoRead, now: PhotoRead, p: EyeParameters) -> PhotoRead:
    """The better of two readings of a photo, with what the other one alone takes for a grid."""
    other, better = sorted((now, before), key=_worth)
    alone = (grid.corners_px for grid in other.grids)
    places = [*(grid.corners_px for grid in better.grids), *better.unread]
    unread = (*better.unread, *(quad for quad in alone if not _overlaps(quad, places, p)))
    return replace(better, unread=unread)


def _tile_px(grids: Sequence[RecognisedGrid] | Sequence[Candidate]) -> float:
    """How large the tiles of grids are, mostly; 0: there are none."""
    areas = [cv2.contourArea(each.corners_px) / len(each) for each in grids]
    return float(np.sqrt(np.median(areas))) if areas else 0.0


def _worth(read: PhotoRead) -> tuple[float, ...]:
    """What makes one reading of a photo better than another, the first thing first."""
    # Where no tile is sure, how like known ones they are
    similarity = 0.0 if read.sure else sum(read.typical)
    return read.sure, len(read.grids), -len(read.unread), similarity


def _candidates(
    pyramid: Pyramid, scale: float, model: Model, p: EyeParameters
) -> tuple[list[Candidate], tuple[Unexplained, ...], float]:
    """Grids found at a scale, some in several ways; what is left beside them; ms to locate them."""
    start = perf_counter()
    several = locate(pyramid, model.layout, p, scale)
    spent_ms = (perf_counter() - start) * 1000
    candidates: list[Candidate] = []
    left: tuple[Unexplained, ...] = ()
    for found in several:
        left = left or found.left
        camera, placed = place_grids(pyramid, found, model, p)
        candidates += aligned(pyramid, camera, placed, model, p)
    return candidates, left, spent_ms


def _recognised(
    pyramid: Pyramid,
    candidates: Sequence[Candidate],
    left: tuple[Unexplained, ...],
    model: Model,
    p: EyeParameters,
) -> PhotoRead:
    """The grids of a photo; of candidates that overlap, that whose faces are known best."""
    kept: list[Candidate] = []
    quads: list[Floats] = []
    unread: list[Floats] = []
    for each in sorted(candidates, key=lambda each: -each.mean_similarity):
        corners = each.corners_px
        if _overlaps(corners, quads, p):
            continue
        quads.append(corners)
        size = each.placed.grid.plane.size
        usual = kept[0].placed.grid.plane.size if kept else size
        other = abs(np.log(size / usual)) > np.log(p.metric_ratio)
        if other or len(kept) >= model.layout.most_grids:
            unread.append(corners)
        else:
            kept.append(each)
    unread += [
        each.quad_px
        for each in left
        if not _overlaps(each.quad_px, quads, p) and _may_be_known(pyramid, each, model, p)
    ]
    smeared = is_smeared(pyramid, kept, p)
    grids, foreign, typical = recognise(pyramid, kept, model, p, smeared=smeared)
    return PhotoRead(grids, (*unread, *foreign), typical, smeared)


def _overlaps(quad: Floats, others: Sequence[Floats], p: EyeParameters) -> bool:
    """Whether a quad has more than a little in common with any other."""
    return any(overlap(quad, other) > p.most_overlap for other in others)


def _may_be_known(photo: Pyramid, left: Unexplained, model: Model, p: EyeParameters) -> bool:
    """Whether anything among tiles that lie together is like a known face."""
    quad = left.quad_px
    wide, high = (float(np.linalg.norm(quad[k] - quad[0])) / left.tile_px for k in (1, 3))
    steps = [np.linspace(0, max(size - 1, 0), max(int(2 * size) - 1, 1)) for size in (wide, high)]
    places = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 1, 2) + CORNERS
    quads = inside(np.repeat(quad[None], len(places), axis=0), floats(places / [wide, high]))
    similarity = cosines(embed_at(photo, quads), model.references)
    return bool(similarity.max() > p.least_known)
