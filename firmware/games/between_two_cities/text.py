"""A sheet of Between Two Cities as text for a terminal."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from firmware.base.errors import printable
from firmware.base.language import N_, _
from firmware.base.terminal import Json
from firmware.games.between_two_cities import words
from firmware.games.between_two_cities.open_points import part_points, total_may_change
from firmware.games.doubts import DoubtfulPlace, Doubts
from firmware.games.player_words import shown_name
from firmware.games.text_layout import (
    UNSURE_STYLE,
    StyledLine,
    name_column,
    number_column,
    print_legend,
    print_missing,
    print_points,
    print_result,
    print_side_by_side,
    print_tie_breaks,
    ranks_table,
    reasons_table,
    winner_of,
)
from firmware.wording.ranges import ShownNumbers
from scoring.faces import Cell, CityCell, Face, Grid, city_name
from scoring.games.between_two_cities.notation import LETTER_OF_FACE
from scoring.games.between_two_cities.score_sheet import BuildingType, CityScore, ScoreSheet
from scoring.games.between_two_cities.table import Table, Variant
from vision.reading import Place, PlaceKind


def print_score_sheet(
    console: Console,
    sheet: ScoreSheet,
    table: Table,
    doubts: Doubts | None,
    numbers: ShownNumbers,
    *,
    reasons: bool,
) -> None:
    """Print the cities, their points by type, the players by rank, and the winner.

    Points that may still change are shown as ``numbers`` gives them, and a line before the winner
    gives the reason. See ``firmware.games.game.Game.print_score_sheet``.
    """
    if doubts is None:
        missing = (Place(PlaceKind.TILE, city, cell) for city, cell in sheet.missing)
        doubts = Doubts(tuple(DoubtfulPlace(place, None, is_missing=True) for place in missing))
    grids = [city.grid for city in table.cities]
    totals = [
        numbers.city(index, city.total, may_change=total_may_change(doubts, index, grid))
        for index, (city, grid) in enumerate(zip(sheet.cities, grids, strict=True))
    ]
    names = [printable(shown_name(player.name)) for player in sheet.players]
    print_grids(console, grids, unsure_cells(doubts))
    points = _points_by_type(sheet, grids, doubts, numbers)
    print_points(console, [city.name for city in sheet.cities], points, totals)
    for city in sheet.cities if reasons else ():
        title, cells = _("City {letter}").format(letter=city.name), _("cells (row/column)")
        console.print(reasons_table(title, cells, _reasons(city), str(city.total), console.width))
    console.print(_ranks_table(sheet, names, totals, numbers, console.width))
    print_tie_breaks(console, sheet, names, words.tie_break_sentence)
    print_result(console, doubts, winner_of(sheet, names, numbers, words.tie_break_sentence))
    print_missing(console, sheet.missing)


def _points_by_type(
    sheet: ScoreSheet, grids: Sequence[Grid], doubts: Doubts, numbers: ShownNumbers
) -> list[tuple[str, list[str]]]:
    """Return the name of each building type, and its points city by city."""
    return [
        (
            words.building_type_name(each),
            [
                part_points(numbers, doubts, index, grid, each, city.points[each])
                for index, (city, grid) in enumerate(zip(sheet.cities, grids, strict=True))
            ],
        )
        for each in BuildingType
    ]


def _ranks_table(
    sheet: ScoreSheet,
    names: Sequence[str],
    totals: Sequence[str],
    numbers: ShownNumbers,
    width: int,
) -> RichTable:
    """Return a table of the players with both cities and the points that count."""
    finals = [numbers.final(seat, player.final) for seat, player in enumerate(sheet.players)]
    lettered = [f"{city.name} {total}" for city, total in zip(sheet.cities, totals, strict=True)]
    rows = [
        [name, *(lettered[city] for city in player.cities), final]
        for player, name, final in zip(sheet.players, names, finals, strict=True)
    ]
    counted = _("both") if sheet.variant is Variant.TWO_PLAYER else _("lower")
    side_width = max(5, *map(len, totals))
    sides = (name_column(_(side), side_width) for side in (N_("left city"), N_("right city")))
    worth = number_column(counted, min_width=max(5, *map(len, finals)))
    ranks = [player.rank for player in sheet.players]
    return ranks_table(ranks, rows, numbers, *sides, worth, width=width)


def unsure_cells(doubts: Doubts) -> list[CityCell]:
    """Return the tiles at which a person must look, as cells of the table."""
    return [(doubt.place.grid, doubt.place.cell) for doubt in doubts.read_places]


def _reasons(city: CityScore) -> Iterator[tuple[str, str, Iterable[Cell]]]:
    for reason in city.reasons:
        yield str(reason.points), words.reason_sentence(reason), reason.cells


def print_grids(console: Console, grids: Sequence[Grid], unsure: Collection[CityCell] = ()) -> None:
    """Print the tiles of each city as letters, with a legend."""
    if not grids:
        return
    lettered = [(city_name(city), _lines(city, grid, unsure)) for city, grid in enumerate(grids)]
    print_side_by_side(console, lettered, 2 * max(len(row) for grid in grids for row in grid))
    shown = {face for grid in grids for row in grid for face in row}
    legend = [
        f"{LETTER_OF_FACE[face]} {words.full_face_name(face)}" for face in Face if face in shown
    ]
    if None in shown:
        legend.append(LETTER_OF_FACE[None] + " " + _("no tile"))
    if unsure:
        legend.append("? " + _("unsure"))
    print_legend(console, legend)


def _lines(city: int, grid: Grid, unsure: Collection[CityCell]) -> Iterator[StyledLine]:
    for row, faces in enumerate(grid):
        marks = ["?" if (city, (row, column)) in unsure else " " for column in range(len(faces))]
        letters = [LETTER_OF_FACE[face] + mark for face, mark in zip(faces, marks, strict=True)]
        yield [(each, UNSURE_STYLE if "?" in each else "") for each in letters]


def print_better(console: Console, cities: Sequence[Json]) -> None:
    """Print the best score of each city's tiles, with one way to lay them."""
    title = _("What the tiles could have scored, each laid anywhere in its city:")
    console.print(Text(f"\n{title}", style="bold"))
    for city in cities:
        points, *more = words.better_sentences(city)
        for text in (f"{city['name']}  {points}", *(f"   {each}" for each in more)):
            console.print(Text(text), soft_wrap=True)
    print_grids(console, [_faces(city["grid"]) for city in cities])


def _faces(rows: Sequence[Sequence[str | None]]) -> Grid:
    return tuple(tuple(None if name is None else Face(name) for name in row) for row in rows)
