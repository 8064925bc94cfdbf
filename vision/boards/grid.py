"""Read what lies on one grid that was found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, floats
from vision.boards.beside import Beside, read_beside
from vision.boards.description import Turned
from vision.boards.extent import window_of
from vision.boards.find import Found
from vision.boards.grid_compared import ComparedGrid, compared_grid, empty_distances
from vision.boards.judge import Answer, answer_by_drawing, answers_for
from vision.boards.known import KnownEdition, kept
from vision.boards.local_contrast import LocalGrid, local_faces, local_plots, nearest_others
from vision.boards.looks import TILE_PX
from vision.boards.lying import LyingTile
from vision.boards.placed_anew import fitted_anew, known_again, placed_anew
from vision.boards.places import (
    Places,
    beside_others,
    choices,
    quarter_turned,
    shifted,
    turns_to_photo_up,
)
from vision.boards.standing import read_figures
from vision.boards.surface import Surface
from vision.boards.tile_fit import fitted_tiles
from vision.boards.tokens import Figure
from vision.pyramid import Pyramid

MOST_FITS = 2
"""So often a grid is laid flat anew, as tiles far off their places tell roughly where they lie."""
_TILE_CORNERS = floats([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
LEAST_RICH = 0.6
"""A tile shows at least so much of the drawing of its picture."""


@dataclass(frozen=True, eq=False)
class SeenGrid:
    """What was made out on a grid.

    Attributes:
        found: where it was found.
        places: where its tiles lie.
        compared: the places, laid flat.
        answers: what lies there, before doubtful places are looked at closely.
        shifts: (y, x) by which each tile lies off its place, in tile edges.
        beside: what lies beside the cells of a board.
        figures: that stand on it.
        on_board: whether a printed board tells where its cells are.
    """

    found: Found
    places: Places
    compared: ComparedGrid
    answers: Mapping[Cell, Answer]
    shifts: Mapping[Cell, tuple[float, float]]
    beside: Beside
    figures: Sequence[Figure]
    on_board: bool = False

    @property
    def sure_share(self) -> float:
        """Of its tiles."""
        return sum(answer.is_sure for answer in self.answers.values()) / len(self.answers)

    @cached_property
    def quads(self) -> dict[Cell, Corners]:
        """The corners of all tiles in the decoded photo, in the order of the grid."""
        cells = self.places.cells
        middles = floats([self.places.middle(cell) for cell in cells])
        off = floats([self.shifts[cell] for cell in cells])[:, ::-1]
        corners = (middles + off)[:, None] + _TILE_CORNERS
        quads = self.places.surface.at(corners.reshape(-1, 2)).reshape(-1, 4, 2)
        return dict(zip(cells, quads, strict=True))

    @cached_property
    def outline(self) -> Corners:
        """The corners of the grid; of free tiles, the outer corners of the corner tiles."""
        if self.on_board:
            across = self.places.columns * self.places.pitch[0]
            down = self.places.rows * self.places.pitch[1]
            return self.places.surface.quad(0, 0, across, down)
        bottom, right = self.places.rows - 1, self.places.columns - 1
        corners = ((0, 0), (0, right), (bottom, right), (bottom, 0))
        return floats([self.quads[cell][number] for number, cell in enumerate(corners)])


def see_grid(
    picture: Pyramid, found: Found, known: KnownEdition, others: Sequence[Corners] = ()
) -> SeenGrid:
    """What lies on a grid.

    Args:
        picture: the photo, decoded.
        found: where the grid lies.
        known: the edition.
        others: outlines of other grids, on which no tile of this one lies.
    """
    places = _places(picture, found, known, others)
    seen = compared_grid(picture, places, known)
    answers = _answers(seen, places, known)
    exact: Surface | None = None
    if known.description.board is None:
        again = known_again(found, places, answers)
        anew = places if again is found else _places(picture, again, known, others)
        if not np.array_equal(anew.surface.plane, places.surface.plane):
            seen = compared_grid(picture, anew, known)
            answers = _answers(seen, anew, known)
        if again.laid is None or again.laid.is_exact:
            places = placed_anew(anew, answers, seen.comparison) or anew
            if places is not anew:
                seen = compared_grid(picture, places, known)
                answers = _answers(seen, places, known)
        else:
            seen, places, answers, exact = _fitted(picture, seen, anew, answers, known)
        if _borders_are_seen(places, answers):
            places = replace(places, is_certain=True)
    view = seen.view if exact is None else replace(seen.view, surface=exact)
    shifts = dict(zip(places.cells, seen.comparison.shifts.tolist(), strict=True))
    tiles = {
        cell: LyingTile(
            known.in_grid.names[answer.face],
            answer.turn,
            (shifts[cell][0], shifts[cell][1]),
            answer.is_sure,
        )
        for cell, answer in answers.items()
        if answer.face is not None
    }
    return SeenGrid(
        found,
        places,
        seen,
        answers,
        {
            cell: (shifts[cell][0] / TILE_PX, shifts[cell][1] / TILE_PX)
            if answers[cell].is_sure
            else (0.0, 0.0)
            for cell in places.cells
        },
        read_beside(seen, known),
        read_figures(view, seen.taken, seen.flat, places, tiles, known, seen.light),
        on_board=known.description.board is not None,
    )


def _fitted(
    picture: Pyramid,
    seen: ComparedGrid,
    places: Places,
    answers: dict[Cell, Answer],
    known: KnownEdition,
) -> tuple[ComparedGrid, Places, dict[Cell, Answer], Surface | None]:
    """A grid that was found inexactly, after its tiles told where they lie.

    Returns:
        The grid laid flat, its places and what lies there; and the exact surface, if it is known.
    """
    surface: Surface | None = None
    for _ in range(MOST_FITS):
        fit = fitted_tiles(seen, places.cells, answers, known)
        if fit is None:
            break
        before = places
        places, surface = fitted_anew(before, fit)
        if places is before:
            break
        seen = compared_grid(picture, places, known)
        answers = _answers(seen, places, known)
    return seen, places, answers, surface


def _places(
    picture: Pyramid, found: Found, known: KnownEdition, others: Sequence[Corners]
) -> Places:
    description = known.description
    rows, columns = description.tile_rows, description.tile_columns
    if description.board is not None:
        return Places(found.surface, rows, columns, known.pitch)
    areas = beside_others(choices(found, known), found, others)
    is_clear = True
    area = areas[0]
    if len(areas) > 1:
        area, is_clear = window_of(picture, found, areas, known)
    top, left, tall, wide = area
    surface = shifted(found.surface, (top, left))
    turns = 0  # as the tiles are
    if description.turned is Turned.ANY:
        among = (0, 2) if tall == rows else (1, 3)
        turns = turns_to_photo_up(surface, tall, wide, range(4) if rows == columns else among)
    upright = quarter_turned(surface, tall, wide, turns)
    places = Places.with_gaps(upright, rows, columns, found.tile_share)
    return replace(places, is_certain=is_clear)


def _answers(seen: ComparedGrid, places: Places, known: KnownEdition) -> dict[Cell, Answer]:
    empty = empty_distances(seen)
    cells = places.cells
    textured = seen.comparison.seen.textured.tolist()
    answers = {
        cell: _if_rich_enough(answer, rich, known)
        for cell, answer, rich in zip(
            cells, answers_for(seen.table, known.in_grid, empty), textured, strict=True
        )
    }
    doubtful = [n for n, cell in enumerate(cells) if not answers[cell].is_sure]
    for number, answer in _by_drawing(seen, cells, answers, doubtful, known):
        answers[cells[number]] = answer
    return answers


def _by_drawing(
    seen: ComparedGrid,
    cells: Sequence[Cell],
    answers: Mapping[Cell, Answer],
    doubtful: Sequence[int],
    known: KnownEdition,
) -> Iterator[tuple[int, Answer]]:
    """Doubtful places looked at again, whatever light falls on them."""
    if not doubtful:
        return
    grid, at = LocalGrid.about(seen.flat, seen.view.gain, [seen.at[n] for n in doubtful])
    on_board = seen.on_board(known)
    table = grid.table(at, local_faces(known))
    plots = local_plots(known, [on_board[n] for n in doubtful])
    empty = None if plots is None else grid.distances(at, plots)[:, 0].tolist()
    for row, (number, distances) in enumerate(zip(doubtful, table, strict=True)):
        yield (
            number,
            answer_by_drawing(
                answers[cells[number]],
                distances,
                known.in_grid,
                nearest_others(known),
                empty=None if empty is None else empty[row],
            ),
        )


def _if_rich_enough(answer: Answer, textured: float, known: KnownEdition) -> Answer:
    """The answer, unsure where a bare table is taken for a tile, or light has bleached it."""
    if answer.face is None or not answer.is_sure:
        return answer
    if textured >= LEAST_RICH * _least_textured(known)[answer.face]:
        return answer
    return replace(answer, is_sure=False)


@kept
def _least_textured(known: KnownEdition) -> list[float]:
    """How full of drawing the barest picture of each face is, see ``Looks``."""
    least = np.full(len(known.in_grid.names), np.inf, np.float32)
    np.minimum.at(least, known.in_grid.faces, known.in_grid.looks.textured)
    values: list[float] = least.tolist()
    return values


def _borders_are_seen(places: Places, answers: Mapping[Cell, Answer]) -> bool:
    """Whether each row and column at the edge of a grid has a tile that is sure."""
    sure = np.array([answers[cell].is_sure for cell in places.cells])
    sure = sure.reshape(places.rows, places.columns)
    return all(bool(border.any()) for border in (sure[0], sure[-1], sure[:, 0], sure[:, -1]))
