"""City Blocks: school, power plant, mall and court, each with a sign of what it does.

A crossed gear or house means that factories or houses count nothing; two arrows round a coin that
value tiles change places. Drawn like the scenes of ``city_blocks_houses``.
"""

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.emblems import INK, IVORY, draw_gable_house, gear_outline

_CROSS = from_hex("#d3171e")
_GOLD = from_hex("#f3b71b")
_PANE = from_hex("#2d4a66")


def school(board: Board) -> None:
    """Draw a green-roofed school with a clock tower and a playground; factories count nothing."""
    wall, roof = from_hex("#f7ead0"), from_hex("#1f7a4a")
    board.box(0, 76, 100, 100, from_hex("#c9b48a"))
    board.box(6, 42, 94, 78, wall)
    board.polygon([(4, 43), (14, 30), (86, 30), (96, 43)], roof)
    board.box(38, 24, 62, 78, wall)
    board.polygon([(35, 25), (50, 7), (65, 25)], roof)
    board.stroke([(38, 25), (38, 78)], 1.2, INK)
    board.stroke([(62, 25), (62, 78)], 1.2, INK)
    board.disc(50, 34, 8.5, INK)
    board.disc(50, 34, 7, IVORY)
    board.stroke([(50, 29.5), (50, 34), (54, 36)], 1.6, INK)
    for x in (11, 21, 67, 77):
        for y in (48, 62):
            board.box(x, y, x + 7.5, y + 9, _PANE)
            board.stroke([(x + 3.7, y), (x + 3.7, y + 9)], 0.9, IVORY)
    board.arch(43, 56, 57, 78, from_hex("#7a2d1c"))
    for x, y in ((12, 84), (18, 84), (24, 84)):
        board.box(x - 2.6, y, x + 2.6, y + 8, IVORY)
        board.stroke([(x - 2.6, y), (x + 2.6, y), (x + 2.6, y + 8), (x - 2.6, y + 8)], 0.8, INK)
    _void_factories(board, 78, 78, 15)


def power_plant(board: Board) -> None:
    """Draw two cooling towers, a pylon and a bolt; houses count nothing."""
    board.box(0, 78, 100, 100, from_hex("#3b4a3f"))
    for x, foot, size in ((30, 82, 44), (66, 82, 34)):
        _cooling_tower(board.part(x, foot, size))
    board.stroke([(92, 84), (84, 30)], 1.6, INK)
    board.stroke([(76, 84), (84, 30)], 1.6, INK)
    for y, half in ((40, 10), (50, 12)):
        board.stroke([(84 - half, y), (84 + half, y)], 1.8, INK)
        board.stroke([(84 - half, y), (84, y - 6), (84 + half, y)], 1.0, INK)
    bolt: list[Spot] = [
        (34, 34), (18, 62), (28, 62), (20, 88), (46, 54), (34, 54), (44, 34),
    ]  # fmt: skip
    board.polygon(bolt, from_hex("#ffd91a"))
    board.stroke(bolt, 1.8, INK, closed=True)
    _void_houses(board, 78, 78, 15)


def _cooling_tower(board: Board) -> None:
    light, dark = from_hex("#eceff1"), from_hex("#5d6a75")
    for x, y, radius in ((-0.1, -1.42, 0.2), (0.16, -1.52, 0.26), (0.42, -1.5, 0.18)):
        board.disc(x, y, radius, IVORY)
    left = [(-0.5, 0.0), (-0.34, -0.5), (-0.28, -0.8), (-0.34, -1.28)]
    right = [(-x, y) for x, y in reversed(left)]
    board.polygon([*left, *right], light)
    board.polygon([(0.05, 0.0), (0.05, -1.28), *right], mix(light, dark, 0.55))
    for y, half in ((-1.14, 0.34), (-1.0, 0.32)):
        board.box(-half, y, half, y + 0.07, from_hex("#d5281f"))
    board.stroke([*left, *right], 0.04, INK, closed=True)


