"""Landmarks of the Cities tiles that are drawn over two fields and count as two sights.

Each is drawn upright: the broad ones on a board of 100 units height and about twice the width, the
tall ones on a board of 100 units width and about twice the height.
"""

from itertools import pairwise

from vision.simulate.drawing import Board, arc, from_hex, mix
from vision.simulate.drawn.cities_ink import (
    INK,
    IVORY,
    ball,
    block,
    dome,
    flag,
    gable,
    shape,
    spaced,
    windows,
)

_STONE = from_hex("#f1e6cf")
_GREY = from_hex("#cbc6bb")
_SLATE = from_hex("#56606d")
_COPPER = from_hex("#6a9a8a")
_TILE = from_hex("#a3523c")
_GOLD = from_hex("#d9a441")
_DOOR = from_hex("#5a3b2c")


def castle(board: Board) -> None:
    """Walls, four unlike towers and a keep with a drawbridge."""
    wall = from_hex("#c2b6a6")
    block(board, 30, 52, 176, 90, wall)
    for x in spaced(32, 168, 13):
        block(board, x, 46, x + 6, 53, wall, 1.0)
    block(board, 78, 30, 130, 90, from_hex("#d8cbb6"))
    for x in spaced(78, 123, 5):
        block(board, x, 24, x + 7, 31, from_hex("#d8cbb6"), 1.0)
    windows(board, (85, 118), 40, (6, 12))
    windows(board, (92,), 58, (24, 32), _DOOR)
    for x in (98, 104, 110):
        board.stroke([(x, 61), (x, 90)], 1.2, _GOLD)
    towers = ((24, 34, 13, _TILE, 26), (62, 22, 9, _SLATE, 18), (146, 18, 9, _SLATE, 14),
              (182, 38, 14, _TILE, 24))  # fmt: skip
    for x, top, half, roof, rise in towers:
        block(board, x - half, top, x + half, 91, mix(wall, IVORY, 0.3))
        gable(board, x - half - 3, x + half + 3, top, rise, roof)
        windows(board, (x - 2.2,), top + 8, (4.4, 9))
        windows(board, (x - 2.2,), top + 32, (4.4, 9))
        board.stroke([(x - half + 1, top + 24), (x + half - 1, top + 24)], 1.1, from_hex("#84786a"))
    for x, y in (
        (38, 64),
        (50, 76),
        (72, 70),
        (140, 62),
        (160, 78),
        (166, 66),
        (44, 84),
        (138, 82),
    ):
        board.round_box(x, y, x + 8, y + 4, 1, from_hex("#9a8d7d"))
    flag(board, 104, 24, 18, from_hex("#8a6aa0"))
    flag(board, 24, 9, 6, _GOLD)
    flag(board, 182, 15, 10, _GOLD)


def palace(board: Board) -> None:
    """A long front with a domed middle, wings and a row of statues."""
    plaster = from_hex("#e8c98c")
    shape(board, [(10, 48), (17, 36), (188, 36), (195, 48)], _SLATE)
    block(board, 10, 48, 195, 90, plaster)
    for left in (10, 167):
        block(board, left, 42, left + 28, 90, from_hex("#f0d8a4"))
        shape(board, [(left - 2, 42), (left + 5, 26), (left + 23, 26), (left + 30, 42)], _COPPER)
        windows(board, (left + 10,), 30, (8, 9))
        windows(board, (left + 4, left + 18), 50, (6, 13), from_hex("#5f6b78"))
        windows(board, (left + 4, left + 18), 71, (6, 13), from_hex("#5f6b78"))
    windows(board, (*spaced(44, 68, 3), *spaced(131, 155, 3)), 53, (6, 12), from_hex("#5f6b78"))
    windows(board, (*spaced(44, 68, 3), *spaced(131, 155, 3)), 72, (6, 13), from_hex("#7a5a48"))
    block(board, 80, 38, 125, 90, _STONE)
    gable(board, 76, 129, 40, 12, from_hex("#e2cfa6"))
    dome(board, 84, 121, 29, 20, _COPPER)
    for bend in (6, 13):
        board.stroke(arc((102.5, 29), bend, 19, 180, 360), 1.0, from_hex("#3f6a5e"))
    ball(board, 102.5, 8, 3, _GOLD)
    for x in spaced(82, 118, 5):
        block(board, x, 46, x + 4.6, 84, IVORY, 0.9)
    windows(board, (97.5,), 62, (10, 24), _DOOR)
    block(board, 74, 84, 131, 91, _GREY)
    for x in (48, 60, 72, 133, 145, 157):
        ball(board, x, 33, 1.8, _STONE)
        board.stroke([(x, 34), (x, 40)], 2.6, _STONE)


