"""Signs of the faces and building types of Between Two Cities for the display."""

from collections.abc import Mapping
from typing import Final

from firmware.screens.pictograms import bitmaps_of
from firmware.screens.view import Bitmap
from scoring.faces import Face
from scoring.games.between_two_cities.score_sheet import BuildingType

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
BUILDING_TYPE_SIGNS: Final[Mapping[BuildingType, Bitmap]] = {
    BuildingType.SHOPS: SIGNS[Face.SHOP],
    BuildingType.FACTORIES: SIGNS[Face.FACTORY],
    BuildingType.TAVERNS: SIGNS[Face.TAVERN_DRINK],
    BuildingType.OFFICES: SIGNS[Face.OFFICE],
    BuildingType.PARKS: SIGNS[Face.PARK],
    BuildingType.HOUSES: SIGNS[Face.HOUSE],
}
"""Signs by building type."""
