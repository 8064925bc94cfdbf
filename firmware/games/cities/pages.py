"""The pages of the display for Cities."""

from firmware.games.cities import words
from firmware.scan import Scan
from firmware.screens.draw_result import mark
from firmware.screens.result import ranked
from firmware.screens.views import Row, ScoreView, Seat, Text, WinnerView
from scoring.games.cities.sheet import PlayerScore, Sheet


def winner(scan: Scan) -> WinnerView:
    """Who has won."""
    sheet: Sheet = scan.sheet
    winners = tuple(Seat(n + 1, sheet.players[n].name) for n in sheet.winners)
    return WinnerView(winners=winners, points=(str(sheet.players[sheet.winners[0]].final),))


def players(scan: Scan) -> tuple[ScoreView, ...]:
    """What the tourists of each player have brought."""
    sheet: Sheet = scan.sheet
    views = []
    for number, player in enumerate(sheet.players, start=1):
        points = sorted((each.points for each in player.tourists), reverse=True)
        views.append(
            ScoreView(
                name=f"player-{number}",
                title=(ranked(scan, player.rank, Seat(number, player.name)),),
                rows=(Row((_label(player), words.TOURISTS)),),
                text=" ".join(map(str, points)) or words.NO_TOURISTS,
                points=(mark(player.final, provisional=scan.may_change(number - 1)),),
                points_rows=2,
            )
        )
    return tuple(views)


def _label(player: PlayerScore) -> Text:
    tie = player.tie_break
    if tie is None:
        return words.TOURISTS
    return words.TIE_SHARED if tie.by is None else words.TIE_BY.of(numbers=f"{tie.own}:{tie.other}")
