"""Ranges of points and ranks against every combination scored by itself."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.games.findings import faces_in
from firmware.games.scoring_options import ScoringOptions
from firmware.scan import range_search
from firmware.scan.corrections import Correction, apply_corrections, cell_names
from firmware.scan.json_output import scan_json
from firmware.scan.make_scan import make_scan
from firmware.scan.range_search import compute_ranges, open_parts
from firmware.wording.ranges import Range, RangeQuality
from scoring.errors import TableError
from scoring.faces import Face
from scoring.games.between_two_cities.legality import SUPPLY
from scoring.games.between_two_cities.table import Variant
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    FULL_BOARD,
    blocks,
    cards,
    city,
    reading,
    sign,
    slots,
)
from tests.firmware.samples import BTC, EXAMPLE_CITIES, example, ring_reading, scored
from tests.firmware.scan_samples import dice_scan
from vision.reading import Note, NoteCode, Place, PlaceKind

SHOP_OR_PARK = (Face.SHOP, Face.PARK)


def tile(grid, cell):
    return Place(PlaceKind.TILE, grid, cell)


def open_at(scan, alternatives):
    """Return a scan with open tiles: the alternatives of each place, which is (grid, cell)."""
    grids = list(scan.reading.grids)
    for (index, cell), faces in alternatives.items():
        grid = grids[index]
        grids[index] = replace(
            grid,
            unsure=tuple(sorted({*grid.unsure, cell})),
            alternatives={**grid.alternatives, cell: tuple(faces)},
        )
    return replace(scan, reading=replace(scan.reading, grids=tuple(grids)))


def sheets(scan):
    """Yield the sheet of every combination, each scored from the reading on."""
    doubts = scan.doubts.read_places
    for faces in product(*((each.read, *each.alternatives) for each in doubts)):
        wanted = [Correction(each.place, face) for each, face in zip(doubts, faces, strict=True)]
        table = scan.game.table_from_reading(
            apply_corrections(scan.reading, scan.description, wanted)[0],
            scan.description,
            scan.options,
        )
        with suppress(TableError):
            yield scan.game.rules.score(table, lenient=True)


def spread(rows):
    return tuple(Range(min(each), max(each)) for each in zip(*rows, strict=True))


CELLS = st.tuples(st.integers(0, 3), st.integers(0, 3))
FACES = st.lists(st.sampled_from(list(Face)), min_size=1, max_size=3, unique=True)
OPEN_TILES = st.dictionaries(st.tuples(st.integers(0, 5), CELLS), FACES, min_size=1, max_size=4)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPEN_TILES)
def test_ranges_are_those_of_all_combinations(alternatives):
    scan = open_at(example(), alternatives)
    found, every = compute_ranges(scan), list(sheets(scan))
    assert found.cities == spread([[each.total for each in sheet.cities] for sheet in every])
    assert found.players == spread([[each.final for each in sheet.players] for sheet in every])
    assert found.ranks == spread([[each.rank for each in sheet.players] for sheet in every])
    assert found.winner_certain == (len({sheet.winners for sheet in every}) == 1)


def dealt(seed, variant):
    """Return a scan of cities dealt out of the box; the last park and others may be among them."""
    box = [face for face in Face for _tile in range(SUPPLY[face].total)]
    Random(seed).shuffle(box)  # noqa: S311 - tables are dealt
    count = 4 if variant is Variant.TWO_PLAYER else 7
    grids = [
        tuple(tuple(box[16 * n + 4 * r : 16 * n + 4 * r + 4]) for r in range(4))
        for n in range(count)
    ]
    owners = (0, 1, 1, 0) if variant is Variant.TWO_PLAYER else None
    options = ScoringOptions(variant=variant.value, owners=owners)
    return make_scan(ring_reading(count, grids=grids), BTC, options=options)


OPEN_OF_FOUR = st.dictionaries(st.tuples(st.integers(0, 3), CELLS), FACES, min_size=1, max_size=3)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 9999), st.sampled_from(Variant), OPEN_OF_FOUR)
def test_ranges_of_dealt_tables_are_those_of_all_combinations(seed, variant, alternatives):
    scan = open_at(dealt(seed, variant), alternatives)
    found, every = compute_ranges(scan), list(sheets(scan))
    assert found.cities == spread([[each.total for each in sheet.cities] for sheet in every])
    assert found.players == spread([[each.final for each in sheet.players] for sheet in every])
    assert found.winner_certain == (len({sheet.winners for sheet in every}) == 1)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPEN_TILES)
def test_bounds_hold_all_combinations(alternatives):
    scan = open_at(example(), alternatives)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(range_search, "MAX_RANKINGS", 0)
        bounds = compute_ranges(scan)
    exact = compute_ranges(scan)
    for bound, inner in zip(
        (*bounds.cities, *bounds.players, *bounds.ranks),
        (*exact.cities, *exact.players, *exact.ranks),
        strict=True,
    ):
        assert bound.least <= inner.least <= inner.most <= bound.most
    assert exact.winner_certain or not bounds.winner_certain


def test_no_ranges_where_nothing_is_open():
    assert compute_ranges(example()) is None


def test_factory_elsewhere_changes_a_sure_city():
    few, many = "FFFS/SSSS/PPPP/HHHH", "FFFF/SSSS/PPPP/HHHH"
    scan = open_at(scored(many, few, few), {(0, (0, 0)): (Face.PARK,), (0, (0, 1)): (Face.PARK,)})
    assert compute_ranges(scan).cities[1].least < compute_ranges(scan).cities[1].most


RICH, POOR = "SSSS/EBMD/OOOO/PPPP", "HFHF/FHFH/HHFH/HFHH"


def test_player_far_ahead_wins_for_certain():
    scan = open_at(scored(RICH, RICH, POOR, POOR), {(2, (0, 0)): (Face.TAVERN_FOOD,)})
    assert compute_ranges(scan).winner_certain


def test_unread_city_keeps_the_winner_open():
    scan = example(notes=(Note(NoteCode.BLURRED),))
    assert not compute_ranges(scan).winner_certain


def test_tile_that_changes_no_rank_is_without_effect():
    cities = scored(POOR, RICH, POOR.replace("H", "B", 1))
    scan = open_at(cities, {(1, (3, 3)): (Face.SHOP,)})
    assert compute_ranges(scan).without_effect == {tile(1, (3, 3))}


def test_tile_that_decides_more_comes_first():
    even = list(EXAMPLE_CITIES.values())
    scan = open_at(scored(*even), {(0, (0, 0)): (Face.TAVERN_BED,), (2, (1, 1)): tuple(Face)[:4]})
    found = compute_ranges(scan)
    weights = [place in found.without_effect for place in found.by_influence]
    assert weights == sorted(weights)


def test_too_many_assignments_of_a_city_are_bounded():
    cells = {(1, (row, column)): SHOP_OR_PARK for row in range(4) for column in range(4)}
    found = compute_ranges(open_at(example(), cells))
    assert found.cities[1] == Range(0, 80)
    assert found.quality is not RangeQuality.EXACT


def test_tile_without_a_guess_may_be_anything():
    scan = open_at(example(), {(0, (0, 0)): ()})
    every = open_at(example(), {(0, (0, 0)): tuple(Face)})
    assert compute_ranges(scan).cities == compute_ranges(every).cities


@pytest.mark.parametrize(
    "note",
    [
        Note(NoteCode.OVER_THE_EDGE, values=(("edges", "left"),)),
        Note(NoteCode.HIDDEN, places=(tile(0, (0, 0)),)),
        Note(NoteCode.GLARE, places=(tile(0, (0, 0)), tile(0, (3, 3)))),
    ],
)
def test_tile_that_was_not_seen_may_be_anything(note):
    scan = open_at(example(city_notes={2: (note,)}), {(2, (0, 0)): (Face.SHOP,)})
    every = open_at(example(), {(2, (0, 0)): tuple(Face)})
    assert compute_ranges(scan).cities == compute_ranges(every).cities


def test_guesses_count_where_another_tile_was_not_seen():
    note = Note(NoteCode.HIDDEN, places=(tile(0, (3, 3)),))
    scan = open_at(example(city_notes={2: (note,)}), {(2, (0, 0)): (Face.SHOP,)})
    seen = open_at(example(), {(2, (0, 0)): (Face.SHOP,)})
    assert compute_ranges(scan).cities == compute_ranges(seen).cities


def test_place_of_a_city_without_a_tile_may_hold_any():
    first, *others = EXAMPLE_CITIES.values()
    cities = ["." + first[1:], *others]
    scan = open_at(scored(*cities), {(0, (0, 0)): (Face.SHOP,)})
    every = open_at(scored(*cities), {(0, (0, 0)): tuple(Face)})
    assert compute_ranges(scan).cities == compute_ranges(every).cities


def test_tiles_that_only_the_box_binds_have_an_effect():
    """The last park and the last shop of the box change places, or neither does."""
    cities = "PSPP/SPPP/SSPP/PSSS", "SPSS/SSPS/SPPP/PSPS", "PSSS/SSPP/SPPP/SSPP"
    scan = scored(*cities, "HHHH/HHHH/HHHH/HHHH")
    scan = open_at(scan, {(0, (0, 0)): SHOP_OR_PARK, (1, (0, 0)): SHOP_OR_PARK})
    found = compute_ranges(scan)
    assert any(each.is_open for each in found.ranks)
    assert found.without_effect == frozenset()


def test_cities_are_compared_by_their_tourists():
    seen = reading(
        CITIES, city(tourists={(0, 0): "red"}), city(tourists={(7, 7): "blue"}, position=1)
    )
    scan = open_at(make_scan(seen, CITIES), {(0, (0, 1)): ("water",), (1, (7, 6)): ("water",)})
    every = list(sheets(scan))
    assert compute_ranges(scan).players == spread([[e.final for e in s.players] for s in every])


def left_in_box(grid, cell):
    """Return what may lie on a plot of City Blocks: nothing, or what lies nowhere else."""
    laid = Counter(face for at, face in faces_in(grid) if at != cell)
    return (None, *(
        name
        for name in cell_names(CITY_BLOCKS)
        if laid[name] < (2 if name.endswith("school") else 1)
    ))  # fmt: skip


def test_unsure_plot_may_hold_all_that_is_left_in_the_box():
    beside = slots([7, 3, 15, 6, 1], [2, 4, 5, 8, 9, 10])
    seen = reading(CITY_BLOCKS, blocks(FULL_BOARD, *beside))
    scan = open_at(make_scan(seen, CITY_BLOCKS), {(0, (0, 0)): (None,)})
    every = open_at(scan, {(0, (0, 0)): left_in_box(seen.grids[0], (0, 0))})
    totals = [sheet.totals for sheet in sheets(every)]
    assert compute_ranges(scan).players == spread([[each.blue, each.red] for each in totals])


def test_two_unsure_plots_may_hold_all_that_is_left_in_the_box():
    beside = slots([7, 3, 15, 6, 1], [2, 4, 5, 8, 9, 10])
    seen = reading(CITY_BLOCKS, blocks(FULL_BOARD, *beside))
    cells = (0, 0), (1, 1)
    scan = open_at(make_scan(seen, CITY_BLOCKS), {(0, cell): (None,) for cell in cells})
    grid = seen.grids[0]
    surely_laid = Counter(face for cell, face in faces_in(grid) if cell not in cells)
    totals = []
    for both in product((None, *cell_names(CITY_BLOCKS)), repeat=2):
        laid = surely_laid + Counter(name for name in both if name)
        if any(laid[name] > (2 if name.endswith("school") else 1) for name in both if name):
            continue
        given = [Correction(tile(0, cell), name) for cell, name in zip(cells, both, strict=True)]
        board = apply_corrections(scan.reading, CITY_BLOCKS, given)[0]
        sheet = scan.game.rules.score(
            scan.game.table_from_reading(board, CITY_BLOCKS, scan.options), lenient=True
        )
        totals.append((sheet.totals.blue, sheet.totals.red))
    found = compute_ranges(scan)
    assert found.players == spread(totals)
    assert found.quality is not RangeQuality.UNBOUNDED


def test_card_that_is_sure_elsewhere_does_not_open_the_winner():
    laid = [*sign(4, 4, "red-bakery"), *sign(8, 8, "blue-theatre"), (0, 0, "green-tramway-nw", 0)]
    assert cards_open_at(laid, {(0, 0): ("red-bakery-nw",)}).ranges.winner_certain


def test_value_tile_without_a_guess_may_be_any():
    beside = [*slots([7, 3, 15, 6, 1], [2, 4, 5, 8, 9, 10])]
    beside[0] = replace(beside[0], unsure=True)
    seen = reading(CITY_BLOCKS, blocks(FULL_BOARD, *beside))
    found = compute_ranges(make_scan(seen, CITY_BLOCKS))
    assert any(each.least < each.most for each in found.players)


def test_dice_board_has_ranges_of_its_players():
    scan = open_at(dice_scan(), {(0, (4, 4)): (None,)})
    every = [dict(sheet.totals) for sheet in sheets(scan)]
    names = [name for name, _points in scan.sheet.totals]
    assert compute_ranges(scan).players == spread(
        [[each.get(n, 0) for n in names] for each in every]
    )


def cards_open_at(laid, alternatives, **options):
    """Return a scan of cards, some of which may show something else."""
    grid = replace(cards(*laid), unsure=tuple(alternatives), alternatives=alternatives)
    return make_scan(reading(DICE_BOARD, grid), DICE_BOARD, options=ScoringOptions(**options))


def test_named_players_keep_ranges_when_the_only_card_of_one_is_open():
    laid = [*sign(4, 4, "red-bakery"), *sign(8, 8, "blue-theatre"), (0, 0, "green-tramway-nw", 0)]
    found = cards_open_at(laid, {(0, 0): (None,)}, players=("Ann", "Ben", "Cleo")).ranges
    assert (len(found.players), found.winner_certain) == (3, True)


def test_player_who_may_join_keeps_the_winner_open():
    laid = [*sign(5, 5, "blue-bakery"), *sign(0, 0, "blue-theatre")]
    other = {(0, 0): "nw", (0, 1): "ne", (1, 1): "se", (1, 0): "sw"}
    cells = {(5 + r, 5 + c): (f"green-bakery-{at}",) for (r, c), at in other.items()}
    assert not cards_open_at(laid, cells).ranges.winner_certain


def test_json_has_the_ranges_of_open_tiles():
    scan = open_at(example(), {(0, (0, 0)): (Face.PARK,)})
    parsed = scan_json(replace(scan, ranges=compute_ranges(scan)))["ranges"]
    assert parsed["cities"] == [[each.least, each.most] for each in compute_ranges(scan).cities]


def test_json_of_a_sure_table_has_no_ranges():
    assert "ranges" not in scan_json(example())


def test_open_parts_are_those_that_change_with_the_open_tile():
    park_or_shop = example(unsure={0: ((1, 1),)})
    assert open_parts(park_or_shop) == {(0, "parks"), (0, "shops")}


def test_without_open_places_no_part_is_open():
    assert open_parts(example()) == frozenset()


def test_too_many_open_places_leave_all_parts_of_open_cities_open():
    cells = tuple((row, column) for row in range(4) for column in range(4))
    scan = example(unsure={0: cells})
    of_first = {part for city, part in open_parts(scan) if city == 0}
    assert len(of_first) == len(scan.game.city_points(scan.sheet)[0].parts)


def test_parts_have_the_ranges_of_all_combinations():
    scan = open_at(example(), {(0, (0, 0)): SHOP_OR_PARK, (3, (1, 1)): (Face.FACTORY, Face.HOUSE)})
    every = [scan.game.city_points(sheet) for sheet in sheets(scan)]
    found = compute_ranges(scan).parts
    assert found == {
        (index, part): spread([[cities[index].parts[part]] for cities in every])[0]
        for index, city in enumerate(every[0])
        for part in city.parts
    }


def test_parts_of_too_many_combinations_have_no_ranges():
    cells = tuple((row, column) for row in range(4) for column in range(4))
    assert not compute_ranges(example(unsure={0: cells})).parts
