"""Fault: pictures that are cut short, broken, no pictures at all, or far too large.

They are refused before they cost memory, what is wrong is shown, and the next good one is read.
"""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from firmware.base.user_data import user_folder
from firmware.camera.configured_camera import open_camera_of
from hardware.camera import SupervisedCamera
from hardware.settings import CameraSettings
from tests.appliance.whole_appliance import OK, PICTURE, SCAN, WholeAppliance
from tests.limits import PROCESS_LIMIT_S


def jpeg(width, height):
    noise = np.random.default_rng(5).integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    return cv2.imencode(".jpg", cv2.resize(noise, (width, height)))[1].tobytes()


GOOD = jpeg(480, 360)


def png_header(width, height):
    """A PNG that claims a size, with hardly anything in it."""

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


BAD = {
    "empty": b"",
    "text": b"this is no picture\n" * 100,
    "half": GOOD[: len(GOOD) // 2],
    "middle-missing": GOOD[: len(GOOD) // 2] + b"\xff\xd9",
    "head-only": GOOD[:200],
    "png-of-nothing": png_header(800, 600),
    "huge-claim": png_header(100_000, 100_000),
    "zero": bytes(50_000),
}


def with_file(data):
    path = user_folder() / "table.jpg"
    path.write_bytes(data)
    settings = CameraSettings(kind="file", source=str(path))
    whole = WholeAppliance(camera=lambda: SupervisedCamera(lambda: open_camera_of(settings)))
    return whole, path


@pytest.mark.parametrize("name", BAD)
def test_bad_image_is_refused_and_the_next_good_one_read(name):
    """A photo that goes bad later takes no result away."""
    whole, path = with_file(BAD[name])
    whole.press(SCAN)
    assert "winner" not in whole.names
    assert "problem" in whole.names[-1]
    path.write_bytes(GOOD)
    whole.advance(61)
    whole.press(SCAN)
    assert whole.names[-1] == "winner"
    path.write_bytes(BAD[name])
    whole.press(SCAN)
    assert "problem" in whole.names[-1]
    whole.press(OK)
    assert whole.names[-1] == "winner"


def test_single_broken_bytes_do_no_harm():
    """Broken bytes give a picture or a refusal, and the appliance goes on."""
    whole, path = with_file(GOOD)
    random = np.random.default_rng(11)
    for _ in range(20):
        broken = bytearray(GOOD)
        for place in random.integers(0, len(GOOD), 8):
            broken[place] ^= int(random.integers(1, 256))
        path.write_bytes(bytes(broken))
        whole.press(SCAN)
        assert whole.names[-1].split("-")[0] in {"winner", "changes", "problem"}
        whole.advance(61)
    path.write_bytes(GOOD)
    whole.press(SCAN)
    assert whole.names[-1].split("-")[0] in {"winner", "changes"}


LARGE = {"large.jpg": ((8000, 8000), "winner"), "large.png": ((5000, 4790), "problem")}
"""Sizes of pictures with equal pixels, and the screen after each."""


def test_pictures_are_read_if_100_megabytes_are_enough_for_them(tmp_path):
    """Small files; where the memory is not enough the next photo is read."""
    good, screens = tmp_path / "good.jpg", []
    for name, (size_wh, screen) in LARGE.items():
        Image.new("RGB", size_wh).save(tmp_path / name)
        assert (tmp_path / name).stat().st_size < 2_000_000
        screens += [screen, "winner"]
    cv2.imwrite(str(good), PICTURE)
    done = subprocess.run(
        [sys.executable, "-c", _WITHIN_LIMITS, str(tmp_path), str(good), *LARGE],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == screens


_WITHIN_LIMITS = """
import os, pathlib, resource, shutil, sys
folder, good, *names = sys.argv[1:]
os.environ["STADTBLICK_HOME"] = folder
from firmware.camera.configured_camera import open_camera_of
from hardware.camera import SupervisedCamera
from hardware.settings import CameraSettings
from tests.appliance.whole_appliance import SCAN, WholeAppliance
photo = pathlib.Path(folder, "photo")
settings = CameraSettings(kind="file", source=str(photo))
camera = lambda: SupervisedCamera(lambda: open_camera_of(settings))
for name in names:
    shutil.copy(pathlib.Path(folder, name), photo)
    whole = WholeAppliance(camera=camera)
    # The memory that can be written: a new thread reserves far more addresses than it uses
    used = int(open("/proc/self/statm").read().split()[5]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_DATA, (used + 100 * 2**20, resource.RLIM_INFINITY))
    whole.press(SCAN)
    print(whole.names[-1].split("-")[0])
    shutil.copy(good, photo)
    whole.advance(61)
    whole.press(SCAN)
    print(whole.names[-1].split("-")[0])
    whole.close()
"""


def test_the_photo_of_a_camera_is_not_written_to():
    """The same array is shown, stored and read: nobody may change it for the others."""
    whole = WholeAppliance()
    whole.press(SCAN)
    assert not whole.eye.photos[-1].image_bgr.flags.writeable
    assert PICTURE.flags.writeable
