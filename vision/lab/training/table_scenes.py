"""Training scenes of the locator: tables with random tiles, and things that resemble tiles.

Plane coordinates are in tile widths, the origin under the picture's middle, y down as seen from
above; heights count upwards in tile widths. Pixels have (0, 0) at the centre of the top left one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Floats, Image, floats
from vision.lab.simulate.drawing import Colour, Rng, Sketch, one_of, vary_colour
from vision.lab.simulate.grid_poses import GridPose
from vision.lab.simulate.light import photograph
from vision.lab.simulate.props import PROPS, random_prop
from vision.lab.simulate.simulated_camera import CameraAngles, SimulatedCamera, SimulatedLens
from vision.lab.simulate.standing_figures import (
    CIRCLE,
    Lamp,
    Profile,
    SimulatedFigure,
    draw_figures,
)
from vision.lab.simulate.table_canvas import UNIT_MM, Spot, TableCanvas, halves, opaque, rectangle
from vision.lab.simulate.table_tops import table_top
from vision.lab.simulate.texture import clouds, ramp, shaded
from vision.lab.training.printed_boards import (
    PrintedBoard,
    draw_lookalike_board,
    draw_printed_board,
)
from vision.lab.training.tile_families import Family, FamilyPool, any_background, random_tile_colour

SCENE_PX = 512
TILE_PX = 15.0, 120.0
_TRIES = 6
"""Number of places that are tried for a group or a single tile."""
_THINGS = [name for name in PROPS if not name.startswith("face-down")]


class QuadKind(IntEnum):
    """Kind of a quad in a scene."""

    TILE = 0
    PLOT = 1
    """A plot of a printed board; what lies on it is a quad of its own."""
    DRAWN_PLOT = 4
    """A plot of a printed board that is drawn like a tile."""
    FACE_DOWN = 2
    """A single tile face down: may be taken for a tile or not."""
    LIKE_PLOTS = 3
    """A whole print such as keys or a calendar: its cells may be taken for plots or not."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Photo of a made-up table, with its labels.

    Attributes:
        image: Photo (h, w, 3).
        kinds: Values (n,) of ``QuadKind``.
        quads_px: Quads (n, 4, 2): top faces of tiles; plots as printed.
        covered: Mask (h, w), 255 where something stands or lies on the tiles.
    """

    image: Image
    kinds: NDArray[np.int64]
    quads_px: NDArray[np.float32]
    covered: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TileSet:
    """Tiles of one family as they lie on a table.

    Attributes:
        family: Faces and cut of the tiles.
        thick: Thickness in tile widths.
        shade: Darkness of their shadows, 0 to 1.
    """

    family: Family
    thick: float
    shade: float


class LabelledTable(TableCanvas):
    """Picture of a table being laid, which records the quads laid on it as labels."""

    def __init__(self, rng: Rng, background: Image, camera: SimulatedCamera) -> None:
        super().__init__(background, camera)
        self.lamp = Lamp.random(rng)
        self.quads: list[Corners] = []
        self.kinds: list[QuadKind] = []
        self.plane_quads: list[Corners] = []

    def record_quad(self, corners: Corners, kind: QuadKind, height: float = 0.0) -> None:
        """Record a quad and its kind."""
        self.quads.append(self.camera.to_ideal_px(corners, height))
        self.kinds.append(kind)
        self.plane_quads.append(corners)

    def shows(self, corners: Corners) -> bool:
        """Return whether a part of this quad can be in the picture."""
        if not self.camera.has_in_front(corners):
            return False
        quad, size_wh = self.camera.to_ideal_px(corners), self.image.shape[1::-1]
        return bool((quad.max(axis=0) > 0).all() and (quad.min(axis=0) < size_wh).all())

    def lay_tile(self, picture: Image, corners: Corners, tiles: TileSet, *kinds: QuadKind) -> None:
        """Lay a tile or, with two kinds, a duplex tile; record it unless no kind is given."""
        if not self.shows(corners):
            return
        sprite, (h, w) = opaque(picture), picture.shape[:2]
        if tiles.family.rounded:
            mask = np.zeros((h, w, 1), np.uint8)
            Sketch(mask, 1).box(0, 0, w, h, (255, 0, 0), tiles.family.rounded * min(h, w))
            sprite[..., 3:] = mask
        high = tiles.thick + 0.06
        shadow = self.lamp.away[0] * high, self.lamp.away[1] * high, tiles.shade
        if tiles.thick:
            self.lay(np.full((4, 4, 4), (*tiles.family.side, 255), np.uint8), corners, shadow)
            foot, top = (
                self.camera.to_ideal_px(corners),
                self.camera.to_ideal_px(corners, tiles.thick),
            )
            for n in range(4):
                wall = floats([foot[n], foot[(n + 1) % 4], top[(n + 1) % 4], top[n]])
                light = 0.6 + 0.5 * abs(float(np.sin(n * 1.3 + 1)))
                colour = [min(255.0, v * light) for v in tiles.family.side]
                cv2.fillPoly(
                    self.image, [np.rint(wall * 16).astype(np.int32)], colour, cv2.LINE_8, 4
                )
        self.lay(
            sprite,
            corners,
            (*shadow[:2], 0.0 if tiles.thick else tiles.shade),
            tiles.thick,
        )
        quads = halves(corners) if len(kinds) == 2 else (corners,)
        for quad, kind in zip(quads, kinds, strict=False):
            self.record_quad(quad, kind, tiles.thick)

    def lay_prop(
        self,
        rng: Rng,
        spot: Spot,
        longest: float,
        names: Sequence[str] = _THINGS,
        *,
        cover: bool = False,
    ) -> None:
        """Lay a random prop, at most ``longest`` tile widths long."""
        prop = random_prop(rng, float(np.clip(self.camera.unit_px, 16, 90)), one_of(rng, names))
        wide, tall = prop.size_tiles
        scale = min(float(np.exp(rng.normal(0, 0.25))), longest / max(wide, tall))
        corners = rectangle(spot, float(rng.uniform(0, 2 * np.pi)), (wide * scale, tall * scale))
        lay = self.cover if cover else self.lay
        lay(prop.image_bgra, corners, (0.05, 0.06, float(rng.uniform(0.2, 0.6))))


def make_figures(
    rng: Rng, feet: Sequence[Spot], foot: float, paints: Sequence[Colour]
) -> list[SimulatedFigure]:
    """Make figures of one random form, slightly varied, with feet ``foot`` tile widths wide."""
    neck, head = float(rng.uniform(0.25, 0.6)), float(rng.uniform(0.4, 0.75))
    ball = [(0.8 + 0.2 * np.sin(a), head * np.cos(a)) for a in np.linspace(-0.9, 1.5, 9)]
    forms: tuple[Profile, ...] = (
        ((0, 1), (0.1, 1), (0.25, 0.62), (0.6, neck), *ball),  # a pawn
        ((0, 0.95), (0.5, head), (0.62, neck), *ball),  # a person
        ((0, 1), (1, float(rng.uniform(0.1, 0.6)))),  # a cone, a crown
        ((0, 1), (1, 1)),  # a cylinder, a cube, a wall
        ((0, 1), (0.4, 0.75), (0.6, 1), (0.8, 0.6), (1, 0.5)),
    )
    profile, outline = one_of(rng, forms), CIRCLE
    if rng.random() < 0.35:
        sides = 1.7, 1.7 * float(rng.choice([1.0, 0.4]))
        outline = rectangle((0, 0), float(rng.uniform(0, np.pi)), sides)
    tall = foot * (0.2 if rng.random() < 0.12 else float(rng.uniform(0.5, 2.4)))
    return [
        SimulatedFigure(
            spot,
            foot * UNIT_MM * float(np.exp(rng.normal(0, 0.08))),
            tall * UNIT_MM * float(np.exp(rng.normal(0, 0.06))),
            one_of(rng, paints) if rng.random() < 0.4 else paints[0],
            profile,
            outline,
        )
        for spot in feet
    ]


def draw_background(rng: Rng, side: int, tile_px: float, like: Family) -> Image:
    """Draw a table, cloth, carpet, mat, or a background of the tiles' colour."""
    chance = rng.random()
    if chance < 0.68:
        return table_top(rng, (side, side), tile_px * float(np.exp(rng.normal(0, 0.35))))
    if chance < 0.76:  # carpet: pile under uneven light
        base, fine, broad = (
            random_tile_colour(rng),
            float(rng.uniform(2, 9)),
            float(rng.uniform(40, 200)),
        )
        pile = clouds(rng, (side, side), fine, 2) + clouds(rng, (side, side), broad, 2) * 0.5
        return ramp(
            floats(pile), -2.5, 2.5, [vary_colour(base, rng, 50), base, vary_colour(base, rng, 50)]
        )
    colour = random_tile_colour(rng)
    if chance > 0.86:
        blue, green, red = like.tile(rng).mean(axis=(0, 1)).astype(int).tolist()
        colour = blue, green, red
    small = any_background(rng)(rng, colour, side // 4)  # as plain as felt or as rich as a photo
    large = np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.uint8)
    return shaded(large, clouds(rng, (side, side), 3.0, 1), float(rng.uniform(0, 5)))


