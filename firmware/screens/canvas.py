"""Screen of the display, and the canvas that it is drawn on.

Boxes are (left, top, right, bottom) in pixels, right and bottom exclusive, (0, 0) the top left
pixel of the display. The canvas fits every text into its box, in the first wording and the largest
size that fit; if none does, the last wording ends with an ellipsis.
"""

from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageDraw

from firmware.screens import typeset
from firmware.screens.view import Bitmap

WIDTH, HEIGHT = 128, 64
"""Pixels of the display."""

HEADER_HEIGHT = 13
ROW_HEIGHT = 12
BODY_TOP = 14
BODY_ROWS = 3
BODY_BOTTOM = BODY_TOP + BODY_ROWS * ROW_HEIGHT
FOOTER_TOP = 52
ROW_LETTERS = WIDTH // typeset.SMALLEST_WIDTH
"""Letters in a row of the smallest size."""

HINT_GAP = 4
"""Least pixels between two hints."""
CLEAR_GAP = 8
"""Pixels to both sides of the middle hint; with fewer it moves midway between the others."""

STATEMENT_SIZES = (24, 20, 18, 16, 14, 12)
"""Letter heights of a screen with a single statement."""

Box = tuple[int, int, int, int]
Align = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class PlacedText:
    """Text on a screen.

    Attributes:
        whole: Whole text.
        shown: Part of it that is shown: all, or the beginning and an ellipsis.
        box: Box around the pixels of its letters.
    """

    whole: str
    shown: str
    box: Box


@dataclass(frozen=True, slots=True)
class Screen:
    """Picture for the display.

    Attributes:
        name: Short identifier, unique among the screens of one result; fit for a file name.
        image: Picture of mode ``"1"``, 128 x 64; must not be changed.
        texts: Texts on it, in the order of drawing.
    """

    name: str
    image: Image.Image
    texts: tuple[PlacedText, ...]


