"""Simulated tables of any game: lay, photograph, and return the ground truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from vision.arrays import Image, Points, floats
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.lab.simulate.clutter import cover, lay_decoys, lay_in_the_middle, lay_props, lay_strays
from vision.lab.simulate.content import Content
from vision.lab.simulate.drawing import Rng, one_of
from vision.lab.simulate.grid_poses import GridPose, free_grids, seen_outline
from vision.lab.simulate.laying import (
    LaidGrid,
    LaidStray,
    LaidTable,
    choose_wrong,
    lay_heaps,
    lay_slots,
    lay_tiles,
    stand_pawns,
    stand_tokens,
)
from vision.lab.simulate.light import Effect, photograph
from vision.lab.simulate.make_truth import make_truth
from vision.lab.simulate.simulated_camera import (
    CameraAngles,
    SimulatedCamera,
    SimulatedLens,
    aim_camera,
)
from vision.lab.simulate.standing_figures import PROFILES, Lamp
from vision.lab.simulate.table_canvas import UNIT_MM
from vision.lab.simulate.table_tops import table_top

FULL_SIZE_WH: Final = (2304, 1296)
_NOTHING_OUTLINE: Final = floats([[-8, -5], [8, 5]])
"""Corners of the plane in a photo with nothing to read."""
_PATTERN_PX: Final = (24.0, 180.0)
"""Minimum and maximum size of a tile for which the pattern of a table top is drawn."""
_BOARD_THICK_MM: Final = 3.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Table, clutter, camera and light of a photo.

    Attributes:
        material: Name of one of ``vision.lab.simulate.table_tops.TABLE_TOPS``; None for any.
        share: Share of the photo's width or height that the game fills.
        tilt: Tilt of the camera from straight down, in radians.
        props: Number of other things on the table.
        strays: Number of left-over tiles, face up.
        carelessness: Carelessness of the hands: 0 edge to edge, 1 ordinary, 4 children's.
        strength: Strength of light, blur and noise: 0 none, 1 hard to read.
        barrel: Distortion ``k`` of ``vision.lab.simulate.simulated_camera.SimulatedLens``.
        effects: Effects of light beside those of ``strength``.
        covered: Number of tiles that a prop covers.
        turned: Number of single tiles that lie the wrong way, or askew if they may lie any way.
        cut_off: Whether a part of the game runs off the edge of the photo.
        decoys: Number of grids of face-down tiles, which are nothing to read.
    """

    material: str | None = None
    share: float = 0.92
    tilt: float = 0.08
    props: int = 6
    strays: int = 2
    carelessness: float = 1.0
    strength: float = 0.4
    barrel: float = 0.0
    effects: tuple[Effect, ...] = ()
    covered: int = 0
    turned: int = 0
    cut_off: bool = False
    decoys: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedTable:
    """Photo (h, w, 3) BGR, its ground truth, and the size of a tile in its middle."""

    image: Image
    truth: dict[str, Any]
    tile_px: float


def simulate_table(
    seed: int,
    edition: Edition,
    content: Content,
    size_wh: tuple[int, int] = FULL_SIZE_WH,
    surroundings: Surroundings = Surroundings(),
) -> SimulatedTable:
    """Photograph a table.

    Args:
        seed: Seed of all that is random.
        edition: Edition with the pictures of tiles and board.
        content: Contents of the table.
        size_wh: Size of the photo.
        surroundings: Table, clutter, camera and light.
    """
    rng = np.random.default_rng([seed, 2])
    description = edition.description
    poses = _lay_grids_out(
        rng, description, content, size_wh[0] / size_wh[1], surroundings.carelessness
    )
    camera = _camera(
        rng, description, poses, SimulatedLens(size_wh, surroundings.barrel), surroundings
    )
    top_px = float(np.clip(camera.unit_px, *_PATTERN_PX))
    top, lamp = table_top(rng, size_wh, top_px, surroundings.material), Lamp.random(rng)
    table = LaidTable(edition, top, camera, lamp, one_of(rng, PROFILES))
    grids = [LaidGrid(grid, pose) for grid, pose in zip(content.grids, poses, strict=True)]
    strays = _lay(rng, table, grids, content, surroundings)
    image = photograph(rng, table.to_image(), surroundings.strength, surroundings.effects)
    truth = make_truth(table, grids, strays, image)
    tile_px = camera.unit_px * description.tile_mm / UNIT_MM
    return SimulatedTable(image, {"seed": seed, **truth}, tile_px)


