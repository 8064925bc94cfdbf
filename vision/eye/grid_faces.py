"""Likeliest faces of the tiles of placed grids, and how sure each is; figures and way up.

Frames: ``_px`` pixels of the decoded image. Tiles are in the order of their grid's cells, row by
row as they lie in the photo. Turns are quarter turns anticlockwise, of grids and of tiles in the
photo.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, Ints, Masks, ParallelArrays, floats, median
from vision.editions.model import Model
from vision.editions.references import TURNS, References, turned_cosines
from vision.eye.acceptance import MIN_TYPICAL_SIMILARITY
from vision.eye.confidence import (
    SURE_CONFIDENCE,
    SURE_CONFIDENCE_MOTION_BLURRED,
    apply_votes,
    tile_confidence,
)
from vision.eye.face_ranking import (
    MatchedTiles,
    Matches,
    RankedTiles,
    Ranking,
    match_in_any_turn,
    match_in_given_turns,
    rank_faces,
)
from vision.eye.figures import PossibleFigures, find_figures
from vision.eye.light_fit import Light, fit_light
from vision.eye.placement import CandidateGrid
from vision.eye.reference_similarity import (
    MAX_HIDDEN_SIMILARITY,
    cosines,
    turn_scores,
    weights_in_fit,
)
from vision.eye.votes import collect_votes
from vision.eye.windows import examine_mismatched_windows, similarity_under_feet, verify_by_windows
from vision.patches.cut import Pyramid, embed_quads_averaged
from vision.patches.embedding import PART_COUNT, PARTS_ACROSS, Embeddings

MIN_UPRIGHT_LEAD_SHARE: Final = 0.2
"""Minimum lead in similarity of a way up over any other, as a share of the lead that the taught
tiles have, that makes it certain. It is small between tiles with a broad frame in common. In 430
grids the share was 0.1 at most where the way up was wrong. Larger: more grids are unsure as a
whole; smaller: some are read on their side."""
MIN_UPRIGHT_LEAD: Final = 0.01
"""Minimum lead per tile besides, below which shadows decide between turns of symmetric drawings."""
MIN_TURNED_MARGIN: Final = 0.05
"""Difference in similarity by which a tile must be more like a face in another turn than in its
grid's to count as turned. Larger: turned tiles are read as other faces; smaller: right tiles are
taken for turned ones."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceConfidences(ParallelArrays):
    """Confidence in the faces of n tiles.

    Attributes:
        window_similarity: Shape (n, WINDOW_COUNT), see ``RecognisedGrid``, of upright tiles.
        by_itself: Shape (n,), probability that each face is right, by the tile alone.
        confidence: Shape (n,), the same after the votes of the photo's other tiles.
        sure: Shape (n,), True for faces that are sure.
    """

    window_similarity: Floats
    by_itself: Doubles
    confidence: Doubles
    sure: Masks


@dataclass(frozen=True, slots=True, eq=False)
class GridFaces:
    """Likeliest faces of the n tiles of a grid, as it lies in the photo.

    Attributes:
        candidate: The grid, as it was placed.
        turn: Quarters anticlockwise by which it lies turned.
        is_turn_certain: True if ``turn`` is certain, or neither tiles nor a board show a way up.
        matches: Matches of its tiles with each face.
        ranking: Likeliest faces.
        confidences: Confidence in these.
        figures: Figures on the grid; None if the game has none.
    """

    candidate: CandidateGrid
    turn: int
    is_turn_certain: bool
    matches: Matches
    ranking: Ranking
    confidences: FaceConfidences
    figures: PossibleFigures | None

    @property
    def typical_similarity(self) -> float:
        """Median similarity of the tiles to their faces."""
        return float(median(self.ranking.similarity))


def find_grid_faces(
    pyramid: Pyramid, candidates: Sequence[CandidateGrid], model: Model, *, motion_blurred: bool
) -> list[GridFaces]:
    """Find the likeliest faces of the tiles of all grids together, and how sure these are."""
    found_turns = [_find_turn(each, model) for each in candidates]
    turns = np.repeat([turn for turn, _ in found_turns], [len(each) for each in candidates])
    figures = [
        _find_figures_on(pyramid, each, model) if model.foot_diameter else None
        for each in candidates
    ]
    covered = np.concatenate(
        [
            np.zeros((len(each), PART_COUNT), bool)
            if figures_on_grid is None
            else figures_on_grid.covered
            for each, figures_on_grid in zip(candidates, figures, strict=True)
        ]
    )
    tiles = _rank_tiles(pyramid, candidates, turns, covered, model)
    slices = _grid_slices(candidates)
    tiles, confidences = _verify_tiles(
        tiles, slices, turns, covered, model, motion_blurred=motion_blurred
    )
    figures = _examine_figure_windows(figures, tiles, slices, confidences.sure)
    return [
        GridFaces(
            each,
            turn,
            is_turn_certain,
            tiles.matches.take(mine),
            tiles.ranking.take(mine),
            confidences.take(mine),
            figures_on_grid,
        )
        for each, (turn, is_turn_certain), figures_on_grid, mine in zip(
            candidates, found_turns, figures, slices, strict=True
        )
    ]


