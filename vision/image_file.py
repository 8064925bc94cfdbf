"""What an image file says of itself before it is decoded: kind, size, orientation, completeness.

A decoder is trusting: it turns a photo that was cut short into one that is half grey, and takes
gigabytes for a small file that claims to be huge. So the structure is walked first, which costs
milliseconds and no memory. JPEG after ITU-T T.81 annex B, PNG after the W3C recommendation,
orientation after Exif 2.32 (tag 0x0112).
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from vision.errors import Message, PhotoError

SAVE_AS_JPEG = Message("save it as JPEG or PNG")
TAKE_IT_AGAIN = Message("copy the photo again or take a new one")

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_JPEG_SIGNATURE = b"\xff\xd8\xff"
_EXIF_SIGNATURE = b"Exif\0\0"
_ORIENTATION_TAG = 0x0112

# A marker inside compressed data: anything but a stuffed zero, a restart marker or a fill byte.
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_START_OF_SCAN, _END_OF_IMAGE, _APP1 = 0xDA, 0xD9, 0xE1
_STANDALONE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
# Each scan of a progressive JPEG costs a pass over the whole picture; cameras use about ten.
_MAX_SCANS = 64

_PNG_BIT_DEPTHS = {0: {1, 2, 4, 8, 16}, 2: {8, 16}, 3: {1, 2, 4, 8}, 4: {8, 16}, 6: {8, 16}}

_OTHER_FORMATS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"GIF8", Message("a GIF")),
    (8, b"WEBP", Message("a WebP image")),
    (0, b"BM", Message("a BMP image")),
    (4, b"ftyphei", Message("a HEIC image")),
    (4, b"ftyphev", Message("a HEIC image")),
    (4, b"ftypmif1", Message("a HEIC image")),
    (4, b"ftypmsf1", Message("a HEIC image")),
    (4, b"ftypavi", Message("an AVIF image")),
    (4, b"ftypcrx", Message("a camera's raw file")),
    (4, b"ftyp", Message("a video")),
    (0, b"II*\0", Message("a TIFF image or a camera's raw file")),
    (0, b"MM\0*", Message("a TIFF image or a camera's raw file")),
    (0, b"FUJIFILMCCD-RAW", Message("a camera's raw file")),
    (0, b"IIRO", Message("a camera's raw file")),
    (0, b"IIU\0", Message("a camera's raw file")),
    (0, b"\xff\x0a", Message("a JPEG XL image")),
    (4, b"JXL \r\n", Message("a JPEG XL image")),
    (4, b"jP  \r\n", Message("a JPEG 2000 image")),
    (0, b"8BPS", Message("a Photoshop file")),
    (0, b"%PDF", Message("a PDF")),
)


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """What a complete image file says of itself.

    Attributes:
        kind: the format.
        stored_wh: width and height in pixels as stored, before the orientation is applied.
        orientation: Exif orientation, 1 (upright) to 8.
    """

    kind: Literal["JPEG", "PNG"]
    stored_wh: tuple[int, int]
    orientation: int

    @property
    def upright_wh(self) -> tuple[int, int]:
        """Width and height as viewers show the picture; orientations 5 to 8 lie on their side."""
        width, height = self.stored_wh
        return (height, width) if self.orientation >= 5 else (width, height)


def inspect_image(data: bytes, where: str) -> ImageHeader:
    """Read the header of a JPEG or PNG and check that the file is complete.

    Args:
        data: the whole file.
        where: name of the file, for errors.

    Raises:
        PhotoError: ``photo-not-an-image``, ``photo-unsupported-format``, ``photo-truncated`` or
            ``photo-broken``.
    """
    if data.startswith(_JPEG_SIGNATURE):
        return _inspect_jpeg(data, where)
    if data.startswith(_PNG_SIGNATURE):
        return _inspect_png(data, where)
    for offset, signature, what in _OTHER_FORMATS:
        if data.startswith(signature, offset):
            raise PhotoError(
                "photo-unsupported-format",
                "this is {what}, which cannot be read: {advice}",
                where,
                what=what,
                advice=SAVE_AS_JPEG,
            )
    if _JPEG_SIGNATURE.startswith(data) or _PNG_SIGNATURE.startswith(data):
        raise truncated(where)
    raise PhotoError(
        "photo-not-an-image", "this is not an image: give a photo in JPEG or PNG format", where
    )


def truncated(where: str) -> PhotoError:
    """The error for a file that ends too early."""
    return PhotoError(
        "photo-truncated", "the photo is cut short: {advice}", where, advice=TAKE_IT_AGAIN
    )


def broken(where: str, what: str) -> PhotoError:
    """The error for a file whose content contradicts itself."""
    return PhotoError(
        "photo-broken",
        "the photo is damaged, {what}: {advice}",
        where,
        what=what,
        advice=TAKE_IT_AGAIN,
    )


def _inspect_jpeg(data: bytes, where: str) -> ImageHeader:
    stored_wh: tuple[int, int] | None = None
    orientation: int | None = None
    scans = 0
    for marker, segment in _jpeg_segments(data, where):
        if marker in _START_OF_FRAME:
            if stored_wh is not None:
                raise broken(where, Message("it holds two JPEG frames"))
            stored_wh = _jpeg_size(segment, where)
        elif marker == _APP1 and orientation is None and segment.startswith(_EXIF_SIGNATURE):
            orientation = _exif_orientation(segment[len(_EXIF_SIGNATURE) :])
        elif marker == _START_OF_SCAN:
            scans += 1
            if scans > _MAX_SCANS:
                raise broken(where, Message("it has too many JPEG scans"))
    if stored_wh is None or scans == 0:
        raise broken(where, Message("it holds no picture"))
    return ImageHeader("JPEG", stored_wh, orientation or 1)


def _jpeg_segments(data: bytes, where: str) -> Iterator[tuple[int, bytes]]:
    """Marker and content of each segment up to the end of the image; the end must be there.

    What cameras append after the end (previews, depth, films) is no concern of ours.
    """
    at = 2
    while True:
        if at < len(data) and data[at] != 0xFF:
            raise broken(where, Message("a JPEG marker is missing"))
        while data[at : at + 1] == b"\xff":
            at += 1
        if at >= len(data):
            raise truncated(where)
        marker = data[at]
        at += 1
        if marker == _END_OF_IMAGE:
            return
        if marker in _STANDALONE_MARKERS:
            continue
        segment = _jpeg_segment(data, at, where)
        yield marker, segment
        at += 2 + len(segment)
        if marker == _START_OF_SCAN:
            next_marker = _NEXT_MARKER.search(data, at)
            if next_marker is None:
                raise truncated(where)
            at = next_marker.start()


def _jpeg_segment(data: bytes, at: int, where: str) -> bytes:
    """The content of the segment whose two-byte length stands at ``at``."""
    if at + 2 > len(data):
        raise truncated(where)
    (length,) = struct.unpack_from(">H", data, at)
    if length < 2:
        raise broken(where, Message("a JPEG segment has no length"))
    if at + length > len(data):
        raise truncated(where)
    return data[at + 2 : at + length]


def _jpeg_size(segment: bytes, where: str) -> tuple[int, int]:
    if len(segment) < 6:
        raise broken(where, Message("its JPEG frame header is too short"))
    height, width = struct.unpack_from(">xHH", segment)
    if width == 0 or height == 0:
        raise broken(where, Message("its JPEG header states no size"))
    return width, height


def _inspect_png(data: bytes, where: str) -> ImageHeader:
    stored_wh: tuple[int, int] | None = None
    orientation = 1
    has_pixels = False
    for kind, body in _png_chunks(data, where):
        if kind == b"IHDR":
            stored_wh = _png_size(body, where)
        elif stored_wh is None:
            raise broken(where, Message("its PNG header is missing"))
        elif kind == b"acTL":
            raise PhotoError(
                "photo-unsupported-format",
                "this is an animated PNG, which cannot be read: {advice}",
                where,
                advice=SAVE_AS_JPEG,
            )
        elif kind == b"eXIf":
            orientation = _exif_orientation(body)
        elif kind == b"IDAT":
            has_pixels = True
    if stored_wh is None or not has_pixels:
        raise broken(where, Message("it holds no picture"))
    return ImageHeader("PNG", stored_wh, orientation)


def _png_chunks(data: bytes, where: str) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk up to the last, IEND, which must be there."""
    at = len(_PNG_SIGNATURE)
    kind = b""
    while kind != b"IEND":
        if at + 12 > len(data):
            raise truncated(where)
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        at += 12 + length
        if at > len(data):
            raise truncated(where)
        if struct.unpack_from(">I", data, at - 4)[0] != zlib.crc32(body, zlib.crc32(kind)):
            raise broken(where, Message("a PNG checksum does not match"))
        yield kind, body


def _png_size(body: bytes, where: str) -> tuple[int, int]:
    if len(body) != 13:
        raise broken(where, Message("its PNG header has the wrong length"))
    width, height, bit_depth, colour_type = struct.unpack_from(">IIBB", body)
    if bit_depth not in _PNG_BIT_DEPTHS.get(colour_type, ()):
        raise broken(where, Message("its PNG header states a colour type that does not exist"))
    if not (0 < width < 2**31 and 0 < height < 2**31):
        raise broken(where, Message("its PNG header states no size"))
    return width, height


def _exif_orientation(tiff: bytes) -> int:
    """Orientation 1 to 8 in a TIFF structure; 1 where it is missing or makes no sense."""
    byte_order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if byte_order is None:
        return 1
    try:
        (directory,) = struct.unpack_from(byte_order + "I", tiff, 4)
        (entries,) = struct.unpack_from(byte_order + "H", tiff, directory)
        for index in range(entries):
            entry = directory + 2 + 12 * index
            tag, kind, count, value = struct.unpack_from(byte_order + "HHIH", tiff, entry)
            if tag == _ORIENTATION_TAG:
                is_one_short = kind == 3 and count == 1
                return int(value) if is_one_short and 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1
