"""Which face each tile shows: the nearest reference of the edition, light and its colour taken out.

How alike a tile and a reference are is the cosine of their vectors less what their colours differ by
once the light is taken out. Light is an affine map of log colours, one for a photo, found from the
tiles themselves: from those whose drawing is known, at first, then from all.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.anytiles.embedding import VECTOR, Looks
from vision.anytiles.locate import Floats
from vision.anytiles.parameters import EyeParameters

Doubles = NDArray[np.float64]
TURNS = 4


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """What an edition's faces look like, m views of them.

    Attributes:
        faces: names; None is an empty place.
        face: (m,) index of the face.
        turn: (m,) quarter turns anticlockwise by which the view lies.
        vectors: (m, VECTOR).
        colours: (m, 3) as by one light.
    """

    faces: tuple[str | None, ...]
    face: NDArray[np.intp]
    turn: NDArray[np.intp]
    vectors: Floats
    colours: Floats

    @classmethod
    def none(cls) -> "References":
        """Of an edition that nothing was taught."""
        no = np.empty(0, np.intp)
        return cls((), no, no, np.empty((0, VECTOR), np.float32), np.empty((0, 3), np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Identified:
    """What n tiles show.

    Attributes:
        alike: (n, faces) how alike each is to the best view of each face.
        turn: (n, faces) the turn of that view.
        known: (n, faces) the same by the vectors alone.
    """

    alike: Doubles
    turn: NDArray[np.intp]

    @property
    def best(self) -> NDArray[np.intp]:
        """(n,) the likeliest face."""
        return np.asarray(self.alike.argmax(axis=1))

    @property
    def margin(self) -> Doubles:
        """(n,) how much less alike the next face is."""
        two = np.sort(self.alike, axis=1)[:, -2:]
        return np.asarray(two[:, -1] - two[:, 0] if two.shape[1] == 2 else two[:, -1])


def light_between(before: Doubles, after: Doubles, weights: Doubles, p: EyeParameters) -> tuple[Doubles, Doubles]:
    """The light that makes colours (n, 3) others: matrix (3, 3) and shift (3,), robustly and shyly."""
    matrix, shift, used = np.eye(3), np.zeros(3), weights
    for _ in range(5):
        a, b = (np.average(v, axis=0, weights=used) for v in (before, after))
        x, y = before - a, after - b
        matrix = np.eye(3) + np.linalg.solve((x * used[:, None]).T @ x + np.eye(3), (x * used[:, None]).T @ (y - x))
        shift = b - a @ matrix
        off = after - before @ matrix - shift
        used = weights / (1 + (off**2).sum(axis=1) / p.spread_colour**2)
    return matrix, shift


def likeness(looks: Looks, references: References, p: EyeParameters) -> Doubles:
    """(n, m): how alike tiles of one photo are to the references."""
    drawn = looks.vectors.astype(np.float64) @ references.vectors.T
    alike, seen, own = drawn, looks.colours.astype(np.float64), references.colours.astype(np.float64)
    for _ in range(3):
        best = alike.argmax(axis=1)
        weights = np.clip((alike.max(axis=1) - p.least_alike) / 0.3, 0.02, 1) * np.clip(looks.whole, 0.1, 1)
        matrix, shift = light_between(own[best], seen, weights, p)
        lit = own @ matrix + shift
        away = (seen**2).sum(axis=1)[:, None] + (lit**2).sum(axis=1)[None] - 2 * seen @ lit.T
        alike = drawn - p.colour_weight * np.minimum(away, p.most_colour)
    return np.asarray(alike)


def identify(looks: Looks, references: References, alike: Doubles, turns: tuple[int, ...]) -> Identified:
    """The best view of each face among those that lie in one of these turns."""
    out = np.full((len(looks), len(references.faces)), -1.0)
    turn = np.zeros(out.shape, np.intp)
    allowed = np.isin(references.turn, turns)
    for face in range(len(references.faces)):
        views = np.flatnonzero(allowed & (references.face == face))
        if views.size:
            which = alike[:, views].argmax(axis=1)
            out[:, face] = alike[np.arange(len(looks)), views[which]]
            turn[:, face] = references.turn[views[which]]
    return Identified(out, turn)


def upright(alike: Doubles, references: References, whole: Floats) -> Doubles:
    """(4,) how alike the tiles of a grid are to references in each turn, all together."""
    sums = np.zeros(TURNS)
    for turn in range(TURNS):
        views = references.turn == turn
        sums[turn] = float((alike[:, views].max(axis=1) * whole).sum()) if views.any() else -1e9
    return sums
