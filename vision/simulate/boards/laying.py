"""Lay boards, tiles, pieces and figures onto the canvas of a simulated table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, FloatImage, Image, floats
from vision.editions.description import BoardDescription, Heap
from vision.editions.edition import Edition
from vision.simulate.boards.camera import Camera
from vision.simulate.boards.content import shuffled
from vision.simulate.boards.laid import LaidGrid, LaidPiece
from vision.simulate.boards.placing import area_outline, board_outline
from vision.simulate.boards.plane import UNIT_MM, Occupied, Spot, widened
from vision.simulate.boards.standing import PROFILES, Figure, Lamp, Profile, stand
from vision.simulate.mishaps import cover_tile
from vision.simulate.scene import TableCanvas, opaque, rectangle

TILE_THICK_MM: Final = 2.0
_BOARD_THICK_MM: Final = 3.0
_PAWN_MM: Final = (10.0, 20.0)
_PAWN_COLOURS: Final = ((40, 40, 45), (235, 240, 240), (60, 160, 235), (150, 60, 130))
_HEAP_TRIES: Final = 150
_ROUND_TURN: Final = 2 * np.pi


@dataclass(slots=True, eq=False)
class Tabletop:
    """A table being laid.

    Attributes:
        edition: whose pictures the tiles have.
        canvas: the picture.
        camera: that sees it.
        lamp: the light on it.
        hidden: how much of each pixel (h, w) something covers that is no tile and no token.
        occupied: where something lies.
        profile: form of its figures.
    """

    edition: Edition
    canvas: TableCanvas
    camera: Camera
    lamp: Lamp
    hidden: FloatImage
    occupied: Occupied = field(default_factory=Occupied)
    profile: Profile = PROFILES[0]

    def hide(self, covered: FloatImage) -> None:
        """Take note that something covers these parts (h, w) of pixels, 0 to 1."""
        self.hidden = floats(1 - (1 - self.hidden) * (1 - covered))


def lay_board(table: Tabletop, board: BoardDescription, picture: Image, grid: LaidGrid) -> None:
    """Lay the board of a grid."""
    corners = board_outline(board, grid.place.frame)
    table.canvas.lay(opaque(picture), corners, table.lamp.shadow(_BOARD_THICK_MM))


def lay_tiles(
    rng: np.random.Generator, table: Tabletop, grid: LaidGrid, askew: Sequence[Cell]
) -> None:
    """Lay the tiles of a grid, those ``askew`` clearly turned in their places."""
    free = table.edition.description.board is None
    for row, names in enumerate(grid.content.tiles):
        for column, name in enumerate(names):
            if name is None:
                continue
            slant = 0.0
            if (row, column) in askew:
                slant = float(rng.choice([-1, 1]) * rng.uniform(0.05, 0.1 if free else 0.3))
                grid.askew.append((row, column))
            corners = grid.place.careless_tile(rng, (row, column), slant)
            turns = grid.content.turns[row][column] or 0
            lay_piece(rng, table, name, np.roll(corners, -turns, axis=0))
            grid.tiles[row, column] = corners


def lay_piece(rng: np.random.Generator, table: Tabletop, face: str, corners: Corners) -> None:
    """Lay a tile or card; ``corners`` begin at its picture's top left."""
    pictures = table.edition.pictures[face]
    picture = pictures[int(rng.integers(len(pictures)))]
    table.canvas.lay(opaque(picture), corners, table.lamp.shadow(TILE_THICK_MM))


def lay_slots(
    rng: np.random.Generator, table: Tabletop, board: BoardDescription, grid: LaidGrid
) -> None:
    """Lay what lies in slots, mostly upright."""
    for slots in board.slots:
        for number in range(slots.count):
            face = grid.content.slots.get((slots.name, number))
            if face is None:
                continue
            off = rng.normal(0, grid.place.shift_mm, 2)
            x = slots.first_mm[0] + number * slots.step_mm[0] + float(off[0])
            y = slots.first_mm[1] + number * slots.step_mm[1] + float(off[1])
            turn = int(rng.integers(4)) * np.pi / 2 if rng.random() < 0.25 else 0.0
            size = grid.place.tile_mm
            twist = turn + float(rng.normal(0, grid.place.twist))
            corners = grid.place.frame.rectangle((x, y), (size, size), twist)
            lay_piece(rng, table, face, corners)
            grid.pieces.append(LaidPiece(slots.name, number, face, corners, in_heap=False))


def lay_heaps(
    rng: np.random.Generator,
    table: Tabletop,
    board: BoardDescription,
    grid: LaidGrid,
    overlapping: int,
) -> None:
    """Lay what lies in heaps, at any angle; so many of the pieces may overlap others."""
    taken = Occupied()
    for heap in board.heaps:
        laid = 0
        for face in grid.content.heaps.get(heap.name, ()):
            corners = _heap_place(rng, grid, heap, taken, anywhere=overlapping > 0)
            overlapping -= 1
            if corners is None:
                continue
            taken.take(corners)
            lay_piece(rng, table, face, corners)
            grid.pieces.append(LaidPiece(heap.name, laid, face, corners, in_heap=True))
            laid += 1
        table.occupied.take(area_outline(heap.area_mm, grid.place.frame))


