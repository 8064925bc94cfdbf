"""An edition as a value: the look of each face of one print, as rectified pictures.

Nothing here knows where editions are kept; whoever stores them hands the eye a value.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.faces import Face
from vision.arrays import Image
from vision.errors import VisionError

GAME = "between-two-cities"
FACES = tuple(Face)
"""The faces in the order of the reference grid, row by row."""
ROWS = COLUMNS = 4
"""Of a city."""
TEACH_ROWS = TEACH_COLUMNS = 3
"""Of the reference grid."""
PICTURE_PX = 96
"""Side of a taught picture."""
MOST_EXAMPLES = 8
"""Pictures of one face; more cost time and memory and tell little new."""


class EditionError(VisionError, ValueError):
    """The photos cannot be learned from, or the pictures make no edition."""


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """What the faces of one print look like.

    Attributes:
        name: what the user calls it.
        examples: for each face its pictures, (PICTURE_PX, PICTURE_PX, 3) uint8 BGR, upright, from
            edge to edge of the tile; the same number of each face.
        game: whose faces these are.
        rows: of a city.
        columns: of a city.
    """

    name: str
    examples: Mapping[Face, tuple[Image, ...]]
    game: str = GAME
    rows: int = ROWS
    columns: int = COLUMNS

    def __post_init__(self) -> None:
        counts = {len(self.examples.get(face, ())) for face in FACES}
        if len(counts) != 1 or not 1 <= min(counts) <= MOST_EXAMPLES:
            raise EditionError(
                "edition-damaged",
                f"it needs 1 to {MOST_EXAMPLES} pictures of each face, as many of each: "
                "teach it again",
                self.name,
            )
        expected = (PICTURE_PX, PICTURE_PX, 3)
        for pictures in self.examples.values():
            for picture in pictures:
                if picture.shape != expected:
                    raise EditionError(
                        "edition-damaged",
                        f"a picture has the shape {picture.shape} where {expected} is needed: "
                        "teach it again",
                        self.name,
                    )

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces it knows, in the order of the reference grid."""
        return FACES

    @property
    def example_count(self) -> int:
        """How many pictures there are of each face."""
        return len(self.examples[FACES[0]])
