"""One page of a PDF, drawn in millimetres from its top left corner."""

from collections.abc import Iterable
from enum import StrEnum
from importlib import resources
from io import BytesIO
from typing import Final

from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

MM_PER_INCH: Final = 25.4
POINTS_PER_MM: Final = 72 / MM_PER_INCH
_LINE_SPACING: Final = 1.25
_FONT_NAME: Final = "DejaVuSans"
"""Has all letters of the languages; the fonts that every PDF reader brings lack ő and ű."""

Rectangle = tuple[float, float, float, float]
"""Left, top, width and height in mm."""


class Paper(StrEnum):
    """Sizes of paper that printers take."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height, upright."""
        return (210.0, 297.0) if self is Paper.A4 else (8.5 * MM_PER_INCH, 11 * MM_PER_INCH)


class Page:
    """A page under construction.

    Attributes:
        paper: its size.
    """

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self._file = BytesIO()
        self._height_mm = paper.size_mm[1]
        size = (paper.size_mm[0] * POINTS_PER_MM, paper.size_mm[1] * POINTS_PER_MM)
        # invariant: neither time nor random number, so that a sheet is the same each time
        self._canvas = Canvas(self._file, pagesize=size, invariant=True, pageCompression=0)
        # Ask the reader's print dialogue not to fit the page to the paper
        self._canvas.setViewerPreference("PrintScaling", "None")
        _register_font()

    def name(self, title: str) -> None:
        """Say what viewers show as the title of the document."""
        self._canvas.setTitle(title)

    def fill(self, rectangles: Iterable[Rectangle]) -> None:
        """Fill rectangles with black, as one shape: no hairlines show where they touch."""
        path = self._canvas.beginPath()
        for left, top, width, height in rectangles:
            path.rect(
                left * POINTS_PER_MM,
                self._up(top + height),
                width * POINTS_PER_MM,
                height * POINTS_PER_MM,
            )
        self._canvas.drawPath(path, stroke=0, fill=1)

    def write(self, text: str, left: float, baseline: float, *, size: float) -> None:
        """Write a line of text; size in points."""
        self._canvas.setFont(_FONT_NAME, size)
        self._canvas.drawString(left * POINTS_PER_MM, self._up(baseline), text)

    def write_centred(self, text: str, middle: float, baseline: float, *, size: float) -> None:
        """Write a line of text around a place."""
        self._canvas.setFont(_FONT_NAME, size)
        self._canvas.drawCentredString(middle * POINTS_PER_MM, self._up(baseline), text)

    def write_wrapped(
        self, text: str, left: float, baseline: float, width: float, *, size: float
    ) -> float:
        """Write a text on as many lines as it needs; gives the baseline after the last one."""
        for line in simpleSplit(text, _FONT_NAME, size, width * POINTS_PER_MM):
            self.write(line, left, baseline, size=size)
            baseline += size * _LINE_SPACING / POINTS_PER_MM
        return baseline

    def pdf(self) -> bytes:
        """The finished PDF file; nothing can be drawn afterwards."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()

    def _up(self, from_top_mm: float) -> float:
        """The coordinate of PDF, which counts points from the bottom."""
        return (self._height_mm - from_top_mm) * POINTS_PER_MM


def _register_font() -> None:
    if _FONT_NAME not in pdfmetrics.getRegisteredFontNames():
        font = resources.files("firmware.printing") / f"{_FONT_NAME}.ttf"
        with font.open("rb") as file:
            pdfmetrics.registerFont(TTFont(_FONT_NAME, BytesIO(file.read())))
