"""Pictures from files in the place of a camera: to try things out, and for a phone's photos."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageOps

from hardware.camera.frame import Frame, Image
from hardware.errors import CameraError

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png"})
MOST_BYTES: Final = 40 * 1024 * 1024
MOST_PIXELS: Final = 64_000_000
"""Of a picture; a file of some kilobytes can claim gigabytes."""


class FileCamera:
    """One file, read anew for each picture, so that it can be replaced.

    Args:
        path: a JPEG or PNG; turned upright as its EXIF data says.
        clock: gives monotonic seconds.

    Raises:
        CameraError: ``camera-picture``: it is no picture that can be used.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._size_wh = _upright_size_wh(path)
        self._closed = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels of the picture read last."""
        return self._size_wh

    def capture(self, timeout_s: float) -> Frame:  # noqa: ARG002 - a file is there or it is not
        """The picture as it is in the file now."""
        _check_open(closed=self._closed, where=str(self._path))
        asked_s = self._clock()
        image_bgr = _read_bgr(self._path)
        self._size_wh = image_bgr.shape[1], image_bgr.shape[0]
        return Frame(image_bgr, asked_s)

    def close(self) -> None:
        """Give no more pictures."""
        self._closed = True


class FolderCamera:
    """The pictures of a folder in turn, by name; after the last one comes the first again.

    Pictures that are added or removed meanwhile are noticed.

    Args:
        folder: holds JPEG or PNG files; others in it are passed over.
        clock: gives monotonic seconds.

    Raises:
        CameraError: ``camera-picture``: there is no picture in it.
    """

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._last: str | None = None
        self._size_wh = _upright_size_wh(self._names_in_turn()[0])
        self._closed = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels of the picture given last; at first that of the first."""
        return self._size_wh

    def capture(self, timeout_s: float) -> Frame:  # noqa: ARG002 - a file is there or it is not
        """The next picture."""
        _check_open(closed=self._closed, where=str(self._folder))
        asked_s = self._clock()
        path = self._names_in_turn()[0]
        self._last = path.name
        image_bgr = _read_bgr(path)
        self._size_wh = image_bgr.shape[1], image_bgr.shape[0]
        return Frame(image_bgr, asked_s)

    def close(self) -> None:
        """Give no more pictures."""
        self._closed = True

    def _names_in_turn(self) -> list[Path]:
        """All pictures, beginning with the one after the last."""
        try:
            paths = sorted(
                path for path in self._folder.iterdir() if path.suffix.lower() in SUFFIXES
            )
        except OSError as error:
            raise _unusable(f"cannot be read ({error.strerror})", self._folder) from error
        if not paths:
            raise _unusable("has no JPEG or PNG in it", self._folder)
        later = [path for path in paths if self._last is not None and path.name > self._last]
        return later + [path for path in paths if path not in later]


def _check_open(*, closed: bool, where: str) -> None:
    if closed:
        raise CameraError("camera-closed", "the camera is closed: open it again", where)


def _upright_size_wh(path: Path) -> tuple[int, int]:
    """Width and height as EXIF turns it, from the header alone."""
    orientation_tag, sideways = 0x0112, range(5, 9)
    with _opened(path) as picture:
        width, height = picture.size
        turned = picture.getexif().get(orientation_tag) in sideways
    return (height, width) if turned else (width, height)


def _read_bgr(path: Path) -> Image:
    with _opened(path) as picture:
        try:
            upright = ImageOps.exif_transpose(picture).convert("RGB")
        except (OSError, SyntaxError, ValueError) as error:
            raise _unusable("is cut short or broken", path) from error
    return np.ascontiguousarray(np.asarray(upright)[:, :, ::-1])


def _opened(path: Path) -> PillowImage.Image:
    """The picture with its header read and checked, nothing decoded yet."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _unusable(f"is larger than {MOST_BYTES // 1024**2} MiB", path)
        picture = PillowImage.open(path, formats=("JPEG", "PNG"))
    except (PillowImage.DecompressionBombError, PillowImage.DecompressionBombWarning) as error:
        raise _unusable("has too many pixels", path) from error
    except OSError as error:
        why = f"cannot be read ({error.strerror})" if error.errno else "is no JPEG or PNG"
        raise _unusable(why, path) from error
    if picture.width * picture.height > MOST_PIXELS:
        picture.close()
        raise _unusable("has too many pixels", path)
    return picture


def _unusable(why: str, path: Path) -> CameraError:
    return CameraError("camera-picture", f"{path.name} {why}: name a JPEG or PNG photo", str(path))
