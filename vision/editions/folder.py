"""Load and save an edition as a folder: ``edition.toml``, pictures and the model.

Built-in editions are loaded here, too (``built_in_edition``); their folders lie in
``vision.editions.built_in``.

A folder may be written by hand or come from another machine, so nothing in it is trusted: sizes
are checked before anything is decoded.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.built_in import BUILT_IN_FOLDER
from vision.editions.description import Description
from vision.editions.description_toml import (
    MAX_DESCRIPTION_BYTES,
    description_toml,
    parse_description,
)
from vision.editions.edition import (
    MAX_BOARD_PX,
    MAX_PICTURE_PX,
    MAX_PICTURES_OF_FACE,
    MIN_PICTURE_PX,
    STANDARD_EDITION,
    DescriptionError,
    Edition,
)
from vision.editions.learning import model_of
from vision.editions.model import Model, empty_model
from vision.editions.model_file import MAX_MODEL_BYTES, decode_model, encode_model
from vision.errors import VisionError
from vision.message import Message, list_names
from vision.photo.decoding import decode_upright
from vision.photo.image_file import inspect_image
from vision.photo.regular_file import NO_FILE, read_start

DESCRIPTION_FILE: Final = "edition.toml"
BOARD_FILE: Final = "board.png"
MODEL_FILE: Final = "model.bin"
"""References of the faces; made from the pictures where the file is missing."""
MAX_PICTURE_BYTES: Final = 4 * 1024 * 1024
MAX_BOARD_BYTES: Final = 24 * 1024 * 1024
MAX_PICTURES: Final = 400
"""Maximum number of pictures in an edition; each takes up to 200 KB of memory."""
_MAX_PIXELS: Final = 100_000_000
"""Maximum number of pixels of all pictures of faces, before they are reduced."""
_MAX_FILE_PICTURE_PX: Final = 2048
"""Maximum side of the picture of a face before it is reduced."""
_MAX_FILE_BOARD_PX: Final = 5000
"""Maximum side of the picture of a board before it is reduced."""
_MIN_BOARD_PX: Final = 200
"""Minimum side of the picture of a board."""
ASPECT_TOLERANCE: Final = 0.03
"""Maximum relative difference between the sides of a face's picture, and between the aspect of a
board's picture and of its size."""

FileReader = Callable[[str, int], bytes]
"""Function that returns the content of the file of a name, of at most a number of bytes."""

BUILT_IN_MODEL_FOLDER: Final = Path(__file__).parents[1] / "weights"
"""Folder of the models of built-in editions, one file a game: ``GAME.bin``."""


def load_folder(folder: Path) -> Edition:
    """Load the edition in a folder.

    Large pictures are reduced; JPEG files and sides that differ by a few percent are accepted.

    Raises:
        DescriptionError: The errors of ``parse_description``; ``edition-file`` where a file is
            missing, too large or cannot be read; ``edition-picture`` where a picture cannot be
            used.
    """
    return load_files(make_file_reader(folder), make_file_finder(folder), str(folder))


def make_file_finder(folder: Path) -> Callable[[str], bool]:
    """Make a function that returns whether a folder has the file of a name."""
    return lambda name: (folder / name).is_file()


def make_file_reader(folder: Path) -> FileReader:
    """Make a reader of the files of a folder; it raises ``DescriptionError``, ``edition-file``."""

    def read(name: str, limit: int) -> bytes:
        return _read_limited(folder / name, limit)

    return read


