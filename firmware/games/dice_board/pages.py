"""The pages of the display for the dice board."""

from firmware.scan import Scan
from firmware.screens.canvas import BODY_ROWS
from firmware.screens.result_views import CompaniesView, CompanyRow, ResultView, Seat, WinnerView
from scoring.games.dice_board.sheet import Sheet


def winner(scan: Scan) -> ResultView:
    """Who has won."""
    sheet: Sheet = scan.sheet
    names = [name for name, _points in sheet.totals]
    winners = tuple(Seat(names.index(name) + 1, name) for name in sheet.winners)
    return WinnerView(winners=winners, points=max(points for _, points in sheet.totals))


def players(scan: Scan) -> tuple[ResultView, ...]:
    """The companies of each player."""
    sheet: Sheet = scan.sheet
    views: list[ResultView] = []
    for seat, (player, points) in enumerate(sheet.totals, start=1):
        own = [
            CompanyRow(each.name or "", each.points, len(each.plots), each.complete)
            for each in sheet.companies
            if each.player == player
        ]
        for start in range(0, len(own), BODY_ROWS):
            view = CompaniesView(
                player=Seat(seat, player),
                rank=1 + sum(other > points for _name, other in sheet.totals),
                final=points,
                companies=tuple(own[start : start + BODY_ROWS]),
                may_change=scan.game is not None and scan.game.may_change(scan, 0),
                number=len(views) + 1,
            )
            views.append(view)
    return tuple(views)


def details(_scan: Scan) -> tuple[ResultView, ...]:
    """Nothing more."""
    return ()
