"""Union of several readings of one grid.

The best reading counts. A tile that is unsure in it is taken from the next best one in which it is
sure; a tile that is sure in two readings and differs becomes unsure, with both as guesses.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import dist

from scoring.faces import Cell
from vision.editions.description import Description
from vision.reading import Figure, GridReading, LoosePiece, Note, PlaceKind, Quad, cells_of_tile

_Rows = list[list[str | None]]


def reading_quality(grid: GridReading) -> tuple[int, float]:
    """Return how good a reading of a grid is: its sure places, then its mean side in pixels.

    Glare and whatever covers tiles make them unsure.
    """
    cells = grid.size[0] * grid.size[1]
    doubts = len(grid.unsure) + len(grid.unsure_figures) + len(grid.unsure_slots)
    empty = sum(face is None for row in grid.faces for face in row)
    side = sum(dist(a, b) for a, b in zip(grid.corners_px, _next_corners(grid), strict=True)) / 4
    return cells - doubts - empty, side


def _next_corners(grid: GridReading) -> Sequence[tuple[float, float]]:
    return (*grid.corners_px[1:], grid.corners_px[0])


def fuse(readings: Sequence[GridReading], description: Description) -> GridReading:
    """Unite readings of one grid in the same turn, in pixels of one picture.

    Args:
        readings: Readings, the best first.
        description: Description of the game.
    """
    best = readings[0]
    if len(readings) == 1:
        return best
    fused = _with_tiles(best, readings)
    fused = _with_figures(fused, readings)
    fused = _with_loose(fused, readings, description)
    return replace(fused, notes=_remaining_notes(fused))


def _with_tiles(best: GridReading, readings: Sequence[GridReading]) -> GridReading:
    grid: _Rows = [list(row) for row in best.faces]
    confidence = [list(row) for row in best.confidence]
    tiles: _Rows = [list(row) for row in best.tiles]
    turns = [list(row) for row in best.turns]
    quads: list[list[Quad | None]] = [list(row) for row in best.tile_quads_px]
    alternatives = dict(best.alternatives)
    unsure: set[Cell] = set()
    for row, column in product(range(len(tiles)), range(len(tiles[0]))):
        cells = cells_of_tile((row, column), best.tile_cells)
        sure = [each for each in readings if set(cells).isdisjoint(each.unsure)]
        source = sure[0] if sure else best
        tiles[row][column], turns[row][column] = (
            source.tiles[row][column],
            source.turns[row][column],
        )
        quads[row][column] = source.tile_quads_px[row][column]
        for cell in cells:
            r, c = cell
            grid[r][c], confidence[r][c] = source.face(cell), source.confidence[r][c]
            read = list(dict.fromkeys(each.face(cell) for each in sure))
            if len(read) > 1:  # sure readings that disagree
                confidence[r][c] = min(each.confidence[r][c] for each in sure)
            if len(read) > 1 or not sure:
                unsure.add(cell)
                seen = [each.face(cell) for each in readings]
                others = [name for each in readings for name in each.alternatives.get(cell, ())]
                guesses = dict.fromkeys([*read, *seen, *others])
                guesses.pop(grid[r][c], None)
                alternatives[cell] = tuple(guesses)
            else:
                alternatives[cell] = source.alternatives.get(cell, ())
    return replace(
        best,
        faces=tuple(map(tuple, grid)),
        confidence=tuple(map(tuple, confidence)),
        unsure=tuple(sorted(unsure)),
        tiles=tuple(map(tuple, tiles)),
        turns=tuple(map(tuple, turns)),
        tile_quads_px=tuple(map(tuple, quads)),
        alternatives=alternatives,
        duplexes=next((each.duplexes for each in readings if each.duplexes), ()),
    )


def _with_figures(fused: GridReading, readings: Sequence[GridReading]) -> GridReading:
    figures: list[Figure] = []
    unsure: list[Cell] = []
    cells = {figure.at for each in readings for figure in each.figures}
    cells.update(cell for each in readings for cell in each.unsure_figures)
    for cell in sorted(cells):
        sure = [each for each in readings if cell not in each.unsure_figures]
        seen = [figure for each in sure or readings if (figure := each.figure(cell)) is not None]
        sure_figures = [each.figure(cell) for each in sure]
        kinds = {None if figure is None else figure.kind for figure in sure_figures}
        figures += seen[:1]
        if len(kinds) != 1:
            unsure.append(cell)
    return replace(fused, figures=tuple(figures), unsure_figures=tuple(unsure))


def _with_loose(
    fused: GridReading, readings: Sequence[GridReading], description: Description
) -> GridReading:
    board = description.board
    if board is None:
        return fused
    loose: list[LoosePiece] = []
    unsure_slots: list[tuple[str, int]] = []
    for slots in board.slots:
        for number in range(slots.count):
            piece, is_open = _fuse_slot((slots.name, number), readings)
            loose += [] if piece is None else [piece]
            if is_open and piece is None:
                unsure_slots.append((slots.name, number))
    for heap in board.heaps:
        pieces, open_pieces = _fuse_heap(heap.name, readings)
        loose += pieces
        unsure_slots += [(heap.name, len(pieces) + n) for n in range(open_pieces)]
    loose.sort(key=lambda piece: piece.key)
    return replace(fused, loose=tuple(loose), unsure_slots=tuple(sorted(unsure_slots)))


def _fuse_slot(
    at: tuple[str, int], readings: Sequence[GridReading]
) -> tuple[LoosePiece | None, bool]:
    """Return the piece in a slot, and whether a person has to check it."""
    pieces = [each.piece(at) for each in readings]
    sure = [
        piece
        for piece, each in zip(pieces, readings, strict=True)
        if at not in each.unsure_slots and (piece is None or not piece.unsure)
    ]
    if not sure:
        piece = next((each for each in pieces if each is not None), None)
        return piece, True
    there = next((piece for piece in sure if piece is not None), None)
    faces = list(dict.fromkeys(None if piece is None else piece.face for piece in sure))
    if len(faces) == 1 or there is None:
        return there, False
    others = tuple(face for face in faces if face not in (None, there.face))
    return replace(there, unsure=True, alternatives=(*others, *there.alternatives)), True


def _fuse_heap(name: str, readings: Sequence[GridReading]) -> tuple[list[LoosePiece], int]:
    """Return the pieces of a heap, renumbered, and the number of those that cannot be read.

    A photo may show a part of a heap, so each face counts as often as in the photo with most.
    """
    most: dict[str, list[LoosePiece]] = {}
    size = 0
    for each in readings:
        pieces = [piece for piece in each.loose if piece.container == name]
        size = max(size, len(pieces) + sum(container == name for container, _ in each.unsure_slots))
        counts = Counter(piece.face for piece in pieces if not piece.unsure)
        for face, count in counts.items():
            if count > len(most.get(face, ())):
                most[face] = [piece for piece in pieces if piece.face == face and not piece.unsure]
    sure = [piece for pieces in most.values() for piece in pieces]
    doubtful = {
        piece.face: piece
        for each in reversed(readings)
        for piece in each.loose
        if piece.container == name and piece.unsure and piece.face not in most
    }
    room = max(size - len(sure), 0)
    chosen = [*sure, *list(doubtful.values())[:room]]
    pieces = [replace(piece, number=number) for number, piece in enumerate(chosen)]
    return pieces, max(size - len(pieces), 0)


def _remaining_notes(fused: GridReading) -> tuple[Note, ...]:
    """Return the notes that still hold: on places that are unsure, or on the whole if any is."""
    places: Mapping[PlaceKind, set[object]] = {
        PlaceKind.TILE: set(fused.unsure),
        PlaceKind.FIGURE: set(fused.unsure_figures),
        PlaceKind.LOOSE: set(fused.unsure_slots),
    }
    is_open = any(places.values()) or any(piece.unsure for piece in fused.loose)
    return tuple(
        note
        for note in fused.notes
        if (any(each.at in places[each.kind] for each in note.places) if note.places else is_open)
    )
