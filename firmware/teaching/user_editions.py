"""The editions of the user, a folder each, and those that Stadtblick brings with it.

An edition is taken to another machine as a folder or as a ZIP file that holds one. Nothing that
comes in is trusted: sizes are checked before anything is decoded (``vision.editions.folder``); a
ZIP is unpacked into memory alone, and written anew from the decoded pictures.
"""

import dataclasses
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Sequence
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
from firmware.base.errors import FirmwareError, OutputError, UsageError, suggest_name, system_reason
from firmware.base.user_data import user_folder, write_safely
from firmware.games import game_called, games
from firmware.scan.corrections import Correction
from firmware.scan.outlines import cell_quad
from vision.arrays import floats
from vision.editions.contact_sheet import draw_contact_sheet
from vision.editions.description import READING_ONLY, Description
from vision.editions.description_toml import (
    EDITION_NAME,
    IMAGE_NAME,
    MAX_DESCRIPTION_BYTES,
    parse_description,
)
from vision.editions.edition import STANDARD, DescriptionError, Edition
from vision.editions.folder import (
    DESCRIPTION_FILE,
    MAX_BOARD_BYTES,
    MODEL_FILE,
    MOST_PICTURES,
    built_in_edition,
    encode_edition,
    encode_png,
    load_files,
    make_file_finder,
    make_file_reader,
)
from vision.editions.learning import with_model
from vision.editions.model_file import MAX_MODEL_BYTES, encode_model
from vision.errors import Message, VisionError
from vision.photo.load import Photo
from vision.photo.regular_file import read_start
from vision.reading import PlaceKind, Reading
from vision.teaching.groups import learn_tiles

SHEET_FILE: Final = "contact-sheet.png"
"""Only for people; made anew whenever an edition is written."""

MAX_ARCHIVE_BYTES: Final = 96 * 1024 * 1024
"""Also of all files in it together, unpacked; the largest edition takes 86 MB."""
MOST_FILES: Final = MOST_PICTURES + 5
"""All pictures, the board's, the description, what was learned, the contact sheet, the folder."""
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""The same edition always gives the same file."""
_MOST_LIST_BYTES: Final = MOST_FILES * 1024
"""Of the list of files in an archive, 46 bytes and the name for each."""
_ENCRYPTED: Final = 1
_METHODS: Final = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
"""Others unpack all at once, into any amount of memory."""
_LIMITS: Final = {DESCRIPTION_FILE: MAX_DESCRIPTION_BYTES, MODEL_FILE: MAX_MODEL_BYTES}


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
    """What changes when the files of a stored edition do: their names, sizes and times.

    It is empty where there is no such folder, or it cannot be looked into.
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
    """An edition.

    Args:
        name: of a stored edition; ``standard`` or None: the built-in one of the game.
        game: whose edition it must be; None: any game's.
        where: the option or setting that named it, for errors.
        pictured: whether its pictures are wanted; nobody needs them who only reads photos.

    Raises:
        UsageError: ``unknown-edition``, ``edition-other-game``, ``edition-missing`` for a game
            without rules and without an edition, or ``edition-which-game`` for a built-in one
            where no game is named.
        DescriptionError: what is wrong with its files, or ``no-standard-edition``.
    """
    if name is None or name == STANDARD:
        return _standard(game, where, pictured=pictured)
    folder = _stored_folder(name, where)
    edition = load_folder(folder, pictured=pictured)
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
            "right game",
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
    with suppress(OutputError):
        write_safely(folder / MODEL_FILE, encode_model(edition.model))


def _standard(game: str | None, where: str, *, pictured: bool) -> Edition:
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
    return built_in_edition(game, pictured=pictured)


def load_folder(path: Path, *, pictured: bool = True) -> Edition:
    """The edition in a folder, wherever it lies and whatever the folder is called.

    Args:
        path: of the folder.
        pictured: as of ``load_edition``.

    Raises:
        DescriptionError: what is wrong with its files.
    """
    read, has = make_file_reader(path), make_file_finder(path)
    edition = load_files(read, has, str(path), pictured=pictured)
    check_game(edition.description, str(path))
    return with_model(edition)


