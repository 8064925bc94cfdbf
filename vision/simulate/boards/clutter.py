"""What else lies on a simulated table: left-over tiles, things of the household, dice."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Corners, Image, floats
from vision.editions.own import back_picture
from vision.simulate.boards.laid import LaidStray
from vision.simulate.boards.laying import Tabletop, lay_piece
from vision.simulate.boards.plane import UNIT_MM, Spot, widened
from vision.simulate.props import random_prop
from vision.simulate.scene import DECOY, CityPlan, rectangle

_TRIES: Final = 40
_FULL_TURN: Final = 2 * np.pi
_FINEST_PX: Final = 128.0
_BACK_PX: Final = 160
_ROOM: Final = 0.06
_THICK_MM: Final = 3.0


def lay_props(
    rng: np.random.Generator, table: Tabletop, count: int, names: Sequence[str | None] = (None,)
) -> None:
    """Lay so many things where nothing lies, partly outside the picture perhaps.

    Args:
        rng: decides what and where.
        table: on which they lie.
        count: of things.
        names: which kinds, in turn; None: any.
    """
    fineness = min(table.camera.unit_px, _FINEST_PX)
    for number in range(count):
        prop = random_prop(rng, fineness, names[number % len(names)])
        corners = _free_place(rng, table, prop.size_tiles)
        if corners is not None:
            table.canvas.lay(prop.image_bgra, corners, (*table.lamp.shadow(_THICK_MM)[:2], 0.4))


def lay_strays(rng: np.random.Generator, table: Tabletop, faces: Sequence[str]) -> list[LaidStray]:
    """Lay left-over tiles face up, at any angle, where nothing lies."""
    size = table.edition.description.tile_mm / UNIT_MM
    strays = []
    for face in faces:
        corners = _free_place(rng, table, (size, size))
        if corners is None:
            continue
        lay_piece(rng, table, face, corners)
        strays.append(LaidStray(face, corners))
    return strays


def lay_decoys(rng: np.random.Generator, table: Tabletop, count: int) -> None:
    """Lay grids of face-down tiles, which are nothing to read."""

    def face_down(_: np.random.Generator) -> tuple[int, Image]:
        return -1, back_picture(_BACK_PX)

    for _ in range(count):
        angle, gap = float(rng.uniform(0, _FULL_TURN)), float(rng.uniform(0.012, 0.05))
        corners = _free_place(rng, table, (4.2, 4.2), angle)
        if corners is not None:
            x, y = corners.mean(axis=0)
            plan = CityPlan((float(x), float(y)), angle, gap)
            table.canvas.lay_city(rng, DECOY, plan, face_down)


def _free_place(
    rng: np.random.Generator, table: Tabletop, size: Spot, angle: float | None = None
) -> Corners | None:
    """Where a thing of this size finds room, its middle in the picture; None: nowhere."""
    for _ in range(_TRIES):
        x, y = table.camera.plane([rng.uniform((0, 0), table.camera.size_wh)])[0]
        turn = float(rng.uniform(0, _FULL_TURN)) if angle is None else angle
        corners = rectangle(floats([x, y]), turn, size)
        if table.canvas.faces_camera(corners) and table.occupied.is_free(widened(corners, _ROOM)):
            table.occupied.take(corners)
            return corners
    return None
