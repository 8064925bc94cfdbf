"""Which face lies where in a photo to learn from: a plain text, or the arrangement of a game.

A layout file has a line for each row of tiles, with the names of faces separated by blanks, as the
photo shows them; ``.`` stands for a place to skip. Lines that begin with ``#`` are remarks.
"""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from vision.editions.description import Description
from vision.editions.description_toml import MOST_CELLS
from vision.editions.edition import EditionError

Layout = tuple[tuple[str | None, ...], ...]
"""Names of faces in rows and columns of tiles; None: not to be learned from."""

MAX_LAYOUT_BYTES: Final = 64 * 1024
SKIPPED: Final = "."
_QUARTER: Final = re.compile(r"(?P<colour>[a-z]+)-(?P<company>.+)-(?:nw|ne|se|sw)(?P<side>-sight)?")
_SIGNS_A_ROW: Final = 3


def parse_layout(data: bytes | str, where: str, known: Sequence[str]) -> Layout:
    """A layout from the content of a layout file.

    Args:
        data: the text, or the bytes of the file.
        where: the file, for errors.
        known: names of the faces that may stand in it.

    Raises:
        EditionError: ``teach-layout``.
    """
    if len(data) > MAX_LAYOUT_BYTES:
        raise _refused(f"it is larger than {MAX_LAYOUT_BYTES} bytes: give a layout file", where)
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused("it is no text in UTF-8: save it as such", where) from error
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        names = line.split()
        if names and not names[0].startswith("#"):
            rows.append(tuple(_name(name, known, f"{where}, line {number}") for name in names))
    _check_shape(rows, where)
    return tuple(rows)


def reference_layouts(description: Description) -> Mapping[str, Layout]:
    """The arrangements in which the tiles of a game are laid out to be learned, by their names.

    Cities: all tiles as ``tiles``, six in a row. City Blocks: the buildings of each colour, a kind
    in each row, and ``values``, five in a row. Dice board: for each colour its complete signs,
    three side by side and the rest below, and the same turned over. Empty for other games.
    """
    names = [face.name for face in description.faces]
    match description.game:
        case "cities":
            return {"tiles": _in_rows(names, 6)}
        case "city-blocks":
            return _building_layouts(names)
        case "dice-board":
            return _sign_layouts(names)
    return {}


def _building_layouts(names: Sequence[str]) -> dict[str, Layout]:
    layouts = {}
    for colour in ("blue", "red"):
        of_colour = [name for name in names if name.startswith(f"{colour}-")]
        kinds = ["house", "shop", "factory"]
        rows = [[name for name in of_colour if name.split("-")[1] == kind] for kind in kinds]
        rows.append([name for name in of_colour if name.split("-")[1] not in kinds])
        layouts[colour] = _even(row for row in rows if row)
    layouts["values"] = _in_rows([name for name in names if name.startswith("value-")], 5)
    return {name: layout for name, layout in layouts.items() if layout}


def _sign_layouts(names: Sequence[str]) -> dict[str, Layout]:
    """Complete signs of 2 x 2 cards, by colour and side."""
    signs: dict[str, dict[str, None]] = {}
    for name in names:
        match = _QUARTER.fullmatch(name)
        if match is not None:
            key = match["colour"] + ("" if match["side"] is None else "-sights")
            signs.setdefault(key, {})[f"{match['colour']}-{match['company']}"] = None
    layouts = {}
    for key, companies in signs.items():
        side = "-sight" if key.endswith("-sights") else ""
        listed = list(companies)
        rows: list[list[str | None]] = []
        for first in range(0, len(listed), _SIGNS_A_ROW):
            beside = listed[first : first + _SIGNS_A_ROW]
            for left, right in (("nw", "ne"), ("sw", "se")):
                row = [f"{sign}-{quarter}{side}" for sign in beside for quarter in (left, right)]
                rows.append([name if name in names else None for name in row])
        layouts[key] = _even(rows)
    return layouts


def _in_rows(names: Sequence[str], columns: int) -> Layout:
    return _even(names[first : first + columns] for first in range(0, len(names), columns))


def _even(rows: Iterable[Sequence[str | None]]) -> Layout:
    """Rows made equally long with places to skip."""
    listed = [list(row) for row in rows]
    longest = max(map(len, listed), default=0)
    return tuple(tuple(row + [None] * (longest - len(row))) for row in listed)


def _name(name: str, known: Sequence[str], where: str) -> str | None:
    if name == SKIPPED:
        return None
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        advice = f"did you mean {near[0]}" if near else "correct it, or add it to the description"
        raise _refused(f"{_shortened(name)} is no face of the description: {advice}", where)
    return name


def _check_shape(rows: Sequence[Sequence[str | None]], where: str) -> None:
    if not any(name is not None for row in rows for name in row):
        raise _refused("it names no face: write a line for each row of tiles", where)
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise _refused(
            f"its rows have {lengths[0]} to {lengths[-1]} places: "
            f"make them equally long, with {SKIPPED} for places to skip",
            where,
        )
    if len(rows) > MOST_CELLS or lengths[0] > MOST_CELLS:
        raise _refused(f"it is larger than {MOST_CELLS} x {MOST_CELLS}: use several photos", where)


def _shortened(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:39]}…"


def _refused(what: str, where: str) -> EditionError:
    return EditionError("teach-layout", f"the layout cannot be used, {what}", where)
