"""Tile art without end: families of random faces for practice, made up anew for every seed.

Nothing here knows a game. A *family* is what lies in one box: faces that share a palette, a kind of
ground, a border and the way they are cut, and that differ in whatever the family's kind makes them
differ in: the things drawn, the terrain, a colour, nothing but a small emblem. Pictures are BGR,
``SIDE_PX`` square, float-free; every random choice comes from the generator that is given.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from vision.arrays import Image, floats
from vision.simulate.drawing import Colour
from vision.simulate.table_tops import table_top
from vision.simulate.texture import clouds, ramp, random_colour, shaded, varied

SIDE_PX = 80
"""Edge of a face."""
GLYPH_PX = 64
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789&?!%#@$+*=<>"

Mask = NDArray[np.uint8]
Rng = np.random.Generator


def tint(rng: Rng) -> Colour:
    """Any colour; a third of them greyish, some nearly black or white."""
    if rng.random() < 0.65:
        return random_colour(rng, (0.1, 1), (0.08, 1))
    return random_colour(rng, (0, 0.22), (0.02, 1))


def contrasting(rng: Rng, colour: Colour, least: float = 60.0) -> Colour:
    """A colour that stands out from another."""
    other = tint(rng)
    for _ in range(6):
        if float(np.abs(np.subtract(other, colour)).sum()) > least:
            break
        other = tint(rng)
    return other


# --- glyphs: white shapes on black, (GLYPH_PX, GLYPH_PX) ---


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _letter(rng: Rng) -> Mask:
    picture = PillowImage.new("L", (2 * GLYPH_PX, 2 * GLYPH_PX))
    text = "".join(LETTERS[int(i)] for i in rng.integers(len(LETTERS), size=rng.integers(1, 3)))
    ImageDraw.Draw(picture).text((20, 12), text, fill=255, font=_font(GLYPH_PX))
    return _filling(np.asarray(picture))


def _polar(rng: Rng) -> Mask:
    """A blob, star, flower or gear: a radius that swings round the middle."""
    angle = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    radius = np.ones_like(angle)
    for _ in range(int(rng.integers(1, 4))):
        wave = np.cos(int(rng.integers(1, 9)) * angle + rng.uniform(0, 6.3))
        radius += rng.uniform(0.1, 0.5) * (np.sign(wave) if rng.random() < 0.3 else wave)
    return _outline(np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1))


def _polygon(rng: Rng) -> Mask:
    corners = int(rng.integers(3, 9))
    angle = np.arange(2 * corners) * np.pi / corners + rng.uniform(0, 6.3)
    inner = 1.0 if rng.random() < 0.5 else float(rng.uniform(0.3, 0.8))
    radius = np.where(np.arange(2 * corners) % 2 == 0, 1.0, inner * np.cos(np.pi / corners))
    return _outline(np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1))


def _mirrored(rng: Rng) -> Mask:
    """A bitmap of few cells, mirrored as coats of arms and pixel figures are."""
    rows, half = int(rng.integers(4, 10)), int(rng.integers(2, 5))
    cells = (rng.random((rows, half)) < 0.55).astype(np.uint8) * 255
    both = np.hstack([cells, cells[:, ::-1]])
    soft = cv2.INTER_NEAREST if rng.random() < 0.5 else cv2.INTER_CUBIC
    large = cv2.resize(both, (GLYPH_PX, GLYPH_PX), interpolation=soft)
    return np.asarray(np.where(large > 127, 255, 0), np.uint8)


def _silhouette(rng: Rng) -> Mask:  # noqa: C901 # one branch a shape
    """One of the things that games draw: house, tree, crown, cup, figure, heart, arrow, ring."""
    m = np.zeros((GLYPH_PX, GLYPH_PX), np.uint8)
    kind = int(rng.integers(9))
    w = float(rng.uniform(0.75, 1.3))

    def fill(*points: tuple[float, float]) -> None:
        place = (floats(points) * (w, 1.0) * 28 + 32) * 16
        cv2.fillPoly(m, [np.rint(place).astype(np.int32)], 255, cv2.LINE_AA, 4)

    def disc(x: float, y: float, r: float, value: int = 255) -> None:
        cv2.circle(m, (int(32 + 28 * w * x), int(32 + 28 * y)), int(28 * r), value, -1, cv2.LINE_AA)

    if kind == 0:
        fill((-0.7, 1), (0.7, 1), (0.7, -0.1), (0, -1), (-0.7, -0.1))
    elif kind == 1:
        fill((-0.15, 1), (0.15, 1), (0.15, 0), (-0.15, 0))
        disc(0, -0.3, float(rng.uniform(0.45, 0.7)))
    elif kind == 2:
        fill((-1, 0.8), (1, 0.8), (1, -0.5), (0.5, 0.1), (0, -0.9), (-0.5, 0.1), (-1, -0.5))
    elif kind == 3:
        fill((-0.7, -0.8), (0.7, -0.8), (0.4, 0.9), (-0.4, 0.9))
    elif kind == 4:
        disc(0, -0.6, 0.35)
        fill((-0.9, 1), (-0.3, -0.3), (0.3, -0.3), (0.9, 1), (0.3, 1), (0, 0.4), (-0.3, 1))
    elif kind == 5:
        disc(-0.4, -0.3, 0.45)
        disc(0.4, -0.3, 0.45)
        fill((-0.8, -0.05), (0.8, -0.05), (0, 1))
    elif kind == 6:
        fill((-1, -0.3), (0.2, -0.3), (0.2, -0.9), (1, 0), (0.2, 0.9), (0.2, 0.3), (-1, 0.3))
    elif kind == 7:
        disc(0, 0, 0.95)
        disc(float(rng.uniform(-0.4, 0.4)), 0, float(rng.uniform(0.4, 0.75)), 0)
    else:
        fill((0, -1), (0.7, 0.6), (-0.7, 0.6))
        fill((0, -0.5), (0.9, 0.9), (-0.9, 0.9))
    return m


def _strokes(rng: Rng) -> Mask:
    m = np.zeros((GLYPH_PX, GLYPH_PX), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        points = rng.integers(6, GLYPH_PX - 6, (int(rng.integers(2, 5)), 1, 2)).astype(np.int32)
        cv2.polylines(m, [points], rng.random() < 0.3, 255, int(rng.integers(2, 9)), cv2.LINE_AA)
    return np.maximum(m, m[:, ::-1]) if rng.random() < 0.5 else m


def _outline(points: NDArray[np.float64]) -> Mask:
    points = points - (points.min(axis=0) + points.max(axis=0)) / 2
    points = points / np.abs(points).max() * (GLYPH_PX / 2 - 1) + GLYPH_PX / 2
    m = np.zeros((GLYPH_PX, GLYPH_PX), np.uint8)
    cv2.fillPoly(m, [np.rint(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return m


def _filling(picture: NDArray[np.uint8]) -> Mask:
    """What is drawn, brought to the glyph's size."""
    rows, columns = np.nonzero(picture > 40)
    if rows.size == 0:
        return np.full((GLYPH_PX, GLYPH_PX), 255, np.uint8)
    part = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    scale = GLYPH_PX / max(part.shape)
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    m = np.zeros((GLYPH_PX, GLYPH_PX), np.uint8)
    y, x = (GLYPH_PX - small.shape[0]) // 2, (GLYPH_PX - small.shape[1]) // 2
    m[y : y + small.shape[0], x : x + small.shape[1]] = small
    return m


