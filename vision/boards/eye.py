"""The eye for games known by pictures: a photo in, a reading out.

Find the grids by features of the pictures, lay each flat, and compare every place with all faces.
"""

from time import perf_counter

from vision.boards.edition import PicturedEdition
from vision.boards.find import find_grids
from vision.boards.grid import see_grid
from vision.boards.grid_reading import grid_reading
from vision.boards.known import known_edition
from vision.boards.reading import BoardReading, GridReading
from vision.order import clockwise
from vision.photo import Photo
from vision.pyramid import Pyramid
from vision.reading import Unread
from vision.usable import refuse_if_hopeless

ENOUGH_TO_MENTION = 40
"""Features that agree on a grid of which hardly a tile can be read, but which may be one."""
LEAST_TO_MENTION = 0.15
"""Share of the tiles of a grid that must be sure for it to be more than an accident."""


def read_boards(photo: Photo, edition: PicturedEdition) -> BoardReading:
    """Read a table of a game that is known by its pictures.

    Args:
        photo: as loaded by ``vision.photo``.
        edition: what its tiles and board look like.

    Raises:
        PhotoError: nothing was found, and the photo is too dark or too blurred to have shown it.
    """
    start = perf_counter()
    known = known_edition(edition)
    picture = Pyramid.of(photo.image_bgr)
    found = find_grids(photo.image_bgr, known)
    located = perf_counter()
    grids: list[GridReading] = []
    unread: list[Unread] = []
    for place in found:
        if len(grids) == edition.description.most_grids:
            break
        seen = see_grid(picture, place, known)
        if seen.sure_share < LEAST_TO_MENTION and place.support < ENOUGH_TO_MENTION:
            continue
        read = grid_reading(seen, known, photo)
        if isinstance(read, GridReading):
            grids.append(read)
        else:
            unread.append(read)
    if not grids:
        refuse_if_hopeless(photo.image_bgr, photo.name)
    done = perf_counter()
    return BoardReading(
        photo=photo.name,
        game=edition.description.game,
        edition=edition.description.name,
        size_wh=photo.size_wh,
        grids=tuple(clockwise(grids)),
        unread=tuple(unread),
        timings_ms={"locate": (located - start) * 1000, "recognise": (done - located) * 1000},
    )
