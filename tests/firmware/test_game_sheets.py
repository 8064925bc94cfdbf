"""Sheets of all games as text for terminals of any width, and in any language."""

import gettext
import io
import re
from collections import Counter
from dataclasses import replace
from importlib import import_module

import pytest
from rich.cells import cell_len
from rich.console import Console

from firmware.base.language import use_language
from firmware.games.city_blocks.words import totals_title, winner_sentence
from firmware.games.dice_board.json_forms import points_sentence
from firmware.games.doubts import DoubtfulPlace, Doubts
from firmware.games.player_words import shown_name
from firmware.games.registry import find_game
from firmware.scan.make_scan import make_scan
from firmware.wording.ranges import ShownNumbers
from firmware.wording.winners import winner_sentence as winners_sentence
from scoring.faces import Face, Side
from scoring.games import GAMES
from scoring.games.cities.table import City
from scoring.games.cities.table import Table as Cities
from scoring.games.city_blocks.notation import format_board, parse_board
from scoring.games.city_blocks.score_sheet import Basis
from scoring.games.city_blocks.table import PlayerTiles
from scoring.games.city_blocks.table import Table as Blocks
from scoring.games.dice_board.table import Board, Company
from scoring.games.dice_board.table import Table as Cards
from tests.firmware.board_samples import CITIES, city, reading
from tests.firmware.samples import example
from tests.firmware.tables import (
    GOLDEN,
    GOLDEN_TABLES,
    GOLDEN_TEXTS,
    changed,
    golden_text,
    printed,
    unwrapped,
)
from tests.firmware.test_ranges import open_at
from tests.scoring.btc_tables import two_player_table
from tests.scoring.cities_tables import corner, example_table
from tests.scoring.dice_board_tables import block
from vision.reading import Place, PlaceKind

WIDTHS = [40, 120]
BLOCKS, CARDS = GOLDEN_TABLES["city-blocks"], GOLDEN_TABLES["dice-board"]
NAMED_CITIES = GOLDEN_TABLES["cities"]
NAMELESS_CITIES = replace(NAMED_CITIES, players=None)
FULL = parse_board(format_board(BLOCKS.grid).replace("--", "rH3"))  # 11 full streets
EMPTY = ((None,) * 6,) * 5
OF_BLOCKS = {
    "streets": BLOCKS,
    "collected": Blocks(FULL, collected=PlayerTiles((3, 12, 4, 7, 2), (10, 15, 1, 14, 13, 5))),
    "nothing": Blocks(EMPTY, (None,) * 5, (None,) * 6),
    "all won": Blocks(FULL, (11, 12, 13, 14, 15), (10, 9, 8, 7, 6, 5)),
}


def companies_of(player, count, first_row=0):
    """Return ``count`` complete companies beside each other."""
    return tuple(Company(player, block(first_row, 2 * number)) for number in range(count))


OF_CARDS = {
    "usual": CARDS,
    "largest": Cards(
        tuple(
            company
            for index, player in enumerate(("P1", "P2", "P3", "P4"))
            for company in companies_of(player, 5, first_row=2 * index)
        ),
        Board(tuple(range(50)), tuple(range(99, 49, -1))),
    ),
    "high": Cards(companies_of("Ben", 1), Board((99, 99), (99, 99))),
    "alone": Cards((Company("Ben", ((1, 1),)),), Board((1, 2), (3, 4))),
    "nothing": Cards((Company("Ben", (), "Mill"), Company("Emily", ()))),
}
TABLES = [
    *GOLDEN_TABLES.items(),
    ("between-two-cities", two_player_table()),
    ("cities", replace(NAMELESS_CITIES, cities=NAMELESS_CITIES.cities * 4)),
    ("cities", Cities(NAMELESS_CITIES.cities[:1], level=2)),
    *(("city-blocks", table) for table in OF_BLOCKS.values()),
    *(("dice-board", table) for table in OF_CARDS.values()),
]


@pytest.mark.parametrize("name", GAMES)
def test_a_sheet_looks_as_it_did(name):
    path, advice = GOLDEN_TEXTS[name], "if this is meant: python -m tests.regenerate_golden"
    assert path.exists(), f"{path} is missing: python -m tests.regenerate_golden"
    assert golden_text(name) == path.read_text("utf-8"), advice


