"""The photo of a game known by pictures with everything that was read drawn on it.

The marks are those of ``firmware.annotate``; figures have rings in their own colours, and labels
of buildings and cards stand on the colour of their player.
"""

from collections.abc import Iterator
from typing import Final

from firmware import drawing, quads
from firmware.annotate import LABEL_SHARE, MISSING, SURE, UNSURE, draw_unread, line_px
from firmware.board_games.colours import colour_of
from firmware.board_games.labels import label_of, owner_of
from firmware.board_games.places_px import cell_quad, outline_quad, slot_quad
from firmware.board_games.scan import BoardScan
from firmware.board_games.totals import badge_texts
from firmware.drawing import DARK, LIGHT, Colour, Picture
from firmware.language import Language
from firmware.plates import Plates
from firmware.screens.texts import Texts
from firmware.screens.words import result
from scoring.faces import Cell
from vision.reading import LoosePiece, GridReading
from vision.reading import Quad

_COLOURS: Final[dict[str, Colour]] = {
    "red": (50, 50, 200),
    "blue": (180, 100, 20),
    "green": (60, 130, 30),
    "yellow": (30, 200, 245),
}
_OTHER_COLOUR: Final[Colour] = (160, 60, 160)
_DARK_LETTERS_ON: Final = ("yellow",)
_RING_SHARE: Final = 0.3
"""Radius of the ring round a figure as a share of a cell's side."""
_CORNER_SHARE: Final = 0.7
"""How far from the middle of a field to its corner a label stands beside a figure."""
_BADGES_BESIDE: Final = 5
"""How many plates, one below the other, would be as high as a city or board."""
_MOST_LETTERS: Final = 12
"""Of a label; longer names are cut."""
_SHORTEST: Final = "MMM"
"""Labels are set as if they had as many letters, so that single letters are not huge."""


def annotate_boards(
    photo_bgr: Picture, scan: BoardScan, *, language: Language | None = None
) -> Picture:
    """Draw a scan on its photo.

    Args:
        photo_bgr: uint8, shape (height, width, 3), the photo that was read, of the size
            ``scan.reading.size_wh``; it is not changed.
        scan: what was read, and perhaps scored.
        language: of the words; None: that of all texts.

    Returns:
        A new picture of the same size.

    Raises:
        ValueError: the photo is of another size than the reading.
    """
    width, height = scan.reading.size_wh
    if photo_bgr.shape != (height, width, 3):
        raise ValueError(
            f"the reading is of a colour photo of {width}x{height} pixels, "
            f"but the picture has the shape {photo_bgr.shape}: annotate the photo that was read"
        )
    texts = Texts.of(language)
    picture = photo_bgr.copy()
    for region in scan.reading.unread:
        draw_unread(picture, region, texts)
    for grid in scan.reading.grids:
        _Drawing(picture, scan, grid, texts).draw()
    outlines = [outline_quad(grid, scan.description) for grid in scan.reading.grids]
    beside = [piece.corners_px for grid in scan.reading.grids for piece in grid.beside]
    unread = [region.corners_px for region in scan.reading.unread]
    plates = Plates(picture, [*outlines, *beside, *unread])
    for outline, text in zip(outlines, badge_texts(scan), strict=True):
        if text:
            side = quads.mean_side(outline) / _BADGES_BESIDE
            plates.draw_badge(outline, side, drawing.drawable(text))
    return picture


