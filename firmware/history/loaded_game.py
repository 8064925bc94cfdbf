"""Recall a stored scan as a game that can be shown and corrected."""

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from firmware.base.errors import FirmwareError
from firmware.games.registry import games
from firmware.games.scoring_options import ScoringOptions
from firmware.history.errors import damaged_scan
from firmware.history.record import ScanRecord, StoredScan
from firmware.history.stored_reading import decode_reading
from firmware.scan.corrections import Correction, parse_correction
from firmware.teaching.user_editions import load_edition
from firmware.wording.notes import ScanNote
from firmware.wording.places import Naming
from vision.editions.description import Description
from vision.errors import VisionError
from vision.patches.comparison import Patch, patch_from_text
from vision.photo.load import Photo, load_photo
from vision.reading import Place, Reading


@dataclass(frozen=True, slots=True, eq=False)
class LoadedGame:
    """Stored scan with all that is needed to score it again.

    Attributes:
        seq: Sequence number in the history.
        record: Record that it was recalled from.
        reading: Reading before the corrections.
        eye_reading: Reading of the eye, followed by the cities that the photo does not show.
        description: Description of the game by its edition.
        options: Scoring options of its table.
        corrections: Corrections of a person, in the order in which they were made.
        unapplied_corrections: Corrections of cities in ``eye_reading`` that do not count now, see
            ``ScanRecord``.
        patches: Pictures of the corrected tiles, by place.
        photo: Photo in the pixels of the reading; None if it is not kept or cannot be used.
        earlier: Same table as it was before it was scanned again; None if it was scanned once.
    """

    seq: int
    record: ScanRecord
    reading: Reading
    eye_reading: Reading
    description: Description
    options: ScoringOptions
    corrections: tuple[Correction, ...]
    unapplied_corrections: tuple[Correction, ...]
    patches: dict[Place, Patch]
    photo: Photo | None = None
    earlier: "LoadedGame | None" = None


def load_past_game(scan: StoredScan, photo: Path | None) -> LoadedGame:
    """Recall a game as it was left.

    Args:
        scan: Stored scan.
        photo: Path of its photo; None if no photo is wanted or kept.

    Raises:
        HistoryError: ``scan-damaged``.
        UsageError: Its edition is gone or has other faces now.
        DescriptionError: Its edition cannot be used.
    """
    record = scan.record
    name = record.edition
    try:
        readings = _readings(record)
    except ValueError as error:
        raise damaged_scan(scan.seq, "history") from error
    description = load_edition(name, record.game, name, pictured=False).description
    game = _game_of(scan.seq, record, readings, description)
    return replace(
        game,
        earlier=_game_before_rescan(scan, description),
        photo=None if photo is None else photo_as_read(photo, game.reading),
    )


def _readings(record: ScanRecord) -> tuple[Reading, Reading]:
    """Return the reading before the corrections, and that of the eye.

    Raises:
        ValueError: One of them is no stored reading.
    """
    reading = decode_reading(record.reading)
    return reading, reading if record.eye_reading is None else decode_reading(record.eye_reading)


def _game_of(
    seq: int, record: ScanRecord, readings: tuple[Reading, Reading], description: Description
) -> LoadedGame:
    reading, eye_reading = readings
    written_place = Naming.of(reading, description, {}).written_place

    def parse(text: str) -> Correction:
        correction = parse_correction(text, description)
        place = written_place(correction.place)
        is_from_earlier = place in record.taken_over
        read_as = record.read_as.get(place)
        return replace(correction, is_from_earlier=is_from_earlier, read_as=read_as)

    corrections = tuple(map(parse, record.corrections))
    unapplied = tuple(map(parse, record.unapplied_corrections))
    patches = {
        each.place: patch_from_text(record.patches.get(written_place(each.place), ""))
        for each in (*corrections, *unapplied)
    }
    return LoadedGame(
        seq,
        record,
        reading,
        eye_reading,
        description,
        _options_of(record),
        corrections,
        tuple(each for each in unapplied if each.place.grid < len(eye_reading.grids)),
        {place: patch for place, patch in patches.items() if patch is not None},
    )


def _game_before_rescan(scan: StoredScan, description: Description) -> LoadedGame | None:
    if scan.record.replaced is None:
        return None
    with suppress(ValueError, FirmwareError):  # a damaged one only cannot be compared with
        record = msgspec.convert(scan.record.replaced, ScanRecord)
        return _game_of(scan.seq, record, _readings(record), description)
    return None


def photo_as_read(path: Path, reading: Reading) -> Photo | None:
    """Load a photo with the pixels of its reading; the stored file may be a reduced one.

    Returns:
        Photo; None if it cannot be used.
    """
    with suppress(VisionError):
        photo = load_photo(path)
        scale = max(round(reading.size_wh[0] / photo.image_bgr.shape[1]), 1)
        return replace(photo, size_wh=reading.size_wh, scale=scale)
    return None


def _options_of(record: ScanRecord) -> ScoringOptions:
    table, game = record.table, games().get(record.game)
    has_seats = game is not None and game.named_seats > 0
    players, owners = table.get("players") if has_seats else None, table.get("owners")
    return ScoringOptions(
        level=record.level,
        variant=record.variant,
        players=None if players is None else tuple(players),
        owners=None if owners is None else tuple(owners),
        order=_known_order(record),
    )


def _known_order(record: ScanRecord) -> tuple[int, ...] | None:
    """Return the order of the cities if a person has given it, or if the photos show it."""
    order = record.table.get("order")
    notes = record.sheet.get("note_codes") or ()
    open_codes = (ScanNote.ORDER_ASSUMED, ScanNote.PERHAPS_SAME)
    is_open = any(note.get("code") in open_codes for note in notes)
    return None if order is None or is_open else tuple(order)
