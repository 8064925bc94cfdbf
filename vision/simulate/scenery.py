"""What stands in the pictures of the tiles apart from the taverns.

Scenes are drawn in units of a hundredth of the tile's edge and fill x 5 to 95, y 5 to 83; the top
left is left free for the emblem. What is drawn beyond is covered by border and key strip.
"""

from collections.abc import Sequence

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.emblems import INK, IVORY

GLASS = from_hex("#bfe3f2")
LIT = from_hex("#ffdf7a")
WOOD = from_hex("#7a4a28")
LEAF = from_hex("#3c9a4a")
DARK_LEAF = from_hex("#236b3a")


def backdrop(board: Board, sky: Colour, ground: Colour, horizon: float) -> None:
    """Fill the picture with sky above and ground below ``horizon``."""
    board.box(0, 0, 100, horizon, sky)
    board.box(0, horizon, 100, 100, ground)


def cloud(board: Board, x: float, y: float, size: float, colour: Colour) -> None:
    """A flat cloud, ``size`` units wide, its underside at ``y``."""
    board.disc(x - size * 0.24, y - size * 0.10, size * 0.15, colour)
    board.disc(x, y - size * 0.18, size * 0.21, colour)
    board.disc(x + size * 0.24, y - size * 0.11, size * 0.16, colour)
    board.round_box(x - size * 0.45, y - size * 0.2, x + size * 0.45, y, size * 0.1, colour)


def tree(board: Board, x: float, foot: float, height: float, leaf: Colour) -> None:
    """A round tree."""
    board.box(x - height * 0.06, foot - height * 0.45, x + height * 0.06, foot, WOOD)
    board.disc(x, foot - height * 0.66, height * 0.34, leaf)
    board.disc(x - height * 0.09, foot - height * 0.74, height * 0.17, mix(leaf, IVORY, 0.22))


def fir(board: Board, x: float, foot: float, height: float, leaf: Colour) -> None:
    """A fir tree of three layers."""
    board.box(x - height * 0.05, foot - height * 0.2, x + height * 0.05, foot, WOOD)
    for low, wide in ((0.12, 0.34), (0.36, 0.27), (0.60, 0.20)):
        base = foot - height * low
        board.polygon(
            [(x - height * wide, base), (x, base - height * 0.40), (x + height * wide, base)], leaf
        )


def pane(board: Board, box: tuple[float, float, float, float], glass: Colour) -> None:
    """A window with a light frame and a cross bar; the box is left, top, right, bottom."""
    left, top, right, bottom = box
    board.box(left - 1, top - 1, right + 1, bottom + 1, IVORY)
    board.box(left, top, right, bottom, glass)
    middle = (left + right) / 2
    board.box(middle - 0.4, top, middle + 0.4, bottom, IVORY)


def awning(
    board: Board, span: Spot, top: float, drop: float, colours: Sequence[Colour], stripes: int
) -> None:
    """A striped awning with a scalloped edge between the two x of ``span``."""
    left, right = span
    step = (right - left) / stripes
    for i in range(stripes):
        x, colour = left + i * step, colours[i % len(colours)]
        lean = (i - stripes / 2) * 0.5
        board.polygon(
            [
                (x, top),
                (x + step, top),
                (x + step + lean + 0.5, top + drop),
                (x + lean, top + drop),
            ],
            colour,
        )
        board.disc(x + step / 2 + lean + 0.25, top + drop, step / 2 + 0.25, colour)


def shop(board: Board) -> None:
    """A yellow market hall with a glass gable, striped awning and crates of fruit."""
    yellow, dark = from_hex("#f2bd2b"), from_hex("#c98a12")
    backdrop(board, from_hex("#a9dcec"), from_hex("#d8c29a"), 74)
    cloud(board, 84, 20, 18, IVORY)
    board.polygon([(30, 46), (30, 38), (60, 14), (92, 38), (92, 46)], dark)
    board.polygon([(34, 50), (34, 40), (60, 19), (88, 40), (88, 50)], yellow)
    board.polygon([*arc((61, 42), 15, 15, 180, 360)], from_hex("#fff3c4"))
    board.polygon([*arc((61, 42), 12.5, 12.5, 180, 360)], GLASS)
    for lean in (-9, 0, 9):
        board.stroke([(61, 42), (61 + lean, 31)], 1.2, from_hex("#fff3c4"))
    board.stroke([(60, 14), (60, 6)], 1, INK)
    board.polygon([(60, 6), (72, 8.5), (60, 11)], from_hex("#d0342f"))
    board.box(10, 44, 93, 78, yellow)
    board.box(8, 41, 95, 46, dark)
    for left in (14, 41, 68):
        board.box(left, 56, left + 21, 78, from_hex("#6b4420"))
        board.disc(left + 10.5, 60, 2.2, LIT)
    awning(board, (10, 93), 46, 10, (from_hex("#e2452f"), IVORY), 11)
    fruits = (from_hex("#e2452f"), from_hex("#79b83e"), from_hex("#f08a24"))
    for left, fruit in zip((13, 40, 67), fruits, strict=True):
        for x in (4.0, 9.5, 15.0, 20.5):
            board.disc(left + x - 1, 68.5, 3.2, fruit)
        board.polygon(
            [(left, 69), (left + 23, 69), (left + 21, 79), (left + 2, 79)], from_hex("#b9803f")
        )
        board.box(left + 1, 72.5, left + 22, 73.5, from_hex("#8a5a28"))


