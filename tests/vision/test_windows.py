"""Tiles in doubt, examined through all windows: what is drawn right all over is sure."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
import pytest
from test_votes import TILE, tiles, with_rival

from vision.arrays import floats
from vision.editions.folder import built_in_edition
from vision.editions.learning import with_model
from vision.eye.confidence import CLEAR_RELATIVE_MARGIN, SURE_CONFIDENCE, TileEvidence
from vision.eye.grid_reading import make_grid_reading
from vision.eye.read import recognise_image
from vision.eye.votes import MIN_VOTED_WINDOW
from vision.eye.windows import examine_mismatched_windows, similarity_under_feet, verify_by_windows
from vision.lab.simulate.simulated_photos import take_photo
from vision.patches.cut import Pyramid, points_in_quads
from vision.patches.embedding import PART_COUNT
from vision.photo.load import decode_photo

__all__ = ["tiles"]
IN_DOUBT = (0.7, 0.2, 0.5, 0.6, np.inf)
SURE = (0.95, 0.5, 0.9, 0.9, np.inf)


class Verdict(NamedTuple):
    """``WindowVerdict`` of one tile."""

    confidence: float
    windows: np.ndarray
    window_minimum: float
    face: int


def verify_tile(tiles, tile_evidence=IN_DOUBT, covered=(), *, of_edition=True):
    """Verify one tile with the given evidence among sure ones."""
    every = np.array([SURE] * len(tiles.embeddings))
    every[TILE] = tile_evidence
    hidden = np.zeros((len(every), PART_COUNT), bool)
    hidden[TILE, list(covered)] = True
    whose = np.full(len(every), of_edition)
    evidence = TileEvidence(*every.T)
    ranking, confidence, windows, window_minimum = verify_by_windows(tiles, evidence, hidden, whose)
    others = np.delete(windows, TILE, axis=0)
    assert (others == 1).all(), "those of sure tiles are not examined"
    same = np.delete(ranking.order, TILE, axis=0) == np.delete(tiles.ranking.order, TILE, axis=0)
    assert same.all(), "nor taken for anything else"
    face = int(ranking.order[TILE, 0])
    return Verdict(confidence[TILE], windows[TILE], window_minimum[TILE], face)


def test_tile_with_right_windows_is_sure(tiles):
    confidence, windows, _, _ = verify_tile(tiles)
    assert (windows > 0.7).all()
    assert confidence > SURE_CONFIDENCE


def test_tile_with_other_drawing_is_unsure(tiles):
    confidence, windows, window_minimum, _ = verify_tile(with_rival(tiles, first=True))
    assert np.median(windows) < 0.6
    assert window_minimum < MIN_VOTED_WINDOW
    assert confidence < 0.5


def test_tile_with_weak_similarity_is_sure_by_windows_only(tiles):
    ranking = tiles.ranking
    similarity = np.where(np.arange(len(ranking.similarity)) == TILE, 0.6, ranking.similarity)
    drawn = replace(tiles, ranking=replace(ranking, similarity=similarity))
    ahead = (0.6, 0.45, 0.6, 0.7, np.inf)
    assert verify_tile(drawn, ahead)[0] > SURE_CONFIDENCE
    assert verify_tile(with_rival(drawn, first=True), ahead)[0] < SURE_CONFIDENCE
    assert verify_tile(drawn, ahead, covered=range(8))[0] < SURE_CONFIDENCE
    assert verify_tile(drawn, (*ahead[:-1], CLEAR_RELATIVE_MARGIN / 2))[0] < SURE_CONFIDENCE


def test_lookalike_with_small_lead_stays_unsure(tiles):
    """The tile looks right nearly all over."""
    confidence, windows, _, _ = verify_tile(tiles, (*IN_DOUBT[:-1], CLEAR_RELATIVE_MARGIN / 2))
    assert confidence < SURE_CONFIDENCE
    assert (windows == 1).all()


def test_face_equal_to_another_when_turned_stays_unsure(tiles):
    """The drawings of 6 and 9 do not tell which face it is."""
    known, order = tiles.references, tiles.ranking.order.copy()
    mine, other = order[TILE, 0], order[TILE, 1]
    twins = np.where(known.face_index == other, mine, known.face_index)
    reference = tiles.matches.reference.copy()
    reference[TILE, other] = reference[TILE, mine]
    turn = tiles.matches.turn.copy()
    turn[TILE, other] = turn[TILE, mine]
    similarity = tiles.matches.similarity.copy()
    similarity[TILE, other] = similarity[TILE, mine]
    same = replace(
        tiles,
        references=replace(known, face_index=twins),
        matches=replace(tiles.matches, similarity=similarity, reference=reference, turn=turn),
    )
    close = (0.7, 0.01, 0.9, 0.9, np.inf)
    assert verify_tile(tiles, close)[0] > SURE_CONFIDENCE
    assert verify_tile(same, close)[0] < SURE_CONFIDENCE


def test_windows_of_other_editions_are_not_examined(tiles):
    _, windows, _, _ = verify_tile(tiles, of_edition=False)
    assert (windows == 1).all()


@pytest.mark.parametrize("quarters", range(4))
def test_hidden_windows_are_left_out_in_every_turn(tiles, quarters):
    """The photo shows the tile's right column hidden, and its drawing right elsewhere."""
    turn = tiles.matches.turn.copy()
    turn[TILE] = (turn[TILE] + quarters) % 4
    quads = tiles.quads_px.copy()
    quads[TILE] = np.roll(quads[TILE], -quarters, axis=0)
    lying = replace(tiles, matches=replace(tiles.matches, turn=turn), quads_px=quads)
    column = np.arange(9).reshape(3, 3) % 3 == 2
    hidden = np.flatnonzero(np.rot90(column, quarters))
    _, windows, _, _ = verify_tile(lying)
    _, _, window_minimum, _ = verify_tile(lying, covered=hidden)
    upright = np.sort(np.delete(windows.reshape(3, 3), 2, axis=1).ravel())
    assert window_minimum == pytest.approx(upright[2])


