"""Read what lies on one grid that was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.faces import Cell
from vision.arrays import Corners, floats
from vision.boards.beside import Beside, read_beside
from vision.boards.find import Found
from vision.boards.grid_compared import ComparedGrid
from vision.boards.grid_placed import PlacedGrid, placed_grid
from vision.boards.judge import Answer
from vision.boards.known import KnownEdition
from vision.boards.looks import TILE_PX
from vision.boards.lying import LyingTile
from vision.boards.places import Places
from vision.boards.standing import read_figures
from vision.boards.tokens import Figure
from vision.pyramid import Pyramid

_TILE_CORNERS = floats([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


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
        closer: what lies there, with doubtful places looked at closely; None: not yet.
        is_hardly_readable: whether only what was looked at closely tells that it is a grid, or
            where it ends: what is known there may be strays.
        on_board: whether a printed board tells where its cells are.
    """

    found: Found
    places: Places
    compared: ComparedGrid
    answers: Mapping[Cell, Answer]
    shifts: Mapping[Cell, tuple[float, float]]
    beside: Beside
    figures: Sequence[Figure]
    closer: Mapping[Cell, Answer] | None = None
    is_hardly_readable: bool = False
    on_board: bool = False

    @property
    def sure_share(self) -> float:
        """Of its tiles."""
        return len(self.sure_tiles) / len(self.answers)

    @property
    def sure_tiles(self) -> frozenset[Cell]:
        """Those at which nobody needs to look."""
        return frozenset(cell for cell, answer in self.answers.items() if answer.is_sure)

    @cached_property
    def known_tiles(self) -> frozenset[Cell]:
        """Those that are sure, or, once looked at closely, are told by their fine lines."""
        answers = self.answers if self.closer is None else self.closer
        return frozenset(cell for cell, answer in answers.items() if answer.tells_of_a_grid)

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
    picture: Pyramid,
    found: Found,
    known: KnownEdition,
    others: Sequence[Corners] = (),
    placed: PlacedGrid | None = None,
) -> SeenGrid:
    """What lies on a grid.

    Args:
        picture: the photo, decoded.
        found: where the grid lies.
        known: the edition.
        others: outlines of other grids, on which no tile of this one lies.
        placed: the grid in its place; None: it has not been placed yet.
    """
    placed = placed or placed_grid(picture, found, known, others)
    places, seen, answers = placed.places, placed.compared, placed.answers
    view = seen.view if placed.exact is None else replace(seen.view, surface=placed.exact)
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
