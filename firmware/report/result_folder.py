"""What ``scan --out`` leaves behind: sheet, reading, annotated photo and every screen."""

import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

import cv2

from firmware.base.atomic_files import replace_files
from firmware.base.errors import OutputError, system_reason
from firmware.base.json_text import json_text
from firmware.base.terminal import Json
from firmware.games import Scan
from firmware.report.annotate import annotated
from firmware.report.json_output import reading_json, scan_json
from firmware.screens import place_picture, result_files, result_screens, save_screens
from vision.photo.load import Photo

SHEET_FILE: Final = "sheet.json"
READING_FILE: Final = "reading.json"
ANNOTATED_FILE: Final = "annotated.jpg"
SCREENS_FOLDER: Final = "screens"


def prepare_folder(folder: Path) -> None:
    """Make a folder for results, before any work is spent on them.

    Neither the folder nor a folder in it may be a symbolic link, which leads who knows where.

    Raises:
        OutputError: ``out-not-a-folder`` or ``out-not-writable``.
    """
    for path in (folder, folder / SCREENS_FOLDER):
        if path.is_symlink():
            raise OutputError(
                "out-not-a-folder",
                "this is a symbolic link: remove it, or name another folder",
                str(path),
            )
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
    """Write everything about one scan; the files of an earlier one are replaced all at once.

    Sheet and screens are left out where nothing was scored but could have been. Nothing else in
    the folder is touched.

    Raises:
        OutputError: ``out-not-writable`` or ``out-is-the-photo``.
    """
    _check_photo_stays(folder, photo)
    picture = annotated(scan, photo)
    try:
        with replace_files(folder, _results_in) as draft:
            if scan.sheet is not None:
                (draft / SHEET_FILE).write_bytes(_json_bytes(scan_json(scan)))
                screens = result_screens(scan, partial(place_picture, photo, scan))
                save_screens(screens, draft / SCREENS_FOLDER)
            (draft / READING_FILE).write_bytes(_json_bytes(reading_json(scan)))
            (draft / ANNOTATED_FILE).write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    except OSError as error:
        raise _not_writable(folder, error) from error


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write several files of a folder all at once, also over others of these names.

    Args:
        folder: made by ``prepare_folder``.
        files: content by file name.

    Raises:
        OutputError: ``out-not-writable``.
    """
    try:
        with replace_files(
            folder, lambda place: filter(Path.is_file, map(place.joinpath, files))
        ) as draft:
            for name, data in files.items():
                (draft / name).write_bytes(data)
    except OSError as error:
        raise _not_writable(folder, error) from error


def _check_photo_stays(folder: Path, photo: Photo) -> None:
    """Refuse a folder in which a result would take the place of the photo."""
    screens = (folder / SCREENS_FOLDER).glob("*.png")
    if any(_is_same_file(path, photo.name) for path in (*_results_in(folder), *screens)):
        raise OutputError(
            "out-is-the-photo",
            "the results would replace the photo {name}: name another folder",
            str(folder),
            name=photo.name,
        )


def _is_same_file(path: Path, name: str) -> bool:
    try:
        return path.samefile(name)
    except (OSError, ValueError):
        return False


def _results_in(folder: Path) -> list[Path]:
    """The files in a folder that an earlier scan left."""
    files = [folder / name for name in (SHEET_FILE, READING_FILE, ANNOTATED_FILE)]
    files += result_files(folder / SCREENS_FOLDER)
    return [path for path in files if path.is_file()]


def _json_bytes(value: Json) -> bytes:
    return (json_text(value, indent=2, ascii_only=False) + "\n").encode()


def _not_writable(folder: Path, error: Exception) -> OutputError:
    return OutputError(
        "out-not-writable",
        "the results cannot be written ({why}): name another folder",
        str(folder),
        why=system_reason(error),
    )
