"""Props: other things on a table, as pictures with alpha, drawn anew for every seed.

Sketches count in edges of a game tile. Most props are sheets that differ by their size and by what
is printed on them.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Image, floats
from vision.editions.built_in import tile_picture
from vision.lab.simulate.drawing import (
    INK,
    IVORY,
    WHITE,
    Colour,
    Rng,
    Sketch,
    Spot,
    any_shape,
    arc,
    from_hex,
    mix,
    one_of,
    random_colour,
    vary_colour,
)
from vision.lab.simulate.texture import clouds, ramp

_SUPERSAMPLING: Final = 2
_BLEED_PX: Final = 7
"""Side of the square over which colours spread into transparent pixels."""
_BACK_PX: Final = 128
"""Side of the picture of a tile's back."""
_COLOURS = tuple(map(from_hex, ("#f4bf1f", "#4a4f58", "#cf2a2e", "#2468b4", "#2f9448", "#9c4a2c")))
"""Leading colours of the faces of Between Two Cities."""
_WOODEN = ("#c8342e", "#2e62b8", "#2f8f4a", "#edc12f", "#22242a", "#e9e4d8", "#e07b28", "#7a3f93",
           "#c9a06a")  # fmt: skip
_METALS = ("#b8693a", "#c9a54a", "#b4b7ba")
_DRINKS = ("#3a2012", "#7b4a25", "#b3752e", "#d9c9a8", "#e8e4dc")
_SKIN = ("#f3cdb0", "#e0ac86", "#c58a62", "#9a6444", "#6b4430")
Range = tuple[float, float]


class Prop(NamedTuple):
    """Thing that lies on a table.

    Attributes:
        image_bgra: Shape (height, width, 4); straight alpha, 255 opaque. Fully transparent pixels
            near the edge carry the colour of the object, so that the picture can be warped.
        size_tiles: Width and height in edges of a game tile.
    """

    image_bgra: Image
    size_tiles: tuple[float, float]


PropMaker = Callable[[Rng, float], Prop]
"""Function that draws a prop with a resolution in pixels per tile edge."""


def start_sketch(width: float, height: float, px_per_tile: float) -> Sketch:
    """Return a transparent sketch whose unit is the edge of a game tile."""
    px = px_per_tile * _SUPERSAMPLING
    shape = max(4, round(height * px)), max(4, round(width * px)), 4
    return Sketch(np.zeros(shape, np.uint8), px)


