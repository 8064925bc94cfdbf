"""Height and tilt of the camera above a table.

The table is a plane. The wide side of the picture lies along x, the camera stands over x = 0 and
looks towards larger y; the middle of what it has to see is (0, 0). Lengths are in mm, angles in
degrees, and a tilt of 0 looks straight down. A lens is taken as a pinhole with the field of view
that its maker states.
"""

import math
from dataclasses import dataclass
from typing import Final

MARGIN: Final = 0.05
"""Margin of the picture around the table, as a share of its sides."""

CITY_MM: Final = 180.0
"""Side of a city of Between Two Cities: four tiles of 45 mm."""
GAP_MM: Final = 90.0
"""Gap between cities that were pushed together: a hand has room there."""

FINE_TILE_PX: Final = 48
"""Side of a tile in pixels at and above which a finer photo does not read better."""

STEEPEST_TILT_DEG: Final = 32.0
"""Largest tilt at which the eye was tested."""

_TOLERANCE_MM: Final = 0.1
"""Tolerance of a height found by bisection."""


@dataclass(frozen=True, slots=True)
class CameraModel:
    """Optical data of a camera.

    Attributes:
        name: Name of the product.
        field_deg_wh: Horizontal and vertical field of view in degrees.
        size_wh: Size of its pictures in the default mode, in pixels.
        nearest_mm: Shortest focus distance.
        sensors: Names of its sensors in libcamera.
    """

    name: str
    field_deg_wh: tuple[float, float]
    size_wh: tuple[int, int]
    nearest_mm: float
    sensors: tuple[str, ...]

    @property
    def reach_wh(self) -> tuple[float, float]:
        """Half the width and height that it sees, per unit of distance."""
        width, height = (math.tan(math.radians(angle / 2)) for angle in self.field_deg_wh)
        return width, height


MODULE_3: Final = CameraModel(
    "Camera Module 3", (66.0, 41.0), (2304, 1296), 100, ("imx708", "imx708_noir")
)
MODULE_3_WIDE: Final = CameraModel(
    "Camera Module 3 Wide", (102.0, 67.0), (2304, 1296), 50, ("imx708_wide", "imx708_wide_noir")
)
MODULE_2: Final = CameraModel("Camera Module 2", (62.2, 48.8), (1640, 1232), 300, ("imx219",))
CAMERAS: Final = (MODULE_3, MODULE_3_WIDE, MODULE_2)
"""Camera models that are known, with the fields of view of the maker's data sheets."""


@dataclass(frozen=True, slots=True)
class Mount:
    """Position of the camera above the table.

    Attributes:
        camera: Model of the camera.
        height_mm: Height of its lens above the table.
        offset_mm: Distance of the camera from the middle of the table in the direction of -y.
        tilt_deg: Angle between its axis and the plumb line.
    """

    camera: CameraModel
    height_mm: float
    offset_mm: float
    tilt_deg: float

    def tile_px(self, tile_mm: float, y_mm: float = 0.0) -> float:
        """Return the shorter side in pixels of a tile that lies at (0, y), seen by this camera.

        Args:
            tile_mm: Side of the tile; short against the height.
            y_mm: Place of the tile; the farthest tile is the smallest.
        """
        tilt_rad = math.radians(self.tilt_deg)
        depth_mm = self.height_mm * math.cos(tilt_rad)
        depth_mm += (y_mm + self.offset_mm) * math.sin(tilt_rad)
        focal_px = min(
            size / (2 * reach)
            for size, reach in zip(self.camera.size_wh, self.camera.reach_wh, strict=True)
        )
        along_x = focal_px * tile_mm / depth_mm
        along_y = along_x * self.height_mm / depth_mm
        return min(along_x, along_y)


def table_size(players: int) -> tuple[float, float]:
    """Return width and depth in mm of the cities of so many players, pushed together in two rows.

    Two players have four cities.

    Args:
        players: 2 to 7.
    """
    columns = -(-(4 if players == 2 else players) // 2)
    return columns * CITY_MM + (columns - 1) * GAP_MM, 2 * CITY_MM + GAP_MM


def find_mount(
    table_mm_wh: tuple[float, float],
    camera: CameraModel,
    *,
    offset_mm: float = 0.0,
    margin: float = MARGIN,
) -> Mount:
    """Find the lowest mount from which the camera sees a table whole within the tilt limit.

    It is aimed so that as much room is left beyond the far edge as before the near one.

    Args:
        table_mm_wh: Width and depth of the area to be seen; the width along the wide side of the
            picture.
        camera: Camera model.
        offset_mm: Distance of the camera before the middle; 0 above it.
        margin: Share of the sides that is left free at each edge.

    Raises:
        ValueError: A side is not positive, or the offset is negative.
    """
    width_mm, depth_mm = (side * (1 + 2 * margin) for side in table_mm_wh)
    if width_mm <= 0 or depth_mm <= 0 or offset_mm < 0:
        raise ValueError(
            f"a table of {table_mm_wh[0]} x {table_mm_wh[1]} mm with the camera {offset_mm} mm "
            "before its middle: give positive sides, and an offset that is not negative"
        )
    # From as far away as this every camera sees it, from the table none does
    low, high = 0.0, 20.0 * (width_mm + depth_mm + offset_mm)
    while high - low > _TOLERANCE_MM:
        middle = (low + high) / 2
        if _sees((width_mm, depth_mm), camera, middle, offset_mm):
            high = middle
        else:
            low = middle
    return Mount(camera, high, offset_mm, _tilt_deg(depth_mm, high, offset_mm))


def _tilt_deg(depth_mm: float, height_mm: float, offset_mm: float) -> float:
    """Return the tilt that halves the angle between the near and the far edge."""
    near, far = _edge_angles(depth_mm, height_mm, offset_mm)
    return math.degrees((near + far) / 2)


def _edge_angles(depth_mm: float, height_mm: float, offset_mm: float) -> tuple[float, float]:
    """Return the angles of near and far edge to the plumb line, in radians; negative before it."""
    near_mm, far_mm = offset_mm - depth_mm / 2, offset_mm + depth_mm / 2
    return math.atan2(near_mm, height_mm), math.atan2(far_mm, height_mm)


def _sees(
    area_mm_wh: tuple[float, float], camera: CameraModel, height_mm: float, offset_mm: float
) -> bool:
    """Return whether the camera sees the area whole within the tilt limit."""
    width_mm, depth_mm = area_mm_wh
    near, far = _edge_angles(depth_mm, height_mm, offset_mm)
    reach_w, reach_h = camera.reach_wh
    tilt_rad = (near + far) / 2
    if tilt_rad > math.radians(STEEPEST_TILT_DEG) or math.tan((far - near) / 2) > reach_h:
        return False
    # The near edge is the one that fills more of the picture's width
    depth = height_mm * math.cos(tilt_rad) + (offset_mm - depth_mm / 2) * math.sin(tilt_rad)
    return width_mm / 2 <= reach_w * depth
