"""Past games loaded from the history: lines of their list, and results to show and correct."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from firmware.appliance.features.past_games import PastGame
from firmware.appliance.rescan import with_recalled_answers
from firmware.appliance.result import Result, past_result_id, score_or_problem
from firmware.games.players import shown_name_unless_seat
from firmware.history import StoredScan
from firmware.history.loaded_game import LoadedGame, load_past_game
from firmware.history.record import parse_results, summarize_winners
from firmware.report.place_pictures import place_bitmap, place_patch
from firmware.screens.view import Seat
from scoring.faces import city_name


def past_game(scan: StoredScan) -> PastGame:
    """Return the line of a past game in the list of the display."""
    record = scan.record
    winners = [
        (seat, player) for seat, player in enumerate(parse_results(record.sheet)) if player.won
    ]
    return PastGame(
        seq=scan.seq,
        when=(str(scan.at), scan.at.day) if scan.at.known else (),
        game=record.game,
        winners=tuple(_seat(record.sheet, seat, player.name) for seat, player in winners),
        points=summarize_winners(record.sheet).winner_points,
    )


def _seat(sheet: dict[str, Any], seat: int, name: str) -> Seat:
    players = sheet.get("players") or ()
    cities = players[seat].get("cities") or () if seat < len(players) else ()
    return Seat(seat + 1, shown_name_unless_seat(name), tuple(map(city_name, sorted(cities))))


def load_past_result(scan: StoredScan, photo: Path | None) -> Result:
    """Recall a past game as a result that can be shown and corrected.

    Args:
        scan: Stored scan.
        photo: Path of its photo; None if no photo is wanted or kept.

    Raises:
        HistoryError: ``scan-damaged``.
        UsageError: Its edition is gone or has other faces now.
        DescriptionError: Its edition cannot be used.
    """
    game = load_past_game(scan, photo)
    result = _result_of(game)
    if game.earlier is not None:
        earlier = _result_of(game.earlier)
        result = with_recalled_answers(result, earlier)
        result = replace(result, earlier=earlier if earlier.scan is not None else None)
    if game.photo is None:
        return result
    known = game.photo, result.corrected_scan.reading, game.description
    crop_at, patch_at = partial(place_bitmap, *known), partial(place_patch, *known)
    return replace(result, crop_at=crop_at, patch_at=patch_at, photo=game.photo)


def _result_of(game: LoadedGame) -> Result:
    return Result(
        result_id=past_result_id(game.seq),
        eye_reading=game.reading,
        reading_to_correct=game.reading,
        description=game.description,
        scan_or_problem=score_or_problem(
            game.reading, game.description, game.options, game.corrections
        ),
        options=game.options,
        photo_reference=game.record.photo,
        corrections=game.corrections,
        patches=game.patches,
        has_own_names=game.options.players is not None,
        seq=game.seq,
    )
