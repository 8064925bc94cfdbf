"""Views of the display for City Blocks."""

from collections.abc import Iterator

from firmware.games.city_blocks import words
from firmware.games.scan import Scan
from firmware.screens.canvas import BODY_ROWS
from firmware.screens.result_views import Row, ScoreView, Standing, WinnerView, ranked_title
from firmware.screens.view import Text
from scoring.faces import Side
from scoring.games.city_blocks.score_sheet import Basis, ScoreSheet, Street, StreetDirection

_SUMS_LEFT, _WINNER_LEFT = 16, 58
_LARGEST = 32
"""Greatest height of the letters of a name; the names of the players are short."""


def winner_view(scan: Scan) -> WinnerView:
    """Return the view of the winner or leader."""
    sheet: ScoreSheet = scan.sheet
    title, best = None, sheet.winners[0]
    if _is_unfinished(sheet):
        title = words.LEADS if len(sheet.winners) == 1 else words.LEVEL
    return WinnerView(
        winners=tuple(words.SIDE_WORDS[side] for side in sheet.winners),
        points=_dollars(scan.shown_numbers.final(list(Side).index(best), sheet.totals[best])),
        title=title,
        max_letter_height_px=_LARGEST,
    )


def _is_unfinished(sheet: ScoreSheet) -> bool:
    return sheet.basis is Basis.STREETS and not all(street.full for street in sheet.streets)


def _dollars(value: int | str) -> tuple[Text, ...]:
    """Return a sum, and without the sign of its currency where that is too long."""
    return words.DOLLARS.fill(n=value), str(value)


def player_standings(scan: Scan) -> tuple[Standing, ...]:
    """Return rank and views of both players: their value tiles."""
    sheet: ScoreSheet = scan.sheet
    found = []
    is_tied = len(sheet.winners) > 1
    is_open = _is_unfinished(sheet) or scan.doubt_count > 0
    compared = words.EQUAL_SO_FAR if is_open else words.EQUAL_SUMS
    for index, side in enumerate(Side):
        rank, name = 1 if side in sheet.winners else 2, words.SIDE_WORDS[side]
        shown = scan.shown_numbers.rank(index, rank)
        values = " ".join(map(str, sorted(sheet.tiles[side], reverse=True))) or words.NO_VALUES
        view = ScoreView(
            name=f"player-{index + 1}",
            title=ranked_title(shown, name),
            rows=(
                Row((words.VALUE_TILES,)),
                *((Row((values,)), Row((compared,))) if is_tied else ()),
            ),
            text="" if is_tied else values,
            points=_dollars(scan.shown_numbers.final(index, sheet.totals[side])),
            points_rows=1 if is_tied else 2,
        )
        found.append(Standing(rank, shown, name, (view,)))
    return tuple(found)


def streets(sheet: ScoreSheet) -> Iterator[ScoreView]:
    """Yield views with a row for each street: its number, both sums, the winner, the value."""
    number = 1
    for direction in StreetDirection:
        found = [street for street in sheet.streets if street.direction is direction]
        for start in range(0, len(found), BODY_ROWS):
            rows = tuple(_street(each, sheet.basis) for each in found[start : start + BODY_ROWS])
            yield ScoreView(
                name=f"streets-{number}", title=(words.STREET_WORDS[direction],), rows=rows
            )
            number += 1


def _street(street: Street, basis: Basis) -> Row:
    winner = words.TIE if street.full else words.OPEN
    if street.winner is not None:
        winner = words.SIDE_WORDS[street.winner]
    return Row(
        (str(street.index + 1),),
        words.DOLLARS.fill(n=street.bonus) if basis is Basis.STREETS else "",
        columns=((_SUMS_LEFT, f"{street.blue}:{street.red}"), (_WINNER_LEFT, winner)),
    )
