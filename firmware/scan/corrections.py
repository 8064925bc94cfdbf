"""Corrections of single places by a person, like ``A:3,4=park``, ``row:2=value-7``.

    [CITY:]ROW,COL=FACE            what lies on a cell; ``none``: nothing
    [CITY:]tourist:ROW,COL=yes|no  whether a figure stands there; or of which kind
    [CITY:]NAME:NUMBER=FACE        a piece in a slot or heap; ``none``: nothing

The letter may be left out where there is one city or board. The number behind the last piece of
a heap adds one to it. If a piece is taken away, those behind it keep their numbers, and its number
is free for another one. People count from 1, see ``firmware.wording.places``.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from firmware.base import photo_quads
from firmware.base.errors import UsageError, as_typed, suggest_name
from firmware.base.language import _
from firmware.wording.places import ANY_FIGURE, Naming, figure_word
from scoring.faces import Cell, city_name
from vision.editions.description import Description, Heap, Slots
from vision.reading import Figure, GridReading, LoosePiece, Place, PlaceKind, Reading

T = TypeVar("T")

NO_TILE: Final = "none"
"""Word for an empty place, instead of a face."""
YES: Final = "yes"
NO: Final = "no"
_PLACE: Final = re.compile(
    r"(?:(?P<letters>[A-Za-z]{1,2}):)?"
    r"(?:(?P<name>[A-Za-z][A-Za-z0-9_-]+):)?"
    r"(?P<first>[0-9]{1,3})(?:,(?P<second>[0-9]{1,3}))?"
)


@dataclass(frozen=True, slots=True)
class Correction:
    """Correction of one place.

    Attributes:
        place: Place that it is about.
        content: Face, kind of figure, or ``YES`` for a figure of the most frequent kind; None for
            an empty place.
        written: Text that it was parsed from, for errors; empty if it was not written.
        lettered: Whether it names the city or board; else the only one is meant.
        is_from_earlier: Whether it was taken over from an earlier scan of the table.
        read_as: Face or kind of figure that the eye read there when a person answered, ``NO_TILE``
            for nothing; None if unknown.
    """

    place: Place
    content: str | None
    written: str = ""
    lettered: bool = True
    is_from_earlier: bool = False
    read_as: str | None = field(default=None, compare=False)


def correction_text(correction: Correction, naming: Naming) -> str:
    """Return a correction as ``--set`` takes it and as it is stored: ``A:3,4=park``."""
    content = correction.content
    return naming.correction(correction.place, NO_TILE if content is None else content)


def parse_correction(text: str, description: Description) -> Correction:
    """Parse a correction.

    Raises:
        UsageError: ``correction-malformed``, ``correction-unknown-place`` or
            ``correction-unknown-face``.
    """
    where = as_typed("--set", text)
    written, _equals, answer = text.strip().rpartition("=")
    has_face = bool(answer) and not any(map(str.isspace, answer))
    parsed = _parse_place(written.strip(), description) if has_face else None
    if parsed is None:
        forms = _forms(description)
        raise UsageError(
            "correction-malformed",
            "this is no correction: write {forms}; rows and columns count from 1",
            where,
            forms=forms,
        )
    (place, lettered), answer = parsed, answer.lower()
    if place.kind is PlaceKind.LOOSE:
        face = _face(answer, _loose_faces(place.piece[0], description, where), where)
    elif place.kind is PlaceKind.FIGURE:
        face = _figure_kind(answer, description, where)
    else:
        face = _face(answer, cell_names(description), where)
    return Correction(place, face, text, lettered)


def parse_place(text: str, description: Description) -> Place | None:
    """Parse the place of a correction, such as ``A:3,4``; return None if it names no place.

    Without a letter the first city or board is meant.
    """
    parsed = _parse_place(text.strip(), description)
    return None if parsed is None else parsed[0]


def _parse_place(text: str, description: Description) -> tuple[Place, bool] | None:
    """Return the place, and whether a letter names its grid."""
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    letters, name = (match["letters"] or "").upper(), (match["name"] or "").lower()
    numbers = [int(number) - 1 for number in (match["first"], match["second"]) if number]
    is_figure = bool(description.tokens) and name in (figure_word(description), ANY_FIGURE)
    is_cell = not name or is_figure
    if min(numbers) < 0 or is_cell != (len(numbers) == 2):
        return None
    grid = index_of_letters(letters) if letters else 0
    if not is_cell:
        return Place(PlaceKind.LOOSE, grid, (name, numbers[0])), bool(letters)
    kind = PlaceKind.FIGURE if is_figure else PlaceKind.TILE
    return Place(kind, grid, (numbers[0], numbers[1])), bool(letters)


def unknown_places(
    reading: Reading, description: Description, places: Iterable[Place]
) -> frozenset[Place]:
    """Return the places that a reading does not have.

    It has the cells within its grids, the slots, and the pieces of its heaps with a number behind
    the last one. If that number is among the places, the next one is known as well, and so on.
    """
    unknown = set()
    counts = [places_beside(grid, description) for grid in reading.grids]
    heaps = () if description.board is None else {heap.name for heap in description.board.heaps}
    for place in sorted(places, key=lambda place: place.at[1]):  # the pieces by their numbers
        if not 0 <= place.grid < len(reading.grids):
            unknown.add(place)
        elif place.kind is PlaceKind.LOOSE:
            name, number = place.piece
            count = counts[place.grid].get(name, 0)
            if number >= count:
                unknown.add(place)
            elif name in heaps:
                counts[place.grid][name] = max(count, number + 2)
        else:
            (rows, columns), (row, column) = reading.grids[place.grid].size, place.cell
            if row >= rows or column >= columns:
                unknown.add(place)
    return frozenset(unknown)


def has_place(reading: Reading, description: Description, place: Place) -> bool:
    """Return whether a reading has a place, see ``unknown_places``."""
    return not unknown_places(reading, description, [place])


def cell_names(description: Description) -> tuple[str, ...]:
    """Return the names that a cell may show."""
    names = (name for face in description.grid_faces for row in face.cells for name in row)
    return tuple(dict.fromkeys(names))


def names_at(place: Place, description: Description) -> tuple[str, ...]:
    """Return the names of all faces or kinds of figures that may be at a place."""
    if place.kind is PlaceKind.TILE:
        return cell_names(description)
    if place.kind is PlaceKind.FIGURE:
        return tuple(token.kind for token in description.tokens)
    name = place.piece[0]
    return next((each.faces for each in _loose_places(description) if each.name == name), ())


def apply_corrections(
    reading: Reading, description: Description, corrections: Sequence[Correction]
) -> tuple[Reading, frozenset[Place]]:
    """Apply corrections to a reading; return it with the places that they settle.

    Settled places are no longer unsure, and notes about them alone are dropped. A later correction
    of the same place replaces an earlier one; apart from that their order does not matter. A piece
    of any number is put into a heap, see ``check_pieces``.

    Raises:
        UsageError: ``correction-unknown-city`` or ``correction-off-grid``.
    """
    grids = list(reading.grids)
    settled = set()
    for correction in corrections:
        _check_grid(correction, len(grids))
        place, index = correction.place, correction.place.grid
        grid = grids[index]
        if place.kind is PlaceKind.LOOSE:
            grids[index] = _with_piece(grid, correction)
        else:
            _check_cell(grid, correction)
            change = _with_tile if place.kind is PlaceKind.TILE else _with_figure
            grids[index] = change(grid, place.cell, correction.content, description)
        settled.add(place)
    return replace(reading, grids=tuple(grids)), frozenset(settled)


def check_pieces(
    reading: Reading, description: Description, corrections: Sequence[Correction]
) -> None:
    """Refuse corrections of pieces beside the cells that a reading does not have.

    Raises:
        UsageError: ``correction-no-place``.
    """
    loose = [each for each in corrections if each.place.kind is PlaceKind.LOOSE]
    unknown = unknown_places(reading, description, [each.place for each in loose])
    for correction in loose:
        place = correction.place
        if place not in unknown or place.grid >= len(reading.grids):
            continue
        name, number = place.piece
        raise UsageError(
            "correction-no-place",
            "there is no {name} {number}: they count from 1 to {count}",
            as_typed("--set", correction.written),
            name=name,
            number=number + 1,
            count=places_beside(reading.grids[place.grid], description)[name],
        )


def _forms(description: Description) -> str:
    forms = [
        _("A:ROW,COL=FACE, like {example}").format(example=f"A:3,4={cell_names(description)[0]}")
    ]
    if description.tokens:
        forms.append(
            _("A:{figure}:ROW,COL={yes} or ={no}").format(
                figure=figure_word(description), yes=YES, no=NO
            )
        )
    forms += [
        _("{place}:NUMBER=FACE").format(place=place.name)
        for place in _loose_places(description)[:1]
    ]
    return ", ".join(forms)


def _loose_places(description: Description) -> tuple[Slots | Heap, ...]:
    board = description.board
    return () if board is None else (*board.slots, *board.heaps)


def _loose_faces(name: str, description: Description, where: str) -> tuple[str, ...]:
    known = {place.name: place.faces for place in _loose_places(description)}
    if name in known:
        return known[name]
    names = [*known, *([figure_word(description)] if description.tokens else [])]
    if not names:
        raise UsageError(
            "correction-unknown-place",
            "there is no place {name}: write {forms}",
            where,
            name=name,
            forms=_forms(description),
        )
    raise UsageError(
        "correction-unknown-place",
        "there is no place {name}: {advice}",
        where,
        name=name,
        advice=suggest_name(name, names),
    )


def _face(written: str, names: Sequence[str], where: str) -> str | None:
    if written == NO_TILE:
        return None
    if written not in names:
        raise UsageError(
            "correction-unknown-face",
            "there is no kind {name} here: {advice}",
            where,
            name=written,
            advice=suggest_name(written, [*names, NO_TILE]),
        )
    return written


def _figure_kind(kind: str, description: Description, where: str) -> str | None:
    if kind in (NO, NO_TILE):
        return None
    kinds = [token.kind for token in description.tokens]
    full = f"{figure_word(description)}-{kind}"
    if kind != YES and kind not in kinds and full not in kinds:
        raise UsageError(
            "correction-unknown-face",
            "there is no figure {name}: {advice}",
            where,
            name=kind,
            advice=suggest_name(kind, [YES, NO, *kinds]),
        )
    return full if full in kinds else kind


def index_of_letters(letters: str) -> int:
    """Return the index of a grid by its letters: A, B, … Z, AA, AB."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _check_grid(correction: Correction, count: int) -> None:
    grid = correction.place.grid
    if (correction.lettered or count == 1) and grid < count:
        return
    known = ", ".join(city_name(other) for other in range(count))
    where = as_typed("--set", correction.written)
    if not known:
        raise UsageError(
            "correction-unknown-city", "the photo has no city or board: take another one", where
        )
    if not correction.lettered:
        raise UsageError(
            "correction-unknown-city",
            "say of which city: the photo has {known}",
            where,
            known=known,
        )
    raise UsageError(
        "correction-unknown-city",
        "there is no city {letters}: the photo has {known}",
        where,
        letters=city_name(grid),
        known=known,
    )


