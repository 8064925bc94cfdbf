"""Every reason, tie-break and result of every game has its sentence."""

import pytest

from firmware.games import find_game
from firmware.games.between_two_cities import words as btc
from firmware.games.cities import words as tourists
from firmware.games.city_blocks import words as blocks
from firmware.games.dice_board.tables import points_sentence
from scoring.faces import Building, Face, Field, Side
from scoring.games import GAMES
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.sheet import Category, Reason, ReasonKind, TieBreaker
from scoring.games.between_two_cities.table import Table
from scoring.games.cities.sheet import Category as TouristCategory
from scoring.games.cities.sheet import ReasonKind as TouristReason
from scoring.games.cities.table import Table as Cities
from scoring.games.city_blocks.notation import format_board, parse_board
from scoring.games.city_blocks.sheet import Basis, Built
from scoring.games.city_blocks.sheet import Reason as StreetReason
from scoring.games.city_blocks.sheet import ReasonKind as StreetReasonKind
from scoring.games.city_blocks.table import Collected
from scoring.games.city_blocks.table import Table as Blocks
from scoring.games.dice_board.table import Company
from scoring.games.dice_board.table import Table as Cards
from scoring.ranking import TieBreak
from tests.firmware.tables import GOLDEN
from tests.scoring.cities_tables import corner

NAMES = ["Ben", "Emily", "Peter"]
STREETS = find_game("city-blocks").table_from(GOLDEN["city-blocks"]["table"])
FULL = parse_board(format_board(STREETS.grid).replace("--", "rH3"))
EMPTY = ((None,) * 6,) * 5
ROWS, COLUMNS = STREETS.row_values, STREETS.column_values


def sentences(*cities: str, of: int = 0) -> list[str]:
    """What is said of one of these cities of Between Two Cities."""
    sheet = GAMES["between-two-cities"].score(Table(tuple(map(parse_city, cities))))
    return [btc.reason_sentence(reason) for reason in sheet.cities[of].reasons]


def test_shops_in_a_column_are_told_from_shops_in_a_row():
    others = ("OOOO/PPPP/HHHH/OOOO", "OOOO/PPPP/HHHH/PPPP")
    assert sentences("SPOO/SPOO/SPOO/HHHH", *others)[0] == "3 shops in column 1"
    assert sentences("SSPO/PPOO/HHOO/HHHH", *others)[0] == "2 shops in row 1"
    assert sentences("SPPO/PPOO/HHOO/HHHH", *others)[0] == "1 shop on its own"


def test_houses_alone_in_a_city_are_worth_nothing():
    reason = Reason(Category.HOUSES, ReasonKind.HOUSES, 0, ((0, 0), (0, 1)), each=0)
    assert btc.reason_sentence(reason) == "2 houses, but no other building type in the city"


@pytest.mark.parametrize("kind", ReasonKind)
@pytest.mark.parametrize("count", [1, 2])
def test_every_kind_of_reason_says_how_many_tiles_it_is_about(kind, count):
    cells = tuple((0, column) for column in range(count))
    said = btc.reason_sentence(
        Reason(Category.HOUSES, kind, 5, cells, each=3, types=(Category.PARKS,))
    )
    assert str(count) in said
    assert "{" not in said


@pytest.mark.parametrize("by", TieBreaker)
def test_every_tie_break_names_the_rivals(by):
    said = btc.tie_break_sentence(TieBreak((0, 2), by, 7, 5), NAMES)
    assert said.endswith(": 7, Ben, Peter 5")


@pytest.mark.parametrize("words", [btc, tourists])
def test_a_shared_rank_names_the_rivals(words):
    shared = TieBreak((0, 2))
    assert words.tie_break_sentence(shared, NAMES) == "equal in everything with Ben, Peter"


@pytest.mark.parametrize(
    ("place", "beginning"),
    list(enumerate(["best", "second", "third", "fourth", "fifth", "sixth", "seventh"], start=1)),
)
def test_every_tie_break_says_which_tourists_decide(place, beginning):
    said = tourists.tie_break_sentence(TieBreak((0, 2), place, 8, 6), NAMES)
    assert said.startswith(beginning)
    assert said.endswith("best tourist: 8, Ben, Peter 6")


