"""Height, tilt and lamp, checked by looking from the camera with a rotation matrix."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hardware
from hardware.mount import (
    CAMERAS,
    FINE_TILE_PX,
    MARGIN,
    MODULE_3,
    MODULE_3_WIDE,
    STEEPEST_TILT_DEG,
    Mount,
    find_mount,
    table_size,
)

GUIDE = (Path(hardware.__file__).parent / "mount.md").read_text("utf-8")

tables = st.tuples(st.floats(200, 2000), st.floats(200, 2000))
cameras = st.sampled_from(CAMERAS)
offsets = st.one_of(st.just(0.0), st.floats(0, 1500))


def picture_px(mount, points_mm):
    """Project points (x, y) of the table into the picture, whose middle is (0, 0)."""
    tilt = math.radians(mount.tilt_deg)
    forward = np.array([0, math.sin(tilt), -math.cos(tilt)])
    right = np.array([1.0, 0, 0])
    down = np.cross(forward, right)
    rays = np.array([(x, y + mount.offset_mm, -mount.height_mm) for x, y in points_mm])
    depth = rays @ forward
    assert (depth > 0).all()
    width, height = mount.camera.size_wh
    reach_w, reach_h = (math.tan(math.radians(angle) / 2) for angle in mount.camera.field_deg_wh)
    return np.stack(
        [
            rays @ right / depth * width / (2 * reach_w),
            rays @ down / depth * height / (2 * reach_h),
        ],
        axis=1,
    )


def is_whole(mount, table_mm_wh, slack_px=0.0):
    """Return whether all corners of the table and its margin lie in the picture."""
    width, depth = (side * (1 + 2 * MARGIN) / 2 for side in table_mm_wh)
    corners = [(x, y) for x in (-width, width) for y in (-depth, depth)]
    half = np.array(mount.camera.size_wh) / 2 + slack_px
    return bool((np.abs(picture_px(mount, corners)) <= half).all())


@given(tables, cameras, offsets)
@settings(max_examples=50)
def test_height_is_lowest_that_sees_whole_table(table, camera, offset):
    mount = find_mount(table, camera, offset_mm=offset)
    assert is_whole(mount, table, slack_px=1.0)
    assert 0 <= mount.tilt_deg <= STEEPEST_TILT_DEG + 1e-6
    # Lower by two percent and aimed anew, something is cut off, or it is too steep
    height = mount.height_mm * 0.98
    half_depth = table[1] * (1 + 2 * MARGIN) / 2
    edges = [math.degrees(math.atan((offset + y) / height)) for y in (-half_depth, half_depth)]
    lower = Mount(camera, height, offset, sum(edges) / 2)
    assert lower.tilt_deg > STEEPEST_TILT_DEG or not is_whole(lower, table)


@given(tables, cameras, st.floats(100, 800), st.floats(-0.5, 0.5))
@settings(max_examples=50)
def test_a_tile_is_as_small_as_in_the_picture(table, camera, offset, place):
    mount = find_mount(table, camera, offset_mm=offset)
    y, side = place * table[1], 1.0
    sides = ([(-side / 2, y), (side / 2, y)], [(0, y - side / 2), (0, y + side / 2)])
    seen = min(np.linalg.norm(np.subtract(*picture_px(mount, ends))) for ends in sides)
    assert mount.tile_px(side, y) == pytest.approx(seen, rel=0.05)


@pytest.mark.parametrize(
    ("table", "offset"), [((0, 500), 0), ((500, -1), 0), ((500, 500), -1), ((0, 0), 0)]
)
def test_impossible_tables_are_refused(table, offset):
    with pytest.raises(ValueError, match="give positive sides"):
        find_mount(table, MODULE_3, offset_mm=offset)


def rows_of_guide(heading):
    """The numbers in each row of the first table after a heading."""
    section = GUIDE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| *(\d.*) \|$", section, re.MULTILINE)
    assert rows
    return [[float(number) for number in re.findall(r"\d+", row)] for row in rows]


def mount_text(mount, depth_mm):
    """A cell of the guide's tables of heights."""
    is_tilted = mount.offset_mm > 0
    tile_px = round(mount.tile_px(45, depth_mm / 2 if is_tilted else 0))
    tilt = f"{mount.tilt_deg:.0f}°, " if is_tilted else ""
    mark = " !" if tile_px < FINE_TILE_PX else ""
    return f"{mount.height_mm / 10:.0f} cm, {tilt}{tile_px} px{mark}"


@pytest.mark.parametrize("heading", ["Above the middle", "On a mast behind the edge"])
def test_the_guide_has_heights_and_marks_tiles_that_are_too_small(heading):
    section = GUIDE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) x (\d+) \| (.*?) ?\| (.*) \|$", section, re.MULTILINE)
    assert len(rows) == 8
    for width, depth, players, cells in rows:
        table = float(width), float(depth)
        for count in map(int, re.findall(r"\d+", players)):
            assert table_size(count) == table
        offset_mm = table[1] / 2 + 50 if "mast" in heading else 0
        mounts = [find_mount(table, camera, offset_mm=offset_mm) for camera in CAMERAS]
        assert cells.split(" | ") == [mount_text(mount, table[1]) for mount in mounts]


def test_guide_names_lamp_and_tile_and_drawing_the_heights():
    for half, camera, lamp, clearance in rows_of_guide("Light"):
        # The ways from the edge of the tiles to the camera and to the lamp have the same slope
        assert clearance == round(half * (camera + lamp) / camera)
    assert f"{FINE_TILE_PX} pixels" in GUIDE
    drawn = (Path(hardware.__file__).parent / "mount.svg").read_text("utf-8")
    table = table_size(7)
    mast = find_mount(table, MODULE_3, offset_mm=table[1] / 2 + 50)
    assert f">{find_mount(table, MODULE_3).height_mm / 10:.0f} cm<" in drawn
    assert f">{mast.height_mm / 10:.0f} cm, {mast.tilt_deg:.0f}°<" in drawn
    assert f">{find_mount(table, MODULE_3_WIDE).height_mm / 10:.0f} cm<" in drawn
    assert f">{table[0] / 10:.0f} x {table[1] / 10:.0f} cm<" in drawn
