"""Editions of either format, where what is done with them is the same for both."""

from collections.abc import Callable
from pathlib import Path

from firmware import board_editions, edition_store
from firmware.edition_folder import (
    DESCRIPTION_FILE,
    MAX_FORMAT_BYTES,
    check_name,
    stored_folder,
    stored_format,
)
from vision.boards import folder as board_folder
from vision.boards.description_toml import FORMAT as BOARD_FORMAT
from vision.boards.description_toml import format_of
from vision.boards.edition import PicturedEdition
from vision.editions.edition import Edition

AnyEdition = Edition | PicturedEdition


def name_of(edition: AnyEdition) -> str:
    """What the user calls it."""
    return edition.name if isinstance(edition, Edition) else edition.description.name


def load_any(name: str, where: str) -> AnyEdition:
    """A stored edition by its name.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged`` or ``edition-format``.
        DescriptionError: what is wrong with the files of one of format 2.
    """
    if stored_format(stored_folder(name, where)) == BOARD_FORMAT:
        return board_editions.load_board_edition(name, None, where)
    return edition_store.load_edition(name, where)


def load_any_files(read: Callable[[str, int], bytes], where: str) -> AnyEdition:
    """The edition in files that lie wherever ``read`` finds them.

    Args:
        read: gives the content of a file of this name, of at most so many bytes.
        where: what holds the files, for errors.

    Raises:
        UsageError: ``edition-damaged``, ``edition-format`` or ``edition-name``.
        DescriptionError: what is wrong with the files of one of format 2.
    """
    data = read(DESCRIPTION_FILE, MAX_FORMAT_BYTES)
    if format_of(data, f"{where}/{DESCRIPTION_FILE}") != BOARD_FORMAT:
        return edition_store.load_files(read, where)
    edition = board_folder.load_files(read, where)
    check_name(edition.description.name)
    return edition


def load_any_folder(path: Path) -> AnyEdition:
    """The edition in a folder of the user's, wherever it lies and whatever the folder is called.

    Raises:
        UsageError: see ``load_any_files``.
        DescriptionError: see ``load_any_files``.
    """
    return load_any_files(board_folder.folder_reader(path), str(path))


def files_of(edition: AnyEdition) -> dict[str, bytes]:
    """The description and the pictures of an edition, by file name."""
    if isinstance(edition, Edition):
        return edition_store.edition_files(edition)
    return board_folder.edition_files(edition)


def save_any(edition: AnyEdition, *, replace: bool = False) -> Path:
    """Write an edition and its contact sheet into a folder of its own, all of it or nothing.

    Raises:
        UsageError: ``edition-name`` or ``edition-exists``.
        OutputError: ``edition-not-writable``.
    """
    if isinstance(edition, Edition):
        return edition_store.save_edition(edition, replace=replace)
    return board_editions.save_board_edition(edition, replace=replace)
