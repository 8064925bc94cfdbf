"""What stands in the panoramas round a board: houses, trees, ships, trams; no two drawn alike.

Panoramas are 10 units high, y 0 the top of the sky and 9 to 10 the ground; ``x`` is where a thing
begins, or its middle, and what varies comes from the generator.
"""

import numpy as np

from vision.simulate.drawing import Board, Colour, arc, from_hex, mix, ring
from vision.simulate.emblems import INK, IVORY

_ROOFS = tuple(from_hex(rgb) for rgb in ("#b5432a", "#7a2f2a", "#d0742f", "#44576d", "#2f6b5b"))
_WALLS = tuple(
    from_hex(rgb) for rgb in ("#f7e6bf", "#e8b96a", "#f3f0e6", "#d98a6a", "#a8c4c9", "#e4d2e0")
)
_PAINTS = tuple(from_hex(rgb) for rgb in ("#c5352b", "#1f6fb2", "#f0b429", "#2f8a4c", "#f3f0e6"))
_GLASS, _GLOW, _TRUNK = from_hex("#22384f"), from_hex("#ffd76a"), from_hex("#5a3b22")


def pick(colours: tuple[Colour, ...], rng: np.random.Generator) -> Colour:
    """One of the colours."""
    return colours[int(rng.integers(len(colours)))]


def gabled(board: Board, x: float, wide: float, rng: np.random.Generator) -> None:
    """A town house with a gable, x to x + wide."""
    wall, roof = pick(_WALLS, rng), pick(_ROOFS, rng)
    eaves, ridge = float(rng.uniform(3.8, 6.2)), float(rng.uniform(1.2, 2.8))
    peak = x + wide * float(rng.choice([0.3, 0.5, 0.5, 0.7]))
    board.box(x, eaves, x + wide, 9.3, wall)
    board.polygon([(x - 0.2, eaves), (peak, ridge), (x + wide + 0.2, eaves)], roof)
    chimney = x + wide * float(rng.uniform(0.2, 0.75))
    board.box(chimney, ridge - 0.2, chimney + 0.5, (ridge + eaves) / 2, INK)
    board.polygon([(x - 0.2, eaves), (peak, ridge), (x + wide + 0.2, eaves)], roof)
    board.stroke(
        [(x, 9.3), (x, eaves), (peak, ridge), (x + wide, eaves), (x + wide, 9.3)], 0.2, INK
    )
    columns, door = int(rng.integers(2, 4)), int(rng.integers(3))
    for column in range(columns):
        left = x + wide * (column + 0.25) / columns
        for row in range(int((8.6 - eaves) / 1.7) + 1):
            top = eaves + 0.5 + row * 1.7
            if top > 7.6:
                continue
            lit = rng.random() < 0.25
            board.box(left, top, left + wide * 0.5 / columns, top + 1.0, _GLOW if lit else _GLASS)
    if door < columns:
        left = x + wide * (door + 0.2) / columns
        board.arch(left, 7.5, left + wide * 0.6 / columns, 9.3, _TRUNK)


def church(board: Board, x: float, wide: float, rng: np.random.Generator) -> None:
    """A church with its tower on the left, x to x + wide."""
    wall, roof = pick(_WALLS, rng), pick(_ROOFS, rng)
    tower = wide * 0.42
    board.box(x, 3.6, x + tower, 9.3, wall)
    board.polygon([(x - 0.2, 3.7), (x + tower / 2, 0.4), (x + tower + 0.2, 3.7)], roof)
    board.box(x + tower, 6.2, x + wide, 9.3, mix(wall, INK, 0.15))
    board.polygon(
        [(x + tower, 6.3), (x + tower + 0.4, 4.9), (x + wide, 4.9), (x + wide, 6.3)], roof
    )
    board.disc(x + tower / 2, 4.8, tower * 0.3, INK)
    board.disc(x + tower / 2, 4.8, tower * 0.2, IVORY)
    board.arch(x + tower * 0.3, 7.2, x + tower * 0.7, 9.3, _TRUNK)
    for window in range(int(rng.integers(1, 4))):
        left = x + tower + 0.3 + window * 0.8
        if left + 0.5 < x + wide:
            board.arch(left, 6.8, left + 0.5, 8.6, _GLASS)
    board.stroke(
        [(x, 9.3), (x, 3.7), (x + tower / 2, 0.4), (x + tower, 3.7), (x + tower, 9.3)], 0.2, INK
    )


def leafy_tree(
    board: Board, x: float, foot: float, height: float, rng: np.random.Generator
) -> None:
    """A tree of round crowns."""
    leaf = mix(from_hex("#2f6b35"), from_hex("#a8b63a"), float(rng.random()))
    board.box(x - 0.2, foot - height * 0.5, x + 0.2, foot, _TRUNK)
    for _ in range(int(rng.integers(3, 6))):
        spot = x + rng.uniform(-0.7, 0.7), foot - height * rng.uniform(0.5, 0.85)
        board.disc(*spot, height * 0.22, INK)
        board.disc(*spot, height * 0.19, mix(leaf, IVORY, float(rng.uniform(0, 0.25))))