def old_bridge(board: Board) -> None:
    """A stone bridge of four arches with a gate tower and statues."""
    stone = from_hex("#c9b08c")
    board.polygon([(0, 76), (205, 76), (205, 97), (0, 97)], from_hex("#8f7a5c"))
    deck = [(2, 62), (60, 52), (145, 52), (203, 62), (203, 96), (2, 96)]
    shape(board, deck, stone)
    for number, y in enumerate((58, 65, 72, 79, 86)):
        near = 60.0 if y < 62 else 2.0
        board.stroke([(near, y), (205 - near, y)], 1.0, from_hex("#8f7652"))
        for x in spaced(near + 6 + 5 * (number % 2), 199 - near, 15):
            board.stroke([(x, y), (x, y + 7)], 1.0, from_hex("#8f7652"))
    for left, top, width in ((14, 70, 34), (58, 63, 40), (108, 63, 40), (158, 70, 34)):
        board.arch(left - 2.2, top - 2.2, left + width + 2.2, 97, from_hex("#eadbb8"))
        board.arch(left, top, left + width, 97, from_hex("#5b5148"))
        board.arch(left + 4, top + 6, left + width, 97, from_hex("#a8916c"))
    board.stroke([(2, 60), (60, 50), (145, 50), (203, 60)], 3.4, INK)
    board.stroke([(2, 60), (60, 50), (145, 50), (203, 60)], 1.6, _STONE)
    block(board, 150, 18, 176, 57, from_hex("#8a6f5c"))
    shape(board, [(147, 19), (155, 4), (171, 4), (179, 19)], _SLATE)
    windows(board, (156.5,), 38, (13, 18), from_hex("#e3cf9e"))
    windows(board, (154, 167), 23, (5, 9), _GOLD)
    for x, coat in ((28, "#5f7a6c"), (62, "#7a5a4a"), (96, "#5f7a6c"), (128, "#7a5a4a")):
        foot = 50.0 if x > 55 else 55.5
        block(board, x - 4, foot - 7, x + 4, foot, _STONE, 1.0)
        shape(board, [(x - 3.4, foot - 7), (x - 2, foot - 18), (x + 2, foot - 18),
                      (x + 3.4, foot - 7)], from_hex(coat), 1.0)  # fmt: skip
        ball(board, x, foot - 20, 2.6, from_hex(coat))
        board.stroke([(x + 2, foot - 16), (x + 7, foot - 22)], 1.6, INK)


