"""The folder in which all editions are kept, whatever their format."""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.errors import OutputError, UsageError, suggestion
from firmware.user_data import user_folder
from vision.boards.description_toml import format_of
from vision.boards.edition import DescriptionError
from vision.eye import EDITION
from vision.regular_file import NO_FILE, read_start

DESCRIPTION_FILE: Final = "edition.toml"
SHEET_FILE: Final = "contact-sheet.png"
"""Only for people; made anew whenever an edition is written."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
MAX_FORMAT_BYTES: Final = 256 * 1024
"""Of a description of any format."""


def editions_folder() -> Path:
    """The folder of all editions; it may not exist yet."""
    return user_folder() / "editions"


def check_name(name: str) -> str:
    """The name, if an edition may be called so.

    Raises:
        UsageError: ``edition-name``.
    """
    if NAME.fullmatch(name) is None:
        raise UsageError(
            "edition-name",
            "this is no name for an edition: use 1 to 40 letters, digits, - and _ without accents",
            "--edition",
        )
    if name == EDITION:
        raise UsageError(
            "edition-name", f"{EDITION} is what is known from the start: choose another name", name
        )
    return name


def stored_names() -> list[str]:
    """The names of all editions that are stored, also damaged ones, in alphabetical order."""
    try:
        entries = list(editions_folder().iterdir())
    except OSError:
        return []
    return sorted(entry.name for entry in entries if NAME.fullmatch(entry.name) and entry.is_dir())


def stored_folder(name: str, where: str) -> Path:
    """The folder of a stored edition.

    Args:
        name: as the user gave it.
        where: the option that named it, for errors.

    Raises:
        UsageError: ``unknown-edition``.
    """
    known = stored_names()
    if name not in known:
        advice = suggestion(name, [EDITION, *known])
        raise UsageError("unknown-edition", f"there is no edition {name}: {advice}", where)
    return editions_folder() / name


def edition_stamp(name: str) -> tuple[tuple[str, int, int], ...]:
    """What changes when the files of a stored edition do: their names, sizes and times.

    It is empty where there is no such folder, or it cannot be looked into.
    """
    try:
        with os.scandir(editions_folder() / name) as entries:
            states = [(entry.name, entry.stat()) for entry in entries]
    except OSError:
        return ()
    return tuple(sorted((file, state.st_size, state.st_mtime_ns) for file, state in states))


def stored_format(folder: Path) -> int | None:
    """The format of the edition in a folder; None where its description does not say it."""
    path = folder / DESCRIPTION_FILE
    try:
        return format_of(read_limited(path, MAX_FORMAT_BYTES), str(path))
    except (UsageError, DescriptionError):
        return None


def write_edition(name: str, files: Mapping[str, bytes], *, replace: bool = False) -> Path:
    """Write an edition into a folder of its own, all of it or nothing.

    Args:
        name: of the edition and of the folder.
        files: their content by their names.
        replace: whether it may take the place of one with the same name.

    Raises:
        UsageError: ``edition-name`` or ``edition-exists``.
        OutputError: ``edition-not-writable``.
    """
    target = editions_folder() / check_name(name)
    if target.exists() and not replace:
        raise UsageError(
            "edition-exists",
            f"there is an edition {name} already: choose another name or add --replace",
            str(target),
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as scratch:
            fresh = Path(scratch) / "new"
            fresh.mkdir()
            for file, data in files.items():
                _write_synced(fresh / file, data)
            if target.exists():
                target.rename(Path(scratch) / "old")
            fresh.rename(target)
    except OSError as error:
        raise _not_writable(target, error) from error
    return target


def remove_edition(name: str) -> None:
    """Delete a stored edition, also a damaged one.

    Raises:
        UsageError: ``unknown-edition``.
        OutputError: ``edition-not-writable``.
    """
    known = stored_names()
    if name not in known:
        advice = suggestion(name, known) if known else "none has been taught"
        raise UsageError("unknown-edition", f"there is no edition {name}: {advice}", name)
    folder = editions_folder() / name
    try:
        if folder.is_symlink():
            folder.unlink()
        else:
            shutil.rmtree(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


def read_limited(path: Path, limit: int) -> bytes:
    """A file of an edition, of at most so many bytes.

    Raises:
        UsageError: ``edition-damaged``: it is missing, too large or cannot be read.
    """
    try:
        data = read_start(path, limit + 1)
    except NO_FILE as error:
        raise damaged("a file is missing", str(path)) from error
    except OSError as error:
        raise damaged(f"a file cannot be read ({error.strerror})", str(path)) from error
    if len(data) > limit:
        raise damaged(f"a file is larger than {limit} bytes", str(path))
    return data


def damaged(what: str, where: str) -> UsageError:
    """The error for an edition that cannot be used."""
    return UsageError(
        "edition-damaged",
        f"the edition is damaged, {what}: teach it again, or copy it again",
        where,
    )


def _not_writable(path: Path, error: OSError) -> OutputError:
    why = error.strerror or type(error).__name__
    return OutputError(
        "edition-not-writable",
        f"the edition cannot be written ({why}): make room, or check the permissions",
        str(path),
    )


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
