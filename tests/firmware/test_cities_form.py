"""How tables and sheets of Cities are written: as JSON, in words, as text."""

import copy
import gettext
import io
import json
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from firmware.errors import UsageError
from firmware.games import find_game
from firmware.games.cities.text import print_sheet
from firmware.games.cities.words import (
    category_name,
    field_name,
    reason_sentence,
    tie_break_sentence,
)
from firmware.language import use_language
from scoring.errors import ScoringError, TableError
from scoring.faces import Field
from scoring.games.cities import score
from scoring.games.cities.sheet import Category, ReasonKind
from scoring.games.cities.table import City, Table
from scoring.ranking import TieBreak
from tests.scoring import cities_oracle
from tests.scoring.cities_tables import corner, example_table, random_table
from tests.scoring.dealing import seeded

GAME = find_game("cities")
sheet_json, table_json, table_from = GAME.sheet_json, GAME.table_json, GAME.table_from

GOLDEN = Path(__file__).parents[1] / "golden" / "tables" / "cities.json"
NAMES = ("Ben", "Emily", "Peter")
WIDTHS = [40, 80, 120]


def named(table: Table, *names: str) -> Table:
    return replace(table, players=names)


def printed(table: Table, width: int = 80, *, lenient: bool = False, reasons: bool = False) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, markup=False, emoji=False, highlight=False)
    print_sheet(console, score(table, lenient=lenient), table, None, reasons=reasons)
    return file.getvalue()


def numbers_after(label: str, text: str) -> list[str]:
    """What stands behind a label, in all lines that begin with it."""
    rows = re.findall(rf"^ *{label}((?: +\d+\??)+) *$", text, re.MULTILINE)
    return [number for row in rows for number in row.split()]


def unwrapped(text: str) -> str:
    return " ".join(text.split())


# Tables as JSON

TABLE = table_json(named(example_table(), *NAMES))


def changed(path, value):
    """The example table with something else at a place."""
    table = copy.deepcopy(TABLE)
    parent = table
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return table


@pytest.mark.parametrize("seed", range(30))
def test_a_table_reads_back_as_the_same_one(seed):
    table = random_table(seeded(seed), gaps=seed % 2 == 1)
    value = json.loads(json.dumps(table_json(table)))
    assert table_from(value) == table
    assert table_json(table_from(value)) == value


def test_a_table_with_names_reads_back_as_the_same_one():
    assert table_from(TABLE) == named(example_table(), *NAMES)
    assert table_json(table_from(TABLE)) == TABLE


def test_the_keys_of_a_table():
    assert list(TABLE) == ["game", "level", "cities", "players"]
    assert list(TABLE["cities"][0]) == ["fields", "tourists"]
    assert TABLE["cities"][0]["fields"][0][:4] == ["sight", "sight", "cafe", "sight"]
    assert TABLE["cities"][0]["tourists"] == [[0, 0], [0, 3], [3, 0], [4, 3]]


def test_level_tourists_and_names_may_be_left_out():
    fields = TABLE["cities"][0]["fields"]
    table = table_from({"game": "cities", "cities": [{"fields": fields}]})
    assert (table.level, table.players, table.cities[0].tourists) == (1, None, ())


def test_names_are_stripped():
    sheet = score(table_from(changed(["players"], [" Ben", "Emily\n", "P 3"])))
    assert [player.name for player in sheet.players] == ["Ben", "Emily", "P 3"]


