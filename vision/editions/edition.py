"""Edition: a game's description, with what the tiles and the board of one print look like."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scoring.faces import Face
from vision.editions.description import Description
from vision.errors import VisionError
from vision.reading import Note, NoteCode

if TYPE_CHECKING:
    from vision.arrays import Image
    from vision.editions.model import Model

STANDARD_EDITION: Final = "standard"
"""Name of the built-in edition of each game."""
BETWEEN_TWO_CITIES: Final = "between-two-cities"
"""Identifier of Between Two Cities: the game of reference data without ``game``, and of the command
``teach`` without ``--game``."""
BETWEEN_TWO_CITIES_FACES: Final = tuple(Face)
"""Faces of Between Two Cities in the order of the reference grid, row by row."""
MAX_PICTURES_OF_FACE: Final = 8
"""Maximum number of pictures of a face; more cost time and memory and add little."""
MIN_PICTURE_PX: Final = 32
"""Minimum side of the picture of a face."""
MAX_PICTURE_PX: Final = 256
"""Maximum side of the picture of a face."""
MAX_BOARD_PX: Final = 1600
"""Maximum longer side of the picture of a board."""


class DescriptionError(VisionError, ValueError):
    """Unusable description or pictures of a game."""


class EditionError(VisionError, ValueError):
    """Photos, or names given for their tiles, from which no edition can be learned."""


def has_only_tiles(description: Description) -> bool:
    """Return whether a game has no figures on its tiles and no pieces beside them."""
    return not description.tokens and not description.loose_faces


def unreadable_note(description: Description) -> Note:
    """Return the note on a region that looks like a grid of a game and cannot be read."""
    is_city = description.game == BETWEEN_TWO_CITIES
    return Note(NoteCode.CITY_UNREADABLE if is_city else NoteCode.GRID_UNREADABLE)


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """Description of a game with the pictures or references of one print of its tiles and board.

    Attributes:
        description: Description of the game.
        pictures: Pictures of each face, square (n, n, 3) uint8 BGR, upright, from edge to edge of
            the tile; n from ``MIN_PICTURE_PX`` to ``MAX_PICTURE_PX``.
        board_picture: Picture of the empty board (h, w, 3) uint8 BGR, or None.
        model: Model of the tiles; None until it is learned from the pictures.
    """

    description: Description
    pictures: "Mapping[str, tuple[Image, ...]]"
    board_picture: "Image | None" = None
    model: "Model | None" = None

    @property
    def name(self) -> str:
        """Name of the edition."""
        return self.description.name

    @property
    def is_standard(self) -> bool:
        """True for a built-in edition."""
        return self.name == STANDARD_EDITION
