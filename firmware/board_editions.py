"""Editions of games known by pictures (format 2): the built-in ones and those of the user."""

from pathlib import Path
from typing import Final

from firmware.edition_folder import (
    DESCRIPTION_FILE,
    SHEET_FILE,
    damaged,
    read_limited,
    stored_folder,
    stored_format,
    write_edition,
)
from firmware.errors import UsageError
from vision.boards.contact_sheet import board_contact_sheet
from vision.boards.description_toml import FORMAT, MAX_DESCRIPTION_BYTES, parse_description
from vision.boards.edition import PicturedEdition
from vision.boards.folder import edition_files, load_folder, own_edition, own_games, png
from vision.editions.edition import GAME as BETWEEN_TWO_CITIES
from vision.eye import EDITION

STANDARD: Final = EDITION
"""The name of the edition of each game that Stadtblick brings with it."""


def load_board_edition(
    name: str | None, game: str | None, where: str = "--edition"
) -> PicturedEdition:
    """An edition of a game known by pictures.

    Args:
        name: of a stored edition; ``standard`` or None: the built-in one of the game.
        game: whose edition it must be; None: any game's.
        where: the option that named it, for errors.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged``, ``edition-other-game``, or
            ``edition-which-game`` for a built-in one where no game is named.
        DescriptionError: what is wrong with its files, or ``no-standard-edition``.
    """
    if name is None or name == STANDARD:
        if game is None:
            raise UsageError(
                "edition-which-game",
                f"there is an edition {STANDARD} of each game: name the game with --game",
                where,
            )
        return own_edition(game)
    folder = stored_folder(name, where)
    if stored_format(folder) not in (FORMAT, None):
        raise _other_game(name, BETWEEN_TWO_CITIES, game, where)
    edition = load_folder(folder)
    if edition.description.name != name:
        raise damaged(f"it calls itself {edition.description.name}", str(folder))
    if game is not None and edition.description.game != game:
        raise _other_game(name, edition.description.game, game, where)
    return edition


def edition_game(name: str, where: str = "--edition") -> str:
    """Whose edition a stored one is.

    Raises:
        UsageError: ``unknown-edition``.
        DescriptionError: what is wrong with its files.
    """
    folder = stored_folder(name, where)
    if stored_format(folder) != FORMAT:
        return BETWEEN_TWO_CITIES
    path = folder / DESCRIPTION_FILE
    return parse_description(read_limited(path, MAX_DESCRIPTION_BYTES), str(path)).game


def save_board_edition(edition: PicturedEdition, *, replace: bool = False) -> Path:
    """Write an edition and its contact sheet into a folder of its own, all of it or nothing.

    Args:
        edition: under a name that ``check_name`` allows.
        replace: whether it may take the place of one with the same name.

    Raises:
        UsageError: ``edition-name`` or ``edition-exists``.
        OutputError: ``edition-not-writable``.
    """
    files = {**edition_files(edition), SHEET_FILE: png(board_contact_sheet(edition))}
    return write_edition(edition.description.name, files, replace=replace)


def standard_editions() -> list[PicturedEdition]:
    """The built-in editions, in alphabetical order of their games."""
    return [own_edition(game) for game in own_games()]


def _other_game(name: str, its_game: str, game: str | None, where: str) -> UsageError:
    return UsageError(
        "edition-other-game",
        f"the edition {name} is of {its_game}, not of {game or 'a game known by pictures'}: "
        "name another edition, or the right game with --game",
        where,
    )
