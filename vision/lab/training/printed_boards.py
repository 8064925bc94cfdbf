"""Printed boards of random games, and printed things that only resemble rows of tiles.

Lengths are in cells of the board, x to the right and y down from its top left corner.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.folder import built_in_edition, built_in_games
from vision.lab.simulate.drawing import Colour, Rng, Sketch, one_of, random_colour, vary_colour
from vision.lab.training.tile_families import (
    any_background,
    contrasting,
    draw_things,
    glyph,
    make_family,
    random_text,
    random_tile_colour,
    stamp,
)

LARGEST_PX = 640


@dataclass(frozen=True, slots=True, eq=False)
class PrintedBoard:
    """A printed board.

    Attributes:
        picture: BGR.
        size: Width and height.
        first: Centre (x, y) of the cell at the top left.
        rows: Number of rows of cells.
        columns: Number of columns of cells.
        has_plots: True if its cells are places for tiles; False if they only resemble such places.
        like_tiles: True if each place is drawn like a tile, so that only its edge differs.
    """

    picture: Image
    size: tuple[float, float]
    first: tuple[float, float]
    rows: int
    columns: int
    has_plots: bool = True
    like_tiles: bool = False


def draw_printed_board(rng: Rng) -> PrintedBoard:
    """Draw any board with plots: ruled, framed, filled, of a map; at times a drawn edition's."""
    if rng.random() < 0.08:
        return one_of(rng, _drawn_boards())
    columns, rows = (int(v) for v in rng.integers(4, 17, 2))
    rows = columns if rng.random() < 0.5 else rows
    cell = int(min(48, LARGEST_PX // max(rows, columns)))
    border = float(rng.choice([0.1, 0.5, rng.uniform(0.2, 2.5)]))
    w, h = columns + 2 * border, rows + 2 * border
    base = (
        random_tile_colour(rng) if rng.random() < 0.6 else random_colour(rng, (0, 0.15), (0.75, 1))
    )
    picture = _background(rng, base, round(w * cell), round(h * cell))
    kind = one_of(rng, ("ruled", "framed", "filled", "drawn", "map"))
    soft = float(rng.uniform(0.2, 1))
    ink = contrasting(rng, base, 90)
    places = [
        picture[y : y + cell, x : x + cell]
        for y in (cell * (border + np.arange(rows))).round().astype(int)
        for x in (cell * (border + np.arange(columns))).round().astype(int)
    ]
    _print_plots(rng, places, columns, kind, ink, soft)
    if rng.random() < 0.3:  # the board is put together of parts
        step = int(rng.integers(2, 9))
        for n in range(step, max(rows, columns), step):
            at, width = round((border + n) * cell), int(rng.integers(1, 4))
            cv2.line(picture, (at, 0), (at, picture.shape[0]), ink, width)
            cv2.line(picture, (0, at), (picture.shape[1], at), ink, width)
    _edge(rng, picture, border * cell, ink)
    like_tiles = soft > 0.6 and kind in ("drawn", "filled")
    first = border + 0.5, border + 0.5
    return PrintedBoard(picture, (w, h), first, rows, columns, like_tiles=like_tiles)


def _background(rng: Rng, base: Colour, width: int, height: int) -> Image:
    plain = np.full((height, width, 3), base, np.uint8)
    if rng.random() < 0.4:
        return plain
    small = any_background(rng)(rng, base, int(rng.integers(40, 200)))
    mix = 1.0 if rng.random() < 0.3 else float(rng.uniform(0.15, 0.6))
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.addWeighted(large, mix, plain, 1 - mix, 0), np.uint8)


def _print_plots(
    rng: Rng, places: list[Image], columns: int, kind: str, ink: Colour, soft: float
) -> None:
    """Draw the plots, row by row, each in its part of the picture."""
    cell = places[0].shape[0]
    width = int(rng.integers(1, max(2, cell // 12) + 1))
    near = int(rng.integers(1, max(2, cell // 5))) if kind == "framed" else 0
    far = cell - 1 - near
    colours = [vary_colour(ink, rng, 30), random_tile_colour(rng), random_tile_colour(rng)]
    special, numbered = float(rng.choice([0.0, 0.1, 0.3])), rng.random() < 0.25
    box, marks = make_family(rng) if kind == "drawn" else None, [glyph(rng) for _ in range(4)]
    for n, place in enumerate(places):
        if place.shape[:2] != (cell, cell):
            continue
        if kind in ("drawn", "filled"):
            which = (n // columns + n % columns) % 2 if rng.random() > special else 2
            face = box.tile(rng) if box else np.full((4, 4, 3), colours[which], np.uint8)
            large = cv2.resize(face, (cell, cell))
            place[:] = cv2.addWeighted(large, soft, place, 1 - soft, 0)
        elif kind == "map":
            draw_things(rng, place, int(rng.integers(1, 4)), colours)
        elif kind == "framed" and rng.random() < 0.3:
            cv2.rectangle(place, (near, near), (far, far), colours[1], -1)
        if kind != "map" or soft > 0.6:
            cv2.rectangle(place, (near, near), (far, far), ink, width)
        if rng.random() < special:
            size, middle = cell * float(rng.uniform(0.3, 0.8)), (cell / 2, cell / 2)
            stamp(place, one_of(rng, marks), colours[1], middle, size)
        if numbered:
            text, at = str(int(rng.integers(30))), (cell // 5, 4 * cell // 5)
            cv2.putText(place, text, at, 0, cell / 55, colours[2], 1, cv2.LINE_AA)


def _edge(rng: Rng, picture: Image, border_px: float, ink: Colour) -> None:
    """Print something round the plots: a line, ornaments, a track for points."""
    h, w = picture.shape[:2]
    if rng.random() < 0.5:
        cv2.rectangle(picture, (0, 0), (w - 1, h - 1), ink, int(rng.integers(1, 8)))
    if border_px < 8 or rng.random() < 0.4:
        return
    step = max(6, int(border_px * rng.uniform(0.4, 1.1)))
    is_track, colour, mark = rng.random() < 0.5, random_tile_colour(rng), glyph(rng)
    spots = [(x, y) for x in range(0, w - step, step) for y in (0, h - step)]
    spots += [(x, y) for y in range(step, h - 2 * step, step) for x in (0, w - step)]
    for n, (x, y) in enumerate(spots):
        if is_track:
            cv2.rectangle(picture, (x, y), (x + step - 1, y + step - 1), colour, 1)
            Sketch(picture, step, (x, y)).text(str(n % 100), 0.5, 0.5, 0.4, colour, 0.02)
        else:
            stamp(picture, mark, colour, (x + step / 2, y + step / 2), step * 0.8)


@cache
def _drawn_boards() -> tuple[PrintedBoard, ...]:
    """Return the boards of the project's own drawn editions."""
    boards = []
    for edition in map(built_in_edition, built_in_games()):
        printed = edition.description.board
        if printed is None or edition.board_picture is None:
            continue
        cell, shrink = printed.cell_mm[0], LARGEST_PX / max(edition.board_picture.shape)
        small = cv2.resize(
            edition.board_picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA
        )
        size, first = (
            (pair[0] / cell, pair[1] / cell) for pair in (printed.size_mm, printed.first_cell_mm)
        )
        shape = edition.description.rows, edition.description.columns
        boards.append(PrintedBoard(np.asarray(small, np.uint8), size, first, *shape))
    return tuple(boards)


def draw_lookalike_board(rng: Rng) -> PrintedBoard:
    """Draw a printed thing with rows of near-squares: keys, track, calendar, cards."""
    kind = one_of(rng, ("keys", "track", "sheet", "cards"))
    many = {"track": ((8, 1), (24, 4)), "cards": ((1, 1), (6, 4))}.get(kind, ((6, 3), (15, 8)))
    columns, rows = (int(v) for v in rng.integers(*many))
    wide = float(rng.uniform(1.4, 1.8)) if kind == "cards" else float(rng.choice([1, 1, 1.3, 1.8]))
    high, long, base, gap = 24, round(24 * wide), random_tile_colour(rng), int(rng.integers(1, 4))
    key, box = contrasting(rng, base, 40), make_family(rng) if kind == "cards" else None
    ink = contrasting(rng, key, 150) if kind == "keys" else key
    picture = np.full((rows * high + 8, columns * long + 8, 3), base, np.uint8)
    for row, column in np.ndindex(rows, columns):
        x, y = 4 + column * long, 4 + row * high
        if box:
            card = cv2.resize(box.tile(rng), (long - gap, high - gap))
            picture[y : y + high - gap, x : x + long - gap] = card
            continue
        ends = (x + gap, y + gap), (x + long - gap, y + high - gap)
        cv2.rectangle(picture, *ends, key, -1 if kind == "keys" else 1)
        if rng.random() < 0.8:
            text = random_text(rng, 1, 2) if kind == "keys" else str(int(rng.integers(40)))
            cv2.putText(picture, text, (x + 5, y + high - 8), 0, 0.35, ink, 1, cv2.LINE_AA)
    size = picture.shape[1] / long * wide, picture.shape[0] / high
    return PrintedBoard(picture, size, (0.5, 0.5), rows, columns, has_plots=False)
