"""Whether the parts of a description agree with one another, and with the game it names."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from vision.boards.description import BoardDescription, Description, Heap, Slots
from vision.boards.edition import DescriptionError

OVERLAP: Final = 1.05
"""Tiles may be larger than the step between cells by so much: nobody measures better."""


@dataclass(frozen=True, slots=True)
class GameFaces:
    """What a description of a game with rules must hold so that its tables can be scored.

    Attributes:
        size: rows and columns of its grid; None: any.
        tile_cells: what a tile covers.
        has_board: whether there is a printed board.
        faces: pattern of the names of faces.
        cells: what cells of a tile may show; empty: whatever a face is called.
    """

    size: tuple[int, int] | None
    tile_cells: tuple[int, int]
    has_board: bool
    faces: re.Pattern[str]
    cells: frozenset[str] = frozenset()


GAME_FACES: Final[Mapping[str, GameFaces]] = {
    "cities": GameFaces(
        (8, 8),
        (2, 2),
        has_board=False,
        faces=re.compile(r"tile-(?:[1-9]|1\d|2[0-4])"),
        cells=frozenset(("sight", "cafe", "park", "water")),
    ),
    "city-blocks": GameFaces(
        (5, 6),
        (1, 1),
        has_board=True,
        faces=re.compile(
            r"(?:blue|red)-(?:house-[1-5]|shop-[2-6]|factory-[3-7]|school|power-plant|mall|court)"
            r"|value-(?:[1-9]|1[0-5])"
        ),
    ),
    "dice-board": GameFaces(
        None,
        (1, 1),
        has_board=True,
        faces=re.compile(r"(?:red|blue|green|yellow)-[a-z0-9_-]+-(?:nw|ne|se|sw)(?:-sight)?"),
    ),
}


def check_description(description: Description, where: str) -> None:
    """Refuse a description that contradicts itself or the game it names.

    Args:
        description: each of its values is possible by itself.
        where: the file, for errors.

    Raises:
        DescriptionError: ``description-contradiction`` or ``description-game``.
    """
    _check_tiles(description, where)
    _check_names(description, where)
    _check_numbers(description, where)
    if description.board is not None:
        _check_board(description, description.board, where)
    if not description.grid_faces:
        raise _contradiction("no face is left for the grid: add [[faces]] for its tiles", where)
    _check_game(description, where)


def _check_tiles(description: Description, where: str) -> None:
    high, _ = description.tile_cells
    for what, cells in (("rows", description.rows), ("columns", description.columns)):
        if cells % high:
            raise _contradiction(
                f"{cells} {what} are no whole number of tiles of {high} cells: "
                f"correct {what} or tile_cells",
                where,
            )


def _check_names(description: Description, where: str) -> None:
    _refuse_repeated("face", (face.name for face in description.faces), where)
    _refuse_repeated("token", (token.kind for token in description.tokens), where)
    pictures = [image for face in description.faces for image in face.images]
    if description.board is not None:
        pictures.append(description.board.image)
    # Two names that differ in capitals alone are one file on some disks
    _refuse_repeated("picture", (image.lower() for image in pictures), where)


def _check_numbers(description: Description, where: str) -> None:
    wanted = {"row_numbers": description.rows, "column_numbers": description.columns}
    for name, values in description.numbers.items():
        if len(values) != wanted.get(name, len(values)):
            raise _contradiction(
                f"{name} holds {len(values)} numbers, but there are {wanted[name]}: "
                "give one for each",
                where,
            )


def _check_board(description: Description, board: BoardDescription, where: str) -> None:
    known = {face.name for face in description.faces}
    places: list[Slots | Heap] = [*board.slots, *board.heaps]
    _refuse_repeated("place beside the cells", (place.name for place in places), where)
    for place in places:
        for name in place.faces:
            if name not in known:
                raise _contradiction(
                    f"the place {place.name} names the face {name}, which is not described: "
                    "add it to [[faces]] or correct its name",
                    where,
                )
    for heap in board.heaps:
        left, top, right, bottom = heap.area_mm
        if right - left < description.tile_mm or bottom - top < description.tile_mm:
            raise _contradiction(
                f"area_mm of {heap.name} is smaller than a tile: write left, top, right, bottom",
                where,
            )
    _check_cells_on_board(description, board, where)


def _check_cells_on_board(description: Description, board: BoardDescription, where: str) -> None:
    counts = description.columns, description.rows
    for axis, side in enumerate(("wide", "high")):
        last = board.first_cell_mm[axis] + (counts[axis] - 1) * board.cell_mm[axis]
        if last > board.size_mm[axis]:
            raise _contradiction(
                f"the last cell lies at {last:g} mm of a board {board.size_mm[axis]:g} mm {side}: "
                "correct size_mm, first_cell_mm or cell_mm",
                where,
            )
        room = board.cell_mm[axis] * description.tile_cells[0]
        if description.tile_mm > OVERLAP * room:
            raise _contradiction(
                f"tiles of {description.tile_mm:g} mm overlap in cells {room:g} mm {side}: "
                "correct tile_mm or cell_mm",
                where,
            )


def _check_game(description: Description, where: str) -> None:
    wanted = GAME_FACES.get(description.game)
    if wanted is None:
        return
    if wanted.size is not None and (description.rows, description.columns) != wanted.size:
        rows, columns = wanted.size
        raise _other_game(f"its grid has {rows} rows and {columns} columns", description, where)
    if description.tile_cells != wanted.tile_cells:
        high, wide = wanted.tile_cells
        raise _other_game(f"its tiles cover {high} x {wide} cells", description, where)
    if (description.board is not None) != wanted.has_board:
        what = "it has a printed board" if wanted.has_board else "its tiles lie free"
        raise _other_game(what, description, where)
    for face in description.faces:
        if wanted.faces.fullmatch(face.name) is None:
            raise _other_game(f"it has no face called {face.name}", description, where)
        shown = {cell for row in face.cells for cell in row}
        if wanted.cells and not shown <= wanted.cells:
            known = ", ".join(sorted(wanted.cells))
            raise _other_game(
                f"{face.name} shows {min(shown - wanted.cells)}, where {known} are known",
                description,
                where,
            )


def _refuse_repeated(what: str, names: Iterable[str], where: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise _contradiction(f"the {what} {name} stands there {count} times: once only", where)


def _contradiction(what: str, where: str) -> DescriptionError:
    return DescriptionError("description-contradiction", what, where)


def _other_game(what: str, description: Description, where: str) -> DescriptionError:
    return DescriptionError(
        "description-game",
        f"this does not fit the game {description.game}, {what}: correct it, "
        'or write game = "reading-only"',
        where,
    )