GLYPHS: tuple[Callable[[Rng], Mask], ...] = (
    _letter,
    _polar,
    _polygon,
    _mirrored,
    _silhouette,
    _silhouette,
    _strokes,
)


def glyph(rng: Rng) -> Mask:
    """A random white shape on black, (GLYPH_PX, GLYPH_PX)."""
    return GLYPHS[int(rng.integers(len(GLYPHS)))](rng)


def stamp(
    picture: Image, mask: Mask, colour: Colour, centre: tuple[float, float], size: float
) -> None:
    """Print a shape of ``size`` pixels into a picture, in place."""
    n = max(4, int(size))
    small = cv2.resize(mask, (n, n), interpolation=cv2.INTER_AREA)
    x0, y0 = int(centre[0] - n / 2), int(centre[1] - n / 2)
    xa, ya = max(x0, 0), max(y0, 0)
    xb, yb = min(x0 + n, picture.shape[1]), min(y0 + n, picture.shape[0])
    if xb <= xa or yb <= ya:
        return
    alpha = floats(small[ya - y0 : yb - y0, xa - x0 : xb - x0, None]) / np.float32(255)
    under = picture[ya:yb, xa:xb]
    picture[ya:yb, xa:xb] = (under * (1 - alpha) + floats(colour) * alpha).astype(np.uint8)


