"""Folder of the newest photos, limited in number and in bytes; the oldest are deleted.

A photo is a file ``000123.jpg``. The number counts up, so that the order does not depend on any
clock. Its thumbnails are files ``000123-2.jpg`` beside it, which go with it. Each file is complete
or missing, whenever the power fails.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.base.atomic_files import clear_leftovers
from firmware.base.errors import OutputError
from firmware.base.user_data import write_safely
from firmware.history.errors import is_disk_full

_NAME: Final = re.compile(r"(\d{6,18})\.jpg")
_THUMBNAIL: Final = re.compile(r"(\d{6,18})-\d{1,2}\.jpg")
_MAX_DROPPED_PHOTOS: Final = 3
"""Maximum number of old photos deleted to make room for a new one on a full disk."""


@dataclass(frozen=True, slots=True)
class PhotoFolder:
    """Folder of photos.

    Attributes:
        folder: Path of the folder, made with the first photo.
        photos_max: Largest number of photos; 0 keeps none.
        bytes_max: Largest size of all photos together; a single larger photo is not kept.
    """

    folder: Path
    photos_max: int
    bytes_max: int

    def path_of(self, name: str) -> Path | None:
        """Return the path of a photo; None if it is no longer kept."""
        if _NAME.fullmatch(name) is None:
            return None
        path = self.folder / name
        return path if path.is_file() else None

    def add(self, jpeg: bytes, after: str | None = None) -> str | None:
        """Keep a photo; delete the oldest ones beyond the limits, on a full disk a few more.

        Args:
            jpeg: Content of its file.
            after: Last photo name in the database, above whose number the new one gets its own;
                None if there is none.

        Returns:
            Name of the photo; None if the limits do not allow it.

        Raises:
            OutputError: It cannot be written.
        """
        if self.photos_max == 0 or len(jpeg) > self.bytes_max:
            return None
        numbers = [number for number, _ in self._photos()]
        given = _NAME.fullmatch(after or "")
        numbers.append(int(given[1]) if given else 0)
        name = f"{max(numbers) + 1:06}.jpg"
        self._shrink(self.photos_max - 1, self.bytes_max - len(jpeg))
        for dropped in range(_MAX_DROPPED_PHOTOS + 1):
            try:
                write_safely(self.folder / name, jpeg)
            except OutputError as error:
                if (
                    dropped == _MAX_DROPPED_PHOTOS
                    or not is_disk_full(error)
                    or not self.drop_oldest()
                ):
                    raise
            else:
                break
        return name

    def drop_oldest(self) -> bool:
        """Remove the oldest photo; return False if there was none, or it cannot be removed."""
        for _, path in self._photos():
            with suppress(OSError):
                _remove_photo(path)
                return True
        return False

    def thumbnail(
        self, name: str, number: int, make: Callable[[Path], bytes | None]
    ) -> bytes | None:
        """Return a thumbnail of a photo, which is made once; see ``History.thumbnail``."""
        path = self.path_of(name)
        if path is None:
            return None
        file = self.folder / f"{Path(name).stem}-{number}.jpg"
        with suppress(OSError):
            return file.read_bytes()
        made = make(path)
        if made is not None:
            with suppress(OutputError):  # it is made again the next time
                write_safely(file, made)
        return made

    def remove(self, name: str) -> None:
        """Remove a photo, if it is still kept.

        Raises:
            OSError: The disk cannot be written.
        """
        path = self.path_of(name)
        if path is not None:
            _remove_photo(path)

    def remove_all(self) -> None:
        """Remove every photo.

        Raises:
            OSError: The disk cannot be written.
        """
        for _, path in self._photos():
            _remove_photo(path)

    def tidy(self) -> None:
        """Remove photos beyond the limits, which may have changed, and unfinished files.

        Thumbnails whose photo has gone are removed as well.
        """
        self._shrink(self.photos_max, self.bytes_max)
        with suppress(OSError):
            for path in self.folder.iterdir():
                match = _THUMBNAIL.fullmatch(path.name)
                if match is not None and not (self.folder / f"{match[1]}.jpg").is_file():
                    path.unlink(missing_ok=True)
        clear_leftovers(self.folder)

    def _shrink(self, photos: int, size: int) -> None:
        """Remove the oldest photos until number and size are within these limits."""
        total, excess = 0, []
        for count, (_, path) in enumerate(reversed(self._photos()), start=1):
            with suppress(OSError):
                total += path.stat().st_size
            if count > photos or total > size:
                excess.append(path)
        for path in reversed(excess):
            with suppress(OSError):
                _remove_photo(path)

    def _photos(self) -> list[tuple[int, Path]]:
        """Return number and path of each photo, oldest first, without other files."""
        try:
            paths = list(self.folder.iterdir())
        except OSError:
            return []
        found = ((_NAME.fullmatch(path.name), path) for path in paths)
        return sorted((int(match[1]), path) for match, path in found if match is not None)


def _remove_photo(path: Path) -> None:
    """Remove a photo with its thumbnails.

    Raises:
        OSError: The disk cannot be written.
    """
    for thumbnail in path.parent.glob(f"{path.stem}-*.jpg"):
        thumbnail.unlink(missing_ok=True)
    path.unlink(missing_ok=True)
