"""``stadtblick bench``: accuracy and speed of the eye on a folder of photos with ground truth."""

import argparse
import sys
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from firmware.base.errors import ExitCode, UsageError, system_reason
from firmware.base.language import N_, _
from firmware.commands.options import add_edition_options, load_named_edition, parse_whole_number
from vision.editions.edition import STANDARD_EDITION

if TYPE_CHECKING:
    from firmware.commands.bench_report import Report
    from vision.calibration.reader import PhotoReader
    from vision.editions.description import Description
    from vision.editions.edition import Edition

EPILOG: Final = N_("""\
examples:
  stadtblick bench photos
  stadtblick bench photos --edition ours
  stadtblick bench tables --game cities       where there are photos of several games
  stadtblick bench photos --limit 20 --json > results.json

FOLDER holds NAME.json with the reference data beside NAME.jpg, as stadtblick simulate writes them.
The game is that of the reference data unless --game or --edition names one.
docs/ground-truth.md explains the results. Exit code 1: a tile was read wrong, or a city missed or
invented, without a flag; 2: a file cannot be used, the results are of the others.
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "folder", metavar=_("FOLDER"), type=Path, help=_("photos with their reference data")
    )
    parser.add_argument("--json", action="store_true", help=_("print the results as JSON"))
    add_edition_options(parser, _("that of the reference data"))
    parser.add_argument(
        "--limit", metavar="N", type=_parse_limit, help=_("only the first N photos by name")
    )


def _parse_limit(text: str) -> int:
    return parse_whole_number(text, 1, 10**9, _("{text} is no number of photos").format(text=text))


def run(options: argparse.Namespace) -> ExitCode:
    """Read every photo, compare the reading with the ground truth, and print all results.

    One photo is in memory at a time. A file that cannot be used is reported and left out.
    """
    from firmware.base.terminal import Progress, standard_output, write_json
    from firmware.commands.bench_report import Report, print_report, report_json
    from firmware.scan.make_scan import default_reader
    from vision.errors import VisionError

    paths = _truth_files(options.folder, options.limit)
    if options.game is None and options.edition in (None, STANDARD_EDITION):
        options.game = _game_of_all(paths, str(options.folder))
    edition = load_named_edition(options, pictured=False)
    description = edition.description
    report = Report(str(options.folder), description.game, counted_unit(description))
    reader = options.reader or default_reader(calibrated=False)
    with Progress() as progress:
        for number, path in enumerate(paths):
            template = _("Photo {n} of {total}: {name}")
            progress.show(template.format(n=number + 1, total=len(paths), name=path.stem))
            try:
                _judge(path, edition, reader, report)
            except VisionError as error:
                report.refused_files.append(error)
    report.peak_memory_mb = _peak_memory_mb()
    if options.json:
        write_json(report_json(report))
    else:
        with standard_output() as console:
            print_report(console, report)
    if report.refused_files:
        return ExitCode.REFUSED
    return ExitCode.NEEDS_A_PERSON if report.is_wrong_somewhere else ExitCode.DONE


def counted_unit(description: "Description") -> Literal["tiles", "cells"]:
    """Return what the results count: tiles, if they are free and of one cell, or cells."""
    is_free = description.board is None and description.tile_cells == (1, 1)
    return "tiles" if is_free else "cells"


def _truth_files(folder: Path, limit: int | None) -> list[Path]:
    """List the ground truth files of a folder by name, at most ``limit``."""
    where = str(folder)
    if not folder.is_dir():
        raise UsageError("bench-no-folder", N_("there is no such folder: check the path"), where)
    try:
        paths = sorted(folder.glob("*.json"))
    except OSError as error:
        raise UsageError(
            "bench-no-folder",
            N_("the folder cannot be read ({why}): check it"),
            where,
            why=system_reason(error),
        ) from error
    if not paths:
        raise UsageError(
            "bench-no-truth",
            N_("there are no reference data here: stadtblick simulate makes photos with them"),
            where,
        )
    return list(islice(paths, limit))


def _game_of_all(paths: Iterable[Path], where: str) -> str | None:
    """Return the game that the ground truth names; None if no file names one."""
    from vision.lab.evaluation.photo_truth import truth_game

    games = sorted({game for game in map(truth_game, paths) if game is not None})
    if len(games) > 1:
        raise UsageError(
            "bench-games-differ",
            N_("these are photos of {games}: name one of them with --game"),
            where,
            games=", ".join(games),
        )
    return games[0] if games else None


def _judge(path: Path, edition: "Edition", reader: "PhotoReader", report: "Report") -> None:
    """Read one photo, judge the reading, and add the verdict with its times to the report.

    Raises:
        VisionError: The ground truth or the photo cannot be used.
    """
    from firmware.scan.corrections import cell_names
    from vision.errors import VisionError
    from vision.lab.evaluation.photo_truth import load_truth
    from vision.lab.evaluation.verdict import judge_reading, judge_refusal
    from vision.networks import measure_work
    from vision.photo.load import load_photo

    description = edition.description
    on_board = description.board is not None
    truth = load_truth(path, description.game, cell_names(description), on_board=on_board)
    if not truth.is_table:
        report.skipped.append(truth.path.name)
        return
    start = time.perf_counter()
    photo = load_photo(truth.path)
    decoded = time.perf_counter()
    try:
        with measure_work() as work:
            reading = reader(photo, edition)
    except VisionError as error:
        report.add(judge_refusal(truth, error.code), None)
        return
    done = time.perf_counter()
    timings_ms = {"decode": (decoded - start) * 1000, **reading.timings_ms}
    timings_ms["total"] = (done - start) * 1000
    report.add(judge_reading(truth, reading), timings_ms, work)


def _peak_memory_mb() -> float | None:
    """Return the peak memory of the process in megabytes; None if the system does not say."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
