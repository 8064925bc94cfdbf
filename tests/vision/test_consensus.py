"""What the sure tiles of a photo say of one that by itself is in doubt."""

from dataclasses import replace

import numpy as np
import pytest
from pictured import NAMES
from test_taught_tiles import PICTURES, photo_of_layout, taught

from vision.eye import recognise
from vision.eye.consensus import consensus
from vision.eye.read import read_tiles

LAYOUT = tuple(tuple(NAMES[(row + column) % 4] for column in range(4)) for row in range(4))
TILE = 5


@pytest.fixture(scope="module")
def tiles():
    """Sixteen tiles of a photo that show four faces each four times, all sure."""
    seen = []

    def spying(tiles, confidence, least):
        seen.append(tiles)
        return consensus(tiles, confidence, least)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recognise, "consensus", spying)
        photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=90)
        (grid,) = read_tiles(photo, taught()).grids
    assert not grid.unsure
    return seen[-1]


def vote(tiles, confidence, others=0.99, windows=0.9):
    """How others vote on a tile that is as likely right as that, and as similar in its windows."""
    likely = np.full(len(tiles.embeddings), others)
    likely[TILE] = confidence
    votes = consensus(tiles, likely, np.full(len(likely), windows))
    assert not np.delete(votes, TILE).any()
    return int(votes[TILE])


def taken_for_its_next_face(tiles):
    order = tiles.ranking.order.copy()
    names = list(tiles.references.faces)
    others = [names.index(name) for name in NAMES[:4] if names.index(name) != order[TILE, 0]]
    order[TILE, :2] = others[0], order[TILE, 0]
    return replace(tiles, ranking=replace(tiles.ranking, order=order))


def test_they_vote_for_one_that_looks_like_them(tiles):
    assert vote(tiles, 0.8) == 1


def test_they_vote_for_none_that_is_drawn_otherwise(tiles):
    assert vote(tiles, 0.8, windows=0.4) == 0
    assert vote(taken_for_its_next_face(tiles), 0.96, windows=0.4) == -1


def test_on_what_is_sure_or_hopeless_nobody_votes(tiles):
    assert vote(tiles, 0.98) == vote(tiles, 0.2) == 0


def test_they_vote_for_none_that_looks_like_another_face_and_against_a_sure_one(tiles):
    wrong = taken_for_its_next_face(tiles)
    assert vote(wrong, 0.8) == 0
    assert vote(wrong, 0.96) == -1


def test_where_no_tile_is_sure_nobody_votes(tiles):
    assert vote(tiles, 0.8, others=0.9) == 0


def test_one_of_a_face_alone_has_no_vote(tiles):
    same = np.flatnonzero(tiles.ranking.order[:, 0] == tiles.ranking.order[TILE, 0])
    likely = np.full(len(tiles.embeddings), 0.99)
    likely[same[same != TILE][1:]] = 0.2
    likely[TILE] = 0.8
    assert not consensus(tiles, likely, np.ones(len(likely))).any()
