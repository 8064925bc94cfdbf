"""Learn the pictures of a described game from photos in which somebody says what lies where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Corners, Image
from vision.editions.description import Description, Turned
from vision.editions.edition import MOST_IMAGES, Edition, EditionError
from vision.editions.folder import built_in_edition, built_in_games, name_picture_files
from vision.editions.learning import embed_pictures_turned, learn_pictures, model_of
from vision.editions.model import Model, empty_model
from vision.editions.references import References
from vision.eye.photo_quality import refuse_if_colourless
from vision.patches.cut import Pyramid, embed_quads
from vision.photo.load import Photo
from vision.teaching.confusion import indistinguishable, most_alike
from vision.teaching.examples import Example, cut_board, examples_in, layout_in, side_px
from vision.teaching.find_layout import LocatedLayout, teach_layout
from vision.teaching.layout import Layout
from vision.teaching.layout_check import (
    ends_differ,
    places_differ,
    refuse_doubtful,
    several_grids,
    size_differences,
)
from vision.teaching.reference_grid import (
    PhotoCorner,
    check_same_faces,
    check_taverns,
    find_reference,
    only_grid,
)
from vision.teaching.way_up import Side, known_way_up, turned_upright

SAME_LOOK: Final = 0.95
"""Cosine of two examples of a face from which on the second one tells nothing new."""

Pictures = Mapping[str, tuple[Image, ...]]


def refuse_without_colours(
    photo: Photo, description: Description, earlier: Edition | None = None
) -> None:
    """Refuse a photo in black and white of tiles that are known by their colours.

    It would be refused if it were read, and what is learned from it finds no tile of a photo in
    colour. Whether a game has colours, its built-in edition and what was learned before say.

    Raises:
        PhotoError: ``photo-colourless``.
    """
    game = description.game
    known = [built_in_edition(game, pictured=False)] if game in built_in_games() else []
    known += [] if earlier is None else [earlier]
    if any(model_of(each).is_colourful for each in known):
        refuse_if_colourless(photo.image_bgr, photo.name)


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What was learned of a photo.

    Attributes:
        edition: the look, with pictures of the faces seen now or earlier; ``untaught`` are missing.
        known_look: whether the look was known, and so the order of the tiles was checked.
        all_known: whether the look was known in all tiles, and so each one was checked.
        way_up_known: whether it is known which way up the tiles lay, or all may lie any way up.
        tile_px: side of the smallest tile seen, in pixels of the photo.
        most_alike: the two faces of the photo that look most alike, and their cosine; None: there
            are no two.
    """

    edition: Edition
    known_look: bool
    all_known: bool
    way_up_known: bool
    tile_px: float
    most_alike: tuple[str, str, float] | None


