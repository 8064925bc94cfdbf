"""Read and write a description: ``edition.toml`` in format 2, which docs/editions.md documents."""

import re
import tomllib
from collections.abc import Mapping
from typing import Final

from vision.editions.description import (
    READING_ONLY,
    BoardDescription,
    Description,
    FaceDescription,
    Heap,
    Slots,
    TokenDescription,
    Turned,
)
from vision.editions.description_checks import check_description
from vision.editions.edition import MOST_IMAGES, DescriptionError
from vision.editions.toml_table import TomlTable
from vision.editions.toml_text import TooDeepError, parse_toml
from vision.errors import Message

FORMAT: Final = 2
_LAST_FORMAT: Final = 1000
"""Larger numbers are no formats."""
MAX_DESCRIPTION_BYTES: Final = 256 * 1024
PRINTED_BOARD: Final = "printed-board"
FREE_TILES: Final = "free-tiles"
MOST_CELLS: Final = 20
"""Rows or columns of a grid."""
MOST_FACES: Final = 400
MOST_TOKENS: Final = 8
MOST_GRIDS: Final = 8
MOST_PLACES: Final = 20
"""Rows of slots, heaps, or slots in a row."""
_FURTHEST_MM: Final = 3000.0

EDITION_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
FACE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
IMAGE_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,60}\.(?:png|jpg|jpeg)")
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_A_NAME: Final = Message("1 to 40 small letters, digits, - and _ without accents")
_A_FILE: Final = Message("the name of a PNG or JPEG file beside it, like forest-1.png")

_GRID_KEYS: Final = (
    "rows",
    "columns",
    "tile_mm",
    "tile_height_mm",
    "turned",
    "tile_cells",
    "most_grids",
)
_RULE_KEYS: Final = ("turns_matter", "most_tokens", "one_kind_of_token", "no_tokens_on", "duplexes")
_PART_KEYS: Final = ("board", "numbers", "tokens", "faces")
_KEYS: Final = frozenset(
    ("format", "name", "game", "layout", *_GRID_KEYS, *_RULE_KEYS, *_PART_KEYS)
)
_BOARD_KEYS: Final = frozenset(
    ("image", "size_mm", "first_cell_mm", "cell_mm", "plots", "slots", "heaps")
)
_SLOTS_KEYS: Final = frozenset(("name", "faces", "first_mm", "step_mm", "count"))
_HEAP_KEYS: Final = frozenset(("name", "faces", "area_mm"))
_NUMBERS_KEYS: Final = frozenset(("row_numbers", "column_numbers"))
_TOKEN_KEYS: Final = frozenset(("kind", "colour", "foot_mm", "height_mm"))


def parse_description(data: bytes | str, where: str) -> Description:
    """Return the checked content of an ``edition.toml``.

    Args:
        data: the text, or the bytes of the file.
        where: the file, for errors.

    Raises:
        DescriptionError: ``description-too-large``, ``description-not-toml``,
            ``description-format``, ``description-unknown-key``, ``description-missing-key``,
            ``description-value`` or ``description-contradiction``.
    """
    table = TomlTable(_toml(data, where), where)
    _check_format(table)
    table.refuse_others(_KEYS)
    rows = table.integer("rows", 1, MOST_CELLS)
    columns = table.integer("columns", 1, MOST_CELLS)
    tile_cells = _tile_cells(table)
    board = _board(table, rows, columns)
    beside = _beside(board)
    description = Description(
        name=table.text(
            "name", EDITION_NAME, Message("1 to 40 letters, digits, - and _ without accents")
        ),
        game=table.text(
            "game", FACE_NAME, Message("the identifier of a game, or {name}", name=READING_ONLY)
        ),
        rows=rows,
        columns=columns,
        tile_mm=table.number("tile_mm", 5, 500),
        tile_height_mm=table.number("tile_height_mm", 0, 200, 0.0),
        turned=Turned(table.choice("turned", [turned.value for turned in Turned])),
        faces=tuple(_face(face, tile_cells, beside) for face in table.tables("faces", MOST_FACES)),
        tile_cells=tile_cells,
        board=board,
        tokens=tuple(_token(token) for token in table.tables("tokens", MOST_TOKENS)),
        most_grids=table.integer("most_grids", 1, MOST_GRIDS, 1),
        numbers=_numbers(table),
        turns_matter=table.truth("turns_matter"),
        most_tokens=table.integer("most_tokens", 1, MOST_CELLS**2)
        if table.has("most_tokens")
        else None,
        duplexes=table.truth("duplexes"),
        one_kind_of_token=table.truth("one_kind_of_token"),
        no_tokens_on=frozenset(table.texts("no_tokens_on", FACE_NAME, _A_NAME, MOST_FACES))
        if table.has("no_tokens_on")
        else frozenset(),
    )
    check_description(description, where)
    return description


