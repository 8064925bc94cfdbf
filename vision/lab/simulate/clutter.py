"""Clutter on a simulated table: props, left-over tiles, things that cover tiles."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import floats
from vision.editions.built_in import tile_picture
from vision.lab.simulate.content import shuffle
from vision.lab.simulate.drawing import Rng, one_of
from vision.lab.simulate.grid_poses import GridPose
from vision.lab.simulate.laying import LaidGrid, LaidStray, LaidTable, lay_piece
from vision.lab.simulate.props import Prop, random_prop
from vision.lab.simulate.table_canvas import UNIT_MM, rectangle

COVERS: Final = ("token", "finger", "coin", "die", "hand", "pencil", "reference-card", "token")
"""Props that cover tiles, a token most often."""
_WIDEST_COVER: Final = 3.0
"""Maximum side of a covering prop, in edges of a tile; larger ones are shrunk."""
_FULL_TURN: Final = 2 * np.pi
_FINEST_PX: Final = 128.0
"""Maximum resolution of props, in pixels per unit of the plane."""
_THICK_MM: Final = 3.0
"""Thickness of props and face-down tiles, which casts their shadow."""
_DECOY: Final = (4, 4)
"""Rows and columns of a grid of face-down tiles."""


def _prop(rng: Rng, table: LaidTable, name: str | None) -> Prop:
    return random_prop(rng, min(table.camera.unit_px, _FINEST_PX), name)


def lay_in_the_middle(rng: Rng, table: LaidTable, name: str) -> None:
    """Lay a thing in the middle of the table, if there is room."""
    prop = _prop(rng, table, name)
    corners = rectangle((0, 0), float(rng.normal(0, 0.3)), prop.size_tiles)
    if table.camera.has_in_front(corners) and table.occupied.is_free(corners):
        table.occupied.take(corners)
        table.lay(prop.image_bgra, corners, table.lamp.shadow(_THICK_MM))


def lay_props(rng: Rng, table: LaidTable, names: Sequence[str | None]) -> None:
    """Lay props of these kinds, None for any, on free places, which may be partly outside."""
    for name in names:
        prop = _prop(rng, table, name)
        corners = table.free_spot(rng, prop.size_tiles)
        if corners is not None:
            shadow = (*table.lamp.shadow(_THICK_MM)[:2], 0.4)
            table.lay(prop.image_bgra, corners, shadow)


def lay_strays(rng: Rng, table: LaidTable, faces: Sequence[str]) -> list[LaidStray]:
    """Lay left-over tiles face up, at any angle, on free places."""
    size, strays = table.edition.description.tile_mm / UNIT_MM, []
    for face in faces:
        corners = table.free_spot(rng, (size, size))
        if corners is not None:
            lay_piece(rng, table, face, corners)
            strays.append(LaidStray(face, corners))
    return strays


def lay_decoys(rng: Rng, table: LaidTable, count: int) -> None:
    """Lay grids of face-down tiles, which are nothing to read."""
    for _ in range(count):
        angle, gap = float(rng.uniform(0, _FULL_TURN)), float(rng.uniform(0.012, 0.05))
        corners = table.free_spot(rng, (4.2, 4.2), angle)
        if corners is None:
            continue
        x, y = corners.mean(axis=0).tolist()
        pose = GridPose.free(_DECOY, UNIT_MM, (x, y), angle, gap, carelessness=1.2)
        for cell in np.ndindex(*_DECOY):
            tile = pose.careless_tile(rng, cell)
            table.lay(tile_picture("back", 160), tile, table.lamp.shadow(_THICK_MM))


def cover(rng: Rng, table: LaidTable, grids: Sequence[LaidGrid], count: int) -> None:
    """Cover a number of tiles, each with a prop."""
    tiles = [corners for grid in grids for corners in grid.tiles.values()]
    for tile in shuffle(rng, tiles)[:count]:
        prop = random_prop(rng, 96.0, one_of(rng, COVERS))
        shrunk = min(1.0, _WIDEST_COVER / max(prop.size_tiles))
        wide, tall = prop.size_tiles[0] * shrunk, prop.size_tiles[1] * shrunk
        angle = float(rng.uniform(0, _FULL_TURN))
        # A long prop covers the tile with its upper end instead of its middle
        reach = max(0.0, tall / 2 - 0.35) if max(prop.size_tiles) >= 1.2 else 0.0
        tip = floats([-np.sin(angle) * reach, np.cos(angle) * reach])
        middle = tile.mean(axis=0) + floats(rng.uniform(-0.25, 0.25, 2)) + tip
        corners = rectangle(middle, angle, (wide, tall))
        table.cover(prop.image_bgra, corners, (0.05, 0.06, 0.45))
