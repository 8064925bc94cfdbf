"""Load a photo from a file: check, decode and reduce it.

``vision.photo.image_file`` reads size and structure without decoding, and ``_check_dimensions``
compares the size with the limits below, so that the decoder never sees a file that is cut short, no
image, or larger than the memory of a small computer. Large photos are decoded at 1/2, 1/4 or 1/8 of
their size.

Pixels are those of the photo as viewers show it: the Exif orientation is applied here, once, and
nowhere else.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from vision.arrays import Image
from vision.errors import PhotoError
from vision.message import Message
from vision.photo.decoding import decode_upright
from vision.photo.heic import HeicFile, is_heic
from vision.photo.image_file import ImageHeader, inspect_image
from vision.photo.regular_file import NotAFileError, open_file

MAX_PHOTO_BYTES = 40 * 1024 * 1024
"""Maximum size of the file of a photo."""
MAX_PIXELS = 64_000_000
"""Maximum number of pixels of a JPEG; a 50 Mpx phone passes."""
MAX_PNG_PIXELS = 24_000_000
"""Maximum number of pixels of a PNG, which cannot be decoded at a reduced size: about 150 MB while
decoding."""
MAX_HEIC_PIXELS = 25_000_000
"""Maximum number of pixels of a HEIC photo; the 24 Mpx of an iPhone pass."""
_MAX_PIXELS_BY_FORMAT = {"PNG": MAX_PNG_PIXELS, "HEIC": MAX_HEIC_PIXELS}
"""Maximum number of pixels of a photo in the formats that no decoder reduces while it decodes."""
MAX_COEFFICIENTS = 75_000_000
"""Maximum number of coefficients of a JPEG of several scans, which are all held while decoding, two
bytes each: 50 Mpx with colours at half the resolution."""
MAX_DECODED_PIXELS = 6_250_000
"""Maximum number of pixels of a photo that is decoded in full; larger ones are reduced."""
LARGE_DECODING_BYTES = 40 * 1024 * 1024
"""Memory for decoding above which photos are decoded one at a time: a computer with 512 MB has room
for one of the largest."""
MIN_SIDE_PX = 320
"""Minimum of the shorter side of a photo."""
MAX_ASPECT = 8
"""Maximum ratio of the sides; no camera takes longer strips."""
_large_photo_lock = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """Decoded photo, upright as viewers show it.

    Attributes:
        image_bgr: Shape (height, width, 3), uint8, blue first, read-only; possibly reduced.
        name: Path, or another name, for results and errors.
        size_wh: Width and height of the full photo in pixels, orientation applied.
        scale: Pixels of the full photo per pixel of ``image_bgr``: 1, 2, 4 or 8 as decoded, any
            number after ``vision.joining.picture`` has reduced the photo.
        is_end_missing: Whether the file ends after the last pixel without an end marker.
    """

    image_bgr: Image
    name: str
    size_wh: tuple[int, int]
    scale: float = 1
    is_end_missing: bool = False

    def to_photo_px(self, decoded_px: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Convert coordinates in ``image_bgr`` to those of the full photo.

        In both, (0, 0) is the centre of the top left pixel.
        """
        return (np.asarray(decoded_px, dtype=np.float64) + 0.5) * self.scale - 0.5

    def to_decoded_px(self, photo_px: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Convert coordinates in the full photo to those in ``image_bgr``."""
        return (np.asarray(photo_px, dtype=np.float64) + 0.5) / self.scale - 0.5


def load_photo(
    path: str | os.PathLike[str], *, max_bytes: int = MAX_PHOTO_BYTES, max_pixels: int = MAX_PIXELS
) -> Photo:
    """Read a photo from a file.

    Args:
        path: Path of a JPEG, PNG or HEIC file.
        max_bytes: Largest size of the file.
        max_pixels: Most pixels of the photo; ``MAX_PNG_PIXELS`` and ``MAX_HEIC_PIXELS`` hold
            besides.

    Raises:
        PhotoError: ``photo-missing``, ``photo-is-folder``, ``photo-unreadable``, and the errors of
            ``decode_photo``.
    """
    name = os.fspath(path)
    try:
        with open_file(path) as file:
            data = _read(file, name, max_bytes)
    except PhotoError:
        raise
    except NotAFileError as error:
        raise PhotoError(
            "photo-unreadable", "this is a device or pipe: give a file with a photo", name
        ) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PhotoError("photo-missing", "there is no such photo: check the path", name) from error
    except IsADirectoryError as error:
        raise PhotoError(
            "photo-is-folder", "this is a folder: give a photo inside it", name
        ) from error
    except PermissionError as error:
        raise PhotoError(
            "photo-unreadable", "the photo may not be read: check its permissions", name
        ) from error
    except ValueError as error:  # a null byte
        raise PhotoError("photo-missing", "this is no path: check it", name) from error
    except OSError as error:
        why = Message(error.strerror or type(error).__name__)
        raise PhotoError(
            "photo-unreadable", "the photo cannot be read ({why}): check the path", name, why=why
        ) from error
    return decode_photo(data, name, max_bytes=max_bytes, max_pixels=max_pixels)


def decode_photo(
    data: bytes, name: str, *, max_bytes: int = MAX_PHOTO_BYTES, max_pixels: int = MAX_PIXELS
) -> Photo:
    """Decode a photo that is already in memory.

    Args:
        data: Content of a JPEG, PNG or HEIC file.
        name: Name for results and errors.
        max_bytes: Largest size of the data.
        max_pixels: See ``load_photo``.

    Raises:
        PhotoError: ``photo-empty``, ``photo-too-big``, ``photo-not-an-image``,
            ``photo-unsupported-format``, ``photo-heic-parts-missing``, ``photo-truncated``,
            ``photo-too-many-pixels``, ``photo-too-small``, ``photo-too-narrow`` or
            ``photo-broken``.
    """
    if not data:
        raise PhotoError("photo-empty", "the file is empty: copy the photo again", name)
    if len(data) > max_bytes:
        raise _too_big(name, max_bytes)
    if is_heic(data):
        with HeicFile(data, name) as file:
            _check_dimensions(file.header, name, max_pixels)
            scale = _choose_scale(file.header)
            with _one_large_at_a_time(file.header):
                return Photo(file.decode(scale), name, file.header.upright_wh, scale)
    header = inspect_image(data, name)
    _check_dimensions(header, name, max_pixels)
    scale = _choose_scale(header)
    with _one_large_at_a_time(header):
        image_bgr = decode_upright(data, header, scale, name)
    return Photo(image_bgr, name, header.upright_wh, scale, header.end is not None)


def _choose_scale(header: ImageHeader) -> int:
    """Choose the factor by which a photo is reduced while decoding."""
    width, height = header.stored_wh
    return next((s for s in (1, 2, 4) if width * height <= MAX_DECODED_PIXELS * s * s), 8)


@contextlib.contextmanager
def _one_large_at_a_time(header: ImageHeader) -> Iterator[None]:
    """Hold a lock while a photo that takes much memory is decoded; small ones do not wait."""
    pixels = header.stored_wh[0] * header.stored_wh[1]
    taken = {"HEIC": 5 * pixels, "PNG": 3 * pixels, "JPEG": 2 * header.coefficients}[header.kind]
    with _large_photo_lock if taken > LARGE_DECODING_BYTES else contextlib.nullcontext():
        yield


def _read(file: BinaryIO, name: str, max_bytes: int) -> bytes:
    if os.fstat(file.fileno()).st_size > max_bytes:
        raise _too_big(name, max_bytes)
    return file.read(max_bytes + 1)


def _too_big(name: str, max_bytes: int) -> PhotoError:
    limit = f"{max_bytes / 2**20:.0f} MiB"
    return PhotoError(
        "photo-too-big",
        "the file is larger than {limit}: save the photo smaller",
        name,
        limit=limit,
    )


def _check_dimensions(header: ImageHeader, name: str, max_pixels: int) -> None:
    """Refuse a photo with too many or too few pixels, or too long a strip.

    Raises:
        PhotoError: ``photo-too-many-pixels``, ``photo-too-narrow`` or ``photo-too-small``.
    """
    width, height = header.stored_wh
    kind: str = header.kind
    if kind in _MAX_PIXELS_BY_FORMAT:
        max_pixels = min(max_pixels, _MAX_PIXELS_BY_FORMAT[kind])
    elif header.coefficients:
        kind = Message("progressive JPEG")
        most = MAX_COEFFICIENTS * width * height // header.coefficients
        max_pixels = min(max_pixels, most)
    if width * height > max_pixels:
        raise PhotoError(
            "photo-too-many-pixels",
            "the photo has {width} x {height} pixels and a {kind} may have at most {most} "
            "million: save it smaller",
            name,
            width=width,
            height=height,
            kind=kind,
            most=round(max_pixels / 1e6),
        )
    if max(width, height) > MAX_ASPECT * min(width, height):
        raise PhotoError(
            "photo-too-narrow",
            "the photo has {width} x {height} pixels, a strip longer than {most}:1: give the "
            "photo as the camera took it",
            name,
            width=width,
            height=height,
            most=MAX_ASPECT,
        )
    if min(width, height) < MIN_SIDE_PX:
        raise PhotoError(
            "photo-too-small",
            "the photo has only {width} x {height} pixels: give one with at least {least} pixels "
            "on each side",
            name,
            width=width,
            height=height,
            least=MIN_SIDE_PX,
        )
