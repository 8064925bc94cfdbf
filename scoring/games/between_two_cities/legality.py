"""Legality of finished tables: rulebook, "Aufbau", "Spielablauf" and "Wertung"."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from scoring.errors import N_, Breach, BreachKind
from scoring.faces import Cell, Face
from scoring.games.between_two_cities.table import CITY_SIZE, City, Duplex, Table, Variant
from scoring.legality import name_breaches, size_breaches, tile_breaches

DUPLEXES_PER_CITY: Final = 2
"""Number of duplex tiles in a finished city."""
CITIES_PER_OWNER: Final = 2
"""Number of cities of each of two players."""


@dataclass(frozen=True, slots=True)
class Supply:
    """Number of tiles of a face in the box."""

    singles: int
    """On tiles of their own."""
    duplex_halves: int
    """On halves of duplex tiles."""

    @property
    def total(self) -> int:
        """Number of times that the face is printed on tiles of the box."""
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


class TableBreach(BreachKind):
    """Breaches of the rules of this game, beside ``SharedBreach``."""

    CITY_COUNT = N_(
        "cities on the table: {given}, but the {variant} game has {allowed}; "
        "add or remove cities, or choose the other variant"
    )
    DUPLEX_COUNT = N_(
        "duplex tiles: {given}, but a city has {allowed}; state two, or leave out `duplexes`"
    )
    # Its row and column are left out: they may have more digits than Python writes out
    DUPLEX_OFF_GRID = N_(
        "this half is outside the city; in JSON rows and columns count from 0 to {last}"
    )
    DUPLEX_APART = N_("the two halves of a duplex tile must share an edge; correct a cell")
    DUPLEX_OVERLAP = N_(
        "row {row}, column {column} belongs to another duplex tile as well; correct one of them"
    )
    TOO_MANY_TILES = N_(
        "{given} tiles {face}, but the game has {allowed}; "
        "look for one that is really something else"
    )
    TOO_MANY_SINGLES = N_(
        "{given} single tiles {face}, but the game has {allowed}; correct a kind or the duplex "
        "tiles"
    )
    TOO_MANY_DUPLEX_HALVES = N_(
        "{given} halves of duplex tiles show {face}, but the game has {allowed}; correct a kind "
        "or the duplex tiles"
    )
    OWNERS_IN_STANDARD = N_(
        "owners are for the two-player variant; leave them out, "
        "in the standard game neighbours share a city"
    )
    OWNER_COUNT = N_("owners: {given}, cities: {cities}; give one owner for each city")
    UNKNOWN_OWNER = N_("there is no such player; an owner is 0 or 1")
    CITY_ORDER = N_("the order names each city once, clockwise: give the numbers 0 to {last}")
    UNEVEN_OWNERS = N_("cities of player {player}: {given}; each player owns {allowed}")


def list_breaches(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:
    """List all breaches of the rules by a finished table.

    Args:
        table: Any table whose faces are members of ``Face``.
        lenient: True to allow places without a tile, in cities that have a tile at all.

    Returns:
        Every breach of a kind of ``TableBreach`` or ``SharedBreach``: those of the table, of its
        cities in their order, of the supply of tiles, of owners and of names. Empty if the table
        can be scored.
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
            _order_breaches(table),
            name_breaches(table.players, table.player_count),
        )
    )


def _city_count_breaches(table: Table) -> Iterator[Breach]:
    fewest, most = CITY_COUNTS[table.variant]
    given = len(table.cities)
    if not fewest <= given <= most:
        allowed = f"{fewest}" if fewest == most else f"{fewest}–{most}"
        yield TableBreach.CITY_COUNT.at(
            "$.cities", given=given, variant=table.variant.value, allowed=allowed
        )


def _city_breaches(city: City, where: str, *, lenient: bool) -> Iterator[Breach]:
    wrong_sizes = tuple(size_breaches(city.grid, f"{where}.grid", CITY_SIZE, CITY_SIZE))
    if wrong_sizes:
        yield from wrong_sizes
        return
    yield from tile_breaches(city.grid, f"{where}.grid", lenient=lenient)
    if city.duplexes is not None:
        may_lack_one = lenient and bool(city.missing)
        yield from _duplex_breaches(city.duplexes, f"{where}.duplexes", may_lack_one=may_lack_one)


