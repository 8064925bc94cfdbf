"""The pages of the display for City Blocks."""

from collections.abc import Iterator

from firmware.scan import Scan
from firmware.screens.canvas import BODY_ROWS
from firmware.screens.result_views import (
    Parts,
    PartsView,
    ResultView,
    SidesWinnerView,
    StreetRow,
    StreetsView,
)
from scoring.faces import Side
from scoring.games.city_blocks.sheet import Basis, Sheet, StreetLine


def winner(scan: Scan) -> ResultView:
    """Who has won or leads."""
    sheet: Sheet = scan.sheet
    is_finished = sheet.basis is Basis.COLLECTED or all(street.full for street in sheet.streets)
    return SidesWinnerView(
        winners=sheet.winners, points=sheet.totals[sheet.winners[0]], is_finished=is_finished
    )


def players(scan: Scan) -> tuple[ResultView, ...]:
    """The value tiles of both, then the streets."""
    sheet: Sheet = scan.sheet
    sides = (
        PartsView(
            player=side,
            rank=1 if side in sheet.winners else 2,
            final=sheet.totals[side],
            kind=Parts.VALUE_TILES,
            parts=tuple(sorted(sheet.tiles[side], reverse=True)),
            may_change=scan.game is not None and scan.game.may_change(scan, 0),
            number=number,
        )
        for number, side in enumerate(Side, start=1)
    )
    return (*sides, *_streets(sheet))


def details(_scan: Scan) -> tuple[ResultView, ...]:
    """Nothing more."""
    return ()


def _streets(sheet: Sheet) -> Iterator[StreetsView]:
    number = 1
    has_values = sheet.basis is Basis.STREETS
    for line in StreetLine:
        streets = [street for street in sheet.streets if street.line is line]
        for start in range(0, len(streets), BODY_ROWS):
            rows = tuple(
                StreetRow(
                    street.index,
                    street.blue,
                    street.red,
                    street.winner,
                    street.full,
                    street.bonus if has_values else None,
                )
                for street in streets[start : start + BODY_ROWS]
            )
            yield StreetsView(line=line, streets=rows, number=number)
            number += 1
