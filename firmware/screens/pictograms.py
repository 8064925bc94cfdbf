"""Small signs of what lies on a tile, drawn for the display: 11 pixels square, ``#`` is lit."""

from typing import Final

from PIL import Image

from firmware.screens import typeset
from firmware.screens.doubt_views import Other
from scoring.faces import Face
from scoring.games.between_two_cities.sheet import Category

SIDE: Final = 11
"""Width and height in pixels."""

_GIFT = """
..##...##..
.#..#.#..#.
..##.#.##..
###########
#....#....#
###########
.#...#...#.
.#...#...#.
.#...#...#.
.#...#...#.
.#########.
"""
_CHIMNEY = """
.##.##.....
...........
###........
###........
###..#...#.
###.##..##.
###########
###########
##.##.##.##
##.##.##.##
###########
"""
_MUG = """
..##.##....
.########..
.########..
.#.#.#.###.
.#.#.#.#..#
.#.#.#.#..#
.#.#.#.#..#
.#.#.#.###.
.#.#.#.#...
.#.#.#.#...
.#######...
"""
_CUTLERY = """
#.#.#...##.
#.#.#..###.
#.#.#..###.
#####..###.
.###...###.
..#....##..
..#....#...
..#....#...
..#....#...
..#....#...
..#....#...
"""
_BED = """
...........
#..........
#..........
#.##.......
#.###.####.
#.###.#####
###########
###########
#.........#
#.........#
...........
"""
_NOTES = """
...########
...########
...#......#
...#......#
...#......#
...#......#
...#......#
.###....###
####...####
####...####
.##.....##.
"""
_TOWER = """
.#########.
.#.......#.
.#.##.##.#.
.#.......#.
.#.##.##.#.
.#.......#.
.#.##.##.#.
.#.......#.
.#..###..#.
.#..###..#.
###########
"""
_TREE = """
.....#.....
....###....
...#####...
....###....
...#####...
..#######..
...#####...
..#######..
.#########.
.....#.....
.....#.....
"""
_GABLE = """
.....#.....
....###....
...#.#.#...
..#.....#..
.#.......#.
###########
.#.......#.
.#.##.##.#.
.#.##.##.#.
.#....##.#.
.#########.
"""
_GAP = """
##.##.##.##
#.........#
...........
#.........#
#.........#
...........
#.........#
#.........#
...........
#.........#
##.##.##.##
"""
_DOTS = """
...........
...........
...........
...........
...........
##..##...##
##..##...##
...........
...........
...........
...........
"""

_OF_FACES: Final[dict[Face | Other, str]] = {
    Face.SHOP: _GIFT,
    Face.FACTORY: _CHIMNEY,
    Face.TAVERN_FOOD: _CUTLERY,
    Face.TAVERN_BED: _BED,
    Face.TAVERN_MUSIC: _NOTES,
    Face.TAVERN_DRINK: _MUG,
    Face.OFFICE: _TOWER,
    Face.PARK: _TREE,
    Face.HOUSE: _GABLE,
    Other.NO_TILE: _GAP,
    Other.LATER: _DOTS,
}
_OF_CATEGORIES: Final = {
    Category.SHOPS: _GIFT,
    Category.FACTORIES: _CHIMNEY,
    Category.TAVERNS: _MUG,
    Category.OFFICES: _TOWER,
    Category.PARKS: _TREE,
    Category.HOUSES: _GABLE,
}


def face_sign(face: Face | Other) -> Image.Image:
    """The sign of what lies at a place; mode ``"1"``, lit where it is drawn."""
    return _picture(_OF_FACES[face])


def category_sign(category: Category) -> Image.Image:
    """The sign of a building type; that of a tavern is one of its four."""
    return _picture(_OF_CATEGORIES[category])


def _picture(drawing: str) -> Image.Image:
    rows = drawing.split()
    picture = Image.new("1", (SIDE, SIDE))
    picture.putdata([typeset.LIT if dot == "#" else 0 for row in rows for dot in row])
    return picture
