"""Pieces of games, seen from above: tokens, coins, dice, a chessboard, face-down tiles.

Each maker takes (generator, pixels per tile edge); boards count in tile edges.
"""

from collections.abc import Mapping

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.own import back_picture
from vision.simulate.drawing import INK, Board, Spot, arc, from_hex, mix, ring
from vision.simulate.sprites import Prop, PropMaker, blank, finished
from vision.simulate.texture import random_colour, varied

WHITE = (250, 250, 250)
_WOODEN_COLOURS = ("#c8342e", "#2e62b8", "#2f8f4a", "#edc12f", "#22242a", "#e9e4d8", "#e07b28",
                   "#7a3f93", "#c9a06a")  # fmt: skip
_BACK_PX = 128


def token(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A small wooden shape: cube, disc, house, tower, star or figure."""
    size = rng.uniform(0.3, 0.7)
    board = blank(size, size, px_per_tile)
    colour = varied(from_hex(str(rng.choice(_WOODEN_COLOURS))), rng, 12)
    shapes = list(_TOKEN_SHAPES)
    outline = _TOKEN_SHAPES[shapes[int(rng.integers(len(shapes)))]]
    middle = board.part(size / 2, size / 2, size / 2)
    middle.polygon([(x + 0.05, y + 0.07) for x, y in outline], mix(colour, INK, 0.55))
    middle.polygon([(x - 0.03, y - 0.04) for x, y in outline], mix(colour, WHITE, 0.3))
    middle.polygon(outline, colour)
    return finished(board)


def coin(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A coin of copper, brass or silver tone."""
    radius = rng.uniform(0.18, 0.3)
    board = blank(2 * radius, 2 * radius, px_per_tile)
    metal = varied(from_hex(str(rng.choice(["#b8693a", "#c9a54a", "#b4b7ba"]))), rng, 10)
    board.disc(radius, radius, radius * 0.98, mix(metal, INK, 0.3))
    board.disc(radius, radius, radius * 0.9, metal)
    if rng.random() < 0.4:
        board.disc(radius, radius, radius * 0.62, from_hex("#bfc2c4"))
    board.text(str(rng.choice(["1", "2", "5", "10", "20", "50"])), radius, radius, radius * 0.7,
               mix(metal, INK, 0.5), radius * 0.12)  # fmt: skip
    return finished(board)


def die(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A six-sided die."""
    edge = rng.uniform(0.27, 0.45)
    board = blank(edge, edge, px_per_tile)
    colour = random_colour(rng, (0, 0.9), (0.1, 1))
    board.round_box(0, 0, edge, edge, edge * 0.18, mix(colour, INK, 0.3))
    board.round_box(edge * 0.05, edge * 0.05, edge * 0.95, edge * 0.95, edge * 0.2, colour)
    pip, value = (WHITE if sum(colour) < 380 else INK), int(rng.integers(1, 7))
    spots: list[Spot] = [(0.5, 0.5)] if value % 2 else []
    spots += [(0.26, 0.26), (0.74, 0.74)] if value > 1 else []
    spots += [(0.26, 0.74), (0.74, 0.26)] if value > 3 else []
    spots += [(0.26, 0.5), (0.74, 0.5)] if value == 6 else []
    for x, y in spots:
        board.disc(x * edge, y * edge, edge * 0.09, pip)
    return finished(board)


def chessboard(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A chessboard with a frame, its squares often about as large as game tiles."""
    square = rng.uniform(0.4, 1.05)
    frame = square * rng.uniform(0.1, 0.6)
    edge = 8 * square + 2 * frame
    board = blank(edge, edge, px_per_tile)
    dark = random_colour(rng, (0.2, 0.8), (0.1, 0.5))
    light = random_colour(rng, (0.05, 0.4), (0.7, 0.97))
    board.box(0, 0, edge, edge, mix(dark, INK, 0.3))
    board.box(frame, frame, edge - frame, edge - frame, light)
    for row in range(8):
        for column in range(row % 2, 8, 2):
            left, top = frame + column * square, frame + row * square
            board.box(left, top, left + square, top + square, dark)
    return finished(board)


def face_down_tile(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A tile, single or duplex, face down; its back in any colour."""
    wide, tall = ((1, 1), (2, 1), (1, 2))[int(rng.integers(3))]
    board, back = blank(wide, tall, px_per_tile), _tinted_back(rng)
    one_print_per_half = rng.random() < 0.5
    if one_print_per_half:
        _lay_back(board, 0, 0, 1, 1, back)
        _lay_back(board, wide - 1, tall - 1, 1, 1, back)
    else:
        _lay_back(board, 0, 0, wide, tall, back)
    return finished(board)


def face_down_stack(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A carelessly built stack of face-down tiles."""
    count, slip = int(rng.integers(2, 9)), 0.04
    reach = 1 + count * slip * 2
    board, back = blank(reach, reach, px_per_tile), _tinted_back(rng)
    x, y = count * slip, count * slip
    for _ in range(count):
        board.box(x + 0.01, y + 0.02, x + 1.02, y + 1.03, from_hex("#5d5548"))
        _lay_back(board, x, y, 1, 1, back)
        x = min(max(x + rng.uniform(-slip, slip), 0.0), reach - 1.04)
        y = min(max(y - rng.uniform(0, slip), 0.0), reach - 1.04)
    return finished(board)


def _tinted_back(rng: np.random.Generator) -> Image:
    hsv = cv2.cvtColor(back_picture(_BACK_PX), cv2.COLOR_BGR2HSV)
    shift = np.array([int(rng.integers(0, 180)), 0, 0], np.uint8)
    hsv = ((hsv.astype(np.uint16) + shift) % [180, 256, 256]).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def _lay_back(board: Board, left: float, top: float, wide: float, tall: float, back: Image) -> None:
    px = board.px_per_unit
    place = board.image[
        round(top * px) : round((top + tall) * px), round(left * px) : round((left + wide) * px)
    ]
    height, width = place.shape[:2]
    place[:, :, :3] = cv2.resize(back, (width, height), interpolation=cv2.INTER_LINEAR)
    place[:, :, 3] = 255


def _figure() -> list[Spot]:
    head = arc((0.0, -0.55), 0.33, 0.36, 150, 390, 12)
    return [*head, (0.85, 0.0), (0.8, 0.2), (0.4, 0.15), (0.65, 0.88), (0.15, 0.88), (0.0, 0.5),
            (-0.15, 0.88), (-0.65, 0.88), (-0.4, 0.15), (-0.8, 0.2), (-0.85, 0.0)]  # fmt: skip


def _star() -> list[Spot]:
    tips, dents = ring((0.0, 0.0), 0.9, 5), ring((0.0, 0.0), 0.4, 5, -54.0)
    return [spot for pair in zip(tips, dents, strict=True) for spot in pair]


_TOKEN_SHAPES: Mapping[str, list[Spot]] = {
    "cube": ring((0.0, 0.0), 0.9, 4, -45.0),
    "disc": ring((0.0, 0.0), 0.85, 32),
    "house": [(-0.7, 0.85), (-0.7, -0.1), (0.0, -0.85), (0.7, -0.1), (0.7, 0.85)],
    "tower": [(-0.45, 0.85), (-0.35, -0.5), (0.0, -0.9), (0.35, -0.5), (0.45, 0.85)],
    "star": _star(),
    "figure": _figure(),
}

PIECES: Mapping[str, PropMaker] = {
    "token": token,
    "coin": coin,
    "die": die,
    "chessboard": chessboard,
    "face-down-tile": face_down_tile,
    "face-down-stack": face_down_stack,
}
