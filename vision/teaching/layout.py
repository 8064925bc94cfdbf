"""Layout: the face of each place in a photo to learn from.

A layout file has a line for each row of tiles, with the names of faces separated by blanks, as the
photo shows them; ``.`` stands for an empty place. What an empty place shows is learned, too. Lines
that begin with ``#`` are comments.
"""

import difflib
from collections.abc import Iterable, Sequence
from typing import Final

from vision.editions.description_toml import MAX_CELLS
from vision.editions.edition import EditionError
from vision.message import Message

Layout = tuple[tuple[str | None, ...], ...]
"""Names of faces in rows of tiles; None for an empty place."""

MAX_LAYOUT_BYTES: Final = 64 * 1024
EMPTY_PLACE: Final = "."
"""Word for an empty place in a layout file."""


def parse_layout(data: bytes | str, where: str, known: Sequence[str]) -> Layout:
    """Parse a layout file.

    Args:
        data: Text, or bytes of the file.
        where: Name of the file, for errors.
        known: Names of faces that may stand in it.

    Raises:
        EditionError: ``teach-layout``.
    """
    if len(data) > MAX_LAYOUT_BYTES:
        raise _refused(
            Message("it is larger than {most} bytes: give a layout file", most=MAX_LAYOUT_BYTES),
            where,
        )
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(Message("it is no text in UTF-8: save it as such"), where) from error
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        names = line.split()
        if names and not names[0].startswith("#"):
            place = Message("{where}, line {line}", where=where, line=number)
            rows.append(tuple(_parse_name(name, known, place) for name in names))
    _check_shape(rows, where)
    return tuple(rows)


def make_rows(names: Sequence[str], columns: int) -> Layout:
    """Put names into rows of ``columns``; the last one is filled up with empty places."""
    return fill_rows(names[first : first + columns] for first in range(0, len(names), columns))


def fill_rows(rows: Iterable[Sequence[str | None]]) -> Layout:
    """Make rows equally long with empty places."""
    listed = [list(row) for row in rows]
    longest = max(map(len, listed), default=0)
    return tuple(tuple(row + [None] * (longest - len(row))) for row in listed)


def _parse_name(name: str, known: Sequence[str], where: str) -> str | None:
    if name == EMPTY_PLACE:
        return None
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        advice = (
            Message("did you mean {name}", name=near[0])
            if near
            else Message("correct it, or add it to the description")
        )
        raise _refused(
            Message(
                "{name} is no kind of the description: {advice}",
                name=_shorten(name),
                advice=advice,
            ),
            where,
        )
    return name


def _check_shape(rows: Sequence[Sequence[str | None]], where: str) -> None:
    if not any(name is not None for row in rows for name in row):
        raise _refused(
            Message("it names no kind of tile: write a line for each row of tiles"), where
        )
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise _refused(
            Message(
                "its rows have {least} to {most} places: make them equally long, with {empty} "
                "for empty places",
                least=lengths[0],
                most=lengths[-1],
                empty=EMPTY_PLACE,
            ),
            where,
        )
    if len(rows) > MAX_CELLS or lengths[0] > MAX_CELLS:
        raise _refused(
            Message("it is larger than {most} x {most}: use several photos", most=MAX_CELLS), where
        )


def _shorten(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:39]}…"


def _refused(what: str, where: str) -> EditionError:
    return EditionError("teach-layout", "the layout cannot be used, {what}", where, what=what)
