"""Whole tables of Between Two Cities in the drawn edition, with their ground truth.

The form of the truth: ``vision.simulate.truth``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from scoring.faces import Cell, Face, Place
from vision.arrays import FloatImage, Image, floats, transformed
from vision.editions.own import back_picture, face_picture
from vision.simulate.deal import Pair
from vision.simulate.lens import Lens
from vision.simulate.materials import table_material
from vision.simulate.mishaps import NO_MISHAPS, Mishaps, choose_turned, cover_tile, cut_off
from vision.simulate.photometry import Effect, photographed
from vision.simulate.props import random_prop
from vision.simulate.scene import DECOY, CityPlan, TableCanvas, camera_view, rectangle
from vision.simulate.truth import table_truth

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
        barrel: distortion of the lens, see ``vision.simulate.lens``.
        effects: what happens to the light beside what ``strength`` does.
        mishaps: what is wrong with tiles and cities.
        decoys: how many grids of face-down tiles lie there, which are no cities.
        margin: more room between the cities and the edge of the picture, tile widths.
    """

    material: str | None = None
    tile_px: float = 66.0
    tilt: float = 0.08
    props: int = 6
    strays: int = 2
    carelessness: float = 1.0
    strength: float = 0.4
    score_board: bool = True
    barrel: float = 0.0
    effects: tuple[Effect, ...] = ()
    mishaps: Mishaps = NO_MISHAPS
    decoys: int = 0
    margin: float = 0.0


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
    duplexes: Sequence[Sequence[Pair]] | None = None,
) -> SimulatedTable:
    """Photograph a table.

    Args:
        seed: all that is random follows from it.
        grids: the cities clockwise, each rows of faces (None: no tile).
        size_wh: of the photo.
        surroundings: table, camera and light.
        duplexes: for each city the pairs of cells that are one piece, none of them without a
            tile; None: all tiles are single.
    """
    rng = np.random.default_rng(seed)
    # A stream of their own, so that the same seed gives the same table with mishaps and without
    mishap_rng = np.random.default_rng([seed, 1])
    around = surroundings
    view = camera_view(
        size_wh, around.tile_px, around.tilt, float(rng.uniform(0, 2 * np.pi)), rng.normal(0, 0.02)
    )
    top = table_material(rng, size_wh, around.tile_px, around.material)
    canvas = TableCanvas(top, view)
    reach = (size_wh[0] / around.tile_px / 2, size_wh[1] / around.tile_px / 2)
    places = _ring(rng, len(grids), (reach[0] - around.margin, reach[1] - around.margin))
    for number in mishap_rng.permutation(len(grids))[: around.mishaps.cut_off]:
        place, facing = places[number]
        places[number] = cut_off(mishap_rng, place, reach), facing
    taken = [(place, _CITY_RADIUS) for place, _ in places]
    if around.score_board:
        _lay_prop(rng, canvas, "score-board", (0.0, 0.0), float(rng.normal(0, 0.3)), around)
        taken.append(((0.0, 0.0), 4.0))
    _scatter(rng, canvas, reach, taken, around)
    pairs = [tuple(city) for city in duplexes] if duplexes is not None else [()] * len(grids)
    turned = choose_turned(mishap_rng, _single_tiles(grids, pairs), around.mishaps.turned)
    plans = [
        _plan(grid, *places[number], around, pairs[number], _turned_in(number, turned))
        for number, grid in enumerate(grids)
    ]
    for number, (grid, plan) in enumerate(zip(grids, plans, strict=True)):
        _lay_city(rng, canvas, number, grid, plan)
    _lay_decoys(mishap_rng, canvas, reach, around)
    hidden = _covered(mishap_rng, canvas, around.mishaps.covered)
    lens = Lens(size_wh, around.barrel)
    ideal = lens.photographed(canvas.finished())
    image = photographed(rng, ideal, around.strength, around.effects)
    truth = {"seed": seed, **table_truth(canvas, plans, grids, lens, hidden, image)}
    return SimulatedTable(image, truth)


def _single_tiles(
    grids: Sequence[Sequence[Sequence[Face | None]]], pairs: Sequence[Sequence[Pair]]
) -> list[Place]:
    return [
        (number, (row, column))
        for number, grid in enumerate(grids)
        for row, faces in enumerate(grid)
        for column, face in enumerate(faces)
        if face is not None and (row, column) not in set(chain.from_iterable(pairs[number]))
    ]


def _turned_in(city: int, turned: Mapping[Place, int]) -> dict[Cell, int]:
    return {cell: quarters for (number, cell), quarters in turned.items() if number == city}


def _covered(rng: np.random.Generator, canvas: TableCanvas, count: int) -> FloatImage | None:
    """Lay something on so many tiles of cities; which part of each pixel (h, w) that hides."""
    of_cities = [tile for tile in canvas.tiles if tile.city >= 0]
    hidden: FloatImage | None = None
    to_plane = np.linalg.inv(canvas.view)
    for number in rng.permutation(len(of_cities))[:count]:
        quad = transformed(of_cities[number].quad_px, to_plane)
        cover = cover_tile(rng, canvas, quad)
        hidden = cover if hidden is None else floats(1 - (1 - hidden) * (1 - cover))
    return hidden


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


def _plan(
    grid: Sequence[Sequence[Face | None]],
    centre: tuple[float, float],
    angle: float,
    around: Surroundings,
    duplexes: tuple[Pair, ...],
    turned: Mapping[Cell, int],
) -> CityPlan:
    rows, columns, loose = len(grid), len(grid[0]), around.carelessness
    cells = ((r, c) for r in range(rows) for c in range(columns))
    return CityPlan(
        centre,
        angle,
        gap=0.012 + 0.02 * loose,
        shift=0.01 * loose,
        twist=0.009 * loose,
        rows=rows,
        columns=columns,
        missing=frozenset(cell for cell in cells if grid[cell[0]][cell[1]] is None),
        duplexes=duplexes,
        turned=turned,
    )


def _lay_city(
    rng: np.random.Generator,
    canvas: TableCanvas,
    number: int,
    grid: Sequence[Sequence[Face | None]],
    plan: CityPlan,
) -> None:
    deck = iter([face for face in chain.from_iterable(grid) if face is not None])

    def next_tile(_: np.random.Generator) -> tuple[int, Image]:
        face = next(deck)
        return FACES.index(face), face_picture(face, _PICTURE_PX)

    canvas.lay_city(rng, number, plan, next_tile)


def _lay_decoys(
    rng: np.random.Generator,
    canvas: TableCanvas,
    reach: tuple[float, float],
    around: Surroundings,
) -> None:
    """Lay grids of face-down tiles round the table."""

    def face_down(_: np.random.Generator) -> tuple[int, Image]:
        return -1, back_picture(_PICTURE_PX)

    nothing = [[None] * 4] * 4
    for place, angle in _ring(rng, around.decoys, reach) if around.decoys else []:
        plan = replace(_plan(nothing, place, angle, around, (), {}), missing=frozenset())
        canvas.lay_city(rng, DECOY, plan, face_down)


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
        return face, face_picture(FACES[face], _PICTURE_PX)

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
