"""The examination of what is stored: settings, disk, calibration, editions."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from firmware.commands.doctor_findings import Finding, Part, State, problem
from firmware.editions import load_edition, stored_names
from firmware.errors import Diagnostic, UsageError
from firmware.language import _, _n
from firmware.settings import Settings, settings_path
from firmware.settings.model import STANDARD_EDITION
from firmware.user_data import calibration_path
from vision.calibration import load_calibration
from vision.errors import Message, VisionError

LITTLE_ROOM_MB: Final = 200
"""Below this the photos of a few evenings fill the disk."""

SETTING: Final = "edition"
"""What names an edition here."""

_MEGABYTE: Final = 1_000_000


def settings_findings(warnings: Sequence[Diagnostic]) -> list[Finding]:
    """What cannot be used of the settings."""
    if warnings:
        return [
            problem(warning.code, warning.message, warning.where, Part.SETTINGS, State.LOOK)
            for warning in warnings
        ]
    if not settings_path().exists():
        said = _("There is no file yet; the defaults are used.")
        return [Finding(Part.SETTINGS, State.UNUSED, said)]
    said = _("All of {path} can be used.").format(path=settings_path())
    return [Finding(Part.SETTINGS, State.FINE, said)]


def disk_findings(folder: Path) -> list[Finding]:
    """Whether results can be stored.

    Args:
        folder: of the user's own things; it is made if it does not exist.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0")
            file.flush()
        free_mb = shutil.disk_usage(folder).free // _MEGABYTE
    except OSError as error:
        why = error.strerror or type(error).__name__
        message = Message(
            "nothing can be stored ({why}): make room, or check the memory card", why=why
        )
        return [problem("disk-not-writable", message, str(folder), Part.DISK, State.BROKEN)]
    if free_mb < LITTLE_ROOM_MB:
        message = Message(
            "only {free_mb} MB are free: remove files that are not needed", free_mb=free_mb
        )
        return [problem("disk-almost-full", message, str(folder), Part.DISK, State.LOOK)]
    said = _("{free} MB are free in {path}.").format(free=free_mb, path=folder)
    return [Finding(Part.DISK, State.FINE, said)]


def calibration_findings(size_wh: tuple[int, int] | None) -> list[Finding]:
    """Whether there is a calibration, and whether it is one of this camera.

    Args:
        size_wh: width and height of the picture that the camera took; None: it took none.
    """
    path = calibration_path()
    if not path.exists():
        said = _("There is none yet: see stadtblick calibrate --help.")
        return [Finding(Part.CALIBRATION, State.UNUSED, said)]
    try:
        calibration = load_calibration(path)
    except VisionError as error:
        return [problem(error.code, error.message, error.where, Part.CALIBRATION, State.LOOK)]
    of_wh = calibration.lens.size_wh
    if size_wh is not None and of_wh != size_wh:
        message = Message(
            "it is for photos of {its_width} x {its_height} pixels, the camera takes {width} x "
            "{height}: calibrate again",
            its_width=of_wh[0],
            its_height=of_wh[1],
            width=size_wh[0],
            height=size_wh[1],
        )
        code = "calibration-other-size"
        return [problem(code, message, str(path), Part.CALIBRATION, State.LOOK)]
    said = _("It is for photos of {width} x {height} pixels.").format(
        width=of_wh[0], height=of_wh[1]
    )
    return [Finding(Part.CALIBRATION, State.FINE, said)]


def edition_findings(settings: Settings) -> list[Finding]:
    """Whether the editions can be used, and whether the chosen one is there and of the game."""
    found: list[Finding] = []
    names = stored_names()
    wanted = () if settings.edition == STANDARD_EDITION else (settings.edition,)
    for name in dict.fromkeys((*names, *wanted)):
        try:
            load_edition(name, settings.game if name in wanted else None, SETTING)
        except (UsageError, VisionError) as error:
            found.append(problem(error.code, error.message, error.where, Part.EDITIONS, State.LOOK))
    if found:
        return found
    if not names:
        said = _("None has been taught.")
        return [Finding(Part.EDITIONS, State.UNUSED, said)]
    said = _n("{n} can be used.", "{n} can be used.", len(names))
    return [Finding(Part.EDITIONS, State.FINE, said)]