def _check_cell(grid: GridReading, correction: Correction) -> None:
    rows, columns = grid.size
    row, column = correction.place.cell
    if row >= rows or column >= columns:
        raise UsageError(
            "correction-off-grid",
            "row {row}, column {column} is outside: the last ones are row {rows}, column {columns}",
            as_typed("--set", correction.written),
            row=row + 1,
            column=column + 1,
            rows=rows,
            columns=columns,
        )


def _with_tile(
    grid: GridReading, cell: Cell, face: str | None, description: Description
) -> GridReading:
    """Set the face of a cell; if it was read otherwise, tile and turn become unknown."""
    height, width = description.tile_cells
    is_same = grid.face(cell) == face
    tile = cell[0] // height, cell[1] // width
    covers_one = description.tile_cells == (1, 1)
    here = Place(PlaceKind.TILE, 0, cell)  # notes within a grid count it as grid 0
    return replace(
        grid,
        faces=_with_value(grid.faces, cell, face),
        confidence=_with_value(grid.confidence, cell, 1.0),
        tiles=grid.tiles
        if is_same
        else _with_value(grid.tiles, tile, face if covers_one else None),
        turns=grid.turns if is_same else _with_value(grid.turns, tile, None),
        unsure=tuple(other for other in grid.unsure if other != cell),
        alternatives={at: names for at, names in grid.alternatives.items() if at != cell},
        notes=tuple(note for note in grid.notes if note.places != (here,)),
    )


