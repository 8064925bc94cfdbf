"""Limit the faces on a table to the number of tiles that the game has of each.

A face that is read more often than the game has it was misread somewhere. Sure cells keep their
faces; unsure ones get the most likely faces, taken together, of the tiles that remain. They stay
unsure, since a person has to decide.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.eye.recognise import RecognisedGrid
from vision.reading import GridReading, NoteCode, note

GridCell = tuple[int, Cell]
"""Index of a grid, and a cell of it."""
FaceProbabilities = Mapping[Cell, NDArray[np.float64]]
"""Probabilities (faces,) of the faces for each cell of a grid."""
MIN_FACE_PROBABILITY: Final = 1e-6
"""Lower bound of a face's probability, so that none is excluded."""
MAX_ALTERNATIVES: Final = 3
"""Maximum number of alternatives of a cell whose face changes, or that becomes unsure."""
SOFTMAX_GAIN: Final = 20.0
"""Factor from similarity to the logarithm of a face's probability."""


def face_probabilities(grid: RecognisedGrid) -> FaceProbabilities:
    """Return the probabilities of the model's faces, a softmax, for each place.

    A place is a cell here: in games with a supply each tile, or half of a duplex, covers one.
    """
    powers = np.exp(SOFTMAX_GAIN * (grid.face_scores - grid.face_scores.max(axis=2, keepdims=True)))
    probabilities = powers / powers.sum(axis=2, keepdims=True)
    return {(r, c): probabilities[r, c] for r, c in np.ndindex(*grid.confidence.shape)}


def limit_to_supply(
    grids: Sequence[GridReading],
    probabilities: Sequence[FaceProbabilities],
    limits: Mapping[str, int],
    faces: Sequence[str | None],
) -> list[GridReading]:
    """Change the readings of a table's grids so that no face lies there too often.

    - Unsure cells get the faces that maximise their joint likelihood under the limits. The face
      read before becomes the first alternative of a cell that changes.
    - Where the sure cells alone show a face too often, the least certain of them become unsure,
      with a note, and keep their face.

    Empty cells do not count. No cell becomes sure.

    Args:
        grids: All grids of one table.
        probabilities: Face probabilities of each grid, in the same order.
        limits: Number of tiles of each face in the game, halves of duplex tiles included; faces
            that are missing have no limit.
        faces: Faces in the order of the probabilities.
    """
    unsure = {(n, cell) for n, grid in enumerate(grids) for cell in grid.unsure}
    read = {grid_cell: face for grid_cell, face in _list_cells(grids) if face is not None}
    sure = {grid_cell: face for grid_cell, face in read.items() if grid_cell not in unsure}
    shown = Counter(sure.values())
    remaining = {face: max(limit - shown[face], 0) for face, limit in limits.items()}
    open_cells = sorted(unsure & set(read))
    given = np.array([probabilities[n][cell] for n, cell in open_cells]).reshape(-1, len(faces))
    chosen = dict(zip(open_cells, assign_faces(given, remaining, faces), strict=True))
    excess_cells = _find_excess_cells(grids, probabilities, sure, limits, faces)
    return [
        _with_faces(
            grid,
            probabilities[n],
            {cell: face for (m, cell), face in chosen.items() if m == n},
            {cell: face for (m, cell), face in excess_cells.items() if m == n},
            faces,
        )
        for n, grid in enumerate(grids)
    ]


def assign_faces(
    probabilities: NDArray[np.float64], limits: Mapping[str, int], faces: Sequence[str | None]
) -> list[str | None]:
    """Assign each tile a face, most likely in total, each at most as often as its limit.

    Starting with the likeliest face of each tile, tiles move along the cheapest path from a face in
    excess to one below its limit: successive shortest paths for minimum-cost flow (Busacker and
    Gowen 1960), so the result is exact. If the limits are too low for all tiles, the surplus keeps
    its face.

    Args:
        probabilities: Shape (n, faces), probabilities for n tiles.
        limits: Maximum number of tiles of each face; faces that are missing have no limit.
        faces: Faces in the order of the probabilities.
    """
    costs = -np.log(np.maximum(probabilities, MIN_FACE_PROBABILITY))
    chosen = costs.argmin(axis=1)
    room = np.array(
        [
            len(probabilities) if face is None else limits.get(face, len(probabilities))
            for face in faces
        ]
    )
    while True:
        spare = room - np.bincount(chosen, minlength=len(faces))
        path = _cheapest_path(costs, chosen, spare)
        if not path:
            return [faces[int(face)] for face in chosen]
        for tile, face in path:
            chosen[tile] = face


Move = tuple[int, int]
"""Index of a tile and of its new face."""