@pytest.mark.parametrize("name", GAMES)
def test_points_have_question_marks_while_something_is_open(monkeypatch, name):
    """Final scores have them; so has each column where a game prints points by category."""
    columns = []

    def note_columns(_console, heads, points, totals, **_layout):
        columns.extend([worth[n] for _label, worth in points] for n in range(len(heads)))

    text = import_module(f"firmware.games.{name.replace('-', '_')}.text")
    monkeypatch.setattr(text, "print_points", note_columns, raising=False)
    table, numbers = GOLDEN_TABLES[name], ShownNumbers(mark="?")
    sheet = GAMES[name].score(table)
    grids = range(len(getattr(table, "cities", (None,))))
    open_places = [DoubtfulPlace(Place(PlaceKind.TILE, n, (0, 0)), None) for n in grids]
    console = Console(file=io.StringIO(), width=120, markup=False, highlight=False)
    find_game(name).print_score_sheet(
        console, sheet, table, Doubts(tuple(open_places)), numbers, reasons=False
    )
    shown = set(re.findall(r"\d+\?", console.file.getvalue()))
    assert {f"{player.points}?" for player in find_game(name).player_results(sheet)} <= shown
    for points in columns:
        assert any("?" in each for each in points), "use text_layout.shown_points"


def letters(text):
    """A name may be broken where it is too long."""
    return Counter(re.sub(r"[\s─]", "", text))


@pytest.mark.parametrize(("reasons", "widths"), [(False, WIDTHS[:1]), (True, WIDTHS)])
@pytest.mark.parametrize(("name", "table"), TABLES)
def test_a_narrow_terminal_shows_every_letter_of_a_wide_one(name, table, reasons, widths):
    wide = letters(printed(name, table, 200, reasons=reasons))
    for width in widths:
        text = printed(name, table, width, reasons=reasons)
        assert max(map(cell_len, text.splitlines())) <= width
        assert "…" not in text
        assert wide - letters(text) == Counter()


@pytest.mark.parametrize("name", GAMES)
def test_plain_ascii_loses_nothing_and_colour_only_repeats_the_words(name):
    table = GOLDEN_TABLES[name]
    in_ascii = printed(name, table, reasons=True, encoding="ascii")
    assert re.findall(r"\w+", in_ascii) == re.findall(r"\w+", printed(name, table, reasons=True))
    stream = io.StringIO()
    console = Console(file=stream, markup=False, force_terminal=True, color_system="standard")
    sheet = GAMES[name].score(table)
    find_game(name).print_score_sheet(console, sheet, table, None, reasons=False)
    assert "\x1b[" in stream.getvalue()
    assert "\x1b[" not in printed(name, table)


class Blackened(gettext.NullTranslations):
    """A catalogue that makes every letter but those of placeholders unreadable."""

    def gettext(self, message: str) -> str:
        return re.sub(r"(\{\w+\})|[a-zA-Z]", lambda match: match[1] or "ø", message)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def _blackened(monkeypatch):
    monkeypatch.setattr("firmware.base.language._load_catalogue", lambda _language: Blackened())
    use_language("de")
    yield
    use_language("en")


@pytest.mark.usefixtures("_blackened")
@pytest.mark.parametrize(
    "table",
    [
        example_table(),
        replace(example_table(), cities=example_table().cities[:1] * 2),
        Cities((corner("cW,./S..."),), level=1),
        Cities((corner("cS"), corner("cW"), corner("S")), level=2),
    ],
)
def test_every_text_comes_from_the_catalogue(table):
    names = tuple(f"n{index}" for index in range(len(table.cities)))
    text = printed("cities", replace(table, players=names), lenient=True, reasons=True)
    assert "øøø" in text
    assert re.findall(r"[a-zA-Z]{2,}", text) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[bold]Ben[/bold]", "[bold]Ben[/bold]"), (":smile: {n} %s", ":smile: {n} %s"),
        ("Ben\x1b[31m", "Ben�[31m"), ("Ben\nwins", "Ben�wins"), ("Ben\u202e\u200b", "Ben��"),
        (" Ben\t", "Ben"), ("山田太郎", "山田太郎"), ("x" * 300, "x" * 300),
        ("山" * 150, "山" * 150), ("two words " * 20, "two words"),
    ],
)  # fmt: skip
def test_hostile_names_stay_in_their_place(width, name, shown):
    cards = Cards((Company(name, block(0, 0), name), Company("Emily", ((5, 5),))))
    names = (name, "Emily", "Peter")
    of_btc = GOLDEN_TABLES["between-two-cities"]
    for game, table in (
        ("dice-board", cards),
        ("cities", replace(NAMED_CITIES, players=names)),
        ("between-two-cities", replace(of_btc, cities=of_btc.cities[:3], players=names)),
    ):
        text = printed(game, table, width, reasons=True)
        assert max(map(cell_len, text.splitlines())) <= width
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert "".join(shown.split()) in "".join(text.split())
        assert "Emily" in text


