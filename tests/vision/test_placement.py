"""Grids and tiles, placed by what they look like."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from scoring.faces import Face
from tests.vision.cities import table_of_cities
from tests.vision.laid_out import learned_of, photo_of_layout
from tests.vision.pictured import CLEAN, NAMES, described, drawn_face, grid_of, photo_of, table_of
from vision.arrays import floats
from vision.editions.description import TileTurns
from vision.editions.learning import model_of
from vision.eye import locate
from vision.eye.ledger import Ledger, RejectionReason
from vision.eye.locate import run_network
from vision.eye.placement import embed_grids_at, make_candidates
from vision.eye.read import RecognisedTable, read_tiles, unite_board_runs
from vision.eye.recognise import recognise_grids
from vision.patches import cut as patches
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads

LAYOUT = (("a", "b", "c", "d"), ("e", "f", "g", "h"), ("i", "j", "k", "l"))
PICTURES = {name: drawn_face(number + 1) for number, name in enumerate(NAMES)}


@cache
def taught(rows=4, columns=4):
    """A drawn game of upright tiles, taught by one photo."""
    description = replace(described(tile_turns=TileTurns.UPRIGHT), rows=rows, columns=columns)
    photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=110)
    return learned_of(description, photo, None, LAYOUT)


@cache
def table():
    edition = taught()
    neat = replace(CLEAN, carelessness=0.0)
    return table_of(edition, grid_of(edition.description, 6), seed=6, surroundings=neat)


def quads_of_tiles(truth):
    (city,) = truth["cities"]
    return floats(city["tile_corners_px"]).reshape(4, 4, 4, 2)


def off(quads, true):
    """Return the offsets of quads' middles from the true ones, in tile widths."""
    axes = np.stack([true[:, 1] - true[:, 0], true[:, 3] - true[:, 0]], axis=-1)
    return np.linalg.solve(axes, (quads.mean(axis=1) - true.mean(axis=1))[..., None])[..., 0]


def far(offsets):
    """Return the mean length of offsets."""
    return float(np.linalg.norm(offsets, axis=1).mean())


def moved(mislaid):
    """Return tile offsets before and after alignment: of quads, and of patches.

    Args:
        mislaid: (16, 4, 2) corners of the tiles of a 4x4 grid, in cells from its top left.
    """
    true = quads_of_tiles(table().truth)
    corners = floats([true[0, 0, 0], true[0, 3, 1], true[3, 3, 2], true[3, 0, 3]])
    quads = points_in_quads(corners[None], floats(mislaid.reshape(1, -1, 2) / 4)).reshape(
        4, 4, 4, 2
    )
    pyramid = Pyramid(table().image)
    camera, seen = embed_grids_at(pyramid, [quads])
    (grid,) = make_candidates(pyramid, camera, seen, model_of(taught()))
    wheres = (quads, grid.placed.tile_quads_px, grid.placed.aligned_quads_px)
    return [off(where.reshape(-1, 4, 2), true.reshape(-1, 4, 2)) for where in wheres]


def recognised(whole_tiles, known_tiles):
    """Ledger after a grid with these numbers of whole tiles and of tiles like known faces."""
    quads = quads_of_tiles(table().truth)
    pyramid, model = Pyramid(table().image), model_of(taught())
    camera, seen = embed_grids_at(pyramid, [quads])
    (grid,) = make_candidates(pyramid, camera, seen, model)
    tiles = np.arange(16)
    whole = np.where(tiles < whole_tiles, 1.0, 0.2)
    embeddings = replace(grid.placed.embeddings, whole_probability=floats(whole))
    similarity = grid.similarity - 0.4 * (tiles >= known_tiles)[:, None, None]
    unlike = replace(
        grid, placed=replace(grid.placed, embeddings=embeddings), similarity=floats(similarity)
    )
    ledger = Ledger()
    grids, _ = recognise_grids(pyramid, [unlike], model, ledger=ledger)
    assert not grids
    return ledger


@pytest.mark.parametrize(("whole_tiles", "known_tiles"), [(16, 0), (12, 3)])
def test_grid_like_no_face_stays_unread(whole_tiles, known_tiles):
    """The grid may be a city of another edition, or one located aside."""
    ledger = recognised(whole_tiles, known_tiles)
    assert (len(ledger.unread), len(ledger.rejected)) == (1, 0)


@pytest.mark.parametrize("known_tiles", [0, 2])
def test_grid_without_whole_tiles_is_rejected(known_tiles):
    """A score board or a keyboard looks like that, with two left-over tiles on it, too."""
    ledger = recognised(12, known_tiles)
    assert [each.reason for each in ledger.rejected] == [RejectionReason.FEW_WHOLE_TILES]
    assert not ledger.unread


ROWS, COLUMNS = np.mgrid[:4, :4]
CELLS = np.stack([COLUMNS, ROWS], axis=-1).reshape(16, 1, 2) + UNIT_SQUARE


