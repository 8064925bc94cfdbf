"""Orientation of the tiles of a photo, and of layouts."""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.editions.references import TURNS, References
from vision.eye.reference_similarity import similarities
from vision.patches.embedding import Embeddings
from vision.teaching.find_layout import LocatedLayout
from vision.teaching.layout import Layout

MIN_ORIENTING_SIMILARITY: Final = 0.75
"""Minimum similarity to a known tile of its face at which a tile counts for the orientation."""
MIN_TOP_MARGIN: Final = 0.03
"""Minimum margin of a side over any other, in similarity per tile, where the tops surely lie.
Larger: more often a person is asked; smaller: some layouts are learned on their side."""


class TopSide(Enum):
    """Side of a picture where the tops of its tiles lie.

    The value is the number of quarters anticlockwise by which the tiles lie turned.
    """

    TOP, LEFT, BOTTOM, RIGHT = range(TURNS)


def turn_upright(
    located: LocatedLayout, layout: Layout, up: TopSide
) -> tuple[LocatedLayout, Layout]:
    """Turn a layout upright, given the side of the photo at which the tops of its tiles lie."""
    rows = np.empty((len(layout), len(layout[0])), object)
    rows[:] = layout
    turned = np.rot90(rows, -up.value).tolist()
    return replace(located, turn=(located.turn + up.value) % TURNS), tuple(map(tuple, turned))


def find_top_side_of_tiles(
    tiles: Embeddings, names: Sequence[str | None], known: References
) -> TopSide | None:
    """Find the side of the photo where the tops of tiles of known faces lie; None if it is unclear.

    All tiles lie the same way up.
    """
    kept = [n for n, name in enumerate(names) if name is not None and name in known.faces]
    if not kept:
        return None
    similarity = similarities(tiles.take(np.array(kept)), known)
    each = zip(similarity, kept, strict=True)
    of_face: Floats = np.stack(
        [to_all[known.face_index == known.faces.index(names[n])].max(axis=0) for to_all, n in each]
    )
    informative = of_face[of_face.max(axis=1) >= MIN_ORIENTING_SIMILARITY].astype(np.float64)
    second, best = np.sort(informative.sum(axis=0))[-2:].tolist()
    is_clear = best - second > MIN_TOP_MARGIN * len(informative)
    if 2 * len(informative) < len(kept) or not is_clear:
        return None
    return TopSide(int(informative.sum(axis=0).argmax()))
