"""Landmarks of the Cities tiles that rise on one field: towers, columns, mills and the like.

Each is drawn upright on a board of 100 x 100 units and stands at about y = 90.
"""

from vision.simulate.drawing import Board, arc, from_hex, mix, ring
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
_GREY = from_hex("#c9c4b8")
_SLATE = from_hex("#56606d")
_COPPER = from_hex("#6a9a8a")
_TILE = from_hex("#a3523c")
_GOLD = from_hex("#d9a441")


def clock_tower(board: Board) -> None:
    """A square tower with a large clock under a steep copper roof."""
    block(board, 24, 66, 76, 90, from_hex("#d9b48c"))
    windows(board, spaced(29, 66, 4), 71, (5.5, 13))
    block(board, 35, 28, 65, 90, from_hex("#e6c9a0"))
    block(board, 32, 25, 68, 31, _STONE)
    gable(board, 34, 66, 25, 19, _COPPER)
    flag(board, 50, 8, 7, from_hex("#d98a4a"))
    ball(board, 50, 45, 12, INK)
    board.disc(50, 45, 10, IVORY)
    for hour in range(0, 360, 30):
        board.stroke([arc((50, 45), r, r, hour, hour, 1)[0] for r in (7.4, 9.0)], 1.0, INK)
    board.stroke([(50, 38), (50, 45), (56, 48)], 1.7, INK)
    windows(board, (40, 54), 62, (6, 10))
    windows(board, (44,), 76, (12, 14), from_hex("#6b4630"))


def obelisk(board: Board) -> None:
    """A carved needle on steps between two resting lions."""
    for left, top in ((12, 84), (18, 78), (24, 72)):
        block(board, left, top, 100 - left, top + 6, _GREY)
    block(board, 37, 60, 63, 72, _STONE)
    shape(board, [(41, 60), (44, 17), (50, 7), (56, 17), (59, 60)], from_hex("#d39a7a"))
    board.polygon([(50, 7), (56, 17), (59, 60), (51, 60)], from_hex("#b5775c"))
    for y in range(22, 58, 7):
        board.stroke([(46, y), (54, y)], 1.2, INK)
        board.disc(50, y + 3.4, 1.4, INK)
    for side in (-1, 1):
        x = 50 + side * 27
        back = [(-10, 72), (-10, 66), (-6, 62), (3, 62), (5, 54), (10, 58), (11, 72)]
        shape(board, [(x + side * u, v) for u, v in back], _GOLD)
        ball(board, x + side * 6, 57, 6.2, mix(_GOLD, INK, 0.35))
        ball(board, x + side * 7.6, 57.4, 3.4, _GOLD)
        board.stroke([(x - side * 10, 69), (x - side * 15, 62), (x - side * 12, 58)], 1.8, INK)
        board.stroke([(x - side * 4, 71), (x + side * 4, 71)], 1.4, INK)


def windmill(board: Board) -> None:
    """A tower mill with four latticed sails."""
    shape(board, [(32, 90), (38, 38), (62, 38), (68, 90)], from_hex("#e9ddc4"))
    for y in (52, 66, 79):
        board.stroke([(50 - y / 4.6, y), (50 + y / 4.6, y)], 1.0, from_hex("#a99a7c"))
    windows(board, (45,), 76, (10, 14), from_hex("#6b4630"))
    windows(board, (42, 53), 56, (5, 7), arched=False)
    shape(board, [(35, 39), (40, 24), (50, 19), (60, 24), (65, 39)], from_hex("#7a4b38"))
    for angle in (28.0, 118.0, 208.0, 298.0):
        tip = arc((50, 35), 36, 36, angle, angle, 1)[0]
        board.stroke([(50, 35), tip], 2.4, INK)
        sail = [arc((50, 35), r, r, a, a, 1)[0] for r, a in
                ((10, angle), (36, angle), (37.5, angle + 15), (14, angle + 38))]  # fmt: skip
        shape(board, sail, from_hex("#f8edd2"), 1.0)
        for part in (0.3, 0.5, 0.7):
            near = (sail[0][0] + (sail[1][0] - sail[0][0]) * part,
                    sail[0][1] + (sail[1][1] - sail[0][1]) * part)  # fmt: skip
            far = (sail[3][0] + (sail[2][0] - sail[3][0]) * part,
                   sail[3][1] + (sail[2][1] - sail[3][1]) * part)  # fmt: skip
            board.stroke([near, far], 1.0, from_hex("#8a6a48"))
    ball(board, 50, 35, 3.4, _GOLD)


