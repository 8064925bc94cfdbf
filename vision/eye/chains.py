"""Chains: detected tiles and plots that are neighbours, with their cells on one lattice.

Offsets and gaps are in tile widths.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles, Ints

MAX_NEIGHBOUR_SIZE_RATIO: Final = 1.35
"""Largest ratio of the sizes of two detections that are neighbours, and of all tiles of one
table. Larger: parts of tiles are chained; smaller: tiles seen at a slant are not."""
MAX_NEIGHBOUR_TURN: Final = 0.25
"""Largest difference in direction of neighbours, in radians. Larger: loose tiles are chained;
smaller: crooked ones are not."""
MAX_NEIGHBOUR_OFFSET: Final = 0.25
"""Largest distance of a neighbour from its place on the lattice, sideways or towards the tile, in
tile widths. Larger: chains jump to another row; smaller: crooked rows fall apart."""
MAX_NEIGHBOUR_GAP: Final = 0.3
"""Largest gap between neighbours, in tile widths. Larger: neighbouring grids are chained; smaller:
tiles that lie apart are not."""
MIN_CHAIN_TILES: Final = 3
"""Least number of tiles on one lattice; fewer may lie there by chance."""


@dataclass(slots=True, eq=False)
class Chain:
    """Detections that lie on one lattice.

    Attributes:
        indices: Shape (n,), indices of the detections.
        cells: Shape (n, 2), cell of each.
    """

    indices: Ints
    cells: Ints


def _link_neighbours(centres: Doubles, edges: Doubles) -> list[list[tuple[int, int, int, int]]]:
    """Return for each tile its neighbours: index, step (column, row), turn in quarters."""
    n = len(centres)
    inverse = np.linalg.inv(edges)
    size = np.sqrt(np.abs(np.linalg.det(edges)))
    x, y = centres.T
    # Largest distance of a neighbour along the longer edge of a tile
    reach = (1 + MAX_NEIGHBOUR_GAP) * np.sqrt((edges**2).sum(axis=2).max(axis=1))
    # A step of up to 1 + MAX_NEIGHBOUR_GAP may come with one as large to the side
    close = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < 2 * reach[:, None] ** 2
    np.fill_diagonal(close, val=False)
    i, j = np.nonzero(close & close.T)
    here = np.einsum("nk,nkl->nl", centres[j] - centres[i], inverse[i])  # (column, row) of j for i
    near = (np.abs(here).max(axis=1) < 1 + MAX_NEIGHBOUR_GAP) & (
        np.abs(np.log(size[i] / size[j])) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)
    )
    i, j, here = i[near], j[near], here[near]
    back = -np.einsum("nk,nkl->nl", centres[i] - centres[j], inverse[j])
    turned = np.einsum("nk,nkl->nl", edges[j, 0], inverse[i])
    angle = np.arctan2(turned[:, 1], turned[:, 0])
    quarter = np.rint(angle / (np.pi / 2)).astype(int)
    c, s = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    there = np.stack([back[:, 0] * c - back[:, 1] * s, back[:, 0] * s + back[:, 1] * c], axis=-1)
    both = (here + there) / 2
    step = np.rint(both).astype(int)
    along, aside = np.abs(both).max(axis=1), np.abs(both).min(axis=1)
    good = (np.abs(angle - quarter * np.pi / 2) < MAX_NEIGHBOUR_TURN) & (
        np.abs(step).sum(axis=1) == 1
    )
    good &= (
        (aside < MAX_NEIGHBOUR_OFFSET)
        & (along > 1 - MAX_NEIGHBOUR_OFFSET)
        & (along < 1 + MAX_NEIGHBOUR_GAP)
    )
    links: list[list[tuple[int, int, int, int]]] = [[] for _ in range(n)]
    for k in np.flatnonzero(good)[np.argsort(aside[good], kind="stable")].tolist():
        links[i[k]].append((int(j[k]), int(step[k, 0]), int(step[k, 1]), int(quarter[k]) % 4))
    return links


def chain_neighbours(centres: Doubles, edges: Doubles, seed_scores: Doubles) -> list[Chain]:
    """Chain neighbours to parts of lattices, and return the chains, the longest first.

    Args:
        centres: Shape (n, 2), of tiles, in the photo or the affine frame.
        edges: Shape (n, 2, 2), as ``Detections`` has them.
        seed_scores: Shape (n,), the tile with the highest begins the first chain.
    """
    n = len(centres)
    if not n:
        return []
    links = _link_neighbours(centres, edges)
    free, chains = np.ones(n, bool), []
    for seed in np.argsort(-seed_scores, kind="stable").tolist():
        if not free[seed]:
            continue
        free[seed] = False
        placed = {seed: (0, 0, 0)}
        taken, ahead = {(0, 0)}, deque([seed])
        while ahead:
            one = ahead.popleft()
            x, y, turn = placed[one]
            for other, dx, dy, quarters in links[one]:
                if not free[other]:
                    continue
                for _ in range(turn):
                    dx, dy = -dy, dx  # noqa: PLW2901
                cell = (x + dx, y + dy)
                if cell not in taken:
                    taken.add(cell)
                    free[other] = False
                    placed[other] = (*cell, (turn + quarters) % 4)
                    ahead.append(other)
        if len(placed) >= MIN_CHAIN_TILES:
            chains.append(Chain(np.array(list(placed)), np.array([v[:2] for v in placed.values()])))
    return sorted(chains, key=lambda chain: -len(chain.indices))
