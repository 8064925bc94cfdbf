"""Printed boards of random games, and printed things that only resemble rows of tiles.

Lengths are in cells of the board, x to the right and y down from its top left corner.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.folder import own_edition, own_games
from vision.simulate.drawing import Colour
from vision.simulate.texture import random_colour, varied
from vision.training.tile_art import (
    any_ground,
    contrasting,
    draw_things,
    family,
    glyph,
    stamp,
    tint,
)

Rng = np.random.Generator

LARGEST_PX = 640


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A printed board.

    Attributes:
        picture: BGR.
        size: width and height.
        first: centre (x, y) of the cell at the top left.
        rows: of cells.
        columns: of cells.
        plots: whether its cells are places for tiles; if not, they only look so.
        like_tiles: each place is drawn like a tile, so that only its edge tells it from one.
    """

    picture: Image
    size: tuple[float, float]
    first: tuple[float, float]
    rows: int
    columns: int
    plots: bool = True
    like_tiles: bool = False


def printed_board(rng: Rng) -> Board:
    """Any board with plots: ruled, framed, filled, drawn all over, of a map; at times our own."""
    if rng.random() < 0.08:
        boards = _own_boards()
        return boards[int(rng.integers(len(boards)))]
    columns, rows = (int(v) for v in rng.integers(4, 17, 2))
    if rng.random() < 0.5:
        rows = columns
    cell = int(min(48, LARGEST_PX // max(rows, columns)))
    border = float(rng.choice([0.1, 0.5, rng.uniform(0.2, 2.5)]))
    w, h = columns + 2 * border, rows + 2 * border
    base = tint(rng) if rng.random() < 0.6 else random_colour(rng, (0, 0.15), (0.75, 1))
    picture = _ground(rng, base, round(w * cell), round(h * cell))
    kind = str(rng.choice(["ruled", "framed", "filled", "drawn", "map"]))
    ink = contrasting(rng, base, 90)
    soft = float(rng.uniform(0.2, 1.0))
    _rule(rng, picture, kind, cell, border, (rows, columns), ink, soft)
    if rng.random() < 0.3:  # the board is put together of parts
        step = int(rng.integers(2, 9))
        for n in range(step, max(rows, columns), step):
            at, width = round((border + n) * cell), int(rng.integers(1, 4))
            cv2.line(picture, (at, 0), (at, picture.shape[0]), ink, width)
            cv2.line(picture, (0, at), (picture.shape[1], at), ink, width)
    _edge(rng, picture, border * cell, ink)
    return Board(
        picture,
        (w, h),
        (border + 0.5, border + 0.5),
        rows,
        columns,
        like_tiles=soft > 0.6 and kind in ("drawn", "filled"),
    )


def _ground(rng: Rng, base: Colour, width: int, height: int) -> Image:
    if rng.random() < 0.4:
        return np.full((height, width, 3), base, np.uint8)
    side = int(rng.integers(40, 200))
    small = any_ground(rng)(rng, base, side)
    mix = 1.0 if rng.random() < 0.3 else float(rng.uniform(0.15, 0.6))
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    plain = np.full((height, width, 3), base, np.uint8)
    return np.asarray(cv2.addWeighted(large, mix, plain, 1 - mix, 0), np.uint8)


def _rule(  # noqa: C901 # one branch a way to print plots
    rng: Rng,
    picture: Image,
    kind: str,
    cell: int,
    border: float,
    shape: tuple[int, int],
    ink: Colour,
    soft: float,
) -> None:
    """Draw the plots."""
    width = int(rng.integers(1, max(2, cell // 12) + 1))
    inset = int(rng.integers(1, max(2, cell // 5))) if kind == "framed" else 0
    colours = [varied(ink, rng, 30), tint(rng), tint(rng)]
    special = float(rng.choice([0.0, 0.1, 0.3]))
    faces = family(rng).faces if kind == "drawn" else ()
    marks = [glyph(rng) for _ in range(4)]
    figures = rng.random() < 0.25
    for row in range(shape[0]):
        for column in range(shape[1]):
            x, y = round((border + column) * cell), round((border + row) * cell)
            place = picture[y : y + cell, x : x + cell]
            if place.shape[:2] != (cell, cell):
                continue
            if kind == "drawn":
                face = cv2.resize(faces[int(rng.integers(len(faces)))], (cell, cell))
                place[:] = cv2.addWeighted(face, soft, place, 1 - soft, 0)
            elif kind == "filled":
                n = (row + column) % 2 if rng.random() > special else 2
                place[:] = cv2.addWeighted(
                    np.full_like(place, colours[n]), soft, place, 1 - soft, 0
                )
            elif kind == "map":
                draw_things(rng, place, int(rng.integers(1, 4)), colours)
            near, far = inset, cell - 1 - inset
            if kind == "framed" and rng.random() < 0.3:
                cv2.rectangle(place, (near, near), (far, far), colours[1], -1)
            if kind != "map" or soft > 0.6:
                cv2.rectangle(place, (near, near), (far, far), ink, width)
            if rng.random() < special:
                size, middle = cell * float(rng.uniform(0.3, 0.8)), (cell / 2, cell / 2)
                stamp(place, marks[int(rng.integers(4))], colours[1], middle, size)
            if figures:
                text, at = str(int(rng.integers(30))), (cell // 5, 4 * cell // 5)
                cv2.putText(place, text, at, 0, cell / 55, colours[2], 1, cv2.LINE_AA)


def _edge(rng: Rng, picture: Image, border_px: float, ink: Colour) -> None:
    """What is printed round the plots: a line, ornaments, a track for points."""
    h, w = picture.shape[:2]
    if rng.random() < 0.5:
        cv2.rectangle(picture, (0, 0), (w - 1, h - 1), ink, int(rng.integers(1, 8)))
    if border_px < 8 or rng.random() < 0.4:
        return
    step = max(6, int(border_px * rng.uniform(0.4, 1.1)))
    track, colour, mark = rng.random() < 0.5, tint(rng), glyph(rng)
    for x in range(0, w - step, step):
        for y in (0, h - step):
            _ornament(picture, (x, y), step, colour, mark if not track else None)
    for y in range(step, h - 2 * step, step):
        for x in (0, w - step):
            _ornament(picture, (x, y), step, colour, mark if not track else None)


def _ornament(
    picture: Image, at: tuple[int, int], step: int, colour: Colour, mark: Image | None
) -> None:
    x, y = at
    if mark is None:
        cv2.rectangle(picture, (x, y), (x + step - 1, y + step - 1), colour, 1)
        text = str((x + y) // step % 100)
        cv2.putText(picture, text, (x + 2, y + step - 3), 0, step / 50, colour, 1, cv2.LINE_AA)
    else:
        stamp(picture, mark, colour, (x + step / 2, y + step / 2), step * 0.8)


@cache
def _own_boards() -> tuple[Board, ...]:
    """The boards of the project's own drawn editions."""
    boards = []
    for edition in map(own_edition, own_games()):
        printed = edition.description.board
        if printed is None or edition.board is None:
            continue
        cell, shrink = printed.cell_mm[0], LARGEST_PX / max(edition.board.shape)
        small = cv2.resize(edition.board, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        size, first = (
            (pair[0] / cell, pair[1] / cell) for pair in (printed.size_mm, printed.first_cell_mm)
        )
        shape = edition.description.rows, edition.description.columns
        boards.append(Board(np.asarray(small, np.uint8), size, first, *shape))
    return tuple(boards)


def look_alike(rng: Rng) -> Board:
    """A printed or made thing with rows of squares or nearly so: keys, track, calendar, cards."""
    kind = str(rng.choice(["keys", "track", "sheet", "cards"]))
    columns, rows = int(rng.integers(6, 15)), int(rng.integers(3, 8))
    if kind == "track":
        columns, rows = int(rng.integers(8, 24)), int(rng.integers(1, 4))
    if kind == "cards":
        columns, rows = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    wide = float(rng.uniform(1.4, 1.8)) if kind == "cards" else float(rng.choice([1, 1, 1.3, 1.8]))
    high = 24
    long = round(high * wide)
    base = tint(rng)
    key = contrasting(rng, base, 40)
    picture = np.full((rows * high + 8, columns * long + 8, 3), base, np.uint8)
    ink, gap = contrasting(rng, key, 150), int(rng.integers(1, 4))
    art = family(rng).faces if kind == "cards" else ()
    for row in range(rows):
        for column in range(columns):
            x, y = 4 + column * long, 4 + row * high
            if kind == "cards":
                card = cv2.resize(art[int(rng.integers(len(art)))], (long - gap, high - gap))
                picture[y : y + high - gap, x : x + long - gap] = card
                continue
            ends = (x + gap, y + gap), (x + long - gap, y + high - gap)
            cv2.rectangle(picture, *ends, key, -1 if kind == "keys" else 1)
            if rng.random() < 0.8:
                text = (
                    str(int(rng.integers(40))) if kind != "keys" else chr(int(rng.integers(65, 91)))
                )
                at = (x + 5, y + high - 8)
                cv2.putText(
                    picture, text, at, 0, 0.35, ink if kind == "keys" else key, 1, cv2.LINE_AA
                )
    size = picture.shape[1] / long, picture.shape[0] / high
    stretched = (size[0] * wide, size[1])
    return Board(picture, stretched, (0.5, 0.5), rows, columns, plots=False)
