"""What a screen is, and the canvas that it is drawn on.

Boxes are (left, top, right, bottom) in pixels, right and bottom exclusive, (0, 0) the top left
pixel of the display. The canvas fits every text into its box, so that nothing is ever cut off.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageDraw

from firmware.screens import typeset

WIDTH, HEIGHT = 128, 64
"""Pixels of the display."""

HEADER_HEIGHT = 13
ROW_HEIGHT = 12
BODY_TOP = 14
FOOTER_TOP = 52
BODY_ROWS = 3
ROW_LETTERS = WIDTH // typeset.SMALLEST_WIDTH
"""Letters in a row of the smallest size."""

SIDE_WIDTH = 36
"""Width of the column that takes the place of the hint row on a page of full height."""


Box = tuple[int, int, int, int]
Align = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text on a screen.

    Attributes:
        whole: what was to be said.
        shown: what the display shows of it: all, or the beginning and an ellipsis.
        box: the lit (or, in a bar, dark) pixels of its letters.
    """

    whole: str
    shown: str
    box: Box


@dataclass(frozen=True, slots=True)
class Screen:
    """One picture for the display.

    Attributes:
        name: short identifier, unique among the screens of one result; fit for a file name.
        image: mode ``"1"``, 128x64, not to be changed.
        texts: all texts on it, in the order of reading.
    """

    name: str
    image: Image.Image
    texts: tuple[PlacedText, ...]


class Canvas:
    """A dark screen to draw on."""

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
    ) -> None:
        """Write into a box the first of the wordings that fits, else the last one shortened.

        Args:
            box: where; the text is centred vertically.
            choices: wordings of the same, best first.
            align: to which side of the box.
            sizes: letter heights to try, largest first.
            dark: dark letters, for a box that is filled.
        """
        readable = tuple(typeset.printable(choice) for choice in choices)
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
        self.image.paste(0 if dark else typeset.LIT, (x, y), letters)
        place = (x + ink[0], y + ink[1], x + ink[2], y + ink[3])
        self._texts.append(PlacedText(readable[0], chosen.shown, place))

    def bar(self, box: Box) -> None:
        """Fill a box with light."""
        left, top, right, bottom = box
        self.draw.rectangle((left, top, right - 1, bottom - 1), fill=typeset.LIT)

    def header(self, left: tuple[str, ...], right: tuple[str, ...] = ()) -> None:
        """The bar along the top: a title, and something at its right end."""
        self.bar((0, 0, WIDTH, HEADER_HEIGHT))
        end = WIDTH - 2
        if right:
            readable = tuple(map(typeset.printable, right))
            shown = typeset.fit(readable, WIDTH * 2 // 3, ROW_HEIGHT, (typeset.SMALLEST,))
            self.text((end - shown.width, 0, end, ROW_HEIGHT), *right, align="right", dark=True)
            end -= shown.width + typeset.SMALLEST_WIDTH
        self.text((2, 0, end, ROW_HEIGHT), *left, dark=True)

    def footer(self, left: str, middle: tuple[str, ...], right: str) -> None:
        """The hint row along the bottom: page, what to look at, what the button does."""
        for x in range(0, WIDTH, 3):
            self.draw.point((x, FOOTER_TOP - 1), fill=typeset.LIT)
        gap = 4
        left_end = typeset.SMALLEST_WIDTH * len(typeset.printable(left))
        right_start = WIDTH - typeset.SMALLEST_WIDTH * len(typeset.printable(right))
        self.text((0, FOOTER_TOP, left_end, HEIGHT), left)
        if middle:
            box = (left_end + gap, FOOTER_TOP, right_start - gap, HEIGHT)
            self.text(box, *middle, align="centre")
        self.text((right_start, FOOTER_TOP, WIDTH, HEIGHT), right, align="right")

    def side_hints(self, title: str, page: str, middle: str, right: str) -> None:
        """Title and hints of a page that needs the whole height, as a column at the right edge."""
        left = WIDTH - SIDE_WIDTH
        self.dots_down(left - 3, 0, HEIGHT)
        tops = (0, FOOTER_TOP - 2 * ROW_HEIGHT, FOOTER_TOP - ROW_HEIGHT, FOOTER_TOP)
        for top, text in zip(tops, (title, middle, page, right), strict=True):
            self.text((left, top, WIDTH, top + ROW_HEIGHT), text, align="right")

    def dots_down(self, x: int, top: int, bottom: int) -> None:
        """A dotted line from top to bottom, exclusive."""
        for y in range(top, bottom, 3):
            self.draw.point((x, y), fill=typeset.LIT)

    def screen(self, name: str) -> Screen:
        """What has been drawn."""
        return Screen(name, self.image.copy(), tuple(self._texts))


@dataclass(frozen=True, slots=True)
class Draft:
    """A page that does not know yet how many pages there are.

    Attributes:
        name: of the screen that it becomes.
        draw: draws all but the hints.
        has_hint_row: whether the hints stand in the bottom row; else in a column at the right.
    """

    name: str
    draw: Callable[[Canvas], None]
    has_hint_row: bool = True


def body_row(row: int, left: int = 0, right: int = WIDTH) -> Box:
    """The box of one of the three rows of text between header and footer."""
    top = BODY_TOP + row * ROW_HEIGHT
    return left, top, right, top + ROW_HEIGHT
