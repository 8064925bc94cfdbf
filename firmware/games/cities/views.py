"""Views of the display for Cities."""

from firmware.games.cities import words
from firmware.games.player_words import shown_name_unless_seat
from firmware.games.scan import Scan
from firmware.games.ties import TIE_SHARED, tie_break_texts
from firmware.screens.result_views import Row, ScoreView, Standing, WinnerView, ranked_title
from firmware.screens.view import PlayerLabel, Text
from scoring.faces import city_name
from scoring.games.cities.score_sheet import ScoreSheet


def winner_view(scan: Scan) -> WinnerView:
    """Return the view of the winner."""
    sheet: ScoreSheet = scan.sheet
    best = sheet.players[sheet.winners[0]]
    return WinnerView(
        winners=tuple(_player_label(scan, index) for index in sheet.winners),
        points=(scan.shown_numbers.final(sheet.winners[0], best.final),),
        tie=tie_break_texts(scan, sheet.winners[0], words.TIE_BREAKER_WORDS),
    )


def _player_label(scan: Scan, index: int) -> PlayerLabel:
    cities = (city_name(index),) if scan.naming.lettered else ()
    return PlayerLabel(index + 1, shown_name_unless_seat(scan.sheet.players[index].name), cities)


def player_standings(scan: Scan) -> tuple[Standing, ...]:
    """Return rank and views of each player: the points of the tourists."""
    sheet: ScoreSheet = scan.sheet
    found = []
    for index, player in enumerate(sheet.players):
        points = sorted((each.points for each in player.tourists), reverse=True)
        label, rank = _player_label(scan, index), scan.shown_numbers.rank(index, player.rank)
        points_text = " ".join(map(str, points)) or words.NO_TOURISTS
        is_tied = player.tie_break is not None
        view = ScoreView(
            name=f"player-{label.number}",
            title=ranked_title(rank, label),
            rows=(Row(_tourists_of(label)), *_tie_rows(scan, index, points_text)),
            text="" if is_tied else points_text,
            points=(scan.shown_numbers.final(index, player.final),),
            points_rows=1 if is_tied else 2,
        )
        found.append(Standing(player.rank, rank, label, (view,)))
    return tuple(found)


def _tourists_of(label: PlayerLabel) -> tuple[Text, ...]:
    """Return what is listed, with the letter of the city where the photo shows several."""
    wordings = (words.CITY_TOURISTS, words.LETTER_TOURISTS)
    of_city = [each.fill(letter=letter) for each in wordings for letter in label.cities]
    return (*of_city, words.TOURISTS)


def _tie_rows(scan: Scan, seat: int, tourists: Text) -> tuple[Row, ...]:
    """Return the points of the tourists, and below them what was compared; none without a tie."""
    if scan.sheet.players[seat].tie_break is None:
        return ()
    texts = tie_break_texts(scan, seat, words.TIE_BREAKER_WORDS)
    return Row((tourists,)), Row(texts or (TIE_SHARED,))
