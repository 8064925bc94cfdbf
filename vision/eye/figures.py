"""Figures on the tiles of a grid: their cells, their kinds and the parts of tiles they hide.

``find_figures`` returns detections that may be figures; ``decide_figures`` decides, once the faces
of the tiles are known, which of them are, on which cell each stands and which cells are unsure.

Positions are in tiles, (0, 0) at the top left corner of the grid, x to the right and y down.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Doubles, Floats, Image, Masks, floats
from vision.editions.description import Description
from vision.eye.confidence import FIGURE_CURVE, figure_probability
from vision.eye.light_fit import GREY_WEIGHT
from vision.eye.piece_detector import (
    FOOT_PX,
    SIDE_DIVISOR_PX,
    STRIDE_PX,
    FigureDetections,
    detect_figures,
)
from vision.patches.cut import Pyramid, warp_plane
from vision.patches.embedding import LOG_TABLE, PARTS_ACROSS

_MAX_SIDE_PX = 2048
"""Maximum longer side of a grid in the detector's input."""
_MARGIN_FOOT_WIDTHS = 2.2
"""Margin round a grid, in diameters of a foot, into which figures may lean."""
MIN_MAP_CELL_PROBABILITY: Final = 0.08
"""Minimum probability of a map cell of the detector that shows a figure. Larger: pale figures fall
apart or are missed; smaller: more detections are examined."""
MIN_BODY_PROBABILITY: Final = 0.6
"""Minimum probability of the map cells that a figure's colour is taken from; if it has none, its
likeliest ones count."""
MIN_FIGURE_PROBABILITY: Final = 0.05
"""Minimum probability of a detection that may be a figure. Larger: cells with a figure in doubt are
sure; smaller: more cells are unsure."""
READ_FIGURE_PROBABILITY: Final = 0.4
"""Minimum probability of a detection that is read as a figure; below, its cell is unsure. Larger:
more figures are left to a person; smaller: stains are read as unsure figures."""
SURE_FIGURE_PROBABILITY: Final = 0.65
"""Minimum probability of a figure that is sure.

Larger: more cells are unsure. Smaller: stains become figures.
"""
MAX_COVERED_SHARE: Final = 0.1
"""Maximum share of a part of a tile that figures may hide if the part is to be compared. Larger:
parts are compared although a figure changes them; smaller: fewer parts tell the face."""
MAX_KIND_COLOUR_DISTANCE: Final = 0.55
"""Maximum distance of a figure's log colour from that of its kind. Larger: figures of another
colour count as sure; smaller: figures in coloured light are unsure."""
MIN_KIND_COLOUR_MARGIN: Final = 0.1
"""Minimum margin in log colour of the nearest kind over the next one, for a sure kind. Larger: more
kinds are unsure; smaller: kinds of similar colours are confused."""
EDGE_FOOT_WIDTHS: Final = 0.15
"""Distance from the edge of a cell, in feet, below which a foot may stand on the next cell. Larger:
more cells are unsure; smaller: figures are read on the next cell as sure."""
_DIAGONALS: Final = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])


@dataclass(frozen=True, slots=True, eq=False)
class PossibleFigures:
    """Detections on a grid that may be figures, n of them, before anything is decided.

    Attributes:
        shape: Rows and columns of tiles.
        feet: Shape (n, 2), positions of their feet.
        colour_distances: Shape (n, kinds), distances of their log colours from that of each kind.
        evidence: Shape (n, 6), see ``confidence.FIGURE_CURVE``.
        probability: Shape (n,), probability that each is a figure.
        covered: Shape (tiles, PART_COUNT), True for parts of tiles that they hide, row by row as
            seen in the photo.
        lowest_window_similarity: Shape (n,), lowest similarity of the windows over them to those of
            the tiles' faces; NaN where no face is sure.
    """

    shape: tuple[int, int]
    feet: Floats
    colour_distances: Doubles
    evidence: Doubles
    probability: Doubles
    covered: Masks
    lowest_window_similarity: Doubles

    def turned(self, quarters: int) -> "PossibleFigures":
        """Return the detections on the grid rotated clockwise by quarters; ``covered`` stays."""
        feet, (rows, columns) = self.feet, self.shape
        for _ in range(quarters % 4):
            feet = floats(np.stack([rows - feet[:, 1], feet[:, 0]], axis=-1))
            rows, columns = columns, rows
        return replace(self, shape=(rows, columns), feet=feet)


