"""Similarity of the tiles of a photo to one another, whose faces need not be known."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Doubles, Ints
from vision.editions.references import parts_costs
from vision.eye.light_fit import COLOUR_WEIGHT
from vision.patches.embedding import Embeddings

MAX_COLOUR_DISTANCE: Final = 0.3
"""Maximum squared difference of log colours that counts; a larger one may be a shadow."""


def compare_turned(turned: Sequence[Embeddings]) -> Doubles:
    """Return cosines (n, n, TURNS) of tiles and turned tiles, given by ``embed_turned``."""
    views = np.stack([each.vectors for each in turned], axis=1)
    return np.asarray(np.einsum("nd,mtd->nmt", turned[0].vectors, views), np.float64)


def tile_similarity(turned: Sequence[Embeddings], cosine: Doubles, turns_apart: Ints) -> Doubles:
    """Compare all tiles of a photo with one another.

    Args:
        turned: Embeddings of the tiles turned by 0 to 3 quarters, from ``embed_turned``.
        cosine: Shape (n, n, TURNS), from ``compare_turned``.
        turns_apart: Shape (n, n), quarters anticlockwise by which to turn the second tile of a pair
            so that it lies like the first.

    Returns:
        Shape (n, n), symmetric: cosines, less weighted differences of colours and parts.
    """
    similarity = np.take_along_axis(cosine, turns_apart[..., None], axis=2)[..., 0]
    colours = turned[0].colours.astype(np.float64)
    apart = ((colours[:, None] - colours[None]) ** 2).sum(axis=2)
    similarity -= COLOUR_WEIGHT * np.minimum(apart, MAX_COLOUR_DISTANCE)
    # One turn after the other, which takes less memory
    costs = np.stack([parts_costs(turned[0].parts, each.parts) for each in turned], axis=2)
    similarity -= np.take_along_axis(costs, turns_apart[..., None], axis=2)[..., 0]
    return np.asarray((similarity + similarity.T) / 2)
