"""Similarity of tiles to the references of an edition, after light is taken out.

The similarity of a tile and a reference is the cosine of their vectors minus a cost of the
difference between their colours, from which the light of the photo is taken out first
(``vision.eye.light_fit``). How the tiles of one photo resemble each other, whatever their faces:
``vision.teaching.tile_similarity``.
"""

from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats, floats
from vision.editions.references import TURNS, VIEWS, References
from vision.eye.light_fit import Light, colour_costs, fit_light
from vision.patches.embedding import VECTOR_SIZE, Embeddings

SHIFT_GAIN: Final = 1.3
"""Shift of a patch, in tile widths, for a difference of 1 between its similarities to views of a
reference on opposite sides."""
CHANCE_SIMILARITY: Final = 0.5
"""Similarity to a reference up to which a tile may be like it by chance; with less, it is unknown.

The weights of tiles in fits rise from here, and with a lower median a grid is like no face, however
light has washed it out. Other limits of the similarity to known faces, from low to high: of a tile
``windows.WEAK_SIMILARITY``, ``MAX_HIDDEN_SIMILARITY``,
``acceptance.MIN_BEST_SIMILARITY``; of a grid ``acceptance.MIN_UNREAD_SUPPORT``,
``acceptance.MIN_TYPICAL_SIMILARITY``, ``acceptance.MIN_ONE_FACE_SIMILARITY``.
"""
KNOWN_RANGE: Final = 0.35
"""Similarity above ``CHANCE_SIMILARITY`` over which a tile counts more and more as one of a known
face."""
WEIGHT_RANGE: Final = 0.3
"""Similarity above ``CHANCE_SIMILARITY`` that gives a tile full weight in fits."""
MAX_HIDDEN_SIMILARITY: Final = 0.75
"""Similarity to its face below which an unsure tile is hidden by something, or there is none; a
figure may cover it, and it is never read as turned. Larger: more unsure tiles are said to be
covered; smaller: covered ones get no note."""


def cosines(embeddings: Embeddings, references: References) -> Floats:
    """Return the cosines (n, m, TURNS) of n tiles and the best view of m references."""
    count, _, views, _ = references.vectors.shape
    similarity = np.full((len(embeddings), count, TURNS), -1.0, np.float32)
    if similarity.size:
        for turn in range(TURNS):  # one after the other, which takes less memory
            flat = references.vectors[:, turn].reshape(-1, VECTOR_SIZE)
            of_views = (flat @ embeddings.vectors.T).reshape(count, views, len(embeddings))
            similarity[:, :, turn] = of_views.max(axis=1).T
    return similarity


def best_cosines(embeddings: Embeddings, references: References) -> Floats:
    """Return the cosines (n,) of n tiles and the best view of any reference, -1 without any."""
    best = np.full(len(embeddings), -1.0, np.float32)
    if len(references.face_index):
        for turn in range(TURNS):
            flat = references.vectors[:, turn].reshape(-1, VECTOR_SIZE)
            np.maximum(best, (flat @ embeddings.vectors.T).max(axis=0), out=best)
    return best


def known_tile_scores(embeddings: Embeddings, references: References) -> Doubles:
    """Return scores (n,) of whole tiles of known faces, -0.5 to 1."""
    similarity = best_cosines(embeddings, references)
    known = np.clip((similarity - CHANCE_SIMILARITY) / KNOWN_RANGE, -0.5, 1)
    return np.asarray(embeddings.whole_probability * known, np.float64)


def drawing_support(embeddings: Embeddings, references: References) -> Floats:
    """Return products (n,) of the probability of a whole tile and the similarity of drawings.

    Colours, which light may have changed, do not count.
    """
    return floats(embeddings.whole_probability * best_cosines(embeddings, references))


def similarities(embeddings: Embeddings, references: References, grid_count: int = 1) -> Floats:
    """Return the similarities (n, m, TURNS) of the tiles of one photo to the references.

    Args:
        embeddings: Tiles, grid by grid.
        references: References of the edition.
        grid_count: Number of grids, of equally many tiles each; each may lie in a light of its own,
            such as a lamp's reflection.
    """
    drawing = cosines(embeddings, references)
    seen, taught = embeddings.colours.astype(np.float64), references.colours.astype(np.float64)
    best = np.maximum.reduce([drawing[:, :, turn] for turn in range(TURNS)])
    whole = np.clip(embeddings.whole_probability, 0.1, 1).astype(np.float64)
    # By the drawing alone: with colours, tiles in a light far from the taught one would lose their
    # weight in the fit that is to take that light out
    weights = weights_in_fit(best.max(axis=1)) * whole
    cost = np.zeros(best.shape)
    # Twice one light for the table, then one for each grid
    for is_last in (False, False, True):
        similarity = best - cost
        nearest = taught[similarity.argmax(axis=1)]
        light = fit_light(nearest, seen, weights, Light.neutral())
        if is_last and grid_count > 1:
            nearest_by_grid, seen_by_grid = (v.reshape(grid_count, -1, 3) for v in (nearest, seen))
            light = fit_light(nearest_by_grid, seen_by_grid, weights.reshape(grid_count, -1), light)
        lit = light.apply(taught).reshape(-1, len(taught), 3)
        cost = colour_costs(seen.reshape(len(lit), -1, 3), lit).reshape(cost.shape)
    return drawing - floats(cost)[..., None]


def weights_in_fit(similarity: Floats | Doubles) -> Floats | Doubles:
    """Return the weights of tiles in a fit, by their similarity to the nearest face."""
    return np.clip((similarity - CHANCE_SIMILARITY) / WEIGHT_RANGE, 0, 1)


def estimate_offsets(
    embeddings: Embeddings, similarity: Floats, references: References
) -> tuple[Doubles, Doubles]:
    """Estimate how far right and down of its tile each patch was cut, from shifted views.

    Args:
        embeddings: Patches of n tiles.
        similarity: Shape (n, m, TURNS).
        references: References of the edition with their shifted views.

    Returns:
        Offsets (n, 2) in tile widths, and their weights (n,), 0 to 1.
    """
    reference, turn = np.divmod(similarity.reshape(len(similarity), -1).argmax(axis=1), TURNS)
    views = references.vectors[reference, turn]
    by_view = np.einsum("nd,nvd->nv", embeddings.vectors, views).astype(np.float64)
    offsets = SHIFT_GAIN * (by_view[:, 1:] @ np.sign(VIEWS[1:])) / 2
    # From right and down of the reference to those of the photo, a quarter anticlockwise at a time
    for quarters in range(1, TURNS):
        turned = turn >= quarters
        offsets[turned] = np.stack([offsets[turned, 1], -offsets[turned, 0]], axis=1)
    weights = np.asarray(weights_in_fit(by_view.max(axis=1)), np.float64)
    return np.asarray(offsets), weights


def turn_scores(similarity: Floats, whole: Floats) -> Doubles:
    """Return the sum of the tiles' similarities in each turn (TURNS,), weighted by ``whole``."""
    best = np.stack([similarity[:, :, turn].max(axis=1) for turn in range(TURNS)], axis=1)
    return np.asarray((best * whole[:, None]).sum(axis=0), np.float64)
