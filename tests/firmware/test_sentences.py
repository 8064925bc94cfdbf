"""Every reason, tie-break and result of every game has its sentence."""

import re

import pytest

from firmware.base.language import in_language
from firmware.base.problem import Problem
from firmware.games.between_two_cities import words as btc
from firmware.games.cities import words as tourists
from firmware.games.city_blocks import words as blocks
from firmware.games.registry import find_game
from firmware.wording.problem_text import problem_line, translate
from firmware.wording.ranges import ShownNumbers
from scoring.faces import BuildingKind, Face, Field, Side
from scoring.games import GAMES
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.score_sheet import (
    BuildingType,
    Reason,
    ReasonKind,
    TieBreaker,
)
from scoring.games.between_two_cities.table import Table
from scoring.games.cities.score_sheet import Category as TouristCategory
from scoring.games.cities.score_sheet import Reason as SightReason
from scoring.games.cities.score_sheet import ReasonKind as TouristReason
from scoring.games.cities.table import Table as Cities
from scoring.games.city_blocks.notation import format_board, parse_board
from scoring.games.city_blocks.score_sheet import PlacedBuilding
from scoring.games.city_blocks.score_sheet import Reason as StreetReason
from scoring.games.city_blocks.score_sheet import ReasonKind as StreetReasonKind
from scoring.games.city_blocks.table import PlayerTiles
from scoring.games.city_blocks.table import Table as Blocks
from scoring.ranking import TieBreak
from tests.firmware.tables import GOLDEN
from tests.scoring.cities_tables import corner
from vision.message import Message
from vision.teaching.layout_check import size_doubt

NAMES = ["Ben", "Emily", "Peter"]
VOID = {kind: kind.endswith("-void") for kind in StreetReasonKind}
STREETS = find_game("city-blocks").table_from_json(GOLDEN["city-blocks"]["table"])
FULL = parse_board(format_board(STREETS.grid).replace("--", "rH3"))
EMPTY = ((None,) * 6,) * 5
ROWS, COLUMNS = STREETS.row_values, STREETS.column_values


def sentences(*cities: str, of: int = 0) -> list[str]:
    """Return the reasons in words of one of these cities of Between Two Cities."""
    sheet = GAMES["between-two-cities"].score(Table(tuple(map(parse_city, cities))))
    return [btc.reason_sentence(reason) for reason in sheet.cities[of].reasons]


def test_shops_in_a_column_are_told_from_shops_in_a_row():
    others = ("OOOO/PPPP/HHHH/OOOO", "OOOO/PPPP/HHHH/PPPP")
    assert sentences("SPOO/SPOO/SPOO/HHHH", *others)[0] == "3 shops in column 1"
    assert sentences("SSPO/PPOO/HHOO/HHHH", *others)[0] == "2 shops in row 1"
    assert sentences("SPPO/PPOO/HHOO/HHHH", *others)[0] == "1 shop on its own"
    reason = Reason(BuildingType.HOUSES, ReasonKind.HOUSES, 0, ((0, 0), (0, 1)), each=0)
    assert btc.reason_sentence(reason) == "2 houses, but no other building type in the city"


NOTHING = {"nothing-seen", "cafe-worth-nothing", "no-field"}


@pytest.mark.parametrize("kind", [*ReasonKind, *sorted(set(TouristReason) - NOTHING), *VOID])
@pytest.mark.parametrize("count", [1, 2])
def test_every_kind_of_reason_says_how_many_it_is_about(kind, count):
    cells = tuple((0, column) for column in range(count))
    if isinstance(kind, ReasonKind):
        reason = Reason(BuildingType.HOUSES, kind, 5, cells, each=3, types=(BuildingType.PARKS,))
        text = btc.reason_sentence(reason)
    elif isinstance(kind, TouristReason):
        first = (0, 0) if kind is TouristReason.AREA_COUNTED_BEFORE else None
        text = tourists.reason_sentence(
            SightReason(TouristCategory.SIGHTS, kind, 1, cells, (0, 0), first)
        )
    else:
        built = tuple(PlacedBuilding(cell, Side.RED, BuildingKind.HOUSE, 4) for cell in cells)
        void_by = (PlacedBuilding((0, 5), Side.BLUE, BuildingKind.MALL, 0),)
        text = blocks.reason_sentence(StreetReason(Side.RED, kind, 0, built, void_by))
        assert ("mall in row 1, column 6" in text) == VOID[kind]
        assert ("house 4" in text) != VOID[kind]
    assert str(count) in text
    assert "{" not in text


@pytest.mark.parametrize("by", TieBreaker)
def test_every_tie_break_names_the_rivals(by):
    text = btc.tie_break_sentence(TieBreak((0, 2), by, 7, 5), NAMES)
    assert text.endswith(": 7 (Ben, Peter: 5)")


@pytest.mark.parametrize("words", [btc, tourists])
def test_a_shared_rank_names_the_rivals(words):
    shared = TieBreak((0, 2))
    assert words.tie_break_sentence(shared, NAMES) == "equal in everything with Ben, Peter"


@pytest.mark.parametrize(
    ("place", "beginning"),
    list(enumerate(["best", "second", "third", "fourth", "fifth", "sixth", "seventh"], start=1)),
)
def test_every_tie_break_says_which_tourists_decide(place, beginning):
    text = tourists.tie_break_sentence(TieBreak((0, 2), place, 8, 6), NAMES)
    assert text.startswith(beginning)
    assert text.endswith("best tourist: 8 (Ben, Peter: 6)")


