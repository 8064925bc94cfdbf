"""Everyday things on a table, seen from above: dishes, phones, pencils, hands.

Each maker takes (generator, pixels per tile edge); boards count in tile edges.
"""

import math
from collections.abc import Mapping

import numpy as np

from vision.simulate.drawing import INK, IVORY, Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.sprites import Prop, PropMaker, blank, finished, thinned
from vision.simulate.texture import random_colour, varied

WHITE: Colour = (250, 250, 250)
_SKIN = ("#f3cdb0", "#e0ac86", "#c58a62", "#9a6444", "#6b4430")


def phone(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A phone, its screen dark or lit with coloured app squares or a list."""
    width, height = rng.uniform(1.5, 1.75), rng.uniform(3.1, 3.6)
    board = blank(width, height, px_per_tile)
    board.round_box(
        0.01, 0.01, width - 0.01, height - 0.01, 0.2, random_colour(rng, (0, 0.5), (0.05, 0.9))
    )
    board.round_box(0.06, 0.06, width - 0.06, height - 0.06, 0.16, from_hex("#101216"))
    if rng.random() < 0.5:
        board.polygon(
            [(0.1, 0.9), (width - 0.1, 0.2), (width - 0.1, 0.9), (0.1, 2.2)], from_hex("#1d2127")
        )
    else:
        screen = random_colour(rng, (0, 0.7), (0.3, 1))
        board.round_box(0.1, 0.12, width - 0.1, height - 0.12, 0.1, screen)
        if rng.random() < 0.5:
            step = (width - 0.3) / 4
            for row in range(6):
                for column in range(4):
                    x, y = 0.17 + column * step, 0.35 + row * 0.45
                    app = random_colour(rng, (0.3, 0.95), (0.4, 1))
                    board.round_box(x, y, x + step * 0.8, y + step * 0.8, 0.06, app)
        else:
            for y in np.arange(0.3, height - 0.5, 0.24).tolist():
                end = width * rng.uniform(0.4, 0.85)
                board.round_box(
                    0.2, y, end, y + 0.15, 0.05, mix(screen, INK, rng.uniform(0.2, 0.6))
                )
    board.disc(width / 2, 0.13, 0.035, INK)
    return finished(board)


def mug(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A mug or cup with a drink and a handle, sometimes on a saucer."""
    radius = rng.uniform(0.75, 1.05)
    saucer = radius * 1.75 if rng.random() < 0.4 else radius * 1.5
    board = blank(2 * saucer, 2 * saucer, px_per_tile)
    colour, middle = random_colour(rng, (0, 0.8), (0.15, 0.98)), saucer
    if saucer > radius * 1.6:
        _dish(board, middle, saucer, mix(colour, IVORY, 0.4))
    turn = rng.uniform(0, 360)
    grip = arc((middle, middle), radius * 1.4, radius * 1.4, turn, turn, 1)[0]
    board.stroke([(middle, middle), grip], radius * 0.25, mix(colour, INK, 0.2))
    board.disc(middle, middle, radius, colour)
    board.disc(middle, middle, radius * 0.9, mix(colour, INK, 0.35))
    drink = varied(
        from_hex(str(rng.choice(["#3a2012", "#7b4a25", "#b3752e", "#d9c9a8", "#e8e4dc"]))), rng, 10
    )
    board.disc(middle, middle, radius * 0.84, drink)
    board.oval(middle - radius * 0.3, middle - radius * 0.35, radius * 0.25, radius * 0.1,
               mix(drink, WHITE, 0.5), -40)  # fmt: skip
    return finished(board)


def tumbler(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A drinking glass: translucent, with bright rims."""
    radius = rng.uniform(0.55, 0.85)
    board = blank(2 * radius + 0.04, 2 * radius + 0.04, px_per_tile)
    middle = radius + 0.02
    drink = random_colour(rng, (0.0, 0.9), (0.4, 1)) if rng.random() < 0.6 else (235, 235, 230)
    board.disc(middle, middle, radius, mix(drink, WHITE, 0.3))
    thinned(board, rng.uniform(0.2, 0.75))
    for share, colour in ((0.97, WHITE), (0.9, (150, 150, 145)), (0.68, (205, 205, 200))):
        rim = arc((middle, middle), radius * share, radius * share, 0, 360, 40)
        board.stroke(rim, radius * 0.035, colour)
    turn = rng.uniform(0, 360)
    board.stroke(
        arc((middle, middle), radius * 0.8, radius * 0.8, turn, turn + 60), radius * 0.09, WHITE
    )
    return finished(board)


def bowl(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A bowl or plate, empty or with nuts, crisps or sweets."""
    radius = rng.uniform(0.9, 2.6)
    board = blank(2 * radius, 2 * radius, px_per_tile)
    _dish(board, radius, radius, random_colour(rng, (0, 0.8), (0.3, 0.98)))
    if rng.random() < 0.7:
        tone = random_colour(rng, (0.4, 0.9), (0.4, 0.95))
        for _ in range(int(rng.integers(5, 40))):
            reach, angle = radius * 0.62 * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
            x, y = radius + reach * math.cos(angle), radius + reach * math.sin(angle)
            size = rng.uniform(0.07, 0.2)
            board.oval(x, y, size * 1.05, size * 0.75, mix(tone, INK, 0.4), rng.uniform(0, 180))
            board.oval(x, y, size, size * 0.65, varied(tone, rng, 25), rng.uniform(0, 180))
    return finished(board)


def _dish(board: Board, middle: float, radius: float, colour: Colour) -> None:
    board.disc(middle, middle, radius * 0.995, mix(colour, INK, 0.25))
    board.disc(middle, middle, radius * 0.97, colour)
    board.disc(middle, middle, radius * 0.76, mix(colour, INK, 0.15))
    board.disc(middle, middle, radius * 0.73, mix(colour, WHITE, 0.15))


def pencil(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A pencil or pen, lying from left to right."""
    length, thick = rng.uniform(2.2, 4.2), rng.uniform(0.15, 0.26)
    board = blank(length, thick, px_per_tile)
    colour, tip = random_colour(rng, (0.1, 0.95), (0.1, 0.95)), thick * 1.5
    board.box(0, 0, length - tip, thick, colour)
    board.box(0, thick * 0.3, length - tip, thick * 0.55, mix(colour, WHITE, 0.3))
    wood = from_hex("#e2bd8b") if rng.random() < 0.6 else mix(colour, INK, 0.4)
    board.polygon([(length - tip, 0), (length, thick / 2), (length - tip, thick)], wood)
    board.polygon(
        [
            (length - tip * 0.3, thick * 0.35),
            (length, thick / 2),
            (length - tip * 0.3, thick * 0.65),
        ],
        INK,
    )
    board.box(0, 0, thick * rng.uniform(0.3, 1.2), thick, random_colour(rng))
    return finished(board)


def hand(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A hand that reaches in from below with spread fingers, and its sleeve."""
    board = blank(3.4, 5.2, px_per_tile)
    skin, sleeve = _skin(rng), random_colour(rng, (0.1, 0.9), (0.1, 0.9))
    fingers: list[tuple[Spot, Spot, float]] = [
        ((1.0, 2.3), (0.55, 0.9), 0.34), ((1.45, 2.1), (1.3, 0.42), 0.36),
        ((1.9, 2.1), (2.0, 0.38), 0.36), ((2.3, 2.3), (2.62, 0.85), 0.32),
        ((2.2, 3.1), (3.1, 2.2), 0.38),
    ]  # fmt: skip
    for grow, colour in ((0.05, mix(skin, INK, 0.3)), (0.0, skin)):
        for root, tip, thick in fingers:
            board.stroke([root, tip], thick + grow, colour)
        board.round_box(0.82 - grow, 2.0 - grow, 2.5 + grow, 3.9 + grow, 0.5, colour)
        board.box(1.0 - grow, 3.3, 2.3 + grow, 5.2, colour)
    for _, tip, thick in fingers:
        board.disc(tip[0], tip[1] - 0.02, thick * 0.3, mix(skin, from_hex("#ffe4e0"), 0.5))
    board.box(0.75, 4.3, 2.55, 5.2, sleeve)
    return finished(board)


def finger(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """One finger that points upwards, as over the edge of a photo."""
    thick, length = rng.uniform(0.32, 0.5), rng.uniform(1.5, 3.0)
    board = blank(thick * 1.1, length, px_per_tile)
    skin, middle = _skin(rng), thick * 0.55
    for width, colour in ((thick * 1.05, mix(skin, INK, 0.3)), (thick * 0.95, skin)):
        board.stroke([(middle, thick * 0.58), (middle, length)], width, colour)
    nail = mix(skin, from_hex("#ffe4e0"), 0.5)
    board.oval(middle, thick * 0.42, thick * 0.27, thick * 0.33, nail)
    for share in (0.45, 0.48):
        y = length * share
        board.stroke(
            [(middle - thick * 0.25, y), (middle + thick * 0.25, y)], 0.015, mix(skin, INK, 0.3)
        )
    return finished(board)


def _skin(rng: np.random.Generator) -> Colour:
    return varied(from_hex(str(rng.choice(_SKIN))), rng, 8)


THINGS: Mapping[str, PropMaker] = {
    "phone": phone,
    "mug": mug,
    "tumbler": tumbler,
    "bowl": bowl,
    "pencil": pencil,
    "hand": hand,
    "finger": finger,
}