def _heap_place(
    rng: np.random.Generator, grid: LaidGrid, heap: Heap, taken: Occupied, *, anywhere: bool
) -> Corners | None:
    """Where a piece lies wholly in the area of a heap; None: there is no room for it."""
    left, top, right, bottom = heap.area_mm
    size = grid.place.tile_mm
    for _ in range(_HEAP_TRIES):
        angle = float(rng.uniform(0, _ROUND_TURN))
        reach = size / 2 * (abs(np.cos(angle)) + abs(np.sin(angle)))
        if right - left < 2 * reach or bottom - top < 2 * reach:
            continue
        x, y = rng.uniform((left + reach, top + reach), (right - reach, bottom - reach))
        corners = grid.place.frame.rectangle((float(x), float(y)), (size, size), angle)
        if anywhere or taken.is_free(widened(corners, 0.02)):
            return corners
    return None


def cover(rng: np.random.Generator, table: Tabletop, grids: Sequence[LaidGrid], count: int) -> None:
    """Lay things of their usual size on so many tiles."""
    tiles = [corners for grid in grids for corners in grid.tiles.values()]
    for corners in shuffled(rng, tiles)[:count]:
        about = rectangle(corners.mean(axis=0), 0.0, (1.0, 1.0))
        table.hide(cover_tile(rng, table.canvas, about))


def stand_tokens(rng: np.random.Generator, table: Tabletop, grids: Sequence[LaidGrid]) -> None:
    """Stand the figures of all grids on their cells and beside the grids."""
    kinds = {token.kind: token for token in table.edition.description.tokens}

    def figure(kind: str, foot: Spot) -> Figure:
        token = kinds[kind]
        return Figure(foot, token.foot_mm, token.height_mm, token.colour_bgr, table.profile)

    on_cells: list[Figure] = []
    beside: list[Figure] = []
    for grid in grids:
        for cell, kind in grid.content.tokens:
            grid.feet[cell] = _foot(rng, table, grid, cell, kinds[kind].foot_mm)
            on_cells.append(figure(kind, grid.feet[cell]))
        for kind in grid.content.idle_tokens:
            spot = _idle_place(rng, table, grid, kinds[kind].foot_mm)
            if spot is not None:
                beside.append(figure(kind, spot))
    table.hide(stand(table.canvas, table.camera, beside, table.lamp))
    stand(table.canvas, table.camera, on_cells, table.lamp)


def cell_corners(table: Tabletop, grid: LaidGrid, cell: Cell) -> Corners:
    """The corners of a cell on the plane, part of its tile or of the place without one."""
    down, across = table.edition.description.tile_cells
    of_tile = cell[0] // down, cell[1] // across
    tile = grid.tiles.get(of_tile, grid.place.tile(of_tile))
    origin, right, below = tile[0], tile[1] - tile[0], tile[3] - tile[0]
    rows = np.float32(cell[0] % down / down), np.float32((cell[0] % down + 1) / down)
    columns = np.float32(cell[1] % across / across), np.float32((cell[1] % across + 1) / across)
    spots = ((0, 0), (0, 1), (1, 1), (1, 0))
    return floats([origin + right * columns[c] + below * rows[r] for r, c in spots])


def _foot(
    rng: np.random.Generator, table: Tabletop, grid: LaidGrid, cell: Cell, foot_mm: float
) -> Spot:
    """Where on its cell a figure stands."""
    corners = cell_corners(table, grid, cell)
    middle = corners.mean(axis=0)
    edge = float(np.hypot(*(corners[1] - corners[0])))
    slack = max(0.0, (edge - foot_mm / UNIT_MM) / 2) * 0.8
    off = np.clip(rng.normal(0, slack / 2, 2), -slack, slack)
    along = (corners[1] - corners[0]) / edge, (corners[3] - corners[0]) / edge
    spot = middle + along[0] * np.float32(off[0]) + along[1] * np.float32(off[1])
    return float(spot[0]), float(spot[1])


def _idle_place(
    rng: np.random.Generator, table: Tabletop, grid: LaidGrid, foot_mm: float
) -> Spot | None:
    """Free table near a grid for a figure; None: there is none."""
    size = foot_mm / UNIT_MM
    centre, outline = grid.place.frame.centre, grid.place.outline
    radius = float(np.hypot(*(outline[0] - floats(centre))))
    for _ in range(30):
        angle, reach = float(rng.uniform(0, _ROUND_TURN)), radius * float(rng.uniform(0.75, 1.15))
        spot = centre[0] + reach * np.cos(angle), centre[1] + reach * np.sin(angle)
        corners = rectangle(spot, 0.0, (size, size))
        if table.occupied.is_free(widened(corners, 0.12)):
            table.occupied.take(corners)
            return float(spot[0]), float(spot[1])
    return None


def stand_pawns(rng: np.random.Generator, table: Tabletop, grid: LaidGrid) -> None:
    """Stand two pawns on the edge numbers of its board, one for the row, one for the column."""
    place = grid.place
    left = (place.first_mm[0] - place.step_mm[0] / 2) / 2
    top = (place.first_mm[1] - place.step_mm[1] / 2) / 2
    if min(left, top) < _PAWN_MM[0] / 2:
        return
    row, column = int(rng.integers(place.rows)), int(rng.integers(place.columns))
    spots = (
        (left, place.first_mm[1] + row * place.step_mm[1]),
        (place.first_mm[0] + column * place.step_mm[0], top),
    )
    colours = shuffled(rng, _PAWN_COLOURS)
    figures = []
    for spot, colour in zip(place.frame.placed(spots), colours, strict=False):
        foot = float(spot[0]), float(spot[1])
        figures.append(Figure(foot, *_PAWN_MM, colour, table.profile))
    table.hide(stand(table.canvas, table.camera, figures, table.lamp))