@pytest.mark.parametrize(
    ("city", "level", "expected"),
    [
        ("p/p", 3, "2 connected park fields, counted already for the tourist in row 1, column 1"),
        ("cS", 3, "sees nothing that counts from the cafe"),
        ("cW", 1, "a cafe is worth nothing at level 1"),
        ("S,", 3, "stands where no field lies"),
    ],
)
def test_tourist_without_points_has_a_sentence(city, level, expected):
    (player,) = GAMES["cities"].score(Cities((corner(city),), level), lenient=True).players
    assert tourists.reason_sentence(player.reasons[-1]) == expected


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (Blocks(FULL, collected=PlayerTiles((15,), (1, 2))), "Blue wins with $15"),
        (Blocks(FULL, collected=PlayerTiles((15,), (2, 14))), "Red wins with $16"),
        (
            Blocks(FULL, collected=PlayerTiles((1, 2), (3,))),
            "Blue and red share the victory with $3 each",
        ),
        (Blocks(EMPTY, collected=PlayerTiles((1,), ())), "Blue wins with $1"),
        (STREETS, "Red leads with $31; the board is not full yet"),
        (Blocks(STREETS.grid, ROWS, (None,) * 6), "Blue leads with $15; the board is not full yet"),
        (
            Blocks(EMPTY, (None,) * 5, (None,) * 6),
            "Blue and red are tied with $0 each; the board is not full yet",
        ),
        (Blocks(FULL, ROWS, COLUMNS), "Blue wins with $34"),
    ],
)
def test_winner_sentence_has_the_dollars(table, expected):
    sheet = GAMES["city-blocks"].score(table)
    assert blocks.winner_sentence(sheet, ShownNumbers()) == expected
    dollars = re.search(r"\$\d+", expected)[0]
    assert blocks.winner_sentence(sheet, ShownNumbers(mark="?")) == expected.replace(
        dollars, f"{dollars}?"
    )


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        (btc.full_face_name, Face), (btc.building_type_name, BuildingType),
        (tourists.field_name, Field), (tourists.category_name, TouristCategory),
        (blocks.building_name, BuildingKind), (blocks.side_name, Side),
    ],
)  # fmt: skip
def test_kinds_have_names_that_differ(name, kinds):
    assert len({name(kind) for kind in kinds}) == len(kinds)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            Message("rows of the layout: {n}, of the description: {described}", n=1, described=3),
            "Reihen der Anordnung: 1, der Beschreibung: 3",
        ),
        (
            Message(
                "{given} instead of {wanted}: correct it",
                given=Message("a number"),
                wanted=Message("a whole number"),
            ),
            "hier steht eine Zahl, nötig ist eine ganze Zahl: korrigieren",
        ),
        (size_doubt(1, 1), "das Raster der Plättchen geht über Reihe 1, Spalte 1 hinaus"),
        (
            Message("entries: {given} instead of {wanted}; give {wanted}", given=1, wanted=4),
            "Einträge: 1 statt 4; 4 angeben",
        ),
        (
            Message("must be a list of rows of texts, {rows} x {columns}", rows=1, columns=1),
            "muss Reihen mit Texten enthalten (Reihen: 1, Texte je Reihe: 1)",
        ),
        (
            Message(" and {unread} more that cannot be read ({where})", unread=1, where="links"),
            " und 1 nicht lesbare (links)",
        ),
        (
            Message(
                "the shop is not the tile at the {corner}: choose another corner",
                corner=Message("top left"),
            ),
            "das Plättchen oben links ist nicht der Laden: eine andere Ecke wählen",
        ),
        (
            Message(
                "a second {owner} {kind} {value}, but the game has one; correct one of them",
                owner="blue",
                kind="house",
                value=3,
            ),
            "blue house 3 steht zweimal da, im Spiel gibt es nur eines; eines davon korrigieren",
        ),
    ],
)
def test_german_fits_numbers_and_nouns_put_in(message, expected):
    with in_language("de"):
        assert translate(message) == expected


@pytest.mark.parametrize(
    ("total", "bound", "expected"),
    [
        (1, 1, "1 point as laid; these tiles cannot score more"),
        (2, 2, "1 point as laid, 2 if laid best"),
        (2, 3, "1 point as laid, 2 if laid better, 3 at most"),
        (1, 3, "1 point as laid; nothing better was found, 3 at most"),
    ],
)
def test_better_score_of_one_point_is_in_the_singular(total, bound, expected):
    potential = {"given": 1, "total": total, "bound": bound, "valuable": []}
    assert btc.better_sentences(potential) == (expected,)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Message("all {n} tiles", n=5), "az összes lapka (5)"),
        (
            Message(
                "outside the board of {rows}x{columns} plots; "
                "in JSON rows and columns count from 0",
                rows=5,
                columns=6,
            ),
            "kívül esik a táblán (5x6 telek); a JSON-ban a sorok és oszlopok 0-tól számozódnak",
        ),
    ],
)
def test_hungarian_article_fits_numbers_put_in(message, expected):
    with in_language("hu"):
        assert translate(message) == expected


def test_the_place_of_a_problem_does_not_split_the_hungarian_advice():
    message = Message("{game} has no levels: leave out --level", game="Between Two Cities")
    with in_language("hu"):
        line = problem_line(Problem("usage", message, "--level"))
    assert line == (
        "a játékban (Between Two Cities) nincsenek szintek (--level): hagyd el a --level kapcsolót"
    )
