"""One page of a PDF, drawn in millimetres from its top left corner."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfgen.canvas import Canvas

MM_PER_INCH: Final = 25.4
POINTS_PER_MM: Final = 72 / MM_PER_INCH
FONT_NAME: Final = "DejaVuSans"
"""Has all letters of the languages; the fonts that every PDF reader brings lack ő and ű."""

_LINE_SPACING: Final = 1.25

Rectangle = tuple[float, float, float, float]
"""Left, top, width and height in mm."""

Spot = tuple[float, float]
"""From the left and from the top, in mm."""

Colour = tuple[float, float, float]
"""Red, green, blue; 0 to 1."""

BLACK: Final[Colour] = (0.0, 0.0, 0.0)


class Paper(StrEnum):
    """Sizes of paper that printers take."""

    A4 = "a4"
    LETTER = "letter"
    A3 = "a3"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height, upright."""
        match self:
            case Paper.A4:
                return 210.0, 297.0
            case Paper.LETTER:
                return 8.5 * MM_PER_INCH, 11 * MM_PER_INCH
            case Paper.A3:
                return 297.0, 420.0


class Page:
    """A page under construction.

    Attributes:
        size_mm: its width and height.
    """

    def __init__(self, canvas: Canvas, size_mm: tuple[float, float]) -> None:
        """Draw on what ``Document`` has made ready."""
        self.size_mm = size_mm
        self._canvas = canvas

    def fill(self, rectangles: Iterable[Rectangle], colour: Colour = BLACK) -> None:
        """Fill rectangles as one shape: no hairlines show where they touch."""
        path = self._canvas.beginPath()
        for left, top, width, height in rectangles:
            path.rect(
                left * POINTS_PER_MM,
                self._up(top + height),
                width * POINTS_PER_MM,
                height * POINTS_PER_MM,
            )
        self._fill_path(path, colour)

    def fill_circle(self, middle: Spot, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        path = self._canvas.beginPath()
        path.circle(middle[0] * POINTS_PER_MM, self._up(middle[1]), radius * POINTS_PER_MM)
        self._fill_path(path, colour)

    def fill_polygon(self, corners: Sequence[Spot], colour: Colour) -> None:
        """Fill a polygon."""
        path = self._canvas.beginPath()
        path.moveTo(corners[0][0] * POINTS_PER_MM, self._up(corners[0][1]))
        for x, y in corners[1:]:
            path.lineTo(x * POINTS_PER_MM, self._up(y))
        path.close()
        self._fill_path(path, colour)

    def draw_lines(
        self,
        lines: Iterable[tuple[Spot, Spot]],
        *,
        width: float,
        colour: Colour = BLACK,
        dashed: bool = False,
    ) -> None:
        """Draw straight lines, ``width`` mm wide."""
        self._canvas.saveState()
        self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setLineWidth(width * POINTS_PER_MM)
        if dashed:
            self._canvas.setDash([POINTS_PER_MM, POINTS_PER_MM])
        for (x1, y1), (x2, y2) in lines:
            self._canvas.line(x1 * POINTS_PER_MM, self._up(y1), x2 * POINTS_PER_MM, self._up(y2))
        self._canvas.restoreState()

    def place(self, picture: ImageReader, where: Rectangle) -> None:
        """Place a picture; one that is placed several times is in the file once."""
        left, top, width, height = where
        self._canvas.drawImage(
            picture,
            left * POINTS_PER_MM,
            self._up(top + height),
            width * POINTS_PER_MM,
            height * POINTS_PER_MM,
        )

    def write(self, text: str, left: float, baseline: float, *, size: float) -> None:
        """Write a line of text; size in points."""
        self._canvas.setFont(FONT_NAME, size)
        self._canvas.drawString(left * POINTS_PER_MM, self._up(baseline), text)

    def write_centred(self, text: str, middle: float, baseline: float, *, size: float) -> None:
        """Write a line of text around a place."""
        self._canvas.setFont(FONT_NAME, size)
        self._canvas.drawCentredString(middle * POINTS_PER_MM, self._up(baseline), text)

    def write_wrapped(
        self, text: str, left: float, baseline: float, width: float, *, size: float
    ) -> float:
        """Write a text on as many lines as it needs; gives the baseline after the last one."""
        for line in simpleSplit(text, FONT_NAME, size, width * POINTS_PER_MM):
            self.write(line, left, baseline, size=size)
            baseline += size * _LINE_SPACING / POINTS_PER_MM
        return baseline

    def _fill_path(self, path: object, colour: Colour) -> None:
        self._canvas.saveState()
        self._canvas.setFillColorRGB(*colour)
        self._canvas.drawPath(path, stroke=0, fill=1)
        self._canvas.restoreState()

    def _up(self, from_top_mm: float) -> float:
        """The coordinate of PDF, which counts points from the bottom."""
        return (self.size_mm[1] - from_top_mm) * POINTS_PER_MM
