"""Corrections of single places in games known by pictures."""

import pytest

from firmware.scan.corrections import apply_corrections, check_pieces, parse_correction
from firmware.scan.make_scan import make_unscored_scan
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    EMPTY_ROW,
    READING_ONLY,
    blocks,
    city,
    grid_reading,
    piece,
    reading,
)
from tests.refusals import refused

NO_BUILDINGS = "-- -- -- -- -- --" + EMPTY_ROW * 4


def put_right(description, grids, *texts):
    given = [parse_correction(text, description) for text in texts]
    seen = reading(description, *grids)
    check_pieces(seen, description, given)
    return apply_corrections(seen, description, given)[0].grids


class TestCells:
    def test_a_field_is_put_right_and_is_sure(self):
        seen = city(unsure=((2, 3), (2, 4)), alternatives={(2, 3): ("park",)})
        (grid,) = put_right(CITIES, [seen], "A:3,4=park")
        assert grid.faces[2][3] == "park"
        assert grid.unsure == ((2, 4),)
        assert grid.confidence[2][3] == 1.0
        assert (2, 3) not in grid.alternatives
        (grid,) = put_right(CITIES, [city()], "A:3,4=water")
        assert grid.tiles[1][1] is None
        (grid,) = put_right(CITIES, [city()], "A:3,4=sight")
        assert grid.tiles[1][1] == "tile-6"

    def test_the_letter_may_be_left_out_where_there_is_one(self):
        (grid,) = put_right(CITY_BLOCKS, [blocks(NO_BUILDINGS)], "3,4=blue-house-3")
        assert grid.faces[2][3] == "blue-house-3"
        (grid,) = put_right(CITY_BLOCKS, [blocks(NO_BUILDINGS)], "a:3,4=Blue-House-3")
        assert grid.faces[2][3] == "blue-house-3"
        (grid,) = put_right(CITY_BLOCKS, [blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4)], "1,1=none")
        assert grid.faces[0][0] is None
        seen = [grid_reading(READING_ONLY, [["sun"] * 3] * 2)]
        (grid,) = put_right(READING_ONLY, seen, "1,2=moon", "1,2=none", "2,2=moon")
        assert grid.faces == (("sun", None, "sun"), ("sun", "moon", "sun"))


class TestFigures:
    def test_missed_figure_gets_the_colour_of_the_others(self):
        seen = city(tourists={(0, 0): "blue"}, unsure_figures=((4, 4),))
        (grid,) = put_right(CITIES, [seen], "A:tourist:5,5=yes")
        assert [(token.at, token.kind) for token in grid.figures] == [
            ((0, 0), "tourist-blue"),
            ((4, 4), "tourist-blue"),
        ]
        assert grid.unsure_figures == ()
        seen = city(tourists={(0, 0): "blue"})
        (grid,) = put_right(CITIES, [seen], "tourist:1,1=red", "token:2,2=tourist-green")
        assert [token.kind for token in grid.figures] == ["tourist-red", "tourist-green"]
        seen = city(tourists={(0, 0): "blue", (0, 1): "red", (0, 2): "red"})
        (grid,) = put_right(CITIES, [seen], "A:tourist:1,1=yes")
        assert grid.figures[0] == seen.figures[0]
        seen = city(tourists={(0, 0): "blue"}, unsure_figures=((0, 0),))
        (grid,) = put_right(CITIES, [seen], "A:tourist:1,1=no")
        assert (grid.figures, grid.unsure_figures) == ((), ())


