"""An edition made ready to be looked for and compared."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, Points, floats
from vision.boards.description import BoardDescription, Description
from vision.boards.edition import PicturedEdition
from vision.boards.features import PictureIndex
from vision.boards.looks import QUARTERS, TILE_PX, Looks, looks_of, softened

FEATURES_A_TILE = 120
FEATURES_A_BOARD = 1500
FEATURE_PX = 80
"""Side at which tiles are learned: little larger than photos show them where they are sought."""
BOARD_PX = 800
"""Longer side at which a board is learned: about as large as photos show it where it is sought."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownFaces:
    """The pictures of some faces in all turns that are allowed.

    Attributes:
        names: of the faces.
        looks: of all pictures in all turns.
        quarters: the same of their quarters, see ``looks.QUARTERS``.
        faces: (n,) for each of these the number of its face.
        turns: (n,) and the quarters by which it is turned clockwise.
    """

    names: tuple[str, ...]
    looks: Looks
    quarters: tuple[Looks, ...]
    faces: NDArray[np.intp]
    turns: NDArray[np.intp]


class KnownEdition:
    """What is looked for in photos, and what tiles are compared with."""

    def __init__(self, edition: PicturedEdition) -> None:
        self.edition = edition
        self.description: Description = edition.description
        self._cells = {face.name: face.cells for face in self.description.faces}
        turns = 4 if self.description.turned == "any" else 1
        self._turns = turns
        beside = self.description.beside_faces
        names = [face.name for face in self.description.faces]
        self.in_grid = self._known([name for name in names if name not in beside])
        self.beside = self._known([name for name in names if name in beside])
        board = self.description.board
        self.tile_index = self._tile_index(self.in_grid.names if board is None else ())
        self.beside_index = self._tile_index(self.beside.names)
        self.board_index: PictureIndex | None = None
        self.board_flat: FloatImage | None = None
        if board is not None and edition.board is not None:
            self.board_index = PictureIndex.of(
                [_smaller(edition.board, BOARD_PX)], FEATURES_A_BOARD
            )
            self.board_flat = softened(self._board_picture(edition.board, board))

    def _known(self, names: list[str]) -> KnownFaces:
        windows: list[FloatImage] = []
        faces: list[int] = []
        turns: list[int] = []
        for number, name in enumerate(names):
            for picture in self.edition.pictures[name]:
                small = cv2.resize(picture, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
                window = softened(np.asarray(small, np.uint8))
                for turn in range(self._turns):
                    windows.append(np.rot90(window, -turn))
                    faces.append(number)
                    turns.append(turn)
        nothing = Looks.of(np.zeros((0, 1), np.float32), np.zeros((0, 3), np.float32))
        return KnownFaces(
            tuple(names),
            looks_of(windows, for_many=True) if windows else nothing,
            tuple(looks_of([w[part] for w in windows], for_many=True) for part in QUARTERS)
            if windows
            else (),
            np.array(faces, np.intp),
            np.array(turns, np.intp),
        )

    def _tile_index(self, names: tuple[str, ...]) -> PictureIndex | None:
        pictures = [
            _smaller(picture, FEATURE_PX)
            for name in names
            for picture in self.edition.pictures[name]
        ]
        return PictureIndex.of(pictures, FEATURES_A_TILE) if pictures else None

    def _board_picture(self, picture: Image, board: BoardDescription) -> Image:
        """The board's picture, TILE_PX pixels for each edge of a tile."""
        scale = TILE_PX / self.description.tile_mm
        size = (round(board.size_mm[0] * scale), round(board.size_mm[1] * scale))
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

    @property
    def turn_matters(self) -> bool:
        """Whether it makes a difference how a tile is turned."""
        return self.description.tile_cells != (1, 1) or self.description.game == "dice-board"

    def cells_of(self, name: str) -> tuple[tuple[str, ...], ...]:
        """What each cell of an upright tile with this face shows."""
        return self._cells[name]

    @property
    def board_offset(self) -> Points:
        """Grid coordinates (1, 2) of the board's top left corner, in tile edges."""
        board = self.description.board
        if board is None:
            return floats([[0, 0]])
        tile = self.description.tile_mm
        first, cell = board.first_cell_mm, board.cell_mm
        return floats([[-(first[0] - cell[0] / 2) / tile, -(first[1] - cell[1] / 2) / tile]])

    @property
    def pitch(self) -> tuple[float, float]:
        """From one tile's middle to the next, to the right and down, in tile edges."""
        board = self.description.board
        if board is None:
            return 1.0, 1.0
        tile = self.description.tile_mm
        return board.cell_mm[0] / tile, board.cell_mm[1] / tile


def _smaller(picture: Image, longer_px: int) -> Image:
    factor = longer_px / max(picture.shape[:2])
    if factor >= 1:
        return picture
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


@lru_cache(maxsize=4)
def known_edition(edition: PicturedEdition) -> KnownEdition:
    """The edition made ready, once for all photos."""
    return KnownEdition(edition)