def finish_prop(sketch: Sketch) -> Prop:
    """Make a prop of a sketch from ``start_sketch``, reduced to its final resolution."""
    height, width = sketch.image.shape[:2]  # colour times alpha: all was drawn on transparent black
    size_wh = max(2, width // _SUPERSAMPLING), max(2, height // _SUPERSAMPLING)
    small = cv2.resize(sketch.image, size_wh, interpolation=cv2.INTER_AREA)
    spread = np.where(small[..., 3:] > 0, floats(small), cv2.blur(floats(small), (_BLEED_PX,) * 2))
    colour = spread[..., :3] * (255.0 / np.maximum(spread[..., 3:], 1e-3))
    small[..., :3] = np.clip(colour + 0.5, 0, 255).astype(np.uint8)
    return Prop(
        np.asarray(small, np.uint8), (width / sketch.px_per_unit, height / sketch.px_per_unit)
    )


# --- sheets, and prints on them ---

Print = Callable[[Rng, Sketch, float, float], None]
"""Function that prints on a sheet of a width and height."""

# Ranges of saturation and brightness
PALE: Final = (0.0, 0.3), (0.75, 0.99)
BRIGHT: Final = (0.2, 0.9), (0.2, 0.9)
DARK: Final = (0.2, 0.8), (0.05, 0.5)


def sheet(
    width: Range, height: Range | None, colours: tuple[Range, Range], corner: float, *prints: Print
) -> PropMaker:
    """Return a maker of sheets.

    Args:
        width: Range of widths.
        height: Range of heights; None for square sheets.
        colours: Ranges of saturation and brightness.
        corner: Radius of the corners.
        prints: Prints on the sheets.
    """

    def draw(rng: Rng, px_per_tile: float) -> Prop:
        w = float(rng.uniform(*width))
        h = float(rng.uniform(*height)) if height else w
        coarse = 1.0 if w * h < 20 else 0.6  # large sheets need no fine detail
        sketch, colour = start_sketch(w, h, px_per_tile * coarse), random_colour(rng, *colours)
        sketch.box(0.01, 0.01, w - 0.01, h - 0.01, mix(colour, INK, 0.35), corner)
        sketch.box(0.025, 0.025, w - 0.025, h - 0.025, colour, corner)
        for draw_print in prints:
            draw_print(rng, sketch, w, h)
        return finish_prop(sketch)

    return draw


def _lines(left: float, ink_width: float = 0.03) -> Print:
    """Return a print of lines of text or handwriting from a share of the width on."""

    def draw(rng: Rng, sketch: Sketch, w: float, h: float) -> None:
        ink, y = random_colour(rng, (0.0, 0.7), (0.1, 0.5)), 0.15
        step = float(rng.uniform(0.09, 0.25))
        while y < h - 0.15:
            x, end = w * left, w * float(rng.uniform(0.55, 0.93))
            if rng.random() < 0.1:
                sketch.text(str(rng.integers(1, 99)), (x + end) / 2, y, step * 0.6, ink, step * 0.1)
            elif rng.random() < 0.9:
                sketch.stroke([(x, y), (end, y)], ink_width, ink)
            y += step

    return draw


def _ruled(rng: Rng, sketch: Sketch, w: float, h: float) -> None:
    """Print fine lines or squares."""
    rule, step = from_hex("#9db8d2"), float(rng.uniform(0.11, 0.24))
    for y in np.arange(step, h, step).tolist():
        sketch.stroke([(0, y), (w, y)], 0.008, rule)
    for x in np.arange(step, w if rng.random() < 0.5 else 0, step).tolist():
        sketch.stroke([(x, 0), (x, h)], 0.008, rule)


def _cells(
    kind: str, area: tuple[float, float, float, float], columns: tuple[int, int], gap: float = 0.0
) -> Print:
    """Return a print of square cells within an area (left, top, right, bottom; shares)."""

    def draw(rng: Rng, sketch: Sketch, w: float, h: float) -> None:
        left, top, right, bottom = w * area[0], h * area[1], w * area[2], h * area[3]
        step = (right - left) / int(rng.integers(*columns, endpoint=True))
        for row, column in np.ndindex(round((bottom - top) / step), round((right - left) / step)):
            cell = sketch.part(left + column * step, top + row * step, step * (1 - gap))
            _cell(rng, cell, kind, row + column)

    return draw


def _cell(rng: Rng, cell: Sketch, kind: str, number: int) -> None:
    colour = one_of(rng, _COLOURS)
    if kind == "fields":
        cell.box(0.05, 0.05, 0.95, 0.95, IVORY if number % 5 else colour)
        cell.text(str(number), 0.5, 0.5, 0.34, INK, 0.06)
    elif kind == "chequers" and number % 2:
        cell.box(0, 0, 1, 1, IVORY)
    elif kind == "apps":
        cell.box(0, 0, 1, 1, random_colour(rng, (0.3, 0.95), (0.4, 1)), 0.1)
    elif kind == "shapes":
        cell.part(0.5, 0.5, 0.4).polygon(any_shape(rng), colour)
    elif kind == "tiles":
        cell.box(0, 0, 1, 1, from_hex("#d8d0bd"))
        cell.box(0.06, 0.06, 0.94, 0.94, random_colour(rng, (0.1, 0.5), (0.6, 0.95)))
        cell.box(0.2, float(rng.uniform(0.3, 0.6)), 0.85, 0.8, colour)
        cell.part(0.24, 0.24, 0.16).polygon(any_shape(rng), mix(colour, INK, 0.2))
        cell.box(0.06, 0.8, 0.94, 0.94, mix(colour, INK, 0.5))


def _picture(margin: float) -> Print:
    """Return a print of a photo or painting with a margin: soft colours and a few shapes."""

    def draw(rng: Rng, sketch: Sketch, w: float, h: float) -> None:
        px = sketch.px_per_unit / 2
        colours = [random_colour(rng, (0.1, 0.8), (0.1, 0.95)) for _ in range(5)]
        shape_hw = max(8, round(h * px)), max(8, round(w * px))
        scene = ramp(clouds(rng, shape_hw, px * rng.uniform(0.4, 1.5), 3), -2, 2, colours)
        for _ in range(int(rng.integers(0, 12))):
            x, y, size = rng.uniform((0, 0, 0.1), (w, h, 0.6)).tolist()
            Sketch(scene, px).part(x, y, size).polygon(any_shape(rng), random_colour(rng))
        sketch.paste(scene, margin, margin, w - margin, h - margin)

    return draw


def _title(rng: Rng, sketch: Sketch, w: float, h: float) -> None:
    title = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVZ05 "), int(rng.integers(2, 9)))).strip()
    sketch.text(title, w / 2, h * 0.2, min(w * 0.1, h * 0.2), random_colour(rng), w * 0.02)


_FIELDS: Final = _cells("fields", (0.0, 0.0, 1.0, 1.0), (15, 19))
_LEGEND: Final = _cells("shapes", (0.05, 0.05, 0.25, 1.0), (1, 1))
_EXAMPLE: Final = _cells("tiles", (0.1, 0.3, 0.5, 0.55), (3, 5), 0.06)
_PIPS: Final = _cells("shapes", (0.25, 0.2, 0.75, 0.9), (1, 3))
_CHEQUERS: Final = _cells("chequers", (0.04, 0.04, 0.96, 0.96), (8, 8))
_APPS: Final = _cells("apps", (0.1, 0.1, 0.9, 0.9), (4, 5), 0.2)


# --- solid things ---


def _random_tone(rng: Rng, tones: tuple[str, ...], spread: float = 10) -> Colour:
    return vary_colour(from_hex(one_of(rng, tones)), rng, spread)


def token(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a small wooden shape with its shaded side."""
    size, colour, outline = rng.uniform(0.3, 0.7), _random_tone(rng, _WOODEN, 12), any_shape(rng)
    sketch = start_sketch(size, size, px_per_tile).part(size / 2, size / 2, size * 0.44)
    for off, tone in (
        (0.06, mix(colour, INK, 0.55)),
        (-0.04, mix(colour, WHITE, 0.3)),
        (0, colour),
    ):
        sketch.polygon([(x + off, y + off) for x, y in outline], tone)
    return finish_prop(Sketch(sketch.image, px_per_tile * _SUPERSAMPLING))


def _ring_spot(middle: float, radius: float, angle: float) -> Spot:
    """Return a point of a circle about (middle, middle)."""
    return arc((middle, middle), radius, radius, angle, angle, 1)[0]


def _discs(sketch: Sketch, middle: float, *discs: tuple[float, Colour]) -> None:
    """Draw discs about a point, the outermost first."""
    for radius, colour in discs:
        sketch.disc(middle, middle, radius, colour)


def coin(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a coin of copper, brass or silver tone."""
    r, metal = rng.uniform(0.18, 0.3), _random_tone(rng, _METALS)
    sketch = start_sketch(2 * r, 2 * r, px_per_tile)
    heart = from_hex("#bfc2c4") if rng.random() < 0.4 else metal
    _discs(sketch, r, (r * 0.98, mix(metal, INK, 0.3)), (r * 0.9, metal), (r * 0.62, heart))
    sketch.text(
        str(rng.choice([1, 2, 5, 10, 20, 50])), r, r, r * 0.7, mix(metal, INK, 0.5), r * 0.12
    )
    return finish_prop(sketch)


def die(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a six-sided die."""
    edge, colour = rng.uniform(0.27, 0.45), random_colour(rng, (0, 0.9), (0.1, 1))
    sketch = start_sketch(edge, edge, px_per_tile)
    cube = sketch.part(0, 0, edge)
    cube.box(0, 0, 1, 1, mix(colour, INK, 0.3), 0.18)
    cube.box(0.05, 0.05, 0.95, 0.95, colour, 0.2)
    pip, value = (WHITE if sum(colour) < 380 else INK), int(rng.integers(1, 7))
    spots = [(0.26, 0.26), (0.74, 0.74), (0.26, 0.74), (0.74, 0.26), (0.26, 0.5), (0.74, 0.5)]
    for x, y in [*spots[: value // 2 * 2], *[(0.5, 0.5)] * (value % 2)]:
        cube.disc(x, y, 0.09, pip)
    return finish_prop(sketch)


def mug(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a mug or cup with a drink and a handle, sometimes on a saucer."""
    r, drink = rng.uniform(0.75, 1.05), _random_tone(rng, _DRINKS)
    colour = random_colour(rng, (0, 0.8), (0.15, 0.98))
    sketch, middle = start_sketch(3.4 * r, 3.4 * r, px_per_tile), 1.7 * r
    if rng.random() < 0.4:
        _dish(sketch, middle, mix(colour, IVORY, 0.4))
    grip = _ring_spot(middle, r * 1.4, rng.uniform(0, 360))
    sketch.stroke([(middle, middle), grip], r * 0.25, mix(colour, INK, 0.2))
    _discs(sketch, middle, (r, colour), (r * 0.9, mix(colour, INK, 0.35)), (r * 0.84, drink))
    shine = mix(drink, WHITE, 0.5)
    sketch.oval(middle - r * 0.3, middle - r * 0.35, r * 0.25, r * 0.1, shine, -40)
    return finish_prop(sketch)


def _dish(sketch: Sketch, r: float, colour: Colour) -> None:
    dark, bright = mix(colour, INK, 0.15), mix(colour, WHITE, 0.15)
    _discs(sketch, r, (r * 0.995, dark), (r * 0.97, colour), (r * 0.76, dark), (r * 0.73, bright))


def tumbler(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a drinking glass: translucent, with bright rims."""
    r = rng.uniform(0.55, 0.85)
    sketch, middle = start_sketch(2 * r + 0.04, 2 * r + 0.04, px_per_tile), r + 0.02
    drink = random_colour(rng, (0.0, 0.9), (0.4, 1)) if rng.random() < 0.6 else (235, 235, 230)
    sketch.disc(middle, middle, r, mix(drink, WHITE, 0.3))
    sketch.image[:] = cv2.convertScaleAbs(sketch.image, alpha=rng.uniform(0.2, 0.75))
    turn = rng.uniform(0, 360)
    for share, colour, start, end in (
        (0.97, WHITE, 0, 360), (0.9, (150, 150, 145), 0, 360), (0.8, WHITE, turn, turn + 60),
    ):  # fmt: skip
        rim = arc((middle, middle), r * share, r * share, start, end, 40)
        sketch.stroke(rim, r * 0.04, colour)
    return finish_prop(sketch)


def bowl(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a bowl or plate, empty or with nuts, crisps or sweets."""
    r, tone = rng.uniform(0.9, 2.6), random_colour(rng, (0.4, 0.9), (0.4, 0.95))
    sketch = start_sketch(2 * r, 2 * r, px_per_tile)
    _dish(sketch, r, random_colour(rng, (0, 0.8), (0.3, 0.98)))
    for _ in range(int(rng.integers(5, 40)) if rng.random() < 0.7 else 0):
        x, y = _ring_spot(r, r * 0.62 * math.sqrt(rng.random()), rng.uniform(0, 360))
        size, turn = rng.uniform(0.07, 0.2), rng.uniform(0, 180)
        sketch.oval(x, y, size * 1.05, size * 0.75, mix(tone, INK, 0.4), turn)
        sketch.oval(x, y, size, size * 0.65, vary_colour(tone, rng, 25), turn)
    return finish_prop(sketch)


def pencil(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a pencil or pen, lying from left to right."""
    long, thick = rng.uniform(2.2, 4.2), rng.uniform(0.15, 0.26)
    sketch, colour = (
        start_sketch(long, thick, px_per_tile),
        random_colour(rng, (0.1, 0.95), (0.1, 0.95)),
    )
    neck, wood = long - thick * 1.5, from_hex("#e2bd8b") if rng.random() < 0.6 else colour
    sketch.polygon([(neck, 0), (long, thick / 2), (neck, thick)], wood)
    sketch.polygon([(long - 0.1, thick * 0.35), (long, thick / 2), (long - 0.1, thick * 0.65)], INK)
    sketch.box(0, 0, neck, thick, colour)
    sketch.box(0, thick * 0.3, neck, thick * 0.55, mix(colour, WHITE, 0.3))
    sketch.box(0, 0, thick * rng.uniform(0.3, 1.2), thick, random_colour(rng))
    return finish_prop(sketch)


_FINGERS: Final = (
    ((1.0, 2.3), (0.55, 0.9), 0.34), ((1.45, 2.1), (1.3, 0.42), 0.36),
    ((1.9, 2.1), (2.0, 0.38), 0.36), ((2.3, 2.3), (2.62, 0.85), 0.32),
    ((2.2, 3.1), (3.1, 2.2), 0.38),
)  # fmt: skip


def hand(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a hand that reaches in from below with spread fingers, and its sleeve."""
    sketch, skin = start_sketch(3.4, 5.2, px_per_tile), _random_tone(rng, _SKIN, 8)
    for grow, colour in ((0.05, mix(skin, INK, 0.3)), (0.0, skin)):
        for root, tip, thick in _FINGERS:
            sketch.stroke([root, tip], thick + grow, colour)
        sketch.box(0.82 - grow, 2.0 - grow, 2.5 + grow, 3.9 + grow, colour, 0.5)
        sketch.box(1.0 - grow, 3.3, 2.3 + grow, 5.2, colour)
    for _, tip, thick in _FINGERS:
        sketch.disc(*tip, thick * 0.3, mix(skin, WHITE, 0.4))
    sketch.box(0.75, 4.3, 2.55, 5.2, random_colour(rng, (0.1, 0.9), (0.1, 0.9)))
    return finish_prop(sketch)


def finger(rng: Rng, px_per_tile: float) -> Prop:
    """Draw one finger that points upwards, as over the edge of a photo."""
    thick, length, skin = rng.uniform(0.32, 0.5), rng.uniform(1.5, 3.0), _random_tone(rng, _SKIN, 8)
    sketch, middle, dark = (
        start_sketch(thick * 1.1, length, px_per_tile),
        thick * 0.55,
        mix(skin, INK, 0.3),
    )
    for width, colour in ((thick * 1.05, dark), (thick * 0.95, skin)):
        sketch.stroke([(middle, thick * 0.58), (middle, length)], width, colour)
    sketch.oval(middle, thick * 0.42, thick * 0.27, thick * 0.33, mix(skin, WHITE, 0.4))
    for y in (length * 0.45, length * 0.48):
        sketch.stroke([(middle - thick * 0.25, y), (middle + thick * 0.25, y)], 0.015, dark)
    return finish_prop(sketch)


def face_down_tile(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a tile, single or duplex, face down; its back in any colour."""
    wide, tall = ((1, 1), (2, 1), (1, 2))[int(rng.integers(3))]
    sketch, back = start_sketch(wide, tall, px_per_tile), _tinted_back(rng)
    if rng.random() < 0.5:  # one print a half
        sketch.paste(back, 0, 0, 1, 1)
        sketch.paste(back, wide - 1, tall - 1, wide, tall)
    else:
        sketch.paste(back, 0, 0, wide, tall)
    return finish_prop(sketch)


def face_down_stack(rng: Rng, px_per_tile: float) -> Prop:
    """Draw a carelessly built stack of face-down tiles."""
    count, slip = int(rng.integers(2, 9)), 0.04
    reach = 1.04 + count * slip * 2
    sketch, back = start_sketch(reach, reach, px_per_tile), _tinted_back(rng)
    spots = np.clip(
        np.cumsum(rng.uniform(-slip, slip, (count, 2)), axis=0), -slip * count, slip * count
    )
    for x, y in (spots + slip * count).tolist():
        sketch.box(x + 0.01, y + 0.02, x + 1.02, y + 1.03, from_hex("#5d5548"))
        sketch.paste(back, x, y, x + 1, y + 1)
    return finish_prop(sketch)


def _tinted_back(rng: Rng) -> Image:
    hsv = cv2.cvtColor(tile_picture("back", _BACK_PX), cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


PROPS: Final[Mapping[str, PropMaker]] = {
    "score-board": sheet((4.8, 6.6), (1.8, 3.2), PALE, 0.0, _FIELDS, _picture(0.45)),
    "reference-card": sheet((1.1, 1.6), (1.6, 2.3), PALE, 0.06, _LEGEND, _lines(0.32)),
    "notepad": sheet((1.5, 3.2), (2.0, 4.4), PALE, 0.0, _ruled, _lines(0.1, 0.018)),
    "rule-sheet": sheet((3.0, 4.8), (4.0, 6.4), PALE, 0.0, _lines(0.06), _EXAMPLE),
    "playing-card": sheet((1.25, 1.5), (1.85, 2.1), PALE, 0.1, _PIPS, _title),
    "photo-print": sheet((2.0, 3.6), (1.6, 2.6), PALE, 0.0, _picture(0.1)),
    "game-box": sheet((4.5, 6.5), (3.5, 7.5), BRIGHT, 0.05, _picture(0.2), _title),
    "banknote": sheet((2.4, 3.4), (1.2, 1.6), PALE, 0.0, _picture(0.15), _title),
    "chessboard": sheet((3.4, 9.0), None, DARK, 0.0, _CHEQUERS),
    "phone": sheet((1.5, 1.75), (3.1, 3.6), DARK, 0.2, _APPS),
    "token": token,
    "coin": coin,
    "die": die,
    "face-down-tile": face_down_tile,
    "face-down-stack": face_down_stack,
    "mug": mug,
    "tumbler": tumbler,
    "bowl": bowl,
    "pencil": pencil,
    "hand": hand,
    "finger": finger,
}
"""Makers of props by name."""


def random_prop(rng: Rng, px_per_tile: float = 64.0, name: str | None = None) -> Prop:
    """Draw a prop, seen from above and upright.

    Args:
        rng: Source of randomness.
        px_per_tile: Pixels along the edge of a game tile.
        name: Name of one of ``PROPS``; None for any.

    Raises:
        ValueError: The name is unknown.
    """
    if name is not None and name not in PROPS:
        raise ValueError(f"no prop {name!r}; choose one of {', '.join(PROPS)}")
    return PROPS[name or str(rng.choice(list(PROPS)))](rng, px_per_tile)
