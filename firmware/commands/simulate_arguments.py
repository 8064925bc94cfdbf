"""The arguments of ``stadtblick simulate``."""

import argparse
import re
from pathlib import Path
from typing import Final

from firmware.errors import ExitCode
from vision.simulate.condition_names import CONDITION_NAMES

HELP: Final = "make photos of tables with known tiles"
_CONDITIONS = "\n".join(f"  {name:10} {what}" for name, what in CONDITION_NAMES.items())
EPILOG: Final = f"""\
conditions:
{_CONDITIONS}

examples:
  stadtblick simulate --out photos                          one photo of each condition
  stadtblick simulate --out photos --count 40 --condition glare covered
  stadtblick simulate --out photos --seed 100 --size 4608x2592
  stadtblick simulate --out boards --game city-blocks --count 57
  stadtblick bench photos                                   how well they are read

Games: between-two-cities, cities, city-blocks, dice-board, and reading-only with the --edition that
describes it. On their tables a board, too, runs off the edge, and turned tiles lie askew.

Writes NAME.jpg and the ground truth NAME.json beside it. The same condition, seed and size give
the same files. The form of the ground truth is described in docs/figures.md.
"""
DEFAULT_GAME: Final = "between-two-cities"
DEFAULT_SIZE: Final = "2304x1296"
MOST_PHOTOS: Final = 100_000
_SIZE = re.compile(r"([0-9]{1,5})x([0-9]{1,5})")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="folder for the photos"
    )
    parser.add_argument(
        "--count", metavar="N", type=_count, help="photos in all (default: one of each condition)"
    )
    parser.add_argument(
        "--seed", metavar="S", type=_seed, default=1, help="of the first photo (default: 1)"
    )
    parser.add_argument(
        "--condition",
        metavar="NAME",
        nargs="+",
        action="extend",
        dest="conditions",
        help="only these, in turn (default: all), see below",
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        default=DEFAULT_GAME,
        help="the game on the table (default: %(default)s)",
    )
    parser.add_argument(
        "--edition",
        metavar="NAME",
        help="whose look tiles and board have, of games known by pictures (default: the drawn one)",
    )
    parser.add_argument(
        "--size",
        metavar="WxH",
        type=_size,
        default=_size(DEFAULT_SIZE),
        help=f"pixels of each photo (default: {DEFAULT_SIZE})",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command.

    Raises:
        UsageError: an unknown condition, game or edition, or a size in which a table has no room.
        OutputError: the photos cannot be written.
    """
    from firmware.commands import simulate

    return simulate.run(
        options.out,
        count=options.count,
        seed=options.seed,
        conditions=options.conditions,
        size_wh=options.size,
        game=options.game,
        edition=options.edition,
    )


def _count(text: str) -> int:
    return _whole_number(text, 1, MOST_PHOTOS)


def _seed(text: str) -> int:
    return _whole_number(text, 0, 10**9)


def _whole_number(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit()) or not low <= int(text[:12]) <= high:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from {low} to {high}")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text} is no size like {DEFAULT_SIZE}")
    return int(match[1]), int(match[2])
