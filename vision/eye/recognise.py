"""Recognition of placed grids: faces, figures, way up, and how sure each is.

Frames: ``_px`` photo pixels. Tiles are in the order of their grid's cells, row by row as they lie
in the photo; a ``RecognisedGrid`` is turned upright. Turns are in quarters, those of grids
anticlockwise, those of tiles clockwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Masks, ParallelArrays, floats
from vision.editions.model import Model
from vision.editions.references import TURNS
from vision.eye.camera import cell_quads_px
from vision.eye.confidence import (
    SURE_CONFIDENCE,
    SURE_CONFIDENCE_SMEARED,
    apply_votes,
    tile_confidence,
)
from vision.eye.consensus import collect_votes
from vision.eye.figures import FiguresOnGrid, find_figures
from vision.eye.identify import (
    MAX_COLOUR_COST,
    MIN_SIMILARITY,
    MIN_UPRIGHT_MARGIN,
    Light,
    Matches,
    RankedTiles,
    Ranking,
    best_matches,
    cosines,
    fit_light,
    fit_weights,
    rank_faces,
    turn_scores,
)
from vision.eye.ledger import Explanation, Ledger
from vision.eye.photo_quality import edge_evenness
from vision.eye.placement import Candidate, cells_beside
from vision.eye.quads import may_go_on_outside, outer_lines
from vision.eye.windows import (
    examine_odd_windows,
    judge_by_windows,
    rotate_parts,
    similarity_under_feet,
)
from vision.patches.cut import (
    UNIT_SQUARE,
    Pyramid,
    embed_quads,
    embed_quads_averaged,
    points_in_quads,
)
from vision.patches.embedding import MIN_WHOLE, PART_COUNT, PARTS_ACROSS, Embeddings

ONE_FACE_SHARE: Final = 0.9
"""Share of tiles with the same nearest face above which a grid may lie face down."""
MIN_WASHED_OUT_SIMILARITY: Final = 0.5
"""Median similarity above which light may have washed out known faces; less is like no face."""
MAX_SIDE_SUPPORT: Final = 0.6
"""Support (``Candidate.support``) along a side of a grid, as a share of its own, below which the
grid ends there. Smaller: grids that lie close together are not read; larger: squared cloth is."""
MIN_TYPICAL_SIMILARITY: Final = 0.69
"""Least median similarity of a grid of the edition's tiles to references. Smaller: other things are
read; larger: tiles in dim light are taken for another look."""
MIN_TYPICAL_SIMILARITY_SAME: Final = 0.8
"""The same for a grid whose tiles all look the same; with less, it lies face down."""
MIN_SAME_SHARE: Final = 0.5
"""Least share of places with whole tiles of a grid that may lie face down."""
MIN_SAME_COSINE: Final = 0.9
"""Median cosine of tiles and their mean above which they all look the same."""
MIN_BEST_SIMILARITY: Final = 0.8
"""Similarity to references that at least one tile needs, of tiles in no grid or in a doubtful one,
for these to be of the edition."""
MIN_WHOLE_SHARE: Final = 0.75
"""Share of places with whole tiles above which a thing like no face may be a grid."""
CLEARLY_WHOLE_TILE: Final = 0.9
"""Probability of a whole tile above which one clearly lies there, whatever its face."""
MIN_WASHED_OUT_SHARE: Final = 0.9
"""Share of places with whole tiles above which a grid may have been washed out by light."""
MAX_UNSURE_SHARE: Final = 0.5
"""Share of unsure cells above which a whole grid is flagged."""
MIN_SURE_END_SHARE: Final = 0.5
"""Share of sure tiles in each outermost row above which a grid with none beside it lies there."""
MIN_TURNED_MARGIN: Final = 0.05
"""Least lead in similarity of another turn than that of its grid, for a tile that lies in it."""
MAX_TURNED_SHARE: Final = 0.25
"""Share of turned tiles above which a whole grid of upright tiles is flagged."""
MAX_HIDDEN_SIMILARITY: Final = 0.75
"""Similarity to its face below which an unsure tile is hidden by something, or there is none."""
TABLE_COLOUR_WEIGHT: Final = 0.5
"""Similarity to the table lost by a unit of squared difference of log colours."""
MIN_EVENNESS: Final = 0.55
"""``photo_quality.edge_evenness`` below which a photo is smeared because the camera moved."""


@dataclass(frozen=True, slots=True, eq=False)
class RecognisedGrid:
    """Recognised grid, upright.

    Attributes:
        corners_px: Shape (4, 2), top left first.
        quads_px: Shape (rows, columns, 4, 2), of tiles and empty places.
        faces: Rows of names; None for an empty place.
        turns: Shape (rows, columns), quarters clockwise by which each tile is turned.
        similarity: Shape (rows, columns, faces of the model); the similarity to the face that is
            read leads by the margin of all comparisons.
        rivals: For each place the names and turns of the next faces, the likeliest first.
        certain: True if place, size and ends are certain.
        upright: True if the way up is certain, or tiles may lie any way round.
        confidence: Shape (rows, columns), probability that each face is right.
        evidence: Shape (rows, columns, 5), see ``vision.eye.confidence``.
        windows: Shape (rows, columns, PARTS_ACROSS, PARTS_ACROSS), similarity of windows to those
            of the face that is read, for tiles in doubt and odd windows; 1 if not examined.
        unsure: Places (row, column) that a person has to check.
        figures: Figures on the grid; None if the game has none.
    """

    corners_px: Floats
    quads_px: Floats
    faces: tuple[tuple[str | None, ...], ...]
    turns: NDArray[np.intp]
    similarity: Doubles
    rivals: dict[tuple[int, int], tuple[tuple[str | None, int], ...]]
    certain: bool
    upright: bool
    confidence: Doubles
    evidence: Doubles
    windows: Floats
    unsure: tuple[tuple[int, int], ...]
    figures: FiguresOnGrid | None = None

    def __len__(self) -> int:
        return self.confidence.size


@dataclass(frozen=True, slots=True, eq=False)
class Certainty(ParallelArrays):
    """Certainty of the faces of n tiles.

    Attributes:
        evidence: Shape (n, 5), see ``vision.eye.confidence``.
        windows: Shape (n, PART_COUNT), as of ``RecognisedGrid``, of upright tiles.
        by_itself: Shape (n,), probability that each face is right, by the tile alone.
        confidence: Shape (n,), the same after the votes of the photo's other tiles.
        sure: Shape (n,), True for faces that are sure.
    """

    evidence: Doubles
    windows: Floats
    by_itself: Doubles
    confidence: Doubles
    sure: Masks


def recognise_grids(
    photo: Pyramid,
    candidates: Sequence[Candidate],
    model: Model,
    *,
    ledger: Ledger,
    smeared: bool = False,
) -> tuple[tuple[RecognisedGrid, ...], tuple[float, ...]]:
    """Recognise the tiles of all grids of a photo.

    Args:
        photo: Photo.
        candidates: Grids.
        model: Model of the edition.
        ledger: Ledger that gets the things that are no grid, and the grids that cannot be read.
        smeared: True if the camera moved; more tiles are flagged then.

    Returns:
        The grids, and the median similarities to their faces of these and of the unread ones.
    """
    if not candidates:
        return (), ()
    turned = [_find_turn(each, model) for each in candidates]
    turns = [turn for turn, _ in turned]
    figures = [_find_figures_on(photo, each, model) if model.foot else None for each in candidates]
    covered = np.concatenate(
        [
            np.zeros((len(each), PART_COUNT), bool) if on_it is None else on_it.covered
            for each, on_it in zip(candidates, figures, strict=True)
        ]
    )
    tiles = _rank_tiles(photo, candidates, turns, covered, model)
    tiles, certainty = _judge_tiles(tiles, candidates, turns, covered, model, smeared=smeared)
    figures = _examine_figure_windows(figures, tiles, _grid_slices(candidates), certainty.sure)
    companions = any(
        np.median(tiles.ranking.similarity[mine]) >= MIN_TYPICAL_SIMILARITY
        for mine in _grid_slices(candidates)
    )
    grids, typical = [], []
    for each, (turn, clear), on_it, mine in zip(
        candidates, turned, figures, _grid_slices(candidates), strict=True
    ):
        ranking = tiles.ranking.take(mine)
        similarity = float(np.median(ranking.similarity))
        whole = _whole_places(photo, each)
        why = _explain(each, whole, similarity)
        if why is not None:
            ledger.explain(each.corners_px, why)
            continue
        typical.append(similarity)
        if not _is_readable(photo, each, whole, ranking, model, companions=companions):
            ledger.leave_unread(each.corners_px)
            continue
        grid = _make_grid(
            photo,
            each,
            tiles.matches.take(mine),
            ranking,
            certainty.take(mine),
            turn,
            _find_empty_places(photo, each, ranking, model),
            on_it,
            model,
            clear=clear,
            alone=lambda candidate: stands_out(photo, candidate, model),
        )
        if grid is None:
            rows, columns = each.placed.grid.shape
            # The row beside it may be its own
            beyond = (UNIT_SQUARE * 2 - 1) / floats([columns, rows])
            ledger.leave_unread(
                points_in_quads(each.corners_px[None], (UNIT_SQUARE + beyond)[None])[0]
            )
        else:
            grids.append(grid)
    return tuple(grids), tuple(typical)


def _explain(candidate: Candidate, whole: Masks, similarity: float) -> Explanation | None:
    """Return why a grid is none of the game; None if it may be one.

    Args:
        candidate: Grid.
        whole: Shape (n,), places with whole tiles.
        similarity: Median similarity of its tiles to their faces.
    """
    if similarity >= MIN_TYPICAL_SIMILARITY:
        return None
    if _look_the_same(candidate.placed.embeddings, whole):
        return Explanation.FACE_DOWN
    if candidate.similarity.max() < MIN_BEST_SIMILARITY:
        if whole.mean() <= MIN_WHOLE_SHARE:
            return Explanation.NO_TILES
        if similarity < MIN_WASHED_OUT_SIMILARITY and not candidate.placed.certain:
            return Explanation.OTHER_SHAPE
    return None


def _is_readable(
    photo: Pyramid,
    candidate: Candidate,
    whole: Masks,
    ranking: Ranking,
    model: Model,
    *,
    companions: bool,
) -> bool:
    """Return whether a grid shows the edition's faces, if only washed out by light.

    Args:
        photo: Photo.
        candidate: Grid.
        whole: Shape (n,), places with whole tiles.
        ranking: Ranking of its faces.
        model: Model of the edition.
        companions: True if other grids of known faces lie on the table.
    """
    similarity = float(np.median(ranking.similarity))
    if similarity >= MIN_TYPICAL_SIMILARITY:
        one_face = np.bincount(ranking.order[:, 0]).max() > ONE_FACE_SHARE * len(candidate)
        return not (
            similarity < MIN_TYPICAL_SIMILARITY_SAME
            and one_face
            and _look_the_same(candidate.placed.embeddings, whole)
        )
    # Tiles of another edition resemble some face, too; washed out ones lie among companions
    return bool(
        companions
        and similarity > MIN_WASHED_OUT_SIMILARITY
        and whole.mean() > MIN_WASHED_OUT_SHARE
        and stands_out(photo, candidate, model)
    )


def _grid_slices(candidates: Sequence[Candidate]) -> list[slice]:
    """Return the slice of all tiles that belongs to each grid."""
    ends = np.cumsum([0, *map(len, candidates)]).tolist()
    return [slice(first, end) for first, end in pairwise(ends)]


def _rank_tiles(
    photo: Pyramid,
    candidates: Sequence[Candidate],
    turns: Sequence[int],
    covered: Masks,
    model: Model,
) -> RankedTiles:
    """Rank the faces of all tiles; embed tiles in doubt again, averaged over several views."""
    placed = [each.placed for each in candidates]
    matches = Matches.concatenate(
        [
            _match_in_turn(each.similarity, turn, model)
            for each, turn in zip(candidates, turns, strict=True)
        ]
    )
    quads_px = np.concatenate([each.aligned_px for each in placed])
    embeddings = Embeddings.concatenate([each.embeddings for each in placed])
    ranking = rank_faces(photo, quads_px, embeddings, matches, model.references, covered)
    tiles = RankedTiles(photo, quads_px, embeddings, matches, ranking, model.references)
    doubtful = tile_confidence(ranking.evidence(covered)) < SURE_CONFIDENCE
    for mine in _grid_slices(candidates):
        if np.median(ranking.similarity[mine]) < MIN_TYPICAL_SIMILARITY:
            doubtful[mine] = False
    if not doubtful.any():
        return tiles
    averaged = embed_quads_averaged(photo, quads_px[doubtful])
    before = embeddings.take(doubtful)
    better = cosines(averaged, model.references) - cosines(before, model.references)
    again, first = [], 0
    for each, turn, mine in zip(candidates, turns, _grid_slices(candidates), strict=True):
        some = doubtful[mine]
        gain = better[first : first + int(some.sum())]
        first += len(gain)
        again.append(_match_in_turn(floats(each.similarity[some] + gain), turn, model))
    new_matches = Matches.concatenate(again)
    new_ranking = rank_faces(
        photo,
        quads_px[doubtful],
        averaged,
        new_matches,
        model.references,
        covered[doubtful],
        embedder=embed_quads_averaged,
    )
    return replace(
        tiles,
        matches=matches.with_rows(doubtful, new_matches),
        ranking=ranking.with_rows(doubtful, new_ranking),
    )


def _judge_tiles(
    tiles: RankedTiles,
    candidates: Sequence[Candidate],
    turns: Sequence[int],
    covered: Masks,
    model: Model,
    *,
    smeared: bool,
) -> tuple[RankedTiles, Certainty]:
    """Judge all tiles by themselves, by their windows and by the votes of one another."""
    grids = _grid_slices(candidates)
    typical = [np.median(tiles.ranking.similarity[mine]) for mine in grids]
    ours = np.repeat(
        np.array(typical) >= MIN_TYPICAL_SIMILARITY, [len(each) for each in candidates]
    )
    evidence = tiles.ranking.evidence(covered)
    ranking, by_itself, windows, third_lowest = judge_by_windows(tiles, evidence, covered, ours)
    tiles = replace(tiles, ranking=ranking)
    voters = by_itself
    if model.upright:
        # Turned tiles are flagged in any case, and have no vote
        turn = tiles.matches.turn[np.arange(len(voters)), ranking.order[:, 0]]
        voters = np.where(turn == np.repeat(turns, [len(each) for each in candidates]), voters, 0.0)
    confidence = apply_votes(by_itself, collect_votes(tiles, voters, third_lowest))
    sure = confidence > (SURE_CONFIDENCE_SMEARED if smeared else SURE_CONFIDENCE)
    if model.foot:
        windows = examine_odd_windows(tiles, windows, sure, covered, model.layout.tile_cells)
    return tiles, Certainty(ranking.evidence(covered), windows, by_itself, confidence, sure)


def is_smeared(photo: Pyramid, candidates: Sequence[Candidate]) -> bool:
    """Return whether the edges in grids are smeared by a camera that moved."""
    if not candidates:
        return False
    corners = [each.corners_px for each in candidates]
    areas = [
        cv2.contourArea(quad) / len(each) for quad, each in zip(corners, candidates, strict=True)
    ]
    return edge_evenness(photo, corners, float(np.sqrt(np.median(areas)))) < MIN_EVENNESS


def _find_figures_on(photo: Pyramid, candidate: Candidate, model: Model) -> FiguresOnGrid:
    """Find the figures on a grid, with parts of tiles unlike their face as a hint."""
    known, similarity = model.references, candidate.similarity
    embeddings, grid = candidate.placed.embeddings, candidate.placed.grid
    reference, turn = np.divmod(similarity.reshape(len(similarity), -1).argmax(axis=1), TURNS)
    weights = fit_weights(similarity.max(axis=(1, 2)))
    before, after = (v.astype(np.float64) for v in (known.colours[reference], embeddings.colours))
    light = fit_light(before, after, weights.astype(np.float64), Light.neutral())
    parts = (embeddings.parts * known.parts[reference, turn]).sum(axis=2)
    return find_figures(
        photo,
        candidate.corners_px,
        model.foot,
        floats(parts).reshape(*grid.shape, PARTS_ACROSS, PARTS_ACROSS),
        light.apply(model.paints),
    )


def _examine_figure_windows(
    figures: Sequence[FiguresOnGrid | None], tiles: RankedTiles, grids: Sequence[slice], sure: Masks
) -> list[FiguresOnGrid | None]:
    """Add to figures on sure tiles the similarity of the windows under them.

    Args:
        figures: Figures on each grid; None if the game has none.
        tiles: All n tiles of the photo.
        grids: Slice of these for each grid.
        sure: Shape (n,), True for sure faces.
    """
    feet, on_tile = [], []
    for on_it, mine in zip(figures, grids, strict=True):
        if on_it is None:
            continue
        column, row = np.clip(on_it.feet, 0, floats(on_it.shape[::-1]) - 1).astype(int).T
        tile = mine.start + row * on_it.shape[1] + column
        on_tile.append(np.where((on_it.chance > 0) & sure[tile], tile, -1))
        feet.append(on_it.feet % 1)
    if not feet:
        return list(figures)
    every, tile = np.concatenate(feet), np.concatenate(on_tile)
    windows = np.full(len(every), np.nan)
    windows[tile >= 0] = similarity_under_feet(tiles, every[tile >= 0], tile[tile >= 0])
    ends = np.cumsum([len(each) for each in feet])[:-1]
    return [
        on_it and replace(on_it, windows=mine)
        for on_it, mine in zip(figures, np.split(windows, ends), strict=True)
    ]


def _match_in_turn(similarity: Floats, turn: int, model: Model) -> Matches:
    """Match upright tiles with references in their grid's turn, clearly turned ones in their own.

    Tiles that may lie any way round are matched in any turn.
    """
    in_any = best_matches(model.references, similarity, tuple(range(TURNS)))
    if not model.upright:
        return in_any
    upright = best_matches(model.references, similarity, (turn,))
    best = in_any.similarity.max(axis=1)
    turned = (best - upright.similarity.max(axis=1) > MIN_TURNED_MARGIN) & (
        best > MAX_HIDDEN_SIMILARITY
    )
    # An empty place has no way up
    named = np.array([name is not None for name in model.references.faces], bool)
    turned &= named[in_any.similarity.argmax(axis=1)] & named[upright.similarity.argmax(axis=1)]
    return upright.with_rows(turned, in_any.take(turned))


def _whole_places(photo: Pyramid, candidate: Candidate) -> Masks:
    """Return which places of a grid show whole tiles within the photo."""
    height, width = photo.level(0).shape[:2]
    middles = candidate.placed.quads_px.mean(axis=1)
    inside_it = ((middles > 0) & (middles < (width, height))).all(axis=1)
    return np.asarray(inside_it & (candidate.placed.embeddings.whole > MIN_WHOLE))


def stands_out(photo: Pyramid, candidate: Candidate, model: Model) -> bool:
    """Return whether whole tiles of known faces lie in a grid and hardly any along its sides.

    Squared cloth goes on beyond the grid, and beside a grid that is laid a row aside lies a row.
    """
    placed = candidate.placed
    rows, columns = placed.grid.shape
    cells = cells_beside(placed.grid, 1)
    beside = embed_quads(photo, cell_quads_px(candidate.camera, placed.grid.lattice, cells))
    worth = beside.whole * cosines(beside, model.references).max(axis=(1, 2))
    x, y = cells.T
    sides = (y < 0, y == rows, x < 0, x == columns)
    return all(float(worth[side].mean()) < MAX_SIDE_SUPPORT * candidate.support for side in sides)


def _look_the_same(embeddings: Embeddings, whole: Masks) -> bool:
    """Return whether most places show whole tiles that look the same, as face-down ones do."""
    if whole.mean() < MIN_SAME_SHARE:
        return False
    vectors = embeddings.vectors[whole]
    mean = vectors.mean(axis=0)
    return float(np.median(vectors @ mean)) > MIN_SAME_COSINE * float(np.linalg.norm(mean))


def _find_empty_places(
    photo: Pyramid, candidate: Candidate, ranking: Ranking, model: Model
) -> Masks:
    """Return which places of free tiles look more like the table beside the grid than any face."""
    gone = (ranking.similarity < MAX_HIDDEN_SIMILARITY) & (not model.layout.board)
    if not gone.any():
        return gone
    placed = candidate.placed
    beside = cells_beside(placed.grid, 1)[::2]
    table = embed_quads(photo, cell_quads_px(candidate.camera, placed.grid.lattice, beside))
    cosine = placed.embeddings.vectors @ table.vectors.T
    off = ((placed.embeddings.colours[:, None] - table.colours[None]) ** 2).sum(axis=2)
    bare = (
        cosine - TABLE_COLOUR_WEIGHT * np.minimum(off, MAX_COLOUR_COST / TABLE_COLOUR_WEIGHT)
    ).max(axis=1)
    return np.asarray(gone & (bare > ranking.similarity))


def _find_turn(candidate: Candidate, model: Model) -> tuple[int, bool]:
    """Return the quarters anticlockwise by which a grid lies turned, and whether that is clear."""
    placed = candidate.placed
    if placed.turn is not None and (placed.certain or not model.upright):
        return placed.turn, True
    if model.upright:
        # An empty place has no way up
        nearest = model.references.face[candidate.similarity.max(axis=2).argmax(axis=1)]
        named = np.array([model.references.faces[face] is not None for face in nearest], bool)
        scores = turn_scores(candidate.similarity[named], placed.embeddings.whole[named])
        best, second = np.sort(scores)[::-1][:2]
        return int(scores.argmax()), float(best - second) > MIN_UPRIGHT_MARGIN * named.sum()
    return int(placed.grid.shape != (model.layout.rows, model.layout.columns)), True


def _make_grid(
    photo: Pyramid,
    candidate: Candidate,
    matches: Matches,
    ranking: Ranking,
    certainty: Certainty,
    turn: int,
    gone: Masks,
    figures: FiguresOnGrid | None,
    model: Model,
    *,
    clear: bool,
    alone: Callable[[Candidate], bool],
) -> RecognisedGrid | None:
    """Make the upright grid; None if it may lie a row aside."""
    placed, shape = candidate.placed, candidate.placed.grid.shape
    whole = placed.embeddings.whole.astype(np.float64)
    here = (whole > MIN_WHOLE) & (ranking.similarity > MIN_SIMILARITY) & ~gone
    sure, by_itself = here & certainty.sure, here & (certainty.by_itself > SURE_CONFIDENCE)
    ends, empty, there = (
        outer_lines(cells, shape) for cells in (by_itself, gone, whole > CLEARLY_WHOLE_TILE)
    )
    # A reflection may hide the faces of a whole row, but not that tiles lie there
    ends_seen = all(
        end.any() or none.all() or tiles.all()
        for end, none, tiles in zip(ends, empty, there, strict=True)
    )
    if not model.layout.board and not ends_seen and not alone(candidate):
        return None
    # A grid whose outermost rows are mostly sure, with none beside them, lies there
    ends_sure = placed.alone and all(end.mean() > MIN_SURE_END_SHARE for end in ends)
    size_wh = photo.level(0).shape[1], photo.level(0).shape[0]
    certain = (
        (placed.certain or ends_sure)
        and not any(none.all() for none in empty)
        and (
            model.layout.board or not may_go_on_outside(placed.quads_px, by_itself, shape, size_wh)
        )
    )
    face, tiles = ranking.order[:, 0], np.arange(len(candidate))
    turns = (turn - matches.turn[tiles, face]) % TURNS
    if model.upright:
        sure &= turns == 0
    many_turned = model.upright and float(((turns != 0) & ~gone).mean()) > MAX_TURNED_SHARE
    if not certain or not clear or many_turned or float((~sure).mean()) > MAX_UNSURE_SHARE:
        sure[:] = False
    names = np.array([model.references.faces[n] for n in face.tolist()], object)
    names[gone] = None
    similarity = matches.similarity.copy()
    similarity[tiles, face] = similarity.max(axis=1) + np.maximum(ranking.margin, 0)
    empty_confidence = np.minimum(1 - ranking.similarity, 1.0)

    order = np.rot90(tiles.reshape(shape), -turn)
    return RecognisedGrid(
        corners_px=floats(np.roll(candidate.corners_px, turn, axis=0)),
        quads_px=floats(np.roll(placed.quads_px, turn, axis=1)[order]),
        faces=tuple(tuple(row) for row in names[order].tolist()),
        turns=turns[order],
        similarity=similarity[order],
        rivals={
            cell: _next_faces(matches, ranking, int(order[cell]), turn, model)
            for cell in np.ndindex(*order.shape)
        },
        certain=certain,
        upright=clear,
        confidence=np.where(gone, empty_confidence, certainty.confidence)[order],
        evidence=certainty.evidence[order],
        windows=rotate_parts(certainty.windows[order], -turns[order]),
        unsure=tuple((int(r), int(c)) for r, c in np.argwhere(~sure[order])),
        figures=figures and figures.turned(turn),
    )


def _next_faces(
    matches: Matches, ranking: Ranking, tile: int, turn: int, model: Model
) -> tuple[tuple[str | None, int], ...]:
    """Return the next likely faces of a tile, and their turns clockwise."""
    return tuple(
        (model.references.faces[face], int(turn - matches.turn[tile, face]) % TURNS)
        for face in ranking.order[tile, 1:].tolist()
    )
