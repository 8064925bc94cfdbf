import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import NotationError, ScoringError
from scoring.faces import Face
from scoring.games.between_two_cities.notation import format_city, parse_city
from scoring.games.between_two_cities.table import City

rows = st.lists(st.sampled_from([*Face, None]), min_size=1, max_size=6).map(tuple)
cells = st.tuples(st.integers(0, 9), st.integers(0, 9))
cities = st.builds(
    City,
    grid=st.lists(rows, min_size=1, max_size=6).map(tuple),
    duplexes=st.none() | st.lists(st.tuples(cells, cells), max_size=3).map(tuple),
)


def test_each_letter_is_a_face():
    assert parse_city("SFEB/MDOP/H.../....").grid == (
        (Face.SHOP, Face.FACTORY, Face.TAVERN_FOOD, Face.TAVERN_BED),
        (Face.TAVERN_MUSIC, Face.TAVERN_DRINK, Face.OFFICE, Face.PARK),
        (Face.HOUSE, None, None, None),
        (None, None, None, None),
    )


def test_duplexes_are_not_stated_without_a_space():
    assert parse_city("SSSH/FEPP/OOBH/MDOP").duplexes is None


def test_duplexes_follow_after_a_space():
    city = parse_city("SSSH/FEPP/OOBH/MDOP 00-01,23-33")
    assert city.duplexes == (((0, 0), (0, 1)), ((2, 3), (3, 3)))


def test_a_hyphen_states_that_there_are_no_duplexes():
    assert parse_city("SSSH/FEPP/OOBH/MDOP -").duplexes == ()


@pytest.mark.parametrize("text", ["SSSH/FEPP/OOBH/MDOP 00-01,23-33", "SS -", "S/./H"])
def test_text_is_written_as_it_was_read(text):
    assert format_city(parse_city(text)) == text


@given(cities)
def test_every_city_reads_back_as_it_was_written(city):
    assert parse_city(format_city(city)) == city


@given(st.text(alphabet="SFEBMDOPH./ -,019x", max_size=40))
def test_any_text_is_read_exactly_or_refused(text):
    try:
        city = parse_city(text)
    except NotationError:
        return
    assert format_city(city) == text


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "empty-row", "row 1"),
        ("SS//SS", "empty-row", "row 2"),
        ("SSSS/", "empty-row", "row 2"),
        ("SSSS/SXSS", "unknown-letter", "row 2, column 2"),
        ("ssss", "unknown-letter", "row 1, column 1"),
        ("SSSS ", "bad-duplex", "duplex 1"),
        ("SSSS 00-01,", "bad-duplex", "duplex 2"),
        ("SSSS 00-1", "bad-duplex", "duplex 1"),
        ("SSSS 00-٠١", "bad-duplex", "duplex 1"),
        ("SSSS 00-01\n", "bad-duplex", "duplex 1"),
    ],
)
def test_what_is_no_city_is_refused_with_its_place(text, code, where):
    with pytest.raises(NotationError) as refused:
        parse_city(text)
    assert (refused.value.code, refused.value.where) == (code, where)
    assert isinstance(refused.value, ScoringError)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize("grid", [(), ((),), ((Face.SHOP,), ())])
def test_a_city_with_an_empty_row_has_no_text(grid):
    with pytest.raises(NotationError, match="no text form"):
        format_city(City(grid))


@pytest.mark.parametrize("cell", [(0, 10), (-1, 0)])
def test_duplexes_far_outside_have_no_text(cell):
    with pytest.raises(NotationError, match="0 to 9"):
        format_city(City(((Face.SHOP,),), (((0, 0), cell),)))
