"""Lay boards, tiles, pieces and figures onto a simulated table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, Image, floats
from vision.editions.description import BoardDescription, Heap, TileTurns
from vision.editions.edition import Edition
from vision.lab.simulate.content import GridContent, shuffle
from vision.lab.simulate.drawing import Rng, one_of
from vision.lab.simulate.grid_poses import GridPose
from vision.lab.simulate.simulated_camera import SimulatedCamera
from vision.lab.simulate.standing_figures import Lamp, Profile, SimulatedFigure, draw_figures
from vision.lab.simulate.table_canvas import (
    UNIT_MM,
    Occupied,
    Shadow,
    Spot,
    TableCanvas,
    halves,
    rectangle,
    widen,
)

_FREE_TILE_MM: Final = 4.0
"""Thickness of a free tile of cardboard, which casts the shadow at its edge."""
_CARD_MM: Final = 2.0
"""Thickness of tiles and cards on a board."""
_PAWN_MM: Final = (10.0, 20.0)
_PAWN_COLOURS: Final = ((40, 40, 45), (235, 240, 240), (60, 160, 235), (150, 60, 130))
_HEAP_TRIES: Final = 150
_FULL_TURN: Final = 2 * np.pi


@dataclass(frozen=True, slots=True, eq=False)
class LaidPiece:
    """Piece beside the cells; its corners on the plane begin at its picture's top left."""

    container: str
    number: int
    face: str
    corners: Corners
    in_heap: bool


@dataclass(frozen=True, slots=True, eq=False)
class LaidStray:
    """Left-over tile; its corners on the plane begin at its picture's top left."""

    face: str
    corners: Corners


@dataclass(slots=True, eq=False)
class LaidGrid:
    """Grid on the table.

    Attributes:
        content: Contents of the grid.
        pose: Pose of the grid.
        tiles: Corners on the plane by (row, column) of the tile, in the order of the grid.
        wrong: Quarter turns of tiles that lie the wrong way; 0 for those clearly off their axes.
        feet: Points of the plane where figures stand, by cell.
        pieces: Pieces beside the cells.
    """

    content: GridContent
    pose: GridPose
    tiles: dict[Cell, Corners] = field(default_factory=dict)
    wrong: dict[Cell, int] = field(default_factory=dict)
    feet: dict[Cell, Spot] = field(default_factory=dict)
    pieces: list[LaidPiece] = field(default_factory=list)


class LaidTable(TableCanvas):
    """Table being laid, with the edition of its tiles, a lamp and a form of figures."""

    def __init__(
        self,
        edition: Edition,
        table_top: Image,
        camera: SimulatedCamera,
        lamp: Lamp,
        profile: Profile,
    ) -> None:
        super().__init__(table_top, camera)
        self.edition, self.lamp, self.profile = edition, lamp, profile

    @property
    def tile_shadow(self) -> Shadow:
        """Shadow of a tile or card."""
        is_free = self.edition.description.board is None
        return self.lamp.shadow(_FREE_TILE_MM if is_free else _CARD_MM)


def choose_wrong(rng: Rng, table: LaidTable, grids: Sequence[LaidGrid], count: int) -> None:
    """Choose the single tiles that lie the wrong way, or askew if they may lie any way."""
    tiles = [
        (grid, cell)
        for grid in grids
        for cell, _name in grid.content.laid
        if not any(cell in pair for pair in grid.content.duplexes)
    ]
    upright = table.edition.description.tile_turns is TileTurns.UPRIGHT
    for grid, cell in shuffle(rng, tiles)[:count]:
        grid.wrong[cell] = int(rng.choice([1, 2, 2, 3])) if upright else 0


