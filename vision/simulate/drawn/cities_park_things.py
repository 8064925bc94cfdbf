"""What there is to do on the park fields of the Cities tiles.

Each is drawn round (0, 0), in units of which a field has 100.
"""

from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, Spot, arc, from_hex, mix, ring
from vision.simulate.drawn.cities_ink import INK, IVORY, shape
from vision.simulate.drawn.cities_scatter import free_places, turned
from vision.simulate.drawn.cities_trees import draw_round_tree

_SHADE = from_hex("#6f9450")
_PATH = from_hex("#eddcb4")
_PATH_EDGE = from_hex("#b59a6a")


def _great_tree(board: Board, rng: np.random.Generator) -> None:
    draw_round_tree(board.part(0, 0, 23), rng)


def _flower_bed(board: Board, rng: np.random.Generator) -> None:
    """Rings of flowers round a shrub."""
    board.disc(0, 0, 23, INK)
    board.disc(0, 0, 21.6, from_hex("#8a6242"))
    colours = (from_hex("#f2e6ef"), from_hex("#d97fa0"), from_hex("#e99b4e"), from_hex("#8f6fae"))
    first = int(rng.integers(4))
    for tier, (radius, count) in enumerate(((18.5, 18), (12.5, 12))):
        for x, y in ring((0, 0), radius, count, float(rng.uniform(0, 20))):
            board.disc(x, y, 2.6, colours[(first + tier) % 4])
            board.disc(x, y, 0.9, INK)
    draw_round_tree(board.part(0, 0, 7), rng)


def _picnic(board: Board, rng: np.random.Generator) -> None:
    """A chequered blanket with a basket, a loaf and plates."""
    turn = float(rng.uniform(0, 90))
    cloth = (from_hex("#b0506a"), from_hex("#5b7fa0"), from_hex("#c98a3c"))[int(rng.integers(3))]
    outline = turned([(-21, -16), (21, -16), (21, 16), (-21, 16)], turn, (0, 0))
    shape(board, outline, IVORY)
    for row in range(4):
        for column in range(5):
            if (row + column) % 2:
                left, top = -21 + column * 8.4, -16 + row * 8
                check = [(left, top), (left + 8.4, top), (left + 8.4, top + 8), (left, top + 8)]
                board.polygon(turned(check, turn, (0, 0)), cloth)
    basket = [(-15, -10), (-2, -10), (-2, 0), (-15, 0)]
    shape(board, turned(basket, turn, (0, 0)), from_hex("#a8743f"))
    board.stroke(turned([(-15, -5), (-2, -5)], turn, (0, 0)), 1.4, from_hex("#e6c48d"))
    board.oval(*turned([(10, -6)], turn, (0, 0))[0], 7.2, 3.2, INK, turn + 20)
    board.oval(*turned([(10, -6)], turn, (0, 0))[0], 6.2, 2.3, from_hex("#d99a52"), turn + 20)
    for x in (2, 13):
        at = turned([(x, 8)], turn, (0, 0))[0]
        board.disc(*at, 4.2, INK)
        board.disc(*at, 3.3, from_hex("#eef2f2"))


def _maze(board: Board, rng: np.random.Generator) -> None:
    """Clipped hedges in broken rings."""
    board.disc(0, 0, 25, _PATH_EDGE)
    board.disc(0, 0, 24, _PATH)
    for radius in (21.5, 14.0, 6.5):
        start = float(rng.uniform(0, 360))
        spots = arc((0, 0), radius, radius, start, start + 300, 50)
        board.stroke(spots, 5.2, INK)
        board.stroke(spots, 3.6, from_hex("#4f7a3e"))
        board.stroke(spots, 1.2, from_hex("#8fae5c"))
    angle = float(rng.uniform(0, 360))
    hedge = turned([(8, 0), (19, 0)], angle, (0, 0))
    board.stroke(hedge, 5.2, INK)
    board.stroke(hedge, 3.6, from_hex("#4f7a3e"))


