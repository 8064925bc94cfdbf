"""Inspect an image file before it is decoded: format, size, orientation, completeness.

A decoder turns a photo that was cut short into one that is half grey, and takes gigabytes for a
small file that claims to be huge. So the structure is walked first, which takes milliseconds and no
memory. JPEG after ITU-T T.81 annex B, PNG after the W3C recommendation,
orientation after Exif 2.32 (tag 0x0112).

Odd JPEG files are read as viewers read them: bytes between segments that belong to none are passed
over, and what follows the last scan may be a trailer in the place of the end marker.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from vision.errors import PhotoError
from vision.message import Message

SAVE_AS_JPEG = Message("save it as JPEG or PNG")
TAKE_IT_AGAIN = Message("copy the photo again or take a new one")

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_JPEG_SIGNATURE = b"\xff\xd8\xff"
_EXIF_SIGNATURE = b"Exif\0\0"
_ORIENTATION_TAG = 0x0112

_MARKER = re.compile(rb"\xff+[^\x00\xff]")
# A marker inside compressed data: anything but a stuffed zero, a restart marker or a fill byte.
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_READABLE_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC9, 0xCA})
"""Markers of sequential and progressive frames; the others are lossless or hierarchical."""
_PROGRESSIVE = frozenset({0xC2, 0xCA})
_START_OF_SCAN, _END_OF_IMAGE, _APP1 = 0xDA, 0xD9, 0xE1
_STANDALONE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
_AFTER_A_SCAN = frozenset({0xC4, _START_OF_SCAN, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), 0xFE})
"""Markers of segments that may follow a scan."""
_BLOCK = 64
"""Coefficients of a block of 8 x 8 pixels."""
_MAX_SEGMENTS = 4096
"""Maximum number of segments of a JPEG; those of cameras have up to some hundreds."""
_MAX_SCANS = 64
"""Maximum number of scans of a JPEG, each of which takes a pass over the picture; cameras use about
ten."""
_MAX_SCANNED = 1_000_000_000
"""Maximum number of coefficients of all scans together; ten scans of 50 megapixels have 750 million
at most."""
_MAX_CHUNKS = 65_536
"""Maximum number of chunks of a PNG; one of 40 MB in pieces of 8 KB has 5000."""

_PNG_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples of a pixel, by colour type."""
_ADAM7 = (
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)
)  # fmt: skip
"""First column and row, and steps, of each pass of an interlaced PNG."""
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
    """Header of a complete image file.

    Attributes:
        kind: Format.
        stored_wh: Width and height in pixels as stored, before the orientation is applied.
        orientation: Exif orientation, 1 (upright) to 8.
        unpacked_bytes: Size of the pixels of a PNG once they are unpacked; 0 for other formats.
        coefficients: Numbers of two bytes that a decoder holds for a JPEG of several scans; 0 if
            it needs to hold none.
        end: Offset of a trailer where the end marker of a JPEG should be; None if it is there.
    """

    kind: Literal["JPEG", "PNG", "HEIC"]
    stored_wh: tuple[int, int]
    orientation: int
    unpacked_bytes: int = 0
    coefficients: int = 0
    end: int | None = None

    @property
    def upright_wh(self) -> tuple[int, int]:
        """Width and height as viewers show the picture; orientations 5 to 8 lie on their side."""
        width, height = self.stored_wh
        return (height, width) if self.orientation >= 5 else (width, height)


def inspect_image(data: bytes, where: str) -> ImageHeader:
    """Read the header of a JPEG or PNG and check that the file is complete.

    Args:
        data: Content of the whole file.
        where: Name of the file, for errors.

    Raises:
        PhotoError: ``photo-not-an-image``, ``photo-unsupported-format``, ``photo-truncated`` or
            ``photo-broken``.
    """
    if data.startswith(_JPEG_SIGNATURE):
        return _inspect_jpeg(data, where)
    if data.startswith(PNG_SIGNATURE):
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
    if _JPEG_SIGNATURE.startswith(data) or PNG_SIGNATURE.startswith(data):
        raise truncated(where)
    raise PhotoError(
        "photo-not-an-image",
        "this is not an image: give a photo in JPEG, PNG or HEIC format",
        where,
    )


def truncated(where: str) -> PhotoError:
    """Return the error for a file that ends too early."""
    return PhotoError(
        "photo-truncated", "the photo is cut short: {advice}", where, advice=TAKE_IT_AGAIN
    )


def broken(where: str, what: str) -> PhotoError:
    """Return the error for a file whose content contradicts itself."""
    return PhotoError(
        "photo-broken",
        "the photo is damaged, {what}: {advice}",
        where,
        what=what,
        advice=TAKE_IT_AGAIN,
    )


