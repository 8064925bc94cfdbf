"""Which face each tile shows: the nearest reference of the edition, light and its colour taken out.

How alike a tile and a reference are is the cosine of their vectors less what their colours differ
by once the light is taken out. Light is an affine map of log colours, one for a table and from it
one for each grid, found from the tiles themselves: from those whose drawing is known, at first,
then from all. Faces that are nearly as likely are told apart by the parts of the tile, and by a
closer look at that window of the tile in which their references differ most.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Rows, floats
from vision.confidence import evidence_of, likely_right, mean_of_parts
from vision.embedding import PART_VECTOR, PARTS, VECTOR, Looks
from vision.locate import Floats
from vision.parameters import EyeParameters
from vision.patches import CORNERS, Pyramid, inside, look_at

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
P = ParamSpec("P")
T = TypeVar("T")
TURNS = 4
ASIDE = 0.08
VIEWS = floats([(0, 0), (-ASIDE, -ASIDE), (ASIDE, -ASIDE), (ASIDE, ASIDE), (-ASIDE, ASIDE)])
"""How far right and down of its place each taught tile is looked at, in tile widths."""
SHIFT_GAIN = 1.3
"""A tile looked at so far aside of its place, in tile widths, is by one more like the reference
that was looked at aside to that side than like the one to the other."""
WINDOW = 0.36
"""Side of what a closer look shows, in tile widths."""
WINDOWS = floats([(x, y) for y in (0.06, 0.32, 0.58) for x in (0.06, 0.32, 0.58)])
"""Top left corners of the windows of an upright tile that a closer look may show; none reaches the
edge, where what lies beside a tile may tell it from another. Each lies over one of its parts."""
TELLING = 3
"""So many windows tell two faces apart."""
CHANCE = 0.05
"""By so much a window's vectors may differ by chance, beside what a step aside makes of them."""
WINDOW_VIEWS = floats([(0, 0), (-0.04, -0.04), (0.04, -0.04), (0.04, 0.04), (-0.04, 0.04)])
"""How far aside of its place each window is looked at, in tile widths."""
RIVALS = 4
"""So many faces of a tile are compared at most."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class References:
    """What an edition's faces look like, m tiles of them.

    Attributes:
        faces: names; None is an empty place.
        face: (m,) index of the face.
        vectors: (m, TURNS, VIEWS, VECTOR) of views turned by so many quarters anticlockwise.
        parts: (m, TURNS, PARTS, PART_VECTOR) of the first view.
        colours: (m, 3) as by one light.
        details: (m, windows, views, VECTOR) of closer looks at each, upright.
    """

    faces: tuple[str | None, ...]
    face: Ints
    vectors: Floats
    parts: Floats
    colours: Floats
    details: Floats

    @classmethod
    def none(cls) -> "References":
        """Of an edition that nothing was taught."""
        return cls(
            (),
            np.empty(0, np.intp),
            np.empty((0, TURNS, len(VIEWS), VECTOR), np.float32),
            np.empty((0, TURNS, PARTS, PART_VECTOR), np.float32),
            np.empty((0, 3), np.float32),
            np.empty((0, len(WINDOWS), len(WINDOW_VIEWS), VECTOR), np.float32),
        )

    def chosen(self, which: Ints | slice) -> "References":
        """Some of the tiles."""
        return References(
            self.faces,
            self.face[which],
            self.vectors[which],
            self.parts[which],
            self.colours[which],
            self.details[which],
        )

    def of_faces(self, names: Collection[str | None]) -> "References":
        """Those of some faces alone, in the order in which these are known."""
        kept = [n for n, name in enumerate(self.faces) if name in names]
        number = np.full(len(self.faces) + 1, -1, np.intp)
        number[kept] = np.arange(len(kept))
        which = np.isin(self.face, kept)
        some = self if which.all() else self.chosen(np.flatnonzero(which))
        return replace(some, faces=tuple(self.faces[n] for n in kept), face=number[some.face])

    def joined(self, other: "References") -> "References":
        """With the tiles of others."""
        faces = tuple(dict.fromkeys([*self.faces, *other.faces]))
        renamed = np.array([faces.index(name) for name in other.faces], np.intp)
        return References(
            faces,
            np.concatenate([self.face, renamed[other.face]]),
            np.concatenate([self.vectors, other.vectors]),
            np.concatenate([self.parts, other.parts]),
            np.concatenate([self.colours, other.colours]),
            np.concatenate([self.details, other.details]),
        )

    def are_kin(self, first: int, second: int, least: float) -> bool:
        """Whether two references look alike but for a part."""
        return float(self.vectors[first, 0, 0] @ self.vectors[second, 0, 0]) > least


def _while_known(
    told: Callable[Concatenate[References, P], T],
) -> Callable[Concatenate[References, P], T]:
    """Remember what a function tells of references for as long as these are in use."""
    by_references: WeakKeyDictionary[References, dict[tuple[object, ...], T]] = WeakKeyDictionary()

    @wraps(told)
    def remembered(known: References, /, *more: P.args, **named: P.kwargs) -> T:
        before = by_references.setdefault(known, {})
        if more not in before:
            before[more] = told(known, *more, **named)
        return before[more]

    return remembered


@_while_known
def _like(known: References, tile: int, least: float) -> Ints:
    """The references of a tile's face that look like it."""
    alike = known.vectors[:, 0, 0] @ known.vectors[tile, 0, 0]
    return np.flatnonzero((known.face == known.face[tile]) & (alike > least))


