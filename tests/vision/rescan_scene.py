"""Tables on which single things can be moved between two photos, everything else staying put."""

from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from scoring.faces import Cell, Face
from vision.arrays import Corners, Homography, Image, apply_homography
from vision.editions.built_in import tile_picture
from vision.lab.simulate.grid_poses import GridPose
from vision.lab.simulate.light import Effect, photograph
from vision.lab.simulate.props import random_prop
from vision.lab.simulate.simulated_camera import CameraAngles, SimulatedCamera, SimulatedLens
from vision.lab.simulate.table_canvas import UNIT_MM, TableCanvas, rectangle
from vision.lab.simulate.table_tops import table_top
from vision.photo.load import Photo
from vision.reading import GridReading, Reading

FACES = tuple(Face)
SIZE_WH = (1072, 616)
TILE_PX = 36.0
PLACES = ((-10.0, -4.6), (10.0, -4.6), (0.0, 4.8), (-10.5, 4.4), (10.5, 4.4))
"""Middles of cities, in tile widths from the middle of the photo; from each to each is room."""
_PICTURES = {face: tile_picture(face, 60) for face in FACES}

Grid = tuple[tuple[Face | None, ...], ...]


@dataclass(frozen=True)
class LaidCity:
    """A city: its faces, where its middle lies (tile widths) and how it is turned (radians).

    Its tiles are a little off their places, always in the same way for the same ``seed``; they are
    ``size`` times as large as others.
    """

    grid: Grid
    place: tuple[float, float]
    angle: float
    seed: int = 0
    turned: dict[Cell, int] = field(default_factory=dict, hash=False)
    size: float = 1.0

    def corners(self, cell: Cell) -> Corners:
        """Return the corners of a cell's tile on the table, in tile widths."""
        rng = np.random.default_rng([self.seed, *cell])
        place = GridPose.free((4, 4), UNIT_MM, (0, 0), self.angle, gap=0.03, carelessness=1.3)
        corners = place.careless_tile(rng, cell)
        return np.asarray(corners * self.size + self.place, np.float32)

    def moved(self, x: float, y: float) -> "LaidCity":
        return replace(self, place=(self.place[0] + x, self.place[1] + y))

    def with_tile(self, cell: Cell, face: Face | None) -> "LaidCity":
        rows = [list(row) for row in self.grid]
        rows[cell[0]][cell[1]] = face
        return replace(self, grid=tuple(tuple(row) for row in rows))


MAX_KEPT_PHOTOS = 16
"""Photos, and as many pictures of tables, kept for later tests, 2 MB each."""


@dataclass(frozen=True)
class Thing:
    """A prop (see ``vision.lab.simulate.props``) with its middle at a place, in tile widths."""

    name: str
    place: tuple[float, float]
    angle: float = 0.0


@dataclass(frozen=True)
class Scene:
    """A table and the way it is photographed.

    Attributes:
        cities: Cities on the table.
        things: Things on the cities or beside them.
        material: Material of the table top.
        table_seed: Seed of the table top.
        shot: Seed of light and noise.
        strength: Strength of light and noise.
        effects: Changes of the light.
        nudge_px: Movement of the camera, in pixels of the photo.
        turn_deg: Turn of the camera about its axis.
        tilt: Angle of the camera to straight down, in radians.
        barrel: Distortion of its lens, see ``vision.lab.simulate.simulated_camera``.
    """

    cities: tuple[LaidCity, ...]
    things: tuple[Thing, ...] = ()
    material: str = "wood-light"
    table_seed: int = 1
    shot: int = 1
    strength: float = 0.2
    effects: tuple[Effect, ...] = ()
    nudge_px: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    tilt: float = 0.1
    barrel: float = 0.0

    def with_city(self, number: int, city: LaidCity) -> "Scene":
        cities = list(self.cities)
        cities[number] = city
        return replace(self, cities=tuple(cities))

    def photo(self) -> Photo:
        """The table as it is photographed; the photos used last are kept."""
        return _photographed(self)

    def place_px(self, place: tuple[float, float]) -> tuple[float, float]:
        """Project a place of the table into the photo."""
        x, y = self.seen([place])[0]
        return float(x), float(y)

    def seen(self, points):
        """Project points (n, 2) of the table, in tile widths, into the photo."""
        return SimulatedLens(SIZE_WH, self.barrel).to_photo_px(
            apply_homography(points, self.homography())
        )

    def homography(self) -> Homography:
        """From the table, in tile widths, to the photo of a lens that bends nothing."""
        return self._motion() @ _camera(self.tilt).view

    def _motion(self) -> Homography:
        middle = ((SIZE_WH[0] - 1) / 2, (SIZE_WH[1] - 1) / 2)
        turn = cv2.getRotationMatrix2D(middle, self.turn_deg, 1.0)
        turn[:, 2] += self.nudge_px
        return np.vstack([turn, [0, 0, 1]])

    def moved(self, image: Image) -> Image:
        if self.turn_deg == 0 and self.nudge_px == (0.0, 0.0):
            return image
        motion = self._motion()[:2]
        return cv2.warpAffine(image, motion, SIZE_WH, borderMode=cv2.BORDER_REFLECT_101)


