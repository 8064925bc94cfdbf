"""Which face each tile shows: the nearest reference of the edition, light and its colour taken out.

How alike a tile and a reference are is the cosine of their vectors less what their colours differ
by once the light is taken out. Light is an affine map of log colours, one for a photo, found from
the tiles themselves: from those whose drawing is known, at first, then from all.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.anytiles.embedding import VECTOR, Looks, looks_of
from vision.anytiles.locate import Floats
from vision.anytiles.parameters import EyeParameters
from vision.anytiles.rectify import CORNERS, Pyramid, inside, rectified
from vision.arrays import floats

Doubles = NDArray[np.float64]
TURNS = 4
VIEWS = 13
"""Of each taught tile in each turn."""
PART = 0.6
PARTS = floats([[x, y] for y in (0, 1 - PART) for x in (0, 1 - PART)])[
    :, None
] + CORNERS * np.float32(PART)
"""(WINDOWS, 4, 2): the parts of a tile that are looked at more closely."""
WINDOWS = len(PARTS)


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """What an edition's faces look like, m tiles of them.

    Attributes:
        faces: names; None is an empty place.
        face: (m,) index of the face.
        vectors: (m, TURNS, views, VECTOR) of views turned by so many quarters anticlockwise.
        shifts: (m, TURNS, views, 2) by which these are cut out beside the tile, in tile widths.
        colours: (m, 3) as by one light.
        fine_face: (k,) index of the face of finer views.
        fine: (k, WINDOWS, VECTOR) these: parts of a face, upright.
        apart: (faces, faces, WINDOWS) how unlike two faces are in each part, less how unlike views
            of one are.
    """

    faces: tuple[str | None, ...]
    face: NDArray[np.intp]
    vectors: Floats
    shifts: Floats
    colours: Floats
    fine_face: NDArray[np.intp]
    fine: Floats
    apart: Doubles

    @classmethod
    def none(cls) -> "References":
        """Of an edition that nothing was taught."""
        no = np.empty(0, np.intp)
        vectors = np.empty((0, TURNS, VIEWS, VECTOR), np.float32)
        fine = np.empty((0, WINDOWS, VECTOR), np.float32)
        shifts = np.empty((0, TURNS, VIEWS, 2), np.float32)
        return cls(
            (),
            no,
            vectors,
            shifts,
            np.empty((0, 3), np.float32),
            no,
            fine,
            np.empty((0, 0, WINDOWS)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Identified:
    """What n tiles show.

    Attributes:
        alike: (n, faces) how alike each is to the best view of each face.
        turn: (n, faces) the turn of that view.
    """

    alike: Doubles
    turn: NDArray[np.intp]

    @classmethod
    def joined(cls, several: list["Identified"]) -> "Identified":
        """All of several, one after the other."""
        alike = np.concatenate([one.alike for one in several])
        return cls(alike, np.concatenate([one.turn for one in several]))


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The face of each of n tiles.

    Attributes:
        face: (n,) its index.
        alike: (n,) how alike the tile is to it.
        margin: (n,) how much less the next face is.
        finer: (n,) the same of their parts; 0 where these were not compared.
    """

    face: NDArray[np.intp]
    alike: Doubles
    margin: Doubles
    finer: Doubles

    def part(self, which: slice) -> "Chosen":
        """Some of them."""
        return Chosen(self.face[which], self.alike[which], self.margin[which], self.finer[which])


def light_between(
    before: Doubles, after: Doubles, weights: Doubles, p: EyeParameters
) -> tuple[Doubles, Doubles]:
    """The light that makes colours (n, 3) others, robust: matrix (3, 3) and shift (3,)."""
    matrix, shift, used = np.eye(3), np.zeros(3), weights
    for _ in range(5):
        a, b = (np.average(v, axis=0, weights=used) for v in (before, after))
        x, y = before - a, after - b
        matrix = np.eye(3) + np.linalg.solve(
            (x * used[:, None]).T @ x + np.eye(3), (x * used[:, None]).T @ (y - x)
        )
        shift = b - a @ matrix
        off = after - before @ matrix - shift
        used = weights / (1 + (off**2).sum(axis=1) / p.spread_colour**2)
    return matrix, shift


def drawn_alike(looks: Looks, references: References) -> Floats:
    """(n, m, TURNS): how alike tiles and references are drawn, by the best view."""
    many = len(references.face)
    flat = references.vectors.reshape(many * TURNS * VIEWS, VECTOR)
    return np.asarray((looks.vectors @ flat.T).reshape(-1, many, TURNS, VIEWS).max(axis=3))


def likeness(looks: Looks, references: References, p: EyeParameters) -> Floats:
    """(n, m, TURNS): how alike tiles of one photo are to the references."""
    drawn = drawn_alike(looks, references)
    alike, seen, own = (
        drawn,
        looks.colours.astype(np.float64),
        references.colours.astype(np.float64),
    )
    for _ in range(3):
        each = alike.max(axis=2)
        weights = np.clip((each.max(axis=1) - p.least_alike) / 0.3, 0.02, 1) * np.clip(
            looks.whole, 0.1, 1
        )
        matrix, shift = light_between(own[each.argmax(axis=1)], seen, weights.astype(np.float64), p)
        lit = own @ matrix + shift
        away = (seen**2).sum(axis=1)[:, None] + (lit**2).sum(axis=1)[None] - 2 * seen @ lit.T
        alike = drawn - floats(p.colour_weight * np.minimum(away, p.most_colour))[..., None]
    return alike


