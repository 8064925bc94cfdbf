"""Figures on the tiles of a grid: where they stand, of which kind they are, and what they hide.

Places are in tiles, (0, 0) at the top left corner of the grid, x to the right and y down.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import floats, transformed
from vision.editions.description import Description, TokenDescription
from vision.embedding import LIFT
from vision.identify import Light
from vision.locate import Floats
from vision.parameters import EyeParameters
from vision.patches import Pyramid
from vision.pieces import FOOT_PX, MULTIPLE_PX, STRIDE_PX, figures_on

_ROOM_FEET = 2.2
"""Beside a grid, in feet: so far a figure may lean out."""
_BESIDE_PX = 4
"""Round what is painted over."""


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Figures that were seen on a grid, n of them.

    Attributes:
        shape: rows and columns of tiles.
        feet: (n, 2) where they stand.
        likely: (n,) how likely each is a figure, 0 to 1.
        size: (n,) how much is seen of each, as a share of the area of its foot.
        colours: (n, 3) mean logarithms of their brightness, BGR.
        body: (h, w) how likely squares of the flat picture show a figure, as the photo lies.
        to_photo: (3, 3) from squares of the flat picture to the photo.
        touched: (tiles,) whether a figure hides a part of each tile, row by row as the photo lies.
    """

    shape: tuple[int, int]
    feet: Floats
    likely: Floats
    size: Floats
    colours: Floats
    body: Floats
    to_photo: NDArray[np.float64]
    touched: NDArray[np.bool_]

    def turned(self, quarters: int) -> "Standing":
        """The shape and feet of a grid that is turned clockwise."""
        feet, (rows, columns) = self.feet, self.shape
        for _ in range(quarters % 4):
            feet = floats(np.stack([rows - feet[:, 1], feet[:, 0]], axis=-1))
            rows, columns = columns, rows
        return replace(self, shape=(rows, columns), feet=feet)


