"""Hostile pictures are refused before they cost memory."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.refusals import refused
from vision.photo.load import load_photo

LIMIT_BYTES = 700 * 1024 * 1024

LOAD_UNDER_A_LIMIT = """
import resource, sys
import cv2, numpy
from vision.errors import PhotoError
from vision.photo.load import load_photo
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
try:
    load_photo(sys.argv[2])
except PhotoError as refused:
    print(refused.code)
"""


def flat_png(width: int, height: int) -> bytes:
    """A complete black PNG of two megabytes at most, whatever its size."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    packer = zlib.compressobj(1)
    row = bytes(1 + 3 * width)
    pixels = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("width", "height", "code"),
    [(12000, 12000, "photo-too-many-pixels"), (320, 60000, "photo-too-narrow")],
)
def test_a_small_file_of_a_huge_picture_costs_little(
    tmp_path: Path, width: int, height: int, code: str
) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(flat_png(width, height))
    done = subprocess.run(
        [sys.executable, "-c", LOAD_UNDER_A_LIMIT, str(LIMIT_BYTES), str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert (done.returncode, done.stdout.strip()) == (0, code), done.stderr


@pytest.mark.parametrize(("width", "height"), [(320, 2561), (2561, 320)])
def test_a_strip_is_no_photo(tmp_path: Path, width: int, height: int) -> None:
    path = tmp_path / "strip.png"
    path.write_bytes(flat_png(width, height))
    with refused("photo-too-narrow"):
        load_photo(path)
