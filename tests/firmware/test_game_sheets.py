"""Sheets of all games as text for terminals of any width, and in any language."""

import gettext
import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from firmware.games import find_game
from firmware.games.cities.words import category_name
from firmware.games.cities.words import reason_sentence as tourist_sentence
from firmware.games.city_blocks.words import reason_sentence as street_sentence
from firmware.games.city_blocks.words import totals_title, winner_sentence
from firmware.games.dice_board.tables import points_sentence
from firmware.language import use_language
from firmware.text_layout import winner_sentence as winners_sentence
from scoring.faces import Side
from scoring.games import GAMES
from scoring.games.cities.sheet import Category
from scoring.games.cities.table import City
from scoring.games.cities.table import Table as Cities
from scoring.games.city_blocks.notation import format_board, parse_board
from scoring.games.city_blocks.sheet import Basis
from scoring.games.city_blocks.table import Collected
from scoring.games.city_blocks.table import Table as Blocks
from scoring.games.dice_board.table import Board, Company
from scoring.games.dice_board.table import Table as Cards
from tests.firmware.tables import GOLDEN, changed, printed, unwrapped
from tests.scoring.btc_tables import two_player_table
from tests.scoring.cities_tables import corner, example_table
from tests.scoring.dice_board_tables import block

WIDTHS = [40, 80, 120]
GOLDEN_TABLES = {name: find_game(name).table_from(GOLDEN[name]["table"]) for name in GOLDEN}
BLOCKS, CARDS = GOLDEN_TABLES["city-blocks"], GOLDEN_TABLES["dice-board"]
NAMED_CITIES = GOLDEN_TABLES["cities"]
NAMELESS_CITIES = replace(NAMED_CITIES, players=None)
FULL = parse_board(format_board(BLOCKS.grid).replace("--", "rH3"))  # 11 full streets
EMPTY = ((None,) * 6,) * 5
OF_BLOCKS = {
    "streets": BLOCKS,
    "collected": Blocks(FULL, collected=Collected((3, 12, 4, 7, 2), (10, 15, 1, 14, 13, 5))),
    "nothing": Blocks(EMPTY, (None,) * 5, (None,) * 6),
    "all won": Blocks(FULL, (11, 12, 13, 14, 15), (10, 9, 8, 7, 6, 5)),
}


def companies_of(player, count, first_row=0):
    """So many complete companies beside each other."""
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


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("name", "table"), TABLES)
def test_no_line_is_wider_than_the_terminal_and_nothing_is_cut_off(name, table, width):
    for reasons in (False, True):
        text = printed(name, table, width, reasons=reasons)
        assert max(map(cell_len, text.splitlines())) <= width
        assert "…" not in text


@pytest.mark.parametrize(
    ("name", "won"),
    [
        ("between-two-cities", "Emily wins with 62 points"),
        ("cities", "Emily wins with 16 points"),
        ("city-blocks", "Red leads with $31"),
        ("dice-board", "Red and Green share the victory with 52 points"),
    ],
)
def test_plain_ascii_loses_nothing_and_colour_only_repeats_the_words(name, won):
    table = GOLDEN_TABLES[name]
    assert won in printed(name, table, reasons=True, encoding="ascii")
    stream = io.StringIO()
    console = Console(file=stream, markup=False, force_terminal=True, color_system="standard")
    sheet = GAMES[name].score(table)
    find_game(name).print_sheet(console, sheet, table, None, reasons=False)
    assert "\x1b[" in stream.getvalue()
    assert "\x1b[" not in printed(name, table)