def _grid_slices(candidates: Sequence[CandidateGrid]) -> list[slice]:
    """Return the slice of all tiles that belongs to each grid."""
    splits = np.cumsum([0, *map(len, candidates)]).tolist()
    return [slice(first, following) for first, following in pairwise(splits)]


def _rank_tiles(
    pyramid: Pyramid,
    candidates: Sequence[CandidateGrid],
    turns: Ints,
    covered: Masks,
    model: Model,
) -> RankedTiles:
    """Rank the faces of all tiles; embed tiles in doubt again, averaged over several views."""
    placed = [each.placed for each in candidates]
    similarity = np.concatenate([each.similarity for each in candidates])
    matches = _match_tiles(similarity, turns, model)
    quads_px = np.concatenate([each.aligned_quads_px for each in placed])
    embeddings = Embeddings.concatenate([each.embeddings for each in placed])
    matched = MatchedTiles(pyramid, quads_px, embeddings, matches, model.references)
    ranking = rank_faces(matched, covered)
    tiles = matched.ranked(ranking)
    doubtful = tile_confidence(ranking.evidence(covered)) < SURE_CONFIDENCE
    for mine in _grid_slices(candidates):
        if median(ranking.similarity[mine]) < MIN_TYPICAL_SIMILARITY:
            doubtful[mine] = False
    if not doubtful.any():
        return tiles
    averaged = embed_quads_averaged(pyramid, quads_px[doubtful])
    before = embeddings.take(doubtful)
    gain = cosines(averaged, model.references) - cosines(before, model.references)
    new_matches = _match_tiles(similarity[doubtful] + gain, turns[doubtful], model)
    new_ranking = rank_faces(
        MatchedTiles(pyramid, quads_px[doubtful], averaged, new_matches, model.references),
        covered[doubtful],
        embedder=embed_quads_averaged,
    )
    return replace(
        tiles,
        matches=matches.with_rows(doubtful, new_matches),
        ranking=ranking.with_rows(doubtful, new_ranking),
    )


def _verify_tiles(
    tiles: RankedTiles,
    grids: Sequence[slice],
    turns: Ints,
    covered: Masks,
    model: Model,
    *,
    motion_blurred: bool,
) -> tuple[RankedTiles, FaceConfidences]:
    """Judge all tiles by themselves, by their windows and by the votes of one another."""
    of_edition = np.zeros(len(turns), bool)
    for mine in grids:
        of_edition[mine] = median(tiles.ranking.similarity[mine]) >= MIN_TYPICAL_SIMILARITY
    evidence = tiles.ranking.evidence(covered)
    ranking, by_itself, window_similarity, window_minimum = verify_by_windows(
        tiles, evidence, covered, of_edition
    )
    tiles = replace(tiles, ranking=ranking)
    vote_confidence = by_itself
    if model.tiles_are_upright:
        # Turned tiles are unsure in any case, and have no vote
        turn = tiles.matches.turn[np.arange(len(by_itself)), ranking.first]
        vote_confidence = np.where(turn == turns, by_itself, 0.0)
    confidence = apply_votes(by_itself, collect_votes(tiles, vote_confidence, window_minimum))
    sure = confidence > (SURE_CONFIDENCE_MOTION_BLURRED if motion_blurred else SURE_CONFIDENCE)
    if tiles.pyramid.is_sharpened:
        sure &= by_itself > SURE_CONFIDENCE
    if model.foot_diameter:
        window_similarity = examine_mismatched_windows(
            tiles, window_similarity, sure, covered, model.grid_format.tile_cells
        )
    return tiles, FaceConfidences(window_similarity, by_itself, confidence, sure)


def _find_figures_on(pyramid: Pyramid, candidate: CandidateGrid, model: Model) -> PossibleFigures:
    """Find the figures on a grid, with parts of tiles unlike their face as a hint."""
    references, similarity = model.references, candidate.similarity
    embeddings, grid = candidate.placed.embeddings, candidate.placed.lattice_grid
    reference, turn = np.divmod(similarity.reshape(len(similarity), -1).argmax(axis=1), TURNS)
    weights = weights_in_fit(similarity.max(axis=(1, 2)))
    taught, seen = (
        v.astype(np.float64) for v in (references.colours[reference], embeddings.colours)
    )
    light = fit_light(taught, seen, weights.astype(np.float64), Light.neutral())
    parts = (embeddings.parts * references.parts[reference, turn]).sum(axis=2)
    return find_figures(
        pyramid,
        candidate.corners_px,
        model.foot_diameter,
        floats(parts).reshape(*grid.shape, PARTS_ACROSS, PARTS_ACROSS),
        light.apply(model.figure_log_colours),
    )


