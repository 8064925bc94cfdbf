"""What a person says about single places: ``A:2,3=park``, ``row:2=value-7``.

    [CITY:]ROW,COL=FACE            what lies on a cell; ``none``: nothing
    [CITY:]tourist:ROW,COL=yes|no  whether a figure stands there; or of which kind
    [CITY:]NAME:NUMBER=FACE        a piece in a slot or heap; ``none``: nothing

The letter may be left out where there is one city or board. The number behind the last piece of
a heap adds one to it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from firmware import quads
from firmware.board_games.spots import Spot, What, figure_word
from firmware.corrections import NO_TILE
from firmware.errors import UsageError, suggestion
from scoring.faces import city_name
from vision.boards.description import Description, Heap, Slots
from vision.reading import LoosePiece, Reading, GridReading, Figure
from vision.reading import Quad

T = TypeVar("T")

YES: Final = "yes"
NO: Final = "no"
_ANY_FIGURE: Final = "token"

_CORRECTION: Final = re.compile(
    r"(?:(?P<grid>[A-Za-z]):)?"
    r"(?:(?P<name>[A-Za-z][A-Za-z0-9_-]+):)?"
    r"(?P<first>[0-9]{1,3})(?:,(?P<second>[0-9]{1,3}))?=(?P<said>\S+)"
)


@dataclass(frozen=True, slots=True)
class BoardCorrection:
    """What is at one place, whatever the eye says.

    Attributes:
        grid: letter of the city or board; empty: the only one.
        what: is corrected.
        at: row and column; of ``BESIDE`` the name of the slots or heap and the number.
        said: a face, a kind of figure, ``YES`` for a figure of the usual kind; None: nothing.
        text: as it was written.
    """

    grid: str
    what: What
    at: tuple[int, int] | tuple[str, int]
    said: str | None
    text: str


def parse_board_correction(text: str, description: Description) -> BoardCorrection:
    """Read a correction of a game.

    Raises:
        UsageError: ``correction-malformed``, ``correction-unknown-place`` or
            ``correction-unknown-face``.
    """
    match = _CORRECTION.fullmatch(text.strip())
    figures = {figure_word(description), _ANY_FIGURE} if description.tokens else set()
    name = "" if match is None else (match["name"] or "").lower()
    is_cell = not name or name in figures
    if match is None or is_cell != (match["second"] is not None):
        raise UsageError(
            "correction-malformed",
            f"this is no correction: write {_forms(description)}",
            f"--set {text}",
        )
    said = match["said"].lower()
    grid, first = (match["grid"] or "").upper(), int(match["first"])
    if not is_cell:
        face = _face(said, _faces_beside(name, description, text), text)
        return BoardCorrection(grid, What.BESIDE, (name, first), face, text)
    cell = first, int(match["second"])
    if name:
        return BoardCorrection(grid, What.TOKEN, cell, _figure(said, description, text), text)
    return BoardCorrection(grid, What.TILE, cell, _face(said, cell_names(description), text), text)


def cell_names(description: Description) -> tuple[str, ...]:
    """What a cell may show."""
    names = (name for face in description.grid_faces for row in face.cells for name in row)
    return tuple(dict.fromkeys(names))


def apply_board_corrections(
    reading: Reading, description: Description, corrections: Sequence[BoardCorrection]
) -> tuple[Reading, frozenset[Spot]]:
    """The reading with what a person has said, and the places that are settled by it.

    These are no longer unsure. A later correction of the same place replaces an earlier one.

    Raises:
        UsageError: ``correction-unknown-city``, ``correction-off-grid`` or
            ``correction-no-place``.
    """
    grids = list(reading.grids)
    settled = set()
    for correction in corrections:
        index = _grid_index(correction, len(grids))
        spot = Spot(correction.what, index, correction.at)
        grid = grids[index]
        if correction.what is What.BESIDE:
            grids[index] = _with_piece(grid, spot, correction, description)
        else:
            _check_cell(grid, correction)
            is_tile = correction.what is What.TILE
            changed = _with_cell if is_tile else _with_figure
            grids[index] = changed(grid, spot, correction.said, description)
        settled.add(spot)
    return replace(reading, grids=tuple(grids)), frozenset(settled)


def _forms(description: Description) -> str:
    forms = ["A:ROW,COL=FACE"]
    if description.tokens:
        forms.append(f"A:{figure_word(description)}:ROW,COL={YES} or ={NO}")
    forms += [f"{place.name}:NUMBER=FACE" for place in _places_beside(description)[:1]]
    return ", ".join(forms)


def _places_beside(description: Description) -> tuple[Slots | Heap, ...]:
    board = description.board
    return () if board is None else (*board.slots, *board.heaps)


def _faces_beside(name: str, description: Description, text: str) -> tuple[str, ...]:
    known = {place.name: place.faces for place in _places_beside(description)}
    if name not in known:
        names = [*known, *([figure_word(description)] if description.tokens else [])]
        raise UsageError(
            "correction-unknown-place",
            f"there is no place {name}: {suggestion(name, names)}"
            if names
            else f"there is no place {name}: write {_forms(description)}",
            f"--set {text}",
        )
    return known[name]


def _face(said: str, names: Sequence[str], text: str) -> str | None:
    if said == NO_TILE:
        return None
    if said not in names:
        raise UsageError(
            "correction-unknown-face",
            f"there is no face {said} here: {suggestion(said, [*names, NO_TILE])}",
            f"--set {text}",
        )
    return said


def _figure(said: str, description: Description, text: str) -> str | None:
    if said in (NO, NO_TILE):
        return None
    kinds = [token.kind for token in description.tokens]
    full = f"{figure_word(description)}-{said}"
    if said != YES and said not in kinds and full not in kinds:
        raise UsageError(
            "correction-unknown-face",
            f"there is no figure {said}: {suggestion(said, [YES, NO, *kinds])}",
            f"--set {text}",
        )
    return full if full in kinds else said


def _grid_index(correction: BoardCorrection, count: int) -> int:
    index = 0 if not correction.grid else ord(correction.grid) - ord("A")
    is_named = bool(correction.grid) or count == 1
    if is_named and index < count:
        return index
    known = ", ".join(city_name(other) for other in range(count)) or "none"
    missing = "say of which city" if not is_named else f"there is no city {correction.grid}"
    raise UsageError(
        "correction-unknown-city",
        f"{missing}: the photo has {known}",
        f"--set {correction.text}",
    )


def _check_cell(grid: GridReading, correction: BoardCorrection) -> None:
    rows, columns = len(grid.grid), len(grid.grid[0])
    row, column = correction.at
    if int(row) >= rows or column >= columns:
        raise UsageError(
            "correction-off-grid",
            f"row {row}, column {column} is outside: "
            f"rows count from 0 to {rows - 1}, columns from 0 to {columns - 1}",
            f"--set {correction.text}",
        )


def _with_cell(
    grid: GridReading, spot: Spot, face: str | None, description: Description
) -> GridReading:
    """A cell that shows something else than its tile makes number and turn of that unknown."""
    row, column = spot.cell
    height, width = description.tile_cells
    is_same = grid.grid[row][column] == face
    tile = row // height, column // width
    covers_one = description.tile_cells == (1, 1)
    return replace(
        grid,
        grid=_changed(grid.grid, spot.cell, face),
        confidence=_changed(grid.confidence, spot.cell, 1.0),
        tiles=grid.tiles if is_same else _changed(grid.tiles, tile, face if covers_one else None),
        turns=grid.turns if is_same else _changed(grid.turns, tile, None),
        unsure=tuple(cell for cell in grid.unsure if cell != spot.cell),
        alternatives={at: names for at, names in grid.alternatives.items() if at != spot.cell},
    )


def _with_figure(
    grid: GridReading, spot: Spot, said: str | None, description: Description
) -> GridReading:
    there = next((token for token in grid.tokens if token.at == spot.cell), None)
    tokens = [token for token in grid.tokens if token.at != spot.cell]
    if said is not None:
        others = [token.kind for token in grid.tokens]
        usual = max(others, key=others.count) if others else description.tokens[0].kind
        kind = said
        if said == YES:
            kind = usual if there is None else there.kind
        size = len(grid.grid), len(grid.grid[0])
        middle_px = quads.middle(quads.even_share(grid.corners_px, size, spot.cell))
        foot_px = middle_px if there is None else there.foot_px
        tokens.append(Figure(spot.cell, kind, foot_px))
    return replace(
        grid,
        tokens=tuple(sorted(tokens, key=lambda token: token.at)),
        unsure_figures=tuple(cell for cell in grid.unsure_figures if cell != spot.cell),
    )


def _with_piece(
    grid: GridReading, spot: Spot, correction: BoardCorrection, description: Description
) -> GridReading:
    name, number = spot.piece
    _check_piece(grid, spot, correction, description)
    others = [piece for piece in grid.beside if (piece.place, piece.number) != spot.piece]
    there = [piece for piece in grid.beside if (piece.place, piece.number) == spot.piece]
    if correction.said is not None:
        corners = there[0].corners_px if there else _nowhere(grid)
        others.append(LoosePiece(name, number, correction.said, corners, 1.0))
    return replace(
        grid,
        beside=tuple(sorted(others, key=lambda piece: (piece.place, piece.number))),
        unsure_slots=tuple(slot for slot in grid.unsure_slots if slot != spot.piece),
    )


def _check_piece(
    grid: GridReading, spot: Spot, correction: BoardCorrection, description: Description
) -> None:
    name, number = spot.piece
    slots = () if description.board is None else description.board.slots
    counts = {each.name: each.count for each in slots}
    in_heap = [piece.number for piece in grid.beside if piece.place == name]
    unread = [number for place, number in grid.unsure_slots if place == name]
    most = counts.get(name, max([-1, *in_heap, *unread]) + 2)
    if number >= most:
        raise UsageError(
            "correction-no-place",
            f"there is no {name} {number}: they count from 0 to {most - 1}",
            f"--set {correction.text}",
        )


def _nowhere(grid: GridReading) -> Quad:
    """For a piece that the eye has not seen: a point, so that nothing is drawn there."""
    middle = grid.centre_px
    return middle, middle, middle, middle


def _changed(
    rows: tuple[tuple[T, ...], ...], cell: tuple[int, int], value: T
) -> tuple[tuple[T, ...], ...]:
    return tuple(
        tuple(value if (row, column) == cell else old for column, old in enumerate(line))
        for row, line in enumerate(rows)
    )
