"""What holds for every table, and agreement with a second, plain scoring."""

from collections import Counter

import dice_board_oracle as oracle
from dealing import seeded
from dice_board_tables import dealt_table

from scoring.games.dice_board import score, status


def test_dealt_tables_score_as_the_plain_scoring_says():
    seen: Counter[str] = Counter()
    for seed in range(600):
        table = dealt_table(seeded(seed))
        assert status(table) == ()
        sheet = score(table)
        values, points, totals, winners = oracle.table_results(table)
        assert [list(row) for row in sheet.plot_values] == values
        assert [company.points for company in sheet.companies] == points
        assert list(sheet.totals) == list(totals.items())
        assert list(sheet.winners) == winners
        for company, given_company in zip(sheet.companies, table.companies, strict=True):
            assert tuple(plot.cell for plot in company.plots) == given_company.plots
            for plot in company.plots:
                row, column = plot.cell
                assert plot.row_number == table.board.row_numbers[row]
                assert plot.column_number == table.board.column_numbers[column]
                assert plot.value == values[row][column]
            seen["complete"] += company.complete
            seen["incomplete"] += 0 < len(company.plots) < 4
            seen["no card"] += not company.plots
        seen["shared"] += len(winners) > 1 and max(totals.values()) > 0
        seen["four players"] += len(totals) == 4
        seen["five companies"] += len(points) >= 5
    # It would show little if complete companies and ties never occurred
    assert min(seen.values()) >= 10, seen
