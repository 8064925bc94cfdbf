"""The edition in use, loaded and made ready once for all scans."""

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

from firmware.board_games.eye import (
    NETWORK_GAME,
    load_pictured_edition,
    make_board_edition_ready,
)
from firmware.edition_folder import edition_stamp
from firmware.scan import taught_edition
from vision.editions.edition import Edition
from vision.editions.taught import taught_faces

T = TypeVar("T")


class _Last(Generic[T]):
    """The last value that was made, and what it was made of."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, T] | None = None

    def of(self, source: Hashable, make: Callable[[], T]) -> T:
        """The value of a source; made anew only where the source is another one."""
        if self._kept is None or self._kept[0] != source:
            self._kept = None  # an exception must not leave the old one
            self._kept = source, make()
        return self._kept[1]


class Editions:
    """What is asked for again and again; an edition that was taught anew is loaded anew."""

    def __init__(self) -> None:
        self._taught: Final = _Last[Edition | None]()
        self._pictured: Final = _Last[Edition]()

    def taught(self, name: str | None) -> Edition | None:
        """What ``firmware.scan.taught_edition`` gives."""
        return self._taught.of((name, _stamp(name)), lambda: taught_edition(name))

    def pictured(self, name: str | None, game: str) -> Edition:
        """What ``firmware.board_games.eye.load_pictured_edition`` gives."""
        source = name, game, _stamp(name)
        return self._pictured.of(source, lambda: load_pictured_edition(name, game))

    def make_ready(self, name: str | None, game: str) -> None:
        """Do what the first scan would have to do before it could read.

        Raises:
            VisionError, UsageError: what the scan would say.
        """
        if game != NETWORK_GAME:
            make_board_edition_ready(self.pictured(name, game))
            return
        edition = self.taught(name)
        if edition is not None:
            taught_faces(edition)


def _stamp(name: str | None) -> Hashable:
    return None if name is None else edition_stamp(name)
