"""Views of the display for the dice board."""

from firmware.games.dice_board.words import company_name
from firmware.games.player_words import shown_name_unless_seat
from firmware.games.scan import Scan
from firmware.screens.canvas import BODY_ROWS
from firmware.screens.result_views import Row, ScoreView, Standing, WinnerView, ranked_title
from firmware.screens.view import PlayerLabel
from scoring.games.dice_board.score_sheet import CompanyScore, ScoreSheet
from scoring.games.dice_board.table import CARDS_PER_COMPANY


def winner_view(scan: Scan) -> WinnerView:
    """Return the view of the winner."""
    sheet: ScoreSheet = scan.sheet
    names = [name for name, _points in sheet.totals]
    winners = tuple(
        PlayerLabel(names.index(name) + 1, shown_name_unless_seat(name)) for name in sheet.winners
    )
    best = names.index(sheet.winners[0])
    return WinnerView(
        winners=winners, points=(scan.shown_numbers.final(best, sheet.totals[best][1]),)
    )


def player_standings(scan: Scan) -> tuple[Standing, ...]:
    """Return rank and views of each player: the companies."""
    sheet: ScoreSheet = scan.sheet
    found = []
    number = 0
    for index, (player, points) in enumerate(sheet.totals):
        rank = 1 + sum(other > points for _name, other in sheet.totals)
        shown, who = (
            scan.shown_numbers.rank(index, rank),
            PlayerLabel(index + 1, shown_name_unless_seat(player)),
        )
        own = [_company(each) for each in sheet.companies if each.player == player]
        views = []
        for start in range(0, len(own), BODY_ROWS):
            number += 1
            view = ScoreView(
                name=f"companies-{number}",
                title=ranked_title(shown, who),
                rows=tuple(own[start : start + BODY_ROWS]),
                points=(scan.shown_numbers.final(index, points),),
            )
            views.append(view)
        found.append(Standing(rank, shown, who, tuple(views)))
    return tuple(found)


def _company(company: CompanyScore) -> Row:
    """Return the name of a company, and its points or how many of its cards there are."""
    cards = f"{len(company.plots)}/{CARDS_PER_COMPANY}"
    return Row(
        (company_name(company.name or ""),), str(company.points) if company.complete else cards
    )
