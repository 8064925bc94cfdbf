"""Tables that games make of readings of Cities, City Blocks and the dice board."""

from dataclasses import replace

import pytest

from firmware.base.errors import UsageError
from firmware.games.scoring_options import ScoringOptions
from firmware.scan.corrections import parse_correction
from firmware.scan.make_scan import make_scan, make_unscored_scan
from scoring.faces import BuildingKind, Field, Side
from scoring.games.city_blocks.score_sheet import Basis
from scoring.games.city_blocks.table import Building
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    EMPTY_ROW,
    FULL_BOARD,
    FULL_CITY,
    blocks,
    cards,
    city,
    numbered_tiles,
    piece,
    reading,
    sign,
    slots,
)
from tests.refusals import refused
from vision.reading import PlaceKind


def unscored(description, *grids, corrections=(), **options):
    given = [parse_correction(text, description) for text in corrections]
    return make_unscored_scan(
        reading(description, *grids),
        description,
        corrections=given,
        options=ScoringOptions(**options),
    )


def scored(description, *grids, **options):
    return make_scan(reading(description, *grids), description, options=ScoringOptions(**options))


def kinds(scan):
    return [finding.note.code for finding in scan.findings]


def doubtful(scan, what=PlaceKind.TILE):
    return [doubt.place.at for doubt in scan.doubts.read_of_kind(what)]


class TestCities:
    def test_fields_and_tourists_become_city_of_their_colour(self):
        scan = scored(CITIES, city(tourists={(0, 0): "red", (2, 2): "red"}))
        (only,) = scan.table.cities
        assert only.fields[0][:4] == (Field.SIGHT, Field.SIGHT, Field.CAFE, Field.PARK)
        assert only.tourists == ((0, 0), (2, 2))
        assert scan.table.players == ("Red",)
        assert scan.sheet.players[0].final == 4 + 4
        assert scan.doubts.count == 0

    def test_level_and_names_are_those_that_a_person_says(self):
        cities = city(tourists={(0, 2): "blue"}), city(position=1)
        scan = scored(CITIES, *cities, level=2, players=("Ann", "Ben"))
        assert (scan.sheet.level, [p.name for p in scan.sheet.players]) == (2, ["Ann", "Ben"])
        scan = scored(CITIES, city(), city(tourists={(0, 0): "green"}, position=1))
        assert scan.table.players == ("P1", "Green")
        assert scored(CITIES, city()).table.players is None
        both = (city(tourists={(0, 0): "red"}, position=position) for position in range(2))
        assert scored(CITIES, *both).table.players == ("Red A", "Red B")

    def test_missing_fields_are_scored_without_and_need_a_person(self):
        scan = scored(CITIES, city(FULL_CITY[:-2] + ".."))
        assert scan.sheet.missing == ((0, (7, 6)), (0, (7, 7)))
        assert [doubt.place.at for doubt in scan.doubts.missing_places] == [(7, 6), (7, 7)]

    def test_a_tourist_on_water_is_doubtful_and_left_out(self):
        scan = scored(CITIES, city(tourists={(0, 0): "red", (0, 5): "red"}))
        assert scan.table.cities[0].tourists == ((0, 0),)
        assert kinds(scan) == ["on-water"]
        assert doubtful(scan, PlaceKind.FIGURE) == [(0, 5)]
        tourists = {(0, 0): "red", (2, 2): "red", (4, 4): "blue"}
        scan = scored(CITIES, city(tourists=tourists))
        assert kinds(scan) == ["colours-mixed"]
        assert doubtful(scan, PlaceKind.FIGURE) == [(4, 4)]
        assert len(scan.table.cities[0].tourists) == 3

    def test_of_too_many_tourists_the_doubtful_ones_are_left_out(self):
        tourists = dict.fromkeys([(0, column) for column in (0, 1, 2, 3, 4, 7)], "red")
        tourists |= {(1, 0): "red", (1, 1): "red", (1, 2): "blue"}
        scan = scored(CITIES, city(tourists=tourists, unsure_figures=((0, 0),)))
        assert "too-many-tourists" in kinds(scan)
        kept = scan.table.cities[0].tourists
        assert len(kept) == 7
        assert not {(0, 0), (1, 2)} & set(kept)
        assert len(doubtful(scan, PlaceKind.FIGURE)) == 9

    def test_all_cities_of_the_same_numbers_leave_no_doubt(self):
        turned = [row[::-1] for row in numbered_tiles()[::-1]]
        scan = unscored(CITIES, city(), city(position=1, tiles=turned), city(position=2))
        assert scan.findings == ()

    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_a_number_that_the_others_lack_is_doubtful_in_all_its_fields(self, count):
        odd = numbered_tiles()
        odd[3][0] = "tile-20"
        cities = [city(position=position) for position in range(1, count)]
        scan = unscored(CITIES, city(tiles=odd), *cities)
        (found,) = scan.findings
        assert found.note.code == "tiles-differ"
        # Of two cities nobody can say which one is right
        assert dict(found.note.values)["names"] == ("tile-13, tile-20" if count == 2 else "tile-20")
        at = {(0, (row, column)) for row in (6, 7) for column in (0, 1)}
        at |= {(1, cell) for _city, cell in at} if count == 2 else set()
        assert {(place.grid, place.at) for place in found.places} == at
        at = "A, row 7, column 1"
        assert any("tile 20" in note and at in note for note in scan.note_sentences)

    def test_city_with_gaps_may_lack_numbers_but_not_double_them(self):
        short = [[None, *numbered_tiles()[0][1:]], *numbered_tiles()[1:]]
        gaps = FULL_CITY.replace("SSCPPWWC/SSCPPWWC", "..CPPWWC/..CPPWWC")
        assert unscored(CITIES, city(), city(gaps, tiles=short, position=1)).findings == ()
        twice = numbered_tiles()
        twice[0][1] = "tile-1"
        scan = unscored(CITIES, city(tiles=twice))
        assert kinds(scan) == ["tile-twice"]
        assert set(doubtful(scan)) == {(r, c) for r in (0, 1) for c in (0, 1, 2, 3)}

    def test_corrected_field_is_not_doubted_again(self):
        odd = numbered_tiles()
        odd[3][0] = "tile-20"
        fields = {"7,1": "sight", "7,2": "sight", "8,1": "park", "8,2": "park"}
        corrections = [f"{letter}:{at}={name}" for letter in "AB" for at, name in fields.items()]
        scan = unscored(CITIES, city(tiles=odd), city(position=1), corrections=corrections)
        assert scan.doubts.count == 0

    def test_no_city_and_names_for_another_number_are_refused(self):
        with refused("player-count", where="--players"):
            scored(CITIES, city(), players=("Ann", "Ben"))
        with refused("no-city"):
            scored(CITIES)


