"""Figures standing on the cells of a grid.

A figure is where the photo has its paint and the tile's picture has not. Seen at a slant, it leans
away from the camera's foot point, so its outline is that of a capsule from its foot to its head;
capsules are fitted one after another, the best first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, floats
from vision.boards.description import Description, TokenDescription

TOKEN_PX = 80
"""Pixels for each edge of a tile at which figures are looked for."""
PAINT_ANGLE = np.cos(np.deg2rad(19))
"""Colours of a figure differ from its paint by no more than this as directions."""
DARK, BRIGHT = 0.28, 1.7
"""Of its paint, how dark and how bright parts of a figure seem."""
UNLIKE_PICTURE = 42.0
"""By so many levels a pixel must differ from the tile's picture."""
NOWHERE = -500.0
"""Far from every colour."""
THERE = 0.5
"""Share of a figure's outline that must have its paint."""
PERHAPS = 0.3
"""Something with so much of an outline's paint may be a figure that is partly hidden."""
PLAIN = 0.42
FEWEST_PLAIN = 2
"""So many plain figures tell the colour of the player to whom a grid belongs."""
FOREIGN = 0.72
"""Share of the outline of a figure of another colour."""
TABLE_HAS_PAINT = 0.15
"""Where so much of what surrounds the tiles has a figure's paint, that is the table."""
RING_PX = 10
MOST_AROUND = 0.5
"""Share of what surrounds a figure that may have its paint."""
_SPECK = np.ones((5, 5), np.uint8)
NEAR_EDGE = 0.1
"""A figure whose foot is so near to the edge of its cell, in cells, may stand on the next."""
HEAD = 0.55
"""Width of a figure's head as a share of its foot."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure that was found, or something that may be one.

    Attributes:
        kind: number of its description.
        foot: (x, y) grid coordinates in tile edges.
        cell: on which it stands.
        share: of its outline that has its paint.
        is_sure: whether it stands there for certain.
        near_edge: whether its foot is near the edge of its cell.
    """

    kind: int
    foot: tuple[float, float]
    cell: Cell
    share: float
    is_sure: bool
    near_edge: bool = False


def find_figures(
    flat: FloatImage,
    expected: FloatImage,
    description: Description,
    tiles: tuple[int, int],
    pitch: tuple[float, float],
    camera: NDArray[np.float64],
    margin: float,
) -> list[Figure]:
    """The figures on a grid.

    Args:
        flat: (h, w, 3) the grid from above in the light of the pictures, TOKEN_PX a tile.
        expected: the same without any figure; not a number where no tile lies.
        description: of the game.
        tiles: rows and columns of the grid.
        pitch: from one tile's middle to the next, to the right and down, in tile edges.
        camera: (x, y, height) in grid coordinates.
        margin: what ``flat`` shows around the grid, in tile edges.
    """
    apart = np.linalg.norm(flat - np.nan_to_num(expected, nan=NOWHERE), axis=2)
    off_tiles = np.isnan(expected[..., 0])
    found: list[Figure] = []
    for kind, token in enumerate(description.tokens):
        mask = painted(flat, token.colour_bgr) & (apart > UNLIKE_PICTURE)
        if off_tiles.any() and float(mask[off_tiles].mean()) > TABLE_HAS_PAINT:
            mask &= ~off_tiles
        paint = cv2.morphologyEx(mask.astype(np.float32), cv2.MORPH_OPEN, _SPECK)
        found += _of_kind(
            np.asarray(paint, np.float32),
            kind,
            token,
            description,
            tiles,
            pitch,
            camera,
            margin,
        )
    figures = _one_per_place(found, description)
    return _of_one_player(figures) if description.one_kind_a_grid else _plain(figures)


def _plain(figures: Sequence[Figure]) -> list[Figure]:
    """Without what is hardly a figure."""
    return [figure for figure in figures if figure.share >= THERE]


def _of_one_player(figures: Sequence[Figure]) -> list[Figure]:
    """Figures of a grid on which all should be of one kind.

    Those of the kind of which most can be seen may be seen less well; of another kind only what
    looks just like a figure is mentioned, and never as sure.
    """
    shares: dict[int, list[float]] = {}
    for figure in figures:
        if figure.share >= PLAIN and not figure.near_edge:
            shares.setdefault(figure.kind, []).append(figure.share)
    several = {kind: sum(found) for kind, found in shares.items() if len(found) >= FEWEST_PLAIN}
    if not several:
        return _plain(figures)
    main = max(several, key=lambda kind: several[kind])
    own = [figure for figure in figures if figure.kind == main]
    foreign = [
        replace(figure, is_sure=False)
        for figure in figures
        if figure.kind != main and figure.share >= FOREIGN
    ]
    return sorted([*own, *foreign], key=lambda figure: figure.cell)