class Blackened(gettext.NullTranslations):
    """A catalogue that makes every letter but those of placeholders unreadable."""

    def gettext(self, message: str) -> str:
        return re.sub(r"(\{\w+\})|[a-zA-Z]", lambda match: match[1] or "ø", message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture
def _blackened(monkeypatch):
    monkeypatch.setattr("gettext.translation", lambda *args, **kwargs: Blackened())
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
        ("[bold]Ben[/bold]", "[bold]Ben[/bold]"),
        (":smile: {n} %s", ":smile: {n} %s"),
        ("Ben\x1b[31m", "Ben�[31m"),
        ("Ben\nwins", "Ben�wins"),
        ("Ben\u202e\u200b", "Ben��"),
        (" Ben\t", "Ben"),
        ("山田太郎", "山田太郎"),
        ("x" * 300, "x" * 300),
        ("山" * 150, "山" * 150),
        ("two words " * 20, "two words"),
    ],
)
def test_hostile_names_stay_in_their_place(width, name, shown):
    cards = Cards((Company(name, block(0, 0), name), Company("Emily", ((5, 5),))))
    cities = replace(NAMED_CITIES, players=(name, "Emily", "Peter"))
    for text in (
        printed("dice-board", cards, width, reasons=True),
        printed("cities", cities, width, reasons=True),
    ):
        assert max(map(cell_len, text.splitlines())) <= width
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert "".join(shown.split()) in "".join(text.split())
        assert "Emily" in text


def numbers_after(label: str, text: str) -> list[str]:
    """What stands behind a label, in all lines that begin with it."""
    rows = re.findall(rf"^ *{label}((?: +\d+\??)+) *$", text, re.MULTILINE)
    return [number for row in rows for number in row.split()]


