"""Support bundle: a file to attach to a question, without secrets."""

import io
import logging
import platform
import re
import subprocess
import zipfile
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from firmware.base.errors import PROGRAM
from firmware.base.json_text import json_text
from firmware.base.language import N_
from firmware.base.user_data import user_folder
from firmware.history import History, HistoryError
from firmware.settings import load_settings
from firmware.settings.defaults import values_by_key
from firmware.settings.rules import as_toml
from firmware.wording.problem_text import problem_line

CONTENTS: Final[Mapping[str, str]] = {
    "doctor.txt": N_("the check of this computer"),
    "versions.txt": N_("versions of the programs, the system and the computer"),
    "settings.txt": N_("the settings, with the names of the players, without passwords"),
    "log.txt": N_("the last lines of the log, if there is one"),
    "reading.json": N_("what was read in the last photo"),
    "sheet.json": N_("its score sheet, with the names of the players"),
    "photo.jpg": N_("the last photo, only if it is wanted"),
}
"""Contents of the file in words."""
LOG_LINES: Final = 300
UNIT: Final = "stadtblick.service"

_SECRET: Final = re.compile(r"pin|passw|secret|key|psk|token|user", re.IGNORECASE)
_MODEL: Final = Path("/proc/device-tree/model")
_tail: Final[deque[str]] = deque(maxlen=LOG_LINES)


class LogTail(logging.Handler):
    """Log handler that keeps the last lines of this program."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the line of a record."""
        _tail.append(self.format(record))


def keep_log() -> None:
    """Keep the last lines of the log for the bundle, from now on."""
    logger = logging.getLogger()
    if not any(isinstance(each, LogTail) for each in logger.handlers):
        tail = LogTail(logging.WARNING)
        tail.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        logger.addHandler(tail)


def make_support_bundle(check_lines: Sequence[str], *, with_photo: bool = False) -> bytes:
    """Return the bundle as a ZIP file.

    Args:
        check_lines: Results of the checks, a line each.
        with_photo: True to add the last photo.
    """
    files = {
        "doctor.txt": "\n".join(check_lines),
        "versions.txt": _versions(),
        "settings.txt": _settings(),
        "log.txt": _log(),
        **_last_scan(with_photo=with_photo),
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            if content:
                archive.writestr(f"{PROGRAM}-support/{name}", content)
    return target.getvalue()


def _versions() -> str:
    packages = sorted({f"{each.name} {each.version}" for each in distributions()}, key=str.lower)
    model = _MODEL.read_text("utf-8", "replace").strip("\0\n") if _MODEL.exists() else ""
    return "\n".join([f"Python {platform.python_version()}", platform.platform(), model, *packages])


def _settings() -> str:
    settings, warnings = load_settings()
    known = {
        key: value for key, value in values_by_key(settings).items() if not _SECRET.search(key)
    }
    lines = [f"{key} = {as_toml(value)}" for key, value in known.items()]
    return "\n".join([*lines, *(f"# {each.code}: {each.message}" for each in warnings)])


def _log() -> str:
    """Return the last lines of this run, or else of the service from the system's journal."""
    if _tail:
        return "\n".join(_tail)
    asked = ("journalctl", "-u", UNIT, "-n", str(LOG_LINES), "--no-pager", "-q", "-o", "short-iso")
    try:
        return subprocess.run(asked, capture_output=True, text=True, timeout=5, check=True).stdout  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""


def _last_scan(*, with_photo: bool) -> dict[str, str | bytes]:
    history = History(user_folder())
    try:
        scans, damaged = history.read_scans(1)
    except HistoryError as error:
        return {"sheet.json": problem_line(error)}
    if not scans:
        return {"sheet.json": "\n".join(map(problem_line, damaged))}
    record, photo = scans[0].record, b""
    path = history.photo_path(record.photo) if with_photo else None
    if path is not None:
        with suppress(OSError):
            photo = path.read_bytes()
    return {
        "reading.json": json_text(record.reading, indent=1),
        "sheet.json": json_text(record.sheet, indent=1),
        "photo.jpg": photo,
    }
