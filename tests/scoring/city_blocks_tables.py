"""Boards of City Blocks for the tests: a hand-checked one, and dealt ones."""

from random import Random

from scoring.faces import BuildingKind, Side
from scoring.games.city_blocks.notation import parse_board
from scoring.games.city_blocks.table import COLUMNS, ROWS, Board, Building, PlayerTiles, Table

# The first three rows have the sums of the rulebook's streets Adams, Buchanan and Cleveland Blvd.
# The rulebook shows pictures; these buildings are ours.
EXAMPLE_BOARD = """
    bS2 rS4 rC  bH3 rH2 bC  /
    bH1 rF3 bE  rF7 bF4 rE  /
    rH5 bP  bS3 rM  bF5 rF4 /
    bH4 rS6 bE  bS5 rH3 rE  /
    bF6 --  rF5 bH2 rP  rS5
"""
EXAMPLE_ROW_VALUES = (11, 8, None, 15, 3)
EXAMPLE_COLUMN_VALUES = (1, 9, 4, 10, 2, 13)
# Worked out with pencil and paper: blue, red, winner, bonus; rows first.
EXAMPLE_STREETS = [
    (5, 6, "red", 11),  # 2 + 3 : 4 + 2; both courts count 0
    (1, 0, "blue", 8),  # schools: factories 4 : 3, 7 are void
    (3, 0, "blue", 0),  # power plant and mall: house 5, factories 5 : 4 are void; tile gone
    (9, 9, None, 0),  # 4 + 5 : 6 + 3, a tie
    (6, 10, None, 0),  # not full; power plant: house 2 is void
    (13, 5, "blue", 1),  # 2 + 1 + 4 + 6 : 5
    (0, 13, None, 0),  # not full; 4 + 3 + 6, there is no house for the power plant to void
    (3, 0, "blue", 4),  # schools: factory 5 is void
    (5, 0, "blue", 10),  # mall: houses 3, 2 and factory 7 are void
    (9, 0, "blue", 2),  # 4 + 5; power plant: houses 2, 3 are void
    (0, 5, "red", 13),  # schools: factory 4 is void
]
EXAMPLE_TOTALS = {"blue": 25, "red": 24}  # 8 + 1 + 4 + 10 + 2 : 11 + 13

EMPTY_BOARD: Board = ((None,) * COLUMNS,) * ROWS
NO_VALUES_LEFT = {"row_values": (None,) * ROWS, "column_values": (None,) * COLUMNS}

BOX = tuple(
    Building(side, kind, value)
    for side in Side
    for kind, values in {
        BuildingKind.HOUSE: (1, 2, 3, 4, 5),
        BuildingKind.SHOP: (2, 3, 4, 5, 6),
        BuildingKind.FACTORY: (3, 4, 5, 6, 7),
        BuildingKind.SCHOOL: (None, None),
        BuildingKind.POWER_PLANT: (None,),
        BuildingKind.MALL: (None,),
        BuildingKind.COURT: (None,),
    }.items()
    for value in values
)
"""The 40 buildings of both players."""


def example_table() -> Table:
    return Table(parse_board(EXAMPLE_BOARD), EXAMPLE_ROW_VALUES, EXAMPLE_COLUMN_VALUES)


def board_of(plots) -> Board:
    """Thirty plots in reading order as rows."""
    return tuple(tuple(plots[start : start + COLUMNS]) for start in range(0, len(plots), COLUMNS))


def dealt_table(random: Random) -> Table:
    """A legal table: full boards and such with gaps, both ways to give values, gone tiles.

    Some boards prefer low values and special buildings, so that streets often tie.
    """
    low_first = random.choice([0.0, 1.0, 3.0])
    box = sorted(BOX, key=lambda plot: random.random() * 7 + low_first * (plot.value or 0))
    plots: list[Building | None] = box[: ROWS * COLUMNS]
    random.shuffle(plots)
    gaps = random.choice([0, 0, 1, 2, 3, 10, 25, 30])
    for gap in random.sample(range(ROWS * COLUMNS), gaps):
        plots[gap] = None
    if random.random() < 0.3:
        return Table(board_of(plots), collected=_dealt_heaps(random))
    gone = random.choice([0.0, 0.2, 0.7, 1.0])
    tiles = random.sample(range(1, 16), ROWS + COLUMNS)
    values = tuple(None if random.random() < gone else tile for tile in tiles)
    return Table(board_of(plots), values[:ROWS], values[ROWS:])


def _dealt_heaps(random: Random) -> PlayerTiles:
    if random.random() < 0.5:  # two low tiles against one, which often have the same sum
        first, second, third = random.sample(range(1, 7), 3)
        return PlayerTiles((first, second), (third,))
    tiles = tuple(random.sample(range(1, 16), ROWS + COLUMNS))
    blue, both = sorted(random.choices(range(len(tiles) + 1), k=2))
    return PlayerTiles(tiles[:blue], tiles[blue:both])
