"""What lies on the water fields of the Cities tiles: boats, lilies, swans and the like.

Each is drawn round (0, 0), in units of which a field has 100.
"""

from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.drawn.cities_ink import INK, IVORY, shape
from vision.simulate.drawn.cities_scatter import free_places, turned

_DEEP = from_hex("#35799a")
_PALE = from_hex("#c9ecee")
_HULLS = tuple(
    from_hex(colour) for colour in ("#8a4b2a", "#f0e2c0", "#7d5a86", "#d98a4a", "#4b5563")
)
_SAILS = tuple(
    from_hex(colour) for colour in ("#fdf8ea", "#f2d9a0", "#e7a98c", "#dfe9ee", "#c98a9c")
)


def _pick(rng: np.random.Generator, colours: tuple[Colour, ...]) -> Colour:
    return colours[int(rng.integers(len(colours)))]


def _sailing_boat(board: Board, rng: np.random.Generator) -> None:
    hull, sail, jib = _pick(rng, _HULLS), _pick(rng, _SAILS), _pick(rng, _SAILS)
    tilt = float(rng.uniform(-16, 16))
    side = 1.0 if rng.random() < 0.5 else -1.0

    def laid(spots: list[Spot]) -> list[Spot]:
        return turned([(x * side, y) for x, y in spots], tilt, (0, 0))

    board.stroke(laid([(0, 14), (0, -26)]), 1.8, INK)
    shape(board, laid([(2, -25), (2, 10), (20, 10)]), sail)
    shape(board, laid([(-2, -21), (-2, 9), (-15, 9)]), jib)
    board.stroke(laid([(2, -8), (10.5, -8)]), 1.6, hull)
    shape(board, laid([(-20, 13), (23, 13), (16, 22), (-14, 22)]), hull)
    board.stroke(laid([(-16, 16), (19, 16)]), 1.4, IVORY)


def _rowing_boat(board: Board, rng: np.random.Generator) -> None:
    """Seen from above, with its oars out."""
    hull, turn = _pick(rng, _HULLS), float(rng.uniform(0, 360))
    outline = [*arc((0, 2), 10, 24, 180, 360, 16), *arc((0, 8), 10, 12, 20, 160, 8)]
    for side in (-1, 1):
        slope = float(rng.uniform(-7, 4))
        board.stroke(turned([(side * 5, 0), (side * 21, slope)], turn, (0, 0)), 1.8, INK)
        board.stroke(
            turned([(side * 20, slope), (side * 26, slope * 1.2)], turn, (0, 0)), 4.2, IVORY
        )
    shape(board, turned(outline, turn, (0, 0)), hull)
    inner = [(x * 0.68, y * 0.78) for x, y in outline]
    board.polygon(turned(inner, turn, (0, 0)), mix(hull, INK, 0.55))
    for y in (-8, 1, 10):
        board.stroke(turned([(-7, y), (7, y)], turn, (0, 0)), 3.0, from_hex("#d9b27c"))


def _steamer(board: Board, rng: np.random.Generator) -> None:
    """A small excursion ship seen from the side."""
    hull, turn = _pick(rng, _HULLS), float(rng.uniform(-14, 14))
    side = 1.0 if rng.random() < 0.5 else -1.0

    def laid(spots: list[Spot]) -> list[Spot]:
        return turned([(x * side, y) for x, y in spots], turn, (0, 0))

    shape(board, laid([(-3, -22), (6, -22), (6, -6), (-3, -6)]), from_hex("#c9764f"))
    board.polygon(laid([(-3, -17), (6, -17), (6, -13), (-3, -13)]), IVORY)
    shape(board, laid([(-18, -8), (14, -8), (16, 4), (-18, 4)]), IVORY)
    for x in (-13, -6, 1, 8):
        board.disc(*laid([(x, -2)])[0], 2.1, INK)
    shape(board, laid([(-26, 4), (28, 4), (20, 16), (-22, 16)]), hull)
    board.stroke(laid([(-23, 8), (24, 8)]), 1.8, IVORY)
    for x, y, radius in ((-4, -27, 3.6), (-11, -31, 5.0)):
        board.disc(*laid([(x, y)])[0], radius, from_hex("#eef0ee"))


