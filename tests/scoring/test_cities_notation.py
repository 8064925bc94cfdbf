import pytest
from cities_tables import example_table
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import NotationError, ScoringError
from scoring.faces import Field
from scoring.games.cities.notation import format_city, parse_city
from scoring.games.cities.table import City

rows = st.lists(st.sampled_from([*Field, None]), min_size=1, max_size=9).map(tuple)
grids = st.lists(rows, min_size=1, max_size=9).map(tuple)


@st.composite
def cities(draw):
    """Cities of any size, tourists on any fields in any order."""
    fields = draw(grids)
    cells = [(row, column) for row, line in enumerate(fields) for column in range(len(line))]
    return City(fields, tuple(draw(st.lists(st.sampled_from(cells), max_size=9, unique=True))))


def test_each_letter_is_a_field():
    city = parse_city("SC/PW./.")
    assert city.fields == (
        (Field.SIGHT, Field.CAFE),
        (Field.PARK, Field.WATER, None),
        (None,),
    )
    assert city.tourists == ()


def test_a_tourist_stands_on_each_small_letter_and_each_comma():
    city = parse_city("Ssc/pw,/S.P")
    assert city.fields == parse_city("SSC/PW./S.P").fields
    assert city.tourists == ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2))


@pytest.mark.parametrize(
    "text", ["SsCcPpWw.,", "s", ",/.", *map(format_city, example_table().cities)]
)
def test_text_is_written_as_it_was_read(text):
    assert format_city(parse_city(text)) == text


@given(cities())
def test_every_city_reads_back_with_its_tourists_in_reading_order(city):
    assert parse_city(format_city(city)) == City(city.fields, tuple(sorted(city.tourists)))


@given(st.text(alphabet="SCPWscpw.,/x -S", max_size=40))
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
        ("SS SS", "unknown-letter", "row 1, column 3"),
        ("SS\nSS", "unknown-letter", "row 1, column 3"),
    ],
)
def test_what_is_no_city_is_refused_with_its_place(text, code, where):
    with pytest.raises(NotationError) as refused:
        parse_city(text)
    assert (refused.value.code, refused.value.where) == (code, where)
    assert isinstance(refused.value, ScoringError)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize("fields", [(), ((),), ((Field.SIGHT,), ())])
def test_a_city_with_an_empty_row_has_no_text(fields):
    with pytest.raises(NotationError, match="no text form"):
        format_city(City(fields))


@pytest.mark.parametrize("cell", [(0, 2), (2, 0), (1, 1), (-1, 0), (0, -1), (10**5000, 0)])
def test_a_tourist_outside_the_city_has_no_text(cell):
    with pytest.raises(NotationError) as refused:
        format_city(City(parse_city("SP/S").fields, ((0, 0), cell)))
    assert (refused.value.code, refused.value.where) == ("tourist-off-grid", "tourist 2")


@pytest.mark.parametrize("text", ["SP", ".S"])
def test_two_tourists_on_one_field_have_no_text(text):
    with pytest.raises(NotationError) as refused:
        format_city(City(parse_city(text).fields, ((0, 0), (0, 1), (0, 0))))
    assert (refused.value.code, refused.value.where) == ("field-taken", "tourist 3")
