"""Pictures from files in the place of a camera: to try things out, and for a phone's photos."""

import logging
import stat
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from PIL import Image as PillowImage
from PIL.Image import Transpose

from hardware.camera.frame import Frame, Image, check_open
from hardware.errors import N_, CameraError, SystemReason, Value, error_reason

_Read = TypeVar("_Read")
_logger = logging.getLogger(__name__)

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".heic", ".heif"})
MAX_FILE_BYTES: Final = 40 * 1024 * 1024
MAX_FILE_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 24_000_000}
"""Maximum number of pixels of a picture by format; a file of some kilobytes can claim gigabytes."""
MAX_HELD_PIXELS: Final = 24_000_000
"""Maximum number of pixels held in memory: a larger JPEG is decoded at half its size, or refused if
it is progressive and so has to be held as a whole."""

_ORIENTATION_TAG: Final = 0x0112
_UPRIGHT: Final = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
"""Transposition that turns a picture upright, by its EXIF orientation; 1 is upright already."""

_DECODING_ERRORS: Final = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error)
"""Exceptions of Pillow for files that are cut short or broken."""


_CANNOT_BE_READ: Final = N_("{name} cannot be read ({why}): choose a JPEG or PNG photo")


class FileCamera:
    """Camera that shows a file, or the files of a folder by name, over and over.

    Each is read anew for each picture and turned upright by its EXIF orientation, so that files can
    be replaced, added and removed meanwhile.

    Args:
        path: A picture, or a folder of them (``SUFFIXES``); other files in it, and broken ones, are
            passed over. A HEIC needs a ``read`` that takes it.
        in_turn: True if ``path`` is a folder.
        clock: Function that returns monotonic seconds.
        read: Function that returns the picture in a file, blue first, or raises ``CameraError``;
            None: Pillow reads it, which does not notice pixels that a damaged JPEG lacks.

    Raises:
        CameraError: ``camera-picture``: there is no picture that can be used.
    """

    def __init__(
        self,
        path: Path,
        *,
        in_turn: bool = False,
        clock: Callable[[], float] = time.monotonic,
        read: Callable[[Path], Image] | None = None,
    ) -> None:
        self._path = path
        self._in_turn = in_turn
        self._clock = clock
        self._last: str | None = None
        self._read = read or _read_bgr
        self._first_usable(read or _check)
        self._closed = False

    def capture(self, timeout_s: float) -> Frame:  # noqa: ARG002 - a file is there or it is not
        """Return the next picture."""
        check_open(str(self._path), closed=self._closed)
        asked_s = self._clock()
        path, image_bgr = self._first_usable(self._read)
        self._last = path.name
        return Frame(image_bgr, asked_s)

    def close(self) -> None:
        """Give no more pictures."""
        self._closed = True

    def _first_usable(self, read: Callable[[Path], _Read]) -> tuple[Path, _Read]:
        """Read the next readable file; return its path and content.

        Raises:
            CameraError: No picture can be used; the error of the first one.
        """
        if not self._in_turn:
            return self._path, read(self._path)
        problems = []
        for path in self._paths_in_turn():
            try:
                return path, read(path)
            except CameraError as error:
                problems.append(error)
                _logger.warning("passed over: %s", error)
        raise problems[0]

    def _paths_in_turn(self) -> list[Path]:
        """List the pictures of the folder, beginning with the one after the last."""
        try:
            paths = sorted(path for path in self._path.iterdir() if path.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise _unusable(_CANNOT_BE_READ, self._path, why=error_reason(error)) from error
        if not paths:
            raise _unusable(
                N_("{name} has no JPEG or PNG in it: choose a JPEG or PNG photo"), self._path
            )
        return sorted(paths, key=lambda path: self._last is not None and path.name <= self._last)


def _check(path: Path) -> None:
    """Refuse a file whose header is not that of a picture."""
    _open(path).close()


def _read_bgr(path: Path) -> Image:
    import cv2

    with _open(path) as picture:
        try:
            width, height = picture.size
            if width * height > MAX_HELD_PIXELS:
                picture.draft("RGB", (width // 2, height // 2))
            picture.load()
            turn = _UPRIGHT.get(_orientation(picture))
            upright = picture if turn is None else picture.transpose(turn)
            rgb = np.asarray(upright if upright.mode == "RGB" else upright.convert("RGB"))
        except _DECODING_ERRORS as error:
            raise _unusable(
                N_("{name} is cut short or broken: choose a JPEG or PNG photo"), path
            ) from error
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)


def _orientation(picture: PillowImage.Image) -> int:
    """Return the EXIF orientation; 1 if it is missing or invalid."""
    # Not picture.getexif(), which decodes a whole PNG to look for it.
    exif = PillowImage.Exif()
    try:
        exif.load(picture.info.get("exif", b""))
        orientation = exif.get(_ORIENTATION_TAG)
    except _DECODING_ERRORS:
        return 1
    return orientation if isinstance(orientation, int) else 1


def _open(path: Path) -> PillowImage.Image:
    """Open a picture and check its header, without decoding it."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _unusable(N_("{name} is no file: choose a JPEG or PNG photo"), path)
        if status.st_size > MAX_FILE_BYTES:
            raise _unusable(
                N_("{name} is larger than {most} MiB: choose a JPEG or PNG photo"),
                path,
                most=MAX_FILE_BYTES // 1024**2,
            )
        picture = PillowImage.open(path, formats=tuple(MAX_FILE_PIXELS))
    except (PillowImage.DecompressionBombError, PillowImage.DecompressionBombWarning) as error:
        raise _unusable(
            N_("{name} has too many pixels: choose a JPEG or PNG photo"), path
        ) from error
    except _DECODING_ERRORS as error:
        reason = error_reason(error)
        if isinstance(reason, SystemReason):
            raise _unusable(_CANNOT_BE_READ, path, why=reason) from error
        raise _unusable(N_("{name} is no JPEG or PNG: choose a JPEG or PNG photo"), path) from error
    is_progressive = "progressive" in picture.info
    most = MAX_HELD_PIXELS if is_progressive else MAX_FILE_PIXELS[picture.format or "PNG"]
    if picture.width * picture.height > most:
        picture.close()
        raise _unusable(N_("{name} has too many pixels: choose a JPEG or PNG photo"), path)
    return picture


def _unusable(template: str, path: Path, **values: Value) -> CameraError:
    return CameraError("camera-picture", template, str(path), name=path.name, **values)
