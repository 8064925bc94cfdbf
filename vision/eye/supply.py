"""What the box holds decides between the alternatives of unsure cells, over the whole table.

A face that lies on the table more often than the game has it was misread somewhere. Sure cells
keep their faces and take their share of the box; the unsure ones get the faces that are together
the likeliest of what remains. They stay unsure: the box can say what a tile is not, but a person
has to say what it is.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell, Place
from vision.reading import GridReading, NoteCode, note

FaceProbabilities = Mapping[Cell, NDArray[np.float64]]
"""For each cell of a city the probabilities (faces,) of the faces."""
MIN_PROBABILITY: Final = 1e-6
"""No face is out of the question; what was read may be wrong."""
MAX_ALTERNATIVES: Final = 3


def limit_to_supply(
    cities: Sequence[GridReading],
    chances: Sequence[FaceProbabilities],
    limits: Mapping[str, int],
    faces: Sequence[str | None],
) -> list[GridReading]:
    """The readings of a table's cities, changed so that no face lies there too often.

    - Unsure cells get the faces that maximise their joint likelihood under the limits. What was
      read becomes the first alternative of a cell that changes.
    - Where the sure cells alone show a face too often, the least certain of them become unsure,
      with a note; their face is still the likeliest for each.

    Cells without a tile take no part. No cell becomes sure.

    Args:
        cities: all of one table.
        chances: of the cells of each city, in the same order.
        limits: how many tiles of each face the game has, halves of duplex tiles among them; a
            face that is not named has no limit.
        faces: those that the chances are of.
    """
    unsure = {(n, cell) for n, city in enumerate(cities) for cell in city.unsure}
    read = {place: face for place, face in _tiles(cities) if face is not None}
    sure = {place: face for place, face in read.items() if place not in unsure}
    shown = Counter(sure.values())
    left = {face: max(limit - shown[face], 0) for face, limit in limits.items()}
    open_places = sorted(unsure & set(read))
    given = np.array([chances[n][cell] for n, cell in open_places]).reshape(-1, len(faces))
    chosen = dict(zip(open_places, assign_faces(given, left, faces), strict=True))
    suspects = _suspects(cities, chances, sure, limits, faces)
    return [
        _changed(
            city,
            chances[n],
            {cell: face for (m, cell), face in chosen.items() if m == n},
            {cell: face for (m, cell), face in suspects.items() if m == n},
            faces,
        )
        for n, city in enumerate(cities)
    ]


def assign_faces(
    chances: NDArray[np.float64], limits: Mapping[str, int], faces: Sequence[str | None]
) -> list[str | None]:
    """The faces that are together the likeliest, each at most as often as its limit allows.

    Beginning with the likeliest face of each tile, tiles move along the cheapest way from a face
    that is too frequent to one that is not: successive shortest paths for a flow of least cost
    (Busacker and Gowen 1960), so the result is exact. If the limits are too few for all tiles, the
    surplus keeps its face.

    Args:
        chances: (n, faces) of n tiles.
        limits: a face that is not named has none.
        faces: those that the chances are of.
    """
    costs = -np.log(np.maximum(chances, MIN_PROBABILITY))
    chosen = costs.argmin(axis=1)
    room = np.array(
        [len(chances) if face is None else limits.get(face, len(chances)) for face in faces]
    )
    while True:
        spare = room - np.bincount(chosen, minlength=len(faces))
        way = _cheapest_way(costs, chosen, spare)
        if not way:
            return [faces[int(face)] for face in chosen]
        for tile, face in way:
            chosen[tile] = face


Move = tuple[int, int]
"""A tile and the face that it gets."""


def _cheapest_way(
    costs: NDArray[np.float64], chosen: NDArray[np.intp], spare: NDArray[np.intp]
) -> list[Move]:
    """The moves that take one tile from a face in excess to one with room; none if none exist.

    The shortest path is found by relaxing all edges again and again (Bellman and Ford), as moves
    back may cost less than nothing.
    """
    if not (spare < 0).any():
        return []
    steps = _cheapest_steps(costs, chosen)
    far = np.where(spare < 0, 0.0, np.inf)
    before = np.full(len(spare), -1)
    for _ in spare:
        for (start, end), (cost, _tile) in steps.items():
            if far[start] + cost < far[end] - 1e-12:
                far[end], before[end] = far[start] + cost, start
    reached = np.where(spare > 0, far, np.inf)
    face = int(reached.argmin())
    if not np.isfinite(reached[face]):
        return []
    way = []
    while before[face] >= 0:
        start = int(before[face])
        way.append((steps[start, face][1], face))
        face = start
    return way


def _cheapest_steps(
    costs: NDArray[np.float64], chosen: NDArray[np.intp]
) -> dict[tuple[int, int], tuple[float, int]]:
    """For each pair of faces what it costs to move a tile from one to the other, and which tile."""
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


def _tiles(cities: Sequence[GridReading]) -> list[tuple[Place, str | None]]:
    return [
        ((n, (row, column)), face)
        for n, city in enumerate(cities)
        for row, shown in enumerate(city.grid)
        for column, face in enumerate(shown)
    ]


def _suspects(
    cities: Sequence[GridReading],
    chances: Sequence[FaceProbabilities],
    sure: Mapping[Place, str],
    limits: Mapping[str, int],
    faces: Sequence[str | None],
) -> dict[Place, str]:
    """The least certain of the sure cells that show a face more often than the game has it."""

    def certainty(place: Place) -> tuple[float, float]:
        number, (row, column) = place
        chance = chances[number][row, column][faces.index(sure[place])]
        return cities[number].confidence[row][column], float(chance)

    shown = Counter(sure.values())
    suspects: dict[Place, str] = {}
    for face, limit in limits.items():
        excess = shown[face] - limit
        if excess > 0:
            places = sorted((p for p, its in sure.items() if its == face), key=certainty)
            suspects |= dict.fromkeys(places[:excess], face)
    return suspects


def _changed(
    city: GridReading,
    chances: FaceProbabilities,
    chosen: Mapping[Cell, str | None],
    suspects: Mapping[Cell, str],
    faces: Sequence[str | None],
) -> GridReading:
    """The city with these faces in its unsure cells, and further cells that became unsure."""
    grid, confidence = [list(row) for row in city.grid], [list(row) for row in city.confidence]
    alternatives = dict(city.alternatives)
    for (row, column), face in chosen.items():
        read = grid[row][column]
        if read is None or read == face:
            continue
        by_face = np.maximum(chances[row, column], MIN_PROBABILITY)
        ratio = by_face[faces.index(face)] / by_face[faces.index(read)]
        grid[row][column] = face
        confidence[row][column] = round(min(confidence[row][column] * float(ratio), 1.0), 3)
        others = [other for other in city.alternatives.get((row, column), ()) if other != face]
        alternatives[row, column] = (read, *others)[:MAX_ALTERNATIVES]
    for cell, face in suspects.items():
        alternatives[cell] = _next_likeliest(chances[cell], face, faces)
    shown = tuple(tuple(row) for row in grid)
    return replace(
        city,
        grid=shown,
        tiles=shown if city.tiles == city.grid else city.tiles,
        confidence=tuple(tuple(row) for row in confidence),
        unsure=tuple(sorted({*city.unsure, *suspects})),
        alternatives=dict(sorted(alternatives.items())),
        notes=(
            *city.notes,
            *(
                note(NoteCode.OVER_SUPPLY, cell, face=face)
                for cell, face in sorted(suspects.items())
            ),
        ),
    )


def _next_likeliest(
    by_face: NDArray[np.float64], face: str, faces: Sequence[str | None]
) -> tuple[str | None, ...]:
    order = [faces[int(n)] for n in np.argsort(-by_face, kind="stable")]
    return tuple(other for other in order if other != face)[:MAX_ALTERNATIVES]
