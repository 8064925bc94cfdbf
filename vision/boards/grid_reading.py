"""What was seen on a grid, as a reading: in pixels of the photo, with all that is doubtful."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, product
from typing import TypeVar

import numpy as np

from scoring.faces import Cell
from vision.boards import tokens
from vision.boards.closely import answers_looked_at_closely
from vision.boards.end_rows import ends_are_certain
from vision.boards.grid import SeenGrid
from vision.boards.grid_compared import compared_grid
from vision.boards.grid_placed import answers_at
from vision.boards.judge import Answer
from vision.boards.known import KnownEdition, cells_turned
from vision.boards.pieces import Piece
from vision.boards.places import Places, corners_inside
from vision.photo import Photo
from vision.photo_edges import edges_overrun, overrun_note
from vision.quads import photo_quad, photo_quads
from vision.reading import (
    Figure,
    GridReading,
    LoosePiece,
    Note,
    NoteCode,
    Quad,
    Unread,
    note,
)

LEAST_READABLE = 0.25
"""Share of the tiles that must be known for something to be a grid."""
UNREADABLE = Note(NoteCode.GRID_UNREADABLE)
UNPLACED = Note(NoteCode.END_UNCERTAIN)

NO_PLOT = Answer(None, 0, distance=0.0, lead=2.0, is_sure=True)
"""Where the board has no plot nothing can lie."""

T = TypeVar("T")

_Contents = tuple[tuple[str | None, ...], ...]


def is_readable(seen: SeenGrid) -> bool:
    """Whether enough tiles of a grid are known, and it is certain where it lies."""
    return _is_known(seen) and seen.places.is_certain


def _is_known(seen: SeenGrid) -> bool:
    return len(seen.known_tiles) >= LEAST_READABLE * len(seen.answers)


def if_hardly_readable(seen: SeenGrid, known: KnownEdition) -> SeenGrid:
    """A grid of free tiles, its doubtful places looked at closely if they may tell of it.

    Of a city that is white with light no tile may be sure, and yet its fine lines tell most. All of
    it is asked about then.
    """
    if is_readable(seen):
        return seen
    closer = answers_looked_at_closely(seen.compared, seen.places.cells, seen.answers, known)
    looked_at = replace(seen, closer=closer, is_hardly_readable=True)
    is_certain = ends_are_certain(seen.places, seen.compared.seen_at, looked_at.known_tiles)
    is_certain = is_certain and not _may_go_on(seen, known)
    return replace(looked_at, places=replace(seen.places, is_certain=is_certain))


def _may_go_on(seen: SeenGrid, known: KnownEdition) -> bool:
    """Whether a close look knows a tile right beside a grid: then it may as well lie there.

    Of places that are white, it may take what lies there for a tile.
    """
    around = seen.places.with_those_around()
    compared = compared_grid(seen.compared.view.picture, around, known)
    answers = answers_at(compared, around, known)
    closer = answers_looked_at_closely(compared, around.cells, answers, known)
    return any(
        answer.tells_of_a_grid
        for (row, column), answer in closer.items()
        if not (0 < row < around.rows - 1 and 0 < column < around.columns - 1)
    )


def grid_reading(seen: SeenGrid, known: KnownEdition, photo: Photo) -> GridReading | Unread:
    """The reading of a grid, or that it cannot be read.

    Args:
        seen: what was made out.
        known: the edition.
        photo: in which it lies.
    """
    if not _is_known(seen):
        return Unread(photo_quad(seen.outline, photo), UNREADABLE)
    if not seen.places.is_certain:
        return Unread(photo_quad(seen.outline, photo), UNPLACED)
    description = known.description
    size_wh = photo.image_bgr.shape[1], photo.image_bgr.shape[0]
    quads = seen.quads
    quads_px = dict(zip(quads, photo_quads(list(quads.values()), photo), strict=True))
    outline = photo_quad(seen.outline, photo)
    all_inside = corners_inside(np.concatenate(list(quads.values())), size_wh)
    answers = _closer(seen, known)
    sure = {
        cell: answer is NO_PLOT
        or (
            answer.is_sure
            and not seen.is_hardly_readable
            and (all_inside or corners_inside(quads[cell], size_wh))
        )
        for cell, answer in answers.items()
    }
    tile_places = [[(r, c) for c in range(seen.places.columns)] for r in range(seen.places.rows)]
    tall, wide = description.tile_cells
    unsure = tuple(
        cell
        for cell in product(range(description.rows), range(description.columns))
        if not sure[cell[0] // tall, cell[1] // wide]
    )

    def answer(cell: Cell) -> Answer:
        return answers[cell[0] // tall, cell[1] // wide]

    return GridReading(
        corners_px=outline,
        grid=tuple(
            line
            for row in tile_places
            for line in _side_by_side(
                [_contents(known, answers[c].face, answers[c].turn) for c in row]
            )
        ),
        confidence=tuple(
            line
            for row in tile_places
            for line in _side_by_side(
                [((round(answers[c].confidence, 3),) * wide,) * tall for c in row]
            )
        ),
        unsure=unsure,
        tiles=tuple(tuple(_name(known, answers[c].face) for c in row) for row in tile_places),
        turns=tuple(
            tuple(None if answers[c].face is None else answers[c].turn for c in row)
            for row in tile_places
        ),
        tile_quads_px=tuple(tuple(quads_px[cell] for cell in row) for row in tile_places),
        alternatives={cell: _alternatives(cell, answer(cell), known) for cell in unsure},
        figures=_figures(
            [each for each in seen.figures if each.share >= tokens.THERE], seen.places, known, photo
        ),
        unsure_figures=tuple(
            sorted({f.cell for f in seen.figures if seen.is_hardly_readable or not f.is_sure})
        ),
        loose=tuple(_piece(piece, known, photo) for piece in seen.beside.pieces),
        unsure_slots=seen.beside.unreadable,
        notes=() if seen.on_board else _notes(seen, outline, photo),
    )


def _closer(seen: SeenGrid, known: KnownEdition) -> dict[Cell, Answer]:
    """What lies on a grid, with doubtful places looked at closely."""
    if seen.closer is not None:
        return dict(seen.closer)
    answers = {c: a if _may_lie(c, known) else NO_PLOT for c, a in seen.answers.items()}
    return answers_looked_at_closely(seen.compared, seen.places.cells, answers, known)


def _notes(seen: SeenGrid, outline: Quad, photo: Photo) -> tuple[Note, ...]:
    """What is odd about where a grid of free tiles lies."""
    edges = edges_overrun(outline, photo.size_wh)
    overrun = (overrun_note(edges),) if edges else ()
    return (*overrun, note(NoteCode.ALL_UNCLEAR)) if seen.is_hardly_readable else overrun


def _may_lie(tile: Cell, known: KnownEdition) -> bool:
    """Whether something may lie in the place of a tile."""
    board = known.description.board
    if board is None or not board.plots:
        return True
    tall, wide = known.description.tile_cells
    first = tile[0] * tall, tile[1] * wide
    return any(
        (first[0] + row, first[1] + column) in board.plots
        for row in range(tall)
        for column in range(wide)
    )


def _name(known: KnownEdition, face: int | None) -> str | None:
    return None if face is None else known.in_grid.names[face]


def _contents(known: KnownEdition, face: int | None, turn: int) -> _Contents:
    """What each cell of a tile shows."""
    tall, wide = known.description.tile_cells
    if face is None:
        return ((None,) * wide,) * tall
    return cells_turned(known, known.in_grid.names[face], turn)


def _side_by_side(tiles: Sequence[tuple[tuple[T, ...], ...]]) -> list[tuple[T, ...]]:
    """What the cells of a row of tiles have, row by row of cells.

    Args:
        tiles: what each of the cells of each tile has.
    """
    return [tuple(chain.from_iterable(lines)) for lines in zip(*tiles, strict=True)]


def _alternatives(cell: Cell, answer: Answer, known: KnownEdition) -> tuple[str | None, ...]:
    """What else an unsure cell may show."""
    tall, wide = known.description.tile_cells
    row, column = cell[0] % tall, cell[1] % wide
    own = _contents(known, answer.face, answer.turn)[row][column]
    others = [_contents(known, face, turn)[row][column] for face, turn in answer.alternatives]
    return tuple(name for name in dict.fromkeys(others) if name != own)


def _figures(
    figures: Sequence[tokens.Figure], places: Places, known: KnownEdition, photo: Photo
) -> tuple[Figure, ...]:
    if not figures:
        return ()
    feet = photo.to_photo_px(places.surface.at([figure.foot for figure in figures])).tolist()
    return tuple(
        Figure(figure.cell, known.description.tokens[figure.kind].kind, (round(x, 2), round(y, 2)))
        for figure, (x, y) in zip(figures, feet, strict=True)
    )


def _piece(piece: Piece, known: KnownEdition, photo: Photo) -> LoosePiece:
    names = known.beside.names
    answer = piece.answer
    return LoosePiece(
        place=piece.place,
        number=piece.number,
        face=names[answer.face or 0],
        corners_px=photo_quad(piece.corners_px, photo),
        confidence=round(answer.confidence, 3),
        unsure=not answer.is_sure,
        alternatives=tuple(
            dict.fromkeys(names[face] for face, _turn in answer.alternatives if face is not None)
        ),
    )