def load_files(
    read: FileReader, has: Callable[[str], bool], where: str, *, pictured: bool = True
) -> Edition:
    """Load an edition from files, wherever they lie.

    Args:
        read: Reader of a file.
        has: Function that returns whether there is the file of a name.
        where: Name of the folder or archive, for errors.
        pictured: False to leave out the pictures if there is a model, which is enough to read
            photos.

    Raises:
        DescriptionError: See ``load_folder``.
    """
    data = read(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    description = parse_description(data, f"{where}/{DESCRIPTION_FILE}")
    if description.game in built_in_games() and description.name != STANDARD_EDITION:
        description = _take_rules(built_in_description(description.game), description)
    model = _load_model(description, read, MODEL_FILE) if has(MODEL_FILE) else None
    if model is not None and not pictured:
        return Edition(description, {}, None, model)
    return replace(load_pictures(description, read, where), model=model)


def _load_model(description: Description, read: FileReader, name: str) -> Model | None:
    """Load the model of a file; None if it is unusable, or has other faces than the description."""
    model = decode_model(read(name, MAX_MODEL_BYTES), empty_model(description))
    described = {None, *(face.name for face in description.faces)}
    learned = () if model is None else (*model.references.faces, *model.loose.faces)
    return model if described.issuperset(learned) else None


def _take_rules(standard: Description, description: Description) -> Description:
    """Return a description with what the built-in one says of tiles and figures by the rules."""
    return replace(
        description,
        turns_matter=standard.turns_matter,
        most_tokens=standard.most_tokens,
        one_kind_of_token=standard.one_kind_of_token,
        no_tokens_on=standard.no_tokens_on,
        duplexes=standard.duplexes,
    )


def load_pictures(description: Description, read: FileReader, where: str) -> Edition:
    """Load the pictures that a description names.

    Raises:
        DescriptionError: ``edition-file`` or ``edition-picture``.
    """
    count = sum(len(face.images) for face in description.faces)
    if count > MAX_PICTURES:
        raise DescriptionError(
            "edition-picture",
            "it has {count} pictures: leave out all but {most}",
            where,
            count=count,
            most=MAX_PICTURES,
        )
    untaught = [face.name for face in description.faces if not face.images]
    if untaught and len(untaught) == len(description.faces):
        raise DescriptionError(
            "edition-picture",
            "no picture is named for {names}: list images, or learn them with stadtblick teach",
            where,
            names=list_names(untaught),
        )
    budget = _PixelBudget(where)
    pictures = {
        face.name: tuple(
            _decode_face(read(image, MAX_PICTURE_BYTES), f"{where}/{image}", budget)
            for image in face.images
        )
        for face in description.faces
        if face.images
    }
    board = None
    if description.board is not None and description.board.image is not None:
        image = description.board.image
        data = read(image, MAX_BOARD_BYTES)
        board = _decode_board(data, description.board.size_mm, f"{where}/{image}")
    return Edition(description, pictures, board)


def encode_edition(edition: Edition) -> dict[str, bytes]:
    """Return the files of an edition by their names, the description first.

    Pictures are PNG and named after their faces, whatever they were called before.
    """
    named = name_picture_files(edition)
    files = {DESCRIPTION_FILE: description_toml(named.description).encode()}
    if edition.board_picture is not None:
        files[BOARD_FILE] = encode_png(edition.board_picture)
    for face in named.description.faces:
        for image, picture in zip(face.images, named.pictures.get(face.name, ()), strict=True):
            files[image] = encode_png(picture)
    if edition.model is not None:
        files[MODEL_FILE] = encode_model(edition.model)
    return files


def name_picture_files(edition: Edition) -> Edition:
    """Name a file for each picture of an edition in its description, and no others.

    If all faces together have more than ``MAX_PICTURES``, the last ones of those with most are left
    out.
    """
    pictures = _limit_pictures(edition.pictures)
    faces = tuple(
        replace(
            face,
            images=tuple(
                f"{face.name}-{number}.png"
                for number in range(1, len(pictures.get(face.name, ())) + 1)
            ),
        )
        for face in edition.description.faces
    )
    board = edition.description.board
    if board is not None:
        board = replace(board, image=None if edition.board_picture is None else BOARD_FILE)
    description = replace(edition.description, faces=faces, board=board)
    return replace(edition, description=description, pictures=pictures)


def _limit_pictures(pictures: Mapping[str, tuple[Image, ...]]) -> Mapping[str, tuple[Image, ...]]:
    most = MAX_PICTURES_OF_FACE
    while sum(min(len(of_face), most) for of_face in pictures.values()) > MAX_PICTURES:
        most -= 1
    return {name: of_face[:most] for name, of_face in pictures.items()}


def built_in_games() -> tuple[str, ...]:
    """Return the games that have a built-in edition, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in BUILT_IN_FOLDER.glob(f"*/{DESCRIPTION_FILE}")))


@cache
def built_in_description(game: str) -> Description:
    """Return the description of the built-in edition of a game.

    Raises:
        DescriptionError: ``no-standard-edition``.
    """
    if game not in built_in_games():
        raise DescriptionError(
            "no-standard-edition",
            "no edition of {game} is built in: name one with --edition",
            game,
            game=game,
        )
    data = make_file_reader(BUILT_IN_FOLDER / game)(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    return parse_description(data, game)


def built_in_edition(game: str, *, pictured: bool = True) -> Edition:
    """Return the built-in edition of a game, which is called ``standard``; it is loaded once.

    Args:
        game: Name of the game.
        pictured: Whether to load the pictures; the model is enough to read photos.

    Raises:
        DescriptionError: ``no-standard-edition``.
    """
    return _load_built_in(game) if pictured else _load_built_in_model(game)


@cache
def _load_built_in(game: str) -> Edition:
    model = _load_built_in_model(game).model
    return replace(load_folder(BUILT_IN_FOLDER / game), model=model)


@cache
def _load_built_in_model(game: str) -> Edition:
    """Load the built-in edition of a game without its pictures."""
    description, file = built_in_description(game), f"{game}.bin"
    is_learned = make_file_finder(BUILT_IN_MODEL_FOLDER)(file)
    read = make_file_reader(BUILT_IN_MODEL_FOLDER)
    model = _load_model(description, read, file) if is_learned else None
    if model is None:
        model = model_of(load_folder(BUILT_IN_FOLDER / game))
    return Edition(description, {}, None, model)


class _PixelBudget:
    """Count of the pixels that further pictures may have, before each is decoded."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._left = _MAX_PIXELS

    def spend(self, size_wh: tuple[int, int]) -> None:
        """Count a picture.

        Raises:
            DescriptionError: ``edition-picture``; it exceeds the budget.
        """
        self._left -= size_wh[0] * size_wh[1]
        if self._left < 0:
            raise DescriptionError(
                "edition-picture",
                "its pictures have more than {most} million pixels together: save them smaller",
                self._where,
                most=_MAX_PIXELS // 1_000_000,
            )


def _decode_face(data: bytes, where: str, budget: _PixelBudget) -> Image:
    picture = _decode(data, _MAX_FILE_PICTURE_PX, where, budget)
    height, width = picture.shape[:2]
    if abs(width - height) > ASPECT_TOLERANCE * max(width, height):
        raise _unusable(
            Message(
                "it is {width} x {height} pixels, but a tile is square: cut it along the tile's "
                "edges",
                width=width,
                height=height,
            ),
            where,
        )
    _refuse_small(picture, MIN_PICTURE_PX, where)
    side = min(max(width, height), MAX_PICTURE_PX)
    return _resize(picture, (side, side))


def _decode_board(data: bytes, size_mm: tuple[float, float], where: str) -> Image:
    picture = _decode(data, _MAX_FILE_BOARD_PX, where)
    height, width = picture.shape[:2]
    expected = size_mm[0] / size_mm[1]
    if abs(width / height / expected - 1) > ASPECT_TOLERANCE:
        raise _unusable(
            Message(
                "it is {width} x {height} pixels, but size_mm is {board_width} x {board_height}: "
                "cut it along the board's edges, or correct size_mm",
                width=width,
                height=height,
                board_width=size_mm[0],
                board_height=size_mm[1],
            ),
            where,
        )
    _refuse_small(picture, _MIN_BOARD_PX, where)
    scale = min(1.0, MAX_BOARD_PX / max(width, height))
    return _resize(picture, (round(width * scale), round(height * scale)))


def _refuse_small(picture: Image, least: int, where: str) -> None:
    height, width = picture.shape[:2]
    if min(width, height) < least:
        what = Message(
            "it is {width} x {height} pixels: give one of at least {least}",
            width=width,
            height=height,
            least=least,
        )
        raise _unusable(what, where)


def _decode(data: bytes, most_px: int, where: str, budget: _PixelBudget | None = None) -> Image:
    try:
        header = inspect_image(data, where)
        if max(header.stored_wh) > most_px:
            width, height = header.stored_wh
            raise _unusable(
                Message(
                    "it is {width} x {height} pixels, {most} are allowed: save it smaller",
                    width=width,
                    height=height,
                    most=most_px,
                ),
                where,
            )
        if budget is not None:
            budget.spend(header.stored_wh)
        return decode_upright(data, header, 1, where)
    except DescriptionError:
        raise
    except VisionError as error:
        what = error.message
        advice = Message("{what}, or save it as PNG once more", what=what)
        raise _unusable(advice, where) from error


def _resize(picture: Image, size_wh: tuple[int, int]) -> Image:
    if (picture.shape[1], picture.shape[0]) != size_wh:
        picture = np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        picture.setflags(write=False)
    return picture


def _read_limited(path: Path, limit: int) -> bytes:
    try:
        data = read_start(path, limit + 1)
    except NO_FILE as error:
        raise DescriptionError(
            "edition-file", "there is no such file: add it", str(path)
        ) from error
    except PermissionError as error:
        raise DescriptionError(
            "edition-file", "the file cannot be read: check its permissions", str(path)
        ) from error
    except OSError as error:
        why = Message(error.strerror or type(error).__name__)
        raise DescriptionError(
            "edition-file", "the file cannot be read ({why}): check the path", str(path), why=why
        ) from error
    if len(data) > limit:
        raise DescriptionError(
            "edition-file",
            "the file is larger than {limit} bytes: save it smaller",
            str(path),
            limit=limit,
        )
    return data


def encode_png(picture: Image) -> bytes:
    """Encode a picture as a PNG file."""
    return bytes(np.asarray(cv2.imencode(".png", picture)[1]).tobytes())


def _unusable(what: str, where: str) -> DescriptionError:
    return DescriptionError(
        "edition-picture", "the picture cannot be used, {what}", where, what=what
    )
