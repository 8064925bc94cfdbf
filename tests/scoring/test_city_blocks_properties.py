"""What holds for every board, and agreement with a second, plain scoring."""

from collections import Counter

import city_blocks_oracle as oracle
from city_blocks_tables import dealt_table
from dealing import seeded

from scoring.faces import Side
from scoring.games.city_blocks import score, status
from scoring.games.city_blocks.sheet import Basis, ReasonKind, Street, StreetLine
from scoring.games.city_blocks.table import Board


def street_cells(street) -> list[tuple[int, int]]:
    if street.line is StreetLine.ROW:
        return [(street.index, column) for column in range(6)]
    return [(row, street.index) for row in range(5)]


def check_reasons(street: Street, grid: Board) -> None:
    """They add up, name every building once, and say why some count nothing."""
    for side, total in ((Side.BLUE, street.blue), (Side.RED, street.red)):
        own = [reason for reason in street.reasons if reason.side is side]
        assert total == sum(reason.points for reason in own)
        assert {b.owner for reason in own for b in reason.buildings} <= {side}
    named = [building for reason in street.reasons for building in reason.buildings]
    assert sorted((b.cell, b.owner, b.kind, b.value) for b in named) == [
        ((r, c), plot.owner, plot.kind, plot.value or 0)
        for r, c in street_cells(street)
        if (plot := grid[r][c]) is not None
    ]
    special = {b for r in street.reasons if r.kind is ReasonKind.SPECIAL for b in r.buildings}
    for reason in street.reasons:
        assert reason.buildings
        assert list(reason.cells) == sorted(reason.cells)
        assert set(reason.void_by) <= special
        assert bool(reason.void_by) == reason.kind.endswith("-void")
        values = [building.value for building in reason.buildings]
        assert reason.points == (sum(values) if reason.kind is ReasonKind.COUNTED else 0)


def test_dealt_tables_score_as_the_plain_scoring_says():
    seen: Counter[str] = Counter()
    for seed in range(600):
        table = dealt_table(seeded(seed))
        assert status(table) == ()
        sheet = score(table)
        streets, totals, winners = oracle.table_results(table)
        assert [(s.blue, s.red, s.winner, s.bonus) for s in sheet.streets] == streets
        assert (sheet.totals.blue, sheet.totals.red) == totals
        assert list(sheet.winners) == winners
        for street in sheet.streets:
            assert street.full == all(table.grid[r][c] for r, c in street_cells(street))
            check_reasons(street, table.grid)
            seen["tie"] += street.full and street.winner is None
            seen["not full"] += not street.full
            seen["won a tile that is gone"] += street.winner is not None and street.value is None
            seen.update(reason.kind for reason in street.reasons)
        for side in Side:
            assert sum(sheet.tiles[side]) == sheet.totals[side]
        seen[sheet.basis] += 1
        seen["shared"] += len(winners) == 2 and totals[0] > 0
    # It would show little if ties and void buildings never occurred
    wanted = {*Basis, *ReasonKind, "shared", "tie", "not full", "won a tile that is gone"}
    assert {what: seen[what] for what in wanted if seen[what] < 3} == {}
