"""Learn what a model's faces look like from photos of a known layout."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, Image, Ints, floats
from vision.editions.model import Model
from vision.editions.references import TURNS, VIEWS, WINDOW, WINDOW_VIEWS, WINDOWS, References
from vision.eye.camera import Camera, Observed, fitted, quads_of
from vision.eye.identify import Light, fit_light
from vision.eye.lattice import Layout
from vision.eye.locate import MIN_TILE_PROBABILITY
from vision.eye.placement import PlacedGrid, locate, place_grids
from vision.patches.cut import UNIT_SQUARE, Pyramid, cut_patches, embed_quads, points_in_quads
from vision.patches.embedding import TILE_PX, VECTOR_SIZE, Embeddings, embed, normalise

Names = Sequence[Sequence[str | None]]
LEAST_WHOLE_TILES = 0.95
"""So likely the places of a layout that is found by itself must show whole tiles, in the mean: in
118 photos those of layouts that lie right do by 0.99, and those of others by 0.89 at most."""
MOST_COUNTED = 3
"""So many grids of a photo are looked for to tell whether a layout is the only one."""
TEACH_SCALES = (1.0, 0.3, 0.1)
"""A layout may fill the photo: areas at which to look for it."""
_GREY = np.full(3, 128)
SAME, SAME_COLOUR, MOST_OF_FACE = 0.985, 0.08, 40
"""A tile with such a cosine to another of its face, of about its colour, teaches nothing more; so
many are enough."""


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
    camera: Camera
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
    tried: list[tuple[Camera, PlacedGrid]] = []
    for scale in TEACH_SCALES:
        for found in locate(photo, layout, scale):
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
        for found in locate(photo, layout, scale):
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
    corners = Observed(ends.astype(float), corners_px.astype(float), np.ones(4))
    camera, (plane,) = fitted(Camera.of(width, height), [corners])
    warp = cv2.getPerspectiveTransform(ends, floats(corners_px))
    places = floats(np.argwhere(np.ones(shape))[:, None, ::-1] + UNIT_SQUARE - 0.5)
    quads = floats(cv2.perspectiveTransform(places.reshape(1, -1, 2), warp)).reshape(-1, 4, 2)
    embeddings = embed_quads(photo, quads)
    return LocatedLayout(PlacedGrid.given(plane, shape, quads, embeddings), camera, 0)


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
        around = _cells_around(rows, columns)
        patches = cut_patches(photo, quads_of(laid.camera, one.grid.plane, around))
        rim = _rim(patches, (rows + 2, columns + 2), turn)
        if model.rim:
            rim = tuple(normalise(a + b) for a, b in zip(model.rim, rim, strict=True))
        model = replace(model, rim=rim)
    order = np.rot90(np.arange(len(one.embeddings)).reshape(one.grid.shape), -turn).ravel()
    flat = [name for row in names for name in row]
    quads = laid.quads_px.reshape(-1, 4, 2)
    return teach_tiles(photo, quads, one.embeddings.take(order), flat, model)


def _cells_around(rows: int, columns: int) -> Ints:
    """Cells (column, row) of a board and round it, row by row."""
    return np.argwhere(np.ones((rows + 2, columns + 2)))[:, ::-1] - 1


def _rim(patches: Image, shape: tuple[int, int], turn: int) -> tuple[Floats, ...]:
    """``Model.rim`` of the patches (n, h, w, 3) of a board that lies turned, row by row."""
    rim = []
    for other in range(TURNS):
        vectors = embed(np.ascontiguousarray(np.rot90(patches, other - turn, (1, 2)))).vectors
        rim.append(np.rot90(vectors.reshape(*shape, -1), other - turn).copy())
    return tuple(rim)


def teach_board(
    picture: Image, first_px: tuple[float, float], cell_px: tuple[float, float], model: Model
) -> Model:
    """A model that knows its printed board from a picture, whose first cell's centre is given.

    Empty plots become references of an empty place.
    """
    rows, columns = model.layout.rows, model.layout.columns
    around = _cells_around(rows, columns)
    quads = floats((around[:, None] + UNIT_SQUARE - 0.5) * np.array(cell_px) + np.array(first_px))
    model = replace(
        model, rim=_rim(cut_patches(Pyramid(picture), quads), (rows + 2, columns + 2), 0)
    )
    inner = ((around >= 0) & (around < (columns, rows))).all(axis=1)
    embeddings = embed_quads(Pyramid(picture), quads[inner])
    kept = _teaching(embeddings, [None] * int(inner.sum()), model.layout)
    old = model.references
    faces = tuple(dict.fromkeys([*old.faces, None]))
    return _extended(
        model,
        faces,
        np.full(len(kept), faces.index(None)),
        _views(Pyramid(picture), quads[inner][kept]),
    )


def teach_bare(picture: Image, quads_px: Floats, model: Model) -> Model:
    """A model that knows empty places for loose pieces (n, 4, 2) of a picture of its board."""
    seen = _views(Pyramid(picture), quads_px)
    empty = _references((None,), np.zeros(len(quads_px), np.intp), seen)
    return replace(model, loose=model.loose.joined(empty))


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
    new = _teaching(embeddings, names, model.layout)
    face = face[new]
    seen = _views(photo, quads_px[new])
    colours = seen.colours
    shared = np.isin(face, old.face)
    if shared.sum() > 2:
        mean = np.stack([old.colours[old.face == f].mean(axis=0) for f in face[shared]])
        ones = np.ones(int(shared.sum()))
        light = fit_light(colours[shared], mean.astype(np.float64), ones, Light.none())
        colours = light.on(colours)
    return _extended(model, tuple(faces), face, replace(seen, colours=colours))


def _teaching(embeddings: Embeddings, names: Sequence[str | None], layout: Layout) -> Ints:
    """Tiles that teach something: of each face those that look unlike one another.

    On a printed board each plot may look different when it is empty.
    """
    plots = layout.rows * layout.columns if layout.board else 0
    vectors, colours = embeddings.vectors, embeddings.colours
    kept: list[int] = []
    for n in np.argsort(-embeddings.whole, kind="stable").tolist():
        own = [k for k in kept if names[k] == names[n]]
        off = np.abs(colours[own] - colours[n]).max(axis=1, initial=0.0)
        known = (vectors[own] @ vectors[n] > SAME) & (off < SAME_COLOUR)
        most = MOST_OF_FACE if names[n] is not None else max(MOST_OF_FACE, plots)
        if not known.any() and len(own) < most:
            kept.append(n)
    return np.array(sorted(kept))


@dataclass(frozen=True, slots=True, eq=False)
class _Views:
    """What ``References`` hold of n tiles."""

    vectors: Floats
    parts: Floats
    colours: Doubles
    details: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _ReferencePatches:
    """Patches of n tiles from which references are made.

    Attributes:
        whole: (n, TURNS, VIEWS, PATCH_PX, PATCH_PX, 3).
        windows: (n, WINDOWS, WINDOW_VIEWS, PATCH_PX, PATCH_PX, 3).
    """

    whole: Image
    windows: Image


def _reference_patches(photo: Pyramid, quads_px: Floats) -> _ReferencePatches:
    """Patches of tiles in upright quads (n, 4, 2)."""
    upright = [
        cut_patches(photo, points_in_quads(quads_px, UNIT_SQUARE + aside)) for aside in VIEWS
    ]
    turned = [np.rot90(np.stack(upright, axis=1), turn, (2, 3)) for turn in range(TURNS)]
    return _ReferencePatches(np.stack(turned, axis=1), _window_patches(photo, quads_px))


def _window_patches(photo: Pyramid, quads_px: Floats) -> Image:
    """``_ReferencePatches.windows`` of tiles in upright quads (n, 4, 2)."""
    places = UNIT_SQUARE * np.float32(WINDOW) + WINDOWS[:, None, None] + WINDOW_VIEWS[:, None]
    windows = points_in_quads(
        np.repeat(quads_px, places.shape[0] * places.shape[1], axis=0),
        np.tile(places.reshape(-1, 4, 2), (len(quads_px), 1, 1)),
    )
    patches = cut_patches(photo, windows)
    return patches.reshape(len(quads_px), *places.shape[:2], *patches.shape[1:])


def window_vectors(photo: Pyramid, quads_px: Floats) -> Floats:
    """Shape (n, windows, views, VECTOR_SIZE): embeddings of windows of tiles in quads (n, 4, 2)."""
    return _embedded_windows(_window_patches(photo, quads_px))


def _embedded_windows(patches: Image) -> Floats:
    flat = np.ascontiguousarray(patches).reshape(-1, *patches.shape[3:])
    return embed(flat).vectors.reshape(*patches.shape[:3], VECTOR_SIZE)


def _embedded(patches: _ReferencePatches) -> _Views:
    """Views of all tiles at once."""
    size, shape = patches.whole.shape[3:], patches.whole.shape[:3]
    embeddings = embed(np.ascontiguousarray(patches.whole).reshape(-1, *size))
    return _Views(
        embeddings.vectors.reshape(*shape, VECTOR_SIZE),
        embeddings.parts.reshape(*shape, *embeddings.parts.shape[1:])[:, :, 0],
        embeddings.colours.reshape(*shape, 3)[:, 0, 0].astype(np.float64),
        _embedded_windows(patches.windows),
    )


def _views(photo: Pyramid, quads_px: Floats) -> _Views:
    """Views of tiles in upright quads (n, 4, 2)."""
    return _embedded(_reference_patches(photo, quads_px))


def _references(faces: tuple[str | None, ...], face: Ints, seen: _Views) -> References:
    return References(faces, face, seen.vectors, seen.parts, floats(seen.colours), seen.details)


def _extended(model: Model, faces: tuple[str | None, ...], face: Ints, seen: _Views) -> Model:
    """A model with further references, each where its face lies."""
    new = _references(faces, face, seen)
    in_grid = new.of_faces([name for name in faces if name not in model.loose_faces])
    loose = new.of_faces(model.loose_faces)
    return replace(
        model, references=model.references.joined(in_grid), loose=model.loose.joined(loose)
    )


def teach_pictures(pictures: Sequence[tuple[str | None, Image]], model: Model) -> Model:
    """A model that knows faces from their pictures, upright and cut at the edge.

    Args:
        pictures: (name, picture (h, w, 3)); a name may come several times.
        model: to be added to.
    """
    rng = np.random.default_rng(1)
    faces = list(dict.fromkeys(name for name, _ in pictures))
    face = np.array([faces.index(name) for name, _ in pictures])
    if not pictures:
        return model
    cuts = [
        _reference_patches(*_on_ground(picture, rng.integers(20, 235, 3)))
        for _, picture in pictures
    ]
    whole, windows = (np.concatenate([getattr(c, n) for c in cuts]) for n in ("whole", "windows"))
    return _extended(model, tuple(faces), face, _embedded(_ReferencePatches(whole, windows)))


def turned_vectors(pictures: Sequence[Image]) -> Floats:
    """(n, TURNS, VECTOR_SIZE) of pictures of tiles, turned by so many quarters anticlockwise."""
    patches = np.concatenate([cut_patches(*_on_ground(picture, _GREY)) for picture in pictures])
    return np.stack([embeddings.vectors for embeddings in embed_turned(patches)], axis=1)


def embed_turned(patches: Image) -> list[Embeddings]:
    """Embeddings of patches (n, h, w, 3) turned by 0 to 3 quarters anticlockwise."""
    turned = (np.rot90(patches, turn, (1, 2)) for turn in range(TURNS))
    return [embed(np.ascontiguousarray(each)) for each in turned]


def _on_ground(picture: Image, ground: Ints) -> tuple[Pyramid, Floats]:
    """A picture of a tile on some ground, BGR, and where it lies there (1, 4, 2)."""
    side = 2 * TILE_PX
    inner = slice(side // 2, side // 2 + side)
    canvas = np.empty((2 * side, 2 * side, 3), np.uint8)
    canvas[:] = ground
    canvas[inner, inner] = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    return Pyramid(canvas), (UNIT_SQUARE * np.float32(side) + np.float32(side // 2 - 0.5))[None]
