"""What the menus offer to put right in a game known by pictures: any field, figure or piece."""

from collections.abc import Iterator
from functools import partial

from firmware.appliance.board_result import BoardResult
from firmware.appliance.item import Choose, Item, below, item
from firmware.appliance.modes import InMenu, MenuKind
from firmware.appliance.state import State
from firmware.appliance.viewing import check_spot
from firmware.board_games.spots import Spot, What
from firmware.screens.views import MenuWord, Piece
from scoring.faces import city_name
from vision.editions.description import Description
from vision.reading import GridReading


def grids_below(mode: InMenu, result: BoardResult) -> Choose:
    """Opens the menu of the cities, or at once that of the only city or board."""
    if len(result.checked.reading.grids) > 1:
        return below(mode, MenuKind.CORRECT_CITY)
    return below(mode, MenuKind.CORRECT_ROW, "0")


def grid_items(result: BoardResult, mode: InMenu) -> tuple[Item, ...]:
    """The cities of a result."""
    return tuple(
        item(city_name(index), below(mode, MenuKind.CORRECT_ROW, str(index)))
        for index in range(len(result.checked.reading.grids))
    )


def row_items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """The rows of a grid, then the places beside it."""
    result = _result(state)
    index = mode.levels[-1].subject
    grid = result.checked.reading.grids[int(index)]
    rows = (
        item(MenuWord.ROW, below(mode, MenuKind.CORRECT_SPOT, f"{index},{row}"), str(row))
        for row in range(len(grid.grid))
    )
    places = (
        item(Piece(name), below(mode, MenuKind.CORRECT_SPOT, f"{index},{name}"))
        for name in _numbers_beside(grid, result.description)
    )
    return (*rows, *places)


def spot_items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """What lies in a row, then the figures there; or what lies in a place beside the grid."""
    result = _result(state)
    index, _comma, part = mode.levels[-1].subject.partition(",")
    grid = result.checked.reading.grids[int(index)]
    if part.isdecimal():
        return tuple(_row_spots(int(index), grid, int(part), result.description))
    numbers = range(_numbers_beside(grid, result.description)[part])
    pieces = {each.number: each.face for each in grid.beside if each.place == part}
    return tuple(
        _spot_item(Spot(What.BESIDE, int(index), (part, n)), pieces.get(n), str(n)) for n in numbers
    )


def _row_spots(index: int, grid: GridReading, row: int, game: Description) -> Iterator[Item]:
    for column, name in enumerate(grid.grid[row]):
        yield _spot_item(Spot(What.TILE, index, (row, column)), name, f"{row},{column}")
    if not game.tokens:
        return
    kinds = {token.at: token.kind for token in grid.tokens}
    for column in range(len(grid.grid[row])):
        cell = (row, column)
        yield _spot_item(Spot(What.TOKEN, index, cell), kinds.get(cell), f"{row},{column}")


def _spot_item(spot: Spot, name: str | None, value: str) -> Item:
    empty = MenuWord.NO_FIGURE if spot.what is What.TOKEN else MenuWord.NO_TILE
    return item(empty if name is None else Piece(name), partial(check_spot, spot=spot), value)


def _numbers_beside(grid: GridReading, game: Description) -> dict[str, int]:
    """How many places there are in slots; in a heap one more than lie there."""
    if game.board is None:
        return {}
    slots = {slots.name: slots.count for slots in game.board.slots}
    numbers = [(each.place, each.number) for each in grid.beside]
    heaps = {
        heap.name: 2 + max((n for place, n in numbers if place == heap.name), default=-1)
        for heap in game.board.heaps
    }
    return slots | heaps


def _result(state: State) -> BoardResult:
    assert isinstance(state.result, BoardResult)  # noqa: S101 - these menus are of such results
    return state.result
