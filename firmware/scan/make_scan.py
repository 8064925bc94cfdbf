"""From a photo to a ``Scan``: read, correct, check, score; the same for every game."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Final

from firmware.base.errors import UsageError
from firmware.base.language import _
from firmware.base.photo_quads import unread_positions
from firmware.base.user_data import calibration_path
from firmware.games.doubts import with_findings
from firmware.games.findings import Finding, make_finding
from firmware.games.game import Game
from firmware.games.registry import games
from firmware.games.scan import Scan
from firmware.games.scoring_options import ScoringOptions
from firmware.scan.corrections import Correction, apply_corrections
from firmware.scan.range_search import compute_ranges
from firmware.wording.notes import ScanNote, note_template
from scoring.errors import Breach, TableError
from scoring.faces import city_name
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.photo.load import Photo, load_photo
from vision.reading import Note, NoteCode, Reading

if TYPE_CHECKING:
    from vision.calibration.reader import PhotoReader


def default_reader(*, calibrated: bool = True) -> "PhotoReader":
    """Return the function that reads photos, with the stored calibration if there is one.

    The calibration is loaded each time, as another one may have been stored.

    Args:
        calibrated: False to leave the calibration out.
    """
    from vision.calibration.reader import load_reader

    supplies = {name: game.supply for name, game in games().items() if game.supply is not None}
    return load_reader(calibration_path() if calibrated else None, supplies)


def read_file(
    path: str | PathLike[str], edition: Edition, reader: "PhotoReader | None" = None
) -> tuple[Photo, Reading]:
    """Load and read one photo; the time for loading is added to the reading's timings.

    Args:
        path: Path of the photo.
        edition: Edition of the tiles and the board.
        reader: Function that reads it; None for ``default_reader``.

    Returns:
        Photo and reading; a reading without grids has a note on that, unless it shows tiles of
            another edition.

    Raises:
        VisionError: The photo cannot be used.
    """
    start = time.perf_counter()
    photo = load_photo(path)
    decode_ms = (time.perf_counter() - start) * 1000
    reading = (reader or default_reader())(photo, edition)
    timings: dict[str, float] = {"decode": decode_ms, **reading.timings_ms}
    timings["total"] = decode_ms + timings.get("total", sum(reading.timings_ms.values()))
    notes = reading.notes
    if not reading.grids and not shows_other_tiles(reading):
        notes += (nothing_found_note(edition.description),)
    return photo, replace(reading, timings_ms=timings, notes=notes)


def shows_other_tiles(reading: Reading) -> bool:
    """Return whether grids lie in a photo whose tiles look unlike those of the edition."""
    is_noted = any(note.code == NoteCode.OTHER_EDITION for note in reading.notes)
    return is_noted and bool(reading.unread)


def nothing_found_note(description: Description) -> Note:
    """Return the note on a photo that shows nothing of the game."""
    if description.board is not None:
        return Note(ScanNote.NO_BOARD)
    if description.game not in games():
        return Note(ScanNote.NO_TILES)
    size = (("rows", description.tile_rows), ("columns", description.tile_columns))
    return Note(ScanNote.NO_CITY, values=size)


def make_unscored_scan(
    reading: Reading,
    description: Description,
    *,
    corrections: Sequence[Correction] = (),
    options: ScoringOptions | None = None,
) -> Scan:
    """Return a corrected reading with what the rules object to, not scored yet.

    Raises:
        UsageError: A correction or an option does not fit the reading.
    """
    reading_as_corrected, settled = apply_corrections(reading, description, corrections)
    game = games().get(description.game)
    if game is None:
        return Scan(
            reading_as_corrected, description, None, findings=(make_finding(ScanNote.NO_RULES),)
        )
    options = options or ScoringOptions()
    findings = tuple(game.list_findings(reading_as_corrected, description, options))
    if description.board is not None and len(reading_as_corrected.grids) > 1:
        findings = (make_finding(ScanNote.MORE_BOARDS, counts_by_itself=True), *findings)
    findings = (*_open_questions(reading_as_corrected, game, options), *findings)
    doubted = with_findings(reading_as_corrected, findings, settled)
    table = (
        game.table_from_reading(reading_as_corrected, description, options)
        if reading_as_corrected.grids
        else None
    )
    return Scan(doubted, description, game, table, findings=findings, options=options)


def make_scan(
    reading: Reading,
    description: Description,
    *,
    corrections: Sequence[Correction] = (),
    options: ScoringOptions | None = None,
) -> Scan:
    """Return a corrected reading as a scored scan; that of a game without rules stays unscored.

    The arguments are those of ``make_unscored_scan``.

    Raises:
        UsageError: As in ``make_unscored_scan``; ``no-city``, ``no-board`` or another error of the
            game; or a breach of the rules under its own code.
    """
    if not reading.grids:
        raise _nothing_to_score(reading, description)
    game = games().get(description.game)
    if game is not None:
        game.check_count(reading, options or ScoringOptions())
    scan = make_unscored_scan(reading, description, corrections=corrections, options=options)
    if game is None:
        return scan
    try:
        sheet = game.rules.score(scan.table, lenient=True)  # gaps are scored as they lie
    except TableError as error:
        breach = error.breaches[0]
        raise game.explain_breach(breach, scan) or _refusal(breach, scan) from error
    scored = replace(scan, sheet=sheet)
    return replace(scored, ranges=compute_ranges(scored))


def _open_questions(reading: Reading, game: Game, options: ScoringOptions) -> Iterator[Finding]:
    """Yield what several photos of a table leave open: cities seen twice, and their order."""
    join = reading.join
    if join is None:
        return
    letters = [city_name(grid) for grid in join.order]
    for first, second in join.perhaps_same:
        a, b = city_name(first), city_name(second)
        # Arguments of --order for either answer: in the first both letters name one city
        order_if_one = ",".join(f"{a}={b}" if each == a else each for each in letters if each != b)
        order_if_two = ",".join(letters)
        yield make_finding(
            ScanNote.PERHAPS_SAME,
            counts_by_itself=True,
            first=a,
            second=b,
            same=order_if_one,
            both=order_if_two,
        )
    is_order_open = options.order is None and not join.is_order_known
    if is_order_open and len(letters) > 2 and game.seats_matter(options):
        yield make_finding(ScanNote.ORDER_ASSUMED, counts_by_itself=True, order=",".join(letters))


def _nothing_to_score(reading: Reading, description: Description) -> UsageError:
    if shows_other_tiles(reading):
        return UsageError(
            "tiles-differ",
            "tiles lie here that look different from those of edition {name}, {places}: choose "
            "their edition, or teach them",
            reading.photo_name,
            name=reading.edition,
            places=unread_positions(reading),
        )
    if description.board is None and reading.unread:
        return UsageError(
            "no-city",
            "no city found, but here is something that looks like one and cannot be read: "
            "{places}; take the photo from above, closer and with more light",
            reading.photo_name,
            places=unread_positions(reading),
        )
    note = nothing_found_note(description)
    code = "no-board" if description.board is not None else "no-city"
    return UsageError(code, note_template(note.code), reading.photo_name, **dict(note.values))


_BREACH_PATH: Final = re.compile(r"\$(?:\.cities\[(\d+)\])?(?:\.\w+\[(\d+)\]\[(\d+)\])?.*")
"""JSON path of a breach, with the grid, row and column: ``$.cities[0].grid[1][2]``."""
_OPTIONS: Final = {"$.players": "--players", "$.level": "--level"}


def _refusal(breach: Breach, scan: Scan) -> UsageError:
    """Return the error for a breach of the rules, with the place in the photo."""
    where = photo = scan.reading.photo_name
    match = _BREACH_PATH.fullmatch(breach.where)
    option = next(
        (option_name for at, option_name in _OPTIONS.items() if breach.where.startswith(at)), None
    )
    if option is not None:
        where = option
    elif match is not None and match[2] is not None:
        cell = int(match[2]), int(match[3])
        where = f"{photo}, {scan.naming.cell(int(match[1] or 0), cell)}"
    elif match is not None and match[1] is not None and scan.naming.lettered:
        city = _("city {letter}").format(letter=city_name(int(match[1])))
        where = f"{photo}, {city}"
    return UsageError(breach.code, breach.template, where, **breach.values)
