"""An edition made ready to be looked for and compared."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, Points, floats
from vision.boards.coarse import CoarseFaces
from vision.boards.features import PictureIndex
from vision.boards.looks import (
    BLOCK_PX,
    STRIDE_PX,
    TILE_PX,
    Looks,
    Windows,
    looks_of,
    softened,
)
from vision.boards.settle import BoardMarks
from vision.boards.tile_locator import LOCATOR_STRIDE_PX, locate
from vision.boards.windows import Sheet
from vision.editions.description import Description
from vision.editions.edition import Edition

P = ParamSpec("P")
T = TypeVar("T")

FEATURES_A_TILE = 120
FEATURES_A_BOARD = 1500
FEATURES_A_SMALL_BOARD = 500
FEATURE_PX = 80
"""Side at which tiles are learned: little larger than photos show them where they are sought."""
BOARD_PX = 800
"""Longer side at which a board is learned: about as large as photos show it where it is sought."""
SMALL_BOARD_PX = 280
SMALL_FEATURE_PX = 56
FEATURES_A_SMALL_TILE = 100
"""The same for small copies of photos, and for heaps."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownFaces:
    """The pictures of some faces in all turns that are allowed.

    Attributes:
        names: of the faces.
        looks: of all pictures in all turns.
        coarse: the same roughly.
        faces: (n,) for each of these the number of its face.
        turns: (n,) and the quarters by which it is turned clockwise.
        meanings: (n,) the same number for the pictures of one face whose turns mean the same.
    """

    names: tuple[str, ...]
    looks: Looks
    coarse: CoarseFaces
    faces: NDArray[np.intp]
    turns: NDArray[np.intp]
    meanings: NDArray[np.intp]


