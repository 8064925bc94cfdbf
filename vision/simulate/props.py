"""What else lies on a table, as pictures with alpha, made up anew for every seed.

Each maker takes (generator, pixels per tile edge); boards count in edges of a game tile.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.own import back_picture
from vision.simulate.drawing import INK, IVORY, Board, Colour, Spot, arc, from_hex, mix, ring
from vision.simulate.texture import clouds, ramp, random_colour, varied

WHITE: Final[Colour] = (250, 250, 250)
_SUPERSAMPLING: Final = 2
_BLEED_PX: Final = 7
_BACK_PX: Final = 128
_COLOURS = tuple(
    from_hex(colour)
    for colour in ("#f4bf1f", "#4a4f58", "#cf2a2e", "#2468b4", "#2f9448", "#9c4a2c")
)
"""The leading colours of the faces of Between Two Cities."""
_WOODEN_COLOURS = ("#c8342e", "#2e62b8", "#2f8f4a", "#edc12f", "#22242a", "#e9e4d8", "#e07b28",
                   "#7a3f93", "#c9a06a")  # fmt: skip
_SKIN = ("#f3cdb0", "#e0ac86", "#c58a62", "#9a6444", "#6b4430")


class Prop(NamedTuple):
    """Something that lies on a table.

    Attributes:
        image_bgra: (height, width, 4); straight alpha, 255 opaque. Fully transparent pixels near
            the edge carry the colour of the object, so that the picture can be warped.
        size_tiles: width and height in edges of a game tile.
    """

    image_bgra: Image
    size_tiles: tuple[float, float]


PropMaker = Callable[[np.random.Generator, float], Prop]
"""Takes the generator and the resolution in pixels per tile edge."""


def blank(width: float, height: float, px_per_tile: float) -> Board:
    """A transparent board whose unit is the edge of a game tile."""
    px = px_per_tile * _SUPERSAMPLING
    shape = max(4, round(height * px)), max(4, round(width * px)), 4
    return Board(np.zeros(shape, np.uint8), px)


def thinned(board: Board, share: float) -> None:
    """Make all that is drawn so far translucent: ``share`` 0 vanishes, 1 stays."""
    board.image[:] = cv2.convertScaleAbs(board.image, alpha=share)


def finished(board: Board) -> Prop:
    """Reduce a board made by ``blank`` and drawn upon to its final resolution."""
    drawn = board.image  # colour times alpha, as all was drawn on transparent black
    height, width = drawn.shape[:2]
    size_wh = max(2, width // _SUPERSAMPLING), max(2, height // _SUPERSAMPLING)
    small = cv2.resize(drawn, size_wh, interpolation=cv2.INTER_AREA)
    alpha = small[:, :, 3]
    if alpha.min() < 255:
        spread = cv2.blur(small.astype(np.float32), (_BLEED_PX, _BLEED_PX))
        source = np.where((alpha > 0)[:, :, None], small.astype(np.float32), spread)
        colour = source[:, :, :3] * (255.0 / np.maximum(source[:, :, 3:], 1e-3))
        small[:, :, :3] = np.clip(colour + 0.5, 0, 255).astype(np.uint8)
    return Prop(
        small.astype(np.uint8, copy=False), (width / board.px_per_unit, height / board.px_per_unit)
    )


def score_board(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A long board with numbered fields along the edge and a skyline in the middle."""
    columns, rows = int(rng.integers(14, 22)), int(rng.integers(6, 9))
    field = rng.uniform(0.28, 0.38)
    width, height = columns * field, rows * field
    board = blank(width, height, px_per_tile)
    base, second = random_colour(rng, (0.1, 0.6), (0.6, 0.95)), random_colour(rng, (0.2, 0.7))
    board.box(0, 0, width, height, base)
    track = [(c, 0) for c in range(columns)] + [(columns - 1, r) for r in range(1, rows)]
    track += [(c, rows - 1) for c in range(columns - 2, -1, -1)]
    track += [(0, r) for r in range(rows - 2, 0, -1)]
    for number, (column, row) in enumerate(track):
        left, top = column * field, row * field
        colour = second if number % 5 == 0 else IVORY
        board.box(left + 0.015, top + 0.015, left + field - 0.015, top + field - 0.015, colour)
        board.text(str(number), left + field / 2, top + field / 2, field * 0.34, INK, field * 0.06)
    inner = board.part(field * 1.2, field * 1.2)
    wide, tall = width - 2.4 * field, height - 2.4 * field
    inner.box(0, 0, wide, tall, random_colour(rng, (0.1, 0.5), (0.7, 0.97)))
    _skyline(inner, wide, tall, rng)
    return finished(board)


