"""Cities: from the tiles and tourists that were read to the cities that are scored."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from firmware.board_games.colours import colour_name, colour_of
from firmware.board_games.options import ScoringOptions
from firmware.board_games.remarks import Remark, RemarkKind
from firmware.board_games.spots import Spot, What
from scoring.faces import Cell, Field, city_name
from scoring.games.cities.table import TOURISTS_PER_PLAYER, City, Fields, Table
from vision.boards.description import Description
from vision.reading import Reading, GridReading, Figure

_FIELDS: Final = {field.value: field for field in Field}


def look(reading: Reading, description: Description) -> tuple[Remark, ...]:
    """What the rules say: rulebook, "Spielmaterial" and "Spielablauf"."""
    return (
        *_unknown_fields(reading),
        *_repeated_tiles(reading, description),
        *_differing_tiles(reading, description),
        *(
            remark
            for index, grid in enumerate(reading.grids)
            for remark in _tourist_remarks(index, grid)
        ),
    )


def table_of(reading: Reading, _description: Description, options: ScoringOptions) -> Table:
    """The cities in their order; a player is called by the colour of the tourists."""
    names = _colour_names(reading.grids) if options.players is None else options.players
    cities = tuple(City(fields_of(grid), _scored_tourists(grid)) for grid in reading.grids)
    return Table(cities, options.level, names)


def fields_of(grid: GridReading) -> Fields:
    """What each cell shows; None where nothing lies or is not known to the rules."""
    return tuple(
        tuple(None if name is None else _FIELDS.get(name) for name in row) for row in grid.grid
    )


def main_colour(grid: GridReading) -> str | None:
    """The colour of most tourists of a city; None: there are none."""
    kinds = Counter(token.kind for token in grid.tokens)
    return colour_of(kinds.most_common(1)[0][0]) if kinds else None


def _colour_names(grids: Sequence[GridReading]) -> tuple[str, ...] | None:
    """Names of the players; with several sets a colour may be there twice."""
    colours = [main_colour(grid) for grid in grids]
    if not any(colours):
        return None
    names = []
    for index, colour in enumerate(colours):
        name = f"P{index + 1}" if colour is None else colour_name(colour)
        names.append(f"{name} {city_name(index)}" if colours.count(colour) > 1 and colour else name)
    return tuple(names)


def _scored_tourists(grid: GridReading) -> tuple[Cell, ...]:
    """As many as a player has, on fields where they may stand; the certain ones first."""
    colour = main_colour(grid)

    def doubtful(token: Figure) -> tuple[bool, bool, Cell]:
        return token.at in grid.unsure_figures, colour_of(token.kind) != colour, token.at

    ashore = [token for token in grid.tokens if not _is_on_water(grid, token.at)]
    cells = dict.fromkeys(token.at for token in sorted(ashore, key=doubtful))
    return tuple(sorted(list(cells)[:TOURISTS_PER_PLAYER]))


def _is_on_water(grid: GridReading, cell: Cell) -> bool:
    return grid.grid[cell[0]][cell[1]] == Field.WATER.value


def _unknown_fields(reading: Reading) -> Iterator[Remark]:
    for index, grid in enumerate(reading.grids):
        for row, names in enumerate(grid.grid):
            for column, name in enumerate(names):
                if name is not None and name not in _FIELDS:
                    spot = Spot(What.TILE, index, (row, column))
                    yield Remark(RemarkKind.UNKNOWN_FACE, (spot,), (name,), index)


def _spots_of_tile(index: int, tile: Cell, description: Description) -> tuple[Spot, ...]:
    height, width = description.tile_cells
    top, left = tile[0] * height, tile[1] * width
    return tuple(
        Spot(What.TILE, index, (top + row, left + column))
        for row in range(height)
        for column in range(width)
    )


def _tiles(grid: GridReading) -> dict[str, list[Cell]]:
    """Where each tile number lies."""
    found: dict[str, list[Cell]] = {}
    for row, names in enumerate(grid.tiles):
        for column, name in enumerate(names):
            if name is not None:
                found.setdefault(name, []).append((row, column))
    return found


def _tile_remark(
    kind: RemarkKind,
    names: Sequence[str],
    tiles: Sequence[tuple[int, Cell]],
    description: Description,
    city: int | None = None,
) -> Remark:
    """A remark on tiles: all their fields are to be looked at, their first ones are named."""
    fields = [_spots_of_tile(index, at, description) for index, at in tiles]
    spots = tuple(spot for of_tile in fields for spot in of_tile)
    return Remark(kind, spots, tuple(names), city, shown=tuple(of[0] for of in fields))


def _repeated_tiles(reading: Reading, description: Description) -> Iterator[Remark]:
    for index, grid in enumerate(reading.grids):
        for name, places in _tiles(grid).items():
            if len(places) > 1:
                tiles = [(index, at) for at in places]
                yield _tile_remark(RemarkKind.TILE_TWICE, (name,), tiles, description, index)


def _differing_tiles(reading: Reading, description: Description) -> Iterator[Remark]:
    """Numbers that not more cities have than full ones lack: a city with gaps may lack any.

    Rulebook, "Aktion 3": when a tile is drawn, all players lay their own of the same number.
    """
    tiles = [_tiles(grid) for grid in reading.grids]
    full = [all(None not in row for row in grid.tiles) for grid in reading.grids]
    odd: dict[str, list[tuple[int, Cell]]] = {}
    for name in sorted({name for each in tiles for name in each}, key=_by_number):
        having = [index for index, each in enumerate(tiles) if name in each]
        lacking = sum(full[index] and name not in each for index, each in enumerate(tiles))
        if lacking >= len(having):
            odd[name] = [(index, at) for index in having for at in tiles[index][name]]
    if odd:
        places = [place for of_name in odd.values() for place in of_name]
        yield _tile_remark(RemarkKind.TILES_DIFFER, list(odd), places, description)


def _by_number(name: str) -> tuple[int, str]:
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0, name


def _tourist_remarks(index: int, grid: GridReading) -> Iterator[Remark]:
    def spots(cells: Sequence[Cell]) -> tuple[Spot, ...]:
        return tuple(Spot(What.TOKEN, index, cell) for cell in cells)

    wet = [token.at for token in grid.tokens if _is_on_water(grid, token.at)]
    if wet:
        yield Remark(RemarkKind.ON_WATER, spots(wet), grid=index)
    nowhere = [token.at for token in grid.tokens if grid.grid[token.at[0]][token.at[1]] is None]
    if nowhere:
        yield Remark(RemarkKind.NO_FIELD, spots(nowhere), grid=index)
    colour = main_colour(grid)
    others = [token.at for token in grid.tokens if colour_of(token.kind) != colour]
    if others:
        kinds = tuple(dict.fromkeys(token.kind for token in grid.tokens))
        yield Remark(RemarkKind.COLOURS_MIXED, spots(others), kinds, index)
    standing = {token.at for token in grid.tokens}
    if len(standing) > TOURISTS_PER_PLAYER:
        yield Remark(
            RemarkKind.TOO_MANY_TOURISTS, spots(sorted(standing)), grid=index, count=len(standing)
        )