class KnownEdition:
    """What is looked for in photos, and what tiles are compared with."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.kept: dict[Hashable, Any] = {}
        self.description: Description = edition.description
        self._faces = {face.name: face for face in self.description.faces}
        turns = 4 if self.description.turned == "any" else 1
        self._turns = turns
        beside = self.description.beside_faces
        names = [face.name for face in self.description.faces]
        self.in_grid = self._known([name for name in names if name not in beside])
        self.beside = self._known([name for name in names if name in beside])
        board = self.description.board
        self.board_marks: BoardMarks | None = None
        self.board_flat: FloatImage | None = None
        self.board_sheet: Sheet | None = None
        if board is not None and edition.board is not None:
            self.board_marks = BoardMarks.of(
                edition.board,
                (float(self.board_offset[0, 0]), float(self.board_offset[0, 1])),
                (
                    board.size_mm[0] / self.description.tile_mm,
                    board.size_mm[1] / self.description.tile_mm,
                ),
            )
        flat = self.board_picture(TILE_PX)
        if flat is not None:
            self.board_flat = softened(flat)
            self.board_sheet = Sheet(self.board_flat)

    @cached_property
    def tile_index(self) -> PictureIndex | None:
        """The features of free tiles; None: there are none. Made when it is needed, as all are."""
        return self._tile_index(self._free, FEATURE_PX, FEATURES_A_TILE)

    @cached_property
    def small_tile_index(self) -> PictureIndex | None:
        """The same for small copies of photos."""
        return self._tile_index(self._free, SMALL_FEATURE_PX, FEATURES_A_SMALL_TILE)

    @cached_property
    def beside_index(self) -> PictureIndex | None:
        """The features of the pieces that lie beside a board; None: there are none."""
        return self._tile_index(self.beside.names, SMALL_FEATURE_PX, FEATURES_A_SMALL_TILE)

    @cached_property
    def board_index(self) -> PictureIndex | None:
        """The features of the board; None: there is none."""
        return self._board_index(BOARD_PX, FEATURES_A_BOARD)

    @cached_property
    def small_board_index(self) -> PictureIndex | None:
        """The same for small copies of photos."""
        return self._board_index(SMALL_BOARD_PX, FEATURES_A_SMALL_BOARD)

    def make_ready(self) -> None:
        """Make what any photo may need, so that none has to wait for it."""
        for index in ("tile", "small_tile", "beside", "board", "small_board"):
            getattr(self, f"{index}_index")
        network = self.edition.locator
        if network is not None:
            locate(np.zeros((LOCATOR_STRIDE_PX, LOCATOR_STRIDE_PX, 3), np.uint8), network)

    @property
    def _free(self) -> tuple[str, ...]:
        """The names of the faces of free tiles."""
        return self.in_grid.names if self.description.board is None else ()

    def _board_index(self, longer_px: int, most: int) -> PictureIndex | None:
        if self.edition.board is None or self.description.board is None:
            return None
        return PictureIndex.of([_smaller(self.edition.board, longer_px)], most)

    def _known(self, names: list[str]) -> KnownFaces:
        faces: list[int] = []
        pictures: list[FloatImage] = []
        for number, name in enumerate(names):
            for picture in self.edition.pictures[name]:
                small = cv2.resize(picture, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
                pictures.append(softened(np.asarray(small, np.uint8)))
                faces.append(number)
        meanings = [
            [number * 4 + turn for turn in self._meant_turns(name)]
            for number, name in enumerate(names)
        ]
        windows = _in_turns(pictures, TILE_PX, self._turns, STRIDE_PX)
        rough = _in_turns(pictures, TILE_PX // BLOCK_PX, self._turns)
        return KnownFaces(
            tuple(names),
            looks_of(windows),
            CoarseFaces.of(rough),
            np.repeat(np.array(faces, np.intp), self._turns),
            np.tile(np.arange(self._turns), len(faces)),
            np.array(meanings, np.intp)[faces].reshape(-1),
        )

    def _meant_turns(self, name: str) -> list[int]:
        """For each turn that is allowed the first one that means the same."""
        if name in self.description.beside_faces:
            return [0] * self._turns
        face = self._faces[name]
        return [self.description.meant_turn(face, turn) for turn in range(self._turns)]

    def _tile_index(
        self, names: tuple[str, ...], side_px: int, most_each: int
    ) -> PictureIndex | None:
        pictures = [
            _smaller(picture, side_px) for name in names for picture in self.edition.pictures[name]
        ]
        return PictureIndex.of(pictures, most_each) if pictures else None

    def board_picture(self, tile_px: int) -> Image | None:
        """The empty board, so many pixels for each edge of a tile; None: there is none."""
        board, picture = self.description.board, self.edition.board
        if board is None or picture is None:
            return None
        scale = tile_px / self.description.tile_mm
        size = (round(board.size_mm[0] * scale), round(board.size_mm[1] * scale))
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

    def cells_of(self, name: str) -> tuple[tuple[str, ...], ...]:
        """What each cell of an upright tile with this face shows."""
        return self._faces[name].cells

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
        (down, across), tile = self.description.tile_cells, self.description.tile_mm
        return board.cell_mm[0] * across / tile, board.cell_mm[1] * down / tile


def _in_turns(pictures: Sequence[FloatImage], side: int, turns: int, stride: int = 1) -> Windows:
    """Every so many-th pixel of pictures brought to a size, each turned by 0, 1, … quarters."""
    small = [
        cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA) for picture in pictures
    ]
    upright = np.array(small, np.float32).reshape(-1, side, side, 3).transpose(0, 3, 1, 2)
    turned = [np.rot90(upright, -turn, axes=(2, 3)) for turn in range(turns)]
    sampled = np.stack([windows[:, :, ::stride, ::stride] for windows in turned], axis=1)
    return sampled.reshape(-1, *sampled.shape[2:])


def _smaller(picture: Image, longer_px: int) -> Image:
    factor = longer_px / max(picture.shape[:2])
    if factor >= 1:
        return picture
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def kept(
    make: Callable[Concatenate[KnownEdition, P], T],
) -> Callable[Concatenate[KnownEdition, P], T]:
    """What is made of an edition only once, and is forgotten together with it."""

    @wraps(make)
    def once(known: KnownEdition, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = (make, args, tuple(sorted(kwargs.items())) if kwargs else ())
        try:
            value: T = known.kept[key]
        except KeyError:
            value = known.kept[key] = make(known, *args, **kwargs)
        return value

    return once


@kept
def cells_turned(known: KnownEdition, face: str, turn: int) -> tuple[tuple[str, ...], ...]:
    """What each cell of a tile with this face, so many quarters turned clockwise, shows."""
    cells = np.array(known.cells_of(face), dtype=object)
    return tuple(tuple(row) for row in np.rot90(cells, -turn).tolist())


@lru_cache(maxsize=2)
def known_edition(edition: Edition) -> KnownEdition:
    """The edition made ready, once for all photos."""
    return KnownEdition(edition)
