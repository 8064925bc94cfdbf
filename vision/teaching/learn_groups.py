"""Learn from any finished table: group its tiles by face, and learn the groups that are named."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Image, floats
from vision.editions.description import Description
from vision.editions.edition import Edition, EditionError
from vision.editions.folder import name_picture_files
from vision.editions.learning import model_of
from vision.editions.model import empty_model
from vision.editions.references import References
from vision.patches.cut import WHOLE_QUAD, Pyramid, cut_upright, embed_quads, turn_quads
from vision.photo.load import Photo
from vision.teaching.find_layout import NoGridError
from vision.teaching.layout_check import list_group_doubts, refuse_doubtful, size_doubt
from vision.teaching.orientation import TopSide, find_top_side_of_tiles
from vision.teaching.taught_tiles import add_tiles, choose_pictures, refuse_without_colours
from vision.teaching.tile_groups import TileGroups, group_tiles
from vision.teaching.tile_pictures import WhiteTiles, cut_tiles

_THUMB_PX: Final = 96
"""Side of the picture of a tile."""
_GAP_PX: Final = 8
_LABEL_PX: Final = 60
"""Width of the column of numbers."""
_MAX_SHOWN: Final = 8
"""Tiles of a group that are shown."""
_PAPER: Final = 245
_INK: Final = (40, 40, 40)


def find_groups(description: Description, photo: Photo, *, confirmed: bool = False) -> TileGroups:
    """Group the tiles of a photo by face.

    Args:
        description: Description of the game.
        photo: Photo of a finished table.
        confirmed: Whether a person has confirmed that the grids in the photo are those of the game.

    Raises:
        PhotoError: ``photo-colourless``.
        EditionError: ``teach-groups-board`` for a game with a printed board; ``teach-no-outline``
            if no grid is found; ``teach-doubtful`` if grids seem larger, unless a person has
            confirmed it.
    """
    if description.board is not None:
        raise EditionError(
            "teach-groups-board",
            "tiles on a printed board cannot be put into groups: write down what lies where, in a "
            "layout",
            photo.name,
        )
    try:
        groups = group_tiles(Pyramid(photo.image_bgr), empty_model(description))
    except NoGridError as error:
        raise EditionError(
            "teach-no-outline",
            "no grid of {rows} x {columns} tiles is found by itself: show all of it, from above",
            photo.name,
            rows=description.tile_rows,
            columns=description.tile_columns,
        ) from error
    refuse_without_colours(photo, description)
    if not (groups.is_size_confirmed or confirmed):
        rows, columns = description.tile_rows, description.tile_columns
        refuse_doubtful([size_doubt(rows, columns)], photo.name)
    return groups


def draw_groups(photo: Photo, groups: TileGroups) -> Image:
    """Draw the groups under one another, BGR: the number of each, and some of its tiles."""
    step = _THUMB_PX + _GAP_PX
    height = len(groups.groups) * step + _GAP_PX
    sheet = np.full((height, _LABEL_PX + _MAX_SHOWN * step + _GAP_PX, 3), _PAPER, np.uint8)
    for number, strip in enumerate(draw_group_strips(photo, groups)):
        top = _GAP_PX + number * step
        at = (_GAP_PX, top + _THUMB_PX // 2 + 10)
        cv2.putText(sheet, str(number + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, _INK, 2, cv2.LINE_AA)
        sheet[top : top + _THUMB_PX, _LABEL_PX : _LABEL_PX + strip.shape[1]] = strip
    return sheet


def draw_group_strips(photo: Photo, groups: TileGroups) -> Iterator[Image]:
    """Draw some tiles of each group in a row, BGR."""
    step = _THUMB_PX + _GAP_PX
    for group in groups.groups:
        shown = group[:_MAX_SHOWN]
        strip = np.full((_THUMB_PX, len(shown) * step - _GAP_PX, 3), _PAPER, np.uint8)
        for place, tile in enumerate(shown):
            thumb = cut_upright(photo.image_bgr, groups.quads_px[tile], WHOLE_QUAD, _THUMB_PX)
            strip[:, place * step : place * step + _THUMB_PX] = thumb
        yield strip


def find_top_side_of_groups(
    photo: Photo, groups: TileGroups, names: Mapping[int, str], known: References
) -> TopSide | None:
    """Find where the tops of the tiles of groups lie, by faces that are known.

    Args:
        photo: Photo of the tiles.
        groups: Groups of a game whose tiles all lie one way up.
        names: See ``learn_groups``.
        known: References of upright tiles.

    Returns:
        The side, as ``draw_groups`` shows the tiles; None if it is not clear.
    """
    tiles = [(tile, name) for number, name in names.items() for tile in groups.groups[number]]
    if not tiles:
        return None
    quads = groups.quads_px[np.array([tile for tile, _ in tiles])]
    embeddings = embed_quads(Pyramid(photo.image_bgr), quads)
    return find_top_side_of_tiles(embeddings, [name for _, name in tiles], known)


def learn_groups(
    earlier: Edition,
    photo: Photo,
    groups: TileGroups,
    names: Mapping[int, str],
    up: TopSide = TopSide.TOP,
    *,
    confirmed: bool = False,
) -> Edition:
    """Learn the faces of groups.

    Args:
        earlier: Edition to add to, which may have no pictures yet.
        photo: Photo of the tiles.
        groups: Groups from ``find_groups``.
        names: Face of each group, by its number from 0; groups without a name are not learned.
        up: Side where the tops of the tiles lie, as ``draw_groups`` shows them.
        confirmed: Whether a person has confirmed the names.

    Raises:
        PhotoError: ``photo-colourless``.
        EditionError: ``teach-doubtful`` if groups look like tiles that are known under another
            name or white, unless a person has confirmed it; ``teach-too-small``,
            ``teach-too-dark``, ``teach-blurred`` or ``teach-too-many``.
    """
    refuse_without_colours(photo, earlier.description, earlier)
    named = [(tile, n, name) for n, name in names.items() for tile in groups.groups[n]]
    if not confirmed:
        numbers = np.array([tile for tile, _, _ in named])
        embeddings = embed_quads(Pyramid(photo.image_bgr), groups.quads_px[numbers])
        of_group, faces = [n for _, n, _ in named], [name for _, _, name in named]
        doubts = list_group_doubts(embeddings, of_group, faces, model_of(earlier), up)
        refuse_doubtful(doubts, photo.name)
    quads = turn_quads(groups.quads_px, np.full(len(groups.quads_px), up.value))
    tiles = [(quads[tile], name) for tile, _, name in named]
    white_tiles = WhiteTiles.if_confirmed(confirmed=confirmed)
    return learn_tiles(earlier, photo, tiles, white_tiles=white_tiles)


def learn_tiles(
    edition: Edition,
    photo: Photo,
    tiles: Sequence[tuple[Corners, str]],
    *,
    white_tiles: WhiteTiles = WhiteTiles.REFUSED,
) -> Edition:
    """Add single tiles to an edition.

    Args:
        edition: Edition to add to.
        photo: Photo of the tiles.
        tiles: Corners (4, 2) of each tile in pixels of the decoded image, from its top left
            clockwise as it lies upright, and its face; at least one.
        white_tiles: As of ``cut_tiles``.

    Raises:
        EditionError: The errors of ``cut_tiles`` and ``add_tiles``.
    """
    quads: dict[str, list[Corners]] = {}
    for corners_px, name in tiles:
        quads.setdefault(name, []).append(floats(corners_px))
    pictures = {
        name: choose_pictures(
            tiles_of_face, edition.pictures.get(name, ()), edition.description.tile_turns
        )
        for name, tiles_of_face in cut_tiles(photo, quads, white_tiles=white_tiles).items()
    }
    pyramid, quads_px = Pyramid(photo.image_bgr), floats([corners for corners, _ in tiles])
    embeddings = embed_quads(pyramid, quads_px)
    names = [name for _, name in tiles]
    learned = add_tiles(pyramid, quads_px, embeddings, names, model_of(edition))
    pictures = {**edition.pictures, **pictures}
    return name_picture_files(replace(edition, pictures=pictures, model=learned))
