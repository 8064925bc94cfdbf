"""Mangled table JSON is scored or refused in one clean error."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.base.errors import UsageError
from firmware.scan.table_input import parse_table
from firmware.wording.problem_text import problem_line
from scoring.errors import ScoringError
from scoring.games import GAMES
from tests.firmware.tables import GOLDEN

TABLES = {name: golden["table"] for name, golden in GOLDEN.items()}

ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.integers()
    | st.floats()
    | st.sampled_from(["shop", "water", "mall", "blue", "standard", "two-player", "P1", ""])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def places_of(value, place=()):
    """Every part of a JSON value, by the keys and indices that lead to it."""
    yield place
    if isinstance(value, dict):
        parts = value.items()
    else:
        parts = enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places_of(part, (*place, key))


@st.composite
def mangled(draw, table):
    """A table with some parts replaced, left out, repeated or exchanged."""
    table = copy.deepcopy(table)
    for _ in range(draw(st.integers(1, 3))):
        places = [place for place in places_of(table) if place]
        if not places:
            break
        *above, last = draw(st.sampled_from(places))
        holder = table
        for key in above:
            holder = holder[key]
        deed = draw(st.sampled_from(["replace", "leave out", "repeat", "add"]))
        if deed == "replace":
            holder[last] = draw(ANY_JSON)
        elif deed == "leave out":
            del holder[last]
        elif isinstance(holder, list):
            holder.insert(last, holder[last] if deed == "repeat" else draw(ANY_JSON))
        else:
            holder[draw(st.text(max_size=5))] = draw(ANY_JSON)
    return table


def scored_or_refused(data: bytes, *, lenient: bool) -> None:
    refusal = refusal_of(data, lenient=lenient)
    if refusal is not None:
        line = problem_line(refusal)
        assert refusal.code
        assert refusal.where
        assert "\n" not in line
        assert len(line) < 1000


def refusal_of(data: bytes, *, lenient: bool) -> UsageError | ScoringError | None:
    try:
        game, table = parse_table(data, "table.json")
        json.dumps(game.sheet_json(game.rules.score(table, lenient=lenient)))
    except (UsageError, ScoringError) as error:
        return error
    return None


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=30)
@given(st.data())
def test_mangled_tables_are_scored_or_refused(name, data):
    table = data.draw(mangled(TABLES[name]))
    scored_or_refused(json.dumps(table).encode(), lenient=data.draw(st.booleans()))


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=20)
@given(st.data())
def test_damaged_files_are_scored_or_refused(name, data):
    text = json.dumps(TABLES[name]).encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 20, len(text))))
    scored_or_refused(text[:start] + data.draw(st.binary(max_size=8)) + text[end:], lenient=True)


@pytest.mark.parametrize("name", GAMES)
def test_every_beginning_of_a_table_is_refused(name):
    text = json.dumps(TABLES[name]).encode()
    for length in range(0, len(text), 7):
        with pytest.raises(UsageError):
            parse_table(text[:length], "table.json")
