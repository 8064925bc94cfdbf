"""Read cities of a look that the networks do not know, by taught pictures alone.

The locator sees tiles of any look, so it says where a city lies; its plane is then corrected by
the shifts at which the taught pictures fit best.
"""

from collections.abc import Mapping
from itertools import product

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, floats
from vision.city import City
from vision.editions.taught import TaughtFaces, TaughtOpinion
from vision.lattice import quads_of
from vision.locate import Detection
from vision.plane import Plane, plane_through
from vision.pyramid import Picture
from vision.recognise import CellReading, turned_cell

HALF_SURE = 0.48
"""Correlation at which it is as likely as not that a taught tile lies there."""
STEEPNESS = 30.0
"""How fast that grows; 0.6 is 97 %."""
FITS = 0.6
"""Tiles that correlate as well are used to correct the plane."""
FEWEST = 4
ROUNDS = 3
TURN_STEEPNESS = 40.0
"""How fast the chance that a tile lies upright falls with the correlation lost to another turn."""

Opinions = list[dict[Cell, TaughtOpinion]]
"""What is seen in each place, in each of the four turns."""


def city_by_pictures(
    picture: Picture, group: Mapping[Cell, Detection], rows: int, columns: int, taught: TaughtFaces
) -> City | None:
    """Read the city that a group of tiles belongs to; None: they are no taught tiles.

    Args:
        picture: the photo.
        group: neighbouring tiles within a square of ``rows`` x ``columns``.
        rows: of a city.
        columns: of a city.
        taught: the pictures to compare with.
    """
    quads = quads_of(group)
    for _ in range(ROUNDS):
        plane = plane_through(quads)
        if plane is None:
            return None
        seen = _in_all_turns(picture, {cell: plane.quad(cell) for cell in group}, taught)
        turns = _turn(seen)
        fitting = {cell: view for cell, view in seen[turns].items() if view.likeness >= FITS}
        if len(fitting) < FEWEST:
            return None
        quads = {cell: _moved(plane, cell, turns, view) for cell, view in fitting.items()}
    plane = plane_through(quads)
    if plane is None:
        return None
    return _whole_city(picture, plane, list(group), (rows, columns), taught)


def _in_all_turns(picture: Picture, quads: Mapping[Cell, Corners], taught: TaughtFaces) -> Opinions:
    return [_in_one_turn(picture, quads, taught, turns, twice=False) for turns in range(4)]


def _in_one_turn(
    picture: Picture, quads: Mapping[Cell, Corners], taught: TaughtFaces, turns: int, *, twice: bool
) -> dict[Cell, TaughtOpinion]:
    upright = [_upright(quad, turns) for quad in quads.values()]
    return dict(zip(quads, taught.opinions(picture, upright, twice=twice), strict=True))


def _upright(quad_px: Corners, turns: int) -> Corners:
    """The corners of a tile that appears turned clockwise by quarters, named as read upright."""
    return floats(np.roll(quad_px, -turns, axis=0))


def _turn(seen: Opinions) -> int:
    """By how many quarters clockwise the tiles appear turned: where they correlate best."""
    return int(np.argmax([sum(view.likeness for view in turn.values()) for turn in seen]))


def _moved(plane: Plane, cell: Cell, turns: int, view: TaughtOpinion) -> Corners:
    """Where a tile really lies, named along the axes of the lattice."""
    upright = _upright(plane.quad(cell), turns)
    right, down = upright[1] - upright[0], upright[3] - upright[0]
    return floats(plane.quad(cell) + view.shift[0] * right + view.shift[1] * down)


def _whole_city(
    picture: Picture, plane: Plane, group: list[Cell], size: tuple[int, int], taught: TaughtFaces
) -> City:
    """Choose the window round the group that holds most tiles, and name its cells upright."""
    rows, columns = size
    corners = _windows_round(group, rows, columns)
    places = sorted(
        {(t + r, s + c) for t, s in corners for r in range(rows) for c in range(columns)}
    )
    quads = {place: plane.quad(place) for place in places}
    seen = _in_all_turns(picture, quads, taught)
    turns = _turn(seen)
    seen[turns] = _in_one_turn(picture, quads, taught, turns, twice=True)

    def window(corner: Cell) -> dict[Cell, Cell]:
        return {(r, c): (corner[0] + r, corner[1] + c) for r in range(rows) for c in range(columns)}

    def held(corner: Cell) -> float:
        return sum(_is_tile(seen[turns][place]) for place in window(corner).values())

    cells = {
        turned_cell(cell, rows, columns, turns): _cell(plane.quad(place), place, turns, seen)
        for cell, place in window(max(corners, key=held)).items()
    }
    return City(*((rows, columns) if turns % 2 == 0 else (columns, rows)), cells)


def _windows_round(group: list[Cell], rows: int, columns: int) -> list[Cell]:
    """Top left cells of the windows that hold the whole group."""
    at_rows, at_columns = [row for row, _ in group], [column for _, column in group]
    tops = range(max(at_rows) - rows + 1, min(at_rows) + 1)
    starts = range(max(at_columns) - columns + 1, min(at_columns) + 1)
    return list(product(tops, starts))


def _is_tile(view: TaughtOpinion) -> float:
    return float(1 / (1 + np.exp(STEEPNESS * (HALF_SURE - view.likeness))))


def _cell(quad_px: Corners, place: Cell, turns: int, seen: Opinions) -> CellReading:
    view = seen[turns][place]
    other = max(seen[t][place].likeness for t in range(4) if t != turns)
    lost = TURN_STEEPNESS * (other - view.likeness)
    blind = np.zeros(10, np.float32)
    blind[9] = 1
    return CellReading(
        quad_px=_upright(quad_px, turns),
        is_tile=max(_is_tile(turn[place]) for turn in seen),
        upright=float(1 / (1 + np.exp(np.clip(lost, -50, 50)))),
        by_face=view.chances,
        by_emblem=blind,
        taught=view,
        known_look=False,
    )
