"""What the tiles of grids show, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Rows, floats
from vision.camera import Camera, quads_of
from vision.confidence import evidence_of, heard, likely_right
from vision.embedding import PARTS, PARTS_ACROSS, Looks
from vision.identify import (
    TURNS,
    Chosen,
    Identified,
    Light,
    choose,
    drawn_alike,
    identify,
    light_between,
    upright,
)
from vision.locate import Floats
from vision.model import Model
from vision.parameters import EyeParameters
from vision.patches import CORNERS, Pyramid, inside, look_at, look_steadily
from vision.placing import Seen, ring
from vision.standing import Standing, figures_standing
from vision.usable import evenness
from vision.windows import as_lying, looked_through, looked_where_odd, over_feet
from vision.witnesses import Tiles, witnessed

Doubles = NDArray[np.float64]
Kept = tuple[Seen, Camera, Floats]
"""A grid to be read: where it lies, and how alike each of its tiles is to references."""


@dataclass(frozen=True, slots=True, eq=False)
class GridRead:
    """A grid as read.

    Attributes:
        corners_px: (4, 2), top left first, as read upright.
        quads_px: (rows, columns, 4, 2), of its tiles and empty places.
        faces: rows of names; None is an empty place.
        turns: (rows, columns) by how many quarters each tile is turned clockwise.
        alike: (rows, columns, faces of the model) how alike each is to each face; to the one that
            it is taken for more than to any other, by the margin of all that was looked at.
        rivals: for each cell what else it may show, the likeliest first: names and turns.
        certain: whether its place, size and ends are.
        confidence: (rows, columns) how likely each face is right.
        evidence: (rows, columns, 5) what that was judged by, see ``vision.confidence``.
        windows: (rows, columns, PARTS_ACROSS, PARTS_ACROSS) how alike windows of tiles in doubt,
            and odd ones of others, are to those of their faces; 1 where nobody looked closely.
        unsure: (row, column) of cells that a person has to look at.
        standing: the figures on it; None: the game has none.
    """

    corners_px: Floats
    quads_px: Floats
    faces: tuple[tuple[str | None, ...], ...]
    turns: NDArray[np.intp]
    alike: Doubles
    rivals: dict[tuple[int, int], tuple[tuple[str | None, int], ...]]
    certain: bool
    confidence: Doubles
    evidence: Doubles
    windows: Floats
    unsure: tuple[tuple[int, int], ...]
    standing: Standing | None = None


def identified(
    photo: Pyramid, kept: list[Kept], model: Model, p: EyeParameters, *, smeared: bool = False
) -> tuple[tuple[GridRead, ...], tuple[Floats, ...], tuple[float, ...]]:
    """The faces of grids, the corners of those that seem to be another thing, and likenesses.

    Of a smeared photo more is flagged.
    """
    if not kept:
        return (), (), ()
    turns = [_turn(one, alike, model, p) for one, _, alike in kept]
    said = [
        _lying(alike, turn, model, p) for (_, _, alike), (turn, _) in zip(kept, turns, strict=True)
    ]
    quads = np.concatenate([one.alike_px for one, _, _ in kept])
    every_look = Looks.joined([one.looks for one, _, _ in kept])
    told_all = Identified.joined(said)
    standing = [_standing_on(photo, *each, model, p) if model.foot else None for each in kept]
    covered = np.concatenate(
        [_covered(each, one) for each, (one, _, _) in zip(standing, kept, strict=True)]
    )
    all_chosen = choose(photo, quads, every_look, told_all, model.references, p, covered)
    told_all, all_chosen = _steadier(photo, kept, turns, told_all, all_chosen, covered, model, p)
    evidence = evidence_of(
        all_chosen.alike, all_chosen.margin, all_chosen.lead, all_chosen.parts, covered
    )
    tiles = Tiles(photo, quads, every_look, told_all, all_chosen, model.references)
    ends = np.cumsum([len(one.looks) for one, _, _ in kept])[:-1]
    middles = [np.full(len(alike), np.median(alike)) for alike in np.split(all_chosen.alike, ends)]
    known = np.concatenate(middles) >= p.least_typical
    all_chosen, by_itself, windows, least = looked_through(tiles, evidence, covered, known, p)
    tiles = replace(tiles, chosen=all_chosen)
    evidence = evidence_of(
        all_chosen.alike, all_chosen.margin, all_chosen.lead, all_chosen.parts, covered
    )
    heard_of = by_itself
    if model.upright:
        ways = told_all.turn[np.arange(len(heard_of)), all_chosen.order[:, 0]]
        laid = np.concatenate(
            [np.full(len(k[0].looks), t) for k, (t, _) in zip(kept, turns, strict=True)]
        )
        # What lies turned is flagged in any case, and no witness
        heard_of = np.where(ways == laid, heard_of, 0.0)
    confidence = heard(by_itself, witnessed(tiles, heard_of, least, p))
    needed = p.sure_smeared if smeared else p.sure
    if model.foot:
        certain = confidence > needed
        cells = model.layout.tile_cells
        windows = looked_where_odd(tiles, windows, certain, covered, cells, p)
    judged = Judged(evidence, windows, by_itself, confidence)
    grids, foreign, seen, first = [], [], [], 0
    for (one, camera, _), (turn, clear), stood in zip(kept, turns, standing, strict=True):
        mine = slice(first, first + len(one.looks))
        told, chosen = told_all.chosen(mine), all_chosen.chosen(mine)
        first += len(one.looks)
        corners = one.grid.corners_px(camera)
        typical = float(np.median(chosen.alike))
        if typical < p.least_typical_same and _all_same(one.looks, p):
            continue  # a supply that lies face down
        seen.append(typical)
        # All tiles of a foreign grid are a little like the nearest face
        if typical < p.least_typical:
            foreign.append(corners)
            continue
        gone = _empty(photo, one, camera, chosen, model, p)
        of_it = judged.chosen(mine)
        sure = of_it.confidence > needed
        figures = stood and _looked_under(stood, tiles, mine.start, sure)
        read = _grid_read(
            one, told, chosen, of_it, corners, turn, gone, figures, model, p, needed, clear=clear
        )
        if read is None:
            rows, columns = one.grid.shape
            beyond = (CORNERS * 2 - 1) / floats([columns, rows])
            foreign.append(inside(corners[None], (CORNERS + beyond)[None])[0])
        else:
            grids.append(read)
    return tuple(grids), tuple(foreign), tuple(seen)


@dataclass(frozen=True, slots=True, eq=False)
class Judged(Rows):
    """How sure the faces of n tiles are.

    Attributes:
        evidence: (n, 5) see ``vision.confidence``.
        windows: (n, PARTS) as of ``GridRead``, of upright tiles.
        by_itself: (n,) how likely each face is right as the tile looks by itself.
        confidence: (n,) the same once others were heard.
    """

    evidence: Doubles
    windows: Floats
    by_itself: Doubles
    confidence: Doubles


def is_smeared(photo: Pyramid, kept: Sequence[Kept], p: EyeParameters) -> bool:
    """Whether the camera moved while it took a photo, as far as grids show it."""
    if not kept:
        return False
    corners = [one.grid.corners_px(camera) for one, camera, _ in kept]
    areas = [
        cv2.contourArea(c) / len(one.looks) for c, (one, *_) in zip(corners, kept, strict=True)
    ]
    return evenness(photo, corners, float(np.sqrt(np.median(areas)))) < p.least_even


def _standing_on(
    photo: Pyramid, one: Seen, camera: Camera, alike: Floats, model: Model, p: EyeParameters
) -> Standing:
    """The figures on a grid; what its tiles are most like tells where something stands on them."""
    known = model.references
    tile, turn = np.divmod(alike.reshape(len(alike), -1).argmax(axis=1), TURNS)
    weights = np.clip((alike.max(axis=(1, 2)) - p.least_alike) / 0.3, 0.02, 1)
    before, after = (v.astype(np.float64) for v in (known.colours[tile], one.looks.colours))
    light = light_between(before, after, weights.astype(np.float64), p, Light.none())
    drawn = (one.looks.parts * known.parts[tile, turn]).sum(axis=2)
    shape = (*one.grid.shape, PARTS_ACROSS, PARTS_ACROSS)
    corners = one.grid.corners_px(camera)
    return figures_standing(
        photo, corners, model.foot, floats(drawn).reshape(shape), light.on(model.paints), p
    )


def _looked_under(
    standing: Standing, tiles: Tiles, first: int, sure: NDArray[np.bool_]
) -> Standing:
    """With how alike what figures stand on is to what the sure tiles (n,) show from a first on."""
    size = floats(standing.shape[::-1])
    column, row = np.clip(standing.feet, 0, size - 1).astype(int).T
    tile = row * standing.shape[1] + column
    asked = np.flatnonzero((standing.chance > 0) & sure[tile])
    windows = standing.windows.copy()
    windows[asked] = over_feet(tiles, standing.feet[asked] % 1, first + tile[asked])
    return replace(standing, windows=windows)


def _steadier(
    photo: Pyramid,
    kept: Sequence[Kept],
    turns: Sequence[tuple[int, bool]],
    said: Identified,
    chosen: Chosen,
    covered: NDArray[np.bool_],
    model: Model,
    p: EyeParameters,
) -> tuple[Identified, Chosen]:
    """What tiles show, those in doubt looked at once more and more steadily."""
    evidence = evidence_of(chosen.alike, chosen.margin, chosen.lead, chosen.parts, covered)
    doubtful = likely_right(evidence, p) < p.sure
    told, quads, looks, first = [], [], [], 0
    for (one, _, alike), (turn, _) in zip(kept, turns, strict=True):
        mine = slice(first, first + len(one.looks))
        first += len(one.looks)
        if np.median(chosen.alike[mine]) < p.least_typical:
            doubtful[mine] = False
        some = doubtful[mine]
        if some.any():
            before, steady = one.looks.chosen(some), look_steadily(photo, one.alike_px[some])
            better = drawn_alike(steady, model.references) - drawn_alike(before, model.references)
            told.append(_lying(floats(alike[some] + better), turn, model, p))
            quads.append(one.alike_px[some])
            looks.append(steady)
    if not told:
        return said, chosen
    again, steadily = Identified.joined(told), Looks.joined(looks)
    better_chosen = choose(
        photo,
        np.concatenate(quads),
        steadily,
        again,
        model.references,
        p,
        covered[doubtful],
        look=look_steadily,
    )
    return said.with_new(doubtful, again), chosen.with_new(doubtful, better_chosen)


def _covered(standing: Standing | None, one: Seen) -> NDArray[np.bool_]:
    """(tiles, PARTS) which parts figures hide."""
    return np.zeros((len(one.looks), PARTS), bool) if standing is None else standing.covered


def _lying(alike: Floats, turn: int, model: Model, p: EyeParameters) -> Identified:
    """What tiles show in the turn of their grid, or where they clearly lie otherwise, in theirs."""
    anyhow = identify(model.references, alike, tuple(range(TURNS)))
    if not model.upright:
        return anyhow
    upright_ones = identify(model.references, alike, (turn,))
    best = anyhow.alike.max(axis=1)
    turned = (best - upright_ones.alike.max(axis=1) > p.turned_margin) & (best > p.hidden_below)
    # An empty place has no way up
    named = np.array([name is not None for name in model.references.faces], bool)
    turned &= named[anyhow.alike.argmax(axis=1)] & named[upright_ones.alike.argmax(axis=1)]
    return upright_ones.with_new(turned, anyhow.chosen(turned))


def _all_same(looks: Looks, p: EyeParameters) -> bool:
    """Whether tiles look alike, as face-down ones do."""
    middle = looks.vectors.mean(axis=0)
    return float(np.median(looks.vectors @ middle)) > p.same_face * float(np.linalg.norm(middle))


def _empty(
    photo: Pyramid, one: Seen, camera: Camera, chosen: Chosen, model: Model, p: EyeParameters
) -> NDArray[np.bool_]:
    """Which places of free tiles look more like the table beside the grid than like any face."""
    gone = (chosen.alike < p.hidden_below) & (not model.layout.board)
    if not gone.any():
        return gone
    beside = ring(one.grid, 1)[::2]
    table = look_at(photo, quads_of(camera, one.grid.plane, beside))
    drawn = one.looks.vectors @ table.vectors.T
    far = ((one.looks.colours[:, None] - table.colours[None]) ** 2).sum(axis=2)
    bare = (drawn - p.table_colour * np.minimum(far, p.most_colour / p.table_colour)).max(axis=1)
    return np.asarray(gone & (bare > chosen.alike))


def _turn(one: Seen, alike: Floats, model: Model, p: EyeParameters) -> tuple[int, bool]:
    """Quarters anticlockwise by which a grid lies turned, and whether that is clear."""
    if one.turn is not None and (one.certain or not model.upright):
        return one.turn, True
    if model.upright:
        sums = upright(alike, one.looks.whole)
        best, second = np.sort(sums)[::-1][:2]
        return int(sums.argmax()), float(best - second) > p.upright_margin * len(one.looks)
    return int(one.grid.shape != (model.layout.rows, model.layout.columns)), True


def _grid_read(
    one: Seen,
    said: Identified,
    chosen: Chosen,
    judged: Judged,
    corners: Floats,
    turn: int,
    gone: NDArray[np.bool_],
    standing: Standing | None,
    model: Model,
    p: EyeParameters,
    needed: float,
    *,
    clear: bool,
) -> GridRead | None:
    """A grid as it is read upright; None: it may lie a row aside."""
    whole = one.looks.whole.astype(np.float64)
    confidence = judged.confidence
    here = (whole > p.least_whole) & (chosen.alike > p.least_alike) & ~gone
    sure, placed = here & (confidence > needed), here & (judged.by_itself > p.sure)
    confidence = np.where(gone, np.minimum(1 - chosen.alike, 1.0), confidence)
    ends, empty, there = (
        _ends(cells, one.grid.shape) for cells in (placed, gone, whole > p.clearly_whole)
    )
    if not model.layout.board and not all(
        # A lamp's reflection may hide what a whole row of tiles shows, but not that they lie there
        end.any() or none.all() or tiles.all()
        for end, none, tiles in zip(ends, empty, there, strict=True)
    ):
        return None
    # With nearly all of its outermost rows sure, and none beside them, it lies there
    known = one.alone and all(end.mean() > p.most_unsure for end in ends)
    certain = clear and (one.certain or known) and not any(none.all() for none in empty)
    face = chosen.order[:, 0]
    tiles = np.arange(len(face))
    turns = (turn - said.turn[tiles, face]) % TURNS
    if model.upright:
        sure &= turns == 0
    aside = model.upright and float(((turns != 0) & ~gone).mean()) > p.most_turned
    if not certain or aside or float((~sure).mean()) > p.most_unsure:
        sure[:] = False
    names = np.array([model.references.faces[n] for n in face.tolist()], object)
    names[gone] = None
    alike = said.alike.copy()
    alike[tiles, face] = alike.max(axis=1) + np.maximum(chosen.margin, 0)

    order = np.rot90(tiles.reshape(one.grid.shape), -turn)
    unsure = tuple((int(r), int(c)) for r, c in np.argwhere(~sure[order]))
    return GridRead(
        floats(np.roll(corners, turn, axis=0)),
        floats(np.roll(one.quads_px, turn, axis=1)[order]),
        tuple(tuple(row) for row in names[order].tolist()),
        turns[order],
        alike[order],
        {
            cell: _rivals(said, chosen, int(order[cell]), turn, model)
            for cell in np.ndindex(*order.shape)
        },
        certain,
        confidence[order],
        judged.evidence[order],
        as_lying(judged.windows[order], -turns[order]),
        unsure,
        standing and standing.turned(turn),
    )


def _ends(cells: NDArray[np.bool_], shape: tuple[int, int]) -> tuple[NDArray[np.bool_], ...]:
    """The outermost rows and columns of a grid's cells (n,)."""
    lines = cells.reshape(shape)
    return lines[0], lines[-1], lines[:, 0], lines[:, -1]


def _rivals(
    said: Identified, chosen: Chosen, tile: int, turn: int, model: Model
) -> tuple[tuple[str | None, int], ...]:
    """What else a tile may show: the faces that it is most like, and their turns clockwise."""
    return tuple(
        (model.references.faces[face], int(turn - said.turn[tile, face]) % TURNS)
        for face in chosen.order[tile, 1:].tolist()
    )
