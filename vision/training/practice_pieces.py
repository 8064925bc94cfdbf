"""Practice for the finder of pieces: random tables, laid flat, with figures and loose pieces.

Pixels are those of a picture in which a figure's foot is ``FOOT_PX`` wide, or a loose piece
``PIECE_PX``; (0, 0) is the centre of the top left one. Whatever stands up leans away from the
camera, as it does when a table is laid flat.
"""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Homography, Image, floats
from vision.pieces import CHANNELS, FOOT_PX, PIECE_PX, STRIDE_PX
from vision.simulate.canvas import rectangle
from vision.simulate.drawing import Colour
from vision.simulate.light import photographed
from vision.simulate.props import PROPS
from vision.training.practice_boards import printed_board
from vision.training.practice_patches import relit
from vision.training.practice_tables import Boxes, Camera, Kind, Laying, Table, ground, lay_board
from vision.training.tile_art import Family, glyph, stamp, tint

Rng = np.random.Generator
T = TypeVar("T", bound=np.generic)
Floats = NDArray[np.float32]

SIDE_PX = 160
DRAWN = 3
"""Figures are drawn so many times as large, and made smaller."""
_DISC = floats([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
_PAINTS: tuple[Colour, ...] = (
    (44, 35, 200), (180, 95, 31), (24, 194, 242), (68, 158, 47), (40, 40, 40), (235, 235, 235),
    (40, 120, 230), (150, 60, 130), (110, 160, 205),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class PieceScene:
    """A picture (SIDE_PX, SIDE_PX, 3) and what the finder should say of it.

    ``maps`` (CHANNELS, n, n) is that of ``vision.pieces``, with 0, 1 or -1 for logits: -1 where
    it may say what it likes.
    """

    image: Image
    maps: Floats


def figure_scene(rng: Rng, boxes: Boxes) -> PieceScene:
    """A part of a table with tiles, figures on them, and what may be taken for figures."""
    box = boxes.family(rng)
    tile_px = FOOT_PX * float(np.exp(rng.uniform(np.log(1.3), np.log(6.5))))
    image = _tiles(rng, box, tile_px)
    paints = [
        _PAINTS[int(rng.integers(len(_PAINTS)))] if rng.random() < 0.6 else tint(rng)
        for _ in range(int(rng.integers(1, 4)))
    ]
    for _ in range(int(rng.integers(0, 5))):  # printed in the same colours
        side = FOOT_PX * float(rng.uniform(0.5, 1.8))
        spot = tuple(float(v) for v in rng.uniform(0, SIDE_PX, 2))
        paint = paints[int(rng.integers(len(paints)))]
        stamp(image, glyph(rng), paint, (spot[0], spot[1]), side)
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 4))):
            _lay_thing(rng, image)
    owner = np.zeros((SIDE_PX, SIDE_PX), np.int32)
    feet = _figures(rng, image, owner, paints)
    maps = _maps(owner, feet)
    if rng.random() < 0.25:  # what hides them
        before = image.copy()
        _lay_thing(rng, image)
        hidden = np.any(before != image, axis=2)[::STRIDE_PX, ::STRIDE_PX]
        maps[0][hidden & (maps[0] > 0)] = -1
    return PieceScene(relit(rng, _taken(rng, image)[None])[0], maps)


def _taken(rng: Rng, image: Image) -> Image:
    """As a camera might have taken it, from near or far."""
    seen = float(np.exp(rng.uniform(np.log(0.45), np.log(1.6))))
    if seen >= 1:
        return photographed(rng, image, float(rng.uniform(0, 0.9)))
    small = cv2.resize(image, None, fx=seen, fy=seen, interpolation=cv2.INTER_AREA)
    small = photographed(rng, np.asarray(small, np.uint8), float(rng.uniform(0, 0.9)))
    return np.asarray(cv2.resize(small, (SIDE_PX, SIDE_PX)), np.uint8)


