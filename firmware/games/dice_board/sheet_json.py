"""The JSON form of a sheet of the dice board."""

from firmware.games.dice_board.sentences import points_sentence
from firmware.terminal import Json
from scoring.games.dice_board.sheet import CompanyScore, Sheet


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    return {
        "game": sheet.game,
        "plot_values": [list(row) for row in sheet.plot_values],
        "companies": [_company(company) for company in sheet.companies],
        "totals": dict(sheet.totals),
        "winners": list(sheet.winners),
        "missing": [],
    }


def _company(company: CompanyScore) -> Json:
    return {
        "player": company.player,
        "name": company.name,
        "points": company.points,
        "complete": company.complete,
        "plots": [list(plot.cell) for plot in company.plots],
        "text": points_sentence(company),
    }