def _examine_figure_windows(
    figures: Sequence[PossibleFigures | None],
    tiles: RankedTiles,
    grids: Sequence[slice],
    sure: Masks,
) -> list[PossibleFigures | None]:
    """Add to figures on sure tiles the similarity of the windows under them.

    Args:
        figures: Figures on each grid; None if the game has none.
        tiles: All n tiles of the photo.
        grids: Slice of these for each grid.
        sure: Shape (n,), True for sure faces.
    """
    feet, on_tile = [], []
    for figures_on_grid, mine in zip(figures, grids, strict=True):
        if figures_on_grid is None:
            continue
        column, row = (
            np.clip(figures_on_grid.feet, 0, floats(figures_on_grid.shape[::-1]) - 1).astype(int).T
        )
        tile = mine.start + row * figures_on_grid.shape[1] + column
        on_tile.append(np.where((figures_on_grid.probability > 0) & sure[tile], tile, -1))
        feet.append(figures_on_grid.feet % 1)
    if not feet:
        return list(figures)
    every, tile = np.concatenate(feet), np.concatenate(on_tile)
    similarity = np.full(len(every), np.nan)
    similarity[tile >= 0] = similarity_under_feet(tiles, every[tile >= 0], tile[tile >= 0])
    splits = np.cumsum([len(each) for each in feet])[:-1]
    return [
        figures_on_grid and replace(figures_on_grid, lowest_window_similarity=mine)
        for figures_on_grid, mine in zip(figures, np.split(similarity, splits), strict=True)
    ]


def _match_tiles(similarity: Floats, turns: Ints, model: Model) -> Matches:
    """Match tiles with the references of each face.

    Upright tiles are matched in their grid's turn, clearly turned ones in their own, and tiles that
    may lie any way round in any turn.
    """
    in_any = match_in_any_turn(model.references, similarity, tuple(range(TURNS)))
    if not model.tiles_are_upright:
        return in_any
    upright = match_in_given_turns(model.references, similarity, turns)
    best = in_any.similarity.max(axis=1)
    turned = (best - upright.similarity.max(axis=1) > MIN_TURNED_MARGIN) & (
        best > MAX_HIDDEN_SIMILARITY
    )
    # An empty place has no way up
    is_tile = np.array([name is not None for name in model.references.faces], bool)
    turned &= is_tile[in_any.similarity.argmax(axis=1)]
    turned &= is_tile[upright.similarity.argmax(axis=1)]
    return upright.with_rows(turned, in_any.take(turned))


def _find_turn(candidate: CandidateGrid, model: Model) -> tuple[int, bool]:
    """Return the quarters anticlockwise by which a grid lies turned, and whether it is certain."""
    placed = candidate.placed
    # Where tiles share a way up, they tell it better than the rim of an uncertain position
    if (
        placed.turn is not None
        and placed.is_turn_certain
        and (placed.is_position_certain or not model.tiles_are_upright)
    ):
        return placed.turn, True
    if model.tiles_are_upright:
        # An empty place has no way up
        flat = candidate.similarity.reshape(len(candidate), -1)
        nearest = model.references.face_index[flat.argmax(axis=1) // TURNS]
        is_tile = np.array([model.references.faces[face] is not None for face in nearest], bool)
        return _find_way_up(
            candidate.similarity[is_tile],
            placed.embeddings.whole_probability[is_tile],
            model.references,
        )
    if placed.turn is not None and model.rim_shows_way_up:
        return placed.turn, False
    # Nothing shows a way up: upright is the quarter turn closest to the photo's own, see
    # vision.reading
    return int(
        placed.lattice_grid.shape != (model.grid_format.rows, model.grid_format.columns)
    ), True


def _find_way_up(similarity: Floats, whole: Floats, references: References) -> tuple[int, bool]:
    """Return the turn in which tiles are most like taught ones, and whether it is certain.

    Args:
        similarity: Shape (n, m, TURNS).
        whole: Shape (n,), probability of a whole tile.
        references: References of the edition.
    """
    scores = turn_scores(similarity, whole)
    turn = int(scores.argmax())
    others = np.delete(np.arange(TURNS), turn)
    nearest = similarity[:, :, turn].argmax(axis=1)
    taught_leads = 1 - turned_cosines(references)[nearest][:, (others - turn) % TURNS]
    min_leads = np.maximum(
        MIN_UPRIGHT_LEAD_SHARE * (whole @ taught_leads), MIN_UPRIGHT_LEAD * len(similarity)
    )
    return turn, bool((scores[turn] - scores[others] > min_leads).all())
