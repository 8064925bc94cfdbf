"""Requirements of a game on the description of an edition."""

import re
from dataclasses import dataclass

from vision.editions.description import Description
from vision.editions.edition import DescriptionError
from vision.message import Message


@dataclass(frozen=True, slots=True)
class EditionRequirements:
    """Requirements on the description of an edition, so that its tables can be scored.

    Attributes:
        size: Rows and columns of the grid; None if any size will do.
        tile_cells: Rows and columns of cells that a tile covers.
        has_board: Whether the tiles lie on a printed board.
        faces: Pattern of the names of faces.
        cells: Names that the cells of a tile may show; empty if they show the name of the face.
    """

    size: tuple[int, int] | None
    tile_cells: tuple[int, int]
    has_board: bool
    faces: re.Pattern[str]
    cells: frozenset[str] = frozenset()

    def check(self, description: Description, where: str) -> None:
        """Check the description of an edition.

        Raises:
            DescriptionError: ``description-game``, if it does not meet the requirements.
        """
        mismatch = self._mismatch(description)
        if mismatch is not None:
            raise DescriptionError(
                "description-game",
                "this does not fit the game {game}, {what}: correct it, or write "
                'game = "reading-only"',
                where,
                game=description.game,
                what=mismatch,
            )

    def _mismatch(self, description: Description) -> Message | None:
        """Return the first requirement that is not met, in words; None if all are."""
        if self.size is not None and (description.rows, description.columns) != self.size:
            rows, columns = self.size
            return Message(
                "its grid has {rows} rows and {columns} columns", rows=rows, columns=columns
            )
        if description.tile_cells != self.tile_cells:
            high, wide = self.tile_cells
            return Message("its tiles cover {high} x {wide} cells", high=high, wide=wide)
        if (description.board is not None) != self.has_board:
            has_board = Message("it has a printed board")
            return has_board if self.has_board else Message("its tiles lie free")
        for face in description.faces:
            if self.faces.fullmatch(face.name) is None:
                return Message("it has no kind called {face}", face=face.name)
            unknown = {cell for row in face.cells for cell in row} - self.cells
            if self.cells and unknown:
                return Message(
                    "{face} shows {shown}, where {known} are known",
                    face=face.name,
                    shown=min(unknown),
                    known=", ".join(sorted(self.cells)),
                )
        return None