class TestBeside:
    def test_a_slot_is_put_right_and_a_piece_added_to_a_heap(self):
        seen = blocks(NO_BUILDINGS, piece("row", 2, 1, unsure=True), unsure_slots=(("column", 0),))
        (grid,) = put_right(CITY_BLOCKS, [seen], "row:3=value-7", "column:1=none")
        assert [(p.container, p.number, p.face, p.unsure) for p in grid.loose] == [
            ("row", 2, "value-7", False)
        ]
        assert grid.unsure_slots == ()
        seen = blocks(NO_BUILDINGS, piece("blue", 0, 1))
        (grid,) = put_right(CITY_BLOCKS, [seen], "blue:2=value-7", "A:red:1=value-2")
        assert [(p.container, p.number, p.face) for p in grid.loose] == [
            ("blue", 0, "value-1"),
            ("blue", 1, "value-7"),
            ("red", 0, "value-2"),
        ]

    @pytest.mark.parametrize(
        "texts",
        [
            ("blue:2=value-9", "blue:3=value-10"),
            ("blue:3=value-10", "blue:2=value-9"),
            ("blue:2=value-8", "blue:3=value-10", "blue:2=value-9"),
        ],
    )
    def test_pieces_are_added_to_a_heap_in_any_order(self, texts):
        (grid,) = put_right(CITY_BLOCKS, [blocks(NO_BUILDINGS, piece("blue", 0, 1))], *texts)
        assert [p.face for p in grid.loose] == ["value-1", "value-9", "value-10"]

    def test_pieces_keep_their_numbers_when_one_below_is_taken_away(self):
        beside = [piece("blue", number, number + 1) for number in range(3)]
        (grid,) = put_right(CITY_BLOCKS, [blocks(NO_BUILDINGS, *beside)], "blue:2=none")
        assert [(p.number, p.face) for p in grid.loose] == [(0, "value-1"), (2, "value-3")]

    def test_corrected_piece_counts_in_the_table(self):
        seen = reading(CITY_BLOCKS, blocks(NO_BUILDINGS, piece("row", 0, 9)))
        given = (parse_correction("blue:1=value-7", CITY_BLOCKS),)
        scan = make_unscored_scan(seen, CITY_BLOCKS, corrections=given)
        assert scan.table.collected.blue == (7,)


@pytest.mark.parametrize(
    ("description", "text", "code"),
    [
        *[
            (CITIES, text, "correction-malformed")
            for text in ("A", "", "A:2,3:park", "1:1,1=park", "A:1,1= park")
        ],
        (CITIES, "A:2=park", "correction-malformed"),
        (CITIES, "A:-1,0=park", "correction-malformed"),
        (CITIES, "A:tourist:2=yes", "correction-malformed"),
        (CITY_BLOCKS, "row:3,4=value-7", "correction-malformed"),
        (CITIES, "A:3,4=tree", "correction-unknown-face"),
        (CITIES, "A:3,4=tile-4", "correction-unknown-face"),
        (CITIES, "A:tourist:3,4=purple", "correction-unknown-face"),
        (CITY_BLOCKS, "3,4=value-7", "correction-unknown-face"),
        (CITY_BLOCKS, "row:3=blue-house-1", "correction-unknown-face"),
        (CITY_BLOCKS, "rwo:3=value-7", "correction-unknown-place"),
        (READING_ONLY, "heap:3=moon", "correction-unknown-place"),
        (CITY_BLOCKS, "row:6=value-7", "correction-no-place"),
        (CITY_BLOCKS, "blue:2=value-7", "correction-no-place"),
        (CITY_BLOCKS, "blue:2=none", "correction-no-place"),
        (CITY_BLOCKS, "6,1=none", "correction-off-grid"),
        (CITY_BLOCKS, "1,7=none", "correction-off-grid"),
        (CITY_BLOCKS, "B:1,1=none", "correction-unknown-city"),
        (CITIES, "C:1,1=park", "correction-unknown-city"),
        (CITIES, "1,1=park", "correction-unknown-city"),
    ],
)
def test_senseless_correction_is_refused(description, text, code):
    grids = {
        "cities": [city(), city(position=1)],
        "city-blocks": [blocks(NO_BUILDINGS)],
        "reading-only": [grid_reading(READING_ONLY, [["sun"] * 3] * 2)],
    }[description.game]
    with refused(code) as caught:
        put_right(description, grids, text)
    assert text in caught.value.where
