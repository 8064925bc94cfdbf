"""Choosing a place to correct: its grid, then the row, then the column.

After the rows come the pieces beside the grid, which have a number instead of a column. Where
figures stand on the cells, the tile and the figure are two places.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final

from firmware.appliance.base import Mode, StepResult
from firmware.appliance.features.reviewing import review_place
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, go_back
from firmware.games.doubts import guesses_at
from firmware.games.registry import game_or_unscored
from firmware.scan.corrections import places_beside
from firmware.screens.question_views import PickView
from firmware.screens.view import Hints, MenuLabel, TableMap, View
from firmware.screens.words import CITY, COLUMN, NOTHING, ROW, Hint
from hardware.buttons import Button
from scoring.faces import city_name
from vision.reading import GridReading, Place, PlaceKind

CELL_KINDS: Final = (PlaceKind.TILE, PlaceKind.FIGURE)
"""Places of a cell."""


class PickStage(StrEnum):
    """Stages of choosing a place; the values are fields of ``PickingMode``."""

    GRID = "grid"
    ROW = "row"
    COLUMN = "column"
    KIND = "kind"


@dataclass(frozen=True, slots=True)
class PickingMode(Mode):
    """Place being chosen.

    Attributes:
        stage: Stage of the choice.
        grid: Index of the grid.
        row: Row of the grid; the pieces beside it follow behind the last row.
        column: Column, or number of the piece beside.
        kind: Index in ``CELL_KINDS``.
    """

    needs_result: ClassVar[bool] = True

    stage: PickStage
    grid: int = 0
    row: int = 0
    column: int = 0
    kind: int = 0

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def grid_reading(self, result: Result) -> GridReading:
        """Return the marked grid, with all corrections."""
        return result.corrected_scan.reading.grids[self.grid]

    def group_beside(self, result: Result) -> str | None:
        """Return the name of the marked slots or heap beside the grid; None for a row."""
        grid = self.grid_reading(result)
        rows = grid.size[0]
        names = list(places_beside(grid, result.description))
        return None if self.row < rows else names[self.row - rows]

    def place(self, result: Result) -> Place:
        """Return the marked place; before the last stage the first one of those marked."""
        name = self.group_beside(result)
        if name is not None:
            return Place(PlaceKind.LOOSE, self.grid, (name, self.column))
        return Place(CELL_KINDS[self.kind], self.grid, (self.row, self.column))

    def stages(self, result: Result) -> tuple[PickStage, ...]:
        """Return the stages of this choice, in order."""
        has_figures = bool(result.description.tokens) and self.group_beside(result) is None
        stages = tuple(PickStage) if has_figures else tuple(PickStage)[:-1]
        return stages if len(result.corrected_scan.reading.grids) > 1 else stages[1:]

    def count(self, result: Result) -> int:
        """Return how many choices this stage has."""
        grid, name = self.grid_reading(result), self.group_beside(result)
        beside = places_beside(grid, result.description)
        match self.stage:
            case PickStage.GRID:
                return len(result.corrected_scan.reading.grids)
            case PickStage.ROW:
                return grid.size[0] + len(beside)
            case PickStage.COLUMN:
                return grid.size[1] if name is None else beside[name]
            case PickStage.KIND:
                return len(CELL_KINDS)

    def view(self, state: State) -> View:
        result = state.last_result
        letter, game = city_name(self.grid), game_or_unscored(result.game_id)
        following = Hint.NEXT if self.count(result) > 1 else Hint.NOTHING
        view = PickView(
            table=TableMap.of(result.corrected_scan.reading),
            grid=self.grid,
            labels=(CITY.fill(letter=letter),) if result.corrected_scan.naming.lettered else (),
            hints=Hints(Hint.BACK, following, Hint.CHOOSE),
        )
        if self.stage is PickStage.GRID:
            return view
        grid, place = self.grid_reading(result), self.place(result)
        labels = (*view.labels, *self._labels(result))
        if self.stage is self.stages(result)[-1]:
            found = guesses_at(grid, place)[0]
            labels += (NOTHING[place.kind] if found is None else game.piece(found),)
        pieces = tuple(
            tuple(None if face is None else game.piece(face) for face in row) for row in grid.faces
        )
        return replace(view, pieces=pieces, marked=self._marked_cells(result), labels=labels)

    def press(self, state: State, button: Button) -> StepResult:
        """NEXT marks the next one, OK takes it, SCAN goes back."""
        result = state.last_result
        if button is Button.NEXT:
            index = (self._selected + 1) % self.count(result)
            return enter(state, self._at(self.stage, index))
        stages = self.stages(result)
        index = stages.index(self.stage) + (1 if button is Button.OK else -1)
        if index < 0:
            return go_back(state)
        if index == len(stages):
            return review_place(state, self.place(result), self)
        stage = stages[index]
        chosen = self._at(stage, 0) if button is Button.OK else replace(self, stage=stage)
        return enter(state, chosen)

    def repeats_left(self, state: State, button: Button) -> int | None:
        if button is not Button.NEXT:
            return None
        return self.count(state.last_result) - 1 - self._selected

    def show_changed_result(self, state: State, before: Result) -> StepResult:
        return enter(replace(state, expects_same_table=True), state.standard_modes.result())

    @property
    def _selected(self) -> int:
        return int(getattr(self, self.stage))

    def _at(self, stage: PickStage, index: int) -> "PickingMode":
        return replace(self, stage=stage, **{stage.value: index})

    def _labels(self, result: Result) -> tuple[MenuLabel, ...]:
        """Return the words for the marked row or cell, or the pieces beside."""
        name, is_row = self.group_beside(result), self.stage is PickStage.ROW
        game = game_or_unscored(result.game_id)
        if name is None:
            row = ROW.fill(n=self.row + 1)
            return (row,) if is_row else (row, COLUMN.fill(n=self.column + 1))
        if is_row:
            return (game.piece(name),)
        return (game.place_text(self.place(result), result.corrected_scan.naming),)

    def _marked_cells(self, result: Result) -> tuple[tuple[int, int], ...]:
        if self.group_beside(result) is not None:
            return ()
        if self.stage is not PickStage.ROW:
            return (self.place(result).cell,)
        columns = self.grid_reading(result).size[1]
        return tuple((self.row, column) for column in range(columns))


def pick_place(state: State) -> StepResult:
    """Choose a place of the last result; a single grid is not asked for."""
    is_single = len(state.last_result.corrected_scan.reading.grids) == 1
    return enter(state, PickingMode(PickStage.ROW if is_single else PickStage.GRID))
