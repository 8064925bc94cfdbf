"""``stadtblick demo``: the whole way on a bundled photo, with the emulated display."""

import tempfile
from contextlib import suppress
from importlib import resources
from pathlib import Path

from rich.console import Console
from rich.text import Text

from firmware.errors import ExitCode, OutputError
from firmware.language import _
from firmware.result_folder import ANNOTATED_FILE, SCREENS_FOLDER, prepare_folder, write_results
from firmware.scan import Eye, read_file, score_reading
from firmware.scan_text import print_scan
from firmware.screens import result_screens
from firmware.terminal import printing
from firmware.terminal_picture import picture_lines
from hardware.display import EmulatedDisplay

FOLDER_NAME = "stadtblick-demo"
SAMPLE = resources.files("firmware") / "data" / "sample-table.jpg"


def run(*, out: Path | None = None, eye: Eye | None = None) -> ExitCode:
    """Scan the bundled photo, show its sheet and the first screen, write all pictures.

    A folder is made only when there is something to write.

    Args:
        out: folder for the pictures; None: a fresh one in the current folder, or where that
            cannot be written, among the temporary files.
        eye: what reads the photo; None: the real one.

    Raises:
        OutputError: the folder cannot be written.
    """
    with resources.as_file(SAMPLE) as path:
        photo, reading = read_file(path, eye)
    scan = score_reading(reading)
    folder = _folder(out)
    with printing() as console:
        print_scan(console, scan)
    try:
        write_results(folder, photo, scan)
    except OutputError:
        if out is None:
            _remove_if_empty(folder)
        raise
    first = result_screens(scan.sheet, scan.reading, owners_known=scan.owners_known)[0]
    display = EmulatedDisplay()
    display.show(first.image)
    with printing() as console:
        _print_display(console, display)
        console.print(
            Text("\n" + _("The annotated photo: {path}").format(path=folder / ANNOTATED_FILE)),
            soft_wrap=True,
        )
        console.print(
            Text(_("Every screen: {path}").format(path=folder / SCREENS_FOLDER)), soft_wrap=True
        )
    return ExitCode.NEEDS_A_PERSON if scan.needs_a_person else ExitCode.DONE


def _print_display(console: Console, display: EmulatedDisplay) -> None:
    if console.options.ascii_only or display.image is None:
        return
    console.print(Text("\n" + _("The display shows:")))
    for line in picture_lines(display.image, console.width):
        console.print(Text(line, no_wrap=True), soft_wrap=True)


def _folder(out: Path | None) -> Path:
    if out is None:
        return _fresh_folder()
    prepare_folder(out)
    return out


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


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
