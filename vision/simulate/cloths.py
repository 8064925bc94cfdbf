"""Soft table tops: felt, table cloths, mats.

Each takes (generator, picture size, edge of a game tile in pixels) and returns a BGR picture.
"""

import numpy as np

from vision.arrays import Image
from vision.simulate.drawing import Board, Colour, from_hex, mix, ring
from vision.simulate.texture import (
    clouds,
    laid,
    noise,
    ramp,
    random_colour,
    repeated,
    shaded,
    swatch_side,
    varied,
    worn,
)

WHITE: Colour = (245, 245, 245)
BLACK: Colour = (15, 15, 15)
_MAT_COLOURS = ("#2f7a4f", "#1f6f8b", "#27415f", "#3b3b40", "#b23a5b", "#6a4c93", "#d9d9d6")


def felt(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Fuzzy cloth of one colour, green as on card tables or any other."""
    shape_hw = size_wh[1], size_wh[0]
    base = random_colour(rng, (0.2, 0.95), (0.08, 0.8))
    if rng.random() < 0.3:
        base = varied(from_hex("#1f6b3f"), rng, 15)
    fibre_px = max(1.2, tile_px * rng.uniform(0.01, 0.04))
    field = noise(rng, shape_hw, fibre_px) + clouds(rng, shape_hw, 2 * tile_px, 2)
    return ramp(field, -4, 4, [mix(base, BLACK, 0.3), base, mix(base, WHITE, 0.2)])


def gingham(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Chequered cloth, plain or tartan-like, checks from much smaller to larger than a tile."""
    scale = rng.uniform(1.0, 1.5)
    edge = max(3, round(tile_px / scale * float(np.exp(rng.uniform(np.log(0.1), np.log(1.3))))))
    bands = np.repeat([0.0, 1.0], edge)
    if rng.random() < 0.35:
        widths = rng.integers(1, max(2, edge), 6)
        bands = np.repeat(rng.uniform(0, 1, 6), widths)
    field = (bands[:, None] + bands[None, :]).astype(np.float32) / 2
    light = random_colour(rng, (0.0, 0.25), (0.7, 0.98))
    pattern = ramp(field, 0, 1, [light, random_colour(rng, (0.3, 0.95), (0.15, 0.8))])
    return _woven(repeated(pattern, rng, size_wh, scale), rng)


def chequerboard(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Hard squares of two colours about the size of a tile: oilcloth or lino."""
    edge = max(4, round(tile_px * rng.uniform(0.3, 1.4)))
    pattern = np.empty((2 * edge, 2 * edge, 3), np.uint8)
    pattern[:] = random_colour(rng, (0.0, 0.9), (0.5, 0.98))
    second = random_colour(rng, (0.0, 0.9), (0.05, 0.7))
    pattern[:edge, :edge] = second
    pattern[edge:, edge:] = second
    return worn(repeated(pattern, rng, size_wh), rng)


def stripes(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Cloth with bands of two to five colours."""
    colours = [random_colour(rng, (0.0, 0.9), (0.15, 0.97)) for _ in range(int(rng.integers(2, 6)))]
    widths = np.maximum(2, tile_px * rng.uniform(0.04, 0.9, len(colours))).astype(int)
    bands = np.repeat(np.array(colours, np.uint8), widths, axis=0)
    return _woven(repeated(np.repeat(bands[:, None], 16, axis=1), rng, size_wh), rng)


def polka_dots(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Dots in a staggered grid."""
    period = max(8, round(tile_px * rng.uniform(0.2, 1.5)))
    pattern = np.empty((period, period, 3), np.uint8)
    pattern[:] = random_colour(rng, (0.0, 0.9), (0.1, 0.97))
    dots, radius = random_colour(rng, (0.0, 0.9), (0.1, 0.97)), rng.uniform(0.08, 0.24)
    board = Board(pattern, period)
    for x, y in ((0.5, 0.5), (0, 0), (1, 0), (0, 1), (1, 1)):
        board.disc(x, y, radius, dots)
    return _woven(repeated(pattern, rng, size_wh), rng)


def flowers(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """A print of flowers and leaves strewn over a cloth."""
    scale = rng.uniform(1.0, 2.0)
    period = max(48, round(tile_px * rng.uniform(1.0, 3.5) / scale))
    pattern = np.empty((period, period, 3), np.uint8)
    pattern[:] = random_colour(rng, (0.0, 0.6), (0.15, 0.98))
    petals = [random_colour(rng, (0.3, 0.95), (0.4, 0.98)) for _ in range(3)]
    leaf, heart = varied(from_hex("#4d8a3f"), rng, 25), random_colour(rng)
    for _ in range(int(rng.integers(6, 14))):
        x, y, size = rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.05, 0.16)
        colour, turn, count = petals[int(rng.integers(3))], rng.uniform(0, 90), rng.integers(4, 7)
        for shift_x in (-1, 0, 1):  # the neighbours, so that the pattern repeats without a seam
            for shift_y in (-1, 0, 1):
                at_x, at_y = x + shift_x, y + shift_y
                if not (-0.3 < at_x < 1.3 and -0.3 < at_y < 1.3):
                    continue
                bloom = Board(pattern, period).part(at_x, at_y, size)
                bloom.oval(0.9, 0.6, 0.8, 0.25, leaf, 30 + turn)
                for spot in ring((0, 0), 0.55, int(count), turn):
                    bloom.disc(*spot, 0.42, colour)
                bloom.disc(0, 0, 0.3, heart)
    return _woven(repeated(pattern, rng, size_wh, scale), rng)


def cutting_mat(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """A mat with a fine and a coarse grid, sometimes with slanted lines and numbers."""
    fine = max(4, round(tile_px * rng.uniform(0.1, 0.35)))
    every = int(rng.choice([2, 5, 10]))
    period = fine * every
    base = varied(from_hex(str(rng.choice(_MAT_COLOURS))), rng, 12)
    light = mix(base, WHITE if sum(base) < 480 else BLACK, rng.uniform(0.4, 0.95))
    pattern = np.empty((period, period, 3), np.uint8)
    pattern[:] = base
    faint = mix(base, light, rng.uniform(0.2, 0.7))
    pattern[::fine] = faint
    pattern[:, ::fine] = faint
    thick = int(rng.integers(1, 3))
    pattern[:thick] = light
    pattern[:, :thick] = light
    board = Board(pattern, period)
    if rng.random() < 0.4:
        board.stroke([(0, 0), (1, 1)], 0.01, faint)
    if rng.random() < 0.4:
        board.text(str(rng.integers(1, 30)), 0.12, 0.1, 0.08, light, 0.01)
    return worn(repeated(pattern, rng, size_wh), rng, fine=2)


def play_mat(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """A neoprene mat printed with a fantasy landscape: colour fields and shapes like pictures."""
    scale = rng.uniform(2.0, 3.0)
    side = swatch_side(size_wh, scale)
    colours = [random_colour(rng, (0.2, 0.9), (0.1, 0.95)) for _ in range(int(rng.integers(4, 8)))]
    if rng.random() < 0.5:  # hard edges between the fields, as on a drawn map
        colours = [colour for colour in colours for _ in range(6)]
    image = ramp(
        clouds(rng, (side, side), tile_px * rng.uniform(0.8, 4) / scale, 3), -2, 2, colours
    )
    unit = tile_px / scale
    board = Board(image, unit)
    for _ in range(int(rng.integers(5, 60))):
        x, y = rng.uniform(0, side / unit, 2)
        colour, size = random_colour(rng, (0.1, 0.95), (0.1, 0.98)), rng.uniform(0.1, 1.2)
        shape = rng.integers(4)
        if shape == 0:
            board.disc(x, y, size, colour)
        elif shape == 1:
            board.polygon(ring((x, y), size, int(rng.integers(3, 8)), rng.uniform(0, 90)), colour)
        elif shape == 2:
            board.stroke(rng.normal((x, y), 1.5, (4, 2)).tolist(), size * 0.2, colour)
        else:
            board.box(x, y, x + size, y + size * rng.uniform(0.5, 2), colour)
    return worn(laid(image, rng, size_wh, scale), rng)


def wrapping(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Printed paper with words and small shapes in rows."""
    period = max(60, round(tile_px * rng.uniform(1.5, 3)))
    pattern = np.empty((period, period, 3), np.uint8)
    pattern[:] = random_colour(rng, (0.1, 0.9), (0.2, 0.97))
    board = Board(pattern, period / 4)
    words = ("Hallo", "Danke", "2024", "Fest", "Viel", "Winter", "Stadt", "&", "100 %")
    for row in range(4):
        for column in range(2):
            x, y, ink = 1 + column * 2, row + 0.5, random_colour(rng, (0.0, 0.9), (0.05, 0.98))
            kind = rng.integers(3)
            if kind == 0:
                board.text(str(rng.choice(words)), x, y, 0.3, ink, 0.06)
            elif kind == 1:
                board.polygon(ring((x, y), 0.35, int(rng.integers(3, 7)), rng.uniform(0, 90)), ink)
            else:
                board.disc(x, y, 0.3, ink)
    return worn(repeated(pattern, rng, size_wh), rng)


def _woven(image: Image, rng: np.random.Generator) -> Image:
    shape_hw = image.shape[0], image.shape[1]
    folds = noise(rng, shape_hw, (200, 90)) * np.float32(rng.uniform(0, 7))
    threads = noise(rng, shape_hw, (1.5, 6)) + noise(rng, shape_hw, (6, 1.5))
    return shaded(image, folds + threads * np.float32(rng.uniform(1, 5)), 1.0)