def learn_layout(
    description: Description,
    photo: Photo,
    corners_px: Corners | None,
    layout: Layout,
    earlier: Edition | None = None,
    *,
    is_reference: bool = False,
    shop_at: PhotoCorner | None = None,
    up: Side | None = None,
    sure: bool = False,
) -> Lesson:
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
        is_reference: whether it is the reference grid, whose order and way up are checked; the
            game has a standard edition.
        shop_at: in which corner of the reference grid, as the photo shows it, its first face
            lies; needed for looks that are not known.
        up: where the tops of the tiles lie in the photo, if all lie one way up and the layout says
            what lies where as the photo shows it; None: as known faces tell, else at the top.
        sure: whether a person has said that a layout is right that does not seem to fit the photo.

    Raises:
        PhotoError: ``photo-colourless``.
        EditionError: the errors of ``layout_in`` and ``examples_in``, ``teach-alike`` or,
            unless a person is sure, ``teach-doubtful``; of the
            reference grid, those of ``only_grid`` and ``find_reference``, or
            ``teach-photos-differ``.
    """
    before: Pictures = {} if earlier is None else earlier.pictures
    model = empty_model(description) if earlier is None else model_of(earlier)
    known_look, strange, way_up_known = False, tuple[str, ...](), True
    if is_reference:
        known = model_of(built_in_edition(description.game)).references
        bare, given = empty_model(description), corners_px is not None
        if given:
            laid = layout_in(photo, corners_px, layout, bare)
        else:
            laid = only_grid(photo, layout, bare)
        laid, known_look, strange = find_reference(photo, laid, layout, known, shop_at, given=given)
    else:
        laid = _layout_in(description, photo, corners_px, layout, model)
        if description.turned is Turned.UPRIGHT:
            up = up or _known_way_up(description, photo, laid, layout, earlier)
            way_up_known = up is not None
        up = up or Side.TOP
        if not sure:
            _refuse_doubtful(description, photo, corners_px, layout, model, laid, up)
        laid, layout = turned_upright(laid, layout, up)
    refuse_without_colours(photo, description, earlier)
    found = examples_in(photo, laid.quads_px, layout, strict=is_reference)
    if known_look:
        more = known.of_faces([name for name in known.faces if name not in model.references.faces])
        model = replace(model, references=model.references.joined(more))
    if is_reference and before:
        check_same_faces(photo, laid, layout, model.references)
    learned = {
        name: chosen_pictures(examples, before.get(name, ()), description.turned)
        for name, examples in found.items()
    }
    board = None if earlier is None else earlier.board
    edition = name_picture_files(Edition(description, {**before, **learned}, board))
    # A board of which there is a picture is known by that; of another one this may be a photo
    on_board = description.board is not None and description.board.image is None
    learnt = teach_layout(Pyramid(photo.image_bgr), laid, layout, model, on_board=on_board)
    ours = replace(
        learnt,
        references=_later(model.references, learnt.references),
        loose=_later(model.loose, learnt.loose),
    )
    # Of a known look, those that were recognised are in their order
    doubtful = replace(ours, references=ours.references.of_faces(strange)) if known_look else learnt
    same = indistinguishable(doubtful, model, drawn_apart=is_reference)
    if same is not None:
        first, second = same
        raise EditionError(
            "teach-alike",
            "the tiles called {first} and {second} look the same: lay one tile of each face, "
            "correct the layout, or describe them as one face",
            photo.name,
            first=first,
            second=second,
        )
    if is_reference and not known_look:
        check_taverns(photo, laid, layout)
    smallest = min(side_px(quad) for quad in laid.quads_px.reshape(-1, 4, 2))
    return Lesson(
        replace(edition, model=learnt),
        known_look,
        known_look and not strange,
        way_up_known,
        smallest * photo.scale,
        most_alike(ours),
    )


def _layout_in(
    description: Description,
    photo: Photo,
    corners_px: Corners | None,
    layout: Layout,
    model: Model,
) -> LocatedLayout:
    """Find a layout; where none of its size is seen, say whether the description has another one.

    Raises:
        EditionError: the errors of ``layout_in``.
    """
    try:
        return layout_in(photo, corners_px, layout, model)
    except EditionError as error:
        differences = size_differences(layout, description)
        if (
            error.code != "teach-no-outline"
            or not differences
            or description.game in built_in_games()
        ):
            raise
        raise EditionError(
            error.code,
            "no grid of {rows} x {columns} tiles is found by itself, and {difference}: correct the "
            "layout, or give its corners with --corners",
            photo.name,
            difference=differences[0],
            **error.values,
        ) from error


def _known_way_up(
    description: Description,
    photo: Photo,
    laid: LocatedLayout,
    layout: Layout,
    earlier: Edition | None,
) -> Side | None:
    """Which way up the tiles of a layout lie, by what was taught or is built in; None: unknown."""
    known = [] if earlier is None else [earlier]
    known += (
        [built_in_edition(description.game, pictured=False)]
        if description.game in built_in_games()
        else []
    )
    names = [name for row in layout for name in row]
    tiles = embed_quads(Pyramid(photo.image_bgr), laid.quads_px.reshape(-1, 4, 2))
    told = (known_way_up(tiles, names, model_of(each).references) for each in known)
    return next((side for side in told if side is not None), None)


def _refuse_doubtful(
    description: Description,
    photo: Photo,
    corners_px: Corners | None,
    layout: Layout,
    model: Model,
    laid: LocatedLayout,
    up: Side,
) -> None:
    """Refuse a layout that does not seem to fit the photo.

    Raises:
        EditionError: ``teach-doubtful``.
    """
    upright = turned_upright(laid, layout, up)[1]
    ends = ends_differ(laid, layout, description, corners_given=corners_px is not None)
    is_whole_board = description.board is not None and description.board.image is None
    # Any rectangle of free tiles may be taught, if it ends where the layout does
    sizes = size_differences(upright, description) if is_whole_board or ends else []
    # In a grid of another size all places differ
    doubts = [*sizes, *ends]
    if not doubts:
        pyramid = Pyramid(photo.image_bgr)
        known = [model]
        if description.game in built_in_games():
            known.append(model_of(built_in_edition(description.game, pictured=False)))
        doubts = places_differ(pyramid, laid, layout, known, up)
        if corners_px is None and description.board is None:
            doubts = [*several_grids(pyramid, layout, model), *doubts]
    refuse_doubtful(doubts, photo.name)


def _later(before: References, after: References) -> References:
    """The tiles that were taught after others."""
    return after.take(np.arange(len(before.face), len(after.face)))


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
    return replace(name_picture_files(whole), model=learn_pictures(model_of(edition), whole))


def chosen_pictures(
    examples: Sequence[Example], before: Sequence[Image], turned: Turned
) -> tuple[Image, ...]:
    """The earlier pictures and those of the examples that tell most, turned alike."""
    pictures = [*before, *(example.picture for example in examples)]
    vectors = embed_pictures_turned(pictures)
    if turned is Turned.ANY:
        for n in range(max(len(before), 1), len(pictures)):
            turn = int((vectors[n] @ vectors[0, 0]).argmax())
            pictures[n] = np.ascontiguousarray(np.rot90(pictures[n], turn))
            vectors[n] = np.roll(vectors[n], -turn, axis=0)
    alike = vectors[:, 0] @ vectors[:, 0].T
    chosen = list(range(max(len(before), 1)))
    rest = list(range(len(chosen), len(pictures)))
    while rest and len(chosen) < MOST_IMAGES:
        most_different = min(rest, key=lambda n: float(alike[n, chosen].max()))
        if alike[most_different, chosen].max() >= SAME_LOOK:
            break
        rest.remove(most_different)
        chosen.append(most_different)
    return tuple(pictures[n] for n in chosen)
