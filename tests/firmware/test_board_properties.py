"""Any reading of a game known by pictures gets a sheet or a refusal in words."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.base.errors import UsageError
from firmware.base.terminal import standard_output
from firmware.games.registry import find_game
from firmware.report.annotate import annotate
from firmware.report.scan_views import scan_screens
from firmware.report.text import print_reading, print_scan
from firmware.scan.corrections import cell_names, parse_correction
from firmware.scan.json_output import reading_json, scan_json
from firmware.scan.make_scan import make_scan, make_unscored_scan
from firmware.wording.problem_text import problem_line
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    READING_ONLY,
    SIZE_WH,
    grid_reading,
    piece,
    reading,
    rectangle,
)
from tests.firmware.screen_looks import assert_nothing_is_cut_off
from vision.reading import Figure, NoteCode, PlaceKind, note

DESCRIPTIONS = (CITIES, CITY_BLOCKS, DICE_BOARD, READING_ONLY)
DARK = note(NoteCode.TOO_DARK)
GREY = np.full((SIZE_WH[1], SIZE_WH[0], 3), 110, np.uint8)


@st.composite
def readings(draw, description):
    """Any grids of names that the game has, often alike, with figures and pieces anywhere."""
    cells = st.tuples(st.integers(0, description.rows - 1), st.integers(0, description.columns - 1))
    few = st.lists(cells, max_size=10, unique=True).map(lambda found: tuple(sorted(found)))
    names = [None, *draw(st.lists(st.sampled_from(cell_names(description)), min_size=1))]
    if draw(st.booleans()):
        names = list(cell_names(description))
    faces = [None, *(face.name for face in description.grid_faces)]
    kinds = [token.kind for token in description.tokens]
    grids = []
    for number in range(draw(st.integers(0, description.most_grids))):
        seed = draw(st.integers(0, 2**16))
        rng = np.random.default_rng(seed)
        grid = [
            [names[rng.integers(len(names))] for _ in range(description.columns)]
            for _ in range(description.rows)
        ]
        tiles = grid
        if description.tile_cells != (1, 1):
            tiles = [[faces[rng.integers(len(faces))] for _ in range(4)] for _ in range(4)]
        standing = draw(few) if kinds else ()
        tokens = [Figure(cell, draw(st.sampled_from(kinds)), (50.0, 50.0)) for cell in standing]
        beside = draw(st.lists(pieces(), max_size=14, unique_by=lambda p: (p.container, p.number)))
        grids.append(
            grid_reading(
                description,
                grid,
                rectangle(30 + 220 * number, 200, 200, 200),
                tiles=tiles,
                turns={(r, c): int(rng.integers(4)) for r in range(12) for c in range(12)},
                unsure=draw(few),
                figures=tuple(tokens),
                unsure_figures=draw(few) if kinds else (),
                loose=tuple(beside) if description is CITY_BLOCKS else (),
            )
        )
    return reading(description, *grids, unread=[DARK] if draw(st.booleans()) else ())


@st.composite
def pieces(draw):
    place = draw(st.sampled_from(["row", "column", "blue", "red"]))
    number = draw(st.integers(0, {"row": 4, "column": 5}.get(place, 8)))
    return piece(place, number, draw(st.integers(1, 15)), unsure=draw(st.booleans()))


@pytest.mark.parametrize("description", DESCRIPTIONS, ids=lambda each: each.game)
@given(data=st.data())
@settings(max_examples=8)
def test_every_reading_is_shown_in_all_ways_read_back_and_settled(description, data):
    seen = data.draw(readings(description))
    unscored = make_unscored_scan(seen, description)
    parsed = json.loads(json.dumps(reading_json(unscored)))
    if unscored.table is not None:
        game = find_game(description.game)
        assert parsed["table"] == game.table_json(game.table_from_json(parsed["table"]))
    with standard_output() as console:
        print_reading(console, unscored)
    assert_settled(unscored, description)
    try:
        scan = make_scan(seen, description)
    except UsageError as refusal:
        refused = problem_line(refusal)
    else:
        refused = ""
        json.dumps(scan_json(scan))
        annotate(GREY, scan)
        with standard_output() as console:
            print_scan(console, scan, reasons=True)
        for screen in scan_screens(scan) if scan.sheet is not None else ():
            assert_nothing_is_cut_off(screen)
    assert "\n" not in refused


def assert_settled(scan, description):
    """Check that confirming every doubt leaves none."""
    texts = [scan.naming.correction(doubt.place, confirming(doubt)) for doubt in scan.doubts.places]
    given = [parse_correction(text, description) for text in texts]
    settled = make_unscored_scan(scan.reading, description, corrections=given)
    left = {
        doubt.place for doubt in settled.doubts.read_places
    }  # a tile may be missing all the same
    assert left.isdisjoint(doubt.place for doubt in scan.doubts.places)


def confirming(doubt):
    if doubt.place.kind is PlaceKind.FIGURE:
        return "no" if doubt.read is None else "yes"
    return doubt.read or "none"
