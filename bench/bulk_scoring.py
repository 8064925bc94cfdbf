"""Measure ``score_cities``: cities per second on one core, beside ``score`` in the same run.

    python -m bench.bulk_scoring [--tables N] [--explained N] [--repeats N] [--seed N]

What the numbers mean: bench/README.md.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from typing import TypeVar

from scoring.faces import Face
from scoring.games.between_two_cities import SUPPLY, score
from scoring.games.between_two_cities.bulk_scoring import park_table, score_cities, shop_table
from scoring.games.between_two_cities.legality import CITY_COUNTS
from scoring.games.between_two_cities.score_sheet import Points
from scoring.games.between_two_cities.table import CITY_SIZE, City, Table, Variant

TABLES_AT_A_TIME = 100
"""Tables kept in memory before they are scored."""

Grids = list[list[list[str]]]
"""The cities of one table, as ``json`` reads them."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Duration:
    """Time that a piece of work took, in seconds."""

    wall_s: float
    cpu_s: float

    def __add__(self, other: "Duration") -> "Duration":
        return Duration(self.wall_s + other.wall_s, self.cpu_s + other.cpu_s)

    def by(self, count: int) -> "Duration":
        """Return the time of one of ``count`` equal parts of the work."""
        return Duration(self.wall_s / count, self.cpu_s / count)


def main() -> None:
    """Measure and print; exit with 1 if the points are not those of ``score``."""
    options = _parse_options()
    texts = deal_tables(options.tables, options.seed)
    cities = sum(len(json.loads(text)) for text in texts)
    print(f"{cities} cities on {len(texts)} tables, all different (seed {options.seed})")

    builds = [_measure(_make_lookup_tables)[1] for _ in range(options.repeats)]
    print(f"lookup tables made in {_spread([1000 * build.wall_s for build in builds], 'ms')}")

    expected, explained = _score_explained(texts[: options.explained])
    scored = []
    for _ in range(options.repeats):
        points, duration = _score_in_bulk(texts)
        if points[: len(expected)] != expected:
            sys.exit("the points differ from those of score")
        scored.append(duration.by(cities))

    print(f"score_cities: {_spread([1 / city.wall_s for city in scored], 'cities/s')}")
    print(f"       {_spread([1e6 * city.cpu_s for city in scored], 'µs of CPU a city', 2)}")
    ratio = explained.cpu_s / median(city.cpu_s for city in scored)
    print(f"score: {1 / explained.wall_s:,.0f} cities/s")
    print(f"       {1e6 * explained.cpu_s:.2f} µs of CPU a city, {ratio:.0f} times that in bulk")
    print(f"points equal to those of score on {len(expected)} tables")


def deal_tables(count: int, seed: int) -> list[str]:
    """Deal tables of 3 to 7 cities at random from the tiles of the box.

    Returns:
        The cities of each table as JSON text; no city occurs twice.
    """
    random = Random(seed)  # noqa: S311  (tiles are dealt, nothing is kept secret)
    box = [face.value for face, supply in SUPPLY.items() for _ in range(supply.total)]
    fewest, most = CITY_COUNTS[Variant.STANDARD]
    earlier: set[str] = set()
    texts: list[str] = []
    while len(texts) < count:
        size = random.randint(fewest, most)
        tiles = iter(random.sample(box, size * CITY_SIZE * CITY_SIZE))
        grids = [
            [[next(tiles) for _ in range(CITY_SIZE)] for _ in range(CITY_SIZE)] for _ in range(size)
        ]
        cities = {json.dumps(grid) for grid in grids}
        if len(cities) == size and earlier.isdisjoint(cities):
            earlier |= cities
            texts.append(json.dumps(grids))
    return texts


def make_table(grids: Grids) -> Table:
    """Return the same cities as ``score`` takes them."""
    return Table(
        tuple(City(tuple(tuple(Face(name) for name in row) for row in grid)) for grid in grids)
    )


def _score_explained(texts: Sequence[str]) -> tuple[list[list[Points]], Duration]:
    """Return the points of tables by ``score``, and its time for a city."""
    tables = [make_table(json.loads(text)) for text in texts]
    sheets, duration = _measure(lambda: [score(table) for table in tables])
    points = [[city.points for city in sheet.cities] for sheet in sheets]
    return points, duration.by(sum(map(len, points)))


def _score_in_bulk(texts: Sequence[str]) -> tuple[list[list[Points]], Duration]:
    """Return the points of all tables by ``score_cities``, and its time.

    The tables are read anew, outside the time: a text that has been looked up before is looked
    up faster, as it remembers its hash. A few are read at a time, as by a program that goes
    through a file.
    """
    points: list[list[Points]] = []
    total = Duration(0, 0)
    for start in range(0, len(texts), TABLES_AT_A_TIME):
        tables: list[Grids] = [json.loads(text) for text in texts[start : start + TABLES_AT_A_TIME]]
        found, duration = _measure(partial(_score_all, tables))
        points += found
        total += duration
    return points, total


def _score_all(tables: list[Grids]) -> list[list[Points]]:
    return [score_cities(grids) for grids in tables]


def _make_lookup_tables() -> None:
    for lookup_table in (shop_table, park_table):
        lookup_table.cache_clear()
        lookup_table()


def _measure(work: Callable[[], Result]) -> tuple[Result, Duration]:
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    result = work()
    return result, Duration(time.perf_counter() - wall_s, time.process_time() - cpu_s)


def _spread(values: Sequence[float], unit: str, digits: int = 0) -> str:
    low, middle, high = (f"{f(values):,.{digits}f}" for f in (min, median, max))
    return f"{middle} {unit} (median of {len(values)}; {low} to {high})"


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too few; give at least 1")
    return number


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--tables", type=_at_least_one, default=4000, help="how many to score in bulk"
    )
    parser.add_argument(
        "--explained", type=_at_least_one, default=500, help="how many of them to score"
    )
    parser.add_argument(
        "--repeats", type=_at_least_one, default=9, help="how often to score all of them"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the tables")
    return parser.parse_args()


if __name__ == "__main__":
    main()
