"""Taught editions as ZIP files, to take them to another machine.

A ZIP holds one folder with the files of an edition. What comes in is checked before anything is
unpacked, is unpacked into memory alone, and is written anew from the decoded pictures.
"""

import io
import stat
import zipfile
import zlib
from pathlib import Path
from typing import Final

from firmware.edition_store import (
    DESCRIPTION_FILE,
    MAX_DESCRIPTION_BYTES,
    MAX_PICTURE_BYTES,
    NAME,
    PICTURE_NAME,
    SHEET_FILE,
    edition_files,
    edition_from,
    parse_description,
    save_edition,
)
from firmware.errors import UsageError
from vision.editions.edition import FACES, MOST_EXAMPLES, Edition

MAX_ARCHIVE_BYTES: Final = 16 * 1024 * 1024
MAX_SHEET_BYTES: Final = 4 * 1024 * 1024
MOST_FILES: Final = len(FACES) * MOST_EXAMPLES + 3
"""All pictures, the description, the contact sheet and the folder itself."""
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
        UsageError: ``archive-missing``, ``archive-refused``, ``edition-damaged``,
            ``edition-format`` or ``edition-exists``; nothing has been written.
        OutputError: ``edition-not-writable``.
    """
    edition = read_archive(_read(path), str(path))
    save_edition(edition, replace=replace)
    return edition


def read_archive(data: bytes, where: str) -> Edition:
    """The edition in the content of a ZIP file.

    Raises:
        UsageError: ``archive-refused``, ``edition-damaged`` or ``edition-format``.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            folder, entries = _checked_entries(archive.infolist(), where)
            files = {name: _unpacked(archive, entry) for name, entry in entries.items()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise _refused("it is no complete ZIP file", where) from error
    if DESCRIPTION_FILE not in files:
        raise _refused(f"it has no {DESCRIPTION_FILE}", where)
    content = parse_description(files.pop(DESCRIPTION_FILE), f"{where}, {DESCRIPTION_FILE}")
    if content["name"] != folder:
        raise _refused(f"its folder is {folder}, its edition {content['name']}", where)
    listed = {file for names in content["examples"].values() for file in names}
    if listed != set(files):
        raise _refused("its pictures are not those that it lists", where)
    return edition_from(content, files, where)


def _checked_entries(
    entries: list[zipfile.ZipInfo], where: str
) -> tuple[str, dict[str, zipfile.ZipInfo]]:
    """The folder's name, and the files to unpack by their names in it."""
    if len(entries) > MOST_FILES:
        raise _refused(f"it holds more than {MOST_FILES} files", where)
    folder = entries[0].filename.split("/")[0] if entries else ""
    if NAME.fullmatch(folder) is None:
        raise _refused("it holds no folder named like an edition", where)
    files: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        if entry.filename == f"{folder}/":
            continue
        name = entry.filename.removeprefix(f"{folder}/")
        is_picture = PICTURE_NAME.fullmatch(name) is not None
        if name == entry.filename or not (is_picture or name == DESCRIPTION_FILE):
            raise _refused("it holds a file that belongs to no edition", where)
        if name in files:
            raise _refused(f"it holds {name} twice", where)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or entry.flag_bits & _ENCRYPTED:
            raise _refused(f"{name} is a link or encrypted", where)
        if entry.file_size > _limit(name):
            raise _refused(f"{name} is larger than {_limit(name)} bytes", where)
        files[name] = entry
    files.pop(SHEET_FILE, None)  # made anew
    return folder, files


def _limit(name: str) -> int:
    if name == SHEET_FILE:
        return MAX_SHEET_BYTES
    return MAX_DESCRIPTION_BYTES if name == DESCRIPTION_FILE else MAX_PICTURE_BYTES


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The content of a file, which is no longer than its entry says."""
    with archive.open(entry) as file:
        data = file.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise zipfile.BadZipFile
    return data


def _read(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise FileNotFoundError
        with path.open("rb") as file:
            data = file.read(MAX_ARCHIVE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(
            "archive-missing", "there is no such file that can be read: check the path", str(path)
        ) from error
    if len(data) > MAX_ARCHIVE_BYTES:
        raise _refused(f"it is larger than {MAX_ARCHIVE_BYTES} bytes", str(path))
    return data


def _refused(what: str, where: str) -> UsageError:
    return UsageError(
        "archive-refused",
        f"this is no exported edition, {what}: export it again with stadtblick editions export",
        where,
    )
