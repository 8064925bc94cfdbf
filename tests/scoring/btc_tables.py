"""Tables of Between Two Cities for the tests: the printed example, and dealt ones."""

from dataclasses import replace
from random import Random

from scoring.faces import Face
from scoring.games.between_two_cities import SUPPLY
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.table import City, Table, Variant

# Six cities with the category points of the rulebook's example, clockwise in the circle of
# totals that fits the printed final scores. The rulebook shows pictures; these layouts are ours.
EXAMPLE_CITIES = {
    "56": "SSSS/PPHP/HOOO/HOOE",
    "57": "HHHP/PPSE/FPFF/FFPP",
    "62 with nine for factories": "FFFS/OPPE/HHHB/HHMD",
    "62 with 25 for offices": "SSSS/FFOO/OOEB/OOMD",
    "52": "PPHH/SSPP/FFFF/FHBB",
    "62 with 20 for houses": "SSSF/EBMD/OOPP/HHHH",
}
EXAMPLE_PLAYERS = ("Ben", "Matthew", "Anna Grace", "Emily", "Margaux", "Peter")


def table_of(*texts: str, variant: Variant = Variant.STANDARD, **more) -> Table:
    return Table(tuple(parse_city(text) for text in texts), variant, **more)


def example_table() -> Table:
    return table_of(*EXAMPLE_CITIES.values(), players=EXAMPLE_PLAYERS)


def two_player_table(**more) -> Table:
    return table_of(*list(EXAMPLE_CITIES.values())[:4], variant=Variant.TWO_PLAYER, **more)


def dealt_table(random: Random) -> Table:
    """A legal table from the tiles of the box.

    Some are dealt at random, some with like tiles gathered in the same cities, so that long
    shop lines, large parks and many offices occur; some repeat cities, so that players tie.
    """
    variant = random.choice([Variant.STANDARD, Variant.STANDARD, Variant.TWO_PLAYER])
    count = 4 if variant is Variant.TWO_PLAYER else random.randint(3, 7)
    gathering = random.choice([0.0, 0.1, 0.4, 1.0])
    faces = _shuffled([f for f, s in SUPPLY.items() for _ in range(s.total)], gathering, random)
    cities = [_dealt_city(faces, random) for _ in range(count)]
    if random.random() < 0.4:
        cities = _with_repeats(cities, random)
    owners = random.choice([None, (0, 1, 1, 0), (1, 1, 0, 0), (0, 1, 0, 1)])
    return Table(tuple(cities), variant, owners if variant is Variant.TWO_PLAYER else None)


def with_gaps(table: Table, random: Random) -> Table:
    """The same table with some tiles taken away, at least one left in each city."""
    cities = []
    for city in table.cities:
        kept, gone = random.randrange(16), random.random() * 0.7
        grid = tuple(
            tuple(
                face if 4 * row + column == kept or random.random() > gone else None
                for column, face in enumerate(faces)
            )
            for row, faces in enumerate(city.grid)
        )
        cities.append(City(grid))
    return replace(table, cities=tuple(cities))


def _shuffled(faces: list[Face], gathering: float, random: Random) -> list[Face]:
    kinds = list(Face)
    random.shuffle(kinds)
    return sorted(faces, key=lambda face: random.random() + gathering * kinds.index(face))


def _dealt_city(faces: list[Face], random: Random) -> City:
    """A city filled row by row, or in any order."""
    tiles = [faces.pop() for _cell in range(16)]
    if random.random() < 0.5:
        random.shuffle(tiles)
    return City(tuple(tuple(tiles[start : start + 4]) for start in range(0, 16, 4)))


def _with_repeats(cities: list[City], random: Random) -> list[City]:
    """Replace cities by turned copies of others as long as the supply allows it."""
    for _ in range(len(cities)):
        source, target = random.sample(range(len(cities)), 2)
        turned = tuple(zip(*cities[source].grid[::-1], strict=True))
        repeated = [*cities[:target], City(turned), *cities[target + 1 :]]
        faces = [face for city in repeated for row in city.grid for face in row]
        if all(faces.count(face) <= supply.total for face, supply in SUPPLY.items()):
            cities = repeated
    return cities
