"""What ``stadtblick bench`` does with a folder of any game: read each photo, judge it, report."""

import sys
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from firmware.commands.bench_report import Report, report_json
from firmware.commands.bench_text import print_report
from firmware.commands.progress import Progress
from firmware.errors import ExitCode, UsageError
from firmware.language import _
from firmware.terminal import printing, write_json
from vision.errors import VisionError
from vision.figures.verdict import PhotoVerdict
from vision.photo import Photo, load_photo


class Timed(Protocol):
    """What every reading tells of its making."""

    @property
    def timings_ms(self) -> dict[str, float]:
        """Milliseconds of each stage."""


Reading = TypeVar("Reading", bound=Timed)
Judged = tuple[PhotoVerdict, dict[str, float] | None]
"""A verdict, and the milliseconds of each stage if the photo was read."""


def truth_files(folder: Path, limit: int | None) -> list[Path]:
    """The files of ground truth of a folder, by name.

    Args:
        folder: of photos with their truth.
        limit: so many, the first by name; None: all.

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
    return list(islice(paths, limit))


def bench(
    report: Report,
    paths: Sequence[Path],
    judge: Callable[[Path], Judged | str],
    *,
    as_json: bool,
) -> ExitCode:
    """Judge the photos one after the other, and print all figures.

    Args:
        report: to be filled.
        paths: files of ground truth.
        judge: gives the verdict on a photo by its truth; its name if it shows nothing to find. It
            raises ``VisionError`` for files that cannot be used; the others go on.
        as_json: print JSON instead of text.
    """
    with Progress() as progress:
        for number, path in enumerate(paths):
            said = _("Photo {n} of {total}: {name}")
            progress.show(said.format(n=number + 1, total=len(paths), name=path.stem))
            try:
                judged = judge(path)
            except VisionError as error:
                report.refused_files.append(error)
                continue
            if isinstance(judged, str):
                report.skipped.append(judged)
            else:
                report.add(*judged)
    report.peak_memory_mb = _peak_memory_mb()
    if as_json:
        write_json(report_json(report))
    else:
        with printing() as console:
            print_report(console, report)
    if report.refused_files:
        return ExitCode.REFUSED
    return ExitCode.NEEDS_A_PERSON if report.is_wrong_somewhere else ExitCode.DONE


def judged_photo(
    path: Path,
    eye: Callable[[Photo], Reading],
    compare: Callable[[Reading], PhotoVerdict],
    refused: Callable[[str], PhotoVerdict],
) -> Judged:
    """The verdict on one photo, and how long its stages took.

    Args:
        path: of the photo.
        eye: what reads it.
        compare: holds a reading against the truth.
        refused: gives the verdict where the eye refused the photo with this error code.

    Raises:
        VisionError: the photo cannot be loaded.
    """
    start = time.perf_counter()
    photo = load_photo(path)
    decoded = time.perf_counter()
    try:
        reading = eye(photo)
    except VisionError as error:
        return refused(error.code), None
    done = time.perf_counter()
    timings_ms = {"decode": (decoded - start) * 1000, **reading.timings_ms}
    timings_ms["total"] = (done - start) * 1000
    return compare(reading), timings_ms


def _peak_memory_mb() -> float | None:
    """The most memory that the process has taken; None where the system does not tell."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
