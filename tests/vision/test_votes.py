"""Votes of a photo's sure tiles on a doubtful one."""

from dataclasses import replace

import numpy as np
import pytest
from test_taught_tiles import PICTURES, photo_of_layout, taught

from tests.vision.pictured import NAMES
from vision.eye import grid_faces
from vision.eye.read import read_tiles
from vision.eye.votes import collect_votes

LAYOUT = tuple(tuple(NAMES[(row + column) % 4] for column in range(4)) for row in range(4))
TILE = 5


@pytest.fixture(scope="module")
def tiles():
    """Sixteen tiles of a photo that show four faces each four times, all sure."""
    seen = []

    def capture(tiles, confidence, window_minimum):
        seen.append(tiles)
        return collect_votes(tiles, confidence, window_minimum)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(grid_faces, "collect_votes", capture)
        photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=90)
        (grid,) = read_tiles(photo, taught()).grids
    assert not grid.unsure
    return seen[-1]


def vote(tiles, confidence, others=0.99, windows=0.9):
    """Return the vote on ``TILE``; ``windows`` is the third lowest similarity of its windows."""
    confidences = np.full(len(tiles.embeddings), others)
    confidences[TILE] = confidence
    votes = collect_votes(tiles, confidences, np.full(len(confidences), windows))
    assert not np.delete(votes, TILE).any()
    return int(votes[TILE])


def with_rival(tiles, *, first):
    """Give ``TILE`` another face of the photo as its likeliest or second likeliest one."""
    order = tiles.ranking.order.copy()
    names = list(tiles.references.faces)
    own = order[TILE, 0]
    rival = next(n for n in map(names.index, NAMES[:4]) if n != own)
    order[TILE, :2] = (rival, own) if first else (own, rival)
    return replace(tiles, ranking=replace(tiles.ranking, order=order))


def test_tile_like_sure_tiles_gets_vote(tiles):
    assert vote(tiles, 0.8) == 1


@pytest.mark.parametrize(("margin", "expected"), [(0.01, 1), (-0.01, 0)])
def test_tile_gets_vote_if_references_prefer_its_face_at_all(tiles, margin, expected):
    near = with_rival(tiles, first=False)
    margins = near.ranking.margin.copy()
    margins[TILE] = margin
    assert vote(replace(near, ranking=replace(near.ranking, margin=margins)), 0.8) == expected


def test_tile_with_odd_window_gets_no_vote(tiles):
    assert vote(tiles, 0.8, windows=0.4) == 0


def test_tile_with_odd_window_may_be_voted_against(tiles):
    assert vote(with_rival(tiles, first=True), 0.96, windows=0.4) == -1


@pytest.mark.parametrize("confidence", [0.98, 0.2])
def test_clear_or_hopeless_tile_gets_no_vote(tiles, confidence):
    assert vote(tiles, confidence) == 0


def test_doubtful_tile_like_another_face_gets_no_vote(tiles):
    assert vote(with_rival(tiles, first=True), 0.8) == 0


def test_sure_tile_like_another_face_is_voted_against(tiles):
    assert vote(with_rival(tiles, first=True), 0.96) == -1


def test_unsure_tiles_do_not_vote(tiles):
    assert vote(tiles, 0.8, others=0.9) == 0


def vote_of_single(tiles, confidence):
    """Return the vote on ``TILE`` if one other tile of its true face is sure."""
    names = np.array(tiles.references.faces)[tiles.ranking.order[:, 0]]
    same = np.flatnonzero(names == LAYOUT[TILE // 4][TILE % 4])
    confidences = np.full(len(tiles.embeddings), 0.99)
    confidences[same[same != TILE][1:]] = 0.2
    confidences[TILE] = confidence
    return int(collect_votes(tiles, confidences, np.ones(len(confidences)))[TILE])


def test_single_sure_tile_of_a_face_votes(tiles):
    assert vote_of_single(tiles, 0.8) == 1


@pytest.mark.parametrize(("lead", "expected"), [(0.15, 1), (0.05, 0)])
def test_single_tile_votes_for_a_face_that_leads_over_its_lookalike(tiles, lead, expected):
    leads = tiles.ranking.relative_margin.copy()
    leads[TILE] = lead
    assert (
        vote_of_single(replace(tiles, ranking=replace(tiles.ranking, relative_margin=leads)), 0.8)
        == expected
    )


@pytest.mark.parametrize(("lead", "expected"), [(0.15, 1), (0.05, 0)])
def test_vote_between_faces_alike_but_for_an_emblem_needs_lead(tiles, lead, expected):
    near = with_rival(tiles, first=False)
    leads, known = near.ranking.relative_margin.copy(), near.references
    leads[TILE] = lead
    vectors, (own, rival) = known.vectors.copy(), near.ranking.order[TILE, :2]
    vectors[known.face_index == rival] = vectors[known.face_index == own][:1]
    near = replace(
        near,
        ranking=replace(near.ranking, relative_margin=leads),
        references=replace(known, vectors=vectors),
    )
    assert vote(near, 0.8) == expected


def test_single_tile_does_not_vote_against_a_sure_one(tiles):
    only = with_rival(tiles, first=True)
    order = only.ranking.order
    voters = np.flatnonzero(order[:, 0] == order[TILE, 0])
    confidences = np.full(len(order), 0.99)
    confidences[voters[voters != TILE][1:]] = 0.2
    confidences[TILE] = 0.96
    assert not collect_votes(only, confidences, np.ones(len(order))).any()
