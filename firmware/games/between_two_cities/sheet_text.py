"""A sheet of Between Two Cities as text for a terminal of any width from 40 columns on.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from collections.abc import Collection, Sequence
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import Doubts, doubts_in_words, has_factories
from firmware.errors import printable
from firmware.games.between_two_cities.grid_text import print_grids
from firmware.games.between_two_cities.sentences import (
    category_name,
    reason_sentence,
    tie_break_sentence,
)
from firmware.language import _
from firmware.results import winner_sentence
from firmware.text_layout import CHECK_STYLE, place_name, wrapped
from scoring.games.between_two_cities.sheet import Category, CityScore, PlayerScore, Sheet
from scoring.games.between_two_cities.table import Table, Variant

_CATEGORY_WIDTH: Final = 13
_CITY_WIDTH: Final = 6
"""Columns that a city takes in the table of points: three digits, a mark, the space beside it."""
_MOST_CELLS_WIDTH: Final = 36
"""Columns for the cells of a reason: nine of them."""


def print_sheet(
    console: Console,
    sheet: Sheet,
    table: Table,
    *,
    doubts: Doubts | None = None,
    reasons: bool = False,
) -> None:
    """The cities, their points by type, the players by rank, and the winner.

    Points that may still change have a ``?``, and a line before the winner says why.

    Args:
        console: where to print.
        sheet: the score of the table.
        table: what was scored.
        doubts: what may still change the result; None: only its missing tiles.
        reasons: also say why each point is given.
    """
    if doubts is None:
        doubts = Doubts(missing=sheet.missing)
    open_cities = frozenset(
        index
        for index, city in enumerate(table.cities)
        if doubts.may_change_total(index, has_factories=has_factories(city.grid))
    )
    open_players = _changeable_players(sheet, doubts, open_cities)
    print_grids(console, [city.grid for city in table.cities], doubts.unsure)
    _print_points(console, sheet, open_cities)
    if reasons:
        for city in sheet.cities:
            console.print(_reasons_table(city, console.width))
    console.print(_players_table(sheet, open_cities, open_players))
    _print_tie_breaks(console, sheet)
    if doubts.count:
        console.print(
            Text(
                _("May change: {doubts}").format(doubts=doubts_in_words(doubts)), style=CHECK_STYLE
            )
        )
    console.print(Text(_winner_line(sheet, open_players), style="bold"))
    if sheet.missing:
        places = [place_name(place) for place in sheet.missing]
        said = wrapped(places, console.width, title=_("Scored without the missing tiles:"))
        console.print(Text(said, style=CHECK_STYLE))


def _changeable_players(
    sheet: Sheet, doubts: Doubts, open_cities: Collection[int]
) -> frozenset[int]:
    """Whose final points may still change; an unread city may lie between any two players."""
    players = range(len(sheet.players))
    if doubts.unread or not doubts.owners_known:
        return frozenset(players)
    return frozenset(
        player
        for player in players
        if any(city in open_cities for city in sheet.players[player].cities)
    )


def _marked(points: int, *, may_change: bool) -> str:
    return f"{points}?" if may_change else f"{points}"


def _print_points(console: Console, sheet: Sheet, open_cities: Collection[int]) -> None:
    """Points by type, as many cities beside each other as there is room for."""
    per_table = max(1, (console.width - _CATEGORY_WIDTH) // _CITY_WIDTH)
    for start in range(0, len(sheet.cities), per_table):
        console.print(_points_table(sheet.cities[start : start + per_table], start, open_cities))


def _points_table(cities: Sequence[CityScore], start: int, open_cities: Collection[int]) -> Rows:
    rows = Rows(box=box.SIMPLE_HEAD)
    rows.add_column("")
    for city in cities:
        rows.add_column(city.name, justify="right")
    for category in Category:
        rows.add_row(category_name(category), *(str(city.points[category]) for city in cities))
    rows.add_section()
    totals = (
        _marked(city.total, may_change=index in open_cities)
        for index, city in enumerate(cities, start)
    )
    rows.add_row(_("total"), *totals, style="bold")
    return rows


def _reasons_table(city: CityScore, width: int) -> Rows:
    rows = Rows(
        box=None,
        title=_("City {letter}").format(letter=city.name),
        title_justify="left",
        title_style="bold",
    )
    rows.add_column(_("points"), justify="right")
    rows.add_column(_("for"), ratio=1, overflow="fold")
    rows.add_column(_("cells (row,column)"), width=min(_MOST_CELLS_WIDTH, width // 3))
    for reason in city.reasons:
        cells = " ".join(f"{row},{column}" for row, column in reason.cells)
        rows.add_row(str(reason.points), reason_sentence(reason), cells)
    rows.add_row(Text(str(city.total), style="bold"), Text(_("total"), style="bold"))
    return rows


def _players_table(
    sheet: Sheet, open_cities: Collection[int], open_players: Collection[int]
) -> Rows:
    is_sum = sheet.variant is Variant.TWO_PLAYER
    rows = Rows(box=box.SIMPLE_HEAD)
    rows.add_column(_("rank"), justify="right", min_width=4)
    rows.add_column(_("player"), overflow="fold", min_width=6)
    rows.add_column(_("left city"), min_width=5)
    rows.add_column(_("right city"), min_width=5)
    rows.add_column(_("both") if is_sum else _("lower"), justify="right", min_width=5)
    for index in _by_rank(sheet):
        player = sheet.players[index]
        cities = (
            f"{sheet.cities[city].name} "
            + _marked(sheet.cities[city].total, may_change=city in open_cities)
            for city in player.cities
        )
        rows.add_row(
            str(player.rank),
            printable(player.name),
            *cities,
            _marked(player.final, may_change=index in open_players),
            style="bold" if player.rank == 1 else "",
        )
    return rows


def _by_rank(sheet: Sheet) -> list[int]:
    return sorted(range(len(sheet.players)), key=lambda index: sheet.players[index].rank)


def _print_tie_breaks(console: Console, sheet: Sheet) -> None:
    tied = [sheet.players[index] for index in _by_rank(sheet) if sheet.players[index].tie_break]
    if not tied:
        return
    console.print(Text(_("Tie-breaks:")))
    for player in tied:
        console.print(Text(f"  {printable(player.name)}, {_tie_break(player, sheet)}"))
    console.print()


def _tie_break(player: PlayerScore, sheet: Sheet) -> str:
    names = [printable(other.name) for other in sheet.players]
    return "" if player.tie_break is None else tie_break_sentence(player.tie_break, names)


def _winner_line(sheet: Sheet, open_players: Collection[int]) -> str:
    first = sheet.players[sheet.winners[0]]
    may_change = any(index in open_players for index in sheet.winners)
    points = _marked(first.final, may_change=may_change)
    winners = [printable(sheet.players[index].name) for index in sheet.winners]
    return winner_sentence(
        winners, points, first.final, _tie_break(first, sheet) if first.tie_break else None
    )
