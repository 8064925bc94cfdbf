"""Choosing a place that is to be put right: its grid, then the row, then the column.

Behind the rows come the names of what lies beside the grid; a place there has a number instead of a
column. Where figures stand on the cells, the tile and the figure are two places.
"""

from dataclasses import replace

from firmware.appliance.modes import Picking, PickStage
from firmware.appliance.moves import Turn, back, go
from firmware.appliance.result import Result
from firmware.appliance.scanning import check_place
from firmware.appliance.state import State
from firmware.scan.corrections import places_beside
from hardware.buttons import Button
from vision.reading import GridReading, Place, PlaceKind

KINDS = (PlaceKind.TILE, PlaceKind.FIGURE)


def begin(state: State) -> Turn:
    """Choose a place of the last result; an only grid goes without saying."""
    only = len(state.last_result.checked.reading.grids) == 1
    return go(state, Picking(PickStage.ROW if only else PickStage.GRID))


def pressed(state: State, mode: Picking, button: Button) -> Turn:
    """NEXT marks the next one, OK takes it, SCAN goes back."""
    result = state.last_result
    if button is Button.NEXT:
        return go(state, _at(mode, mode.stage, (_marked(mode) + 1) % count(result, mode)))
    all_stages = stages(result, mode)
    index = all_stages.index(mode.stage) + (1 if button is Button.OK else -1)
    if index < 0:
        return back(state)
    if index == len(all_stages):
        return check_place(state, place_of(result, mode), mode)
    stage = all_stages[index]
    return go(state, _at(mode, stage, 0) if button is Button.OK else replace(mode, stage=stage))


def steps_left(state: State, mode: Picking) -> int:
    """How far holding NEXT leads."""
    return count(state.last_result, mode) - 1 - _marked(mode)


def place_of(result: Result, mode: Picking) -> Place:
    """The place that is marked; before its last stage the first of those that are."""
    name = beside(result, mode)
    if name is not None:
        return Place(PlaceKind.LOOSE, mode.grid, (name, mode.column))
    return Place(KINDS[mode.kind], mode.grid, (mode.row, mode.column))


def beside(result: Result, mode: Picking) -> str | None:
    """The name of the slots or heap that is marked; None: it is a row."""
    grid = grid_of(result, mode)
    rows = grid.size[0]
    names = list(places_beside(grid, result.description))
    return None if mode.row < rows else names[mode.row - rows]


def grid_of(result: Result, mode: Picking) -> GridReading:
    """The grid that is marked, with what a person said."""
    return result.checked.reading.grids[mode.grid]


def stages(result: Result, mode: Picking) -> tuple[PickStage, ...]:
    """What is chosen one after the other."""
    has_figures = bool(result.description.tokens) and beside(result, mode) is None
    found = tuple(PickStage) if has_figures else tuple(PickStage)[:-1]
    return found if len(result.checked.reading.grids) > 1 else found[1:]


def count(result: Result, mode: Picking) -> int:
    """How many there are to choose from at this stage."""
    grid, name = grid_of(result, mode), beside(result, mode)
    others = places_beside(grid, result.description)
    match mode.stage:
        case PickStage.GRID:
            return len(result.checked.reading.grids)
        case PickStage.ROW:
            return grid.size[0] + len(others)
        case PickStage.COLUMN:
            return grid.size[1] if name is None else others[name]
    return len(KINDS)


def _marked(mode: Picking) -> int:
    return int(getattr(mode, mode.stage))


def _at(mode: Picking, stage: PickStage, index: int) -> Picking:
    return replace(mode, stage=stage, **{stage.value: index})
