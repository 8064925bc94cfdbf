"""References: embeddings of the taught tiles of an edition, and how faces differ in them.

Places within a tile are in tile widths, (0, 0) at its top left corner.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Final, NamedTuple, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Ints, floats
from vision.patches.embedding import PART_COUNT, PART_VECTOR_SIZE, VECTOR_SIZE

Ts = TypeVarTuple("Ts")
T = TypeVar("T")
TURNS: Final = 4
"""Number of quarter turns in which a tile may lie."""
VIEW_SHIFT: Final = 0.08
"""Offset of a shifted view along x and y, in tile widths."""
VIEWS: Final = floats(np.array([(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1)]) * VIEW_SHIFT)
"""Offsets (x, y) of the views of a taught tile from its place, in tile widths; a tile that was cut
a little off its middle resembles one of them."""
WINDOW: Final = 0.36
"""Side of a window, in tile widths."""
WINDOWS: Final = floats([(x, y) for y in (0.06, 0.32, 0.58) for x in (0.06, 0.32, 0.58)])
"""Top left corners of the windows of an upright tile, each over the part of the same number. None
reaches the edge, where a neighbour of the tile may show."""
WINDOW_COUNT: Final = len(WINDOWS)
"""Number of windows of a tile, 9 as of parts."""
DISCRIMINATIVE_WINDOWS: Final = 3
"""Number of windows by which two faces are distinguished."""
ENOUGH_EXAMPLES: Final = 3
"""Minimum number of taught tiles of a face from which its ``drawing_consistency`` is measured."""
MIN_DRAWING_CONSISTENCY: Final = 0.9
"""Minimum ``DrawingConsistency.window`` of a face that has one drawing.
Smaller: faces with many drawings are doubted; larger: few faces count as having one drawing."""
WINDOW_NOISE: Final = 0.05
"""Dissimilarity of a window by noise, added to that by a small offset. Larger: windows in which
faces differ little, but reliably, are passed over."""
WINDOW_VIEWS: Final = floats([(0, 0), (-0.04, -0.04), (0.04, -0.04), (0.04, 0.04), (-0.04, 0.04)])
"""Offsets (x, y) of the views of each window from its place, in tile widths."""
LOOKALIKE_COSINE: Final = 0.65
"""Cosine of two references above which they are lookalikes, alike except for a part, such as a
number; of one face, above which they have the same drawing. Larger: lookalikes are compared as a
whole alone, and mistaken; smaller: more windows are embedded."""
PARTS_WEIGHT: Final = 0.4
"""Weight of the mean similarity of a tile's parts, relative to 1 for the whole tile. Larger: a
small difference in drawing counts more, and so does glare on a part of a tile."""
WINDOW_WEIGHT: Final = 0.5
"""Weight of the similarity of each of the ``discriminative_windows``, relative to 1 for the whole
tile."""


def cached_by_references(
    function: Callable[["References", *Ts], T],
) -> Callable[["References", *Ts], T]:
    """Cache the results of a function of references and numbers."""

    @wraps(function)
    def cached(references: "References", *more: *Ts) -> T:
        key = function, *more
        if key not in references.cache:
            references.cache[key] = function(references, *more)
        result: T = references.cache[key]
        return result

    return cached


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """Embeddings of m taught tiles of an edition's faces.

    Attributes:
        faces: Names of faces; None is an empty place.
        face_index: Shape (m,), index of the face of each tile.
        vectors: Shape (m, TURNS, len(VIEWS), VECTOR_SIZE), of views turned by quarters
            anticlockwise.
        parts: Shape (m, TURNS, PART_COUNT, PART_VECTOR_SIZE), of the first view.
        colours: Shape (m, 3), mean log colours in one light for all tiles.
        window_vectors: Shape (m, WINDOW_COUNT, len(WINDOW_VIEWS), VECTOR_SIZE), of the windows of
            the upright tile.
        cache: Results of functions of these references, see ``cached_by_references``.

    Parts and windows both divide a tile into 3 x 3. The network describes all parts at once, with
    the tile as a whole; each window is cut out and embedded by itself, finer.
    """

    faces: tuple[str | None, ...]
    face_index: Ints
    vectors: Floats
    parts: Floats
    colours: Floats
    window_vectors: Floats
    cache: dict[tuple[object, ...], Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        # Those of one turn lie together in memory, as they are compared with tiles
        by_turn = np.ascontiguousarray(self.vectors.swapaxes(0, 1)).swapaxes(0, 1)
        object.__setattr__(self, "vectors", by_turn)

    @classmethod
    def empty(cls) -> "References":
        """Return no references."""
        return cls(
            (),
            np.empty(0, np.intp),
            np.empty((0, TURNS, len(VIEWS), VECTOR_SIZE), np.float32),
            np.empty((0, TURNS, PART_COUNT, PART_VECTOR_SIZE), np.float32),
            np.empty((0, 3), np.float32),
            np.empty((0, len(WINDOWS), len(WINDOW_VIEWS), VECTOR_SIZE), np.float32),
        )

    def take(self, which: Ints | slice) -> "References":
        """Return the references of some tiles."""
        return References(self.faces, *(array[which] for array in self._arrays))

    def of_faces(self, names: Collection[str | None]) -> "References":
        """Return the references of some faces, in the order of ``faces``."""
        kept = [n for n, name in enumerate(self.faces) if name in names]
        number = np.full(len(self.faces) + 1, -1, np.intp)
        number[kept] = np.arange(len(kept))
        which = np.isin(self.face_index, kept)
        some = self if which.all() else self.take(np.flatnonzero(which))
        return replace(
            some, faces=tuple(self.faces[n] for n in kept), face_index=number[some.face_index]
        )

    def joined(self, other: "References") -> "References":
        """Return these references followed by others."""
        faces = tuple(dict.fromkeys([*self.faces, *other.faces]))
        renamed = np.array([faces.index(name) for name in other.faces], np.intp)
        theirs = replace(other, face_index=renamed[other.face_index])
        both = zip(self._arrays, theirs._arrays, strict=True)  # noqa: SLF001 - same class
        return References(faces, *(np.concatenate(pair) for pair in both))

    @property
    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.face_index, self.vectors, self.parts, self.colours, self.window_vectors

    @cached_by_references
    def are_lookalikes(self, first: int, second: int) -> bool:
        """Return whether two references look alike except for a part, which windows distinguish."""
        return float(self.vectors[first, 0, 0] @ self.vectors[second, 0, 0]) > LOOKALIKE_COSINE


@cached_by_references
def turned_cosines(references: References) -> Floats:
    """Return the cosines (m, TURNS) of each reference and the one most like it in each turn."""
    upright = references.vectors[:, 0, 0]
    by_turn = [
        (upright @ references.vectors[:, turn].reshape(-1, VECTOR_SIZE).T).max(axis=1)
        for turn in range(TURNS)
    ]
    return np.stack(by_turn, axis=1)


@cached_by_references
def examples_of_same_drawing(references: References, reference: int) -> Ints:
    """Return the indices (k,) of the references of its face with the drawing of one, itself too."""
    similarity = references.vectors[:, 0, 0] @ references.vectors[reference, 0, 0]
    return np.flatnonzero(
        (references.face_index == references.face_index[reference])
        & (similarity > LOOKALIKE_COSINE)
    )


def windows_of_same_drawing(references: References, reference: int, window: int) -> Floats:
    """Return one window (k, WINDOW_VIEWS, VECTOR_SIZE) of each of ``examples_of_same_drawing``."""
    examples = examples_of_same_drawing(references, reference)
    return floats(references.window_vectors[examples, window])


class DrawingConsistency(NamedTuple):
    """Least similarity of the taught tiles of a face to one another, as cosines.

    Attributes:
        whole: Least cosine of a whole tile and its best match among the others.
        window: Least cosine of a tile's second worst window and the best match of this window.
    """

    whole: float
    window: float


@cached_by_references
def drawing_consistency(references: References, face: int) -> DrawingConsistency | None:
    """Return the least similarity of the tiles of a face to one another, if it has one drawing.

    None if the taught tiles are too few, or show several drawings.

    Each taught tile is compared with the others of its face, as a tile of a photo would be. A face
    with a single taught tile, in an edition where other faces have several drawings, counts as
    consistent only to the limit: a tile that is not identical to the taught one is in doubt unless
    its windows match.
    """
    mine = np.flatnonzero(references.face_index == face)
    if len(mine) == 1 and references.faces[face] is not None and _has_several_drawings(references):
        return DrawingConsistency(1.0, MIN_DRAWING_CONSISTENCY)
    if len(mine) < ENOUGH_EXAMPLES:
        return None
    whole = np.einsum(
        "ad,bvd->abv", references.vectors[mine, 0, 0], references.vectors[mine, 0]
    ).max(axis=2)
    windows = np.einsum(
        "awd,bwvd->abwv", references.window_vectors[mine, :, 0], references.window_vectors[mine]
    )
    windows = windows.max(axis=3)
    itself = np.arange(len(mine))
    whole[itself, itself] = windows[itself, itself] = -1
    second = float(np.sort(windows.max(axis=1), axis=1)[:, 1].min())
    if second <= MIN_DRAWING_CONSISTENCY:
        return None
    return DrawingConsistency(float(whole.max(axis=1).min()), second)


@cached_by_references
def _has_several_drawings(references: References) -> bool:
    """Return whether a taught tile of a named face looks, in no turn, like another of its face."""
    for face, name in enumerate(references.faces):
        mine = np.flatnonzero(references.face_index == face)
        if name is None or len(mine) < 2:
            continue
        views = references.vectors[mine].reshape(-1, VECTOR_SIZE)
        similarity = (references.vectors[mine, 0, 0] @ views.T).reshape(len(mine), len(mine), -1)
        similarity[np.arange(len(mine)), np.arange(len(mine))] = -1
        if (similarity.max(axis=(1, 2)) < LOOKALIKE_COSINE).any():
            return True
    return False


def parts_costs(tiles: Floats, others: Floats) -> Floats:
    """Return the costs (n, m) by which differing parts lower the similarity of whole tiles.

    The second least similar parts of two tiles decide.

    Args:
        tiles: Shape (n, PART_COUNT, PART_VECTOR_SIZE).
        others: Shape (m, PART_COUNT, PART_VECTOR_SIZE).
    """
    similarity = np.sort(np.einsum("npd,mpd->nmp", tiles, others), axis=2)
    return np.asarray(PARTS_WEIGHT * (1 - similarity[..., 1]))


@cached_by_references
def discriminative_windows(references: References, first: int, second: int) -> tuple[int, ...]:
    """Return the windows in which references like one differ most from those like another.

    Differences among the references like one, as light makes them, do not count. Windows that
    change with a small offset count less.
    """
    ours = examples_of_same_drawing(references, first)
    theirs = examples_of_same_drawing(references, second)
    similarity = _mean_similarity(references, ours, theirs)
    if len(ours) > 1 and len(theirs) > 1:
        similarity -= (
            _similarity_of_same_drawing(references, first)
            + _similarity_of_same_drawing(references, second)
        ) / 2
    both = references.window_vectors[np.concatenate([ours, theirs])]
    shifted = np.einsum("awd,awvd->wv", both[:, :, 0], both[:, :, 1:]).mean(axis=1) / len(both)
    worth = (1 - similarity) / (1 - shifted + WINDOW_NOISE)
    return tuple(np.argsort(-worth, kind="stable")[:DISCRIMINATIVE_WINDOWS].tolist())


@cached_by_references
def _similarity_of_same_drawing(references: References, reference: int) -> Floats:
    """Return the mean similarity (windows,) of ``examples_of_same_drawing`` to one another."""
    examples = examples_of_same_drawing(references, reference)
    return _mean_similarity(references, examples, examples)


def _mean_similarity(references: References, first: Ints, second: Ints) -> Floats:
    """Return the mean similarity (windows,) of two sets of references."""
    ours = references.window_vectors[first, :, 0].swapaxes(0, 1)
    theirs = references.window_vectors[second].swapaxes(0, 1)
    windows, count, views, _ = theirs.shape
    each = ours @ theirs.reshape(windows, count * views, VECTOR_SIZE).swapaxes(1, 2)
    return floats(each.reshape(windows, len(first), count, views).max(axis=3).mean(axis=(1, 2)))


@cached_by_references
def ranking_margin(references: References, first: int, second: int, window_count: int) -> float:
    """Return the margin by which ``face_ranking.rank_faces`` prefers a reference to another one.

    Args:
        references: References of the edition.
        first: Reference that is preferred.
        second: Other reference.
        window_count: Number of the ``discriminative_windows`` that are compared.
    """
    whole = 1 - float((references.vectors[second, 0] @ references.vectors[first, 0, 0]).max())
    parts = 1 - float((references.parts[first, 0] * references.parts[second, 0]).sum(axis=1).mean())
    windows = [
        1
        - float(
            (
                windows_of_same_drawing(references, second, window)
                @ references.window_vectors[first, window, 0]
            ).max()
        )
        for window in discriminative_windows(references, first, second)[:window_count]
    ]
    return whole + PARTS_WEIGHT * parts + WINDOW_WEIGHT * sum(windows)
