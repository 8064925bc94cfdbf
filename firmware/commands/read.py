"""``stadtblick read``: readings of photos."""

import argparse
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from firmware.base.errors import ExitCode, FirmwareError, UsageError
from firmware.base.language import N_, _
from firmware.commands.options import add_reading_options, fill_in_defaults, load_chosen_edition
from firmware.wording.problem_text import print_problem, problem_json
from scoring.errors import ScoringError
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.photo.load import Photo
    from vision.reading import Reading

EPILOG: Final = N_("""\
examples:
  stadtblick read table.jpg
  stadtblick read --jsonl photos/*.jpg > readings.jsonl
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("photos", metavar=_("PHOTO"), nargs="+", help=_("JPEG, PNG or HEIC"))
    add_reading_options(parser)
    parser.add_argument(
        "--duplexes",
        action=argparse.BooleanOptionalAction,
        help=_(
            "say which tiles are duplex tiles, where that can be seen; default: with the standard "
            "look of the tiles"
        ),
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help=_("print the reading as JSON"))
    output.add_argument("--jsonl", action="store_true", help=_("print one line of JSON a photo"))


def run(options: argparse.Namespace) -> ExitCode:
    """Read photos and print the readings; go on after a photo that is refused.

    With ``--jsonl`` a refused photo gives a line with the keys ``error`` and ``photo``.
    """
    from firmware.base.terminal import standard_output, write_json
    from firmware.report.text import print_reading
    from firmware.scan.json_output import reading_json
    from firmware.scan.make_scan import default_reader, make_unscored_scan, read_file

    scoring = fill_in_defaults(options)
    if options.json and len(options.photos) > 1:
        raise UsageError(
            "usage", "--json is for one photo: use --jsonl for several", _("command line")
        )
    edition = load_chosen_edition(options)
    description = edition.description
    if options.duplexes and not description.duplexes:
        raise UsageError(
            "usage", "{game} has no duplex tiles: leave out --duplexes", "--duplexes",
            game=options.game,
        )  # fmt: skip
    by_default = description.duplexes and edition.is_standard
    finds_duplexes = by_default if options.duplexes is None else options.duplexes
    reader = options.reader or default_reader(calibrated=options.calibrated)
    worst = ExitCode.DONE
    for path in options.photos:
        try:
            photo, reading = read_file(path, edition, reader)
            if finds_duplexes:
                reading = _with_duplexes(photo, reading)
            scan = make_unscored_scan(reading, description, options=scoring)
        except (VisionError, ScoringError, FirmwareError) as error:
            worst = ExitCode.REFUSED
            if options.jsonl:
                write_json({**problem_json(error), "photo": path}, indent=None)
            else:
                print_problem(error, as_json=options.json)
            continue
        if scan.needs_a_person:
            worst = max(worst, ExitCode.NEEDS_A_PERSON)
        if options.json or options.jsonl:
            write_json(reading_json(scan), indent=None if options.jsonl else 2)
        else:
            with standard_output() as console:
                print_reading(console, scan)
    return worst


def _with_duplexes(photo: "Photo", reading: "Reading") -> "Reading":
    """Find the duplex tiles; add the time spent to the timings."""
    from vision.eye.duplex import add_duplexes  # needed by few runs

    start = time.perf_counter()
    found = add_duplexes(photo, reading)
    spent_ms = (time.perf_counter() - start) * 1000
    timings = {"duplexes": spent_ms, **reading.timings_ms}
    if "total" in timings:
        timings["total"] += spent_ms
    return replace(found, timings_ms=timings)
