"""Compare a layout with the photo that it describes, and list the places where they disagree.

Three things are compared: the size of the layout with the description and with the grid in the
photo, its tiles and empty places with one another, and its tiles with known ones. Compared with one
another, the places of none of 189 photographed and path-traced grids disagree with the right
layout; 175 do with one that is shifted by a row, and 114 with one in which two are exchanged.
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
from vision.editions.references import PARTS_WEIGHT, TURNS, References
from vision.errors import Message
from vision.eye.identify import similarities
from vision.patches.cut import Pyramid, cut_patches
from vision.patches.embedding import Embeddings
from vision.teaching.clusters import tile_similarity, turned_cosines
from vision.teaching.find_layout import LocatedLayout, shows_several
from vision.teaching.layout import Layout
from vision.teaching.way_up import Side

LIKE_ANOTHER: Final = 0.8
"""Least ``tile_similarity`` of a tile to one of another name that makes it doubtful."""
LIKE_TAUGHT: Final = 0.75
"""The same for tiles that were taught by earlier photos."""
CLEARLY_LIKER: Final = 0.05
"""Least lead of another name over the own one."""
MOST_MISTAKABLE: Final = 0.05
"""Share of the named tiles that may look like another name: those that differ by colour alone do in
dim light."""
LEAST_WHOLE: Final = 0.6
"""Least mean chance that places show whole tiles, if a person gave the corners."""
MOST_OBLONG: Final = 1.45
"""How much longer than the other side the one of free tiles may look, if a person gave the corners:
among 339 grids in photos up to 35 degrees askew, 1.36 times at most."""
MOST_OF_GROUP: Final = 0.5
"""Share of the tiles of a group from which on they make it doubtful."""
MOST_PLACES: Final = 12
"""Places listed in a message."""

Names = NDArray[np.object_]
"""Shape (n,): a name for each place, row by row; empty where nothing lies."""


def size_differences(layout: Layout, description: Description) -> list[Message]:
    """Say by which sizes a layout, with the tops of its tiles up, differs from the description."""
    doubts = []
    if len(layout) != description.tile_rows:
        doubts.append(
            Message(
                "the layout has {n} rows, the description {described}",
                n=len(layout),
                described=description.tile_rows,
            )
        )
    if len(layout[0]) != description.tile_columns:
        doubts.append(
            Message(
                "the layout has {n} columns, the description {described}",
                n=len(layout[0]),
                described=description.tile_columns,
            )
        )
    return doubts


def other_ends(rows: int, columns: int) -> Message:
    """The doubt about a grid that seems to be of another size."""
    return Message(
        "the grid of tiles does not end after {rows} rows and {columns} columns",
        rows=rows,
        columns=columns,
    )


def ends_differ(
    laid: LocatedLayout, layout: Layout, description: Description, *, corners_given: bool
) -> list[Message]:
    """Say whether the grid in the photo seems to go on beyond the layout, or to end before."""
    placed = laid.placed
    if corners_given:
        # Frames of tiles make squares between them as well, as cards of the built-in games do
        is_described = description.game == READING_ONLY and description.board is None
        ends = not is_described or (
            float(placed.embeddings.whole.mean()) >= LEAST_WHOLE
            and 1 / MOST_OBLONG < _oblong(laid.quads_px) < MOST_OBLONG
        )
    else:
        ends = placed.certain and (placed.alone or description.board is not None)
    return [] if ends else [other_ends(len(layout), len(layout[0]))]


def _oblong(quads_px: Floats) -> float:
    """Median width of tiles to their median height."""
    across, down = (quads_px[..., n, :] - quads_px[..., 0, :] for n in (1, 3))
    wide, high = (float(np.median(np.linalg.norm(each, axis=-1))) for each in (across, down))
    return wide / max(high, 1e-6)


def several_grids(photo: Pyramid, layout: Layout, model: Model) -> list[Message]:
    """Say whether the layout may be that of another grid in the photo."""
    rows, columns = len(layout), len(layout[0])
    if not shows_several(photo, (rows, columns), model):
        return []
    return [
        Message("several grids of {rows} x {columns} tiles lie there", rows=rows, columns=columns)
    ]


def places_differ(
    photo: Pyramid, laid: LocatedLayout, layout: Layout, known: Sequence[Model], up: Side
) -> list[Message]:
    """Say which places of a layout do not look as it says.

    Args:
        photo: Shows the layout.
        laid: Where it lies there.
        layout: What lies where, as the photo shows it.
        known: What was taught earlier and is built in, the former first.
        up: Where the tops of the tiles lie in the layout.
    """
    names = np.array([name or "" for row in layout for name in row], object)
    turned = embed_turned(cut_patches(photo, laid.quads_px.reshape(-1, 4, 2)))
    columns = len(layout[0])
    return [
        *_compared_with_each_other(turned, names, columns, upright=known[0].upright),
        *chain.from_iterable(
            _compared_with_known(turned[0], names, columns, each, up) for each in known
        ),
    ]


def refuse_doubtful(doubts: Sequence[Message], where: str) -> None:
    """Refuse a layout of which something is doubtful.

    Raises:
        EditionError: ``teach-doubtful``.
    """
    if not doubts:
        return
    said = reduce(
        lambda first, second: Message("{first}; {second}", first=first, second=second), doubts
    )
    raise EditionError(
        "teach-doubtful",
        "the photo does not seem to fit, {doubts}: correct what was said, or lay the tiles as they "
        "should lie",
        where,
        doubts=said,
    )


def _compared_with_each_other(
    turned: Sequence[Embeddings], names: Names, columns: int, *, upright: bool
) -> list[Message]:
    """Doubts about names whose tiles look like others of the same photo."""
    cosine = turned_cosines(turned)
    off = cosine.argmax(axis=2) * (not upright)
    similarity = tile_similarity(turned, cosine, off)
    np.fill_diagonal(similarity, -1)
    same, bare = names[:, None] == names[None], names == ""
    own = np.where(same, similarity, -1).max(axis=1)
    to_bare = np.where(bare[None] & ~same, similarity, -1).max(axis=1)
    to_named = np.where(~bare[None] & ~same, similarity, -1)
    nearest = to_named.argmax(axis=1)
    like_named = to_named.max(axis=1)
    looks_bare = ~bare & (to_bare > LIKE_ANOTHER) & (to_bare > own)
    looks_named = bare & (like_named > LIKE_ANOTHER) & (like_named > own)
    # A tile that is the only one of its name has none to resemble
    several = (same & ~np.eye(len(names), dtype=bool)).any(axis=1)
    looks_other = ~bare & several & (like_named > np.maximum(own + CLEARLY_LIKER, LIKE_ANOTHER))
    doubts = []
    if looks_bare.any():
        doubts.append(
            Message(
                "these places have a name and look empty (row,column): {places}",
                places=_places(looks_bare, columns),
            )
        )
    if looks_named.any():
        doubts.append(
            Message(
                "these places have no name and look like tiles: {places}",
                places=_places(looks_named, columns),
            )
        )
    if looks_other.sum() > MOST_MISTAKABLE * (~bare).sum():
        places = _with_names(looks_other, names, names[nearest], columns)
        doubts.append(
            Message("these tiles look like those of another name: {places}", places=places)
        )
    return doubts


def _compared_with_known(
    tiles: Embeddings, names: Names, columns: int, model: Model, up: Side
) -> list[Message]:
    """Doubts about names whose tiles look like known ones of other names."""
    doubtful, others = _known_otherwise(tiles, names, model, up)
    if not doubtful.any():
        return []
    places = _with_names(doubtful, names, others, columns)
    return [
        Message(
            "these tiles look like those that are known under another name: {places}",
            places=places,
        )
    ]


def _known_otherwise(
    tiles: Embeddings, names: Names, model: Model, up: Side
) -> tuple[Masks, Names]:
    """Which tiles look like known ones of other names, and the names that they look like."""
    known = model.references
    if not len(known.face):
        return np.zeros(len(names), bool), names
    turns = (up.value,) if model.upright else tuple(range(TURNS))
    similarity = _similarity_to(known, tiles, turns)
    taught = np.array([name or "" for name in known.faces], object)[known.face]
    same = names[:, None] == taught[None]
    own = np.where(same, similarity, -1).max(axis=1)
    others = np.where(same, -1, similarity)
    least = np.maximum(own + CLEARLY_LIKER, LIKE_TAUGHT)
    doubtful = same.any(axis=1) & (others.max(axis=1) > least)
    return doubtful, taught[others.argmax(axis=1)]


def groups_differ(
    tiles: Embeddings, group: Sequence[int], names: Sequence[str], model: Model, up: Side
) -> list[Message]:
    """Say which groups look like known tiles of another name.

    Args:
        tiles: Embeddings of n tiles.
        group: Shape (n,). Number of the group of each, from 0.
        names: Shape (n,). Its name.
        model: What was taught earlier.
        up: Where the tops of the tiles lie.
    """
    doubtful, others = _known_otherwise(tiles, np.array(names, object), model, up)
    numbers = np.array(group)
    differing = []
    for number in dict.fromkeys(group):
        mine = np.flatnonzero(numbers == number)
        if doubtful[mine].mean() > MOST_OF_GROUP:
            odd = mine[doubtful[mine]][0]
            differing.append(f"{number + 1} ({names[odd]} / {others[odd]})")
    if not differing:
        return []
    return [
        Message(
            "these groups look like tiles that are known under another name: {groups}",
            groups=_shortened(differing),
        )
    ]


def _similarity_to(known: References, tiles: Embeddings, turns: Sequence[int]) -> Doubles:
    """Shape (n, m): similarity of tiles to taught ones, in the best of some turns."""
    whole = similarities(tiles, known)
    best = np.full(whole.shape[:2], -1.0)
    for turn in turns:
        parts = np.einsum("npd,mpd->nmp", tiles.parts, known.parts[:, turn])
        second_least = np.sort(parts, axis=2)[..., 1]
        less = PARTS_WEIGHT * (1 - second_least)
        best = np.maximum(best, whole[..., turn] - less)
    return best


def _with_names(doubtful: Masks, names: Names, others: Names, columns: int) -> str:
    """The first of the doubtful places, each with its name and the one that it looks like."""
    return _shortened(
        [
            f"{n // columns + 1},{n % columns + 1} ({names[n] or '.'} / {others[n] or '.'})"
            for n in np.flatnonzero(doubtful).tolist()
        ]
    )


def _places(doubtful: Masks, columns: int) -> str:
    """The first of some places as people count them, from 1."""
    places = [divmod(n, columns) for n in np.flatnonzero(doubtful).tolist()]
    return _shortened([f"{row + 1},{column + 1}" for row, column in places])


def _shortened(places: Sequence[str]) -> str:
    more = len(places) - MOST_PLACES
    shown = " ".join(places[:MOST_PLACES])
    return Message("{names} and {n} more", names=shown, n=more) if more > 0 else shown
