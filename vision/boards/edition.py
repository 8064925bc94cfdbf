"""An edition as a value: a description together with its pictures."""

from collections.abc import Mapping
from dataclasses import dataclass

from vision.arrays import Image
from vision.boards.description import Description
from vision.errors import VisionError


class DescriptionError(VisionError, ValueError):
    """A description that contradicts itself, or whose pictures do not fit it."""


@dataclass(frozen=True, slots=True, eq=False)
class PicturedEdition:
    """What the tiles and the board of one print look like.

    Attributes:
        description: of the game.
        pictures: for each face its pictures, square (n, n, 3) uint8 BGR, upright, from edge to
            edge of the tile; n from ``LEAST_PICTURE_PX`` to ``MOST_PICTURE_PX``.
        board: picture of the empty board (h, w, 3) uint8 BGR, or None.
        locator: network (``vision.networks``) that was taught to see the tiles of this print; None:
            there is none, as of all prints but our own.
    """

    description: Description
    pictures: Mapping[str, tuple[Image, ...]]
    board: Image | None = None
    locator: str | None = None


LEAST_PICTURE_PX = 32
MOST_PICTURE_PX = 256
MOST_BOARD_PX = 1600
"""Longer side of a board's picture."""
