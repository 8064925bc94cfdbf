"""The eye for games known by pictures: a photo in, a reading out.

Find the grids by features of the pictures, lay each flat, and compare every place with all faces.
"""

from collections.abc import Sequence
from time import perf_counter

import cv2
import numpy as np

from vision.arrays import Corners, Image
from vision.boards.confidence import calibrated
from vision.boards.find import Found, find_grids, find_more_grids
from vision.boards.grid import SeenGrid, see_grid
from vision.boards.grid_placed import placed_grid, through_one_lens
from vision.boards.grid_reading import grid_reading, if_hardly_readable, is_readable
from vision.boards.known import KnownEdition, known_edition
from vision.boards.photo_features import size_wh
from vision.boards.side_by_side import placed_apart
from vision.editions.edition import Edition
from vision.exposure import (
    LIGHT_HIDES,
    MOST_WHITE,
    MUCH_LIGHT,
    NEARLY_WHITE,
    is_washed_out,
    white_areas,
    white_share,
)
from vision.order import clockwise
from vision.photo import Photo
from vision.pyramid import Pyramid
from vision.quads import photo_quad
from vision.reading import GridReading, Note, Reading, Unread
from vision.usable import doubts_of_photo, refuse_if_hopeless

ENOUGH_TO_MENTION = 40
"""Features that agree on a grid of which hardly a tile can be read, but which may be one."""
TILES_TO_MENTION = 5
"""So many free tiles must have several of them."""
MANY_UNSURE = 8
"""With more unsure cells in a grid it is worth looking for a common cause."""
CITY_TILES = 4
USUAL_SHARE = 0.2
"""Side of a grid, as a share of the photo's, at which light may hide it where none was found."""
SHARP_PX = 1000
"""Longer side of a copy of the photo in which it is still told how sharp it is."""
LEAST_TO_MENTION = 0.15
"""Share of the tiles of a grid that must be sure for it to be more than an accident."""


def read_boards(photo: Photo, edition: Edition) -> Reading:
    """Read a table of a game that is known by its pictures.

    Args:
        photo: as loaded by ``vision.photo``.
        edition: what its tiles and board look like.

    Raises:
        PhotoError: nothing was found, and the photo is too dark or too blurred to have shown it.
    """
    return calibrated(read_uncalibrated(photo, edition))


def read_uncalibrated(photo: Photo, edition: Edition) -> Reading:
    """The same with raw confidences, from which ``calibrated`` is fitted."""
    start = perf_counter()
    known = known_edition(edition)
    picture = Pyramid.of(photo.image_bgr)
    found = find_grids(picture, known)
    located = perf_counter()
    several = placed_apart(_with_seen([], found, picture, known))
    hidden, light_notes = _hidden_by_light(picture, several, known, photo)
    if edition.description.board is None and _is_in_doubt(several, light_notes, known):
        several = placed_apart(_looked_at_again(several, picture, known))
        hidden, light_notes = _hidden_by_light(picture, several, known, photo)
    if edition.description.board is None and not all(map(is_readable, several)):
        several = placed_apart([if_hardly_readable(seen, known) for seen in several])
        hidden, light_notes = _hidden_by_light(picture, several, known, photo)
    reads = [grid_reading(seen, known, photo) for seen in several]
    grids = [read for read in reads if isinstance(read, GridReading)]
    unread = [*(read for read in reads if isinstance(read, Unread)), *hidden]
    if not grids:
        refuse_if_hopeless(_smaller(picture), photo.name)
    is_unclear = any(len(grid.unsure) > MANY_UNSURE for grid in grids)
    doubtful = bool(unread) or not grids or is_unclear
    notes = [*light_notes, *(doubts_of_photo(_smaller(picture)) if doubtful else ())]
    done = perf_counter()
    return Reading(
        photo=photo.name,
        game=edition.description.game,
        edition=edition.description.name,
        size_wh=photo.size_wh,
        grids=tuple(clockwise(grids)),
        unread=tuple(unread),
        notes=tuple(notes),
        timings_ms={"locate": (located - start) * 1000, "recognise": (done - located) * 1000},
    )


def _with_seen(
    several: Sequence[SeenGrid], found: Sequence[Found], picture: Pyramid, known: KnownEdition
) -> list[SeenGrid]:
    """Grids and what is seen of others that were found, as long as there can be more.

    Only those that are worth mentioning; of the others that lie where one of the first does, none.
    """
    outlines = [seen.outline for seen in several]
    seen_grids = list(several)
    inexact = [place for place in found if place.laid is not None and not place.laid.is_exact]
    placed = through_one_lens(
        [placed_grid(picture, place, known, outlines) for place in inexact], size_wh(picture.image)
    )
    at_once = dict(zip(inexact, placed, strict=True))
    for place in found:
        if sum(map(is_readable, seen_grids)) == known.description.most_grids:
            break
        others = [*outlines, *(seen.outline for seen in seen_grids if seen.found.is_whole)]
        if _lies_on(place, others):
            continue
        seen = see_grid(picture, place, known, others, at_once.get(place))
        if seen.sure_share >= LEAST_TO_MENTION or _may_be_a_grid(place, seen, picture):
            seen_grids.append(seen)
    return seen_grids


