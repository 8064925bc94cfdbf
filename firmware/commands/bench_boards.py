"""``stadtblick bench --game``: how well photos of games known by pictures are read."""

import time
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol

from firmware.board_games.eye import load_pictured_edition, usual_board_eye
from firmware.commands.bench import peak_memory_mb, truth_files
from firmware.commands.bench_board_report import BoardReport, board_report_json
from firmware.commands.bench_board_text import print_board_report
from firmware.commands.game_option import check_game
from firmware.commands.progress import Progress
from firmware.errors import ExitCode
from firmware.language import _
from firmware.terminal import printing, write_json
from vision.boards.reading import BoardReading
from vision.errors import VisionError
from vision.figures.board_compare import BoardPhotoVerdict, compare_boards, refused_board
from vision.figures.board_truth import BoardPhotoTruth, load_board_truth
from vision.photo import Photo, load_photo


class BoardReader(Protocol):
    """What reads a photo; its edition is settled."""

    def __call__(self, photo: Photo) -> BoardReading:
        """Read one photo."""
        ...


def run(
    folder: Path,
    game: str,
    *,
    edition: str | None = None,
    limit: int | None = None,
    as_json: bool = False,
    eye: BoardReader | None = None,
) -> ExitCode:
    """Read every photo, hold it against its truth, and print all figures.

    One photo is in memory at a time. A file that cannot be used is named, and the others go on.

    Args:
        folder: ``NAME.json`` beside each photo.
        game: on the tables, or ``reading-only``.
        edition: whose look the tiles have; None: the standard one of the game.
        limit: so many photos, the first by name; None: all.
        as_json: print JSON instead of text.
        eye: what reads the photos; None: the real one.

    Raises:
        UsageError: ``unknown-game``, those of ``truth_files`` and of ``load_pictured_edition``.
    """
    check_game(game)
    paths = list(islice(truth_files(folder), limit))
    if eye is None:
        eye = partial(usual_board_eye(), edition=load_pictured_edition(edition, game))
    report = BoardReport(str(folder), game)
    with Progress() as progress:
        for number, path in enumerate(paths):
            said = _("Photo {n} of {total}: {name}")
            progress.show(said.format(n=number + 1, total=len(paths), name=path.stem))
            _bench(path, report, eye)
    report.peak_memory_mb = peak_memory_mb()
    if as_json:
        write_json(board_report_json(report))
    else:
        with printing() as console:
            print_board_report(console, report)
    if report.refused_files:
        return ExitCode.REFUSED
    return ExitCode.NEEDS_A_PERSON if report.is_wrong_somewhere else ExitCode.DONE


def _bench(path: Path, report: BoardReport, eye: BoardReader) -> None:
    """Take one photo into the report, or name what is wrong with its files."""
    try:
        truth = load_board_truth(path, report.game)
        if not truth.is_table:
            report.skipped.append(truth.path.name)
            return
        report.add(*_judged(truth, eye))
    except VisionError as error:
        report.refused_files.append(error)


def _judged(
    truth: BoardPhotoTruth, eye: BoardReader
) -> tuple[BoardPhotoVerdict, dict[str, float] | None]:
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
        return refused_board(truth, error.code), None
    done = time.perf_counter()
    timings_ms: dict[str, float] = {"decode": (decoded - start) * 1000, **reading.timings_ms}
    timings_ms["total"] = (done - start) * 1000
    return compare_boards(truth, reading), timings_ms