def _cheapest_path(
    costs: NDArray[np.float64], chosen: NDArray[np.intp], spare: NDArray[np.intp]
) -> list[Move]:
    """Return the moves that take one tile from a face in excess to one below its limit, if any.

    Shortest path by Bellman and Ford, since moving a tile back has a negative cost.
    """
    if not (spare < 0).any():
        return []
    steps = _cheapest_steps(costs, chosen)
    distance = np.where(spare < 0, 0.0, np.inf)
    before = np.full(len(spare), -1)
    for _ in spare:
        for (start, end), (cost, _tile) in steps.items():
            if distance[start] + cost < distance[end] - 1e-12:
                distance[end], before[end] = distance[start] + cost, start
    reached = np.where(spare > 0, distance, np.inf)
    face = int(reached.argmin())
    if not np.isfinite(reached[face]):
        return []
    path = []
    while before[face] >= 0:
        start = int(before[face])
        path.append((steps[start, face][1], face))
        face = start
    return path


def _cheapest_steps(
    costs: NDArray[np.float64], chosen: NDArray[np.intp]
) -> dict[tuple[int, int], tuple[float, int]]:
    """Return the cheapest move between each pair of faces: its cost and its tile."""
    steps = {}
    for start in range(costs.shape[1]):
        tiles = np.flatnonzero(chosen == start)
        if tiles.size == 0:
            continue
        extra = costs[tiles] - costs[tiles, start][:, None]
        for end in range(costs.shape[1]):
            if end != start:
                cheapest = int(extra[:, end].argmin())
                steps[start, end] = float(extra[cheapest, end]), int(tiles[cheapest])
    return steps


def _list_cells(grids: Sequence[GridReading]) -> list[tuple[GridCell, str | None]]:
    return [
        ((n, (row, column)), face)
        for n, grid in enumerate(grids)
        for row, shown in enumerate(grid.faces)
        for column, face in enumerate(shown)
    ]


def _find_excess_cells(
    grids: Sequence[GridReading],
    probabilities: Sequence[FaceProbabilities],
    sure: Mapping[GridCell, str],
    limits: Mapping[str, int],
    faces: Sequence[str | None],
) -> dict[GridCell, str]:
    """Return the least certain sure cells of each face that they show too often."""

    def confidence_of(grid_cell: GridCell) -> tuple[float, float]:
        number, (row, column) = grid_cell
        probability = probabilities[number][row, column][faces.index(sure[grid_cell])]
        return grids[number].confidence[row][column], float(probability)

    shown = Counter(sure.values())
    excess_cells: dict[GridCell, str] = {}
    for face, limit in limits.items():
        excess = shown[face] - limit
        if excess > 0:
            cells = sorted((each for each, its in sure.items() if its == face), key=confidence_of)
            excess_cells |= dict.fromkeys(cells[:excess], face)
    return excess_cells


def _with_faces(
    grid: GridReading,
    probabilities: FaceProbabilities,
    chosen: Mapping[Cell, str | None],
    excess_cells: Mapping[Cell, str],
    faces: Sequence[str | None],
) -> GridReading:
    """Return a grid with new faces in its unsure cells, and with further cells unsure."""
    rows, confidence = [list(row) for row in grid.faces], [list(row) for row in grid.confidence]
    alternatives = dict(grid.alternatives)
    for (row, column), face in chosen.items():
        read = rows[row][column]
        if read is None or read == face:
            continue
        by_face = np.maximum(probabilities[row, column], MIN_FACE_PROBABILITY)
        ratio = by_face[faces.index(face)] / by_face[faces.index(read)]
        rows[row][column] = face
        confidence[row][column] = round(min(confidence[row][column] * float(ratio), 1.0), 3)
        others = [other for other in grid.alternatives.get((row, column), ()) if other != face]
        alternatives[row, column] = (read, *others)[:MAX_ALTERNATIVES]
    for cell, face in excess_cells.items():
        alternatives[cell] = _next_likeliest(probabilities[cell], face, faces)
    shown = tuple(tuple(row) for row in rows)
    return replace(
        grid,
        faces=shown,
        tiles=shown if grid.tiles == grid.faces else grid.tiles,
        confidence=tuple(tuple(row) for row in confidence),
        unsure=tuple(sorted({*grid.unsure, *excess_cells})),
        alternatives=dict(sorted(alternatives.items())),
        notes=(
            *grid.notes,
            *(
                note(NoteCode.OVER_SUPPLY, cell, face=face)
                for cell, face in sorted(excess_cells.items())
            ),
        ),
    )


def _next_likeliest(
    by_face: NDArray[np.float64], face: str, faces: Sequence[str | None]
) -> tuple[str | None, ...]:
    order = [faces[int(n)] for n in np.argsort(-by_face, kind="stable")]
    return tuple(other for other in order if other != face)[:MAX_ALTERNATIVES]
