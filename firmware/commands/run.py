"""``stadtblick run``: the appliance, from start to stop.

On a slow card OpenCV alone takes many seconds to load. The display shows that the scanner starts
before the rest (``firmware.appliance.runner.launch``) is imported.
"""

import argparse
import logging
import os
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from firmware.base.errors import PROGRAM, ExitCode, OutputError
from firmware.base.failed_starts import count_start, needs_safe_mode
from firmware.base.language import N_, _, use_language
from firmware.base.user_data import user_folder
from firmware.screens.device_views import StartingView
from firmware.screens.render import render
from firmware.settings import Settings, create_settings_file, set_damaged_aside, settings_path
from firmware.wording.problem_text import problem_line
from hardware.display import OledDisplay, open_display
from hardware.errors import DisplayError, HardwareError
from hardware.timeouts import NeverReturnedError, call_with_limit

if TYPE_CHECKING:
    from firmware.appliance.page_channel import PageChannel, ServedPage

DISPLAY_LIMIT_S: Final = 5.0
"""Longest opening of the display; a hanging bus does not keep the scanner from starting."""

_log: Final = logging.getLogger(__name__)


EPILOG: Final = N_("""\
examples:
  stadtblick run                             with the devices that the settings name
  stadtblick run --emulate                   display and buttons in the terminal
  stadtblick run --emulate --camera table.jpg
  stadtblick run --camera v4l2:1             a USB camera, /dev/video1

cameras: picamera, v4l2, picamera:1 or v4l2:1 for another one than the first, none, or the path of
a photo or of a folder of photos, taken in turn.

keys with --emulate: s SCAN, n NEXT, o OK; with Shift: held for two seconds; q ends the program.
Where the terminal has no room for the picture of the display, its words are shown.
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--emulate",
        action="store_true",
        help=_(
            "display and buttons in the terminal; the sample photo if there is no camera; "
            "not counted among the starts that lead to safe mode"
        ),
    )
    parser.add_argument(
        "--camera",
        metavar=_("KIND|PATH"),
        help=_("camera for this time (default: that of the settings)"),
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Run the appliance until a signal, the quit key or a shut-down ends it.

    Raises:
        UsageError: ``unknown-camera``.
    """
    emulate, language = options.emulate, options.lang
    logging.basicConfig(format="%(message)s", stream=sys.stderr, level=logging.WARNING)
    safe_mode = False if emulate else needs_safe_mode(count_start(user_folder()))
    settings, warnings = options.settings, options.setting_warnings
    if not safe_mode:
        warnings = set_damaged_aside(warnings)
    for warning in warnings:
        _log.warning("%s: %s", warning.code, problem_line(warning))
    if safe_mode:
        settings, warnings = Settings(), ()
    use_language(language or settings.language)
    display, display_error = (None, None) if emulate else _open_display_early(settings)
    is_first = not safe_mode and not settings_path().exists()
    with suppress(OutputError):  # without the file, the defaults are used
        create_settings_file()

    from firmware.appliance.runner.launch import LaunchOptions, launch

    start = LaunchOptions(
        settings=settings,
        warnings=warnings,
        safe_mode=safe_mode,
        is_first=is_first,
        camera=options.camera,
        language=language,
        display=display,
        display_error=display_error,
    )
    ended = launch(start, _open_page, emulate=emulate)
    if ended.problems:
        advice = _("to try it without devices: stadtblick run --emulate")
        for line in (*map(problem_line, ended.problems), advice):
            sys.stderr.write(f"{PROGRAM}: {line}\n")
        return ExitCode.DEVICE
    sys.stdout.flush()
    sys.stderr.flush()
    if ended.restart:
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - the same program once more
    if not ended.is_free:
        # A thread that hangs in a driver would keep the process from ending.
        os._exit(ExitCode.DONE)
    return ExitCode.DONE


def _open_page(channel: "PageChannel", listening: socket.socket) -> "ServedPage":
    """Load the page, which takes a second, and serve it."""
    from firmware.page.server import open_page

    return open_page(channel, listening)


def _open_display_early(settings: Settings) -> tuple[OledDisplay | None, HardwareError | None]:
    """Open the display, show there that the scanner is starting, and return it, or the error."""
    if settings.display.kind == "none":
        return None, None

    def open_and_greet() -> OledDisplay:
        display = open_display(settings.display)
        with suppress(DisplayError):
            display.show(render(StartingView()).image)
        return display

    try:
        return call_with_limit(open_and_greet, DISPLAY_LIMIT_S), None
    except DisplayError as error:
        return None, error
    except NeverReturnedError:
        return None, DisplayError(
            "display-silent", "the display does not answer: check its wires", settings.display.where
        )
