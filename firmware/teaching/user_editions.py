"""Store of the user's editions, a folder each."""

import dataclasses
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.base.atomic_files import (
    previous_version,
    remove_folder,
    restore_interrupted,
    swap_versions,
    write_folder,
)
from firmware.base.errors import OutputError, UsageError, suggest_name, system_reason, write_advice
from firmware.base.user_data import user_folder, write_safely
from firmware.games.registry import game_or_unscored, games
from vision.editions.contact_sheet import draw_contact_sheet
from vision.editions.description import READING_ONLY, Description
from vision.editions.description_toml import (
    EDITION_NAME,
    MAX_DESCRIPTION_BYTES,
    parse_description,
)
from vision.editions.edition import STANDARD_EDITION, DescriptionError, Edition
from vision.editions.folder import (
    DESCRIPTION_FILE,
    MODEL_FILE,
    built_in_edition,
    encode_edition,
    encode_png,
    load_files,
    make_file_finder,
    make_file_reader,
)
from vision.editions.learning import with_model
from vision.editions.model_file import encode_model
from vision.message import Message

CONTACT_SHEET_FILE: Final = "contact-sheet.png"
"""Picture for people, made anew whenever an edition is saved."""


def editions_folder() -> Path:
    """Return the folder of all editions, which may not exist yet."""
    return user_folder() / "editions"


def check_edition_name(name: str) -> str:
    """Refuse a name that no edition may have, or return it.

    Raises:
        UsageError: ``edition-name``.
    """
    if EDITION_NAME.fullmatch(name) is None:
        raise UsageError(
            "edition-name",
            "this is no name for an edition: use 1 to 40 letters, digits, - and _ without accents, "
            "no - at the beginning",
            "--edition",
        )
    if name == STANDARD_EDITION:
        raise UsageError(
            "edition-name",
            "{name} is what is known from the start: choose another name",
            name,
            name=STANDARD_EDITION,
        )
    return name


def stored_names(game: str | None = None) -> list[str]:
    """Return the names of the stored editions in alphabetical order.

    Args:
        game: Game whose undamaged editions are listed; None for all editions.
    """
    restore_interrupted(editions_folder())
    try:
        entries = list(editions_folder().iterdir())
    except OSError:
        return []
    names = sorted(
        each.name for each in entries if EDITION_NAME.fullmatch(each.name) and each.is_dir()
    )
    if game is None:
        return names
    of_game = []
    for name in names:
        with suppress(UsageError, DescriptionError):
            of_game += [name] if edition_game(name) == game else []
    return of_game


def edition_stamp(name: str) -> tuple[tuple[str, int, int], ...]:
    """Return the names, sizes and times of the files of a stored edition, to notice changes.

    Empty if there is no such folder, or if it cannot be read.
    """
    try:
        with os.scandir(editions_folder() / name) as entries:
            states = [(entry.name, entry.stat()) for entry in entries]
    except OSError:
        return ()
    return tuple(sorted((file, state.st_size, state.st_mtime_ns) for file, state in states))


def load_edition(
    name: str | None, game: str | None, where: str = "--edition", *, pictured: bool = True
) -> Edition:
    """Load a stored or a built-in edition.

    Args:
        name: Name of a stored edition; ``standard`` or None for the built-in one of the game.
        game: Game that the edition must be of; None for any game.
        where: Option or setting that named the edition, for errors.
        pictured: Whether to load pictures; the model is enough to read photos.

    Raises:
        UsageError: ``unknown-edition``, ``edition-other-game``, ``edition-missing`` for a game
            without rules and without an edition, or ``edition-which-game`` for a built-in one
            where no game is named.
        DescriptionError: The files are unusable, or ``no-standard-edition``.
    """
    if name is None or name == STANDARD_EDITION:
        return _load_built_in(game, where, pictured=pictured)
    folder = _stored_folder(name, where)
    edition = load_edition_folder(folder, pictured=pictured)
    _store_missing_model(edition, folder)
    if edition.name != name:
        raise DescriptionError(
            "edition-damaged",
            "the edition calls itself {name}: teach it again, or copy it again",
            str(folder),
            name=edition.name,
        )
    if game is not None and edition.description.game != game:
        raise UsageError(
            "edition-other-game",
            "the edition {name} is of {its_game}, not of {game}: choose another edition, or the "
            "right game",
            where,
            name=name,
            its_game=edition.description.game,
            game=game,
        )
    return edition


def _store_missing_model(edition: Edition, folder: Path) -> None:
    """Store the model that was made from the pictures, which took seconds."""
    if edition.model is None or (folder / MODEL_FILE).exists():
        return
    with suppress(OutputError):
        write_safely(folder / MODEL_FILE, encode_model(edition.model))


