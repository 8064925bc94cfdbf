"""The pages of a result of a game known by pictures: winner, what to check, players."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from firmware.board_games.doubts import Doubt
from firmware.board_games.scan import BoardScan
from firmware.board_games.spots import Spot, What
from firmware.language import Language
from firmware.screens.board_views import (
    BoardCheckView,
    CheckKind,
    CompaniesView,
    CompanyRow,
    Parts,
    PartsView,
    ReadView,
    RemarkView,
    SidesWinnerView,
    StreetRow,
    StreetsView,
)
from firmware.screens.canvas import Screen
from firmware.screens.draw_board import (
    COMPANIES_PER_PAGE,
    SPOTS_PER_PAGE,
    STREETS_PER_PAGE,
)
from firmware.screens.notes import remark_pages, unread_views
from firmware.screens.render import render
from firmware.screens.result_views import (
    MapView,
    Page,
    ResultView,
    Seat,
    TableMap,
    WinnerView,
)
from scoring.faces import Side, city_name
from scoring.games import cities, city_blocks
from scoring.games.city_blocks.sheet import Basis, Street, StreetLine

_CHECKS: Final = {
    What.TILE: CheckKind.TILES,
    What.TOKEN: CheckKind.FIGURES,
    What.BESIDE: CheckKind.PIECES,
}


def board_result_screens(
    scan: BoardScan, *, language: Language | None = None
) -> tuple[Screen, ...]:
    """All pages of a result as pictures, in the order of leafing through.

    Args:
        scan: scored, or of a game without rules.
        language: of the words; None: that of all texts, see ``firmware.language``.

    Returns:
        ``winner``, without rules ``read``, then ``unread-1`` …, ``note-1`` …, ``remark-1`` … and
        ``check-1`` … if there is such a doubt; ``player-1`` …, in City Blocks ``streets-1`` …,
        for the dice board ``companies-1`` … instead; and ``map`` where there is more than one.
    """
    views = board_result_views(scan, check_list=True)
    return tuple(render(view, language) for view in views)


def board_result_views(
    scan: BoardScan, *, unsaved: bool = False, check_list: bool = False
) -> tuple[ResultView, ...]:
    """What the pages of a result say, in the order of leafing through.

    Args:
        scan: scored, or of a game without rules.
        unsaved: whether the result could not be written.
        check_list: whether places that are not sure are listed; else they are expected to be
            asked for one by one. What was scored without a tile is always listed.
    """
    doubts = scan.doubts
    pages: tuple[ResultView, ...] = (
        _read_view(scan) if scan.sheet is None else _winner_view(scan),
        *board_remark_views(scan),
        *_check_views(scan, with_unsure=check_list),
        *(() if scan.sheet is None else _player_views(scan)),
        *_map_views(scan),
    )
    return tuple(
        replace(view, page=Page(number, len(pages)), to_check=doubts.count, unsaved=unsaved)
        for number, view in enumerate(pages, start=1)
    )


def board_remark_views(scan: BoardScan) -> tuple[ResultView, ...]:
    """What could not be read in a photo, and what is odd about it."""
    unread = unread_views(scan.doubts.unread)
    return (
        *(replace(view, is_board=_is_board(scan)) for view in unread),
        *_note_views(scan),
        *_remark_views(scan),
    )


def _is_board(scan: BoardScan) -> bool:
    return scan.description.board is not None


def _read_view(scan: BoardScan) -> ReadView:
    grids = scan.reading.grids
    description = scan.description
    lying = sum(name is not None for grid in grids for row in grid.tiles for name in row)
    beside = sum(len(grid.beside) for grid in grids)
    places = description.tile_rows * description.tile_columns
    if description.board is not None and description.board.plots:
        places = len(description.board.plots)
    return ReadView(
        edition=scan.reading.edition,
        pieces=lying + beside,
        empty=len(grids) * places - lying,
    )


def _winner_view(scan: BoardScan) -> ResultView:
    sheet: Any = scan.sheet
    match scan.reading.game:
        case cities.NAME:
            winners = tuple(Seat(n + 1, sheet.players[n].name) for n in sheet.winners)
            return WinnerView(winners=winners, points=sheet.players[sheet.winners[0]].final)
        case city_blocks.NAME:
            is_finished = sheet.basis is Basis.COLLECTED or all(
                street.full for street in sheet.streets
            )
            return SidesWinnerView(
                winners=sheet.winners,
                points=sheet.totals[sheet.winners[0]],
                is_finished=is_finished,
            )
        case _:
            names = [name for name, _points in sheet.totals]
            winners = tuple(Seat(names.index(name) + 1, name) for name in sheet.winners)
            return WinnerView(winners=winners, points=max(points for _, points in sheet.totals))


def _note_views(scan: BoardScan) -> tuple[ResultView, ...]:
    notes: dict[str, list[str]] = {note: [] for note in scan.reading.notes}
    for index, grid in enumerate(scan.reading.grids):
        for note in grid.notes:
            letters = notes.setdefault(note, [])
            if scan.naming.lettered:
                letters.append(city_name(index))
    return remark_pages([(note, tuple(letters)) for note, letters in notes.items()])


def _remark_views(scan: BoardScan) -> Iterator[RemarkView]:
    cities_of: dict[Any, dict[str, None]] = {}
    for remark in scan.remarks:
        letters = cities_of.setdefault(remark.kind, {})
        spots = (*remark.spots, *remark.shown)
        if scan.naming.lettered:
            letters.update({city_name(spot.grid): None for spot in spots})
    for number, (kind, letters) in enumerate(cities_of.items(), start=1):
        yield RemarkView(kind=kind, letters=tuple(sorted(letters)), number=number)


def _check_views(scan: BoardScan, *, with_unsure: bool) -> tuple[BoardCheckView, ...]:
    groups: list[tuple[CheckKind, Sequence[Doubt]]] = []
    doubts = scan.doubts
    if with_unsure:
        groups = [(kind, doubts.of(what)) for what, kind in _CHECKS.items()]
        if scan.description.tile_cells != (1, 1):
            groups[0] = (CheckKind.FIELDS, doubts.of(What.TILE))
    groups.append((CheckKind.MISSING, doubts.missing))
    lettered = scan.naming.lettered
    views = [
        BoardCheckView(kind=kind, count=len(group), spots=spots, lettered=lettered)
        for kind, group in groups
        for spots in _pages([doubt.spot for doubt in group])
    ]
    return tuple(replace(view, number=number) for number, view in enumerate(views, start=1))


def _pages(spots: Sequence[Spot]) -> list[tuple[Spot, ...]]:
    starts = range(0, len(spots), SPOTS_PER_PAGE)
    return [tuple(spots[start : start + SPOTS_PER_PAGE]) for start in starts]


def _player_views(scan: BoardScan) -> Iterator[ResultView]:
    match scan.reading.game:
        case cities.NAME:
            yield from _cities_players(scan)
        case city_blocks.NAME:
            yield from _sides(scan)
            yield from _streets(scan.sheet)
        case _:
            yield from _company_owners(scan)


def _cities_players(scan: BoardScan) -> Iterator[PartsView]:
    sheet: Any = scan.sheet
    for number, player in enumerate(sheet.players, start=1):
        points = sorted((tourist.points for tourist in player.tourists), reverse=True)
        tie = player.tie_break
        is_shared = tie is not None and tie.is_shared
        yield PartsView(
            player=Seat(number, player.name),
            rank=player.rank,
            final=player.final,
            kind=Parts.TOURISTS,
            parts=tuple(points),
            may_change=scan.may_change(number - 1),
            tie=None if tie is None or is_shared else (tie.own, tie.other),
            is_shared=is_shared,
            number=number,
        )


def _sides(scan: BoardScan) -> Iterator[PartsView]:
    sheet: Any = scan.sheet
    for number, side in enumerate(Side, start=1):
        yield PartsView(
            player=side,
            rank=1 if side in sheet.winners else 2,
            final=sheet.totals[side],
            kind=Parts.VALUE_TILES,
            parts=tuple(sorted(sheet.tiles[side], reverse=True)),
            may_change=scan.may_change(0),
            number=number,
        )


def _streets(sheet: Any) -> Iterator[StreetsView]:
    number = 1
    for line in StreetLine:
        streets = [street for street in sheet.streets if street.line is line]
        for start in range(0, len(streets), STREETS_PER_PAGE):
            rows = streets[start : start + STREETS_PER_PAGE]
            has_values = sheet.basis is Basis.STREETS
            yield StreetsView(
                line=line,
                streets=tuple(_street_row(street, has_values=has_values) for street in rows),
                number=number,
            )
            number += 1


def _street_row(street: Street, *, has_values: bool) -> StreetRow:
    return StreetRow(
        street.index,
        street.blue,
        street.red,
        street.winner,
        street.full,
        street.bonus if has_values else None,
    )


def _company_owners(scan: BoardScan) -> Iterator[CompaniesView]:
    sheet: Any = scan.sheet
    number = 1
    for seat, (player, points) in enumerate(sheet.totals, start=1):
        own = [
            CompanyRow(each.name or "", each.points, len(each.plots), each.complete)
            for each in sheet.companies
            if each.player == player
        ]
        for start in range(0, len(own), COMPANIES_PER_PAGE):
            yield CompaniesView(
                player=Seat(seat, player),
                rank=1 + sum(other > points for _name, other in sheet.totals),
                final=points,
                companies=tuple(own[start : start + COMPANIES_PER_PAGE]),
                may_change=scan.may_change(0),
                number=number,
            )
            number += 1


def board_map_of(scan: BoardScan) -> TableMap | None:
    """Where cities or boards lie, and what was not read; None: there is one alone."""
    grids, unread = scan.reading.grids, scan.reading.unread
    if len(grids) + len(unread) < 2:
        return None
    return TableMap(
        tuple(grid.corners_px for grid in grids), tuple(each.corners_px for each in unread)
    )


def _map_views(scan: BoardScan) -> tuple[MapView, ...]:
    table = board_map_of(scan)
    return () if table is None else (MapView(table=table),)