@_while_known
def windows_between(known: References, first: int, second: int, least: float) -> tuple[int, ...]:
    """In which windows references like one differ most from those like another, the best first.

    What they differ by among themselves, as light makes it, does not count, and what a window
    shows a little aside has to differ less.
    """
    ours, theirs = _like(known, first, least), _like(known, second, least)
    apart = _alike(known, ours, theirs)
    if len(ours) > 1 and len(theirs) > 1:
        apart -= (_alike(known, ours, ours) + _alike(known, theirs, theirs)) / 2
    both = known.details[np.concatenate([ours, theirs])]
    aside = np.einsum("awd,awvd->wv", both[:, :, 0], both[:, :, 1:]).mean(axis=1) / len(both)
    worth = (1 - apart) / (1 - aside + CHANCE)
    return tuple(np.argsort(-worth, kind="stable")[:TELLING].tolist())


def _alike(known: References, first: Ints, second: Ints) -> Floats:
    """(windows,) how alike references are there in the mean."""
    ours = known.details[first, :, 0].swapaxes(0, 1)
    theirs = known.details[second].swapaxes(0, 1)
    windows, count, views, _ = theirs.shape
    each = ours @ theirs.reshape(windows, count * views, VECTOR).swapaxes(1, 2)
    return floats(each.reshape(windows, len(first), count, views).max(axis=3).mean(axis=(1, 2)))


@dataclass(frozen=True, slots=True, eq=False)
class Identified(Rows):
    """What n tiles show.

    Attributes:
        alike: (n, faces) how alike each is to the best view of each face.
        turn: (n, faces) the turn of that view.
        tile: (n, faces) the reference that has it.
    """

    alike: Doubles
    turn: Ints
    tile: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Chosen(Rows):
    """The face of each of n tiles.

    Attributes:
        order: (n, k) faces, the likeliest first.
        alike: (n,) how alike the tile is to the first one.
        margin: (n,) by how much it is likelier than the next face, all together.
        lead: (n,) the same as a share of what a taught tile of that face would be likelier, of
            ``most_apart`` at most, where the two look alike but for a part; infinite for others.
        parts: (n, PARTS) how alike the tile's parts are to those of that face.
    """

    order: Ints
    alike: Doubles
    margin: Doubles
    lead: Doubles
    parts: Doubles


@dataclass(frozen=True, slots=True)
class Light:
    """What light makes of log colours: affine maps, one for a table or one for each grid.

    Attributes:
        matrix: (..., 3, 3).
        shift: (..., 1, 3).
    """

    matrix: Doubles
    shift: Doubles

    @classmethod
    def none(cls) -> "Light":
        """The light by which all was taught."""
        return cls(np.eye(3), np.zeros((1, 3)))

    def on(self, colours: Doubles) -> Doubles:
        """Colours (..., n, 3) as they look in it."""
        return np.asarray(colours @ self.matrix + self.shift)


