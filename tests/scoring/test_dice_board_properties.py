"""Invariants of tables of the dice board."""

from collections import Counter

from scoring.games.dice_board import list_breaches, score
from tests.scoring.dealing import seeded
from tests.scoring.dice_board_tables import dealt_table


def test_dealt_tables_are_scored_as_the_rulebook_says():
    seen: Counter[str] = Counter()
    for seed in range(600):
        table = dealt_table(seeded(seed))
        assert list_breaches(table) == ()
        sheet, board = score(table), table.board
        values = [[row + column for column in board.column_numbers] for row in board.row_numbers]
        assert [list(row) for row in sheet.plot_values] == values
        totals = dict.fromkeys(table.players, 0)
        for company, given_company in zip(sheet.companies, table.companies, strict=True):
            assert tuple(plot.cell for plot in company.plots) == given_company.plots
            worth = [values[row][column] for row, column in given_company.plots]
            assert [plot.value for plot in company.plots] == worth
            assert company.points == (sum(worth) if len(worth) == 4 else 0)
            for plot in company.plots:
                row, column = plot.cell
                assert plot.row_number == board.row_numbers[row]
                assert plot.column_number == board.column_numbers[column]
            totals[company.player] += company.points
            seen["complete"] += company.complete
            seen["incomplete"] += 0 < len(worth) < 4
            seen["no card"] += not worth
        best = max(totals.values())
        assert sheet.totals == tuple(totals.items())
        assert sheet.winners == tuple(name for name, total in totals.items() if total == best)
        seen["shared"] += len(sheet.winners) > 1 and best > 0
        seen["four players"] += len(totals) == 4
        seen["five companies"] += len(table.companies) >= 5
    # It would show little if complete companies and ties never occurred
    assert min(seen.values()) >= 10, seen
