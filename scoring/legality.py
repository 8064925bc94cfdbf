"""Breaches that games share: grids of the wrong size or with gaps, names of players."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from scoring.errors import N_, Breach, BreachKind

_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that cannot be seen: fillers of Hangul, and the blank of Braille."""


class SharedBreach(BreachKind):
    """Breaches of the rules of more than one game."""

    ROW_COUNT = N_("rows: {given} instead of {rows}; give {rows} rows of {columns}")
    ROW_LENGTH = N_("places in this row: {given} instead of {columns}; correct the row")
    EMPTY_CITY = N_("the city has no tile at all; fill it or leave it out")
    MISSING_TILE = N_("no tile here; name its kind, or score the incomplete city leniently")
    PLAYER_COUNT = N_("names: {given}, players: {players}; name all of them or none")
    EMPTY_NAME = N_("the name is empty; give one, or leave out all names")
    REPEATED_NAME = N_("two players are called {name}; tell them apart")


def size_breaches(
    grid: Sequence[Sequence[object]], where: str, rows: int, columns: int
) -> Iterator[Breach]:
    """Yield rows that are too many or too few, and rows that are too long or too short.

    Args:
        grid: Grid of any size.
        where: JSON path of the grid.
        rows: Required number of rows.
        columns: Required number of places in each row.
    """
    if len(grid) != rows:
        given = len(grid)
        yield SharedBreach.ROW_COUNT.at(where, given=given, rows=rows, columns=columns)
    for index, row in enumerate(grid):
        if len(row) != columns:
            yield SharedBreach.ROW_LENGTH.at(f"{where}[{index}]", given=len(row), columns=columns)


def tile_breaches(
    grid: Sequence[Sequence[object]], where: str, *, lenient: bool
) -> Iterator[Breach]:
    """Yield a grid without any tile, or else its places without one.

    Args:
        grid: Grid of any size; None for a place without a tile.
        where: JSON path of the grid.
        lenient: True to allow places without a tile, if the grid has a tile at all.
    """
    missing = [
        f"{where}[{r}][{c}]"
        for r, row in enumerate(grid)
        for c, tile in enumerate(row)
        if tile is None
    ]
    if missing and len(missing) == sum(map(len, grid)):
        yield SharedBreach.EMPTY_CITY.at(where)
    elif not lenient:
        yield from map(SharedBreach.MISSING_TILE.at, missing)


def has_visible_characters(name: str) -> bool:
    """Return whether a name has a letter, digit or sign that can be seen by itself."""
    return any(
        unicodedata.category(character)[0] in "LNPS" and character not in _BLANKS
        for character in name
    )


def name_breaches(names: Sequence[str] | None, player_count: int) -> Iterator[Breach]:
    """Yield names that are too many or too few, empty, or given twice.

    Args:
        names: Names in seat order; None if not given, which is allowed.
        player_count: Number of players at the table.
    """
    if names is None:
        return
    if len(names) != player_count:
        yield SharedBreach.PLAYER_COUNT.at("$.players", given=len(names), players=player_count)
        return
    earlier: set[str] = set()
    for index, name in enumerate(name.strip() for name in names):
        if not has_visible_characters(name):
            yield SharedBreach.EMPTY_NAME.at(f"$.players[{index}]")
        elif name in earlier:
            yield SharedBreach.REPEATED_NAME.at(f"$.players[{index}]", name=name)
        earlier.add(name)


def seat_number(name: str) -> int | None:
    """Return the seat number in a default name such as ``P3``; None for any other name."""
    match = re.fullmatch("P([1-9][0-9]?)", name)
    return None if match is None else int(match[1])


def name_at(names: Sequence[str] | None, player: int) -> str:
    """Return the name of a player without spaces around it, or P1, P2, … without names."""
    return f"P{player + 1}" if names is None else names[player].strip()