def lay_tiles(rng: Rng, table: LaidTable, grid: LaidGrid) -> None:
    """Lay the tiles of a grid."""
    most = 0.1 if table.edition.description.board is None else 0.3
    names, partner = dict(grid.content.laid), dict(grid.content.duplexes)
    for cell, name in names.items():
        if cell in partner.values():
            continue  # laid with its other half
        wrong, last, slant = grid.wrong.get(cell), partner.get(cell), 0.0
        if wrong == 0:
            slant = float(rng.choice([-1, 1]) * rng.uniform(0.05, most))
        corners = grid.pose.careless_tile(rng, cell, slant, last)
        if last is None:
            turns = (grid.content.turns[cell[0]][cell[1]] or 0) + (wrong or 0)
            grid.tiles[cell] = corners
            lay_piece(rng, table, name, np.roll(corners, -turns, axis=0))
            continue
        grid.tiles[cell], grid.tiles[last] = halves(corners)
        first, second = (_picture(rng, table, names[half]) for half in (cell, last))
        second = np.asarray(cv2.resize(second, first.shape[1::-1]), np.uint8)
        both = np.concatenate([first, second], axis=int(cell[0] == last[0]))
        table.lay(both, corners, table.tile_shadow)


def lay_piece(rng: Rng, table: LaidTable, face: str, corners: Corners) -> None:
    """Lay a tile or card; ``corners`` begin at its picture's top left."""
    table.lay(_picture(rng, table, face), corners, table.tile_shadow)


def _picture(rng: Rng, table: LaidTable, face: str) -> Image:
    """Choose one of the pictures of a face."""
    return one_of(rng, table.edition.pictures[face])


def lay_slots(rng: Rng, table: LaidTable, board: BoardDescription, grid: LaidGrid) -> None:
    """Lay the pieces in slots, mostly upright."""
    pose = grid.pose
    for slots in board.slots:
        for number in range(slots.count):
            face = grid.content.slots.get((slots.name, number))
            if face is None:
                continue
            spot = floats(slots.first_mm) + number * floats(slots.step_mm)
            x, y = (spot + rng.normal(0, pose.shift_mm, 2)).tolist()
            turn = int(rng.integers(4)) * np.pi / 2 if rng.random() < 0.25 else 0.0
            twist, size = turn + float(rng.normal(0, pose.twist)), (pose.tile_mm,) * 2
            corners = pose.rectangle((x, y), size, twist)
            lay_piece(rng, table, face, corners)
            grid.pieces.append(LaidPiece(slots.name, number, face, corners, in_heap=False))


def lay_heaps(
    rng: Rng, table: LaidTable, board: BoardDescription, grid: LaidGrid, overlapping: int
) -> None:
    """Lay the pieces in heaps, at any angle; ``overlapping`` of them may overlap others."""
    taken = Occupied()
    for heap in board.heaps:
        laid = 0
        for face in grid.content.heaps.get(heap.name, ()):
            corners = _heap_spot(rng, grid.pose, heap, taken, anywhere=overlapping > 0)
            overlapping -= 1
            if corners is None:
                continue
            taken.take(corners)
            lay_piece(rng, table, face, corners)
            grid.pieces.append(LaidPiece(heap.name, laid, face, corners, in_heap=True))
            laid += 1
        table.occupied.take(grid.pose.area(*heap.area_mm))


def _heap_spot(
    rng: Rng, pose: GridPose, heap: Heap, taken: Occupied, *, anywhere: bool
) -> Corners | None:
    """Find a place for a piece wholly in the area of a heap; None if there is no room."""
    left, top, right, bottom = heap.area_mm
    for _ in range(_HEAP_TRIES):
        angle = float(rng.uniform(0, _FULL_TURN))
        reach = pose.tile_mm / 2 * (abs(np.cos(angle)) + abs(np.sin(angle)))
        if right - left < 2 * reach or bottom - top < 2 * reach:
            continue
        x, y = rng.uniform((left + reach, top + reach), (right - reach, bottom - reach)).tolist()
        corners = pose.rectangle((x, y), (pose.tile_mm,) * 2, angle)
        if anywhere or taken.is_free(widen(corners, 0.02)):
            return corners
    return None


