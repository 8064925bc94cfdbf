"""A sheet of Between Two Cities as text for a terminal of any width from 40 columns on.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from collections.abc import Collection, Iterable, Sequence, Set
from typing import Final

from rich import box
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.table import Table as Rows
from rich.text import Text

from firmware.doubts import Doubt, Doubts
from firmware.errors import printable
from firmware.games.between_two_cities import words
from firmware.language import _
from firmware.places import cells_words
from firmware.terminal import Json
from firmware.text_layout import (
    CHECK_STYLE,
    by_rank,
    place_words,
    print_legend,
    print_may_change,
    print_tie_breaks,
    titled_rows,
    winner_sentence,
    wrapped,
)
from scoring.faces import Cell, Face, Grid, Place, city_name
from scoring.games.between_two_cities.notation import LETTER_OF_FACE
from scoring.games.between_two_cities.sheet import Category, CityScore, PlayerScore, Sheet
from scoring.games.between_two_cities.table import Table, Variant
from vision.reading import Place as PhotoPlace
from vision.reading import PlaceKind

_CATEGORY_WIDTH: Final = 13
_CITY_WIDTH: Final = 6
"""Columns that a city takes in the table of points: three digits, a mark, the space beside it."""
_MOST_CELLS_WIDTH: Final = 36
"""Columns for the cells of a reason: nine of them."""


def print_sheet(
    console: Console, sheet: Sheet, table: Table, doubts: Doubts | None, *, reasons: bool
) -> None:
    """The cities, their points by type, the players by rank, and the winner.

    Points that may still change have a ``?``, and a line before the winner says why; of a table
    that was typed in those with missing tiles. See ``firmware.games.Game.print_sheet``.
    """
    if doubts is None:
        missing = (PhotoPlace(PlaceKind.TILE, city, cell) for city, cell in sheet.missing)
        doubts = Doubts(tuple(Doubt(place, None, missing=True) for place in missing))
    open_cities = frozenset(
        index
        for index, city in enumerate(table.cities)
        if total_may_change(doubts, index, city.grid)
    )
    open_players = _changeable_players(sheet, doubts, open_cities)
    print_grids(console, [city.grid for city in table.cities], unsure_cells(doubts))
    _print_points(console, sheet, open_cities)
    if reasons:
        for city in sheet.cities:
            console.print(_reasons_table(city, console.width))
    console.print(_players_table(sheet, open_cities, open_players))
    ranked = (sheet.players[index] for index in by_rank(sheet.players))
    told = [(printable(player.name), _tie_break(player, sheet)) for player in ranked]
    print_tie_breaks(console, [f"{name}, {said}" for name, said in told if said])
    print_may_change(console, doubts)
    console.print(Text(_winner_line(sheet, open_players), style="bold"))
    if sheet.missing:
        places = [place_words(place) for place in sheet.missing]
        said = wrapped(places, console.width, title=_("Scored without the missing tiles:"))
        console.print(Text(said, style=CHECK_STYLE))


def total_may_change(doubts: Doubts, city: int, grid: Grid) -> bool:
    """Whether the points of a city may still change.

    Factories are ranked over the whole table (rulebook, "Fabriken"), so a tile of one city may
    change the points of every other city that has some.
    """
    of_table = bool(doubts.places or doubts.unread)
    return doubts.of_grid(city) or (of_table and any(Face.FACTORY in row for row in grid))


def unsure_cells(doubts: Doubts) -> list[Place]:
    """The tiles at which a person must look, as cells of the table."""
    return [(doubt.place.grid, doubt.place.cell) for doubt in doubts.unsure]


def _changeable_players(sheet: Sheet, doubts: Doubts, open_cities: Set[int]) -> frozenset[int]:
    """Whose final points may still change; an unread city may lie between any two players."""
    return frozenset(
        index
        for index, player in enumerate(sheet.players)
        if doubts.unread or doubts.notes or not open_cities.isdisjoint(player.cities)
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
        rows.add_row(
            words.category_name(category), *(str(city.points[category]) for city in cities)
        )
    rows.add_section()
    totals = (
        _marked(city.total, may_change=index in open_cities)
        for index, city in enumerate(cities, start)
    )
    rows.add_row(_("total"), *totals, style="bold")
    return rows


def _reasons_table(city: CityScore, width: int) -> Rows:
    rows = titled_rows(_("City {letter}").format(letter=city.name), box=None)
    rows.add_column(_("points"), justify="right")
    rows.add_column(_("for"), ratio=1, overflow="fold")
    rows.add_column(_("cells (row,column)"), width=min(_MOST_CELLS_WIDTH, width // 3))
    for reason in city.reasons:
        cells = cells_words(reason.cells)
        rows.add_row(str(reason.points), words.reason_sentence(reason), cells)
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
    for index in by_rank(sheet.players):
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


def _tie_break(player: PlayerScore, sheet: Sheet) -> str | None:
    names = [printable(other.name) for other in sheet.players]
    return None if player.tie_break is None else words.tie_break_sentence(player.tie_break, names)


def _winner_line(sheet: Sheet, open_players: Collection[int]) -> str:
    first = sheet.players[sheet.winners[0]]
    may_change = any(index in open_players for index in sheet.winners)
    points = _marked(first.final, may_change=may_change)
    winners = [printable(sheet.players[index].name) for index in sheet.winners]
    return winner_sentence(winners, points, first.final, _tie_break(first, sheet))


def print_grids(console: Console, grids: Sequence[Grid], unsure: Iterable[Place] = ()) -> None:
    """The tiles of each city as letters, with what the letters mean."""
    if not grids:
        return
    marked = set(unsure)
    blocks: list[RenderableType] = [
        _grid_text(index, grid, {cell for city, cell in marked if city == index})
        for index, grid in enumerate(grids)
    ]
    console.print()
    console.print(Columns(blocks, padding=(1, 2)))
    shown = {face for grid in grids for row in grid for face in row}
    legend = [f"{LETTER_OF_FACE[face]} {words.face_name(face)}" for face in Face if face in shown]
    if None in shown:
        legend.append(LETTER_OF_FACE[None] + " " + _("no tile"))
    if marked:
        legend.append("? " + _("unsure"))
    print_legend(console, legend)


def print_better(console: Console, cities: Sequence[Json]) -> None:
    """What the tiles of each city could have scored, and one way to lay them so."""
    title = _("What the tiles could have scored, each laid anywhere in its city:")
    console.print(Text(f"\n{title}", style="bold"))
    for city in cities:
        points, *more = words.better_sentences(city)
        for said in (f"{city['name']}  {points}", *(f"   {each}" for each in more)):
            console.print(Text(said), soft_wrap=True)
    print_grids(console, [_faces(city["grid"]) for city in cities])


def _faces(rows: Sequence[Sequence[str | None]]) -> Grid:
    return tuple(tuple(None if name is None else Face(name) for name in row) for row in rows)


def _grid_text(index: int, grid: Grid, unsure: set[Cell]) -> Text:
    text = Text(no_wrap=True)
    text.append(f"{city_name(index)}\n", style="bold")
    for row, faces in enumerate(grid):
        for column, face in enumerate(faces):
            is_unsure = (row, column) in unsure
            mark = "?" if is_unsure else " "
            text.append(LETTER_OF_FACE[face] + mark, CHECK_STYLE if is_unsure else "")
        text.append("\n")
    text.right_crop(1)
    return text
