"""Lay boards, tiles, pieces and figures onto a simulated table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, FloatImage, Image, floats
from vision.editions.description import BoardDescription, Heap, Turned
from vision.editions.edition import Edition
from vision.simulate.canvas import UNIT_MM, Canvas, Occupied, Shadow, Spot, rectangle, widened
from vision.simulate.content import GridContent, shuffled
from vision.simulate.layout import GridPlace
from vision.simulate.standing import PROFILES, Figure, Lamp, Profile, stand

_FREE_TILE_MM: Final = 4.0
"""Thickness of cardboard under a low lamp, which tells most where one tile ends."""
_CARD_MM: Final = 2.0
"""Of what lies on a board."""
_BOARD_THICK_MM: Final = 3.0
_PAWN_MM: Final = (10.0, 20.0)
_PAWN_COLOURS: Final = ((40, 40, 45), (235, 240, 240), (60, 160, 235), (150, 60, 130))
_HEAP_TRIES: Final = 150
_ROUND_TURN: Final = 2 * np.pi


@dataclass(frozen=True, slots=True, eq=False)
class LaidPiece:
    """A piece beside the cells; its corners on the plane begin at its picture's top left."""

    place: str
    number: int
    face: str
    corners: Corners
    in_heap: bool


@dataclass(frozen=True, slots=True, eq=False)
class LaidStray:
    """A left-over tile; its corners on the plane begin at its picture's top left."""

    face: str
    corners: Corners


@dataclass(slots=True, eq=False)
class LaidGrid:
    """A grid on the table.

    Attributes:
        content: of it.
        place: where it lies.
        tiles: corners on the plane by (row, column) of the tile, in the order of the grid.
        wrong: quarter turns of tiles that lie the wrong way; 0: clearly off their axes.
        feet: where figures stand on the plane, by cell.
        pieces: what lies beside the cells.
    """

    content: GridContent
    place: GridPlace
    tiles: dict[Cell, Corners] = field(default_factory=dict)
    wrong: dict[Cell, int] = field(default_factory=dict)
    feet: dict[Cell, Spot] = field(default_factory=dict)
    pieces: list[LaidPiece] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Tabletop:
    """A table being laid.

    Attributes:
        edition: whose pictures the tiles have.
        canvas: the picture.
        lamp: the light on it.
        hidden: how much of each pixel (h, w) something covers that is no tile and no token.
        profile: form of its figures.
        occupied: where something lies.
    """

    edition: Edition
    canvas: Canvas
    lamp: Lamp
    hidden: FloatImage
    profile: Profile = PROFILES[0]
    occupied: Occupied = field(default_factory=Occupied)

    @property
    def tile_shadow(self) -> Shadow:
        """Of a tile or card."""
        is_free = self.edition.description.board is None
        return self.lamp.shadow(_FREE_TILE_MM if is_free else _CARD_MM)

    def hide(self, covered: FloatImage) -> None:
        """Take note that something covers these parts (h, w) of pixels, 0 to 1."""
        self.hidden = floats(1 - (1 - self.hidden) * (1 - covered))


def lay_board(table: Tabletop, board: BoardDescription, grid: LaidGrid) -> None:
    """Lay the board of a grid."""
    if table.edition.board is not None:
        corners = grid.place.frame.area(0, 0, *board.size_mm)
        table.canvas.lay(table.edition.board, corners, table.lamp.shadow(_BOARD_THICK_MM))


def choose_wrong(
    rng: np.random.Generator, table: Tabletop, grids: Sequence[LaidGrid], count: int
) -> None:
    """Decide which single tiles lie the wrong way, or askew where they may lie any way."""
    tiles = [
        (grid, cell)
        for grid in grids
        for cell, _name in grid.content.laid
        if not any(cell in pair for pair in grid.content.duplexes)
    ]
    upright = table.edition.description.turned is Turned.UPRIGHT
    for grid, cell in shuffled(rng, tiles)[:count]:
        grid.wrong[cell] = int(rng.choice([1, 2, 2, 3])) if upright else 0


def lay_tiles(rng: np.random.Generator, table: Tabletop, grid: LaidGrid) -> None:
    """Lay the tiles of a grid."""
    most = 0.1 if table.edition.description.board is None else 0.3
    names = dict(grid.content.laid)
    partner = dict(grid.content.duplexes)
    for cell, name in names.items():
        if cell in partner.values():
            continue  # laid with its other half
        wrong, slant = grid.wrong.get(cell), 0.0
        if wrong == 0:
            slant = float(rng.choice([-1, 1]) * rng.uniform(0.05, most))
        corners = grid.place.careless_tile(rng, cell, slant, partner.get(cell))
        if cell not in partner:
            turns = (grid.content.turns[cell[0]][cell[1]] or 0) + (wrong or 0)
            grid.tiles[cell] = corners
            lay_piece(rng, table, name, np.roll(corners, -turns, axis=0))
            continue
        last = partner[cell]
        grid.tiles[cell], grid.tiles[last] = _halves(corners)
        first, second = (_picture(rng, table, names[half]) for half in (cell, last))
        second = np.asarray(cv2.resize(second, first.shape[1::-1]), np.uint8)
        both = np.concatenate([first, second], axis=int(cell[0] == last[0]))
        table.canvas.lay(both, corners, table.tile_shadow)


def _halves(corners: Corners) -> tuple[Corners, Corners]:
    """The two squares of a rectangle, the left and right or the upper and lower one."""
    first, second, third, fourth = corners
    if np.hypot(*(second - first)) > np.hypot(*(fourth - first)):
        top, bottom = (first + second) / 2, (fourth + third) / 2
        return floats([first, top, bottom, fourth]), floats([top, second, third, bottom])
    left, right = (first + fourth) / 2, (second + third) / 2
    return floats([first, second, right, left]), floats([left, right, third, fourth])


def lay_piece(rng: np.random.Generator, table: Tabletop, face: str, corners: Corners) -> None:
    """Lay a tile or card; ``corners`` begin at its picture's top left."""
    picture = _picture(rng, table, face)
    table.canvas.lay(picture, corners, table.tile_shadow)


def _picture(rng: np.random.Generator, table: Tabletop, face: str) -> Image:
    """One of the pictures of a face."""
    pictures = table.edition.pictures[face]
    return pictures[int(rng.integers(len(pictures)))]


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
        table.occupied.take(grid.place.frame.area(*heap.area_mm))


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
    table.hide(stand(table.canvas, beside, table.lamp))
    stand(table.canvas, on_cells, table.lamp)


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
        if table.occupied.is_free(widened(corners, 0.15)):
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
    table.hide(stand(table.canvas, figures, table.lamp))