def light_between(
    before: Doubles, after: Doubles, weights: Doubles, p: EyeParameters, like: Light
) -> Light:
    """The light that makes colours (..., n, 3) others, robustly; with few of them, one like it."""
    light, used = like, weights
    for step in range(5):
        total = used.sum(axis=-1)[..., None, None]
        share = used[..., None, :] / (total + 1e-9)
        a, b = share @ before, share @ after
        x, y = before - a, after - b
        held = (x * used[..., None]).swapaxes(-1, -2)
        matrix = like.matrix + np.linalg.solve(held @ x + np.eye(3), held @ (y - x @ like.matrix))
        few = 2 / (2 + total)
        shift = b * (1 - few) + like.on(a) * few - a @ matrix
        light = Light(matrix, shift)
        off = ((after - light.on(before)) ** 2).sum(axis=-1)
        # What is far off at first may be so by the light
        spread = max(p.spread_colour, 0.6 / 2**step)
        used = weights / (1 + off / spread**2)
    return light


def drawn_alike(looks: Looks, references: References) -> Floats:
    """(n, m, TURNS): how alike tiles and references are drawn, by the best view."""
    many, _, views, _ = references.vectors.shape
    if not many or not len(looks):
        return np.full((len(looks), many, TURNS), -1.0, np.float32)
    alike = np.empty((len(looks), many, TURNS), np.float32)
    for turn in range(TURNS):  # one after the other, which takes less memory
        flat = references.vectors[:, turn].reshape(-1, VECTOR)
        # OpenCV's product, not numpy's: the threads of the two get in each other's way; and tall
        # by narrow, as it multiplies few long rows by many twenty times slower
        each = cv2.gemm(flat, looks.vectors, 1, np.empty(0), 0, flags=cv2.GEMM_2_T)
        of_views = np.asarray(each, np.float32).reshape(many, views, len(looks))
        alike[:, :, turn] = of_views.max(axis=1).T
    return alike


def likeness(looks: Looks, references: References, p: EyeParameters, grids: int = 1) -> Floats:
    """(n, m, TURNS): how alike tiles of one photo are to the references.

    Args:
        looks: of the tiles, grid by grid: a lamp's reflection may lie on one of them.
        references: of the edition.
        p: the thresholds.
        grids: how many, with as many tiles each.
    """
    drawn = drawn_alike(looks, references)
    seen, own = looks.colours.astype(np.float64), references.colours.astype(np.float64)
    best = drawn.max(axis=2)
    whole = np.clip(looks.whole, 0.1, 1).astype(np.float64)
    cost = np.zeros(best.shape)
    for last in (False, False, True):
        alike = best - cost
        weights = np.clip((alike.max(axis=1) - p.least_alike) / 0.3, 0.02, 1) * whole
        nearest = own[alike.argmax(axis=1)]
        light = light_between(nearest, seen, weights, p, Light.none())
        if last and grids > 1:
            before, after = (v.reshape(grids, -1, 3) for v in (nearest, seen))
            light = light_between(before, after, weights.reshape(grids, -1), p, light)
        lit = light.on(own).reshape(-1, 1, len(own), 3)
        off = (seen.reshape(len(lit), -1, 1, 3) - lit).reshape(len(seen), len(own), 3)
        cost = colour_cost(off, p)
    return drawn - floats(cost)[..., None]


def colour_cost(off: Doubles, p: EyeParameters) -> Doubles:
    """(...) what differences of log colours (..., 3) cost in likeness."""
    grey = off.mean(axis=-1)
    colour = (off**2).sum(axis=-1) - 3 * grey**2
    cost = p.grey_weight * 3 * grey**2 + p.colour_weight * colour
    return np.asarray(np.minimum(cost, p.most_colour))


def looked_aside(
    looks: Looks, alike: Floats, references: References, p: EyeParameters
) -> tuple[Doubles, Doubles]:
    """How far right and down of their place tiles were looked at, each by itself.

    Args:
        looks: n tiles.
        alike: (n, m, TURNS) of them.
        references: of the edition, each of which was looked at in its place and aside of it.
        p: the thresholds.

    Returns:
        (n, 2) in tile widths, and (n,) how much each of these tells, 0 to 1.
    """
    tile, turn = np.divmod(alike.reshape(len(alike), -1).argmax(axis=1), TURNS)
    views = references.vectors[tile, turn]
    each = np.einsum("nd,nvd->nv", looks.vectors, views).astype(np.float64)
    away = SHIFT_GAIN * (each[:, 1:] @ np.sign(VIEWS[1:])) / 2
    for n, quarters in enumerate(turn.tolist()):
        for _ in range(quarters):
            away[n] = away[n, 1], -away[n, 0]
    return np.asarray(away), np.clip((each.max(axis=1) - p.least_alike) / 0.3, 0, 1)


