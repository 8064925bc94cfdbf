"""What ``scan --out`` leaves behind: sheet, reading, annotated photo and every screen."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from firmware.annotate import annotate
from firmware.errors import OutputError
from firmware.output import reading_json, scan_json
from firmware.scan import Scan
from firmware.screens import Screen, is_result_file, result_screens, save_screens
from firmware.terminal import Json
from scoring.games.between_two_cities.table import Table
from vision.photo import Photo
from vision.reading import Quad, Reading

SHEET_FILE: Final = "sheet.json"
READING_FILE: Final = "reading.json"
ANNOTATED_FILE: Final = "annotated.jpg"
SCREENS_FOLDER: Final = "screens"


def prepare_folder(folder: Path) -> None:
    """Make a folder for results, before any work is spent on them.

    Raises:
        OutputError: ``out-not-a-folder`` or ``out-not-writable``.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (FileExistsError, NotADirectoryError) as error:
        raise OutputError(
            "out-not-a-folder", "a file is in the way: name another folder", str(folder)
        ) from error
    except (OSError, ValueError) as error:
        raise _not_writable(folder, error) from error


def write_results(folder: Path, photo: Photo, scan: Scan) -> None:
    """Write everything about one scan; each file appears whole or not at all.

    Files of an earlier scan in the same folder are replaced, screens that the new result does
    not have are removed. Nothing else in the folder is touched.

    Args:
        folder: as ``prepare_folder`` made it.
        photo: what was scanned.
        scan: what came of it.

    Raises:
        OutputError: ``out-not-writable`` or ``out-is-the-photo``.
    """
    check_photo_stays(folder, photo)
    totals = [city.total for city in scan.sheet.cities]
    reading = _at_decoded_size(scan.reading, photo)
    annotated = annotate(photo.image_bgr, reading, totals, owners_known=scan.owners_known)
    screens = result_screens(scan.sheet, scan.reading, owners_known=scan.owners_known)
    write_files(
        folder,
        reading_json(scan.reading, scan.table),
        annotated,
        sheet=scan_json(scan),
        screens=screens,
    )


def write_reading(folder: Path, photo: Photo, reading: Reading, table: Table) -> None:
    """Write the annotated photo and the reading where the rules refuse what was read.

    So a person sees what to put right. Sheet and screens of an earlier scan are removed.

    Args:
        folder: as ``prepare_folder`` made it.
        photo: what was scanned.
        reading: after a person's corrections.
        table: what was refused.

    Raises:
        OutputError: ``out-not-writable`` or ``out-is-the-photo``.
    """
    check_photo_stays(folder, photo)
    annotated = annotate(photo.image_bgr, _at_decoded_size(reading, photo))
    write_files(folder, reading_json(reading, table), annotated)


def write_files(
    folder: Path,
    reading: Json,
    annotated: npt.NDArray[np.uint8],
    *,
    sheet: Json | None = None,
    screens: Iterable[Screen] = (),
) -> None:
    """Write the files of one scan in the place of those of an earlier one, all or none.

    Args:
        folder: as ``prepare_folder`` made it.
        reading: its JSON.
        annotated: the photo with what was read drawn on it.
        sheet: its JSON; None: nothing was scored.
        screens: of the display.

    Raises:
        OutputError: ``out-not-writable``.
    """
    with _draft_in(folder) as draft:
        if sheet is not None:
            (draft / SHEET_FILE).write_bytes(_json_bytes(sheet))
        (draft / READING_FILE).write_bytes(_json_bytes(reading))
        (draft / ANNOTATED_FILE).write_bytes(_jpeg_bytes(annotated))
        save_screens(screens, draft / SCREENS_FOLDER)


def _at_decoded_size(reading: Reading, photo: Photo) -> Reading:
    """The reading in pixels of the decoded picture, which may be smaller than the photo."""

    def quad(full: Quad) -> Quad:
        points = [(float(x), float(y)) for x, y in photo.to_decoded_px(full)]
        return points[0], points[1], points[2], points[3]

    height, width = photo.image_bgr.shape[:2]
    cities = (
        replace(
            city,
            corners_px=quad(city.corners_px),
            tile_quads_px=tuple(
                tuple(None if tile is None else quad(tile) for tile in row)
                for row in city.tile_quads_px
            ),
        )
        for city in reading.cities
    )
    unread = (replace(region, corners_px=quad(region.corners_px)) for region in reading.unread)
    return replace(reading, size_wh=(width, height), cities=tuple(cities), unread=tuple(unread))


def check_photo_stays(folder: Path, photo: Photo) -> None:
    """Refuse a folder in which a result would take the place of the photo.

    Raises:
        OutputError: ``out-is-the-photo``.
    """
    if any(_is_same_file(path, photo.name) for path in _results_in(folder)):
        raise OutputError(
            "out-is-the-photo",
            f"the results would replace the photo {photo.name}: name another folder",
            str(folder),
        )


def _is_same_file(path: Path, name: str) -> bool:
    try:
        return path.samefile(name)
    except (OSError, ValueError):
        return False


def _results_in(folder: Path) -> list[Path]:
    """The files in a folder that have the names of results."""
    files = [folder / name for name in (SHEET_FILE, READING_FILE, ANNOTATED_FILE)]
    screens = (folder / SCREENS_FOLDER).glob("*.png")
    files += [path for path in screens if is_result_file(path.name)]
    return [path for path in files if path.is_file()]


@contextmanager
def _draft_in(folder: Path) -> Iterator[Path]:
    """A folder to write to; when all is written, its files take the place of older results."""
    try:
        with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=folder) as unfinished:
            draft = Path(unfinished)
            yield draft
            _move_files(draft, folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


def _move_files(draft: Path, folder: Path) -> None:
    new = [path.relative_to(draft) for path in sorted(draft.rglob("*")) if path.is_file()]
    for path in _results_in(folder):
        if path.relative_to(folder) not in new:
            path.unlink()
    for path in new:
        (folder / path).parent.mkdir(exist_ok=True)
        (draft / path).replace(folder / path)


def _json_bytes(value: Json) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    # A file name that is no UTF-8 becomes an escape, which JSON reads back as the same name
    return text.encode("utf-8", "backslashreplace")


def _jpeg_bytes(image_bgr: npt.NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", image_bgr)[1].tobytes()


def _not_writable(folder: Path, error: Exception) -> OutputError:
    why = getattr(error, "strerror", None) or type(error).__name__
    return OutputError(
        "out-not-writable",
        f"the results cannot be written ({why}): name another folder",
        str(folder),
    )
