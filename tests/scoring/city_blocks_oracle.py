"""A second, plain scoring of City Blocks, to compare with. It follows the words of the rulebook
("Bonus verteilen", "Sieger") building by building and shares nothing with the package."""


def plain_board(grid):
    """Owner, kind and value in plain words by row and column, without the empty plots."""
    return {
        (r, c): (str(plot.owner), str(plot.kind), plot.value)
        for r, row in enumerate(grid)
        for c, plot in enumerate(row)
        if plot is not None
    }


def street_cells():
    for r in range(5):
        yield [(r, 0), (r, 1), (r, 2), (r, 3), (r, 4), (r, 5)]
    for c in range(6):
        yield [(0, c), (1, c), (2, c), (3, c), (4, c)]


def counts_in(kind, others):
    """Whether a building of this kind counts its value among the kinds of its street."""
    if kind == "shop":
        return True
    if kind == "factory":
        return "school" not in others and "mall" not in others
    if kind == "house":
        return "power-plant" not in others and "mall" not in others
    return False


def street_results(board, values):
    """Blue, red, winner and bonus of all streets; ``values`` of the rows, then the columns."""
    results = []
    for cells, value in zip(street_cells(), values, strict=True):
        kinds = [board[cell][1] for cell in cells if cell in board]
        sums = {"blue": 0, "red": 0}
        for cell in cells:
            if cell in board:
                owner, kind, number = board[cell]
                if counts_in(kind, kinds):
                    sums[owner] += number
        winner = None
        if all(cell in board for cell in cells):
            if sums["blue"] > sums["red"]:
                winner = "blue"
            if sums["red"] > sums["blue"]:
                winner = "red"
        bonus = value if winner and value else 0
        results.append((sums["blue"], sums["red"], winner, bonus))
    return results


def table_results(table):
    """Streets, totals of blue and red, and winners of a table."""
    board = plain_board(table.grid)
    if table.collected is not None:
        streets = street_results(board, [None] * 11)
        blue, red = sum(table.collected.blue), sum(table.collected.red)
    else:
        streets = street_results(board, [*table.row_values, *table.column_values])
        blue = sum(bonus for _, _, winner, bonus in streets if winner == "blue")
        red = sum(bonus for _, _, winner, bonus in streets if winner == "red")
    if blue == red:
        return streets, (blue, red), ["blue", "red"]
    return streets, (blue, red), ["blue" if blue > red else "red"]
