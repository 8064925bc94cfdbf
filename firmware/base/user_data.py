"""Folder of the user's settings, editions and results, and ways to write files in it.

Files are written atomically: a power cut leaves the old or the new content. Damaged files are
renamed, for a person to look at.
"""

import grp
import os
import pwd
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from firmware.base.atomic_files import sync_folder, write_file
from firmware.base.errors import OutputError, UsageError, system_reason, write_advice
from firmware.base.language import _
from vision.message import Message
from vision.photo.regular_file import NotAFileError

HOME_VARIABLE: Final = "STADTBLICK_HOME"
"""Environment variable with the path of the folder."""
CALIBRATION_FILE: Final = "calibration.json"
MAX_DAMAGED: Final = 3
"""Most damaged copies of one file that are kept; more would fill a failing card."""

_GROUP_READS: Final = stat.S_IRGRP | stat.S_IXGRP


def user_folder() -> Path:
    """Return the folder of settings, editions and results; it may not exist yet.

    It is ``$STADTBLICK_HOME``, else ``$XDG_DATA_HOME/stadtblick``, else
    ``~/.local/share/stadtblick``.
    """
    own = os.environ.get(HOME_VARIABLE)
    if own:
        return Path(own)
    shared = os.environ.get("XDG_DATA_HOME")
    base = Path(shared) if shared else Path.home() / ".local" / "share"
    return base / "stadtblick"


def check_folder_access() -> None:
    """Refuse to work if only other users may read the folder.

    The installed scanner's folder is for the members of its group.

    Raises:
        UsageError: ``data-not-yours``.
    """
    folder, is_for_group = user_folder(), False
    try:
        of_folder = folder.stat()
        if os.access(folder, os.R_OK | os.X_OK):
            return
        is_for_group = of_folder.st_mode & _GROUP_READS == _GROUP_READS
    except PermissionError:  # a folder above it is private
        pass
    except OSError:  # not there yet, or the first file to be written reports it
        return
    if not is_for_group:
        raise UsageError(
            "data-not-yours",
            "the folder of settings, editions and results is for another user: choose another one "
            "with {variable}, or write sudo before the command",
            str(folder),
            variable=HOME_VARIABLE,
        )
    raise UsageError(
        "data-not-yours",
        "these settings, editions and results are for members of the group {group}: write sudo "
        "before the command, or join the group (sudo adduser {user} {group}) and log in again",
        str(folder),
        group=_name(grp.getgrgid, of_folder.st_gid),
        user=_name(pwd.getpwuid, os.getuid()),
    )


def _name(look_up: Callable[[int], Sequence[Any]], number: int) -> str:
    """Look up the name of a user or group; fall back to its number."""
    try:
        return str(look_up(number)[0])
    except KeyError:
        return str(number)


def calibration_path() -> Path:
    """Return the default path of the camera's calibration."""
    return user_folder() / CALIBRATION_FILE


def write_safely(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file atomically, and the folders above it.

    Args:
        path: Path of the file.
        data: New content.
        private: True if only its owner may read it.

    Raises:
        OutputError: ``file-not-writable``.
    """
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise NotAFileError  # renaming a file over it would remove it
        path.parent.mkdir(parents=True, exist_ok=True)
        # Who may write in the folder may write the file
        mode = 0o600 if private else 0o644 | path.parent.stat().st_mode & 0o020
        write_file(path, data, mode)
    except OSError as error:
        raise OutputError(
            "file-not-writable",
            "it cannot be written ({why}): {advice}",
            str(path),
            why=system_reason(error),
            advice=write_advice(
                error, Message("choose another folder with {variable}", variable=HOME_VARIABLE)
            ),
        ) from error


def set_aside(path: Path, companions: Sequence[str] = ()) -> Path | None:
    """Rename a damaged file to ``NAME.bad-1``, or to the next free number.

    When all ``MAX_DAMAGED`` numbers are taken, the last of these files is replaced.

    Args:
        path: Path of the file.
        companions: Endings of files to rename with it, such as ``-wal``.

    Returns:
        New path; None if the file cannot be renamed.
    """
    names = [path.with_name(f"{path.name}.bad-{number + 1}") for number in range(MAX_DAMAGED)]
    target = next((name for name in names if not name.exists()), names[-1])
    try:
        for ending in companions:
            with suppress(FileNotFoundError):
                Path(f"{path}{ending}").replace(f"{target}{ending}")
        path.replace(target)
        sync_folder(path.parent)
    except OSError:
        return None
    return target


def check_overwrite(code: str, path: Path, *, replace: bool) -> None:
    """Refuse to overwrite an existing path, except a file with ``replace``.

    Raises:
        UsageError: With this code.
    """
    if path.exists() and not (replace and path.is_file()):
        raise UsageError(
            code,
            "there is something of this name already: choose another file or add --replace",
            str(path),
        )


def write_named_file(path: Path, data: bytes, option: str = "--out") -> None:
    """Write a file atomically to a path given on the command line.

    Args:
        path: Path of the file.
        data: New content.
        option: Option with the file or its folder, for the error.

    Raises:
        OutputError: ``file-not-writable``.
    """
    try:
        write_safely(path, data)
    except (OutputError, ValueError) as error:
        raise OutputError(
            "file-not-writable",
            "it cannot be written ({why}): {advice}",
            str(path),
            advice=write_advice(
                error.__cause__, Message("choose another place with {option}", option=option)
            ),
            why=system_reason(error.__cause__)
            if isinstance(error.__cause__, OSError)
            else _("no such path is possible"),
        ) from error