OF_TOURISTS = [
    (TouristReason.SIGHT_AREA, "s", 3, "1 sight field on its own"),
    (TouristReason.SIGHT_AREA, "sSS/..S", 1, "4 connected sight fields"),
    (TouristReason.CAFES_BESIDE, "sC", 3, "1 cafe beside the sights"),
    (TouristReason.CAFES_BESIDE, "CsC", 3, "2 cafes beside the sights"),
    (TouristReason.PARK_AREA, "p", 3, "1 park field on its own"),
    (TouristReason.PARK_AREA, "pP/P.", 2, "3 connected park fields"),
    (TouristReason.WATER_BESIDE, "pW", 3, "1 water field beside the park"),
    (TouristReason.WATER_BESIDE, "WpW", 3, "2 water fields beside the park"),
    (TouristReason.WATER_SEEN, "cW", 2, "sees 1 water field from the cafe"),
    (TouristReason.WATER_SEEN, "WWcWW", 2, "sees 4 water fields from the cafe"),
    (TouristReason.PARKS_SEEN, "cP", 3, "sees 1 park field from the cafe"),
    (TouristReason.PARKS_SEEN, "cPWP", 3, "sees 2 park fields from the cafe"),
    (
        TouristReason.AREA_COUNTED_BEFORE,
        ".sSs",
        1,
        "3 connected sight fields, counted already for the tourist at 1,2",
    ),
    (
        TouristReason.AREA_COUNTED_BEFORE,
        "p/p",
        3,
        "2 connected park fields, counted already for the tourist at 1,1",
    ),
    (TouristReason.NOTHING_SEEN, "cS", 3, "sees nothing that counts from the cafe"),
    (TouristReason.CAFE_WORTH_NOTHING, "cW", 1, "a cafe is worth nothing at level 1"),
    (TouristReason.NO_FIELD, "S,", 3, "stands where no field lies"),
]


@pytest.mark.parametrize(("kind", "city", "level", "sentence"), OF_TOURISTS)
def test_what_tourists_score_is_said_with_its_numbers(kind, city, level, sentence):
    (player,) = GAMES["cities"].score(Cities((corner(city),), level), lenient=True).players
    of_kind = [tourists.reason_sentence(each) for each in player.reasons if each.kind is kind]
    assert of_kind == [sentence]
    assert {kind for kind, *_rest in OF_TOURISTS} == set(TouristReason)


@pytest.mark.parametrize("kind", StreetReasonKind)
@pytest.mark.parametrize("count", [1, 2])
def test_every_kind_of_reason_says_how_many_buildings_it_is_about(kind, count):
    built = tuple(Built((0, i), Side.RED, Building.HOUSE, i + 4) for i in range(count))
    void_by = (Built((0, 5), Side.BLUE, Building.MALL, 0),)
    said = blocks.reason_sentence(StreetReason(Side.RED, kind, 0, built, void_by))
    assert str(count) in said
    assert "{" not in said
    void = kind in {StreetReasonKind.HOUSES_VOID, StreetReasonKind.FACTORIES_VOID}
    assert ("mall at 1,6" in said) == void
    assert ("house 4" in said) != void


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (Blocks(FULL, collected=Collected((15,), (1, 2))), "Blue wins with $15"),
        (Blocks(FULL, collected=Collected((15,), (2, 14))), "Red wins with $16"),
        (
            Blocks(FULL, collected=Collected((1, 2), (3,))),
            "Blue and red share the victory with $3 each",
        ),
        (Blocks(EMPTY, collected=Collected((1,), ())), "Blue wins with $1"),
        (STREETS, "Red leads with $31; the board is not full yet"),
        (
            Blocks(STREETS.grid, ROWS, (None,) * 6),
            "Blue leads with $15; the board is not full yet",
        ),
        (
            Blocks(EMPTY, (None,) * 5, (None,) * 6),
            "Blue and red are level with $0 each; the board is not full yet",
        ),
        (Blocks(FULL, ROWS, COLUMNS), "Blue wins with $34"),
    ],
)
def test_who_wins_with_how_many_dollars(table, said):
    assert blocks.winner_sentence(GAMES["city-blocks"].score(table)) == said


def test_streets_without_a_winner_and_the_totals_are_explained():
    rules = GAMES["city-blocks"]
    assert blocks.outcome_notes(rules.score(STREETS).streets) == [
        "1 tie: equal sums, the value tile leaves the game",
        "2 streets are open: plots without a building, nothing awarded",
    ]
    full = rules.score(Blocks(FULL, (None,) * 5, (None,) * 6))
    assert len(blocks.outcome_notes(full.streets)) == 1
    assert blocks.totals_title(Basis.STREETS) == "Totals, as the streets stand"
    assert blocks.totals_title(Basis.COLLECTED) == "Totals, from the tiles collected"


@pytest.mark.parametrize(
    ("plots", "said"),
    [
        (((6, 7), (6, 8), (7, 7), (7, 8)), "11+10+10+9 = 40"),
        (((0, 0), (5, 5), (1, 1)), "3 of 4 cards: 0"),
        ((), "0 of 4 cards: 0"),
    ],
)
def test_what_a_company_is_worth(plots, said):
    (company,) = GAMES["dice-board"].score(Cards((Company("Red", plots),))).companies
    assert points_sentence(company) == said


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        (btc.face_name, Face),
        (btc.category_name, Category),
        (tourists.field_name, Field),
        (tourists.category_name, TouristCategory),
        (blocks.building_name, Building),
        (blocks.side_name, Side),
    ],
)
def test_all_names_differ(name, kinds):
    assert len({name(kind) for kind in kinds}) == len(kinds)
