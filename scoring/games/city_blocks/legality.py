"""Which boards can lie there, with which value tiles: rulebook, "Spielmaterial", "Spielverlauf"."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Final

from scoring.errors import Breach
from scoring.faces import Building, Side
from scoring.games.city_blocks.table import COLUMNS, ROWS, Board, Plot, Table
from scoring.legality import breach, size_breaches

VALUES: Final[Mapping[Building, range]] = {
    Building.HOUSE: range(1, 6),
    Building.SHOP: range(2, 7),
    Building.FACTORY: range(3, 8),
}
"""The buildings with a value: each player has one of each value."""
SPECIALS: Final[Mapping[Building, int]] = {
    Building.SCHOOL: 2,
    Building.POWER_PLANT: 1,
    Building.MALL: 1,
    Building.COURT: 1,
}
"""How many of the buildings without a value each player has."""
VALUE_TILES: Final = range(1, 16)
"""The value tiles in dollars, one of each."""


class BreachCode(StrEnum):
    """What can be wrong with a table, beside the ``SharedBreachCode``s."""

    VALUE_OUT_OF_RANGE = "value-out-of-range"
    MISSING_VALUE = "missing-value"
    VALUE_OF_SPECIAL = "value-of-special"
    REPEATED_BUILDING = "repeated-building"
    TOO_MANY_BUILDINGS = "too-many-buildings"
    NO_VALUES = "no-values"
    HALF_THE_VALUES = "half-the-values"
    VALUES_AND_COLLECTED = "values-and-collected"
    VALUE_COUNT = "value-count"
    NO_SUCH_VALUE_TILE = "no-such-value-tile"
    REPEATED_VALUE_TILE = "repeated-value-tile"
    TOO_MANY_COLLECTED = "too-many-collected"


TEXTS: Final = {
    BreachCode.VALUE_OUT_OF_RANGE: "the value of a {kind} is {least} to {most}; correct it",
    BreachCode.MISSING_VALUE: "this {kind} has no value; give its number, {least} to {most}",
    BreachCode.VALUE_OF_SPECIAL: "a {kind} has no value; leave it out or correct the kind",
    BreachCode.REPEATED_BUILDING: "a second {owner} {kind} {value}, but the game has one; "
    "correct one of them",
    BreachCode.TOO_MANY_BUILDINGS: "{owner} {kind} number {given}, but the game has {allowed}; "
    "correct one of them",
    BreachCode.NO_VALUES: "neither the values beside the board nor the tiles collected; "
    "give `row_values` and `column_values`, or `collected`",
    BreachCode.HALF_THE_VALUES: "only one of the two lists of values; give this one as well",
    BreachCode.VALUES_AND_COLLECTED: "both values beside the board and tiles collected; "
    "leave out one of them",
    BreachCode.VALUE_COUNT: "{given} values instead of {allowed}; give one for each street, "
    "null where the tile is gone",
    BreachCode.NO_SUCH_VALUE_TILE: "a value tile is {least} to {most}; correct this one",
    BreachCode.REPEATED_VALUE_TILE: "the game has one value tile {value}, and it is named "
    "earlier; correct one of them",
    BreachCode.TOO_MANY_COLLECTED: "{given} tiles collected, but the board has {allowed} streets; "
    "leave out the spare tiles drawn at the start",
}
"""The words for each breach; its values take the places in braces."""


@dataclass(frozen=True, slots=True)
class _ValueTile:
    """A value tile, or None where it is gone, and its JSON path."""

    place: str
    value: int | None


def status(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:  # noqa: ARG001
    """All ways in which a board and its value tiles cannot lie there.

    Args:
        table: any table.
        lenient: changes nothing: plots without a building and values that are gone are always
            allowed. All games take it.

    Returns:
        Every breach, with a code of ``BreachCode`` or ``SharedBreachCode``: those of the size of
        the board, of its buildings, of their supply, of the value tiles. Empty if the table can
        be scored.
    """
    return tuple(
        chain(
            size_breaches(table.grid, "$.grid", ROWS, COLUMNS),
            _building_breaches(table.grid),
            _supply_breaches(table.grid),
            _basis_breaches(table),
            _beside_breaches(table),
            _collected_breaches(table),
        )
    )


def _breach(code: BreachCode, place: str, **values: int | str) -> Breach:
    return breach(TEXTS, code, place, **values)


def _buildings(grid: Board) -> Iterator[tuple[str, Plot]]:
    """Every building in reading order, each with its JSON path."""
    for row, plots in enumerate(grid):
        for column, plot in enumerate(plots):
            if plot is not None:
                yield f"$.grid[{row}][{column}]", plot


def _building_breaches(grid: Board) -> Iterator[Breach]:
    for place, plot in _buildings(grid):
        kind = plot.kind.value
        allowed = VALUES.get(plot.kind)
        if allowed is None:
            if plot.value is not None:
                yield _breach(BreachCode.VALUE_OF_SPECIAL, f"{place}.value", kind=kind)
        elif plot.value not in allowed:
            missing = plot.value is None
            yield _breach(
                BreachCode.MISSING_VALUE if missing else BreachCode.VALUE_OUT_OF_RANGE,
                place if missing else f"{place}.value",
                kind=kind,
                least=allowed[0],
                most=allowed[-1],
            )


def _supply_breaches(grid: Board) -> Iterator[Breach]:
    """Buildings that their player does not have in the box, each named where it stands."""
    valued: set[Plot] = set()
    specials: dict[tuple[Side, Building], int] = {}
    for place, plot in _buildings(grid):
        owner, kind = plot.owner.value, plot.kind.value
        if plot.kind in SPECIALS:
            given = specials.get((plot.owner, plot.kind), 0) + 1
            specials[plot.owner, plot.kind] = given
            allowed = SPECIALS[plot.kind]
            if given > allowed:
                yield _breach(
                    BreachCode.TOO_MANY_BUILDINGS,
                    place,
                    owner=owner,
                    kind=kind,
                    given=given,
                    allowed=allowed,
                )
        elif plot.value is not None and plot.value in VALUES[plot.kind]:
            if plot in valued:
                yield _breach(
                    BreachCode.REPEATED_BUILDING, place, owner=owner, kind=kind, value=plot.value
                )
            valued.add(plot)


def _basis_breaches(table: Table) -> Iterator[Breach]:
    lists = {"$.row_values": table.row_values, "$.column_values": table.column_values}
    absent = [place for place, values in lists.items() if values is None]
    if table.collected is not None:
        if len(absent) < len(lists):
            yield _breach(BreachCode.VALUES_AND_COLLECTED, "$.collected")
    elif len(absent) == len(lists):
        yield _breach(BreachCode.NO_VALUES, "$")
    elif absent:
        yield _breach(BreachCode.HALF_THE_VALUES, absent[0])


def _beside_breaches(table: Table) -> Iterator[Breach]:
    """Breaches of the value tiles that lie beside the board."""
    tiles: list[_ValueTile] = []
    lists = (
        ("$.row_values", table.row_values, ROWS),
        ("$.column_values", table.column_values, COLUMNS),
    )
    for place, values, allowed in lists:
        if values is None:
            continue
        if len(values) != allowed:
            yield _breach(BreachCode.VALUE_COUNT, place, given=len(values), allowed=allowed)
        tiles += _placed(place, values)
    yield from _tile_breaches(tiles)


def _collected_breaches(table: Table) -> Iterator[Breach]:
    """Breaches of the value tiles that the players hold."""
    if table.collected is None:
        return
    tiles = [
        tile
        for side in Side
        for tile in _placed(f"$.collected.{side.value}", table.collected[side])
    ]
    streets = ROWS + COLUMNS
    if len(tiles) > streets:
        yield _breach(
            BreachCode.TOO_MANY_COLLECTED, "$.collected", given=len(tiles), allowed=streets
        )
    yield from _tile_breaches(tiles)


def _placed(place: str, values: Sequence[int | None]) -> list[_ValueTile]:
    return [_ValueTile(f"{place}[{index}]", value) for index, value in enumerate(values)]


def _tile_breaches(tiles: Sequence[_ValueTile]) -> Iterator[Breach]:
    """Value tiles that the game has not, or not twice."""
    earlier: set[int] = set()
    for tile in tiles:
        if tile.value is None:
            continue
        if tile.value not in VALUE_TILES:
            yield _breach(
                BreachCode.NO_SUCH_VALUE_TILE,
                tile.place,
                least=VALUE_TILES[0],
                most=VALUE_TILES[-1],
            )
        elif tile.value in earlier:
            yield _breach(BreachCode.REPEATED_VALUE_TILE, tile.place, value=tile.value)
        earlier.add(tile.value)