def check_game(description: Description, where: str) -> None:
    """Refuse a description of a game without rules that does not say so, or against the rules.

    Raises:
        DescriptionError: ``description-game``.
    """
    game_called(description.game).check_description(description, where)
    if description.game not in (*games(), READING_ONLY):
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
    data = make_file_reader(folder)(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    return parse_description(data, str(folder / DESCRIPTION_FILE)).game


def nothing_learned(name: str, game: str) -> tuple[Edition, Edition]:
    """What teaching an own copy begins with, and the drawn edition that fills it up."""
    standard = built_in_edition(game)
    return named(Edition(standard.description, {}), name), standard


def save_edition(edition: Edition, *, replace: bool = False) -> Path:
    """Write an edition and its contact sheet into a folder of its own, all of it or nothing.

    An edition that it replaces can be had back by ``undo_edition``.

    Raises:
        UsageError: ``edition-name`` or ``edition-exists``.
        OutputError: ``edition-not-writable``.
    """
    target = editions_folder() / check_name(edition.name)
    if target.exists() and not replace:
        raise UsageError(
            "edition-exists",
            "there is an edition {name} already: add --replace to put the new one in its place, or "
            "remove it first with stadtblick editions remove {name}",
            str(target),
            name=edition.name,
        )
    files = {**encode_edition(edition), SHEET_FILE: encode_png(draw_contact_sheet(edition))}
    try:
        write_folder(target, files)
    except OSError as error:
        raise _not_writable(target, error) from error
    return target


def remove_edition(name: str) -> None:
    """Delete a stored edition, also a damaged one.

    Raises:
        UsageError: ``unknown-edition`` or ``edition-built-in``.
        OutputError: ``edition-not-writable``.
    """
    folder = _taught_folder(name)
    try:
        remove_folder(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


def can_be_undone(name: str) -> bool:
    """Whether an edition was changed, so that ``undo_edition`` has something to take back."""
    return previous_version(editions_folder() / name).exists()


def undo_edition(name: str) -> None:
    """Take back the last change of a stored edition; a second time it is made again.

    Raises:
        UsageError: ``unknown-edition``, ``edition-built-in`` or ``edition-not-changed``.
        OutputError: ``edition-not-writable``.
    """
    folder = _taught_folder(name)
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


def taught_by(
    edition: Edition, photo: Photo, reading: Reading, corrections: Sequence[Correction]
) -> Edition:
    """An edition that knows the tiles, too, that a person has named in a photo.

    Args:
        edition: to be added to, of a game whose tiles are one cell each.
        photo: which was read.
        reading: of it.
        corrections: of tiles that there are.

    Raises:
        EditionError: the errors of ``vision.teaching.groups.learn_tiles``.
    """
    description, tiles = edition.description, []
    for each in corrections:
        place = each.place
        if place.kind is PlaceKind.TILE and each.said is not None:
            quad = cell_quad(reading.grids[place.grid], description, place.cell)
            tiles.append((floats(photo.to_decoded_px(quad)), each.said))
    return learn_tiles(edition, photo, tiles)


def named(edition: Edition, name: str) -> Edition:
    """An edition under another name."""
    return dataclasses.replace(
        edition, description=dataclasses.replace(edition.description, name=name)
    )


def _taught_folder(name: str) -> Path:
    if name == STANDARD:
        raise UsageError(
            "edition-built-in",
            "the editions called {name} are built in, they cannot be removed or undone: name one "
            "that was taught",
            name,
            name=STANDARD,
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
            advice=suggest_name(name, [STANDARD, *known]),
        )
    return editions_folder() / name


def _not_writable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        "edition-not-writable",
        "the edition cannot be written ({why}): make room, or check the permissions",
        str(path),
        why=system_reason(error),
    )


def archive_of(edition: Edition) -> bytes:
    """The edition as a ZIP file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, data in encode_edition(edition).items():
            entry = zipfile.ZipInfo(f"{edition.name}/{name}", _FIRST_DAY)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return target.getvalue()


def load_archive(path: Path) -> Edition:
    """The edition in a ZIP file.

    Raises:
        UsageError: ``archive-missing``, ``archive-refused``, ``edition-damaged`` or
            ``edition-name``.
        DescriptionError: what is wrong with the files of one of format 2.
    """
    where = str(path)
    try:
        data = read_start(path, MAX_ARCHIVE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(
            "archive-missing", "there is no such file that can be read: check the path", where
        ) from error
    if len(data) > MAX_ARCHIVE_BYTES:
        raise _refused(Message("it is larger than {most} bytes", most=MAX_ARCHIVE_BYTES), where)
    try:
        file = _ArchiveFile(data)
        with zipfile.ZipFile(file) as archive:
            file.is_open = True
            return _edition_in(archive, where)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        if isinstance(error, FirmwareError | VisionError):
            raise
        raise _refused(Message("it is no complete ZIP file"), where) from error


class _ArchiveFile(io.BytesIO):
    """A ZIP file whose list of files is read only if it is no longer than one of an edition.

    Attributes:
        is_open: Whether the list has been read.
    """

    is_open = False

    def read(self, size: int | None = -1, /) -> bytes:
        """Read some bytes.

        Raises:
            BadZipFile: the list of files is too long.
        """
        if not self.is_open and (size or 0) > _MOST_LIST_BYTES:
            raise zipfile.BadZipFile
        return super().read(size)


def _edition_in(archive: zipfile.ZipFile, where: str) -> Edition:
    folder, entries = _checked_entries(archive.infolist(), where)
    used: set[str] = set()

    def read(name: str, limit: int) -> bytes:
        if name not in entries:
            raise _refused(Message("it has no {name}", name=name), where)
        _check_size(entries[name], name, limit, where)
        used.add(name)
        return _unpacked(archive, entries[name])

    edition = load_files(read, entries.__contains__, where)
    check_game(edition.description, where)
    if check_name(edition.name) != folder:
        raise _refused(
            Message(
                "its folder is {folder}, its edition {edition}", folder=folder, edition=edition.name
            ),
            where,
        )
    if used != set(entries):
        raise _refused(Message("its pictures are not those that it lists"), where)
    return with_model(edition)


def _checked_entries(
    entries: list[zipfile.ZipInfo], where: str
) -> tuple[str, dict[str, zipfile.ZipInfo]]:
    """The folder's name, and the files to unpack by their names in it."""
    if len(entries) > MOST_FILES:
        raise _refused(Message("it holds more than {most} files", most=MOST_FILES), where)
    folder = entries[0].filename.split("/")[0] if entries else ""
    if EDITION_NAME.fullmatch(folder) is None:
        raise _refused(Message("it holds no folder named like an edition"), where)
    files: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        if entry.filename == f"{folder}/":
            continue
        name = entry.filename.removeprefix(f"{folder}/")
        is_picture = IMAGE_NAME.fullmatch(name) is not None
        if name == entry.filename or not (is_picture or name in (DESCRIPTION_FILE, MODEL_FILE)):
            raise _refused(Message("it holds a file that belongs to no edition"), where)
        if name in files:
            raise _refused(Message("it holds {name} twice", name=name), where)
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or entry.flag_bits & _ENCRYPTED:
            raise _refused(Message("{name} is a link or encrypted", name=name), where)
        if entry.compress_type not in _METHODS:
            raise _refused(Message("{name} is packed in an unusual way", name=name), where)
        _check_size(entry, name, _LIMITS.get(name, MAX_BOARD_BYTES), where)
        files[name] = entry
    if sum(entry.file_size for entry in files.values()) > MAX_ARCHIVE_BYTES:
        raise _refused(
            Message("its files are larger than {most} bytes", most=MAX_ARCHIVE_BYTES), where
        )
    files.pop(SHEET_FILE, None)  # made anew
    return folder, files


def _check_size(entry: zipfile.ZipInfo, name: str, limit: int, where: str) -> None:
    if entry.file_size > limit:
        said = Message("{name} is larger than {limit} bytes", name=name, limit=limit)
        raise _refused(said, where)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The content of a file, which is no longer than its entry says."""
    with archive.open(entry) as file:
        data = file.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise zipfile.BadZipFile
    return data


def _refused(what: str, where: str) -> UsageError:
    return UsageError(
        "archive-refused",
        "this is no exported edition, {what}: export it again with stadtblick editions export",
        where,
        what=what,
    )
