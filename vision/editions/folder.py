"""An edition as a folder: ``edition.toml`` in format 2 and its pictures.

A folder may be written by hand or come from another machine, so nothing in it is trusted: sizes
are checked before anything is decoded.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.description import Description
from vision.editions.description_toml import (
    MAX_DESCRIPTION_BYTES,
    description_toml,
    parse_description,
)
from vision.editions.edition import (
    LEAST_PICTURE_PX,
    MOST_BOARD_PX,
    MOST_PICTURE_PX,
    STANDARD,
    DescriptionError,
    Edition,
)
from vision.editions.own import OWN_FOLDER
from vision.errors import Message, VisionError
from vision.photo.decoding import decode_upright
from vision.photo.image_file import inspect_image
from vision.photo.regular_file import NO_FILE, read_start

if TYPE_CHECKING:
    from vision.editions.model import Model

DESCRIPTION_FILE: Final = "edition.toml"
BOARD_FILE: Final = "board.png"
MODEL_FILE: Final = "model.bin"
"""What the eye learned; without it, it learns from the pictures."""
MAX_PICTURE_BYTES: Final = 4 * 1024 * 1024
MAX_BOARD_BYTES: Final = 24 * 1024 * 1024
MOST_PICTURES: Final = 400
"""Of an edition; each takes up to 200 KB of memory."""
_MOST_PIXELS: Final = 100_000_000
"""Of all pictures of faces together, before they are made smaller."""
_LARGEST_PICTURE_PX: Final = 2048
"""Side of a picture before it is made smaller."""
_LARGEST_BOARD_PX: Final = 5000
_LEAST_BOARD_PX: Final = 200
_MOST_NAMED: Final = 6
ASPECT_TOLERANCE: Final = 0.03
"""By which a picture's sides may differ from a square, or a board's picture from its size."""

FileReader = Callable[[str, int], bytes]
"""Gives the content of a file of this name, of at most so many bytes."""

STANDARD_MODELS: Final = Path(__file__).parents[1] / "weights"
"""What was learned of standard editions from photos, a file a game: ``GAME.bin``."""


def load_folder(folder: Path) -> Edition:
    """The edition in a folder.

    Pictures larger than needed are made smaller, JPEG files and pictures whose sides differ by a
    few percent are taken as well.

    Raises:
        DescriptionError: the errors of ``parse_description``; ``edition-file`` where a file is
            missing, too large or cannot be read; ``edition-picture`` where a picture cannot be
            used.
    """
    return load_files(folder_reader(folder), folder_finder(folder), str(folder))


def folder_finder(folder: Path) -> Callable[[str], bool]:
    """What says whether a folder has a file of a name."""
    return lambda name: (folder / name).is_file()


def folder_reader(folder: Path) -> FileReader:
    """What reads the files of a folder; it raises ``DescriptionError``, ``edition-file``."""

    def read(name: str, limit: int) -> bytes:
        return _read_limited(folder / name, limit)

    return read


def load_files(
    read: FileReader, has: Callable[[str], bool], where: str, *, pictured: bool = True
) -> Edition:
    """The edition in files that lie wherever ``read`` finds them.

    Args:
        read: gives the content of a file.
        has: whether there is a file of a name.
        where: what holds the files, for errors.
        pictured: whether its pictures are wanted; to read photos what was learned is enough, and
            pictures are loaded only where nothing was.

    Raises:
        DescriptionError: see ``load_folder``.
    """
    data = read(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    description = parse_description(data, f"{where}/{DESCRIPTION_FILE}")
    if description.game in own_games() and description.name != STANDARD:
        description = _with_rules_of(own_description(description.game), description)
    model = _learned(description, read, MODEL_FILE) if has(MODEL_FILE) else None
    if model is not None and not pictured:
        return Edition(description, {}, None, model)
    return replace(load_pictures(description, read, where), model=model)


def _learned(description: Description, read: FileReader, name: str) -> "Model | None":
    """What was learned, as a file of this name tells, if it is of the faces described."""
    from vision.editions.model_file import MAX_MODEL_BYTES, decode_model  # not every run needs it
    from vision.eye.read import empty_model

    model = decode_model(read(name, MAX_MODEL_BYTES), empty_model(description))
    named = {None, *(face.name for face in description.faces)}
    known = () if model is None else (*model.references.faces, *model.loose.faces)
    return model if named.issuperset(known) else None


def _with_rules_of(standard: Description, description: Description) -> Description:
    """What the rules say of tiles and figures is the same for each print of a game."""
    return replace(
        description,
        turns_matter=standard.turns_matter,
        most_tokens=standard.most_tokens,
        one_kind_of_token=standard.one_kind_of_token,
        no_tokens_on=standard.no_tokens_on,
        duplexes=standard.duplexes,
    )


def load_pictures(description: Description, read: FileReader, where: str) -> Edition:
    """The edition of a description, with the pictures that it names.

    Raises:
        DescriptionError: ``edition-file`` or ``edition-picture``.
    """
    count = sum(len(face.images) for face in description.faces)
    if count > MOST_PICTURES:
        raise DescriptionError(
            "edition-picture",
            "it has {count} pictures: leave out all but {most}",
            where,
            count=count,
            most=MOST_PICTURES,
        )
    untaught = [face.name for face in description.faces if not face.images]
    if untaught and len(untaught) == len(description.faces):
        raise DescriptionError(
            "edition-picture",
            "no picture is named for {names}: list images, or learn them with stadtblick teach",
            where,
            names=named_shortly(untaught),
        )
    budget = _PixelBudget(where)
    pictures = {
        face.name: tuple(
            _face_picture(read(image, MAX_PICTURE_BYTES), f"{where}/{image}", budget)
            for image in face.images
        )
        for face in description.faces
        if face.images
    }
    board = None
    if description.board is not None and description.board.image is not None:
        image = description.board.image
        data = read(image, MAX_BOARD_BYTES)
        board = _board_picture(data, description.board.size_mm, f"{where}/{image}")
    return Edition(description, pictures, board)


def edition_files(edition: Edition) -> dict[str, bytes]:
    """The files of an edition by their names, the description first.

    Pictures are PNG and named after their faces, whatever they were called before.
    """
    named = with_own_file_names(edition)
    files = {DESCRIPTION_FILE: description_toml(named.description).encode()}
    if edition.board is not None:
        files[BOARD_FILE] = png(edition.board)
    for face in named.description.faces:
        for image, picture in zip(face.images, edition.pictures.get(face.name, ()), strict=True):
            files[image] = png(picture)
    if edition.model is not None:
        from vision.editions.model_file import encode_model  # not every run needs it

        files[MODEL_FILE] = encode_model(edition.model)
    return files


def with_own_file_names(edition: Edition) -> Edition:
    """The edition whose description names a file for each of its pictures, and no others."""
    faces = tuple(
        replace(
            face,
            images=tuple(
                f"{face.name}-{number}.png"
                for number in range(1, len(edition.pictures.get(face.name, ())) + 1)
            ),
        )
        for face in edition.description.faces
    )
    board = edition.description.board
    if board is not None:
        board = replace(board, image=None if edition.board is None else BOARD_FILE)
    return replace(edition, description=replace(edition.description, faces=faces, board=board))


def own_games() -> tuple[str, ...]:
    """The games of which Stadtblick brings an edition with it, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in OWN_FOLDER.glob(f"*/{DESCRIPTION_FILE}")))