def lighthouse(board: Board) -> None:
    """A banded tower with a lamp house on a rock."""
    shape(board, [(14, 90), (22, 78), (36, 74), (66, 76), (82, 82), (88, 90)], from_hex("#8d8478"))
    block(board, 60, 62, 82, 82, _STONE)
    gable(board, 57, 85, 62, 10, _TILE)
    windows(board, (64, 73), 67, (5, 7), arched=False)
    shape(board, [(33, 80), (39, 28), (57, 28), (63, 80)], IVORY)
    for top in (34, 54, 72):
        low = min(80, top + 9)
        board.polygon(
            [(39 - (top - 28) * 0.115, top), (57 + (top - 28) * 0.115, top),
             (57 + (low - 28) * 0.115, low), (39 - (low - 28) * 0.115, low)],
            from_hex("#7a4468"),
        )  # fmt: skip
    block(board, 35, 25, 61, 29, _SLATE)
    block(board, 40, 14, 56, 25, from_hex("#ffe9a0"))
    board.stroke([(48, 14), (48, 25)], 1.3, INK)
    dome(board, 38, 58, 14, 7, _SLATE)
    for end in ((84, 12), (84, 26)):
        board.stroke([(62, 19), end], 1.8, from_hex("#fff3c4"))
        board.stroke([(34, 19), (100 - end[0], end[1])], 1.8, from_hex("#fff3c4"))


def lattice_tower(board: Board) -> None:
    """An iron tower on four curved legs."""
    iron = from_hex("#6f5444")
    for side in (-1, 1):
        leg = [(50 + side * x, y) for x, y in ((30, 90), (17, 62), (8, 36), (3, 10))]
        inner = [(50 + side * x, y) for x, y in ((1, 10), (3, 36), (7, 62), (14, 90))]
        shape(board, [*leg, *inner], iron)
    for top, half in ((62, 19), (36, 10)):
        block(board, 50 - half, top - 3, 50 + half, top + 3, from_hex("#a07d5e"))
    board.stroke(arc((50, 89), 17, 18, 180, 360), 2.6, iron)
    for low, high, wide, slim in ((88, 66, 25, 17), (60, 40, 13, 9), (34, 22, 6.5, 4.5)):
        board.stroke([(50 - wide, low), (50 - slim * 0.35, high)], 1.2, _GOLD)
        board.stroke([(50 + wide, low), (50 + slim * 0.35, high)], 1.2, _GOLD)
        board.stroke([(50 - slim * 0.7, low), (50 + slim * 0.7, high)], 1.2, iron)
        board.stroke([(50 + slim * 0.7, low), (50 - slim * 0.7, high)], 1.2, iron)
    block(board, 46, 13, 54, 18, _GOLD)
    flag(board, 50, 10, 7, from_hex("#7a6aa0"))


def pagoda(board: Board) -> None:
    """Five curved roofs, one above the other."""
    for number, (half, base) in enumerate(((32, 90), (27, 74), (22, 59), (17.5, 45), (13, 32))):
        wall, eave = half * 0.62, base - 9
        block(board, 50 - wall, eave, 50 + wall, base, from_hex("#c9785a"))
        windows(board, spaced(50 - wall * 0.7, 50 + wall * 0.7 - 3.5, 5 - number % 2), eave + 2,
                (3.5, 6), from_hex("#5c2f2a"), arched=False)  # fmt: skip
        roof = [(50 - half - 3, eave - 3), (50 - half * 0.6, eave - 3), (50 - wall * 0.7, eave - 8),
                (50 + wall * 0.7, eave - 8), (50 + half * 0.6, eave - 3), (50 + half + 3, eave - 3),
                (50 + half * 0.8, eave + 2), (50 - half * 0.8, eave + 2)]  # fmt: skip
        shape(board, roof, from_hex("#3f6a66") if number % 2 else from_hex("#4d5a52"))
    board.stroke([(50, 16), (50, 4)], 2.4, _GOLD)
    for y, half in ((13, 3.4), (9.5, 2.6), (6.5, 1.8)):
        board.stroke([(50 - half, y), (50 + half, y)], 2.0, INK)
        board.stroke([(50 - half + 0.4, y), (50 + half - 0.4, y)], 1.1, _GOLD)