def identify(references: References, alike: Floats, turns: tuple[int, ...]) -> Identified:
    """The best reference of each face in one of these turns."""
    count = len(references.faces)
    out = np.full((len(alike), count), -1.0)
    turn = np.zeros(out.shape, np.intp)
    tile = np.zeros(out.shape, np.intp)
    for face in range(count):
        mine = np.flatnonzero(references.face == face)
        if not len(mine):
            continue
        each = alike[:, mine][:, :, list(turns)].reshape(len(alike), -1)
        best = each.argmax(axis=1)
        out[:, face] = each[np.arange(len(alike)), best]
        turn[:, face] = np.array(turns)[best % len(turns)]
        tile[:, face] = mine[best // len(turns)]
    return Identified(out, turn, tile)


def upright(alike: Floats, whole: Floats) -> Doubles:
    """(TURNS,) how alike the tiles of a grid are to references in each turn, all together."""
    return np.asarray((alike.max(axis=1) * whole[:, None]).sum(axis=0), np.float64)


def choose(
    photo: Pyramid,
    quads_px: Floats,
    looks: Looks,
    said: Identified,
    references: References,
    p: EyeParameters,
    covered: NDArray[np.bool_],
    *,
    look: Callable[[Pyramid, Floats], Looks] = look_at,
) -> Chosen:
    """The likeliest faces of tiles, parts and closer looks considered.

    Faces that look alike but for a part are told apart by closer looks at the windows in which
    they differ most, one after the other until it is clear which face it is.

    Args:
        photo: that shows them.
        quads_px: (n, 4, 2).
        looks: of them.
        said: how alike each is to each face.
        references: of the edition.
        p: the thresholds.
        covered: (n, PARTS) which parts of them something hides.
        look: what looks closer.
    """
    n = np.arange(len(looks))[:, None]
    order = np.argsort(-said.alike, axis=1, kind="stable")[:, :RIVALS]
    tile, turn = said.tile[n, order], said.turn[n, order]
    parts = np.einsum("npd,nkpd->nkp", looks.parts, references.parts[tile, turn])
    rivals = _Rivals(order, said.alike[n, order], tile, turn, np.asarray(parts, np.float64))
    score = rivals.alike + p.parts_weight * mean_of_parts(rivals.parts, covered[:, None])
    whole = score[:, :, None] - score[:, None]
    closer = np.zeros(whole.shape)
    kin = _kin(rivals, score, references, p)
    for step in range(TELLING):
        chosen = _chosen(rivals, whole, closer, references, p)
        evidence = evidence_of(chosen.alike, chosen.margin, chosen.lead, chosen.parts, covered)
        clear = (likely_right(evidence, p) > p.clearly_sure) & (evidence[:, -1] > p.clear_lead)
        kin = {n: faces for n, faces in kin.items() if not clear[n]}
        if not kin:
            return chosen
        closer += p.detail_weight * _closer(photo, quads_px, rivals, kin, step, references, p, look)
    return _chosen(rivals, whole, closer, references, p)


@dataclass(frozen=True, slots=True, eq=False)
class _Rivals:
    """The k likeliest faces of n tiles by their looks as a whole.

    Attributes:
        order: (n, k) faces.
        alike: (n, k) how alike the tiles are to them.
        tile: (n, k) the references that have it,
        turn: (n, k) in which turns.
        parts: (n, k, PARTS) how alike the tiles' parts are to those of these.
    """

    order: Ints
    alike: Doubles
    tile: Ints
    turn: Ints
    parts: Doubles


def _chosen(
    rivals: _Rivals, whole: Doubles, closer: Doubles, references: References, p: EyeParameters
) -> Chosen:
    """Who is ahead, by how much each face is likelier than each other one (n, k, k)."""
    tiles, count = np.arange(len(whole)), whole.shape[1]
    better = whole + closer
    # What speaks against a face counts twice where the two looks disagree
    against = np.where(whole * closer < 0, np.minimum(np.abs(whole), np.abs(closer)), 0.0)
    some = np.arange(count)
    better[:, some, some] = np.inf
    worth = better.min(axis=2)
    first = worth.argmax(axis=1)
    rest = np.argsort(-worth, axis=1, kind="stable")
    ahead = (better - against)[tiles, first]
    margin = ahead.min(axis=1) if count > 1 else np.ones(len(whole))
    two = tiles[:, None], np.stack([first, ahead.argmin(axis=1)], axis=1)
    return Chosen(
        rivals.order[tiles[:, None], rest],
        rivals.alike[tiles, first],
        np.asarray(margin, np.float64),
        _lead(margin, rivals.tile[two], rivals.turn[two], references, p),
        rivals.parts[tiles, first],
    )


def _lead(
    margin: Doubles, tile: Ints, turn: Ints, references: References, p: EyeParameters
) -> Doubles:
    """See ``Chosen``; of the references (n, 2) of the face and its rival, in these turns."""
    lead = np.full(len(margin), np.inf)
    for n in np.flatnonzero((turn[:, 0] == turn[:, 1]) & (tile[:, 0] != tile[:, 1])).tolist():
        first, second = tile[n].tolist()
        if references.are_kin(first, second, p.kin):
            apart = _apart(references, first, second, p)
            lead[n] = margin[n] / min(apart, p.most_apart) if apart > p.least_apart else 0.0
    return lead


@_while_known
def _apart(known: References, first: int, second: int, p: EyeParameters) -> float:
    """How much likelier ``choose`` finds a reference to be itself than to be another one."""
    drawn = 1 - float((known.vectors[second, 0] @ known.vectors[first, 0, 0]).max())
    parts = 1 - float((known.parts[first, 0] * known.parts[second, 0]).sum(axis=1).mean())
    theirs = known.details[_like(known, second, p.kin)]
    closer = [
        1 - float((theirs[:, window] @ known.details[first, window, 0]).max())
        for window in windows_between(known, first, second, p.kin)
    ]
    return drawn + p.parts_weight * parts + p.detail_weight * sum(closer)


def looked_closer(
    photo: Pyramid,
    quads_px: Floats,
    ways: Sequence[int],
    windows: Sequence[int],
    look: Callable[[Pyramid, Floats], Looks],
) -> Floats:
    """(n, VECTOR) of a window of each tile (n, 4, 2) that lies turned in this way."""
    upright = [np.roll(quad, way, axis=0) for quad, way in zip(quads_px, ways, strict=True)]
    where = floats(CORNERS * WINDOW + WINDOWS[list(windows)][:, None])
    return look(photo, inside(floats(upright).reshape(-1, 4, 2), where)).vectors


def _kin(
    rivals: _Rivals, score: Doubles, references: References, p: EyeParameters
) -> dict[int, list[int]]:
    """Of each tile that may show one of several faces that look alike but for a part: these faces.

    They are places in ``_Rivals.order``, the likeliest first.
    """
    near = score.max(axis=1, keepdims=True) - score < p.compare_below
    kin: dict[int, list[int]] = {}
    for n in np.flatnonzero(near.sum(axis=1) > 1).tolist():
        first = int(score[n].argmax())
        tile, turn = rivals.tile[n].tolist(), rivals.turn[n].tolist()
        faces = [
            k
            for k in np.argsort(-score[n], kind="stable").tolist()
            if near[n, k]
            and turn[k] == turn[first]
            and references.are_kin(tile[first], tile[k], p.kin)
        ]
        if len(faces) > 1:
            kin[n] = faces
    return kin


def _closer(
    photo: Pyramid,
    quads_px: Floats,
    rivals: _Rivals,
    kin: Mapping[int, list[int]],
    step: int,
    references: References,
    p: EyeParameters,
    look: Callable[[Pyramid, Floats], Looks],
) -> Doubles:
    """(n, k, k) by how much a closer look favours each of a tile's faces over each other one.

    It goes to that window, of those in which the two likeliest differ most, whose turn it is.
    """
    out = np.zeros((*rivals.tile.shape, rivals.tile.shape[1]))
    tiles = list(kin)
    alike = {n: [int(rivals.tile[n, k]) for k in faces] for n, faces in kin.items()}
    windows = [windows_between(references, alike[n][0], alike[n][1], p.kin)[step] for n in tiles]
    ways = [int(rivals.turn[n, kin[n][0]]) for n in tiles]
    vectors = looked_closer(photo, quads_px[tiles], ways, windows, look)
    for n, window, vector in zip(tiles, windows, vectors, strict=True):
        seen = np.array(
            [
                (references.details[_like(references, one, p.kin), window] @ vector).max()
                for one in alike[n]
            ]
        )
        out[n, np.array(kin[n])[:, None], kin[n]] = seen[:, None] - seen
    return out