def fir(board: Board, x: float, height: float, rng: np.random.Generator) -> None:
    """A fir."""
    leaf, half = mix(from_hex("#1d4f3a"), from_hex("#4f9460"), float(rng.random())), height * 0.22
    board.box(x - 0.2, 9, x + 0.2, 9.8, _TRUNK)
    for tier in range(int(rng.integers(2, 5))):
        foot = 9.2 - tier * height * 0.22
        spots = [(x - half, foot), (x, foot - height * 0.4), (x + half, foot)]
        board.polygon(spots, leaf)
        board.stroke(spots, 0.16, INK, closed=True)
        half *= 0.78


def field(board: Board, x: float, rng: np.random.Generator) -> None:
    """A ploughed, mown or flowering field on a slope."""
    top, half, lean = (
        float(rng.uniform(6.6, 8.6)),
        float(rng.uniform(1.2, 2.6)),
        float(rng.uniform(-1, 1)),
    )
    soil = pick((from_hex("#c9a04a"), from_hex("#7a5a34"), from_hex("#dfe08a"), IVORY), rng)
    board.polygon(
        [(x - half + lean, top), (x + half + lean, top), (x + half, 9.9), (x - half, 9.9)], soil
    )
    rows = int(rng.integers(3, 7))
    for row in range(rows):
        at = x - half + 2 * half * (row + 0.5) / rows
        ink = mix(soil, INK, 0.55)
        if rng.random() < 0.7:
            board.stroke([(at + lean, top), (at, 9.9)], 0.22, ink)
        else:
            for y in (top + 0.6, top + 1.5):
                board.disc(at + lean / 2, y, 0.3, pick(_PAINTS, rng))


def windmill(board: Board, x: float, rng: np.random.Generator) -> None:
    """A windmill."""
    wall, start = pick(_WALLS, rng), float(rng.uniform(0, 90))
    body = [(x - 1.2, 9.4), (x - 0.7, 4.6), (x + 0.7, 4.6), (x + 1.2, 9.4)]
    board.polygon(body, wall)
    board.stroke(body, 0.2, INK, closed=True)
    board.polygon(arc((x, 4.6), 0.8, 1.0, 180, 360), pick(_ROOFS, rng))
    for tip in ring((x, 4.2), float(rng.uniform(2.6, 3.4)), 4, start):
        board.stroke([(x, 4.2), tip], 0.5, IVORY)
        board.stroke([(x, 4.2), tip], 0.18, INK)
    board.arch(x - 0.3, 7.8, x + 0.4, 9.4, _TRUNK)


def balloon(board: Board, x: float, rng: np.random.Generator) -> None:
    """A hot-air balloon in the air."""
    y, first, second = float(rng.uniform(2.4, 3.6)), pick(_PAINTS, rng), pick(_PAINTS, rng)
    board.disc(x, y, 1.9, INK)
    board.disc(x, y, 1.7, first)
    board.oval(x, y, 0.7, 1.7, second)
    for side in (-0.5, 0.5):
        board.stroke([(x + side * 2, y + 1.4), (x + side, y + 3.2)], 0.12, INK)
    board.box(x - 0.5, y + 3.1, x + 0.5, y + 3.9, _TRUNK)


def cow(board: Board, x: float, rng: np.random.Generator) -> None:
    """A cow that looks to either side."""
    face = float(rng.choice([-1, 1]))
    for leg in (-0.9, -0.5, 0.5, 0.9):
        board.stroke([(x + leg, 8.2), (x + leg, 9.4)], 0.25, INK)
    board.oval(x, 7.9, 1.4, 0.75, INK)
    board.oval(x, 7.9, 1.25, 0.6, IVORY)
    for _ in range(3):
        board.disc(x + rng.uniform(-0.9, 0.9), 7.9 + rng.uniform(-0.3, 0.3), 0.28, INK)
    board.oval(x + face * 1.5, 7.3, 0.55, 0.45, INK)


def sailing_boat(board: Board, x: float, wide: float, rng: np.random.Generator) -> None:
    """A sailing boat, x to x + wide."""
    foot, mast = float(rng.uniform(7.4, 8.6)), x + wide * float(rng.uniform(0.35, 0.6))
    hull = [
        (x, foot - 1.1),
        (x + wide, foot - 1.1),
        (x + wide * 0.82, foot),
        (x + wide * 0.2, foot),
    ]
    board.stroke([(mast, foot - 1), (mast, 0.7)], 0.25, INK)
    for side in (-1.0, 1.0):
        reach = mast + side * wide * float(rng.uniform(0.25, 0.4))
        sail = [(mast + side * 0.15, 1.0), (reach, foot - 1.6), (mast + side * 0.15, foot - 1.6)]
        board.polygon(sail, pick(_PAINTS, rng))
        board.stroke(sail, 0.15, INK, closed=True)
    board.polygon(hull, pick(_PAINTS, rng))
    board.stroke(hull, 0.2, INK, closed=True)