@pytest.mark.parametrize(
    ("table", "code", "where"),
    [
        ([], "wrong-type", "$"),
        ({"game": "cities"}, "missing-key", "$"),
        (changed(["levle"], 3), "unknown-key", "$"),
        (changed(["variant"], "standard"), "unknown-key", "$"),
        (changed(["level"], "3"), "wrong-type", "$.level"),
        (changed(["level"], True), "wrong-type", "$.level"),
        (changed(["level"], 1.5), "wrong-type", "$.level"),
        (changed(["level"], None), "wrong-type", "$.level"),
        (changed(["players"], "Ben"), "wrong-type", "$.players"),
        (changed(["players", 2], 3), "wrong-type", "$.players[2]"),
        (changed(["cities"], {}), "wrong-type", "$.cities"),
        (changed(["cities", 1], None), "wrong-type", "$.cities[1]"),
        (changed(["cities", 1], {"tourists": []}), "missing-key", "$.cities[1]"),
        (changed(["cities", 1, "grid"], []), "unknown-key", "$.cities[1]"),
        (changed(["cities", 1, "fields"], "SSSS"), "wrong-type", "$.cities[1].fields"),
        (changed(["cities", 1, "fields", 2], None), "wrong-type", "$.cities[1].fields[2]"),
        (changed(["cities", 1, "fields", 2, 0], 7), "wrong-type", "$.cities[1].fields[2][0]"),
        (
            changed(["cities", 1, "fields", 2, 0], "house"),
            "unknown-face",
            "$.cities[1].fields[2][0]",
        ),
        (changed(["cities", 1, "tourists"], None), "wrong-type", "$.cities[1].tourists"),
        (changed(["cities", 1, "tourists"], [2, 3]), "wrong-type", "$.cities[1].tourists[0]"),
        (changed(["cities", 1, "tourists", 0], [2]), "wrong-type", "$.cities[1].tourists[0]"),
        (changed(["cities", 1, "tourists", 0], [1, 2, 3]), "wrong-type", "$.cities[1].tourists[0]"),
        (
            changed(["cities", 1, "tourists", 0], [1, "2"]),
            "wrong-type",
            "$.cities[1].tourists[0][1]",
        ),
        (
            changed(["cities", 1, "tourists", 0], {"row": 1}),
            "wrong-type",
            "$.cities[1].tourists[0]",
        ),
    ],
)
def test_a_misfit_is_refused_with_its_place(table, code, where):
    with pytest.raises(UsageError) as caught:
        table_from(table)
    assert (caught.value.code, caught.value.where) == (code, where)
    assert ": " in caught.value.message, "says what to do"


def test_misspelt_names_are_suggested():
    with pytest.raises(UsageError, match="did you mean sight"):
        table_from(changed(["cities", 0, "fields", 0, 0], "sigth"))
    with pytest.raises(UsageError, match="did you mean tourists"):
        table_from(changed(["cities", 0, "turists"], []))
    with pytest.raises(UsageError, match="known are sight, cafe, park, water"):
        table_from(changed(["cities", 0, "fields", 0, 0], "tavern-food"))


@pytest.mark.parametrize(
    ("path", "value", "code", "where"),
    [
        (["level"], 4, "unknown-level", "$.level"),
        (["cities"], [], "city-count", "$.cities"),
        (["cities", 0, "fields", 7, 7], None, "missing-field", "$.cities[0].fields[7][7]"),
        (["cities", 0, "fields", 7], [], "row-length", "$.cities[0].fields[7]"),
        (["cities", 0, "tourists", 1], [0, 8], "tourist-off-grid", "$.cities[0].tourists[1]"),
        (["cities", 0, "tourists", 1], [0, 0], "field-taken", "$.cities[0].tourists[1]"),
        (["players", 1], "Ben", "repeated-name", "$.players[1]"),
    ],
)
def test_what_fits_but_breaks_the_rules_is_left_to_the_rules(path, value, code, where):
    with pytest.raises(TableError) as caught:
        score(table_from(changed(path, value)))
    assert (caught.value.code, caught.value.where) == (code, where)