@lru_cache(MAX_KEPT_PHOTOS)
def _photographed(scene: Scene) -> Photo:
    tidy = _picture(scene.material, scene.table_seed, scene.tilt, scene.cities)
    canvas = TableCanvas(tidy, _camera(scene.tilt))
    for number, thing in enumerate(scene.things):
        prop = random_prop(np.random.default_rng(number), TILE_PX, thing.name)
        canvas.lay(
            prop.image_bgra,
            rectangle(thing.place, thing.angle, prop.size_tiles),
            (0.05, 0.06, 0.4),
        )
    moved = SimulatedLens(SIZE_WH, scene.barrel).distort(scene.moved(canvas.to_image()))
    rng = np.random.default_rng(scene.shot)
    image = photograph(rng, moved, scene.strength, scene.effects)
    return Photo(image, f"shot-{scene.shot}.jpg", SIZE_WH)


@lru_cache(MAX_KEPT_PHOTOS)
def _picture(material: str, table_seed: int, tilt: float, cities: tuple[LaidCity, ...]) -> Image:
    """A table with cities in even light; the last city is laid on the picture of the others."""
    if not cities:
        return table_top(np.random.default_rng(table_seed), SIZE_WH, TILE_PX, material)
    others = _picture(material, table_seed, tilt, cities[:-1])
    canvas = TableCanvas(others, _camera(tilt))
    _lay(canvas, cities[-1])
    return canvas.to_image()


def _camera(tilt: float) -> SimulatedCamera:
    return SimulatedCamera.above(CameraAngles(tilt, 0.7, 0.01), SimulatedLens(SIZE_WH), TILE_PX)


def dealt(seed: int) -> Grid:
    """A city of tiles dealt at random."""
    numbers = np.random.default_rng(seed).integers(0, len(FACES), (4, 4))
    return tuple(tuple(FACES[int(n)] for n in row) for row in numbers)


def table(count: int, seed: int = 1, **how) -> Scene:
    """Make an ordinary table with ``count`` cities, up to 5."""
    rng = np.random.default_rng(seed)
    cities = tuple(
        LaidCity(dealt(100 * seed + n), PLACES[n], float(rng.uniform(-0.4, 0.4)), seed=n)
        for n in range(count)
    )
    return Scene(cities, **how)


def finished_table() -> Scene:
    """Make a table that shows each face, its tiles large enough to be taught."""
    scene = table(3, seed=3)
    return replace(scene, cities=tuple(replace(city, size=1.2) for city in scene.cities))


def city_of(reading: Reading, scene: Scene, laid: LaidCity) -> GridReading:
    """Return the city read at the place of a laid one."""
    x, y = scene.place_px(laid.place)
    (near,) = (
        c for c in reading.grids if np.hypot(c.centre_px[0] - x, c.centre_px[1] - y) < TILE_PX / 2
    )
    return near


def assert_right(reading: Reading, scene: Scene) -> None:
    """Every city is there, none is invented, and every face that is not flagged is right."""
    assert len(reading.grids) == len(scene.cities)
    for laid in scene.cities:
        found = city_of(reading, scene, laid)
        for row, column in np.ndindex(4, 4):
            if (row, column) not in found.unsure:
                assert found.faces[row][column] == laid.grid[row][column]


def _lay(canvas: TableCanvas, city: LaidCity) -> None:
    for row, faces in enumerate(city.grid):
        for column, face in enumerate(faces):
            if face is not None:
                picture = np.rot90(_PICTURES[face], -city.turned.get((row, column), 0))
                corners = city.corners((row, column))
                canvas.lay(np.ascontiguousarray(picture), corners, (0.03, 0.03, 0.4))
