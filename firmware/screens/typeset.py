"""Letters of the display: which can be shown, how wide they are, how a text is made to fit.

Sizes are heights of the font's cell in pixels. The font holds drawn bitmaps, so a letter is the
same on every machine, and only the sizes in ``SIZES`` exist.
"""

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

SIZES = (32, 28, 24, 20, 18, 16, 14, 12)
"""Heights of the letters that the display uses, largest first."""

SMALLEST = SIZES[-1]
SMALLEST_WIDTH = 6
"""Width in pixels of every letter of the smallest size."""

ELLIPSIS = "…"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""Stands, well visible, where the font has no glyph."""

LIT = 255
"""A set pixel. Pillow lets 1 pass for it in mode ``"1"``, but keeps it as another value."""

NO_CHARACTER = "\uffff"
"""Never a character, so the font draws its sign for a missing glyph."""


@dataclass(frozen=True, slots=True)
class SetText:
    """A text in the size in which it fits.

    Attributes:
        shown: Text as drawn: the whole text, or its beginning and an ellipsis.
        size: Height of the font's cell in pixels.
    """

    shown: str
    size: int

    @property
    def width(self) -> int:
        """Width of the cells in pixels."""
        return cell_width(self.size) * len(self.shown)


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the display's font; ``size`` is one of ``SIZES``."""
    # Bytes and not a path: the package may lie in a zip file.
    data = files("firmware").joinpath("fonts", "terminus-bold.otb").read_bytes()
    return ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def cell_width(size: int) -> int:
    """Width in pixels of every letter of that size."""
    return int(font(size).getlength("0"))


@cache
def ink_box(text: str, size: int) -> tuple[int, int, int, int] | None:
    """Return left, top, right, bottom of the set pixels, right and bottom exclusive.

    Counted from the top left corner of the first cell; None if nothing is set.
    """
    return glyphs(text, size).getbbox()


@lru_cache(maxsize=256)
def glyphs(text: str, size: int) -> Image.Image:
    """Return the text as a picture of mode ``"1"``, as high as the font's cell.

    It is shared: do not change it.
    """
    picture = Image.new("1", (cell_width(size) * max(len(text), 1), size))
    ImageDraw.Draw(picture).text((0, 0), text, font=font(size), fill=LIT)
    return picture


def in_font(text: str) -> str:
    """Return the text reduced to what the font can show, on one line.

    Letters and their accents are joined, white space becomes a single space, invisible marks go,
    and what has no glyph becomes ``REPLACEMENT``.
    """
    joined = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(
        letter if _has_glyph(letter) else REPLACEMENT
        for letter in joined
        if unicodedata.category(letter) not in {"Cc", "Cf", "Mn", "Me"}
    )


def fit(
    choices: tuple[str, ...], width: int, height: int, sizes: tuple[int, ...] = SIZES
) -> SetText:
    """Set the first of the wordings that fits into a box, in the largest size in which it does.

    Args:
        choices: Wordings of the same, best first, as ``in_font`` returns them.
        width: Width of the box in pixels.
        height: Height of the box in pixels; only set pixels have to fit.
        sizes: Sizes to try, largest first.

    Returns:
        The text; the last wording cut with an ellipsis if none fits in the smallest size.
    """
    for text in choices:
        for size in sizes:
            if cell_width(size) * len(text) <= width and _ink_height(text, size) <= height:
                return SetText(text, size)
    return SetText(ellipsize(choices[-1], width // cell_width(sizes[-1])), sizes[-1])


def fit_lines(
    text: str, width: int, height: int, sizes: tuple[int, ...] = SIZES
) -> tuple[tuple[str, ...], int]:
    """Break a text into lines for a box, in the largest size in which they fit.

    Args:
        text: Printable text.
        width: Width of the box in pixels.
        height: Height of the box in pixels.
        sizes: Sizes to try, largest first.

    Returns:
        The lines and their size. If they do not fit in the smallest size either, the last line is
        the rest of the text, and may be too long.
    """
    longest_word = max(map(len, text.split(" ")))
    for size in sizes:
        letters = width // cell_width(size)
        lines = wrap(text, letters)
        if len(lines) * size <= height and longest_word <= letters:
            return lines, size
    size = sizes[-1]
    lines = wrap(text, width // cell_width(size))
    rows = height // size
    return (*lines[: rows - 1], " ".join(lines[rows - 1 :])), size


def ellipsize(text: str, letters: int) -> str:
    """Return the text with at most so many letters, the last an ellipsis if it was longer."""
    if len(text) <= letters:
        return text
    return text[: max(letters - 1, 0)].rstrip() + ELLIPSIS if letters else ""


def wrap(text: str, letters: int) -> tuple[str, ...]:
    """Break a text at spaces into lines of at most so many letters.

    Longer words are split, after a hyphen if they have one.
    """
    lines: list[str] = []
    line = ""
    for whole_word in text.split(" "):
        word = whole_word
        joined = f"{line} {word}" if line else word
        if len(joined) <= letters:
            line = joined
            continue
        if line:
            lines.append(line)
        while len(word) > letters:
            cut = word.rfind("-", 0, letters) + 1 or letters
            lines.append(word[:cut])
            word = word[cut:]
        line = word
    return (*lines, line) if line else tuple(lines)


def _ink_height(text: str, size: int) -> int:
    box = ink_box(text, size)
    return box[3] - box[1] if box else 0


@cache
def _has_glyph(letter: str) -> bool:
    drawn, missing = (font(SMALLEST).getmask(each, "1") for each in (letter, NO_CHARACTER))
    return letter == " " or bytes(drawn) != bytes(missing)
