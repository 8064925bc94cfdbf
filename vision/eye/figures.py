"""Figures on the tiles of a grid: where they stand, of which kind they are, and what they hide.

Places are in tiles, (0, 0) at the top left corner of the grid, x to the right and y down.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Doubles, Floats, Image, Masks, floats
from vision.editions.description import Description
from vision.eye.confidence import FIGURE_CURVE, figure_chance
from vision.eye.identify import GREY_WEIGHT
from vision.eye.piece_detector import (
    FOOT_PX,
    MULTIPLE_PX,
    STRIDE_PX,
    FigureDetections,
    detect_figures,
)
from vision.patches.cut import Pyramid, warp_plane
from vision.patches.embedding import LOG_TABLE, PARTS_ACROSS

_MOST_PX = 2048
"""Longer side of a grid as the network sees it."""
_ROOM_FEET = 2.2
"""Beside a grid, in feet: so far a figure may lean out."""
MIN_SQUARE_PROBABILITY: Final = 0.08
"""Least probability of a square (``STRIDE_PX``) that shows a figure."""
MIN_BODY_PROBABILITY: Final = 0.6
"""Least probability of the squares that tell a figure's colour, if it has any as clear."""
MIN_FIGURE_CHANCE: Final = 0.05
"""Chance below which something is no figure."""
READ_FIGURE_CHANCE: Final = 0.4
"""Chance above which something is read as a figure; with less, its cell is asked about."""
SURE_FIGURE_CHANCE: Final = 0.65
"""Chance above which a figure is read without asking. Larger: more cells are asked about; smaller:
stains become figures."""
MAX_COVERED_SHARE: Final = 0.1
"""Share of a part of a tile up to which figures may hide it and it still tells of the face."""
MAX_PAINT_DISTANCE: Final = 0.55
"""Distance of a colour from a paint below which it is that paint, in logarithms."""
MIN_PAINT_MARGIN: Final = 0.1
"""Least lead of the nearest paint over the next one, in logarithms, for a kind that is sure."""
EDGE_FEET: Final = 0.15
"""Distance from the edge of a cell below which a foot may stand on the next one, in diameters of a
foot."""


@dataclass(frozen=True, slots=True, eq=False)
class FiguresOnGrid:
    """What may be figures on a grid, n of them.

    Attributes:
        shape: rows and columns of tiles.
        feet: (n, 2) where they stand.
        off: (n, kinds) how far their colours are from the paint of each kind, in logarithms.
        evidence: (n, 6) of each, see ``vision.eye.confidence.FIGURE_CURVE``.
        chance: (n,) how likely each is a figure, 0 to 1.
        covered: (tiles, PART_COUNT) which parts of tiles they hide, row by row as the photo lies.
        windows: (n,) least similarity of the windows over them to those of the tiles' faces; NaN
            where no face is sure.
    """

    shape: tuple[int, int]
    feet: Floats
    off: Doubles
    evidence: Doubles
    chance: Doubles
    covered: Masks
    windows: Doubles

    def turned(self, quarters: int) -> "FiguresOnGrid":
        """The shape and feet of a grid that is turned clockwise."""
        feet, (rows, columns) = self.feet, self.shape
        for _ in range(quarters % 4):
            feet = floats(np.stack([rows - feet[:, 1], feet[:, 0]], axis=-1))
            rows, columns = columns, rows
        return replace(self, shape=(rows, columns), feet=feet)


