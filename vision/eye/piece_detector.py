"""Find figures that stand on tiles and pieces that lie loose, with one small network.

It knows no form, drawing or colour. It sees a table laid flat, in which the foot of a figure is
``FOOT_PX`` wide, or a loose piece ``PIECE_PX``; the channels are whitened
(``vision.eye.locate.whitened``). For every ``STRIDE_PX`` square pixels it says whether they show a
figure and the way to the middle of that one's foot; and whether they show a loose piece, the way
to its middle, and how it is turned.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, floats
from vision.eye.locate import merged_votes, whitened
from vision.networks import count_work, load_network

FOOT_PX = 14.0
PIECE_PX = 28.0
CHANNELS = 8
"""Logit of a figure, way to its foot (x, y) in FOOT_PX; logit of a loose piece, way to its middle
in PIECE_PX, cosine and sine of four times the direction of its edges."""
_WAYS = [1, 2, 4, 5]
STRIDE_PX = 4
MULTIPLE_PX = 8
"""Width and height of what the network sees are divisible by this."""
VIEW_TURNS = 4
MERGE_RADIUS_FEET = 0.75
"""Squares whose feet lie as near as this, in widths of a foot, show one figure."""


@dataclass(frozen=True, slots=True, eq=False)
class FigureDetections:
    """Figures that were seen, n of them.

    Attributes:
        feet: (n, 2) the middles of their feet, pixels.
        likely: (n,) how likely each is a figure, 0 to 1.
        squares: (n,) how many squares show it.
        owner: (h, w) for each square the number of the figure that it shows; -1: none.
        body: (h, w) how likely each square shows a figure, 0 to 1.
    """

    feet: Floats
    likely: Floats
    squares: Floats
    owner: NDArray[np.intp]
    body: Floats


def _maps_of(flat: Image) -> Floats:
    """What the network says (CHANNELS, h / STRIDE_PX, w / STRIDE_PX), in the mean of four views.

    Each sees the picture turned by a quarter more. It takes figures that lean any way, so the views
    err in other places.
    """
    network, seen = load_network("pieces"), whitened(flat)
    total = np.zeros((CHANNELS, *(side // STRIDE_PX for side in flat.shape[:2])), np.float32)
    for quarters in range(VIEW_TURNS):
        view = np.ascontiguousarray(np.rot90(seen, quarters, (2, 3)))
        count_work("pieces", view.shape)
        network.setInput(view)
        maps = np.rot90(network.forward()[0], -quarters, (1, 2)).copy()
        for _ in range(quarters):
            maps[_WAYS] = np.stack([-maps[2], maps[1], -maps[5], maps[4]])
        total += maps
    return floats(total / VIEW_TURNS)


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """What squares say together of n things.

    Attributes:
        here: (h, w) how likely each square shows one.
        rows, columns: of the squares that do.
        number: of the thing that each of these shows.
        middles: (n, 2) of the things, pixels.
        total: (n,) sum of their votes.
    """

    here: Floats
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    number: NDArray[np.intp]
    middles: Floats
    total: Floats


def _voted(maps: Floats, unit_px: float, least: float) -> _Votes:
    """The things that a logit and the ways to their middles (3, h, w) tell of."""
    here = floats(1 / (1 + np.exp(-maps[0])))
    rows, columns = np.nonzero(here > least)
    ways = maps[1:3, rows, columns].T * np.float32(unit_px)
    places = np.stack([columns, rows], axis=-1) * np.float32(STRIDE_PX)
    middles, weight = floats(places + np.float32((STRIDE_PX - 1) / 2) + ways), here[rows, columns]
    number = merged_votes(
        middles, np.full(len(middles), MERGE_RADIUS_FEET * unit_px, np.float32), weight
    )
    count = int(number.max()) + 1 if number.size else 0
    total = np.bincount(number, weight, count)
    sums = [np.bincount(number, weight * axis, count) for axis in middles.T]
    at = floats(np.stack(sums, axis=-1) / np.maximum(total, 1e-6)[:, None])
    return _Votes(here, rows, columns, number, at, floats(total))


def detect_figures(flat: Image, least: float) -> FigureDetections:
    """The figures in a picture (h, w, 3), sides divisible by ``MULTIPLE_PX``.

    Args:
        flat: tiles as seen from straight above.
        least: how likely squares must show a figure to count.
    """
    votes = _voted(_maps_of(flat), FOOT_PX, least)
    owner = np.full(votes.here.shape, -1, np.intp)
    owner[votes.rows, votes.columns] = votes.number
    squares = votes.here[votes.rows, votes.columns] ** 2
    likely = np.bincount(votes.number, squares, len(votes.total)) / np.maximum(votes.total, 1e-6)
    return FigureDetections(votes.middles, floats(likely), votes.total, owner, votes.here)


def detect_pieces(flat: Image, least: float) -> tuple[Floats, Floats, Floats]:
    """The loose pieces in a picture (h, w, 3), sides divisible by ``MULTIPLE_PX``.

    Args:
        flat: a table as seen from straight above.
        least: how likely squares must show a piece to count.

    Returns:
        The middles (n, 2); the directions of their edges in radians, up to quarters (n,); and how
        much is seen of each, as a share of its area (n,).
    """
    maps = _maps_of(flat)
    votes = _voted(maps[3:], PIECE_PX, least)
    along, across = (
        np.bincount(votes.number, maps[k, votes.rows, votes.columns], len(votes.total))
        for k in (6, 7)
    )
    area = (PIECE_PX / STRIDE_PX) ** 2
    return votes.middles, floats(np.arctan2(across, along) / 4), floats(votes.total / area)