def find_figures(
    pyramid: Pyramid,
    corners_px: Floats,
    foot_diameter: float,
    parts: Floats,
    log_colours: Doubles,
) -> PossibleFigures:
    """Find all that may be a figure on a grid.

    Args:
        pyramid: Pyramid of the photo that shows the grid.
        corners_px: Shape (4, 2), corners of the grid.
        foot_diameter: Diameter of a figure's foot in tiles.
        parts: Shape (rows, columns, PARTS_ACROSS, PARTS_ACROSS), similarity of the parts of each
            tile to those of its face; low where a figure stands.
        log_colours: Shape (kinds, 3), log colours of the figures in this light.
    """
    rows, columns = parts.shape[:2]
    margin = _MARGIN_FOOT_WIDTHS * foot_diameter
    tile_px = min(FOOT_PX / foot_diameter, _MAX_SIDE_PX / (max(rows, columns) + 2 * margin))
    size = [
        int(np.ceil((n + 2 * margin) * tile_px / SIDE_DIVISOR_PX)) * SIDE_DIVISOR_PX
        for n in (columns, rows)
    ]
    inner = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    to_image = cv2.getPerspectiveTransform(
        floats((inner + margin) * tile_px - 0.5), floats(corners_px)
    )
    flat = warp_plane(pyramid, np.asarray(to_image, np.float64), (size[0], size[1]))
    seen = detect_figures(flat, MIN_MAP_CELL_PROBABILITY)
    feet = floats((seen.feet + 0.5) / tile_px - margin)
    on_tiles = ((feet > 0) & (feet < (columns, rows))).all(axis=1)
    centres_px, colours = _centres_and_colours(seen, flat)
    distances = _colour_distances(colours, log_colours)
    foot_area = np.pi / 4 * (FOOT_PX / STRIDE_PX) ** 2
    under_centre, under_foot = np.zeros(len(feet)), np.zeros(len(feet))
    for n in np.flatnonzero(on_tiles).tolist():
        under_centre[n] = _part_at((centres_px[n] + 0.5) / tile_px - margin, parts)
        under_foot[n] = _part_at(feet[n], parts)
    nearest = np.sort(distances, axis=1)
    lead = nearest[:, 1] - nearest[:, 0] if distances.shape[1] > 1 else np.ones(len(feet))
    evidence = np.column_stack(
        [
            seen.area / foot_area,
            seen.probability,
            under_centre,
            under_foot,
            nearest[:, 0],
            lead,
        ]
    )
    probability = np.where(on_tiles, FIGURE_CURVE(evidence), 0.0)
    shows_figure = np.append(probability > READ_FIGURE_PROBABILITY, False)[seen.owner]
    return PossibleFigures(
        (rows, columns),
        feet,
        distances,
        evidence,
        probability,
        _covered_shares(shows_figure, (rows, columns), margin, tile_px / STRIDE_PX)
        > MAX_COVERED_SHARE,
        np.full(len(feet), np.nan),
    )


