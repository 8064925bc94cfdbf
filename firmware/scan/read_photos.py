"""Several photos of one table: read one after the other, then joined.

Only one photo is decoded at a time; of the earlier ones a reduced copy is kept for the joined
picture. A note names a photo that adds nothing; the others count all the same.
"""

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import cv2

from firmware.scan.make_scan import shows_other_tiles
from firmware.wording.notes import UNUSED_PHOTO_CODES, ScanNote
from vision.editions.edition import Edition
from vision.errors import VisionError
from vision.joining import PlacedReading, join_readings
from vision.joining.picture import cut_photo, joined_picture, place_photos, reduce_photo
from vision.photo.load import Photo
from vision.reading import Note, Reading

if TYPE_CHECKING:
    from vision.calibration.reader import PhotoReader

MAX_SCALE: Final = 8
"""Largest ``Photo.scale``."""

UNUSED_PHOTO_PX: Final = 400
"""Minimum longer side in pixels of a photo that adds nothing, as kept to be shown."""

FIRST_PHOTO_NAME: Final = "1"
"""Name of the first photo of a series; the others follow with 2, 3, …"""

PhotoKey = tuple[int, tuple[int, int]]
"""Checksum and size of a photo, to recognise one that was given before."""


@dataclass(frozen=True, slots=True)
class PhotoSource:
    """Photo that is not decoded yet.

    Attributes:
        name: Name for results and errors.
        load: Function that decodes it.
    """

    name: str
    load: Callable[[], Photo]


@dataclass(frozen=True, slots=True, eq=False)
class UnusedPhoto:
    """Photo of a series that adds nothing.

    Attributes:
        photo: Photo, reduced; None if the file could not be decoded.
        reason: Note that says why.
    """

    photo: Photo | None
    reason: Note