def find_figures(
    photo: Pyramid,
    corners_px: Floats,
    foot: float,
    parts: Floats,
    paints: Doubles,
) -> FiguresOnGrid:
    """Find figures on a grid.

    Args:
        photo: that shows it.
        corners_px: (4, 2) of the grid.
        foot: diameter of a figure's foot, in tiles.
        parts: (rows, columns, PARTS_ACROSS, PARTS_ACROSS) similarity of the parts of each tile to
            those of its face; where a figure stands it is little.
        paints: (kinds, 3) logarithms of the colours of figures, in this light.
    """
    rows, columns = parts.shape[:2]
    room = _ROOM_FEET * foot
    tile_px = min(FOOT_PX / foot, _MOST_PX / (max(rows, columns) + 2 * room))
    size = [
        int(np.ceil((n + 2 * room) * tile_px / MULTIPLE_PX)) * MULTIPLE_PX for n in (columns, rows)
    ]
    inner = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    view = cv2.getPerspectiveTransform(floats((inner + room) * tile_px - 0.5), floats(corners_px))
    flat = warp_plane(photo, np.asarray(view, np.float64), (size[0], size[1]))
    seen = detect_figures(flat, MIN_SQUARE_PROBABILITY)
    feet = floats((seen.feet + 0.5) / tile_px - room)
    on_tiles = ((feet > 0) & (feet < (columns, rows))).all(axis=1)
    evidence = np.zeros((len(feet), 6))
    middles, colours = _middles_and_colours(seen, flat)
    off = _paint_distances(colours, paints)
    for n in np.flatnonzero(on_tiles).tolist():
        evidence[n, 2] = _part_at((middles[n] + 0.5) / tile_px - room, parts)
        evidence[n, 3] = _part_at(feet[n], parts)
    area = np.pi / 4 * (FOOT_PX / STRIDE_PX) ** 2
    evidence[:, 0], evidence[:, 1] = seen.squares / area, seen.likely
    ordered = np.sort(off, axis=1)
    evidence[:, 4] = ordered[:, 0]
    evidence[:, 5] = ordered[:, 1] - ordered[:, 0] if off.shape[1] > 1 else 1.0
    chance = np.where(on_tiles, FIGURE_CURVE(evidence), 0.0)
    there = np.append(chance > READ_FIGURE_CHANCE, False)[seen.owner]
    return FiguresOnGrid(
        (rows, columns),
        feet,
        off,
        evidence,
        chance,
        _covered(there, (rows, columns), room, tile_px / STRIDE_PX) > MAX_COVERED_SHARE,
        np.full(len(feet), np.nan),
    )


def _covered(there: Masks, shape: tuple[int, int], room: float, tile: float) -> Doubles:
    """(tiles, PART_COUNT) which share of each part squares (h, w) hide; a tile is so many long."""
    rows, columns = (n * PARTS_ACROSS for n in shape)
    y, x = np.nonzero(there)
    at = np.floor((np.stack([y, x]) + 0.5) / tile * PARTS_ACROSS - room * PARTS_ACROSS).astype(int)
    row, column = at[:, (at >= 0).all(axis=0) & (at[0] < rows) & (at[1] < columns)]
    hidden = np.zeros((rows, columns))
    np.add.at(hidden, (row, column), (PARTS_ACROSS / tile) ** 2)
    in_tiles = hidden.reshape(shape[0], PARTS_ACROSS, shape[1], PARTS_ACROSS).transpose(0, 2, 1, 3)
    return np.asarray(in_tiles.reshape(-1, PARTS_ACROSS**2))


def _middles_and_colours(seen: FigureDetections, flat: Image) -> tuple[Doubles, Doubles]:
    """Middles (n, 2) in pixels of figures in a picture, and logarithms of their colours (n, 3)."""
    logarithms = cv2.resize(
        cv2.LUT(flat, LOG_TABLE), seen.owner.shape[::-1], interpolation=cv2.INTER_AREA
    )
    row, column = np.nonzero(seen.owner >= 0)
    number, body = seen.owner[row, column], seen.body[row, column]
    clearest = np.zeros(len(seen.feet), np.float32)
    np.maximum.at(clearest, number, body)
    tells = body >= np.minimum(MIN_BODY_PROBABILITY, clearest[number])

    def means(values: Doubles, which: Masks) -> Doubles:
        sums = [np.bincount(number[which], each, len(seen.feet)) for each in values[which].T]
        return (
            np.stack(sums, axis=-1) / np.bincount(number[which], minlength=len(seen.feet))[:, None]
        )

    places = (np.stack([column, row], axis=-1) + 0.5) * STRIDE_PX - 0.5
    shown = np.asarray(logarithms, np.float64)[row, column]
    return means(places.astype(np.float64), np.ones(len(row), bool)), means(shown, tells)


