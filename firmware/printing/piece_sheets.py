"""Pages full of square pieces."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware.language import _
from firmware.printing.cut_marks import MARKS_MM, draw_cut_marks
from firmware.printing.page import Page, Rectangle
from firmware.printing.pictures import Pictures, Piece
from firmware.printing.sheet import Sheet, Size, free_area

Draw = Callable[[Page, Pictures], None]


@dataclass(frozen=True, slots=True)
class PieceGrid:
    """Places for squares on a page, row by row, in the middle of its width.

    Attributes:
        edge_mm: of a square.
        gap_mm: between two squares; 0: they touch.
        columns: squares in a row.
        rows: how many rows there is room for.
        left_mm: of the first column.
        top_mm: of the first row.
    """

    edge_mm: float
    gap_mm: float
    columns: int
    rows: int
    left_mm: float
    top_mm: float

    @property
    def places(self) -> int:
        """How many squares a page takes."""
        return self.columns * self.rows

    def rectangles(self, count: int) -> list[Rectangle]:
        """Where the first ``count`` squares lie."""
        pitch = self.edge_mm + self.gap_mm
        return [
            (
                self.left_mm + number % self.columns * pitch,
                self.top_mm + number // self.columns * pitch,
                self.edge_mm,
                self.edge_mm,
            )
            for number in range(count)
        ]


def piece_grid(size_mm: Size, edge_mm: float, gap_mm: float = 0.0) -> PieceGrid:
    """As many squares as a page has room for, with their cut marks."""
    left, top, width, height = free_area(size_mm)
    pitch = edge_mm + gap_mm
    columns = int((width - 2 * MARKS_MM + gap_mm) // pitch)
    rows = int((height - 2 * MARKS_MM + gap_mm) // pitch)
    used = columns * pitch - gap_mm
    return PieceGrid(edge_mm, gap_mm, columns, rows, left + (width - used) / 2, top + MARKS_MM)


def piece_sheets(
    title: str, pieces: Sequence[Piece], edge_mm: float, size_mm: Size, note: str = ""
) -> list[Sheet]:
    """Pages of pieces that touch, printed on one side.

    Args:
        title: of each page.
        pieces: in order, each as often as it is needed.
        edge_mm: of a piece.
        size_mm: of the paper.
        note: on each page.
    """
    grid = piece_grid(size_mm, edge_mm)
    return [
        Sheet(size_mm, title, note, _drawing(part, grid.rectangles(len(part))))
        for part in _parts(pieces, grid.places)
    ]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of pieces that are printed on both.

    Attributes:
        title: of the pages with this side.
        pieces: what this side shows of each piece.
    """

    title: str
    pieces: Sequence[Piece]


def two_sided_sheets(
    front: Side, back: Side, edge_mm: float, size_mm: Size, gap_mm: float, note: str = ""
) -> list[Sheet]:
    """Pages of fronts, each followed by the page of their backs.

    The backs lie as in a mirror, so that they come to lie behind their fronts when the paper is
    turned over its long edge. They run out to the middle of the gaps: no printer meets the back
    quite exactly.

    Args:
        front: the sides along which is cut.
        back: their backs, in the same order.
        edge_mm: of a piece.
        size_mm: of the paper, upright.
        gap_mm: between two pieces.
        note: on each page of fronts.
    """
    grid = piece_grid(size_mm, edge_mm, gap_mm)
    back_note = _(
        "Print on the back of the page before, turned over its long edge, or glue both sheets "
        "together back to back; cut along the marks of the fronts."
    )
    sheets = []
    parts = zip(_parts(front.pieces, grid.places), _parts(back.pieces, grid.places), strict=True)
    for fronts, backs in parts:
        places = grid.rectangles(len(fronts))
        behind = [_mirrored(place, size_mm[0]) for place in places]
        sheets += [
            Sheet(size_mm, front.title, note, _drawing(fronts, places)),
            Sheet(size_mm, back.title, back_note, _drawing(backs, behind, gap_mm / 2)),
        ]
    return sheets


def _mirrored(place: Rectangle, page_width: float) -> Rectangle:
    left, top, width, height = place
    return page_width - left - width, top, width, height


def _parts(pieces: Sequence[Piece], most: int) -> list[Sequence[Piece]]:
    return [pieces[first : first + most] for first in range(0, len(pieces), most)]


def _drawing(pieces: Sequence[Piece], places: Sequence[Rectangle], bleed_mm: float = 0.0) -> Draw:
    def draw(page: Page, pictures: Pictures) -> None:
        for piece, (left, top, width, height) in zip(pieces, places, strict=True):
            outer = (
                left - bleed_mm,
                top - bleed_mm,
                width + 2 * bleed_mm,
                height + 2 * bleed_mm,
            )
            page.place(pictures.of(piece, width, bleed_mm), outer)
        draw_cut_marks(page, places)

    return draw
