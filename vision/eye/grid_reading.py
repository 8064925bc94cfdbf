"""Reading of one grid: from recognised tiles to the cells, figures and notes of a game.

Frames: ``_px`` pixels of the decoded image; a reading states pixels of the photo. A place
(``TilePlace``) holds one tile; a cell (``Cell``) is one of the rules, of which a tile shows
``tile_cells``. Both are (row, column).
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, partial
from itertools import chain, product
from typing import Final, TypeVar

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import Floats, Image, apply_homography, floats
from vision.editions.description import Description, TileTurns
from vision.editions.edition import Edition
from vision.editions.model import Model
from vision.editions.references import TURNS
from vision.eye.camera import cells_between
from vision.eye.figures import DecidedFigure, decide_figures
from vision.eye.loose_pieces import read_loose_pieces
from vision.eye.photo_quality import grid_quality_note
from vision.eye.quads import (
    crossed_edges,
    over_the_edge_note,
    reach_over_edge,
    to_photo_quad,
    to_photo_quads,
)
from vision.eye.recognise import RecognisedGrid, TilePlace
from vision.eye.reference_similarity import CHANCE_SIMILARITY, MAX_HIDDEN_SIMILARITY
from vision.eye.white_areas import white_share
from vision.eye.windows import windows_over_cell
from vision.patches.cut import UNIT_SQUARE, Pyramid, points_in_quads
from vision.photo.load import Photo
from vision.reading import Figure, GridReading, Note, NoteCode, cells_of_tile, note, tile_of_cell

MAX_UNSURE_WITHOUT_GRID_NOTE: Final = 3
"""Number of unsure places of a grid up to which no note says that it is dark or out of focus."""
MIN_TILE_PX: Final = 26
"""Minimum side of tiles that are read reliably; smaller ones show too little of their emblems."""
MIN_MATCHING_WINDOW: Final = 0.72
"""Similarity to its face below which a window does not match it: a figure may stand there
undetected. Larger: more cells are unsure; smaller: figures are missed."""
MIN_GLARE_SHARE: Final = 0.3
"""Share of white pixels above which an unsure tile lies in glare. Larger: tiles in glare are said
to be covered; smaller: covered white tiles are said to lie in glare."""

_Contents = tuple[tuple[str | None, ...], ...]
"""Faces of the cells that a tile shows, row by row; None for an empty cell."""
T = TypeVar("T")


def make_grid_reading(
    grid: RecognisedGrid,
    edition: Edition,
    model: Model,
    photo: Photo,
    pyramid: Pyramid,
    *,
    figures_are_sure: bool = True,
) -> GridReading:
    """Make the reading of a grid of a game.

    Args:
        grid: Recognised grid.
        edition: Edition that it was read with.
        model: Model of the edition.
        photo: Photo, for coordinates.
        pyramid: Pyramid of the photo, for the pieces that lie beside the cells.
        figures_are_sure: False if all figures are unsure, as blurred emblems look like figures.
    """
    description = edition.description
    tile_rows, tile_columns = description.tile_cells
    shape = grid.confidence.shape
    cells = list(product(range(description.rows), range(description.columns)))
    places = list(np.ndindex(*shape))
    plotless = {place for place in places if not _has_plot(place, description)}
    names = {p: None if p in plotless else grid.faces[p[0]][p[1]] for p in places}
    turns = {p: int(grid.turns[p]) for p in places}
    contents_of = cache(partial(_contents, description))
    contents = {p: contents_of(names[p], turns[p]) for p in places}
    others = {p: [contents_of(*each) for each in nexts] for p, nexts in grid.next_faces.items()}
    confidence = {p: 1.0 if p in plotless else round(float(grid.confidence[p]), 3) for p in places}
    corners = to_photo_quad(_outer_corners(grid), photo)
    quads = to_photo_quads(list(grid.quads_px.reshape(-1, 4, 2)), photo)
    size_wh = photo.image_bgr.shape[1], photo.image_bgr.shape[0]
    cut_off = {places[n] for n in np.flatnonzero(reach_over_edge(grid.quads_px, size_wh)).tolist()}
    doubtful = {*grid.unsure, *cut_off} - plotless
    unsure = tuple(cell for cell in cells if tile_of_cell(cell, description.tile_cells) in doubtful)
    causes = {} if description.board else _find_causes(grid, cut_off, description, photo.image_bgr)
    figures, unsure_figures = _read_figures(grid, contents, unsure, causes, description, photo)
    if not figures_are_sure:
        unsure_figures = tuple(sorted({*unsure_figures, *(each.at for each in figures)}))
    edges = crossed_edges(corners, photo.size_wh)
    loose, unsure_slots = read_loose_pieces(pyramid, grid.quads_px, description, model.loose, photo)
    return GridReading(
        corners_px=corners,
        faces=_join_cells(contents, shape),
        confidence=_join_cells(
            {p: ((confidence[p],) * tile_columns,) * tile_rows for p in places}, shape
        ),
        unsure=unsure,
        tile_quads_px=_to_rows(dict(zip(places, quads, strict=True)), shape),
        tiles=_to_rows(names, shape),
        turns=_to_rows({p: None if names[p] is None else turns[p] for p in places}, shape),
        alternatives={
            cell: _alternatives(cell, contents, others, description.tile_cells) for cell in cells
        },
        figures=figures,
        unsure_figures=unsure_figures,
        loose=loose,
        unsure_slots=unsure_slots,
        notes=(
            *([over_the_edge_note(edges)] if edges else ()),
            *_tile_notes(causes, description.tile_cells),
            *_grid_notes(grid, photo.image_bgr, on_board=description.board is not None),
        ),
    )


def _to_rows(values: Mapping[TilePlace, T], shape: tuple[int, ...]) -> tuple[tuple[T, ...], ...]:
    """Return the values of places as rows."""
    rows, columns = shape
    return tuple(tuple(values[row, column] for column in range(columns)) for row in range(rows))


def _join_cells(
    values: Mapping[TilePlace, tuple[tuple[T, ...], ...]], shape: tuple[int, ...]
) -> tuple[tuple[T, ...], ...]:
    """Return rows of cells from the rows of cells of each tile."""
    return tuple(
        tuple(chain.from_iterable(line))
        for tiles in _to_rows(values, shape)
        for line in zip(*tiles, strict=True)
    )


def _read_figures(
    grid: RecognisedGrid,
    contents: Mapping[TilePlace, _Contents],
    unsure_cells: Sequence[Cell],
    causes: Mapping[TilePlace, NoteCode],
    description: Description,
    photo: Photo,
) -> tuple[tuple[Figure, ...], tuple[Cell, ...]]:
    """Read the figures on a grid.

    Args:
        grid: Recognised grid.
        contents: Contents of each place.
        unsure_cells: Cells whose face is unsure.
        causes: Known causes of unsure places.
        description: Description of the game.
        photo: Photo, for coordinates.

    Returns:
        The figures, and the cells on which it is unsure whether or which figure stands.
    """
    if grid.figures is None:
        return (), ()
    decided, unsure = decide_figures(grid.figures, description)
    tile_cells = description.tile_cells
    # Glare that makes a tile unsure may look like a figure
    doubtful = [
        each.cell
        for each in decided
        if each.cell in unsure_cells
        or _face_of_cell(each.cell, contents, tile_cells) in description.no_tokens_on
    ]
    covered = _find_covered_cells(grid, unsure_cells, causes, tile_cells)
    # The window under a figure that was read matches in no case
    mismatched = _find_mismatched_cells(grid, tile_cells) - {each.cell for each in decided}
    return (
        tuple(_place_figure(each, grid, description, photo) for each in decided),
        tuple(sorted({*unsure, *doubtful, *covered, *mismatched})),
    )


def _place_figure(
    figure: DecidedFigure, grid: RecognisedGrid, description: Description, photo: Photo
) -> Figure:
    """Return a figure with the position of its foot in the photo."""
    tile_rows, tile_columns = description.tile_cells
    x, y = figure.foot[0] / tile_columns, figure.foot[1] / tile_rows
    row, column = tile_of_cell(figure.cell, description.tile_cells)
    in_tile = floats([[[x - column, y - row]]])
    foot = points_in_quads(grid.quads_px[row, column][None], in_tile)[0]
    foot_x, foot_y = photo.to_photo_px(foot)[0].tolist()
    kind = description.tokens[figure.kind].kind
    return Figure(figure.cell, kind, (round(foot_x, 2), round(foot_y, 2)))


def _find_covered_cells(
    grid: RecognisedGrid,
    unsure_cells: Sequence[Cell],
    causes: Mapping[TilePlace, NoteCode],
    tile_cells: tuple[int, int],
) -> set[Cell]:
    """Return the unsure cells that a figure may cover; none does where the table shows."""
    shows_table = {
        place
        for place, why in causes.items()
        if why is NoteCode.NO_TILE and grid.similarity[place] < CHANCE_SIMILARITY
    }
    places = {cell: tile_of_cell(cell, tile_cells) for cell in unsure_cells}
    return {
        cell
        for cell, place in places.items()
        if place not in shows_table and grid.similarity[place] < MAX_HIDDEN_SIMILARITY
    }


def _find_mismatched_cells(grid: RecognisedGrid, tile_cells: tuple[int, int]) -> set[Cell]:
    """Return the cells over which a window does not match the face of the tile."""
    tile_rows, tile_columns = tile_cells
    mismatched = (grid.window_similarity < MIN_MATCHING_WINDOW).any(axis=(2, 3))
    return {
        (row * tile_rows + r, column * tile_columns + c)
        for row, column in np.argwhere(mismatched).tolist()
        for r, c in product(range(tile_rows), range(tile_columns))
        if grid.window_similarity[row, column][
            np.ix_(windows_over_cell(r, tile_rows), windows_over_cell(c, tile_columns))
        ].min()
        < MIN_MATCHING_WINDOW
    }


def _outer_corners(grid: RecognisedGrid) -> Floats:
    """Return the corners (4, 2), halfway between those of the lattice and of the tiles.

    The tiles' own corners follow crooked tiles; those of the lattice are regular.
    """
    rows, columns = grid.confidence.shape
    cells = cells_between((0, 0), (columns, rows))[:, None] + UNIT_SQUARE
    points, corners = floats(cells).reshape(-1, 2), floats(grid.quads_px).reshape(-1, 2)
    # Least squares: crooked tiles count, unlike for the homography of a board (``loose_pieces``)
    cells_to_image, _ = cv2.findHomography(points, corners)
    if np.size(cells_to_image) != 9:  # OpenCV found none; its type information does not tell
        return grid.corners_px
    own = apply_homography(
        UNIT_SQUARE * floats([columns, rows]), np.asarray(cells_to_image, np.float64)
    )
    return floats((own + grid.corners_px) / 2)


def _find_causes(
    grid: RecognisedGrid, cut_off: Set[TilePlace], description: Description, image: Image
) -> dict[TilePlace, NoteCode]:
    """Return the places of unsure tiles of which the cause is known, and the cause."""
    causes: dict[TilePlace, NoteCode] = {}
    for place in sorted(set(grid.unsure) - cut_off):
        quad, turn = grid.quads_px[place], int(grid.turns[place])
        similarity = float(grid.similarity[place])
        is_empty = grid.faces[place[0]][place[1]] is None
        if turn and not is_empty and description.tile_turns is TileTurns.UPRIGHT:
            causes[place] = NoteCode.UPSIDE_DOWN if turn == TURNS / 2 else NoteCode.ON_ITS_SIDE
        elif white_share(image, quad) > MIN_GLARE_SHARE:
            causes[place] = NoteCode.GLARE
        elif is_empty:
            causes[place] = NoteCode.NO_TILE
        elif similarity < MAX_HIDDEN_SIMILARITY:
            causes[place] = NoteCode.HIDDEN
    return causes


def _tile_notes(
    causes: Mapping[TilePlace, NoteCode], tile_cells: tuple[int, int]
) -> Iterator[Note]:
    """Yield a note for each unsure tile with a known cause; one for all tiles in glare."""
    in_glare: list[Cell] = []
    for place, code in causes.items():
        cells = cells_of_tile(place, tile_cells)
        if code is NoteCode.GLARE:
            in_glare += cells
        else:
            yield note(code, *cells)
    if in_glare:
        yield note(NoteCode.GLARE, *in_glare)


def _grid_notes(grid: RecognisedGrid, image: Image, *, on_board: bool) -> Iterator[Note]:
    """Yield notes on the grid as a whole."""
    side = float(np.sqrt(cv2.contourArea(grid.corners_px) / grid.confidence.size))
    if side < MIN_TILE_PX:
        yield note(NoteCode.TOO_SMALL, n=round(side))
    elif len(grid.unsure) > MAX_UNSURE_WITHOUT_GRID_NOTE:
        cause = grid_quality_note(image, grid.corners_px, side)
        if cause is not None:
            yield cause
    rows = [list(row) for row in grid.faces]
    outermost = (rows[0], rows[-1], [row[0] for row in rows], [row[-1] for row in rows])
    if not on_board and any(not any(line) for line in outermost):
        yield note(NoteCode.EDGE_ROW_EMPTY)
    elif not grid.is_position_certain:
        yield note(NoteCode.POSITION_UNCERTAIN)
    elif not grid.is_turn_certain:
        yield note(NoteCode.WAY_UP_UNCERTAIN)
    elif len(grid.unsure) == grid.confidence.size:
        yield note(NoteCode.ALL_UNCLEAR)


def _has_plot(place: TilePlace, description: Description) -> bool:
    """Return whether a tile may lie in a place: on a board that has plots, only on these."""
    board = description.board
    if board is None or not board.plots:
        return True
    return any(cell in board.plots for cell in cells_of_tile(place, description.tile_cells))


def _contents(description: Description, name: str | None, turn: int) -> _Contents:
    """Return the faces of the cells that a tile shows, turned clockwise by ``turn`` quarters."""
    if name is None:
        return ((None,) * description.tile_cells[1],) * description.tile_cells[0]
    face = next(face for face in description.faces if face.name == name)
    return face.turned_cells(turn)


def _face_of_cell(
    cell: Cell, contents: Mapping[TilePlace, _Contents], tile_cells: tuple[int, int]
) -> str | None:
    """Return the face that a cell shows."""
    (row, r), (column, c) = divmod(cell[0], tile_cells[0]), divmod(cell[1], tile_cells[1])
    return contents[row, column][r][c]


def _alternatives(
    cell: Cell,
    contents: Mapping[TilePlace, _Contents],
    others: Mapping[TilePlace, Sequence[_Contents]],
    tile_cells: tuple[int, int],
) -> tuple[str | None, ...]:
    """Return the other faces that a cell may show, the likeliest first.

    Args:
        cell: Cell.
        contents: Contents of each place.
        others: Other contents that a place may have, the likeliest first.
        tile_cells: Rows and columns of cells that a tile shows.
    """
    (row, r), (column, c) = divmod(cell[0], tile_cells[0]), divmod(cell[1], tile_cells[1])
    names = dict.fromkeys(each[r][c] for each in others.get((row, column), ()))
    return tuple(name for name in names if name != contents[row, column][r][c])
