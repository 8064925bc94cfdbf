"""Teaching an edition; shared by command line, device and page.

A session starts with a new or a stored edition. Each photo gives a further edition, which knows
what the photo shows, too; the last one is completed and saved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from firmware.base.errors import UsageError
from firmware.games.registry import game_or_unscored
from firmware.scan.corrections import Correction
from firmware.scan.outlines import cell_outline
from firmware.teaching.user_editions import check_game, load_edition, rename_edition
from vision.arrays import Image, floats
from vision.editions.description import Description, TileTurns
from vision.editions.description_toml import MAX_DESCRIPTION_BYTES, parse_description
from vision.editions.edition import Edition
from vision.editions.folder import (
    DESCRIPTION_FILE,
    built_in_edition,
    built_in_games,
    load_pictures,
    make_file_reader,
)
from vision.editions.learning import model_of
from vision.photo.load import Photo
from vision.reading import PlaceKind, Reading
from vision.teaching.learn_groups import find_top_side_of_groups, learn_groups, learn_tiles
from vision.teaching.learn_layout import (
    LayoutPhoto,
    LearnedLayout,
    complete_from_fallback,
    learn_layout,
)
from vision.teaching.orientation import TopSide
from vision.teaching.reference_grid import PhotoCorner
from vision.teaching.tile_groups import TileGroups


@dataclass(frozen=True, slots=True, eq=False)
class TeachingSession:
    """Edition being taught, before the photos are looked at.

    Attributes:
        description: Description under the name of the edition being taught.
        learned: Edition learned so far, without pictures of the built-in one.
        fallback: Edition whose pictures, and what was learned of them before, stand in for what has
            not been learned.
        built_in: Built-in edition of the game; None if there is none.
    """

    description: Description
    learned: Edition
    fallback: Edition
    built_in: Edition | None

    def complete(self, learned: Edition) -> Edition:
        """Add what the fallback has of all that has not been learned."""
        return complete_from_fallback(learned, self.fallback)

    def is_built_in_face(self, face: str) -> bool:
        """Return whether the fallback has the built-in pictures of a face."""
        if self.built_in is None or face not in self.built_in.pictures:
            return False
        return _are_same(self.fallback.pictures[face], self.built_in.pictures[face])

    def is_built_in_board(self) -> bool:
        """Return whether the fallback has the built-in picture of the board."""
        return self.built_in is not None and _has_same_board(self.fallback, self.built_in)

    def find_top_side(
        self, photo: Photo, groups: TileGroups, names: Mapping[int, str]
    ) -> TopSide | None:
        """Find where the tops of the tiles of groups lie.

        Returns:
            The side, by faces that are known; None if they do not show it.
        """
        if self.description.tile_turns is TileTurns.ANY:
            return TopSide.TOP
        known = [edition for edition in (self.learned, self.built_in) if edition is not None]
        sides = (
            find_top_side_of_groups(photo, groups, names, model_of(each).references)
            for each in known
        )
        return next((side for side in sides if side is not None), None)

    def learn_groups(
        self, photo: Photo, groups: TileGroups, names: Mapping[int, str], *, confirmed: bool = False
    ) -> Edition:
        """Learn the groups that have a name, and complete the edition.

        Tiles are taken to stand as known faces tell, else as the groups are shown.
        """
        side = self.find_top_side(photo, groups, names) or TopSide.TOP
        return self.complete(
            learn_groups(self.learned, photo, groups, names, side, confirmed=confirmed)
        )

    def learn_arrangement(
        self,
        photo: Photo,
        arrangement: str,
        shop_at: PhotoCorner | None = None,
        *,
        confirmed: bool = False,
    ) -> LearnedLayout:
        """Learn a photo of an arrangement of the game, and complete the edition.

        Args:
            photo: Photo of the arrangement.
            arrangement: Name of the arrangement; empty for the reference grid.
            shop_at: See ``LayoutPhoto``.
            confirmed: See ``LayoutPhoto``.

        Raises:
            EditionError: The errors of ``learn_layout``.
        """
        layouts = game_or_unscored(self.description.game).arrangements(self.description)
        layout = layouts[arrangement] if arrangement else next(iter(layouts.values()))
        layout_photo = LayoutPhoto(
            photo,
            layout,
            is_reference=not arrangement,
            first_face_corner=shop_at,
            confirmed=confirmed,
        )
        learned_layout = learn_layout(self.learned, layout_photo)
        return replace(learned_layout, edition=self.complete(learned_layout.edition))


def start_session(name: str, game: str, *, add: bool) -> TeachingSession:
    """Start to teach a new edition of a game with a built-in one, or add to a stored edition.

    Raises:
        UsageError: The errors of ``load_edition``.
        DescriptionError: The files of the edition are unusable.
    """
    if add:
        return resume_session(load_edition(name, game, name))
    built_in = built_in_edition(game)
    empty = rename_edition(Edition(built_in.description, {}), name)
    # The built-in model is trained for the whole game: what is not taught is learned from pictures
    return TeachingSession(empty.description, empty, replace(built_in, model=None), built_in)


def resume_session(stored: Edition) -> TeachingSession:
    """Start to add to a stored edition; what it has of the built-in one counts as not learned."""
    description = stored.description
    if description.game not in built_in_games():
        return TeachingSession(description, stored, stored, None)
    built_in = built_in_edition(description.game)
    pictures = {
        name: of_face
        for name, of_face in stored.pictures.items()
        if not _are_same(of_face, built_in.pictures.get(name, ()))
        or _example_count(stored, name) > _example_count(built_in, name)
    }
    board = None if _has_same_board(stored, built_in) else stored.board_picture
    model = stored.model
    if model is not None:
        learned_faces = {*pictures, None}
        references = model.references.of_faces(learned_faces)
        loose = model.loose.of_faces(learned_faces)
        model = replace(model, references=references, loose=loose)
        if board is None:
            model = model.without_board()
    learned = Edition(description, pictures, board, model)
    return TeachingSession(description, learned, stored, built_in)


def start_described_session(name: str, game: str | None, path: Path) -> TeachingSession:
    """Start to teach a game that a file describes, with such pictures as lie beside the file.

    Args:
        name: Name of the new edition.
        game: Name of the game that the user expects; None for any.
        path: Path of ``edition.toml``, or of its folder.

    Raises:
        UsageError: ``usage``; the description is of another game.
        DescriptionError: The description or a picture is unusable.
    """
    file = path / DESCRIPTION_FILE if path.is_dir() else path
    read = make_file_reader(file.parent)
    description = parse_description(read(file.name, MAX_DESCRIPTION_BYTES), str(file))
    check_game(description, str(file))
    if game is not None and game != description.game:
        raise UsageError(
            "usage",
            "the description is of {its_game}, not of {game}: leave out --game",
            "--game",
            its_game=description.game,
            game=game,
        )
    description = replace(description, name=name)
    board = description.board
    if board is not None and not (board.image and (file.parent / board.image).is_file()):
        board = None
    pictured_faces = tuple(face for face in description.faces if face.images)
    pictured = replace(description, faces=pictured_faces, board=board)
    fallback = load_pictures(pictured, read, str(file.parent))
    is_built_in = description.game in built_in_games()
    built_in = built_in_edition(description.game) if is_built_in else None
    return TeachingSession(description, Edition(description, {}), fallback, built_in)


def learn_corrections(
    edition: Edition, photo: Photo, reading: Reading, corrections: Sequence[Correction]
) -> Edition:
    """Learn the tiles of a photo that a person has named.

    Args:
        edition: Edition to add to, of a game whose tiles cover one cell each.
        photo: Photo that was read.
        reading: Reading of the photo.
        corrections: Corrections; those of tiles are learned.

    Raises:
        EditionError: The errors of ``vision.teaching.learn_groups.learn_tiles``.
    """
    description, tiles = edition.description, []
    for correction in corrections:
        place = correction.place
        if place.kind is PlaceKind.TILE and correction.content is not None:
            quad = cell_outline(reading.grids[place.grid], description, place.cell)
            tiles.append((floats(photo.to_decoded_px(quad)), correction.content))
    return learn_tiles(edition, photo, tiles)


def _example_count(edition: Edition, face: str) -> int:
    """Count what the model of an edition has learned of a face; it may look like its pictures."""
    if edition.model is None:
        return 0
    of_face = (known.of_faces({face}) for known in (edition.model.references, edition.model.loose))
    return sum(len(known.face_index) for known in of_face)


def _are_same(first: Sequence[Image], second: Sequence[Image]) -> bool:
    """Return whether two faces have the same pictures."""
    return len(first) == len(second) and all(map(np.array_equal, first, second))


def _has_same_board(edition: Edition, other: Edition) -> bool:
    """Return whether two editions have the same picture of a board."""
    if edition.board_picture is None or other.board_picture is None:
        return False
    return np.array_equal(edition.board_picture, other.board_picture)
