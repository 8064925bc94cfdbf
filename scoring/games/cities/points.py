"""Points of tourists, and ranks of players: rulebook, "Wertung", "Spielstufen", "Unentschieden".

Players with the same final score are compared by their best tourists, then by their second
best, and so on; then they share their rank. A missing tourist counts 0 in this comparison.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.areas import DIRECTIONS, connected_area, neighbours
from scoring.faces import Cell, Field
from scoring.games.cities.score_sheet import (
    Category,
    PlayerScore,
    Reason,
    ReasonKind,
    TouristScore,
)
from scoring.games.cities.table import TOURISTS_PER_PLAYER, City, Table
from scoring.legality import name_at
from scoring.ranking import RankKey, explain_tie, rank_of

LEVEL_OF_BONUS: Final = 3
"""The level from which on the fields beside an area count."""

SEEN_AT_LEVEL: Final[Mapping[int, Mapping[Field, ReasonKind]]] = {
    1: {},
    2: {Field.WATER: ReasonKind.WATER_SEEN},
    3: {Field.WATER: ReasonKind.WATER_SEEN, Field.PARK: ReasonKind.PARKS_SEEN},
}
"""Fields that count when seen from a cafe; the view passes over them and ends at any other."""


@dataclass(frozen=True, slots=True)
class _AreaRule:
    category: Category
    kind: ReasonKind
    bonus_field: Field
    bonus_kind: ReasonKind


_AREA_RULES: Final = {
    Field.SIGHT: _AreaRule(
        Category.SIGHTS, ReasonKind.SIGHT_AREA, Field.CAFE, ReasonKind.CAFES_BESIDE
    ),
    Field.PARK: _AreaRule(
        Category.PARKS, ReasonKind.PARK_AREA, Field.WATER, ReasonKind.WATER_BESIDE
    ),
}

_FieldAt = Mapping[Cell, Field]
"""The fields of a city; places without a field, and those outside, are no keys."""


def score_players(table: Table) -> tuple[PlayerScore, ...]:
    """Return points and rank of every player, in seat order.

    Args:
        table: Table that the rules allow; its fields may be None.
    """
    reasons = [_tourist_reasons(city, table.level) for city in table.cities]
    tourists = [_tourist_scores(city, own) for city, own in zip(table.cities, reasons, strict=True)]
    rank_keys = [_rank_key(own) for own in tourists]
    return tuple(
        PlayerScore(
            name=name_at(table.players, player),
            final=rank_keys[player][0],
            rank=rank_of(player, rank_keys),
            points={
                category: sum(each.points for each in reasons[player] if each.category is category)
                for category in Category
            },
            tourists=tourists[player],
            reasons=reasons[player],
            tie_break=explain_tie(player, rank_keys),
        )
        for player in range(len(table.cities))
    )


def rank_key(city: City, level: int) -> RankKey:
    """Return what the player of a city is compared by; no other city changes it."""
    return _rank_key(_tourist_scores(city, _tourist_reasons(city, level)))


def _tourist_reasons(city: City, level: int) -> tuple[Reason, ...]:
    """Score the tourists of a city, in the order in which they are listed."""
    field_at = {
        (row, column): field
        for row, fields in enumerate(city.fields)
        for column, field in enumerate(fields)
        if field is not None
    }
    counted_for: dict[tuple[Cell, ...], Cell] = {}
    reasons: list[Reason] = []
    for tourist in city.tourists:
        field = field_at.get(tourist)
        if field is None:
            reasons.append(Reason(None, ReasonKind.NO_FIELD, 0, (), tourist))
        elif field is Field.CAFE:
            reasons.extend(_cafe_reasons(field_at, tourist, level))
        else:
            alike = {cell for cell, other in field_at.items() if other is field}
            area = connected_area(tourist, alike)
            first = counted_for.setdefault(area, tourist)
            reasons.extend(_area_reasons(field_at, area, tourist, first, level))
    return tuple(reasons)


def _tourist_scores(city: City, reasons: Sequence[Reason]) -> tuple[TouristScore, ...]:
    points = dict.fromkeys(city.tourists, 0)
    for reason in reasons:
        points[reason.tourist] += reason.points
    return tuple(TouristScore(tourist, points[tourist]) for tourist in city.tourists)


def _rank_key(tourists: Sequence[TouristScore]) -> RankKey:
    """Return the final score, then each tourist's points, best first."""
    points = sorted((tourist.points for tourist in tourists), reverse=True)
    absent = [0] * (TOURISTS_PER_PLAYER - len(points))
    return (sum(points), *points, *absent)


def _area_reasons(
    field_at: _FieldAt, area: tuple[Cell, ...], tourist: Cell, first: Cell, level: int
) -> Iterator[Reason]:
    rule = _AREA_RULES[field_at[tourist]]
    if first != tourist:
        yield Reason(rule.category, ReasonKind.AREA_COUNTED_BEFORE, 0, area, tourist, first)
        return
    yield Reason(rule.category, rule.kind, len(area), area, tourist)
    beside = _fields_beside(field_at, area, rule.bonus_field)
    if level >= LEVEL_OF_BONUS and beside:
        yield Reason(rule.category, rule.bonus_kind, len(beside), beside, tourist)


def _cafe_reasons(field_at: _FieldAt, tourist: Cell, level: int) -> Iterator[Reason]:
    seen_kinds = SEEN_AT_LEVEL[level]
    if not seen_kinds:
        yield Reason(Category.CAFES, ReasonKind.CAFE_WORTH_NOTHING, 0, (), tourist)
        return
    view = _view(field_at, tourist, seen_kinds)
    if not view:
        yield Reason(Category.CAFES, ReasonKind.NOTHING_SEEN, 0, (), tourist)
    for field, kind in seen_kinds.items():
        seen = tuple(cell for cell in view if field_at[cell] is field)
        if seen:
            yield Reason(Category.CAFES, kind, len(seen), seen, tourist)


def _fields_beside(field_at: _FieldAt, area: Collection[Cell], wanted: Field) -> tuple[Cell, ...]:
    """Return the fields ``wanted`` that share an edge with the area, in reading order."""
    around = {neighbour for cell in area for neighbour in neighbours(cell)}
    return tuple(sorted(cell for cell in around if field_at.get(cell) is wanted))


def _view(field_at: _FieldAt, cafe: Cell, transparent: Collection[Field]) -> tuple[Cell, ...]:
    """Return the unbroken runs of transparent fields from the cafe on, in reading order."""
    seen = []
    for down, right in DIRECTIONS:
        row, column = cafe[0] + down, cafe[1] + right
        while field_at.get((row, column)) in transparent:
            seen.append((row, column))
            row, column = row + down, column + right
    return tuple(sorted(seen))