def mall(board: Board) -> None:
    """Draw a purple mall with a glass dome; houses and factories count nothing."""
    purple, dark = from_hex("#8a3fb0"), from_hex("#4d1b6b")
    glass = from_hex("#63d2d6")
    board.box(0, 80, 100, 100, from_hex("#e7d9ef"))
    board.polygon(arc((50, 48), 34, 38, 180, 360), glass)
    for x in (-22, -11, 0, 11, 22):
        board.stroke(arc((50, 48), max(abs(x), 0.1), 38, 270, 360 if x > 0 else 180), 1.4, dark)
    board.stroke(arc((50, 30), 29, 4, 180, 0), 1.4, dark)
    board.stroke(arc((50, 48), 34, 38, 180, 360), 2.2, dark)
    board.box(6, 47, 94, 82, purple)
    board.box(6, 47, 94, 52, dark)
    for x in range(9, 92, 9):
        board.disc(x, 49.6, 1.6, _GOLD)
    board.box(40, 58, 60, 82, glass)
    board.stroke([(50, 58), (50, 82)], 1.4, dark)
    for x, colour in ((20, _GOLD), (80, from_hex("#ff7f50"))):
        _bag(board.part(x, 53, 15), colour)
    _void_factories(board, 20, 80, 13)
    _void_houses(board, 80, 80, 13)


def _bag(board: Board, colour: Colour) -> None:
    board.stroke(arc((0, 0.05), 0.2, 0.25, 180, 360), 0.09, IVORY)
    board.polygon([(-0.38, 0.05), (0.38, 0.05), (0.46, 0.95), (-0.46, 0.95)], colour)
    board.stroke([(-0.2, 0.4), (0.2, 0.4)], 0.1, INK)


def court(board: Board) -> None:
    """Draw a white temple with columns and scales; value tiles change places."""
    marble, shade = from_hex("#fbf8ee"), from_hex("#8f8a7c")
    hall = from_hex("#57524a")
    board.box(0, 80, 100, 100, from_hex("#bdb6a3"))
    board.polygon([(6, 34), (50, 7), (94, 34)], marble)
    board.stroke([(6, 34), (50, 7), (94, 34)], 2.0, INK, closed=True)
    board.box(10, 34, 90, 42, marble)
    board.stroke([(10, 42), (90, 42)], 1.4, INK)
    board.box(12, 42, 88, 76, hall)
    for x in (15, 29, 64, 78):
        board.box(x, 42, x + 8, 76, marble)
        board.stroke([(x + 5.5, 43), (x + 5.5, 75)], 1.2, shade)
    for step in range(3):
        board.box(10 - 2 * step, 76 + 4 * step, 90 + 2 * step, 80 + 4 * step, marble)
        board.stroke([(10 - 2 * step, 80 + 4 * step), (90 + 2 * step, 80 + 4 * step)], 1.0, INK)
    board.stroke([(50, 15), (50, 31)], 1.8, INK)
    board.stroke([(38, 20), (62, 17)], 1.8, INK)
    for x, y in ((38, 20), (62, 17)):
        board.polygon([(x, y), (x - 5, y + 9), (x + 5, y + 9)], _GOLD)
        board.stroke([(x, y), (x - 5, y + 9), (x + 5, y + 9)], 0.8, INK, closed=True)
    _swap(board.part(50, 61, 18))


def _swap(board: Board) -> None:
    board.disc(0, 0, 1.0, INK)
    board.disc(0, 0, 0.92, from_hex("#1f8fbf"))
    for side in (-1.0, 1.0):
        board.stroke([(-side * 0.5, side * 0.34), (side * 0.3, side * 0.34)], 0.2, IVORY)
        tip = [(side * 0.72, side * 0.34), (side * 0.26, side * 0.04), (side * 0.26, side * 0.64)]
        board.polygon(tip, IVORY)
    board.disc(0, 0, 0.14, _GOLD)


def _void_factories(board: Board, x: float, y: float, radius: float) -> None:
    sign = _sign(board, x, y, radius)
    sign.polygon([(u * 0.62, v * 0.62) for u, v in gear_outline(8, 0.76, 1.0)], INK)
    sign.disc(0, 0, 0.22, IVORY)
    _cross_out(sign)


def _void_houses(board: Board, x: float, y: float, radius: float) -> None:
    sign = _sign(board, x, y, radius)
    draw_gable_house(sign.part(0, 0.04, 1.05), from_hex("#8d3b18"), IVORY)
    _cross_out(sign)


def _sign(board: Board, x: float, y: float, radius: float) -> Board:
    sign = board.part(x, y, radius)
    sign.disc(0, 0, 1.08, INK)
    sign.disc(0, 0, 1.0, IVORY)
    return sign


def _cross_out(sign: Board) -> None:
    sign.stroke(arc((0, 0), 0.9, 0.9, 0, 360), 0.17, _CROSS, closed=True)
    sign.stroke([(-0.6, 0.6), (0.6, -0.6)], 0.17, _CROSS)
