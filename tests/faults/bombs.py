"""Small files that grow when they are read, and a reader for them with little memory and time.

    python -m tests.faults.bombs FOLDER

lays each bomb in a folder of its own, has a process of its own read it, and prints the codes of the
errors as JSON: ``read`` for none, ``killed`` for a reader that was ended by its limits.
"""

import importlib
import io
import json
import os
import resource
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

MORE_MEMORY = 300 * 1024 * 1024
"""Bytes of addresses beyond those of the loaded program; the largest photos need 200 MB."""
CPU_S = 20

READERS = {
    "photo": ("vision.photo.load", "load_photo", ".jpg"),
    "archive": ("firmware.teaching.edition_archive", "load_archive", ".zip"),
    "edition": ("firmware.teaching.user_editions", "load_edition_folder", ""),
    "board": ("firmware.games.dice_board.board_file", "load_board", ".toml"),
    "camera": ("firmware.camera.configured_camera", "read_picture", ".jpg"),
}
"""Module, function and ending of the file."""


def chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def png(side: int, packed: bytes, *beside: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunks = (chunk(b"IHDR", header), *beside, chunk(b"IDAT", packed), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@cache
def zeros(size: int) -> bytes:
    packer = zlib.compressobj(1)
    some = bytes(2**20)
    return b"".join(packer.compress(some) for _ in range(size >> 20)) + packer.flush()


def rows(side: int) -> bytes:
    return zlib.compress(bytes(side * (1 + 3 * side)), 9)


def jpeg(width: int, height: int, *options: int) -> bytes:
    image = np.full((height, width, 3), 120, np.uint8)
    return cv2.imencode(".jpg", image, options)[1].tobytes()


def whole_colours_in_scans() -> bytes:
    """A picture in scans, for which a reader keeps all coefficients, cut off after a few rows."""
    few = jpeg(79, 80, cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111)
    size_at = few.index(b"\xff\xc2") + 5
    return few[:size_at] + struct.pack(">HH", 8000, 7900) + few[size_at + 4 :]


def repeated_scans() -> bytes:
    whole = jpeg(4000, 4000, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    last = whole.rindex(b"\xff\xda")
    return whole[:last] + whole[last:-2] * 50 + whole[-2:]


def archive(method: int, size: int) -> bytes:
    """An archive with one file that is larger than its list says."""
    target = io.BytesIO()
    packed = zipfile.ZipFile(target, "w", method, compresslevel=1)
    with packed as file, file.open("mine/edition.toml", "w") as entry:
        for _ in range(size >> 20):
            entry.write(bytes(2**20))
    data = bytearray(target.getvalue())
    size_at = data.index(b"PK\1\2") + 24
    data[size_at : size_at + 4] = struct.pack("<I", 1000)
    return bytes(data)


def long_list() -> bytes:
    """An archive that lists the same file a million times."""
    data = archive(zipfile.ZIP_STORED, 0)
    start, end, count = data.index(b"PK\1\2"), data.rindex(b"PK\5\6"), 1_000_000
    entries = data[start:end] * count
    size = len(entries)
    total = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start)
    place = struct.pack("<4sIQI", b"PK\6\7", 0, start + size, 1)
    last = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0)
    return data[:start] + entries + total + place + last


KEY = b".".join([b"a"] * 40_000)

BOMBS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "png-pixels": ("photo", lambda: png(500, zeros(2**28)), "photo-broken"),
    "png-texts": (
        "photo",
        lambda: png(500, rows(500), *[chunk(b"zTXt", b"a\0\0" + zeros(7 * 2**20))] * 900),
        "read",
    ),
    "png-chunks": (
        "photo",
        lambda: png(500, rows(500), chunk(b"tEXt", b"") * 10**6),
        "photo-broken",
    ),
    "jpeg-segments": (
        "photo",
        lambda: b"\xff\xd8" + b"\xff\xfe\0\2" * 9_000_000 + jpeg(500, 500)[2:],
        "photo-broken",
    ),
    "jpeg-fill": ("photo", lambda: b"\xff\xd8" + b"\xff" * 39_000_000 + jpeg(500, 500)[2:], "read"),
    "jpeg-coefficients": ("photo", whole_colours_in_scans, "photo-too-many-pixels"),
    "jpeg-scans": ("photo", repeated_scans, "photo-broken"),
    "camera-png-pixels": ("camera", lambda: png(500, zeros(2**28)), "camera-picture"),
    "camera-jpeg-coefficients": ("camera", whole_colours_in_scans, "camera-picture"),
    "zip-list": ("archive", long_list, "archive-refused"),
    "zip-bzip2": ("archive", lambda: archive(zipfile.ZIP_BZIP2, 2**25), "archive-refused"),
    "zip-lzma": ("archive", lambda: archive(zipfile.ZIP_LZMA, 2**24), "archive-refused"),
    "zip-deflate": ("archive", lambda: archive(zipfile.ZIP_DEFLATED, 2**28), "archive-refused"),
    "toml-key": ("edition", lambda: KEY + b" = 1", "description-not-toml"),
    "toml-quoted-key": (
        "edition",
        lambda: KEY.replace(b"a", b'"a"') + b" = 1",
        "description-not-toml",
    ),
    "toml-heading": ("edition", lambda: b"[" + KEY + b"]", "description-not-toml"),
    "toml-lists": ("edition", lambda: b"a = " + b"[" * 100_000, "description-not-toml"),
    "toml-number": (
        "edition",
        lambda: (
            b"format = 2\nrows = 4\ncolumns = 4\nlayout = 'free-tiles'\nname = 'a'\n"
            b"game = 'b'\ntile_mm = 0x" + b"f" * 200_000
        ),
        "description-value",
    ),
    "board-key": ("board", lambda: KEY[-60_000:] + b" = 1", "board-not-toml"),
}
"""Reader, content and the code of the error; ``read``: there is none, as nothing grows."""


def lay(name: str, folder: Path) -> Path:
    """Write a bomb; return what its reader is given."""
    reader, content, _code = BOMBS[name]
    if reader == "edition":
        (folder / "edition.toml").write_bytes(content())
        return folder
    path = folder / f"bomb{READERS[reader][2]}"
    path.write_bytes(content())
    return path


def used_addresses() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def read_code(read: Callable[..., Any], path: Path) -> str:
    """Read a bomb with little memory and time; return the code of its error."""
    most = used_addresses() + MORE_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    try:
        read(path)
    except Exception as error:  # noqa: BLE001 - whatever it is, the test tells
        return getattr(error, "code", repr(error))
    return "read"


def code_of_process(read: Callable[..., Any], path: Path) -> str:
    """Read a bomb in a copy of this process, which has loaded everything."""
    receives, sends = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(sends, read_code(read, path).encode())
        os._exit(0)
    os.close(sends)
    with os.fdopen(receives, "rb") as text:
        code = text.read().decode()
    os.waitpid(child, 0)
    return code or "killed"


def main() -> None:
    importlib.import_module("vision.eye.read")
    readers = {
        name: getattr(importlib.import_module(module), function)
        for name, (module, function, _ending) in READERS.items()
    }
    codes = {}
    for name, (reader, _content, _code) in BOMBS.items():
        folder = Path(sys.argv[1], name)
        folder.mkdir()
        codes[name] = code_of_process(readers[reader], lay(name, folder))
    json.dump(codes, sys.stdout)


if __name__ == "__main__":
    main()