class _Above(Camera):
    """A camera that looks straight down."""

    def __init__(self, tile_px: float, turn: float) -> None:
        c, s, middle = tile_px * np.cos(turn), tile_px * np.sin(turn), (SIDE_PX - 1) / 2
        self._view = np.array([[c, -s, middle], [s, c, middle], [0, 0, 1]])

    def view(self, height: float = 0.0) -> Homography:  # noqa: ARG002 # heights vanish
        """From the plane to pixels."""
        return self._view


def loose_scene(rng: Rng, boxes: Boxes) -> PieceScene:
    """A part of a printed board with its table, and tiles that lie anywhere at any angle."""
    box = boxes.family(rng)
    side = PIECE_PX * float(np.exp(rng.normal(0, 0.07)))
    table = Table(ground(rng, SIDE_PX, side, box), _Above(side, 0.0))
    thick = float(rng.choice([0.0, 0.0, 0.05]))
    look = Laying(thick, box.side, box.rounded, float(rng.uniform(0.1, 0.7)))
    if rng.random() < 0.75:
        board = printed_board(rng)
        reach = max(board.size) / 2
        lay_board(rng, table, board, boxes.family(rng), look, floats(rng.uniform(-reach, reach, 2)))
    if rng.random() < 0.4:
        _lay_thing(rng, table.image)
    laid = [q for q, kind in zip(table.quads, table.kinds, strict=True) if kind == Kind.TILE]
    table.quads.clear()
    count = int(rng.choice([0, 1, 3, 6, 9]))
    for _ in range(count):
        spot = floats(rng.uniform(-0.6, 0.6, 2) * SIDE_PX / side)
        middle = spot * side + (SIDE_PX - 1) / 2
        near = [np.hypot(*(middle - quad.mean(axis=0))) for quad in table.quads]
        if min(near, default=99.0) > 0.95 * side:
            corners = rectangle(spot, float(rng.uniform(0, 2 * np.pi)))
            table.lay_tile(box.tile(rng), corners, look)
    maps = _loose_maps(table.quads, laid)
    return PieceScene(relit(rng, _taken(rng, table.image)[None])[0], maps)


