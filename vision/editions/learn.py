"""Learn the pictures of a described game from photos in which somebody says what lies where."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.arrays import Corners, Image
from vision.editions.description import Description, Turned
from vision.editions.description_toml import MOST_IMAGES
from vision.editions.edition import Edition, EditionError
from vision.editions.examples import Example, cut_board, examples_in, layout_in
from vision.editions.folder import with_own_file_names
from vision.editions.layout import Layout
from vision.editions.likeness import all_windows, compared, middles
from vision.eye import empty_model, filled_by_pictures, model_of
from vision.parameters import PARAMETERS
from vision.patches import Pyramid
from vision.photo import Photo
from vision.teach import same_look, teach_laid

SAME_LOOK: Final = 0.9
"""Correlation of two examples of a face from which on the second one tells nothing new."""

Pictures = Mapping[str, tuple[Image, ...]]


def learn_layout(
    description: Description,
    photo: Photo,
    corners_px: Corners | None,
    layout: Layout,
    earlier: Edition | None = None,
) -> Edition:
    """Learn the faces that a photo shows, and of a printed board what lies round its plots.

    Every named tile becomes an example of its face, up to ``MOST_IMAGES`` that differ from one
    another. Where tiles may be turned, examples are turned to lie as the first one does; so tiles
    whose parts matter must lie upright in the first photo.

    Args:
        description: of the game.
        photo: of the tiles.
        corners_px: of the layout in pixels of the photo as viewers show it, from its top left
            corner clockwise; None: they are found.
        layout: which face lies where; None: an empty place.
        earlier: what has been learned before, to add to.

    Returns:
        The edition, with pictures of the faces seen here or earlier; ``untaught`` are missing.

    Raises:
        EditionError: the errors of ``layout_in`` and ``examples_in``, or ``teach-alike``.
    """
    before: Pictures = {} if earlier is None else earlier.pictures
    model = empty_model(description) if earlier is None else model_of(earlier)
    laid = layout_in(photo, corners_px, layout, model)
    found = examples_in(photo, laid.quads_px, layout)
    learned = {
        name: chosen_pictures(examples, before.get(name, ()), description.turned)
        for name, examples in found.items()
    }
    board = None if earlier is None else earlier.board
    edition = with_own_file_names(Edition(description, {**before, **learned}, board))
    # A board of which there is a picture is known by that; of another one this may be a photo
    on_board = description.board is not None and description.board.image is None
    learnt = teach_laid(
        Pyramid(photo.image_bgr), laid, layout, model, PARAMETERS, on_board=on_board
    )
    same = same_look(learnt)
    if same is not None:
        first, second = same
        raise EditionError(
            "teach-alike",
            "the tiles called {first} and {second} look the same: correct the layout, or describe "
            "them as one face",
            photo.name,
            first=first,
            second=second,
        )
    return replace(edition, model=learnt)


def learn_board(description: Description, photo: Photo, corners_px: Corners) -> Image:
    """Learn the empty board.

    Args:
        description: of a game with a printed board.
        photo: of the empty board.
        corners_px: of the board in pixels of the photo as viewers show it, from its top left
            corner clockwise.

    Raises:
        EditionError: ``teach-no-board``, or the errors of ``cut_board``.
    """
    if description.board is None:
        raise EditionError(
            "teach-no-board",
            "the tiles of this game lie free: leave out --board",
            photo.name,
        )
    return cut_board(photo, corners_px, description.board)


def untaught(edition: Edition) -> list[str]:
    """The faces of the description that have no picture, in its order."""
    return [face.name for face in edition.description.faces if not edition.pictures.get(face.name)]


def filled_up(edition: Edition, standard: Edition) -> Edition:
    """The edition, with pictures of another one for what has not been taught."""
    known = {face.name for face in edition.description.faces}
    others = {name: of_face for name, of_face in standard.pictures.items() if name in known}
    board = standard.board if edition.board is None else edition.board
    whole = replace(edition, pictures={**others, **edition.pictures}, board=board)
    return replace(with_own_file_names(whole), model=filled_by_pictures(model_of(edition), whole))


def chosen_pictures(
    examples: Sequence[Example], before: Sequence[Image], turned: Turned
) -> tuple[Image, ...]:
    """The earlier pictures and those of the examples that tell most, turned alike."""
    chosen = list(before)
    rest = [example.picture for example in examples]
    if not chosen:
        chosen.append(rest.pop(0))
    if turned is Turned.ANY:
        rest = [_turned_like(chosen[0], picture) for picture in rest]
    while rest and len(chosen) < MOST_IMAGES:
        nearest = [max(_likeness(known, picture) for known in chosen) for picture in rest]
        most_different = int(np.argmin(nearest))
        if nearest[most_different] >= SAME_LOOK:
            break
        chosen.append(rest.pop(most_different))
    return tuple(chosen)


def _likeness(first: Image, second: Image) -> float:
    return float((middles([compared(first)]) @ all_windows(compared(second)).T).max())


def _turned_like(model: Image, picture: Image) -> Image:
    """The picture in the turn in which it is most like another one."""
    return max((_turned(picture, turn) for turn in range(4)), key=lambda p: _likeness(model, p))


def _turned(picture: Image, quarters: int) -> Image:
    """A picture turned clockwise."""
    return np.ascontiguousarray(np.rot90(picture, -quarters))
