"""The JSON forms of tables and sheets of the dice board."""

from dataclasses import replace

from msgspec import UNSET, UnsetType, convert

from firmware.base.checked_input import Shape, check_shape
from firmware.base.json_text import select_attributes
from firmware.base.terminal import Json
from firmware.games.dice_board.words import points_sentence
from firmware.games.player_words import with_composed_names
from scoring.faces import Cell
from scoring.games.dice_board.score_sheet import CompanyScore, ScoreSheet
from scoring.games.dice_board.table import Board, Company, Table


class _CompanyShape(Shape, frozen=True):
    player: str
    plots: tuple[Cell, ...]
    name: str | None = None


class _TableShape(Shape, frozen=True):
    game: str
    companies: tuple[_CompanyShape, ...]
    row_numbers: tuple[int, ...] | UnsetType = UNSET
    column_numbers: tuple[int, ...] | UnsetType = UNSET


def table_from_json(value: object) -> Table:
    """Return the table that a JSON value describes; ``UsageError`` as ``check_shape`` raises it.

    An edge for which it names no numbers is that of the default board.
    """
    read = with_composed_names(check_shape(value, _TableShape, {}))
    return replace(convert(read, Table), board=convert(read, Board))


def table_json(table: Table) -> Json:
    """Return a table without the name of the game, with the numbers of its board."""
    companies = [_company_json(company) for company in table.companies]
    return select_attributes(table.board, "row_numbers", "column_numbers") | {
        "companies": companies
    }


def _company_json(company: Company) -> Json:
    name = {} if company.name is None else {"name": company.name}
    return {"player": company.player, **name, "plots": company.plots}


def sheet_json(sheet: ScoreSheet) -> Json:
    """Return a score sheet as JSON."""
    return {
        "plot_values": sheet.plot_values,
        "companies": [_company(company) for company in sheet.companies],
        "totals": dict(sheet.totals),
        "winners": sheet.winners,
    }


def _company(company: CompanyScore) -> Json:
    return {
        **select_attributes(company, "player", "name", "points", "complete"),
        "plots": [plot.cell for plot in company.plots],
        "text": points_sentence(company),
    }
