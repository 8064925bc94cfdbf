"""Decode an inspected image file with OpenCV: all pixels, upright, or an error."""

import re
import zlib
from bisect import bisect_left
from collections.abc import Callable
from itertools import islice

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import PhotoError
from vision.message import Message
from vision.photo.captured_stderr import capture_stderr
from vision.photo.image_file import PNG_SIGNATURE, ImageHeader, broken, png_chunks, truncated

_REDUCED_JPEG_FLAG = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _rotate(stored: Image, how: int) -> Image:
    # OpenCV is ten times as fast as numpy at this
    return np.asarray(cv2.rotate(stored, how), np.uint8)


_UPRIGHT: dict[int, Callable[[Image], Image]] = {
    1: lambda stored: stored,
    2: lambda stored: stored[:, ::-1],
    3: lambda stored: _rotate(stored, cv2.ROTATE_180),
    4: lambda stored: stored[::-1],
    5: lambda stored: stored.transpose(1, 0, 2),
    6: lambda stored: _rotate(stored, cv2.ROTATE_90_CLOCKWISE),
    7: lambda stored: stored[::-1, ::-1].transpose(1, 0, 2),
    8: lambda stored: _rotate(stored, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
# libjpeg writes these lines when it made up part of the picture (grey)
_MISSING_PIXELS_LINES = ("Corrupt JPEG data", "Premature end", "Inconsistent progression")
_NEEDED_CHUNKS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))
_UNPACKED_AT_ONCE = 1 << 20
"""Bytes of the pixels of a PNG that are unpacked at once, and that may follow the last pixel."""
_END_OF_IMAGE = b"\xff\xd9"
_ZEROS = re.compile(rb"\x00{32,}")
_MAX_RUNS = 4096
"""Runs of zeros that are examined; more occur only in a film behind the picture."""


def decode_upright(data: bytes, header: ImageHeader, scale: int, name: str) -> Image:
    """Decode at 1/scale of the full size and turn upright.

    Args:
        data: Content of the whole file.
        header: Header from ``inspect_image``.
        scale: Factor 1, 2, 4 or 8.
        name: Name of the photo, for errors.

    Returns:
        Shape (height // scale, width // scale, 3), of the size as viewers show it.

    Raises:
        PhotoError: ``photo-broken``, or ``photo-truncated`` if the end is missing.
    """
    upright = np.ascontiguousarray(_UPRIGHT[header.orientation](_decode(data, header, scale, name)))
    upright.setflags(write=False)
    return upright


def _decode(data: bytes, header: ImageHeader, scale: int, name: str) -> Image:
    """Decode at 1/scale of the stored size, orientation not applied."""
    if header.kind == "PNG":
        data, flag = _strip_png(data, header, name), cv2.IMREAD_COLOR
    else:
        flag = _REDUCED_JPEG_FLAG[scale]
        if header.end is not None:
            data = _end_after_pixels(data, header.end, name)
    image, is_whole = _decode_with_warnings(data, flag, name)
    if not is_whole:
        raise broken(name, Message("it cannot be decoded completely"))
    # Only whole cells of scale x scale pixels, so that turning does not shift the coordinates
    width, height = (side // scale for side in header.stored_wh)
    if header.kind == "PNG" and scale > 1:
        whole = image[: height * scale, : width * scale]
        image = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))
    image = image[:height, :width]
    if image.shape != (height, width, 3):
        raise broken(name, Message("its size is not what its header says"))
    return image


def _decode_with_warnings(data: bytes, flag: int, name: str) -> tuple[Image, bool]:
    """Decode a file, and return whether none of its pixels was made up.

    Raises:
        PhotoError: ``photo-broken``; nothing can be decoded.
    """
    encoded = np.frombuffer(data, dtype=np.uint8)
    try:
        decoded, warnings = capture_stderr(
            lambda: cv2.imdecode(encoded, flag | cv2.IMREAD_IGNORE_ORIENTATION)
        )
    except (cv2.error, MemoryError) as error:
        raise broken(name, Message("it cannot be decoded")) from error
    # imdecode returns None for what it cannot read, which its type information leaves out
    if decoded is None:
        raise broken(name, Message("it cannot be decoded completely"))
    return np.asarray(decoded, np.uint8), not any(map(_reports_missing_pixels, warnings))


def _strip_png(data: bytes, header: ImageHeader, name: str) -> bytes:
    """Strip a PNG to its pixels, and check that they unpack to the size that it states.

    libpng would unpack texts and profiles one after the other, and all that follows the pixels.
    """
    unpacker, unpacked = zlib.decompressobj(), 0
    kept: list[bytes | memoryview] = [PNG_SIGNATURE]
    for kind, body in png_chunks(data, name):
        if kind in _NEEDED_CHUNKS:
            kept += [len(body).to_bytes(4, "big"), kind, body, _checksum(kind, body)]
        if kind == b"IDAT":
            rest: bytes | memoryview = body
            while rest and not unpacker.eof:
                try:
                    unpacked += len(unpacker.decompress(rest, _UNPACKED_AT_ONCE))
                except zlib.error as error:
                    raise broken(name, Message("its pixels cannot be unpacked")) from error
                rest = unpacker.unconsumed_tail
                if unpacked > header.unpacked_bytes + _UNPACKED_AT_ONCE:
                    raise broken(name, Message("it holds more than its pixels"))
    if unpacked < header.unpacked_bytes:
        raise broken(name, Message("it cannot be decoded completely"))
    return b"".join(kept)


def _checksum(kind: bytes, body: memoryview) -> bytes:
    return zlib.crc32(body, zlib.crc32(kind)).to_bytes(4, "big")


def _end_after_pixels(data: bytes, end: int, name: str) -> bytes:
    """Replace the trailer of a JPEG by an end marker, if all its pixels are there.

    A copy that was cut short is often filled up with zeros, which a decoder takes for pixels. So
    the pixels must be complete without the run of zeros in which they would end.

    Raises:
        PhotoError: ``photo-truncated``; pixels are missing.
    """

    def is_whole(length: int) -> bool:
        flag = _REDUCED_JPEG_FLAG[8]
        try:
            return _decode_with_warnings(data[:length] + _END_OF_IMAGE, flag, name)[1]
        except PhotoError:
            return False

    if not is_whole(end):
        raise truncated(name)
    runs = [run.span() for run in islice(_ZEROS.finditer(data, 0, end), _MAX_RUNS)]
    beyond = bisect_left(runs, 1, key=lambda run: int(is_whole(run[0])))
    if beyond > 0 and is_whole(runs[beyond - 1][1]):
        raise truncated(name)
    last = end if beyond == len(runs) else runs[beyond][0]
    return data[:last] + _END_OF_IMAGE


def _reports_missing_pixels(warning: str) -> bool:
    """Return whether a warning says that part of the picture was made up."""
    # Skipped bytes do no harm
    return warning.startswith(_MISSING_PIXELS_LINES) and "extraneous bytes" not in warning
