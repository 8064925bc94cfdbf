"""Models learned from pictures: references of an edition's faces, and the rim of its board.

Two sources share these functions: the pictures that an edition brings with it (``model_of``), and
photos of taught tiles (``vision.teaching.taught_tiles``). Both cut the same views of each tile and
embed them alike, so that references can be compared whatever they were learned from.

Coordinates: ``_px`` pixels of the picture or photo; places within a tile in tile widths, (0, 0) at
its top left corner.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, Image, Ints, floats
from vision.editions.edition import Edition
from vision.editions.model import GridFormat, Model, empty_model
from vision.editions.references import TURNS, VIEWS, WINDOW, WINDOW_VIEWS, WINDOWS, References
from vision.patches.cut import UNIT_SQUARE, Pyramid, cut_patches, embed_quads, points_in_quads
from vision.patches.embedding import TILE_PX, VECTOR_SIZE, Embeddings, embed

MIN_SAME_EXAMPLE_COSINE: Final = 0.985
"""Minimum cosine of two examples of a face that look the same, so that one of them is not kept.
Larger: models grow; smaller: differing drawings of a face are lost."""
MAX_SAME_EXAMPLE_COLOUR: Final = 0.08
"""Maximum difference of the log colours of two examples of a face that look the same. Smaller:
models grow; larger: differing colours of a face are lost."""
MAX_EXAMPLES: Final = 40
"""Maximum number of examples of one face; on a printed board an empty place may have one for each
plot."""
GREY_LEVELS: Final = (20, 235)
"""Grey levels between which the background round the picture of a tile is drawn at random, so that
no background becomes a feature of the face."""
_GREY: Final = np.full(3, 128)
NEIGHBOURS: Final = 8
"""Number of tiles round a tile inside a grid."""


def model_of(edition: Edition) -> Model:
    """Return the model of an edition; learn one from its pictures if it has none."""
    return edition.model or _model_from_pictures(edition)


def with_model(edition: Edition) -> Edition:
    """Return the edition with its model, learned from its pictures if it had none."""
    return edition if edition.model is not None else replace(edition, model=model_of(edition))


@lru_cache(maxsize=2)
def _model_from_pictures(edition: Edition) -> Model:
    return learn_pictures(empty_model(edition.description), edition)


def learn_pictures(model: Model, edition: Edition, *, amid_others: bool = True) -> Model:
    """Add to a model the faces, and the board, of an edition's pictures that it does not know.

    Args:
        model: Model to add to.
        edition: Edition with its pictures.
        amid_others: True to embed the face of a free tile amid others, chosen at random, since
            tiles lie so in photos; False to embed each on a plain background.
    """
    known = {*model.references.faces, *model.loose.faces}
    description = edition.description
    pictures = [
        (face.name, picture)
        for face in description.faces
        if face.name not in known
        for picture in edition.pictures.get(face.name, ())
    ]
    amid_others = amid_others and description.board is None
    model = _learn_faces(pictures, model, amid_others=amid_others)
    if description.board is None or edition.board_picture is None or model.rim:
        return model
    wide, high = description.board.size_mm
    scale = np.array([edition.board_picture.shape[1] / wide, edition.board_picture.shape[0] / high])
    first_x, first_y = (scale * description.board.first_cell_mm - 0.5).tolist()
    cell_x, cell_y = (scale * description.board.cell_mm).tolist()
    model = _learn_board(edition.board_picture, (first_x, first_y), (cell_x, cell_y), model)
    middles = [
        np.array(slots.first_mm) + n * np.array(slots.step_mm)
        for slots in description.board.slots
        for n in range(slots.count)
    ]
    if not middles:
        return model
    corners = np.array(middles)[:, None] + (UNIT_SQUARE - 0.5) * description.tile_mm
    return _learn_empty_slots(edition.board_picture, floats(corners * scale - 0.5), model)


def _learn_faces(
    pictures: Sequence[tuple[str | None, Image]], model: Model, *, amid_others: bool
) -> Model:
    """Add faces to a model from their pictures.

    Args:
        pictures: Names and pictures (h, w, 3) of tiles, upright and cut at the edge; a name may
            come several times.
        model: Model to add to.
        amid_others: See ``learn_pictures``; loose pieces lie alone in any case.
    """
    rng = np.random.default_rng(1)
    faces = list(dict.fromkeys(name for name, _ in pictures))
    face = np.array([faces.index(name) for name, _ in pictures])
    if not pictures:
        return model
    in_grid = [n for n, (name, _) in enumerate(pictures) if name not in model.loose_faces]
    cuts = []
    for n, (_, picture) in enumerate(pictures):
        others = [pictures[k][1] for k in in_grid if k != n]
        if amid_others and n in in_grid and others:
            around = [others[k] for k in rng.integers(len(others), size=NEIGHBOURS)]
            placed = _place_amid(picture, around)
        else:
            placed = _place_on_background(picture, rng.integers(*GREY_LEVELS, 3))
        cuts.append(_cut_views(*placed))
    whole, windows = (np.concatenate([getattr(c, n) for c in cuts]) for n in ("whole", "windows"))
    return add_examples(model, tuple(faces), face, _embed(_ViewPatches(whole, windows)))


def _learn_board(
    picture: Image, first_px: tuple[float, float], cell_px: tuple[float, float], model: Model
) -> Model:
    """Add the rim of a printed board to a model, and its empty plots as examples of no tile.

    Args:
        picture: Shape (h, w, 3), the empty board.
        first_px: Centre of the first plot (x, y).
        cell_px: Distance of plots (x, y).
        model: Model to add to.
    """
    rows, columns = model.grid_format.rows, model.grid_format.columns
    cells = cells_with_rim(rows, columns)
    quads = floats((cells[:, None] + UNIT_SQUARE - 0.5) * np.array(cell_px) + np.array(first_px))
    rim = embed_rim(cut_patches(Pyramid(picture), quads), (rows + 2, columns + 2), 0)
    model = replace(model, rim=rim)
    inner = ((cells >= 0) & (cells < (columns, rows))).all(axis=1)
    embeddings = embed_quads(Pyramid(picture), quads[inner])
    kept = choose_examples(embeddings, [None] * int(inner.sum()), model.grid_format)
    faces = tuple(dict.fromkeys([*model.references.faces, None]))
    face = np.full(len(kept), faces.index(None))
    return add_examples(model, faces, face, embed_views(Pyramid(picture), quads[inner][kept]))


def _learn_empty_slots(picture: Image, quads_px: Floats, model: Model) -> Model:
    """Add empty places for loose pieces to a model, quads (n, 4, 2) in a picture of its board."""
    views = embed_views(Pyramid(picture), quads_px)
    empty = _make_references((None,), np.zeros(len(quads_px), np.intp), views)
    return replace(model, loose=model.loose.joined(empty))


def cells_with_rim(rows: int, columns: int) -> Ints:
    """Return the cells (column, row) of a board and of the ring of cells round it, row by row."""
    return np.argwhere(np.ones((rows + 2, columns + 2)))[:, ::-1] - 1


def embed_rim(patches: Image, shape: tuple[int, int], turn: int) -> tuple[Floats, ...]:
    """Embed the cells of a board and round it, as ``Model.rim`` keeps them.

    Args:
        patches: Shape (n, h, w, 3), one for each cell of ``cells_with_rim``.
        shape: Rows and columns, ring included.
        turn: Quarters anticlockwise by which the board lies turned in the picture.
    """
    rim = []
    for other in range(TURNS):
        vectors = embed(np.ascontiguousarray(np.rot90(patches, other - turn, (1, 2)))).vectors
        rim.append(np.rot90(vectors.reshape(*shape, -1), other - turn).copy())
    return tuple(rim)


def choose_examples(
    embeddings: Embeddings, names: Sequence[str | None], grid_format: GridFormat
) -> Ints:
    """Choose the tiles to learn: of each face those that look unlike one another.

    Args:
        embeddings: Embeddings of n tiles.
        names: Faces of the n tiles; None for an empty place.
        grid_format: Format of the grids; empty plots of a printed board may differ.

    Returns:
        Indices of the chosen tiles, in their order.
    """
    plots = grid_format.rows * grid_format.columns if grid_format.on_board else 0
    vectors, colours = embeddings.vectors, embeddings.colours
    kept: list[int] = []
    for n in np.argsort(-embeddings.whole_probability, kind="stable").tolist():
        own = [k for k in kept if names[k] == names[n]]
        off = np.abs(colours[own] - colours[n]).max(axis=1, initial=0.0)
        known = (vectors[own] @ vectors[n] > MIN_SAME_EXAMPLE_COSINE) & (
            off < MAX_SAME_EXAMPLE_COLOUR
        )
        most = MAX_EXAMPLES if names[n] is not None else max(MAX_EXAMPLES, plots)
        if not known.any() and len(own) < most:
            kept.append(n)
    return np.array(sorted(kept))


@dataclass(frozen=True, slots=True, eq=False)
class TileViews:
    """Embedded views of n tiles, arrays as in ``References``.

    Attributes:
        vectors: Shape (n, TURNS, len(VIEWS), VECTOR_SIZE).
        parts: Shape (n, TURNS, PART_COUNT, PART_VECTOR_SIZE).
        colours: Shape (n, 3).
        window_vectors: Shape (n, WINDOW_COUNT, len(WINDOW_VIEWS), VECTOR_SIZE).
    """

    vectors: Floats
    parts: Floats
    colours: Doubles
    window_vectors: Floats

    def take(self, which: Ints) -> "TileViews":
        """Return the views of some tiles."""
        return TileViews(
            self.vectors[which], self.parts[which], self.colours[which], self.window_vectors[which]
        )


@dataclass(frozen=True, slots=True, eq=False)
class _ViewPatches:
    """Patches of n tiles before they are embedded.

    Attributes:
        whole: Shape (n, TURNS, len(VIEWS), PATCH_PX, PATCH_PX, 3).
        windows: Shape (n, WINDOW_COUNT, len(WINDOW_VIEWS), PATCH_PX, PATCH_PX, 3).
    """

    whole: Image
    windows: Image


def embed_views(pyramid: Pyramid, quads_px: Floats) -> TileViews:
    """Embed the views of tiles in upright quads (n, 4, 2)."""
    return _embed(_cut_views(pyramid, quads_px))


def add_examples(
    model: Model, faces: tuple[str | None, ...], face: Ints, views: TileViews
) -> Model:
    """Add examples to a model: loose faces to its loose pieces, any other to its tiles.

    Args:
        model: Model to add to.
        faces: Names of faces; None for an empty place.
        face: Shape (n,), indices into ``faces``.
        views: Views of the n examples.
    """
    new = _make_references(faces, face, views)
    in_grid = new.of_faces([name for name in faces if name not in model.loose_faces])
    loose = new.of_faces(model.loose_faces)
    return replace(
        model, references=model.references.joined(in_grid), loose=model.loose.joined(loose)
    )


def embed_window_views(pyramid: Pyramid, quads_px: Floats) -> Floats:
    """Embed the windows of tiles in quads (n, 4, 2), as ``TileViews.window_vectors``."""
    return _embed_windows(_cut_windows(pyramid, quads_px))


def embed_turned(patches: Image) -> list[Embeddings]:
    """Embed patches (n, h, w, 3) turned by 0 to 3 quarters anticlockwise."""
    turned = (np.rot90(patches, turn, (1, 2)) for turn in range(TURNS))
    return [embed(np.ascontiguousarray(each)) for each in turned]


def embed_pictures_turned(pictures: Sequence[Image]) -> Floats:
    """Return vectors (n, TURNS, VECTOR_SIZE) of pictures of tiles turned by 0 to 3 quarters."""
    patches = np.concatenate(
        [cut_patches(*_place_on_background(picture, _GREY)) for picture in pictures]
    )
    return np.stack([embeddings.vectors for embeddings in embed_turned(patches)], axis=1)


def _cut_views(pyramid: Pyramid, quads_px: Floats) -> _ViewPatches:
    upright = [
        cut_patches(pyramid, points_in_quads(quads_px, UNIT_SQUARE + aside)) for aside in VIEWS
    ]
    turned = [np.rot90(np.stack(upright, axis=1), turn, (2, 3)) for turn in range(TURNS)]
    return _ViewPatches(np.stack(turned, axis=1), _cut_windows(pyramid, quads_px))


def _cut_windows(pyramid: Pyramid, quads_px: Floats) -> Image:
    """Return the patches ``_ViewPatches.windows`` of tiles in upright quads (n, 4, 2)."""
    places = UNIT_SQUARE * np.float32(WINDOW) + WINDOWS[:, None, None] + WINDOW_VIEWS[:, None]
    windows = points_in_quads(
        np.repeat(quads_px, places.shape[0] * places.shape[1], axis=0),
        np.tile(places.reshape(-1, 4, 2), (len(quads_px), 1, 1)),
    )
    patches = cut_patches(pyramid, windows)
    return patches.reshape(len(quads_px), *places.shape[:2], *patches.shape[1:])


def _embed(patches: _ViewPatches) -> TileViews:
    size, shape = patches.whole.shape[3:], patches.whole.shape[:3]
    embeddings = embed(np.ascontiguousarray(patches.whole).reshape(-1, *size))
    return TileViews(
        embeddings.vectors.reshape(*shape, VECTOR_SIZE),
        embeddings.parts.reshape(*shape, *embeddings.parts.shape[1:])[:, :, 0],
        embeddings.colours.reshape(*shape, 3)[:, 0, 0].astype(np.float64),
        _embed_windows(patches.windows),
    )


def _embed_windows(patches: Image) -> Floats:
    flat = np.ascontiguousarray(patches).reshape(-1, *patches.shape[3:])
    return embed(flat).vectors.reshape(*patches.shape[:3], VECTOR_SIZE)


def _make_references(faces: tuple[str | None, ...], face: Ints, views: TileViews) -> References:
    return References(
        faces, face, views.vectors, views.parts, floats(views.colours), views.window_vectors
    )


def _place_amid(picture: Image, around: Sequence[Image]) -> tuple[Pyramid, Floats]:
    """Return a picture of a tile amid ``NEIGHBOURS`` others, and its quad (1, 4, 2) there."""
    side, before = 2 * TILE_PX, NEIGHBOURS // 2
    tiles = [
        cv2.resize(each, (side, side), interpolation=cv2.INTER_AREA)
        for each in (*around[:before], picture, *around[before:])
    ]
    rows = [cv2.hconcat(tiles[first : first + 3]) for first in (0, 3, 6)]
    canvas = cv2.vconcat(rows).astype(np.uint8)
    return Pyramid(canvas), (UNIT_SQUARE * np.float32(side) + np.float32(side - 0.5))[None]


def _place_on_background(picture: Image, background: Ints) -> tuple[Pyramid, Floats]:
    """Return a picture of a tile on a plain background, BGR, and its quad (1, 4, 2) there."""
    side = 2 * TILE_PX
    inner = slice(side // 2, side // 2 + side)
    canvas = np.empty((2 * side, 2 * side, 3), np.uint8)
    canvas[:] = background
    canvas[inner, inner] = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    return Pyramid(canvas), (UNIT_SQUARE * np.float32(side) + np.float32(side // 2 - 0.5))[None]
