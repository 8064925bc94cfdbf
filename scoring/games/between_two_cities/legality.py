"""Which tables can be the end of a game: rulebook, "Aufbau", "Spielablauf" and "Wertung"."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Final

from scoring.errors import Breach
from scoring.faces import Cell, Face
from scoring.games.between_two_cities.table import CITY_SIZE, City, Duplex, Table, Variant
from scoring.legality import SHARED_TEXTS, SharedBreachCode, breach, name_breaches, size_breaches

DUPLEXES_PER_CITY: Final = 2
CITIES_PER_OWNER: Final = 2


@dataclass(frozen=True, slots=True)
class Supply:
    """How often the game has a face."""

    singles: int
    """On tiles of their own."""
    duplex_halves: int
    """On halves of duplex tiles."""

    @property
    def total(self) -> int:
        """On all tiles."""
        return self.singles + self.duplex_halves


SUPPLY: Final = {
    Face.SHOP: Supply(16, 8),
    Face.FACTORY: Supply(16, 8),
    Face.TAVERN_FOOD: Supply(5, 2),
    Face.TAVERN_BED: Supply(5, 2),
    Face.TAVERN_MUSIC: Supply(5, 2),
    Face.TAVERN_DRINK: Supply(5, 2),
    Face.OFFICE: Supply(20, 8),
    Face.PARK: Supply(16, 8),
    Face.HOUSE: Supply(20, 8),
}
"""The tiles in the box: 108 single and 24 duplex tiles."""

CITY_COUNTS: Final = {Variant.STANDARD: (3, 7), Variant.TWO_PLAYER: (4, 4)}
"""Fewest and most cities of a table."""


class BreachCode(StrEnum):
    """What can be wrong with a table, beside the ``SharedBreachCode``s."""

    CITY_COUNT = "city-count"
    MISSING_TILE = "missing-tile"
    DUPLEX_COUNT = "duplex-count"
    DUPLEX_OFF_GRID = "duplex-off-grid"
    DUPLEX_APART = "duplex-apart"
    DUPLEX_OVERLAP = "duplex-overlap"
    TOO_MANY_TILES = "too-many-tiles"
    TOO_MANY_SINGLES = "too-many-singles"
    TOO_MANY_DUPLEX_HALVES = "too-many-duplex-halves"
    OWNERS_IN_STANDARD = "owners-in-standard"
    OWNER_COUNT = "owner-count"
    UNKNOWN_OWNER = "unknown-owner"
    UNEVEN_OWNERS = "uneven-owners"


TEXTS: Final = {
    BreachCode.CITY_COUNT: "{given} cities on the table, but the {variant} game has {allowed}; "
    "add or remove cities, or choose the other variant",
    BreachCode.MISSING_TILE: "no tile here; name its face, or score the incomplete city leniently",
    BreachCode.DUPLEX_COUNT: "{given} duplex tiles, but a city has {allowed}; "
    "state two, or leave out `duplexes`",
    BreachCode.DUPLEX_OFF_GRID: "row {row}, column {column} is outside the city; "
    "rows and columns count from 0 to 3",
    BreachCode.DUPLEX_APART: "the two halves of a duplex tile must share an edge; correct a cell",
    BreachCode.DUPLEX_OVERLAP: "row {row}, column {column} belongs to another duplex tile as well; "
    "correct one of them",
    BreachCode.TOO_MANY_TILES: "{given} tiles {face}, but the game has {allowed}; "
    "look for one that is really something else",
    BreachCode.TOO_MANY_SINGLES: "{given} single tiles {face}, but the game has {allowed}; "
    "correct a face or the duplex tiles",
    BreachCode.TOO_MANY_DUPLEX_HALVES: "{given} halves of duplex tiles show {face}, but the game "
    "has {allowed}; correct a face or the duplex tiles",
    BreachCode.OWNERS_IN_STANDARD: "owners are for the two-player variant; leave them out, "
    "in the standard game neighbours share a city",
    BreachCode.OWNER_COUNT: "{given} owners for {cities} cities; give one for each city",
    BreachCode.UNKNOWN_OWNER: "there is no player {owner}; an owner is 0 or 1",
    BreachCode.UNEVEN_OWNERS: "player {owner} owns {given} cities; each player owns {allowed}",
}
"""The words for each breach; its values take the places in braces."""


def status(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:
    """All ways in which a table is not the end of a game.

    Args:
        table: any table whose faces are members of ``Face``.
        lenient: allow places without a tile, in cities that have a tile at all.

    Returns:
        Every breach, with a code of ``BreachCode`` or ``SharedBreachCode``: those of the table, of
        its cities in their order, of the supply of tiles, of owners and of names. Empty if the
        table can be scored.
    """
    return tuple(
        chain(
            _city_count_breaches(table),
            *(
                _city_breaches(city, f"$.cities[{index}]", lenient=lenient)
                for index, city in enumerate(table.cities)
            ),
            _supply_breaches(table),
            _owner_breaches(table),
            name_breaches(table.players, table.player_count),
        )
    )


def _breach(code: BreachCode, place: str, **values: int | str) -> Breach:
    return breach(TEXTS, code, place, **values)


def _city_count_breaches(table: Table) -> Iterator[Breach]:
    fewest, most = CITY_COUNTS[table.variant]
    given = len(table.cities)
    if not fewest <= given <= most:
        allowed = f"{fewest}" if fewest == most else f"{fewest}-{most}"
        variant = table.variant.value
        yield _breach(
            BreachCode.CITY_COUNT, "$.cities", given=given, variant=variant, allowed=allowed
        )


def _city_breaches(city: City, place: str, *, lenient: bool) -> Iterator[Breach]:
    wrong_sizes = tuple(size_breaches(city.grid, f"{place}.grid", CITY_SIZE, CITY_SIZE))
    if wrong_sizes:
        yield from wrong_sizes
        return
    missing = [
        (row, column)
        for row, faces in enumerate(city.grid)
        for column, face in enumerate(faces)
        if face is None
    ]
    if len(missing) == CITY_SIZE * CITY_SIZE:
        yield breach(SHARED_TEXTS, SharedBreachCode.EMPTY_CITY, f"{place}.grid")
    elif not lenient:
        for row, column in missing:
            yield _breach(BreachCode.MISSING_TILE, f"{place}.grid[{row}][{column}]")
    if city.duplexes is not None:
        may_lack_a_duplex = lenient and bool(missing)
        yield from _duplex_breaches(
            city.duplexes, f"{place}.duplexes", may_lack_one=may_lack_a_duplex
        )


def _duplex_breaches(
    duplexes: tuple[Duplex, ...], place: str, *, may_lack_one: bool
) -> Iterator[Breach]:
    given = len(duplexes)
    if given > DUPLEXES_PER_CITY or (given < DUPLEXES_PER_CITY and not may_lack_one):
        yield _breach(BreachCode.DUPLEX_COUNT, place, given=given, allowed=DUPLEXES_PER_CITY)
    taken: set[Cell] = set()
    for index, duplex in enumerate(duplexes):
        for half, (row, column) in enumerate(duplex):
            half_place = f"{place}[{index}][{half}]"
            if not (0 <= row < CITY_SIZE and 0 <= column < CITY_SIZE):
                yield _breach(BreachCode.DUPLEX_OFF_GRID, half_place, row=row, column=column)
            if (row, column) in taken:
                yield _breach(BreachCode.DUPLEX_OVERLAP, half_place, row=row, column=column)
        (top, left), (bottom, right) = duplex
        if abs(top - bottom) + abs(left - right) != 1:
            yield _breach(BreachCode.DUPLEX_APART, f"{place}[{index}]")
        taken.update(duplex)


def _supply_breaches(table: Table) -> Iterator[Breach]:
    """Faces that lie on the table more often than the game has them.

    Singles and halves can be told apart only in the cities whose two duplex tiles are stated.
    """
    total: Counter[Face] = Counter()
    singles: Counter[Face] = Counter()
    halves: Counter[Face] = Counter()
    for city in table.cities:
        faces = {
            (row, column): face
            for row, line in enumerate(city.grid)
            for column, face in enumerate(line)
            if face is not None
        }
        total.update(faces.values())
        if _tells_singles_from_duplexes(city):
            covered = set(chain.from_iterable(city.duplexes or ()))
            singles.update(face for cell, face in faces.items() if cell not in covered)
            halves.update(face for cell, face in faces.items() if cell in covered)
    for face, supply in SUPPLY.items():
        counts = (
            (BreachCode.TOO_MANY_TILES, total[face], supply.total),
            (BreachCode.TOO_MANY_SINGLES, singles[face], supply.singles),
            (BreachCode.TOO_MANY_DUPLEX_HALVES, halves[face], supply.duplex_halves),
        )
        for code, given, allowed in counts:
            if given > allowed:
                yield _breach(code, "$.cities", given=given, face=face.value, allowed=allowed)


def _tells_singles_from_duplexes(city: City) -> bool:
    return city.duplexes is not None and not any(
        chain(
            size_breaches(city.grid, "", CITY_SIZE, CITY_SIZE),
            _duplex_breaches(city.duplexes, "", may_lack_one=False),
        )
    )


def _owner_breaches(table: Table) -> Iterator[Breach]:
    if table.owners is None:
        return
    if table.variant is Variant.STANDARD:
        yield _breach(BreachCode.OWNERS_IN_STANDARD, "$.owners")
        return
    cities = CITIES_PER_OWNER * table.player_count
    if len(table.owners) != cities:
        yield _breach(BreachCode.OWNER_COUNT, "$.owners", given=len(table.owners), cities=cities)
        return
    players = range(table.player_count)
    unknown = [(city, owner) for city, owner in enumerate(table.owners) if owner not in players]
    for city, owner in unknown:
        yield _breach(BreachCode.UNKNOWN_OWNER, f"$.owners[{city}]", owner=owner)
    if unknown:
        return
    for player in players:
        given = table.owners.count(player)
        if given != CITIES_PER_OWNER:
            yield _breach(
                BreachCode.UNEVEN_OWNERS,
                "$.owners",
                owner=player,
                given=given,
                allowed=CITIES_PER_OWNER,
            )
