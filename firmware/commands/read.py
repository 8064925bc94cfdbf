"""``stadtblick read``: photos to readings."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware.doubts import doubts_of
from firmware.errors import ExitCode, Refusal, error_object
from firmware.output import reading_json
from firmware.owners import OWNERS_NOT_SHOWN
from firmware.reading_text import print_reading
from firmware.scan import Eye, read_file, table_of, taught_edition
from firmware.terminal import printing, write_json
from scoring.errors import ScoringError
from scoring.games.between_two_cities.table import Variant
from vision.errors import VisionError
from vision.photo import Photo
from vision.reading import Reading


def run(
    photos: Sequence[str],
    *,
    report: Callable[[Refusal], None],
    variant: Variant = Variant.STANDARD,
    edition: str | None = None,
    as_json: bool = False,
    as_jsonl: bool = False,
    calibrated: bool = True,
    duplexes: bool | None = None,
    eye: Eye | None = None,
) -> ExitCode:
    """Read photos and print what they show; one that is refused does not stop the others.

    Args:
        photos: paths.
        report: shows the error of a refused photo.
        variant: how the players share the cities, for the table in the JSON.
        edition: whose look the tiles have; None: the usual one.
        as_json: print the reading of the only photo as JSON.
        as_jsonl: print a line of JSON a photo; a refused one gives an ``{"error"}`` line with
            the key ``photo`` beside it.
        calibrated: whether to use the stored calibration.
        duplexes: whether to look for duplex tiles, too; None: if the tiles have the usual look,
            which is the one that they were learned from.
        eye: what reads the photos; None: the real one.

    Raises:
        UsageError: nobody knows the edition.
    """
    has_usual_look = taught_edition(edition) is None
    wanted = has_usual_look if duplexes is None else duplexes
    worst = ExitCode.DONE
    for photo in photos:
        try:
            loaded, reading = read_file(photo, eye, edition, calibrated=calibrated)
            if wanted:
                reading = _with_duplexes(loaded, reading)
        except (VisionError, ScoringError) as error:
            worst = ExitCode.REFUSED
            if as_jsonl:
                write_json({**error_object(error), "photo": photo}, indent=None)
            else:
                report(error)
        else:
            table = table_of(reading, variant)
            owners_known = variant is Variant.STANDARD or table.owners is not None
            if not owners_known:
                reading = replace(reading, notes=(*reading.notes, OWNERS_NOT_SHOWN))
            doubts = doubts_of(reading, owners_known=owners_known)
            if doubts.count or not reading.cities:
                worst = max(worst, ExitCode.NEEDS_A_PERSON)
            if as_json or as_jsonl:
                write_json(reading_json(reading, table), indent=None if as_jsonl else 2)
            else:
                with printing() as console:
                    print_reading(console, reading)
    return worst


def _with_duplexes(photo: Photo, reading: Reading) -> Reading:
    """The reading with its duplex tiles; the time for that is added to its timings."""
    from vision.duplex import with_duplexes  # not every run needs it

    start = time.perf_counter()
    found = with_duplexes(photo, reading)
    spent_ms = (time.perf_counter() - start) * 1000
    timings = {"duplexes": spent_ms, **reading.timings_ms}
    if "total" in timings:
        timings["total"] += spent_ms
    return replace(found, timings_ms=timings)
