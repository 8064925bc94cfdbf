"""Taught editions of Between Two Cities: a folder each, with ``edition.toml`` and PNG pictures.

The format, number 1, is described in docs/editions.md. A folder may come from another machine, so
nothing in it is trusted: sizes are checked before anything is decoded. Editions of other games are
kept by ``firmware.board_editions``.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from firmware.edition_folder import (
    DESCRIPTION_FILE,
    NAME,
    SHEET_FILE,
    damaged,
    editions_folder,
    read_limited,
    stored_folder,
    stored_format,
    stored_names,
    write_edition,
)
from firmware.errors import UsageError
from vision.arrays import Image
from vision.boards.description_toml import FORMAT as BOARD_FORMAT
from vision.decoding import decode_upright
from vision.editions.contact_sheet import contact_sheet
from vision.editions.edition import COLUMNS, FACES, GAME, MOST_EXAMPLES, PICTURE_PX, ROWS, Edition
from vision.errors import VisionError
from vision.eye import EDITION
from vision.image_file import inspect_image

FORMAT: Final = 1
LAYOUT: Final = "free-tiles"
MAX_DESCRIPTION_BYTES: Final = 64 * 1024
MAX_PICTURE_BYTES: Final = 128 * 1024
"""A PNG of 96 x 96 pixels without any compression takes 28 KB."""
PICTURE_NAME: Final = re.compile(r"[a-z0-9-]{1,40}\.png")
_KEYS: Final = {"format", "name", "game", "layout", "rows", "columns", "faces", "examples"}


def taught_names() -> list[str]:
    """The names of the editions of Between Two Cities, also damaged ones, in alphabetical order."""
    folder = editions_folder()
    return [name for name in stored_names() if stored_format(folder / name) != BOARD_FORMAT]


def load_edition(name: str, where: str = "--edition") -> Edition:
    """A taught edition of Between Two Cities by its name.

    Args:
        name: as the user gave it.
        where: the option that named it, for errors.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged``, ``edition-format`` or
            ``edition-other-game``.
    """
    folder = stored_folder(name, where)
    if stored_format(folder) == BOARD_FORMAT:
        raise UsageError(
            "edition-other-game",
            f"the edition {name} is not of {GAME}: stadtblick editions says whose each is",
            where,
        )
    edition = load_files(lambda file, limit: read_limited(folder / file, limit), str(folder))
    if edition.name != name:
        raise damaged(f"it calls itself {edition.name}", str(folder / DESCRIPTION_FILE))
    return edition


def load_files(read: Callable[[str, int], bytes], where: str) -> Edition:
    """The edition in files that lie wherever ``read`` finds them.

    Args:
        read: gives the content of a file of this name, of at most so many bytes.
        where: what holds the files, for errors.

    Raises:
        UsageError: ``edition-damaged`` or ``edition-format``.
    """
    described = read(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    content = parse_description(described, f"{where}/{DESCRIPTION_FILE}")
    files = {
        file: read(file, MAX_PICTURE_BYTES)
        for files in content["examples"].values()
        for file in files
    }
    return edition_from(content, files, where)


def save_edition(edition: Edition, *, replace: bool = False) -> Path:
    """Write an edition and its contact sheet into a folder of its own, all of it or nothing.

    Args:
        edition: under a name that ``check_name`` allows.
        replace: whether it may take the place of one with the same name.

    Raises:
        UsageError: ``edition-name`` or ``edition-exists``.
        OutputError: ``edition-not-writable``.
    """
    files = {**edition_files(edition), SHEET_FILE: _png(contact_sheet(edition))}
    return write_edition(edition.name, files, replace=replace)


def edition_files(edition: Edition) -> dict[str, bytes]:
    """The description and the pictures of an edition, by file name."""
    named = {
        face.value: [f"{face.value}-{n + 1}.png" for n in range(edition.example_count)]
        for face in FACES
    }
    quoted = ", ".join(f'"{face}"' for face in named)
    lines = [
        f"format = {FORMAT}",
        f'name = "{edition.name}"',
        f'game = "{edition.game}"',
        f'layout = "{LAYOUT}"',
        f"rows = {edition.rows}",
        f"columns = {edition.columns}",
        f"faces = [{quoted}]",
        "",
        "[examples]",
    ]
    for face, files in named.items():
        listed = ", ".join(f'"{file}"' for file in files)
        lines.append(f"{face} = [{listed}]")
    content = {DESCRIPTION_FILE: ("\n".join(lines) + "\n").encode()}
    for face, files in zip(FACES, named.values(), strict=True):
        for file, picture in zip(files, edition.examples[face], strict=True):
            content[file] = _png(picture)
    return content


def parse_description(data: bytes, where: str) -> dict[str, Any]:
    """The content of ``edition.toml``, checked.

    Raises:
        UsageError: ``edition-damaged`` or ``edition-format``.
    """
    try:
        content = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise damaged("it is not TOML in UTF-8", where) from error
    version = content.get("format")
    if type(version) is int and version > BOARD_FORMAT:
        raise UsageError(
            "edition-format",
            f"it has format {version}, {BOARD_FORMAT} is the newest known: use a newer Stadtblick",
            where,
        )
    if version is True or version != FORMAT or set(content) != _KEYS:
        raise damaged(f"it needs format = {FORMAT} and the keys {', '.join(sorted(_KEYS))}", where)
    expected = {
        "game": GAME,
        "layout": LAYOUT,
        "rows": ROWS,
        "columns": COLUMNS,
        "faces": [face.value for face in FACES],
    }
    for key, value in expected.items():
        if content[key] != value or type(content[key]) is not type(value):
            raise damaged(f"{key} must be {value}", where)
    name, examples = content["name"], content["examples"]
    if not isinstance(name, str) or NAME.fullmatch(name) is None or name == EDITION:
        raise damaged("its name is none that an edition may have", where)
    if not isinstance(examples, dict) or set(examples) != set(expected["faces"]):  # type: ignore[call-overload]
        raise damaged("examples must list pictures of each face", where)
    _check_files(list(examples.values()), where)
    return content


def edition_from(content: Mapping[str, Any], files: Mapping[str, bytes], where: str) -> Edition:
    """An edition from its checked description and its pictures.

    Raises:
        UsageError: ``edition-damaged``.
    """
    try:
        examples = {
            face: tuple(_picture(files[file], f"{where}/{file}") for file in listed)
            for face in FACES
            for listed in [content["examples"][face.value]]
        }
        return Edition(content["name"], examples)
    except VisionError as error:
        what = f"a picture cannot be used, {error.message.split(':')[0]}"
        raise damaged(what, error.where) from error


def _check_files(lists: list[Any], where: str) -> None:
    if not all(isinstance(files, list) and 1 <= len(files) <= MOST_EXAMPLES for files in lists):
        raise damaged(f"each face needs 1 to {MOST_EXAMPLES} pictures", where)
    names = [file for files in lists for file in files]
    if not all(isinstance(file, str) and PICTURE_NAME.fullmatch(file) for file in names):
        raise damaged("a picture has a name that is not like shop-1.png", where)
    if len(set(names)) != len(names) or SHEET_FILE in names:
        raise damaged("a picture is listed twice or is the contact sheet", where)


def _picture(data: bytes, where: str) -> Image:
    header = inspect_image(data, where)
    if header.kind != "PNG" or header.stored_wh != (PICTURE_PX, PICTURE_PX):
        raise damaged(f"a picture is not a PNG of {PICTURE_PX} x {PICTURE_PX} pixels", where)
    return decode_upright(data, header, 1, where)


def _png(picture: Image) -> bytes:
    return bytes(np.asarray(cv2.imencode(".png", picture)[1]).tobytes())