class Canvas:
    """Dark screen to draw on."""

    def __init__(self) -> None:
        self.image = Image.new("1", (WIDTH, HEIGHT))
        self.draw = ImageDraw.Draw(self.image)
        self._texts: list[PlacedText] = []

    def text(
        self,
        box: Box,
        *choices: str,
        align: Align = "left",
        sizes: tuple[int, ...] = (typeset.SMALLEST,),
        dark: bool = False,
        over: bool = False,
    ) -> None:
        """Write into a box the first of the wordings that fits, else the last one shortened.

        Args:
            box: Box of the text, which is centred vertically.
            choices: Wordings of the same, best first.
            align: Side of the box to align to.
            sizes: Letter heights to try, largest first.
            dark: True for dark letters, for a box that is filled.
            over: True for a dark background under the letters, on a picture.
        """
        readable = tuple(typeset.in_font(choice) for choice in choices)
        left, top, right, bottom = box
        chosen = typeset.fit(readable, right - left, bottom - top, sizes)
        ink = typeset.ink_box(chosen.shown, chosen.size)
        if ink is None:
            return
        spare = right - left - chosen.width
        x = left + {"left": 0, "centre": spare // 2, "right": spare}[align]
        y = (top + bottom - chosen.size) // 2
        # Letters with accents may not reach over the box, though their cell may.
        y += max(top - (y + ink[1]), 0) - max(y + ink[3] - bottom, 0)
        letters = typeset.glyphs(chosen.shown, chosen.size)
        if over:
            self.draw.rectangle((x - 1, top, x + chosen.width, bottom - 1), fill=0)
        self.image.paste(0 if dark else typeset.LIT, (x, y), letters)
        place = (x + ink[0], y + ink[1], x + ink[2], y + ink[3])
        whole = chosen.shown if chosen.shown in readable else readable[-1]
        self._texts.append(PlacedText(whole, chosen.shown, place))

    def statement(self, text: str, box: Box) -> None:
        """Write a text, centred, in the largest letters in which its lines fit into the box."""
        left, top, right, bottom = box
        lines, size = typeset.fit_lines(
            typeset.in_font(text), right - left, bottom - top, STATEMENT_SIZES
        )
        start = top + (bottom - top - len(lines) * size) // 2
        for row, line in enumerate(lines):
            row_top = start + row * size
            self.text((left, row_top, right, row_top + size), line, align="centre", sizes=(size,))

    def lines(self, lines: tuple[str, ...]) -> None:
        """Write rows of text between header and hint row."""
        for row, line in enumerate(lines):
            self.text(body_row(row), line)

    def bar(self, box: Box) -> None:
        """Fill a box with light."""
        left, top, right, bottom = box
        self.draw.rectangle((left, top, right - 1, bottom - 1), fill=typeset.LIT)

    def header(self, left: tuple[str, ...], right: tuple[str, ...] = ()) -> None:
        """Draw the bar along the top: a title, and a short text at its right end.

        Args:
            left: Wordings of the title, best first.
            right: Wordings of the text beside it; left out where none has room.
        """
        self.bar((0, 0, WIDTH, HEADER_HEIGHT))
        titles = [typeset.in_font(title) for title in left]
        room = ROW_LETTERS - 1
        title, beside = next(
            (
                (title, beside)
                for title in titles
                for beside in right
                if len(title) + len(beside) <= room
            ),
            (titles[-1], ""),
        )
        edge = WIDTH - 1
        if beside:
            start = edge - typeset.SMALLEST_WIDTH * len(beside)
            self.text((1, 0, start, ROW_HEIGHT), title, dark=True)
            self.text((start, 0, edge, ROW_HEIGHT), beside, align="right", dark=True)
        else:
            self.text((1, 0, edge, ROW_HEIGHT), *titles, dark=True)

    def hint_row(self, scan: str, next_: str, ok: tuple[str, ...], left: int = 0) -> None:
        """Write what the three buttons do, in the order in which they are mounted.

        Args:
            scan: Hint of the left button.
            next_: Hint of the middle button.
            ok: Hint of the right button; wordings best first.
            left: Left end of the row; the left button has no hint if that is not the edge.
        """
        for x in range(left, WIDTH, 3):
            self.draw.point((x, FOOTER_TOP - 1), fill=typeset.LIT)
        free = WIDTH - 2 * HINT_GAP - typeset.SMALLEST_WIDTH * (len(scan) + len(next_))
        right = typeset.fit(ok, free, ROW_HEIGHT, (typeset.SMALLEST,))
        left_end = left + typeset.SMALLEST_WIDTH * len(scan)
        right_start = WIDTH - right.width
        half = typeset.SMALLEST_WIDTH * len(next_) // 2
        middle = WIDTH // 2
        if not left_end + CLEAR_GAP <= middle - half <= middle + half <= right_start - CLEAR_GAP:
            middle = (left_end + right_start) // 2
        self.text((left, FOOTER_TOP, left_end, HEIGHT), scan)
        self.text((middle - half, FOOTER_TOP, middle + half, HEIGHT), next_)
        self.text((WIDTH - free, FOOTER_TOP, WIDTH, HEIGHT), *ok, align="right")

    def position(self, number: int, count: int) -> None:
        """Show on the line above the hint row which of several views this is, from 1.

        The line is solid along the share of the view.
        """
        if count > 1:
            left, right = (round(WIDTH * each / count) for each in (number - 1, number))
            self.bar((left, FOOTER_TOP - 1, max(right, left + 3), FOOTER_TOP))

    def screen(self, name: str) -> Screen:
        """Return the screen that was drawn."""
        return Screen(name, self.image.copy(), tuple(self._texts))


def body_row(row: int, left: int = 0, right: int = WIDTH) -> Box:
    """Return the box of one of the three rows of text between header and hint row."""
    top = BODY_TOP + row * ROW_HEIGHT
    return left, top, right, top + ROW_HEIGHT


def image_of(bitmap: Bitmap) -> Image.Image:
    """Return a bitmap as a picture of mode ``"1"``."""
    picture = Image.frombytes("1", bitmap.size_wh, bitmap.bits)
    return picture.point(lambda dot: typeset.LIT if dot else 0)
