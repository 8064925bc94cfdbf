"""Connected components of detected tiles and plots: neighbours, with their cells on one lattice.

Offsets and gaps are in tile widths.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Doubles, Ints

MAX_NEIGHBOUR_SIZE_RATIO: Final = 1.35
"""Maximum ratio of the sizes of two detections that are neighbours, and of all tiles of one
table. Larger: parts of tiles are connected; smaller: tiles seen at a slant are not."""
MAX_NEIGHBOUR_TURN: Final = 0.25
"""Maximum difference in direction of neighbours, in radians. Larger: loose tiles are connected;
smaller: crooked ones are not."""
MAX_LATTICE_OFFSET: Final = 0.25
"""Maximum distance of a tile from its place on a lattice, in tile widths: of a neighbour, sideways
or towards the tile, and of a detection that a lattice takes up. Larger: components jump to another
row, and tiles of other grids are taken up; smaller: crooked rows fall apart."""
MAX_NEIGHBOUR_GAP: Final = 0.3
"""Maximum gap between neighbours, in tile widths. Larger: neighbouring grids are connected;
smaller: tiles that lie apart are not."""
MIN_COMPONENT_TILES: Final = 3
"""Minimum number of tiles on one lattice; fewer may lie there by chance."""


@dataclass(slots=True, eq=False)
class Component:
    """Detections that are connected as neighbours, and so lie on one lattice.

    Attributes:
        indices: Shape (n,), indices of the detections.
        cells: Shape (n, 2), cell (column, row) of each.
    """

    indices: Ints
    cells: Ints

    def __len__(self) -> int:
        return len(self.indices)


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
    # Offset (column, row) from i to j in the frame of i, whose unit vectors are its edges
    offset_in_i = np.einsum("nk,nkl->nl", centres[j] - centres[i], inverse[i])
    is_near = (np.abs(offset_in_i).max(axis=1) < 1 + MAX_NEIGHBOUR_GAP) & (
        np.abs(np.log(size[i] / size[j])) < np.log(MAX_NEIGHBOUR_SIZE_RATIO)
    )
    i, j, offset_in_i = i[is_near], j[is_near], offset_in_i[is_near]
    offset_in_j = -np.einsum("nk,nkl->nl", centres[i] - centres[j], inverse[j])
    edge_of_j = np.einsum("nk,nkl->nl", edges[j, 0], inverse[i])
    angle = np.arctan2(edge_of_j[:, 1], edge_of_j[:, 0])
    quarter = np.rint(angle / (np.pi / 2)).astype(int)
    c, s = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    # The frame of j is turned by quarters, so that it points as that of i does
    x_in_j, y_in_j = offset_in_j.T
    mean_offset = (
        offset_in_i + np.stack([x_in_j * c - y_in_j * s, x_in_j * s + y_in_j * c], -1)
    ) / 2
    step = np.rint(mean_offset).astype(int)
    along, sideways = np.abs(mean_offset).max(axis=1), np.abs(mean_offset).min(axis=1)
    is_neighbour = (np.abs(angle - quarter * np.pi / 2) < MAX_NEIGHBOUR_TURN) & (
        np.abs(step).sum(axis=1) == 1
    )
    is_neighbour &= (
        (sideways < MAX_LATTICE_OFFSET)
        & (along > 1 - MAX_LATTICE_OFFSET)
        & (along < 1 + MAX_NEIGHBOUR_GAP)
    )
    links: list[list[tuple[int, int, int, int]]] = [[] for _ in range(n)]
    straightest_first = np.argsort(sideways[is_neighbour], kind="stable")
    found = np.column_stack([i, j, step, quarter % 4])[is_neighbour][straightest_first]
    for tile, other, dx, dy, quarters in found.tolist():
        links[tile].append((other, dx, dy, quarters))
    return links


def connect_neighbours(centres: Doubles, edges: Doubles, seed_scores: Doubles) -> list[Component]:
    """Connect neighbours to components, and return these, the largest first.

    Args:
        centres: Shape (n, 2), of tiles, in the image or the affine frame.
        edges: Shape (n, 2, 2), as ``Detections`` has them.
        seed_scores: Shape (n,); the tile with the highest begins the first component.
    """
    n = len(centres)
    if not n:
        return []
    links = _link_neighbours(centres, edges)
    free = np.ones(n, bool)
    components: list[Component] = []
    for seed in np.argsort(-seed_scores, kind="stable").tolist():
        if not free[seed]:
            continue
        free[seed] = False
        placed = {seed: (0, 0, 0)}
        taken, queue = {(0, 0)}, deque([seed])
        while queue:
            tile = queue.popleft()
            x, y, turn = placed[tile]
            for other, dx, dy, quarters in links[tile]:
                if not free[other]:
                    continue
                step = _turn_step((dx, dy), turn)
                cell = (x + step[0], y + step[1])
                if cell not in taken:
                    taken.add(cell)
                    free[other] = False
                    placed[other] = (*cell, (turn + quarters) % 4)
                    queue.append(other)
        if len(placed) >= MIN_COMPONENT_TILES:
            cells = np.array([position[:2] for position in placed.values()])
            components.append(Component(np.array(list(placed)), cells))
    return sorted(components, key=lambda component: -len(component))


def _turn_step(step: tuple[int, int], quarters: int) -> tuple[int, int]:
    """Turn a step (column, row) by quarters, from columns towards rows."""
    for _ in range(quarters):
        step = -step[1], step[0]
    return step