def _inspect_jpeg(data: bytes, where: str) -> ImageHeader:
    contents = _JpegContents(where)
    end = None
    for marker, segment, at in _jpeg_segments(data, where):
        if marker is None:
            end = at
        # Behind a scan that holds all, nothing belongs to the picture
        elif not (contents.scans and contents.is_in_one_scan):
            contents.add(marker, segment)
    frame = contents.frame
    if frame is None or not contents.scans:
        raise broken(where, Message("it holds no picture"))
    if end is not None and not _has_all_bits(frame, contents.scans):
        raise truncated(where)
    held = 0 if contents.is_in_one_scan else frame.coefficient_count
    return ImageHeader("JPEG", frame.size_wh, contents.orientation or 1, coefficients=held, end=end)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Frame header of a JPEG; coefficients by the number of their component."""

    size_wh: tuple[int, int]
    is_progressive: bool
    coefficients: dict[int, int]

    @property
    def coefficient_count(self) -> int:
        """Coefficients of all components together."""
        return sum(self.coefficients.values())


@dataclass(frozen=True, slots=True)
class _Scan:
    """Scan of a JPEG: components, band of coefficients, lowest bit, and number of coefficients."""

    names: frozenset[int]
    band: range
    lowest_bit: int
    coefficients: int


@dataclass(slots=True)
class _JpegContents:
    """Contents of the segments of a JPEG read so far."""

    where: str
    frame: _Frame | None = None
    orientation: int | None = None
    scans: list[_Scan] = field(default_factory=list)

    @property
    def is_in_one_scan(self) -> bool:
        """True if the first scan holds the whole picture."""
        frame = self.frame
        if frame is None or frame.is_progressive:
            return False
        return all(scan.names == frame.coefficients.keys() for scan in self.scans)

    def add(self, marker: int, segment: bytes) -> None:
        """Add a segment.

        Raises:
            PhotoError: ``photo-broken`` or ``photo-unsupported-format``.
        """
        if marker in _START_OF_FRAME:
            if self.frame is not None:
                raise broken(self.where, Message("it holds two JPEG frames"))
            self.frame = _jpeg_frame(marker, segment, self.where)
        elif marker == _APP1 and self.orientation is None and segment.startswith(_EXIF_SIGNATURE):
            self.orientation = _exif_orientation(segment[len(_EXIF_SIGNATURE) :])
        elif marker == _START_OF_SCAN:
            self.scans.append(_jpeg_scan(self.frame, segment, self.where))
            passed = sum(scan.coefficients for scan in self.scans)
            if len(self.scans) > _MAX_SCANS or (passed > _MAX_SCANNED and not self.is_in_one_scan):
                raise broken(self.where, Message("it has too many JPEG scans"))


def _jpeg_segments(data: bytes, where: str) -> Iterator[tuple[int | None, bytes, int]]:
    """Yield marker, content and offset of each segment up to the end of the image.

    Previews, depth and videos that cameras append are left out. If the end marker is missing after
    a scan, the last marker is None, at the offset of what follows instead.
    """
    at = 2
    has_scan = False
    unfinished_at: int | None = None  # first marker after the last scan
    for _ in range(_MAX_SEGMENTS):
        found = (_NEXT_MARKER if has_scan else _MARKER).search(data, at)
        if found is None:
            if not has_scan:
                raise truncated(where)
            yield None, b"", len(data) if unfinished_at is None else unfinished_at
            return
        if unfinished_at is None:
            unfinished_at = found.start()
        marker, at = found[0][-1], found.end()
        if marker == _END_OF_IMAGE:
            return
        if has_scan and not _may_follow_a_scan(data, at):
            yield None, b"", unfinished_at
            return
        if marker in _STANDALONE_MARKERS:
            continue
        segment = _jpeg_segment(data, at, where)
        yield marker, segment, found.start()
        at += 2 + len(segment)
        if not has_scan or marker == _START_OF_SCAN:
            unfinished_at = None
        has_scan = has_scan or marker == _START_OF_SCAN
    raise broken(where, Message("it has too many JPEG segments"))


def _may_follow_a_scan(data: bytes, at: int) -> bool:
    """Return whether a segment that ends within the file begins behind the marker at ``at``."""
    if data[at - 1] not in _AFTER_A_SCAN or at + 2 > len(data):
        return False
    (length,) = struct.unpack_from(">H", data, at)
    return bool(length >= 2 and at + length <= len(data))


def _jpeg_segment(data: bytes, at: int, where: str) -> bytes:
    """Return the content of the segment whose two-byte length stands at ``at``."""
    if at + 2 > len(data):
        raise truncated(where)
    (length,) = struct.unpack_from(">H", data, at)
    if length < 2:
        raise broken(where, Message("a JPEG segment has no length"))
    if at + length > len(data):
        raise truncated(where)
    return data[at + 2 : at + length]


def _jpeg_frame(marker: int, segment: bytes, where: str) -> _Frame:
    if marker not in _READABLE_FRAMES:
        raise PhotoError(
            "photo-unsupported-format",
            "this is {what}, which cannot be read: {advice}",
            where,
            what=Message("a JPEG of a rare kind"),
            advice=SAVE_AS_JPEG,
        )
    if len(segment) < 6 or len(segment) < 6 + 3 * segment[5]:
        raise broken(where, Message("its JPEG frame header is too short"))
    height, width, count = struct.unpack_from(">xHHB", segment)
    if width == 0 or height == 0:
        raise broken(where, Message("its JPEG header states no size"))
    components = [struct.unpack_from("BBx", segment, 6 + 3 * n) for n in range(count)]
    across = [sampling >> 4 for _, sampling in components]
    down = [sampling & 15 for _, sampling in components]
    if not 1 <= count <= 4 or not all(1 <= n <= 4 for n in across + down):
        raise broken(where, Message("its JPEG header states no colours"))
    blocks = [
        -(-width * x // (8 * max(across))) * -(-height * y // (8 * max(down)))
        for x, y in zip(across, down, strict=True)
    ]
    coefficients = {
        name: _BLOCK * block for (name, _), block in zip(components, blocks, strict=True)
    }
    if len(coefficients) != count:
        raise broken(where, Message("its JPEG header states no colours"))
    return _Frame((width, height), marker in _PROGRESSIVE, coefficients)


def _jpeg_scan(frame: _Frame | None, segment: bytes, where: str) -> _Scan:
    count = segment[0] if segment else 0
    names = frozenset(segment[1 : 1 + 2 * count : 2])
    if frame is None or not names or not frame.coefficients.keys() >= names:
        raise broken(where, Message("a JPEG scan belongs to no picture"))
    if len(segment) < 4 + 2 * count or not segment[-3] <= segment[-2] < _BLOCK:
        raise broken(where, Message("a JPEG scan belongs to no picture"))
    first, last, bits = segment[1 + 2 * count : 4 + 2 * count]
    passed = sum(frame.coefficients[name] for name in names)
    return _Scan(names, range(first, last + 1), bits & 15, passed)


def _has_all_bits(frame: _Frame, scans: Sequence[_Scan]) -> bool:
    """Return whether the scans hold each coefficient down to its lowest bit."""
    there = {
        (name, n)
        for scan in scans
        if scan.lowest_bit == 0
        for name in scan.names
        for n in scan.band
    }
    return len(there) == _BLOCK * len(frame.coefficients)


def _inspect_png(data: bytes, where: str) -> ImageHeader:
    header: tuple[tuple[int, int], int] | None = None
    orientation = 1
    has_pixels = False
    for kind, body in png_chunks(data, where):
        if kind == b"IHDR":
            header = _png_size(body, where)
        elif header is None:
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
    if header is None or not has_pixels:
        raise broken(where, Message("it holds no picture"))
    return ImageHeader("PNG", header[0], orientation, unpacked_bytes=header[1])


def png_chunks(data: bytes, where: str) -> Iterator[tuple[bytes, memoryview]]:
    """Yield kind and content of each chunk up to the last, IEND, which must be there.

    Raises:
        PhotoError: ``photo-truncated`` or ``photo-broken``.
    """
    at = len(PNG_SIGNATURE)
    view = memoryview(data)
    for _ in range(_MAX_CHUNKS):
        if at + 12 > len(data):
            raise truncated(where)
        length, kind = struct.unpack_from(">I4s", data, at)
        body = view[at + 8 : at + 8 + length]
        at += 12 + length
        if at > len(data):
            raise truncated(where)
        if struct.unpack_from(">I", data, at - 4)[0] != zlib.crc32(body, zlib.crc32(kind)):
            raise broken(where, Message("a PNG checksum does not match"))
        yield kind, body
        if kind == b"IEND":
            return
    raise broken(where, Message("it has too many PNG chunks"))


def _png_size(body: memoryview, where: str) -> tuple[tuple[int, int], int]:
    """Return width and height, and the size of the pixels once they are unpacked."""
    if len(body) != 13:
        raise broken(where, Message("its PNG header has the wrong length"))
    width, height, bit_depth, colour_type, interlaced = struct.unpack(">IIBBxxB", body)
    if bit_depth not in _PNG_BIT_DEPTHS.get(colour_type, ()):
        raise broken(where, Message("its PNG header states a colour type that does not exist"))
    if not (0 < width < 2**31 and 0 < height < 2**31):
        raise broken(where, Message("its PNG header states no size"))
    bits = bit_depth * _PNG_SAMPLES[colour_type]
    passes = _ADAM7 if interlaced else ((0, 0, 1, 1),)
    sizes = (
        (-(-(width - left) // step_x), -(-(height - top) // step_y))
        for left, top, step_x, step_y in passes
    )
    return (width, height), sum(
        rows * (1 + -(-columns * bits // 8)) for columns, rows in sizes if columns > 0 < rows
    )


def _exif_orientation(tiff: bytes | memoryview) -> int:
    """Return the orientation, 1 to 8, in a TIFF structure; 1 if it is missing or invalid."""
    byte_order = {b"II*\0": "<", b"MM\0*": ">"}.get(bytes(tiff[:4]))
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
