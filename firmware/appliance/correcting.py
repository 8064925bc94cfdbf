"""What the menus offer about the last result: look at it, check it, put any place right.

A large grid is gone through row by row, one of a few tiles at once.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from firmware.appliance.menu import Choose, Item, below, item
from firmware.appliance.modes import InMenu, MenuKind
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.viewing import check, check_place, show_last
from firmware.corrections import places_beside
from firmware.doubts import guesses_at
from firmware.places import cell_words
from firmware.screens.views import MenuWord, Piece
from scoring.faces import city_name
from vision.reading import GridReading, Place, PlaceKind

MOST_AT_ONCE: Final = 16
"""So many tiles at most are one menu."""


def result_items(state: State, mode: InMenu) -> Iterator[Item]:
    """The entries of the main menu; none without a result."""
    result = state.result
    if result is None:
        return
    if result.questions:
        yield item(MenuWord.CHECK_TILES, check, str(result.questions))
    yield item(MenuWord.LAST_RESULT, show_last)
    grids = len(result.checked.reading.grids)
    if grids:
        only = _grid_below(result, mode, 0)
        choose = below(mode, MenuKind.CORRECT_GRID) if grids > 1 else only
        yield item(MenuWord.CORRECT_TILE, choose)


def grid_items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """The cities or boards of the result."""
    result = _result(state)
    return tuple(
        item(city_name(index), _grid_below(result, mode, index))
        for index in range(len(result.checked.reading.grids))
    )


def _grid_below(result: Result, mode: InMenu, index: int) -> Choose:
    rows, columns = result.checked.reading.grids[index].size
    description = result.description
    is_small = rows * columns <= MOST_AT_ONCE
    if is_small and description.board is None and not description.tokens:
        return below(mode, MenuKind.CORRECT_PLACE, str(index))
    return below(mode, MenuKind.CORRECT_ROW, str(index))


def row_items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """The rows of a grid, then the places beside it."""
    result = _result(state)
    index = mode.levels[-1].subject
    grid = result.checked.reading.grids[int(index)]
    rows = (
        item(MenuWord.ROW, below(mode, MenuKind.CORRECT_PLACE, f"{index},{row}"), str(row + 1))
        for row in range(len(grid.grid))
    )
    places = (
        item(Piece(name, result.game), below(mode, MenuKind.CORRECT_PLACE, f"{index},{name}"))
        for name in places_beside(grid, result.description)
    )
    return (*rows, *places)


def place_items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """What lies in a row or in all of them, then the figures there; or what lies beside."""
    result = _result(state)
    number, _comma, part = mode.levels[-1].subject.partition(",")
    index = int(number)
    grid, game = result.checked.reading.grids[index], result.game
    if part and not part.isdecimal():
        count = places_beside(grid, result.description)[part]
        places = [Place(PlaceKind.LOOSE, index, (part, n)) for n in range(count)]
        return tuple(_place_item(grid, game, place, str(place.piece[1] + 1)) for place in places)
    rows, columns = grid.size
    chosen: Iterable[int] = [int(part)] if part else range(rows)
    cells = [(row, column) for row in chosen for column in range(columns)]
    kinds = [PlaceKind.TILE, *([PlaceKind.FIGURE] if result.description.tokens else [])]
    return tuple(
        _place_item(grid, game, Place(kind, index, cell), cell_words(cell))
        for kind in kinds
        for cell in cells
    )


def _place_item(grid: GridReading, game: str, place: Place, value: str) -> Item:
    name = guesses_at(grid, place)[0]
    empty = MenuWord.NO_FIGURE if place.kind is PlaceKind.FIGURE else MenuWord.NO_TILE
    label = empty if name is None else Piece(name, game)
    return item(label, partial(check_place, place=place), value)


def _result(state: State) -> Result:
    assert state.result is not None  # noqa: S101 - these menus are of a result
    return state.result
