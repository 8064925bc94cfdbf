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

from hardware.camera import CameraWiring, SteadyCamera, open_camera
from tests.appliance.whole_appliance import OK, PICTURE, SCAN, WholeAppliance

TOP = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path / "home"))
    return tmp_path


def jpeg(width=960, height=720):
    noise = np.random.default_rng(5).integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    return cv2.imencode(".jpg", cv2.resize(noise, (width, height)))[1].tobytes()


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
    "half": jpeg()[: len(jpeg()) // 2],
    "head-only": jpeg()[:200],
    "png-of-nothing": png_header(800, 600),
    "huge-claim": png_header(100_000, 100_000),
    "zero": bytes(50_000),
}


def with_file(folder, data):
    path = folder / "table.jpg"
    path.write_bytes(data)
    wiring = CameraWiring(kind="file", source=path)
    whole = WholeAppliance(folder, camera=lambda: SteadyCamera(lambda: open_camera(wiring)))
    whole.turn(1)
    return whole, path


@pytest.mark.parametrize("name", BAD)
def test_it_is_refused_and_the_next_good_one_is_read(folder, name):
    whole, path = with_file(folder, BAD[name])
    whole.press(SCAN)
    assert not any(name == "winner" for name in whole.names)
    assert "fault" in whole.names[-1]
    path.write_bytes(jpeg())
    whole.turn(61)
    whole.press(SCAN)
    assert whole.names[-1] == "winner"


@pytest.mark.parametrize("name", BAD)
def test_one_that_goes_bad_later_is_refused_and_takes_no_result_away(folder, name):
    whole, path = with_file(folder, jpeg())
    whole.press(SCAN)
    assert whole.names[-1] == "winner"
    path.write_bytes(BAD[name])
    whole.press(SCAN)
    assert "fault" in whole.names[-1]
    whole.press(OK)
    assert whole.names[-1] == "winner"


def test_single_broken_bytes_do_no_harm(folder):
    """Whatever a decoder makes of them: a picture or a refusal, and the appliance goes on."""
    whole, path = with_file(folder, jpeg(480, 360))
    good, random = jpeg(480, 360), np.random.default_rng(11)
    for _ in range(40):
        broken = bytearray(good)
        for place in random.integers(0, len(good), 8):
            broken[place] ^= int(random.integers(1, 256))
        path.write_bytes(bytes(broken))
        whole.press(SCAN)
        assert whole.names[-1].split("-")[0] in {"winner", "changes", "fault"}
        whole.turn(61)
    path.write_bytes(good)
    whole.press(SCAN)
    assert whole.names[-1].split("-")[0] in {"winner", "changes"}


def test_a_picture_too_large_for_the_memory_is_refused_and_the_next_one_is_read(folder):
    """A small file of 64 million equal pixels, where the system gives no more than 300 MB."""
    path = folder / "large.png"
    cv2.imwrite(
        str(path), np.full((8000, 8001, 3), 200, np.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 9]
    )
    assert path.stat().st_size < 500_000
    good = folder / "good.png"
    cv2.imwrite(str(good), PICTURE)
    done = subprocess.run(
        [sys.executable, "-c", _WITHIN_LIMITS, str(path), str(folder), str(good)],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["fault", "winner"]


_WITHIN_LIMITS = """
import os, resource, sys
from pathlib import Path
os.environ["STADTBLICK_HOME"] = sys.argv[2]
from hardware.camera import CameraWiring, SteadyCamera, open_camera
from tests.appliance.whole_appliance import SCAN, WholeAppliance
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 300 * 2**20,) * 2)
wiring = CameraWiring(kind="file", source=Path(sys.argv[1]))
whole = WholeAppliance(Path(sys.argv[2]), camera=lambda: SteadyCamera(lambda: open_camera(wiring)))
whole.turn(1)
whole.press(SCAN)
print(whole.names[-1].split("-")[0])
os.replace(sys.argv[3], sys.argv[1])
whole.turn(61)
whole.press(SCAN)
print(whole.names[-1])
"""


def test_the_photo_of_a_camera_is_not_written_to(folder):
    """The same array is shown, stored and read: nobody may change it for the others."""
    whole = WholeAppliance(folder)
    whole.turn(1)
    whole.press(SCAN)
    assert not whole.eye.photos[-1].image_bgr.flags.writeable
    assert PICTURE.flags.writeable
