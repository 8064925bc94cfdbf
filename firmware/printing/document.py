"""A PDF file under construction."""

from importlib import resources
from io import BytesIO

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from firmware.printing.page import FONT_NAME, POINTS_PER_MM, Page

# Pictures as they are, not spelled out in letters that take a quarter more space
rl_config.useA85 = 0


class Document:
    """Pages, one after the other.

    Attributes:
        pages: how many there are.
    """

    def __init__(self, title: str) -> None:
        """Begin a file; ``title`` is what viewers show as its name."""
        self.pages = 0
        self._file = BytesIO()
        # invariant: neither time nor random number, so that a file is the same each time
        self._canvas = Canvas(self._file, invariant=True, pageCompression=0)
        self._canvas.setTitle(title)
        # Ask the reader's print dialogue not to fit the page to the paper
        self._canvas.setViewerPreference("PrintScaling", "None")
        _register_font()

    def new_page(self, size_mm: tuple[float, float]) -> Page:
        """The next page; nothing can be drawn any more on the one before."""
        if self.pages:
            self._canvas.showPage()
        self.pages += 1
        width, height = size_mm
        self._canvas.setPageSize((width * POINTS_PER_MM, height * POINTS_PER_MM))
        return Page(self._canvas, size_mm)

    def pdf(self) -> bytes:
        """The finished file; nothing can be drawn afterwards."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()


def _register_font() -> None:
    if FONT_NAME not in pdfmetrics.getRegisteredFontNames():
        font = resources.files("firmware.printing") / f"{FONT_NAME}.ttf"
        with font.open("rb") as file:
            pdfmetrics.registerFont(TTFont(FONT_NAME, BytesIO(file.read())))
