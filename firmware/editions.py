"""The editions of the user, a folder each, and those that Stadtblick brings with it.

A folder may come from another machine, so nothing in it is trusted: sizes are checked before
anything is decoded (``vision.editions.folder``).
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.errors import OutputError, UsageError, suggestion
from firmware.games import games
from firmware.user_data import user_folder
from vision.anytiles.model_file import model_bytes
from vision.anytiles.reading import with_model
from vision.editions.contact_sheet import contact_sheet
from vision.editions.description import READING_ONLY, Description
from vision.editions.description_toml import EDITION_NAME, MAX_DESCRIPTION_BYTES, parse_description
from vision.editions.edition import STANDARD, DescriptionError, Edition
from vision.editions.folder import (
    DESCRIPTION_FILE,
    MODEL_FILE,
    edition_files,
    folder_finder,
    folder_reader,
    load_files,
    own_edition,
    own_games,
    png,
)

SHEET_FILE: Final = "contact-sheet.png"
"""Only for people; made anew whenever an edition is written."""


def editions_folder() -> Path:
    """The folder of all editions; it may not exist yet."""
    return user_folder() / "editions"


def check_name(name: str) -> str:
    """The name, if an edition may be called so.

    Raises:
        UsageError: ``edition-name``.
    """
    if EDITION_NAME.fullmatch(name) is None:
        raise UsageError(
            "edition-name",
            "this is no name for an edition: use 1 to 40 letters, digits, - and _ without accents",
            "--edition",
        )
    if name == STANDARD:
        raise UsageError(
            "edition-name",
            "{name} is what is known from the start: choose another name",
            name,
            name=STANDARD,
        )
    return name


def stored_names(game: str | None = None) -> list[str]:
    """The names of all editions that are stored, in alphabetical order.

    Args:
        game: only those of this game; damaged ones are left out then.
    """
    try:
        entries = list(editions_folder().iterdir())
    except OSError:
        return []
    names = sorted(
        each.name for each in entries if EDITION_NAME.fullmatch(each.name) and each.is_dir()
    )
    return names if game is None else [name for name in names if _game_or_none(name) == game]


def _game_or_none(name: str) -> str | None:
    try:
        return edition_game(name)
    except (UsageError, DescriptionError):
        return None


def edition_stamp(name: str) -> tuple[tuple[str, int, int], ...]:
    """What changes when the files of a stored edition do: their names, sizes and times.

    It is empty where there is no such folder, or it cannot be looked into.
    """
    try:
        with os.scandir(editions_folder() / name) as entries:
            states = [(entry.name, entry.stat()) for entry in entries]
    except OSError:
        return ()
    return tuple(sorted((file, state.st_size, state.st_mtime_ns) for file, state in states))


def load_edition(name: str | None, game: str | None, where: str = "--edition") -> Edition:
    """An edition.

    Args:
        name: of a stored edition; ``standard`` or None: the built-in one of the game.
        game: whose edition it must be; None: any game's.
        where: the option that named it, for errors.

    Raises:
        UsageError: ``unknown-edition``, ``edition-other-game``, ``edition-missing`` for a game
            without rules and without an edition, or ``edition-which-game`` for a built-in one
            where no game is named.
        DescriptionError: what is wrong with its files, or ``no-standard-edition``.
    """
    if name is None or name == STANDARD:
        return _standard(game, where)
    folder = _stored_folder(name, where)
    edition = load_folder(folder)
    _keep_model(edition, folder)
    if edition.name != name:
        raise DescriptionError(
            "edition-damaged",
            "it calls itself {name}: teach it again, or copy it again",
            str(folder),
            name=edition.name,
        )
    if game is not None and edition.description.game != game:
        raise UsageError(
            "edition-other-game",
            "the edition {name} is of {its_game}, not of {game}: name another edition, or the "
            "right game with --game",
            where,
            name=name,
            its_game=edition.description.game,
            game=game,
        )
    return edition


def _keep_model(edition: Edition, folder: Path) -> None:
    """Store what the eye learned from a folder of pictures alone: it takes seconds."""
    if edition.model is None or (folder / MODEL_FILE).exists():
        return
    with suppress(OSError), tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as new:
        file = Path(new) / MODEL_FILE
        _write_synced(file, model_bytes(edition.model))
        file.rename(folder / MODEL_FILE)


def _standard(game: str | None, where: str) -> Edition:
    if game is None:
        raise UsageError(
            "edition-which-game",
            "there is an edition {name} of each game: name the game with --game",
            where,
            name=STANDARD,
        )
    if game == READING_ONLY:
        raise UsageError(
            "edition-missing",
            "a game without rules is known by its edition alone: name it with --edition",
            "--edition",
        )
    return own_edition(game)


def load_folder(path: Path) -> Edition:
    """The edition in a folder, wherever it lies and whatever the folder is called.

    Raises:
        DescriptionError: what is wrong with its files.
    """
    read = folder_reader(path)
    edition = checked_edition(load_files(read, folder_finder(path), str(path)), str(path))
    return with_model(edition)


def load_archived(
    read: Callable[[str, int], bytes], has: Callable[[str], bool], where: str
) -> Edition:
    """The edition in files that lie wherever ``read`` finds them, under a name it may have.

    Raises:
        UsageError: ``edition-name``.
        DescriptionError: what is wrong with its files.
    """
    edition = checked_edition(load_files(read, has, where), where)
    check_name(edition.name)
    return with_model(edition)


def checked_edition(edition: Edition, where: str) -> Edition:
    """The edition, if it fits the game that it names.

    Raises:
        DescriptionError: ``description-game``.
    """
    check_game(edition.description, where)
    return edition


def check_game(description: Description, where: str) -> None:
    """Refuse a description of a game without rules that does not say so, or against the rules.

    Raises:
        DescriptionError: ``description-game``.
    """
    game = games().get(description.game)
    if game is not None:
        game.check_description(description, where)
    elif description.game != READING_ONLY:
        raise DescriptionError(
            "description-game",
            'there are no rules for {game}: write game = "{reading_only}"',
            where,
            game=description.game,
            reading_only=READING_ONLY,
        )


def edition_game(name: str, where: str = "--edition") -> str:
    """Whose edition a stored one is.

    Raises:
        UsageError: ``unknown-edition``.
        DescriptionError: what is wrong with its description.
    """
    folder = _stored_folder(name, where)
    data = folder_reader(folder)(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    return parse_description(data, str(folder / DESCRIPTION_FILE)).game


def standard_editions() -> list[Edition]:
    """The built-in editions, in alphabetical order of their games."""
    return [own_edition(game) for game in own_games()]


def save_edition(edition: Edition, *, replace: bool = False) -> Path:
    """Write an edition and its contact sheet into a folder of its own, all of it or nothing.

    Args:
        edition: under a name that ``check_name`` allows.
        replace: whether it may take the place of one with the same name.

    Raises:
        UsageError: ``edition-name`` or ``edition-exists``.
        OutputError: ``edition-not-writable``.
    """
    target = editions_folder() / check_name(edition.name)
    if target.exists() and not replace:
        raise UsageError(
            "edition-exists",
            "there is an edition {name} already: choose another name or add --replace",
            str(target),
            name=edition.name,
        )
    files = {**edition_files(edition), SHEET_FILE: png(contact_sheet(edition))}
    try:
        _write(target, files)
    except OSError as error:
        raise _not_writable(target, error) from error
    return target


def remove_edition(name: str) -> None:
    """Delete a stored edition, also a damaged one.

    Raises:
        UsageError: ``unknown-edition``.
        OutputError: ``edition-not-writable``.
    """
    folder = _stored_folder(name, name)
    try:
        if folder.is_symlink():
            folder.unlink()
        else:
            shutil.rmtree(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


def _stored_folder(name: str, where: str) -> Path:
    known = stored_names()
    if name not in known:
        raise UsageError(
            "unknown-edition",
            "there is no edition {name}: {advice}",
            where,
            name=name,
            advice=suggestion(name, [STANDARD, *known]),
        )
    return editions_folder() / name


def _write(target: Path, files: Mapping[str, bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as scratch:
        fresh = Path(scratch) / "new"
        fresh.mkdir()
        for file, data in files.items():
            _write_synced(fresh / file, data)
        if target.exists():
            target.rename(Path(scratch) / "old")
        fresh.rename(target)


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _not_writable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        "edition-not-writable",
        "the edition cannot be written ({why}): make room, or check the permissions",
        str(path),
        why=error.strerror or type(error).__name__,
    )