def cell_corners(table: LaidTable, grid: LaidGrid, cell: Cell) -> Corners:
    """Return the corners of a cell on the plane, a part of its tile or of a cell without one."""
    down, across = table.edition.description.tile_cells
    of_tile = cell[0] // down, cell[1] // across
    tile = grid.tiles.get(of_tile, grid.pose.tile(of_tile))
    inner = floats([(0, 0), (1, 0), (1, 1), (0, 1)]) + floats([cell[1] % across, cell[0] % down])
    sides = floats([tile[1] - tile[0], tile[3] - tile[0]])
    return floats(tile[0] + floats(inner / (across, down)) @ sides)


def stand_tokens(rng: Rng, table: LaidTable, grids: Sequence[LaidGrid]) -> None:
    """Stand the figures of all grids on their cells and beside the grids."""
    kinds = {token.kind: token for token in table.edition.description.tokens}

    def figure(kind: str, foot: Spot) -> SimulatedFigure:
        token = kinds[kind]
        return SimulatedFigure(
            foot, token.foot_mm, token.height_mm, token.colour_bgr, table.profile
        )

    on_cells: list[SimulatedFigure] = []
    beside: list[SimulatedFigure] = []
    for grid in grids:
        for cell, kind in grid.content.tokens:
            grid.feet[cell] = _foot(rng, cell_corners(table, grid, cell), kinds[kind].foot_mm)
            on_cells.append(figure(kind, grid.feet[cell]))
        for kind in grid.content.idle_tokens:
            spot = _idle_spot(rng, table, grid.pose, kinds[kind].foot_mm)
            if spot is not None:
                beside.append(figure(kind, spot))
    draw_figures(table, beside, table.lamp, hiding=True)
    draw_figures(table, on_cells, table.lamp)


def _foot(rng: Rng, corners: Corners, foot_mm: float) -> Spot:
    """Return a random point on a cell for a figure."""
    sides = floats([corners[1] - corners[0], corners[3] - corners[0]])
    edge = float(np.hypot(*sides[0]))
    slack = max(0.0, (edge - foot_mm / UNIT_MM) / 2) * 0.8
    off = np.clip(rng.normal(0, slack / 2, 2), -slack, slack) / edge
    x, y = (corners.mean(axis=0) + floats(off) @ sides).tolist()
    return x, y


def _idle_spot(rng: Rng, table: LaidTable, pose: GridPose, foot_mm: float) -> Spot | None:
    """Find a free place near a grid for a figure; None if there is none."""
    (x, y), size = pose.centre, foot_mm / UNIT_MM
    radius = float(np.hypot(*(pose.outline[0] - (x, y))))
    for _ in range(30):
        angle, reach = float(rng.uniform(0, _FULL_TURN)), radius * float(rng.uniform(0.75, 1.15))
        spot = x + reach * float(np.cos(angle)), y + reach * float(np.sin(angle))
        corners = rectangle(spot, 0.0, (size, size))
        if table.occupied.is_free(widen(corners, 0.15)):
            table.occupied.take(corners)
            return spot
    return None


def stand_pawns(rng: Rng, table: LaidTable, grid: LaidGrid) -> None:
    """Stand two pawns on the edge numbers of its board, one for the row, one for the column."""
    pose = grid.pose
    first, step = floats(pose.first_mm), floats(pose.step_mm)
    edge = (first - step / 2) / 2
    if edge.min() < _PAWN_MM[0] / 2:
        return
    row, column = int(rng.integers(pose.rows)), int(rng.integers(pose.columns))
    on = first + step * (column, row)
    feet = pose.to_plane([(edge[0], on[1]), (on[0], edge[1])]).tolist()
    figures = [
        SimulatedFigure((x, y), *_PAWN_MM, colour, table.profile)
        for (x, y), colour in zip(feet, shuffle(rng, _PAWN_COLOURS), strict=False)
    ]
    draw_figures(table, figures, table.lamp, hiding=True)