def _is_in_doubt(
    several: Sequence[SeenGrid], light_notes: Sequence[Note], known: KnownEdition
) -> bool:
    """Whether more grids of free tiles may be read if the photo is looked at most closely.

    They may, if one cannot be read, if not even those that can were found for certain, or if so
    much light falls on the photo that one may have been missed.
    """
    readable = [seen for seen in several if is_readable(seen)]
    if len(readable) == known.description.most_grids:
        return False
    is_uncertain = any(not seen.found.is_certain for seen in readable)
    return len(readable) < len(several) or is_uncertain or bool(readable and light_notes)


def _looked_at_again(
    several: Sequence[SeenGrid], picture: Pyramid, known: KnownEdition
) -> list[SeenGrid]:
    """Grids of free tiles, after the photo was looked at most closely beside those that are read.

    What could not be read stays as it is, unless another grid is seen there now.
    """
    readable = [seen for seen in several if is_readable(seen)]
    others = [seen for seen in several if not is_readable(seen)]
    outlines = [seen.outline for seen in readable]
    more = find_more_grids(picture, known, [seen.found for seen in readable], outlines)
    again = _with_seen(readable, more, picture, known)
    new = again[len(readable) :]
    left = [seen for seen in others if not any(_lie_on_each_other(seen, other) for other in new)]
    return [*again, *left]


def _lie_on_each_other(seen: SeenGrid, other: SeenGrid) -> bool:
    """Whether two grids are the same one; what was taken for one grid may be two.

    What only the network took for a part of a grid is not, if another one is found there.
    """
    is_there = seen.found.is_perhaps or _lies_on(other.found, [seen.outline])
    return is_there and _lies_on(seen.found, [other.outline])


def _lies_on(place: Found, outlines: Sequence[Corners]) -> bool:
    """Whether the middle of a grid of free tiles that was found lies within an outline."""
    if not outlines:
        return False
    top, left, bottom, right = place.cells
    x, y = place.surface.at([[(left + right + 1) / 2, (top + bottom + 1) / 2]])[0].tolist()
    return any(cv2.pointPolygonTest(each, (x, y), measureDist=False) >= 0 for each in outlines)


def _smaller(picture: Pyramid) -> Image:
    """The smallest copy of the photo that still tells how bright and how sharp it is."""
    return next(
        (level for level in reversed(picture.levels) if max(level.shape) >= SHARP_PX),
        picture.image,
    )


def _may_be_a_grid(place: Found, seen: SeenGrid, picture: Pyramid) -> bool:
    """Whether enough speaks for a grid of which hardly a tile can be read.

    Two or three tiles that lie apart may happen to lie as in a grid, and the pattern of a cloth may
    look like one, but seldom one of the right size. Where light has bleached the tiles, little may
    be left of them.
    """
    if place.is_odd:
        return False
    if place.is_likely and is_washed_out(picture, seen.outline, round_about=False):
        return True
    is_on_board = place.tiles == 0
    return place.support >= ENOUGH_TO_MENTION and (is_on_board or place.tiles >= TILES_TO_MENTION)


def _hidden_by_light(
    picture: Pyramid, several: Sequence[SeenGrid], known: KnownEdition, photo: Photo
) -> tuple[list[Unread], list[Note]]:
    """Areas so white with light that a grid may lie there unseen, and a note if others are.

    Neither, if no more grids can lie there than were seen; no note of boards.
    """
    is_of_cities = known.description.board is None
    most = known.description.most_grids
    if len(several) > 0 and (not is_of_cities or sum(map(is_readable, several)) == most):
        return [], []
    outlines = [seen.outline for seen in several]
    height, width = photo.image_bgr.shape[:2]
    sides = [np.sqrt(cv2.contourArea(outline)) for outline in outlines]
    side = float(np.median(sides)) if sides else USUAL_SHARE * np.sqrt(width * height)
    # The areas are looked for in tiles of a city that is four of them wide
    tile_px = side / CITY_TILES
    areas = white_areas(picture, tile_px, outlines)
    hidden = [
        Unread(photo_quad(area.outline_px, photo), LIGHT_HIDES) for area in areas if area.from_light
    ]
    is_bright = (
        len(areas) > len(hidden)
        or white_share(picture) > MOST_WHITE
        or bool(white_areas(picture, tile_px, outlines, NEARLY_WHITE))
    )
    return hidden, [MUCH_LIGHT] if is_bright and is_of_cities else []