PLACES = st.sampled_from(
    [
        ["level"],
        ["players"],
        ["cities"],
        ["cities", 0],
        ["cities", 0, "fields"],
        ["cities", 0, "fields", 0],
        ["cities", 0, "fields", 0, 0],
        ["cities", 0, "tourists"],
        ["cities", 0, "tourists", 0],
        ["cities", 0, "tourists", 0, 0],
    ]
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(PLACES, ANY_JSON)
def test_any_value_at_any_place_gives_a_sheet_or_is_refused(place, value):
    with suppress(UsageError, ScoringError):
        table = table_from(json.loads(json.dumps(changed(place, value))))
        assert "points" in printed(table, 40, lenient=True, reasons=True)


# Sheets as JSON


def test_the_keys_of_a_sheet():
    sheet = sheet_json(score(example_table()))
    player = sheet["players"][0]
    assert list(sheet) == ["game", "level", "players", "winners", "missing"]
    assert list(player) == ["name", "final", "rank", "points", "tourists", "reasons", "tie_break"]
    assert list(player["points"]) == ["sights", "parks", "cafes"]
    assert list(player["tourists"][0]) == ["at", "points"]
    assert list(player["reasons"][0]) == ["category", "points", "cells", "text", "kind", "at"]


def test_the_values_of_a_sheet():
    sheet = json.loads(json.dumps(sheet_json(score(example_table()))))
    assert (sheet["game"], sheet["level"], sheet["winners"]) == ("cities", 3, [1])
    assert [player["name"] for player in sheet["players"]] == ["P1", "P2", "P3"]
    assert [player["final"] for player in sheet["players"]] == [16, 16, 13]
    assert [player["rank"] for player in sheet["players"]] == [2, 1, 3]
    assert [player["tie_break"] for player in sheet["players"]] == [
        "second best tourist: 3, P2 4",
        "second best tourist: 4, P1 3",
        None,
    ]
    assert sheet["players"][0]["tourists"][2] == {"at": [3, 0], "points": 11}
    assert sheet["players"][0]["reasons"][1] == {
        "category": "sights",
        "points": 1,
        "cells": [[0, 2]],
        "text": "1 cafe beside the sights",
        "kind": "cafes-beside",
        "at": [0, 0],
    }


@pytest.mark.parametrize("seed", range(20))
def test_the_reasons_of_a_sheet_add_up(seed):
    table = random_table(seeded(seed), gaps=True)
    for player in sheet_json(score(table, lenient=True))["players"]:
        reasons = player["reasons"]
        assert sum(reason["points"] for reason in reasons) == player["final"]
        assert sum(player["points"].values()) == player["final"]
        for tourist in player["tourists"]:
            own = [reason["points"] for reason in reasons if reason["at"] == tourist["at"]]
            assert own
            assert sum(own) == tourist["points"]


def test_a_lenient_sheet_names_what_is_missing():
    table = table_from(changed(["cities", 2, "fields", 0, 0], None))
    sheet = sheet_json(score(table, lenient=True))
    assert sheet["missing"] == [{"city": "C", "at": [0, 0]}]
    assert sheet["players"][2]["reasons"][0] == {
        "category": None,
        "points": 0,
        "cells": [],
        "text": "stands where no field lies",
        "kind": "no-field",
        "at": [0, 0],
    }


def test_the_golden_points_are_those_of_the_second_scoring():
    golden = json.loads(GOLDEN.read_text("utf-8"))
    cities, players = golden["table"]["cities"], golden["sheet"]["players"]
    points = []
    for city, player in zip(cities, players, strict=True):
        tourists = [tuple(cell) for cell in city["tourists"]]
        plain = cities_oracle.plain_city(city["fields"])
        scored = cities_oracle.tourist_points(plain, tourists, golden["table"]["level"])
        points.append([worth for _category, worth in scored])
        assert [tourist["points"] for tourist in player["tourists"]] == points[-1]
        assert player["final"] == sum(points[-1])
    assert [player["rank"] for player in players] == cities_oracle.ranks(points) == [2, 1, 3]


def test_the_golden_table_has_the_golden_sheet():
    golden = json.loads(GOLDEN.read_text("utf-8"))
    assert sheet_json(score(table_from(golden["table"]))) == golden["sheet"]


# Sentences

SENTENCES = [
    (ReasonKind.SIGHT_AREA, "s", 3, "1 sight field on its own"),
    (ReasonKind.SIGHT_AREA, "sSS/..S", 1, "4 connected sight fields"),
    (ReasonKind.CAFES_BESIDE, "sC", 3, "1 cafe beside the sights"),
    (ReasonKind.CAFES_BESIDE, "CsC", 3, "2 cafes beside the sights"),
    (ReasonKind.PARK_AREA, "p", 3, "1 park field on its own"),
    (ReasonKind.PARK_AREA, "pP/P.", 2, "3 connected park fields"),
    (ReasonKind.WATER_BESIDE, "pW", 3, "1 water field beside the park"),
    (ReasonKind.WATER_BESIDE, "WpW", 3, "2 water fields beside the park"),
    (ReasonKind.WATER_SEEN, "cW", 2, "sees 1 water field from the cafe"),
    (ReasonKind.WATER_SEEN, "WWcWW", 2, "sees 4 water fields from the cafe"),
    (ReasonKind.PARKS_SEEN, "cP", 3, "sees 1 park field from the cafe"),
    (ReasonKind.PARKS_SEEN, "cPWP", 3, "sees 2 park fields from the cafe"),
    (
        ReasonKind.AREA_COUNTED_BEFORE,
        ".sSs",
        1,
        "3 connected sight fields, counted already for the tourist at 1,2",
    ),
    (
        ReasonKind.AREA_COUNTED_BEFORE,
        "p/p",
        3,
        "2 connected park fields, counted already for the tourist at 1,1",
    ),
    (ReasonKind.NOTHING_SEEN, "cS", 3, "sees nothing that counts from the cafe"),
    (ReasonKind.CAFE_WORTH_NOTHING, "cW", 1, "a cafe is worth nothing at level 1"),
    (ReasonKind.NO_FIELD, "S,", 3, "stands where no field lies"),
]


@pytest.mark.parametrize(("kind", "city", "level", "sentence"), SENTENCES)
def test_every_reason_is_said_with_its_numbers(kind, city, level, sentence):
    (player,) = score(Table((corner(city),), level), lenient=True).players
    assert [reason_sentence(reason) for reason in player.reasons if reason.kind is kind] == [
        sentence
    ]


def test_no_kind_of_reason_is_left_out():
    assert {kind for kind, *_rest in SENTENCES} == set(ReasonKind)


@pytest.mark.parametrize(
    ("tourist", "beginning"),
    list(enumerate(["best", "second", "third", "fourth", "fifth", "sixth", "seventh"], start=1)),
)
def test_every_tie_break_says_which_tourists_decide(tourist, beginning):
    said = tie_break_sentence(TieBreak((0, 2), tourist, 8, 6), NAMES)
    assert said.startswith(beginning)
    assert said.endswith("best tourist: 8, Ben, Peter 6")


def test_a_shared_rank_names_the_rivals():
    assert tie_break_sentence(TieBreak((0, 2)), NAMES) == "equal in everything with Ben, Peter"


def test_all_names_differ():
    assert len({field_name(field) for field in Field}) == len(Field)
    assert len({category_name(category) for category in Category}) == len(Category)


# Sheets as text


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("copies", [1, 2, 4])
def test_a_sheet_of_any_width_has_all_points(width, copies):
    table = example_table()
    table = replace(table, cities=table.cities * copies)
    sheet = score(table)
    text = printed(table, width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert text.startswith("Cities, level 3")
    for category in Category:
        expected = [str(player.points[category]) for player in sheet.players]
        assert numbers_after(category_name(category), text) == expected
    assert numbers_after("total", text) == [str(player.final) for player in sheet.players]
    for player in sheet.players:
        assert re.search(rf"^ +{player.rank} +{player.name} +{player.final} *$", text, re.MULTILINE)
        (said,) = re.findall(rf"^ {player.name} +(\d.*(?:\n  .*)*)", text, re.MULTILINE)
        assert all(
            f"{tourist.points} ({tourist.at[0] + 1},{tourist.at[1] + 1})" in unwrapped(said)
            for tourist in player.tourists
        )


@pytest.mark.parametrize("width", WIDTHS)
def test_the_fields_and_tourists_of_every_city_are_shown(width):
    text = printed(named(example_table(), *NAMES), width)
    for row in ("1 s*S C s*W W P P ", "1 p*P W P P C S S ", "6 S c*W c*P W S W "):
        assert row in text
    for title in ("A Ben", "B Emily", "C Peter"):
        assert title in text
    assert "S sight, C cafe, P park, W water" in text
    assert "* tourist (small letter)" in text


def test_cities_stand_side_by_side_where_there_is_room():
    assert re.search("A P1 +B P2 +C P3", printed(example_table(), 80))
    narrow = printed(example_table(), 40)
    assert re.search("A P1 +B P2 *\n", narrow)
    assert re.search("^C P3 *\n", narrow, re.MULTILINE)


@pytest.mark.parametrize("width", WIDTHS)
def test_with_reasons_every_point_of_every_tourist_is_explained(width):
    table = named(example_table(), *NAMES)
    text = printed(table, width, reasons=True)
    assert max(map(cell_len, text.splitlines())) <= width
    assert max(map(cell_len, printed(table, width).splitlines())) <= width
    for player in score(table).players:
        for reason in player.reasons:
            first_words = " ".join(reason_sentence(reason).split()[:2])
            assert re.search(rf"^ +{reason.points} +{first_words}", text, re.MULTILINE)
    assert len(re.findall(r"^ +tourist at ", text, re.MULTILINE)) == 4 + 3 + 4


def test_the_reasons_at_80_columns():
    text = printed(named(example_table(), *NAMES), reasons=True)
    start = text.index("tourist at 1,1: 4 points")
    lines = [unwrapped(line) for line in text[start:].splitlines()[:9]]
    assert lines == [
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
def test_the_tie_break_is_named(width):
    text = unwrapped(printed(named(example_table(), *NAMES), width))
    assert "Tie-breaks: Emily, second best tourist: 4, Ben 3" in text
    assert "Ben, second best tourist: 3, Emily 4" in text
    assert text.endswith(
        "Emily wins with 16 points by tie-break, second best tourist: 4, Ben 3",
    )


def test_a_plain_victory_has_no_tie_break():
    table = example_table()
    text = printed(replace(table, cities=table.cities[1:]))
    assert "Tie-breaks" not in text
    assert text.endswith("\nP1 wins with 16 points\n")


def test_a_shared_victory():
    table = example_table()
    cities = (table.cities[1], table.cities[0], table.cities[1], table.cities[1])
    text = printed(replace(table, cities=cities))
    assert "  P1, equal in everything with P3, P4" in text
    assert text.endswith("\nP1, P3 and P4 share the victory with 16 points\n")


def test_a_shared_victory_may_change_with_the_points_of_any_winner():
    full = example_table().cities[0]
    gap = City(((*full.fields[0][:7], None), *full.fields[1:]), full.tourists)
    text = printed(Table((full, gap)), lenient=True)
    assert numbers_after("total", text) == ["11", "11?"]
    assert text.endswith("\nP1 and P2 share the victory with 11? points\n")


def test_a_single_point_is_one_point():
    cities = (corner("s"), corner("S"))
    text = printed(Table(cities), lenient=True)
    assert text.endswith("\nP1 wins with 1? point\n")


@pytest.mark.parametrize("width", WIDTHS)
def test_alone_there_is_no_victory(width):
    table = example_table()
    text = printed(Table(table.cities[:1], level=2), width)
    assert text.startswith("Cities, level 2")
    assert text.endswith("\nP1 plays alone: 11 points at level 2\n")
    assert "rank" not in text
    assert "wins" not in text
    assert numbers_after("total", text) == ["11"]


@pytest.mark.parametrize("width", WIDTHS)
def test_missing_fields_are_named_and_what_they_may_change_is_marked(width):
    table = table_from(changed(["cities", 2, "fields", 0, 1], None))
    text = printed(table, width, lenient=True, reasons=True)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "Points with ? may change, these fields are missing: C 1,2" in unwrapped(text)
    assert [total for total in numbers_after("total", text) if total.endswith("?")] == ["10?"]
    assert "1 c*. W P S S C S" in text
    assert ". no field" in text
    assert "may change" not in printed(example_table(), width)


def test_a_tourist_without_a_field_is_shown():
    text = printed(Table((corner("SS/,"),)), lenient=True, reasons=True)
    assert "2 ,*. . . . . . . " in text
    assert "stands where no field lies" in text


def test_a_city_without_tourists():
    table = example_table()
    text = printed(replace(table, cities=(City(table.cities[0].fields), table.cities[1])))
    assert "no tourist in the city" in text
    assert numbers_after("total", text) == ["0", "16"]


@pytest.mark.parametrize("width", WIDTHS)
def test_names_of_any_length_and_language_are_shown_in_full(width):
    names = ("Ödön [bold]", "山田太郎" * 6, "\x1b[31m:smile:" + "x" * 60)
    text = printed(named(example_table(), *names), width, reasons=True)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "Ödön [bold]" in text
    assert "\x1b" not in text
    together = re.sub(r"\s", "", text)
    assert "山田太郎" * 6 in together
    assert "[31m:smile:" in text
    assert text.count("x") >= 4 * 60


@pytest.mark.parametrize("reasons", [False, True])
def test_a_sheet_can_be_written_in_plain_ascii(reasons):
    table = named(example_table(), *NAMES)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    print_sheet(Console(file=stream, width=80), score(table), table, None, reasons=reasons)
    stream.flush()
    assert b"Emily wins with 16 points" in stream.buffer.getvalue()


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
        Table((corner("cW,./S..."),), level=1),
        Table((corner("cS"), corner("cW"), corner("S")), level=2),
    ],
)
def test_every_text_comes_from_the_catalogue(table):
    names = [f"n{index}" for index in range(len(table.cities))]
    text = printed(named(table, *names), lenient=True, reasons=True)
    assert "øøø" in text
    assert re.findall(r"[a-zA-Z]{2,}", text) == []
