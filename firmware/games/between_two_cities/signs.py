"""The signs of the building types for the display; that of a tavern is one of its four."""

from collections.abc import Mapping
from typing import Final

from firmware.screens.pictograms import drawn
from firmware.screens.views import Bitmap
from scoring.faces import Face
from scoring.games.between_two_cities.sheet import Category

_SIGNS: Final = (
    *drawn(
        """
..##...##.. .##.##..... #.#.#...##. ........... ...########
.#..#.#..#. ........... #.#.#..###. #.......... ...########
..##.#.##.. ###........ #.#.#..###. #.......... ...#......#
########### ###........ #####..###. #.##....... ...#......#
#....#....# ###..#...#. .###...###. #.###.####. ...#......#
########### ###.##..##. ..#....##.. #.###.##### ...#......#
.#...#...#. ########### ..#....#... ########### ...#......#
.#...#...#. ########### ..#....#... ########### .###....###
.#...#...#. ##.##.##.## ..#....#... #.........# ####...####
.#...#...#. ##.##.##.## ..#....#... #.........# ####...####
.#########. ########### ..#....#... ........... .##.....##.
"""
    ),
    *drawn(
        """
..##.##.... .#########. .....#..... .....#.....
.########.. .#.......#. ....###.... ....###....
.########.. .#.##.##.#. ...#####... ...#.#.#...
.#.#.#.###. .#.......#. ....###.... ..#.....#..
.#.#.#.#..# .#.##.##.#. ...#####... .#.......#.
.#.#.#.#..# .#.......#. ..#######.. ###########
.#.#.#.#..# .#.##.##.#. ...#####... .#.......#.
.#.#.#.###. .#.......#. ..#######.. .#.##.##.#.
.#.#.#.#... .#..###..#. .#########. .#.##.##.#.
.#.#.#.#... .#..###..#. .....#..... .#....##.#.
.#######... ########### .....#..... .#########.
"""
    ),
)
SIGNS: Final[Mapping[str, Bitmap]] = dict(zip((face.value for face in Face), _SIGNS, strict=True))
"""By what a tile shows, in the order in which tiles are laid to be learned."""
CATEGORY_SIGNS: Final[Mapping[Category, Bitmap]] = {
    Category.SHOPS: SIGNS[Face.SHOP],
    Category.FACTORIES: SIGNS[Face.FACTORY],
    Category.TAVERNS: SIGNS[Face.TAVERN_DRINK],
    Category.OFFICES: SIGNS[Face.OFFICE],
    Category.PARKS: SIGNS[Face.PARK],
    Category.HOUSES: SIGNS[Face.HOUSE],
}
