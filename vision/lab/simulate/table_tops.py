"""Table tops for simulated photos, drawn anew for every seed.

Each maker takes (generator, width and height of the picture, edge of a game tile in px).
"""

import string
from collections.abc import Callable, Mapping
from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatImage, Image, floats
from vision.lab.simulate.drawing import (
    BLACK,
    WHITE,
    Colour,
    Rng,
    Sketch,
    any_shape,
    from_hex,
    mix,
    random_colour,
    ring,
    vary_colour,
)
from vision.lab.simulate.texture import (
    clouds,
    laid,
    noise,
    ramp,
    repeated,
    shaded,
    swatch_side,
    worn,
    woven,
)  # fmt: skip

Size = tuple[int, int]
TableTopMaker = Callable[[Rng, Size, float], Image]


def _plain(height: int, width: int, colour: Colour) -> Image:
    return np.full((height, width, 3), colour, np.uint8)


def wood(*tones: str) -> TableTopMaker:
    """Return a maker of wooden tops, in planks or of one piece, in tones from dark to light."""

    def draw(rng: Rng, size_wh: Size, tile_px: float) -> Image:
        scale = rng.uniform(1.3, 2.4)
        side = swatch_side(size_wh, scale)
        grain = noise(rng, (side, side), (2, 70)) + noise(rng, (side, side), (5, 240))
        rings = noise(rng, (side, side), (70, 300)) * np.float32(rng.uniform(2, 9))
        rings += np.arange(side, dtype=np.float32)[:, None] / np.float32(rng.uniform(4, 12))
        grain += np.sin(rings) * np.float32(rng.uniform(0.3, 1.0))
        grain *= np.float32(rng.uniform(0.25, 1.0))
        if rng.random() < 0.75:
            _cut_into_planks(grain, max(8, round(tile_px / scale * rng.uniform(0.6, 3.5))), rng)
        shift = rng.normal(0, 9) + rng.normal(0, 4, 3)
        palette = np.clip([np.add(from_hex(tone), shift) for tone in tones], 0, 255).astype(int)
        swatch = ramp(grain, -3.2, 2.6, [(b, g, r) for b, g, r in palette.tolist()])
        return worn(laid(swatch, rng, size_wh, scale), rng)

    return draw


def _cut_into_planks(grain: FloatImage, plank_px: int, rng: Rng) -> None:
    side = grain.shape[0]
    for top in range(0, side, plank_px):
        plank = grain[top : top + plank_px]
        plank[:] = np.roll(plank, int(rng.integers(side)), axis=1)
        plank += np.float32(rng.normal(0, 0.5))
        joint = int(rng.integers(side))
        plank[:, joint:] += np.float32(rng.normal(0, 0.5))
        plank[0] = plank[:, joint : joint + 1] = -4