def _random_cells(rng: Rng) -> tuple[tuple[int, int], list[tuple[int, int]]]:
    """Return rows and columns of a group, and the cells that have a tile."""
    rows, columns = (4, 4) if rng.random() < 0.35 else (int(v) for v in rng.integers(2, 10, 2))
    cells, chance = [(r, c) for r in range(rows) for c in range(columns)], rng.random()
    if chance < 0.2:
        kept = len(cells) - int(rng.integers(1, max(2, len(cells) // 2)))
        cells = [cells[n] for n in rng.permutation(len(cells))[:kept].tolist()]
    elif chance < 0.35:  # grown, as in games where tiles are added one by one
        grown = [(rows // 2, columns // 2)]
        for _ in cells:
            (row, column), (down, right) = (
                one_of(rng, grown),
                one_of(rng, ((0, 1), (1, 0), (0, -1), (-1, 0))),
            )
            new = row + down, column + right
            if new in cells and new not in grown:
                grown.append(new)
        cells = grown
    return (rows, columns), cells


def lay_group(
    rng: Rng, table: LabelledTable, tiles: TileSet, pose: GridPose, cells: list[tuple[int, int]]
) -> None:
    """Lay tiles edge to edge in rows and columns, as careful or careless hands do."""
    box, uneven, pairs = tiles.family, abs(rng.normal(0, 0.05)), rng.random() < 0.35
    backs = 0.1 if rng.random() < 0.06 else 0.0
    waiting = [cells[n] for n in rng.permutation(len(cells)).tolist()]
    while waiting:
        first = last = waiting.pop()
        pictures = [box.back if rng.random() < backs else box.tile(rng)]
        if pairs and rng.random() < 0.85:
            near = [(first[0], first[1] + 1), (first[0] + 1, first[1])]
            last = next((cell for cell in near if cell in waiting), first)
        if last != first:
            waiting.remove(last)
            pictures.append(pictures[0][:, ::-1] if rng.random() < 0.35 else box.tile(rng))
        picture = np.concatenate(pictures, axis=int(first[0] == last[0]))
        lit = cv2.convertScaleAbs(picture, alpha=float(np.exp(rng.normal(0, uneven))))
        corners = pose.careless_tile(rng, first, last=last)
        table.lay_tile(np.asarray(lit, np.uint8), corners, tiles, *[QuadKind.TILE] * len(pictures))


def lay_board(
    rng: Rng, table: LabelledTable, board: PrintedBoard, tiles: TileSet, centre: Spot
) -> None:
    """Lay a printed board, with tiles on some of its plots."""
    cell = UNIT_MM * float(rng.uniform(1.0, 1.15) if board.has_plots else rng.uniform(0.35, 1.0))
    (wide, tall), first = (
        (floats(board.size) * cell).tolist(),
        (floats(board.first) * cell).tolist(),
    )
    angle, shift = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0, 0.05))
    lie, size = ((wide / 2, tall / 2), centre, angle), (board.rows, board.columns)
    pose = GridPose(*lie, *size, UNIT_MM, first, (cell, cell), shift, shift * cell)
    outline = pose.area(0, 0, wide, tall)
    if not table.shows(outline):
        return
    table.occupied.take(outline)
    table.lay(board.picture, outline, (0.05, 0.05, tiles.shade))
    if not board.has_plots:
        table.record_quad(outline, QuadKind.LIKE_PLOTS)
        return
    share = float(rng.choice([0.0, 0.05, 0.15, 0.3, 0.6, 0.95]))
    mound = clouds(rng, size, 3.0 if rng.random() < 0.5 else 1.0, 1)
    filled, plots = mound > np.quantile(mound, 1 - share), replace(pose, tile_mm=cell)
    for at in np.ndindex(*size):
        plot = plots.tile(at)
        if not table.shows(plot):
            continue
        table.record_quad(plot, QuadKind.DRAWN_PLOT if board.like_tiles else QuadKind.PLOT)
        if filled[at]:
            table.lay_tile(
                tiles.family.tile(rng), pose.careless_tile(rng, at), tiles, QuadKind.TILE
            )


def draw_table_scene(rng: Rng, pool: FamilyPool) -> Scene:
    """Draw a table with tiles of random families, photographed by a random camera."""
    tile_px = float(np.exp(rng.uniform(*np.log(TILE_PX))))
    camera = _random_camera(rng, tile_px)
    tile_sets = _random_tile_sets(rng, pool)
    table = LabelledTable(rng, draw_background(rng, SCENE_PX, tile_px, tile_sets[0].family), camera)
    reach = 0.6 * SCENE_PX / tile_px

    def anywhere(share: float = 1.0) -> Spot:
        x, y = rng.uniform(-reach * share, reach * share, 2).tolist()
        return x, y

    for _ in range(int(rng.integers(0, 6))):
        table.lay_prop(rng, anywhere(), 99.0)
    chance = rng.random()
    if chance < 0.24:
        lay_board(rng, table, draw_printed_board(rng), tile_sets[0], anywhere(0.4))
    if rng.random() < 0.3:
        lay_board(rng, table, draw_lookalike_board(rng), tile_sets[0], anywhere())
    groups = int(rng.integers(0, 3)) if chance < 0.24 else int(rng.integers(1, 9))
    _lay_groups(rng, table, tile_sets, groups if chance < 0.88 else 0)
    single = int(rng.integers(3, 16)) if chance > 0.93 else int(rng.integers(0, 4))
    _lay_single_tiles(rng, table, tile_sets, single)
    _lay_on_top(rng, table, anywhere())
    image = photograph(rng, _exposed(rng, table.image), float(rng.uniform(0, 0.9)))
    quads = floats(table.quads).reshape(-1, 4, 2)
    covered = (table.hidden * 255).astype(np.uint8)
    return Scene(image, np.array(table.kinds, np.int64), quads, covered)


def _random_camera(rng: Rng, tile_px: float) -> SimulatedCamera:
    """Return a camera above the table, steep or slanting, that sees tiles of this size."""
    tilt = float(rng.uniform(0, 0.75) if rng.random() < 0.35 else abs(rng.normal(0, 0.15)))
    lens = SimulatedLens((SCENE_PX, SCENE_PX), focal=float(rng.uniform(0.8, 1.7)))
    angles = CameraAngles(tilt, *rng.uniform(0, 2 * np.pi, 2).tolist())
    return SimulatedCamera.above(angles, lens, tile_px)


def _random_tile_sets(rng: Rng, pool: FamilyPool) -> list[TileSet]:
    """Return one to three sets of tiles of the same thickness."""
    thick = float(
        rng.choice([0.0, rng.uniform(0.02, 0.12), rng.uniform(0.15, 0.5)], p=[0.6, 0.26, 0.14])
    )
    return [
        TileSet(pool.family(rng), thick, float(rng.uniform(0.1, 0.7)))
        for _ in range(int(rng.integers(1, 4)))
    ]


def _lay_groups(rng: Rng, table: LabelledTable, tile_sets: list[TileSet], count: int) -> None:
    """Lay groups of tiles, as many of them as find room."""
    for _ in range(count):
        (size, cells), angle = _random_cells(rng), float(rng.uniform(0, 2 * np.pi))
        outline = table.free_spot(rng, (size[1] + 0.5, size[0] + 0.5), angle, tries=_TRIES)
        if outline is not None:
            x, y = outline.mean(axis=0).tolist()
            gaps = [0.0, abs(rng.normal(0, 0.02)), rng.uniform(0, 0.09)]
            gap = float(rng.choice(gaps, p=[0.25, 0.5, 0.25]))
            carelessness = float(rng.choice([0.1, 0.5, 1, 2, 4]))
            pose = GridPose.free(size, UNIT_MM, (x, y), angle, gap, carelessness)
            lay_group(rng, table, one_of(rng, tile_sets), pose, cells)


def _lay_single_tiles(rng: Rng, table: LabelledTable, tile_sets: list[TileSet], count: int) -> None:
    """Lay single tiles face up or face down, as many of them as find room."""
    for _ in range(count):
        corners = table.free_spot(rng, (1, 1), None, tries=_TRIES)
        tiles, is_down = one_of(rng, tile_sets), rng.random() < 0.3
        if corners is not None:
            picture = tiles.family.back if is_down else tiles.family.tile(rng)
            table.lay_tile(
                picture, corners, tiles, QuadKind.FACE_DOWN if is_down else QuadKind.TILE
            )


def _exposed(rng: Rng, image: Floats) -> Image:
    """Return a picture that is at times up to some stops darker or brighter."""
    stops = [0.0, rng.uniform(-2.3, 0), rng.uniform(0, 1.3)]
    bright = float(rng.choice(stops, p=[0.75, 0.13, 0.12]))
    exposed: Image = np.clip(image * np.float32(2**bright), 0, 255).astype(np.uint8)
    return exposed


def _lay_on_top(rng: Rng, table: LabelledTable, hand: Spot) -> None:
    """Lay tokens and figures on tiles, and at times something large."""
    tiles = [
        q for q, kind in zip(table.plane_quads, table.kinds, strict=True) if kind is QuadKind.TILE
    ]
    for _ in range(int(rng.integers(1, 8)) if tiles and rng.random() < 0.35 else 0):
        x, y = (one_of(rng, tiles).mean(axis=0) + rng.normal(0, 0.15, 2)).tolist()
        if rng.random() < 0.6:
            some = make_figures(
                rng, [(x, y)], float(rng.uniform(0.12, 0.35)), [random_tile_colour(rng)]
            )
            draw_figures(table, some, table.lamp, hiding=True)
        else:
            table.lay_prop(rng, (x, y), 0.6, cover=True)
    if rng.random() < 0.15:
        table.lay_prop(rng, hand, 6.0, cover=True)