@pytest.mark.parametrize(("wide", "high", "slant"), [(1.05, 1.0, 0.0), (1.0, 0.95, 0.03)])
def test_misplaced_grid_is_laid_as_taught_tiles_say(wide, high, slant):
    before, *now = moved((CELLS - 2) @ np.array([[wide, 0], [slant, high]]) + 2)
    for after in now:
        assert far(after) < 0.7 * far(before)
        assert far(after - after.mean(axis=0)) < 0.8 * far(before - before.mean(axis=0))


def test_a_grid_laid_aside_of_its_place_is_moved_to_it():
    before, *now = moved(CELLS + np.array([0.06, -0.05]))
    assert all(far(after) < 0.6 * far(before) for after in now)


@pytest.mark.parametrize(("rows", "columns"), [(1, 4), (1, 1)])
def test_single_row_game_is_read_among_its_own_tiles(rows, columns):
    reading = read_tiles(photo_of(table().image), taught(rows, columns))
    assert all(len(grid.faces) in (rows, columns) for grid in reading.grids)
    assert reading.grids or reading.unread


def test_embedded_quad_is_not_embedded_again(monkeypatch):
    asked = []
    network, pyramid = patches.embed, Pyramid(table().image)

    def counted(some):
        asked.append(len(some))
        return network(some)

    monkeypatch.setattr(patches, "embed", counted)
    quads = quads_of_tiles(table().truth).reshape(-1, 4, 2)
    first = embed_quads(pyramid, quads[:10])
    both = embed_quads(pyramid, np.concatenate([quads[4:12], quads[:2]]))
    assert asked == [10, 2]
    assert np.array_equal(both.vectors[:6], first.vectors[4:])
    assert np.array_equal(both.colours[8:], first.colours[:2])
    alone = embed_quads(Pyramid(table().image), quads[10:12])
    assert np.allclose(both.vectors[6:8], alone.vectors, atol=1e-5)


@dataclass
class GridRead:
    """Values by which two results for a photo are compared."""

    corners_px: np.ndarray
    confidence: np.ndarray
    unsure: tuple
    certain: bool

    def __len__(self):
        return self.confidence.size


def found(x, *, sure=True):
    """A grid of four tiles whose top left corner lies there."""
    corners = floats([[x, 0], [x + 80, 0], [x + 80, 80], [x, 80]])
    unsure = () if sure else tuple(np.ndindex(2, 2))
    confidence = np.full((2, 2), 0.99)
    return GridRead(corners, confidence, unsure, sure)


def united(first, second):
    """Result and ledger united of two for a board, each with the same thing left unread."""
    somewhere = floats([[900, 0], [990, 0], [990, 90], [900, 90]])
    tables = [
        (RecognisedTable(tuple(grids), median_similarities=tuple(typical)), Ledger([somewhere]))
        for grids, typical in (first, second)
    ]
    return unite_board_runs(*tables)


@pytest.mark.parametrize(
    ("first", "finer", "unread"),
    [
        # As sure, but one shows another grid
        ([found(0)], [found(0), found(200, sure=False)], 1),
        # The finer one has lost one
        ([found(0), found(200)], [found(0), found(400, sure=False)], 2),
        ([found(0)], [found(0), found(200)], 1),
        ([found(0), found(200, sure=False)], [found(0), found(200)], 1),
    ],
)
def test_uniting_two_tables_loses_no_grid(first, finer, unread):
    reading, ledger = united((first, ()), (finer, ()))
    assert (len(reading.grids), len(ledger.unread)) == (2, unread)


@pytest.mark.parametrize("likes", [(0.7, 0.9), (0.9, 0.7)])
def test_table_more_like_known_faces_counts_where_no_tile_is_sure(likes):
    tables = [((found(200 * n, sure=False),), (like,)) for n, like in enumerate(likes)]
    reading, ledger = united(*tables)
    assert reading.grids == tables[int(np.argmax(likes))][0]
    assert len(ledger.unread) == 2


def test_locator_maps_in_strips_equal_those_in_one_picture(monkeypatch):
    rows = [[list(Face)[(row + column) % 9] for column in range(4)] for row in range(4)]
    table = table_of_cities(1, [rows] * 4)
    small = locate.reduce_image(table.image, 1.5)
    whole = run_network(small)
    monkeypatch.setattr(locate, "MAX_INPUT_PX", int(0.9 * small[..., 0].size))
    strips = run_network(small)
    assert strips.shape == whole.shape
    assert not np.array_equal(strips, whole)
    likely = [1 / (1 + np.exp(-maps[0])) for maps in (whole, strips)]
    assert np.quantile(np.abs(likely[0] - likely[1]), 0.999) < 0.1
    assert ((likely[0] > 0.5) != (likely[1] > 0.5)).mean() < 0.002