def _covered_shares(
    shows_figure: Masks, shape: tuple[int, int], margin: float, tile: float
) -> Doubles:
    """Return the share (tiles, PART_COUNT) of each part that figures hide.

    Args:
        shows_figure: Shape (h, w), True for map cells of the detector that show a figure.
        shape: Rows and columns of tiles.
        margin: Margin round the grid in tiles.
        tile: Side of a tile in map cells.
    """
    rows, columns = (n * PARTS_ACROSS for n in shape)
    y, x = np.nonzero(shows_figure)
    at = np.floor((np.stack([y, x]) + 0.5) / tile * PARTS_ACROSS - margin * PARTS_ACROSS).astype(
        int
    )
    row, column = at[:, (at >= 0).all(axis=0) & (at[0] < rows) & (at[1] < columns)]
    hidden = np.zeros((rows, columns))
    np.add.at(hidden, (row, column), (PARTS_ACROSS / tile) ** 2)
    in_tiles = hidden.reshape(shape[0], PARTS_ACROSS, shape[1], PARTS_ACROSS).transpose(0, 2, 1, 3)
    return np.asarray(in_tiles.reshape(-1, PARTS_ACROSS**2))


def _centres_and_colours(seen: FigureDetections, flat: Image) -> tuple[Doubles, Doubles]:
    """Return the centres (n, 2) of detections in pixels, and their log colours (n, 3)."""
    logarithms = cv2.resize(
        cv2.LUT(flat, LOG_TABLE), seen.owner.shape[::-1], interpolation=cv2.INTER_AREA
    )
    row, column = np.nonzero(seen.owner >= 0)
    number, body = seen.owner[row, column], seen.body[row, column]
    clearest = np.zeros(len(seen.feet), np.float32)
    np.maximum.at(clearest, number, body)
    is_body = body >= np.minimum(MIN_BODY_PROBABILITY, clearest[number])

    def means(values: Doubles, which: Masks) -> Doubles:
        sums = [np.bincount(number[which], each, len(seen.feet)) for each in values[which].T]
        return (
            np.stack(sums, axis=-1) / np.bincount(number[which], minlength=len(seen.feet))[:, None]
        )

    cells_px = (np.stack([column, row], axis=-1) + 0.5) * STRIDE_PX - 0.5
    colours = np.asarray(logarithms, np.float64)[row, column]
    return means(cells_px.astype(np.float64), np.ones(len(row), bool)), means(colours, is_body)


def _colour_distances(colours: Doubles, log_colours: Doubles) -> Doubles:
    """Return the distances (n, kinds) of log colours (n, 3) from those of the kinds (kinds, 3)."""
    difference = colours[:, None] - log_colours
    grey = difference.mean(axis=2)
    colour = ((difference - grey[..., None]) ** 2).sum(axis=2)
    return np.asarray(np.sqrt(colour + GREY_WEIGHT * 3 * grey**2))


def _part_at(position: NDArray[np.floating], parts: Floats) -> float:
    """Return the similarity of the part of a tile at this position to that of its face."""
    size = np.array(parts.shape[1::-1])
    x, y = np.clip(position, 0, size - 1e-3).tolist()
    row, column = int(y), int(x)
    return float(
        parts[row, column, int((y - row) * PARTS_ACROSS), int((x - column) * PARTS_ACROSS)]
    )


@dataclass(frozen=True, slots=True)
class DecidedFigure:
    """Figure that is read on a cell; ``vision.reading.Figure`` has its name and place in the photo.

    Attributes:
        cell: Cell it stands on.
        kind: Index of its kind.
        foot: Position of its foot (x, y) in cells.
    """

    cell: Cell
    kind: int
    foot: tuple[float, float]


