"""What teaching begins with, and what it ends with, however photos are learned from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from firmware.games import game_called
from firmware.teaching.user_editions import load_edition, nothing_learned
from vision.arrays import Image
from vision.editions.description import Description, Turned
from vision.editions.edition import Edition
from vision.editions.folder import built_in_edition, built_in_games
from vision.editions.learning import model_of
from vision.photo.load import Photo
from vision.teaching.clusters import Clusters
from vision.teaching.groups import learn_groups, way_up
from vision.teaching.learn import Lesson, filled_up, learn_layout
from vision.teaching.reference_grid import PhotoCorner
from vision.teaching.way_up import Side


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


def source_of(name: str, game: str, *, add: bool) -> Source:
    """A new edition, or with ``add`` a stored one.

    Raises:
        UsageError: the errors of ``load_edition``.
        DescriptionError: what is wrong with its files.
    """
    if add:
        return stored_source(load_edition(name, game, name))
    learned, standard = nothing_learned(name, game)
    return Source(learned.description, learned, standard, standard)


def stored_source(stored: Edition) -> Source:
    """An edition to add to; what it still has from the built-in one has not been learned."""
    description = stored.description
    if description.game not in built_in_games():
        return Source(description, stored, stored, None)
    standard = built_in_edition(description.game)
    pictures = {
        name: of_face
        for name, of_face in stored.pictures.items()
        if not are_same(of_face, standard.pictures.get(name, ()))
    }
    board = None if is_board_of(stored, standard) else stored.board
    model = stored.model
    if model is not None:
        own = {*pictures, None}
        references, loose = model.references.of_faces(own), model.loose.of_faces(own)
        model = replace(model, references=references, loose=loose)
        if board is None:
            model = model.without_board()
    return Source(description, Edition(description, pictures, board, model), stored, standard)


def are_same(first: Sequence[Image], second: Sequence[Image]) -> bool:
    """Whether two faces have the same pictures."""
    return len(first) == len(second) and all(map(np.array_equal, first, second))


def is_board_of(edition: Edition, standard: Edition) -> bool:
    """Whether an edition has the board of another one."""
    board, drawn = edition.board, standard.board
    return board is not None and drawn is not None and np.array_equal(board, drawn)


def groups_up(
    source: Source, photo: Photo, groups: Clusters, names: Mapping[int, str]
) -> Side | None:
    """Which way up the tiles of groups lie, by what is known of the game; None: that is open."""
    if source.description.turned is Turned.ANY:
        return Side.TOP
    known = [edition for edition in (source.learned, source.standard) if edition is not None]
    told = (way_up(photo, groups, names, model_of(each).references) for each in known)
    return next((side for side in told if side is not None), None)


def with_groups(
    source: Source,
    photo: Photo,
    groups: Clusters,
    names: Mapping[int, str],
    *,
    sure: bool = False,
) -> Edition:
    """The edition that knows the groups that have a name, too; see ``learn_groups``.

    The tiles lie as those that are known do, else as the groups are shown.
    """
    side = groups_up(source, photo, groups, names) or Side.TOP
    learned = learn_groups(
        source.description, photo, groups, names, source.learned, side, sure=sure
    )
    return filled_up(learned, source.others)


def with_arrangement(
    source: Source,
    photo: Photo,
    faces: str,
    shop_at: PhotoCorner | None = None,
    *,
    sure: bool = False,
) -> Lesson:
    """What a photo of one of its game's arrangements teaches, too.

    Args:
        source: what is known.
        photo: that shows it.
        faces: the name of the arrangement; empty: the one whose order is checked.
        shop_at: see ``learn_layout``.
        sure: see ``learn_layout``.

    Raises:
        EditionError: the errors of ``learn_layout``.
    """
    arrangements = game_called(source.description.game).arrangements(source.description)
    layout = arrangements[faces] if faces else next(iter(arrangements.values()))
    lesson = learn_layout(
        source.description,
        photo,
        None,
        layout,
        source.learned,
        is_reference=not faces,
        shop_at=shop_at,
        sure=sure,
    )
    return replace(lesson, edition=filled_up(lesson.edition, source.others))
