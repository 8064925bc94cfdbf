"""The arguments of ``stadtblick calibrate``."""

import argparse
from pathlib import Path
from typing import Final

from firmware.errors import ExitCode

HELP: Final = "find lens and table from photos of the printed calibration sheet"
EPILOG: Final = """\
examples:
  stadtblick print calibration --out sheet.pdf
  stadtblick calibrate photos/*.jpg              the last one: the sheet lies on the table
  stadtblick calibrate photos/*.jpg --table photos/07.jpg
  stadtblick calibrate new.jpg --plane-only      the camera was moved, its lens is known

Take about ten photos: the sheet in each corner of the picture and in the middle, each of its
sides once lifted by 20 to 40 degrees, and at last flat on the table.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments to the parser of the command."""
    parser.add_argument("photos", metavar="PHOTO", nargs="+", help="JPEG or PNG of the sheet")
    parser.add_argument(
        "--table",
        metavar="PHOTO",
        help="the photo with the sheet flat on the table (default: the last one)",
    )
    parser.add_argument(
        "--plane-only",
        action="store_true",
        help="keep the lens of the stored calibration and find the table anew, from one photo",
    )
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="where it is kept (default: the user's folder)"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command with its parsed arguments."""
    from firmware.commands import calibrate

    return calibrate.run(
        options.photos,
        table=options.table,
        plane_only=options.plane_only,
        out=options.out,
        as_json=options.json,
    )
