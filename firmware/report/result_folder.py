"""Folder of ``scan --out``: sheet, reading, annotated photo and every screen."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import cv2

from firmware.base.atomic_files import replace_files
from firmware.base.errors import OutputError
from firmware.base.json_text import json_text
from firmware.base.output_folder import not_writable
from firmware.base.terminal import Json
from firmware.games.scan import Scan
from firmware.report.annotate import annotate_photo, at_decoded_size
from firmware.report.place_pictures import place_bitmap
from firmware.report.scan_views import scan_screens
from firmware.scan.json_output import reading_json, scan_json
from firmware.screens.screen_files import result_files, save_screens
from vision.arrays import Image
from vision.joining.picture import cut_part
from vision.photo.load import Photo

SHEET_FILE: Final = "sheet.json"
READING_FILE: Final = "reading.json"
ANNOTATED_FILE: Final = "annotated.jpg"
PHOTO_FILE: Final = "annotated-{number}.jpg"
"""File of one of several photos; ``ANNOTATED_FILE`` shows all of them side by side."""
SCREENS_FOLDER: Final = "screens"


def write_results(folder: Path, photo: Photo, scan: Scan) -> None:
    """Write everything about one scan; the files of an earlier one are replaced all at once.

    Sheet and screens are left out where nothing was scored but could have been. Nothing else in
    the folder is touched.

    Raises:
        OutputError: ``out-not-writable`` or ``out-is-the-photo``.
    """
    _check_photo_stays(folder, photo)
    picture = annotate_photo(photo, scan)
    try:
        with replace_files(folder, _results_in) as draft:
            if scan.sheet is not None:
                (draft / SHEET_FILE).write_bytes(_json_bytes(scan_json(scan)))
                crop_at = partial(place_bitmap, photo, scan.reading, scan.description)
                screens = scan_screens(scan, crop_at)
                save_screens(screens, draft / SCREENS_FOLDER)
            (draft / READING_FILE).write_bytes(_json_bytes(reading_json(scan)))
            (draft / ANNOTATED_FILE).write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
            for name, part in _annotated_photos(picture, photo, scan):
                (draft / name).write_bytes(cv2.imencode(".jpg", part)[1].tobytes())
    except OSError as error:
        raise not_writable(folder, error) from error


def _annotated_photos(picture: Image, photo: Photo, scan: Scan) -> Iterator[tuple[str, Image]]:
    """Yield the annotated part of each of several photos, with the name of its file."""
    join = at_decoded_size(scan.reading, photo).join
    for number, each in enumerate(() if join is None else join.photos, start=1):
        yield PHOTO_FILE.format(number=number), cut_part(picture, each)


def _check_photo_stays(folder: Path, photo: Photo) -> None:
    """Refuse a folder in which a result would take the place of the photo."""
    screens = (folder / SCREENS_FOLDER).glob("*.png")
    if any(_is_same_file(path, photo.name) for path in (*_results_in(folder), *screens)):
        raise OutputError(
            "out-is-the-photo",
            "the results would replace the photo {name}: choose another folder",
            str(folder),
            name=photo.name,
        )


def _is_same_file(path: Path, name: str) -> bool:
    try:
        return path.samefile(name)
    except (OSError, ValueError):
        return False


def _results_in(folder: Path) -> list[Path]:
    """Return the files in a folder that an earlier scan left."""
    files = [folder / name for name in (SHEET_FILE, READING_FILE, ANNOTATED_FILE)]
    files += folder.glob(PHOTO_FILE.format(number="*"))
    files += result_files(folder / SCREENS_FOLDER)
    return [path for path in files if path.is_file()]


def _json_bytes(value: Json) -> bytes:
    return (json_text(value, indent=2, ascii_only=False) + "\n").encode()
