"""Learn what a model's faces look like from photos of a known layout."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.editions.learning import (
    add_examples,
    cells_with_rim,
    choose_examples,
    embed_rim,
    embed_views,
)
from vision.editions.model import Model
from vision.editions.references import TURNS
from vision.eye.camera import Correspondences, TableCamera, cell_quads_px, fit_camera
from vision.eye.identify import Light, fit_light
from vision.eye.locate import MIN_TILE_PROBABILITY
from vision.eye.placement import PlacedGrid, locate_grids, place_grids
from vision.patches.cut import UNIT_SQUARE, Pyramid, cut_patches, embed_quads
from vision.patches.embedding import Embeddings, normalise

Names = Sequence[Sequence[str | None]]
LEAST_WHOLE_TILES = 0.95
"""So likely the places of a layout that is found by itself must show whole tiles, in the mean: in
118 photos those of layouts that lie right do by 0.99, and those of others by 0.89 at most."""
MOST_COUNTED = 3
"""So many grids of a photo are looked for to tell whether a layout is the only one."""
TEACH_SCALES = (1.0, 0.3, 0.1)
"""A layout may fill the photo: areas at which to look for it."""


class NoGridError(ValueError):
    """A photo does not show the layout."""


@dataclass(frozen=True, slots=True, eq=False)
class LocatedLayout:
    """A layout of known faces that was found in a photo.

    Attributes:
        placed: its grid.
        camera: that sees it.
        turn: quarters anticlockwise by which the layout lies turned in the grid.
    """

    placed: PlacedGrid
    camera: TableCamera
    turn: int

    @property
    def quads_px(self) -> Floats:
        """(rows, columns, 4, 2) of the places of the layout, as it lies upright."""
        order = np.rot90(
            np.arange(len(self.placed.embeddings)).reshape(self.placed.grid.shape), -self.turn
        )
        return floats(np.roll(self.placed.quads_px, self.turn, axis=1)[order])


def find_layout(photo: Pyramid, shape: tuple[int, int], model: Model) -> LocatedLayout:
    """Find a layout in a photo that shows its upper row above.

    Args:
        photo: that shows it.
        shape: rows and columns of tiles.
        model: of the game.

    Raises:
        NoGridError: no such layout is seen in the photo.
    """
    layout = replace(model.layout, rows=shape[0], columns=shape[1], most_grids=1)
    bare = replace(model, rim=())
    tried: list[tuple[TableCamera, PlacedGrid]] = []
    for scale in TEACH_SCALES:
        for found in locate_grids(photo, layout, scale):
            camera, seen = place_grids(photo, found, bare)
            tried += [(camera, one) for one in seen if shows_tiles(one)]
        if any((one.grid.seen > MIN_TILE_PROBABILITY).all() for _, one in tried):
            break
    if not tried:
        raise NoGridError(f"no {shape[0]}x{shape[1]} grid of tiles is seen in the photo")
    # A part of a tile may look like one, but then the tiles cover more
    camera, one = max(tried, key=lambda each: covered_px(each[1]))
    return LocatedLayout(one, camera, _turn(one, one.grid.corners_px(camera), shape))


def shows_several(photo: Pyramid, shape: tuple[int, int], model: Model) -> bool:
    """Return whether several grids of a shape lie in a photo, each seen whole and by itself."""
    rows, columns = shape
    layout = replace(model.layout, rows=rows, columns=columns, most_grids=MOST_COUNTED)
    bare = replace(model, rim=(), layout=layout)
    for scale in TEACH_SCALES:
        for found in locate_grids(photo, layout, scale):
            _, seen = place_grids(photo, found, bare)
            count = sum(each.certain and each.alone and shows_tiles(each) for each in seen)
            if count:
                return count > 1
    return False


def shows_tiles(placed: PlacedGrid) -> bool:
    """Whether what lies in its places are tiles, and not parts of several as in one laid aside."""
    return float(placed.embeddings.whole.mean()) > LEAST_WHOLE_TILES


def covered_px(placed: PlacedGrid) -> float:
    """Area on which whole tiles are seen, in square pixels."""
    right, down = (placed.quads_px[:, n] - placed.quads_px[:, 0] for n in (1, 3))
    areas = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    return float((areas * placed.embeddings.whole).sum())


def layout_at(photo: Pyramid, corners_px: Floats, shape: tuple[int, int]) -> LocatedLayout:
    """A layout whose corners (4, 2) are given, from its top left clockwise."""
    rows, columns = shape
    height, width = photo.level(0).shape[:2]
    ends = UNIT_SQUARE * floats([columns, rows]) - floats(0.5)
    corners = Correspondences(ends.astype(float), corners_px.astype(float), np.ones(4))
    camera, (lattice,) = fit_camera(TableCamera.looking_down(width, height), [corners])
    warp = cv2.getPerspectiveTransform(ends, floats(corners_px))
    places = floats(np.argwhere(np.ones(shape))[:, None, ::-1] + UNIT_SQUARE - 0.5)
    quads = floats(cv2.perspectiveTransform(places.reshape(1, -1, 2), warp)).reshape(-1, 4, 2)
    embeddings = embed_quads(photo, quads)
    return LocatedLayout(PlacedGrid.known(lattice, shape, quads, embeddings), camera, 0)


def teach_layout(
    photo: Pyramid,
    laid: LocatedLayout,
    names: Names,
    model: Model,
    *,
    on_board: bool = False,
) -> Model:
    """A model that knows what a layout in a photo shows, too.

    Args:
        photo: that shows it.
        laid: where.
        names: rows of faces; None is a place with nothing that counts.
        model: to be added to.
        on_board: whether it is the whole of a printed board, that shows what lies round its plots.
    """
    one, turn = laid.placed, laid.turn
    whole = laid.quads_px.shape[:2] == (model.layout.rows, model.layout.columns)
    if on_board and whole:
        rows, columns = one.grid.shape
        around = cells_with_rim(rows, columns)
        patches = cut_patches(photo, cell_quads_px(laid.camera, one.grid.lattice, around))
        rim = embed_rim(patches, (rows + 2, columns + 2), turn)
        if model.rim:
            rim = tuple(normalise(a + b) for a, b in zip(model.rim, rim, strict=True))
        model = replace(model, rim=rim)
    order = np.rot90(np.arange(len(one.embeddings)).reshape(one.grid.shape), -turn).ravel()
    flat = [name for row in names for name in row]
    quads = laid.quads_px.reshape(-1, 4, 2)
    return teach_tiles(photo, quads, one.embeddings.take(order), flat, model)


def _turn(one: PlacedGrid, corners: Floats, want: tuple[int, int]) -> int:
    """Quarter turns anticlockwise by which a layout lies in the grid: upright in the photo."""
    shape = one.grid.shape
    return turn_to_photo(
        corners, [t for t in range(TURNS) if (want if t % 2 == 0 else want[::-1]) == shape]
    )


def turn_to_photo(corners: Floats, turns: Sequence[int] = range(TURNS)) -> int:
    """By how many of these quarters anticlockwise a quad lies turned, upright in the photo."""
    right = [np.roll(corners, t, axis=0)[1] - np.roll(corners, t, axis=0)[0] for t in turns]
    return turns[int(np.argmax([v[0] / np.linalg.norm(v) for v in right]))]


def teach_tiles(
    photo: Pyramid,
    quads_px: Floats,
    embeddings: Embeddings,
    names: Sequence[str | None],
    model: Model,
) -> Model:
    """A model that knows some tiles, too.

    Args:
        photo: that shows them.
        quads_px: (n, 4, 2), upright.
        embeddings: of the tiles, in any turn.
        names: of their faces; None is a place with nothing that counts.
        model: to be added to.
    """
    old = model.references.joined(model.loose)
    faces = list(dict.fromkeys([*old.faces, *names]))
    face = np.array([faces.index(name) for name in names])
    new = choose_examples(embeddings, names, model.layout)
    face = face[new]
    seen = embed_views(photo, quads_px[new])
    colours = seen.colours
    shared = np.isin(face, old.face)
    if shared.sum() > 2:
        mean = np.stack([old.colours[old.face == f].mean(axis=0) for f in face[shared]])
        ones = np.ones(int(shared.sum()))
        light = fit_light(colours[shared], mean.astype(np.float64), ones, Light.neutral())
        colours = light.apply(colours)
    return add_examples(model, tuple(faces), face, replace(seen, colours=colours))