def _with_figure(
    grid: GridReading, cell: Cell, answer: str | None, description: Description
) -> GridReading:
    there = grid.figure(cell)
    figures = [figure for figure in grid.figures if figure.at != cell]
    if answer is not None:
        others = [figure.kind for figure in grid.figures]
        frequent = max(others, key=others.count) if others else description.tokens[0].kind
        kind = answer
        if answer == YES:
            kind = frequent if there is None else there.kind
        middle_px = photo_quads.quad_centre(photo_quads.cell_quad(grid.corners_px, grid.size, cell))
        figures.append(Figure(cell, kind, middle_px if there is None else there.foot_px))
    return replace(
        grid,
        figures=tuple(sorted(figures, key=lambda figure: figure.at)),
        unsure_figures=tuple(other for other in grid.unsure_figures if other != cell),
    )


def _with_piece(grid: GridReading, correction: Correction) -> GridReading:
    place = correction.place
    name, number = place.piece
    there = grid.piece(place.piece)
    others = [piece for piece in grid.loose if piece is not there]
    if correction.content is not None:
        # A piece that the eye has not seen gets a point, so that nothing is drawn there
        nowhere = (grid.centre_px,) * 4
        corners = nowhere if there is None else there.corners_px
        others.append(LoosePiece(name, number, correction.content, corners, 1.0))
    return replace(
        grid,
        loose=tuple(sorted(others, key=lambda piece: piece.key)),
        unsure_slots=tuple(slot for slot in grid.unsure_slots if slot != place.piece),
    )


def places_beside(grid: GridReading, description: Description) -> dict[str, int]:
    """Return how many numbers each row of slots and each heap has, by its name.

    A heap has one number beyond its last piece, by which a piece is added.
    """
    if description.board is None:
        return {}
    numbers = [piece.key for piece in grid.loose]
    numbers += grid.unsure_slots
    heaps = {
        heap.name: 2 + max((n for place, n in numbers if place == heap.name), default=-1)
        for heap in description.board.heaps
    }
    return {slots.name: slots.count for slots in description.board.slots} | heaps


def _with_value(rows: tuple[tuple[T, ...], ...], cell: Cell, value: T) -> tuple[tuple[T, ...], ...]:
    row, column = cell
    line = rows[row]
    return (*rows[:row], (*line[:column], value, *line[column + 1 :]), *rows[row + 1 :])