@cache
def own_description(game: str) -> Description:
    """What ``own_edition`` of a game describes.

    Raises:
        DescriptionError: ``no-standard-edition``: there is none of this game.
    """
    if game not in own_games():
        raise DescriptionError(
            "no-standard-edition",
            "no edition of {game} is built in: name one with --edition",
            game,
            game=game,
        )
    data = folder_reader(OWN_FOLDER / game)(DESCRIPTION_FILE, MAX_DESCRIPTION_BYTES)
    return parse_description(data, game)


@cache
def own_look(game: str) -> Edition:
    """What is known of ``own_edition`` of a game to read photos, without its pictures.

    Raises:
        DescriptionError: as ``own_description`` does.
    """
    description, learned = own_description(game), f"{game}.bin"
    known = folder_finder(STANDARD_MODELS)(learned)
    model = _learned(description, folder_reader(STANDARD_MODELS), learned) if known else None
    if model is None:
        from vision.eye.read import of_pictures  # nothing else is needed of it as a rule

        model = of_pictures(load_folder(OWN_FOLDER / game))
    return Edition(description, {}, None, model)


@cache
def own_edition(game: str) -> Edition:
    """The edition called ``standard`` that Stadtblick brings with it, loaded once.

    Raises:
        DescriptionError: as ``own_description`` does.
    """
    look = own_look(game)
    return replace(load_folder(OWN_FOLDER / game), model=look.model)