CITY = NAMELESS_CITIES.cities[0]
GAP = City(((*CITY.fields[0][:7], None), *CITY.fields[1:]), CITY.tourists)


class TestCities:
    @pytest.mark.parametrize(
        ("cities", "expected"),
        [
            (NAMELESS_CITIES.cities[1:], ["Player 1 wins with 16 points"]),
            (
                [NAMELESS_CITIES.cities[index] for index in (1, 0, 1, 1)],
                ["Player 1, equal in everything with Player 3, Player 4",
                 "Player 1, Player 3 and Player 4 share the victory with 16 points"],
            ),
            # What may change for any winner may change for all
            (
                [CITY, GAP],
                ["total 16? 16?", "Player 1 and Player 2 share the victory with 16? points"],
            ),
            ([corner("s"), corner("S")], ["Player 1 wins with 1? point"]),
            ([corner("SS/,")], ["2 ,*. . . . . . .", "stands where no field lies"]),
            ([City(CITY.fields)], ["no tourist in the city", "Player 1 plays alone: 0 points"]),
        ],
    )  # fmt: skip
    def test_sheet_names_reasons_ties_and_gaps(self, cities, expected):
        table = Cities(tuple(cities), 3)
        text = unwrapped(printed("cities", table, lenient=True, reasons=True))
        assert all(each in text for each in expected)
        assert ("Tie-breaks" in text) == any("share" in each for each in expected)

    def test_alone_there_is_no_victory(self):
        text = printed("cities", Cities((CITY,), level=2))
        assert text.startswith("Cities, level 2")
        assert text.endswith("\nPlayer 1 plays alone: 11 points at level 2\n")
        assert "rank" not in text

    @pytest.mark.parametrize("width", WIDTHS)
    def test_missing_fields_are_named_and_what_they_may_change_is_marked(self, width):
        gap = changed(["cities", 2, "fields", 0, 1], None, GOLDEN["cities"]["table"])
        table = find_game("cities").table_from_json(gap)
        text = printed("cities", table, width, lenient=True, reasons=True)
        missing = "Points with ? may change, these fields are missing: C, row 1, column 2"
        assert missing in unwrapped(text)
        assert re.search(r"total .*\b10\?", text)
        assert "1 c*. W P S S C S" in text
        assert ". no field" in text
        assert "may change" not in printed("cities", NAMED_CITIES, width)


class TestCityBlocks:
    @pytest.mark.parametrize("table", OF_BLOCKS.values(), ids=OF_BLOCKS)
    def test_sheet_has_every_building_street_tile_and_sentence(self, table):
        sheet = GAMES["city-blocks"].score(table)
        lines = [unwrapped(line) for line in printed("city-blocks", table).splitlines()]
        for row, plots in enumerate(format_board(table.grid).split(" / "), start=1):
            assert any(line.startswith(str(row)) and line.endswith(plots) for line in lines)
        for street in sheet.streets:
            winner = street.winner or ("tie" if street.full else "open")
            entries = [
                f"{street.direction} {street.index + 1}",
                f"{street.blue} {street.red}",
                winner,
            ]
            if sheet.basis is Basis.STREETS:
                entries.insert(1, "-" if street.value is None else f"${street.value}")
                entries.append(f"${street.bonus}")
            assert " ".join(entries) in lines
        whole = " ".join(lines)
        for side in Side:
            assert f"${sheet.totals[side]}" in whole
            assert all(f"${tile}" in whole for tile in sheet.tiles[side])
        assert totals_title(sheet.basis) in whole
        assert unwrapped(whole).endswith(winner_sentence(sheet, ShownNumbers()))

    def test_legend_names_only_pieces_on_the_board(self):
        shown = printed("city-blocks", OF_BLOCKS["nothing"])
        assert "-- nothing built" in shown
        assert "house" not in shown
        assert "nothing built" not in printed("city-blocks", OF_BLOCKS["collected"])
        assert "value tile gone" not in printed("city-blocks", OF_BLOCKS["collected"])


