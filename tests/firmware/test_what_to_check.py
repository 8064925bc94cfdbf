"""Doubts are worded in few lines, their cause first."""

from functools import partial
from itertools import product

import pytest

from firmware.games.doubts import MAX_LISTED
from firmware.wording.notes import notes_to_read
from firmware.wording.places import short_block
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from vision.reading import NoteCode, note

ALL = tuple(product(range(4), range(4)))


@pytest.fixture
def run_scan(photo, prints):
    return partial(prints, "scan", photo, code=1)


def crowded_eye(cells=ALL):
    """Nothing is sure of the first city, because it is too dark."""
    unsure = {(0, cell): [] for cell in cells}
    return FakeEye(*EXAMPLE, unsure=unsure, city_notes={0: [note(NoteCode.TOO_DARK)]})


def test_doubtful_grid_is_one_line(run_scan):
    listed = run_scan(eye=crowded_eye()).partition("Please check (16):\n")[2]
    assert listed.splitlines() == ["  A: all 16 tiles", "    --set A:1,1=FACE"]


def test_cause_comes_before_the_tiles(run_scan):
    listed = run_scan(eye=crowded_eye())
    assert listed.index("it is too dark: use more light") < listed.index("Please check")


def test_few_tiles_are_told_one_by_one(run_scan):
    listed = run_scan(eye=crowded_eye(ALL[:MAX_LISTED])).partition("Please check (12):\n")[2]
    assert listed.count("--set") == MAX_LISTED


@pytest.mark.parametrize(
    ("cells", "listed"),
    [
        (product(range(16), range(16)), "all 256 tiles"),
        (product(range(14), range(16)), "224 tiles: rows 1–14, columns 1–16"),
        (
            [*product((0, 2), range(16)), (1, 0), (1, 2)],
            "34 tiles: rows 1, 3, columns 1–16; row 2, columns 1, 3",
        ),
    ],
)
def test_many_cells_are_told_as_blocks(cells, listed):
    assert short_block(cells, (16, 16)) == listed


def of_grid(code, *cells):
    return note(code, *cells).in_grid(0)


def test_one_thing_that_hides_seven_tiles_is_one_note():
    notes = [of_grid(NoteCode.HIDDEN, cell) for cell in ALL[:7]]
    (only,) = notes_to_read(notes)
    assert [place.cell for place in only.places] == list(ALL[:7])


def test_different_things_are_different_notes():
    notes = [of_grid(NoteCode.HIDDEN, (0, 0)), of_grid(NoteCode.UPSIDE_DOWN, (0, 1))]
    assert len(notes_to_read(notes)) == 2


def test_note_on_all_tiles_stands_for_those_on_each():
    notes = [of_grid(NoteCode.NO_TILE, (0, 0)), of_grid(NoteCode.EDGE_ROW_EMPTY)]
    assert [each.code for each in notes_to_read(notes)] == [NoteCode.EDGE_ROW_EMPTY]


def test_causes_stand_before_tiles():
    notes = [of_grid(NoteCode.HIDDEN, (0, 0)), of_grid(NoteCode.TOO_DARK)]
    assert [each.code for each in notes_to_read(notes)] == [NoteCode.TOO_DARK, NoteCode.HIDDEN]
