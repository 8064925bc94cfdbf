"""The parts of ground truth files that are alike for all games, read and checked."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scoring.faces import Cell
from vision.errors import VisionError
from vision.reading import Quad
from vision.regular_file import read_start

NETWORK_GAME: Final = "between-two-cities"
"""The game of a file that names none."""
TEACH: Final = "teach"
NO_CONDITION: Final = "unnamed"
_MAX_BYTES: Final = 8_000_000
_MOST_WHITE: Final = 0.5
"""Share of a cell, and of the cells, from which on too little is left to read."""


class TruthError(VisionError, ValueError):
    """A file of ground truth that cannot be used."""


@dataclass(frozen=True, slots=True)
class TruthFile:
    """A file of ground truth whose cities are not looked into yet.

    Attributes:
        where: the file, for errors.
        photo: path of the photo.
        condition: under which it was taken.
        cities: entries, none where it is no table.
        keys: all of the file.
        is_table: whether it has grids to find, rather than faces to learn.
    """

    where: str
    photo: Path
    condition: str
    cities: tuple[object, ...]
    keys: Mapping[str, Any]
    is_table: bool = True


def read_json(path: Path) -> object:
    """What a file of ground truth holds.

    Raises:
        TruthError: ``truth-unreadable`` or ``truth-not-usable``.
    """
    where = str(path)
    try:
        data = read_start(path, _MAX_BYTES + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TruthError(
            "truth-unreadable", f"the truth cannot be read ({why}): check the file", where
        ) from error
    if len(data) > _MAX_BYTES:
        raise unusable("it is no truth of a photo, so large it is", where)
    try:
        given: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise unusable("it is not JSON", where) from error
    return given


def parse_file(given: object, path: Path, game: str) -> TruthFile:
    """What is alike for all games.

    Args:
        given: as ``read_json`` returned it.
        path: of the file, for the errors and because the photo lies beside it.
        game: of which it must be.

    Raises:
        TruthError: ``truth-not-usable``.
    """
    where = str(path)
    if not isinstance(given, dict):
        raise unusable("it is not a JSON object", where)
    photo = given.get("photo")
    if not isinstance(photo, str) or not photo or Path(photo).name != photo:
        raise unusable("photo must be the name of a file in the same folder", where)
    if given.get("game", NETWORK_GAME) != game:
        raise unusable(f"game must be {game}", where)
    condition = given.get("subset", NO_CONDITION)
    if not isinstance(condition, str):
        raise unusable("subset must be a text", where)
    if given.get("kind") == TEACH:
        return TruthFile(where, path.parent / photo, condition, (), given, is_table=False)
    cities = given.get("cities")
    if not isinstance(cities, list):
        raise unusable("cities must be a list", where)
    return TruthFile(where, path.parent / photo, condition, tuple(cities), given)


def city_keys(given: object, place: str, where: str) -> Mapping[str, Any]:
    """The keys of a city."""
    if not isinstance(given, dict):
        raise unusable(f"{place} must be an object", where)
    return given


def rows_of_equal_length(given: object, place: str, where: str) -> list[list[object]]:
    """Rows of a grid, which has at least one cell."""
    rows = given if isinstance(given, list) else []
    if not rows or not all(isinstance(row, list) and row for row in rows):
        raise unusable(f"{place} must be rows of faces", where)
    if len({len(row) for row in rows}) != 1:
        raise unusable(f"the rows of {place} must be equally long", where)
    return rows


def parse_quad(given: object, place: str, where: str) -> Quad:
    """Four points."""
    points = given if isinstance(given, list) else []
    if len(points) != 4 or not all(_is_point(point) for point in points):
        raise unusable(f"{place} must be four points [x, y]", where)
    quad = tuple((float(x), float(y)) for x, y in points)
    if math.dist(quad[0], quad[1]) < 1:
        raise unusable(f"{place} must be a quad with an upper edge", where)
    return quad[0], quad[1], quad[2], quad[3]


def parse_cells(
    city: Mapping[str, Any], key: str, size: tuple[int, int], place: str, where: str
) -> frozenset[Cell]:
    """An optional list of cells of a grid of so many rows and columns."""
    given = city.get(key, [])
    cells = given if isinstance(given, list) else [None]
    if not all(is_cell(cell, size) for cell in cells):
        raise unusable(f"{place}.{key} must list cells [row, column] of the grid", where)
    return frozenset((cell[0], cell[1]) for cell in cells if cell)


def is_washed_out(city: Mapping[str, Any], size: tuple[int, int], place: str, where: str) -> bool:
    """Whether half or more of the cells are half or more white with light, by ``blown_share``."""
    cells = size[0] * size[1]
    given = city.get("blown_share", [0] * cells)
    shares = given if isinstance(given, list) else []
    if len(shares) != cells or not all(_is_number(share) and 0 <= share <= 1 for share in shares):
        raise unusable(f"{place}.blown_share must be a number from 0 to 1 for each cell", where)
    white = sum(share >= _MOST_WHITE for share in shares)
    return bool(white >= _MOST_WHITE * cells)


def is_cell(given: object, size: tuple[int, int]) -> bool:
    """Whether a list begins with row and column of a grid of so many rows and columns."""
    if not isinstance(given, list) or not all(type(n) is int for n in given):
        return False
    return len(given) >= 2 and 0 <= given[0] < size[0] and 0 <= given[1] < size[1]


def unusable(what: str, where: str) -> TruthError:
    """The error that says what is wrong with a file."""
    return TruthError("truth-not-usable", f"{what}: see docs/figures.md", where)


def _is_point(given: object) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(_is_number(n) for n in given)


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
