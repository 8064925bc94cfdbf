"""Whole tables of Between Two Cities in the drawn edition, with their ground truth.

The truth has the form that the training and the benchmarks read: ``cities`` with ``grid``,
``corners_px``, ``tile_corners_px`` and ``duplexes``, and ``stray_tiles``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from scoring.faces import Face
from vision.arrays import Image, Points
from vision.simulate.faces import draw_face
from vision.simulate.materials import table_material
from vision.simulate.photometry import photographed
from vision.simulate.props import random_prop
from vision.simulate.scene import CityPlan, TableCanvas, camera_view, rectangle

FACES = tuple(Face)
_PICTURE_PX = 160
_CITY_RADIUS = 3.1
"""Half a city's diagonal and a little room, in tile widths."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the table looks like and how it is photographed.

    Attributes:
        material: name of a table top of ``vision.simulate.materials``; None: any.
        tile_px: size of a tile in the middle of the photo.
        tilt: of the camera away from straight down, radians.
        props: how many other things lie about.
        strays: how many left-over tiles lie about, face up.
        carelessness: 0 for tiles laid edge to edge, 1 for ordinary hands, 4 for children's.
        strength: of light, blur and noise; 0 none, 1 as bad as one still can read.
        score_board: whether it lies in the middle.
    """

    material: str | None = None
    tile_px: float = 66.0
    tilt: float = 0.08
    props: int = 6
    strays: int = 2
    carelessness: float = 1.0
    strength: float = 0.4
    score_board: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedTable:
    """A photo (h, w, 3) BGR and what is in it."""

    image: Image
    truth: dict[str, Any]


def simulate_table(
    seed: int,
    grids: Sequence[Sequence[Sequence[Face | None]]],
    size_wh: tuple[int, int] = (2304, 1296),
    surroundings: Surroundings = Surroundings(),
) -> SimulatedTable:
    """Photograph a table.

    Args:
        seed: all that is random follows from it.
        grids: the cities clockwise, each rows of faces (None: no tile).
        size_wh: of the photo.
        surroundings: table, camera and light.
    """
    rng = np.random.default_rng(seed)
    around = surroundings
    view = camera_view(
        size_wh, around.tile_px, around.tilt, float(rng.uniform(0, 2 * np.pi)), rng.normal(0, 0.02)
    )
    top = table_material(rng, size_wh, around.tile_px, around.material)
    canvas = TableCanvas(top, view)
    reach = (size_wh[0] / around.tile_px / 2, size_wh[1] / around.tile_px / 2)
    places = _ring(rng, len(grids), reach)
    taken = [(place, _CITY_RADIUS) for place, _ in places]
    if around.score_board:
        _lay_prop(rng, canvas, "score-board", (0.0, 0.0), float(rng.normal(0, 0.3)), around)
        taken.append(((0.0, 0.0), 4.0))
    _scatter(rng, canvas, reach, taken, around)
    cities = [
        _lay_city(rng, canvas, number, grid, *places[number], around)
        for number, grid in enumerate(grids)
    ]
    truth = {
        "game": "between-two-cities",
        "seed": seed,
        "cities": cities,
        "stray_tiles": [
            {"face": FACES[tile.face].value, "corners_px": _points(tile.quad_px)}
            for tile in canvas.tiles
            if tile.city < 0
        ],
    }
    return SimulatedTable(photographed(rng, canvas.finished(), around.strength), truth)


def _ring(
    rng: np.random.Generator, count: int, reach: tuple[float, float]
) -> list[tuple[tuple[float, float], float]]:
    """Places and turns of the cities, clockwise round the table from the lower left on."""
    places = []
    for number in range(count):
        angle = 2 * np.pi * (number + 0.5) / count + float(rng.normal(0, 0.04))
        x = -np.sin(angle) * (reach[0] - _CITY_RADIUS - 0.6)
        y = np.cos(angle) * (reach[1] - _CITY_RADIUS - 0.3)
        facing = angle + float(rng.normal(0, 0.15))
        places.append(((float(x), float(y)), facing))
    return places


def _lay_city(
    rng: np.random.Generator,
    canvas: TableCanvas,
    number: int,
    grid: Sequence[Sequence[Face | None]],
    centre: tuple[float, float],
    angle: float,
    around: Surroundings,
) -> dict[str, Any]:
    """Lay one city and return its truth."""
    rows, columns = len(grid), len(grid[0])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    deck = iter([FACES.index(f) for f in chain.from_iterable(grid) if f is not None])

    def next_tile(_: np.random.Generator) -> tuple[int, Image]:
        face = next(deck)
        return face, draw_face(FACES[face], _PICTURE_PX)

    loose = around.carelessness
    plan = CityPlan(
        centre,
        angle,
        gap=0.012 + 0.02 * loose,
        shift=0.01 * loose,
        twist=0.009 * loose,
        rows=rows,
        columns=columns,
        missing=frozenset(cell for cell in cells if grid[cell[0]][cell[1]] is None),
    )
    canvas.lay_city(rng, number, plan, next_tile)
    quads = {tile.cell: tile.quad_px for tile in canvas.tiles if tile.city == number}
    outer = ((0, 0, 0), (0, columns - 1, 1), (rows - 1, columns - 1, 2), (rows - 1, 0, 3))
    corners = [quads[r, c][i] for r, c, i in outer if (r, c) in quads]
    return {
        "corners_px": _points(np.array(corners)) if len(corners) == 4 else None,
        "grid": [[face.value if face else None for face in row] for row in grid],
        "duplexes": [],
        "tile_corners_px": [_points(quads[c]) if c in quads else None for c in cells],
        "occluded": [],
    }


def _scatter(
    rng: np.random.Generator,
    canvas: TableCanvas,
    reach: tuple[float, float],
    taken: list[tuple[tuple[float, float], float]],
    around: Surroundings,
) -> None:
    """Lay props and stray tiles where nothing lies yet."""

    def free_place(radius: float) -> tuple[float, float] | None:
        for _ in range(40):
            x, y = (float(rng.uniform(-r, r)) for r in reach)
            if all(np.hypot(x - a, y - b) > radius + other for (a, b), other in taken):
                taken.append(((x, y), radius))
                return x, y
        return None

    def stray(_: np.random.Generator) -> tuple[int, Image]:
        face = int(rng.integers(len(FACES)))
        return face, draw_face(FACES[face], _PICTURE_PX)

    for _ in range(around.strays):
        place = free_place(0.9)
        if place:
            canvas.lay_stray(rng, place, stray)
    for _ in range(around.props):
        place = free_place(1.6)
        if place:
            _lay_prop(rng, canvas, None, place, float(rng.uniform(0, 2 * np.pi)), around)


def _lay_prop(
    rng: np.random.Generator,
    canvas: TableCanvas,
    name: str | None,
    place: tuple[float, float],
    angle: float,
    around: Surroundings,
) -> None:
    picture, size = random_prop(rng, around.tile_px, name)
    canvas.lay(picture, rectangle(place, angle, size), (0.05, 0.06, 0.4))


def _points(corners: Points) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in corners]
