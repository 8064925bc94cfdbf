"""Find a layout of tiles in a photo, by itself or by given corners."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.editions.model import Model
from vision.editions.references import TURNS
from vision.eye.camera import Correspondences, TableCamera, cells_between, fit_camera
from vision.eye.placement import PlacedGrid, detect_grids, place_grids
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads

MIN_MEAN_WHOLE_FOUND: Final = 0.95
"""Least mean probability that the places of a layout that was found show whole tiles. In 118 photos
it was 0.99 for layouts found right, and 0.89 at most for others."""
MAX_COUNTED: Final = 3
"""Most grids that are searched to find out whether a layout is the only one in a photo."""
TEACH_AREAS: Final = (1.0, 0.3, 0.1)
"""Relative areas (``vision.eye.locate``) of the reduced images in which a layout is searched; in a
small one it may fill the photo."""


class NoGridError(ValueError):
    """Photo in which the layout is not found."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundLayout:
    """Layout of tiles as it was found in a photo.

    Attributes:
        placed: Grid of the layout.
        camera: Camera of the photo.
        turn: Quarters anticlockwise by which the layout lies turned in the grid.
    """

    placed: PlacedGrid
    camera: TableCamera
    turn: int

    @property
    def quads_px(self) -> Floats:
        """Shape (rows, columns, 4, 2): quads of the places of the upright layout."""
        order = np.rot90(
            np.arange(len(self.placed.embeddings)).reshape(self.placed.lattice_grid.shape),
            -self.turn,
        )
        return floats(np.roll(self.placed.quads_px, self.turn, axis=1)[order])


def find_layout(pyramid: Pyramid, shape: tuple[int, int], model: Model) -> FoundLayout:
    """Find a layout in a photo that shows its upper row above.

    Args:
        pyramid: Pyramid of the photo of the layout.
        shape: Rows and columns of tiles.
        model: Model of the game.

    Raises:
        NoGridError: No such layout is found.
    """
    grid_layout = replace(model.layout, rows=shape[0], columns=shape[1], most_grids=1)
    without_rim = replace(model, rim=())
    tried: list[tuple[TableCamera, PlacedGrid]] = []
    for relative_area in TEACH_AREAS:
        for found in detect_grids(pyramid, grid_layout, relative_area):
            camera, grids = place_grids(pyramid, found, without_rim)
            tried += [(camera, placed) for placed in grids if shows_tiles(placed)]
        counts = [placed.lattice_grid.detected_count for _, placed in tried]
        if max(counts, default=0) == shape[0] * shape[1]:
            break
    if not tried:
        raise NoGridError(f"no {shape[0]}x{shape[1]} grid of tiles is seen in the photo")
    # A part of a tile may look like one, but then the tiles cover more
    camera, placed = max(tried, key=lambda each: covered_area_px(each[1]))
    corners = placed.lattice_grid.corners_px(camera)
    return FoundLayout(placed, camera, _find_layout_turn(placed, corners, shape))


def shows_several(pyramid: Pyramid, shape: tuple[int, int], model: Model) -> bool:
    """Return whether several grids of a shape lie in a photo, each seen whole and by itself."""
    rows, columns = shape
    grid_layout = replace(model.layout, rows=rows, columns=columns, most_grids=MAX_COUNTED)
    without_rim = replace(model, rim=(), layout=grid_layout)
    for relative_area in TEACH_AREAS:
        for found in detect_grids(pyramid, grid_layout, relative_area):
            _, grids = place_grids(pyramid, found, without_rim)
            count = sum(
                each.position_certain and each.is_outside_empty and shows_tiles(each)
                for each in grids
            )
            if count:
                return count > 1
    return False


def shows_tiles(placed: PlacedGrid) -> bool:
    """Return whether the places of a grid show whole tiles, not parts of neighbouring ones."""
    return float(placed.embeddings.whole_probability.mean()) > MIN_MEAN_WHOLE_FOUND


def covered_area_px(placed: PlacedGrid) -> float:
    """Return the area of the whole tiles of a grid, in square pixels."""
    right, down = (placed.quads_px[:, n] - placed.quads_px[:, 0] for n in (1, 3))
    areas = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    return float((areas * placed.embeddings.whole_probability).sum())


def layout_from_corners(
    pyramid: Pyramid, corners_px: Floats, shape: tuple[int, int]
) -> FoundLayout:
    """Return a layout with given corners (4, 2), from its top left clockwise."""
    rows, columns = shape
    height, width = pyramid.level(0).shape[:2]
    ends = UNIT_SQUARE * floats([columns, rows]) - floats(0.5)
    corners = Correspondences(ends.astype(float), corners_px.astype(float), np.ones(4))
    camera, (lattice,) = fit_camera(TableCamera.looking_down(width, height), [corners])
    warp = cv2.getPerspectiveTransform(ends, floats(corners_px))
    places = floats(cells_between((0, 0), (columns, rows))[:, None] + UNIT_SQUARE - 0.5)
    quads = floats(cv2.perspectiveTransform(places.reshape(1, -1, 2), warp)).reshape(-1, 4, 2)
    embeddings = embed_quads(pyramid, quads)
    return FoundLayout(PlacedGrid.at_known_position(lattice, shape, quads, embeddings), camera, 0)


def _find_layout_turn(placed: PlacedGrid, corners: Floats, shape: tuple[int, int]) -> int:
    """Return ``FoundLayout.turn`` of a layout of a shape that lies upright in the photo."""
    grid_shape = placed.lattice_grid.shape
    possible = [t for t in range(TURNS) if (shape if t % 2 == 0 else shape[::-1]) == grid_shape]
    return find_photo_turn(corners, possible)


def find_photo_turn(corners: Floats, turns: Sequence[int] = range(TURNS)) -> int:
    """Return by how many quarters anticlockwise corners are turned from upright in the photo."""
    right = [np.roll(corners, t, axis=0)[1] - np.roll(corners, t, axis=0)[0] for t in turns]
    return turns[int(np.argmax([v[0] / np.linalg.norm(v) for v in right]))]
