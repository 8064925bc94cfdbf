"""Annotated photo: everything that was read, drawn on the photo to be checked at a glance.

The kinds of marks differ in shape as well as in colour, so that colour-blind people can distinguish
them: a sure tile has a solid outline and light letters on dark, an unsure one a dashed outline, a
``?`` and dark letters on a bright background, a missing one a cross, an unread region is hatched.
Figures have rings in their own colours, and labels of buildings and cards stand on the colour of
their player.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from firmware.base import photo_quads
from firmware.base.language import D_
from firmware.games.player_words import colour_of_figure
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.report import photo_marks
from firmware.report.photo_marks import DARK, LIGHT, Colour, LabelStyle, Picture, Plates
from firmware.scan.corrections import cell_names
from firmware.scan.outlines import cell_outline, grid_outline, slot_outline
from firmware.wording.notes import short_note
from scoring.faces import Cell
from vision.photo.load import Photo
from vision.reading import (
    GridReading,
    LoosePiece,
    Note,
    Point,
    Quad,
    Reading,
    Unread,
)

SURE: Final[Colour] = (233, 200, 86)
UNSURE: Final[Colour] = (0, 190, 255)
MISSING: Final[Colour] = (180, 110, 255)
UNREAD: Final[Colour] = (180, 110, 255)

_SURE_LABEL: Final = LabelStyle(LIGHT, DARK, opacity=0.7)
_UNSURE_LABEL: Final = LabelStyle(DARK, UNSURE)
_MISSING_LABEL: Final = LabelStyle(DARK, MISSING)
_UNREAD_LABEL: Final = LabelStyle(DARK, UNREAD)

_COLOURS: Final[dict[str, Colour]] = {
    "red": (50, 50, 200),
    "blue": (180, 100, 20),
    "green": (60, 130, 30),
    "yellow": (30, 200, 245),
}
"""Colours of figures and of the labels of players' pieces, by name."""
_OTHER_COLOUR: Final[Colour] = (160, 60, 160)
_DARK_LETTERS_ON: Final = ("yellow",)
"""Names of colours on which letters are dark."""
_LABEL_SHARE: Final = 0.78
"""Width of the longest label as a share of a cell's side; the corners of its background then stay
inside the cell however it is turned."""
_RING_SHARE: Final = 0.3
"""Radius of the ring round a figure as a share of a cell's side."""
_CORNER_SHARE: Final = 0.7
"""Place of a label beside a figure, as a share of the way from the middle to a corner."""
_BADGES_BESIDE_GRID: Final = (4, 5)
"""Least and largest number of plates that, one below the other, are as high as a grid."""
_MAX_LABEL_CHARS: Final = 12
"""Letters of a label; longer names are cut."""
_SHORTEST: Final = "MMM"
"""Text that fits into a cell in any case, so that labels of a single letter are not huge."""
_NO_TILE: Final = D_("no tile")
_NO_TILE_UNSURE: Final = D_("empty?")
_NOT_READ_BECAUSE: Final = D_("not read:")
_REASON_LETTERS: Final = 18
"""Letters of a line with the reason why something was not read."""


def annotate(photo_bgr: Picture, scan: Scan) -> Picture:
    """Draw a scan on its photo.

    Args:
        photo_bgr: Photo, uint8, shape (height, width, 3), the photo that was read, of the size
            ``scan.reading.size_wh``; it is not changed.
        scan: Scan with the reading, and with the sheet if it was scored.

    Returns:
        A new picture of the same size.

    Raises:
        ValueError: The photo is of another size than the reading.
    """
    width, height = scan.reading.size_wh
    if photo_bgr.shape != (height, width, 3):
        raise ValueError(
            f"the reading is of a colour photo of {width}x{height} pixels, "
            f"but the picture has the shape {photo_bgr.shape}: annotate the photo that was read"
        )
    picture = photo_bgr.copy()
    reading = scan.reading
    for region in reading.unread:
        _draw_unread(picture, region, _short_text(region.reason, scan))
    for grid in reading.grids:
        _GridDrawing(picture, scan, grid).draw()
    outlines = [grid_outline(grid, scan.description) for grid in reading.grids]
    loose = [piece.corners_px for grid in reading.grids for piece in grid.loose]
    plates = Plates(picture, [*outlines, *loose, *(region.corners_px for region in reading.unread)])
    badges = game_or_unscored(reading.game).badges(scan) if scan.game else ("",) * len(outlines)
    fewest, most = _BADGES_BESIDE_GRID
    rows = min(max(scan.description.rows, fewest), most)
    for outline, text in zip(outlines, badges, strict=True):
        if text:
            plates.draw_badge(outline, photo_quads.mean_side_px(outline) / rows, text)
    for note in scan.doubts.notes[:1]:
        plates.draw_notice(_short_text(note, scan), _UNSURE_LABEL)
    return picture


