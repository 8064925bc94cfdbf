"""Invariants of boards of City Blocks."""

from collections import Counter

from scoring.faces import Side
from scoring.games.city_blocks import list_breaches, score
from scoring.games.city_blocks.score_sheet import Basis, ReasonKind, Street, StreetDirection
from scoring.games.city_blocks.table import Board
from tests.scoring.city_blocks_tables import dealt_table
from tests.scoring.dealing import seeded


def street_cells(street) -> list[tuple[int, int]]:
    if street.direction is StreetDirection.ROW:
        return [(street.index, column) for column in range(6)]
    return [(row, street.index) for row in range(5)]


VOID = {"house": {"power-plant", "mall"}, "factory": {"school", "mall"}}
"""Buildings that make those of the key count nothing in the same street."""


def worth(plots, side):
    kinds = {plot.kind for plot in plots if plot}
    return sum(
        plot.value or 0
        for plot in plots
        if plot and plot.owner is side and not VOID.get(plot.kind, set()) & kinds
    )


def check_reasons(street: Street, grid: Board) -> None:
    """Check that reasons add up, name every building once, and explain zeros."""
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


def test_dealt_tables_are_scored_as_the_rulebook_says():
    seen: Counter[str] = Counter()
    for seed in range(600):
        table = dealt_table(seeded(seed))
        assert list_breaches(table) == ()
        sheet = score(table)
        tiles = [*(table.row_values or [None] * 5), *(table.column_values or [None] * 6)]
        won = dict.fromkeys(Side, 0)
        for street, tile in zip(sheet.streets, tiles, strict=True):
            plots = [table.grid[r][c] for r, c in street_cells(street)]
            blue, red = (worth(plots, side) for side in Side)
            assert (street.blue, street.red, street.full) == (blue, red, None not in plots)
            winner = (
                (Side.BLUE if blue > red else Side.RED) if street.full and blue != red else None
            )
            assert street.winner == winner
            assert street.bonus == (tile or 0 if winner else 0)
            if winner:
                won[winner] += street.bonus
            check_reasons(street, table.grid)
            seen["tie"] += street.full and winner is None
            seen["not full"] += not street.full
            seen["won a tile that is gone"] += winner is not None and street.value is None
            seen.update(reason.kind for reason in street.reasons)
        if table.collected is not None:
            won = {side: sum(table.collected[side]) for side in Side}
        assert {side: sheet.totals[side] for side in Side} == won
        assert {side: sum(sheet.tiles[side]) for side in Side} == won
        assert sheet.winners == tuple(side for side in Side if won[side] == max(won.values()))
        seen[sheet.basis] += 1
        seen["shared"] += len(sheet.winners) == 2 and won[Side.RED] > 0
    # It would show little if ties and void buildings never occurred
    wanted = {*Basis, *ReasonKind, "shared", "tie", "not full", "won a tile that is gone"}
    assert {what: seen[what] for what in wanted if seen[what] < 3} == {}
