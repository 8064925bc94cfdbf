"""A damaged file is put out of the way, so that a person can look at it and a new one be begun."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.user_data import sync_folder

MOST_KEPT: Final = 3
"""Damaged copies of one file; a failing card must not be filled with them."""


def set_aside(path: Path, companions: Sequence[str] = ()) -> Path | None:
    """Rename a damaged file to ``NAME.bad-1``, or ``NAME.bad-2`` if there is one, and so on.

    The last of ``MOST_KEPT`` such files is replaced; those before it stay.

    Args:
        path: of the file.
        companions: endings of files that belong to it, such as ``-wal``, and go with it.

    Returns:
        The new path; None: the file cannot be renamed, and stays.
    """
    names = [path.with_name(f"{path.name}.bad-{number}") for number in range(1, MOST_KEPT + 1)]
    target = next((name for name in names if not name.exists()), names[-1])
    try:
        for ending in companions:
            with suppress(FileNotFoundError):
                _with_ending(path, ending).replace(_with_ending(target, ending))
        path.replace(target)
        sync_folder(path.parent)
    except OSError:
        return None
    return target


def _with_ending(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)