def decide_figures(
    figures: PossibleFigures, description: Description
) -> tuple[list[DecidedFigure], list[Cell]]:
    """Decide which figures stand on which cells.

    Args:
        figures: Detections on the grid as it is read upright.
        description: Description of the game.

    Returns:
        Figures, and the unsure cells.
    """
    tile_rows, tile_columns = description.tile_cells
    distances, by_detector = figures.colour_distances, figures.probability
    probability = figure_probability(by_detector, figures.lowest_window_similarity)
    grid_kind = None
    if description.one_kind_of_token and (probability > READ_FIGURE_PROBABILITY).any():
        grid_kind = _likeliest_kind(distances, probability)
        by_detector, probability = _assume_kind(figures, grid_kind, probability)
    foot_edges = _DIAGONALS * EDGE_FOOT_WIDTHS * description.tokens[0].foot_mm / description.tile_mm
    read: dict[Cell, DecidedFigure] = {}
    unsure: set[Cell] = set()
    for n in np.argsort(-probability, kind="stable").tolist():
        if probability[n] < MIN_FIGURE_PROBABILITY:
            break
        foot = figures.feet[n] * np.array([tile_columns, tile_rows], np.float32)
        cell = _cell_at(foot, description)
        if cell is None:
            continue
        if cell in read and by_detector[n] < MIN_FIGURE_PROBABILITY:
            continue  # A part of the figure on this cell, which changes the window
        if cell in read or probability[n] <= READ_FIGURE_PROBABILITY:
            unsure.add(cell)
            continue
        kind = int(distances[n].argmin())
        read[cell] = DecidedFigure(cell, kind, (float(foot[0]), float(foot[1])))
        lead = float(np.delete(distances[n], kind).min(initial=np.inf)) - float(distances[n, kind])
        is_near = distances[n, kind] < MAX_KIND_COLOUR_DISTANCE
        is_its_colour = is_near and lead > MIN_KIND_COLOUR_MARGIN
        # A mismatched window may be only the body of a figure on the next cell
        is_clear = (
            probability[n] > SURE_FIGURE_PROBABILITY and by_detector[n] > MIN_FIGURE_PROBABILITY
        )
        sure = is_clear and is_its_colour and grid_kind in (None, kind)
        edges = (figures.feet[n] + foot_edges) * (tile_columns, tile_rows)
        under_foot = {at for edge in edges if (at := _cell_at(edge, description)) is not None}
        if not sure or len(under_foot) > 1:
            unsure |= under_foot
    return [read[each] for each in sorted(read)], sorted(unsure)


def _likeliest_kind(distances: Doubles, probability: Doubles) -> int:
    """Return the kind whose colour fits the likely figures best."""
    weighted = np.minimum(distances, MAX_KIND_COLOUR_DISTANCE) * probability[:, None]
    return int(weighted[probability > READ_FIGURE_PROBABILITY].sum(axis=0).argmin())


def _assume_kind(
    figures: PossibleFigures, kind: int, probability: Doubles
) -> tuple[Doubles, Doubles]:
    """Compute the probabilities of figures of the one kind that stands on a grid.

    A sure figure in another colour keeps ``MIN_FIGURE_PROBABILITY``, so that its cell is unsure.

    Args:
        figures: Detections.
        kind: The one kind on the grid.
        probability: Shape (n,), probability of a figure of any kind.

    Returns:
        Probabilities (n,) by the detector, and by detector and windows.
    """
    distances = figures.colour_distances
    next_distance = np.delete(distances, kind, axis=1).min(axis=1, initial=np.inf)
    evidence = figures.evidence.copy()
    evidence[:, 4] = distances[:, kind]
    evidence[:, 5] = np.minimum(next_distance - distances[:, kind], 1.0)
    by_detector = FIGURE_CURVE(evidence) * (figures.probability > 0)
    other_kind = np.where(probability > SURE_FIGURE_PROBABILITY, MIN_FIGURE_PROBABILITY, 0.0)
    return by_detector, np.maximum(
        figure_probability(by_detector, figures.lowest_window_similarity), other_kind
    )


def _cell_at(position: NDArray[np.floating], description: Description) -> Cell | None:
    """Return the cell at a position (x, y) in cells; None outside the grid."""
    column, row = (int(np.floor(v)) for v in position)
    inside = 0 <= row < description.rows and 0 <= column < description.columns
    return (row, column) if inside else None
