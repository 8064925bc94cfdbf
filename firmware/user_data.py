"""Where the user's own things are kept, and how a file is written so that a power cut spares it."""

import os
import tempfile
from pathlib import Path
from typing import Final

from firmware.errors import OutputError

HOME_VARIABLE: Final = "STADTBLICK_HOME"
"""Environment variable that names the folder."""


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


def write_safely(path: Path, data: bytes) -> None:
    """Write a file so that it holds its old or its new content, whenever the power goes.

    The folders above it are made. The content goes to a temporary file beside it first.

    Raises:
        OutputError: ``file-not-writable``.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise OutputError(
            "file-not-writable",
            f"it cannot be written ({why}): make room, or name another folder with {HOME_VARIABLE}",
            str(path),
        ) from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
