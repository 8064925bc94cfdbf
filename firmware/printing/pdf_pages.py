"""A PDF file page by page, drawn in millimetres from the top left corner of each page."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from io import BytesIO
from typing import Final

from reportlab import rl_config
from reportlab.lib import pagesizes
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from firmware.base.picture_text import font_file
from firmware.printing.svg import Drawing

MM_PER_INCH: Final = 25.4
POINTS_PER_MM: Final = 72 / MM_PER_INCH
FONT_NAME: Final = "DejaVuSans"
"""Font with all letters of the languages; the fonts that every PDF reader brings lack ő and ű."""

_LINE_SPACING: Final = 1.25

Size = tuple[float, float]
"""Width and height in mm."""

Rectangle = tuple[float, float, float, float]
"""Left, top, width and height in mm."""

Spot = tuple[float, float]
"""From the left and from the top, in mm."""

Colour = tuple[float, float, float]
"""Red, green, blue; 0 to 1."""

BLACK: Final[Colour] = (0.0, 0.0, 0.0)

# Streams as they are, not spelled out in letters that take a quarter more space
rl_config.useA85 = 0


class Paper(StrEnum):
    """Sizes of paper that printers take."""

    A4 = "a4"
    LETTER = "letter"
    A3 = "a3"

    @property
    def size_mm(self) -> Size:
        """Width and height of the upright paper."""
        width, height = getattr(pagesizes, self.name)
        return width / POINTS_PER_MM, height / POINTS_PER_MM


class Document:
    """Pages, one after the other.

    Attributes:
        pages: Number of pages.
    """

    def __init__(self, title: str) -> None:
        """Begin a file; ``title`` is what viewers show as its name."""
        self.pages = 0
        self._file = BytesIO()
        # invariant: neither time nor random number, so that a file is the same each time
        self._canvas = Canvas(self._file, invariant=True, pageCompression=1)
        self._canvas.setTitle(title)
        # Ask the reader's print dialogue not to fit the page to the paper
        self._canvas.setViewerPreference("PrintScaling", "None")
        if FONT_NAME not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(FONT_NAME, BytesIO(font_file())))

    def new_page(self, size_mm: Size) -> "Page":
        """Start a page; the one before can no longer be drawn on."""
        if self.pages:
            self._canvas.showPage()
        self.pages += 1
        width, height = size_mm
        self._canvas.setPageSize((width * POINTS_PER_MM, height * POINTS_PER_MM))
        return Page(self._canvas, size_mm)

    def pdf(self) -> bytes:
        """Finish and return the file; nothing can be drawn afterwards."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()


class Page:
    """A page under construction.

    Attributes:
        size_mm: Width and height of the page.
    """

    def __init__(self, canvas: Canvas, size_mm: Size) -> None:
        """Draw on what ``Document`` has made ready."""
        self.size_mm = size_mm
        self._canvas = canvas

    def place(
        self,
        drawing: Drawing,
        left: float,
        top: float,
        *,
        bleed: float = 0.0,
        shown: Rectangle | None = None,
    ) -> None:
        """Place a drawing in its true size; one that is placed several times is in the file once.

        Args:
            drawing: Drawing, upright.
            left: Left edge of the drawing, in mm.
            top: Top edge of the drawing, in mm.
            bleed: Width in mm by which it is drawn beyond each of its edges.
            shown: Part of the page to which it is clipped; None if it is not clipped.
        """
        x, y, across, down = drawing.box
        scale_x, scale_y = drawing.size_mm[0] / across, drawing.size_mm[1] / down
        over_x, over_y = bleed / scale_x, bleed / scale_y
        name = f"{drawing.file.parent.name}-{drawing.file.stem}-{bleed:g}"
        canvas = self._canvas
        if not canvas.hasForm(name):
            canvas.beginForm(name, x - over_x, y - over_y, x + across + over_x, y + down + over_y)
            canvas.addLiteral(drawing.operators)
            canvas.endForm()
        canvas.saveState()
        if shown is not None:
            canvas.clipPath(self._outline([shown]), stroke=0, fill=0)
        canvas.translate(left * POINTS_PER_MM, self._up(top))
        canvas.scale(scale_x * POINTS_PER_MM, -scale_y * POINTS_PER_MM)
        canvas.translate(-x, -y)
        canvas.doForm(name)
        canvas.restoreState()

    def fill(self, rectangles: Iterable[Rectangle]) -> None:
        """Blacken rectangles as one shape: no hairlines show where they touch."""
        self._canvas.drawPath(self._outline(rectangles), stroke=0, fill=1)

    def fill_polygon(self, corners: Sequence[Spot]) -> None:
        """Blacken a polygon."""
        path = self._canvas.beginPath()
        for number, (x, y) in enumerate(corners):
            draw = path.lineTo if number else path.moveTo
            draw(x * POINTS_PER_MM, self._up(y))
        path.close()
        self._canvas.drawPath(path, stroke=0, fill=1)

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
        """Write a text on as many lines as it needs; return the baseline after the last one."""
        for line in simpleSplit(text, FONT_NAME, size, width * POINTS_PER_MM):
            self.write(line, left, baseline, size=size)
            baseline += size * _LINE_SPACING / POINTS_PER_MM
        return baseline

    def _outline(self, rectangles: Iterable[Rectangle]) -> PDFPathObject:
        path = self._canvas.beginPath()
        for left, top, width, height in rectangles:
            path.rect(
                left * POINTS_PER_MM,
                self._up(top + height),
                width * POINTS_PER_MM,
                height * POINTS_PER_MM,
            )
        return path

    def _up(self, from_top_mm: float) -> float:
        """Return the PDF coordinate, in points from the bottom."""
        return (self.size_mm[1] - from_top_mm) * POINTS_PER_MM
