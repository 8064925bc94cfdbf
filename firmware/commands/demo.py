"""``stadtblick demo``: the whole way on a bundled photo, with the emulated display."""

import tempfile
from importlib import resources
from pathlib import Path

from rich.console import Console
from rich.text import Text

from firmware.errors import ExitCode, OutputError
from firmware.result_folder import ANNOTATED_FILE, SCREENS_FOLDER, prepare_folder, write_results
from firmware.scan import Eye, read_file, score_reading
from firmware.screens import Screen, result_screens
from firmware.sheet_text import print_scan
from firmware.terminal import printing
from firmware.terminal_picture import picture_lines

FOLDER_NAME = "stadtblick-demo"
SAMPLE = resources.files("firmware") / "data" / "sample-table.jpg"


def run(*, out: Path | None = None, eye: Eye | None = None) -> ExitCode:
    """Scan the bundled photo, show its sheet and the first screen, write all pictures.

    Args:
        out: folder for the pictures; None: a fresh one in the current folder, or where that
            cannot be written, among the temporary files.
        eye: what reads the photo; None: the real one.

    Raises:
        OutputError: the folder cannot be written.
    """
    if out is None:
        out = _fresh_folder()
    else:
        prepare_folder(out)
    with resources.as_file(SAMPLE) as path:
        photo, reading = read_file(path, eye)
    scan = score_reading(reading)
    with printing() as console:
        print_scan(console, scan)
    write_results(out, photo, scan)
    with printing() as console:
        _show_screen(console, result_screens(scan.sheet, scan.reading)[0])
        console.print(Text(f"\nThe annotated photo: {out / ANNOTATED_FILE}"), soft_wrap=True)
        console.print(Text(f"Every screen:        {out / SCREENS_FOLDER}"), soft_wrap=True)
    return ExitCode.NEEDS_A_PERSON if scan.needs_a_person else ExitCode.DONE


def _show_screen(console: Console, screen: Screen) -> None:
    if console.options.ascii_only:
        return
    console.print(Text("\nThe display shows:"))
    for line in picture_lines(screen.image, console.width):
        console.print(Text(line, no_wrap=True), soft_wrap=True)


def _fresh_folder() -> Path:
    """A folder that was not there before, in the current folder if possible."""
    for number in range(1, 1000):
        folder = Path(FOLDER_NAME if number == 1 else f"{FOLDER_NAME}-{number}")
        if folder.exists():
            continue
        try:
            prepare_folder(folder)
        except OutputError:
            break
        return folder
    try:
        return Path(tempfile.mkdtemp(prefix=f"{FOLDER_NAME}-"))
    except OSError as error:
        raise OutputError(
            "out-not-writable", "no folder can be made for the pictures: name one with --out", "."
        ) from error
