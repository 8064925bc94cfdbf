"""``stadtblick mqtt``: bridge between the scanner of this computer and an MQTT broker."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final

from firmware.base.errors import PROGRAM, ExitCode, UsageError, system_reason
from firmware.base.language import N_
from firmware.base.page_sockets import programs_path
from firmware.base.problem import Problem
from firmware.base.user_data import user_folder
from firmware.settings import settings_path
from firmware.wording.problem_text import problem_line
from vision.photo.regular_file import read_start

MAX_PASSWORD_BYTES: Final = 1000

EPILOG: Final = N_("""\
Broker, user and password are those of the settings, [mqtt]. The scanner runs on this computer:

  stadtblick run --emulate                   or serve, or the service
  stadtblick mqtt                            in another terminal; Ctrl-C ends it
""")


def add_to(_parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(options: argparse.Namespace) -> ExitCode:
    """Connect scanner and broker until Ctrl-C or a signal.

    Raises:
        UsageError: ``mqtt-not-set-up``, ``mqtt-parts-missing``, ``mqtt-password-unreadable``.
    """
    settings = options.settings.mqtt
    where = f"{settings_path()}, mqtt.host"
    if not settings.host:
        raise UsageError("mqtt-not-set-up", "no MQTT broker is set: write its name there", where)
    password = _read_password(settings.password_file)
    try:
        from firmware.mqtt.bridge import Bridge
    except ImportError as error:
        raise UsageError(
            "mqtt-parts-missing",
            "the parts for MQTT are not installed: pip install 'stadtblick[mqtt]'",
            "mqtt",
        ) from error
    from firmware.mqtt.messages import Topics, scanner_id
    from firmware.mqtt.scanner_client import ScannerClient

    async def connect() -> None:
        topics = Topics(scanner_id(user_folder()))
        await Bridge(
            settings, password, ScannerClient(programs_path()), topics, _print_problem
        ).run()

    asyncio.run(connect())
    return ExitCode.DONE


def _read_password(path: str) -> str | None:
    """Return the first line of the password file; None without a file."""
    if not path:
        return None
    try:
        text = read_start(Path(path).expanduser(), MAX_PASSWORD_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            "mqtt-password-unreadable",
            "the password of the MQTT broker cannot be read ({why}): write it into the first line "
            "there",
            path,
            why=system_reason(error),
        ) from error
    return text.partition("\n")[0].strip("\r")


def _print_problem(problem: Problem) -> None:
    sys.stderr.write(f"{PROGRAM}: {problem_line(problem)}\n")
    sys.stderr.flush()
