"""A tile that was read, and where it lies in a flat picture of its grid."""

from dataclasses import dataclass

Part = tuple[slice, slice]
"""Rows and columns of a flat picture."""


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile that was read.

    Attributes:
        face: its name.
        turn: quarters by which it is turned clockwise.
        shift: (y, x) by which it lies off its place, in pixels of TILE_PX a tile.
        is_sure: whether it is certain what it shows.
    """

    face: str
    turn: int
    shift: tuple[int, int]
    is_sure: bool
