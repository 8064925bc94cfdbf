"""The arguments of ``stadtblick print``."""

import argparse
from pathlib import Path
from typing import Final

from firmware.errors import ExitCode

HELP: Final = "make sheets to print, as a PDF"
EPILOG: Final = """\
what can be printed:
  calibration         the sheet for stadtblick calibrate
  between-two-cities  tiles for a small game, or with --full for the whole box
  cities              sets of tiles, and tourists
  city-blocks         the board, buildings and value tiles
  dice-board          cards with two sides, and the board

examples:
  stadtblick print calibration --out sheet.pdf
  stadtblick print between-two-cities --copies 8 --out tiles.pdf
  stadtblick print cities --sets 3 --paper letter --out cities.pdf
  stadtblick print city-blocks --paper a3 --out blocks.pdf
  stadtblick print dice-board --duplex --out cards.pdf

Print at 100 % ("actual size", not "fit to page"), and check the length of the ruler on each page.
How to cut, fold and glue: docs/printing.md.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments to the parser of the command."""
    parser.add_argument(
        "what",
        metavar="WHAT",
        help="calibration, between-two-cities, cities, city-blocks or dice-board",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        required=True,
        help="where the PDF goes; a file that is there is replaced",
    )
    parser.add_argument(
        "--paper", choices=("a4", "letter", "a3"), default="a4", help="default: %(default)s"
    )
    supply = parser.add_mutually_exclusive_group()
    supply.add_argument(
        "--copies",
        metavar="N",
        type=int,
        help="between-two-cities: of each of the nine faces, 1 to 20 (default: 6, three cities)",
    )
    supply.add_argument(
        "--full",
        action="store_true",
        help="between-two-cities: as many tiles as in the box",
    )
    parser.add_argument(
        "--sets",
        metavar="N",
        type=int,
        help="cities: sets of 24 tiles, one for each player, 1 to 4 (default: 2)",
    )
    parser.add_argument(
        "--duplex",
        action="store_true",
        help="for paper printed on both sides, turned over its long edge: between-two-cities "
        "gets backs, what has no back in dice-board an empty page",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command with its parsed arguments."""
    from firmware.commands import print_sheet
    from firmware.printing.games import Choices

    choices = Choices(
        copies=options.copies,
        is_full=options.full,
        sets=options.sets,
        is_duplex=options.duplex,
    )
    return print_sheet.run(options.what, out=options.out, paper=options.paper, choices=choices)