# --- grounds ---


def _plain(_rng: Rng, base: Colour, side: int) -> Image:
    return np.full((side, side, 3), base, np.uint8)


def _gradient(rng: Rng, base: Colour, side: int) -> Image:
    angle, line = rng.uniform(0, 2 * np.pi), np.linspace(-1, 1, side)
    field = floats(np.add.outer(line * np.sin(angle), line * np.cos(angle)))
    return ramp(field, -1.4, 1.4, [base, varied(base, rng, 60)])


def _clouds(rng: Rng, base: Colour, side: int) -> Image:
    field = clouds(rng, (side, side), float(rng.uniform(4, 60)), int(rng.integers(1, 4)))
    spread = float(rng.choice([8, 25, 60]))
    return ramp(field, -2.5, 2.5, [varied(base, rng, spread) for _ in range(rng.integers(2, 5))])


def _stripes(rng: Rng, base: Colour, side: int) -> Image:
    angle, line = rng.uniform(0, 2 * np.pi), np.arange(side, dtype=np.float32)
    field = floats(np.add.outer(line * np.sin(angle), line * np.cos(angle)))
    if rng.random() < 0.4:
        field += 4 * clouds(rng, (side, side), side / 3, 1)
    wave = np.sin(field * 2 * np.pi / rng.uniform(4, 30)) * rng.uniform(1, 4)
    return ramp(floats(wave), -1, 1, [base, varied(base, rng, 40)])


def _dots(rng: Rng, base: Colour, side: int) -> Image:
    picture = _plain(rng, base, side)
    shades = [varied(base, rng, 35) for _ in range(4)]
    radius = float(rng.uniform(2, 9))
    for n, (x, y) in enumerate(rng.uniform(0, side, (int(rng.integers(20, 90)), 2))):
        r = int(max(1.0, radius * rng.uniform(0.5, 1.5)))
        cv2.circle(picture, (int(x), int(y)), r, shades[n % 4], -1, cv2.LINE_AA)
    return picture


def _cells(rng: Rng, base: Colour, side: int) -> Image:
    """Fields, stones or panes: each pixel takes the colour of the nearest of some points."""
    count = int(rng.integers(4, 30))
    seeds = rng.uniform(0, side, (count, 2))
    ys, xs = np.mgrid[:side:2, :side:2]
    nearest = ((xs[..., None] - seeds[:, 0]) ** 2 + (ys[..., None] - seeds[:, 1]) ** 2).argmin(-1)
    spread = float(rng.choice([12, 30, 80]))
    colours = np.array([varied(base, rng, spread) for _ in range(count)], np.uint8)
    return np.asarray(cv2.resize(colours[nearest], (side, side)), np.uint8)


def _photograph(rng: Rng, base: Colour, side: int) -> Image:
    """Like a photo of something: soft heaps of colour at all sizes, lit from one side."""
    far = contrasting(rng, base)
    heap = clouds(rng, (side, side), float(rng.uniform(15, 60)), 4)
    warp = clouds(rng, (side, side), float(rng.uniform(10, 50)), 2) * rng.uniform(0, 8)
    ys, xs = np.mgrid[:side, :side].astype(np.float32)
    heap = floats(
        cv2.remap(floats(heap), xs + warp, ys + warp.T, cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT)
    )
    colours = [varied(base, rng, 30), base, varied(far, rng, 30), far]
    picture = ramp(floats(heap), -2.2, 2.2, [colours[int(i)] for i in rng.permutation(4)])
    relief = cv2.Sobel(floats(heap), cv2.CV_32F, *((1, 0) if rng.random() < 0.5 else (0, 1)))
    return shaded(picture, floats(relief), float(rng.uniform(0, 45)))


