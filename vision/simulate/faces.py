"""Stadtblick's own drawn edition: the nine faces of Between Two Cities and the back of a tile.

A tile is square with a light border; an emblem at the top left tells the building type, the strip
at the bottom how it scores (rulebook, "Scoring"). Pictures are BGR, upright, and the same on each
call.
"""

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from scoring.faces import Face
from vision.arrays import Image
from vision.simulate import scenery, taverns
from vision.simulate.drawing import Board, from_hex, mix
from vision.simulate.emblems import INK, IVORY, TYPE_COLOUR, draw_emblem, gear_outline

SMALLEST_FACE_PX = 8

_MASTER_PX = 1024
_SUPERSAMPLING = 4
_STONE = from_hex("#ece3cd")
_STONE_EDGE = from_hex("#b9ac8e")


def draw_face(face: Face, size_px: int = 256) -> Image:
    """Draw one face upright.

    Args:
        face: which one.
        size_px: edge of the square picture.

    Returns:
        A new BGR picture (size_px, size_px, 3).

    Raises:
        ValueError: the size is under ``SMALLEST_FACE_PX``.
    """
    return _reduced(_face_master(face, _master_size(size_px)), size_px)


def draw_back(size_px: int = 256) -> Image:
    """Draw the back of a tile, the same for all; arguments and result as for ``draw_face``."""
    return _reduced(_back_master(_master_size(size_px)), size_px)


def _master_size(size_px: int) -> int:
    if size_px < SMALLEST_FACE_PX:
        raise ValueError(
            f"size_px is {size_px}; a tile needs an edge of at least {SMALLEST_FACE_PX} px"
        )
    return max(_MASTER_PX, _SUPERSAMPLING * size_px)


def _reduced(master: Image, size_px: int) -> Image:
    reduced = cv2.resize(master, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return reduced.astype(np.uint8, copy=False)


def _face_master(face: Face, size_px: int) -> Image:
    board = Board(np.zeros((size_px, size_px, 3), np.uint8), size_px / 100)
    _SCENES[face](board)
    colour = mix(TYPE_COLOUR[face], INK, 0.35)
    board.box(0, 82, 100, 100, colour)
    board.box(0, 82, 100, 83.2, IVORY)
    _KEYS[face](board)
    _border(board)
    draw_emblem(board, face, 21.5, 21.5, 13.2)
    return board.image


def _back_master(size_px: int) -> Image:
    board = Board(np.zeros((size_px, size_px, 3), np.uint8), size_px / 100)
    blue, light = from_hex("#33506e"), from_hex("#4a6c8e")
    board.box(0, 0, 100, 100, blue)
    for step in range(-100, 101, 10):
        board.stroke([(step, 0), (step + 100, 100)], 0.8, light)
        board.stroke([(100 - step, 0), (-step, 100)], 0.8, light)
    board.disc(50, 50, 31, _STONE)
    board.disc(50, 50, 28.5, blue)
    centre = board.part(50, 50, 24)
    skyline = [
        (-0.95, 0.45), (-0.95, -0.05), (-0.62, -0.40), (-0.29, -0.05), (-0.29, -0.72),
        (0.16, -0.72), (0.16, 0.05), (0.40, -0.12), (0.40, 0.05), (0.64, -0.12), (0.64, -0.55),
        (0.82, -0.55), (0.82, 0.45),
    ]  # fmt: skip
    centre.polygon(skyline, _STONE)
    for row in range(3):
        for left in (-0.22, -0.02):
            centre.box(left, -0.58 + row * 0.26, left + 0.11, -0.42 + row * 0.26, blue)
    centre.round_box(-0.8, 0.58, 0.8, 0.68, 0.05, _STONE)
    _border(board)
    return board.image


def _border(board: Board) -> None:
    for left, top, right, bottom in (
        (0, 0, 100, 5), (0, 95, 100, 100), (0, 0, 5, 100), (95, 0, 100, 100),
    ):  # fmt: skip
        board.box(left, top, right, bottom, _STONE)
    board.stroke([(5, 5), (95, 5), (95, 95), (5, 95)], 0.7, _STONE_EDGE, closed=True)
    board.stroke([(0, 0), (100, 0), (100, 100), (0, 100)], 1.2, _STONE_EDGE, closed=True)


def _numbers(*values: str) -> Callable[[Board], None]:
    def write(board: Board) -> None:
        step = 86 / len(values)
        for i, value in enumerate(values):
            board.text(value, 7 + step * (i + 0.5), 89.2, 6.4, IVORY, 1.15)

    return write


def _factory_key(board: Board) -> None:
    for x, value in ((20, "4"), (50, "3"), (80, "2")):
        board.part(x - 5.5, 89, 4.2).polygon(gear_outline(8, 0.72, 1.0), from_hex("#aeb4bd"))
        board.text(value, x + 4.5, 89.2, 6.4, IVORY, 1.15)


def _office_key(board: Board) -> None:
    places = ((10, "1"), (20.5, "3"), (32, "6"), (45, "10"), (59.5, "15"), (73.5, "21"))
    for x, value in places:
        board.text(value, x, 89.2, 5.4, IVORY, 1.0)
    board.polygon(
        [(87, 84.2), (92.4, 89.3), (87, 94.4), (81.6, 89.3)], TYPE_COLOUR[Face.TAVERN_FOOD]
    )
    board.text("+1", 87, 89.4, 3.4, IVORY, 0.9)


def _house_key(board: Board) -> None:
    others = (Face.SHOP, Face.FACTORY, Face.TAVERN_FOOD, Face.OFFICE, Face.PARK)
    board.text("1 x", 17, 89.2, 6.0, IVORY, 1.1)
    for i, other in enumerate(others):
        board.disc(36 + i * 13, 89.2, 4.7, IVORY)
        board.disc(36 + i * 13, 89.2, 3.9, TYPE_COLOUR[other])


_TAVERN_KEY = _numbers("1", "4", "9", "17")

_KEYS: Mapping[Face, Callable[[Board], None]] = {
    Face.SHOP: _numbers("2", "5", "10", "16"),
    Face.FACTORY: _factory_key,
    Face.TAVERN_FOOD: _TAVERN_KEY,
    Face.TAVERN_BED: _TAVERN_KEY,
    Face.TAVERN_MUSIC: _TAVERN_KEY,
    Face.TAVERN_DRINK: _TAVERN_KEY,
    Face.OFFICE: _office_key,
    Face.PARK: _numbers("2", "8", "12", "+1"),
    Face.HOUSE: _house_key,
}

_SCENES: Mapping[Face, Callable[[Board], None]] = {
    Face.SHOP: scenery.shop,
    Face.FACTORY: scenery.factory,
    Face.TAVERN_FOOD: taverns.food,
    Face.TAVERN_BED: taverns.bed,
    Face.TAVERN_MUSIC: taverns.music,
    Face.TAVERN_DRINK: taverns.drink,
    Face.OFFICE: scenery.office,
    Face.PARK: scenery.park,
    Face.HOUSE: scenery.house,
}
