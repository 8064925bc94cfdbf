"""Printed sheets of Cities: the drawn edition, to be cut out and played with."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from firmware.base.language import _
from firmware.printing.pdf_pages import Page, Size
from firmware.printing.piece_sheets import (
    MARKS_MM,
    PrintedSheet,
    draw_cut_marks,
    free_area,
    piece_sheets,
)
from firmware.printing.print_options import PrintOptions
from firmware.printing.svg import Drawing, load_built_in_drawings
from scoring.games.cities import NAME
from scoring.games.cities.table import TOURISTS_PER_PLAYER
from vision.editions.description import TokenDescription
from vision.editions.folder import built_in_edition

SETS: Final = 2
"""Default number of sets: one for each of two players."""

_STRIPS_IN_A_ROW: Final = 14
_BETWEEN_DISCS_MM: Final = 3.0
_FOLD_MM: Final = 0.15


def printed_sheets(paper_mm: Size, options: PrintOptions) -> list[PrintedSheet]:
    """Return 24 tiles for each player, and a page of tourists in all four colours."""
    edition = built_in_edition(NAME).description
    tiles = load_built_in_drawings(NAME, [face.name for face in edition.faces])
    pages: list[PrintedSheet] = []
    for number in range(1, (SETS if options.sets is None else options.sets) + 1):
        pages += piece_sheets(_("Cities: tiles of set {n}").format(n=number), tiles, paper_mm)
    note = _(
        "Fold the strips at the dashed lines, glue their long parts together and bend the short "
        "ones out as feet; or glue the discs onto coins. Any pawns of these colours will do as "
        "well."
    )
    draw = partial(_draw_tourists, edition.tokens)
    return [*pages, PrintedSheet(paper_mm, _("Cities: tourists"), note, draw)]


def _draw_tourists(kinds: Sequence[TokenDescription], page: Page) -> None:
    """Draw strips that fold to standing figures, and discs, seven of each in each colour."""
    top = free_area(page.size_mm)[1] + MARKS_MM
    strips = []
    for token, strip, left, y in _in_rows(page, kinds, "", _STRIPS_IN_A_ROW, 0.0, top):
        (width, height), foot = strip.size_mm, token.foot_mm / 2
        page.place(strip, left, y)
        folds = [y + foot + part * token.height_mm for part in range(3)]
        lines = [((left, fold), (left + width, fold)) for fold in folds]
        page.draw_lines(lines, width=_FOLD_MM, dashed=True)
        strips.append((left, y, width, height))
    draw_cut_marks(page, strips)
    below = strips[-1][1] + strips[-1][3] + 2 * MARKS_MM
    for _token, disc, left, y in _in_rows(
        page, kinds, "-disc", TOURISTS_PER_PLAYER, _BETWEEN_DISCS_MM, below
    ):
        page.place(disc, left, y)


def _in_rows(
    page: Page, kinds: Sequence[TokenDescription], what: str, in_a_row: int, gap: float, top: float
) -> list[tuple[TokenDescription, Drawing, float, float]]:
    """Yield each tourist's drawing, with its place in rows in the middle of the width."""
    tokens = [token for token in kinds for _copy in range(TOURISTS_PER_PLAYER)]
    drawings = load_built_in_drawings(NAME, [token.kind + what for token in tokens])
    across, down = (length + gap for length in drawings[0].size_mm)
    left = (page.size_mm[0] - in_a_row * across + gap) / 2
    return [
        (token, each, left + number % in_a_row * across, top + number // in_a_row * down)
        for number, (token, each) in enumerate(zip(tokens, drawings, strict=True))
    ]
