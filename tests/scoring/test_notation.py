"""Cities and boards as text, which reads back as the same, and what has no text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import NotationError, ScoringError
from scoring.faces import BuildingKind, Face, Field, Side
from scoring.games.between_two_cities import notation as btc
from scoring.games.between_two_cities.table import City as DuplexCity
from scoring.games.cities import notation as tourists
from scoring.games.cities.table import City as TouristCity
from scoring.games.city_blocks import notation as blocks
from scoring.games.city_blocks.table import Building


def grids(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(
        st.lists(values, min_size=1, max_size=9).map(tuple), min_size=1, max_size=9
    ).map(tuple)


@st.composite
def tourist_cities(draw):
    """Cities of any size, tourists on any fields in reading order."""
    fields = draw(grids(st.sampled_from([*Field, None])))
    cells = [(row, column) for row, line in enumerate(fields) for column in range(len(line))]
    standing = draw(st.lists(st.sampled_from(cells), max_size=9, unique=True))
    return TouristCity(fields, tuple(sorted(standing)))


@dataclass(frozen=True)
class Notation:
    """Text form of a game's cities or boards.

    Attributes:
        parse: Function that parses a text.
        write: Function that writes a text.
        things: Cities or boards that have a text.
        texts: Texts of valid letters and of others.
        blanks: True if spaces may line the parts up.
    """

    parse: Callable[[str], Any]
    write: Callable[[Any], str]
    things: st.SearchStrategy
    texts: st.SearchStrategy[str]
    blanks: bool = False


HUGE = 10**5000  # too long to be written as text
EMPTY_ROWS = [(), ((),), ((None,), ())]
digits = st.tuples(st.integers(0, 9), st.integers(0, 9))
scraps = st.sampled_from([*"brHSFEPMC0159-/ x", " / ", "bH1", "rC", "--", "\n", "٣"])
NOTATIONS = {
    "between-two-cities": Notation(
        btc.parse_city,
        btc.format_city,
        st.builds(
            DuplexCity,
            grids(st.sampled_from([*Face, None])),
            st.none() | st.lists(st.tuples(digits, digits), max_size=3).map(tuple),
        ),
        st.text(alphabet="SFEBMDOPH./ -,019x", max_size=40),
    ),
    "cities": Notation(
        tourists.parse_city,
        tourists.format_city,
        tourist_cities(),
        st.text(alphabet="SCPWscpw.,/x -S", max_size=40),
    ),
    "city-blocks": Notation(
        blocks.parse_board,
        blocks.format_board,
        grids(
            st.none()
            | st.builds(
                Building,
                st.sampled_from(Side),
                st.sampled_from(BuildingKind),
                st.none() | st.integers(0, 9),
            )
        ),
        st.lists(scraps, max_size=30).map("".join),
        blanks=True,
    ),
}


@pytest.mark.parametrize("game", NOTATIONS)
@settings(max_examples=25)
@given(st.data())
def test_everything_reads_back_as_it_was_written(game, data):
    notation = NOTATIONS[game]
    thing = data.draw(notation.things)
    assert notation.parse(notation.write(thing)) == thing


@pytest.mark.parametrize("game", NOTATIONS)
@settings(max_examples=25)
@given(st.data())
def test_any_text_is_read_exactly_or_refused(game, data):
    notation = NOTATIONS[game]
    text = data.draw(notation.texts)
    try:
        written = notation.write(notation.parse(text))
    except NotationError:
        return
    if notation.blanks:
        assert written.split() == text.replace("/", " / ").split()
    else:
        assert written == text


def test_each_letter_is_a_face_and_duplexes_follow_after_a_space():
    city = btc.parse_city("SFEB/MDOP/H.../....")
    assert [face for row in city.grid for face in row] == [*Face, *[None] * 7]
    assert city.duplexes is None
    assert btc.parse_city("SS 00-01,23-33").duplexes == (((0, 0), (0, 1)), ((2, 3), (3, 3)))
    assert btc.parse_city("SS -").duplexes == ()


def test_letters_are_fields_and_small_ones_hold_tourists():
    city = tourists.parse_city("Sc/pW,/.")
    assert city.fields == ((Field.SIGHT, Field.CAFE), (Field.PARK, Field.WATER, None), (None,))
    assert city.tourists == ((0, 1), (1, 0), (1, 2))
    city = TouristCity(((Field.SIGHT, Field.CAFE),), ((0, 1), (0, 0)))
    assert tourists.parse_city(tourists.format_city(city)).tourists == ((0, 0), (0, 1))


def test_a_plot_is_an_owner_a_kind_and_a_value():
    assert blocks.parse_board("\n bH1 rS2  bF3/rE bP rM / bC -- --") == (
        (
            Building(Side.BLUE, BuildingKind.HOUSE, 1),
            Building(Side.RED, BuildingKind.SHOP, 2),
            Building(Side.BLUE, BuildingKind.FACTORY, 3),
        ),
        (
            Building(Side.RED, BuildingKind.SCHOOL),
            Building(Side.BLUE, BuildingKind.POWER_PLANT),
            Building(Side.RED, BuildingKind.MALL),
        ),
        (Building(Side.BLUE, BuildingKind.COURT), None, None),
    )


@pytest.mark.parametrize(
    ("game", "text", "code", "where"),
    [
        ("between-two-cities", "", "empty-row", "row 1"),
        ("between-two-cities", "SS//SS", "empty-row", "row 2"),
        ("between-two-cities", "SSSS/", "empty-row", "row 2"),
        ("between-two-cities", "SSSS/SXSS", "unknown-letter", "row 2, column 2"),
        ("between-two-cities", "ssss", "unknown-letter", "row 1, column 1"),
        ("between-two-cities", "SSSS ", "bad-duplex", "duplex 1"),
        ("between-two-cities", "SSSS 00-01,", "bad-duplex", "duplex 2"),
        ("between-two-cities", "SSSS 00-1", "bad-duplex", "duplex 1"),
        ("between-two-cities", "SSSS 00-٠١", "bad-duplex", "duplex 1"),
        ("between-two-cities", "SSSS 00-01\n", "bad-duplex", "duplex 1"),
        ("cities", "", "empty-row", "row 1"),
        ("cities", "SS//SS", "empty-row", "row 2"),
        ("cities", "SSSS/", "empty-row", "row 2"),
        ("cities", "SSSS/SXSS", "unknown-letter", "row 2, column 2"),
        ("cities", "SS SS", "unknown-letter", "row 1, column 3"),
        ("cities", "SS\nSS", "unknown-letter", "row 1, column 3"),
        ("city-blocks", "", "empty-row", "row 1"),
        ("city-blocks", "bH1 //rC", "empty-row", "row 2"),
        ("city-blocks", "bH1 / ", "empty-row", "row 2"),
        ("city-blocks", "bH1 / rC bX1", "bad-plot", "row 2, column 2"),
        ("city-blocks", "gH1", "bad-plot", "row 1, column 1"),
        ("city-blocks", "bh1", "bad-plot", "row 1, column 1"),
        ("city-blocks", "bH10", "bad-plot", "row 1, column 1"),
        ("city-blocks", "bH-1", "bad-plot", "row 1, column 1"),
        ("city-blocks", "bH٣", "bad-plot", "row 1, column 1"),
        ("city-blocks", "bH1rC", "bad-plot", "row 1, column 1"),
        ("city-blocks", "-- -", "bad-plot", "row 1, column 2"),
        ("city-blocks", "x" * 1000, "bad-plot", "row 1, column 1"),
    ],
)
def test_invalid_text_is_refused_with_its_place(game, text, code, where):
    with pytest.raises(NotationError) as refused:
        NOTATIONS[game].parse(text)
    assert (refused.value.code, refused.value.where) == (code, where)
    assert len(str(refused.value)) < 150
    assert isinstance(refused.value, ScoringError)
    assert isinstance(refused.value, ValueError)


def seen_by(text, *cells):
    return TouristCity(tourists.parse_city(text).fields, ((0, 0), *cells))


@pytest.mark.parametrize(
    ("game", "thing", "expected"),
    [
        *[("between-two-cities", DuplexCity(rows), "no text form") for rows in EMPTY_ROWS],
        *[("cities", TouristCity(rows), "no text form") for rows in EMPTY_ROWS],
        *[("city-blocks", rows, "no text form") for rows in EMPTY_ROWS],
        *[
            ("between-two-cities", DuplexCity(((Face.SHOP,),), (((0, 0), cell),)), "0 to 9")
            for cell in [(0, 10), (-1, 0)]
        ],
        *[
            ("cities", seen_by("SP/S", cell), "tourist-off-grid, tourist 2")
            for cell in [(0, 2), (2, 0), (1, 1), (-1, 0), (0, -1), (HUGE, 0)]
        ],
        *[
            ("cities", seen_by(text, (0, 1), (0, 0)), "field-taken, tourist 3")
            for text in ("SP", ".S")
        ],
        *[
            (
                "city-blocks",
                ((None, Building(Side.RED, BuildingKind.SHOP, value)),),
                "row 1, column 2",
            )
            for value in (-1, 10, HUGE)
        ],
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_table_that_cannot_be_written_is_refused(game, thing, expected):
    with pytest.raises(NotationError) as refused:
        NOTATIONS[game].write(thing)
    assert expected in f"{refused.value.message}: {refused.value.code}, {refused.value.where}"