class TestCityBlocks:
    def test_faces_become_plots_and_slots_values(self):
        laid = blocks("bH1 rF7 bE -- -- rP" + EMPTY_ROW * 4, *slots([7, 3, 0, 5, 1], [2, 4]))
        scan = scored(CITY_BLOCKS, laid)
        assert scan.table.grid[0] == (
            Building(Side.BLUE, BuildingKind.HOUSE, 1), Building(Side.RED, BuildingKind.FACTORY, 7),
            Building(Side.BLUE, BuildingKind.SCHOOL), None,
            None, Building(Side.RED, BuildingKind.POWER_PLANT),
        )  # fmt: skip
        assert scan.table.row_values == (7, 3, None, 5, 1)
        assert scan.table.column_values == (2, 4, None, None, None, None)
        assert scan.doubts.count == 0

    def test_tiles_in_the_heaps_are_what_counts(self):
        heaps = (piece("blue", 0, 7), piece("blue", 1, 2), piece("red", 0, 12))
        scan = scored(CITY_BLOCKS, blocks(FULL_BOARD, *heaps))
        assert scan.sheet.basis is Basis.COLLECTED
        assert (scan.table.collected.blue, scan.table.collected.red) == ((2, 7), (12,))
        assert (scan.sheet.totals.blue, scan.sheet.totals.red) == (9, 12)
        assert scan.doubts.count == 0

    def test_values_left_gone_or_open_are_doubtful_or_noted(self):
        board = "bH1 bH2 bH3 bS2 bS3 rC" + EMPTY_ROW * 4
        scan = scored(CITY_BLOCKS, blocks(board, piece("blue", 0, 7), piece("row", 1, 3)))
        assert kinds(scan) == ["values-beside"]
        assert scan.doubts.count == 0
        scan = scored(CITY_BLOCKS, blocks(board, piece("red", 0, 7), piece("row", 0, 3)))
        assert "value-left" in kinds(scan)
        assert doubtful(scan, PlaceKind.LOOSE) == [("row", 0)]
        scan = scored(CITY_BLOCKS, blocks(FULL_BOARD, *slots([0, 3, 15, 6, 1], [2] + [0] * 5)))
        assert kinds(scan) == ["value-gone"]
        gone = [("row", 0), *(("column", index) for index in (1, 2, 3, 4))]
        assert sorted(doubtful(scan, PlaceKind.LOOSE)) == sorted(gone)
        scan = scored(CITY_BLOCKS, blocks(FULL_BOARD))
        assert kinds(scan) == ["no-values"]
        assert scan.doubts.count == 1

    def test_value_tiles_with_the_players_are_counted_against_the_streets(self):
        """An unseen value tile would cost its owner points without a word."""
        heap = [piece("blue", number, number + 1) for number in range(11)]
        streets = scored(CITY_BLOCKS, blocks(FULL_BOARD, *heap)).sheet.streets
        won = sum(street.winner is not None for street in streets)
        scan = scored(CITY_BLOCKS, blocks(FULL_BOARD, *heap[:won]))
        assert kinds(scan) == []
        scan = scored(CITY_BLOCKS, blocks(FULL_BOARD, *heap[: won - 1]))
        assert kinds(scan) == ["values-fewer"]
        assert scan.findings[0].note.values == (("streets", won), ("given", won - 1))
        assert scan.doubts.count == 0
        row = "bH1 bH2 bH3 bS2 bS3 rC" + EMPTY_ROW * 4
        scan = scored(CITY_BLOCKS, blocks(row, *heap[:2]))
        assert kinds(scan) == ["values-more"]
        assert scan.doubts.count == 1
        unsure = tuple((1, column) for column in range(6))
        assert kinds(scored(CITY_BLOCKS, blocks(row, *heap[:2], unsure=unsure))) == []
        more = scored(CITY_BLOCKS, blocks(row, *heap[:3], unsure=unsure))
        assert kinds(more) == ["values-more"], "even if the second row is full"
        twice = [*heap[: won - 1], piece("red", 0, 1)]
        assert kinds(scored(CITY_BLOCKS, blocks(FULL_BOARD, *twice))) == ["value-twice"]

    def test_unread_value_tile_is_not_reported_missing(self):
        heap = [piece("blue", number, number + 1) for number in range(8)]
        seen = blocks(FULL_BOARD, *heap)
        assert kinds(scored(CITY_BLOCKS, seen)) == ["values-fewer"]
        beside = (0, 1, 3, 4)  # the third row is a tie
        for riddle in [("red", 0), *(("row", street) for street in beside)]:
            unread = replace(seen, unsure_slots=(riddle,))
            assert "values-fewer" not in kinds(scored(CITY_BLOCKS, unread)), riddle

    def test_of_a_building_too_many_the_least_certain_is_left_out(self):
        laid = blocks("bH1 bH1 bE bE bE --" + EMPTY_ROW * 4, *slots([1] * 1, [2]),
                      confidence={(0, 0): 0.6, (0, 3): 0.7})  # fmt: skip
        scan = scored(CITY_BLOCKS, laid)
        row = scan.table.grid[0]
        assert [plot is None for plot in row] == [True, False, False, True, False, True]
        assert kinds(scan) == ["building-twice"] * 2
        assert doubtful(scan) == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]

    def test_of_values_and_boards_read_twice_one_counts(self):
        pieces = (piece("row", 0, 7, confidence=0.9), piece("column", 2, 7, confidence=0.95))
        scan = scored(CITY_BLOCKS, blocks("-- -- -- -- -- --" + EMPTY_ROW * 4, *pieces))
        assert scan.table.row_values[0] is None
        assert scan.table.column_values[2] == 7
        assert set(doubtful(scan, PlaceKind.LOOSE)) == {("row", 0), ("column", 2)}
        heaps = (piece("blue", 0, 7), piece("red", 0, 12))
        scan = scored(CITY_BLOCKS, blocks(FULL_BOARD, *heaps), blocks(FULL_BOARD))
        assert scan.sheet.totals.red == 12
        assert kinds(scan) == ["more-boards", "values-fewer"]
        assert scan.doubts.count == 1

    def test_other_names_no_board_and_too_many_collected_are_refused(self):
        with refused("players-are-colours"):
            scored(CITY_BLOCKS, blocks(FULL_BOARD), players=("Ann", "Ben"))
        with refused("no-board"):
            scored(CITY_BLOCKS)
        heap = [piece("blue", number, number + 1) for number in range(12)]
        with refused("too-many-collected"):
            scored(CITY_BLOCKS, blocks(FULL_BOARD, *heap))


