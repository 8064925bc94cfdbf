"""The pages of the display for Cities."""

from firmware.scan import Scan
from firmware.screens.result_views import Parts, PartsView, ResultView, Seat, WinnerView
from scoring.games.cities.sheet import Sheet


def winner(scan: Scan) -> ResultView:
    """Who has won."""
    sheet: Sheet = scan.sheet
    winners = tuple(Seat(n + 1, sheet.players[n].name) for n in sheet.winners)
    return WinnerView(winners=winners, points=sheet.players[sheet.winners[0]].final)


def players(scan: Scan) -> tuple[ResultView, ...]:
    """What the tourists of each player have brought."""
    sheet: Sheet = scan.sheet
    views = []
    for number, player in enumerate(sheet.players, start=1):
        tie = player.tie_break
        is_shared = tie is not None and tie.is_shared
        views.append(
            PartsView(
                player=Seat(number, player.name),
                rank=player.rank,
                final=player.final,
                kind=Parts.TOURISTS,
                parts=tuple(sorted((each.points for each in player.tourists), reverse=True)),
                may_change=scan.game is not None and scan.game.may_change(scan, number - 1),
                tie=None if tie is None or is_shared else (tie.own, tie.other),
                is_shared=is_shared,
                number=number,
            )
        )
    return tuple(views)


def details(_scan: Scan) -> tuple[ResultView, ...]:
    """Nothing more."""
    return ()