def _lily_pond(board: Board, rng: np.random.Generator) -> None:
    for x, y in free_places(rng, 9, 11.5, within=(-22.0, 22.0)):
        draw_lily(board.part(x, y, float(rng.uniform(0.8, 1.4))), rng)


def draw_lily(board: Board, rng: np.random.Generator) -> None:
    """A leaf, sometimes with a flower."""
    turn = float(rng.uniform(0, 360))
    leaf = [(0.0, 0.0), *arc((0, 0), 6.4, 6.4, 25, 335, 20)]
    green = mix(from_hex("#4f8a5b"), from_hex("#9ab85c"), float(rng.random()))
    shape(board, turned(leaf, turn, (0, 0)), green, 1.0)
    if rng.random() < 0.45:
        for angle in range(0, 360, 60):
            board.oval(*turned([(2.2, 0)], angle, (0, 0))[0], 2.3, 1.2,
                       from_hex("#fbe6ee"), angle)  # fmt: skip
        board.disc(0, 0, 1.3, from_hex("#e3a83c"))


def _swans(board: Board, rng: np.random.Generator) -> None:
    """Two swans, one of them grey and young."""
    side = 1.0 if rng.random() < 0.5 else -1.0
    young = from_hex("#c9bfae")
    for x, y, scale, tone in ((-5.0, -4.0, 1.1, IVORY), (12.0, 17.0, 0.75, young)):
        swan = board.part(x, y, scale)
        neck = [(10, 2), (17, -3), (17, -11), (12, -16), (14, -22), (19, -22)]
        body = [*arc((-2, 1), 16, 10, 0, 180, 16), (-22, -8), (-10, -5), (-2, -9), (8, -6)]
        swan.stroke([(u * side, v) for u, v in neck], 6.6, INK)
        shape(swan, [(u * side, v) for u, v in body], tone)
        swan.stroke([(u * side, v) for u, v in neck], 4.2, tone)
        beak = [(20, -24.5), (28, -20), (20, -19.5)]
        shape(swan, [(u * side, v) for u, v in beak], from_hex("#e08a2c"), 0.8)
        swan.disc(18.5 * side, -22.5, 0.9, INK)
        for shift in (-8, -2):
            swan.stroke([((shift + u) * side, v) for u, v in ((-6, -1), (1, 3), (8, -1))], 1.2, INK)


def _raft(board: Board, rng: np.random.Generator) -> None:
    """A bathing raft with a ladder and two towels, seen from above."""
    turn, wood = float(rng.uniform(0, 90)), from_hex("#d8ad74")
    shape(board, turned([(-18, -16), (18, -16), (18, 16), (-18, 16)], turn, (0, 0)), wood)
    for x in (-12, -6, 0, 6, 12):
        board.stroke(turned([(x, -15), (x, 15)], turn, (0, 0)), 1.0, mix(wood, INK, 0.5))
    for left, top, colour in ((-12, -9, "#e9c9d3"), (3, -3, "#fbf4e3")):
        towel = [(left, top), (left + 8, top), (left + 8, top + 14), (left, top + 14)]
        shape(board, turned(towel, turn, (0, 0)), from_hex(colour), 0.9)
        stripe = [(left, top + 7), (left + 8, top + 7)]
        board.stroke(turned(stripe, turn, (0, 0)), 3.0, from_hex("#b8668a"))
    for y in (-7, -1):
        board.stroke(turned([(18, y), (27, y)], turn, (0, 0)), 1.7, IVORY)
    for y in (20, 24, 28):
        board.stroke(turned([(-3, y - 3), (5, y - 3)], turn, (0, 0)), 1.7, INK)


def _barge(board: Board, rng: np.random.Generator) -> None:
    """A long river barge with a striped load, seen from above."""
    turn, hull = float(rng.uniform(0, 360)), _pick(rng, _HULLS)
    outline = [(-9, 30), (-10, -18), (0, -33), (10, -18), (9, 30)]
    shape(board, turned(outline, turn, (0, 0)), hull)
    for top in (-14, -2, 10):
        load = [(-6, top), (6, top), (6, top + 9), (-6, top + 9)]
        colour = (from_hex("#e3c07a"), from_hex("#8f9aa5"), from_hex("#e8e2d4"))[
            int(rng.integers(3))
        ]
        shape(board, turned(load, turn, (0, 0)), colour, 1.0)
    board.polygon(turned([(-6, 22), (6, 22), (6, 28), (-6, 28)], turn, (0, 0)), IVORY)


