"""Check that the parts of a description agree with one another."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from vision.editions.description import BoardDescription, Description
from vision.editions.edition import DescriptionError
from vision.message import Message

LARGEST_TILE: Final = 1.05
"""Maximum edge of a tile in steps between cells; measured by hand, tiles may seem to overlap."""


def check_description(description: Description, where: str) -> None:
    """Refuse a description that contradicts itself.

    Args:
        description: Description of which each value is possible by itself.
        where: Name of the file, for errors.

    Raises:
        DescriptionError: ``description-contradiction``.
    """
    for what in _contradictions(description):
        raise DescriptionError("description-contradiction", what, where)


def _contradictions(description: Description) -> Iterator[Message]:
    high, _ = description.tile_cells  # as many as it is wide
    counts = {"rows": description.rows, "columns": description.columns}
    for what, cells in counts.items():
        if cells % high:
            yield Message(
                "{what} is {cells}, no whole number of tiles of {high} cells: correct {what} or "
                "tile_cells",
                cells=cells,
                what=what,
                high=high,
            )
    yield from _repeated_names(description)
    wanted = {"row_numbers": description.rows, "column_numbers": description.columns}
    for name, values in description.numbers.items():
        if len(values) != wanted.get(name, len(values)):
            yield Message(
                "numbers in {name}: {count}, but there are {wanted}; give one for each",
                name=name,
                count=len(values),
                wanted=wanted[name],
            )
    if description.board is not None:
        yield from _contradictions_of_places(description, description.board)
        yield from _contradictions_of_cells(description, description.board)
    if not description.grid_faces:
        yield Message("no kind of tile is left for the grid: add [[faces]] for its tiles")


def _repeated_names(description: Description) -> Iterator[Message]:
    board = description.board
    pictures = [image for face in description.faces for image in face.images]
    if board is not None and board.image is not None:
        pictures.append(board.image)
    places = () if board is None else board.places_beside
    names = (
        (Message("kind"), [face.name for face in description.faces]),
        (Message("token"), [token.kind for token in description.tokens]),
        # Two names that differ in capitals alone are one file on some disks
        (Message("picture"), [image.lower() for image in pictures]),
        (Message("place beside the cells"), [place.name for place in places]),
    )
    for what, listed in names:
        for name, count in Counter(listed).items():
            if count > 1:
                yield Message(
                    "the {what} {name} stands there {count} times: once only",
                    what=what,
                    name=name,
                    count=count,
                )


def _contradictions_of_places(
    description: Description, board: BoardDescription
) -> Iterator[Message]:
    known = {face.name for face in description.faces}
    for place in board.places_beside:
        for name in place.faces:
            if name not in known:
                yield Message(
                    "the place {place} names the kind {name}, which is not described: add it to "
                    "[[faces]] or correct its name",
                    place=place.name,
                    name=name,
                )
    for heap in board.heaps:
        left, top, right, bottom = heap.area_mm
        if min(right - left, bottom - top) < description.tile_mm:
            yield Message(
                "area_mm of {name} is smaller than a tile: write left, top, right, bottom",
                name=heap.name,
            )


def _contradictions_of_cells(
    description: Description, board: BoardDescription
) -> Iterator[Message]:
    counts = description.columns, description.rows
    for axis, side in enumerate((Message("wide"), Message("high"))):
        last = board.first_cell_mm[axis] + (counts[axis] - 1) * board.cell_mm[axis]
        if last > board.size_mm[axis]:
            yield Message(
                "the last cell lies at {last} mm of a board {board} mm {side}: correct size_mm, "
                "first_cell_mm or cell_mm",
                last=last,
                board=board.size_mm[axis],
                side=side,
            )
        room = board.cell_mm[axis] * description.tile_cells[0]
        if description.tile_mm > LARGEST_TILE * room:
            yield Message(
                "tiles of {tile} mm overlap in cells {room} mm {side}: correct tile_mm or cell_mm",
                tile=description.tile_mm,
                room=room,
                side=side,
            )
