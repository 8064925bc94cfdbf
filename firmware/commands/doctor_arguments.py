"""The arguments of ``stadtblick doctor``."""

import argparse
from pathlib import Path
from typing import Final

from firmware.errors import ExitCode

HELP: Final = "check camera, display, buttons, disk, calibration and editions"
EPILOG: Final = """\
examples:
  stadtblick doctor                          look at everything
  stadtblick doctor --interactive            see the display, press the buttons
  stadtblick doctor --out aim.jpg            keep the picture, to aim the camera

The appliance holds its devices: stop it first (sudo systemctl stop stadtblick), and start it again
afterwards. exit codes: 0 all is well, 1 something has to be looked at, 3 a device is missing or
broken.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--interactive",
        action="store_true",
        help="show test pictures and ask for each button to be pressed",
    )
    parser.add_argument(
        "--out", metavar="FILE.jpg", type=Path, help="keep the picture that the camera took"
    )
    parser.add_argument("--replace", action="store_true", help="write over FILE.jpg")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command with its parsed arguments; see ``firmware.commands.doctor.run``."""
    from firmware.commands import doctor

    return doctor.run(
        interactive=options.interactive,
        out=options.out,
        replace=options.replace,
        as_json=options.json,
    )