@pytest.mark.parametrize("hidden", [3, 5, 7])
def test_uncovered_windows_make_partly_hidden_tile_sure(tiles, hidden):
    seen = verify_tile(tiles, covered=range(hidden))
    assert seen.confidence > SURE_CONFIDENCE
    assert seen.face == tiles.ranking.order[TILE, 0]


@pytest.mark.parametrize("hidden", [3, 5, 7])
def test_partly_hidden_tile_gets_face_of_uncovered_windows(tiles, hidden):
    """A figure may make it look like another one as a whole."""
    wrong = with_rival(tiles, first=True)
    seen = verify_tile(wrong, covered=range(hidden))
    assert seen.face == wrong.ranking.order[TILE, 1] == tiles.ranking.order[TILE, 0]
    assert verify_tile(wrong).face == wrong.ranking.order[TILE, 0], "where nothing stands on it"


@pytest.mark.parametrize("hidden", [3, 5, 7])
def test_partly_hidden_tile_may_get_unranked_face(tiles, hidden):
    order, similarity = tiles.ranking.order.copy(), tiles.matches.similarity.copy()
    mine = int(order[TILE, 0])
    order[TILE] = [face for face in range(similarity.shape[1]) if face != mine][: order.shape[1]]
    similarity[TILE], similarity[TILE, mine] = 0.6, 0.5
    ranking = replace(tiles.ranking, order=order)
    matches = replace(tiles.matches, similarity=similarity)
    behind = replace(tiles, ranking=ranking, matches=matches)
    assert verify_tile(behind, covered=range(hidden)).face == mine


@pytest.mark.parametrize("hidden", [8, 9])
def test_nearly_hidden_tile_stays_unsure(tiles, hidden):
    seen = verify_tile(tiles, covered=range(hidden))
    assert seen.window_minimum == 0
    assert seen.confidence < SURE_CONFIDENCE
    surer = verify_tile(tiles, (0.72, 0.28, 0.6, 0.72, np.inf), covered=range(hidden))
    assert surer.confidence < SURE_CONFIDENCE


def test_similarity_under_foot_follows_turn_of_tile(tiles):
    """A black spot on the photo shows in the window over it, and in no other."""
    corner = points_in_quads(tiles.quads_px[[TILE]], floats([[[0.24, 0.24]]]))[0, 0]
    photo = tiles.pyramid.level(0).copy()
    side = np.linalg.norm(tiles.quads_px[TILE, 1] - tiles.quads_px[TILE, 0])
    cv2.circle(photo, np.rint(corner).astype(int).tolist(), int(0.15 * side), (0, 0, 0), -1)
    spotted = replace(tiles, pyramid=Pyramid(photo))
    feet = floats([(0.24, 0.24), (0.76, 0.76), (0.76, 0.24), (0.24, 0.76)])
    tile = np.repeat(TILE, 4)
    clean, spoiled = (similarity_under_feet(each, feet, tile) for each in (tiles, spotted))
    assert (clean > 0.8).all()
    assert spoiled[0] < 0.6
    assert (spoiled[1:] > 0.8).all()
    turn = tiles.matches.turn.copy()
    turn[TILE] = (turn[TILE] + 1) % 4
    quads = tiles.quads_px.copy()
    quads[TILE] = np.roll(quads[TILE], -1, axis=0)
    lying = replace(spotted, matches=replace(tiles.matches, turn=turn), quads_px=quads)
    assert similarity_under_feet(lying, feet, tile)[[3]] == pytest.approx(spoiled[0], abs=0.05)