def painted(flat: FloatImage, colour_bgr: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Which pixels (h, w) have a paint, lighter or darker."""
    paint = floats(colour_bgr)
    length = np.linalg.norm(flat, axis=2)
    along = (flat @ paint) / max(float(np.linalg.norm(paint)), 1.0)
    ratio = length / max(float(np.linalg.norm(paint)), 1.0)
    near: NDArray[np.bool_] = (along > PAINT_ANGLE * length) & (ratio > DARK) & (ratio < BRIGHT)
    return near


def _of_kind(
    paint: FloatImage,
    kind: int,
    token: TokenDescription,
    description: Description,
    tiles: tuple[int, int],
    pitch: tuple[float, float],
    camera: NDArray[np.float64],
    margin: float,
) -> list[Figure]:
    tall, wide = description.tile_cells[0] / pitch[1], description.tile_cells[1] / pitch[0]
    corners = [(r * pitch[1], c * pitch[0]) for r in range(tiles[0]) for c in range(tiles[1])]
    found: list[Figure] = []
    left = paint.copy()
    most = tiles[0] * tiles[1] * description.tile_cells[0] * description.tile_cells[1]
    while most:
        most -= 1
        best: tuple[float, tuple[float, float]] | None = None
        if float(left.sum()) < PERHAPS * _outline_area(token, description):
            break
        for corner in corners:
            here = _best_in_tile(left, corner, token, description, camera, margin)
            if here is not None and (best is None or here[0] > best[0]):
                best = here
        if best is None or best[0] < PERHAPS:
            break
        share, foot = best
        cell = int(foot[1] * tall), int(foot[0] * wide)
        near_edge = _near_edge(foot, tall, wide)
        around = _painted_around(left, foot, token, description, camera, margin)
        is_sure = share >= THERE and not near_edge and around <= MOST_AROUND
        found.append(Figure(kind, foot, cell, share, is_sure, near_edge))
        _erase(left, foot, token, description, camera, margin)
    return found


def _near_edge(foot: tuple[float, float], tall: float, wide: float) -> bool:
    x, y = foot[0] * wide % 1.0, foot[1] * tall % 1.0
    return min(x, 1 - x, y, 1 - y) < NEAR_EDGE


def _outline_area(token: TokenDescription, description: Description) -> float:
    radius = token.foot_mm / description.tile_mm * TOKEN_PX / 2
    return float(np.pi * radius**2)


def _lean(
    place: tuple[float, float],
    token: TokenDescription,
    description: Description,
    camera: NDArray[np.float64],
) -> tuple[float, float]:
    """How far a figure's head is seen from its foot, in tile edges."""
    high = token.height_mm / description.tile_mm
    factor = high / max(float(camera[2]) - high, 0.5)
    return float(place[0] - camera[0]) * factor, float(place[1] - camera[1]) * factor


def _outline(
    token: TokenDescription, description: Description, lean: tuple[float, float]
) -> tuple[FloatImage, tuple[int, int]]:
    """A mask of a figure's outline, and where in it (x, y) its foot is."""
    radius = token.foot_mm / description.tile_mm * TOKEN_PX / 2
    head = radius * HEAD
    x, y = lean[0] * TOKEN_PX, lean[1] * TOKEN_PX
    reach = int(np.ceil(radius + max(abs(x), abs(y)))) + 2
    size = 2 * reach + 1
    mask = np.zeros((size, size), np.uint8)
    foot = (reach, reach)
    cv2.circle(mask, foot, round(radius), 1, -1)
    steps = 12
    for step in range(1, steps + 1):
        share = step / steps
        wide = radius + (head - radius) * share
        shift = share * (1 - head / max(token.height_mm / description.tile_mm * TOKEN_PX, 1.0))
        cv2.circle(
            mask, (round(reach + x * shift), round(reach + y * shift)), max(round(wide), 1), 1, -1
        )
    return mask.astype(np.float32), foot


def _best_in_tile(
    paint: FloatImage,
    tile: tuple[float, float],
    token: TokenDescription,
    description: Description,
    camera: NDArray[np.float64],
    margin: float,
) -> tuple[float, tuple[float, float]] | None:
    """Where in a tile a figure fits best, and which share of its outline is painted."""
    left = round((tile[1] + margin) * TOKEN_PX)
    top = round((tile[0] + margin) * TOKEN_PX)
    if not paint[top : top + TOKEN_PX, left : left + TOKEN_PX].any():
        return None
    lean = _lean((tile[1] + 0.5, tile[0] + 0.5), token, description, camera)
    mask, foot = _outline(token, description, lean)
    area = float(mask.sum())
    reach = foot[0]
    padded = cv2.copyMakeBorder(paint, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    part = padded[top : top + TOKEN_PX + 2 * reach, left : left + TOKEN_PX + 2 * reach]
    if min(part.shape) < mask.shape[0]:
        return None
    scores = cv2.matchTemplate(np.ascontiguousarray(part), mask, cv2.TM_CCORR) / area
    best = np.unravel_index(int(scores.argmax()), scores.shape)
    # The middle of all places near by that fit nearly as well
    ys, xs = np.nonzero(scores >= scores[best] - 0.02)
    near = (
        np.hypot(ys - best[0], xs - best[1]) <= token.foot_mm / description.tile_mm * TOKEN_PX / 2
    )
    x, y = float(xs[near].mean()), float(ys[near].mean())
    return float(scores[best]), (tile[1] + (x + 0.5) / TOKEN_PX, tile[0] + (y + 0.5) / TOKEN_PX)


def _painted_around(
    paint: FloatImage,
    foot: tuple[float, float],
    token: TokenDescription,
    description: Description,
    camera: NDArray[np.float64],
    margin: float,
) -> float:
    """Share of what surrounds a figure's outline that has its paint too, as larger things have."""
    mask, at = _outline(token, description, _lean(foot, token, description, camera))
    room = cv2.copyMakeBorder(mask, RING_PX, RING_PX, RING_PX, RING_PX, cv2.BORDER_CONSTANT)
    ring = cv2.dilate(room, _disc(RING_PX)) - cv2.dilate(room, _disc(RING_PX // 2))
    seen = _under(paint, foot, (at[0] + RING_PX, at[1] + RING_PX), margin, ring.shape)
    return float((seen * ring).sum() / ring.sum())


def _erase(
    paint: FloatImage,
    foot: tuple[float, float],
    token: TokenDescription,
    description: Description,
    camera: NDArray[np.float64],
    margin: float,
) -> None:
    """Take away what a figure explains, and a little more."""
    mask, at = _outline(token, description, _lean(foot, token, description, camera))
    grown = cv2.dilate(mask, _disc(4))
    left = round((foot[0] + margin) * TOKEN_PX) - at[0]
    top = round((foot[1] + margin) * TOKEN_PX) - at[1]
    tall, wide = paint.shape
    y0, y1 = max(top, 0), min(top + grown.shape[0], tall)
    x0, x1 = max(left, 0), min(left + grown.shape[1], wide)
    if y0 < y1 and x0 < x1:
        paint[y0:y1, x0:x1] *= 1 - grown[y0 - top : y1 - top, x0 - left : x1 - left]


def _under(
    paint: FloatImage,
    foot: tuple[float, float],
    at: tuple[int, int],
    margin: float,
    shape: tuple[int, ...],
) -> FloatImage:
    """The part of a picture under a mask whose pixel ``at`` lies on a figure's foot."""
    left = round((foot[0] + margin) * TOKEN_PX) - at[0]
    top = round((foot[1] + margin) * TOKEN_PX) - at[1]
    reach = max(shape)
    wider = cv2.copyMakeBorder(paint, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    y, x = top + reach, left + reach
    return np.asarray(wider[y : y + shape[0], x : x + shape[1]], np.float32)


def _disc(radius: int) -> NDArray[np.uint8]:
    size = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)


def _one_per_place(figures: Sequence[Figure], description: Description) -> list[Figure]:
    """Of figures of several kinds in one place the one that fits best."""
    kept: list[Figure] = []
    for figure in sorted(figures, key=lambda f: -f.share):
        size = description.tokens[figure.kind].foot_mm / description.tile_mm
        if all(
            np.hypot(figure.foot[0] - k.foot[0], figure.foot[1] - k.foot[1]) > 0.7 * size
            for k in kept
        ):
            kept.append(figure)
    return sorted(kept, key=lambda f: f.cell)
