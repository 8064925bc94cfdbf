"""Standard output: JSON for programs, text of a known width and drawn screens for people."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NoReturn

from rich.console import Console
from rich.text import Text

from firmware.errors import OutputError, UsageError, printable, reason
from firmware.language import _

if TYPE_CHECKING:
    from PIL import Image

Json = dict[str, Any]
"""Plain dicts and lists, ready for ``json.dumps``."""

_HALF_BLOCKS: Final = (" ", "\N{UPPER HALF BLOCK}", "\N{LOWER HALF BLOCK}", "\N{FULL BLOCK}")
_BRAILLE_BLANK: Final = 0x2800
# Unicode numbers the eight dots of a pattern down the left column, down the right one, and gives
# the bottom row the last two bits.
_BRAILLE_BITS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


class _Console(Console):
    """Leaves it to ``printing`` to deal with a reader that has gone."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


@contextmanager
def printing() -> Iterator[Console]:
    """A console on standard output that shows texts as they are; all is written at the end.

    Names and paths come from users: nothing in them is taken as markup, emoji code or link.

    Raises:
        OutputError: ``output-not-writable``, such as on a full disk.
        BrokenPipeError: nobody reads any more.
    """
    try:
        yield _Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        raise
    except OSError as error:
        _discard_output()
        raise OutputError(
            "output-not-writable",
            "the result cannot be written ({why}): send it somewhere else",
            "standard output",
            why=reason(error),
        ) from error


def print_lines(*lines: str, style: str = "") -> None:
    """Print lines, however long, as ``printing`` does; control characters in them are replaced."""
    with printing() as console:
        for line in lines:
            console.print(Text(printable(line), style=style), soft_wrap=True)


def agreed(question: str, refusal: UsageError) -> bool:
    """Ask on the terminal; True: the answer is yes.

    Raises:
        UsageError: ``refusal``, where nobody can be asked.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise refusal
    print_lines(question)
    return sys.stdin.readline().strip().lower() in {"yes", _("yes")}


def write_json(value: Mapping[str, object], *, indent: int | None = 2) -> None:
    """Write one JSON value and a line break; without indent it is one line.

    Raises:
        OutputError: see ``printing``.
        BrokenPipeError: nobody reads any more.
    """
    is_utf8 = (sys.stdout.encoding or "ascii").lower().replace("-", "") == "utf8"
    with printing():
        sys.stdout.write(json.dumps(value, ensure_ascii=not is_utf8, indent=indent) + "\n")


def _discard_output() -> None:
    """Keep Python from failing once more when it empties its buffers at the end."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


def picture_lines(image: "Image.Image", columns: int) -> list[str]:
    """Draw a one-bit picture, as lines of equal length.

    Half blocks show a pixel a column and two a row. Where they do not fit, Braille patterns show
    two a column and four a row.

    Args:
        image: mode ``"1"``; lit pixels are drawn.
        columns: how wide the terminal is.
    """
    width, height = image.size
    data = list(image.convert("L").tobytes())
    pixels = [[bool(value) for value in data[y * width : (y + 1) * width]] for y in range(height)]
    if width <= columns:
        return [
            "".join(
                _HALF_BLOCKS[upper + 2 * lower]
                for upper, lower in zip(pixels[y], pixels[y + 1], strict=True)
            )
            for y in range(0, height, 2)
        ]
    return [
        "".join(_braille(pixels, x, y) for x in range(0, width, 2)) for y in range(0, height, 4)
    ]


def _braille(pixels: Sequence[Sequence[bool]], x: int, y: int) -> str:
    return chr(
        _BRAILLE_BLANK
        + sum(
            bit
            for row, bits in enumerate(_BRAILLE_BITS)
            for column, bit in enumerate(bits)
            if pixels[y + row][x + column]
        )
    )