def _toml(data: bytes | str, where: str) -> Mapping[str, object]:
    if len(data) > MAX_DESCRIPTION_BYTES:
        raise DescriptionError(
            "description-too-large",
            "it is larger than {most} bytes: leave out what is not needed",
            where,
            most=MAX_DESCRIPTION_BYTES,
        )
    try:
        return parse_toml(data if isinstance(data, str) else data.decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(
            "description-not-toml",
            "it is not TOML, {why}: correct it",
            where,
            why=_one_line(str(error)),
        ) from error
    except TooDeepError as error:
        raise DescriptionError(
            "description-not-toml",
            "it is nested too deeply: write it as docs/editions.md says",
            f"{where}, line {error.line}",
        ) from error
    except UnicodeDecodeError as error:
        raise DescriptionError(
            "description-not-toml", "it is not TOML in UTF-8: save it as such", where
        ) from error
    except ValueError as error:
        raise DescriptionError(
            "description-not-toml", "a number in it is far too large: correct it", where
        ) from error


def _one_line(text: str) -> str:
    return " ".join(text.split())[:80].replace(":", "")


def _check_format(table: TomlTable) -> None:
    version = table.content.get("format")
    if type(version) is int and FORMAT < version <= _LAST_FORMAT:
        raise DescriptionError(
            "description-format",
            "it has format {version}, {format} is the newest known: use a newer Stadtblick",
            table.where,
            version=version,
            format=FORMAT,
        )
    if type(version) is not int or version != FORMAT:
        raise DescriptionError(
            "description-format",
            "its format is not {format}: write format = {format}",
            table.where,
            format=FORMAT,
        )


def _tile_cells(table: TomlTable) -> tuple[int, int]:
    if not table.has("tile_cells"):
        return (1, 1)
    listed = table.integers("tile_cells", 1, MOST_CELLS, 2)
    if len(listed) != 2 or listed[0] != listed[1]:
        raise table.wrong("tile_cells", Message("must be two equal numbers, as tiles are square"))
    return listed[0], listed[1]


def _board(table: TomlTable, rows: int, columns: int) -> BoardDescription | None:
    layout = table.choice("layout", [FREE_TILES, PRINTED_BOARD])
    if layout == FREE_TILES:
        if table.has("board"):
            raise DescriptionError(
                "description-contradiction",
                "free tiles have no [board]: leave it out, or write layout = {layout}",
                table.where,
                layout=PRINTED_BOARD,
            )
        return None
    board = table.table("board")
    board.refuse_others(_BOARD_KEYS)
    plots = board.cells("plots", rows, columns) if board.has("plots") else ()
    return BoardDescription(
        image=board.text("image", IMAGE_NAME, _A_FILE) if board.has("image") else None,
        size_mm=_pair(board, "size_mm", 10, _FURTHEST_MM),
        first_cell_mm=_pair(board, "first_cell_mm", 0, _FURTHEST_MM),
        cell_mm=_pair(board, "cell_mm", 1, 500),
        plots=frozenset(plots),
        slots=tuple(_slots(slots) for slots in board.tables("slots", MOST_PLACES)),
        heaps=tuple(_heap(heap) for heap in board.tables("heaps", MOST_PLACES)),
    )


def _slots(table: TomlTable) -> Slots:
    table.refuse_others(_SLOTS_KEYS)
    return Slots(
        name=table.text("name", FACE_NAME, _A_NAME),
        faces=table.texts("faces", FACE_NAME, _A_NAME, MOST_FACES),
        first_mm=_pair(table, "first_mm", -_FURTHEST_MM, _FURTHEST_MM),
        step_mm=_pair(table, "step_mm", -_FURTHEST_MM, _FURTHEST_MM),
        count=table.integer("count", 1, MOST_PLACES),
    )


def _heap(table: TomlTable) -> Heap:
    table.refuse_others(_HEAP_KEYS)
    left, top, right, bottom = table.numbers("area_mm", 4, -_FURTHEST_MM, _FURTHEST_MM)
    return Heap(
        name=table.text("name", FACE_NAME, _A_NAME),
        faces=table.texts("faces", FACE_NAME, _A_NAME, MOST_FACES),
        area_mm=(left, top, right, bottom),
    )


def _beside(board: BoardDescription | None) -> frozenset[str]:
    if board is None:
        return frozenset()
    listed = [slots.faces for slots in board.slots] + [heap.faces for heap in board.heaps]
    return frozenset(name for names in listed for name in names)


def _face(table: TomlTable, tile_cells: tuple[int, int], beside: frozenset[str]) -> FaceDescription:
    table.refuse_others({"name", "images", "cells"})
    name = table.text("name", FACE_NAME, _A_NAME)
    has_images = table.has("images")  # not before the face has been taught
    images = table.texts("images", IMAGE_NAME, _A_FILE, MOST_IMAGES) if has_images else ()
    if tile_cells == (1, 1) or name in beside:
        if table.has("cells"):
            raise DescriptionError(
                "description-contradiction",
                "{name} has cells, which only tiles of several cells have: leave cells out, or add "
                "tile_cells",
                table.where,
                name=name,
            )
        return FaceDescription(name, images, ((name,),))
    return FaceDescription(name, images, table.text_rows("cells", tile_cells, FACE_NAME, _A_NAME))


def _token(table: TomlTable) -> TokenDescription:
    table.refuse_others(_TOKEN_KEYS)
    colour = table.text("colour", _COLOUR, Message("a colour like #c8232c"))
    red, green, blue = bytes.fromhex(colour[1:])
    return TokenDescription(
        kind=table.text("kind", FACE_NAME, _A_NAME),
        colour_bgr=(blue, green, red),
        foot_mm=table.number("foot_mm", 2, 100),
        height_mm=table.number("height_mm", 0, 200),
    )


def _numbers(table: TomlTable) -> dict[str, tuple[int, ...]]:
    if not table.has("numbers"):
        return {}
    numbers = table.table("numbers")
    numbers.refuse_others(_NUMBERS_KEYS)
    return {name: numbers.integers(name, -999, 999, MOST_CELLS) for name in numbers.content}


def _pair(table: TomlTable, key: str, low: float, high: float) -> tuple[float, float]:
    first, second = table.numbers(key, 2, low, high)
    return first, second


def description_toml(description: Description) -> str:
    """The description as the text of an ``edition.toml``; ``parse_description`` reads it back."""
    board, beside = description.board, description.beside_faces
    lines = _lines(
        format=FORMAT,
        name=description.name,
        game=description.game,
        layout=FREE_TILES if board is None else PRINTED_BOARD,
        rows=description.rows,
        columns=description.columns,
        tile_mm=description.tile_mm,
        turned=description.turned.value,
        tile_cells=description.tile_cells,
        most_grids=description.most_grids,
        tile_height_mm=description.tile_height_mm or None,
        turns_matter=description.turns_matter or None,
        most_tokens=description.most_tokens,
        one_kind_of_token=description.one_kind_of_token or None,
        duplexes=description.duplexes or None,
        no_tokens_on=sorted(description.no_tokens_on) or None,
    )
    if board is not None:
        lines += _board_lines(board)
    if description.numbers:
        lines += _lines("[numbers]", **description.numbers)
    for token in description.tokens:
        blue, green, red = token.colour_bgr
        lines += _lines(
            "[[tokens]]",
            kind=token.kind,
            colour=f"#{red:02x}{green:02x}{blue:02x}",
            foot_mm=token.foot_mm,
            height_mm=token.height_mm,
        )
    for face in description.faces:
        has_cells = description.tile_cells != (1, 1) and face.name not in beside
        lines += _lines(
            "[[faces]]",
            name=face.name,
            images=face.images or None,
            cells=face.cells if has_cells else None,
        )
    return "\n".join(lines) + "\n"


def _board_lines(board: BoardDescription) -> list[str]:
    lines = _lines(
        "[board]",
        image=board.image,
        size_mm=board.size_mm,
        first_cell_mm=board.first_cell_mm,
        cell_mm=board.cell_mm,
        plots=sorted(board.plots) or None,
    )
    for slots in board.slots:
        lines += _lines(
            "[[board.slots]]",
            name=slots.name,
            faces=slots.faces,
            first_mm=slots.first_mm,
            step_mm=slots.step_mm,
            count=slots.count,
        )
    for heap in board.heaps:
        lines += _lines("[[board.heaps]]", name=heap.name, faces=heap.faces, area_mm=heap.area_mm)
    return lines


def _lines(heading: str | None = None, **values: object) -> list[str]:
    """A table of TOML; values that are None are left out."""
    said: Mapping[str, object] = {key: v for key, v in values.items() if v is not None}
    written = [f"{key} = {_written(value)}" for key, value in said.items()]
    return ["", heading, *written] if heading else written


def _written(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(_written(each) for each in value)}]"
    return repr(value)