def laminate(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw a plain top, mostly pale, with more or less speckle."""
    base = random_colour(rng, (0.0, 0.25), (0.25, 0.97))
    image = _plain(*size_wh[::-1], base)
    for _ in range(int(rng.integers(0, 4))):
        speckle = noise(rng, size_wh[::-1], max(1.5, tile_px * rng.uniform(0.02, 0.07)))
        image[speckle > rng.uniform(0.9, 2.0)] = vary_colour(base, rng, 45)
    return worn(image, rng, fine=rng.uniform(0.5, 4), broad=1.5)


def marble(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw stone with clouds and thin veins, light or dark."""
    scale = rng.uniform(1.5, 3.0)
    side = swatch_side(size_wh, scale)
    broad, veins = (
        clouds(rng, (side, side), tile_px * rng.uniform(1.0, most) / scale, 4) for most in (3, 4)
    )
    field = broad * np.float32(0.25) - np.exp(np.abs(veins) * np.float32(-14)) * np.float32(1.6)
    colours = [
        random_colour(rng, (0, 0.4), (0.1, 0.45)),
        random_colour(rng, (0, 0.2), (0.75, 0.97)),
    ]
    swatch = ramp(floats(field), -1.7, 0.6, colours[:: 1 if rng.random() < 0.7 else -1])
    return worn(laid(swatch, rng, size_wh, scale), rng, fine=1.5)


def concrete(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw grey to beige stone ware without pattern."""
    field = clouds(rng, size_wh[::-1], tile_px * rng.uniform(0.5, 3), 5)
    base = random_colour(rng, (0.0, 0.25), (0.3, 0.85))
    return worn(
        ramp(field, -2.5, 2.5, [mix(base, BLACK, 0.25), mix(base, WHITE, 0.2)]), rng, fine=6
    )


def cork(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw cork or chipboard: coarse granules of brown tones."""
    grain = max(1.5, tile_px * rng.uniform(0.03, 0.1))
    field = noise(rng, size_wh[::-1], grain) + noise(rng, size_wh[::-1], grain * 2.3)
    base = vary_colour(from_hex("#b98b5a"), rng, 22)
    return worn(ramp(field, -3, 3, [mix(base, BLACK, 0.6), base, base, mix(base, WHITE, 0.3)]), rng)


def felt(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw fuzzy cloth of one colour, green as on card tables or any other."""
    base = random_colour(rng, (0.2, 0.95), (0.08, 0.8))
    if rng.random() < 0.3:
        base = vary_colour(from_hex("#1f6b3f"), rng, 15)
    fibre_px = max(1.2, tile_px * rng.uniform(0.01, 0.04))
    field = noise(rng, size_wh[::-1], fibre_px) + clouds(rng, size_wh[::-1], 2 * tile_px, 2)
    return ramp(field, -4, 4, [mix(base, BLACK, 0.3), base, mix(base, WHITE, 0.2)])


def glass(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw dark glass: nearly black with broad reflections of lamps and windows."""
    image = _plain(*size_wh[::-1], random_colour(rng, (0.0, 0.5), (0.03, 0.22)))
    small = np.zeros((size_wh[1] // 8 + 1, size_wh[0] // 8 + 1), np.float32)
    for _ in range(int(rng.integers(1, 5))):
        x, y = (rng.random(2) * small.shape[::-1]).tolist()
        wide, tall = (tile_px * rng.uniform(0.06, 0.9, 2)).tolist()
        box = cv2.boxPoints(((x, y), (wide, tall), float(rng.uniform(0, 90))))
        cv2.fillPoly(small, [np.rint(box).astype(np.int32)], float(rng.uniform(0.2, 1)))
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.6, 9))), size_wh)
    return worn(shaded(image, floats(soft), rng.uniform(20, 90)), rng, fine=1.5, broad=2)


def ceramic(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw square ceramic tiles of about the size of game tiles, often with ornament.

    They resemble a city, but have no faces.
    """
    scale = rng.uniform(1.0, 1.6)
    edge = max(12, round(tile_px / scale * rng.uniform(0.75, 1.4)))
    grout = max(1, round(edge * rng.uniform(0.015, 0.07)))
    base, accent = random_colour(rng, (0.0, 0.5), (0.4, 0.97)), random_colour(rng)
    count = 2 * min(3, swatch_side(size_wh, scale) // (2 * edge) + 1)  # even, for the checker
    grey = vary_colour(random_colour(rng, (0, 0.1), (0.3, 0.9)), rng, 10)
    pattern = _plain(edge * count, edge * count, grey)
    style = int(rng.integers(4))  # plain, chequered, with one ornament, with four
    tiles = [_plain(edge, edge, base), _plain(edge, edge, accent)][: max(1, 2 * (style == 1))]
    if style > 1:
        tiles = [_ornament(rng, edge, base, accent) for _ in range(1 if style == 2 else 4)]
    for row, column in np.ndindex(count, count):
        number = row + column if style < 2 else int(rng.integers(len(tiles)))
        tile = cv2.convertScaleAbs(tiles[number % len(tiles)], alpha=rng.uniform(0.9, 1.05))
        top, left = row * edge, column * edge
        pattern[top : top + edge - grout, left : left + edge - grout] = tile[grout:, grout:]
    return worn(repeated(pattern, rng, size_wh, scale), rng, fine=2)


def _ornament(rng: Rng, edge: int, base: Colour, accent: Colour) -> Image:
    canvas = _plain(2 * edge, 2 * edge, vary_colour(base, rng, 12))
    board, second = Sketch(canvas, edge).part(1, 1), random_colour(rng)
    petal, size, corner = any_shape(rng), rng.uniform(0.2, 0.5), rng.uniform(0.2, 0.55)
    for (x, y), ink in zip(ring((0, 0), 0.4, 4), (accent, second) * 2, strict=True):
        board.part(x, y, size).polygon(petal, ink)
    for x, y in ring((0, 0), 2**0.5, 4, 45):
        board.disc(x, y, corner, accent)
    return np.asarray(cv2.resize(canvas, (edge, edge), interpolation=cv2.INTER_AREA), np.uint8)


def paper(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw newspaper: columns of text with headlines and grey pictures."""
    scale = max(0.6, tile_px / 64 * rng.uniform(0.4, 1.0))
    side = swatch_side(size_wh, scale) // 2 + 8
    page = _plain(side, side, random_colour(rng, (0.0, 0.14), (0.75, 0.96)))
    ink, wide = random_colour(rng, (0.0, 0.3), (0.1, 0.35)), int(rng.integers(70, 150))
    letters = list(string.ascii_letters + "      ")
    for left in range(4, side, wide + 10):
        y = int(rng.integers(8, 30))
        while y < side:
            kind, tall = rng.random(), int(rng.integers(30, 90))
            block = page[y : y + tall, left : left + wide]
            if kind < 0.2:
                block[:] = ramp(clouds(rng, block.shape[:2], 18), -2, 2, [ink, (230, 230, 230)])
                y += tall
            size, lines = (0.7, 1) if kind > 0.8 else (0.28, int(rng.integers(4, 14)))
            for _ in range(lines if kind > 0.2 else 0):
                text = "".join(rng.choice(letters, int(wide / (size * 17))))
                y += round(size * 32)
                cv2.putText(page, text, (left, y), 0, size, ink, 1, cv2.LINE_AA)
            y += 14
    return worn(repeated(page, rng, size_wh, scale), rng)


def rattan(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw basket weave: strands that pass over and under each other."""
    strand = max(4, round(tile_px * rng.uniform(0.08, 0.25)))
    along, across = (np.sin(np.pi * np.arange(n) / n) for n in (strand, 2 * strand))
    over = along[:, None] ** 0.5 * across[None, :] ** 0.4
    cell = np.vstack([over, np.roll(over, strand, axis=1)])
    turned = np.roll(cell.T, strand // 2, axis=0)
    field = floats(np.maximum(cell, turned * 0.9) if rng.random() < 0.5 else cell)
    base = vary_colour(
        from_hex(str(rng.choice(["#c9a066", "#8a5f35", "#d8cfbf", "#4c4038"]))), rng, 15
    )
    weave = ramp(field, 0, 1, [mix(base, BLACK, 0.75), base])
    return worn(repeated(weave, rng, size_wh, rng.uniform(1.0, 1.8)), rng, fine=5)


def bands(kind: str) -> TableTopMaker:
    """Return a maker of cloths with stripes, or with bands that cross, mixed or as chequers."""

    def draw(rng: Rng, size_wh: Size, tile_px: float) -> Image:
        edge = max(3, round(tile_px * float(np.exp(rng.uniform(np.log(0.15), np.log(1.4))))))
        plain = kind == "chequers" or rng.random() < 0.65
        widths = np.full(2, edge) if plain else rng.integers(2, edge + 3, int(rng.integers(2, 6)))
        bright = (0.5, 0.98), (0.05, 0.7)
        colours = np.array(
            [random_colour(rng, (0, 0.9), bright[n % 2]) for n in range(len(widths))]
        )
        lines = np.repeat(np.arange(len(widths)), widths)
        if kind == "chequers":
            pattern = colours[np.add.outer(lines, lines) % 2]
        elif kind == "stripes":
            pattern = colours[np.repeat(lines[:, None], 16, axis=1)]
        else:
            pattern = (colours[lines][:, None] + colours[lines]) // 2
        return woven(repeated(pattern.astype(np.uint8), rng, size_wh, rng.uniform(1, 1.5)), rng)

    return draw


def flowers(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw a print of flowers and leaves strewn over a cloth."""
    scale = rng.uniform(1.0, 2.0)
    period = max(48, round(tile_px * rng.uniform(1.0, 3.5) / scale))
    pattern = _plain(period, period, random_colour(rng, (0.0, 0.6), (0.15, 0.98)))
    petals = [random_colour(rng, (0.3, 0.95), (0.4, 0.98)) for _ in range(3)]
    leaf, heart = vary_colour(from_hex("#4d8a3f"), rng, 25), random_colour(rng)
    for _ in range(int(rng.integers(6, 14))):
        x, y, size, turn = rng.uniform((0, 0, 0.05, 0), (1, 1, 0.16, 90)).tolist()
        colour, count = petals[int(rng.integers(3))], int(rng.integers(4, 7))
        for row, column in np.ndindex(3, 3):  # the neighbours, so that the pattern has no seam
            bloom = Sketch(pattern, period).part(x + column - 1, y + row - 1, size)
            bloom.oval(0.9, 0.6, 0.8, 0.25, leaf, 30 + turn)
            for spot in ring((0, 0), 0.55, count, turn):
                bloom.disc(*spot, 0.42, colour)
            bloom.disc(0, 0, 0.3, heart)
    return woven(repeated(pattern, rng, size_wh, scale), rng)


def cutting_mat(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw a mat with a fine and a coarse grid, sometimes with slanted lines and numbers."""
    fine = max(4, round(tile_px * rng.uniform(0.1, 0.35)))
    period = fine * int(rng.choice([2, 5, 10]))
    base = random_colour(rng, (0.0, 0.7), (0.2, 0.85))
    light = mix(base, WHITE if sum(base) < 480 else BLACK, rng.uniform(0.4, 0.95))
    faint, thick = mix(base, light, rng.uniform(0.2, 0.7)), int(rng.integers(1, 3))
    pattern = _plain(period, period, base)
    pattern[::fine] = pattern[:, ::fine] = faint
    pattern[:thick] = pattern[:, :thick] = light
    if rng.random() < 0.4:
        Sketch(pattern, period).stroke([(0, 0), (1, 1)], 0.01, faint)
    if rng.random() < 0.4:
        Sketch(pattern, period).text(str(rng.integers(1, 30)), 0.12, 0.1, 0.08, light, 0.01)
    return worn(repeated(pattern, rng, size_wh), rng, fine=2)


def play_mat(rng: Rng, size_wh: Size, tile_px: float) -> Image:
    """Draw a neoprene mat printed with a fantasy landscape: colour fields and shapes."""
    scale = rng.uniform(2.0, 3.0)
    side, unit = swatch_side(size_wh, scale), tile_px / scale
    colours = [random_colour(rng, (0.2, 0.9), (0.1, 0.95)) for _ in range(int(rng.integers(4, 8)))]
    if rng.random() < 0.5:  # hard edges between the fields, as on a drawn map
        colours = [colour for colour in colours for _ in range(6)]
    image = ramp(clouds(rng, (side, side), unit * rng.uniform(0.8, 4), 3), -2, 2, colours)
    for _ in range(int(rng.integers(5, 60))):
        x, y = rng.uniform(0, side / unit, 2).tolist()
        board, colour = Sketch(image, unit), random_colour(rng, (0.1, 0.95), (0.1, 0.98))
        if rng.random() < 0.3:
            board.stroke(rng.normal((x, y), 1.5, (4, 2)).tolist(), rng.uniform(0.02, 0.25), colour)
        else:
            board.part(x, y, rng.uniform(0.1, 1.2)).polygon(any_shape(rng), colour)
    return worn(laid(image, rng, size_wh, scale), rng)


def strewn(kind: str) -> TableTopMaker:
    """Return a maker of prints in staggered rows: of dots, or of words and small shapes."""

    def draw(rng: Rng, size_wh: Size, tile_px: float) -> Image:
        period = max(16, round(tile_px * rng.uniform(0.4, 3)))
        pattern = _plain(period, period, random_colour(rng, (0.0, 0.9), (0.1, 0.97)))
        words = ("Hallo", "Danke", "2024", "Fest", "Viel", "Winter", "Stadt", "&", "100 %")
        ink, size = random_colour(rng, (0.0, 0.9), (0.05, 0.98)), float(rng.uniform(0.2, 0.48))
        for row, column in np.ndindex(4, 2):
            cell = Sketch(pattern, period / 4).part(2 * column + 0.5 + row % 2, row + 0.5, size)
            if kind == "dots":
                cell.disc(0, 0, 1, ink)
                continue
            ink = random_colour(rng, (0.0, 0.9), (0.05, 0.98))
            if rng.random() < 0.35:
                cell.text(str(rng.choice(words)), 0, 0, 0.8, ink, 0.18)
            else:
                cell.polygon(any_shape(rng), ink)
        return woven(repeated(pattern, rng, size_wh), rng)

    return draw


TABLE_TOPS: Final[Mapping[str, TableTopMaker]] = {
    "wood-light": wood("#8a6238", "#c79a63", "#e0bd8a", "#edd3a8"),
    "wood-dark": wood("#1d120b", "#3c2717", "#55371f", "#6e4a2b"),
    "wood-red": wood("#3a140b", "#7a3219", "#9b4a26", "#b9683a"),
    "wood-grey": wood("#4a4640", "#858078", "#a39d93", "#c2bcb0"),
    "laminate": laminate,
    "marble": marble,
    "concrete": concrete,
    "ceramic": ceramic,
    "glass": glass,
    "paper": paper,
    "cork": cork,
    "rattan": rattan,
    "felt": felt,
    "gingham": bands("checks"),
    "chequerboard": bands("chequers"),
    "stripes": bands("stripes"),
    "polka-dots": strewn("dots"),
    "flowers": flowers,
    "cutting-mat": cutting_mat,
    "play-mat": play_mat,
    "wrapping": strewn("words"),
}
"""Makers of table tops by name."""


def table_top(rng: Rng, size_wh: Size, tile_px: float = 64.0, name: str | None = None) -> Image:
    """Draw a table top, seen straight from above, turned by any angle.

    Args:
        rng: Source of randomness.
        size_wh: Width and height of the picture in pixels.
        tile_px: Edge of a game tile in pixels, with which patterns scale.
        name: Name of one of ``TABLE_TOPS``; None for any.

    Returns:
        BGR picture (height, width, 3).

    Raises:
        ValueError: The name is unknown.
    """
    if name is not None and name not in TABLE_TOPS:
        raise ValueError(f"no table top {name!r}; choose one of {', '.join(TABLE_TOPS)}")
    return TABLE_TOPS[name or str(rng.choice(list(TABLE_TOPS)))](rng, size_wh, tile_px)
