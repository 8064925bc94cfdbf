"""Tiles looked at through nine windows, which lie over all of them but their edges.

What makes a tile look strange as a whole, such as a reflection, its colour or a figure that stands
on it, leaves some of its windows as they should be; and a figure leaves none under it so.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, Ints, floats
from vision.confidence import (
    FEWEST_WINDOWS,
    NARROW,
    least_windows,
    likely_right,
    likely_right_closer,
    mean_of_parts,
)
from vision.embedding import PARTS, PARTS_ACROSS, VECTOR
from vision.identify import WINDOW, WINDOWS, Chosen, References, looked_closer
from vision.parameters import EyeParameters
from vision.patches import Pyramid, look_at
from vision.witnesses import Tiles

Kind = TypeVar("Kind", bound=np.generic)
_MIDDLES = WINDOWS + WINDOW / 2


def looked_through(
    tiles: Tiles,
    evidence: Doubles,
    covered: NDArray[np.bool_],
    known: NDArray[np.bool_],
    p: EyeParameters,
) -> tuple[Chosen, Doubles, Floats, Doubles]:
    """What tiles show, and how surely, those in doubt looked at through all windows.

    A drawing that is right all over tells its face whatever is odd about the tile. What is no more
    than less unlike its face than any other is sure by its windows alone. A tile that figures hide
    in part shows the face to which the rest of it is most alike.

    Args:
        tiles: of one photo.
        evidence: (n, 5) of them.
        covered: (n, PARTS) which parts something hides, as the photo lies.
        known: (n,) whether they lie in a grid of the edition's tiles.
        p: the thresholds.

    Returns:
        Their faces; confidences (n,); how alike each window of those in doubt is to their face,
        upright (n, PARTS), else 1; and ``vision.confidence.least_windows`` of these (n,).
    """
    confidence, chosen = likely_right(evidence, p), tiles.chosen
    windows = np.ones((len(confidence), PARTS), np.float32)
    least = np.ones(len(confidence))
    unclear = confidence < p.clearly_sure
    figured = unclear & covered.any(axis=1)
    strange = (chosen.alike < p.least_like) | figured
    doubtful = (confidence > p.least_vouched) & (unclear | strange)
    # Faces that look alike but for a part look right nearly all over
    doubtful &= evidence[:, -1] >= p.clear_lead
    doubtful |= figured
    doubtful &= known & (tiles.looks.whole > p.least_whole)
    which = np.flatnonzero(doubtful)
    told = np.zeros(len(confidence), bool)
    if len(which):
        # Some faces look right all over when they are turned, such as 6 and 9; and what stands on
        # a tile may put its face behind any other
        order = _likeliest(tiles, which)
        rivals = np.where(figured, order.shape[1], evidence[:, 1] < p.clear_margin)[which]
        alike, hidden = _through(tiles, which, order, rivals, covered, p)
        n, means = np.arange(len(which)), mean_of_parts(alike.astype(np.float64), hidden)
        best = np.where(figured[which], means.argmax(axis=1), 0)
        others = np.arange(means.shape[1]) != best[:, None]
        ahead = means[n, best] - np.where(others, means, -1).max(axis=1)
        much = (~hidden[n, best]).sum(axis=1) >= FEWEST_WINDOWS
        best = np.where(much & (ahead > p.window_lead), best, 0)
        chosen = chosen.with_new(doubtful, _with_first(tiles, which, order[n, best], ahead))
        windows[which] = alike[n, best]
        least[which] = least_windows(alike[n, best], hidden[n, best])
        least[which[ahead < p.window_lead]] = 0.0
        told[which] = least[which] > 0
        before = confidence[which]
        better = likely_right_closer(before, least[which])
        kept = (before > p.sure) & ~strange[which] | ~told[which]
        confidence[which] = np.where(kept, before, better)
    confidence = np.where(strange & ~told, np.minimum(confidence, NARROW), confidence)
    return chosen, confidence, windows, least


def over_feet(tiles: Tiles, feet: Floats, tile_of: Ints) -> Doubles:
    """(k,) how alike the windows in which figures may stand are to those of their tiles' faces.

    Args:
        tiles: of one photo.
        feet: (k, 2) places in the tiles, as the photo lies, 0 to 1.
        tile_of: (k,) in which tile each is.
    """
    face = tiles.chosen.order[tile_of, 0]
    reference, turn = tiles.said.tile[tile_of, face], tiles.said.turn[tile_of, face]
    off = np.abs(feet[:, None] - _MIDDLES).max(axis=2)
    over = off <= np.maximum(off.min(axis=1, keepdims=True), WINDOW / 2)
    numbers = np.tile(np.arange(PARTS), (len(feet), 1))
    upright = as_lying(numbers, turn).reshape(-1, PARTS)
    foot, place = np.nonzero(over)
    seen = _alike_through(
        tiles.photo,
        tiles.quads_px[tile_of[foot]],
        reference[foot],
        turn[foot],
        upright[foot, place],
        tiles.references,
    )
    out = np.full(over.shape, np.inf)
    out[foot, place] = seen
    return np.asarray(out.min(axis=1, initial=np.inf))


def looked_where_odd(
    tiles: Tiles,
    windows: Floats,
    which: NDArray[np.bool_],
    covered: NDArray[np.bool_],
    cells: tuple[int, int],
    p: EyeParameters,
) -> Floats:
    """Windows (n, PARTS) with those of some tiles over whose cells something may stand unseen.

    Args:
        tiles: of one photo.
        windows: as ``looked_through`` returns them.
        which: (n,) of these tiles.
        covered: (n, PARTS) which parts something hides, as the photo lies.
        cells: rows and columns of cells that a tile shows.
        p: the thresholds.
    """
    n = np.arange(len(windows))
    face = tiles.chosen.order[:, 0]
    reference, turn = tiles.said.tile[n, face], tiles.said.turn[n, face]
    parts = as_lying(tiles.chosen.parts, -turn).reshape(windows.shape)
    hidden = as_lying(covered, -turn).reshape(windows.shape)
    over = np.zeros((PARTS_ACROSS, PARTS_ACROSS), bool)
    for row, column in np.ndindex(*cells):
        over[np.ix_(windows_over(row, cells[0]), windows_over(column, cells[1]))] = True
    asked = over.ravel() & which[:, None] & ~hidden & (parts < p.figure_part) & (windows == 1)
    tile, window = np.nonzero(asked)
    out = windows.copy()
    quads = tiles.quads_px[tile]
    out[tile, window] = _alike_through(
        tiles.photo, quads, reference[tile], turn[tile], window, tiles.references
    )
    return out


def windows_over(cell: int, cells: int) -> list[int]:
    """Which of the windows along a tile of so many cells lie over one of them, or are nearest."""
    middles = np.unique(_MIDDLES[:, 0]) * cells - cell
    over = np.flatnonzero((middles > 0.01) & (middles < 0.99)).tolist()
    return over or [int(np.abs(middles - 0.5).argmin())]


def as_lying(parts: NDArray[Kind], quarters: Ints) -> NDArray[Kind]:
    """What there is of the parts of tiles (..., PARTS), each turned anticlockwise, as squares."""
    out = parts.reshape(*quarters.shape, PARTS_ACROSS, PARTS_ACROSS).copy()
    for tile, by in np.ndenumerate(quarters):
        out[tile] = np.rot90(out[tile], int(by))
    return out


def _with_first(tiles: Tiles, which: Ints, face: Ints, ahead: Doubles) -> Chosen:
    """What tiles show if it is this face (k,), so much more likely (k,) than any other."""
    chosen = tiles.chosen.chosen(which)
    order, alike = chosen.order.copy(), chosen.alike.copy()
    margin, lead, parts = chosen.margin.copy(), chosen.lead.copy(), chosen.parts.copy()
    for n in np.flatnonzero(face != order[:, 0]).tolist():
        new = int(face[n])
        order[n] = [new, *(each for each in order[n].tolist() if each != new)][: order.shape[1]]
        tile = int(which[n])
        known = tiles.references.parts[tiles.said.tile[tile, new], tiles.said.turn[tile, new]]
        alike[n], margin[n], lead[n] = tiles.said.alike[tile, new], ahead[n], np.inf
        parts[n] = (tiles.looks.parts[tile] * known).sum(axis=1)
    return Chosen(order, alike, margin, lead, parts)


def _likeliest(tiles: Tiles, which: Ints) -> Ints:
    """(k, faces) all faces, those first that tiles were compared with."""
    first = tiles.chosen.order[which]
    worth = tiles.said.alike[which].copy()
    n = np.arange(len(which))[:, None]
    worth[n, first] = np.inf
    rest = np.argsort(-worth, axis=1, kind="stable")
    rest[:, : first.shape[1]] = first
    return rest


def _through(
    tiles: Tiles,
    which: Ints,
    order: Ints,
    rivals: Ints,
    covered: NDArray[np.bool_],
    p: EyeParameters,
) -> tuple[Floats, NDArray[np.bool_]]:
    """How alike windows of k tiles are to those of faces (k, faces), and which are hidden.

    Both are (k, faces, PARTS); -1 for faces beyond so many ``rivals`` (k,) of the first, and for
    those that lie far behind it.
    """
    whole = tiles.said.alike[which[:, None], order]
    near = whole[:, :1] - whole < p.compare_below
    alike = np.full((*order.shape, PARTS), -1, np.float32)
    hidden = np.zeros(alike.shape, bool)
    for place in range(order.shape[1]):
        asked = near[:, place] & (rivals >= place) if place else np.ones(len(which), bool)
        if asked.any():
            alike[asked, place], hidden[asked, place] = _as_face(
                order[asked, place], tiles, which[asked], covered
            )
    return alike, hidden


def _as_face(
    face: Ints, tiles: Tiles, which: Ints, covered: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """How alike windows of tiles are to those of faces (k,), and which are hidden."""
    reference, turn = tiles.said.tile[which, face], tiles.said.turn[which, face]
    hidden = as_lying(covered[which], -turn).reshape(-1, PARTS)
    alike = np.ones(hidden.shape, np.float32)
    n, windows = np.nonzero(~hidden)
    alike[~hidden] = _alike_through(
        tiles.photo,
        tiles.quads_px[which[n]],
        reference[n],
        turn[n],
        windows,
        tiles.references,
    )
    return alike, hidden


def _alike_through(
    photo: Pyramid, quads_px: Floats, tile: Ints, turn: Ints, windows: Ints, references: References
) -> Floats:
    """(n,) how alike windows of tiles are to those of references of a face, upright.

    Args:
        photo: that shows them.
        quads_px: (n, 4, 2) of the tiles.
        tile: (n,) a reference of the face of each,
        turn: (n,) and in which turn the tile shows it.
        windows: (n,) through which each is looked at.
        references: of the edition.
    """
    seen = looked_closer(photo, quads_px, turn.tolist(), windows.tolist(), look_at)
    alike, faces = np.empty(len(seen), np.float32), references.face[tile]
    for face, window in np.unique(np.column_stack([faces, windows]), axis=0).tolist():
        mine = np.flatnonzero((faces == face) & (windows == window))
        known = references.details[references.face == face, window].reshape(-1, VECTOR)
        alike[mine] = (seen[mine] @ known.T).max(axis=1)
    return floats(alike)