def _playground(board: Board, rng: np.random.Generator) -> None:
    """A sandpit, a slide and a seesaw."""
    turn = float(rng.uniform(0, 360))
    sand = turned([(-22, -18), (6, -18), (6, 8), (-22, 8)], turn, (0, 0))
    shape(board, sand, from_hex("#f0dca6"), 2.6)
    for x, y, radius in ((-15, -10, 4.0), (-7, -2, 2.8), (-14, 2, 2.0)):
        board.disc(*turned([(x, y)], turn, (0, 0))[0], radius, from_hex("#c7a867"))
    slide = turned([(9, -20), (17, -20), (17, 12), (9, 12)], turn, (0, 0))
    shape(board, slide, from_hex("#d9824a"))
    board.stroke(turned([(13, -16), (13, 10)], turn, (0, 0)), 3.2, from_hex("#f7d8b8"))
    for y in (-24, -28):
        board.stroke(turned([(9, y), (17, y)], turn, (0, 0)), 1.7, INK)
    board.stroke(turned([(-20, 20), (16, 17)], turn, (0, 0)), 4.2, INK)
    board.stroke(turned([(-19, 20), (15, 17)], turn, (0, 0)), 2.2, from_hex("#6f5a94"))
    board.disc(*turned([(-2, 18.5)], turn, (0, 0))[0], 3.0, INK)


def _kite(board: Board, rng: np.random.Generator) -> None:
    """A kite with a bowed tail."""
    turn = float(rng.uniform(0, 360))
    tail = turned([(0, 12), (6, 17), (-1, 22), (5, 27), (0, 31)], turn, (0, 0))
    board.stroke(tail, 1.2, INK)
    for x, y in tail[1:]:
        board.disc(x, y, 2.2, from_hex("#c96a8a"))
    corners: list[Spot] = [(0, -24), (14, -8), (0, 12), (-14, -8)]
    shape(board, turned(corners, turn, (0, 0)), from_hex("#7c62a3"))
    board.polygon(turned([(0, -24), (14, -8), (0, -8)], turn, (0, 0)), from_hex("#f1c27a"))
    board.polygon(turned([(0, 12), (-14, -8), (0, -8)], turn, (0, 0)), from_hex("#f4ead6"))
    board.stroke(turned([(-14, -8), (14, -8)], turn, (0, 0)), 1.2, INK)
    board.stroke(turned([(0, -24), (0, 12)], turn, (0, 0)), 1.2, INK)


def _deer(board: Board, rng: np.random.Generator) -> None:
    """A deer from the side."""
    side = 1.0 if rng.random() < 0.5 else -1.0
    coat = (from_hex("#a5683a"), from_hex("#8a5a3c"))[int(rng.integers(2))]
    board.oval(0, 22, 20, 4.5, mix(_SHADE, INK, 0.3))
    for x in (-12, -7, 7, 11):
        board.stroke([(x * side, 5), (x * side * 1.05, 21)], 3.4, INK)
        board.stroke([(x * side, 5), (x * side * 1.05, 20)], 1.8, coat)
    body: list[Spot] = [
        (-16, -4), (-10, -8), (6, -8), (12, -20), (18, -24), (25, -19), (18, -15), (15, -2),
        (11, 8), (-12, 8), (-16, 3),
    ]  # fmt: skip
    shape(board, [(x * side, y) for x, y in body], coat)
    for line in ([(16, -23), (12, -32), (4, -36)], [(13, -30), (16, -39)], [(19, -23), (25, -36)],
                 [(22, -29), (29, -31)]):  # fmt: skip
        board.stroke([(x * side, y) for x, y in line], 2.2, INK)
    for x, y in ((-8, -3), (-2, -5), (3, -1), (-5, 2)):
        board.disc(x * side, y, 1.4, IVORY)