def test_windows_over_odd_parts_of_sure_tile_are_examined(tiles):
    """A figure that the detector missed may stand over parts that do not match."""
    sure = np.arange(len(tiles.embeddings)) == TILE
    parts = np.full_like(tiles.ranking.part_similarity, 0.95)
    turn = int(tiles.matches.turn[TILE, tiles.ranking.order[TILE, 0]])
    upright = np.full((3, 3), 0.95)
    upright[2, 0] = upright[1, 1] = 0.5
    parts[TILE] = np.rot90(upright, turn).ravel()
    odd = replace(tiles, ranking=replace(tiles.ranking, part_similarity=parts))
    none = np.ones((len(sure), PART_COUNT), np.float32)
    clear = np.zeros(none.shape, bool)
    seen = examine_mismatched_windows(odd, none, sure, clear, (2, 2))
    assert set(np.flatnonzero(seen[TILE] < 1).tolist()) == {6}, "the middle is over no cell"
    assert (np.delete(seen, TILE, axis=0) == 1).all()
    whole = examine_mismatched_windows(odd, none, sure, clear, (1, 1))
    assert set(np.flatnonzero(whole[TILE] < 1).tolist()) == {4, 6}
    everywhere = examine_mismatched_windows(odd, none, sure, ~clear, (1, 1))
    assert (everywhere == 1).all(), "what a figure hides was seen"
    assert (examine_mismatched_windows(odd, none, ~sure, clear, (2, 2))[TILE] == 1).all()


@cache
def city_of_cities():
    """A grid of Cities as read, and what is needed to make a reading of it."""
    edition = with_model(built_in_edition("cities"))
    photo = decode_photo(take_photo(edition, "normal", 4, (1536, 864)).jpeg, "photo")
    pyramid = Pyramid(photo.image_bgr)
    grids = recognise_image(pyramid, edition.model).grids
    return grids[0], edition, photo, pyramid


@pytest.mark.parametrize(("window", "cell"), [((0, 0), (4, 2)), ((0, 2), (4, 3)), ((2, 0), (5, 2))])
def test_odd_window_flags_figure_on_its_cell(window, cell):
    """Only the figure on that field of the tile becomes unsure."""
    grid, edition, photo, pyramid = city_of_cities()
    plain = floats(np.ones_like(grid.window_similarity))
    odd = plain.copy()
    odd[2, 1][window] = 0.3
    before, after = (
        set(
            make_grid_reading(
                replace(grid, window_similarity=each), edition, edition.model, photo, pyramid
            ).unsure_figures
        )
        for each in (plain, odd)
    )
    assert after - before == {cell}


@pytest.mark.parametrize(("similarity", "asked"), [(0.3, False), (0.6, True)])
def test_doubtfully_empty_place_flags_figures(similarity, asked):
    grid, edition, photo, pyramid = city_of_cities()
    faces = [list(row) for row in grid.faces]
    faces[2][1] = None
    similarities = grid.similarity.copy()
    similarities[2, 1] = similarity
    gone = replace(
        grid,
        faces=tuple(map(tuple, faces)),
        similarity=similarities,
        unsure=(*grid.unsure, (2, 1)),
    )
    read = make_grid_reading(gone, edition, edition.model, photo, pyramid)
    cells = {(4, 2), (4, 3), (5, 2), (5, 3)} - {figure.at for figure in read.figures}
    assert (cells <= set(read.unsure_figures)) is asked


def test_read_figure_is_not_flagged_for_its_window():
    """The figure itself makes the window look odd."""
    grid, edition, photo, pyramid = city_of_cities()
    odd = replace(grid, window_similarity=floats(np.full_like(grid.window_similarity, 0.3)))
    sure, asked = (
        make_grid_reading(each, edition, edition.model, photo, pyramid) for each in (grid, odd)
    )
    stand = {figure.at for figure in sure.figures} - set(sure.unsure_figures)
    assert stand
    assert not stand & set(asked.unsure_figures)
    assert len(asked.unsure_figures) > 30


def test_windows_of_grid_follow_turns_of_tiles():
    """However its tiles are turned, what hides a field hides the window over it."""
    grid, edition, photo, _ = city_of_cities()
    image = photo.image_bgr.copy()
    for quad in grid.quads_px.reshape(-1, 4, 2):
        (place,) = points_in_quads(quad[None], floats([[[0.76, 0.24]]]))[0]
        size_px = float(np.linalg.norm(quad[1] - quad[0]))
        middle = (round(float(place[0])), round(float(place[1])))
        cv2.circle(image, middle, round(0.13 * size_px), (200, 40, 160), -1)
    (again, *_) = (
        each
        for each in recognise_image(Pyramid(image), edition.model).grids
        if np.abs(each.corners_px - grid.corners_px).max() < 10
    )
    assert (again.turns == grid.turns).all()
    examined = (again.window_similarity < 1).any(axis=(2, 3))
    assert len(set(again.turns[examined].tolist())) > 2
    flat = again.window_similarity[examined].reshape(-1, PART_COUNT)
    assert (flat.argmin(axis=1) == 2).mean() > 0.8