class TestDiceBoard:
    @pytest.mark.parametrize("table", OF_CARDS.values(), ids=OF_CARDS)
    def test_sheet_has_every_name_sum_and_total(self, table):
        sheet = GAMES["dice-board"].score(table)
        shown = unwrapped(printed("dice-board", table))
        for company in sheet.companies:
            assert shown_name(company.player) in shown
            assert (company.name or "") in shown
            assert points_sentence(company) in shown
        assert ("company points" in shown) == any(company.name for company in sheet.companies)
        assert all(str(points) in shown.split() for _player, points in sheet.totals)
        highest = max(points for _player, points in sheet.totals)
        assert shown.endswith(
            winners_sentence([*map(shown_name, sheet.winners)], str(highest), highest)
        )

    @pytest.mark.parametrize("width", WIDTHS)
    @pytest.mark.parametrize("table", OF_CARDS.values(), ids=OF_CARDS)
    def test_every_edge_number_and_card_stands_on_the_board(self, width, table):
        board = re.split("letter: |free plot", printed("dice-board", table, width))[0]
        lines = [line.split() for line in board.splitlines() if re.match(r" *\d", line)]
        rows = [line for line in lines if not all(entry.isdigit() for entry in line)]
        edges = [entry for line in lines if line not in rows for entry in line]
        assert edges == [str(number) for number in table.board.column_numbers]
        parts = len(rows) // len(table.board.row_numbers)
        assert [line[0] for line in rows] == parts * [str(n) for n in table.board.row_numbers]
        letters = "".join("".join(line[1:]) for line in rows).replace(".", "")
        expected = "".join(
            chr((65 if company.complete else 97) + index) * len(company.plots)
            for index, company in enumerate(table.companies)
        )
        assert sorted(letters) == sorted(expected)
        assert sum(len(line) - 1 for line in rows) == len(table.board.row_numbers) * len(edges)

    def test_parts_of_a_board_say_which_columns_they_show(self):
        titles = re.findall(
            r"Columns (\d+) to (\d+)", printed("dice-board", OF_CARDS["largest"], 40)
        )
        assert (titles[0][0], titles[-1][1]) == ("1", "50")
        assert [int(first) for first, _ in titles[1:]] == [int(last) + 1 for _, last in titles[:-1]]
        assert "Columns" not in printed("dice-board", CARDS, 40)
        assert "Column 50\n" in printed("dice-board", OF_CARDS["largest"], 151)


def scan_text(scan, width=80):
    """The sheet of a scan as it is printed."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    scan.game.print_score_sheet(
        console, scan.sheet, scan.table, scan.doubts, scan.shown_numbers, reasons=False
    )
    return stream.getvalue()


def open_tiles(*cells):
    """The example with tiles of its first city that may be anything."""
    scan = open_at(example(), dict.fromkeys(((0, cell) for cell in cells), tuple(Face)))
    return make_scan(scan.reading, scan.description)


@pytest.mark.parametrize("width", [30, 80])
def test_points_by_building_have_the_range_of_an_open_tile(width):
    scan = open_tiles((1, 2))
    parks = str(scan.ranges.parts[0, "parks"])
    lines = scan_text(scan, width).splitlines()
    assert next(line for line in lines if "parks" in line).split()[1] == parks
    assert "–" in parks


def test_points_by_building_of_too_many_open_tiles_have_question_marks():
    lines = scan_text(open_tiles((1, 2), (0, 0), (3, 3))).splitlines()
    shown = next(line for line in lines if "parks" in line).split()
    assert [each.endswith("?") for each in shown[1:]] == [True] + [False] * 5


def test_points_of_cities_have_a_question_mark_while_a_player_is_open():
    tourists = ({(0, 0): "red"}, {(7, 7): "blue"})
    seen = reading(CITIES, *(city(tourists=at, position=n) for n, at in enumerate(tourists)))
    scan = open_at(make_scan(seen, CITIES), {(0, (0, 1)): ("water",)})
    lines = scan_text(make_scan(scan.reading, CITIES)).splitlines()
    shown = next(line for line in lines if "parks" in line).split()
    assert [each.endswith("?") for each in shown[1:]] == [True, False]
