"""Count of failed starts in a row, which leads to safe mode.

A start is complete when the appliance has been ready for a while, or has been shut down in order.
After ``SAFE_MODE_AFTER`` incomplete starts in a row the appliance starts in safe mode.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.base.atomic_files import clear_leftovers
from firmware.base.errors import OutputError
from firmware.base.user_data import write_safely
from vision.photo.regular_file import read_start

FILE_NAME: Final = "incomplete-boots"
"""Name of the file that counts the starts; kept so that an update does not lose the count."""
SAFE_MODE_AFTER: Final = 3
"""Incomplete starts in a row before safe mode."""
_MOST: Final = 999
_MAX_BYTES: Final = 16


def count_start(folder: Path) -> int:
    """Count a start; call this before anything that may fail.

    Unfinished files that a power cut left in the folder and its subfolders are removed.

    Returns:
        Number of incomplete starts in a row before this one. If the count cannot be read it is 0;
        if it cannot be written, it is the last one stored.
    """
    with suppress(OSError):
        for place in [folder, *filter(Path.is_dir, folder.iterdir())]:
            clear_leftovers(place)
    incomplete = _read_count(folder / FILE_NAME)
    with suppress(OutputError):
        _write_count(folder / FILE_NAME, min(incomplete + 1, _MOST))
    return incomplete


def reset_start_count(folder: Path) -> None:
    """Reset the count: the appliance is ready, or was shut down in order.

    A card that cannot be written is ignored here; the next file to store reports it.
    """
    with suppress(OutputError):
        _write_count(folder / FILE_NAME, 0)


def needs_safe_mode(incomplete: int) -> bool:
    """Return whether this many incomplete starts call for safe mode."""
    return incomplete >= SAFE_MODE_AFTER


def _read_count(path: Path) -> int:
    try:
        text = read_start(path, _MAX_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return min(int(text), _MOST) if text.isdigit() else 0


def _write_count(path: Path, incomplete: int) -> None:
    if incomplete != _read_count(path):
        write_safely(path, f"{incomplete}\n".encode("ascii"))