def misplaced(looks: Looks, references: References, alike: Floats, p: EyeParameters) -> Doubles:
    """(n, 2): how far beside their tiles a grid's patches lie, by the views they are like.

    A grid's tiles lie off together for the most part.
    """
    each = alike.reshape(len(alike), -1)
    tile, turn = np.divmod(each.argmax(axis=1), TURNS)
    views = np.einsum("nkv,nv->nk", references.vectors[tile, turn], looks.vectors)
    share = np.exp((views - views.max(axis=1, keepdims=True)) / p.view_spread)
    shift = (
        references.shifts[tile, turn] * (share / share.sum(axis=1, keepdims=True))[..., None]
    ).sum(axis=1)
    weight = np.clip(each.max(axis=1) - p.least_alike, 0.01, 0.4) * looks.whole
    together = np.average(shift, axis=0, weights=weight)
    return np.asarray(together + (shift - together) / 2, np.float64)


def identify(references: References, alike: Floats, turns: tuple[int, ...]) -> Identified:
    """The best reference of each face in one of these turns."""
    out = np.full((len(alike), len(references.faces)), -1.0)
    turn = np.zeros(out.shape, np.intp)
    for face in range(len(references.faces)):
        each = alike[:, references.face == face][:, :, list(turns)].max(axis=1, initial=-1.0)
        out[:, face] = each.max(axis=1)
        turn[:, face] = np.array(turns)[each.argmax(axis=1)]
    return Identified(out, turn)


def upright(alike: Floats, whole: Floats) -> Doubles:
    """(TURNS,) how alike the tiles of a grid are to references in each turn, all together."""
    return np.asarray((alike.max(axis=1) * whole[:, None]).sum(axis=0), np.float64)


def closely(photo: Pyramid, quads_px: Floats) -> Floats:
    """Vectors (n, WINDOWS, VECTOR) of the parts of tiles, whose quads (n, 4, 2) are upright."""
    if not len(quads_px):
        return np.empty((0, WINDOWS, VECTOR), np.float32)
    parts = np.concatenate(
        [inside(quads_px, np.broadcast_to(part, quads_px.shape)) for part in PARTS]
    )
    return looks_of(rectified(photo, parts)).vectors.reshape(WINDOWS, -1, VECTOR).transpose(1, 0, 2)


def how_apart(fine: Floats, face: NDArray[np.intp], faces: int) -> Doubles:
    """``References.apart``."""
    apart = np.zeros((faces, faces, WINDOWS))
    for window in range(WINDOWS):
        near = fine[:, window] @ fine[:, window].T
        for a in range(faces):
            for b in range(a):
                if (face == a).any() and (face == b).any():
                    one = min(float(np.median(near[np.ix_(face == f, face == f)])) for f in (a, b))
                    apart[a, b, window] = apart[b, a, window] = (
                        one - near[np.ix_(face == a, face == b)].max()
                    )
    return apart


def choose(
    photo: Pyramid, quads_px: Floats, said: Identified, references: References, p: EyeParameters
) -> Chosen:
    """The likeliest face of each tile; where two are nearly as likely, their parts are compared."""
    order = np.argsort(-said.alike, axis=1, kind="stable")[:, : p.most_compared]
    tiles = np.arange(len(order))
    top = said.alike[tiles[:, None], order]
    close = top[:, :1] - top < p.compare_below
    close[:, 0] = True
    doubtful = np.flatnonzero(close.sum(axis=1) > 1)
    wanted = sorted({(int(n), int(said.turn[n, f])) for n in doubtful for f in order[n][close[n]]})
    quads = floats([np.roll(quads_px[n], turn, axis=0) for n, turn in wanted]).reshape(-1, 4, 2)
    vectors = dict(zip(wanted, closely(photo, quads), strict=True))
    face = order[:, 0].copy()
    margin = top[:, 0] - (top[:, 1] if top.shape[1] > 1 else -1.0)
    fine = np.zeros(len(order))
    for n in doubtful.tolist():
        some = order[n][close[n]]
        parts = np.stack(
            [
                np.einsum(
                    "kwv,wv->kw",
                    references.fine[references.fine_face == f],
                    vectors[n, int(said.turn[n, f])],
                ).max(axis=0, initial=-1)
                for f in some
            ]
        )
        weights = np.maximum(references.apart[some[:, None], some[None]], 0) ** 2
        finer = (weights * (parts[:, None] - parts[None])).sum(axis=2) / (
            weights.sum(axis=2) + 1e-6
        )
        whole = said.alike[n, some][:, None] - said.alike[n, some][None]
        better = whole + p.fine_weight * finer
        np.fill_diagonal(better, np.inf)
        best = int(better.min(axis=1).argmax())
        rival = int(better[best].argmin())
        face[n] = some[best]
        margin[n] = min(
            whole[best, rival], said.alike[n, face[n]] - top[n, ~close[n]].max(initial=-1.0)
        )
        fine[n] = finer[best, rival]
    return Chosen(face, said.alike[tiles, face], margin, fine)
