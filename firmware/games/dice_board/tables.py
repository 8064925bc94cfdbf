"""The JSON form of a table of the dice board."""

from msgspec import UNSET, UnsetType

from firmware.games.dice_board.words import points_sentence
from firmware.shapes import Shape, checked
from firmware.terminal import Json
from scoring.faces import Cell
from scoring.games.dice_board import NAME
from scoring.games.dice_board.sheet import CompanyScore, Sheet
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


def table_from(value: object) -> Table:
    """The table that a JSON value describes; see ``firmware.shapes.checked`` for errors.

    An edge for which it names no numbers is that of the usual board.
    """
    shape = checked(value, _TableShape, {})
    usual = Board()
    return Table(
        companies=tuple(
            Company(company.player, company.plots, company.name) for company in shape.companies
        ),
        board=Board(
            row_numbers=usual.row_numbers if shape.row_numbers is UNSET else shape.row_numbers,
            column_numbers=usual.column_numbers
            if shape.column_numbers is UNSET
            else shape.column_numbers,
        ),
    )


def table_json(table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it; always with the numbers of its board."""
    return {
        "game": NAME,
        "row_numbers": list(table.board.row_numbers),
        "column_numbers": list(table.board.column_numbers),
        "companies": [_company_json(company) for company in table.companies],
    }


def _company_json(company: Company) -> Json:
    name = {} if company.name is None else {"name": company.name}
    return {"player": company.player, **name, "plots": [list(cell) for cell in company.plots]}


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
