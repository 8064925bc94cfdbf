"""Printed and written things on a table: score board, cards, sheets, pads, boxes, photos.

Each maker takes (generator, pixels per tile edge); boards count in tile edges.
"""

from collections.abc import Mapping

import cv2
import numpy as np

from vision.arrays import Image
from vision.simulate.drawing import INK, IVORY, Board, Colour, from_hex, mix, ring
from vision.simulate.sprites import Prop, PropMaker, blank, finished
from vision.simulate.texture import clouds, ramp, random_colour, varied

_COLOURS = tuple(
    from_hex(colour)
    for colour in ("#f4bf1f", "#4a4f58", "#cf2a2e", "#2468b4", "#2f9448", "#9c4a2c")
)
"""The leading colours of the faces of Between Two Cities."""


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


PRINTED: Mapping[str, PropMaker] = {
    "score-board": score_board,
    "reference-card": reference_card,
    "notepad": notepad,
    "rule-sheet": rule_sheet,
    "playing-card": playing_card,
    "photo-print": photo_print,
    "game-box": game_box,
    "banknote": banknote,
}
