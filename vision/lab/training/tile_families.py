"""Random families of tile faces, on which the networks are trained.

Nothing here knows a game. A *family* is what lies in one box: faces that share a palette, a kind of
background, a border and the way they are cut, and that differ in what the family's kind says: the
things drawn, the terrain, a colour, or a small emblem alone. Pictures are BGR, ``SIDE_PX`` square;
every random choice comes from the generator that is given.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Image, floats
from vision.editions.folder import built_in_edition, built_in_games
from vision.lab.simulate.drawing import (
    Colour,
    Rng,
    Sketch,
    any_shape,
    one_of,
    random_colour,
    vary_colour,
)
from vision.lab.simulate.table_tops import table_top
from vision.lab.simulate.texture import clouds, ramp, shaded

SIDE_PX = 80
"""Edge of a face."""
GLYPH_PX = 64
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789&?!%#@$+*=<>"
KEPT = 240
"""Number of families kept: making one takes as long as laying thirty tiles."""

Mask = NDArray[np.uint8]


def random_tile_colour(rng: Rng) -> Colour:
    """Return any colour; a third of them greyish, some nearly black or white."""
    if rng.random() < 0.65:
        return random_colour(rng, (0.1, 1), (0.08, 1))
    return random_colour(rng, (0, 0.22), (0.02, 1))


def contrasting(rng: Rng, colour: Colour, least: float = 60.0) -> Colour:
    """Return a colour that stands out from another."""
    others = [random_tile_colour(rng) for _ in range(7)]
    far = (other for other in others if float(np.abs(np.subtract(other, colour)).sum()) > least)
    return next(far, others[-1])


def random_text(rng: Rng, fewest: int, most: int) -> str:
    """Return a random string of letters, digits and signs."""
    return "".join(one_of(rng, LETTERS) for _ in range(int(rng.integers(fewest, most))))


def glyph(rng: Rng) -> Mask:
    """Draw a white shape on black (GLYPH_PX, GLYPH_PX): letters, a shape, a bitmap, strokes."""
    kind, m = rng.random(), np.zeros((GLYPH_PX, GLYPH_PX, 1), np.uint8)
    if kind < 0.15:
        return letters(random_text(rng, 1, 3), int(rng.integers(8)), int(rng.integers(2, 9)))
    if kind < 0.7:
        Sketch(m, GLYPH_PX / 2 - 1, (GLYPH_PX / 2, GLYPH_PX / 2)).polygon(
            any_shape(rng), (255, 0, 0)
        )
    elif kind < 0.85:  # a bitmap of few cells, mirrored as coats of arms and pixel figures are
        cells = (rng.random((int(rng.integers(4, 10)), int(rng.integers(2, 5)))) < 0.55) * 255.0
        soft = one_of(rng, (cv2.INTER_NEAREST, cv2.INTER_CUBIC))
        both = np.hstack([cells, cells[:, ::-1]])
        m[cv2.resize(both, (GLYPH_PX, GLYPH_PX), interpolation=soft) > 127] = 255
    else:
        for _ in range(int(rng.integers(1, 4))):
            points = rng.integers(6, GLYPH_PX - 6, (int(rng.integers(2, 5)), 1, 2)).astype(np.int32)
            wide = int(rng.integers(2, 9))
            cv2.polylines(m, [points], rng.random() < 0.3, 255, wide, cv2.LINE_AA)
        m = np.maximum(m, m[:, ::-1]) if rng.random() < 0.5 else m
    return m[..., 0]


def letters(text: str, font: int, thick: int) -> Mask:
    """Draw a text in white on black (GLYPH_PX, GLYPH_PX), in one of OpenCV's fonts."""
    m, edge = np.zeros((GLYPH_PX, GLYPH_PX), np.uint8), thick + 2
    (wide, high), below = cv2.getTextSize(text, font, 2.0, thick)
    large = np.zeros((high + below + 2 * edge, wide + 2 * edge), np.uint8)
    cv2.putText(large, text, (edge, high + edge), font, 2.0, 255, thick, cv2.LINE_AA)
    left, top, wide, high = cv2.boundingRect(large)
    large = large[top : top + high, left : left + wide]
    scale = GLYPH_PX / max(large.shape)
    small = cv2.resize(large, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    y, x = (GLYPH_PX - small.shape[0]) // 2, (GLYPH_PX - small.shape[1]) // 2
    m[y : y + small.shape[0], x : x + small.shape[1]] = small
    return m


def stamp(
    picture: Image | FloatImage,
    mask: Mask,
    colour: Colour,
    centre: tuple[float, float],
    size: float,
) -> None:
    """Print a shape of ``size`` pixels into a picture, in place."""
    n = max(4, int(size))
    small = cv2.resize(mask, (n, n), interpolation=cv2.INTER_AREA)
    x, y = int(centre[0] - n / 2), int(centre[1] - n / 2)
    under = picture[max(y, 0) : max(y + n, 0), max(x, 0) : max(x + n, 0)]
    part = small[max(-y, 0) :, max(-x, 0) :][: under.shape[0], : under.shape[1], None]
    under[:] = under + (floats(colour) - under) * (part / np.float32(255))


# --- backgrounds ---

Background = Callable[[Rng, Colour, int], Image]


def _plain(_rng: Rng, base: Colour, side: int) -> Image:
    return np.full((side, side, 3), base, np.uint8)


def _gradient(rng: Rng, base: Colour, side: int) -> Image:
    angle, line = rng.uniform(0, 2 * np.pi), np.linspace(-1, 1, side)
    field = floats(np.add.outer(line * np.sin(angle), line * np.cos(angle)))
    return ramp(field, -1.4, 1.4, [base, vary_colour(base, rng, 60)])


def _clouds(rng: Rng, base: Colour, side: int) -> Image:
    field = clouds(rng, (side, side), float(rng.uniform(4, 60)), int(rng.integers(1, 4)))
    spread = float(rng.choice([8, 25, 60]))
    return ramp(
        field, -2.5, 2.5, [vary_colour(base, rng, spread) for _ in range(rng.integers(2, 5))]
    )


def _fields(rng: Rng, base: Colour, side: int) -> Image:
    """Draw fields, stones or panes: each pixel has the colour of the nearest of some points."""
    count, spread = int(rng.integers(4, 30)), float(rng.choice([12, 30, 80]))
    x, y = rng.uniform(0, side, (2, count))
    ys, xs = np.mgrid[:side:2, :side:2, :1][:2]
    nearest = ((xs - x) ** 2 + (ys - y) ** 2).argmin(axis=-1)
    colours = np.array([vary_colour(base, rng, spread) for _ in range(count)], np.uint8)
    return np.asarray(cv2.resize(colours[nearest], (side, side)), np.uint8)


def _photograph(rng: Rng, base: Colour, side: int) -> Image:
    """Draw soft heaps of colour at all sizes, lit from one side, like a photo of something."""
    far = contrasting(rng, base)
    heap = clouds(rng, (side, side), float(rng.uniform(15, 60)), 4)
    warp = clouds(rng, (side, side), float(rng.uniform(10, 50)), 2) * np.float32(rng.uniform(0, 8))
    ys, xs = np.mgrid[:side, :side].astype(np.float32)
    heap = floats(cv2.remap(heap, xs + warp, ys + warp.T, 1, None, cv2.BORDER_REFLECT))
    colours = [vary_colour(base, rng, 30), base, vary_colour(far, rng, 30), far]
    picture = ramp(heap, -2.2, 2.2, [colours[n] for n in rng.permutation(4).tolist()])
    relief = cv2.Sobel(heap, cv2.CV_32F, *one_of(rng, ((1, 0), (0, 1))))
    return shaded(picture, floats(relief), float(rng.uniform(0, 45)))


def _material(rng: Rng, base: Colour, side: int) -> Image:
    """Draw a table top's material: stripes, dots, checks, wood; in its colours or in ``base``."""
    picture = table_top(rng, (side, side), float(np.exp(rng.uniform(-1.2, 0.4))) * side)
    if rng.random() < 0.3:
        return picture
    moved = picture + (floats(base) - picture.mean(axis=(0, 1)))
    return np.asarray(np.clip(moved, 0, 255), np.uint8)


_BACKGROUNDS: Sequence[tuple[Background, float]] = (
    (_plain, 0.2), (_gradient, 0.1), (_clouds, 0.26), (_fields, 0.08), (_photograph, 0.12),
    (_material, 0.24),
)  # fmt: skip


def any_background(rng: Rng) -> Background:
    """Choose a background; frequent ones more often."""
    return _BACKGROUNDS[int(rng.choice(len(_BACKGROUNDS), p=[share for _, share in _BACKGROUNDS]))][
        0
    ]


# --- things on the background ---


def draw_things(  # noqa: C901 # one branch a thing
    rng: Rng, picture: Image, count: int, palette: Sequence[Colour]
) -> None:
    """Draw ``count`` random things in colours of the palette, in place."""
    side, board = picture.shape[0], Sketch(picture, 1)
    for _ in range(count):
        colour, kind = one_of(rng, palette), int(rng.integers(12))
        x, y = rng.uniform(0, side, 2).tolist()
        r = side * float(np.exp(rng.uniform(np.log(0.04), np.log(0.4))))
        flat, turn = float(rng.uniform(0.3, 1)), float(rng.uniform(0, 180))
        if kind < 3:
            u, v = rng.uniform(0.15 * side, 0.85 * side, 2).tolist()
            stamp(picture, glyph(rng), colour, (u, v), 2 * r)
        elif kind == 3:
            board.oval(x, y, r, r * flat, colour, turn)
        elif kind == 4:
            end, width = tuple(rng.uniform(0, side, 2).tolist()), int(rng.integers(1, 5))
            board.stroke([(x, y), end], width, colour)
        elif kind < 7:  # houses, boxes, stars; those with a second colour have a roof or windows
            shape = any_shape(rng)
            board.part(x, y, r).polygon(shape, colour)
            if rng.random() < 0.5:
                board.part(x, y - r * flat, r * flat).polygon(shape, one_of(rng, palette))
        elif kind == 7:  # leaves
            for px, py in rng.normal((x, y), r / 2, (int(rng.integers(5, 20)), 2)).tolist():
                board.disc(px, py, 1 + r / 4 * float(rng.random()), vary_colour(colour, rng, 25))
        elif kind == 8:
            n = int(np.clip(r, 6, side // 2))
            u, v = (int(t) for t in rng.integers(0, side - n, 2))
            picture[v : v + n, u : u + n] = any_background(rng)(rng, colour, n)
        elif kind == 9:
            _write(rng, picture, (int(x * 0.6), int(y)), random_text(rng, 1, 8), colour)
        elif kind == 10:  # roads from the sides to a crossing
            u, v = (rng.uniform(0.2, 0.8, 2) if rng.random() < 0.5 else np.full(2, 0.5)) * side
            middle = tuple((rng.uniform(0.35, 0.65, 2) * side).tolist())
            width = int(rng.integers(2, 16))
            ends = ((u, 0), (side, v), (v, side), (0, u))
            for n in rng.choice(4, int(rng.integers(1, 5)), replace=False).tolist():
                board.stroke([ends[n], middle], width, colour)
        else:
            edge = int(rng.uniform(0.1, 0.5) * side)
            (picture[:edge] if rng.random() < 0.5 else picture[:, :edge])[:] = colour


def _write(rng: Rng, picture: Image, at: tuple[int, int], text: str, colour: Colour) -> None:
    font, size = int(rng.integers(4)), float(rng.uniform(0.25, 0.9))
    cv2.putText(picture, text, at, font, size, colour, 1, cv2.LINE_AA)


def _scene(rng: Rng, palette: Sequence[Colour], count: int) -> Image:
    """Draw a view: sky, a horizon or two, things that stand on them."""
    picture = any_background(rng)(rng, palette[0], SIDE_PX)
    height, xs = float(rng.uniform(0.25, 0.6)), np.arange(0, SIDE_PX + 8, 8)
    for layer in range(int(rng.integers(1, 4))):
        line = SIDE_PX * (height + 0.18 * layer) + rng.normal(0, 4, len(xs))
        if rng.random() < 0.5:
            line += rng.uniform(2, 10) * np.sign(np.sin(xs * rng.uniform(0.1, 0.5)))
        spots = [*zip(xs.tolist(), line.tolist(), strict=True), (SIDE_PX, SIDE_PX), (0, SIDE_PX)]
        Sketch(picture, 1).polygon(spots, palette[(layer + 1) % len(palette)])
    draw_things(rng, picture, count, palette)
    return picture


def _text(rng: Rng, base: Colour) -> Image:
    picture, ink = any_background(rng)(rng, base, SIDE_PX), contrasting(rng, base, 200)
    for y in range(int(rng.integers(8, 20)), SIDE_PX, int(rng.integers(17, 25))):
        _write(rng, picture, (4, y), random_text(rng, 3, 14).lower(), ink)
    return picture


# --- frames and families ---


@dataclass(frozen=True, slots=True)
class TileEdge:
    """Edge that all faces of a family share.

    ``kind`` is one of none, border, inset, bevel, double, worn. A ``strip`` along the lower edge of
    all faces, of that share of their height, bears names or rules; 0: none.
    """

    kind: str
    width: int
    colour: Colour
    second: Colour
    strip: float

    @classmethod
    def random(cls, rng: Rng) -> "TileEdge":
        """Return a random edge; a third have none."""
        kinds = ["none", "border", "inset", "bevel", "double", "worn"]
        colour = (
            random_tile_colour(rng)
            if rng.random() < 0.5
            else random_colour(rng, (0, 0.4), (0, 0.25))
        )
        kind = str(rng.choice(kinds, p=[0.36, 0.22, 0.12, 0.12, 0.06, 0.12]))
        strip = float(rng.uniform(0.07, 0.22)) if rng.random() < 0.15 else 0.0
        return cls(kind, int(rng.integers(1, 5)), colour, random_tile_colour(rng), strip)

    def put_on(self, rng: Rng, picture: Image) -> Image:
        """Draw the edge on a picture (n, n, 3)."""
        last, w = picture.shape[0] - 1, self.width
        if self.strip:
            band = picture[round((1 - self.strip) * (last + 1)) :]
            share = float(rng.choice([0.5, 1, 1]))
            band[:] = band * (1 - share) + floats(self.second) * share
            ink, at = tuple(255 - v for v in self.second), (int(rng.integers(20)), last - 2)
            cv2.putText(
                picture, random_text(rng, 5, 12), at, 0, len(band) / 34, ink, 1, cv2.LINE_AA
            )
        boxes = {"border": ((0, 2 * w + 1),), "inset": ((2 * w, max(1, w // 2)),),
                 "double": ((0, 2 * w + 1), (w, max(1, w // 2)))}  # fmt: skip
        inks = self.colour, self.second
        for (near, thick), ink in zip(boxes.get(self.kind, ()), inks, strict=False):
            cv2.rectangle(picture, (near, near), (last - near, last - near), ink, thick)
        if self.kind == "bevel":
            light = np.ones((last + 1, last + 1, 1), np.float32)
            light[:w] *= 1.2
            light[:, :w] *= 1.1
            light[-w:] *= 0.7
            light[:, -w:] *= 0.75
            return np.clip(picture * light, 0, 255).astype(np.uint8)
        if self.kind == "worn":
            steps = np.minimum(np.arange(last + 1), np.arange(last + 1)[::-1])
            fall = floats(1 - 0.35 * np.exp(-steps / w))
            return np.asarray(picture * np.outer(fall, fall)[..., None], np.uint8)
        return picture


@dataclass(frozen=True, slots=True)
class SignStyle:
    """Style that the signs of a family share.

    Attributes:
        kind: One of letters, emblems, dots, any.
        inks: Colours, one for each sign.
        size: Diameter of a sign, or of the disc or ring round it, in pixels.
        centre: Centre (x, y) of a sign, in pixels.
        frame: One of none, ring, disc.
        paint: Colour of the disc or ring.
        font: Number of one of OpenCV's fonts.
        thick: Width of the strokes of letters.
        in_corners: Whether the sign is repeated in two corners, as on cards.
    """

    kind: str
    inks: tuple[Colour, ...]
    size: float
    centre: tuple[float, float]
    frame: str
    paint: Colour
    font: int
    thick: int
    in_corners: bool

    @classmethod
    def random(cls, rng: Rng, base: Colour) -> "SignStyle":
        """Return a random style for tiles of this colour."""
        spread = 0.2 if rng.random() < 0.15 else 0.0
        x, y = (SIDE_PX * rng.uniform(0.5 - spread, 0.5 + spread, 2)).tolist()
        return cls(
            one_of(rng, ("letters", "letters", "emblems", "dots", "any")),
            tuple(contrasting(rng, base, 150) for _ in range(int(rng.integers(1, 4)))),
            SIDE_PX * float(rng.uniform(0.22, 0.85)),
            (x, y),
            str(rng.choice(["none", "ring", "disc"], p=[0.55, 0.25, 0.2])),
            contrasting(rng, base),
            int(rng.integers(8)),
            int(rng.integers(1, 8)),
            rng.random() < 0.2,
        )

    def draw_sign(self, rng: Rng, face: Image) -> None:
        """Draw a random sign of this style on a face, in place."""
        (x, y), ink = self.centre, one_of(rng, self.inks)
        if self.frame == "disc":
            Sketch(face, 1).disc(x, y, self.size / 2, self.paint)
        elif self.frame == "ring":
            width = max(1, round(self.size * float(rng.uniform(0.02, 0.1))))
            middle = round(x), round(y)
            cv2.circle(face, middle, round(self.size / 2), self.paint, width, cv2.LINE_AA)
        size = self.size * (1.0 if self.frame == "none" else 0.72)
        if self.kind == "dots":
            for n in rng.permutation(9)[: int(rng.integers(1, 10))].tolist():
                at = x + (n % 3 - 1) * size / 3, y + (n // 3 - 1) * size / 3
                Sketch(face, 1).disc(*at, max(1.5, size / 9), ink)
            return
        mask = glyph(rng)
        if self.kind == "letters" or (self.kind == "any" and rng.random() < 0.5):
            mask = letters(random_text(rng, 1, 3), self.font, self.thick)
        stamp(face, mask, ink, self.centre, size)
        if self.in_corners:
            near, far, small = 0.14 * SIDE_PX, 0.86 * SIDE_PX, 0.2 * SIDE_PX
            stamp(face, mask, ink, (near, near), small)
            stamp(face, np.ascontiguousarray(mask[::-1, ::-1]), ink, (far, far), small)


KINDS = {
    "same-background": 0.14, "dense": 0.12, "terrain": 0.15, "emblem-terrain": 0.12, "any": 0.07,
    "pieces": 0.07, "plain": 0.05, "scenes": 0.07, "photographs": 0.05, "text": 0.02,
    "quarters": 0.04, "drawn": 0.02, "signs": 0.08,
}  # fmt: skip
"""Kinds of family by what their faces share, and their shares."""


@dataclass(frozen=True, slots=True)
class Family:
    """Faces of one box.

    Attributes:
        faces: Pictures (SIDE_PX, SIDE_PX, 3) of each face; several in games of terrain.
        rounded: Radius of the corners in tile widths; 0 if they are sharp.
        any_tile_turn: True if tiles are laid any way round.
        side: Colour of the cardboard or wood.
        back: Picture on the other side.
    """

    faces: tuple[tuple[Image, ...], ...]
    rounded: float
    any_tile_turn: bool
    side: Colour
    back: Image

    def tile(self, rng: Rng) -> Image:
        """Return one of the faces as it is laid."""
        turns = int(rng.integers(4)) if self.any_tile_turn else 0
        return np.ascontiguousarray(np.rot90(one_of(rng, one_of(rng, self.faces)), turns))


class FamilyPool:
    """Pool of families, each used many times and some replaced now and then."""

    def __init__(self) -> None:
        self._families: list[Family] = []

    def family(self, rng: Rng) -> Family:
        """Return a known family or, at times, a new one that replaces another."""
        if len(self._families) < KEPT:
            self._families.append(make_family(rng))
            return self._families[-1]
        n = int(rng.integers(KEPT))
        if rng.random() < 0.2:
            self._families[n] = make_family(rng)
        return self._families[n]


def make_family(rng: Rng) -> Family:
    """Make up a family."""
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    count = int(rng.choice([1, 2, 4, 6, 9, 12, 16]))
    base, frame = random_tile_colour(rng), TileEdge.random(rng)
    faces: list[tuple[Image, ...]]
    if kind == "drawn":  # tiles of one of the project's own drawn editions
        box = one_of(rng, _drawn_editions())
        faces = [(box[n],) for n in rng.permutation(len(box))[:count].tolist()]
    else:
        drawn = _faces(rng, kind, count, base)
        faces = [tuple(frame.put_on(rng, picture) for picture in some) for some in drawn]
    back, middle = (
        any_background(rng)(rng, random_tile_colour(rng), SIDE_PX),
        (SIDE_PX / 2, SIDE_PX / 2),
    )
    if rng.random() < 0.6:
        stamp(back, glyph(rng), random_tile_colour(rng), middle, SIDE_PX * rng.uniform(0.3, 0.8))
    return Family(
        tuple(faces),
        rounded=float(rng.uniform(0.03, 0.2)) if rng.random() < 0.2 else 0.0,
        any_tile_turn=bool(rng.random() < 0.5),
        side=vary_colour(base, rng, 30) if rng.random() < 0.5 else random_tile_colour(rng),
        back=frame.put_on(rng, back),
    )


def _faces(  # noqa: C901 # one branch a kind
    rng: Rng, kind: str, count: int, base: Colour
) -> list[list[Image]]:
    palette = [random_tile_colour(rng) for _ in range(int(rng.integers(2, 7)))]
    things = int(rng.choice([0, 1, 2, 4, 8, 14], p=[0.07, 0.23, 0.2, 0.2, 0.2, 0.1]))
    background, seed, same = any_background(rng), int(rng.integers(1 << 30)), rng.random() < 0.4
    if kind == "dense":
        palette, things = (
            [vary_colour(base, rng, 45) for _ in range(5)],
            int(rng.choice([5, 9, 16])),
        )
        background = one_of(rng, (_plain, _clouds, _fields, _material))
    if kind in ("terrain", "emblem-terrain"):
        return _terrains(rng, count, palette, things, emblems=kind == "emblem-terrain")
    if kind == "signs":
        return _signs(rng, count, base)
    bold = random_colour(rng, (0, 0.5), (0, 0.2)) if rng.random() < 0.6 else base
    middle, faces = (SIDE_PX / 2, SIDE_PX / 2), []
    for _ in range(count):
        if kind in ("same-background", "dense"):
            face = background(np.random.default_rng(seed) if same else rng, base, SIDE_PX)
            draw_things(rng, face, int(rng.poisson(things)), palette)
            if rng.random() < 0.2:
                stamp(
                    face,
                    glyph(rng),
                    random_tile_colour(rng),
                    middle,
                    SIDE_PX * float(rng.uniform(0.3, 0.8)),
                )
        elif kind == "pieces":
            face, size = _plain(rng, bold, SIDE_PX), SIDE_PX * float(rng.uniform(0.6, 0.8))
            stamp(face, glyph(rng), contrasting(rng, base), middle, size)
        elif kind == "plain":
            colour = random_tile_colour(rng) if rng.random() < 0.7 else vary_colour(base, rng, 40)
            face = one_of(rng, (_plain, _plain, _gradient))(rng, colour, SIDE_PX)
        elif kind == "scenes":
            face = _scene(rng, palette, int(rng.poisson(things)))
        elif kind == "photographs":
            face = _photograph(rng, random_tile_colour(rng), SIDE_PX)
        elif kind == "text":
            face = _text(rng, base)
        elif kind == "quarters":
            parts = [background(rng, one_of(rng, palette), SIDE_PX // 2) for _ in range(4)]
            for part in parts:
                draw_things(rng, part, int(rng.integers(0, 4)), palette)
            face = np.vstack([np.hstack(parts[:2]), np.hstack(parts[2:])])
        else:
            face = any_background(rng)(rng, random_tile_colour(rng), SIDE_PX)
            draw_things(
                rng, face, int(rng.integers(0, 8)), [random_tile_colour(rng) for _ in range(3)]
            )
        faces.append([face])
    return faces


def _terrains(
    rng: Rng, count: int, palette: Sequence[Colour], things: int, *, emblems: bool
) -> list[list[Image]]:
    """Make faces of grass, water, corn: a few backgrounds, little on them, at times emblems.

    With several pictures a face, the background and the emblems make the face, what else is drawn
    does not; else every picture is a face of its own.
    """
    pictures = int(rng.integers(2, 5)) if rng.random() < 0.6 else 1
    backgrounds = [
        (any_background(rng), random_tile_colour(rng)) for _ in range(int(rng.integers(2, 7)))
    ]
    if pictures > 1:
        count = min(count, len(backgrounds) * (4 if emblems else 1))
    emblem, ink, size = (
        glyph(rng),
        random_tile_colour(rng),
        SIDE_PX * float(rng.uniform(0.12, 0.25)),
    )
    left, top = (rng.uniform(0.12, 0.3, 2) * SIDE_PX).tolist()
    shares = pictures == 1 and emblems and rng.random() < 0.5
    sheets = [
        background(rng, colour, 2 * SIDE_PX) for background, colour in backgrounds if pictures > 1
    ]
    faces = []
    for n in range(count):
        (background, colour), face = backgrounds[n % len(backgrounds)], []
        for _ in range(pictures):
            if pictures > 1:
                picture = _part_of(rng, sheets[n % len(backgrounds)])
            else:
                seed = np.random.default_rng(n % len(backgrounds)) if shares else rng
                picture = background(seed, colour, SIDE_PX)
            if rng.random() < 0.6 and not shares:
                few = min(things, 4 if pictures == 1 else 2)
                draw_things(rng, picture, int(rng.poisson(few)), palette)
            for e in range((n // len(backgrounds)) % 4 if emblems else 0):
                stamp(picture, emblem, ink, (left + e * size * 1.1, top), size)
            face.append(picture)
        faces.append(face)
    return faces


def _signs(rng: Rng, count: int, base: Colour) -> list[list[Image]]:
    """Make faces of plain paper, wood or stone with a letter, number, emblem or dots on each."""
    background = one_of(rng, (_plain, _plain, _gradient, _clouds, _material))
    same, seed = rng.random() < 0.5, int(rng.integers(1 << 30))
    if rng.random() < 0.4:  # the colours of paper and wood
        base = random_colour(rng, (0, 0.4), (0.55, 1))
    style = SignStyle.random(rng, base)
    faces = []
    for _ in range(count):
        face = background(np.random.default_rng(seed) if same else rng, base, SIDE_PX)
        style.draw_sign(rng, face)
        faces.append([face])
    return faces


def _part_of(rng: Rng, sheet: Image) -> Image:
    """Cut a tile out of a sheet of one background, turned and mirrored at random."""
    x, y = (int(v) for v in rng.integers(0, sheet.shape[0] - SIDE_PX + 1, 2))
    part = np.rot90(sheet[y : y + SIDE_PX, x : x + SIDE_PX], int(rng.integers(4)))
    tone = float(np.exp(rng.normal(0, 0.06)))
    return np.asarray(cv2.convertScaleAbs(part[:, :: one_of(rng, (1, -1))], alpha=tone), np.uint8)


@cache
def _drawn_editions() -> tuple[tuple[Image, ...], ...]:
    """Return the faces of each of the project's own drawn editions."""
    size_wh = SIDE_PX, SIDE_PX
    return tuple(
        tuple(
            np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
            for pictures in built_in_edition(game).pictures.values()
            for picture in pictures
        )
        for game in built_in_games()
    )
