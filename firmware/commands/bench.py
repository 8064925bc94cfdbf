"""``stadtblick bench``: how well the eye reads a folder of photos with ground truth."""

import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

from firmware.commands.bench_report import Report, report_json
from firmware.commands.bench_text import print_report
from firmware.commands.progress import Progress
from firmware.errors import ExitCode, UsageError
from firmware.language import _
from firmware.scan import taught_edition, usual_eye
from firmware.terminal import printing, write_json
from vision.errors import VisionError
from vision.figures.compare import PhotoVerdict, compare, refused
from vision.figures.truth import PhotoTruth, load_truth
from vision.photo import Photo, load_photo
from vision.reading import Reading

Reader = Callable[[Photo], Reading]
"""What reads a photo."""


def run(
    folder: Path,
    *,
    edition: str | None = None,
    limit: int | None = None,
    as_json: bool = False,
    eye: Reader | None = None,
) -> ExitCode:
    """Read every photo, hold it against its truth, and print all figures.

    One photo is in memory at a time. A file that cannot be used is named, and the others go on.

    Args:
        folder: ``NAME.json`` beside each photo.
        edition: whose look the tiles have; None: the usual one.
        limit: so many photos, the first by name; None: all.
        as_json: print JSON instead of text.
        eye: what reads the photos; None: the real one.

    Raises:
        UsageError: ``bench-no-folder`` or ``bench-no-truth``, or those of ``taught_edition``.
    """
    reader = eye or partial(usual_eye(calibrated=False), edition=taught_edition(edition))
    report = Report(str(folder))
    paths = list(islice(truth_files(folder), limit))
    with Progress() as progress:
        for number, path in enumerate(paths):
            said = _("Photo {n} of {total}: {name}")
            progress.show(said.format(n=number + 1, total=len(paths), name=path.stem))
            _bench(path, report, reader)
    report.peak_memory_mb = peak_memory_mb()
    if as_json:
        write_json(report_json(report))
    else:
        with printing() as console:
            print_report(console, report)
    if report.refused_files:
        return ExitCode.REFUSED
    return ExitCode.NEEDS_A_PERSON if report.is_wrong_somewhere else ExitCode.DONE


def truth_files(folder: Path) -> list[Path]:
    """Every file of ground truth of a folder, by name.

    Raises:
        UsageError: ``bench-no-folder`` or ``bench-no-truth``.
    """
    if not folder.is_dir():
        raise UsageError("bench-no-folder", "there is no such folder: check the path", str(folder))
    try:
        paths = sorted(folder.glob("*.json"))
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UsageError(
            "bench-no-folder", f"the folder cannot be read ({why}): check it", str(folder)
        ) from error
    if not paths:
        raise UsageError(
            "bench-no-truth",
            "there is no ground truth here: stadtblick simulate makes photos with it",
            str(folder),
        )
    return paths


def _bench(path: Path, report: Report, eye: Reader) -> None:
    """Take one photo into the report, or name what is wrong with its files."""
    try:
        truth = load_truth(path)
        if not truth.is_table:
            report.skipped.append(truth.path.name)
            return
        report.add(*_judged(truth, eye))
    except VisionError as error:
        report.refused_files.append(error)


def _judged(truth: PhotoTruth, eye: Reader) -> tuple[PhotoVerdict, dict[str, float] | None]:
    """The verdict on one photo, and the milliseconds of each stage if it was read.

    Raises:
        VisionError: the photo cannot be loaded.
    """
    start = time.perf_counter()
    photo = load_photo(truth.path)
    decoded = time.perf_counter()
    try:
        reading = eye(photo)
    except VisionError as error:
        return refused(truth, error.code), None
    done = time.perf_counter()
    timings_ms: dict[str, float] = {"decode": (decoded - start) * 1000, **reading.timings_ms}
    timings_ms["total"] = (done - start) * 1000
    return compare(truth, reading), timings_ms


def peak_memory_mb() -> float | None:
    """The most memory that the process has taken; None where the system does not tell."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
