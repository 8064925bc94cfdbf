"""The newest photos, limited in number and in bytes; the oldest give way.

A photo is a file ``000123.jpg``. The number counts up, so that the order does not depend on any
clock. A photo is there completely or not at all, whenever the power goes.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.base.atomic_files import clear_leftovers
from firmware.base.errors import OutputError
from firmware.base.user_data import write_safely
from firmware.history.errors import is_disk_full

_NAME: Final = re.compile(r"(\d{6,18})\.jpg")
_MOST_DROPPED: Final = 3
"""Photos that give way to another one on a full disk."""


@dataclass(frozen=True, slots=True)
class PhotoRing:
    """A folder of photos.

    Attributes:
        folder: it is made with the first photo.
        photos_max: so many photos at most; 0: none is kept.
        bytes_max: so many bytes of photos at most; a single larger photo is not kept.
    """

    folder: Path
    photos_max: int
    bytes_max: int

    def path_of(self, name: str) -> Path | None:
        """Where a photo is; None: it is no longer kept."""
        if _NAME.fullmatch(name) is None:
            return None
        path = self.folder / name
        return path if path.is_file() else None

    def add(self, jpeg: bytes, after: str | None = None) -> str | None:
        """Keep a photo; the oldest ones give way, on a full disk a few more of them.

        Args:
            jpeg: the content of its file.
            after: a name that may have been given already; the new one is later.

        Returns:
            Its name; None: the limits do not allow it.

        Raises:
            OutputError: it cannot be written.
        """
        if self.photos_max == 0 or len(jpeg) > self.bytes_max:
            return None
        numbers = [number for number, _ in self._photos()]
        given = _NAME.fullmatch(after or "")
        numbers.append(int(given[1]) if given else 0)
        name = f"{max(numbers) + 1:06}.jpg"
        self._shrink(self.photos_max - 1, self.bytes_max - len(jpeg))
        for dropped in range(_MOST_DROPPED + 1):
            try:
                write_safely(self.folder / name, jpeg)
            except OutputError as error:
                if dropped == _MOST_DROPPED or not is_disk_full(error) or not self.drop_oldest():
                    raise
            else:
                break
        return name

    def drop_oldest(self) -> bool:
        """Remove the oldest photo to make room; False: there was none, or it cannot be removed."""
        for _, path in self._photos():
            with suppress(OSError):
                path.unlink()
                return True
        return False

    def remove(self, name: str) -> None:
        """Remove a photo, if it is still kept.

        Raises:
            OSError: the card cannot be written.
        """
        path = self.path_of(name)
        if path is not None:
            path.unlink(missing_ok=True)

    def remove_all(self) -> None:
        """Remove every photo.

        Raises:
            OSError: the card cannot be written.
        """
        for _, path in self._photos():
            path.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Keep to the limits, which may be smaller than before, and remove unfinished files."""
        self._shrink(self.photos_max, self.bytes_max)
        clear_leftovers(self.folder)

    def _shrink(self, photos: int, size: int) -> None:
        """Remove the oldest photos until there are so many, of so many bytes, at most."""
        total, excess = 0, []
        for count, (_, path) in enumerate(reversed(self._photos()), start=1):
            with suppress(OSError):
                total += path.stat().st_size
            if count > photos or total > size:
                excess.append(path)
        for path in reversed(excess):
            with suppress(OSError):
                path.unlink()

    def _photos(self) -> list[tuple[int, Path]]:
        """Number and path of each photo, oldest first; other files do not count."""
        try:
            paths = list(self.folder.iterdir())
        except OSError:
            return []
        found = ((_NAME.fullmatch(path.name), path) for path in paths)
        return sorted((int(match[1]), path) for match, path in found if match is not None)
