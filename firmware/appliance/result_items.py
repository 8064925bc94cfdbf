"""What the menus offer about the last result: look at it, check it, put any tile right."""

from collections.abc import Iterator
from functools import partial

from firmware.appliance.board_result import BoardResult
from firmware.appliance.item import Item, below, item
from firmware.appliance.modes import InMenu, MenuKind
from firmware.appliance.result import Result
from firmware.appliance.spot_items import grid_items, grids_below
from firmware.appliance.state import State
from firmware.appliance.viewing import check, check_tile, show_last
from firmware.screens.views import MenuWord
from scoring.faces import city_name
from vision.reading import GridReading


def result_items(state: State, mode: InMenu) -> Iterator[Item]:
    """The entries of the main menu; none without a result."""
    result = state.result
    if result is None:
        return
    if result.questions:
        yield item(MenuWord.CHECK_TILES, check, str(result.questions))
    yield item(MenuWord.LAST_RESULT, show_last)
    if isinstance(result, Result):
        yield item(MenuWord.CORRECT_TILE, below(mode, MenuKind.CORRECT_CITY))
    else:
        yield item(MenuWord.CORRECT_TILE, grids_below(mode, result))


def city_items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """The cities of the result."""
    if isinstance(state.result, BoardResult):
        return grid_items(state.result, mode)
    cities = _cities(state)
    return tuple(
        item(city_name(index), below(mode, MenuKind.CORRECT_TILE, str(index)))
        for index in range(len(cities))
    )


def tile_items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """The tiles of a city, row by row."""
    index = int(mode.levels[-1].subject)
    cities = _cities(state)
    return tuple(
        item(
            face or MenuWord.NO_TILE,
            partial(check_tile, place=(index, (row, column))),
            f"{row},{column}",
        )
        for row, faces in enumerate(cities[index].grid)
        for column, face in enumerate(faces)
    )


def _cities(state: State) -> tuple[GridReading, ...]:
    return state.result.reading.cities if isinstance(state.result, Result) else ()
