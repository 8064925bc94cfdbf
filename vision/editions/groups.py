"""Learn from any finished table: its tiles in groups, each of which a person names."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image, floats
from vision.editions.description import Description
from vision.editions.edition import Edition, EditionError
from vision.editions.examples import usable_examples
from vision.editions.folder import with_own_file_names
from vision.editions.learn import chosen_pictures
from vision.eye import empty_model, model_of
from vision.groups import Grouped, grouped
from vision.parameters import PARAMETERS
from vision.patches import Pyramid
from vision.photo import Photo
from vision.rectify import crop_window
from vision.teach import NoGridError, teach_tiles

_THUMB_PX: Final = 96
_GAP_PX: Final = 8
_LABEL_PX: Final = 60
_MOST_SHOWN: Final = 8
_PAPER: Final = 245
_INK: Final = (40, 40, 40)
_WHOLE: Final = (0.0, 0.0, 1.0, 1.0)


def groups_in(description: Description, photo: Photo) -> Grouped:
    """The tiles of a photo in groups of one face.

    Raises:
        EditionError: ``teach-no-outline``: no grid is found.
    """
    try:
        return grouped(Pyramid(photo.image_bgr), empty_model(description), PARAMETERS)
    except NoGridError as error:
        raise EditionError(
            "teach-no-outline",
            "no grid of {rows} x {columns} tiles is found by itself: show all of it, from above",
            photo.name,
            rows=description.tile_rows,
            columns=description.tile_columns,
        ) from error


def groups_sheet(photo: Photo, groups: Grouped) -> Image:
    """A picture of the groups under one another, BGR: the number of each, and some of its tiles."""
    step = _THUMB_PX + _GAP_PX
    height = len(groups.groups) * step + _GAP_PX
    sheet = np.full((height, _LABEL_PX + _MOST_SHOWN * step + _GAP_PX, 3), _PAPER, np.uint8)
    for number, group in enumerate(groups.groups):
        top = _GAP_PX + number * step
        at = (_GAP_PX, top + _THUMB_PX // 2 + 10)
        cv2.putText(sheet, str(number + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, _INK, 2, cv2.LINE_AA)
        for place, tile in enumerate(group[:_MOST_SHOWN]):
            left = _LABEL_PX + place * step
            thumb = crop_window(photo.image_bgr, groups.quads_px[tile], _WHOLE, _THUMB_PX)
            sheet[top : top + _THUMB_PX, left : left + _THUMB_PX] = thumb
    return sheet


def learn_groups(
    description: Description,
    photo: Photo,
    groups: Grouped,
    names: Mapping[int, str],
    earlier: Edition | None = None,
) -> Edition:
    """Learn the faces of groups.

    Args:
        description: of the game.
        photo: that shows them.
        groups: of ``groups_in``.
        names: the face of each group, by its number from 0; groups without one teach nothing.
        earlier: what has been learned before, to add to.

    Raises:
        EditionError: ``teach-too-small``, ``teach-overexposed``, ``teach-too-dark`` or
            ``teach-blurred``.
    """
    before = {} if earlier is None else dict(earlier.pictures)
    model = empty_model(description) if earlier is None else model_of(earlier)
    tiles = [(tile, name) for n, name in names.items() for tile in groups.groups[n]]
    quads: dict[str, list[np.ndarray]] = {}
    for tile, name in tiles:
        quads.setdefault(name, []).append(floats(groups.quads_px[tile]))
    found = usable_examples(photo, quads)
    pictures = {
        name: chosen_pictures(examples, before.get(name, ()), description.turned)
        for name, examples in found.items()
    }
    numbers = np.array([tile for tile, _ in tiles])
    learned = teach_tiles(
        Pyramid(photo.image_bgr),
        groups.quads_px[numbers],
        groups.looks.chosen(numbers),
        [name for _, name in tiles],
        model,
        PARAMETERS,
    )
    board = None if earlier is None else earlier.board
    edition = with_own_file_names(Edition(description, {**before, **pictures}, board))
    return replace(edition, model=learned)
