"""Landmarks of the Cities tiles that spread on one field: halls, temples, gates and domes.

Each is drawn upright on a board of 100 x 100 units and stands at about y = 90.
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
_DOOR = from_hex("#6b4630")


def museum(board: Board) -> None:
    """A temple front of six columns."""
    for left, top in ((8, 85), (12, 80)):
        block(board, left, top, 100 - left, top + 6, _GREY)
    block(board, 16, 46, 84, 80, from_hex("#8f7f70"))
    windows(board, (44,), 55, (12, 25), from_hex("#4a3a32"), arched=False)
    for x in spaced(17, 77, 6):
        block(board, x, 48, x + 6.5, 80, _STONE, 1.0)
        board.stroke([(x + 3.2, 51), (x + 3.2, 78)], 0.9, from_hex("#a5987f"))
    block(board, 12, 40, 88, 47, _STONE)
    gable(board, 10, 90, 40, 20, from_hex("#e2d3b4"))
    gable(board, 26, 74, 37, 11, from_hex("#b5775c"))
    ball(board, 50, 33, 3.2, IVORY)
    for x in (12, 50, 88):
        ball(board, x, 39 if x != 50 else 18, 3.0, _GOLD)


def theatre(board: Board) -> None:
    """A playhouse with a round front, a curtain and the two masks."""
    block(board, 12, 44, 88, 90, from_hex("#ecdcbc"))
    shape(board, [*arc((50, 46), 38, 26, 180, 360), (88, 50), (12, 50)], from_hex("#5f9088"))
    board.stroke(arc((50, 46), 30, 19, 190, 350), 1.6, _GOLD)
    shape(board, [*arc((50, 62), 21, 14, 180, 360), (71, 86), (29, 86)], from_hex("#3a3448"))
    for side in (-1, 1):
        curtain = [(50 + side * 20, 58), (50 + side * 3, 52), (50 + side * 9, 70),
                   (50 + side * 13, 86), (50 + side * 20, 86)]  # fmt: skip
        shape(board, curtain, from_hex("#9a80b4"))
        board.stroke([(50 + side * 15, 55), (50 + side * 16, 85)], 1.2, from_hex("#5d4678"))
    for x, tone, smile in ((41, IVORY, 1), (59, from_hex("#d9c9b8"), -1)):
        shape(board, [*arc((x, 36), 8, 10, 0, 180), (x - 8, 27), (x + 8, 27)], tone)
        for eye in (-3.3, 3.3):
            board.disc(x + eye, 32.5, 1.8, INK)
        start = 20 if smile > 0 else 200
        board.stroke(arc((x, 37 if smile > 0 else 43), 4.2, 4.2, start, start + 140, 10), 1.7, INK)
    windows(board, (17, 77), 58, (6, 12), from_hex("#6b7f88"))
    windows(board, (17, 77), 75, (6, 11), from_hex("#6b7f88"))
    block(board, 22, 86, 78, 91, _GREY)


def triumphal_arch(board: Board) -> None:
    """A great arch with two small ones, and a chariot on top."""
    block(board, 12, 30, 88, 90, from_hex("#e6d0a6"))
    block(board, 9, 40, 91, 45, _STONE)
    windows(board, (37,), 48, (26, 42), from_hex("#7a6350"))
    windows(board, (42,), 56, (16, 34), from_hex("#e9d8b0"))
    windows(board, (18, 71), 60, (11, 30), from_hex("#7a6350"))
    for x in (14, 31, 66, 83):
        block(board, x, 46, x + 3.4, 90, _STONE, 0.8)
    for middle in spaced(21, 79, 5):
        board.disc(middle, 35, 2.6, from_hex("#a8825a"))
    shape(board, [(34, 30), (36, 22), (44, 22), (46, 14), (54, 14), (55, 22), (66, 19), (68, 30)],
          from_hex("#5f7a6c"))  # fmt: skip
    ball(board, 50, 11, 3.4, from_hex("#5f7a6c"))
    for x in (60, 66):
        board.stroke([(x, 20), (x + 3, 12)], 3.0, INK)


def onion_church(board: Board) -> None:
    """A church with onion domes of different patterns."""
    block(board, 22, 60, 78, 90, from_hex("#d9a58a"))
    windows(board, (29, 64), 68, (7, 13), IVORY)
    windows(board, (43,), 70, (14, 20), _DOOR)
    domes = (
        (28, 50, 11, from_hex("#5d8f80"), from_hex("#e6d08a")),
        (72, 50, 11, from_hex("#8a6aa0"), IVORY),
        (50, 34, 15, from_hex("#d39a42"), from_hex("#7a4a3c")),
    )
    for x, y, radius, tone, band in domes:
        block(board, x - radius * 0.66, y, x + radius * 0.66, 62, from_hex("#ecd9b8"))
        windows(board, (x - 2,), y + 4, (4, 8))
        onion = [*arc((x, y - radius * 0.55), radius, radius * 0.8, 120, 222, 12),
                 (x - radius * 0.2, y - radius * 1.5), (x, y - radius * 1.9),
                 (x + radius * 0.2, y - radius * 1.5),
                 *arc((x, y - radius * 0.55), radius, radius * 0.8, -42, 60, 12)]  # fmt: skip
        shape(board, onion, tone)
        for lift in (0.15, 0.55, 0.95):
            half = radius * (0.78 if lift < 0.9 else 0.6)
            board.stroke([(x - half, y - radius * lift), (x, y - radius * (lift + 0.28)),
                          (x + half, y - radius * lift)], 1.6, band)  # fmt: skip
        board.stroke([(x, y - radius * 1.9), (x, y - radius * 1.9 - 5)], 1.5, INK)
        board.stroke([(x - 2, y - radius * 1.9 - 3), (x + 2, y - radius * 1.9 - 3)], 1.3, INK)


def observatory(board: Board) -> None:
    """A white dome, open for the telescope."""
    block(board, 10, 66, 90, 90, from_hex("#d5b592"))
    windows(board, spaced(15, 78, 6), 72, (6, 10), from_hex("#4f4a52"))
    block(board, 20, 54, 80, 66, _STONE)
    windows(board, spaced(25, 71, 7), 57, (3.4, 6))
    dome(board, 18, 82, 54, 38, from_hex("#e9eceb"))
    for bend in (-20, 20, 27):
        board.stroke(arc((50, 54), abs(bend), 37, 180 if bend < 0 else 360, 270, 16), 1.0,
                     from_hex("#a5adb0"))  # fmt: skip
    shape(board, [(47, 54), (50, 30), (62, 17), (68, 21), (60, 34), (58, 54)], from_hex("#2f3a52"))
    shape(board, [(52, 44), (69, 9), (76, 12), (59, 48)], _GOLD)
    for x, y in ((53, 34), (56, 50), (51, 49)):
        board.disc(x, y, 0.9, IVORY)
    for x in (16, 84):
        ball(board, x, 63, 4, _COPPER)


def domed_mosque(board: Board) -> None:
    """A large dome with half domes between two slim minarets."""
    for x in (15, 85):
        block(board, x - 4, 26, x + 4, 90, _STONE)
        block(board, x - 6, 40, x + 6, 44, from_hex("#c9a66a"))
        gable(board, x - 5, x + 5, 26, 17, _SLATE)
        for y in (52, 64, 76):
            board.box(x - 1.4, y, x + 1.4, y + 5, INK)
    block(board, 22, 64, 78, 90, from_hex("#e9d6b6"))
    for left in (22, 56):
        dome(board, left, left + 22, 64, 12, from_hex("#7fa5a0"))
    block(board, 33, 48, 67, 64, _STONE)
    windows(board, spaced(36, 61, 5), 52, (3.6, 8), from_hex("#5f6f7a"))
    dome(board, 30, 70, 48, 26, from_hex("#4f8a8c"))
    board.stroke(arc((50, 48), 11, 25, 180, 360), 1.1, from_hex("#a8cac6"))
    board.stroke([(50, 22), (50, 12)], 1.6, _GOLD)
    board.stroke(arc((50, 13), 3.4, 3.4, 20, 290, 14), 1.6, _GOLD)
    windows(board, (43,), 70, (14, 20), from_hex("#3f5a70"))
    windows(board, (27, 34, 61, 68), 73, (5, 11), from_hex("#8a7460"))


def city_gate(board: Board) -> None:
    """A gate between two round towers with pointed roofs."""
    stone = from_hex("#dcc79c")
    block(board, 30, 46, 70, 90, stone)
    for x in spaced(31, 63, 5):
        block(board, x, 40, x + 5, 47, stone, 1.0)
    windows(board, (38,), 58, (24, 32), from_hex("#3f2f2a"))
    for x in spaced(42, 58, 4):
        board.stroke([(x, 60), (x, 89)], 1.2, from_hex("#a88a5a"))
    for y in (70, 80):
        board.stroke([(39, y), (61, y)], 1.2, from_hex("#a88a5a"))
    for x in (22, 78):
        block(board, x - 13, 36, x + 13, 90, mix(stone, IVORY, 0.45))
        block(board, x - 15, 33, x + 15, 39, stone)
        gable(board, x - 14, x + 14, 33, 25, from_hex("#4a7a86"))
        windows(board, (x - 2.5,), 46, (5, 10))
        windows(board, (x - 8, x + 4), 66, (4, 9))
        for y in (61, 80):
            board.stroke([(x - 12, y), (x + 12, y)], 1.0, from_hex("#a08a62"))
    flag(board, 22, 9, 6, _GOLD)
    ball(board, 50, 51, 4, from_hex("#e8dcc0"))


def town_hall(board: Board) -> None:
    """A stepped gable over arcades, with a bell turret."""
    plaster = from_hex("#e3bd84")
    steps = ((14, 58), (22, 48), (30, 38), (38, 28))
    for left, top in steps:
        block(board, left, top, 100 - left, 90, plaster)
    board.box(15, 60, 85, 89, plaster)
    block(board, 44, 14, 56, 28, _STONE)
    gable(board, 42, 58, 14, 9, _COPPER)
    windows(board, (47,), 17, (6, 9))
    ball(board, 50, 38, 5, IVORY)
    board.stroke([(50, 35), (50, 38), (52.4, 39)], 1.1, INK)
    windows(board, (35, 46, 57), 48, (8, 10), from_hex("#5a6a72"))
    windows(board, spaced(19, 74, 5), 62, (7, 9), from_hex("#5a6a72"))
    board.stroke([(15, 74), (85, 74)], 2.0, _TILE)
    windows(board, spaced(18, 71, 4), 77, (11, 13), from_hex("#4a3830"))
    flag(board, 18, 58, 13, from_hex("#8a6aa0"))


def glass_pyramid(board: Board) -> None:
    """A pyramid of panes before an old gallery."""
    block(board, 8, 42, 92, 76, from_hex("#dcc9a8"))
    shape(board, [(8, 42), (15, 30), (85, 30), (92, 42)], _SLATE)
    for x in (14, 74):
        shape(board, [(x, 42), (x, 32), (x + 6, 26), (x + 12, 32), (x + 12, 42)], _STONE)
        windows(board, (x + 4,), 32, (4, 7))
    windows(board, spaced(13, 83, 9), 49, (4.5, 9))
    windows(board, spaced(13, 83, 9), 63, (4.5, 10))
    shape(board, [(18, 91), (50, 38), (82, 91)], from_hex("#cfe3e4"))
    board.polygon([(50, 38), (82, 91), (58, 91)], from_hex("#98bcc4"))
    for part in (0.22, 0.42, 0.62, 0.81):
        y = 38 + 53 * part
        board.stroke([(50 - 32 * part, y), (50 + 32 * part, y)], 1.1, _SLATE)
        board.stroke([(50 - 32 * part, y), (50 - 32 * part + 32 * (1 - part), 91)], 1.1, _SLATE)
        board.stroke([(50 + 32 * part, y), (50 + 32 * part - 32 * (1 - part), 91)], 1.1, _SLATE)


def carousel(board: Board) -> None:
    """A roundabout with a striped tent roof and wooden horses."""
    for half, y in ((38, 88), (35, 84)):
        board.oval(50, y, half + 1.2, 6.2, INK)
        board.oval(50, y, half, 5.0, from_hex("#b8846a"))
    board.box(38, 46, 62, 84, from_hex("#efe0c8"))
    for x, y, coat in (
        (28, 68, IVORY),
        (50, 74, from_hex("#a8743f")),
        (72, 66, from_hex("#8a949e")),
    ):
        board.stroke([(x, 44), (x, 86)], 2.2, _GOLD)
        horse = [(x - 9, y + 2), (x - 7, y - 5), (x + 4, y - 5), (x + 8, y - 13), (x + 12, y - 9),
                 (x + 9, y - 5), (x + 7, y + 3), (x + 9, y + 11), (x + 4, y + 5), (x - 5, y + 5),
                 (x - 10, y + 11)]  # fmt: skip
        shape(board, horse, coat)
        board.stroke([(x - 3, y - 4), (x + 2, y - 4)], 2.6, from_hex("#c76a86"))
    ribs = spaced(10, 90, 11)
    for number, (left, right) in enumerate(pairwise(ribs)):
        tone = (from_hex("#7a6aa0"), from_hex("#f6e6c4"))[number % 2]
        shape(board, [(50, 16), (left, 40), (right, 40)], tone, 0.9)
        shape(board, [(left, 40), (right, 40), *arc(((left + right) / 2, 40), 4, 7, 0, 180, 8)],
              from_hex("#e0a04e") if number % 2 else IVORY, 0.9)  # fmt: skip
    flag(board, 50, 16, 10, from_hex("#c76a86"))
