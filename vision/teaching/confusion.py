"""Which faces of a model look alike, and which look the same, so that no eye could tell them."""

import numpy as np

from vision.editions.model import Model
from vision.editions.references import TURNS, References

SAME_FACE, SAME_FACE_COLOUR = 0.88, 0.1
"""Tiles with such a cosine, in colour within so much squared difference, may be of one face, where
no two faces have one drawing."""
SAME_COLOURED = 0.02
"""Where they have, the colours of two faces may differ by little more."""
SAME_WINDOWS, SAME_ASIDE, SAME_TURNED_FACE = 0.865, 1.83, 0.96
"""They are if all their windows are as similar; or if the least similar ones, perhaps from a little
aside, and their parts in the mean are so together; or if they are as similar when one is turned.
Of faces that differ by an emblem the cosine is up to 0.98, that of a window 0.86 at most."""
NO_DIFFERENCE = 0.96
"""Of tiles that differ by a number alone the least similar windows are so by up to 0.95."""


def most_alike(model: Model) -> tuple[str, str, float] | None:
    """The two faces of a grid that look most alike, and their cosine; None: there are no two."""
    known = model.references.of_faces([name for name in model.references.faces if name])
    turns = 1 if model.upright else TURNS
    similarity = np.max(
        [known.vectors[:, 0, 0] @ known.vectors[:, t, 0].T for t in range(turns)], axis=0
    )
    similarity[known.face[:, None] == known.face[None]] = -1
    if not (known.face[:1] != known.face).any():
        return None
    pair = np.unravel_index(similarity.argmax(), similarity.shape)
    first, second = (str(known.faces[n]) for n in sorted(known.face[list(pair)].tolist()))
    return first, second, float(similarity[pair])


def indistinguishable(after: Model, before: Model, *, drawn_apart: bool) -> tuple[str, str] | None:
    """Two faces whose tiles look the same; None: all can be told apart.

    Args:
        after: that knows them, with those that were taught now.
        before: without these.
        drawn_apart: whether no faces of the game have one drawing and differ by a number alone.
    """
    parts = (after.references, before.references), (after.loose, before.loose)
    pairs = (
        _of_references(known, len(earlier.face), is_upright=after.upright, drawn_apart=drawn_apart)
        for known, earlier in parts
    )
    return next(filter(None, pairs), None)


def _of_references(
    known: References, earlier: int, *, is_upright: bool, drawn_apart: bool
) -> tuple[str, str] | None:
    """The same of references, of which so many had been taught before."""
    apart = ((known.colours[:, None] - known.colours[None]) ** 2).sum(axis=2)
    named = np.array([name is not None for name in known.faces], bool)[known.face]
    other = (known.face[:, None] != known.face[None]) & named[:, None] & named[None]
    other &= apart < (SAME_FACE_COLOUR if drawn_apart else SAME_COLOURED)
    for turn in range(1 if is_upright else TURNS):
        similarity = known.vectors[:, 0, 0] @ known.vectors[:, turn, 0].T
        for first, second in np.argwhere(other & (similarity > SAME_FACE)).tolist():
            if turn:
                same = similarity[first, second] > SAME_TURNED_FACE
            elif drawn_apart:
                same = _are_of_one_face(known, first, second)
            else:
                least = _least_window(known, first, second)
                same = least > NO_DIFFERENCE or (
                    second < earlier <= first
                    and SAME_WINDOWS < least > _similarity_to_own(known, first, earlier)
                )
            if same:
                one, two = sorted(known.face[[first, second]].tolist())
                return str(known.faces[one]), str(known.faces[two])
    return None


def _least_window(known: References, first: int, second: int) -> float:
    """The least similarity of two tiles in any of their windows."""
    closer = known.details[first] @ known.details[second].swapaxes(1, 2)
    return float(np.maximum(closer[:, 0].max(axis=1), closer[:, :, 0].max(axis=1)).min())


def _are_of_one_face(known: References, first: int, second: int) -> bool:
    """Whether two tiles that look alike have one face, where no faces share a drawing."""
    parts = (known.parts[first, 0] * known.parts[second, 0]).sum(axis=1).mean()
    aside = (known.details[first] @ known.details[second].swapaxes(1, 2)).max(axis=(1, 2)).min()
    least = _least_window(known, first, second)
    return bool(least > SAME_WINDOWS or aside + parts > SAME_ASIDE)


def _similarity_to_own(known: References, tile: int, earlier: int) -> float:
    """``_least_window`` of a tile and any of its face taught before; 1: there was none."""
    own = np.flatnonzero(known.face[:earlier] == known.face[tile]).tolist()
    return max((_least_window(known, tile, other) for other in own), default=1.0)
