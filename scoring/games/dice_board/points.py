"""Points of the companies: the numbers at both edges of the board, added up for each plot."""

from scoring.games.dice_board.score_sheet import CompanyScore, PlotScore
from scoring.games.dice_board.table import Board, Company


def score_company(company: Company, board: Board) -> CompanyScore:
    """Score a company; one that is not complete has no points."""
    plots = tuple(
        PlotScore((row, column), board.row_numbers[row], board.column_numbers[column])
        for row, column in company.plots
    )
    return CompanyScore(
        player=company.player,
        name=company.name,
        points=sum(plot.value for plot in plots) if company.complete else 0,
        complete=company.complete,
        plots=plots,
    )
