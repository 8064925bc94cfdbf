"""Several photos of one table: read one after the other, then joined.

Only one photo is decoded at a time; of the earlier ones a reduced copy is kept for the joined
picture. A photo that adds nothing is told in a note, and the others count all the same.
"""

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware.scan.scan import Eye, shows_other_tiles
from firmware.wording.notes import ScanNote
from vision.editions.edition import Edition
from vision.errors import VisionError
from vision.joining import PlacedReading, join_readings
from vision.joining.picture import joined_picture, place_photos, reduce_photo
from vision.photo.load import Photo
from vision.reading import Note, Reading


@dataclass(frozen=True, slots=True)
class PhotoSource:
    """Photo that is not decoded yet.

    Attributes:
        name: Name for results and errors.
        load: Function that decodes it.
    """

    name: str
    load: Callable[[], Photo]


def read_photos(
    sources: Sequence[PhotoSource],
    edition: Edition,
    eye: Eye,
    started: Callable[[int], None] = lambda _number: None,
) -> tuple[Photo, Reading]:
    """Read several photos of one table and join them.

    Args:
        sources: Photos in the order given, two at least.
        edition: Edition of the tiles and the board.
        eye: Function that reads a photo.
        started: Called with the number of each photo, from 0, before it is decoded.

    Returns:
        Joined picture, and the reading in its pixels.

    Raises:
        VisionError: None of the photos can be used.
    """
    kept: list[tuple[Photo, Reading]] = []
    notes: list[Note] = []
    known: dict[tuple[int, tuple[int, int]], str] = {}
    first_error: VisionError | None = None
    for number, source in enumerate(sources):
        started(number)
        start = time.perf_counter()
        try:
            photo = source.load()
            key = zlib.crc32(photo.image_bgr.tobytes()), photo.size_wh
            if key in known:
                notes.append(_note(ScanNote.PHOTO_REPEATED, source, other=known[key]))
                continue
            known[key] = source.name
            decode_ms = (time.perf_counter() - start) * 1000
            reading = eye(photo, edition)
        except VisionError as error:
            first_error = first_error or error
            values = {name: str(value) for name, value in error.values.items()}
            note = _note(ScanNote.PHOTO_UNUSABLE, source, template=error.template, **values)
            notes.append(note)
            continue
        reading = replace(
            reading,
            photo=source.name,
            timings_ms={"decode": decode_ms, **reading.timings_ms},
        )
        if not reading.grids and shows_other_tiles(reading):
            notes.append(_note(ScanNote.PHOTO_OTHER_TILES, source))
        elif not reading.grids and not reading.unread:
            notes.append(_note(ScanNote.PHOTO_EMPTY, source))
        kept.append((reduce_photo(photo, len(sources)), reading))
        del photo
    if not kept and first_error is not None:
        raise first_error
    return _joined(kept, edition, notes)


def _joined(
    kept: Sequence[tuple[Photo, Reading]], edition: Edition, notes: Sequence[Note]
) -> tuple[Photo, Reading]:
    photos = [photo for photo, _reading in kept]
    parts, size_wh = place_photos(photos)
    placed = [
        PlacedReading(reading, part) for (_photo, reading), part in zip(kept, parts, strict=True)
    ]
    reading = join_readings(placed, edition.description, size_wh)
    reading = replace(reading, notes=(*reading.notes, *notes))
    return joined_picture(photos, reading.photo), reading


def _note(code: ScanNote, source: PhotoSource, **values: str) -> Note:
    return Note(code, values=(("photo", source.name), *values.items()))
