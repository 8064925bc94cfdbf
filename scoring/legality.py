"""What the rules of all games have against a table: grids of the wrong size, names of players."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeVar

from scoring.errors import Breach


class SharedBreachCode(StrEnum):
    """What can be wrong with a table of more than one game."""

    ROW_COUNT = "row-count"
    ROW_LENGTH = "row-length"
    EMPTY_CITY = "empty-city"
    PLAYER_COUNT = "player-count"
    EMPTY_NAME = "empty-name"
    REPEATED_NAME = "repeated-name"


SHARED_TEXTS: Final = {
    SharedBreachCode.ROW_COUNT: "{given} rows instead of {rows}; give {rows} rows of {columns}",
    SharedBreachCode.ROW_LENGTH: "{given} places in this row instead of {columns}; correct the row",
    SharedBreachCode.EMPTY_CITY: "the city has no tile at all; fill it or leave it out",
    SharedBreachCode.PLAYER_COUNT: "{given} names for {players} players; name all of them or none",
    SharedBreachCode.EMPTY_NAME: "the name is empty; give one, or leave out all names",
    SharedBreachCode.REPEATED_NAME: "two players are called {name}; tell them apart",
}
"""The words for each breach; its values take the places in braces."""

Code = TypeVar("Code", bound=StrEnum)


def breach(texts: Mapping[Code, str], code: Code, place: str, **values: int | str) -> Breach:
    """A breach in words.

    Args:
        texts: the words for every code, with values in braces.
        code: which of them.
        place: JSON path in the table.
        **values: what stands in the braces.
    """
    return Breach(code, place, texts[code].format(**values), tuple(values.items()))


def size_breaches(
    grid: Sequence[Sequence[object]], place: str, rows: int, columns: int
) -> Iterator[Breach]:
    """Rows that are too many or too few, and rows that are too long or too short.

    Args:
        grid: of any size.
        place: its JSON path.
        rows: how many it must have.
        columns: how many places each row must have.
    """
    if len(grid) != rows:
        yield breach(
            SHARED_TEXTS,
            SharedBreachCode.ROW_COUNT,
            place,
            given=len(grid),
            rows=rows,
            columns=columns,
        )
    for index, row in enumerate(grid):
        if len(row) != columns:
            yield breach(
                SHARED_TEXTS,
                SharedBreachCode.ROW_LENGTH,
                f"{place}[{index}]",
                given=len(row),
                columns=columns,
            )


def has_letters(name: str) -> bool:
    """Whether anything of a name can be seen."""
    return any(letter.isprintable() and not letter.isspace() for letter in name)


def name_breaches(names: Sequence[str] | None, player_count: int) -> Iterator[Breach]:
    """Names that are too many or too few, empty, or given twice.

    Args:
        names: in seat order; None: not given, which is allowed.
        player_count: how many players sit at the table.
    """
    if names is None:
        return
    if len(names) != player_count:
        yield breach(
            SHARED_TEXTS,
            SharedBreachCode.PLAYER_COUNT,
            "$.players",
            given=len(names),
            players=player_count,
        )
        return
    earlier: set[str] = set()
    for index, name in enumerate(name.strip() for name in names):
        if not has_letters(name):
            yield breach(SHARED_TEXTS, SharedBreachCode.EMPTY_NAME, f"$.players[{index}]")
        elif name in earlier:
            yield breach(
                SHARED_TEXTS, SharedBreachCode.REPEATED_NAME, f"$.players[{index}]", name=name
            )
        earlier.add(name)


def player_name(names: Sequence[str] | None, player: int) -> str:
    """The name of a player, or P1, P2, … where none are given."""
    return f"P{player + 1}" if names is None else names[player]
