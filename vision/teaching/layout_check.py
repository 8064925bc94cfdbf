"""Compare a layout with its photo, and list the doubts: messages about what disagrees.

Three things are compared: the size of the layout with the description and with the grid in the
photo, its tiles and empty places with one another, and its tiles with known ones.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Masks
from vision.editions.description import READING_ONLY, Description
from vision.editions.edition import EditionError
from vision.editions.learning import embed_turned
from vision.editions.model import Model
from vision.editions.references import TURNS, References, parts_costs
from vision.eye.reference_similarity import similarities
from vision.message import Message, list_names
from vision.patches.cut import Pyramid, cut_patches
from vision.patches.embedding import Embeddings
from vision.teaching.find_layout import LocatedLayout, shows_several
from vision.teaching.layout import Layout
from vision.teaching.orientation import TopSide
from vision.teaching.tile_similarity import compare_turned, tile_similarity

MIN_OTHER_NAME_SIMILARITY: Final = 0.8
"""Minimum ``tile_similarity`` to a tile of another name in the photo that makes a tile doubtful.
Larger: exchanged names pass; smaller: right layouts of similar tiles are doubted."""
MIN_KNOWN_NAME_SIMILARITY: Final = 0.75
"""The same for similarity to a known tile, of an earlier photo or of the built-in edition."""
MIN_LEAD: Final = 0.05
"""Minimum lead in similarity of another name over the tile's own name that makes a tile doubtful.
Larger: exchanged names pass; smaller: right layouts of similar tiles are doubted."""
MAX_OTHER_NAME_SHARE: Final = 0.05
"""Maximum share of the named tiles that may look like another face without a doubt: in dim light,
faces that differ by colour alone look alike."""
MIN_MEAN_WHOLE: Final = 0.6
"""Minimum mean probability that places show whole tiles, if a person gave the corners; with less,
the corners are doubted."""
MAX_TILE_ASPECT: Final = 1.45
"""Maximum ratio of the seen sides of free tiles, if a person gave the corners; with more, the
corners are doubted. In 339 grids of photos up to 35 degrees askew it is 1.36 at most."""
MIN_DOUBTFUL_SHARE: Final = 0.5
"""Share of doubtful tiles above which a group is doubtful."""
MAX_LISTED_PLACES: Final = 12
"""Places listed in a message."""

Names = NDArray[np.object_]
"""Shape (n,): name of the face in each place, row by row; empty for an empty place."""


def list_size_doubts(layout: Layout, description: Description) -> list[Message]:
    """List the sizes by which an upright layout differs from the description."""
    doubts = []
    if len(layout) != description.tile_rows:
        doubts.append(
            Message(
                "rows of the layout: {n}, of the description: {described}",
                n=len(layout),
                described=description.tile_rows,
            )
        )
    if len(layout[0]) != description.tile_columns:
        doubts.append(
            Message(
                "columns of the layout: {n}, of the description: {described}",
                n=len(layout[0]),
                described=description.tile_columns,
            )
        )
    return doubts


def size_doubt(rows: int, columns: int) -> Message:
    """Return the doubt about a grid that seems to be of another size."""
    return Message(
        "the grid of tiles goes on beyond row {rows}, column {columns}",
        rows=rows,
        columns=columns,
    )


def list_extent_doubts(
    located: LocatedLayout, layout: Layout, description: Description, *, corners_given: bool
) -> list[Message]:
    """List the doubt that the grid in the photo is larger or smaller than the layout."""
    placed = located.placed
    if corners_given:
        # Squares between framed tiles look whole as well, so only free tiles are checked; those of
        # the built-in games are known
        is_own_game_of_free_tiles = description.game == READING_ONLY and description.board is None
        is_extent_right = not is_own_game_of_free_tiles or (
            float(placed.embeddings.whole_probability.mean()) >= MIN_MEAN_WHOLE
            and 1 / MAX_TILE_ASPECT < _tile_aspect(located.quads_px) < MAX_TILE_ASPECT
        )
    else:
        is_extent_right = placed.is_position_certain and (
            placed.has_clear_border or description.board is not None
        )
    return [] if is_extent_right else [size_doubt(len(layout), len(layout[0]))]


def _tile_aspect(quads_px: Floats) -> float:
    """Return the ratio of the median width to the median height of tiles."""
    across, down = (quads_px[..., n, :] - quads_px[..., 0, :] for n in (1, 3))
    wide, high = (float(np.median(np.linalg.norm(each, axis=-1))) for each in (across, down))
    return wide / max(high, 1e-6)


def list_grid_doubts(pyramid: Pyramid, layout: Layout, model: Model) -> list[Message]:
    """List the doubt that the layout is that of another grid in the photo."""
    rows, columns = len(layout), len(layout[0])
    if not shows_several(pyramid, (rows, columns), model):
        return []
    return [
        Message("several grids of {rows} x {columns} tiles lie there", rows=rows, columns=columns)
    ]


def list_place_doubts(
    pyramid: Pyramid,
    located: LocatedLayout,
    layout: Layout,
    known_models: Sequence[Model],
    up: TopSide,
) -> list[Message]:
    """List the places of a layout whose tiles look like other faces.

    Args:
        pyramid: Pyramid of the photo of the layout.
        located: Places of the layout in the photo.
        layout: Face of each place, as the photo shows it.
        known_models: Models of the edition learned so far and, if there is one, of the built-in
            one.
        up: Side where the tops of the tiles lie in the layout.
    """
    names = np.array([name or "" for row in layout for name in row], object)
    turned = embed_turned(cut_patches(pyramid, located.quads_px.reshape(-1, 4, 2)))
    columns = len(layout[0])
    return [
        *_compare_within_photo(turned, names, columns, upright=known_models[0].tiles_are_upright),
        *chain.from_iterable(
            _compare_with_model(turned[0], names, columns, each, up) for each in known_models
        ),
    ]


def refuse_doubtful(doubts: Sequence[Message], where: str) -> None:
    """Refuse a layout about which there are doubts.

    Raises:
        EditionError: ``teach-doubtful``.
    """
    if not doubts:
        return
    joined = reduce(
        lambda first, second: Message("{first}; {second}", first=first, second=second), doubts
    )
    raise EditionError(
        "teach-doubtful",
        "the photo does not seem to match the names given, {doubts}: correct these, or lay the "
        "tiles as they should lie",
        where,
        doubts=joined,
    )


def _compare_within_photo(
    turned: Sequence[Embeddings], names: Names, columns: int, *, upright: bool
) -> list[Message]:
    """List the places whose tiles look like those of another name in the photo."""
    cosine = compare_turned(turned)
    off = cosine.argmax(axis=2) * (not upright)
    similarity = tile_similarity(turned, cosine, off)
    np.fill_diagonal(similarity, -1)
    same, is_empty = names[:, None] == names[None], names == ""
    own = np.where(same, similarity, -1).max(axis=1)
    to_empty = np.where(is_empty[None] & ~same, similarity, -1).max(axis=1)
    to_named = np.where(~is_empty[None] & ~same, similarity, -1)
    nearest = to_named.argmax(axis=1)
    like_named = to_named.max(axis=1)
    looks_empty = ~is_empty & (to_empty > MIN_OTHER_NAME_SIMILARITY) & (to_empty > own)
    looks_named = is_empty & (like_named > MIN_OTHER_NAME_SIMILARITY) & (like_named > own)
    # A tile that is the only one of its name has none to resemble
    several = (same & ~np.eye(len(names), dtype=bool)).any(axis=1)
    looks_other = (
        ~is_empty & several & (like_named > np.maximum(own + MIN_LEAD, MIN_OTHER_NAME_SIMILARITY))
    )
    doubts = []
    if looks_empty.any():
        doubts.append(
            Message(
                "these places have a name and look empty (row/column): {places}",
                places=_list_places(looks_empty, columns),
            )
        )
    if looks_named.any():
        doubts.append(
            Message(
                "these places have no name and look like tiles: {places}",
                places=_list_places(looks_named, columns),
            )
        )
    if looks_other.sum() > MAX_OTHER_NAME_SHARE * (~is_empty).sum():
        places = _list_places_with_names(looks_other, names, names[nearest], columns)
        doubts.append(
            Message("these tiles look like those of another name: {places}", places=places)
        )
    return doubts


def _compare_with_model(
    tiles: Embeddings, names: Names, columns: int, model: Model, up: TopSide
) -> list[Message]:
    """List the places whose tiles look like known ones of another name."""
    doubtful, others = _find_known_under_other_name(tiles, names, model, up)
    if not doubtful.any():
        return []
    places = _list_places_with_names(doubtful, names, others, columns)
    return [
        Message(
            "these tiles look like those that are known under another name: {places}",
            places=places,
        )
    ]


def _find_known_under_other_name(
    tiles: Embeddings, names: Names, model: Model, up: TopSide
) -> tuple[Masks, Names]:
    """Return a mask (n,) of tiles that look like known ones of other names, and these names."""
    known = model.references
    if not len(known.face_index):
        return np.zeros(len(names), bool), names
    turns = (up.value,) if model.tiles_are_upright else tuple(range(TURNS))
    similarity = _similarity_to(known, tiles, turns)
    taught = np.array([name or "" for name in known.faces], object)[known.face_index]
    same = names[:, None] == taught[None]
    own = np.where(same, similarity, -1).max(axis=1)
    others = np.where(same, -1, similarity)
    least = np.maximum(own + MIN_LEAD, MIN_KNOWN_NAME_SIMILARITY)
    doubtful = same.any(axis=1) & (others.max(axis=1) > least)
    return doubtful, taught[others.argmax(axis=1)]


def list_group_doubts(
    tiles: Embeddings, group: Sequence[int], names: Sequence[str], model: Model, up: TopSide
) -> list[Message]:
    """List the groups that look like known tiles of another name.

    Args:
        tiles: Embeddings of n tiles.
        group: Number of the group of each of the n tiles, from 0.
        names: Name of the group of each of the n tiles.
        model: Model of the edition learned so far.
        up: Side where the tops of the tiles lie.
    """
    doubtful, others = _find_known_under_other_name(tiles, np.array(names, object), model, up)
    numbers = np.array(group)
    differing = []
    for number in dict.fromkeys(group):
        mine = np.flatnonzero(numbers == number)
        if doubtful[mine].mean() > MIN_DOUBTFUL_SHARE:
            odd = mine[doubtful[mine]][0]
            differing.append(f"{number + 1} ({names[odd]} / {others[odd]})")
    if not differing:
        return []
    return [
        Message(
            "these groups look like tiles that are known under another name: {groups}",
            groups=_shorten(differing),
        )
    ]


def _similarity_to(known: References, tiles: Embeddings, turns: Sequence[int]) -> Doubles:
    """Return similarities (n, m) of n tiles to m references, each in the best of some turns."""
    whole = similarities(tiles, known)
    best = np.full(whole.shape[:2], -1.0)
    for turn in turns:
        costs = parts_costs(tiles.parts, known.parts[:, turn])
        best = np.maximum(best, whole[..., turn] - costs)
    return best


def _list_places_with_names(doubtful: Masks, names: Names, others: Names, columns: int) -> str:
    """List the first doubtful places, each with its name and the one that it looks like."""
    return _shorten(
        [
            f"{n // columns + 1}/{n % columns + 1} ({names[n] or '.'} / {others[n] or '.'})"
            for n in np.flatnonzero(doubtful).tolist()
        ]
    )


def _list_places(doubtful: Masks, columns: int) -> str:
    """List the first of some places as people count them, from 1."""
    places = [divmod(n, columns) for n in np.flatnonzero(doubtful).tolist()]
    return _shorten([f"{row + 1}/{column + 1}" for row, column in places])


def _shorten(places: Sequence[str]) -> str:
    return list_names(places, MAX_LISTED_PLACES, separator=" ")