def annotate_photo(photo: Photo, scan: Scan) -> Picture:
    """Draw a scan on a copy of its photo, at the size at which that was decoded."""
    shown = replace(scan, reading=at_decoded_size(scan.reading, photo))
    return annotate(photo.image_bgr, shown)


def _short_text(note: Note, scan: Scan) -> str:
    texts = game_or_unscored(scan.reading.game).short_note_texts
    return str(short_note(note, texts) or scan.sentence(note))


def at_decoded_size(reading: Reading, photo: Photo) -> Reading:
    """Return the reading in pixels of the decoded picture, which may be smaller than the photo."""
    height, width = photo.image_bgr.shape[:2]
    return reading.transformed(lambda points: photo.to_decoded_px(points).tolist(), (width, height))


class _GridDrawing:
    """Drawing of one grid on its photo."""

    def __init__(self, picture: Picture, scan: Scan, grid: GridReading) -> None:
        self._picture = picture
        self._grid = grid
        self._description = scan.description
        self._game = game_or_unscored(scan.reading.game)
        self._quads = {cell: cell_outline(grid, scan.description, cell) for cell in self._cells()}
        self._side = min(map(photo_quads.mean_side_px, self._quads.values()))
        self._line_px = _line_px(self._side * scan.description.tile_cells[0])
        labels = [self._face_label(name) for name in cell_names(scan.description)]
        labels += [self._cell_label(cell) for cell in self._cells()]
        labels += [self._piece_label(piece) for piece in grid.loose]
        room = self._side * _LABEL_SHARE, self._side * 0.3
        self._letters = photo_marks.size_to_fit((*labels, _SHORTEST), *room)

    def draw(self) -> None:
        """Draw sure tiles, then doubtful cells, pieces, figures, and labels on top."""
        self._outline_tiles()
        for cell in filter(self._is_doubtful, self._cells()):
            self._mark_doubtful(cell)
        for piece in self._grid.loose:
            self._draw_piece(piece)
        for name, number in self._grid.unsure_slots:
            quad = slot_outline(self._grid, self._description, name, number)
            if quad is not None:
                self._mark_unsure(quad, "?")
        self._draw_figures()
        for cell in self._cells():
            self._write_label(cell)

    def _cells(self) -> Iterator[Cell]:
        for row, names in enumerate(self._grid.faces):
            for column in range(len(names)):
                yield row, column

    def _is_doubtful(self, cell: Cell) -> bool:
        """Return whether a cell is unsure or has no tile."""
        return cell in self._grid.unsure or self._grid.face(cell) is None

    @property
    def _is_on_board(self) -> bool:
        return self._description.board is not None

    def _face_label(self, name: str) -> str:
        return self._game.label(name)[:_MAX_LABEL_CHARS]

    def _piece_label(self, piece: LoosePiece) -> str:
        return self._face_label(piece.face) + ("?" if piece.unsure else "")

    def _cell_label(self, cell: Cell) -> str:
        name = self._grid.face(cell)
        is_unsure = cell in self._grid.unsure
        if name is not None:
            return self._face_label(name) + ("?" if is_unsure else "")
        if is_unsure:
            return str(_NO_TILE_UNSURE)
        # On a printed board an empty plot needs no check
        return "" if self._is_on_board else str(_NO_TILE)

    def _outline_tiles(self) -> None:
        """Draw the edges of each tile with a cell that is not doubtful."""
        height, width = self._description.tile_cells
        tiles = {
            (row // height, column // width): self._quads[row, column]
            for row, column in self._cells()
            if not self._is_doubtful((row, column))
        }
        for (row, column), of_cell in tiles.items():
            quad = self._grid.tile_quads_px[row][column] or of_cell
            photo_marks.outline(self._picture, quad, SURE, self._line_px, dashed=False)

    def _mark_doubtful(self, cell: Cell) -> None:
        """Outline a cell, and cross it out if no tile was read; a sure empty plot stays bare."""
        quad, width_px = self._quads[cell], self._line_px
        is_unsure = cell in self._grid.unsure
        if self._grid.face(cell) is not None:
            photo_marks.outline(self._picture, quad, UNSURE, 2 * width_px, dashed=True)
        elif is_unsure or not self._is_on_board:
            colour = UNSURE if is_unsure else MISSING
            photo_marks.outline(self._picture, quad, colour, width_px, dashed=True)
            photo_marks.cross(self._picture, quad, colour, width_px, share=0.3)

    def _write_label(self, cell: Cell) -> None:
        text = self._cell_label(cell)
        if not text:
            return
        at, name = self._label_place(cell), self._grid.face(cell)
        if cell in self._grid.unsure or name is None:
            style = _UNSURE_LABEL if cell in self._grid.unsure else _MISSING_LABEL
            photo_marks.label(self._picture, at, text, self._letters, style)
        else:
            self._write_name(at, text, self._game.owner_colour(name))

    def _label_place(self, cell: Cell) -> Point:
        """Return the middle; beside a figure a corner, so that both can be seen."""
        quad = self._quads[cell]
        x, y = photo_quads.quad_centre(quad)
        if self._grid.figure(cell) is None:
            return x, y
        corner = min(quad, key=lambda point: point[0] + point[1])
        return x + (corner[0] - x) * _CORNER_SHARE, y + (corner[1] - y) * _CORNER_SHARE

    def _write_name(self, at: Point, text: str, owner: str | None) -> None:
        style = _SURE_LABEL
        if owner is not None:
            ink = DARK if owner in _DARK_LETTERS_ON else LIGHT
            style = LabelStyle(ink, _COLOURS.get(owner, _OTHER_COLOUR), opacity=0.9)
        photo_marks.label(self._picture, at, text, self._letters, style)

    def _draw_piece(self, piece: LoosePiece) -> None:
        if photo_quads.mean_side_px(piece.corners_px) < 1:
            return  # only a person named the piece, so its position is not known
        text = self._piece_label(piece)
        if piece.unsure:
            self._mark_unsure(piece.corners_px, text)
            return
        photo_marks.outline(self._picture, piece.corners_px, SURE, self._line_px, dashed=False)
        self._write_name(photo_quads.quad_centre(piece.corners_px), text, None)

    def _mark_unsure(self, quad: Quad, text: str) -> None:
        photo_marks.outline(self._picture, quad, UNSURE, 2 * self._line_px, dashed=True)
        at = photo_quads.quad_centre(quad)
        photo_marks.label(self._picture, at, text, self._letters, _UNSURE_LABEL)

    def _draw_figures(self) -> None:
        radius, width_px = self._side * _RING_SHARE, 2 * self._line_px
        for figure in self._grid.figures:
            colour = _COLOURS.get(colour_of_figure(figure.kind), _OTHER_COLOUR)
            is_unsure = figure.at in self._grid.unsure_figures
            photo_marks.ring(
                self._picture, figure.foot_px, radius, colour, width_px, dashed=is_unsure
            )
            if is_unsure:
                self._write_question_mark(figure.foot_px)
        for cell in self._grid.unsure_figures:
            if self._grid.figure(cell) is None:
                at = photo_quads.quad_centre(self._quads[cell])
                photo_marks.ring(self._picture, at, radius, UNSURE, width_px, dashed=True)
                self._write_question_mark(at)

    def _write_question_mark(self, at: Point) -> None:
        below = at[0], at[1] + self._side * (_RING_SHARE + 0.1)
        photo_marks.label(self._picture, below, "?", self._letters, _UNSURE_LABEL)


def _line_px(side_px: float) -> int:
    """Return the width of the lines round a tile of that side."""
    return max(1, round(side_px / 36))


def _draw_unread(picture: Picture, region: Unread, why: str) -> None:
    """Hatch what was not read, and write why."""
    side = photo_quads.mean_side_px(region.corners_px)
    width_px = _line_px(side / 4)
    photo_marks.hatch(picture, region.corners_px, UNREAD, width_px, max(side / 10, 6.0))
    photo_marks.outline(picture, region.corners_px, UNREAD, 2 * width_px, dashed=True)
    text = f"{_NOT_READ_BECAUSE} {why}"
    lines = textwrap.wrap(text, _REASON_LETTERS, break_long_words=False, break_on_hyphens=False)
    letters = photo_marks.size_to_fit(lines, side * _LABEL_SHARE, side * 0.1)
    step = letters * photo_marks.LINE * 1.35
    x, y = photo_quads.quad_centre(region.corners_px)
    for number, line in enumerate(lines):
        at = (x, y + (number - (len(lines) - 1) / 2) * step)
        photo_marks.label(picture, at, line, letters, _UNREAD_LABEL)
