"""Small pictured editions, drawn here, and photos of tables on which their tiles lie."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image, floats
from vision.editions.description import (
    READING_ONLY,
    BoardDescription,
    Description,
    FaceDescription,
    TileTurns,
)
from vision.editions.edition import Edition
from vision.lab.evaluation.photo_truth import parse_truth
from vision.lab.evaluation.verdict import PhotoVerdict, judge_reading
from vision.lab.simulate.content import Content, GridContent
from vision.lab.simulate.simulated_table import SimulatedTable, Surroundings, simulate_table
from vision.photo.load import Photo
from vision.reading import Reading

NAMES = tuple("abcdefghijkl")
PAPERS = ((205, 225, 235), (150, 205, 225), (215, 190, 150), (160, 215, 170))
INKS = ((60, 40, 150), (120, 70, 30), (40, 110, 50), (35, 35, 35), (20, 110, 190))
CLEAN = Surroundings(
    material="felt", share=0.9, tilt=0.1, props=0, strays=0, carelessness=0.3, strength=0.0,
    barrel=0.03,
)  # fmt: skip
SIZE_WH = (800, 600)
COVER = (70, 75, 80)


def drawn_face(seed: int, side: int = 128) -> Image:
    """A plainly drawn tile: a few shapes of ink on paper."""
    rng = np.random.default_rng(seed)
    tile = np.full((side, side, 3), PAPERS[seed % len(PAPERS)], np.uint8)
    for number in range(7):
        ink = INKS[int(rng.integers(len(INKS)))]
        x, y = (int(v) for v in rng.integers(side // 6, side - side // 6, 2))
        size = int(rng.integers(side // 14, side // 5))
        if number % 3 == 0:
            cv2.circle(tile, (x, y), size, ink, -1, cv2.LINE_AA)
        elif number % 3 == 1:
            corners = rng.integers(-size, size, (3, 2)) + np.array((x, y))
            cv2.fillPoly(tile, [corners.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            cv2.rectangle(tile, (x, y), (x + size, y + size // 2), ink, 3, cv2.LINE_AA)
    cv2.rectangle(tile, (2, 2), (side - 3, side - 3), (60, 60, 60), 2)
    return tile


def drawn_board(width: int = 640, height: int = 480, seed: int = 77) -> Image:
    """A map full of paths and trees."""
    rng = np.random.default_rng(seed)
    board = np.full((height, width, 3), (150, 195, 165), np.uint8)
    largest = max(width // 50, 5)
    for _ in range(14):
        ends = rng.integers(0, [width, height], (2, 2)).tolist()
        cv2.line(board, ends[0], ends[1], (120, 160, 190), largest // 2, cv2.LINE_AA)
    for _ in range(110 if width > 200 else 35):
        x, y = (int(v) for v in rng.integers(0, [width, height]))
        ink = INKS[int(rng.integers(len(INKS)))]
        cv2.circle(board, (x, y), int(rng.integers(2, largest)), ink, -1, cv2.LINE_AA)
    return board


def described(
    names: Sequence[str] = NAMES,
    rows: int = 4,
    columns: int = 4,
    tile_turns: TileTurns = TileTurns.ANY,
    board: BoardDescription | None = None,
) -> Description:
    """A game without rules whose tiles cover one cell."""
    return Description(
        name="tiny",
        game=READING_ONLY,
        rows=rows,
        columns=columns,
        tile_mm=40.0,
        tile_turns=tile_turns,
        faces=tuple(FaceDescription(name, (f"{name}.png",), ((name,),)) for name in names),
        board=board,
    )


def edition_of(description: Description, draw: Callable[[int], Image] = drawn_face) -> Edition:
    """The edition whose faces are drawn one after the other."""
    pictures = {face.name: (draw(n + 1),) for n, face in enumerate(description.faces)}
    board = None if description.board is None else drawn_board()
    return Edition(description, pictures, board)


def grid_of(description: Description, seed: int = 5, *, empty: int = 0) -> GridContent:
    """A grid of random tiles, of which some are missing."""
    rng = np.random.default_rng(seed)
    names = [face.name for face in description.grid_faces]
    rows, columns = description.tile_rows, description.tile_columns
    tiles = rng.choice(names, (rows, columns)).astype(object)
    turns = rng.integers(4, size=(rows, columns)) * (description.tile_turns is TileTurns.ANY)
    for number in rng.permutation(rows * columns)[:empty]:
        tiles[number // columns, number % columns] = None
    lying = [
        [None if name is None else int(turn) for name, turn in zip(*pair, strict=True)]
        for pair in zip(tiles.tolist(), turns.tolist(), strict=True)
    ]
    return GridContent(tuple(map(tuple, tiles.tolist())), tuple(map(tuple, lying)))


def table_of(
    edition: Edition,
    *grids: GridContent,
    seed: int = 3,
    surroundings: Surroundings = CLEAN,
    size_wh: tuple[int, int] = SIZE_WH,
) -> SimulatedTable:
    """A tidy table with these grids, photographed."""
    return simulate_table(seed, edition, Content(grids, ()), size_wh, surroundings)


def photo_of(image: Image) -> Photo:
    """The picture as a photo."""
    height, width = image.shape[:2]
    return Photo(np.ascontiguousarray(image), "photo.jpg", (width, height))


def hidden(image: Image, quads: Sequence[object], colour: tuple[int, int, int] = COVER) -> Image:
    """The picture with something laid over places."""
    covered = image.copy()
    for quad in quads:
        cv2.fillConvexPoly(covered, np.rint(floats(quad)).astype(np.int32), colour, cv2.LINE_AA)
    return covered


def verdict_of(game: str, truth: Mapping[str, object], reading: Reading) -> PhotoVerdict:
    """Judge the reading of a simulated table."""
    known = {"photo": "photo.jpg", "kind": "table", "subset": "normal", **truth}
    of_photo = parse_truth(json.loads(json.dumps(known)), Path("photo.json"), game)
    return judge_reading(of_photo, reading)
