"""Folders for results: check before work is spent on them, and write all files at once."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from firmware.base.atomic_files import replace_files
from firmware.base.errors import OutputError, system_reason, write_advice
from vision.message import Message


def prepare_folder(folder: Path, *inner: str) -> None:
    """Make a folder for results, before any work is spent on them.

    Neither the folder nor a folder in it may be a symbolic link, which could lead to other files.

    Args:
        folder: Path of the folder.
        inner: Names of folders that will be written in it.

    Raises:
        OutputError: ``out-not-a-folder`` or ``out-not-writable``.
    """
    for path in (folder, *(folder / name for name in inner)):
        if path.is_symlink():
            raise OutputError(
                "out-not-a-folder",
                "this is a symbolic link: remove it, or choose another folder",
                str(path),
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (FileExistsError, NotADirectoryError) as error:
        raise OutputError(
            "out-not-a-folder", "a file is in the way: choose another folder", str(folder)
        ) from error
    except (OSError, ValueError) as error:
        raise not_writable(folder, error) from error


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write several files of a folder all at once, also over others of these names.

    Args:
        folder: Folder made by ``prepare_folder``.
        files: Content by file name.

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
        raise not_writable(folder, error) from error


def not_writable(folder: Path, error: Exception) -> OutputError:
    """Return the error ``out-not-writable`` for a folder whose files cannot be written."""
    return OutputError(
        "out-not-writable",
        "the results cannot be written ({why}): {advice}",
        str(folder),
        why=system_reason(error),
        advice=write_advice(error, Message("choose another folder")),
    )
