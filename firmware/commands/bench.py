"""``stadtblick bench``: how well the eye reads a folder of photos with ground truth."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from firmware.commands.bench_folder import Judged, bench, judged_photo, truth_files
from firmware.commands.bench_report import Report
from firmware.errors import ExitCode
from firmware.scan import taught_edition, usual_eye
from vision.figures.compare import compare, refused
from vision.figures.truth import GAME, Visibility, load_truth
from vision.photo import Photo
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

    def judge(path: Path) -> Judged | str:
        truth = load_truth(path)
        if not truth.is_table:
            return truth.path.name
        return judged_photo(truth.path, reader, partial(compare, truth), partial(refused, truth))

    report = Report(str(folder), GAME, tuple(Visibility))
    return bench(report, truth_files(folder, limit), judge, as_json=as_json)
