"""``stadtblick bench --game``: how well photos of games known by pictures are read."""

from functools import partial
from pathlib import Path
from typing import Protocol

from firmware.board_games.eye import load_pictured_edition, usual_board_eye
from firmware.commands.bench_folder import Judged, bench, judged_photo, truth_files
from firmware.commands.bench_report import Report
from firmware.commands.game_option import check_game
from firmware.errors import ExitCode
from vision.figures.board_compare import compare_boards, refused_board
from vision.figures.board_truth import Sight, load_board_truth
from vision.photo import Photo
from vision.reading import Reading


class BoardReader(Protocol):
    """What reads a photo; its edition is settled."""

    def __call__(self, photo: Photo) -> Reading:
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
    paths = truth_files(folder, limit)
    reader = eye or partial(usual_board_eye(), edition=load_pictured_edition(edition, game))

    def judge(path: Path) -> Judged | str:
        truth = load_board_truth(path, game)
        if not truth.is_table:
            return truth.path.name
        return judged_photo(
            truth.path, reader, partial(compare_boards, truth), partial(refused_board, truth)
        )

    return bench(Report(str(folder), game, tuple(Sight)), paths, judge, as_json=as_json)
