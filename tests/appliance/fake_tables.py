"""An eye that sees the same table of each game in every photo."""

from dataclasses import replace

from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    FULL_BOARD,
    READING_ONLY,
    blocks,
    cards,
    city,
    grid_reading,
    piece,
    reading,
    sign,
)
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from vision.editions.edition import BETWEEN_TWO_CITIES

CAFES = "SSCCPPWW/SSCCPPWW/CCSSWWPP/PPSSCCWW/WWPPSSCC/CCWWPPSS/SSCCWWPP/PPSSCCWW"
UNSURE_FIELD = (7, 0)
UNSURE_FIGURE = (2, 2)

TABLES = {
    "cities": reading(
        CITIES,
        city(
            tourists={(0, 2): "red", (2, 2): "red"},
            unsure=(UNSURE_FIELD,),
            alternatives={UNSURE_FIELD: ("sight",)},
            unsure_figures=(UNSURE_FIGURE,),
        ),
        city(CAFES, {(0, 2): "blue", (6, 2): "blue"}, position=1),
    ),
    "city-blocks": reading(
        CITY_BLOCKS,
        blocks(
            FULL_BOARD,
            piece("blue", 0, 7),
            piece("red", 0, 12, unsure=True, alternatives=("value-2",)),
        ),
    ),
    "dice-board": reading(
        DICE_BOARD, cards(*sign(4, 4, "red-bakery"), *sign(0, 0, "blue-theatre")[:2])
    ),
    "reading-only": reading(
        READING_ONLY, grid_reading(READING_ONLY, [["sun", "moon", "sun"], ["sun", None, "moon"]])
    ),
}
"""Readings by game; something is not sure in Cities and City Blocks.

Of Between Two Cities it sees ``EXAMPLE``.
"""


class FakeTables:
    """Reads each game; what it sees of one can be changed in ``tables``.

    Attributes:
        editions: Names of the editions that photos were read with.
        photos: Photos that were read.
    """

    def __init__(self, **tables):
        self.tables = {**TABLES, **{name.replace("_", "-"): seen for name, seen in tables.items()}}
        self.between_two_cities = FakeEye(*EXAMPLE)
        self.editions = []
        self.photos = []

    def __call__(self, photo, edition):
        description = edition.description
        self.photos.append(photo)
        self.editions.append(description.name)
        seen = self.tables.get(description.game)
        if seen is None:
            assert description.game == BETWEEN_TWO_CITIES, f"TABLES lacks {description.game}"
            return self.between_two_cities(photo, edition)
        return replace(seen, photo_name=photo.name, size_wh=photo.size_wh, edition=description.name)