def _fountain(board: Board, rng: np.random.Generator) -> None:
    """A jet of water that falls back in drops."""
    for angle in range(0, 360, 30):
        reach = float(rng.uniform(13, 23))
        drop = turned([(4, 0), (reach, 0)], angle + float(rng.uniform(-8, 8)), (0, 0))
        board.stroke(drop, 2.6, IVORY)
        board.disc(*turned([(reach + 4, 0)], angle, (0, 0))[0], 1.9, _PALE)
    board.disc(0, 0, 8, INK)
    board.disc(0, 0, 6.6, from_hex("#e7eef0"))
    board.disc(0, 0, 2.8, _DEEP)


def _whale(board: Board, rng: np.random.Generator) -> None:
    side = 1.0 if rng.random() < 0.5 else -1.0
    slate = from_hex("#465a6e")
    tail = [(-16, 2), (-25, -16), (-33, -12), (-27, -20), (-19, -27), (-17, -18), (-10, -2)]
    shape(board, [(x * side, y) for x, y in tail], slate)
    shape(board, [(x * side, y) for x, y in arc((0, 8), 22, 19, 180, 360)], slate)
    belly = [*arc((4, 8), 18, 7, 180, 360)]
    board.polygon([(x * side, y) for x, y in belly], IVORY)
    board.disc(13 * side, -1, 1.9, IVORY)
    for bend in (-8, -3, 4):
        board.stroke([(6 * side, -12), ((6 + bend / 2) * side, -20), ((6 + bend) * side, -25)],
                     1.8, IVORY)  # fmt: skip


def _regatta(board: Board, rng: np.random.Generator) -> None:
    """Three dinghies heeling the same way."""
    tilt, side = float(rng.uniform(4, 16)), 1.0 if rng.random() < 0.5 else -1.0
    for number, (x, y) in enumerate(((-15.0, -8.0), (13.0, -13.0), (3.0, 17.0))):
        dinghy = board.part(x, y)
        sail = _SAILS[(number + int(rng.integers(2))) % len(_SAILS)]
        parts = (
            ([(1, -15), (1, 4), (11, 4)], sail),
            ([(-1, -12), (-1, 4), (-8, 4)], IVORY),
            ([(-10, 6), (12, 6), (8, 11), (-7, 11)], _HULLS[(number * 2) % len(_HULLS)]),
        )
        for spots, colour in parts:
            mirrored = [(u * side, float(v)) for u, v in spots]
            shape(dinghy, turned(mirrored, tilt * side, (0, 0)), colour, 1.1)


def _jetty(board: Board, rng: np.random.Generator) -> None:
    """A landing stage with two moored boats, seen from above."""
    turn, wood = float(rng.uniform(0, 360)), from_hex("#c79a62")

    def laid(spots: list[Spot]) -> list[Spot]:
        return turned(spots, turn, (0, 0))

    shape(board, laid([(-4, -28), (4, -28), (4, 14), (18, 14), (18, 22), (-18, 22), (-18, 14),
                       (-4, 14)]), wood)  # fmt: skip
    for y in range(-25, 14, 5):
        board.stroke(laid([(-4, y), (4, y)]), 1.0, mix(wood, INK, 0.5))
    for x in (-13, -7, 7, 13):
        board.stroke(laid([(x, 14), (x, 22)]), 1.0, mix(wood, INK, 0.5))
    for side, y in ((-1, -14), (1, -3)):
        colour = _pick(rng, _HULLS)
        bow = arc((side * 12, y), 5, 12, 180, 360, 12)
        shape(board, laid([*bow, (side * 12 + 4, y + 11), (side * 12 - 4, y + 11)]), colour)
        for bench in (-3, 4):
            board.stroke(laid([(side * 12 - 4, y + bench), (side * 12 + 4, y + bench)]), 2.0, IVORY)


LARGE: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    _sailing_boat,
    _lily_pond,
    _rowing_boat,
    _steamer,
    _swans,
    _raft,
    _barge,
    _regatta,
    _fountain,
    _jetty,
    _whale,
    _sailing_boat,
    _rowing_boat,
)
"""What may be the main thing of a water field; each reaches about 30 units from its origin."""