@dataclass(frozen=True, slots=True, eq=False)
class PhotoSeries:
    """Photos of one table that were read so far.

    Attributes:
        given: Number of photos given so far, also those that cannot be used.
        kept: Reduced photos with their readings.
        notes: Notes on photos that add nothing, repeated ones included.
        known: Names of the photos by checksum and size.
        unused: Photos that ``unused_notes`` is about, so without repeated ones.
        error: Error of the first photo that cannot be used; None if all can.
    """

    given: int = 0
    kept: tuple[tuple[Photo, Reading], ...] = ()
    notes: tuple[Note, ...] = ()
    known: dict[PhotoKey, str] = field(default_factory=dict)
    unused: tuple[UnusedPhoto, ...] = ()
    error: VisionError | None = None

    @classmethod
    def beginning_with(cls, photo: Photo, reading: Reading) -> "PhotoSeries":
        """Return a series whose first photo was read alone."""
        first = (
            replace(photo, name=FIRST_PHOTO_NAME),
            replace(reading, photo_name=FIRST_PHOTO_NAME),
        )
        return cls(given=1, kept=(first,), known={_key_of(photo): FIRST_PHOTO_NAME})

    @property
    def unused_notes(self) -> tuple[Note, ...]:
        """Notes after which a city may be missing: those on all but repeated photos."""
        return tuple(note for note in self.notes if note.code in UNUSED_PHOTO_CODES)

    def read(
        self, source: PhotoSource, edition: Edition, reader: "PhotoReader", joined_count: int
    ) -> "PhotoSeries":
        """Read a further photo.

        Args:
            source: Photo to read.
            edition: Edition of the tiles and the board.
            reader: Function that reads a photo.
            joined_count: Number of photos that share the joined picture.
        """
        given = replace(self, given=self.given + 1)
        start = time.perf_counter()
        photo = None
        try:
            photo = source.load()
            key = _key_of(photo)
            if key in self.known:
                note = _note(ScanNote.PHOTO_REPEATED, source, other=self.known[key])
                return replace(given, notes=(*self.notes, note))
            decode_ms = (time.perf_counter() - start) * 1000
            reading = reader(photo, edition)
        except VisionError as error:
            values = {name: str(value) for name, value in error.values.items()}
            note = _note(ScanNote.PHOTO_UNUSABLE, source, template=error.template, **values)
            given = _with_unused(given, photo, note)
            return replace(given, error=self.error or error)
        timings_ms = {"decode": decode_ms, **reading.timings_ms}
        reading = replace(reading, photo_name=source.name, timings_ms=timings_ms)
        if not reading.grids and shows_other_tiles(reading):
            given = _with_unused(given, photo, _note(ScanNote.PHOTO_OTHER_TILES, source))
        elif not reading.grids and not reading.unread:
            given = _with_unused(given, photo, _note(ScanNote.PHOTO_EMPTY, source))
        kept = *self.kept, (photo, reading)
        return replace(
            given,
            kept=tuple((reduce_photo(each, joined_count), seen) for each, seen in kept),
            known={**self.known, key: source.name},
        )

    def join(self, edition: Edition) -> tuple[Photo, Reading]:
        """Return the joined picture, and the reading in its pixels.

        Raises:
            VisionError: None of the photos can be used.
        """
        if not self.kept and self.error is not None:
            raise self.error
        photos = [photo for photo, _reading in self.kept]
        parts, size_wh = place_photos(photos)
        placed = [
            PlacedReading(reading, part)
            for (_photo, reading), part in zip(self.kept, parts, strict=True)
        ]
        reading = join_readings(placed, edition.description, size_wh)
        reading = replace(reading, notes=(*reading.notes, *self.notes))
        return joined_picture(photos, reading.photo_name), reading

    def cut_from_joined(self, picture: Photo, joined: Reading) -> "PhotoSeries":
        """Return the series to which further photos are added, cut out of the joined picture.

        Photos that add nothing are forgotten, as a further one is given in their place.

        Args:
            picture: Joined picture.
            joined: Reading in its pixels.
        """
        photos = () if joined.join is None else joined.join.photos
        cut = (cut_photo(picture, each) for each in photos)
        kept = tuple((photo, seen) for photo, (_old, seen) in zip(cut, self.kept, strict=True))
        return PhotoSeries(given=self.given, kept=kept, known=self.known)


def read_photos(
    sources: Sequence[PhotoSource], edition: Edition, reader: "PhotoReader"
) -> tuple[Photo, Reading]:
    """Read several photos of one table and join them.

    Args:
        sources: Photos in the order given, two at least.
        edition: Edition of the tiles and the board.
        reader: Function that reads a photo.

    Returns:
        Joined picture, and the reading in its pixels.

    Raises:
        VisionError: None of the photos can be used.
    """
    series = PhotoSeries()
    for source in sources:
        series = series.read(source, edition, reader, len(sources))
    return series.join(edition)


def halve_photo(photo: Photo, min_px: int) -> Photo:
    """Return a photo halved as often as its longer side keeps ``min_px`` pixels."""
    image, scale = photo.image_bgr, photo.scale
    while max(image.shape[:2]) >= 2 * min_px and scale < MAX_SCALE:
        height, width = image.shape[:2]
        image = cv2.resize(image, (width // 2, height // 2), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        scale *= 2
    return replace(photo, image_bgr=image, scale=scale)


def _with_unused(series: PhotoSeries, photo: Photo | None, reason: Note) -> PhotoSeries:
    reduced = None if photo is None else halve_photo(photo, UNUSED_PHOTO_PX)
    unused = (*series.unused, UnusedPhoto(reduced, reason))
    return replace(series, notes=(*series.notes, reason), unused=unused)


def _key_of(photo: Photo) -> PhotoKey:
    return zlib.crc32(photo.image_bgr.tobytes()), photo.size_wh


def _note(code: ScanNote, source: PhotoSource, **values: str) -> Note:
    return Note(code, values=(("photo", source.name), *values.items()))
