"""The pages of the display for Between Two Cities."""

from firmware.scan import Scan
from firmware.screens.result_views import (
    CityTotal,
    CityView,
    LegendView,
    OwnersView,
    PlayerView,
    ResultView,
    Seat,
    WinnerView,
)
from scoring.faces import city_name
from scoring.games.between_two_cities.sheet import PlayerScore, Sheet
from scoring.games.between_two_cities.table import Variant


def winner(scan: Scan) -> ResultView:
    """Who has won."""
    sheet: Sheet = scan.sheet
    seats = seats_of(sheet)
    return WinnerView(
        winners=tuple(seats[index] for index in sheet.winners),
        points=sheet.players[sheet.winners[0]].final,
    )


def owners(scan: Scan) -> ResultView:
    """Whose each city is taken to be."""
    sheet: Sheet = scan.sheet
    return OwnersView(
        owners=tuple(
            (tuple(city_name(city) for city in sorted(player.cities)), seat)
            for player, seat in zip(sheet.players, seats_of(sheet), strict=True)
        )
    )


def players(scan: Scan) -> tuple[ResultView, ...]:
    """What each player has achieved, in seat order."""
    sheet: Sheet = scan.sheet
    return tuple(
        _player_view(scan, player, seat)
        for player, seat in zip(sheet.players, seats_of(sheet), strict=True)
    )


def details(scan: Scan) -> tuple[ResultView, ...]:
    """The signs of the building types, then each city."""
    sheet: Sheet = scan.sheet
    cities = (
        CityView(letter=city.name, points=city.points, may_change=_may_change(scan, index))
        for index, city in enumerate(sheet.cities)
    )
    return (LegendView(), *cities)


def seats_of(sheet: Sheet) -> tuple[Seat, ...]:
    """The players in seat order."""
    return tuple(Seat(number, player.name) for number, player in enumerate(sheet.players, start=1))


def _may_change(scan: Scan, city: int) -> bool:
    return scan.game is not None and scan.game.may_change(scan, city)


def _player_view(scan: Scan, player: PlayerScore, seat: Seat) -> PlayerView:
    sheet: Sheet = scan.sheet
    are_added = sheet.variant is Variant.TWO_PLAYER
    lowest = min(sheet.cities[index].total for index in player.cities)
    left, right = (
        CityTotal(
            sheet.cities[index].name,
            sheet.cities[index].total,
            counts=are_added or sheet.cities[index].total == lowest,
            may_change=_may_change(scan, index),
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
