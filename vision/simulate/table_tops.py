"""Table tops for simulated photos, made up anew for every seed."""

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Final

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

TableTop = Callable[[np.random.Generator, tuple[int, int], float], Image]
"""Takes (generator, picture width and height, edge of a game tile in px); returns BGR."""
WHITE: Final[Colour] = (245, 245, 245)
BLACK: Final[Colour] = (15, 15, 15)
_MAT_COLOURS: Final = (
    "#2f7a4f", "#1f6f8b", "#27415f", "#3b3b40", "#b23a5b", "#6a4c93", "#d9d9d6",
)  # fmt: skip


def wood(tones: Sequence[str]) -> TableTop:
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


TABLE_TOPS: Final[Mapping[str, TableTop]] = {
    "wood-light": wood(("#8a6238", "#c79a63", "#e0bd8a", "#edd3a8")),
    "wood-dark": wood(("#1d120b", "#3c2717", "#55371f", "#6e4a2b")),
    "wood-red": wood(("#3a140b", "#7a3219", "#9b4a26", "#b9683a")),
    "wood-grey": wood(("#4a4640", "#858078", "#a39d93", "#c2bcb0")),
    "laminate": laminate,
    "marble": marble,
    "concrete": concrete,
    "ceramic": ceramic,
    "glass": glass,
    "paper": paper,
    "cork": cork,
    "rattan": rattan,
    "felt": felt,
    "gingham": gingham,
    "chequerboard": chequerboard,
    "stripes": stripes,
    "polka-dots": polka_dots,
    "flowers": flowers,
    "cutting-mat": cutting_mat,
    "play-mat": play_mat,
    "wrapping": wrapping,
}
"""Every table top by name."""


def table_top(
    rng: np.random.Generator,
    size_wh: tuple[int, int],
    tile_px: float = 64.0,
    name: str | None = None,
) -> Image:
    """Draw a table top, seen straight from above, turned by any angle.

    Args:
        rng: decides colours, sizes and angle, and the kind if none is named.
        size_wh: width and height of the picture in pixels.
        tile_px: edge of a game tile on this table, pixels; patterns scale with it.
        name: one of ``TABLE_TOPS``; None for any.

    Returns:
        A BGR picture (height, width, 3).

    Raises:
        ValueError: unknown name.
    """
    if name is not None and name not in TABLE_TOPS:
        raise ValueError(f"no table top {name!r}; choose one of {', '.join(TABLE_TOPS)}")
    return TABLE_TOPS[name or str(rng.choice(list(TABLE_TOPS)))](rng, size_wh, tile_px)
