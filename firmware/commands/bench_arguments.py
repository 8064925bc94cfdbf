"""The arguments of ``stadtblick bench``."""

import argparse
from pathlib import Path
from typing import Final

from firmware.errors import ExitCode

DEFAULT_GAME: Final = "between-two-cities"
HELP: Final = "say how well photos with ground truth are read"
EPILOG: Final = """\
examples:
  stadtblick bench photos
  stadtblick bench photos --edition ours
  stadtblick bench boards --game city-blocks
  stadtblick bench photos --limit 20 --json > figures.json

FOLDER holds NAME.json with the ground truth beside NAME.jpg, as stadtblick simulate writes them;
docs/figures.md says what the figures mean. Exit code 1: a tile was read wrong or a city was
missed or invented without a word; 2: a file cannot be used, the figures are of the others.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="photos with their ground truth"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--game",
        metavar="GAME",
        default=DEFAULT_GAME,
        help="the game on the tables (default: %(default)s)",
    )
    parser.add_argument(
        "--edition",
        metavar="NAME",
        help="whose look the tiles have (default: that of the settings)",
    )
    parser.add_argument("--limit", metavar="N", type=_limit, help="only the first N photos by name")


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command.

    Raises:
        UsageError: the folder cannot be used.
    """
    if options.game != DEFAULT_GAME:
        from firmware.commands import bench_boards

        return bench_boards.run(
            options.folder,
            options.game,
            edition=options.edition,
            limit=options.limit,
            as_json=options.json,
        )
    from firmware.commands import bench

    return bench.run(
        options.folder, edition=options.edition, limit=options.limit, as_json=options.json
    )


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:12]) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number of photos")
    return int(text)