class TestCities:
    @pytest.mark.parametrize("width", WIDTHS)
    @pytest.mark.parametrize("copies", [1, 2, 4])
    def test_a_sheet_of_any_width_has_all_points(self, width, copies):
        table = replace(NAMELESS_CITIES, cities=NAMELESS_CITIES.cities * copies)
        sheet, text = GAMES["cities"].score(table), printed("cities", table, width)
        assert text.startswith("Cities, level 3")
        for category in Category:
            expected = [str(player.points[category]) for player in sheet.players]
            assert numbers_after(category_name(category), text) == expected
        assert numbers_after("total", text) == [str(player.final) for player in sheet.players]
        for player in sheet.players:
            line = rf"^ +{player.rank} +{player.name} +{player.final} *$"
            assert re.search(line, text, re.MULTILINE)
            (said,) = re.findall(rf"^ {player.name} +(\d.*(?:\n  .*)*)", text, re.MULTILINE)
            assert all(
                f"{tourist.points} ({tourist.at[0] + 1},{tourist.at[1] + 1})" in unwrapped(said)
                for tourist in player.tourists
            )

    @pytest.mark.parametrize("width", WIDTHS)
    def test_the_fields_and_tourists_of_every_city_are_shown(self, width):
        text = printed("cities", NAMED_CITIES, width)
        for row in ("1 s*S C s*W W P P ", "1 p*P W P P C S S ", "6 S c*W c*P W S W "):
            assert row in text
        assert "S sight, C cafe, P park, W water" in text
        assert "* tourist (small letter)" in text
        titles = {40: "A Ben +B Emily *\n(.*\n)+C Peter *\n"}.get(width, "A Ben +B Emily +C Peter")
        assert re.search(titles, text)

    @pytest.mark.parametrize("width", WIDTHS)
    def test_with_reasons_every_point_of_every_tourist_is_explained(self, width):
        text = printed("cities", NAMED_CITIES, width, reasons=True)
        for player in GAMES["cities"].score(NAMED_CITIES).players:
            for reason in player.reasons:
                first_words = " ".join(tourist_sentence(reason).split()[:2])
                assert re.search(rf"^ +{reason.points} +{first_words}", text, re.MULTILINE)
        assert len(re.findall(r"^ +tourist at ", text, re.MULTILINE)) == 4 + 3 + 4

    def test_the_reasons_at_80_columns(self):
        text = printed("cities", NAMED_CITIES, reasons=True)
        start = text.index("tourist at 1,1: 4 points")
        assert [unwrapped(line) for line in text[start:].splitlines()[:9]] == [
            "tourist at 1,1: 4 points",
            "2 2 connected park fields 1,1 1,2",
            "2 2 water fields beside the park 1,3 2,1",
            "tourist at 2,4: 11 points",
            "6 6 connected park fields 1,4 1,5 2,4 2,5 3,4 3,5",
            "5 5 water fields beside the park 1,3 2,6 3,3 3,6 4,4",
            "tourist at 6,3: 1 point",
            "1 sees 1 water field from the cafe 6,2",
            "16 total",
        ]

    @pytest.mark.parametrize("width", WIDTHS)
    def test_the_tie_break_is_named(self, width):
        text = unwrapped(printed("cities", NAMED_CITIES, width))
        assert "Tie-breaks: Emily, second best tourist: 4, Ben 3" in text
        assert "Ben, second best tourist: 3, Emily 4" in text
        won = "Emily wins with 16 points by tie-break, second best tourist: 4, Ben 3"
        assert text.endswith(won)

    @pytest.mark.parametrize(
        ("cities", "last"),
        [
            ((1, 2), "P1 wins with 16 points"),
            ((1, 0, 1, 1), "P1, P3 and P4 share the victory with 16 points"),
        ],
    )
    def test_who_wins(self, cities, last):
        own = tuple(NAMELESS_CITIES.cities[index] for index in cities)
        text = printed("cities", replace(NAMELESS_CITIES, cities=own))
        assert text.endswith(f"\n{last}\n")
        assert ("  P1, equal in everything with P3, P4" in text) == ("share" in last)
        assert ("Tie-breaks" in text) == ("share" in last)

    def test_a_shared_victory_may_change_with_the_points_of_any_winner(self):
        full = NAMELESS_CITIES.cities[0]
        gap = City(((*full.fields[0][:7], None), *full.fields[1:]), full.tourists)
        text = printed("cities", Cities((full, gap)), lenient=True)
        assert numbers_after("total", text) == ["11", "11?"]
        assert text.endswith("\nP1 and P2 share the victory with 11? points\n")

    def test_a_single_point_is_one_point(self):
        text = printed("cities", Cities((corner("s"), corner("S"))), lenient=True)
        assert text.endswith("\nP1 wins with 1? point\n")

    @pytest.mark.parametrize("width", WIDTHS)
    def test_alone_there_is_no_victory(self, width):
        text = printed("cities", Cities(NAMELESS_CITIES.cities[:1], level=2), width)
        assert text.startswith("Cities, level 2")
        assert text.endswith("\nP1 plays alone: 11 points at level 2\n")
        assert "rank" not in text
        assert numbers_after("total", text) == ["11"]

    @pytest.mark.parametrize("width", WIDTHS)
    def test_missing_fields_are_named_and_what_they_may_change_is_marked(self, width):
        gap = changed(["cities", 2, "fields", 0, 1], None, GOLDEN["cities"]["table"])
        table = find_game("cities").table_from(gap)
        text = printed("cities", table, width, lenient=True, reasons=True)
        assert (
            "Points with ? may change, these fields are missing: C, row 1, column 2"
            in unwrapped(text)
        )
        assert [total for total in numbers_after("total", text) if total.endswith("?")] == ["10?"]
        assert "1 c*. W P S S C S" in text
        assert ". no field" in text
        assert "may change" not in printed("cities", NAMED_CITIES, width)

    def test_a_tourist_without_a_field_and_a_city_without_tourists(self):
        text = printed("cities", Cities((corner("SS/,"),)), lenient=True, reasons=True)
        assert "2 ,*. . . . . . . " in text
        assert "stands where no field lies" in text
        text = printed("cities", Cities((City(NAMELESS_CITIES.cities[0].fields),)))
        assert "no tourist in the city" in text
        assert numbers_after("total", text) == ["0"]


