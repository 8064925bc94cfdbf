"""Add taught tiles to an edition: pictures for people, and references in its model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Ints
from vision.editions.description import Description, TileTurns
from vision.editions.edition import MAX_PICTURES_OF_FACE, Edition, EditionError
from vision.editions.folder import built_in_edition, built_in_games
from vision.editions.learning import (
    MAX_SAME_EXAMPLE_COLOUR,
    MIN_SAME_EXAMPLE_COSINE,
    TileViews,
    add_examples,
    cells_with_rim,
    choose_examples,
    embed_pictures_turned,
    embed_rim,
    embed_views,
    model_of,
)
from vision.editions.model import Model
from vision.editions.model_file import MAX_TILES
from vision.editions.references import References
from vision.eye.camera import cell_quads_px
from vision.eye.light_fit import Light, fit_light
from vision.eye.photo_quality import refuse_if_colourless
from vision.message import Message
from vision.patches.cut import Pyramid, cut_patches
from vision.patches.embedding import Embeddings, normalise
from vision.photo.load import Photo
from vision.teaching.find_layout import LocatedLayout
from vision.teaching.layout import Layout
from vision.teaching.tile_pictures import TilePicture

MIN_SAME_PICTURE_COSINE: Final = 0.95
"""Cosine of two pictures of a face at or above which one of them is not kept. Larger: more pictures
of a face; smaller: pictures in another light are lost."""
_MIN_TILES_FOR_LIGHT: Final = 3
"""Minimum number of tiles of known faces to which the light of a photo is fitted; with fewer,
colours are learned as the photo shows them."""


def refuse_without_colours(
    photo: Photo, description: Description, earlier: Edition | None = None
) -> None:
    """Refuse a photo in black and white of a game whose known tiles have colours.

    Such a photo is refused when it is read, too, and tiles learned from it resemble none in colour.

    Args:
        photo: Photo to learn from.
        description: Description of the game, whose built-in edition may have colours.
        earlier: Edition learned so far, which may have colours; None for a new one.

    Raises:
        PhotoError: ``photo-colourless``.
    """
    game = description.game
    known = [built_in_edition(game, pictured=False)] if game in built_in_games() else []
    known += [] if earlier is None else [earlier]
    if any(model_of(each).is_colourful for each in known):
        refuse_if_colourless(photo.image_bgr, photo.name)


def add_layout(
    pyramid: Pyramid,
    located: LocatedLayout,
    layout: Layout,
    model: Model,
    *,
    learns_rim: bool = False,
) -> Model:
    """Add the tiles of a layout to a model, and the rim of a printed board.

    Args:
        pyramid: Pyramid of the photo of the layout.
        located: Places of the layout in the photo.
        layout: Layout, upright.
        model: Model to add to.
        learns_rim: Whether to learn the rim of a printed board, if the layout is the whole of it.

    Raises:
        EditionError: ``teach-too-many``.
    """
    placed, turn = located.placed, located.turn
    is_whole = located.quads_px.shape[:2] == (model.grid_format.rows, model.grid_format.columns)
    if learns_rim and is_whole:
        rows, columns = placed.lattice_grid.shape
        cells = cells_with_rim(rows, columns)
        patches = cut_patches(
            pyramid, cell_quads_px(located.camera, placed.lattice_grid.lattice, cells)
        )
        rim = embed_rim(patches, (rows + 2, columns + 2), turn)
        if model.rim:
            rim = tuple(normalise(a + b) for a, b in zip(model.rim, rim, strict=True))
        model = replace(model, rim=rim)
    order = np.rot90(
        np.arange(len(placed.embeddings)).reshape(placed.lattice_grid.shape), -turn
    ).ravel()
    names = [name for row in layout for name in row]
    quads = located.quads_px.reshape(-1, 4, 2)
    return add_tiles(pyramid, quads, placed.embeddings.take(order), names, model)


def add_tiles(
    pyramid: Pyramid,
    quads_px: Floats,
    embeddings: Embeddings,
    names: Sequence[str | None],
    model: Model,
) -> Model:
    """Add tiles to a model, with their colours as in the light of its references.

    Tiles that look like a reference of their face are left out.

    Args:
        pyramid: Pyramid of the photo of the tiles.
        quads_px: Shape (n, 4, 2), upright.
        embeddings: Embeddings of the tiles, in any turn.
        names: Names of their faces; None for an empty place.
        model: Model to add to.

    Raises:
        EditionError: ``teach-too-many``: the model would be too large to be loaded.
    """
    known = model.references.joined(model.loose)
    faces = list(dict.fromkeys([*known.faces, *names]))
    face = np.array([faces.index(name) for name in names])
    chosen = choose_examples(embeddings, names, model.grid_format)
    face = face[chosen]
    views = embed_views(pyramid, quads_px[chosen])
    colours = views.colours
    shared = np.isin(face, known.face_index)
    if shared.sum() >= _MIN_TILES_FOR_LIGHT:
        mean = np.stack([known.colours[known.face_index == f].mean(axis=0) for f in face[shared]])
        ones = np.ones(int(shared.sum()))
        light = fit_light(colours[shared], mean.astype(np.float64), ones, Light.neutral())
        colours = light.apply(colours)
    views = replace(views, colours=colours)
    new = np.flatnonzero(~_is_known(views, face, known))
    if len(known.face_index) + len(new) > MAX_TILES:
        raise EditionError(
            "teach-too-many",
            "the edition would have more than {most} examples: they are enough, or teach it again",
            Message("edition"),
            most=MAX_TILES,
        )
    return add_examples(model, tuple(faces), face[new], views.take(new))


def _is_known(views: TileViews, face: Ints, known: References) -> NDArray[np.bool_]:
    """Return the mask (n,) of the examples that look like a known one of their face.

    They come from a photo that was taught before, or another one just like it. Such examples would
    make the face seem to look alike in every light.

    Args:
        views: Views of the n examples.
        face: Shape (n,), indices into ``known.faces`` or beyond.
        known: References learned before.
    """
    same_face = face[:, None] == known.face_index
    cosine = views.vectors[:, 0, 0] @ known.vectors[:, 0, 0].T
    off = np.abs(views.colours[:, None] - known.colours).max(axis=2)
    alike = (cosine > MIN_SAME_EXAMPLE_COSINE) & (off < MAX_SAME_EXAMPLE_COLOUR)
    return np.asarray((same_face & alike).any(axis=1))


def choose_pictures(
    tiles: Sequence[TilePicture], earlier: Sequence[Image], tile_turns: TileTurns
) -> tuple[Image, ...]:
    """Choose the pictures of a face: the earlier ones, then those that differ most from them.

    Args:
        tiles: New pictures of the face, the sharpest first.
        earlier: Pictures learned before, all of which are kept.
        tile_turns: Turns in which tiles may lie; new pictures are turned like the first one.
    """
    pictures = [*earlier, *(tile.picture for tile in tiles)]
    vectors = embed_pictures_turned(pictures)
    if tile_turns is TileTurns.ANY:
        for n in range(max(len(earlier), 1), len(pictures)):
            turn = int((vectors[n] @ vectors[0, 0]).argmax())
            pictures[n] = np.ascontiguousarray(np.rot90(pictures[n], turn))
            vectors[n] = np.roll(vectors[n], -turn, axis=0)
    cosine = vectors[:, 0] @ vectors[:, 0].T
    chosen = list(range(max(len(earlier), 1)))
    rest = list(range(len(chosen), len(pictures)))
    while rest and len(chosen) < MAX_PICTURES_OF_FACE:
        most_different = min(rest, key=lambda n: float(cosine[n, chosen].max()))
        if cosine[most_different, chosen].max() >= MIN_SAME_PICTURE_COSINE:
            break
        rest.remove(most_different)
        chosen.append(most_different)
    return tuple(pictures[n] for n in chosen)
