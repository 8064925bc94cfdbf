"""``stadtblick doctor``: check that the appliance has what it needs, and that it works."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from firmware.base.errors import ExitCode, UsageError
from firmware.base.language import N_, _
from firmware.base.page_sockets import programs_path
from firmware.base.terminal import print_lines, write_json
from firmware.base.user_data import check_overwrite, write_named_file
from firmware.commands.options import check_not_alone
from firmware.doctor.check_results import (
    UNIT,
    CheckContext,
    CheckResult,
    Devices,
    PartState,
    Service,
)
from firmware.doctor.readiness import Readiness, readiness_of_parts, readiness_of_running
from firmware.doctor.run_checks import (
    EXCLUSIVE_PARTS,
    PARTS,
    check_result_json,
    check_result_line,
    run_checks,
)
from firmware.report.support_bundle import make_support_bundle
from hardware.camera import Frame

EPILOG: Final = N_("""\
examples:
  stadtblick doctor                          look at everything
  stadtblick doctor --interactive            see the display, press the buttons
  stadtblick doctor --out seen.jpg           keep the picture that the camera took
  stadtblick doctor --bundle support.zip     one file to attach to a question

The running scanner holds its devices, so they are not examined: stop it first (sudo systemctl
stop stadtblick), and start it again afterwards.
exit codes: 0 all is well, 1 something has to be checked, 3 a device is missing or broken.
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
    parser.add_argument(
        "--bundle",
        metavar=_("FILE.zip"),
        type=Path,
        help=_("write one file to attach to a question: findings, settings, log, last score sheet"),
    )
    parser.add_argument("--photo", action="store_true", help=_("add the last photo"))
    parser.add_argument("--replace", action="store_true", help=_("write over such a file"))
    parser.add_argument("--json", action="store_true", help=_("print the findings as JSON"))


def run(options: argparse.Namespace, devices: Devices | None = None) -> ExitCode:
    """Check all parts, print the results part by part, and whether the scanner is ready.

    Returns:
        ``DEVICE`` if a part is broken, ``NEEDS_A_PERSON`` if a person should look at one.
    """
    _check_options(options)
    devices = devices or Devices()
    service = devices.query_service()
    _check_devices_are_free(options, service)
    parts = [part for part in PARTS if service.state != "active" or part not in EXCLUSIVE_PARTS]
    found: dict[str, list[CheckResult]] = {}
    lines: list[str] = []
    with ExitStack() as close_at_end:
        context = CheckContext(
            devices,
            options.settings,
            options.setting_warnings,
            options.interactive,
            close_at_end,
            service,
        )
        for part, results in run_checks(context, parts):
            found[part] = results
            new_lines = [check_result_line(part, result) for result in results]
            lines += new_lines
            if not options.json:
                print_lines(*new_lines)
    readiness = _readiness(options, service, found)
    lines.append(readiness.message)
    _write_files(options, context.frame, lines)
    if options.json:
        objects = [
            check_result_json(part, each) for part, listed in found.items() for each in listed
        ]
        readiness_json = {"state": readiness.state.value, "message": readiness.message}
        write_json({"findings": objects, "readiness": readiness_json})
    else:
        print_lines(readiness.message)
    states = {result.state for results in found.values() for result in results}
    if PartState.BROKEN in states:
        return ExitCode.DEVICE
    return ExitCode.NEEDS_A_PERSON if PartState.LOOK in states else ExitCode.DONE


def _readiness(
    options: argparse.Namespace, service: Service, found: Mapping[str, Sequence[CheckResult]]
) -> Readiness:
    """Return the readiness by the results, and by the running scanner, which holds the devices."""
    names = {part: _(name) for part, (name, _check) in PARTS.items()}
    by_parts = readiness_of_parts(found, names, page_is_on=options.settings.page.on)
    if service.state != "active" or by_parts.state is PartState.BROKEN:
        return by_parts
    by_scanner = readiness_of_running(programs_path())
    if by_scanner.state is PartState.FINE and by_parts.state is not PartState.FINE:
        return by_parts
    return by_scanner


def _check_options(options: argparse.Namespace) -> None:
    if options.interactive and options.json:
        raise UsageError("usage", "--interactive does not go with --json", _("command line"))
    if options.interactive and (sys.stdin is None or not sys.stdin.isatty()):
        raise UsageError(
            "doctor-nobody-there",
            "nobody can be asked here: leave out --interactive, or use a terminal",
            "--interactive",
        )
    check_not_alone("--photo", options.photo, "--bundle", options.bundle)
    check_not_alone("--replace", options.replace, "--bundle / --out", options.bundle or options.out)
    if options.out is not None and options.out == options.bundle:
        raise UsageError("usage", "--out and --bundle name one file: give each its own", "--bundle")
    if options.out is not None:
        check_overwrite("photo-exists", options.out, replace=options.replace)
    if options.bundle is not None:
        check_overwrite("archive-exists", options.bundle, replace=options.replace)


def _check_devices_are_free(options: argparse.Namespace, service: Service) -> None:
    if service.state == "active" and (options.interactive or options.out is not None):
        raise UsageError(
            "doctor-service-runs",
            "the running scanner holds its devices: sudo systemctl stop stadtblick, and start "
            "it again afterwards",
            UNIT,
        )


def _write_files(options: argparse.Namespace, frame: Frame | None, lines: Sequence[str]) -> None:
    if options.out is not None and frame is not None:
        write_named_file(options.out, _encode_jpeg(frame))
    if options.bundle is not None:
        data = make_support_bundle(lines, with_photo=options.photo)
        write_named_file(options.bundle, data, "--bundle")


def _encode_jpeg(frame: Frame) -> bytes:
    import cv2

    return cv2.imencode(".jpg", frame.image_bgr)[1].tobytes()
