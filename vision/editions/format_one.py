"""Editions of Between Two Cities in format 1, from before there was one for all games.

format = 1, name, game, layout = "free-tiles", rows, columns, faces = [...]
[examples]
shop = ["shop-1.png", ...]
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from vision.editions.description import Turned
from vision.editions.edition import FACES, GAME, MOST_IMAGES, STANDARD, DescriptionError
from vision.errors import Message

_EDITION_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_PICTURE_NAME: Final = re.compile(r"[a-z0-9-]{1,40}\.png")
_KEYS: Final = {"format", "name", "game", "layout", "rows", "columns", "faces", "examples"}
_SAID: Final = {"game": GAME, "layout": "free-tiles", "rows": 4, "columns": 4}
"""The same in each, and in format 2."""
_UNSAID: Final = {
    "tile_mm": 45.0,
    "turned": Turned.UPRIGHT.value,
    "most_grids": 7,
    "duplexes": True,
}
"""What format 2 says besides, as of the built-in edition."""


def in_format_two(content: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """What the ``edition.toml`` of such an edition says, in format 2.

    Args:
        content: of the file.
        where: the file, for errors.

    Raises:
        DescriptionError: ``edition-damaged``.
    """
    if set(content) != _KEYS:
        raise _damaged(Message("it needs the keys {keys}", keys=", ".join(sorted(_KEYS))), where)
    expected = {**_SAID, "faces": [face.value for face in FACES]}
    for key, value in expected.items():
        if content[key] != value or type(content[key]) is not type(value):
            raise _damaged(Message("{key} must be {value}", key=key, value=str(value)), where)
    name, examples = content["name"], content["examples"]
    if not isinstance(name, str) or _EDITION_NAME.fullmatch(name) is None or name == STANDARD:
        raise _damaged(Message("its name is none that an edition may have"), where)
    if not isinstance(examples, dict) or set(examples) != {face.value for face in FACES}:
        raise _damaged(Message("examples must list pictures of each face"), where)
    _check_files(list(examples.values()), where)
    faces = [{"name": face.value, "images": examples[face.value]} for face in FACES]
    return {"format": 2, "name": name, **_SAID, **_UNSAID, "faces": faces}


def _check_files(lists: list[Any], where: str) -> None:
    if not all(isinstance(files, list) and 1 <= len(files) <= MOST_IMAGES for files in lists):
        raise _damaged(Message("each face needs 1 to {most} pictures", most=MOST_IMAGES), where)
    names = [file for files in lists for file in files]
    if not all(isinstance(file, str) and _PICTURE_NAME.fullmatch(file) for file in names):
        raise _damaged(Message("a picture has a name that is not like shop-1.png"), where)
    if len(set(names)) != len(names):
        raise _damaged(Message("a picture is listed twice"), where)


def _damaged(what: str, where: str) -> DescriptionError:
    return DescriptionError(
        "edition-damaged",
        "the edition is damaged, {what}: teach it again, or copy it again",
        where,
        what=what,
    )