def cathedral(board: Board) -> None:
    """A front with two unlike towers, a rose window and three portals."""
    wall = from_hex("#d9cdb8")
    block(board, 34, 92, 66, 192, wall)
    gable(board, 32, 68, 92, 22, _TILE)
    ball(board, 50, 116, 13, INK)
    board.disc(50, 116, 11.4, from_hex("#7a6aa0"))
    for angle in range(0, 360, 45):
        petal = arc((50, 116), 7.4, 7.4, angle, angle, 1)[0]
        board.disc(*petal, 2.9, (_GOLD, from_hex("#8fc0bc"))[angle // 45 % 2])
    board.disc(50, 116, 3.2, IVORY)
    for left, top, roof, rise in ((10, 62, _COPPER, 48), (64, 74, _SLATE, 40)):
        block(board, left, top, left + 26, 192, mix(wall, IVORY, 0.35))
        gable(board, left - 2, left + 28, top, rise, roof)
        windows(board, (left + 5, left + 15), top + 8, (6, 18))
        windows(board, (left + 5, left + 15), top + 46, (6, 18), from_hex("#5f6b78"))
        for y in (top + 32, top + 72):
            block(board, left - 1, y, left + 27, y + 4, _STONE, 1.0)
        board.stroke([(left + 13, top - rise), (left + 13, top - rise - 9)], 1.7, INK)
        board.stroke([(left + 10, top - rise - 5), (left + 16, top - rise - 5)], 1.5, INK)
        for part in (0.35, 0.65):
            half = 15 * part
            board.stroke([(left + 13 - half, top - rise * (1 - part)),
                          (left + 13 + half, top - rise * (1 - part))], 1.1, INK)  # fmt: skip
    for x in spaced(36, 60, 5):
        board.arch(x, 134, x + 4, 146, INK)
    for left, width in ((13, 20), (38, 24), (67, 20)):
        board.arch(left - 2, 158, left + width + 2, 192, _STONE)
        board.arch(left, 160, left + width, 192, INK)
        board.arch(left + 2, 163, left + width - 2, 192, from_hex("#8a4a3a"))
        board.stroke([(left + width / 2, 164), (left + width / 2, 191)], 1.4, INK)
    block(board, 6, 191, 94, 197, _GREY)


def television_tower(board: Board) -> None:
    """A slim tower with a ball high up, over a pavilion with folded roofs."""
    shape(board, [(43, 178), (47.5, 60), (52.5, 60), (57, 178)], from_hex("#d2cec6"))
    board.polygon([(50, 60), (52.5, 60), (57, 178), (51, 178)], from_hex("#a39e95"))
    _balloon(board.part(20, 52))
    for x, y in ((70, 20), (81, 29), (68, 92), (84, 100), (22, 96), (33, 26), (80, 8)):
        board.stroke([(x - 6, y - 1), (x - 3, y - 3), (x, y), (x + 3, y - 3), (x + 6, y - 1)],
                     1.5, INK)  # fmt: skip
    for number, y in enumerate(range(8, 42, 6)):
        block(board, 48.2, y, 51.8, y + 6, IVORY if number % 2 else from_hex("#b8606a"), 0.8)
    ball(board, 50, 60, 19, from_hex("#9fb2b8"))
    for y, half in ((53, 17.6), (60, 18.6), (67, 17.4)):
        board.stroke([(50 - half, y), (50 + half, y)], 4.4, _SLATE)
        for lamp in spaced(50 - half + 3, 50 + half - 3, 9):
            board.disc(lamp, y, 1.3, from_hex("#ffe6a0"))
    board.oval(43, 48, 6, 3, IVORY, -30)
    block(board, 44, 88, 56, 93, _SLATE)
    for y in (104, 120, 136, 152):
        board.stroke([(45, y), (55, y)], 1.6, _SLATE)
    _folded_pavilion(board)


def _folded_pavilion(board: Board) -> None:
    """At the foot of the television tower, with trees behind it."""
    for x, y, radius in ((16, 146, 7), (24, 138, 5), (82, 140, 8), (74, 148, 5)):
        board.disc(x, y, radius, INK)
        board.disc(x, y, radius - 1.2, from_hex("#6f8a58"))
    tones = (from_hex("#e3d3b0"), from_hex("#b58f6a"))
    tips = spaced(6, 94, 9)
    for number, (left, right) in enumerate(pairwise(tips)):
        high = 150 if number % 2 else 160
        low = 160 if number % 2 else 150
        shape(board, [(left, high), (right, low), (right, 184), (left, 184)], tones[number % 2])
        windows(board, (left + 2.6,), 169, (6, 12), from_hex("#4f5a66"), arched=False)
    block(board, 4, 184, 96, 192, _GREY)
    for joint in spaced(10, 90, 11):
        board.stroke([(joint, 185), (joint, 192)], 0.9, from_hex("#8d877b"))


def _balloon(board: Board) -> None:
    """A hot-air balloon round (0, 0)."""
    tones = (from_hex("#c76a86"), from_hex("#f2d9a0"))
    for number, half in enumerate((14.0, 9.0, 4.0)):
        outline = [*arc((0, 0), half, 17, 180, 360), (half * 0.28, 17), (-half * 0.28, 17)]
        shape(board, outline, tones[number % 2], 1.0)
    for side in (-1, 1):
        board.stroke([(side * 4, 17), (side * 3, 23)], 1.0, INK)
    block(board, -4, 22, 4, 28, from_hex("#a8743f"), 1.0)
