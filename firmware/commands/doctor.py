"""``stadtblick doctor``: is everything there that the appliance needs, and does it work?"""

import argparse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.text import Text

from firmware.commands.doctor_data import (
    calibration_findings,
    disk_findings,
    edition_findings,
    settings_findings,
)
from firmware.commands.doctor_devices import (
    Devices,
    broken,
    button_findings,
    camera_findings,
    computer_findings,
    display_findings,
    opened_buttons,
    opened_display,
)
from firmware.commands.doctor_findings import Finding, Part, as_json, exit_code, line
from firmware.commands.doctor_interactive import (
    check_somebody_is_there,
    look_at_display,
    press_buttons,
    text_picture,
)
from firmware.errors import ExitCode, UsageError, printable
from firmware.language import N_, _
from firmware.settings import Settings, load_settings
from firmware.terminal import printing, write_json
from firmware.user_data import user_folder, write_named_file
from hardware.camera import Frame
from hardware.display import Display
from hardware.errors import HardwareError

Tell = Callable[[list[Finding]], None]


EPILOG: Final = N_("""\
examples:
  stadtblick doctor                          look at everything
  stadtblick doctor --interactive            see the display, press the buttons
  stadtblick doctor --out aim.jpg            keep the picture, to aim the camera

The appliance holds its devices: stop it first (sudo systemctl stop stadtblick), and start it again
afterwards. exit codes: 0 all is well, 1 something has to be looked at, 3 a device is missing or
broken.
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--interactive",
        action="store_true",
        help=_("show test pictures and ask for each button to be pressed"),
    )
    parser.add_argument(
        "--out", metavar=_("FILE.jpg"), type=Path, help=_("keep the picture that the camera took")
    )
    parser.add_argument("--replace", action="store_true", help=_("write over FILE.jpg"))
    parser.add_argument("--json", action="store_true", help=_("print the findings as JSON"))


def run(options: argparse.Namespace, devices: Devices | None = None) -> ExitCode:
    """Examine everything and print what was found, part by part.

    Args:
        options: as parsed.
        devices: how devices are opened.

    Returns:
        ``DEVICE`` if one is missing or broken, ``NEEDS_A_PERSON`` if something else is to be
        looked at.

    Raises:
        UsageError: ``usage``, ``doctor-nobody-there`` or ``photo-exists``.
        OutputError: ``file-not-writable``.
    """
    if options.interactive:
        if options.json:
            raise UsageError("usage", "--interactive does not go with --json", "command line")
        check_somebody_is_there()
    out: Path | None = options.out
    if out is not None and out.exists() and not (options.replace and out.is_file()):
        raise UsageError(
            "photo-exists",
            "there is something of this name already: name another file or add --replace",
            str(out),
        )
    findings: list[Finding] = []

    def tell(found: list[Finding]) -> None:
        findings.extend(found)
        if not options.json:
            _print(found)

    frame = _examine(devices or Devices(), tell, interactive=options.interactive)
    if out is not None and frame is not None:
        write_named_file(out, _jpeg(frame))
    if options.json:
        _write_json(findings)
    return exit_code(findings)


def _examine(devices: Devices, tell: Tell, *, interactive: bool) -> Frame | None:
    """Tell what is found about each part as soon as it is known."""
    settings, warnings = load_settings(keep_damaged=True)
    tell(settings_findings(warnings))
    found, frame = camera_findings(devices, settings)
    tell(found)
    _examine_display_and_buttons(devices, settings, tell, interactive=interactive)
    tell(disk_findings(user_folder()))
    tell(computer_findings(devices.health.read()))
    size_wh = None if frame is None else (frame.image_bgr.shape[1], frame.image_bgr.shape[0])
    tell(calibration_findings(size_wh))
    tell(edition_findings(settings))
    return frame


def _examine_display_and_buttons(
    devices: Devices, settings: Settings, tell: Tell, *, interactive: bool
) -> None:
    """Both at once, since the display says which button to press."""
    display: Display | None = None
    try:
        try:
            display = opened_display(devices, settings)
            if interactive and display is not None:
                tell(look_at_display(display, settings.display.place))
            else:
                tell(display_findings(display, settings.display))
        except HardwareError as error:
            tell([broken(Part.DISPLAY, error)])
        tell(_button_findings(devices, settings, display, interactive=interactive))
    finally:
        if display is not None:
            display.close()


def _button_findings(
    devices: Devices, settings: Settings, display: Display | None, *, interactive: bool
) -> list[Finding]:
    def show(text: str) -> None:
        if display is not None:
            with suppress(HardwareError):  # found out already
                display.show(text_picture(display.size_wh, text))

    try:
        buttons = opened_buttons(devices, settings)
    except HardwareError as error:
        return [broken(Part.BUTTONS, error)]
    try:
        if interactive:
            return press_buttons(buttons, devices, show)
        return button_findings(buttons, devices, settings.buttons)
    finally:
        buttons.close()


def _print(findings: list[Finding]) -> None:
    with printing() as console:
        for finding in findings:
            console.print(Text(printable(line(finding))), soft_wrap=True)


def _write_json(findings: list[Finding]) -> None:
    write_json({"findings": [as_json(finding) for finding in findings]})


def _jpeg(frame: Frame) -> bytes:
    import cv2

    return cv2.imencode(".jpg", frame.image_bgr)[1].tobytes()