def figures_standing(
    photo: Pyramid,
    corners_px: Floats,
    shape: tuple[int, int],
    foot: float,
    p: EyeParameters,
) -> Standing:
    """Look for figures on a grid.

    Args:
        photo: that shows it.
        corners_px: (4, 2) of the grid.
        shape: rows and columns of tiles.
        foot: diameter of a figure's foot, in tiles.
        p: the thresholds.
    """
    rows, columns = shape
    tile_px = FOOT_PX / foot
    room = _ROOM_FEET * foot
    size = [
        int(np.ceil((n + 2 * room) * tile_px / MULTIPLE_PX)) * MULTIPLE_PX for n in (columns, rows)
    ]
    inner = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    view = cv2.getPerspectiveTransform(floats((inner + room) * tile_px - 0.5), floats(corners_px))
    side = float(np.sqrt(cv2.contourArea(floats(corners_px)) / (rows * columns)))
    halvings = max(0, int(np.floor(np.log2(max(side / tile_px, 1.0)))))
    half = 0.5**halvings
    shrink = np.array([[half, 0, half / 2 - 0.5], [0, half, half / 2 - 0.5], [0, 0, 1]])
    flat = np.asarray(
        cv2.warpPerspective(
            photo.level(halvings),
            shrink @ view,
            (size[0], size[1]),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )
    seen = figures_on(flat, p.figure_seen)
    colours = np.zeros((len(seen.feet), 3), np.float32)
    for n in range(len(seen.feet)):
        mine = seen.owner == n
        shown = mine & (seen.body >= min(p.figure_body, float(seen.body[mine].max())))
        pixels = flat[np.kron(shown, np.ones((STRIDE_PX, STRIDE_PX), bool))]
        colours[n] = np.log(pixels + np.float32(LIFT)).mean(axis=0)
    area = np.pi / 4 * (FOOT_PX / STRIDE_PX) ** 2
    middle = (STRIDE_PX - 1) / 2
    squares = np.array([[STRIDE_PX, 0, middle], [0, STRIDE_PX, middle], [0, 0, 1]])
    return Standing(
        shape,
        floats((seen.feet + 0.5) / tile_px - room),
        seen.likely,
        floats(seen.squares / area),
        colours,
        seen.body,
        view @ squares,
        _touched(seen.body > p.figure_seen, shape, room, tile_px / STRIDE_PX),
    )


def _touched(
    hidden: NDArray[np.bool_], shape: tuple[int, int], room: float, tile: float
) -> NDArray[np.bool_]:
    """On which tiles some of these squares lie, of which a tile is so many long."""
    touched = np.zeros(shape, bool)
    for row, column in np.ndindex(*shape):
        top, left = (round((n + room) * tile) for n in (row, column))
        bottom, right = (round((n + 1 + room) * tile) for n in (row, column))
        touched[row, column] = hidden[top:bottom, left:right].any()
    return touched.ravel()


def painted_over(photo: Pyramid, several: Sequence[Standing], p: EyeParameters) -> Pyramid:
    """The photo without the figures: in their places is what lies round them."""
    image = photo.level(0).copy()
    height, width = image.shape[:2]
    kernel = np.ones((3, 3), np.uint8)
    for standing in several:
        hidden = cv2.dilate((standing.body > p.figure_seen).astype(np.uint8), kernel)
        count, _, boxes, _ = cv2.connectedComponentsWithStats(hidden)
        for left, top, wide, high, _ in boxes[1:count].tolist():
            ends = [(left - 1, top - 1), (left + wide, top - 1), (left + wide, top + high)]
            seen = transformed([*ends, (left - 1, top + high)], standing.to_photo)
            x0, y0 = np.maximum(np.floor(seen.min(axis=0)).astype(int) - _BESIDE_PX, 0)
            x1, y1 = np.ceil(seen.max(axis=0)).astype(int) + _BESIDE_PX + 1
            x1, y1 = min(x1, width), min(y1, height)
            if x1 - x0 < 3 or y1 - y0 < 3:
                continue
            move = np.array([[1.0, 0, -x0], [0, 1.0, -y0], [0, 0, 1]])
            mask = cv2.warpPerspective(
                hidden * 255, move @ standing.to_photo, (int(x1 - x0), int(y1 - y0))
            )
            part = image[y0:y1, x0:x1]
            part[:] = cv2.inpaint(part, (mask > 127).astype(np.uint8), 2, cv2.INPAINT_TELEA)
    return Pyramid(image)


@dataclass(frozen=True, slots=True)
class Stood:
    """A figure as it was read: on which cell, index of its kind, where its foot is, in cells."""

    cell: Cell
    kind: int
    foot: tuple[float, float]


def kinds_of(
    standing: Standing, light: Light, description: Description, p: EyeParameters
) -> tuple[list[Stood], list[Cell]]:
    """Which figures stand on which cells, and the cells of which that is not certain.

    Args:
        standing: on the grid as it is read upright.
        light: on it.
        description: of the game.
        p: the thresholds.
    """
    tall, wide = description.tile_cells
    off = _off(standing, light, description.tokens, p)
    there = np.flatnonzero((standing.size > p.figure_least) & (standing.likely > p.figure_likely))
    if description.one_kind_of_token and len(there):
        usual = int(np.minimum(off[there], p.figure_off).sum(axis=0).argmin())
    read: dict[Cell, Stood] = {}
    unsure: set[Cell] = set()
    edge = (
        p.figure_edge * description.tokens[0].foot_mm / description.tile_mm * np.array([wide, tall])
    )
    for n in np.argsort(-standing.size, kind="stable").tolist():
        place = standing.feet[n] * np.array([wide, tall], np.float32)
        cells = {
            _cell(place + step, description) for step in np.stack([-edge, edge])[_STEPS, [0, 1]]
        }
        here = _cell(place, description)
        if here is None:
            continue
        if n not in there:
            if standing.size[n] > p.figure_unclear:
                unsure.add(here)
            continue
        kind = int(off[n].argmin())
        others = np.delete(off[n], kind).min(initial=np.inf)
        sure = bool(
            off[n, kind] < p.figure_off
            and others - off[n, kind] > p.figure_margin
            and standing.size[n] > p.figure_whole
        )
        if description.one_kind_of_token:
            sure &= kind == usual
        near = {cell for cell in cells if cell is not None}
        if here in read:
            unsure.add(here)
            continue
        read[here] = Stood(here, kind, (float(place[0]), float(place[1])))
        if not sure or len(near) > 1:
            unsure |= near
    return [read[cell] for cell in sorted(read)], sorted(unsure)


_STEPS = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])


def _cell(place: NDArray[np.floating], description: Description) -> Cell | None:
    column, row = (int(np.floor(v)) for v in place)
    inside = 0 <= row < description.rows and 0 <= column < description.columns
    return (row, column) if inside else None


def _off(
    standing: Standing, light: Light, tokens: Sequence[TokenDescription], p: EyeParameters
) -> NDArray[np.float64]:
    """(figures, kinds) how far the colour of each is from the paint of each kind."""
    paints = np.log(np.array([token.colour_bgr for token in tokens], np.float64) + LIFT)
    off = standing.colours[:, None] - light.on(paints)
    grey = off.mean(axis=2)
    hue = ((off - grey[..., None]) ** 2).sum(axis=2)
    return np.asarray(np.sqrt(hue + p.grey_weight * 3 * grey**2))
