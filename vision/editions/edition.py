"""An edition as a value: what one print of a game looks like.

Nothing here knows where editions are kept; whoever stores them hands the eye a value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scoring.faces import Face
from vision.editions.description import Description
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.arrays import Image
    from vision.editions.model import Model

STANDARD: Final = "standard"
"""The name of the edition of each game that is known from the start."""
GAME: Final = "between-two-cities"
"""The game whose published look is known from the start."""
FACES: Final = tuple(Face)
"""Its faces in the order of the reference grid, row by row."""
MOST_IMAGES: Final = 8
"""Pictures of one face; more cost time and memory and tell little new."""
LEAST_PICTURE_PX: Final = 32
MOST_PICTURE_PX: Final = 256
MOST_BOARD_PX: Final = 1600
"""Longer side of a board's picture."""


class DescriptionError(VisionError, ValueError):
    """A description that contradicts itself, or whose pictures do not fit it."""


class EditionError(VisionError, ValueError):
    """The photos cannot be learned from."""


def is_of_tiles_alone(description: Description) -> bool:
    """Whether no figures stand on the tiles of a game, and no pieces lie beside them."""
    return not description.tokens and not description.beside_faces


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """What the tiles and the board of one print look like.

    Attributes:
        description: of the game.
        pictures: for each face its pictures, square (n, n, 3) uint8 BGR, upright, from edge to
            edge of the tile; n from ``LEAST_PICTURE_PX`` to ``MOST_PICTURE_PX``.
        board: picture of the empty board (h, w, 3) uint8 BGR, or None.
        model: what the eye learned of it; None: what its pictures tell.
    """

    description: Description
    pictures: "Mapping[str, tuple[Image, ...]]"
    board: "Image | None" = None
    model: "Model | None" = None

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.description.name

    @property
    def is_standard(self) -> bool:
        """Whether it is known from the start."""
        return self.name == STANDARD
