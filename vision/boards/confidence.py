"""Confidences of boards that keep their word, see ``vision.confidence``.

How alike a picture is, and how clearly it leads, is no share of anything either. How often cells
were right was counted on photos of all drawn games together, so that it holds as well as it can
for an edition that nobody counted. Pieces beside the cells are told like cells if they are sure; in
doubt they are right more often, and have a curve of their own.
"""

from dataclasses import replace
from functools import cache
from typing import Final

from scoring.faces import Cell
from vision.arrays import floats
from vision.boards.places import corners_inside
from vision.confidence import Kind, right_shares
from vision.reading import GridReading, Reading

FILE: Final = "board_confidence.json"
"""In ``vision/weights``."""


def calibrated(reading: Reading) -> Reading:
    """The reading with each raw confidence exchanged for the share that is right."""
    grids = (calibrated_grid(grid, reading.size_wh) for grid in reading.grids)
    return replace(reading, grids=tuple(grids))


def calibrated_grid(grid: GridReading, size_wh: tuple[int, int]) -> GridReading:
    """The same for one grid.

    Args:
        grid: with raw confidences.
        size_wh: of the photo.
    """
    shares = right_shares(FILE)

    @cache  # all cells of a tile have the same
    def share(kind: Kind, raw: float) -> float:
        return shares[kind].at(raw)

    confidence = tuple(
        tuple(
            share(kind_of(grid, (row, column), size_wh), raw) for column, raw in enumerate(values)
        )
        for row, values in enumerate(grid.confidence)
    )
    return replace(
        grid,
        confidence=confidence,
        loose=tuple(
            replace(
                piece,
                confidence=share(Kind.PIECE if piece.unsure else Kind.SURE, piece.confidence),
            )
            for piece in grid.loose
        ),
    )


def kind_of(grid: GridReading, cell: Cell, size_wh: tuple[int, int]) -> Kind:
    """What the confidence of a cell means; a place that is surely empty is as sure as a tile."""
    if cell not in grid.unsure:
        return Kind.SURE
    if not _is_inside(grid, cell, size_wh):
        return Kind.OUTSIDE
    return Kind.EMPTY if grid.grid[cell[0]][cell[1]] is None else Kind.UNSURE


def _is_inside(grid: GridReading, cell: Cell, size_wh: tuple[int, int]) -> bool:
    """Whether the tile to which a cell belongs lies wholly in the photo."""
    tall, wide = len(grid.grid) // len(grid.tiles), len(grid.grid[0]) // len(grid.tiles[0])
    quad = grid.tile_quads_px[cell[0] // tall][cell[1] // wide]
    return quad is None or corners_inside(floats(quad), size_wh)
