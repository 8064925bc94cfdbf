"""Learn from any finished table: its tiles in groups, each of which a person names."""

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
from vision.patches.cut import WHOLE_TILE, Pyramid, crop_window, embed_quads, turn_quads
from vision.photo.load import Photo
from vision.teaching.clusters import Clusters, cluster_tiles
from vision.teaching.examples import usable_examples
from vision.teaching.find_layout import NoGridError, teach_tiles
from vision.teaching.layout_check import groups_differ, other_ends, refuse_doubtful
from vision.teaching.learn import chosen_pictures, refuse_without_colours
from vision.teaching.way_up import Side, known_way_up

_THUMB_PX: Final = 96
_GAP_PX: Final = 8
_LABEL_PX: Final = 60
_MOST_SHOWN: Final = 8
_PAPER: Final = 245
_INK: Final = (40, 40, 40)


def groups_in(description: Description, photo: Photo, *, sure: bool = False) -> Clusters:
    """The tiles of a photo in groups of one face.

    Args:
        description: of the game.
        photo: of a finished table.
        sure: whether a person has said that the grids in the photo are those of the game.

    Raises:
        PhotoError: ``photo-colourless``.
        EditionError: ``teach-groups-board``: the game has a printed board; ``teach-no-outline``: no
            grid is found; ``teach-doubtful``, unless a person is sure: they seem to be larger.
    """
    if description.board is not None:
        raise EditionError(
            "teach-groups-board",
            "tiles on a printed board cannot be put into groups: write down what lies where, in a "
            "layout",
            photo.name,
        )
    try:
        groups = cluster_tiles(Pyramid(photo.image_bgr), empty_model(description))
    except NoGridError as error:
        raise EditionError(
            "teach-no-outline",
            "no grid of {rows} x {columns} tiles is found by itself: show all of it, from above",
            photo.name,
            rows=description.tile_rows,
            columns=description.tile_columns,
        ) from error
    refuse_without_colours(photo, description)
    if not (groups.ends_seen or sure):
        rows, columns = description.tile_rows, description.tile_columns
        refuse_doubtful([other_ends(rows, columns)], photo.name)
    return groups


def groups_sheet(photo: Photo, groups: Clusters) -> Image:
    """A picture of the groups under one another, BGR: the number of each, and some of its tiles."""
    step = _THUMB_PX + _GAP_PX
    height = len(groups.groups) * step + _GAP_PX
    sheet = np.full((height, _LABEL_PX + _MOST_SHOWN * step + _GAP_PX, 3), _PAPER, np.uint8)
    for number, strip in enumerate(group_strips(photo, groups)):
        top = _GAP_PX + number * step
        at = (_GAP_PX, top + _THUMB_PX // 2 + 10)
        cv2.putText(sheet, str(number + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, _INK, 2, cv2.LINE_AA)
        sheet[top : top + _THUMB_PX, _LABEL_PX : _LABEL_PX + strip.shape[1]] = strip
    return sheet


def group_strips(photo: Photo, groups: Clusters) -> Iterator[Image]:
    """Some tiles of each group in a row, BGR."""
    step = _THUMB_PX + _GAP_PX
    for group in groups.groups:
        shown = group[:_MOST_SHOWN]
        strip = np.full((_THUMB_PX, len(shown) * step - _GAP_PX, 3), _PAPER, np.uint8)
        for place, tile in enumerate(shown):
            thumb = crop_window(photo.image_bgr, groups.quads_px[tile], WHOLE_TILE, _THUMB_PX)
            strip[:, place * step : place * step + _THUMB_PX] = thumb
        yield strip


def way_up(
    photo: Photo, groups: Clusters, names: Mapping[int, str], known: References
) -> Side | None:
    """Which way up the tiles of groups lie, by faces that are known; None: that tells nothing.

    Args:
        photo: that shows them.
        groups: of a game whose tiles all lie one way up.
        names: as of ``learn_groups``.
        known: upright.
    """
    tiles = [(tile, name) for number, name in names.items() for tile in groups.groups[number]]
    if not tiles:
        return None
    quads = groups.quads_px[np.array([tile for tile, _ in tiles])]
    embeddings = embed_quads(Pyramid(photo.image_bgr), quads)
    return known_way_up(embeddings, [name for _, name in tiles], known)


def learn_groups(
    description: Description,
    photo: Photo,
    groups: Clusters,
    names: Mapping[int, str],
    earlier: Edition | None = None,
    up: Side = Side.TOP,
    *,
    sure: bool = False,
) -> Edition:
    """Learn the faces of groups.

    Args:
        description: of the game.
        photo: that shows them.
        groups: of ``groups_in``.
        names: the face of each group, by its number from 0; groups without one teach nothing.
        earlier: what has been learned before, to add to.
        up: where the upper edge of the tiles lies, as ``groups_sheet`` shows them.
        sure: whether a person has said that the names are right.

    Raises:
        PhotoError: ``photo-colourless``.
        EditionError: ``teach-doubtful``, unless a person is sure: groups look like tiles that are
            known under another name; ``teach-too-small``, ``teach-overexposed``,
            ``teach-too-dark`` or ``teach-blurred``.
    """
    refuse_without_colours(photo, description, earlier)
    begun = earlier or Edition(description, {}, model=empty_model(description))
    named = [(tile, n, name) for n, name in names.items() for tile in groups.groups[n]]
    if not sure:
        numbers = np.array([tile for tile, _, _ in named])
        embeddings = embed_quads(Pyramid(photo.image_bgr), groups.quads_px[numbers])
        of_group, called = [n for _, n, _ in named], [name for _, _, name in named]
        doubts = groups_differ(embeddings, of_group, called, model_of(begun), up)
        refuse_doubtful(doubts, photo.name)
    quads = turn_quads(groups.quads_px, np.full(len(groups.quads_px), up.value))
    tiles = [(quads[tile], name) for tile, _, name in named]
    return learn_tiles(replace(begun, description=description), photo, tiles)


def learn_tiles(edition: Edition, photo: Photo, tiles: Sequence[tuple[Corners, str]]) -> Edition:
    """Learn single tiles beside what an edition knows.

    Args:
        edition: to be added to.
        photo: that shows them.
        tiles: at least one: its corners (4, 2) in pixels of the photo as decoded, from its top
            left clockwise as it lies upright, and its face.

    Raises:
        EditionError: ``teach-too-small``, ``teach-overexposed``, ``teach-too-dark`` or
            ``teach-blurred``.
    """
    quads: dict[str, list[Corners]] = {}
    for corners_px, name in tiles:
        quads.setdefault(name, []).append(floats(corners_px))
    pictures = {
        name: chosen_pictures(examples, edition.pictures.get(name, ()), edition.description.turned)
        for name, examples in usable_examples(photo, quads).items()
    }
    pyramid, quads_px = Pyramid(photo.image_bgr), floats([corners for corners, _ in tiles])
    embeddings = embed_quads(pyramid, quads_px)
    names = [name for _, name in tiles]
    learned = teach_tiles(pyramid, quads_px, embeddings, names, model_of(edition))
    known = replace(edition, pictures={**edition.pictures, **pictures}, model=learned)
    return name_picture_files(known)
