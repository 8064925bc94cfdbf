"""The eye for games known by pictures, and the editions that it needs: imported here alone."""

from typing import Final, Protocol

from firmware.errors import UsageError
from firmware.settings.model import STANDARD_EDITION
from scoring.games import between_two_cities
from vision.boards.description import READING_ONLY
from vision.boards.edition import PicturedEdition
from vision.reading import Reading
from vision.photo import Photo

NETWORK_GAME: Final = between_two_cities.NAME
"""The game that is read by networks; all others are known by pictures."""


class BoardEye(Protocol):
    """What reads a photo; ``vision.boards.eye.read_boards`` is the real one."""

    def __call__(self, photo: Photo, edition: PicturedEdition) -> Reading:
        """Read a photo of tiles that look as in an edition."""
        ...


def usual_board_eye() -> BoardEye:
    """The real eye."""
    from vision.boards.eye import read_boards

    return read_boards


def make_board_edition_ready(edition: PicturedEdition) -> None:
    """Do most of what the first photo of an edition would have to wait for."""
    from vision.boards.known import known_edition

    known_edition(edition).make_ready()


def load_pictured_edition(name: str | None, game: str) -> PicturedEdition:
    """What tiles and board look like.

    Args:
        name: of the edition; None: the standard one of the game.
        game: identifier of the game, or ``reading-only``.

    Raises:
        UsageError: ``edition-missing`` for a game without rules and without an edition, or what
            ``firmware.board_editions.load_board_edition`` refuses.
        DescriptionError: what is wrong with the files of the edition.
    """
    if game == READING_ONLY and name in (None, STANDARD_EDITION):
        raise UsageError(
            "edition-missing",
            "a game without rules is known by its edition alone: name it with --edition",
            "--edition",
        )
    from firmware.board_editions import load_board_edition

    return load_board_edition(name, game)
