"""Parse and format ``edition.toml`` of format 2, which docs/edition-format.md defines."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from scoring.faces import Cell
from vision.editions.description import (
    READING_ONLY,
    BoardDescription,
    Description,
    FaceDescription,
    Heap,
    Slots,
    TileTurns,
    TokenDescription,
)
from vision.editions.description_checks import check_description
from vision.editions.edition import MAX_PICTURES_OF_FACE, DescriptionError
from vision.message import Message
from vision.toml_and_json import (
    InvalidValueError,
    MissingKeyError,
    NestedTooDeeplyError,
    Node,
    UnknownKeyError,
    ValuePath,
    explain_toml_error,
    parse_toml,
    shown_value,
)

FORMAT: Final = 2
_LAST_FORMAT: Final = 1000
"""Maximum number that is taken for a later format; others are no formats."""
MAX_DESCRIPTION_BYTES: Final = 256 * 1024
PRINTED_BOARD: Final = "printed-board"
FREE_TILES: Final = "free-tiles"
MAX_CELLS: Final = 20
"""Rows, or columns, of a grid."""
MAX_FACES: Final = 400
MAX_TOKENS: Final = 8
MAX_GRIDS: Final = 8
MAX_PLACES: Final = 20
"""Rows of slots, or heaps, of a board; slots of a row."""
_FURTHEST_MM: Final = 3000.0
"""Maximum coordinate on or beside a board."""

EDITION_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,39}")
FACE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
IMAGE_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,60}\.(?:png|jpg|jpeg)")
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_NAME_RULE: Final = Message("1 to 40 small letters, digits, - and _ without accents")
_FILE_RULE: Final = Message("the name of a PNG or JPEG file beside it, like forest-1.png")

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
    """Parse and check the content of an ``edition.toml``.

    Args:
        data: Text, or bytes of the file.
        where: Name of the file, for errors.

    Raises:
        DescriptionError: ``description-too-large``, ``description-not-toml``,
            ``description-format``, ``description-unknown-key``, ``description-missing-key``,
            ``description-value`` or ``description-contradiction``.
    """
    document = Node(_parse_toml(data, where))
    _check_format(document, where)
    try:
        description = _parse_document(document, where)
    except InvalidValueError as error:
        raise _description_error(error, where) from error
    check_description(description, where)
    return description


def _parse_toml(data: bytes | str, where: str) -> dict[str, Any]:
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
        why, place = explain_toml_error(error)
        raise DescriptionError(
            "description-not-toml",
            "it is not TOML, {why}: correct it",
            Message("{outer}, {inner}", outer=where, inner=place),
            why=why,
        ) from error
    except NestedTooDeeplyError as error:
        raise DescriptionError(
            "description-not-toml",
            "it is nested too deeply: write it as docs/edition-format.md says",
            Message("{where}, line {line}", where=where, line=error.line),
        ) from error
    except UnicodeDecodeError as error:
        raise DescriptionError(
            "description-not-toml", "it is not TOML in UTF-8: save it as such", where
        ) from error
    except ValueError as error:
        raise DescriptionError(
            "description-not-toml", "a number in it is far too large: correct it", where
        ) from error


def _check_format(document: Node, where: str) -> None:
    version = document.value.get("format")
    if type(version) is int and FORMAT < version <= _LAST_FORMAT:
        raise DescriptionError(
            "description-format",
            "it has format {version}, {format} is the newest known: use a newer Stadtblick",
            where,
            version=version,
            format=FORMAT,
        )
    if type(version) is not int or version != FORMAT:
        raise DescriptionError(
            "description-format",
            "its format is not {format}: write format = {format}",
            where,
            format=FORMAT,
        )


def _description_error(error: InvalidValueError, where: str) -> DescriptionError:
    """Return the error about a value, with the TOML table and the key that it stands under."""
    # Indices after the last key count entries of its list, which messages do not name
    key_index = max(n for n, step in enumerate(error.path) if isinstance(step, str))
    place = _table_place(error.path[:key_index], where)
    key = shown_value(error.path[key_index])
    if isinstance(error, UnknownKeyError):
        return DescriptionError(
            "description-unknown-key",
            "the key {key} is not known here: use {known}",
            place,
            key=key,
            known=", ".join(sorted(error.known)),
        )
    if isinstance(error, MissingKeyError):
        return DescriptionError(
            "description-missing-key", "the key {key} is missing: add it", place, key=key
        )
    return DescriptionError(
        "description-value", "{key} {what}: correct it", place, key=key, what=error.requirement
    )


def _table_place(path: ValuePath, where: str) -> str:
    """Return a file and a TOML table in it as messages name it: ``[key]``, or ``key entry 1``."""
    place = where
    for n, step in enumerate(path):
        if isinstance(step, int):
            place += f" {step + 1}"
        else:
            is_list = n + 1 < len(path) and isinstance(path[n + 1], int)
            place += f", {step} entry" if is_list else f", [{step}]"
    return place


def _parse_document(document: Node, where: str) -> Description:
    document.refuse_unknown_keys(_KEYS)
    rows = document["rows"].integer(1, MAX_CELLS)
    columns = document["columns"].integer(1, MAX_CELLS)
    tile_cells = _parse_tile_cells(document)
    board = _parse_board(document, rows, columns, where)
    loose_faces = frozenset() if board is None else board.loose_faces
    return Description(
        name=document["name"].matching_text(
            EDITION_NAME,
            Message("1 to 40 letters, digits, - and _ without accents, no - at the beginning"),
        ),
        game=document["game"].matching_text(
            FACE_NAME, Message("the identifier of a game, or {name}", name=READING_ONLY)
        ),
        rows=rows,
        columns=columns,
        tile_mm=document["tile_mm"].number(5, 500),
        tile_height_mm=document.get("tile_height_mm", 0.0).number(0, 200),
        tile_turns=TileTurns(document["turned"].choice([turns.value for turns in TileTurns])),
        faces=tuple(
            _parse_face(face, tile_cells, loose_faces, where)
            for face in _tables(document, "faces", MAX_FACES)
        ),
        tile_cells=tile_cells,
        board=board,
        tokens=tuple(_parse_token(token) for token in _tables(document, "tokens", MAX_TOKENS)),
        most_grids=document.get("most_grids", 1).integer(1, MAX_GRIDS),
        numbers=_parse_numbers(document),
        turns_matter=document.get("turns_matter", False).boolean(),
        most_tokens=document["most_tokens"].integer(1, MAX_CELLS**2)
        if document.has("most_tokens")
        else None,
        duplexes=document.get("duplexes", False).boolean(),
        one_kind_of_token=document.get("one_kind_of_token", False).boolean(),
        no_tokens_on=frozenset(
            _different_texts(document["no_tokens_on"], FACE_NAME, _NAME_RULE, MAX_FACES)
        )
        if document.has("no_tokens_on")
        else frozenset(),
    )


def _tables(node: Node, key: str, most: int) -> list[Node]:
    """Return the tables ``[[key]]``, which may be missing."""
    tables = node.get(key, [])
    is_list = isinstance(tables.value, list)
    tables.require(
        is_list and all(isinstance(table, dict) for table in tables.value),
        Message("must be tables, each written [[{key}]]", key=key),
    )
    tables.require(
        len(tables.value) <= most,
        Message("may hold at most {most} entries, not {count}", most=most, count=len(tables.value)),
    )
    return tables.items()


def _table(node: Node, key: str) -> Node:
    table = node[key]
    table.require(
        isinstance(table.value, dict), Message("must be a table, written [{key}]", key=key)
    )
    return table


def _different_texts(node: Node, pattern: re.Pattern[str], what: str, most: int) -> tuple[str, ...]:
    texts = tuple(entry.matching_text(pattern, what) for entry in node.some_items(most))
    node.refuse_repeated(texts)
    return texts


def _parse_tile_cells(document: Node) -> tuple[int, int]:
    if not document.has("tile_cells"):
        return (1, 1)
    node = document["tile_cells"]
    counts = [entry.integer(1, MAX_CELLS) for entry in node.some_items(2)]
    node.require(
        len(counts) == 2 and counts[0] == counts[1],
        Message("must be two equal numbers, as tiles are square"),
    )
    return counts[0], counts[1]


def _parse_board(document: Node, rows: int, columns: int, where: str) -> BoardDescription | None:
    layout = document["layout"].choice([FREE_TILES, PRINTED_BOARD])
    if layout == FREE_TILES:
        if document.has("board"):
            raise DescriptionError(
                "description-contradiction",
                "free tiles have no [board]: leave it out, or write layout = {layout}",
                where,
                layout=PRINTED_BOARD,
            )
        return None
    board = _table(document, "board")
    board.refuse_unknown_keys(_BOARD_KEYS)
    plots = _parse_cells(board["plots"], rows, columns) if board.has("plots") else ()
    return BoardDescription(
        image=board["image"].matching_text(IMAGE_NAME, _FILE_RULE) if board.has("image") else None,
        size_mm=_parse_pair(board["size_mm"], 10, _FURTHEST_MM),
        first_cell_mm=_parse_pair(board["first_cell_mm"], 0, _FURTHEST_MM),
        cell_mm=_parse_pair(board["cell_mm"], 1, 500),
        plots=frozenset(plots),
        slots=tuple(_parse_slots(slots) for slots in _tables(board, "slots", MAX_PLACES)),
        heaps=tuple(_parse_heap(heap) for heap in _tables(board, "heaps", MAX_PLACES)),
    )


def _parse_cells(node: Node, rows: int, columns: int) -> tuple[Cell, ...]:
    """Return a list of different cells [row, column] of a grid."""
    cells = []
    for entry in node.some_items(rows * columns):
        entry.require(
            isinstance(entry.value, list) and len(entry.value) == 2,
            Message("must list cells like [0, 3]: row and column, from 0"),
        )
        row, column = entry.items()
        cells.append((row.integer(0, rows - 1), column.integer(0, columns - 1)))
    node.refuse_repeated(cells)
    return tuple(cells)


def _parse_slots(table: Node) -> Slots:
    table.refuse_unknown_keys(_SLOTS_KEYS)
    return Slots(
        name=table["name"].matching_text(FACE_NAME, _NAME_RULE),
        faces=_different_texts(table["faces"], FACE_NAME, _NAME_RULE, MAX_FACES),
        first_mm=_parse_pair(table["first_mm"], -_FURTHEST_MM, _FURTHEST_MM),
        step_mm=_parse_pair(table["step_mm"], -_FURTHEST_MM, _FURTHEST_MM),
        count=table["count"].integer(1, MAX_PLACES),
    )


def _parse_heap(table: Node) -> Heap:
    table.refuse_unknown_keys(_HEAP_KEYS)
    left, top, right, bottom = table["area_mm"].numbers(4, -_FURTHEST_MM, _FURTHEST_MM)
    return Heap(
        name=table["name"].matching_text(FACE_NAME, _NAME_RULE),
        faces=_different_texts(table["faces"], FACE_NAME, _NAME_RULE, MAX_FACES),
        area_mm=(left, top, right, bottom),
    )


def _parse_face(
    table: Node, tile_cells: tuple[int, int], loose_faces: frozenset[str], where: str
) -> FaceDescription:
    table.refuse_unknown_keys({"name", "images", "cells"})
    name = table["name"].matching_text(FACE_NAME, _NAME_RULE)
    images: tuple[str, ...] = ()  # a face that has not been taught has none
    if table.has("images"):
        images = _different_texts(table["images"], IMAGE_NAME, _FILE_RULE, MAX_PICTURES_OF_FACE)
    if tile_cells == (1, 1) or name in loose_faces:
        if table.has("cells"):
            raise DescriptionError(
                "description-contradiction",
                "{name} has cells, which only tiles of several cells have: leave cells out, or add "
                "tile_cells",
                _table_place(table.path, where),
                name=name,
            )
        return FaceDescription(name, images, ((name,),))
    return FaceDescription(name, images, _parse_face_cells(table["cells"], tile_cells))


def _parse_face_cells(node: Node, tile_cells: tuple[int, int]) -> tuple[tuple[str, ...], ...]:
    rows, columns = tile_cells
    listed = node.value
    fits = isinstance(listed, list) and len(listed) == rows
    node.require(
        fits and all(isinstance(row, list) and len(row) == columns for row in listed),
        Message("must be a list of rows of texts, {rows} x {columns}", rows=rows, columns=columns),
    )
    return tuple(
        tuple(entry.matching_text(FACE_NAME, _NAME_RULE) for entry in row.items())
        for row in node.items()
    )


def _parse_token(table: Node) -> TokenDescription:
    table.refuse_unknown_keys(_TOKEN_KEYS)
    colour = table["colour"].matching_text(_COLOUR, Message("a colour like #c8232c"))
    red, green, blue = bytes.fromhex(colour[1:])
    return TokenDescription(
        kind=table["kind"].matching_text(FACE_NAME, _NAME_RULE),
        colour_bgr=(blue, green, red),
        foot_mm=table["foot_mm"].number(2, 100),
        height_mm=table["height_mm"].number(0, 200),
    )


def _parse_numbers(document: Node) -> dict[str, tuple[int, ...]]:
    if not document.has("numbers"):
        return {}
    table = _table(document, "numbers")
    table.refuse_unknown_keys(_NUMBERS_KEYS)
    return {
        key: tuple(entry.integer(-999, 999) for entry in table[key].some_items(MAX_CELLS))
        for key in table.value
    }


def _parse_pair(node: Node, low: float, high: float) -> tuple[float, float]:
    first, second = node.numbers(2, low, high)
    return first, second


def description_toml(description: Description) -> str:
    """Format a description as the text of an ``edition.toml``, for ``parse_description``."""
    board, loose_faces = description.board, description.loose_faces
    lines = _format_table(
        format=FORMAT,
        name=description.name,
        game=description.game,
        layout=FREE_TILES if board is None else PRINTED_BOARD,
        rows=description.rows,
        columns=description.columns,
        tile_mm=description.tile_mm,
        turned=description.tile_turns.value,
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
        lines += _format_board(board)
    if description.numbers:
        lines += _format_table("[numbers]", **description.numbers)
    for token in description.tokens:
        blue, green, red = token.colour_bgr
        lines += _format_table(
            "[[tokens]]",
            kind=token.kind,
            colour=f"#{red:02x}{green:02x}{blue:02x}",
            foot_mm=token.foot_mm,
            height_mm=token.height_mm,
        )
    for face in description.faces:
        has_cells = description.tile_cells != (1, 1) and face.name not in loose_faces
        lines += _format_table(
            "[[faces]]",
            name=face.name,
            images=face.images or None,
            cells=face.cells if has_cells else None,
        )
    return "\n".join(lines) + "\n"


def _format_board(board: BoardDescription) -> list[str]:
    lines = _format_table(
        "[board]",
        image=board.image,
        size_mm=board.size_mm,
        first_cell_mm=board.first_cell_mm,
        cell_mm=board.cell_mm,
        plots=sorted(board.plots) or None,
    )
    for slots in board.slots:
        lines += _format_table(
            "[[board.slots]]",
            name=slots.name,
            faces=slots.faces,
            first_mm=slots.first_mm,
            step_mm=slots.step_mm,
            count=slots.count,
        )
    for heap in board.heaps:
        lines += _format_table(
            "[[board.heaps]]", name=heap.name, faces=heap.faces, area_mm=heap.area_mm
        )
    return lines


def _format_table(heading: str | None = None, **values: object) -> list[str]:
    """Return the lines of a TOML table without the values that are None."""
    present: Mapping[str, object] = {key: v for key, v in values.items() if v is not None}
    lines = [f"{key} = {_format_value(value)}" for key, value in present.items()]
    return ["", heading, *lines] if heading else lines


def _format_value(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(_format_value(each) for each in value)}]"
    return repr(value)
