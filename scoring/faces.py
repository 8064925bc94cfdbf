"""Names of faces, cells and cities, shared by the eye and the rules.

The values of all names here are those in files and JSON.
"""

from enum import StrEnum


class Face(StrEnum):
    """A face of Between Two Cities; where a face may be of any game, it is a ``str``."""

    SHOP = "shop"
    FACTORY = "factory"
    TAVERN_FOOD = "tavern-food"
    TAVERN_BED = "tavern-bed"
    TAVERN_MUSIC = "tavern-music"
    TAVERN_DRINK = "tavern-drink"
    OFFICE = "office"
    PARK = "park"
    HOUSE = "house"

    @property
    def is_tavern(self) -> bool:
        """True if this is one of the four tavern faces, which count as one building type."""
        return self.value.startswith("tavern-")


class Field(StrEnum):
    """A field of Cities; each tile has 2x2 of them."""

    SIGHT = "sight"
    CAFE = "cafe"
    PARK = "park"
    WATER = "water"


class BuildingKind(StrEnum):
    """A kind of building of City Blocks."""

    HOUSE = "house"
    SHOP = "shop"
    FACTORY = "factory"
    SCHOOL = "school"
    POWER_PLANT = "power-plant"
    MALL = "mall"
    COURT = "court"


class Side(StrEnum):
    """A player of City Blocks: the colour of the buildings."""

    BLUE = "blue"
    RED = "red"


Grid = tuple[tuple[Face | None, ...], ...]
"""City of Between Two Cities: rows of faces from the top left as it is read upright; None: no tile
there. A grid of any game is a ``vision.reading.GridReading``."""

Cell = tuple[int, int]
"""Row and column, counted from 0 at the top left of a city or board as it is read upright."""

CityCell = tuple[int, Cell]
"""A cell of a table: the index of its city in the table, and the cell in it."""


def city_name(index: int) -> str:
    """Return the letters of a city by its index at the table: A, B, … Z, AA, AB and so on."""
    before, last = divmod(index, 26)
    return (city_name(before - 1) if before else "") + chr(ord("A") + last)
