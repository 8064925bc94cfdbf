"""``stadtblick demo``: scan of a bundled photo, with the emulated display."""

import argparse
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.text import Text

from firmware.base.errors import ExitCode, OutputError
from firmware.base.language import N_, _
from firmware.base.output_folder import prepare_folder
from firmware.base.terminal import print_lines, standard_output
from firmware.base.terminal_picture import picture_lines
from firmware.data import SAMPLE, SAMPLE_GAME
from firmware.report.result_folder import ANNOTATED_FILE, SCREENS_FOLDER, write_results
from firmware.report.scan_views import scan_screens
from firmware.report.text import print_scan
from firmware.scan.make_scan import make_scan, read_file
from firmware.teaching.user_editions import load_edition
from hardware.display import StandInDisplay

FOLDER_NAME = "stadtblick-demo"

EPILOG: Final = N_("""\
examples:
  stadtblick demo                            sheet and first screen; pictures in a new folder
  stadtblick demo --out pictures
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--out",
        metavar=_("DIR"),
        type=Path,
        help=_("folder for the pictures (default: a new one here)"),
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Scan the bundled photo, show its sheet and the first screen, write all pictures.

    The folder of ``--out`` is made after the photo is read; without the option, a new folder in the
    current one, or among the temporary files if that cannot be written.
    """
    edition = load_edition(None, SAMPLE_GAME, pictured=False)
    photo, reading = read_file(SAMPLE, edition, options.reader)
    scan = make_scan(reading, edition.description)
    folder = _make_folder() if options.out is None else options.out
    if options.out is not None:
        prepare_folder(folder, SCREENS_FOLDER)
    with standard_output() as console:
        print_scan(console, scan)
    try:
        write_results(folder, photo, scan)
    except OutputError:
        if options.out is None:
            with suppress(OSError):  # not empty
                folder.rmdir()
        raise
    display = StandInDisplay()
    display.show(scan_screens(scan)[0].image)
    with standard_output() as console:
        if not console.options.ascii_only and display.image is not None:
            console.print(Text("\n" + _("The display shows:")))
            for line in picture_lines(display.image, console.width):
                console.print(Text(line, no_wrap=True), soft_wrap=True)
    print_lines(
        "",
        _("The annotated photo: {path}").format(path=folder / ANNOTATED_FILE),
        _("Every screen: {path}").format(path=folder / SCREENS_FOLDER),
    )
    return ExitCode.NEEDS_A_PERSON if scan.needs_a_person else ExitCode.DONE


def _make_folder() -> Path:
    """Make a new folder, in the current folder if possible."""
    for number in range(1, 1000):
        folder = Path(FOLDER_NAME if number == 1 else f"{FOLDER_NAME}-{number}")
        if folder.exists():
            continue
        try:
            prepare_folder(folder, SCREENS_FOLDER)
        except OutputError:
            break
        return folder
    try:
        return Path(tempfile.mkdtemp(prefix=f"{FOLDER_NAME}-"))
    except OSError as error:
        raise OutputError(
            "out-not-writable", "no folder can be made for the pictures: name one with --out", "."
        ) from error
