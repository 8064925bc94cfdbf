"""Where taught editions are kept: a folder each, with ``edition.toml`` and PNG pictures.

The format is described in docs/editions.md. A folder may come from another machine, so nothing in
it is trusted: sizes are checked before anything is decoded.
"""

import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from firmware.errors import OutputError, UsageError, suggestion
from firmware.user_data import user_folder
from vision.arrays import Image
from vision.decoding import decode_upright
from vision.editions.contact_sheet import contact_sheet
from vision.editions.edition import COLUMNS, FACES, GAME, MOST_EXAMPLES, PICTURE_PX, ROWS, Edition
from vision.errors import VisionError
from vision.eye import EDITION
from vision.image_file import inspect_image

FORMAT: Final = 1
DESCRIPTION_FILE: Final = "edition.toml"
SHEET_FILE: Final = "contact-sheet.png"
LAYOUT: Final = "free-tiles"
MAX_DESCRIPTION_BYTES: Final = 64 * 1024
MAX_PICTURE_BYTES: Final = 128 * 1024
"""A PNG of 96 x 96 pixels without any compression takes 28 KB."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
PICTURE_NAME: Final = re.compile(r"[a-z0-9-]{1,40}\.png")
_KEYS: Final = {"format", "name", "game", "layout", "rows", "columns", "faces", "examples"}


def editions_folder() -> Path:
    """The folder of all editions; it may not exist yet."""
    return user_folder() / "editions"


def check_name(name: str) -> str:
    """The name, if an edition may be called so.

    Raises:
        UsageError: ``edition-name``.
    """
    if NAME.fullmatch(name) is None:
        raise UsageError(
            "edition-name",
            "this is no name for an edition: use 1 to 40 letters, digits, - and _ without accents",
            "--edition",
        )
    if name == EDITION:
        raise UsageError(
            "edition-name", f"{EDITION} is what is known from the start: choose another name", name
        )
    return name


def taught_names() -> list[str]:
    """The names of all taught editions, in alphabetical order."""
    try:
        entries = list(editions_folder().iterdir())
    except OSError:
        return []
    return sorted(entry.name for entry in entries if NAME.fullmatch(entry.name) and entry.is_dir())


def load_edition(name: str, where: str = "--edition") -> Edition:
    """A taught edition by its name.

    Args:
        name: as the user gave it.
        where: the option that named it, for errors.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged`` or ``edition-format``.
    """
    known = taught_names()
    if name not in known:
        advice = suggestion(name, [EDITION, *known])
        raise UsageError("unknown-edition", f"there is no edition {name}: {advice}", where)
    folder = editions_folder() / name
    described = _read_limited(folder / DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    content = parse_description(described, str(folder / DESCRIPTION_FILE))
    if content["name"] != name:
        raise _damaged(f"it calls itself {content['name']}", str(folder / DESCRIPTION_FILE))
    files = {
        file: _read_limited(folder / file, MAX_PICTURE_BYTES)
        for files in content["examples"].values()
        for file in files
    }
    return edition_from(content, files, str(folder))


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
            f"there is an edition {edition.name} already: choose another name or add --replace",
            str(target),
        )
    files = {**edition_files(edition), SHEET_FILE: _png(contact_sheet(edition))}
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as scratch:
            fresh = Path(scratch) / "new"
            fresh.mkdir()
            for name, data in files.items():
                _write_synced(fresh / name, data)
            if target.exists():
                target.rename(Path(scratch) / "old")
            fresh.rename(target)
    except OSError as error:
        raise _not_writable(target, error) from error
    return target


def remove_edition(name: str) -> None:
    """Delete a taught edition, also a damaged one.

    Raises:
        UsageError: ``unknown-edition``.
        OutputError: ``edition-not-writable``.
    """
    known = taught_names()
    if name not in known:
        advice = suggestion(name, known) if known else "none has been taught"
        raise UsageError("unknown-edition", f"there is no edition {name}: {advice}", name)
    folder = editions_folder() / name
    try:
        if folder.is_symlink():
            folder.unlink()
        else:
            shutil.rmtree(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


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
        raise _damaged("it is not TOML in UTF-8", where) from error
    version = content.get("format")
    if type(version) is int and version > FORMAT:
        raise UsageError(
            "edition-format",
            f"it has format {version}, only {FORMAT} is known: use a newer Stadtblick",
            where,
        )
    if version is True or version != FORMAT or set(content) != _KEYS:
        raise _damaged(f"it needs format = {FORMAT} and the keys {', '.join(sorted(_KEYS))}", where)
    expected = {
        "game": GAME,
        "layout": LAYOUT,
        "rows": ROWS,
        "columns": COLUMNS,
        "faces": [face.value for face in FACES],
    }
    for key, value in expected.items():
        if content[key] != value or type(content[key]) is not type(value):
            raise _damaged(f"{key} must be {value}", where)
    name, examples = content["name"], content["examples"]
    if not isinstance(name, str) or NAME.fullmatch(name) is None or name == EDITION:
        raise _damaged("its name is none that an edition may have", where)
    if not isinstance(examples, dict) or set(examples) != set(expected["faces"]):  # type: ignore[call-overload]
        raise _damaged("examples must list pictures of each face", where)
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
        raise _damaged(what, error.where) from error


def _check_files(lists: list[Any], where: str) -> None:
    if not all(isinstance(files, list) and 1 <= len(files) <= MOST_EXAMPLES for files in lists):
        raise _damaged(f"each face needs 1 to {MOST_EXAMPLES} pictures", where)
    names = [file for files in lists for file in files]
    if not all(isinstance(file, str) and PICTURE_NAME.fullmatch(file) for file in names):
        raise _damaged("a picture has a name that is not like shop-1.png", where)
    if len(set(names)) != len(names) or SHEET_FILE in names:
        raise _damaged("a picture is listed twice or is the contact sheet", where)


def _picture(data: bytes, where: str) -> Image:
    header = inspect_image(data, where)
    if header.kind != "PNG" or header.stored_wh != (PICTURE_PX, PICTURE_PX):
        raise _damaged(f"a picture is not a PNG of {PICTURE_PX} x {PICTURE_PX} pixels", where)
    return decode_upright(data, header, 1, where)


def _read_limited(path: Path, limit: int) -> bytes:
    if not path.is_file():
        raise _damaged("a file is missing", str(path))
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise _damaged(f"a file cannot be read ({error.strerror})", str(path)) from error
    if len(data) > limit:
        raise _damaged(f"a file is larger than {limit} bytes", str(path))
    return data


def _damaged(what: str, where: str) -> UsageError:
    return UsageError(
        "edition-damaged",
        f"the edition is damaged, {what}: teach it again, or copy it again",
        where,
    )


def _not_writable(path: Path, error: OSError) -> OutputError:
    why = error.strerror or type(error).__name__
    return OutputError(
        "edition-not-writable",
        f"the edition cannot be written ({why}): make room, or check the permissions",
        str(path),
    )


def _png(picture: Image) -> bytes:
    return bytes(np.asarray(cv2.imencode(".png", picture)[1]).tobytes())


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
