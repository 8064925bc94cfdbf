"""Past games as the display shows them, out of what is stored."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from firmware.appliance.events import PastGame
from firmware.appliance.result import Result, outcome_of
from firmware.base.errors import FirmwareError
from firmware.games import ScoringOptions, games
from firmware.games.colours import player_name
from firmware.history import ScanRecord, StoredScan
from firmware.history.errors import HistoryError
from firmware.history.recall import reading_of
from firmware.history.record import outcome_of as who_won
from firmware.history.record import place_text, results_of
from firmware.scan.corrections import parse_correction
from firmware.screens import place_patch, place_picture
from firmware.screens.views import Seat
from firmware.teaching.user_editions import load_edition
from scoring.faces import city_name
from vision.editions.description import Description
from vision.errors import VisionError
from vision.patches.comparison import patch_from_text
from vision.photo.load import Photo, load_photo
from vision.reading import Reading


def past_game(scan: StoredScan) -> PastGame:
    """When and what was played, and who has won."""
    record = scan.record
    winners = [(seat, player) for seat, player in enumerate(results_of(record.sheet)) if player.won]
    return PastGame(
        seq=scan.seq,
        when=(str(scan.at), str(scan.at).partition(" ")[0]) if scan.at.known else (),
        game=record.game,
        winners=tuple(_seat(record.sheet, seat, player.name) for seat, player in winners),
        points=who_won(record.sheet).points,
    )


def _seat(sheet: dict[str, Any], seat: int, name: str) -> Seat:
    players = sheet.get("players") or ()
    cities = players[seat].get("cities") or () if seat < len(players) else ()
    return Seat(seat + 1, player_name(name), tuple(map(city_name, sorted(cities))))


def recalled(scan: StoredScan, photo: Path | None) -> Result:
    """A past game as it was left, so that it can be shown and corrected.

    Args:
        scan: as stored.
        photo: where its photo is; None: it is not kept, so that no place has a picture.

    Raises:
        HistoryError: ``scan-damaged``.
        UsageError: its edition is not there any more, or has other faces now.
        DescriptionError: its edition cannot be used.
    """
    record = scan.record
    try:
        read = reading_of(record.reading)
    except ValueError as error:
        raise HistoryError(
            "scan-damaged",
            "scan {seq} is damaged: delete it with stadtblick history delete {seq}",
            "history",
            seq=scan.seq,
        ) from error
    name = record.edition
    description = load_edition(name, record.game, name, pictured=False).description
    result = replace(_result_of(scan, read, description), earlier=_replaced(scan, description))
    if photo is None:
        return result
    with suppress(VisionError):  # a photo that cannot be used any more
        seen = _as_read(load_photo(photo), read)
        crops = partial(place_picture, seen, result.checked)
        patch_at = partial(place_patch, seen, result.checked)
        return replace(result, crops=crops, patch_at=patch_at, picture=seen)
    return result


def _result_of(scan: StoredScan, read: Reading, description: Description) -> Result:
    """The result of a stored record, without its photo."""
    record = scan.record
    corrections = tuple(parse_correction(text, description) for text in record.corrections)
    options = _options_of(record)
    texts = {each.place: record.patches.get(place_text(each), "") for each in corrections}
    patches = {place: patch_from_text(text) for place, text in texts.items()}
    return Result(
        table=-scan.seq,
        seen=read,
        read=read,
        description=description,
        outcome=outcome_of(read, description, options, corrections),
        options=options,
        photo=record.photo,
        corrections=corrections,
        patches={place: patch for place, patch in patches.items() if patch is not None},
        seq=scan.seq,
    )


def _replaced(scan: StoredScan, description: Description) -> Result | None:
    """The result as it was before the table was scanned again; None if it was scanned once."""
    if scan.record.replaced is None:
        return None
    with suppress(ValueError, FirmwareError):  # else it is damaged, and only cannot be compared
        record = msgspec.convert(scan.record.replaced, ScanRecord)
        earlier = _result_of(replace(scan, record=record), reading_of(record.reading), description)
        return earlier if earlier.scan is not None else None
    return None


def _as_read(kept: Photo, read: Reading) -> Photo:
    """A photo as it was when it was read: what is kept may be a reduced one."""
    scale = max(round(read.size_wh[0] / kept.image_bgr.shape[1]), 1)
    return replace(kept, size_wh=read.size_wh, scale=scale)


def _options_of(record: ScanRecord) -> ScoringOptions:
    """As its table was scored."""
    table, game = record.table, games().get(record.game)
    has_seats = game is not None and game.seats > 0
    players, owners = table.get("players") if has_seats else None, table.get("owners")
    return ScoringOptions(
        level=record.level,
        variant=record.variant,
        players=None if players is None else tuple(players),
        owners=None if owners is None else tuple(owners),
    )
