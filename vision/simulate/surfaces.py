"""Hard table tops: wood, laminate, stone, ceramic tiles, glass, paper, cork, rattan.

Each takes (generator, picture size, edge of a game tile in pixels) and returns a BGR picture.
"""

import string
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.arrays import FloatImage, Image
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

Material = Callable[[np.random.Generator, tuple[int, int], float], Image]


def wood(tones: Sequence[str]) -> Material:
    """A maker of wooden tops, in planks or of one piece, with these tones from dark to light."""
    palette = [from_hex(tone) for tone in tones]

    def draw(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
        scale = rng.uniform(1.3, 2.4)
        side = swatch_side(size_wh, scale)
        grain = noise(rng, (side, side), (2, 70)) + noise(rng, (side, side), (5, 240))
        rings = noise(rng, (side, side), (70, 300)) * np.float32(rng.uniform(2, 9))
        rings += np.arange(side, dtype=np.float32)[:, None] / np.float32(rng.uniform(4, 12))
        grain += np.sin(rings) * np.float32(rng.uniform(0.3, 1.0))
        grain *= np.float32(rng.uniform(0.25, 1.0))
        if rng.random() < 0.75:
            plank_px = max(8, round(tile_px / scale * rng.uniform(0.6, 3.5)))
            _cut_into_planks(grain, plank_px, rng)
        return worn(laid(ramp(grain, -3.2, 2.6, _shifted(palette, rng)), rng, size_wh, scale), rng)

    return draw


def _shifted(palette: Sequence[Colour], rng: np.random.Generator) -> list[Colour]:
    shift = rng.normal(0, 9) + rng.normal(0, 4, 3)
    tones: list[Colour] = []
    for colour in palette:
        blue, green, red = (int(v) for v in np.clip(np.add(colour, shift), 0, 255))
        tones.append((blue, green, red))
    return tones


def _cut_into_planks(grain: FloatImage, plank_px: int, rng: np.random.Generator) -> None:
    side = grain.shape[0]
    for top in range(0, side, plank_px):
        plank = grain[top : top + plank_px]
        plank[:] = np.roll(plank, int(rng.integers(side)), axis=1)
        plank += np.float32(rng.normal(0, 0.5))
        plank[0] = -4
        joint = int(rng.integers(side))
        plank[:, joint:] += np.float32(rng.normal(0, 0.5))
        plank[:, joint : joint + 1] = -4


def laminate(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """A plain top, mostly pale, with more or less speckle."""
    base = random_colour(rng, (0.0, 0.25), (0.25, 0.97))
    height, width = size_wh[1], size_wh[0]
    image = np.empty((height, width, 3), np.uint8)
    image[:] = base
    for _ in range(int(rng.integers(0, 4))):
        speckle = noise(rng, (height, width), max(1.5, tile_px * rng.uniform(0.02, 0.07)))
        image[speckle > rng.uniform(0.9, 2.0)] = varied(base, rng, 45)
    return worn(image, rng, fine=rng.uniform(0.5, 4), broad=1.5)


def marble(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Stone with clouds and thin veins, light or dark."""
    scale = rng.uniform(1.5, 3.0)
    side = swatch_side(size_wh, scale)
    broad = clouds(rng, (side, side), tile_px * rng.uniform(1.0, 3.0) / scale, 4)
    veins = np.abs(clouds(rng, (side, side), tile_px * rng.uniform(1.5, 4.0) / scale, 4))
    field = broad * np.float32(0.25)
    field -= np.asarray(np.exp(veins * np.float32(-14)), np.float32) * np.float32(1.6)
    light = random_colour(rng, (0.0, 0.2), (0.75, 0.97))
    dark = random_colour(rng, (0.0, 0.4), (0.1, 0.45))
    colours = [dark, light] if rng.random() < 0.7 else [light, dark]
    return worn(laid(ramp(field, -1.7, 0.6, colours), rng, size_wh, scale), rng, fine=1.5)


def concrete(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Grey to beige stone ware without pattern."""
    shape_hw = size_wh[1], size_wh[0]
    field = clouds(rng, shape_hw, tile_px * rng.uniform(0.5, 3), 5)
    base = random_colour(rng, (0.0, 0.25), (0.3, 0.85))
    image = ramp(field, -2.5, 2.5, [mix(base, (0, 0, 0), 0.25), mix(base, (255, 255, 255), 0.2)])
    return worn(image, rng, fine=6)


def ceramic(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Square ceramic tiles about the size of game tiles between grout lines, often with ornament.

    Looks like a city to a careless eye, but has no faces.
    """
    scale = rng.uniform(1.0, 1.6)
    edge = max(12, round(tile_px / scale * rng.uniform(0.75, 1.4)))
    grout = max(1, round(edge * rng.uniform(0.015, 0.07)))
    base, accent = random_colour(rng, (0.0, 0.5), (0.4, 0.97)), random_colour(rng)
    count = 2 * min(3, swatch_side(size_wh, scale) // (2 * edge) + 1)  # even, for the checker
    pattern = np.empty((edge * count, edge * count, 3), np.uint8)
    pattern[:] = varied(random_colour(rng, (0, 0.1), (0.3, 0.9)), rng, 10)
    style = rng.choice(["plain", "checker", "ornament", "patchwork"])
    ornaments = [
        _ornament(rng, edge, base, accent) for _ in range(4 if style == "patchwork" else 1)
    ]
    for row in range(count):
        for column in range(count):
            tile = np.empty((edge, edge, 3), np.uint8)
            tile[:] = accent if style == "checker" and (row + column) % 2 else base
            if style in ("ornament", "patchwork"):
                tile = ornaments[int(rng.integers(len(ornaments)))].copy()
            tile = np.asarray(cv2.convertScaleAbs(tile, alpha=rng.uniform(0.9, 1.05)), np.uint8)
            top, left = row * edge, column * edge
            pattern[top : top + edge - grout, left : left + edge - grout] = tile[grout:, grout:]
    return worn(repeated(pattern, rng, size_wh, scale), rng, fine=2)


def _ornament(rng: np.random.Generator, edge: int, base: Colour, accent: Colour) -> Image:
    oversize = 2
    canvas = np.empty((edge * oversize, edge * oversize, 3), np.uint8)
    canvas[:] = varied(base, rng, 12)
    board = Board(canvas, edge * oversize / 2).part(1, 1)
    second = random_colour(rng)
    petals, long = int(rng.choice([4, 6, 8])), rng.uniform(0.3, 0.5)
    for i, (x, y) in enumerate(ring((0, 0), long, petals)):
        board.oval(
            x, y, long, rng.uniform(0.1, 0.25), (accent, second)[i % 2], 360 / petals * i - 90
        )
    board.disc(0, 0, rng.uniform(0.1, 0.35), second)
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        board.disc(x, y, rng.uniform(0.2, 0.55), accent)
    if rng.random() < 0.5:
        board.stroke(
            [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)], 0.06, second, closed=True
        )
    return np.asarray(cv2.resize(canvas, (edge, edge), interpolation=cv2.INTER_AREA), np.uint8)


def glass(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Dark, glossy: nearly black with broad reflections of lamps and windows."""
    shape_hw = size_wh[1], size_wh[0]
    base = random_colour(rng, (0.0, 0.5), (0.03, 0.22))
    image = np.empty((*shape_hw, 3), np.uint8)
    image[:] = base
    small = np.zeros((shape_hw[0] // 8 + 1, shape_hw[1] // 8 + 1), np.float32)
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(0, small.shape[1]), rng.uniform(0, small.shape[0])
        box = cv2.boxPoints(
            ((x, y), tuple(tile_px * rng.uniform(0.06, 0.9, 2)), float(rng.uniform(0, 90)))
        )
        cv2.fillPoly(small, [np.rint(box).astype(np.int32)], float(rng.uniform(0.2, 1)))
    soft = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.6, 9)))
    glow = np.asarray(cv2.resize(soft, size_wh, interpolation=cv2.INTER_LINEAR), np.float32)
    return worn(shaded(image, glow, rng.uniform(20, 90)), rng, fine=1.5, broad=2)


def paper(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Newspaper: columns of text with headlines and grey pictures."""
    scale = max(0.6, tile_px / 64 * rng.uniform(0.4, 1.0))
    side = swatch_side(size_wh, scale) // 2 + 8
    page = np.empty((side, side, 3), np.uint8)
    page[:] = random_colour(rng, (0.0, 0.14), (0.75, 0.96))
    ink = random_colour(rng, (0.0, 0.3), (0.1, 0.35))
    column_px = int(rng.integers(70, 150))
    letters = np.array(list(string.ascii_letters + "      "))
    for left in range(4, side, column_px + 10):
        y = int(rng.integers(8, 30))
        while y < side:
            kind = rng.choice(["text", "text", "text", "headline", "picture"])
            if kind == "picture":
                tall = int(rng.integers(30, 90))
                block = page[y : y + tall, left : left + column_px]
                if block.size:
                    block[:] = ramp(clouds(rng, block.shape[:2], 18), -2, 2, [ink, (230, 230, 230)])
                y += tall + 14
                continue
            size, lines = (0.7, 1) if kind == "headline" else (0.28, int(rng.integers(4, 14)))
            for _ in range(lines):
                text = "".join(rng.choice(letters, int(column_px / (size * 17))))
                y += round(size * 32)
                cv2.putText(
                    page, text, (left, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA
                )
            y += 14
    return worn(repeated(page, rng, size_wh, scale), rng)


def cork(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Cork or chipboard: coarse granules of brown tones."""
    shape_hw = size_wh[1], size_wh[0]
    grain = max(1.5, tile_px * rng.uniform(0.03, 0.1))
    field = noise(rng, shape_hw, grain) + noise(rng, shape_hw, grain * 2.3)
    base = varied(from_hex("#b98b5a"), rng, 22)
    colours = [mix(base, (20, 20, 20), 0.6), base, base, mix(base, (255, 255, 255), 0.3)]
    return worn(ramp(field, -3, 3, colours), rng)


def rattan(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float) -> Image:
    """Basket weave: strands that pass over and under each other."""
    strand = max(4, round(tile_px * rng.uniform(0.08, 0.25)))
    along, across = np.arange(strand) / strand, np.arange(2 * strand) / (2 * strand)
    over = np.sin(np.pi * along)[:, None] ** 0.5 * np.sin(np.pi * across)[None, :] ** 0.4
    cell = np.vstack([over, np.roll(over, strand, axis=1)])
    turned = np.roll(cell.T, strand // 2, axis=0)
    field = np.maximum(cell, turned * 0.9) if rng.random() < 0.5 else cell
    base = varied(from_hex(str(rng.choice(["#c9a066", "#8a5f35", "#d8cfbf", "#4c4038"]))), rng, 15)
    weave = ramp(field.astype(np.float32), 0, 1, [mix(base, (10, 10, 10), 0.75), base])
    return worn(repeated(weave, rng, size_wh, rng.uniform(1.0, 1.8)), rng, fine=5)
