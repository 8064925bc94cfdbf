"""Invariants of cities and tables, and agreement with a second, plain scoring."""

from collections import Counter

from scoring.faces import Field
from scoring.games.cities import list_breaches, score
from scoring.games.cities.score_sheet import PlayerScore, ReasonKind
from scoring.games.cities.table import City
from tests.scoring import cities_oracle as oracle
from tests.scoring.cities_tables import random_table
from tests.scoring.dealing import seeded

SCORING_FIELD = {
    ReasonKind.SIGHT_AREA: Field.SIGHT,
    ReasonKind.CAFES_BESIDE: Field.CAFE,
    ReasonKind.PARK_AREA: Field.PARK,
    ReasonKind.WATER_BESIDE: Field.WATER,
    ReasonKind.WATER_SEEN: Field.WATER,
    ReasonKind.PARKS_SEEN: Field.PARK,
}


def check_reasons(player: PlayerScore, city: City) -> None:
    """Check that reasons add up to the points and name the fields that score."""
    assert [tourist.at for tourist in player.tourists] == list(city.tourists)
    assert player.final == sum(player.points.values())
    for tourist in player.tourists:
        own = [reason.points for reason in player.reasons if reason.tourist == tourist.at]
        assert own
        assert sum(own) == tourist.points
    for reason in player.reasons:
        assert list(reason.cells) == sorted(set(reason.cells))
        if reason.kind in SCORING_FIELD:
            assert reason.points == len(reason.cells) > 0
            shown = {city.fields[row][column] for row, column in reason.cells}
            assert shown == {SCORING_FIELD[reason.kind]}
        else:
            assert reason.points == 0
        if reason.kind is ReasonKind.AREA_COUNTED_BEFORE:
            assert {reason.tourist, reason.counted_for} <= set(reason.cells)


def test_random_tables_score_as_the_plain_scoring_says():
    kinds, decided_by, levels_and_players = Counter(), Counter(), set()
    for seed in range(600):
        lenient = seed % 4 == 0
        table = random_table(seeded(seed), gaps=lenient)
        assert list_breaches(table, lenient=lenient) == ()
        sheet = score(table, lenient=lenient)
        expected = [
            oracle.tourist_points(oracle.plain_city(city.fields), city.tourists, table.level)
            for city in table.cities
        ]
        for player, city, tourists in zip(sheet.players, table.cities, expected, strict=True):
            check_reasons(player, city)
            assert [tourist.points for tourist in player.tourists] == [own for _, own in tourists]
            for category in ("sights", "parks", "cafes"):
                own = sum(points for name, points in tourists if name == category)
                assert player.points[category] == own
            kinds.update(reason.kind for reason in player.reasons)
            decided_by.update([player.tie_break.by] if player.tie_break else [])
        single = [[points for _, points in tourists] for tourists in expected]
        ranks = oracle.ranks(single)
        assert [player.final for player in sheet.players] == [sum(points) for points in single]
        assert [player.rank for player in sheet.players] == ranks
        assert sheet.winners == tuple(i for i, rank in enumerate(ranks) if rank == 1)
        levels_and_players.add((table.level, len(table.cities)))
    # It would show little if ties and rare kinds of reasons never occurred
    assert all(kinds[kind] > 10 for kind in ReasonKind)
    assert all(decided_by[tourist] > 10 for tourist in (None, 1, 2)), decided_by
    assert levels_and_players == {(level, count) for level in (1, 2, 3) for count in range(1, 7)}