def companies(scan):
    return {(c.player, c.name): c.plots for c in scan.table.companies}


class TestDiceBoard:
    @pytest.mark.parametrize("turn", range(4))
    @pytest.mark.parametrize("sight", ["", "-sight"])
    def test_a_sign_is_complete_in_any_common_turn_and_on_either_side(self, turn, sight):
        scan = scored(DICE_BOARD, cards(*sign(4, 4, "red-bakery", turn, sight)))
        (only,) = scan.sheet.companies
        assert (only.player, only.name, only.points) == ("Red", "bakery", 44)
        assert scan.doubts.count == 0
        assert scan.findings == ()

    def test_edge_numbers_are_those_of_the_edition(self):
        scan = scored(DICE_BOARD, cards(*sign(0, 0, "blue-theatre")))
        assert scan.table.board.row_numbers == (1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1)
        assert scan.sheet.companies[0].points == 2 + 3 + 3 + 4
        scan = scored(DICE_BOARD, cards(*sign(4, 4, "red-bakery")[:3], (0, 0, "red-theatre-se", 2)))
        plots = companies(scan)["Red", "bakery"]
        assert plots == ((4, 4), (4, 5), (5, 5))
        assert scan.sheet.totals == (("Red", 0),)

    @pytest.mark.parametrize(
        "laid",
        [
            [*sign(4, 4, "red-bakery")[:3], (9, 9, "red-bakery-sw", 0)],
            [*sign(4, 4, "red-bakery")[:3], (5, 4, "red-bakery-sw", 1)],
            [(4, 4, "red-bakery-ne", 0), (4, 5, "red-bakery-nw", 0),
             (5, 4, "red-bakery-sw", 0), (5, 5, "red-bakery-se", 0)],
        ],
        ids=["scattered", "one turned", "two exchanged"],
    )  # fmt: skip
    def test_four_cards_that_form_no_sign_are_not_complete(self, laid):
        scan = scored(DICE_BOARD, cards(*laid))
        assert kinds(scan) == ["out-of-place"]
        assert len(companies(scan)["Red", "bakery"]) == 3
        assert scan.sheet.totals == (("Red", 0),)

    def test_cards_turned_over_and_not_are_complete_together(self):
        laid = [*sign(4, 4, "red-bakery")[:2], *sign(4, 4, "red-bakery", 0, "-sight")[2:]]
        scan = scored(DICE_BOARD, cards(*laid))
        assert scan.sheet.companies[0].complete
        assert kinds(scan) == ["partly-turned"]
        laid = [*sign(4, 4, "red-bakery"), (0, 0, "red-bakery-nw-sight", 0)]
        scan = scored(DICE_BOARD, cards(*laid))
        assert "card-twice" in kinds(scan)
        assert set(doubtful(scan)) == {(0, 0), (4, 4)}

    def test_a_corrected_card_may_be_turned_as_needed(self):
        laid = sign(4, 4, "red-bakery", 3)
        row, column, face, _turn = laid[3]
        laid[3] = (row, column, "blue-bakery-nw", 1)
        scan = unscored(DICE_BOARD, cards(*laid), corrections=[f"{row + 1},{column + 1}={face}"])
        (only,) = scan.table.companies
        assert only.complete

    def test_players_are_listed_by_colour_and_may_be_named(self):
        laid = [
            *sign(0, 0, "yellow-bakery"),
            *sign(4, 4, "red-bakery"),
            *sign(8, 8, "blue-theatre"),
        ]
        assert scored(DICE_BOARD, cards(*laid)).table.players == ("Red", "Blue", "Yellow")
        named = scored(DICE_BOARD, cards(*laid), players=("Ann", "Ben", "Zoe"))
        assert named.table.players == ("Ann", "Ben", "Zoe")
        with pytest.raises(UsageError, match="in this order: Red, Blue, Yellow"):
            scored(DICE_BOARD, cards(*laid), players=("Ann", "Ben"))
        with refused("no-companies"):
            scored(DICE_BOARD, cards())