def _lay_grids_out(
    rng: Rng, description: Description, content: Content, aspect: float, carelessness: float
) -> list[GridPose]:
    count, board = len(content.grids), description.board
    if not count:
        return []
    if board is not None:
        return [GridPose.printed(rng, description, board, carelessness)]
    return free_grids(rng, description, count, carelessness, aspect, is_round=content.is_round)


def _camera(
    rng: Rng,
    description: Description,
    poses: list[GridPose],
    lens: SimulatedLens,
    surroundings: Surroundings,
) -> SimulatedCamera:
    angles = CameraAngles(
        surroundings.tilt, float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.02))
    )
    if poses:
        outline = seen_outline(description, poses)
    else:
        outline = _NOTHING_OUTLINE * np.float32(rng.uniform(1, 2))
    camera = aim_camera(outline, angles, lens, surroundings.share)
    slack = floats(lens.size_wh) * np.float32(max(0.0, 1 - surroundings.share) / 2)
    off = floats(rng.uniform(-0.8, 0.8, 2)) * slack
    if surroundings.cut_off and poses:
        off = _over_the_edge(rng, camera, poses, is_board=description.board is not None)
    return camera.moved(off)


def _over_the_edge(
    rng: Rng, camera: SimulatedCamera, poses: list[GridPose], *, is_board: bool
) -> Points:
    """Return the shift that moves a grid, or more, over the nearest side of the picture."""
    axis, side = int(rng.integers(2)), int(rng.integers(2))
    spans = floats([camera.to_photo_px(pose.outline)[:, axis] for pose in poses])
    ends = spans.max(axis=1) if side else -spans.min(axis=1)
    outermost = int(ends.argmax())
    share = float(rng.uniform(0.06, 0.22) if is_board else rng.uniform(0.1, 0.4))
    beyond = share * float(np.ptp(spans[outermost]))
    off = floats([0, 0])
    edge = camera.lens.size_wh[axis] if side else 0
    off[axis] = (edge - ends[outermost] + beyond) * (1 if side else -1)
    return off


def _lay(
    rng: Rng,
    table: LaidTable,
    grids: Sequence[LaidGrid],
    content: Content,
    surroundings: Surroundings,
) -> list[LaidStray]:
    """Lay everything, and return the left-over tiles."""
    board, things = table.edition.description.board, content.things
    for grid in grids:
        pose = grid.pose
        table.occupied.take(pose.outline if board is None else pose.area(0, 0, *board.size_mm))
    choose_wrong(rng, table, grids, surroundings.turned)
    for grid in grids:
        if board is not None:
            if table.edition.board_picture is not None:
                on_table = grid.pose.area(0, 0, *board.size_mm)
                table.lay(table.edition.board_picture, on_table, table.lamp.shadow(_BOARD_THICK_MM))
            lay_slots(rng, table, board, grid)
        lay_tiles(rng, table, grid)
        if board is not None:
            lay_heaps(rng, table, board, grid, overlapping=surroundings.covered // 4)
    if content.is_round and things:
        lay_in_the_middle(rng, table, things[0])
        things = things[1:]
    strays = lay_strays(rng, table, content.left_over[: surroundings.strays])
    lay_props(rng, table, (*things, *[None] * surroundings.props))
    lay_decoys(rng, table, surroundings.decoys)
    cover(rng, table, grids, surroundings.covered)
    for grid in grids:
        if grid.content.has_pawns:
            stand_pawns(rng, table, grid)
    stand_tokens(rng, table, grids)
    return strays