class TestCityBlocks:
    @pytest.mark.parametrize("width", WIDTHS)
    @pytest.mark.parametrize("table", OF_BLOCKS.values(), ids=OF_BLOCKS)
    def test_every_building_street_tile_and_sentence_stands_there(self, width, table):
        sheet = GAMES["city-blocks"].score(table)
        lines = [unwrapped(line) for line in printed("city-blocks", table, width).splitlines()]
        for row, plots in enumerate(format_board(table.grid).split(" / "), start=1):
            assert any(line.startswith(str(row)) and line.endswith(plots) for line in lines)
        for street in sheet.streets:
            winner = street.winner or ("tie" if street.full else "open")
            entries = [f"{street.line} {street.index + 1}", f"{street.blue} {street.red}", winner]
            if sheet.basis is Basis.STREETS:
                entries.insert(1, "-" if street.value is None else f"${street.value}")
                entries.append(f"${street.bonus}")
            assert " ".join(entries) in lines
        whole = " ".join(lines)
        for side in Side:
            assert f"${sheet.totals[side]}" in whole
            assert all(f"${tile}" in whole for tile in sheet.tiles[side])
        assert totals_title(sheet.basis) in whole
        assert unwrapped(whole).endswith(winner_sentence(sheet))

    @pytest.mark.parametrize("width", [80, 120])
    def test_the_values_beside_the_board_and_the_reasons_on_request(self, width):
        text = printed("city-blocks", BLOCKS, width)
        lines = [unwrapped(line) for line in text.splitlines()]
        assert "- $15 $4 $9 $1 $5" in lines
        assert "5 $6 rM bF7 rE -- bS5 rH1" in lines
        assert "- value tile gone" in unwrapped(text)
        assert "counts 0" not in text
        shown = unwrapped(printed("city-blocks", BLOCKS, width, reasons=True))
        assert "Row 2: blue 1, red 0" in shown
        assert "0 red 3 factories count 0: school at 2,3 2,2 2,5 2,6" in shown
        assert "Column 6: blue 0, red 16" in shown

    def test_the_legend_names_only_what_is_there(self):
        shown = printed("city-blocks", OF_BLOCKS["nothing"])
        assert "-- nothing built" in shown
        assert "house" not in shown
        assert "nothing built" not in printed("city-blocks", OF_BLOCKS["collected"])
        assert "value tile gone" not in printed("city-blocks", OF_BLOCKS["collected"])

    def test_reasons_on_a_narrow_terminal_lose_no_word(self):
        shown = set(printed("city-blocks", BLOCKS, 40, reasons=True).split())
        for street in GAMES["city-blocks"].score(BLOCKS).streets:
            for reason in street.reasons:
                assert set(street_sentence(reason).split()) <= shown


class TestDiceBoard:
    @pytest.mark.parametrize("width", WIDTHS)
    @pytest.mark.parametrize("table", OF_CARDS.values(), ids=OF_CARDS)
    def test_every_name_sum_and_total_stands_there(self, width, table):
        sheet = GAMES["dice-board"].score(table)
        shown = unwrapped(printed("dice-board", table, width))
        for company in sheet.companies:
            assert company.player in shown
            assert (company.name or "") in shown
            assert points_sentence(company) in shown
        assert all(str(points) in shown.split() for _player, points in sheet.totals)
        highest = max(points for _player, points in sheet.totals)
        assert shown.endswith(winners_sentence(sheet.winners, str(highest), highest))

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

    def test_letters_lie_where_the_cards_do_and_players_stand_by_rank(self):
        text = printed("dice-board", CARDS).splitlines()
        assert ["1", "B", "B", *"." * 10] in [line.split() for line in text]
        assert ["6", *"." * 5, "f", ".", "A", "A", *"." * 3] in [line.split() for line in text]
        lines = [unwrapped(line) for line in text]
        assert [line for line in lines if re.fullmatch(r"\d \w+ \d of \d \d+", line)] == [
            "1 Red 2 of 2 52",
            "1 Green 2 of 2 52",
            "3 Yellow 1 of 2 12",
        ]

    def test_parts_of_a_board_say_which_columns_they_show(self):
        titles = re.findall(
            r"Columns (\d+) to (\d+)", printed("dice-board", OF_CARDS["largest"], 40)
        )
        assert (titles[0][0], titles[-1][1]) == ("1", "50")
        assert [int(first) for first, _ in titles[1:]] == [int(last) + 1 for _, last in titles[:-1]]
        assert "Columns" not in printed("dice-board", CARDS, 40)

    def test_companies_without_names_have_no_column_for_them(self):
        assert "company points" in unwrapped(printed("dice-board", CARDS))
        assert "company points" not in unwrapped(printed("dice-board", OF_CARDS["largest"]))

    @pytest.mark.parametrize("width", WIDTHS)
    def test_reasons_on_request(self, width):
        assert "6 + 5 = 11" not in printed("dice-board", CARDS, width)
        shown = unwrapped(printed("dice-board", CARDS, width, reasons=True))
        for said in ("A 7,8 6 + 5 = 11", "E 11,11 2 + 2 = 4", "f 7,6 6 + 6 = 12"):
            assert said in shown
