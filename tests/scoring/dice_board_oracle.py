"""A second, plain scoring of the dice board, to compare with: a player walks over the board plot
by plot and looks which card lies there. It shares nothing with the package."""


def table_results(table):
    """Plot values, points of the companies, points by player, and the names of the winners."""
    values = plain_values(table.board.row_numbers, table.board.column_numbers)
    points = [company_points(company.plots, values) for company in table.companies]
    totals = {}
    for company, worth in zip(table.companies, points, strict=True):
        totals[company.player] = totals.get(company.player, 0) + worth
    winners = []
    for player in totals:
        beaten = [other for other in totals if totals[other] > totals[player]]
        if not beaten:
            winners.append(player)
    return values, points, totals, winners


def plain_values(row_numbers, column_numbers):
    values = []
    for r in range(len(row_numbers)):
        values.append([])
        for c in range(len(column_numbers)):
            values[r].append(row_numbers[r] + column_numbers[c])
    return values


def company_points(plots, values):
    points, cards = 0, 0
    for r, row in enumerate(values):
        for c, value in enumerate(row):
            if (r, c) in plots:
                points += value
                cards += 1
    return points if cards == 4 else 0
