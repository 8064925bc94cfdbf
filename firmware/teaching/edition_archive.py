"""Export and import an edition as a ZIP file.

Nothing that is imported is trusted: an archive is unpacked into memory alone, sizes are checked
before anything is decoded, and an edition is stored anew from the decoded pictures.
"""

import io
import stat
import zipfile
import zlib
from pathlib import Path
from typing import Final

from firmware.base.errors import FirmwareError, UsageError
from firmware.teaching.user_editions import CONTACT_SHEET_FILE, check_edition_name, check_game
from vision.editions.description_toml import EDITION_NAME, IMAGE_NAME, MAX_DESCRIPTION_BYTES
from vision.editions.edition import Edition
from vision.editions.folder import (
    DESCRIPTION_FILE,
    MAX_BOARD_BYTES,
    MAX_PICTURES,
    MODEL_FILE,
    encode_edition,
    load_files,
)
from vision.editions.learning import with_model
from vision.editions.model_file import MAX_MODEL_BYTES
from vision.errors import VisionError
from vision.message import Message
from vision.photo.regular_file import read_start

MAX_ARCHIVE_BYTES: Final = 96 * 1024 * 1024
"""Largest size of an archive, and of all its files unpacked; the largest edition takes 86 MB."""
MAX_FILES: Final = MAX_PICTURES + 5
"""All pictures, the board, the description, the model, the contact sheet and the folder."""
_FILE_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""Time of all files in an archive, so that equal editions give equal archives."""
_MAX_LIST_BYTES: Final = MAX_FILES * 1024
"""Size of the list of files in an archive: 46 bytes and the name for each."""
_ENCRYPTED_FLAG: Final = 1
_PACKING_METHODS: Final = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
"""Ways of packing that unpack bit by bit; others take any amount of memory at once."""
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    ValueError,
)
"""Exceptions of ``zipfile`` for files that are cut short or broken."""
_SIZE_LIMITS: Final = {DESCRIPTION_FILE: MAX_DESCRIPTION_BYTES, MODEL_FILE: MAX_MODEL_BYTES}


def encode_archive(edition: Edition) -> bytes:
    """Encode an edition as a ZIP file; equal editions give equal files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, data in encode_edition(edition).items():
            entry = zipfile.ZipInfo(f"{edition.name}/{name}", _FILE_TIME)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return target.getvalue()


def load_archive(path: Path) -> Edition:
    """Load the edition in a ZIP file.

    Raises:
        UsageError: ``archive-missing``, ``archive-refused``, ``edition-damaged`` or
            ``edition-name``.
        DescriptionError: The files in it are unusable.
    """
    where = str(path)
    try:
        data = read_start(path, MAX_ARCHIVE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(
            "archive-missing", "there is no such file that can be read: check the path", where
        ) from error
    if len(data) > MAX_ARCHIVE_BYTES:
        raise _refused(Message("it is larger than {most} bytes", most=MAX_ARCHIVE_BYTES), where)
    try:
        file = _ArchiveFile(data)
        with zipfile.ZipFile(file) as archive:
            file.is_open = True
            return _load_edition(archive, where)
    except _DAMAGE as error:
        if isinstance(error, FirmwareError | VisionError):
            raise
        raise _refused(Message("it is no complete ZIP file"), where) from error


class _ArchiveFile(io.BytesIO):
    """Bytes of a ZIP file that refuse to be read while its list of files is too long.

    Attributes:
        is_open: Whether the list has been read.
    """

    is_open = False

    def read(self, size: int | None = -1, /) -> bytes:
        """Read bytes.

        Raises:
            BadZipFile: The list of files is longer than that of any edition.
        """
        if not self.is_open and (size or 0) > _MAX_LIST_BYTES:
            raise zipfile.BadZipFile
        return super().read(size)


def _load_edition(archive: zipfile.ZipFile, where: str) -> Edition:
    folder, entries = _check_entries(archive.infolist(), where)
    read_names: set[str] = set()

    def read(name: str, limit: int) -> bytes:
        if name not in entries:
            raise _refused(Message("it has no {name}", name=name), where)
        _check_size(entries[name], name, limit, where)
        read_names.add(name)
        return _unpack(archive, entries[name])

    edition = load_files(read, entries.__contains__, where)
    check_game(edition.description, where)
    if check_edition_name(edition.name) != folder:
        raise _refused(
            Message(
                "its folder is {folder}, its edition {edition}", folder=folder, edition=edition.name
            ),
            where,
        )
    if read_names != set(entries):
        raise _refused(Message("its pictures are not those that it lists"), where)
    return with_model(edition)


def _check_entries(
    entries: list[zipfile.ZipInfo], where: str
) -> tuple[str, dict[str, zipfile.ZipInfo]]:
    """Return the name of the folder, and the files to unpack by their names in it."""
    if len(entries) > MAX_FILES:
        raise _refused(Message("it holds more than {most} files", most=MAX_FILES), where)
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
        if kind not in (0, stat.S_IFREG) or entry.flag_bits & _ENCRYPTED_FLAG:
            raise _refused(Message("{name} is a link or encrypted", name=name), where)
        if entry.compress_type not in _PACKING_METHODS:
            raise _refused(Message("{name} is packed in an unusual way", name=name), where)
        _check_size(entry, name, _SIZE_LIMITS.get(name, MAX_BOARD_BYTES), where)
        files[name] = entry
    if sum(entry.file_size for entry in files.values()) > MAX_ARCHIVE_BYTES:
        raise _refused(
            Message("its files are larger than {most} bytes", most=MAX_ARCHIVE_BYTES), where
        )
    files.pop(CONTACT_SHEET_FILE, None)  # made anew
    return folder, files


def _check_size(entry: zipfile.ZipInfo, name: str, limit: int, where: str) -> None:
    if entry.file_size > limit:
        problem = Message("{name} is larger than {limit} bytes", name=name, limit=limit)
        raise _refused(problem, where)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Unpack a file, which may not be longer than its entry says."""
    with archive.open(entry) as file:
        data = file.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise zipfile.BadZipFile
    return data


def _refused(what: str, where: str) -> UsageError:
    return UsageError(
        "archive-refused",
        "this is no exported edition, {what}: export it again with stadtblick editions export",
        where,
        what=what,
    )
