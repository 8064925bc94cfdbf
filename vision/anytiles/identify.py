"""Which face each tile shows: the nearest reference of the model, light and its colour taken out.

How alike a tile and a reference are is the cosine of their vectors less what their colours differ
by once the light is taken out. Light is an affine map of log colours, one for a photo, found from
the tiles themselves: from those whose drawing is known, at first, then from all.
"""

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anytiles.embedding import (
    MARGIN_PX,
    PATCH_PX,
    TILE_PX,
    VECTOR,
    Looks,
    logarithms,
)
from vision.anytiles.locate import Floats
from vision.anytiles.parameters import EyeParameters
from vision.anytiles.rectify import Pyramid, rectified
from vision.arrays import Image, floats

Doubles = NDArray[np.float64]
TURNS = 4
VIEWS = 13
"""Of each taught tile in each turn."""
BORDER_PX = 2
SMALL_PX = TILE_PX // 2 - BORDER_PX
"""Pictures are laid over tiles at half the size of patches, without their edge."""
SHIFT_SPREAD = 0.03
"""Tiles lie beside their lattice by about this, in tile widths."""
MOST_PARTS = 2
DIFFERENT_PX = 14
"""Two faces are compared in so many parts of their pictures, of this side."""
QUIET = 0.3
"""Of the spread of what pictures show; where there is less, nothing can differ."""
LEAST_APART = 0.05
"""Pictures that differ by less than this in correlation differ by chance."""
TRUST, MOST_TRIED = 0.7, 3
"""Of pictures of two faces of which one picture each was taught; so many of a face are tried."""


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """What a model's faces look like, m tiles of them.

    Attributes:
        faces: names; None is an empty place.
        face: (m,) index of the face.
        vectors: (m, TURNS, views, VECTOR) of views turned by so many quarters anticlockwise.
        colours: (m, 3) as by one light.
        small: (m, SMALL_PX, SMALL_PX, 3) the middle of each, upright, without its light.
        pictures: (m, PATCH_PX, PATCH_PX, 3) all of each and what lies round it, as halves.
        trust: (faces, faces) how far pictures tell two faces apart, 0 to 1.
    """

    faces: tuple[str | None, ...]
    face: NDArray[np.intp]
    vectors: Floats
    colours: Floats
    small: Floats
    pictures: NDArray[np.float16]
    trust: Doubles

    @classmethod
    def none(cls) -> "References":
        """Of a model that nothing was taught."""
        return cls(
            (),
            np.empty(0, np.intp),
            np.empty((0, TURNS, VIEWS, VECTOR), np.float32),
            np.empty((0, 3), np.float32),
            np.empty((0, SMALL_PX, SMALL_PX, 3), np.float32),
            np.empty((0, PATCH_PX, PATCH_PX, 3), np.float16),
            np.empty((0, 0)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Identified:
    """What n tiles show.

    Attributes:
        alike: (n, faces) how alike each is to the best view of each face.
        turn: (n, faces) the turn of that view.
        tile: (n, faces) the reference that has it.
    """

    alike: Doubles
    turn: NDArray[np.intp]
    tile: NDArray[np.intp]

    @classmethod
    def joined(cls, several: list["Identified"]) -> "Identified":
        """All of several, one after the other."""
        alike = np.concatenate([one.alike for one in several])
        turn = np.concatenate([one.turn for one in several])
        return cls(alike, turn, np.concatenate([one.tile for one in several]))


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The face of each of n tiles.

    Attributes:
        face: (n,) its index.
        alike: (n,) how alike the tile is to it.
        margin: (n,) by how much it is likelier than the next face, all together.
        everywhere: (n,) how alike it is to its picture where it is least alike.
    """

    face: NDArray[np.intp]
    alike: Doubles
    margin: Doubles
    everywhere: Doubles

    def part(self, which: slice) -> "Chosen":
        """Some of them."""
        return Chosen(
            self.face[which], self.alike[which], self.margin[which], self.everywhere[which]
        )


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
    best = np.full((len(looks), many * TURNS), -1.0, np.float32)
    for view in range(VIEWS):
        flat = references.vectors[:, :, view].reshape(many * TURNS, VECTOR)
        np.maximum(best, looks.vectors @ flat.T, out=best)
    return best.reshape(-1, many, TURNS)


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


def identify(references: References, alike: Floats, turns: tuple[int, ...]) -> Identified:
    """The best reference of each face in one of these turns."""
    out = np.full((len(alike), len(references.faces)), -1.0)
    turn = np.zeros(out.shape, np.intp)
    tile = np.zeros(out.shape, np.intp)
    for face in range(len(references.faces)):
        mine = np.flatnonzero(references.face == face)
        if not len(mine):
            continue
        each = alike[:, mine][:, :, list(turns)].reshape(len(alike), -1)
        best = each.argmax(axis=1)
        out[:, face] = each.max(axis=1)
        turn[:, face] = np.array(turns)[best % len(turns)]
        tile[:, face] = mine[best // len(turns)]
    return Identified(out, turn, tile)


def upright(alike: Floats, whole: Floats) -> Doubles:
    """(TURNS,) how alike the tiles of a grid are to references in each turn, all together."""
    return np.asarray((alike.max(axis=1) * whole[:, None]).sum(axis=0), np.float64)


def correlated(patch: Floats, picture: Floats) -> Doubles:
    """Correlation of a picture with each place of a larger patch, each channel less its mean."""
    return np.asarray(cv2.matchTemplate(patch, picture, cv2.TM_CCOEFF_NORMED), np.float64)


def halved(picture: Floats) -> Floats:
    """A picture at half its size."""
    h, w = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (w // 2, h // 2), interpolation=cv2.INTER_AREA))


def smalls(patches: Image) -> Floats:
    """``References.small`` of patches (n, PATCH_PX, PATCH_PX, 3)."""
    levels, _ = logarithms(patches)
    edge = (MARGIN_PX + BORDER_PX) // 2
    return floats([halved(level)[edge:-edge, edge:-edge] for level in levels]).reshape(
        -1, SMALL_PX, SMALL_PX, 3
    )


def shifts_beside(
    patches: Image, tile: NDArray[np.intp], turn: NDArray[np.intp], references: References
) -> tuple[Doubles, Doubles]:
    """How far patches (n, PATCH_PX, PATCH_PX, 3) lie beside references in their turns (n,).

    Returns:
        Shifts (n, 2) right and down in tile widths, and the correlation (n,) there.
    """
    levels, _ = logarithms(patches)
    shifts, peaks = np.zeros((len(levels), 2)), np.zeros(len(levels))
    for n, level in enumerate(levels):
        picture = np.ascontiguousarray(np.rot90(references.small[tile[n]], turn[n]))
        fits = correlated(halved(level), picture)
        y, x = np.unravel_index(int(fits.argmax()), fits.shape)
        peaks[n] = fits[y, x]
        shifts[n] = (_top(fits[y], int(x)), _top(fits[:, x], int(y)))
        shifts[n] -= (fits.shape[0] - 1) / 2
    return shifts * (2 / TILE_PX), peaks


def _top(line: Doubles, at: int) -> float:
    """The top of the parabola through the best value of a line and those beside it."""
    if not 0 < at < len(line) - 1:
        return float(at)
    a, b, c = line[at - 1 : at + 2]
    return at + float(np.clip((c - a) / max(2 * b - a - c, 1e-6) / 2, -0.5, 0.5))


def lattice_shift(places: Doubles, shifts: Doubles, weights: Doubles) -> Doubles:
    """Shifts (n, 2) that lattice places (n, 2) have together: an affine map, robustly."""
    plan = np.column_stack([np.ones(len(places)), places - places.mean(axis=0)])
    # A map other than a shift needs many tiles that agree
    hold = np.diag([1e-3, 0.5, 0.5])
    used = weights
    fit = np.zeros((3, 2))
    for _ in range(6):
        fit = np.linalg.solve(
            (plan * used[:, None]).T @ plan + hold, (plan * used[:, None]).T @ shifts
        )
        off = ((shifts - plan @ fit) ** 2).sum(axis=1)
        used = weights / (1 + off / SHIFT_SPREAD**2)
    return np.asarray(plan @ fit)


def laid_over(level: Floats, faces: list[int], turns: list[int], references: References) -> Doubles:
    """How much nearer (k, k) a tile is to one face than to another, -1 to 1.

    The best picture of each face is laid over the tile, in its turn; what they say counts as far
    as such pictures can be trusted.
    """
    seen = halved(level)
    best = []
    for face, turn in zip(faces, turns, strict=True):
        mine = np.flatnonzero(references.face == face)
        turned = np.ascontiguousarray(np.rot90(seen, -turn))
        fits = [float(correlated(turned, picture).max()) for picture in references.small[mine]]
        picture = inner_part(references.pictures[mine[int(np.argmax(fits))]])
        best.append(np.ascontiguousarray(np.rot90(picture, turn)))
    nearer = np.zeros((len(faces), len(faces)))
    for a in range(len(faces)):
        for b in range(a):
            trust = float(references.trust[faces[a], faces[b]])
            if trust > 0:
                nearer[a, b] = trust * _where_they_differ(level, best[a], best[b])
                nearer[b, a] = -nearer[a, b]
    return nearer


def _where_they_differ(level: Floats, one: Floats, other: Floats) -> float:
    """How much better one picture fits a tile than the other where they differ most, -1 to 1.

    Faces that differ by a small emblem are told apart by it alone.
    """
    side, slack = DIFFERENT_PX, MARGIN_PX
    # Pictures lie aside by a little, too
    inner = other[slack:-slack, slack:-slack].copy()
    fits = correlated(one, inner)
    y, x = np.unravel_index(int(fits.argmax()), fits.shape)
    beside = one[y : y + inner.shape[0], x : x + inner.shape[1]]
    differ = cv2.boxFilter(((beside - inner) ** 2).sum(axis=2), -1, (side, side))
    half = side // 2
    differ = differ[half : -half + 1, half : -half + 1]
    told = weight = 0.0
    for _ in range(MOST_PARTS):
        top, left = (int(v) for v in np.unravel_index(int(differ.argmax()), differ.shape))
        energy = float(differ[top, left])
        if energy <= 0:
            break
        said, parts = [], []
        for picture, (down, right) in ((one, (y, x)), (other, (slack, slack))):
            t, l = int(top + down), int(left + right)  # noqa: E741
            parts.append(picture[t : t + side, l : l + side].copy())
            around = level[t : t + side + 2 * slack, l : l + side + 2 * slack].copy()
            said.append(float(correlated(around, parts[-1]).max()))
        apart = 1 - float(correlated(*parts)[0, 0])
        told += energy * min(max((said[0] - said[1]) / (apart + LEAST_APART), -1.0), 1.0)
        weight += energy
        differ[max(top - half, 0) : top + half, max(left - half, 0) : left + half] = 0
    return told / weight if weight else 0.0


def inner_part(picture: NDArray[np.float16]) -> Floats:
    """The tile in a patch (PATCH_PX, PATCH_PX, 3)."""
    edge = slice(MARGIN_PX, -MARGIN_PX)
    return floats(picture[edge, edge])


def trust_in(pictures: NDArray[np.float16], face: NDArray[np.intp], faces: int) -> Doubles:
    """``References.trust``: from how pictures of one face are told from those of another."""
    mine = [np.flatnonzero(face == f)[:MOST_TRIED].tolist() for f in range(faces)]
    trust = np.full((faces, faces), TRUST)
    for a in range(faces):
        for b in range(a):
            told = [
                _where_they_differ(
                    pictures[seen].astype(np.float32),
                    inner_part(pictures[same]),
                    inner_part(pictures[mine[other][0]]),
                )
                for one, other in ((a, b), (b, a))
                for seen, same in itertools.permutations(mine[one], 2)
                if mine[other]
            ]
            if told:
                well = (np.array(told) > 0).mean() * 2 - 1
                trust[a, b] = trust[b, a] = max(float(well * min(np.mean(told) * 2, 1)), 0.0)
    return trust


def choose(
    photo: Pyramid, quads_px: Floats, said: Identified, references: References, p: EyeParameters
) -> Chosen:
    """The likeliest face of each tile; pictures are laid over it where two are nearly as likely."""
    order = np.argsort(-said.alike, axis=1, kind="stable")[:, : p.most_compared]
    tiles = np.arange(len(order))
    top = said.alike[tiles[:, None], order]
    close = top[:, :1] - top < p.compare_below
    close[:, 0] = True
    doubtful = np.flatnonzero(close.sum(axis=1) > 1)
    face = order[:, 0].copy()
    margin = top[:, 0] - (top[:, 1] if top.shape[1] > 1 else -1.0)
    levels, _ = logarithms(rectified(photo, quads_px))
    for n, level in zip(doubtful.tolist(), levels[doubtful], strict=True):
        some = order[n][close[n]]
        whole = said.alike[n, some][:, None] - said.alike[n, some][None]
        turned = said.turn[n, some].tolist()
        nearer = laid_over(level, some.tolist(), turned, references)
        better = whole + p.laid_weight * nearer
        np.fill_diagonal(better, np.inf)
        best = int(better.min(axis=1).argmax())
        face[n] = some[best]
        others = top[n, ~close[n]].max(initial=-1.0)
        margin[n] = min(better[best].min(), said.alike[n, face[n]] - others)
    everywhere = np.array(
        [
            least_alike(level, inner_part(references.pictures[tile]), turn)
            for level, tile, turn in zip(
                levels, said.tile[tiles, face], said.turn[tiles, face], strict=True
            )
        ]
    )
    return Chosen(face, said.alike[tiles, face], margin, everywhere)


def least_alike(level: Floats, picture: Floats, turn: int) -> float:
    """How alike (-1 to 1) a tile and its picture are where they are least alike."""
    picture = np.ascontiguousarray(np.rot90(picture, turn))
    inner = picture[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX].copy()
    fits = correlated(level, inner)
    y, x = np.unravel_index(int(fits.argmax()), fits.shape)
    seen = level[y : y + inner.shape[0], x : x + inner.shape[1]]
    k = (DIFFERENT_PX, DIFFERENT_PX)

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.boxFilter(values, -1, k))

    ma, mb = mean(seen), mean(inner)
    both = (mean(seen * inner) - ma * mb).sum(axis=2)
    own = (mean(seen * seen) - ma * ma).sum(axis=2) + (mean(inner * inner) - mb * mb).sum(axis=2)
    half = DIFFERENT_PX // 2
    ratio = (2 * both + QUIET) / (own + QUIET)
    return float(np.percentile(ratio[half:-half, half:-half], 2))
