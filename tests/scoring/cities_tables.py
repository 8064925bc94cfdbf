"""Tables of Cities for the tests: the printed examples, a tied one, and random ones."""

from random import Random

from scoring.faces import Cell, Field
from scoring.games.cities.notation import parse_city
from scoring.games.cities.table import CITY_SIZE, City, Fields, Table

ALL_CELLS = [(row, column) for row in range(CITY_SIZE) for column in range(CITY_SIZE)]

# The rulebook shows pictures, which these cities replace: what the text says of each tourist
# holds in them. The tourists have the letters of the text and are listed in its order.
LEVEL_1 = (
    "SCWWPPCW/CWWWPPWW/WWWWPWWW/SSSCWWWW/SSSCWPPC/WWCWWCCC/SSWWPPWW/SWWCPPWS",
    {"A": (0, 0), "B": (3, 0), "C": (4, 2), "D": (1, 4), "E": (4, 6), "F": (4, 7)},
)
LEVEL_2_CAFES = (
    "CWWSSWCS/WSSPPCSS/WSPPSSSP/PSCWWCSS/SSSSPWPP/SPPSSPSS/SPWPSCWS/SSWSSPSS",
    {"A": (0, 0), "B": (3, 2), "C": (3, 5), "D": (6, 5)},
)
LEVEL_3_SIGHTS = (
    "SSCSWWPP/PPWPWWPP/PCCPWSSW/SSSSCWSW/SSSSWWWP/WPWWPCPP/CWPSSWCC/WWPSCWCS",
    {"A": (0, 0), "B": (3, 0), "C": (4, 3), "D": (0, 3)},
)
LEVEL_3_PARKS = (
    "PPWPPCSS/SCSPPSSC/SSWPPCWW/CSSWCSWP/PPSSWWSP/PWCSSCCP/SSCWWPPS/SCSSWPSS",
    {"A": (0, 1), "B": (2, 4)},
)
LEVEL_3_CAFES = (
    "CWWPSSCS/PSSWSCWC/WSSWSPPW/PSSCSWWP/SSCSSPCP/SCWCPWSW/WCPSPPSW/WWPSCWSC",
    {"A": (0, 0), "B": (5, 1), "C": (5, 3), "D": (3, 3)},
)


def printed_city(example: tuple[str, dict[str, Cell]]) -> City:
    text, tourists = example
    return City(parse_city(text).fields, tuple(tourists.values()))


def table_of(*texts: str, level: int = 1, **more) -> Table:
    return Table(tuple(map(parse_city, texts)), level, **more)


def example_table() -> Table:
    """Three players at level 3, two of them with 16 points.

    P1: a tourist on 2 sights beside 1 cafe (3), on 1 sight beside the same cafe (2), on 8 sights
        beside 3 cafes (11), and a second one on these 8 (0): 16.
    P2: on 2 parks beside 2 waters (4), on 6 parks beside 5 waters (11), in a cafe that sees
        1 water (1): 16. The best tourists are equal, the second best wins: 4 to 3.
    P3: four cafes that see 6, 3, 1 and 3 fields: 13.
    """
    return table_of(
        "sSCsWWPP/PPWPWWPP/PCCPWSSW/sSSSCWSW/SSSsWWWP/WPWWPCPP/CWPSSWCC/WWPSCWCS",
        "pPWPPCSS/WCSpPWSC/SSWPPWWW/CSSWCSWP/PPSSWWSP/SWcSSCCP/SSCWWPPS/SCSSWPSS",
        "cWWPSSCS/PSSWSCWC/WSSWSPPW/PSScSWWP/SSCSSPCP/ScWcPWSW/WCPSPPSW/WWPSCWSC",
        level=3,
    )


def corner(text: str) -> City:
    """A city with these fields in its top left corner and none elsewhere, for lenient scores."""
    rows = [row.ljust(CITY_SIZE, ".") for row in text.split("/")]
    empty = ["." * CITY_SIZE] * (CITY_SIZE - len(rows))
    return parse_city("/".join([*rows, *empty]))


def turned(city: City) -> City:
    """The same city after a quarter turn clockwise, its tourists listed in the same order."""
    last = CITY_SIZE - 1
    fields = tuple(zip(*city.fields[::-1], strict=True))
    return City(fields, tuple((column, last - row) for row, column in city.tourists))


def random_table(random: Random, *, gaps: bool = False) -> Table:
    """A table of 1 to 6 players.

    In some tables like fields are gathered, so that large areas and long views occur; in some
    they are scattered with few tourists, or the cities are the same, so that players tie.

    Args:
        random: Source of the random numbers.
        gaps: True to leave out some fields, for a lenient score.
    """
    gathering = random.choice([0.0, 0.0, 0.5, 0.8])
    fewest, most = random.choice([(0, 2), (3, 4), (0, 7)])
    cities = []
    for _ in range(random.randint(1, 6)):
        fields = _random_fields(random, gathering)
        if gaps:
            fields = _with_gaps(fields, random)
        cities.append(_with_tourists(fields, random.randint(fewest, most), random))
    alike = random.random()
    if alike < 0.2:
        cities = [turned(random.choice(cities)) for _ in cities]
    elif alike < 0.4:
        cities = [_with_tourists(cities[0].fields, most, random) for _ in cities]
    return Table(tuple(cities), random.choice([1, 2, 3]))


def _random_fields(random: Random, gathering: float) -> Fields:
    """Fields of which some, as many as ``gathering`` says, are those above or to the left."""
    weights = [1 + random.random() * 5 * gathering for _ in Field]
    new = random.choices(list(Field), weights, k=CITY_SIZE * CITY_SIZE)
    rows: list[list[Field]] = []
    for row in range(CITY_SIZE):
        rows.append([])
        for column in range(CITY_SIZE):
            earlier = rows[row][-1:] + ([rows[row - 1][column]] if row else [])
            gathered = earlier and random.random() < gathering
            rows[row].append(random.choice(earlier) if gathered else new.pop())
    return tuple(map(tuple, rows))


def _with_gaps(fields: Fields, random: Random) -> Fields:
    """The same fields with some taken away, at least one left."""
    share = random.random() * 0.5
    kept = random.choice(ALL_CELLS)
    return tuple(
        tuple(
            field if (row, column) == kept or random.random() >= share else None
            for column, field in enumerate(line)
        )
        for row, line in enumerate(fields)
    )


def _with_tourists(fields: Fields, count: int, random: Random) -> City:
    dry = [cell for cell in ALL_CELLS if fields[cell[0]][cell[1]] is not Field.WATER]
    return City(fields, tuple(random.sample(dry, min(count, len(dry)))))