def factory(board: Board) -> None:
    """Slate saw-tooth roofs, a brick-banded chimney and a long plume of smoke."""
    slate, light = from_hex("#5d6672"), from_hex("#8c96a3")
    backdrop(board, from_hex("#f3d3ae"), from_hex("#8f8678"), 73)
    smoke = from_hex("#e9e7e4")
    plume = ((80, 17, 6), (74, 14, 7.5), (65, 13.5, 8), (55, 15, 7.5), (46, 13, 6), (40, 15, 4.5))
    for x, y, radius in plume:
        board.disc(x, y + 1.5, radius + 0.5, from_hex("#b9b4b0"))
    for x, y, radius in plume:
        board.disc(x, y, radius, smoke)
    board.polygon([(74, 76), (77, 21), (87, 21), (90, 76)], from_hex("#454b55"))
    for band in (25, 33):
        wider = (band - 25) * 0.05
        board.box(76.2 - wider, band, 87.8 + wider, band + 3.2, from_hex("#c9553a"))
    board.box(75, 18.5, 89, 22.5, INK)
    for left in (8, 30, 52):
        board.polygon([(left, 54), (left, 38), (left + 22, 54)], from_hex("#343942"))
        board.polygon([(left + 1.5, 53), (left + 1.5, 41), (left + 17, 53)], from_hex("#9fc4d3"))
        board.stroke([(left + 8, 53), (left + 8, 45)], 1, from_hex("#343942"))
    board.box(8, 53, 92, 79, slate)
    board.box(8, 53, 92, 55.5, light)
    for left in (13, 27, 41):
        board.box(left - 1, 59, left + 10, 68, from_hex("#343942"))
        board.box(left, 60, left + 4, 67, LIT)
        board.box(left + 5, 60, left + 9, 67, LIT)
    board.box(57, 59, 76, 79, INK)
    for y in (61, 64.5, 68, 71.5):
        board.box(58.5, y, 74.5, y + 1.6, light)
    board.disc(84, 64, 4.6, IVORY)
    board.stroke([(84, 61), (84, 64), (86.5, 65)], 0.9, INK)
    board.box(12, 72, 26, 79, from_hex("#b5763a"))
    board.box(26, 74.5, 36, 79, from_hex("#93592a"))
    board.stroke([(12, 72), (26, 79)], 0.8, from_hex("#7a4a22"))
    board.stroke([(26, 72), (12, 79)], 0.8, from_hex("#7a4a22"))


def office(board: Board) -> None:
    """A tall blue block with a window grid before a lower one."""
    blue, deep = from_hex("#3d86cf"), from_hex("#1d4f8f")
    backdrop(board, from_hex("#e6eef5"), from_hex("#a8b0b8"), 75)
    board.disc(84, 19, 6.5, from_hex("#ffd76a"))
    board.box(9, 45, 40, 79, from_hex("#6fa9df"))
    board.box(7.5, 42.5, 40, 46, deep)
    for y in (49.5, 57.5, 65.5):
        board.box(12, y, 36, y + 4.4, from_hex("#e4f2fb"))
        for x in (18, 24, 30):
            board.box(x - 0.5, y, x + 0.5, y + 4.4, from_hex("#6fa9df"))
    board.polygon([(80, 12), (91, 20), (91, 79), (80, 79)], deep)
    board.box(38, 12, 80, 79, blue)
    board.box(36.5, 9.5, 81.5, 13.5, deep)
    board.stroke([(70, 10), (70, 4)], 1, INK)
    lit = {(0, 2), (1, 0), (3, 3), (4, 1), (5, 2)}
    for row in range(6):
        for column in range(4):
            left, top = 42 + column * 9.2, 17 + row * 8.6
            board.box(left, top, left + 6.4, top + 5.6, LIT if (row, column) in lit else IVORY)
    for row in range(6):
        board.box(83.2, 21.5 + row * 8.6, 88, 26 + row * 8.6, from_hex("#7fb4e6"))
    board.box(50, 68, 68, 79, deep)
    board.box(51.5, 70, 58.4, 79, GLASS)
    board.box(59.6, 70, 66.5, 79, GLASS)
    board.box(47, 66.5, 71, 69, IVORY)
    for x in (14, 32):
        tree(board, x, 80, 13, LEAF)


