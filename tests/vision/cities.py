"""The usual Between Two Cities, as tests read it."""

from vision.editions.edition import GAME, Edition
from vision.editions.folder import own_edition
from vision.eye import read_tiles
from vision.photo import Photo
from vision.reading import Reading

STANDARD = own_edition(GAME)


def read_cities(photo: Photo, edition: Edition = STANDARD) -> Reading:
    """Read a photo of cities."""
    return read_tiles(photo, edition)
