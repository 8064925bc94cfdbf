"""Descriptions and pictured editions to test with: small, drawn, and the same each time."""

from pathlib import Path

import cv2
import numpy as np
from hypothesis import strategies as st

from vision.arrays import Image
from vision.editions.description import (
    READING_ONLY,
    BoardDescription,
    Description,
    FaceDescription,
    Heap,
    Slots,
    TileTurns,
    TokenDescription,
)

FREE = """\
format = 2
name = "my-game"
game = "reading-only"
layout = "free-tiles"
rows = 2
columns = 3
tile_mm = 40.0
turned = "any"

[[tokens]]
kind = "pawn"
colour = "#c8232c"
foot_mm = 12.0
height_mm = 18.0

[[faces]]
name = "wood"
images = ["wood-1.png", "wood-2.png"]

[[faces]]
name = "lake"
images = ["lake.png"]
"""

PRINTED = """\
format = 2
name = "my-board"
game = "reading-only"
layout = "printed-board"
rows = 2
columns = 3
tile_mm = 30
turned = "upright"

[board]
image = "board.png"
size_mm = [200, 150]
first_cell_mm = [50, 50]
cell_mm = [40, 40]
plots = [[0, 0], [1, 2]]

[[board.slots]]
name = "row"
faces = ["coin"]
first_mm = [20, 50]
step_mm = [0, 40]
count = 2

[[board.heaps]]
name = "left"
faces = ["coin"]
area_mm = [0, 150, 200, 240]

[numbers]
row_numbers = [1, 2]
column_numbers = [-3, 4, 5]

[[faces]]
name = "wood"
images = ["wood.png"]

[[faces]]
name = "coin"
images = ["coin.png"]
"""


def tile(seed: int, side: int = 64) -> Image:
    """A picture full of details that is like no other one."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(20, 235, (8, 8, 3), dtype=np.uint8)
    picture = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_NEAREST)
    return np.asarray(picture, np.uint8)


def write_pictures(folder: Path, **sizes: tuple[int, int]) -> None:
    """Write a picture for each name, of such a width and height."""
    for seed, (name, (width, height)) in enumerate(sizes.items()):
        picture = cv2.resize(tile(seed, 256), (width, height), interpolation=cv2.INTER_NEAREST)
        cv2.imwrite(str(folder / f"{name.replace('_', '-')}.png"), picture)


def write_free(folder: Path, text: str = FREE) -> Path:
    """The folder of an edition of free tiles."""
    folder.mkdir(exist_ok=True)
    (folder / "edition.toml").write_text(text, "utf-8")
    write_pictures(folder, wood_1=(64, 64), wood_2=(96, 96), lake=(64, 64))
    return folder


def write_printed(folder: Path, text: str = PRINTED) -> Path:
    """The folder of an edition with a printed board."""
    folder.mkdir(exist_ok=True)
    (folder / "edition.toml").write_text(text, "utf-8")
    write_pictures(folder, board=(400, 300), wood=(64, 64), coin=(64, 64))
    return folder


_names = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,20}", fullmatch=True)
_lengths = st.floats(20, 500).map(lambda length: round(length, 2))


@st.composite
def descriptions(draw: st.DrawFn) -> Description:
    """Any description that contradicts nothing."""
    high = draw(st.integers(1, 3))
    rows, columns = (high * draw(st.integers(1, 6)) for _ in range(2))
    names = draw(st.lists(_names, min_size=2, max_size=6, unique=True))
    board = draw(st.none() | _boards(rows, columns, names[1:]))
    beside = set() if board is None else set(names[1:])
    faces = []
    for name in names:
        images = tuple(f"{name}-{n}.png" for n in range(draw(st.integers(0, 3))))
        cells: tuple[tuple[str, ...], ...] = ((name,),)
        if high > 1 and name not in beside:
            content = draw(st.lists(_names, min_size=high * high, max_size=high * high))
            cells = tuple(tuple(content[n : n + high]) for n in range(0, high * high, high))
        faces.append(FaceDescription(name, images, cells))
    tile_mm = draw(_lengths)
    if board is not None:
        tile_mm = min(board.cell_mm)
    return Description(
        name=draw(st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True)),
        game=READING_ONLY,
        rows=rows,
        columns=columns,
        tile_mm=tile_mm,
        tile_turns=draw(st.sampled_from(TileTurns)),
        faces=tuple(faces),
        tile_cells=(high, high),
        board=board,
        tokens=draw(_tokens()),
        most_grids=draw(st.integers(1, 8)),
        numbers=draw(_numbers(rows, columns)),
    )


@st.composite
def _boards(draw: st.DrawFn, rows: int, columns: int, beside: list[str]) -> BoardDescription:
    cell = (draw(st.floats(20, 100)), draw(st.floats(20, 100)))
    first = (draw(st.floats(0, 300)), draw(st.floats(0, 300)))
    size = (first[0] + columns * cell[0], first[1] + rows * cell[1])
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    slots = Slots("slots", tuple(beside), (-20.5, 7.0), (0.0, 1e-7), draw(st.integers(1, 20)))
    return BoardDescription(
        "the-board.png",
        size,
        first,
        cell,
        plots=draw(st.frozensets(cells)),
        slots=(slots,),
        heaps=draw(
            st.sampled_from([(), (Heap("heap", tuple(beside), (-9.0, -9.0, 900.0, 900.0)),)])
        ),
    )


@st.composite
def _tokens(draw: st.DrawFn) -> tuple[TokenDescription, ...]:
    kinds = draw(st.lists(_names, max_size=3, unique=True))
    levels = st.integers(0, 255)
    return tuple(
        TokenDescription(
            kind, draw(st.tuples(levels, levels, levels)), draw(st.floats(2, 100)), 18.0
        )
        for kind in kinds
    )


@st.composite
def _numbers(draw: st.DrawFn, rows: int, columns: int) -> dict[str, tuple[int, ...]]:
    numbers = {}
    for name, count in (("row_numbers", rows), ("column_numbers", columns)):
        if draw(st.booleans()):
            values = st.lists(st.integers(-999, 999), min_size=count, max_size=count)
            numbers[name] = tuple(draw(values))
    return numbers
