"""The arguments of ``stadtblick run``."""

import argparse
from typing import Final

from firmware.errors import ExitCode

HELP: Final = "be the appliance: camera, three buttons and a display"
EPILOG: Final = """\
examples:
  stadtblick run                             with the devices that the settings name
  stadtblick run --emulate                   display and buttons in the terminal
  stadtblick run --emulate --camera table.jpg
  stadtblick run --camera v4l2:1             a USB camera, /dev/video1

cameras: picamera, v4l2, picamera:1 or v4l2:1 for another one than the first, none, or the path of
a photo or of a folder of photos, taken in turn.

keys with --emulate: s SCAN, n NEXT, o OK; with Shift: held for two seconds; q ends the program.
Where the terminal has no room for the picture of the display, its words are shown.
"""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--emulate",
        action="store_true",
        help="display and buttons in the terminal; the sample photo if there is no camera",
    )
    parser.add_argument(
        "--camera",
        metavar="KIND|PATH",
        help="what takes the photos, this time (default: that of the settings)",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command with its parsed arguments.

    Raises:
        UsageError: ``unknown-camera`` or ``language-unknown``.
    """
    from firmware.commands import run

    return run.run(emulate=options.emulate, camera=options.camera, language=options.lang)
