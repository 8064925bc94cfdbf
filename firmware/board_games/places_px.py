"""Where cells and slots lie in the photo, and a scan in pixels of the decoded picture."""

from collections.abc import Sequence
from dataclasses import replace

from firmware import quads
from firmware.board_games.scan import BoardScan
from scoring.faces import Cell
from vision.boards.description import BoardDescription, Description
from vision.reading import GridReading
from vision.photo import Photo
from vision.reading import Point, Quad


def cell_quad(grid: GridReading, description: Description, cell: Cell) -> Quad:
    """Where a cell lies: its share of its tile, or where that is not known, of the grid."""
    height, width = description.tile_cells
    row, column = cell
    tile = grid.tile_quads_px[row // height][column // width]
    if tile is None:
        return quads.even_share(grid.corners_px, (len(grid.grid), len(grid.grid[0])), cell)
    return quads.even_share(tile, (height, width), (row % height, column % width))


def outline_quad(grid: GridReading, description: Description) -> Quad:
    """Where a printed board lies with all its edges; of free tiles the grid."""
    board = description.board
    if board is None:
        return grid.corners_px
    width, height = board.size_mm
    return _on_board(grid, board, ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)))


def slot_quad(grid: GridReading, description: Description, name: str, number: int) -> Quad | None:
    """Where a slot of a printed board lies; None: it is none of its slots."""
    board = description.board
    slots = None if board is None else next((s for s in board.slots if s.name == name), None)
    if board is None or slots is None:
        return None
    half = description.tile_mm / 2
    x, y = (slots.first_mm[axis] + number * slots.step_mm[axis] for axis in (0, 1))
    corners = (
        (x - half, y - half),
        (x + half, y - half),
        (x + half, y + half),
        (x - half, y + half),
    )
    return _on_board(grid, board, corners)


def _on_board(grid: GridReading, board: BoardDescription, corners_mm: Sequence[Point]) -> Quad:
    """Four points of the board, in millimetres, in the photo."""
    cells = [
        (
            (x - board.first_cell_mm[0]) / board.cell_mm[0] + 0.5,
            (y - board.first_cell_mm[1]) / board.cell_mm[1] + 0.5,
        )
        for x, y in corners_mm
    ]
    size = len(grid.grid), len(grid.grid[0])
    top_left, top_right, bottom_right, bottom_left = quads.from_grid(grid.corners_px, size, cells)
    return top_left, top_right, bottom_right, bottom_left


def at_decoded_size(scan: BoardScan, photo: Photo) -> BoardScan:
    """The scan in pixels of the decoded picture, which may be smaller than the photo."""

    def point(full: Point) -> Point:
        ((x, y),) = photo.to_decoded_px([full])
        return float(x), float(y)

    def quad(full: Quad) -> Quad:
        return point(full[0]), point(full[1]), point(full[2]), point(full[3])

    height, width = photo.image_bgr.shape[:2]
    grids = tuple(
        replace(
            grid,
            corners_px=quad(grid.corners_px),
            tile_quads_px=tuple(
                tuple(None if tile is None else quad(tile) for tile in row)
                for row in grid.tile_quads_px
            ),
            tokens=tuple(replace(each, foot_px=point(each.foot_px)) for each in grid.tokens),
            beside=tuple(replace(each, corners_px=quad(each.corners_px)) for each in grid.beside),
        )
        for grid in scan.reading.grids
    )
    unread = tuple(
        replace(region, corners_px=quad(region.corners_px)) for region in scan.reading.unread
    )
    reading = replace(scan.reading, size_wh=(width, height), grids=grids, unread=unread)
    return replace(scan, reading=reading)
