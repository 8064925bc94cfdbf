"""The pages of a score sheet: winner, what to check, players, the map of the table, cities."""

from collections.abc import Sequence
from dataclasses import replace

from firmware.doubts import Doubts, doubts_of
from firmware.language import Language
from firmware.screens.canvas import Screen
from firmware.screens.draw_doubt import PLACES_PER_PAGE
from firmware.screens.notes import doubtful_notes, note_views, unread_views
from firmware.screens.render import render
from firmware.screens.result_views import (
    CityTotal,
    CityView,
    LegendView,
    MapView,
    MissingListView,
    OwnersView,
    Page,
    PlayerView,
    ResultView,
    Seat,
    UnsureListView,
    WinnerView,
)
from firmware.screens.table_map import table_map_of
from scoring.faces import Place, city_name
from scoring.games.between_two_cities.sheet import PlayerScore, Sheet
from scoring.games.between_two_cities.table import Variant
from vision.reading import Reading


def result_screens(
    sheet: Sheet,
    reading: Reading,
    *,
    owners_known: bool = True,
    language: Language | None = None,
) -> tuple[Screen, ...]:
    """All pages of a result as pictures, in the order of leafing through.

    Args:
        sheet: the score of what was read.
        reading: what the photo showed.
        owners_known: whether it is certain whose each city is.
        language: of the words; None: that of all texts, see ``firmware.language``.

    Returns:
        ``winner``, then ``unread-1`` …, ``note-1`` …, ``owners``, ``unsure-1`` … and
        ``missing-1`` … if there is such a doubt, ``player-1`` … in seat order, ``map``,
        ``legend``, and ``city-A`` ….
    """
    pages = result_views(sheet, reading, owners_known=owners_known, unsure_list=True)
    return tuple(render(view, language) for view in pages)


def result_views(
    sheet: Sheet,
    reading: Reading,
    *,
    owners_known: bool = True,
    unsaved: bool = False,
    unsure_list: bool = False,
) -> tuple[ResultView, ...]:
    """What the pages of a result say, in the order of leafing through.

    Args:
        sheet: the score of what was read.
        reading: what the photo showed.
        owners_known: whether it is certain whose each city is.
        unsaved: whether the result could not be written.
        unsure_list: whether tiles that are not sure are listed; else they are expected to be
            asked for one by one.
    """
    doubts = doubts_of(reading, missing=sheet.missing, owners_known=owners_known)
    seats = seats_of(sheet)
    pages: tuple[ResultView, ...] = (
        WinnerView(
            winners=tuple(seats[index] for index in sheet.winners),
            points=sheet.players[sheet.winners[0]].final,
        ),
        *unread_views(doubts.unread),
        *note_views(reading),
        *(() if owners_known else (_owners_view(sheet.players, seats),)),
        *(_unsure_views(doubts.unsure) if unsure_list else ()),
        *_missing_views(doubts.missing),
        *(
            _player_view(sheet, doubts, player, seat)
            for player, seat in zip(sheet.players, seats, strict=True)
        ),
        MapView(table=table_map_of(reading)),
        LegendView(),
        *(
            CityView(
                letter=city.name,
                points=city.points,
                may_change=_may_change(sheet, doubts, index),
            )
            for index, city in enumerate(sheet.cities)
        ),
    )
    to_check = doubts.count + doubtful_notes(reading)
    return tuple(
        replace(view, page=Page(number, len(pages)), to_check=to_check, unsaved=unsaved)
        for number, view in enumerate(pages, start=1)
    )


def seats_of(sheet: Sheet) -> tuple[Seat, ...]:
    """The players in seat order."""
    return tuple(Seat(number, player.name) for number, player in enumerate(sheet.players, start=1))


def _may_change(sheet: Sheet, doubts: Doubts, city: int) -> bool:
    has_factories = sheet.cities[city].points.factories > 0
    return doubts.may_change_total(city, has_factories=has_factories)


def _player_view(sheet: Sheet, doubts: Doubts, player: PlayerScore, seat: Seat) -> PlayerView:
    are_added = sheet.variant is Variant.TWO_PLAYER
    lowest = min(sheet.cities[index].total for index in player.cities)
    left, right = (
        CityTotal(
            sheet.cities[index].name,
            sheet.cities[index].total,
            counts=are_added or sheet.cities[index].total == lowest,
            may_change=_may_change(sheet, doubts, index),
        )
        for index in player.cities
    )
    return PlayerView(
        player=seat,
        rank=player.rank,
        final=player.final,
        cities=(left, right),
        are_added=are_added,
        tie_break=player.tie_break,
    )


def _owners_view(players: Sequence[PlayerScore], seats: Sequence[Seat]) -> OwnersView:
    return OwnersView(
        owners=tuple(
            (tuple(city_name(city) for city in sorted(player.cities)), seat)
            for player, seat in zip(players, seats, strict=True)
        )
    )


def _chunks(places: tuple[Place, ...]) -> list[tuple[Place, ...]]:
    starts = range(0, len(places), PLACES_PER_PAGE)
    return [places[start : start + PLACES_PER_PAGE] for start in starts]


def _unsure_views(places: tuple[Place, ...]) -> list[UnsureListView]:
    return [
        UnsureListView(count=len(places), places=chunk, number=number)
        for number, chunk in enumerate(_chunks(places), start=1)
    ]


def _missing_views(places: tuple[Place, ...]) -> list[MissingListView]:
    return [
        MissingListView(count=len(places), places=chunk, number=number)
        for number, chunk in enumerate(_chunks(places), start=1)
    ]
