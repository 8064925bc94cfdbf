"""Confidences of boards that keep their word: of the cells given p, a share p is right.

How alike a picture is, and how clearly it leads, is no share of anything either. How often cells
were right was counted on photos of all drawn games together, so that it holds as well as it can
for an edition that nobody counted. Pieces beside the cells are told like cells if they are sure; in
doubt they are right more often, and have a curve of their own.
"""

import json
from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final

from scoring.faces import Cell
from vision.arrays import floats
from vision.boards.places import corners_inside
from vision.reading import GridReading, Reading

FILE: Final = "board_confidence.json"
"""In ``vision/weights``."""
DIGITS: Final = 4
MOST: Final = 0.9999
"""No tile is more certain: so many were never counted."""


class Kind(StrEnum):
    """Cells whose confidences mean different things."""

    SURE = "sure"
    UNSURE = "unsure"
    EMPTY = "empty"
    """The reading says that there is no tile."""
    OUTSIDE = "outside"
    """A part of it lies outside the photo; told apart on boards only."""
    PIECE = "piece"
    """No cell, but an unsure piece beside the cells of a board."""


@dataclass(frozen=True, slots=True)
class RightShare:
    """A curve that never falls: raw confidence to the share that is right.

    Attributes:
        raw: confidences in rising order.
        share: of the cells of such a confidence that are right; as many.
    """

    raw: tuple[float, ...]
    share: tuple[float, ...]

    def at(self, raw: float) -> float:
        """The share for a raw confidence, interpolated; outside the curve that of its end."""
        after = bisect(self.raw, raw)
        low, high = max(after - 1, 0), min(after, len(self.raw) - 1)
        rise = self.share[high] - self.share[low]
        if rise:
            rise *= (raw - self.raw[low]) / (self.raw[high] - self.raw[low])
        return round(min(self.share[low] + rise, MOST), DIGITS)


@cache
def right_shares() -> Mapping[Kind, RightShare]:
    """The curves that belong to the eye of this release, from ``FILE``."""
    text = (resources.files("vision") / "weights" / FILE).read_text("utf-8")
    return {
        Kind(kind): RightShare(tuple(curve["raw"]), tuple(curve["share"]))
        for kind, curve in json.loads(text).items()
    }


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
    shares = right_shares()

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
