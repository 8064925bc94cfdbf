"""Where the user's own things are kept, and how files are written and put out of the way.

A power cut spares a file that is written here; one that is damaged is kept for a person to look at.
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
from firmware.base.errors import OutputError, UsageError, system_reason
from firmware.base.language import _

HOME_VARIABLE: Final = "STADTBLICK_HOME"
"""Environment variable that names the folder."""
CALIBRATION_FILE: Final = "calibration.json"
MOST_DAMAGED: Final = 3
"""Damaged copies of one file; a failing card must not be filled with them."""

_GROUP_READS: Final = stat.S_IRGRP | stat.S_IXGRP


def user_folder() -> Path:
    """The folder for editions, calibration and settings; it may not exist yet.

    ``$STADTBLICK_HOME``, else ``$XDG_DATA_HOME/stadtblick``, else ``~/.local/share/stadtblick``.
    """
    own = os.environ.get(HOME_VARIABLE)
    if own:
        return Path(own)
    shared = os.environ.get("XDG_DATA_HOME")
    base = Path(shared) if shared else Path.home() / ".local" / "share"
    return base / "stadtblick"


def check_folder_access() -> None:
    """Refuse the folder if it is for others, such as the scanner's for members of its group.

    Raises:
        UsageError: ``data-not-yours``.
    """
    folder, is_for_group = user_folder(), False
    try:
        of_folder = folder.stat()
        if os.access(folder, os.R_OK | os.X_OK):
            return
        is_for_group = of_folder.st_mode & _GROUP_READS == _GROUP_READS
    except PermissionError:  # it lies in a folder of somebody else
        pass
    except OSError:  # there is none yet; or what writes there says why it cannot
        return
    if not is_for_group:
        raise UsageError(
            "data-not-yours",
            "the folder of settings, editions and results is for another user: name another one "
            "with {variable}, or write sudo before the command",
            str(folder),
            variable=HOME_VARIABLE,
        )
    raise UsageError(
        "data-not-yours",
        "these settings, editions and results are for members of the group {group}: write sudo "
        "before the command, or join the group (sudo adduser {user} {group}) and log in anew",
        str(folder),
        group=_name(grp.getgrgid, of_folder.st_gid),
        user=_name(pwd.getpwuid, os.getuid()),
    )


def _name(look_up: Callable[[int], Sequence[Any]], number: int) -> str:
    """Of a user or group; one without a name is called by its number."""
    try:
        return str(look_up(number)[0])
    except KeyError:
        return str(number)


def calibration_path() -> Path:
    """Where the calibration of the camera is kept unless another place is named."""
    return user_folder() / CALIBRATION_FILE


def write_safely(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file so that it holds its old or its new content, whenever the power goes.

    The folders above it are made.

    Args:
        path: of the file.
        data: its content.
        private: whether nobody else may read it.

    Raises:
        OutputError: ``file-not-writable``.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Who may write in the folder may write the file
        mode = 0o600 if private else 0o644 | path.parent.stat().st_mode & 0o020
        write_file(path, data, mode)
    except OSError as error:
        raise OutputError(
            "file-not-writable",
            "it cannot be written ({why}): make room, or name another folder with {variable}",
            str(path),
            why=system_reason(error),
            variable=HOME_VARIABLE,
        ) from error


def set_aside(path: Path, companions: Sequence[str] = ()) -> Path | None:
    """Rename a damaged file to ``NAME.bad-1``, or ``NAME.bad-2`` if there is one, and so on.

    The last of ``MOST_DAMAGED`` such files is replaced; those before it stay.

    Args:
        path: of the file.
        companions: endings of files that belong to it, such as ``-wal``, and go with it.

    Returns:
        The new path; None: the file cannot be renamed, and stays.
    """
    names = [path.with_name(f"{path.name}.bad-{number + 1}") for number in range(MOST_DAMAGED)]
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
    """Refuse to write over what is there, unless it is a file and to be replaced.

    Raises:
        UsageError: with this code.
    """
    if path.exists() and not (replace and path.is_file()):
        raise UsageError(
            code,
            "there is something of this name already: name another file or add --replace",
            str(path),
        )


def write_named_file(path: Path, data: bytes, option: str = "--out") -> None:
    """Write a file that the user named, or that lies in such a folder, whole or not at all.

    Args:
        path: of the file.
        data: its content.
        option: that names file or folder.

    Raises:
        OutputError: ``file-not-writable``.
    """
    try:
        write_safely(path, data)
    except (OutputError, ValueError) as error:
        raise OutputError(
            "file-not-writable",
            "it cannot be written ({why}): make room, or name another place with {option}",
            str(path),
            option=option,
            why=getattr(error.__cause__, "strerror", None) or _("no such path is possible"),
        ) from error