def park(board: Board) -> None:
    """Lawns seen from above a little, a pond with ducks, trees and a winding path."""
    board.box(0, 0, 100, 100, from_hex("#7cc455"))
    board.oval(20, 60, 60, 26, from_hex("#8fd265"), -10)
    board.oval(86, 24, 34, 15, from_hex("#68b548"), 8)
    path: list[Spot] = [
        (100, 33),
        (83, 36),
        (72, 42),
        (58, 43),
        (44, 45),
        (30, 52),
        (16, 55),
        (0, 61),
    ]
    board.stroke(path, 7.5, from_hex("#c9ad78"))
    board.stroke(path, 6, from_hex("#efdcae"))
    board.oval(64, 65, 28, 13.5, from_hex("#4f9a3d"), -6)
    board.oval(64, 65.5, 26, 12, from_hex("#4aa9d6"), -6)
    board.oval(58, 62.5, 13, 4.5, from_hex("#7cc7e8"), -6)
    for x, y in ((70, 68), (80, 63)):
        board.oval(x, y, 4.2, 2.4, IVORY)
        board.disc(x + 3.2, y - 3, 1.9, IVORY)
        board.polygon(
            [(x + 4.6, y - 3.8), (x + 7.6, y - 2.6), (x + 4.6, y - 2)], from_hex("#f08a24")
        )
    for x, y, height in ((46, 31, 24), (63, 29, 20)):
        tree(board, x, y + 3, height, DARK_LEAF if height > 22 else LEAF)
    fir(board, 80, 30, 25, from_hex("#1f6b45"))
    fir(board, 91, 34, 20, from_hex("#2c7d50"))
    tree(board, 15, 79, 32, from_hex("#2e8b45"))
    tree(board, 31, 81, 20, LEAF)
    flowers = (from_hex("#e8527a"), from_hex("#ffd94d"), IVORY)
    spots = (
        (44, 79),
        (52, 81),
        (90, 78),
        (84, 80),
        (38, 62),
        (93, 50),
        (85, 47),
        (26, 46),
        (9, 48),
    )
    for i, (x, y) in enumerate(spots):
        board.disc(x, y, 1.7, flowers[i % 3])
        board.disc(x, y, 0.7, from_hex("#8a5a1a"))


def house(board: Board) -> None:
    """Three narrow brown-red gabled houses in a row behind a fence."""
    backdrop(board, from_hex("#f6e7c8"), from_hex("#9cb56a"), 76)
    cloud(board, 82, 16, 17, IVORY)
    row = (
        (8.0, 52.0, 26.0, "#b8653c", "#6d2f1e"),
        (35.0, 33.0, 30.0, "#8e3f28", "#4f2014"),
        (66.0, 43.0, 27.0, "#c27a4e", "#7d3722"),
    )
    for left, eave, width, wall, roof in row:
        right, middle = left + width, left + width / 2
        board.box(right - 8, eave - 17, right - 3.5, eave, from_hex(roof))
        board.polygon(
            [(left - 2.5, eave + 1.5), (middle, eave - 19), (right + 2.5, eave + 1.5)],
            from_hex(roof),
        )
        board.polygon(
            [(left, 80), (left, eave + 1), (middle, eave - 14), (right, eave + 1), (right, 80)],
            from_hex(wall),
        )
        board.disc(middle, eave - 4, 3.4, IVORY)
        board.disc(middle, eave - 4, 2.3, GLASS)
        for x in (left + 4, right - 10):
            for top in (eave + 3, eave + 18) if eave < 40 else (eave + 3,):
                pane(board, (x, top, x + 6, top + 7), GLASS)
                board.box(x - 1.5, top + 8, x + 7.5, top + 9.6, from_hex("#5b8f3c"))
        board.arch(left + 3.5, 65, left + 10.5, 80, from_hex(roof))
        board.disc(left + 9, 72, 0.7, LIT)
        pane(board, (right - 10, 67, right - 4, 73), LIT)
    for x in range(6, 96, 4):
        board.polygon([(x, 83), (x, 76), (x + 1.2, 74.4), (x + 2.4, 76), (x + 2.4, 83)], IVORY)
    board.box(5, 78, 95, 79.2, IVORY)
