"""What the tourists of one city are worth: rulebook, "Wertung" and "Spielstufen"."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scoring.faces import Cell, Field
from scoring.games.cities.sheet import Category, Reason, ReasonKind
from scoring.games.cities.table import City

LEVEL_OF_BONUS: Final = 3
"""The level from which on the fields beside an area count."""

SEEN_AT_LEVEL: Final[Mapping[int, Mapping[Field, ReasonKind]]] = {
    1: {},
    2: {Field.WATER: ReasonKind.WATER_SEEN},
    3: {Field.WATER: ReasonKind.WATER_SEEN, Field.PARK: ReasonKind.PARKS_SEEN},
}
"""What counts when seen from a cafe; the view passes over it and ends at anything else."""


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

_STEPS: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))
"""Up, left, right and down, as rows and columns."""

_FieldAt = Mapping[Cell, Field]
"""The fields of a city; places without a field, and those outside, are no keys."""


def tourist_reasons(city: City, level: int) -> tuple[Reason, ...]:
    """All that the tourists of a city score, in the order in which they are listed.

    Args:
        city: a city that the rules allow; its fields may be None.
        level: 1, 2 or 3.
    """
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
            area = _connected_area(field_at, tourist)
            first = counted_for.setdefault(area, tourist)
            reasons.extend(_area_reasons(field_at, area, tourist, first, level))
    return tuple(reasons)


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


def _connected_area(field_at: _FieldAt, start: Cell) -> tuple[Cell, ...]:
    """The fields like that of ``start`` that hang together with it, in reading order."""
    area, frontier = {start}, [start]
    while frontier:
        for cell in _neighbours(frontier.pop()):
            if cell not in area and field_at.get(cell) is field_at[start]:
                area.add(cell)
                frontier.append(cell)
    return tuple(sorted(area))


def _fields_beside(field_at: _FieldAt, area: Collection[Cell], wanted: Field) -> tuple[Cell, ...]:
    """The fields ``wanted`` that share an edge with the area, each once, in reading order."""
    around = {neighbour for cell in area for neighbour in _neighbours(cell)}
    return tuple(sorted(cell for cell in around if field_at.get(cell) is wanted))


def _view(field_at: _FieldAt, cafe: Cell, transparent: Collection[Field]) -> tuple[Cell, ...]:
    """The unbroken runs of transparent fields from the cafe on, in reading order."""
    seen = []
    for down, right in _STEPS:
        row, column = cafe[0] + down, cafe[1] + right
        while field_at.get((row, column)) in transparent:
            seen.append((row, column))
            row, column = row + down, column + right
    return tuple(sorted(seen))


def _neighbours(cell: Cell) -> Iterator[Cell]:
    row, column = cell
    return ((row + down, column + right) for down, right in _STEPS)
