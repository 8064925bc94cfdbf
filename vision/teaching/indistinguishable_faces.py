"""Faces that no photo distinguishes, which are refused when they are taught.

Faces that only good photos distinguish may be taught (``vision.eye.confusable_faces``).
"""

from typing import Final

import numpy as np

from vision.editions.model import Model
from vision.editions.references import TURNS, References

MIN_SAME_FACE_COSINE: Final = 0.88
"""Minimum cosine of two tiles that may be of one face. Larger: a tile laid twice passes; smaller:
more pairs are compared by windows."""
MAX_COLOUR_DISTANCE_UNIQUE: Final = 0.1
"""Maximum squared difference of the log colours of two tiles that may be of one face, where every
face has a drawing of its own."""
MAX_COLOUR_DISTANCE_SHARED: Final = 0.02
"""Maximum squared difference of the log colours of two tiles that may be of one face, where faces
share a drawing: two of them may differ in colour by little more."""
MIN_WINDOW_COSINE: Final = 0.865
"""Cosine of the least similar windows above which two tiles are of one face; where faces share a
drawing, only if one was taught earlier and the new one is less similar to earlier tiles of its own
face than to that one. The cosine is 0.86 at most where faces differ by an emblem, and that of the
whole up to 0.98."""
MIN_PARTS_AND_WINDOWS: Final = 1.83
"""Sum of two cosines of two tiles, of their parts on average and of their least similar windows in
the best views, above which they are of one face: either may fall short if the other makes up for
it."""
MIN_TURNED_COSINE: Final = 0.96
"""Cosine of a tile and a turned one above which they are of one face."""
MIN_WINDOW_COSINE_SHARED: Final = 0.96
"""Cosine of the least similar windows above which two tiles are of one face, where faces share a
drawing. It is up to 0.95 for faces that differ by a number alone."""


def find_most_similar_faces(model: Model) -> tuple[str, str, float] | None:
    """Find the two most similar faces of a grid, and their cosine; None below two faces."""
    references = model.references.of_faces([name for name in model.references.faces if name])
    turns = 1 if model.tiles_are_upright else TURNS
    similarity = np.max(
        [references.vectors[:, 0, 0] @ references.vectors[:, t, 0].T for t in range(turns)], axis=0
    )
    similarity[references.face_index[:, None] == references.face_index[None]] = -1
    if not (references.face_index[:1] != references.face_index).any():
        return None
    pair = np.unravel_index(similarity.argmax(), similarity.shape)
    first, second = (
        str(references.faces[n]) for n in sorted(references.face_index[list(pair)].tolist())
    )
    return first, second, float(similarity[pair])


def find_indistinguishable(
    after: Model, before: Model, *, unique_drawings: bool
) -> tuple[str, str] | None:
    """Find two faces whose tiles look the same.

    Args:
        after: Model with the tiles that were taught now. Unless drawings are unique, its references
            are those of ``before``, followed by these tiles (``References.joined``).
        before: Model without these.
        unique_drawings: True if every face has a drawing of its own; False if some differ by a
            number alone, so that it counts which tiles were taught earlier.

    Returns:
        Names of the faces; None if all can be distinguished.
    """
    after_and_before = (after.references, before.references), (after.loose, before.loose)
    pairs = (
        _find_same(
            references,
            len(earlier.face_index),
            is_upright=after.tiles_are_upright,
            unique_drawings=unique_drawings,
        )
        for references, earlier in after_and_before
    )
    return next(filter(None, pairs), None)


def _find_same(
    references: References, first_new: int, *, is_upright: bool, unique_drawings: bool
) -> tuple[str, str] | None:
    """Find two faces that look the same.

    ``first_new`` is the index of the first tile that was taught now; those before it were taught
    earlier.
    """
    colour_distance = ((references.colours[:, None] - references.colours[None]) ** 2).sum(axis=2)
    named = np.array([name is not None for name in references.faces], bool)[references.face_index]
    other = (
        (references.face_index[:, None] != references.face_index[None])
        & named[:, None]
        & named[None]
    )
    other &= colour_distance < (
        MAX_COLOUR_DISTANCE_UNIQUE if unique_drawings else MAX_COLOUR_DISTANCE_SHARED
    )
    for turn in range(1 if is_upright else TURNS):
        similarity = references.vectors[:, 0, 0] @ references.vectors[:, turn, 0].T
        for first, second in np.argwhere(other & (similarity > MIN_SAME_FACE_COSINE)).tolist():
            if turn:
                same = similarity[first, second] > MIN_TURNED_COSINE
            elif unique_drawings:
                same = _are_of_one_face(references, first, second)
            else:
                least = _window_similarity(references, first, second)
                same = least > MIN_WINDOW_COSINE_SHARED or (
                    second < first_new <= first
                    and least > MIN_WINDOW_COSINE
                    and least > _similarity_to_earlier(references, first, first_new)
                )
            if same:
                one, two = sorted(references.face_index[[first, second]].tolist())
                return str(references.faces[one]), str(references.faces[two])
    return None


def _window_similarity(references: References, first: int, second: int) -> float:
    """Return the cosine of the least similar windows of two tiles."""
    closer = references.window_vectors[first] @ references.window_vectors[second].swapaxes(1, 2)
    return float(np.maximum(closer[:, 0].max(axis=1), closer[:, :, 0].max(axis=1)).min())


def _are_of_one_face(references: References, first: int, second: int) -> bool:
    """Return whether two tiles that look alike have one face, if no faces share a drawing."""
    parts = (references.parts[first, 0] * references.parts[second, 0]).sum(axis=1).mean()
    windows = (
        (references.window_vectors[first] @ references.window_vectors[second].swapaxes(1, 2))
        .max(axis=(1, 2))
        .min()
    )
    least = _window_similarity(references, first, second)
    return bool(least > MIN_WINDOW_COSINE or windows + parts > MIN_PARTS_AND_WINDOWS)


def _similarity_to_earlier(references: References, tile: int, first_new: int) -> float:
    """Return the similarity of windows to earlier tiles of the same face; 1 if there are none."""
    own = np.flatnonzero(references.face_index[:first_new] == references.face_index[tile]).tolist()
    return max((_window_similarity(references, tile, other) for other in own), default=1.0)
