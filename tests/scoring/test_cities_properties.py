"""What holds for every city and table, and agreement with a second, plain scoring."""

from collections import Counter

import cities_oracle as oracle
import pytest
from cities_tables import ALL_CELLS, random_table
from dealing import seeded
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.faces import Field
from scoring.games.cities import score, status
from scoring.games.cities.sheet import PlayerScore, ReasonKind
from scoring.games.cities.table import City, Table

few = settings(max_examples=40)

SCORING_FIELD = {
    ReasonKind.SIGHT_AREA: Field.SIGHT,
    ReasonKind.CAFES_BESIDE: Field.CAFE,
    ReasonKind.PARK_AREA: Field.PARK,
    ReasonKind.WATER_BESIDE: Field.WATER,
    ReasonKind.WATER_SEEN: Field.WATER,
    ReasonKind.PARKS_SEEN: Field.PARK,
}
levels = st.sampled_from([1, 2, 3])


@st.composite
def cities(draw):
    """Cities of a few kinds of fields, so that areas and views of all sizes are common."""
    kinds = draw(st.lists(st.sampled_from(list(Field)), min_size=2, max_size=6))
    cells = draw(st.lists(st.sampled_from(kinds), min_size=64, max_size=64))
    fields = tuple(tuple(cells[start : start + 8]) for start in range(0, 64, 8))
    dry = [cell for cell in ALL_CELLS if field_at(City(fields), cell) is not Field.WATER]
    assume(dry)
    tourists = st.lists(st.sampled_from(dry), max_size=7, unique=True)
    return City(fields, tuple(draw(tourists)))


def field_at(city: City, cell) -> Field | None:
    return city.fields[cell[0]][cell[1]]


def scored(city: City, level: int) -> PlayerScore:
    (player,) = score(Table((city,), level)).players
    return player


@few
@given(cities(), levels)
def test_the_reasons_add_up_and_name_the_fields_that_score(city, level):
    player = scored(city, level)
    assert [tourist.at for tourist in player.tourists] == list(city.tourists)
    assert player.final == sum(player.points.values())
    assert player.final == sum(tourist.points for tourist in player.tourists)
    for tourist in player.tourists:
        own = [reason for reason in player.reasons if reason.tourist == tourist.at]
        assert own
        assert sum(reason.points for reason in own) == tourist.points
    for reason in player.reasons:
        assert list(reason.cells) == sorted(set(reason.cells))
        if reason.kind in SCORING_FIELD:
            assert reason.points == len(reason.cells) > 0
            assert {field_at(city, c) for c in reason.cells} == {SCORING_FIELD[reason.kind]}
        else:
            assert reason.points == 0
        if reason.kind is ReasonKind.AREA_COUNTED_BEFORE:
            assert {reason.tourist, reason.counted_for} <= set(reason.cells)


@pytest.mark.parametrize("block", range(4))
def test_random_tables_score_as_the_plain_scoring_says(block):
    for seed in range(150 * block, 150 * (block + 1)):
        lenient = seed % 4 == 0
        table = random_table(seeded(seed), gaps=lenient)
        assert status(table, lenient=lenient) == ()
        sheet = score(table, lenient=lenient)
        expected = [
            oracle.tourist_points(oracle.plain_city(city.fields), city.tourists, table.level)
            for city in table.cities
        ]
        for player, tourists in zip(sheet.players, expected, strict=True):
            assert [tourist.points for tourist in player.tourists] == [own for _, own in tourists]
            for category in ("sights", "parks", "cafes"):
                own = sum(points for name, points in tourists if name == category)
                assert player.points[category] == own
        single = [[points for _, points in tourists] for tourists in expected]
        ranks = oracle.ranks(single)
        assert [player.final for player in sheet.players] == [sum(points) for points in single]
        assert [player.rank for player in sheet.players] == ranks
        assert sheet.winners == tuple(i for i, rank in enumerate(ranks) if rank == 1)


def test_random_tables_hold_what_they_are_meant_to_test():
    """The comparison above would show little if ties and rare kinds of reasons never occurred."""
    kinds: Counter[ReasonKind] = Counter()
    decided_by: Counter[int | None] = Counter()
    levels_and_players = set()
    for seed in range(600):
        lenient = seed % 4 == 0
        table = random_table(seeded(seed), gaps=lenient)
        levels_and_players.add((table.level, len(table.cities)))
        for player in score(table, lenient=lenient).players:
            kinds.update(reason.kind for reason in player.reasons)
            if player.tie_break:
                decided_by[player.tie_break.by] += 1
    assert all(kinds[kind] > 10 for kind in ReasonKind)
    assert all(decided_by[tourist] > 10 for tourist in (None, 1, 2)), decided_by
    assert levels_and_players == {(level, count) for level in (1, 2, 3) for count in range(1, 7)}