class _PixelBudget:
    """Counts the pixels of pictures, before each is decoded."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._left = _MOST_PIXELS

    def spend(self, size_wh: tuple[int, int]) -> None:
        """Count a picture.

        Raises:
            DescriptionError: ``edition-picture``: it is one too many.
        """
        self._left -= size_wh[0] * size_wh[1]
        if self._left < 0:
            raise DescriptionError(
                "edition-picture",
                "its pictures have more than {most} million pixels together: save them smaller",
                self._where,
                most=_MOST_PIXELS // 1_000_000,
            )


def _face_picture(data: bytes, where: str, budget: _PixelBudget) -> Image:
    picture = _decoded(data, _LARGEST_PICTURE_PX, where, budget)
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
    _refuse_small(picture, LEAST_PICTURE_PX, where)
    side = min(max(width, height), MOST_PICTURE_PX)
    return _resized(picture, (side, side))


def _board_picture(data: bytes, size_mm: tuple[float, float], where: str) -> Image:
    picture = _decoded(data, _LARGEST_BOARD_PX, where)
    height, width = picture.shape[:2]
    expected = size_mm[0] / size_mm[1]
    if abs(width / height / expected - 1) > ASPECT_TOLERANCE:
        raise _unusable(
            Message(
                "it is {width} x {height} pixels, but size_mm is {board_width} x {board_height}: "
                "cut it along the board's edges, or correct size_mm",
                width=width,
                height=height,
                board_width=f"{size_mm[0]:g}",
                board_height=f"{size_mm[1]:g}",
            ),
            where,
        )
    _refuse_small(picture, _LEAST_BOARD_PX, where)
    scale = min(1.0, MOST_BOARD_PX / max(width, height))
    return _resized(picture, (round(width * scale), round(height * scale)))


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


def _decoded(data: bytes, most_px: int, where: str, budget: _PixelBudget | None = None) -> Image:
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
        said = Message("{what}, or save it as PNG once more", what=what)
        raise _unusable(said, where) from error


def _resized(picture: Image, size_wh: tuple[int, int]) -> Image:
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
    except OSError as error:
        raise DescriptionError(
            "edition-file", "the file cannot be read: check its permissions", str(path)
        ) from error
    if len(data) > limit:
        raise DescriptionError(
            "edition-file",
            "the file is larger than {limit} bytes: save it smaller",
            str(path),
            limit=limit,
        )
    return data


def named_shortly(names: Sequence[str]) -> str:
    """The first of many names, for a message."""
    more = len(names) - _MOST_NAMED
    shown = ", ".join(names[:_MOST_NAMED])
    return Message("{names} and {n} more", names=shown, n=more) if more > 0 else shown


def png(picture: Image) -> bytes:
    """The picture as a PNG file."""
    return bytes(np.asarray(cv2.imencode(".png", picture)[1]).tobytes())


def _unusable(what: str, where: str) -> DescriptionError:
    return DescriptionError(
        "edition-picture", "the picture cannot be used, {what}", where, what=what
    )
