"""What ``stadtblick teach`` begins with: a description, and the pictures that exist already."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from firmware.board_editions import load_board_edition
from firmware.edition_folder import DESCRIPTION_FILE
from firmware.errors import UsageError
from vision.arrays import Image
from vision.editions.description import Description
from vision.editions.description_toml import MAX_DESCRIPTION_BYTES, parse_description
from vision.editions.edition import Edition
from vision.editions.folder import folder_reader, load_pictures, own_edition, own_games


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """What is known before the photos are looked at.

    Attributes:
        description: under the name of the edition to learn.
        learned: pictures learned earlier, to which examples are added.
        others: pictures for what no photo shows.
        standard: the built-in edition of the game, that some of these may come from, if any.
    """

    description: Description
    learned: Edition
    others: Edition
    standard: Edition | None


def find_source(name: str, game: str | None, description: Path | None, *, add: bool) -> Source:
    """What the lesson begins with.

    Args:
        name: of the edition to learn.
        game: whose edition it is to be; None: as the description says.
        description: ``edition.toml`` or the folder that holds it; None: that of the game.
        add: whether there is an edition of this name to add to.

    Raises:
        UsageError: the options do not make sense together, or the edition cannot be used.
        DescriptionError: the description or a picture that it names cannot be used.
    """
    if add:
        if description is not None:
            raise UsageError(
                "usage",
                "--add keeps the description of the edition: leave out --description",
                "--description",
            )
        return _stored(load_board_edition(name, game))
    if description is not None:
        return _described(name, game, description)
    standard = own_edition(str(game))
    described = replace(standard.description, name=name)
    return Source(described, Edition(described, {}), standard, standard)


def _stored(stored: Edition) -> Source:
    """An edition to add to; what it still has from the built-in one has not been learned."""
    description = stored.description
    if description.game not in own_games():
        return Source(description, stored, stored, None)
    standard = own_edition(description.game)
    pictures = {
        name: of_face
        for name, of_face in stored.pictures.items()
        if not same_pictures(of_face, standard.pictures.get(name, ()))
    }
    board = stored.board
    if (
        board is not None
        and standard.board is not None
        and same_pictures([board], [standard.board])
    ):
        board = None
    return Source(description, Edition(description, pictures, board), stored, standard)


def _described(name: str, game: str | None, path: Path) -> Source:
    """A description of the user's, and such pictures as lie beside it."""
    file = path / DESCRIPTION_FILE if path.is_dir() else path
    read = folder_reader(file.parent)
    description = parse_description(read(file.name, MAX_DESCRIPTION_BYTES), str(file))
    if game is not None and game != description.game:
        raise UsageError(
            "usage",
            f"the description is of {description.game}, not of {game}: leave out --game",
            "--game",
        )
    description = replace(description, name=name)
    board = description.board
    if board is not None and not (file.parent / board.image).is_file():
        board = None
    pictured = tuple(face for face in description.faces if face.images)
    beside = load_pictures(
        replace(description, faces=pictured, board=board), read, str(file.parent)
    )
    standard = own_edition(description.game) if description.game in own_games() else None
    return Source(description, Edition(description, {}), beside, standard)


def same_pictures(first: Sequence[Image], second: Sequence[Image]) -> bool:
    """Whether two lists hold the same pictures."""
    return len(first) == len(second) and all(map(np.array_equal, first, second))
