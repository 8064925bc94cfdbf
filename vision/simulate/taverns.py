"""The four taverns: red houses, each with its own outline, hour of the day and big sign.

Units and extent as in ``scenery``.
"""

from vision.simulate.drawing import Board, Colour, arc, from_hex, mix, ring
from vision.simulate.emblems import INK, IVORY, draw_bed, draw_cutlery, draw_mug, draw_quavers
from vision.simulate.scenery import LIT, WOOD, awning, backdrop, cloud, pane

RED = from_hex("#c8322f")
DEEP_RED = from_hex("#8d1d22")


def food(board: Board) -> None:
    """By day: a step-gabled inn with a giant plate, tables with parasols before it."""
    backdrop(board, from_hex("#cfe8dc"), from_hex("#e0cda4"), 73)
    steps = [(24, 46), (32, 37), (40, 28), (48, 19), (56, 10)]
    for left, top in steps:
        board.box(left, top, 120 - left, 78, RED)
        board.box(left - 1, top - 1.5, left + 9, top + 1, DEEP_RED)
        board.box(111 - left, top - 1.5, 121 - left, top + 1, DEEP_RED)
    board.disc(60, 37, 18.5, DEEP_RED)
    board.disc(60, 37, 17, IVORY)
    board.disc(60, 37, 12.5, from_hex("#dfe7ea"))
    board.disc(60, 37, 11.6, IVORY)
    draw_cutlery(board.part(60, 37, 24), INK)
    for left in (33, 73):
        pane(board, (left, 58, left + 12, 68), LIT)
    board.arch(53, 57, 67, 79, WOOD)
    board.arch(55, 59, 65, 79, from_hex("#a56a38"))
    for x, colour in ((22, from_hex("#f0a02c")), (83, from_hex("#3f9a6b"))):
        board.box(x - 0.8, 54, x + 0.8, 82, INK)
        board.polygon([(x - 14, 60), (x, 49), (x + 14, 60)], colour)
        board.polygon([(x - 5, 60), (x, 49), (x + 5, 60)], IVORY)
        board.box(x - 10, 70.5, x + 10, 73, from_hex("#f7ead0"))
        for leg in (-7, 6):
            board.box(x + leg, 73, x + leg + 1.4, 82, WOOD)


def bed(board: Board) -> None:
    """At night: a low inn under moon and stars, open like a doll's house on a big bed."""
    backdrop(board, from_hex("#1d2a55"), from_hex("#34436b"), 74)
    board.disc(84, 17, 8.5, from_hex("#fbeaa8"))
    board.disc(80, 15, 7.6, from_hex("#1d2a55"))
    for x, y, radius in ((44, 11, 1.0), (64, 20, 1.4), (62, 9, 1.0), (91, 33, 1.2), (38, 24, 1.2)):
        _star(board.part(x, y, radius))
    board.box(76, 27, 83, 44, DEEP_RED)
    board.polygon([(5, 47), (24, 29), (76, 29), (95, 47)], from_hex("#6f1620"))
    for y in (35, 41):
        board.stroke([(30 - y * 0.55, y), (70 + y * 0.55, y)], 0.9, from_hex("#9a2c31"))
    board.box(10, 46, 90, 79, RED)
    board.round_box(15, 49, 73, 76, 2, from_hex("#5b1118"))
    board.round_box(16.5, 50.5, 71.5, 75, 1.5, from_hex("#ffe6a0"))
    draw_bed(board.part(45, 64, 36), WOOD, IVORY, from_hex("#3f6fc0"))
    board.stroke([(23, 50), (23, 54)], 0.8, INK)
    board.polygon([(20, 57.5), (21.5, 53.5), (24.5, 53.5), (26, 57.5)], from_hex("#e08a2c"))
    board.arch(77, 54, 87, 79, from_hex("#5b1118"))
    board.disc(79.4, 67, 0.8, LIT)
    board.disc(75, 51, 1.6, LIT)
    for x, y, size in ((49, 26, 3.6), (54, 21, 4.6)):
        half = size / 2
        board.stroke(
            [
                (x - half, y - half),
                (x + half, y - half),
                (x - half, y + half),
                (x + half, y + half),
            ],
            0.9,
            IVORY,
        )


def _star(board: Board) -> None:
    tips = ring((0.0, 0.0), 2.4, 4)
    dents = ring((0.0, 0.0), 0.85, 4, -45.0)
    board.polygon([spot for pair in zip(tips, dents, strict=True) for spot in pair], IVORY)


