"""What holds for every table, and agreement with a second, plain scoring."""

from collections import Counter

import dice_board_oracle as oracle
import pytest
from dealing import seeded
from dice_board_tables import dealt_table

from scoring.games.dice_board import score, status


@pytest.mark.parametrize("part", range(4))
def test_dealt_tables_score_as_the_plain_scoring_says(part):
    for seed in range(150 * part, 150 * (part + 1)):
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


def test_dealt_tables_hold_what_they_are_meant_to_test():
    """The comparison above would show little if complete companies and ties never occurred."""
    seen: Counter[str] = Counter()
    for seed in range(400):
        sheet = score(dealt_table(seeded(seed)))
        seen["shared"] += len(sheet.winners) > 1 and max(dict(sheet.totals).values()) > 0
        seen["four players"] += len(sheet.totals) == 4
        seen["five companies"] += len(sheet.companies) >= 5
        for company in sheet.companies:
            seen["complete"] += company.complete
            seen["incomplete"] += 0 < len(company.plots) < 4
            seen["no card"] += not company.plots
    assert {what: times for what, times in seen.items() if times < 10} == {}
    assert len(seen) == 6