def _material(rng: Rng, _base: Colour, side: int) -> Image:
    return table_top(rng, (side, side), float(rng.uniform(0.3, 1.5) * side))


def _checks(rng: Rng, base: Colour, side: int) -> Image:
    n, other = int(rng.integers(2, 9)), contrasting(rng, base)
    board = (np.add.outer(np.arange(n), np.arange(n)) % 2)[..., None]
    small = np.where(board, floats(base), floats(other)).astype(np.uint8)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_NEAREST), np.uint8)


Ground = Callable[[Rng, Colour, int], Image]
GROUNDS: tuple[tuple[Ground, float], ...] = (
    (_plain, 0.2),
    (_gradient, 0.1),
    (_clouds, 0.26),
    (_stripes, 0.06),
    (_dots, 0.1),
    (_cells, 0.08),
    (_photograph, 0.12),
    (_material, 0.05),
    (_checks, 0.03),
)


def any_ground(rng: Rng) -> Ground:
    """One of the grounds, the frequent ones more often."""
    return GROUNDS[int(rng.choice(len(GROUNDS), p=[share for _, share in GROUNDS]))][0]


# --- things on the ground ---


def draw_things(  # noqa: C901 # one branch a thing
    rng: Rng, picture: Image, count: int, palette: Sequence[Colour]
) -> None:
    """Draw ``count`` random things in colours of the palette, in place."""
    side = picture.shape[0]
    for _ in range(count):
        colour = palette[int(rng.integers(len(palette)))]
        x, y = rng.uniform(0, side, 2)
        r = side * float(np.exp(rng.uniform(np.log(0.04), np.log(0.4))))
        kind = int(rng.integers(12))
        if kind < 3:
            centre = rng.uniform(0.15 * side, 0.85 * side, 2)
            stamp(picture, glyph(rng), colour, (centre[0], centre[1]), 2 * r)
        elif kind == 3:
            axes = int(r) + 1, int(r * rng.uniform(0.3, 1)) + 1
            width = -1 if rng.random() < 0.7 else 2
            turn = float(rng.uniform(0, 180))
            cv2.ellipse(picture, (int(x), int(y)), axes, turn, 0, 360, colour, width, cv2.LINE_AA)
        elif kind == 4:
            end = tuple(int(v) for v in rng.uniform(0, side, 2))
            cv2.line(picture, (int(x), int(y)), end, colour, int(rng.integers(1, 5)), cv2.LINE_AA)
        elif kind == 5:
            turn = float(rng.uniform(0, 90)) * (rng.random() < 0.5)
            box = cv2.boxPoints(((x, y), (r, r * rng.uniform(0.3, 2)), turn))
            cv2.fillPoly(picture, [np.rint(box).astype(np.int32)], colour, cv2.LINE_AA)
        elif kind == 6:
            _draw_house(rng, picture, (x, y), r, colour, palette)
        elif kind == 7:
            for _ in range(int(rng.integers(5, 20))):
                px, py = (int(v) for v in rng.normal((x, y), r / 2))
                leaf = varied(colour, rng, 25)
                cv2.circle(picture, (px, py), int(1 + r / 4 * rng.random()), leaf, -1, cv2.LINE_AA)
        elif kind == 8:
            n = int(np.clip(r, 6, side // 2))
            u, v = (int(t) for t in rng.integers(0, side - n, 2))
            picture[v : v + n, u : u + n] = any_ground(rng)(rng, colour, n)
        elif kind == 9:
            text = "".join(
                LETTERS[int(i)] for i in rng.integers(len(LETTERS), size=rng.integers(1, 8))
            )
            size = float(rng.uniform(0.25, 0.9))
            cv2.putText(
                picture,
                text,
                (int(x * 0.6), int(y)),
                int(rng.integers(4)),
                size,
                colour,
                1,
                cv2.LINE_AA,
            )
        elif kind == 10:
            _draw_road(rng, picture, colour)
        else:
            edge = int(rng.uniform(0.1, 0.5) * side)
            (picture[:edge] if rng.random() < 0.5 else picture[:, :edge])[:] = colour


def _draw_house(
    rng: Rng,
    picture: Image,
    at: tuple[float, float],
    r: float,
    wall: Colour,
    palette: Sequence[Colour],
) -> None:
    (x, y), w, h = at, r * float(rng.uniform(0.5, 0.9)), r
    roof = palette[int(rng.integers(len(palette)))]
    cv2.rectangle(
        picture, (int(x - w / 2), int(y - h / 2)), (int(x + w / 2), int(y + h / 2)), wall, -1
    )
    gable = floats([[x - w * 0.65, y - h / 2], [x + w * 0.65, y - h / 2], [x, y - h]])
    cv2.fillPoly(picture, [gable.astype(np.int32)], roof, cv2.LINE_AA)
    for n in range(int(rng.integers(0, 5))):
        left = x - w / 2.5 + n % 3 * w / 3.5
        top = y - h / 3 + n // 3 * h / 2.5
        cv2.rectangle(
            picture, (int(left), int(top)), (int(left + w / 6), int(top + h / 5)), roof, -1
        )


def _draw_road(rng: Rng, picture: Image, colour: Colour) -> None:
    side = picture.shape[0]
    ends = [(side // 2, 0), (side, side // 2), (side // 2, side), (0, side // 2)]
    if rng.random() < 0.5:
        u, v = (int(rng.uniform(0.2, 0.8) * side) for _ in range(2))
        ends = [(u, 0), (side, v), (v, side), (0, u)]
    middle = tuple(int(v) for v in rng.uniform(0.35, 0.65, 2) * side)
    width = int(rng.integers(2, 16))
    for n in rng.choice(4, int(rng.integers(1, 5)), replace=False):
        cv2.line(picture, ends[int(n)], middle, colour, width, cv2.LINE_AA)


def _scene(rng: Rng, palette: Sequence[Colour], count: int) -> Image:
    """A view: sky, a horizon or two, things that stand on them."""
    sky = palette[0]
    picture = any_ground(rng)(rng, sky, SIDE_PX)
    height = float(rng.uniform(0.25, 0.6))
    xs = np.arange(0, SIDE_PX + 8, 8)
    for layer in range(int(rng.integers(1, 4))):
        line = SIDE_PX * (height + 0.18 * layer) + rng.normal(0, 4, len(xs))
        if rng.random() < 0.5:
            line += rng.uniform(2, 10) * np.sign(np.sin(xs * rng.uniform(0.1, 0.5)))
        points = np.vstack([np.column_stack([xs, line]), [[SIDE_PX, SIDE_PX], [0, SIDE_PX]]])
        land = palette[(layer + 1) % len(palette)]
        cv2.fillPoly(picture, [points.astype(np.int32)], land, cv2.LINE_AA)
    draw_things(rng, picture, count, palette)
    return picture


def _text(rng: Rng, base: Colour) -> Image:
    picture, ink = any_ground(rng)(rng, base, SIDE_PX), contrasting(rng, base, 200)
    size = float(rng.uniform(0.25, 0.6))
    for y in range(int(rng.integers(8, 20)), SIDE_PX, int(12 + 20 * size)):
        text = "".join(LETTERS[int(i)] for i in rng.integers(24, size=int(rng.integers(3, 14))))
        cv2.putText(picture, text.lower(), (4, y), int(rng.integers(3)), size, ink, 1, cv2.LINE_AA)
    return picture


# --- frames and cuts ---


@dataclass(frozen=True, slots=True)
class Frame:
    """How the edge of all faces of a family looks.

    ``kind`` is one of none, border, inset, bevel, double, worn. A ``strip`` along the lower edge of
    all faces, of that share of their height, bears names or rules; 0: none.
    """

    kind: str
    width: int
    colour: Colour
    second: Colour
    strip: float

    @classmethod
    def random(cls, rng: Rng) -> "Frame":
        """Any; a third have none."""
        kinds = ["none", "border", "inset", "bevel", "double", "worn"]
        colour = tint(rng) if rng.random() < 0.5 else random_colour(rng, (0, 0.4), (0, 0.25))
        kind = str(rng.choice(kinds, p=[0.36, 0.22, 0.12, 0.12, 0.06, 0.12]))
        strip = float(rng.uniform(0.07, 0.22)) if rng.random() < 0.15 else 0.0
        return cls(kind, int(rng.integers(1, 5)), colour, tint(rng), strip)

    def put_on(self, picture: Image) -> Image:
        """The picture (n, n, 3) with this edge."""
        last, w = picture.shape[0] - 1, self.width
        if self.strip:
            band = picture[round((1 - self.strip) * (last + 1)) :]
            mark = int(picture[::7, ::7].sum())  # what is written differs from face to face
            band[:] = self.second if mark % 3 else band // 2 + np.array(self.second, np.uint8) // 2
            ink = tuple(int(255 - v) for v in self.second)
            words = "".join(LETTERS[(mark >> k) % len(LETTERS)] for k in range(2, 12))
            high = band.shape[0] / 34
            at = (mark % 20, last - max(1, band.shape[0] // 4))
            cv2.putText(picture, words, at, mark % 3, high, ink, 1, cv2.LINE_AA)
        if self.kind in ("border", "double"):
            cv2.rectangle(picture, (0, 0), (last, last), self.colour, 2 * w + 1)
        if self.kind == "double":
            cv2.rectangle(picture, (w, w), (last - w, last - w), self.second, max(1, w // 2))
        if self.kind == "inset":
            far = last - 2 * w
            cv2.rectangle(picture, (2 * w, 2 * w), (far, far), self.colour, max(1, w // 2))
        if self.kind == "bevel":
            light = np.ones((last + 1, last + 1, 1), np.float32)
            light[:w] *= 1.2
            light[:, :w] *= 1.1
            light[-w:] *= 0.7
            light[:, -w:] *= 0.75
            return np.clip(picture * light, 0, 255).astype(np.uint8)
        if self.kind == "worn":
            steps = np.minimum(np.arange(last + 1), np.arange(last + 1)[::-1])
            fall = floats(1 - 0.35 * np.exp(-steps / max(1.0, w)))
            return np.asarray(picture * fall[:, None, None] * fall[None, :, None], np.uint8)
        return picture


# --- families ---

KINDS: Sequence[tuple[str, float]] = (
    ("same-ground", 0.16),
    ("dense", 0.14),
    ("terrain", 0.15),
    ("emblem-terrain", 0.12),
    ("any", 0.09),
    ("pieces", 0.07),
    ("plain", 0.05),
    ("scenes", 0.08),
    ("photographs", 0.05),
    ("text", 0.02),
    ("quarters", 0.05),
    ("drawn", 0.02),
)


@dataclass(frozen=True, slots=True)
class Family:
    """The faces of one box.

    Attributes:
        kind: what its faces share, one of ``KINDS``.
        faces: pictures (SIDE_PX, SIDE_PX, 3).
        others: further pictures of each face, as games of terrain have; mostly none.
        rounded: radius of the corners in tile widths; 0: sharp.
        any_turn: tiles are laid any way round.
        side: colour of the cardboard or wood.
        back: the picture on the other side.
    """

    kind: str
    faces: tuple[Image, ...]
    others: tuple[tuple[Image, ...], ...]
    rounded: float
    any_turn: bool
    side: Colour
    back: Image

    def tile(self, rng: Rng) -> Image:
        """One of the faces as it is laid."""
        face = self.picture(int(rng.integers(len(self.faces))), rng)
        turns = int(rng.integers(4)) if self.any_turn else 0
        return np.ascontiguousarray(np.rot90(face, turns))

    def picture(self, face: int, rng: Rng) -> Image:
        """One of the pictures of a face."""
        some = (self.faces[face], *self.others[face])
        return some[int(rng.integers(len(some)))]


def family(rng: Rng, kind: str | None = None, least_faces: int = 1) -> Family:
    """Make up a family.

    Args:
        rng: decides everything.
        kind: one of ``KINDS``; None for any.
        least_faces: at least so many faces.
    """
    if kind is None:
        kind = str(rng.choice([k for k, _ in KINDS], p=[share for _, share in KINDS]))
    count = max(least_faces, int(rng.choice([1, 2, 4, 6, 9, 12, 16])))
    base, frame = tint(rng), Frame.random(rng)
    pictures = 1
    if kind == "drawn":
        faces = _drawn_faces(rng, count)
    else:
        if kind in ("terrain", "emblem-terrain") and rng.random() < 0.6:
            pictures = int(rng.integers(2, 5))
        faces = [frame.put_on(face) for face in _faces(rng, kind, count, base, pictures)]
    back = any_ground(rng)(rng, tint(rng), SIDE_PX)
    if rng.random() < 0.6:
        stamp(
            back, glyph(rng), tint(rng), (SIDE_PX / 2, SIDE_PX / 2), SIDE_PX * rng.uniform(0.3, 0.8)
        )
    return Family(
        kind=kind,
        faces=tuple(faces[::pictures]),
        others=tuple(tuple(faces[n + 1 : n + pictures]) for n in range(0, len(faces), pictures)),
        rounded=float(rng.uniform(0.03, 0.2)) if rng.random() < 0.2 else 0.0,
        any_turn=bool(rng.random() < 0.5),
        side=varied(base, rng, 30) if rng.random() < 0.5 else tint(rng),
        back=frame.put_on(back),
    )


def _faces(  # noqa: C901 # one branch a kind
    rng: Rng, kind: str, count: int, base: Colour, pictures: int
) -> list[Image]:
    palette = [tint(rng) for _ in range(int(rng.integers(2, 7)))]
    things = int(rng.choice([0, 1, 2, 4, 8, 14], p=[0.07, 0.23, 0.2, 0.2, 0.2, 0.1]))
    ground, seed = any_ground(rng), int(rng.integers(1 << 30))
    if kind == "dense":
        palette = [varied(base, rng, 45) for _ in range(5)]
        things = int(rng.choice([5, 9, 16]))
        ground = (_plain, _clouds, _dots, _material)[int(rng.integers(4))]
    if kind in ("terrain", "emblem-terrain"):
        emblems = kind == "emblem-terrain"
        return _terrains(rng, count, palette, things, pictures, emblems=emblems)
    faces = []
    same = rng.random() < 0.4
    bold = _plain(
        rng, random_colour(rng, (0, 0.5), (0, 0.2)) if rng.random() < 0.6 else base, SIDE_PX
    )
    for _ in range(count):
        if kind in ("same-ground", "dense"):
            face = ground(np.random.default_rng(seed) if same else rng, base, SIDE_PX)
            draw_things(rng, face, int(rng.poisson(things)), palette)
            if rng.random() < 0.2:
                size = SIDE_PX * float(rng.uniform(0.3, 0.8))
                stamp(face, glyph(rng), tint(rng), (SIDE_PX / 2, SIDE_PX / 2), size)
        elif kind == "pieces":
            face = bold.copy()
            size = SIDE_PX * float(rng.uniform(0.6, 0.8))
            stamp(face, glyph(rng), contrasting(rng, base), (SIDE_PX / 2, SIDE_PX / 2), size)
        elif kind == "plain":
            soft = (_plain, _plain, _gradient)[int(rng.integers(3))]
            face = soft(rng, tint(rng) if rng.random() < 0.7 else varied(base, rng, 40), SIDE_PX)
        elif kind == "scenes":
            face = _scene(rng, palette, int(rng.poisson(things)))
        elif kind == "photographs":
            face = _photograph(rng, tint(rng), SIDE_PX)
        elif kind == "text":
            face = _text(rng, base)
        elif kind == "quarters":
            half = SIDE_PX // 2
            face = np.empty((SIDE_PX, SIDE_PX, 3), np.uint8)
            for row in (0, half):
                for column in (0, half):
                    part = ground(rng, palette[int(rng.integers(len(palette)))], half)
                    draw_things(rng, part, int(rng.integers(0, 4)), palette)
                    face[row : row + half, column : column + half] = part
        else:
            face = any_ground(rng)(rng, tint(rng), SIDE_PX)
            draw_things(rng, face, int(rng.integers(0, 8)), [tint(rng) for _ in range(3)])
        faces.append(face)
    return faces


def _terrains(
    rng: Rng, count: int, palette: Sequence[Colour], things: int, pictures: int, *, emblems: bool
) -> list[Image]:
    """Grass, water, corn: a few grounds with little on them, and at times one to three emblems.

    With several pictures a face, the ground and the emblems make the face, what else is drawn does
    not; else every picture is a face of its own.
    """
    grounds = [(any_ground(rng), tint(rng)) for _ in range(int(rng.integers(2, 7)))]
    if pictures > 1:
        count = min(count, len(grounds) * (4 if emblems else 1))
    emblem, ink = glyph(rng), tint(rng)
    size = SIDE_PX * float(rng.uniform(0.12, 0.25))
    place = floats(rng.uniform(0.12, 0.3, 2)) * SIDE_PX
    shares = pictures == 1 and rng.random() < 0.5
    sheets = [ground(rng, colour, 2 * SIDE_PX) for ground, colour in grounds if pictures > 1]
    faces = []
    for n in range(count):
        ground, colour = grounds[n % len(grounds)]
        for _ in range(pictures):
            if pictures > 1:
                face = _part_of(rng, sheets[n % len(grounds)])
            else:
                seed = np.random.default_rng(n % len(grounds)) if shares and emblems else rng
                face = ground(seed, colour, SIDE_PX)
            if rng.random() < 0.6 and not (shares and emblems):
                draw_things(
                    rng, face, int(rng.poisson(min(things, 4 if pictures == 1 else 2))), palette
                )
            if emblems:
                for e in range((n // len(grounds)) % 4):
                    left = float(place[0] + e * size * 1.1)
                    stamp(face, emblem, ink, (left, float(place[1])), size)
            faces.append(face)
    return faces


def _part_of(rng: Rng, sheet: Image) -> Image:
    """A tile cut out of a sheet of one ground, turned and mirrored at random."""
    x, y = (int(v) for v in rng.integers(0, sheet.shape[0] - SIDE_PX + 1, 2))
    part = np.rot90(sheet[y : y + SIDE_PX, x : x + SIDE_PX], int(rng.integers(4)))
    tone = float(np.exp(rng.normal(0, 0.06)))
    return np.asarray(cv2.convertScaleAbs(part[:, :: 1 if rng.random() < 0.5 else -1], alpha=tone))


def _drawn_faces(rng: Rng, count: int) -> list[Image]:
    """Tiles of one of the project's own drawn editions."""
    boxes = _drawn_editions()
    box = boxes[int(rng.integers(len(boxes)))]
    return [box[int(i)] for i in rng.permutation(len(box))[:count]]


@cache
def _drawn_editions() -> tuple[tuple[Image, ...], ...]:
    boxes = []
    for folder in sorted((resources.files("vision") / "editions" / "own").iterdir(), key=str):
        if not folder.is_dir():
            continue
        box = []
        for file in sorted(folder.iterdir(), key=str):
            if not file.name.endswith(".png") or file.name == "board.png":
                continue
            picture = cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None  # noqa: S101 - our own file
            small = cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
            box.append(np.asarray(small, np.uint8))
        boxes.append(tuple(box))
    return tuple(box for box in boxes if box)
