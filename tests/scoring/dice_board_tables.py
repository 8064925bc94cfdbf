"""Tables of the dice board for the tests: a hand-checked one, drawn ones and dealt ones."""

from random import Random

from scoring.faces import Cell
from scoring.games.dice_board.table import Board, Company, Table

# Each letter is a company and stands where its cards lie. X and Y are worth what the companies of
# these names in the rulebook are; the card b lies on a plot with the numbers of its plot A.
EXAMPLE_DRAWING = """
    YY..........
    YY..........
    ............
    ..........ZZ
    ....b..XX.ZZ
    .....ggXX...
    .....g......
    ............
    ..WW........
    ..WW........
    VV..........
    VV..........
"""
EXAMPLE_OWNERS = {
    "X": "Red",
    "W": "Blue",
    "g": "Green",
    "Y": "Red",
    "Z": "Blue",
    "b": "Yellow",
    "V": "Green",
}


def drawn_table(drawing: str, owners: dict[str, str], board: Board | None = None) -> Table:
    """A table from a drawing of its board, the companies in the order of ``owners``."""
    rows = drawing.split()
    companies = []
    for letter, player in owners.items():
        plots = tuple(
            (row, column)
            for row, cards in enumerate(rows)
            for column, card in enumerate(cards)
            if card == letter
        )
        companies.append(Company(player, plots, letter))
    return Table(tuple(companies), Board() if board is None else board)


def example_table() -> Table:
    return drawn_table(EXAMPLE_DRAWING, EXAMPLE_OWNERS)


def block(row: int, column: int) -> tuple[Cell, ...]:
    """The 2x2 plots with this one at the top left."""
    return ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))


def dealt_table(random: Random) -> Table:
    """A legal table: one to four players, complete and incomplete companies, any board.

    The numbers along the edges are often the same on both sides, and then players often tie.
    """
    board = _dealt_board(random)
    rows, columns = len(board.row_numbers), len(board.column_numbers)
    free = {(row, column) for row in range(rows) for column in range(columns)}
    completed = random.choice([0.2, 0.6, 1.0])
    companies = []
    for player in ("Red", "Blue", "Green", "Yellow")[: random.randint(1, 4)]:
        for number in range(random.randint(1, 5)):
            if random.random() < completed:
                where = (random.randrange(rows - 1), random.randrange(columns - 1))
                plots = random.sample(block(*where), 4)
            else:
                plots = random.sample(sorted(free), min(len(free), random.randrange(4)))
            if free.issuperset(plots):
                free.difference_update(plots)
                name = random.choice([None, f"Company {number}"])
                companies.append(Company(player, tuple(plots), name))
    random.shuffle(companies)
    return Table(tuple(companies) or (Company("Red", ()),), board)


def _dealt_board(random: Random) -> Board:
    if random.random() < 0.5:
        return Board()
    highest = random.choice([0, 1, 3, 99])
    row_numbers, column_numbers = (
        tuple(random.randint(0, highest) for _ in range(random.randint(2, 14))) for _ in range(2)
    )
    return Board(row_numbers, column_numbers)