def music(board: Board) -> None:
    """At dusk: a round-topped dance hall with giant quavers, pennants and an open stage."""
    backdrop(board, from_hex("#f29a86"), from_hex("#6a4a6e"), 75)
    for radius, colour in ((50, "#f5ab8c"), (40, "#f8bf98")):
        board.disc(56, 50, radius, from_hex(colour))
    board.box(0, 75, 100, 100, from_hex("#6a4a6e"))
    board.polygon([*arc((58, 46), 33, 36, 180, 360), (91, 79), (25, 79)], DEEP_RED)
    board.polygon([*arc((58, 46), 29.5, 32.5, 180, 360), (87.5, 79), (28.5, 79)], RED)
    for angle in range(186, 360, 14):
        bulb = arc((58, 46), 31.3, 34.3, angle, angle, 1)[0]
        board.disc(*bulb, 1.3, LIT)
    draw_quavers(board.part(56.5, 34.5, 29), IVORY)
    board.box(32, 53, 84, 79, from_hex("#3a1226"))
    board.polygon([(40, 79), (51, 53), (65, 53), (76, 79)], from_hex("#7b2f57"))
    for left, right, tip in ((32, 46, 35), (84, 70, 81)):
        board.polygon(
            [(left, 53), (right, 53), (tip, 67), (tip + (left - tip) * 0.4, 79), (left, 79)],
            from_hex("#e8b23a"),
        )
    board.box(28, 75, 88, 79.5, WOOD)
    _accordion(board)
    pennants = (from_hex("#3f9ac0"), IVORY, from_hex("#f0b52c"))
    for i in range(7):
        x, sag = 6 + i * 3.4, 40 + 5.5 * (1 - ((i - 3) / 3.5) ** 2)
        board.polygon([(x, sag), (x + 3.2, sag), (x + 1.6, sag + 5.5)], pennants[i % 3])
    for x, y, size in ((15, 62, 10), (91, 22, 9)):
        draw_quavers(board.part(x, y, size), from_hex("#4c2350"))


def _accordion(board: Board) -> None:
    bellows: tuple[Colour, Colour] = (IVORY, from_hex("#bb3a3a"))
    for i in range(8):
        board.box(51.2 + i * 1.7, 61.5, 52.9 + i * 1.7, 74, bellows[i % 2])
    board.round_box(45.5, 60, 51.4, 75, 1.2, INK)
    board.round_box(64.8, 60, 70.5, 75, 1.2, INK)
    for y in (63, 66, 69, 72):
        board.box(46.4, y - 0.7, 49.4, y + 0.9, IVORY)
        board.disc(67.6, y, 0.9, LIT)


def drink(board: Board) -> None:
    """In the afternoon: a half-timbered ale house, a giant mug beside it and barrels."""
    backdrop(board, from_hex("#fbe3a0"), from_hex("#b78d55"), 74)
    cloud(board, 46, 17, 15, IVORY)
    board.polygon([(5, 52), (17, 35), (49, 35), (60, 52)], from_hex("#5a2317"))
    board.box(9, 50, 57, 79, RED)
    beam = from_hex("#4a2415")
    for spots in (
        [(9, 51), (57, 51)], [(9, 64), (57, 64)], [(10, 51), (10, 79)], [(56, 51), (56, 79)],
        [(25, 51), (25, 64)], [(41, 51), (41, 64)], [(11, 63), (23, 52)], [(55, 63), (43, 52)],
    ):  # fmt: skip
        board.stroke(spots, 1.8, beam)
    pane(board, (28, 54, 38, 61), LIT)
    board.arch(37, 66, 48, 80, beam)
    pane(board, (15, 68, 25, 75), LIT)
    glass = from_hex("#cfe9f0")
    mug = board.part(72, 47, 42)
    draw_mug(mug.part(0.02, 0.02), mix(DEEP_RED, INK, 0.3), INK, mix(DEEP_RED, INK, 0.3))
    draw_mug(mug, glass, from_hex("#f0a01e"), IVORY)
    board.disc(88, 26, 2.0, IVORY)
    board.disc(83, 21, 1.4, IVORY)
    for x, y in ((58, 75), (90, 76)):
        board.round_box(x - 6.5, y - 7, x + 6.5, y + 7, 2.5, from_hex("#9a5a28"))
        for hoop in (-4.2, 3.0):
            board.box(x - 6.5, y + hoop, x + 6.5, y + hoop + 1.5, INK)
    awning(board, (9, 57), 64, 3.2, (from_hex("#e9b13a"), IVORY), 12)
