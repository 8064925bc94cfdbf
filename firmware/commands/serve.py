"""``stadtblick serve``: the web page on a computer without a camera, for photos from files."""

import argparse
import logging
import os
import socket
import sys
from typing import TYPE_CHECKING, Final

from firmware.base.errors import ExitCode, UsageError, system_reason
from firmware.base.language import N_, _
from firmware.base.terminal import print_lines
from firmware.commands.options import parse_whole_number
from firmware.settings.defaults import PageSettings

if TYPE_CHECKING:
    from firmware.appliance.page_channel import PageChannel, ServedPage

EPILOG: Final = N_("""\
examples:
  stadtblick serve                           open http://127.0.0.1:8080 in a browser
  stadtblick serve --port 9000
  stadtblick serve --lan                     also for phones in the same network; says the PIN
""")
DEFAULT_PORT: Final = PageSettings().port


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--port",
        metavar="N",
        type=_parse_port,
        default=DEFAULT_PORT,
        help=_("port, 1024 to 65535 (default: {n})").format(n=DEFAULT_PORT),
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help=_("also for others in the same network, who need a PIN to change something"),
    )


def _parse_port(text: str) -> int:
    refusal = _("{text} is not allowed: use a whole number from 1024 to 65535")
    return parse_whole_number(text, 1024, 65_535, refusal.format(text=repr(text)))


def run(options: argparse.Namespace) -> ExitCode:
    """Serve the page until Ctrl-C or a signal.

    Raises:
        UsageError: ``page-not-served``.
    """
    logging.basicConfig(format="%(message)s", stream=sys.stderr, level=logging.WARNING)
    settings = options.settings

    from firmware.appliance.runner.launch import serve
    from firmware.appliance.runner.page_service import page_problem
    from firmware.base.page_sockets import EVERYWHERE, LOCAL, listen

    try:
        from firmware.page.server import open_page

        listening = listen(EVERYWHERE if options.lan else LOCAL, options.port)
    except (ImportError, OSError) as error:
        where = f"--port {options.port}"
        if isinstance(error, OSError):
            raise UsageError(
                "page-not-served",
                "port {port} cannot be used ({why}): choose another one with --port",
                where,
                port=options.port,
                why=system_reason(error),
            ) from error
        problem = page_problem(error, options.port)
        raise UsageError("page-not-served", problem.message, where) from error

    def open_and_announce(channel: "PageChannel", listening: socket.socket) -> "ServedPage":
        page = open_page(channel, listening)
        print_lines(_("Open {url} in a browser; Ctrl-C ends it.").format(url=page.url))
        if options.lan:
            print_lines(_("PIN to change something: {pin}").format(pin=page.pin))
        sys.stdout.flush()
        return page

    ended = serve(settings, open_and_announce, lambda _port: listening, options.lang)
    if not ended.is_free:
        # A thread that hangs would keep the process from ending.
        os._exit(ExitCode.DONE)
    return ExitCode.DONE
