"""Learn an edition from photos of layouts: a person says which face lies where."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Corners
from vision.editions.description import Description, TileTurns
from vision.editions.edition import Edition, EditionError
from vision.editions.folder import built_in_edition, built_in_games, name_picture_files
from vision.editions.learning import learn_pictures, model_of
from vision.editions.model import Model, empty_model
from vision.editions.references import References
from vision.patches.cut import Pyramid, embed_quads
from vision.photo.load import Photo
from vision.teaching.find_layout import LocatedLayout
from vision.teaching.indistinguishable_faces import find_indistinguishable, find_most_similar_faces
from vision.teaching.layout import Layout
from vision.teaching.layout_check import (
    list_extent_doubts,
    list_grid_doubts,
    list_place_doubts,
    list_size_doubts,
    refuse_doubtful,
)
from vision.teaching.locate_layout import locate_layout
from vision.teaching.orientation import TopSide, find_top_side_of_tiles, turn_upright
from vision.teaching.reference_grid import (
    PhotoCorner,
    check_same_faces,
    check_taverns,
    find_reference_grid,
    orient_reference_grid,
)
from vision.teaching.taught_tiles import add_layout, choose_pictures, refuse_without_colours
from vision.teaching.tile_pictures import (
    TilePicture,
    WhiteTiles,
    cut_layout_tiles,
    quad_side_px,
)


@dataclass(frozen=True, slots=True, eq=False)
class LearnedLayout:
    """Result of learning from one photo of a layout.

    Attributes:
        edition: Edition with the faces seen now and earlier.
        order_checked: Whether the tiles are those of the built-in edition, so that their order was
            checked.
        all_checked: Whether every tile is one of the built-in edition, so that each was checked.
        way_up_known: Whether the orientation of the tiles was known, or does not matter.
        tile_px: Side of the smallest tile, in pixels of the photo.
        most_similar_faces: The two most similar faces of the photo, and their cosine; None below
            two faces.
    """

    edition: Edition
    order_checked: bool
    all_checked: bool
    way_up_known: bool
    tile_px: float
    most_similar_faces: tuple[str, str, float] | None


@dataclass(frozen=True, slots=True, eq=False)
class LayoutPhoto:
    """Photo of a layout, with all that a person entered about it.

    Attributes:
        photo: Photo of the tiles.
        layout: Face of each place as the photo shows it; None for an empty place.
        corners_px: Corners of the layout in pixels of the photo as viewers show it, from its top
            left clockwise; None to find them.
        is_reference: Whether it is the reference grid, whose order and orientation are checked; the
            game has a built-in edition.
        first_face_corner: Corner of the reference grid, as the photo shows it, where its first face
            lies; needed if the tiles are not those of the built-in edition.
        up: Side of the photo where the tops of the tiles lie, if all lie one way up; None to take
            the side that known faces show, or the top if they show none.
        confirmed: Whether a person has confirmed a layout that does not seem to fit the photo.
    """

    photo: Photo
    layout: Layout
    corners_px: Corners | None = None
    is_reference: bool = False
    first_face_corner: PhotoCorner | None = None
    up: TopSide | None = None
    confirmed: bool = False


def learn_layout(earlier: Edition, layout_photo: LayoutPhoto) -> LearnedLayout:
    """Learn the faces that a photo shows, and of a printed board what lies round its plots.

    Every named tile becomes a reference of its face, unless it looks like another tile of that
    face; up to ``MAX_PICTURES_OF_FACE`` that differ most are kept as pictures. Where tiles may be
    turned, their pictures are turned to lie as the first one does; so tiles whose parts matter must
    lie upright in the first photo.

    Args:
        earlier: Edition to add to, which may have no pictures yet.
        layout_photo: Photo of the layout.

    Raises:
        PhotoError: ``photo-colourless``.
        EditionError: The errors of ``locate_layout``, ``cut_layout_tiles`` and ``add_layout``,
            ``teach-alike`` or, unless a person has confirmed it, ``teach-doubtful``; for the
            reference grid those of ``find_reference_grid`` and ``orient_reference_grid``, or
            ``teach-photos-differ``.
    """
    photo, model = layout_photo.photo, model_of(earlier)
    if layout_photo.is_reference:
        upright = _find_upright_reference_grid(layout_photo, earlier)
    else:
        upright = _find_upright_layout(layout_photo, earlier, model)
    located, layout, built_in = upright.located, upright.layout, upright.built_in
    refuse_without_colours(photo, earlier.description, earlier)
    tiles_by_face = cut_layout_tiles(
        photo,
        located.quads_px,
        layout,
        strict=layout_photo.is_reference,
        white_tiles=WhiteTiles.REFUSED
        if layout_photo.is_reference
        else WhiteTiles.if_confirmed(confirmed=layout_photo.confirmed),
    )
    if built_in is not None:
        model = _with_faces_of(built_in, model)
    if layout_photo.is_reference and earlier.pictures:
        check_same_faces(photo, located, layout, model.references)
    # Without a picture of the board, its rim is learned from this photo
    board = earlier.description.board
    learns_rim = board is not None and board.image is None
    learned = add_layout(Pyramid(photo.image_bgr), located, layout, model, learns_rim=learns_rim)
    new = replace(
        learned,
        references=_added_references(model.references, learned.references),
        loose=_added_references(model.loose, learned.loose),
    )
    # Faces recognised as built-in are known to be distinguishable
    unchecked = learned
    if built_in is not None:
        unchecked = replace(new, references=new.references.of_faces(upright.unknown_faces))
    _refuse_indistinguishable(unchecked, model, photo, unique_drawings=layout_photo.is_reference)
    if layout_photo.is_reference and built_in is None:
        check_taverns(photo, located, layout)
    smallest = min(quad_side_px(quad) for quad in located.quads_px.reshape(-1, 4, 2))
    return LearnedLayout(
        replace(_with_pictures(earlier, tiles_by_face), model=learned),
        order_checked=built_in is not None,
        all_checked=built_in is not None and not upright.unknown_faces,
        way_up_known=upright.way_up_known,
        tile_px=smallest * photo.scale,
        most_similar_faces=find_most_similar_faces(new),
    )


def _with_faces_of(known: References, model: Model) -> Model:
    """Return a model with the references of those known faces that it lacks."""
    lacking = [name for name in known.faces if name not in model.references.faces]
    return replace(model, references=model.references.joined(known.of_faces(lacking)))


def _with_pictures(earlier: Edition, tiles_by_face: Mapping[str, list[TilePicture]]) -> Edition:
    """Return the edition with the pictures seen now and earlier, still without its model."""
    description = earlier.description
    learned = {
        name: choose_pictures(tiles, earlier.pictures.get(name, ()), description.tile_turns)
        for name, tiles in tiles_by_face.items()
    }
    return name_picture_files(
        Edition(description, {**earlier.pictures, **learned}, earlier.board_picture)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _UprightLayout:
    """Layout that was located in the photo and turned upright.

    Attributes:
        located: Quads of the layout in the photo.
        layout: Face of each place.
        built_in: References of the built-in edition if the tiles are its; None otherwise.
        unknown_faces: Faces whose tiles are not those of that edition.
        way_up_known: Whether the orientation of the tiles was known, or does not matter.
    """

    located: LocatedLayout
    layout: Layout
    built_in: References | None = None
    unknown_faces: tuple[str, ...] = ()
    way_up_known: bool = True


def _find_upright_reference_grid(layout_photo: LayoutPhoto, earlier: Edition) -> _UprightLayout:
    """Find the reference grid, and check the order of its tiles."""
    description = earlier.description
    photo, layout, corners_px = layout_photo.photo, layout_photo.layout, layout_photo.corners_px
    known = model_of(built_in_edition(description.game)).references
    without_faces = empty_model(description)
    if corners_px is None:
        located = find_reference_grid(photo, layout, without_faces)
    else:
        located = locate_layout(photo, corners_px, layout, without_faces)
    # Without colours, known tiles would pass for new ones
    refuse_without_colours(photo, description, earlier)
    located, is_known, unknown_faces = orient_reference_grid(
        photo,
        located,
        layout,
        known,
        layout_photo.first_face_corner,
        corners_given=corners_px is not None,
    )
    return _UprightLayout(located, layout, known if is_known else None, unknown_faces)


def _find_upright_layout(
    layout_photo: LayoutPhoto, earlier: Edition, model: Model
) -> _UprightLayout:
    """Find a layout and the side of its tops, and refuse it if it does not seem to fit."""
    located = _find_layout(layout_photo, earlier.description, model)
    up, way_up_known = layout_photo.up, True
    if earlier.description.tile_turns is TileTurns.UPRIGHT:
        up = up or _find_known_side(layout_photo, earlier, located)
        way_up_known = up is not None
    up = up or TopSide.TOP
    if not layout_photo.confirmed:
        _refuse_unlike_photo(layout_photo, earlier.description, model, located, up)
    located, layout = turn_upright(located, layout_photo.layout, up)
    return _UprightLayout(located, layout, way_up_known=way_up_known)


def _refuse_indistinguishable(
    unchecked: Model, before: Model, photo: Photo, *, unique_drawings: bool
) -> None:
    """Refuse faces of a model that look the same; those of ``before`` were taught earlier.

    Raises:
        EditionError: ``teach-alike``.
    """
    same = find_indistinguishable(unchecked, before, unique_drawings=unique_drawings)
    if same is not None:
        first, second = same
        raise EditionError(
            "teach-alike",
            "the tiles called {first} and {second} look the same: lay one tile of each kind, "
            "correct the layout, or describe them as one kind",
            photo.name,
            first=first,
            second=second,
        )


def _find_layout(
    layout_photo: LayoutPhoto, description: Description, model: Model
) -> LocatedLayout:
    """Find a layout; if none of its size is found, name how the description's size differs.

    Raises:
        EditionError: The errors of ``locate_layout``.
    """
    photo, layout = layout_photo.photo, layout_photo.layout
    try:
        return locate_layout(photo, layout_photo.corners_px, layout, model)
    except EditionError as error:
        differences = list_size_doubts(layout, description)
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


def _find_known_side(
    layout_photo: LayoutPhoto, earlier: Edition, located: LocatedLayout
) -> TopSide | None:
    """Find where the tops of the tiles lie, by faces learned earlier or built in; else None."""
    known, game = [earlier], earlier.description.game
    if game in built_in_games():
        known.append(built_in_edition(game, pictured=False))
    names = [name for row in layout_photo.layout for name in row]
    tiles = embed_quads(Pyramid(layout_photo.photo.image_bgr), located.quads_px.reshape(-1, 4, 2))
    sides = (find_top_side_of_tiles(tiles, names, model_of(each).references) for each in known)
    return next((side for side in sides if side is not None), None)


def _refuse_unlike_photo(
    layout_photo: LayoutPhoto,
    description: Description,
    model: Model,
    located: LocatedLayout,
    up: TopSide,
) -> None:
    """Refuse a layout that does not seem to fit the photo.

    Raises:
        EditionError: ``teach-doubtful``.
    """
    photo, layout = layout_photo.photo, layout_photo.layout
    upright = turn_upright(located, layout, up)[1]
    is_given = layout_photo.corners_px is not None
    extent = list_extent_doubts(located, layout, description, corners_given=is_given)
    is_whole_board = description.board is not None and description.board.image is None
    # Any rectangle of free tiles may be taught, if its extent is that of the layout
    sizes = list_size_doubts(upright, description) if is_whole_board or extent else []
    # In a grid of another size all places differ
    doubts = [*sizes, *extent]
    if not doubts:
        pyramid = Pyramid(photo.image_bgr)
        known = [model]
        if description.game in built_in_games():
            known.append(model_of(built_in_edition(description.game, pictured=False)))
        doubts = list_place_doubts(pyramid, located, layout, known, up)
        if not is_given and description.board is None:
            doubts = [*list_grid_doubts(pyramid, layout, model), *doubts]
    refuse_doubtful(doubts, photo.name)


def _added_references(before: References, after: References) -> References:
    """Return the references that were added to earlier ones, which come first."""
    return after.take(np.arange(len(before.face_index), len(after.face_index)))


def list_untaught_faces(edition: Edition) -> list[str]:
    """List the faces without a picture, in the order of the description."""
    return [face.name for face in edition.description.faces if not edition.pictures.get(face.name)]


def complete_from_fallback(edition: Edition, fallback: Edition) -> Edition:
    """Add the faces and the board that an edition lacks from a fallback.

    References of faces in the fallback's model are taken over, and its printed board unless the
    edition has another; all else is learned from pictures.
    """
    described = {face.name for face in edition.description.faces}
    others = {name: of_face for name, of_face in fallback.pictures.items() if name in described}
    board = fallback.board_picture if edition.board_picture is None else edition.board_picture
    whole = replace(edition, pictures={**others, **edition.pictures}, board_picture=board)
    model = model_of(edition)
    if fallback.model is not None:
        model = _take_over(model, fallback.model, set(others) - set(edition.pictures))
        if edition.board_picture is None and not model.rim:
            model = _take_over_board(model, fallback.model)
    return replace(name_picture_files(whole), model=learn_pictures(model, whole))


def _take_over(model: Model, other: Model, faces: set[str]) -> Model:
    """Add another model's references of these faces to a model, of those that it does not know."""
    unknown = faces - {*model.references.faces, *model.loose.faces}
    return replace(
        model,
        references=model.references.joined(other.references.of_faces(unknown)),
        loose=model.loose.joined(other.loose.of_faces(unknown)),
    )


def _take_over_board(model: Model, other: Model) -> Model:
    """Add another model's printed board and empty places to a model, if it has a board."""
    if not other.rim:
        return model
    return replace(
        model,
        rim=other.rim,
        references=model.references.joined(other.references.of_faces([None])),
        loose=model.loose.joined(other.loose.of_faces([None])),
    )
