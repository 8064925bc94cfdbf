"""The points of a scan in a few words, for the plates on the annotated photo."""

from typing import Any

from firmware.board_games.colours import colour_name
from firmware.board_games.scan import BoardScan
from firmware.games.city_blocks.sentences import dollars
from scoring.faces import Side, city_name
from scoring.games import cities, city_blocks, dice_board


def badge_texts(scan: BoardScan) -> tuple[str, ...]:
    """What stands beside each grid: its letter, the players, their points; empty: nothing."""
    count = len(scan.reading.grids)
    letters = tuple(city_name(index) if scan.naming.lettered else "" for index in range(count))
    if scan.sheet is None:
        return letters
    sheet: Any = scan.sheet
    marks = ["?" if scan.may_change(index) else "" for index in range(count)]
    match scan.reading.game:
        case cities.NAME:
            return tuple(
                f"{city_name(index)} {player.name} {player.final}{marks[index]}"
                for index, player in enumerate(sheet.players)
            )
        case city_blocks.NAME:
            totals = [
                f"{colour_name(side.value)} {dollars(sheet.totals[side])}{marks[0]}"
                for side in Side
            ]
        case dice_board.NAME:
            totals = [f"{name} {points}{marks[0]}" for name, points in sheet.totals]
        case _:
            totals = []
    return (", ".join(totals), *letters[1:])