def _load_built_in(game: str | None, where: str, *, pictured: bool) -> Edition:
    if game is None:
        raise UsageError(
            "edition-which-game",
            "there is an edition {name} of each game: give the game with --game",
            where,
            name=STANDARD_EDITION,
        )
    if game == READING_ONLY:
        raise UsageError(
            "edition-missing",
            "a game without rules is known only by its edition: give it with --edition",
            "--edition",
        )
    return built_in_edition(game, pictured=pictured)


def load_edition_folder(path: Path, *, pictured: bool = True) -> Edition:
    """Load the edition in any folder, and check it against the rules of its game.

    Args:
        path: Path of the folder.
        pictured: See ``load_edition``.

    Raises:
        DescriptionError: The files are unusable.
    """
    read, has = make_file_reader(path), make_file_finder(path)
    edition = load_files(read, has, str(path), pictured=pictured)
    check_game(edition.description, str(path))
    return with_model(edition)


def check_game(description: Description, where: str) -> None:
    """Refuse a description that contradicts the rules of its game, or names an unknown game.

    Raises:
        DescriptionError: ``description-game``.
    """
    game_or_unscored(description.game).check_description(description, where)
    if description.game not in (*games(), READING_ONLY):
        raise DescriptionError(
            "description-game",
            'there are no rules for {game}: write game = "{reading_only}"',
            where,
            game=description.game,
            reading_only=READING_ONLY,
        )


def edition_game(name: str, where: str = "--edition") -> str:
    """Return the game of a stored edition.

    Raises:
        UsageError: ``unknown-edition``.
        DescriptionError: The description is unusable.
    """
    folder = _stored_folder(name, where)
    data = make_file_reader(folder)(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    return parse_description(data, str(folder / DESCRIPTION_FILE)).game


def save_edition(edition: Edition, *, replace: bool = False) -> Path:
    """Write an edition and its contact sheet into its folder, all of it or nothing.

    ``undo_edition`` brings back an edition that was replaced.

    Raises:
        UsageError: ``edition-name`` or ``edition-exists``.
        OutputError: ``edition-not-writable``.
    """
    target = editions_folder() / check_edition_name(edition.name)
    if target.exists() and not replace:
        raise UsageError(
            "edition-exists",
            "there is an edition {name} already: add --replace to put the new one in its place, or "
            "remove it first with stadtblick editions remove {name}",
            str(target),
            name=edition.name,
        )
    files = {**encode_edition(edition), CONTACT_SHEET_FILE: encode_png(draw_contact_sheet(edition))}
    try:
        write_folder(target, files)
    except OSError as error:
        raise _not_writable(target, error) from error
    return target


def remove_edition(name: str) -> None:
    """Delete a stored edition, even a damaged one.

    Raises:
        UsageError: ``unknown-edition`` or ``edition-built-in``.
        OutputError: ``edition-not-writable``.
    """
    folder = _user_folder(name)
    try:
        remove_folder(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


def has_previous_version(name: str) -> bool:
    """Return whether an edition was changed, so that ``undo_edition`` can take back the change."""
    return previous_version(editions_folder() / name).exists()


def undo_edition(name: str) -> None:
    """Swap a stored edition with its previous version; a second time, swap them back.

    Raises:
        UsageError: ``unknown-edition``, ``edition-built-in`` or ``edition-not-changed``.
        OutputError: ``edition-not-writable``.
    """
    folder = _user_folder(name)
    if not previous_version(folder).exists():
        raise UsageError(
            "edition-not-changed",
            "{name} was never changed since it was taught first: remove it instead",
            name,
            name=name,
        )
    try:
        swap_versions(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


def rename_edition(edition: Edition, name: str) -> Edition:
    """Return an edition under another name."""
    return dataclasses.replace(
        edition, description=dataclasses.replace(edition.description, name=name)
    )


def _user_folder(name: str) -> Path:
    """Return the folder of a stored edition that may be changed."""
    if name == STANDARD_EDITION:
        raise UsageError(
            "edition-built-in",
            "the editions called {name} are built in, they cannot be removed or undone: name one "
            "that was taught",
            name,
            name=STANDARD_EDITION,
        )
    return _stored_folder(name, name)


def _stored_folder(name: str, where: str) -> Path:
    known = stored_names()
    if name not in known:
        raise UsageError(
            "unknown-edition",
            "there is no edition {name}: {advice}",
            where,
            name=name,
            advice=suggest_name(name, [STANDARD_EDITION, *known]),
        )
    return editions_folder() / name


def _not_writable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        "edition-not-writable",
        "the edition cannot be written ({why}): {advice}",
        str(path),
        why=system_reason(error),
        advice=write_advice(error, Message("check the memory card")),
    )
