"""A grid in its place: which tiles of a lattice it is, and what plainly lies there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners
from vision.boards.bundle_adjustment import surfaces_on_one_table
from vision.boards.end_rows import ends_are_certain
from vision.boards.extent import window_of
from vision.boards.find import Found
from vision.boards.grid_compared import ComparedGrid, compared_grid, empty_distances
from vision.boards.judge import Answer, answer_by_drawing, answers_for
from vision.boards.known import KnownEdition, kept
from vision.boards.local_contrast import LocalGrid, local_faces, local_plots, nearest_others
from vision.boards.placed_anew import fitted_anew, known_again, placed_anew
from vision.boards.places import (
    Places,
    beside_others,
    choices,
    quarter_turned,
    shifted,
    turns_to_photo_up,
)
from vision.boards.surface import Matches, Surface
from vision.boards.tile_fit import fitted_tiles
from vision.editions.description import Turned
from vision.pyramid import Pyramid

LEAST_RICH = 0.6
"""A tile shows at least so much of the drawing of its picture."""
MOST_FITS = 2
"""So often a grid is laid flat anew, as tiles far off their places tell roughly where they lie."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedGrid:
    """A grid in its place.

    Attributes:
        places: where its tiles lie.
        compared: the places, laid flat.
        answers: what lies there, before doubtful places are looked at closely.
        matches: of a grid that was found inexactly, where its sure tiles have their corners in
            grid coordinates and in the photo; None: there is none, or too little of it is sure.
        exact: its surface as these tell; None: as that of the places.
    """

    places: Places
    compared: ComparedGrid
    answers: Mapping[Cell, Answer]
    matches: Matches | None = None
    exact: Surface | None = None


def placed_grid(
    picture: Pyramid, found: Found, known: KnownEdition, others: Sequence[Corners] = ()
) -> PlacedGrid:
    """A grid in its place.

    Args:
        picture: the photo, decoded.
        found: where the grid lies.
        known: the edition.
        others: outlines of other grids, on which no tile of this one lies.
    """
    places = _places(picture, found, known, others)
    seen = compared_grid(picture, places, known)
    answers = answers_at(seen, places, known)
    if known.description.board is not None:
        return PlacedGrid(places, seen, answers)
    again = known_again(found, places, answers)
    anew = places if again is found else _places(picture, again, known, others)
    if not np.array_equal(anew.surface.plane, places.surface.plane):
        seen = compared_grid(picture, anew, known)
        answers = answers_at(seen, anew, known)
    if again.laid is None or again.laid.is_exact:
        places = placed_anew(anew, answers, seen.comparison) or anew
        if places is not anew:
            seen = compared_grid(picture, places, known)
            answers = answers_at(seen, places, known)
        placed = PlacedGrid(places, seen, answers)
    else:
        placed = _fitted(picture, PlacedGrid(anew, seen, answers), known)
    places = placed.places
    sure = {cell for cell, answer in placed.answers.items() if answer.is_sure}
    is_certain = ends_are_certain(places, placed.compared.seen_at, sure)
    return replace(placed, places=replace(places, is_certain=is_certain))


def through_one_lens(grids: Sequence[PlacedGrid], size_wh: tuple[int, int]) -> list[PlacedGrid]:
    """Grids with the exact surfaces that their tiles tell together.

    Args:
        grids: of one photo.
        size_wh: of the photo.
    """
    matches = [grid.matches for grid in grids if grid.matches is not None]
    surfaces = iter(surfaces_on_one_table(matches, size_wh))
    return [grid if grid.matches is None else replace(grid, exact=next(surfaces)) for grid in grids]


def _fitted(picture: Pyramid, placed: PlacedGrid, known: KnownEdition) -> PlacedGrid:
    """A grid that was found inexactly, after its tiles told where they lie."""
    for _ in range(MOST_FITS):
        places = placed.places
        fit = fitted_tiles(placed.compared, places.cells, placed.answers, known)
        if fit is None:
            break
        anew = fitted_anew(places, fit)
        ideal = fit.ideal * np.float32(anew.pitch[0] / places.pitch[0])
        matches = ideal, places.surface.at(fit.found)
        if anew is places:
            return replace(placed, matches=matches)
        seen = compared_grid(picture, anew, known)
        placed = PlacedGrid(anew, seen, answers_at(seen, anew, known), matches)
    return placed


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


def answers_at(seen: ComparedGrid, places: Places, known: KnownEdition) -> dict[Cell, Answer]:
    """What lies in the places of a grid, before doubtful ones are looked at closely."""
    empty = empty_distances(seen)
    cells = places.cells
    textured = seen.comparison.seen.textured.tolist()
    least = _least_textured(known)
    answers = {
        cell: _if_rich_enough(answer, rich, least)
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


def _if_rich_enough(answer: Answer, textured: float, least: Sequence[float]) -> Answer:
    """The answer, unsure where a bare table is taken for a tile, or light has bleached it."""
    if answer.face is None or not answer.is_sure:
        return answer
    if textured >= LEAST_RICH * least[answer.face]:
        return answer
    return replace(answer, is_sure=False)


@kept
def _least_textured(known: KnownEdition) -> list[float]:
    """How full of drawing the barest picture of each face is, see ``Looks``."""
    least = np.full(len(known.in_grid.names), np.inf, np.float32)
    np.minimum.at(least, known.in_grid.faces, known.in_grid.looks.textured)
    values: list[float] = least.tolist()
    return values
