"""Outlines of the places of a scan in its photo."""

from collections.abc import Sequence

from firmware.base import photo_quads
from scoring.faces import Cell
from vision.editions.description import BoardDescription, Description
from vision.reading import GridReading, Place, PlaceKind, Point, Quad, Reading


def cell_outline(grid: GridReading, description: Description, cell: Cell) -> Quad:
    """Return the outline of a cell: its share of its tile, or of the grid if that is unknown."""
    height, width = description.tile_cells
    row, column = cell
    tile = grid.tile_quads_px[row // height][column // width]
    if tile is None:
        return photo_quads.cell_quad(grid.corners_px, grid.size, cell)
    return photo_quads.cell_quad(tile, (height, width), (row % height, column % width))


def place_outline(reading: Reading, description: Description, place: Place) -> Quad | None:
    """Return the outline of a place; None if it is unknown."""
    grid = reading.grids[place.grid]
    if place.kind is not PlaceKind.LOOSE:
        return cell_outline(grid, description, place.cell)
    piece = grid.piece(place.piece)
    if piece is not None:
        return piece.corners_px
    return slot_outline(grid, description, *place.piece)


def grid_outline(grid: GridReading, description: Description) -> Quad:
    """Return the outline of a printed board with its edges; for free tiles that of the grid."""
    board = description.board
    if board is None:
        return grid.corners_px
    width, height = board.size_mm
    return _on_board(grid, board, ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)))


def slot_outline(
    grid: GridReading, description: Description, name: str, number: int
) -> Quad | None:
    """Return the outline of a slot of a printed board; None if it has no such slot."""
    board = description.board
    slots = None if board is None else next((s for s in board.slots if s.name == name), None)
    if board is None or slots is None:
        return None
    half = description.tile_mm / 2
    x, y = (slots.first_mm[axis] + number * slots.step_mm[axis] for axis in (0, 1))
    left, top, right, bottom = x - half, y - half, x + half, y + half
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    return _on_board(grid, board, corners)


def _on_board(grid: GridReading, board: BoardDescription, corners_mm: Sequence[Point]) -> Quad:
    """Transform four points of the board, in mm, to the photo."""
    cells = [
        (
            (x - board.first_cell_mm[0]) / board.cell_mm[0] + 0.5,
            (y - board.first_cell_mm[1]) / board.cell_mm[1] + 0.5,
        )
        for x, y in corners_mm
    ]
    return photo_quads.grid_to_photo(grid.corners_px, grid.size, cells)
