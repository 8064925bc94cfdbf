"""The arguments of ``stadtblick print``."""

import argparse
from pathlib import Path
from typing import Final

from firmware.errors import ExitCode

HELP: Final = "make a sheet to print, as a PDF"
EPILOG: Final = """\
examples:
  stadtblick print calibration --out sheet.pdf
  stadtblick print calibration --out sheet.pdf --paper letter --lang en

Print at 100 % ("actual size", not "fit to page"), and check the length of the ruler on the sheet.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments to the parser of the command."""
    parser.add_argument("what", metavar="WHAT", help="the sheet: calibration")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help="where the PDF goes"
    )
    parser.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", help="default: %(default)s"
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command with its parsed arguments."""
    from firmware.commands import print_sheet

    return print_sheet.run(options.what, out=options.out, paper=options.paper)
