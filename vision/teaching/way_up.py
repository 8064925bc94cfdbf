"""Which way up the tiles of a photo lie, and layouts turned upright."""

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.editions.references import TURNS, References
from vision.eye.identify import MIN_UPRIGHT_MARGIN, similarities
from vision.patches.embedding import Embeddings
from vision.teaching.find_layout import LocatedLayout
from vision.teaching.layout import Layout

KNOWN: Final = 0.75
"""Least similarity of a tile to a known one that tells which way up it lies."""


class Side(Enum):
    """Where the upper edge of tiles lies in a picture; the value counts quarters anticlockwise."""

    TOP, LEFT, BOTTOM, RIGHT = range(TURNS)


def turned_upright(laid: LocatedLayout, layout: Layout, up: Side) -> tuple[LocatedLayout, Layout]:
    """Turn a layout so that the tops of its tiles are up, given where they lie in the photo."""
    rows = np.empty((len(layout), len(layout[0])), object)
    rows[:] = layout
    turned = np.rot90(rows, -up.value).tolist()
    return replace(laid, turn=(laid.turn + up.value) % TURNS), tuple(map(tuple, turned))


def known_way_up(tiles: Embeddings, names: Sequence[str | None], known: References) -> Side | None:
    """Tell by known faces which way up tiles lie that all lie one way; None if they do not tell."""
    kept = [n for n, name in enumerate(names) if name is not None and name in known.faces]
    if not kept:
        return None
    similarity = similarities(tiles.take(np.array(kept)), known)
    each = zip(similarity, kept, strict=True)
    of_face: Floats = np.stack(
        [to_all[known.face == known.faces.index(names[n])].max(axis=0) for to_all, n in each]
    )
    telling = of_face[of_face.max(axis=1) >= KNOWN].astype(np.float64)
    second, best = np.sort(telling.sum(axis=0))[-2:].tolist()
    is_clear = best - second > MIN_UPRIGHT_MARGIN * len(telling)
    if 2 * len(telling) < len(kept) or not is_clear:
        return None
    return Side(int(telling.sum(axis=0).argmax()))
