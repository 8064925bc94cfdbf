"""What ``scan --out`` leaves behind: sheet, reading, annotated photo and every screen."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from firmware.annotate import annotate
from firmware.errors import OutputError
from firmware.output import Json, reading_json, scan_json
from firmware.scan import Scan
from firmware.screens import result_screens, save_screens
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
    not have are removed.

    Args:
        folder: as ``prepare_folder`` made it.
        photo: what was scanned.
        scan: what came of it.

    Raises:
        OutputError: ``out-not-writable``.
    """
    totals = [city.total for city in scan.sheet.cities]
    annotated = annotate(photo.image_bgr, _at_decoded_size(scan.reading, photo), totals)
    try:
        with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=folder) as unfinished:
            draft = Path(unfinished)
            (draft / SHEET_FILE).write_bytes(_json_bytes(scan_json(scan)))
            (draft / READING_FILE).write_bytes(_json_bytes(reading_json(scan.reading)))
            (draft / ANNOTATED_FILE).write_bytes(_jpeg_bytes(annotated))
            save_screens(result_screens(scan.sheet, scan.reading), draft / SCREENS_FOLDER)
            _move_files(draft, folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


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


def _move_files(draft: Path, folder: Path) -> None:
    screens = folder / SCREENS_FOLDER
    screens.mkdir(exist_ok=True)
    current = {path.name for path in (draft / SCREENS_FOLDER).iterdir()}
    for path in screens.glob("*.png"):
        if path.name not in current:
            path.unlink()
    for path in sorted(draft.rglob("*")):
        if path.is_file():
            path.replace(folder / path.relative_to(draft))


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
