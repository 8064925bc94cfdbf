"""Signs of the faces and building types of Between Two Cities for the display."""

from collections.abc import Mapping
from typing import Final

from firmware.screens.pictograms import bitmaps_of
from firmware.screens.view import Bitmap
from scoring.faces import Face
from scoring.games.between_two_cities.sheet import Category

_SIGNS: Final = (
    *bitmaps_of(
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
    *bitmaps_of(
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
"""Signs by face, in the order in which tiles are laid out for teaching."""
CATEGORY_SIGNS: Final[Mapping[Category, Bitmap]] = {
    Category.SHOPS: SIGNS[Face.SHOP],
    Category.FACTORIES: SIGNS[Face.FACTORY],
    Category.TAVERNS: SIGNS[Face.TAVERN_DRINK],
    Category.OFFICES: SIGNS[Face.OFFICE],
    Category.PARKS: SIGNS[Face.PARK],
    Category.HOUSES: SIGNS[Face.HOUSE],
}
"""Signs by building type."""