def leaning_tower(board: Board) -> None:
    """A round tower of arcades that leans, beside a chapel's apse."""
    dome(board, 12, 44, 72, 14, _SLATE)
    block(board, 14, 72, 42, 90, from_hex("#e2d0b0"))
    windows(board, (18, 26, 34), 76, (4, 10))

    def at(x: float, y: float) -> tuple[float, float]:
        return 50 + x + (90 - y) * 0.16, y

    for number, top in enumerate((77, 64.5, 52, 39.5, 27)):
        shape(board, [at(-14, top), at(14, top), at(14, top + 12.5), at(-14, top + 12.5)],
              _STONE if number % 2 else from_hex("#e6d2c0"))  # fmt: skip
        for x in (-10.5, -5, 0.5, 6):
            left, low = at(x, top + 11)
            board.arch(left, top + 3, left + 4.2, low, from_hex("#6a5a50"))
    shape(board, [at(-10, 14), at(10, 14), at(10, 27), at(-10, 27)], IVORY)
    for x in (-7, -1.5, 4):
        left, low = at(x, 25)
        board.arch(left, 17, left + 3.6, low, INK)
    flag(board, *at(0, 14), 9, from_hex("#c98a4a"))


def ferris_wheel(board: Board) -> None:
    """A great wheel with gondolas of many colours."""
    colours = ("#d98a4a", "#7a6aa0", "#6a9a8a", "#c76a86", "#e6c47a")
    for side in (-1, 1):
        board.stroke([(50, 45), (50 + side * 24, 89)], 4.0, INK)
        board.stroke([(50, 45), (50 + side * 24, 89)], 2.0, from_hex("#c7b8a2"))
    rim = ring((50, 45), 33, 12, 8.0)
    for radius, width in ((33, 2.6), (27, 1.3)):
        board.stroke(arc((50, 45), radius, radius, 0, 360, 60), width, _SLATE)
    for x, y in rim:
        board.stroke([(50, 45), (x, y)], 1.0, _SLATE)
    for number, (x, y) in enumerate(rim):
        shape(board, [(x - 4.2, y), (x + 4.2, y), (x + 3, y + 6.5), (x - 3, y + 6.5)],
              from_hex(colours[number % len(colours)]), 1.0)  # fmt: skip
        board.stroke(arc((x, y), 4.2, 4.2, 180, 360, 10), 1.2, INK)
    ball(board, 50, 45, 5, _GOLD)
    block(board, 34, 84, 66, 91, from_hex("#b8694a"))
    windows(board, spaced(38, 58, 3), 86, (4, 5), IVORY)


def stepped_pyramid(board: Board) -> None:
    """A temple on a pyramid of steps with a stair in front."""
    for number in range(6):
        top, half = 80 - number * 10, 41 - number * 5.6
        tone = from_hex("#cfa676") if number % 2 else from_hex("#bb8f62")
        block(board, 50 - half, top, 50 + half, top + 10, tone)
        for x in spaced(50 - half + 4, 50 + half - 4, 7 - number // 2):
            board.disc(x, top + 5, 1.3, from_hex("#7a5638"))
    shape(board, [(40, 90), (45, 30), (55, 30), (60, 90)], _STONE)
    for y in range(36, 90, 5):
        board.stroke([(44.5 - (y - 30) * 0.08, y), (55.5 + (y - 30) * 0.08, y)], 1.1, INK)
    block(board, 40, 16, 60, 30, from_hex("#d9b588"))
    windows(board, (46,), 19, (8, 11), arched=False)
    block(board, 36, 11, 64, 16, from_hex("#8f6a48"))
