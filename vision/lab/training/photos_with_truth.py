"""Photos of Between Two Cities with their ground truth (``vision.lab.evaluation.photo_truth``)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, Image, floats
from vision.editions.edition import BETWEEN_TWO_CITIES, BETWEEN_TWO_CITIES_FACES
from vision.lab.evaluation.photo_truth import PhotoTruth, load_truth, parse_truth
from vision.lab.simulate.simulated_table import SimulatedTable
from vision.photo.load import Photo, load_photo


@dataclass(frozen=True, slots=True, eq=False)
class CityTiles:
    """Uncovered tiles of a city, or uncovered left-over tiles.

    Attributes:
        quads: Quads of the tiles, in pixels of the picture, top left first as read upright.
        faces: Face of each tile.
        duplexes: Pairs of cells that are one piece; None if unknown.
    """

    quads: dict[Cell, Corners]
    faces: dict[Cell, str]
    duplexes: frozenset[tuple[Cell, Cell]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PhotoTiles:
    """Picture (h, w, 3) BGR as the eye gets it, and its tiles by city; left-over ones come last."""

    image: Image
    cities: tuple[CityTiles, ...]


def load_photos(folder: Path) -> list[PhotoTiles]:
    """Load all ground-truthed tables of a folder, by name.

    Raises:
        VisionError: The truth or a photo cannot be used.
    """
    truths = [
        load_truth(path, BETWEEN_TWO_CITIES, BETWEEN_TWO_CITIES_FACES)
        for path in sorted(folder.glob("*.json"))
    ]
    return [tiles_of_photo(truth, load_photo(truth.path)) for truth in truths if truth.is_table]


def tiles_of_table(table: SimulatedTable) -> PhotoTiles:
    """Return the uncovered tiles of a simulated table."""
    height, width = table.image.shape[:2]
    truth = parse_truth(
        {"photo": "table.jpg", **table.truth}, Path("table.json"), BETWEEN_TWO_CITIES
    )
    return tiles_of_photo(truth, Photo(table.image, "table.jpg", (width, height)))


def tiles_of_photo(truth: PhotoTruth, photo: Photo) -> PhotoTiles:
    """Return the uncovered tiles of a photo."""

    def decoded(quad: Sequence[Sequence[float]]) -> Corners:
        return floats(photo.to_decoded_px(quad))

    cities = []
    for grid in truth.grids:
        cells = list(np.ndindex(len(grid.grid), len(grid.grid[0])))
        placed = zip(cells, grid.tile_quads_px, strict=True)
        quads = {(r, c): decoded(q) for (r, c), q in placed if q and (r, c) not in grid.covered}
        faces = {(r, c): str(grid.grid[r][c]) for r, c in quads}
        cities.append(CityTiles(quads, faces, grid.duplexes))
    strays = enumerate(truth.strays)
    quads = {(-1, n): decoded(stray.corners_px) for n, stray in strays}
    faces = {(-1, n): stray.face for n, stray in enumerate(truth.strays)}
    return PhotoTiles(photo.image_bgr, (*cities, CityTiles(quads, faces)))