def _duplex_breaches(
    duplexes: tuple[Duplex, ...], where: str, *, may_lack_one: bool
) -> Iterator[Breach]:
    given = len(duplexes)
    if given > DUPLEXES_PER_CITY or (given < DUPLEXES_PER_CITY and not may_lack_one):
        yield TableBreach.DUPLEX_COUNT.at(where, given=given, allowed=DUPLEXES_PER_CITY)
    taken: set[Cell] = set()
    for index, duplex in enumerate(duplexes):
        for half, (row, column) in enumerate(duplex):
            half_where = f"{where}[{index}][{half}]"
            if not (0 <= row < CITY_SIZE and 0 <= column < CITY_SIZE):
                yield TableBreach.DUPLEX_OFF_GRID.at(half_where, last=CITY_SIZE - 1)
            elif (row, column) in taken:
                yield TableBreach.DUPLEX_OVERLAP.at(half_where, row=row + 1, column=column + 1)
        (top, left), (bottom, right) = duplex
        if abs(top - bottom) + abs(left - right) != 1:
            yield TableBreach.DUPLEX_APART.at(f"{where}[{index}]")
        taken.update(duplex)


def _supply_breaches(table: Table) -> Iterator[Breach]:
    """Yield faces that lie on the table more often than the game has them.

    Singles and halves can be distinguished only in the cities whose two duplex tiles are stated.
    """
    total: Counter[Face] = Counter()
    singles: Counter[Face] = Counter()
    halves: Counter[Face] = Counter()
    for city in table.cities:
        covered = _cells_under_duplexes(city)
        for row, faces in enumerate(city.grid):
            for column, face in enumerate(faces):
                if face is not None:
                    total[face] += 1
                    if covered:
                        (halves if (row, column) in covered else singles)[face] += 1
    for face, supply in SUPPLY.items():
        for kind, given, allowed in (
            (TableBreach.TOO_MANY_TILES, total[face], supply.total),
            (TableBreach.TOO_MANY_SINGLES, singles[face], supply.singles),
            (TableBreach.TOO_MANY_DUPLEX_HALVES, halves[face], supply.duplex_halves),
        ):
            if given > allowed:
                yield kind.at("$.cities", given=given, face=face.value, allowed=allowed)


def _cells_under_duplexes(city: City) -> frozenset[Cell]:
    """Return the cells under duplex tiles; none unless both duplex tiles of the city are stated."""
    if city.duplexes is None or any(
        chain(
            size_breaches(city.grid, "", CITY_SIZE, CITY_SIZE),
            _duplex_breaches(city.duplexes, "", may_lack_one=False),
        )
    ):
        return frozenset()
    return frozenset(chain.from_iterable(city.duplexes))


def _order_breaches(table: Table) -> Iterator[Breach]:
    cities = list(range(len(table.cities)))
    if table.order is not None and sorted(table.order) != cities:
        yield TableBreach.CITY_ORDER.at("$.order", last=len(cities) - 1)


def _owner_breaches(table: Table) -> Iterator[Breach]:
    if table.owners is None:
        return
    if table.variant is Variant.STANDARD:
        yield TableBreach.OWNERS_IN_STANDARD.at("$.owners")
        return
    cities = CITIES_PER_OWNER * table.player_count
    if len(table.owners) != cities:
        yield TableBreach.OWNER_COUNT.at("$.owners", given=len(table.owners), cities=cities)
        return
    players = range(table.player_count)
    unknown = [city for city, owner in enumerate(table.owners) if owner not in players]
    for city in unknown:
        yield TableBreach.UNKNOWN_OWNER.at(f"$.owners[{city}]")
    if unknown:
        return
    for player in players:
        given = table.owners.count(player)
        if given != CITIES_PER_OWNER:
            yield TableBreach.UNEVEN_OWNERS.at(
                "$.owners", player=player + 1, given=given, allowed=CITIES_PER_OWNER
            )
