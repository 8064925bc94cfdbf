"""Whether the parts of a description agree with one another."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from vision.editions.description import BoardDescription, Description, Heap, Slots
from vision.editions.edition import DescriptionError
from vision.errors import Message

OVERLAP: Final = 1.05
"""Tiles may be larger than the step between cells by so much: nobody measures better."""


def check_description(description: Description, where: str) -> None:
    """Refuse a description that contradicts itself.

    Args:
        description: each of its values is possible by itself.
        where: the file, for errors.

    Raises:
        DescriptionError: ``description-contradiction``.
    """
    _check_tiles(description, where)
    _check_names(description, where)
    _check_numbers(description, where)
    if description.board is not None:
        _check_board(description, description.board, where)
    if not description.grid_faces:
        raise _contradiction(
            Message("no face is left for the grid: add [[faces]] for its tiles"), where
        )


def _check_tiles(description: Description, where: str) -> None:
    high, _ = description.tile_cells
    for what, cells in (("rows", description.rows), ("columns", description.columns)):
        if cells % high:
            raise _contradiction(
                Message(
                    "{cells} {what} are no whole number of tiles of {high} cells: correct {what} "
                    "or tile_cells",
                    cells=cells,
                    what=what,
                    high=high,
                ),
                where,
            )


def _check_names(description: Description, where: str) -> None:
    _refuse_repeated(Message("face"), (face.name for face in description.faces), where)
    _refuse_repeated(Message("token"), (token.kind for token in description.tokens), where)
    pictures = [image for face in description.faces for image in face.images]
    if description.board is not None and description.board.image is not None:
        pictures.append(description.board.image)
    # Two names that differ in capitals alone are one file on some disks
    _refuse_repeated(Message("picture"), (image.lower() for image in pictures), where)


def _check_numbers(description: Description, where: str) -> None:
    wanted = {"row_numbers": description.rows, "column_numbers": description.columns}
    for name, values in description.numbers.items():
        if len(values) != wanted.get(name, len(values)):
            raise _contradiction(
                Message(
                    "{name} holds {count} numbers, but there are {wanted}: give one for each",
                    name=name,
                    count=len(values),
                    wanted=wanted[name],
                ),
                where,
            )


def _check_board(description: Description, board: BoardDescription, where: str) -> None:
    known = {face.name for face in description.faces}
    places: list[Slots | Heap] = [*board.slots, *board.heaps]
    _refuse_repeated(Message("place beside the cells"), (place.name for place in places), where)
    for place in places:
        for name in place.faces:
            if name not in known:
                raise _contradiction(
                    Message(
                        "the place {place} names the face {name}, which is not described: add it "
                        "to [[faces]] or correct its name",
                        place=place.name,
                        name=name,
                    ),
                    where,
                )
    for heap in board.heaps:
        left, top, right, bottom = heap.area_mm
        if right - left < description.tile_mm or bottom - top < description.tile_mm:
            raise _contradiction(
                Message(
                    "area_mm of {name} is smaller than a tile: write left, top, right, bottom",
                    name=heap.name,
                ),
                where,
            )
    _check_cells_on_board(description, board, where)


def _check_cells_on_board(description: Description, board: BoardDescription, where: str) -> None:
    counts = description.columns, description.rows
    for axis, side in enumerate((Message("wide"), Message("high"))):
        last = board.first_cell_mm[axis] + (counts[axis] - 1) * board.cell_mm[axis]
        if last > board.size_mm[axis]:
            raise _contradiction(
                Message(
                    "the last cell lies at {last} mm of a board {board} mm {side}: correct "
                    "size_mm, first_cell_mm or cell_mm",
                    last=f"{last:g}",
                    board=f"{board.size_mm[axis]:g}",
                    side=side,
                ),
                where,
            )
        room = board.cell_mm[axis] * description.tile_cells[0]
        if description.tile_mm > OVERLAP * room:
            raise _contradiction(
                Message(
                    "tiles of {tile} mm overlap in cells {room} mm {side}: correct tile_mm or "
                    "cell_mm",
                    tile=f"{description.tile_mm:g}",
                    room=f"{room:g}",
                    side=side,
                ),
                where,
            )


def _refuse_repeated(what: str, names: Iterable[str], where: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise _contradiction(
                Message(
                    "the {what} {name} stands there {count} times: once only",
                    what=what,
                    name=name,
                    count=count,
                ),
                where,
            )


def _contradiction(what: str, where: str) -> DescriptionError:
    return DescriptionError("description-contradiction", what, where)
