"""A file that the user named with ``--out``."""

from pathlib import Path

from firmware.errors import OutputError
from firmware.user_data import write_safely


def write_named_file(path: Path, data: bytes) -> None:
    """Write it whole or not at all, see ``write_safely``.

    Raises:
        OutputError: ``file-not-writable``.
    """
    try:
        write_safely(path, data)
    except (OutputError, ValueError) as error:
        why = getattr(error.__cause__, "strerror", None) or "no such path is possible"
        raise OutputError(
            "file-not-writable",
            f"it cannot be written ({why}): make room, or name another file with --out",
            str(path),
        ) from error
