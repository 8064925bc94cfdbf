"""Editions as ZIP files, to take them to another machine.

A ZIP holds one folder with the files of an edition. What comes in is checked before anything is
unpacked, is unpacked into memory alone, and is written anew from the decoded pictures.
"""

import io
import stat
import zipfile
import zlib
from pathlib import Path
from typing import Final

from firmware.editions import SHEET_FILE, load_archived, save_edition
from firmware.errors import FirmwareError, UsageError
from vision.anytiles.model_file import MAX_MODEL_BYTES
from vision.editions.description_toml import EDITION_NAME, IMAGE_NAME, MAX_DESCRIPTION_BYTES
from vision.editions.edition import Edition
from vision.editions.folder import (
    DESCRIPTION_FILE,
    MAX_BOARD_BYTES,
    MODEL_FILE,
    MOST_PICTURES,
    edition_files,
)
from vision.errors import Message, VisionError
from vision.regular_file import read_start

MAX_ARCHIVE_BYTES: Final = 96 * 1024 * 1024
"""Also of all files in it together, unpacked; the largest edition takes 86 MB."""
MOST_FILES: Final = MOST_PICTURES + 5
"""All pictures, the board's, the description, what was learned, the contact sheet, the folder."""
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""The same edition always gives the same file."""
_ENCRYPTED: Final = 1


def archive_of(edition: Edition) -> bytes:
    """The edition as a ZIP file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, data in edition_files(edition).items():
            entry = zipfile.ZipInfo(f"{edition.name}/{name}", _FIRST_DAY)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return target.getvalue()


def import_archive(path: Path, *, replace: bool = False) -> Edition:
    """Take over an edition from a ZIP file.

    Args:
        path: of the file.
        replace: whether it may take the place of an edition with the same name.

    Raises:
        UsageError: ``archive-missing``, the errors of ``read_archive``, or ``edition-exists``;
            nothing has been written.
        DescriptionError: what is wrong with the files of one of format 2.
        OutputError: ``edition-not-writable``.
    """
    edition = read_archive(_read(path), str(path))
    save_edition(edition, replace=replace)
    return edition


def read_archive(data: bytes, where: str) -> Edition:
    """The edition in the content of a ZIP file.

    Raises:
        UsageError: ``archive-refused``, ``edition-damaged`` or
            ``edition-name``.
        DescriptionError: what is wrong with the files of one of format 2.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _edition_in(archive, where)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        if isinstance(error, FirmwareError | VisionError):
            raise
        raise _refused(Message("it is no complete ZIP file"), where) from error


def _edition_in(archive: zipfile.ZipFile, where: str) -> Edition:
    folder, entries = _checked_entries(archive.infolist(), where)
    used: set[str] = set()

    def read(name: str, limit: int) -> bytes:
        if name not in entries:
            raise _refused(Message("it has no {name}", name=name), where)
        if entries[name].file_size > limit:
            raise _refused(
                Message("{name} is larger than {limit} bytes", name=name, limit=limit), where
            )
        used.add(name)
        return _unpacked(archive, entries[name])

    edition = load_archived(read, entries.__contains__, where)
    if edition.name != folder:
        raise _refused(
            Message(
                "its folder is {folder}, its edition {edition}", folder=folder, edition=edition.name
            ),
            where,
        )
    if used != set(entries):
        raise _refused(Message("its pictures are not those that it lists"), where)
    return edition


def _checked_entries(
    entries: list[zipfile.ZipInfo], where: str
) -> tuple[str, dict[str, zipfile.ZipInfo]]:
    """The folder's name, and the files to unpack by their names in it."""
    if len(entries) > MOST_FILES:
        raise _refused(Message("it holds more than {most} files", most=MOST_FILES), where)
    folder = entries[0].filename.split("/")[0] if entries else ""
    if EDITION_NAME.fullmatch(folder) is None:
        raise _refused(Message("it holds no folder named like an edition"), where)
    files: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        if entry.filename == f"{folder}/":
            continue
        name = entry.filename.removeprefix(f"{folder}/")
        is_picture = IMAGE_NAME.fullmatch(name) is not None
        if name == entry.filename or not (is_picture or name in (DESCRIPTION_FILE, MODEL_FILE)):
            raise _refused(Message("it holds a file that belongs to no edition"), where)
        if name in files:
            raise _refused(Message("it holds {name} twice", name=name), where)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or entry.flag_bits & _ENCRYPTED:
            raise _refused(Message("{name} is a link or encrypted", name=name), where)
        if entry.file_size > _limit(name):
            raise _refused(
                Message("{name} is larger than {limit} bytes", name=name, limit=_limit(name)), where
            )
        files[name] = entry
    if sum(entry.file_size for entry in files.values()) > MAX_ARCHIVE_BYTES:
        raise _refused(
            Message("its files are larger than {most} bytes", most=MAX_ARCHIVE_BYTES), where
        )
    files.pop(SHEET_FILE, None)  # made anew
    return folder, files


def _limit(name: str) -> int:
    most = {DESCRIPTION_FILE: MAX_DESCRIPTION_BYTES, MODEL_FILE: MAX_MODEL_BYTES}
    return most.get(name, MAX_BOARD_BYTES)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The content of a file, which is no longer than its entry says."""
    with archive.open(entry) as file:
        data = file.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise zipfile.BadZipFile
    return data


def _read(path: Path) -> bytes:
    try:
        data = read_start(path, MAX_ARCHIVE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(
            "archive-missing", "there is no such file that can be read: check the path", str(path)
        ) from error
    if len(data) > MAX_ARCHIVE_BYTES:
        raise _refused(Message("it is larger than {most} bytes", most=MAX_ARCHIVE_BYTES), str(path))
    return data


def _refused(what: str, where: str) -> UsageError:
    return UsageError(
        "archive-refused",
        "this is no exported edition, {what}: export it again with stadtblick editions export",
        where,
        what=what,
    )
