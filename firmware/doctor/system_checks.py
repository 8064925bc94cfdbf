"""Checks of the service, the settings, the computer and the stored files."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

from firmware.base.errors import UsageError, system_reason, write_advice
from firmware.base.language import _, _n
from firmware.base.problem import Problem
from firmware.base.user_data import calibration_path, user_folder
from firmware.doctor.check_results import UNIT, CheckContext, CheckResult, CheckResults, PartState
from firmware.settings import settings_path
from firmware.settings.file import setting_location
from firmware.teaching.user_editions import load_edition, stored_names
from vision.calibration import load_calibration
from vision.editions.edition import STANDARD_EDITION
from vision.errors import VisionError
from vision.message import Message

SERVICE_FOLDER: Final = Path("/var/lib/stadtblick")
"""Folder of settings, editions and results of the installed scanner."""
SERVICE_COMMAND: Final = "/usr/local/bin/stadtblick"
"""Command that works on this folder."""
MIN_FREE_MB: Final = 200
"""Free disk space below which the photos of a few evenings fill the disk."""


def check_service(context: CheckContext) -> CheckResults:
    """Check that the scanner starts by itself and works on the same files as this command."""
    service = context.service
    if not service.state:
        yield CheckResult(
            PartState.UNUSED, _("The service is not installed: sudo systemd/install.sh")
        )
        return
    if user_folder() != SERVICE_FOLDER:
        message = Message(
            "these settings are not those of the scanner: use {program}", program=SERVICE_COMMAND
        )
        yield CheckResult(PartState.LOOK, Problem("other-data", message, str(user_folder())))
        return
    if not service.enabled:
        message = Message(
            "the service does not start by itself: sudo systemctl enable {unit}", unit=UNIT
        )
        yield CheckResult(PartState.LOOK, Problem("service-not-enabled", message, UNIT))
    if service.state == "active":
        yield CheckResult(
            PartState.FINE,
            _(
                "The scanner runs, so its devices are not examined; to examine them: sudo "
                "systemctl stop stadtblick"
            ),
        )
    elif service.state == "failed":
        message = Message(
            "the service could not be kept running: see journalctl -u stadtblick, then sudo "
            "systemctl restart stadtblick"
        )
        yield CheckResult(PartState.BROKEN, Problem("service-failed", message, UNIT))
    elif service.enabled:
        yield CheckResult(
            PartState.FINE, _("The service starts with the computer; now it is stopped.")
        )


def check_settings(context: CheckContext) -> CheckResults:
    """List the settings that cannot be used."""
    for warning in context.warnings:
        yield CheckResult(PartState.LOOK, warning)
    if context.warnings:
        return
    path = settings_path()
    if path.exists():
        yield CheckResult(PartState.FINE, _("All of {path} can be used.").format(path=path))
    else:
        yield CheckResult(PartState.UNUSED, _("There is no file yet; the defaults are used."))


def check_disk(_context: CheckContext) -> CheckResults:
    """Check that results can be stored; make their folder if it does not exist."""
    folder = user_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0")
            file.flush()
        free_mb = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        message = Message(
            "nothing can be stored ({why}): {advice}",
            why=system_reason(error),
            advice=write_advice(error, Message("check the memory card")),
        )
        yield CheckResult(PartState.BROKEN, Problem("disk-not-writable", message, str(folder)))
        return
    if free_mb < MIN_FREE_MB:
        message = Message(
            "only {free_mb} MB are free: sudo apt clean, or lower photos_max in the settings",
            free_mb=free_mb,
        )
        yield CheckResult(PartState.LOOK, Problem("disk-almost-full", message, str(folder)))
    else:
        text = _("{free} MB are free in {path}.").format(free=free_mb, path=folder)
        yield CheckResult(PartState.FINE, text)


def check_computer(context: CheckContext) -> CheckResults:
    """Check power supply and temperature."""
    health = context.devices.health.read()
    is_weak = health.under_voltage or health.under_voltage_before
    is_hot = health.too_hot or health.throttled
    if is_weak:
        message = Message(
            "the supply is or was too weak: use the one made for this Raspberry Pi, and a short "
            "cable"
        )
        yield CheckResult(PartState.LOOK, Problem("under-voltage", message, Message("supply")))
    if is_hot:
        message = Message("the computer is slowed down or too hot: give it air or a heat sink")
        yield CheckResult(PartState.LOOK, Problem("too-hot", message, Message("processor")))
    if is_weak or is_hot:
        return
    if health.temperature_c is None:
        yield CheckResult(PartState.FINE, _("Temperature and power cannot be read."))
    else:
        text = _("The computer has {degrees} degrees Celsius.")
        yield CheckResult(PartState.FINE, text.format(degrees=round(health.temperature_c)))


def check_calibration(context: CheckContext) -> CheckResults:
    """Check that the calibration can be read and has the size of the camera's pictures."""
    path = calibration_path()
    if not path.exists():
        yield CheckResult(
            PartState.UNUSED, _("There is none yet: see stadtblick calibrate --help.")
        )
        return
    try:
        calibrated_width, calibrated_height = load_calibration(path).lens.size_wh
    except VisionError as error:
        yield CheckResult(PartState.LOOK, Problem.of(error))
        return
    height, width = calibrated_height, calibrated_width
    if context.frame is not None:
        height, width = context.frame.image_bgr.shape[:2]
    if (calibrated_width, calibrated_height) == (width, height):
        text = _("The calibration is for photos of {width} x {height} pixels.")
        yield CheckResult(PartState.FINE, text.format(width=width, height=height))
        return
    message = Message(
        "the calibration is for photos of {its_width} x {its_height} pixels, the camera takes "
        "{width} x {height}: calibrate again",
        its_width=calibrated_width,
        its_height=calibrated_height,
        width=width,
        height=height,
    )
    yield CheckResult(PartState.LOOK, Problem("calibration-other-size", message, str(path)))


def check_editions(context: CheckContext) -> CheckResults:
    """Load the user's editions; check that the one of the settings exists and fits the game."""
    settings, names, is_damaged = context.settings, stored_names(), False
    chosen = () if settings.edition == STANDARD_EDITION else (settings.edition,)
    for name in dict.fromkeys((*names, *chosen)):
        where = setting_location("edition") if name in chosen else name
        try:
            load_edition(name, settings.game if name in chosen else None, where)
        except (UsageError, VisionError) as error:
            is_damaged = True
            yield CheckResult(PartState.LOOK, Problem.of(error))
    if is_damaged:
        return
    if names:
        yield CheckResult(PartState.FINE, _n("{n} can be used.", "{n} can be used.", len(names)))
    else:
        yield CheckResult(PartState.UNUSED, _("No tiles taught yet."))