def _skyline(board: Board, wide: float, tall: float, rng: np.random.Generator) -> None:
    x = 0.0
    while x < wide - 0.15:
        step = min(float(rng.uniform(0.18, 0.5)), wide - x)
        top, colour = tall * rng.uniform(0.15, 0.7), _COLOURS[int(rng.integers(len(_COLOURS)))]
        board.box(x, top, x + step, tall, colour)
        if rng.random() < 0.4:
            roof = max(0.0, top - step * 0.5)
            board.polygon([(x, top), (x + step / 2, roof), (x + step, top)], mix(colour, INK, 0.4))
        for row in range(int((tall - top) / 0.16)):
            for at in (0.25, 0.6):
                y = top + 0.05 + row * 0.16
                board.box(x + step * at, y, x + step * (at + 0.18), y + 0.08, IVORY)
        x += step


def reference_card(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A card that lists the building types: a coloured shape and a line of text for each."""
    width, height = rng.uniform(1.1, 1.6), rng.uniform(1.6, 2.3)
    board = _sheet(width, height, random_colour(rng, (0, 0.3), (0.75, 0.98)), px_per_tile, 0.06)
    for i, colour in enumerate(_COLOURS):
        y, size = height * (0.12 + 0.148 * i), height * 0.055
        board.polygon(ring((width * 0.17, y), size, int(rng.integers(3, 9))), colour)
        for line in range(2):
            end = width * rng.uniform(0.6, 0.93)
            board.stroke([(width * 0.32, y + line * 0.07), (end, y + line * 0.07)], 0.025, INK)
    return finished(board)


def notepad(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """Lined or squared paper with handwriting, sums or nothing on it."""
    width, height = rng.uniform(1.5, 3.2), rng.uniform(2.0, 4.4)
    board = _sheet(width, height, random_colour(rng, (0, 0.25), (0.85, 0.99)), px_per_tile, 0.0)
    rule, step = from_hex("#9db8d2"), rng.uniform(0.11, 0.24)
    for y in np.arange(step, height, step).tolist():
        board.stroke([(0, y), (width, y)], 0.008, rule)
    if rng.random() < 0.5:
        for x in np.arange(step, width, step).tolist():
            board.stroke([(x, 0), (x, height)], 0.008, rule)
    ink = random_colour(rng, (0.3, 0.9), (0.1, 0.5))
    for line in range(int(rng.integers(0, 10))):
        y = 0.3 + line * 0.25
        if y > height - 0.2:
            break
        if rng.random() < 0.4:
            board.text(str(rng.integers(1, 99)), rng.uniform(0.3, width - 0.3), y, 0.14, ink, 0.02)
        else:
            xs = np.linspace(0.15, width * rng.uniform(0.3, 0.9), 30)
            ys = y + 0.05 * np.sin(xs * 23 + rng.uniform(0, 6)) + rng.normal(0, 0.02, 30)
            board.stroke(np.column_stack([xs, ys]).tolist(), 0.018, ink)
    return finished(board)


def rule_sheet(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A printed page with columns of text and small coloured square pictures, some in grids."""
    width, height = rng.uniform(3.0, 4.8), rng.uniform(4.0, 6.4)
    board = _sheet(width, height, random_colour(rng, (0, 0.15), (0.85, 0.99)), px_per_tile, 0.0)
    board.box(0.2, 0.2, width - 0.2, 0.55, _COLOURS[int(rng.integers(len(_COLOURS)))])
    columns = int(rng.integers(1, 4))
    wide = (width - 0.4) / columns
    for column in range(columns):
        left, y = 0.2 + column * wide, 0.75
        while y < height - 0.5:
            if rng.random() < 0.35:
                y += _picture_grid(board.part(left, y), wide - 0.2, height - 0.2 - y, rng)
            else:
                for _ in range(int(rng.integers(3, 9))):
                    if y > height - 0.25:
                        break
                    end = left + (wide - 0.15) * rng.uniform(0.7, 1)
                    board.stroke([(left, y), (end, y)], 0.03, from_hex("#55555c"))
                    y += 0.09
            y += 0.15
    return finished(board)


def _picture_grid(board: Board, wide: float, tall: float, rng: np.random.Generator) -> float:
    count, rows = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    edge = min(wide / count, tall / rows, 0.6)
    for row in range(rows):
        for column in range(count):
            _small_picture(board.part(column * edge, row * edge, edge * 0.94), rng)
    return rows * edge


def _small_picture(board: Board, rng: np.random.Generator) -> None:
    colour = _COLOURS[int(rng.integers(len(_COLOURS)))]
    board.box(0, 0, 1, 1, from_hex("#d8d0bd"))
    board.box(0.06, 0.06, 0.94, 0.94, random_colour(rng, (0.1, 0.5), (0.6, 0.95)))
    board.box(0.2, rng.uniform(0.3, 0.6), 0.85, 0.8, colour)
    board.polygon(ring((0.24, 0.24), 0.16, int(rng.integers(3, 8))), mix(colour, INK, 0.2))
    board.box(0.06, 0.8, 0.94, 0.94, mix(colour, INK, 0.5))


def playing_card(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A playing card, pips up or face down."""
    width, height = rng.uniform(1.25, 1.5), rng.uniform(1.85, 2.1)
    board = _sheet(width, height, (250, 250, 250), px_per_tile, 0.1)
    ink = from_hex("#c22032") if rng.random() < 0.5 else INK
    if rng.random() < 0.3:
        back = random_colour(rng, (0.5, 0.9), (0.3, 0.8))
        board.round_box(0.08, 0.08, width - 0.08, height - 0.08, 0.05, back)
        for x in np.arange(0.2, width - 0.1, 0.13).tolist():
            for y in np.arange(0.2, height - 0.1, 0.13).tolist():
                board.disc(x, y, 0.035, IVORY)
        return finished(board)
    value = int(rng.integers(1, 11))
    for x, y in ((0.17, 0.2), (width - 0.17, height - 0.2)):
        board.text(str(value), x, y, 0.18, ink, 0.03)
    rows = (value + 1) // 2
    for pip in range(value):
        x = width * (0.36 + 0.28 * (pip % 2)) if value > 1 else width / 2
        y = height * (0.5 if rows == 1 else 0.18 + 0.64 * (pip // 2) / (rows - 1))
        board.polygon(ring((x, y), 0.13, 4), ink)
    return finished(board)


def photo_print(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A photo on paper: soft colours with a few shapes and usually a white edge."""
    width, height = rng.uniform(2.0, 3.6), rng.uniform(1.6, 2.6)
    board = _sheet(width, height, (246, 246, 246), px_per_tile, 0.0)
    edge = float(rng.choice([0.0, 0.08, 0.15]))
    scene = _soft_picture(rng, width - 2 * edge, height - 2 * edge, px_per_tile)
    _paste(board, scene, edge, edge, width - 2 * edge, height - 2 * edge)
    return finished(board)


def game_box(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """The lid of a game box, with a picture and a large title."""
    width = rng.uniform(4.5, 6.5)
    height = width * float(rng.choice([1.0, 0.7, 1.4]))
    coarse = px_per_tile * 0.6  # as large as it is, it need not be as sharp
    board = _sheet(width, height, random_colour(rng, (0.2, 0.9), (0.2, 0.9)), coarse, 0.05)
    _paste(
        board, _soft_picture(rng, width, height, coarse / 2), 0.2, 0.2, width - 0.4, height - 0.4
    )
    panel = board.part(width * 0.1, height * 0.62)
    _skyline(panel, width * 0.8, height * 0.3, rng)
    title = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVZ "), int(rng.integers(5, 10))))
    board.text(
        title.strip(), width / 2, height * 0.2, width * 0.08, random_colour(rng), width * 0.022
    )
    return finished(board)


def banknote(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A bank note or ticket: a pale rectangle with ornament and figures."""
    width, height = rng.uniform(2.4, 3.4), rng.uniform(1.2, 1.6)
    colour = random_colour(rng, (0.2, 0.6), (0.5, 0.9))
    board = _sheet(width, height, mix(colour, (255, 255, 255), 0.6), px_per_tile, 0.0)
    for i in range(5):
        board.disc(
            width * (0.55 + 0.08 * i),
            height / 2,
            height * (0.42 - 0.06 * i),
            varied(colour, rng, 20),
        )
    figure = str(rng.choice(["5", "10", "20", "50"]))
    board.text(figure, width * 0.2, height * 0.3, height * 0.28, INK, 0.04)
    board.text(figure, width * 0.88, height * 0.8, height * 0.18, INK, 0.03)
    return finished(board)


def _sheet(width: float, height: float, colour: Colour, px_per_tile: float, corner: float) -> Board:
    board = blank(width, height, px_per_tile)
    edge = mix(colour, INK, 0.35)
    if corner:
        board.round_box(0.01, 0.01, width - 0.01, height - 0.01, corner, edge)
        board.round_box(0.025, 0.025, width - 0.025, height - 0.025, corner, colour)
    else:
        board.box(0, 0, width, height, edge)
        board.box(0.015, 0.015, width - 0.015, height - 0.015, colour)
    return board


def _soft_picture(rng: np.random.Generator, width: float, height: float, px: float) -> Image:
    shape_hw = max(8, round(height * px)), max(8, round(width * px))
    colours = [random_colour(rng, (0.1, 0.8), (0.1, 0.95)) for _ in range(5)]
    picture = ramp(clouds(rng, shape_hw, px * rng.uniform(0.4, 1.5), 3), -2, 2, colours)
    board = Board(picture, px)
    for _ in range(int(rng.integers(0, 6))):
        x, y, size = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.1, 0.6)
        board.oval(x, y, size, size * rng.uniform(0.4, 1), random_colour(rng), rng.uniform(0, 180))
    return picture


def _paste(board: Board, picture: Image, left: float, top: float, wide: float, tall: float) -> None:
    px = board.px_per_unit
    rows = slice(round(top * px), round((top + tall) * px))
    columns = slice(round(left * px), round((left + wide) * px))
    place = board.image[rows, columns]
    height, width = place.shape[:2]
    place[:, :, :3] = cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR)
    place[:, :, 3] = 255


def token(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A small wooden shape: cube, disc, house, tower, star or figure."""
    size = rng.uniform(0.3, 0.7)
    board = blank(size, size, px_per_tile)
    colour = varied(from_hex(str(rng.choice(_WOODEN_COLOURS))), rng, 12)
    shapes = list(_TOKEN_SHAPES)
    outline = _TOKEN_SHAPES[shapes[int(rng.integers(len(shapes)))]]
    middle = board.part(size / 2, size / 2, size / 2)
    middle.polygon([(x + 0.05, y + 0.07) for x, y in outline], mix(colour, INK, 0.55))
    middle.polygon([(x - 0.03, y - 0.04) for x, y in outline], mix(colour, WHITE, 0.3))
    middle.polygon(outline, colour)
    return finished(board)


def coin(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A coin of copper, brass or silver tone."""
    radius = rng.uniform(0.18, 0.3)
    board = blank(2 * radius, 2 * radius, px_per_tile)
    metal = varied(from_hex(str(rng.choice(["#b8693a", "#c9a54a", "#b4b7ba"]))), rng, 10)
    board.disc(radius, radius, radius * 0.98, mix(metal, INK, 0.3))
    board.disc(radius, radius, radius * 0.9, metal)
    if rng.random() < 0.4:
        board.disc(radius, radius, radius * 0.62, from_hex("#bfc2c4"))
    board.text(str(rng.choice(["1", "2", "5", "10", "20", "50"])), radius, radius, radius * 0.7,
               mix(metal, INK, 0.5), radius * 0.12)  # fmt: skip
    return finished(board)


def die(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A six-sided die."""
    edge = rng.uniform(0.27, 0.45)
    board = blank(edge, edge, px_per_tile)
    colour = random_colour(rng, (0, 0.9), (0.1, 1))
    board.round_box(0, 0, edge, edge, edge * 0.18, mix(colour, INK, 0.3))
    board.round_box(edge * 0.05, edge * 0.05, edge * 0.95, edge * 0.95, edge * 0.2, colour)
    pip, value = (WHITE if sum(colour) < 380 else INK), int(rng.integers(1, 7))
    spots: list[Spot] = [(0.5, 0.5)] if value % 2 else []
    spots += [(0.26, 0.26), (0.74, 0.74)] if value > 1 else []
    spots += [(0.26, 0.74), (0.74, 0.26)] if value > 3 else []
    spots += [(0.26, 0.5), (0.74, 0.5)] if value == 6 else []
    for x, y in spots:
        board.disc(x * edge, y * edge, edge * 0.09, pip)
    return finished(board)


def chessboard(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A chessboard with a frame, its squares often about as large as game tiles."""
    square = rng.uniform(0.4, 1.05)
    frame = square * rng.uniform(0.1, 0.6)
    edge = 8 * square + 2 * frame
    board = blank(edge, edge, px_per_tile)
    dark = random_colour(rng, (0.2, 0.8), (0.1, 0.5))
    light = random_colour(rng, (0.05, 0.4), (0.7, 0.97))
    board.box(0, 0, edge, edge, mix(dark, INK, 0.3))
    board.box(frame, frame, edge - frame, edge - frame, light)
    for row in range(8):
        for column in range(row % 2, 8, 2):
            left, top = frame + column * square, frame + row * square
            board.box(left, top, left + square, top + square, dark)
    return finished(board)


def face_down_tile(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A tile, single or duplex, face down; its back in any colour."""
    wide, tall = ((1, 1), (2, 1), (1, 2))[int(rng.integers(3))]
    board, back = blank(wide, tall, px_per_tile), _tinted_back(rng)
    one_print_per_half = rng.random() < 0.5
    if one_print_per_half:
        _lay_back(board, 0, 0, 1, 1, back)
        _lay_back(board, wide - 1, tall - 1, 1, 1, back)
    else:
        _lay_back(board, 0, 0, wide, tall, back)
    return finished(board)


def face_down_stack(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A carelessly built stack of face-down tiles."""
    count, slip = int(rng.integers(2, 9)), 0.04
    reach = 1 + count * slip * 2
    board, back = blank(reach, reach, px_per_tile), _tinted_back(rng)
    x, y = count * slip, count * slip
    for _ in range(count):
        board.box(x + 0.01, y + 0.02, x + 1.02, y + 1.03, from_hex("#5d5548"))
        _lay_back(board, x, y, 1, 1, back)
        x = min(max(x + rng.uniform(-slip, slip), 0.0), reach - 1.04)
        y = min(max(y - rng.uniform(0, slip), 0.0), reach - 1.04)
    return finished(board)


def _tinted_back(rng: np.random.Generator) -> Image:
    hsv = cv2.cvtColor(back_picture(_BACK_PX), cv2.COLOR_BGR2HSV)
    shift = np.array([int(rng.integers(0, 180)), 0, 0], np.uint8)
    hsv = ((hsv.astype(np.uint16) + shift) % [180, 256, 256]).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def _lay_back(board: Board, left: float, top: float, wide: float, tall: float, back: Image) -> None:
    px = board.px_per_unit
    place = board.image[
        round(top * px) : round((top + tall) * px), round(left * px) : round((left + wide) * px)
    ]
    height, width = place.shape[:2]
    place[:, :, :3] = cv2.resize(back, (width, height), interpolation=cv2.INTER_LINEAR)
    place[:, :, 3] = 255


def _figure() -> list[Spot]:
    head = arc((0.0, -0.55), 0.33, 0.36, 150, 390, 12)
    return [*head, (0.85, 0.0), (0.8, 0.2), (0.4, 0.15), (0.65, 0.88), (0.15, 0.88), (0.0, 0.5),
            (-0.15, 0.88), (-0.65, 0.88), (-0.4, 0.15), (-0.8, 0.2), (-0.85, 0.0)]  # fmt: skip


def _star() -> list[Spot]:
    tips, dents = ring((0.0, 0.0), 0.9, 5), ring((0.0, 0.0), 0.4, 5, -54.0)
    return [spot for pair in zip(tips, dents, strict=True) for spot in pair]


_TOKEN_SHAPES: Mapping[str, list[Spot]] = {
    "cube": ring((0.0, 0.0), 0.9, 4, -45.0),
    "disc": ring((0.0, 0.0), 0.85, 32),
    "house": [(-0.7, 0.85), (-0.7, -0.1), (0.0, -0.85), (0.7, -0.1), (0.7, 0.85)],
    "tower": [(-0.45, 0.85), (-0.35, -0.5), (0.0, -0.9), (0.35, -0.5), (0.45, 0.85)],
    "star": _star(),
    "figure": _figure(),
}


def phone(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A phone, its screen dark or lit with coloured app squares or a list."""
    width, height = rng.uniform(1.5, 1.75), rng.uniform(3.1, 3.6)
    board = blank(width, height, px_per_tile)
    board.round_box(
        0.01, 0.01, width - 0.01, height - 0.01, 0.2, random_colour(rng, (0, 0.5), (0.05, 0.9))
    )
    board.round_box(0.06, 0.06, width - 0.06, height - 0.06, 0.16, from_hex("#101216"))
    if rng.random() < 0.5:
        board.polygon(
            [(0.1, 0.9), (width - 0.1, 0.2), (width - 0.1, 0.9), (0.1, 2.2)], from_hex("#1d2127")
        )
    else:
        screen = random_colour(rng, (0, 0.7), (0.3, 1))
        board.round_box(0.1, 0.12, width - 0.1, height - 0.12, 0.1, screen)
        if rng.random() < 0.5:
            step = (width - 0.3) / 4
            for row in range(6):
                for column in range(4):
                    x, y = 0.17 + column * step, 0.35 + row * 0.45
                    app = random_colour(rng, (0.3, 0.95), (0.4, 1))
                    board.round_box(x, y, x + step * 0.8, y + step * 0.8, 0.06, app)
        else:
            for y in np.arange(0.3, height - 0.5, 0.24).tolist():
                end = width * rng.uniform(0.4, 0.85)
                board.round_box(
                    0.2, y, end, y + 0.15, 0.05, mix(screen, INK, rng.uniform(0.2, 0.6))
                )
    board.disc(width / 2, 0.13, 0.035, INK)
    return finished(board)


def mug(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A mug or cup with a drink and a handle, sometimes on a saucer."""
    radius = rng.uniform(0.75, 1.05)
    saucer = radius * 1.75 if rng.random() < 0.4 else radius * 1.5
    board = blank(2 * saucer, 2 * saucer, px_per_tile)
    colour, middle = random_colour(rng, (0, 0.8), (0.15, 0.98)), saucer
    if saucer > radius * 1.6:
        _dish(board, middle, saucer, mix(colour, IVORY, 0.4))
    turn = rng.uniform(0, 360)
    grip = arc((middle, middle), radius * 1.4, radius * 1.4, turn, turn, 1)[0]
    board.stroke([(middle, middle), grip], radius * 0.25, mix(colour, INK, 0.2))
    board.disc(middle, middle, radius, colour)
    board.disc(middle, middle, radius * 0.9, mix(colour, INK, 0.35))
    drink = varied(
        from_hex(str(rng.choice(["#3a2012", "#7b4a25", "#b3752e", "#d9c9a8", "#e8e4dc"]))), rng, 10
    )
    board.disc(middle, middle, radius * 0.84, drink)
    board.oval(middle - radius * 0.3, middle - radius * 0.35, radius * 0.25, radius * 0.1,
               mix(drink, WHITE, 0.5), -40)  # fmt: skip
    return finished(board)


def tumbler(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A drinking glass: translucent, with bright rims."""
    radius = rng.uniform(0.55, 0.85)
    board = blank(2 * radius + 0.04, 2 * radius + 0.04, px_per_tile)
    middle = radius + 0.02
    drink = random_colour(rng, (0.0, 0.9), (0.4, 1)) if rng.random() < 0.6 else (235, 235, 230)
    board.disc(middle, middle, radius, mix(drink, WHITE, 0.3))
    thinned(board, rng.uniform(0.2, 0.75))
    for share, colour in ((0.97, WHITE), (0.9, (150, 150, 145)), (0.68, (205, 205, 200))):
        rim = arc((middle, middle), radius * share, radius * share, 0, 360, 40)
        board.stroke(rim, radius * 0.035, colour)
    turn = rng.uniform(0, 360)
    board.stroke(
        arc((middle, middle), radius * 0.8, radius * 0.8, turn, turn + 60), radius * 0.09, WHITE
    )
    return finished(board)


def bowl(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A bowl or plate, empty or with nuts, crisps or sweets."""
    radius = rng.uniform(0.9, 2.6)
    board = blank(2 * radius, 2 * radius, px_per_tile)
    _dish(board, radius, radius, random_colour(rng, (0, 0.8), (0.3, 0.98)))
    if rng.random() < 0.7:
        tone = random_colour(rng, (0.4, 0.9), (0.4, 0.95))
        for _ in range(int(rng.integers(5, 40))):
            reach, angle = radius * 0.62 * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
            x, y = radius + reach * math.cos(angle), radius + reach * math.sin(angle)
            size = rng.uniform(0.07, 0.2)
            board.oval(x, y, size * 1.05, size * 0.75, mix(tone, INK, 0.4), rng.uniform(0, 180))
            board.oval(x, y, size, size * 0.65, varied(tone, rng, 25), rng.uniform(0, 180))
    return finished(board)


def _dish(board: Board, middle: float, radius: float, colour: Colour) -> None:
    board.disc(middle, middle, radius * 0.995, mix(colour, INK, 0.25))
    board.disc(middle, middle, radius * 0.97, colour)
    board.disc(middle, middle, radius * 0.76, mix(colour, INK, 0.15))
    board.disc(middle, middle, radius * 0.73, mix(colour, WHITE, 0.15))


def pencil(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A pencil or pen, lying from left to right."""
    length, thick = rng.uniform(2.2, 4.2), rng.uniform(0.15, 0.26)
    board = blank(length, thick, px_per_tile)
    colour, tip = random_colour(rng, (0.1, 0.95), (0.1, 0.95)), thick * 1.5
    board.box(0, 0, length - tip, thick, colour)
    board.box(0, thick * 0.3, length - tip, thick * 0.55, mix(colour, WHITE, 0.3))
    wood = from_hex("#e2bd8b") if rng.random() < 0.6 else mix(colour, INK, 0.4)
    board.polygon([(length - tip, 0), (length, thick / 2), (length - tip, thick)], wood)
    board.polygon(
        [
            (length - tip * 0.3, thick * 0.35),
            (length, thick / 2),
            (length - tip * 0.3, thick * 0.65),
        ],
        INK,
    )
    board.box(0, 0, thick * rng.uniform(0.3, 1.2), thick, random_colour(rng))
    return finished(board)


def hand(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """A hand that reaches in from below with spread fingers, and its sleeve."""
    board = blank(3.4, 5.2, px_per_tile)
    skin, sleeve = _skin(rng), random_colour(rng, (0.1, 0.9), (0.1, 0.9))
    fingers: list[tuple[Spot, Spot, float]] = [
        ((1.0, 2.3), (0.55, 0.9), 0.34), ((1.45, 2.1), (1.3, 0.42), 0.36),
        ((1.9, 2.1), (2.0, 0.38), 0.36), ((2.3, 2.3), (2.62, 0.85), 0.32),
        ((2.2, 3.1), (3.1, 2.2), 0.38),
    ]  # fmt: skip
    for grow, colour in ((0.05, mix(skin, INK, 0.3)), (0.0, skin)):
        for root, tip, thick in fingers:
            board.stroke([root, tip], thick + grow, colour)
        board.round_box(0.82 - grow, 2.0 - grow, 2.5 + grow, 3.9 + grow, 0.5, colour)
        board.box(1.0 - grow, 3.3, 2.3 + grow, 5.2, colour)
    for _, tip, thick in fingers:
        board.disc(tip[0], tip[1] - 0.02, thick * 0.3, mix(skin, from_hex("#ffe4e0"), 0.5))
    board.box(0.75, 4.3, 2.55, 5.2, sleeve)
    return finished(board)


def finger(rng: np.random.Generator, px_per_tile: float) -> Prop:
    """One finger that points upwards, as over the edge of a photo."""
    thick, length = rng.uniform(0.32, 0.5), rng.uniform(1.5, 3.0)
    board = blank(thick * 1.1, length, px_per_tile)
    skin, middle = _skin(rng), thick * 0.55
    for width, colour in ((thick * 1.05, mix(skin, INK, 0.3)), (thick * 0.95, skin)):
        board.stroke([(middle, thick * 0.58), (middle, length)], width, colour)
    nail = mix(skin, from_hex("#ffe4e0"), 0.5)
    board.oval(middle, thick * 0.42, thick * 0.27, thick * 0.33, nail)
    for share in (0.45, 0.48):
        y = length * share
        board.stroke(
            [(middle - thick * 0.25, y), (middle + thick * 0.25, y)], 0.015, mix(skin, INK, 0.3)
        )
    return finished(board)


def _skin(rng: np.random.Generator) -> Colour:
    return varied(from_hex(str(rng.choice(_SKIN))), rng, 8)


PROPS: Final[Mapping[str, PropMaker]] = {
    "score-board": score_board,
    "reference-card": reference_card,
    "notepad": notepad,
    "rule-sheet": rule_sheet,
    "playing-card": playing_card,
    "photo-print": photo_print,
    "game-box": game_box,
    "banknote": banknote,
    "token": token,
    "coin": coin,
    "die": die,
    "chessboard": chessboard,
    "face-down-tile": face_down_tile,
    "face-down-stack": face_down_stack,
    "phone": phone,
    "mug": mug,
    "tumbler": tumbler,
    "bowl": bowl,
    "pencil": pencil,
    "hand": hand,
    "finger": finger,
}
"""Every prop by name."""


def random_prop(
    rng: np.random.Generator, px_per_tile: float = 64.0, name: str | None = None
) -> Prop:
    """Draw something that lies on a table, seen from above and upright.

    Args:
        rng: decides colours and sizes, and the kind if none is named.
        px_per_tile: resolution: pixels along the edge of a game tile.
        name: one of ``PROPS``; None for any.

    Raises:
        ValueError: unknown name.
    """
    if name is not None and name not in PROPS:
        raise ValueError(f"no prop {name!r}; choose one of {', '.join(PROPS)}")
    return PROPS[name or str(rng.choice(list(PROPS)))](rng, px_per_tile)