def _loose_maps(quads: list[Floats], others: list[Floats]) -> Floats:
    """``PieceScene.maps`` of loose pieces; other tiles may be taken for such or not."""
    n = SIDE_PX // STRIDE_PX
    maps = np.zeros((CHANNELS, n, n), np.float32)
    middles = np.arange(n) * STRIDE_PX + (STRIDE_PX - 1) / 2
    outer = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    for quad in others:
        cv2.fillConvexPoly(outer, np.rint(quad * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    for quad in quads:
        mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(quad * 16).astype(np.int32), 255, cv2.LINE_8, 4)
        outer |= mask
        share = _squares(mask > 0).mean(axis=2)
        inner_here = share > 0.6
        foot = quad.mean(axis=0)
        angle = 4 * np.arctan2(*(quad[1] - quad[0])[::-1])
        rows, columns = np.nonzero(inner_here)
        maps[3][inner_here] = 1
        maps[4][inner_here] = (foot[0] - middles[columns]) / PIECE_PX
        maps[5][inner_here] = (foot[1] - middles[rows]) / PIECE_PX
        maps[6][inner_here], maps[7][inner_here] = np.cos(angle), np.sin(angle)
    maps[3][(maps[3] == 0) & (_squares(outer > 0).mean(axis=2) > 0.1)] = -1
    return maps


def _squares(pixels: NDArray[T]) -> NDArray[T]:
    """(n, n, pixels of each square)."""
    n = SIDE_PX // STRIDE_PX
    blocks = pixels.reshape(n, STRIDE_PX, n, STRIDE_PX).transpose(0, 2, 1, 3)
    return blocks.reshape(n, n, -1)


def _tiles(rng: Rng, box: Family, tile_px: float) -> Image:
    """Tiles at any turn, to all sides of the picture or to the edge of a table."""
    room = SIDE_PX // 2
    wide = SIDE_PX + 2 * room
    canvas = ground(rng, wide, tile_px, box)
    gap = float(rng.choice([0, 0.01, 0.03, 0.1])) * tile_px
    size = max(2, round(tile_px))
    step = tile_px + gap
    count = int(wide / step) + 1
    first, last = 0, count
    if rng.random() < 0.6:
        first = int(rng.integers(0, max(1, count // 2)))
        last = int(rng.integers(first + 1, count + 1))
    off = rng.uniform(-step, 0, 2)
    for row in range(count):
        for column in range(first, last):
            if rng.random() < 0.04:
                continue
            x, y = (round(float(o + n * step)) for o, n in zip(off, (column, row), strict=True))
            if x < 0 or y < 0 or x + size > wide or y + size > wide:
                continue
            face = cv2.resize(box.tile(rng), (size, size), interpolation=cv2.INTER_AREA)
            canvas[y : y + size, x : x + size] = face
    middle = (wide - 1) / 2
    warp = cv2.getRotationMatrix2D((middle, middle), float(rng.normal(0, 3)), 1.0)
    turned = cv2.warpAffine(canvas, warp, (wide, wide), borderMode=cv2.BORDER_REFLECT)
    return np.ascontiguousarray(turned[room:-room, room:-room])


def _lay_thing(rng: Rng, image: Image) -> None:
    """A coin, a die, a pencil or the like; no wooden shape, which may be taken for a figure."""
    names = [name for name in PROPS if name not in {"token", "chessboard"}]
    px = FOOT_PX * float(rng.uniform(2, 4))
    sprite = PROPS[names[int(rng.integers(len(names)))]](rng, px).image_bgra
    angle = float(rng.uniform(0, 360))
    h, w = sprite.shape[:2]
    warp = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), angle, 1.0)
    warp[:, 2] += rng.uniform(0, SIDE_PX, 2) - ((w - 1) / 2, (h - 1) / 2)
    laid = cv2.warpAffine(sprite, warp, (SIDE_PX, SIDE_PX))
    share = laid[..., 3:] / np.float32(255)
    image[:] = image * (1 - share) + laid[..., :3] * share


def _figures(
    rng: Rng, image: Image, owner: NDArray[np.int32], paints: list[Colour]
) -> list[Floats]:
    """Draw figures, say in ``owner`` which hides each pixel, and give the middles of their feet."""
    lean = rng.normal(0, 0.45, 2)
    widens = rng.normal(0, 0.15)
    away = floats(rng.normal(0, 0.5, 2))
    dark = float(rng.uniform(0.1, 0.6))
    height, shape = float(rng.uniform(0.5, 2.4)) * FOOT_PX, int(rng.integers(6))
    low = rng.random() < 0.12
    count = int(rng.choice([0, 1, 2, 4, 7, 10]))
    feet = [floats(rng.uniform(-8, SIDE_PX + 8, 2)) for _ in range(count)]
    if count > 1 and rng.random() < 0.3:
        feet[-1] = feet[0] + floats(rng.normal(0, 0.9 * FOOT_PX, 2))
    feet.sort(key=lambda foot: -float(foot @ lean))
    for number, foot in enumerate(feet, 1):
        tall = 0.2 * FOOT_PX if low else height * float(np.exp(rng.normal(0, 0.06)))
        towards = floats(lean + widens * (foot - SIDE_PX / 2) / SIDE_PX) * np.float32(tall)
        paint = paints[int(rng.integers(len(paints)))] if rng.random() < 0.4 else paints[0]
        outlines = _outlines(rng, shape, foot, towards, tall)
        _shadow(image, foot, away * tall, dark)
        _draw(image, owner, outlines, paint, number, away)
    return feet


def _outlines(rng: Rng, shape: int, foot: Floats, towards: Floats, tall: float) -> list[Floats]:
    """Outlines (n, 2) of the slices of a figure from its foot to its top."""
    radius = FOOT_PX / 2 * float(np.exp(rng.normal(0, 0.08)))
    at = np.linspace(0, 1, 14)
    neck, head = float(rng.uniform(0.25, 0.6)), float(rng.uniform(0.4, 0.75))
    wide = {
        0: np.interp(at, [0, 0.1, 0.25, 0.6], [1, 1, 0.62, neck]),  # a pawn
        1: np.interp(at, [0, 0.5, 0.62], [0.95, head, neck]),  # a person
        2: np.interp(at, [0, 1], [1, 0.15]),  # a cone
        3: np.ones(14),  # a cylinder
        4: np.ones(14),  # a cube or a house
        5: np.interp(at, [0, 0.4, 0.6, 0.8], [1, 0.75, 1, 0.6]),  # a flat person
    }[shape]
    if shape in (0, 1):
        top = at > 0.62
        wide[top] = head * np.sqrt(np.clip(1 - ((at[top] - 0.8) / 0.21) ** 2, 0.02, 1))
    ring = _DISC
    if shape >= 4:
        turn, thin = float(rng.uniform(0, np.pi)), 1.0 if shape == 4 else 0.4
        c, s = np.cos(turn), np.sin(turn)
        corners = floats([[-1, -thin], [1, -thin], [1, thin], [-1, thin]]) * np.float32(0.85)
        ring = floats(corners @ floats([[c, s], [-s, c]]))
    grows = 1 + 0.06 * tall / FOOT_PX * at
    return [
        foot + towards * np.float32(h) + ring * np.float32(radius * w * g)
        for h, w, g in zip(at, wide, grows, strict=True)
    ]


def _shadow(image: Image, foot: Floats, away: Floats, dark: float) -> None:
    mask = np.zeros(image.shape[:2], np.uint8)
    ends = [foot + _DISC * np.float32(FOOT_PX / 2), foot + away + _DISC * np.float32(FOOT_PX / 4)]
    hull = cv2.convexHull(floats(np.concatenate(ends)))
    cv2.fillConvexPoly(mask, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.5) * np.float32(dark / 255)
    image[:] = image * (1 - soft[..., None])


def _draw(
    image: Image,
    owner: NDArray[np.int32],
    outlines: list[Floats],
    paint: Colour,
    number: int,
    away: Floats,
) -> None:
    """Slices from below, each lit from the side whence no shadow falls."""
    every = np.concatenate(outlines)
    x0, y0 = np.maximum(np.floor(every.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(every.max(axis=0)).astype(int) + 2, SIDE_PX)
    if x1 - x0 < 1 or y1 - y0 < 1:
        return
    drawn = np.zeros(((y1 - y0) * DRAWN, (x1 - x0) * DRAWN, 4), np.uint8)
    for n, outline in enumerate(outlines):
        middle = outline.mean(axis=0)
        for size, light in ((1.0, 0.55), (0.78, 0.8), (0.45, 1.05)):
            side = middle - away * np.float32((1 - size) * 0.25 * FOOT_PX)
            points = (side + (outline - middle) * np.float32(size) - (x0, y0) + 0.5) * DRAWN - 0.5
            shade = light * (0.85 + 0.25 * n / len(outlines))
            colour = [min(255.0, part * shade + 10 * max(shade - 0.8, 0)) for part in paint]
            fixed = np.rint(points * 16).astype(np.int32)
            cv2.fillConvexPoly(drawn, fixed, (*colour, 255), cv2.LINE_8, 4)
    small = cv2.resize(drawn, (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_AREA)
    share = small[..., 3:] / np.float32(255)
    part = image[y0:y1, x0:x1]
    part[:] = part * (1 - share) + small[..., :3]
    owner[y0:y1, x0:x1][share[..., 0] > 0.5] = number


def _maps(owner: NDArray[np.int32], feet: list[Floats]) -> Floats:
    """``PieceScene.maps`` of the figures, by which of them hides each pixel."""
    n = SIDE_PX // STRIDE_PX
    maps = np.zeros((CHANNELS, n, n), np.float32)
    maps[3] = -1
    blocks = _squares(owner)
    middles = np.arange(n) * STRIDE_PX + (STRIDE_PX - 1) / 2
    for number, foot in enumerate(feet, 1):
        share = (blocks == number).mean(axis=2)
        here = share > 0.5
        maps[0][here] = 1
        rows, columns = np.nonzero(here)
        maps[1][here] = (foot[0] - middles[columns]) / FOOT_PX
        maps[2][here] = (foot[1] - middles[rows]) / FOOT_PX
    partly = (blocks > 0).mean(axis=2)
    maps[0][(maps[0] == 0) & (partly > 0.12)] = -1
    return maps
