"""Results as the history stores them, past games loaded from it, and the entries of their list."""

from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from firmware.appliance.features.past_games import PastGameEntry
from firmware.appliance.result import AbsentCity, Result, past_result_id, score_or_problem
from firmware.games.player_words import shown_name_unless_seat
from firmware.games.scoring_options import ScoringOptions
from firmware.history import ScanRecord, StoredScan, make_record
from firmware.history.loaded_game import LoadedGame, load_past_game
from firmware.history.stored_sheet import parse_results, summarize_winners
from firmware.report.place_pictures import place_bitmap, place_patch
from firmware.scan.corrections import Correction
from firmware.screens.view import PlayerLabel
from scoring.faces import city_name
from vision.reading import GridReading


def past_game_entry(scan: StoredScan) -> PastGameEntry:
    """Return the entry of a past game for the list of the display."""
    record = scan.record
    winners = [
        (seat, player) for seat, player in enumerate(parse_results(record.sheet)) if player.won
    ]
    return PastGameEntry(
        seq=scan.seq,
        when=(str(scan.at), scan.at.day) if scan.at.known else (),
        game=record.game,
        winners=tuple(_player_label(record.sheet, seat, player.name) for seat, player in winners),
        points=summarize_winners(record.sheet).winner_points,
    )


def _player_label(sheet: dict[str, Any], seat: int, name: str) -> PlayerLabel:
    players = sheet.get("players") or ()
    cities = players[seat].get("cities") or () if seat < len(players) else ()
    return PlayerLabel(
        seat + 1, shown_name_unless_seat(name), tuple(map(city_name, sorted(cities)))
    )


def record_of(result: Result) -> ScanRecord:
    """Return the record of a result, without photo and health; ``load_past_result`` loads it."""
    absent_grids, unapplied = [], list(result.to_confirm)
    patches = dict(result.patches)
    for grid, absent in enumerate(result.absent, start=len(result.eye_reading.grids)):
        absent_grids.append(absent.city)
        unapplied += (_in_grid(each, grid) for each in absent.corrections)
        patches |= {replace(place, grid=grid): each for place, each in absent.patches.items()}
    eye_reading = replace(result.eye_reading, grids=(*result.eye_reading.grids, *absent_grids))
    return make_record(
        result.corrected_scan,
        result.corrections,
        reading_to_correct=result.reading_to_correct,
        eye_reading=None if eye_reading == result.reading_to_correct else eye_reading,
        unapplied_corrections=unapplied,
        options_taken_over=result.taken_over,
        own_names=[each for each in result.names_for_other_counts.values() if each is not None],
        patches=patches,
    )


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
        result = replace(result, earlier=earlier if earlier.scan is not None else None)
    if game.photo is None:
        return result
    source = game.photo, result.corrected_scan.reading, game.description
    crop_at, patch_at = partial(place_bitmap, *source), partial(place_patch, *source)
    return replace(result, crop_at=crop_at, patch_at=patch_at, photo=game.photo)


def _result_of(game: LoadedGame) -> Result:
    count = len(game.reading.grids)
    absent = (
        _absent_city(game, grid, city)
        for grid, city in enumerate(game.eye_reading.grids)
        if grid >= count
    )
    return Result(
        result_id=past_result_id(game.seq),
        eye_reading=replace(game.eye_reading, grids=game.eye_reading.grids[:count]),
        reading_to_correct=game.reading,
        description=game.description,
        scan_or_problem=score_or_problem(
            game.reading, game.description, game.options, game.corrections
        ),
        options=game.options,
        photo_reference=game.record.photo,
        corrections=game.corrections,
        unconfirmed=tuple(each for each in game.unapplied_corrections if each.place.grid < count),
        patches={place: each for place, each in game.patches.items() if place.grid < count},
        absent=tuple(absent),
        has_own_names=game.options.players is not None,
        names_for_other_counts={len(names): names for names in game.record.own_names},
        taken_over=tuple(
            each.name for each in fields(ScoringOptions) if each.name in game.record.taken_over
        ),
        seq=game.seq,
    )


def _absent_city(game: LoadedGame, grid: int, city: GridReading) -> AbsentCity:
    patches = {
        replace(place, grid=0): each for place, each in game.patches.items() if place.grid == grid
    }
    corrections = (
        _in_grid(each, 0) for each in game.unapplied_corrections if each.place.grid == grid
    )
    return AbsentCity(city, tuple(corrections), patches)


def _in_grid(correction: Correction, grid: int) -> Correction:
    return replace(correction, place=replace(correction.place, grid=grid))