def steamer(board: Board, x: float, wide: float, rng: np.random.Generator) -> None:
    """A steamer with one to three funnels, x to x + wide."""
    hull = [(x, 5.8), (x + wide, 5.8), (x + wide * 0.9, 8.4), (x + wide * 0.08, 8.4)]
    board.box(x + wide * 0.15, 4.2, x + wide * 0.8, 5.9, IVORY)
    funnels = int(rng.integers(1, 4))
    for funnel in range(funnels):
        left = x + wide * (0.2 + 0.2 * funnel)
        board.box(left, 1.9, left + 0.9, 4.3, pick(_PAINTS, rng))
        board.box(left, 1.9, left + 0.9, 2.5, INK)
        board.disc(left + 0.9, 1.3, float(rng.uniform(0.4, 0.7)), from_hex("#8d9097"))
    board.polygon(hull, pick((*_ROOFS, INK), rng))
    for port in range(int(wide / 1.2)):
        board.disc(x + wide * 0.15 + port * 1.05, 6.7, 0.3, _GLOW)
    board.stroke([(x, 5.8), (x + wide, 5.8)], 0.25, INK)


def lighthouse(board: Board, x: float, rng: np.random.Generator) -> None:
    """A striped lighthouse on its rock."""
    stripe = pick(_PAINTS[:4], rng)
    board.oval(x, 8.6, 2.6, 0.9, from_hex("#6b6154"))
    for band in range(5):
        half, top = 1.25 - 0.12 * band, 7.2 - 1.05 * band
        board.box(x - half, top, x + half, top + 1.1, stripe if band % 2 else IVORY)
    board.box(x - 0.9, 1.9, x + 0.9, 3.1, _GLOW)
    board.polygon([(x - 1.1, 2.0), (x, 0.7), (x + 1.1, 2.0)], INK)
    board.stroke([(x - 1.25, 8.2), (x - 0.75, 3.0), (x + 0.75, 3.0), (x + 1.25, 8.2)], 0.18, INK)


def crane(board: Board, x: float, wide: float, rng: np.random.Generator) -> None:
    """A harbour crane that lifts a crate, x to x + wide."""
    paint, hook = pick(_PAINTS[:3], rng), x + wide * float(rng.uniform(0.5, 0.85))
    board.stroke([(x, 8.8), (x, 1.2)], 0.6, paint)
    board.stroke([(x - 1, 2.2), (x + wide - 1, 2.2)], 0.5, paint)
    board.stroke([(x, 1.0), (x + wide - 1.2, 2.0)], 0.16, INK)
    board.stroke([(hook, 2.2), (hook, 4.2)], 0.16, INK)
    board.box(hook - 1, 4.2, hook + 1, 5.6, pick(_PAINTS, rng))
    board.box(x - 1.1, 6.4, x + 1.1, 8.9, INK)


def high_rise(board: Board, x: float, wide: float, rng: np.random.Generator) -> None:
    """A high-rise building with some windows lit, x to x + wide."""
    top, wall = (
        float(rng.uniform(1.2, 5.5)),
        mix(pick(_WALLS, rng), INK, float(rng.uniform(0, 0.7))),
    )
    board.box(x, top, x + wide, 9.2, wall)
    crown = rng.integers(4)
    if crown == 0:
        board.stroke([(x + wide / 2, top), (x + wide / 2, max(0.4, top - 2))], 0.25, IVORY)
    elif crown == 1:
        board.polygon([(x, top), (x + wide, top - 1.2), (x + wide, top)], wall)
    elif crown == 2:
        board.polygon(arc((x + wide / 2, top), wide / 2, 0.9, 180, 360), pick(_ROOFS, rng))
    columns = max(2, int(wide / 0.9))
    for row in range(int((9.0 - top) / 0.95)):
        for column in range(columns):
            if rng.random() < 0.6:
                left, y = x + wide * (column + 0.2) / columns, top + 0.35 + row * 0.95
                pane = _GLOW if rng.random() < 0.5 else _GLASS
                board.box(left, y, left + wide * 0.6 / columns, y + 0.55, pane)
    board.stroke([(x, 9.2), (x, top), (x + wide, top), (x + wide, 9.2)], 0.16, INK)


def tram(board: Board, x: float, rng: np.random.Generator) -> None:
    """A tram on the street, from x to the right."""
    paint, wide = pick(_PAINTS[:4], rng), float(rng.uniform(4.5, 7.0))
    board.stroke([(x + wide * 0.4, 7.0), (x + wide * 0.5, 6.2), (x + wide * 0.6, 6.2)], 0.2, INK)
    board.round_box(x, 6.8, x + wide, 9.2, 0.4, INK)
    board.round_box(x + 0.15, 6.95, x + wide - 0.15, 9.05, 0.3, paint)
    for window in range(int(wide / 1.2)):
        board.box(x + 0.5 + window * 1.2, 7.2, x + 1.3 + window * 1.2, 8.1, IVORY)
    for wheel in (0.25, 0.75):
        board.disc(x + wide * wheel, 9.3, 0.5, INK)
