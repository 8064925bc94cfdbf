"""The vocabulary shared by eye and rules: what can be printed on a tile."""

from enum import StrEnum


class Face(StrEnum):
    """A face of Between Two Cities; the value is its name in files and JSON."""

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
        """Whether this is one of the four tavern faces, which count as one building type."""
        return self.value.startswith("tavern-")


Grid = tuple[tuple[Face | None, ...], ...]
"""Rows of faces from the top left of a city as it is read upright; None: no tile there."""

Cell = tuple[int, int]
"""Row and column, counted from 0 at the top left of a city as it is read upright."""
