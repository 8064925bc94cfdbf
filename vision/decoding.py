"""OpenCV's decoder, watched: all pixels of an inspected file, upright, or an error."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import Message
from vision.image_file import ImageHeader, broken

_REDUCED_JPEG_FLAG = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}


def _rotated(stored: Image, how: int) -> Image:
    """Turned by OpenCV, which is ten times as quick at it as numpy."""
    return np.asarray(cv2.rotate(stored, how), np.uint8)


_UPRIGHT: dict[int, Callable[[Image], Image]] = {
    1: lambda stored: stored,
    2: lambda stored: stored[:, ::-1],
    3: lambda stored: _rotated(stored, cv2.ROTATE_180),
    4: lambda stored: stored[::-1],
    5: lambda stored: stored.transpose(1, 0, 2),
    6: lambda stored: _rotated(stored, cv2.ROTATE_90_CLOCKWISE),
    7: lambda stored: stored[::-1, ::-1].transpose(1, 0, 2),
    8: lambda stored: _rotated(stored, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
# What libjpeg writes when it made up part of the picture (grey)
_MISSING_PIXELS_LINES = ("Corrupt JPEG data", "Premature end", "Inconsistent progression")
_DECODER_LINES = (
    *_MISSING_PIXELS_LINES,
    "Invalid SOS",
    "Warning: unknown JFIF",
    "libpng ",
    "[ WARN",
    "[ERROR",
    "[ INFO",
)
_stderr_lock = threading.Lock()


def decode_upright(data: bytes, header: ImageHeader, scale: int, name: str) -> Image:
    """Decode at 1/scale of the full size and turn upright.

    Args:
        data: the whole file, inspected.
        header: what ``inspect_image`` found in it.
        scale: 1, 2, 4 or 8.
        name: what to call the photo in errors.

    Returns:
        (height // scale) x (width // scale) x 3, of the size as viewers show it.

    Raises:
        PhotoError: ``photo-broken``.
    """
    upright = np.ascontiguousarray(_UPRIGHT[header.orientation](_decode(data, header, scale, name)))
    upright.setflags(write=False)
    return upright


def _decode(data: bytes, header: ImageHeader, scale: int, name: str) -> Image:
    """Decode at 1/scale of the stored size, orientation not applied."""
    flag = _REDUCED_JPEG_FLAG[scale] if header.kind == "JPEG" else cv2.IMREAD_COLOR
    encoded = np.frombuffer(data, dtype=np.uint8)
    warnings: list[str] = []
    try:
        with _decoder_warnings(warnings):
            decoded = cv2.imdecode(encoded, flag | cv2.IMREAD_IGNORE_ORIENTATION)
    except (cv2.error, MemoryError) as error:
        raise broken(name, Message("it cannot be decoded")) from error
    # imdecode returns None for what it cannot read, which its type information leaves out
    if decoded is None or any(map(_tells_of_missing_pixels, warnings)):
        raise broken(name, Message("it cannot be decoded completely"))
    image: Image = np.asarray(decoded, dtype=np.uint8)
    # Only whole cells of scale x scale pixels, so that turning does not shift the coordinates
    width, height = (side // scale for side in header.stored_wh)
    if header.kind == "PNG" and scale > 1:
        whole = image[: height * scale, : width * scale]
        image = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))
    image = image[:height, :width]
    if image.shape != (height, width, 3):
        raise broken(name, Message("its size is not what its header says"))
    return image


def _tells_of_missing_pixels(warning: str) -> bool:
    """Whether a line says that part of the picture was made up; skipped bytes do no harm."""
    return warning.startswith(_MISSING_PIXELS_LINES) and "extraneous bytes" not in warning


@contextlib.contextmanager
def _decoder_warnings(lines: list[str]) -> Iterator[None]:
    """Collect what the C libraries below OpenCV write to standard error.

    They report a picture that is partly made up nowhere else. What another thread writes in this
    fraction of a second is passed on.
    """
    with _stderr_lock, contextlib.ExitStack() as cleanup:
        try:
            original = os.dup(2)
        except OSError:  # a service without standard error
            yield
            return
        cleanup.callback(os.close, original)
        reader, writer = os.pipe()
        cleanup.callback(os.close, reader)
        # A full pipe drops the rest instead of blocking the decoder
        os.set_blocking(writer, False)
        os.dup2(writer, 2)
        os.close(writer)
        try:
            yield
        finally:
            os.dup2(original, 2)  # closes the last writing end
            os.set_blocking(reader, False)
            with contextlib.suppress(OSError):
                for line in os.read(reader, 65536).splitlines(keepends=True):
                    text = line.decode("utf-8", "replace")
                    if text.startswith(_DECODER_LINES):
                        lines.append(text)
                    else:
                        os.write(original, line)