def _paint_distances(colours: Doubles, paints: Doubles) -> Doubles:
    """(n, kinds) how far colours (n, 3) are from paints (kinds, 3), all logarithms."""
    away = colours[:, None] - paints
    grey = away.mean(axis=2)
    hue = ((away - grey[..., None]) ** 2).sum(axis=2)
    return np.asarray(np.sqrt(hue + GREY_WEIGHT * 3 * grey**2))


def _part_at(place: NDArray[np.floating], parts: Floats) -> float:
    """The similarity of the part of a tile at a place to that of its face."""
    size = np.array(parts.shape[1::-1])
    x, y = np.clip(place, 0, size - 1e-3).tolist()
    row, column = int(y), int(x)
    return float(
        parts[row, column, int((y - row) * PARTS_ACROSS), int((x - column) * PARTS_ACROSS)]
    )


@dataclass(frozen=True, slots=True)
class GridFigure:
    """A figure as it was read: on which cell, index of its kind, where its foot is, in cells."""

    cell: Cell
    kind: int
    foot: tuple[float, float]


def decide_figures(
    figures: FiguresOnGrid, description: Description
) -> tuple[list[GridFigure], list[Cell]]:
    """Which figures stand on which cells, and the cells of which that is not certain.

    Args:
        figures: on the grid as it is read upright.
        description: of the game.
    """
    tall, wide = description.tile_cells
    off, chance = figures.off, figures.chance
    windows, alone = figures.windows, figures.chance
    chance = figure_chance(alone, windows)
    likely = chance > READ_FIGURE_CHANCE
    usual = None
    if description.one_kind_of_token and likely.any():
        usual = int(
            (np.minimum(off, MAX_PAINT_DISTANCE) * chance[:, None])[likely].sum(axis=0).argmin()
        )
        # What is no figure of this player's is hardly one
        others = np.delete(off, usual, axis=1).min(axis=1, initial=np.inf)
        evidence = figures.evidence.copy()
        evidence[:, 4] = off[:, usual]
        evidence[:, 5] = np.minimum(others - off[:, usual], 1.0)
        foreign = np.where(chance > SURE_FIGURE_CHANCE, MIN_FIGURE_CHANCE, 0.0)
        alone = FIGURE_CURVE(evidence) * (alone > 0)
        chance = np.maximum(figure_chance(alone, windows), foreign)
        likely = chance > READ_FIGURE_CHANCE
    edges = _STEPS * EDGE_FEET * description.tokens[0].foot_mm / description.tile_mm
    read: dict[Cell, GridFigure] = {}
    unsure: set[Cell] = set()
    for n in np.argsort(-chance, kind="stable").tolist():
        if chance[n] < MIN_FIGURE_CHANCE:
            break
        place = figures.feet[n] * np.array([wide, tall], np.float32)
        around = [_cell((figures.feet[n] + step) * (wide, tall), description) for step in edges]
        here = _cell(place, description)
        if here is None:
            continue
        kind = int(off[n].argmin())
        if here in read and alone[n] < MIN_FIGURE_CHANCE:
            continue  # A part of the figure there, which makes its window odd
        others = float(np.delete(off[n], kind).min(initial=np.inf)) - float(off[n, kind])
        is_its_paint = off[n, kind] < MAX_PAINT_DISTANCE and others > MIN_PAINT_MARGIN
        # An odd window alone may be the body of a figure beside it
        seen = min(chance[n] / SURE_FIGURE_CHANCE, alone[n] / MIN_FIGURE_CHANCE) > 1
        sure = seen and is_its_paint and usual in (None, kind)
        if here in read or not likely[n]:
            unsure.add(here)
            continue
        read[here] = GridFigure(here, kind, (float(place[0]), float(place[1])))
        near = {cell for cell in around if cell is not None}
        if not sure or len(near) > 1:
            unsure |= near
    return [read[cell] for cell in sorted(read)], sorted(unsure)


_STEPS = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])


def _cell(place: NDArray[np.floating], description: Description) -> Cell | None:
    column, row = (int(np.floor(v)) for v in place)
    inside = 0 <= row < description.rows and 0 <= column < description.columns
    return (row, column) if inside else None
