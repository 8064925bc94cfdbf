"""Decode HEIC photos of phones with the optional package pi-heif in a separate process.

OpenCV cannot decode HEIC, and libheif and libde265 crash on some damaged files, so they run in a
process of their own (``vision.photo.heic_decoder``). Nothing else in ``vision`` knows the package.

libheif turns the picture upright as the file says (``irot``, ``imir``); the Exif orientation
repeats that and is not applied. It refuses pictures larger than the file states.
"""

import importlib.util
import struct
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self, cast

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import PhotoError
from vision.message import Message
from vision.photo.image_file import ImageHeader, broken, truncated

BRANDS: Final = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"))
_PACKAGE: Final = "pi_heif"
_PROGRAM: Final = Path(__file__).with_name("heic_decoder.py")
_MAX_BOXES: Final = 1000
_LONGEST_LINE: Final = 100
_ROWS_AT_ONCE: Final = 256
_TO_BGR: Final[Mapping[str, int | None]] = {
    "BGR": None,
    "BGRA": cv2.COLOR_BGRA2BGR,
    "L": cv2.COLOR_GRAY2BGR,
}
"""Conversion to BGR by the name of a mode, which has a letter for each byte of a pixel."""


def is_heic(data: bytes) -> bool:
    """Return whether a file begins as a HEIC image."""
    return data[4:8] == b"ftyp" and data[8:12] in BRANDS


class HeicFile:
    """HEIC file open in a decoder process, which ends with the ``with`` block.

    Args:
        data: Content of the file.
        where: Name of the file, for errors.

    Attributes:
        header: Header of the upright picture.

    Raises:
        PhotoError: ``photo-heic-parts-missing``, ``photo-truncated`` or ``photo-broken``.
    """

    def __init__(self, data: bytes, where: str) -> None:
        _check_boxes(data, where)
        if importlib.util.find_spec(_PACKAGE) is None:
            raise PhotoError(
                "photo-heic-parts-missing",
                "this is a HEIC image, and what reads it is not installed: pip install "
                "'stadtblick[heic]', or save the photo as JPEG",
                where,
            )
        self._where = where
        self._program = subprocess.Popen(  # noqa: S603 - a program of our own
            [sys.executable, "-P", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._to = cast(BinaryIO, self._program.stdin)
        self._from = cast(BinaryIO, self._program.stdout)
        try:
            self._send(len(data).to_bytes(8, "big"), data)
            self._read_header()
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._program.kill()
        self._program.wait()
        for pipe in (self._to, self._from):
            with suppress(OSError):
                pipe.close()

    def decode(self, scale: int) -> Image:
        """Decode at 1/scale of the full size.

        Returns:
            Shape (height // scale, width // scale, 3), read-only.

        Raises:
            PhotoError: ``photo-broken``.
        """
        self._send(b"\n")
        width, height = (side // scale for side in self.header.stored_wh)
        image: Image = np.empty((height, width, 3), np.uint8)
        for top in range(0, height, _ROWS_AT_ONCE):
            part = image[top : top + _ROWS_AT_ONCE]
            part[:] = self._read_rows(len(part) * scale, scale, width)
        image.setflags(write=False)
        return image

    def _read_rows(self, count: int, scale: int, width: int) -> Image:
        """Read and reduce some rows, so that the whole photo is never in memory twice."""
        data = self._from.read(count * self._stride)
        if len(data) < count * self._stride:
            raise broken(self._where, Message("it cannot be decoded completely"))
        depth = len(self._mode)
        stored = np.frombuffer(data, np.uint8).reshape(count, self._stride)
        pixels = stored[:, : width * scale * depth].reshape(count, width * scale, depth)
        if scale > 1:
            size_wh = width, count // scale
            reduced = cv2.resize(pixels, size_wh, interpolation=cv2.INTER_AREA)
            pixels = np.asarray(reduced, np.uint8)
        conversion = _TO_BGR[self._mode]
        return (
            pixels if conversion is None else np.asarray(cv2.cvtColor(pixels, conversion), np.uint8)
        )

    def _send(self, *parts: bytes) -> None:
        with suppress(BrokenPipeError):  # reading reports it
            for part in parts:
                self._to.write(part)
            self._to.flush()

    def _read_header(self) -> None:
        words = self._from.readline(_LONGEST_LINE).decode("ascii", "replace").split()
        if len(words) != 4:
            raise broken(self._where, Message("it cannot be decoded"))
        width, height, self._stride = map(int, words[:3])
        self._mode = words[3]
        if self._mode not in _TO_BGR:
            raise broken(self._where, Message("its colours are of a rare kind"))
        if min(width, height) < 1 or self._stride < width * len(self._mode):
            raise broken(self._where, Message("its size is not what its header says"))
        self.header = ImageHeader("HEIC", (width, height), 1)


def _check_boxes(data: bytes, where: str) -> None:
    """Refuse a file whose boxes (ISO/IEC 14496-12) do not end with it."""
    at = 0
    for _ in range(_MAX_BOXES):
        if at == len(data):
            return
        if at + 8 > len(data):
            raise truncated(where)
        (size,) = struct.unpack_from(">I", data, at)
        if size == 0:  # up to the end
            return
        if size == 1 and at + 16 <= len(data):
            (size,) = struct.unpack_from(">Q", data, at + 8)
        if size < 8:
            raise broken(where, Message("it holds no picture"))
        at += size
        if at > len(data):
            raise truncated(where)
    raise broken(where, Message("it holds no picture"))