def _lawn_chairs(board: Board, rng: np.random.Generator) -> None:
    """Deck chairs in a loose group, seen from above."""
    cloths = ("#d98a4e", "#7fa3b0", "#b66f8e", "#8a79ab")
    for number, (x, y) in enumerate(free_places(rng, 4, 17.0, within=(-19.0, 19.0))):
        turn = float(rng.uniform(0, 360))
        outline = [(x - 5.5, y - 9), (x + 5.5, y - 9), (x + 5.5, y + 9), (x - 5.5, y + 9)]
        shape(board, turned(outline, turn, (x, y)), from_hex(cloths[number % len(cloths)]))
        for shift in (-4.5, 0.5, 5.5):
            stripe = [(x - 4.6, y + shift), (x + 4.6, y + shift)]
            board.stroke(turned(stripe, turn, (x, y)), 2.2, IVORY)


def _allotment(board: Board, rng: np.random.Generator) -> None:
    """Beds with rows of vegetables."""
    turn = float(rng.uniform(0, 90))
    crops = ("#6f9a4a", "#e0a04e", "#8a5a80", "#c9d68a", "#4f7f58")
    first = int(rng.integers(len(crops)))
    for number, left in enumerate((-24.0, -7.5, 9.0)):
        bed = [(left, -20.0), (left + 14, -20.0), (left + 14, 20.0), (left, 20.0)]
        shape(board, turned(bed, turn, (0, 0)), from_hex("#8a6242"))
        crop = from_hex(crops[(first + number) % len(crops)])
        step = 6.0 + number
        for row in range(int(36 // step)):
            for x in (left + 4, left + 10):
                at = turned([(x, -16.5 + row * step)], turn, (0, 0))[0]
                board.disc(*at, 2.6, mix(crop, INK, 0.5))
                board.disc(*at, 1.9, crop)


def _boules(board: Board, rng: np.random.Generator) -> None:
    """A gravel court with balls round the jack."""
    turn = float(rng.uniform(0, 180))
    court = [(-27, -15), (27, -15), (27, 15), (-27, 15)]
    shape(board, turned(court, turn, (0, 0)), from_hex("#e6d6b4"), 2.6)
    for x, y in free_places(rng, 26, 4.0, within=(-25.0, 25.0)):
        if abs(y) < 13:
            board.disc(*turned([(x, y)], turn, (0, 0))[0], 0.8, from_hex("#ad9768"))
    tones = (from_hex("#5b6470"), from_hex("#b8763f"), from_hex("#7a5a86"))
    for number, (x, y) in enumerate(free_places(rng, 9, 7.0, within=(-21.0, 21.0))):
        if abs(y) < 11:
            at = turned([(x, y)], turn, (0, 0))[0]
            board.disc(*at, 3.9, INK)
            board.disc(*at, 2.9, tones[number % 3])
            board.disc(at[0] - 0.9, at[1] - 0.9, 0.9, IVORY)


def _hammock(board: Board, rng: np.random.Generator) -> None:
    """A striped hammock between two trees."""
    turn = float(rng.uniform(0, 180))
    cloth = (from_hex("#c77a4e"), from_hex("#5d8a94"), from_hex("#96608a"))[int(rng.integers(3))]
    belly = [*arc((0, 0), 16, 9, 180, 360, 16), *arc((0, 0), 16, 9, 0, 180, 16)]
    board.polygon([(x + 2, y + 3) for x, y in turned(belly, turn, (0, 0))], mix(_SHADE, INK, 0.4))
    board.stroke(turned([(-24, 0), (24, 0)], turn, (0, 0)), 1.6, INK)
    shape(board, turned(belly, turn, (0, 0)), cloth)
    for x in (-10, -5, 0, 5, 10):
        half = 9 * (1 - (x / 16) ** 2) ** 0.5 - 1
        board.stroke(turned([(x, -half), (x, half)], turn, (0, 0)), 1.8, IVORY)
    for x in (-24, 24):
        at = turned([(x, 0)], turn, (0, 0))[0]
        draw_round_tree(board.part(*at, 10), rng)


THINGS: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    _great_tree,
    _flower_bed,
    _deer,
    _picnic,
    _maze,
    _allotment,
    _playground,
    _kite,
    _lawn_chairs,
    _great_tree,
    _hammock,
    _boules,
)
"""What may be the main thing of a park field; each reaches about 28 units from its origin."""
