"""Counts the starts that came to nothing, so that a broken setup does not crash for ever.

A start is complete when the appliance has been ready for a while, or was ended in order. After
``SAFE_MODE_AFTER`` incomplete ones in a row it is to start in safe mode.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.base.atomic_files import clear_leftovers
from firmware.base.errors import OutputError
from firmware.base.user_data import write_safely
from vision.photo.regular_file import read_start

FILE_NAME: Final = "incomplete-boots"
SAFE_MODE_AFTER: Final = 3
"""Incomplete starts in a row."""
_MOST: Final = 999
_MAX_BYTES: Final = 16


def note_start(folder: Path) -> int:
    """Note that a start has begun; to be called before anything else that may fail.

    What a power cut has left unfinished in the folder, and in those in it, is removed.

    Returns:
        How many starts before this one, in a row, did not complete. Where the count cannot be
        read or is damaged it is 0; where it cannot be written, the one noted last.
    """
    with suppress(OSError):
        for place in [folder, *filter(Path.is_dir, folder.iterdir())]:
            clear_leftovers(place)
    incomplete = _noted(folder / FILE_NAME)
    with suppress(OutputError):
        _note(folder / FILE_NAME, min(incomplete + 1, _MOST))
    return incomplete


def note_complete_start(folder: Path) -> None:
    """Note that the start has come to an end, or that the appliance was ended in order.

    A card that cannot be written is passed over: it is told where something else is stored.
    """
    with suppress(OutputError):
        _note(folder / FILE_NAME, 0)


def needs_safe_mode(incomplete: int) -> bool:
    """Whether to start in safe mode after so many incomplete starts."""
    return incomplete >= SAFE_MODE_AFTER


def _noted(path: Path) -> int:
    try:
        text = read_start(path, _MAX_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return min(int(text), _MOST) if text.isdigit() else 0


def _note(path: Path, incomplete: int) -> None:
    if incomplete != _noted(path):
        write_safely(path, f"{incomplete}\n".encode("ascii"))