class _Drawing:
    """Draws one grid."""

    def __init__(self, picture: Picture, scan: BoardScan, grid: GridReading, texts: Texts) -> None:
        self._picture = picture
        self._scan = scan
        self._grid = grid
        self._texts = texts
        self._quads = {cell: cell_quad(grid, scan.description, cell) for cell in self._cells()}
        side = min(map(quads.mean_side, self._quads.values()))
        self._line_px = line_px(side * 1.5)
        self._side = side
        labels = [drawing.drawable(self._label(cell)) for cell in self._cells()]
        labels += [
            drawing.drawable(label_of(piece.face, scan.reading.game)) for piece in grid.beside
        ]
        longest = [label[:_MOST_LETTERS] for label in labels]
        self._scale = drawing.scale_to_fit([*longest, _SHORTEST], side * LABEL_SHARE, side * 0.3)

    def draw(self) -> None:
        """Outlines first, then labels, then figures, so that nothing hides what asks for a look."""
        self._outline_tiles()
        for cell in filter(self._asks_for_a_look, self._cells()):
            self._outline(cell)
        for piece in self._grid.beside:
            self._draw_piece(piece)
        for name, number in self._grid.unsure_slots:
            quad = slot_quad(self._grid, self._scan.description, name, number)
            if quad is not None:
                self._mark_unsure(quad, "?")
        self._draw_figures()
        for cell in self._cells():
            self._write_label(cell)

    def _cells(self) -> Iterator[Cell]:
        for row, names in enumerate(self._grid.grid):
            for column in range(len(names)):
                yield row, column

    def _name(self, cell: Cell) -> str | None:
        return self._grid.grid[cell[0]][cell[1]]

    def _asks_for_a_look(self, cell: Cell) -> bool:
        return cell in self._grid.unsure or self._name(cell) is None

    def _label(self, cell: Cell) -> str:
        name = self._name(cell)
        if name is None:
            return self._texts.say(result.NO_TILE_UNSURE) if cell in self._grid.unsure else ""
        mark = "?" if cell in self._grid.unsure else ""
        return label_of(name, self._scan.reading.game)[:_MOST_LETTERS] + mark

    def _outline_tiles(self) -> None:
        """Draw the edges of each tile on which anything is sure."""
        height, width = self._scan.description.tile_cells
        tiles = {
            (row // height, column // width): self._quads[row, column]
            for row, column in self._cells()
            if not self._asks_for_a_look((row, column))
        }
        for (row, column), of_cell in tiles.items():
            quad = self._grid.tile_quads_px[row][column] or of_cell
            drawing.outline(self._picture, quad, SURE, self._line_px, dashed=False)

    def _outline(self, cell: Cell) -> None:
        """Mark a cell that asks for a look."""
        quad, width_px = self._quads[cell], self._line_px
        is_unsure = cell in self._grid.unsure
        if self._name(cell) is not None:
            drawing.outline(self._picture, quad, UNSURE, 2 * width_px, dashed=True)
        elif is_unsure or self._scan.description.board is None:
            # On a printed board an empty plot is nothing to look at
            colour = UNSURE if is_unsure else MISSING
            drawing.outline(self._picture, quad, colour, width_px, dashed=True)
            drawing.cross(self._picture, quad, colour, width_px, share=0.3)

    def _write_label(self, cell: Cell) -> None:
        text = drawing.drawable(self._label(cell))
        if not text:
            return
        at = self._label_place(cell)
        if cell in self._grid.unsure:
            drawing.label(self._picture, at, text, self._scale, ink=DARK, ground=UNSURE)
        else:
            name = self._name(cell)
            owner = None if name is None else owner_of(name, self._scan.reading.game)
            self._write(at, text, owner)

    def _label_place(self, cell: Cell) -> tuple[float, float]:
        """The middle; where a figure stands, a corner, so that both can be seen."""
        quad = self._quads[cell]
        x, y = quads.middle(quad)
        if all(token.at != cell for token in self._grid.tokens):
            return x, y
        corner = min(quad, key=lambda point: point[0] + point[1])
        share = _CORNER_SHARE
        return x + (corner[0] - x) * share, y + (corner[1] - y) * share

    def _write(self, at: tuple[float, float], text: str, owner: str | None) -> None:
        ground = DARK if owner is None else _COLOURS.get(owner, _OTHER_COLOUR)
        ink = DARK if owner in _DARK_LETTERS_ON else LIGHT
        drawing.label(
            self._picture,
            at,
            text,
            self._scale,
            ink=ink,
            ground=ground,
            opacity=0.7 if owner is None else 0.9,
        )

    def _draw_piece(self, piece: LoosePiece) -> None:
        text = drawing.drawable(label_of(piece.face, self._scan.reading.game))[:_MOST_LETTERS]
        if quads.mean_side(piece.corners_px) < 1:
            return  # A person has named a piece that the eye has not seen
        if piece.unsure:
            self._mark_unsure(piece.corners_px, f"{text}?")
            return
        drawing.outline(self._picture, piece.corners_px, SURE, self._line_px, dashed=False)
        self._write(quads.middle(piece.corners_px), text, None)

    def _mark_unsure(self, quad: Quad, text: str) -> None:
        drawing.outline(self._picture, quad, UNSURE, 2 * self._line_px, dashed=True)
        at = quads.middle(quad)
        drawing.label(self._picture, at, text, self._scale, ink=DARK, ground=UNSURE)

    def _draw_figures(self) -> None:
        radius = self._side * _RING_SHARE
        standing = {token.at for token in self._grid.tokens}
        for token in self._grid.tokens:
            colour = _COLOURS.get(colour_of(token.kind), _OTHER_COLOUR)
            is_unsure = token.at in self._grid.unsure_figures
            width_px = 2 * self._line_px
            drawing.ring(self._picture, token.foot_px, radius, colour, width_px, dashed=is_unsure)
            if is_unsure:
                self._question(token.foot_px)
        for cell in self._grid.unsure_figures:
            if cell not in standing:
                at = quads.middle(self._quads[cell])
                drawing.ring(self._picture, at, radius, UNSURE, 2 * self._line_px, dashed=True)
                self._question(at)

    def _question(self, at: tuple[float, float]) -> None:
        below = at[0], at[1] + self._side * (_RING_SHARE + 0.1)
        drawing.label(self._picture, below, "?", self._scale, ink=DARK, ground=UNSURE)
