"""``stadtblick calibrate``: calibration of camera and table from photos of the printed sheet."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console

from firmware.base.errors import ExitCode, OutputError, UsageError, printable
from firmware.base.json_text import select_attributes
from firmware.base.language import N_, _, _n, format_decimal
from firmware.base.terminal import Json, standard_output, write_json
from firmware.base.user_data import calibration_path, write_named_file, write_safely
from firmware.wording.problem_text import translate
from vision.calibration import (
    CalibrationError,
    CalibrationResult,
    RejectedPhoto,
    SheetDetection,
    calibrate,
    calibration_to_bytes,
    detect_sheet,
    load_calibration,
    locate_table,
)
from vision.errors import VisionError
from vision.message import Message
from vision.photo.load import load_photo

EPILOG: Final = N_("""\
examples:
  stadtblick print calibration --out sheet.pdf
  stadtblick calibrate photos/*.jpg              the last one: the sheet lies on the table
  stadtblick calibrate photos/*.jpg --table photos/07.jpg
  stadtblick calibrate new.jpg --plane-only      the camera was moved, its lens is known

Take about ten photos: the sheet in each corner of the picture and in the middle, each of its
sides once lifted by 20 to 40 degrees, and at last flat on the table.
""")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments to the parser of the command."""
    parser.add_argument(
        "photos", metavar=_("PHOTO"), nargs="+", help=_("JPEG, PNG or HEIC of the sheet")
    )
    parser.add_argument(
        "--table",
        metavar=_("PHOTO"),
        help=_("the photo with the sheet flat on the table (default: the last one)"),
    )
    parser.add_argument(
        "--plane-only",
        action="store_true",
        help=_("keep the lens of the stored calibration and find the table again, from one photo"),
    )
    parser.add_argument(
        "--out",
        metavar=_("FILE"),
        type=Path,
        help=_("where the calibration is stored (default: the user's folder)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print the results as JSON"))


def run(options: argparse.Namespace) -> ExitCode:
    """Calibrate, store the result and print its accuracy."""
    table_path = options.photos[-1] if options.table is None else options.table
    # Of a file given twice, the last way to write it counts, which is that of the table
    paths = list({os.path.realpath(each): each for each in [*options.photos, table_path]}.values())
    path: Path = calibration_path() if options.out is None else options.out
    _check_target(path, paths)
    if options.plane_only:
        if len(paths) > 1:
            raise UsageError(
                "usage",
                "--plane-only takes one photo: give only that of the table",
                Message("photos"),
            )
        # The lens is that of the calibration being replaced, else that of the user's calibration
        before = load_calibration(path if path.exists() else calibration_path())
        result = CalibrationResult(locate_table(before, _detect_in(table_path)), ())
    else:
        result = _calibrate_photos(paths, table_path)
    data = calibration_to_bytes(result.calibration)
    if options.out is None:
        write_safely(path, data)
    else:
        write_named_file(path, data)
    if options.json:
        write_json(_result_json(result, path, plane_only=options.plane_only))
    else:
        with standard_output() as console:
            _print_result(console, result, path, plane_only=options.plane_only)
    return ExitCode.NEEDS_A_PERSON if result.left_out else ExitCode.DONE


def _check_target(target: Path, photos: Sequence[str]) -> None:
    """Refuse a file for the calibration that is one of the photos."""
    if any(target.exists() and Path(photo).exists() and target.samefile(photo) for photo in photos):
        raise OutputError(
            "out-is-the-photo",
            "the calibration would replace a photo: choose another file",
            str(target),
        )


def _detect_in(photo: str) -> SheetDetection:
    return detect_sheet(load_photo(photo))


def _calibrate_photos(paths: Sequence[str], table_path: str) -> CalibrationResult:
    """Calibrate by all photos that can be used; that of the table has to be one of them."""
    sheets: list[SheetDetection] = []
    left_out: list[RejectedPhoto] = []
    table = -1
    for path in paths:
        try:
            sheet = _detect_in(path)
        except VisionError as error:
            if path == table_path:
                raise
            left_out.append(RejectedPhoto(path, error.message))
            continue
        if path == table_path:
            table = len(sheets)
        sheets.append(sheet)
    try:
        result = calibrate(sheets, table)
    except CalibrationError as error:
        if not left_out:
            raise
        raise _with_left_out(error, left_out) from error
    return CalibrationResult(result.calibration, (*left_out, *result.left_out))


def _with_left_out(error: CalibrationError, left_out: Sequence[RejectedPhoto]) -> CalibrationError:
    """Add the unusable photos and their reasons to an error, before its remedy."""
    what, _colon, advice = translate(error).partition(": ")
    whys = {one.photo_name: translate(one.reason).partition(": ")[0] for one in left_out}
    return CalibrationError(
        error.code,
        "{what} [not used, {unusable}]: {advice}",
        error.where,
        what=what,
        unusable="; ".join(f"{photo}: {why}" for photo, why in whys.items()),
        advice=advice,
    )


def _print_result(
    console: Console, result: CalibrationResult, path: Path, *, plane_only: bool
) -> None:
    calibration, lens, left_out = result.calibration, result.calibration.lens, result.left_out
    if left_out:
        unused = _n("{n} photo was not used:", "{n} photos were not used:", len(left_out))
        console.print(unused, style="bold yellow")
    for one in left_out:
        console.print(printable(f"  {one.photo_name}: {translate(one.reason)}"))
    if plane_only:
        console.print(_("The lens is that of the calibration before."))
    else:
        used = calibration.photo_count
        console.print(_n("Calibrated with {n} photo.", "Calibrated with {n} photos.", used))
        template = _("Error: {px} px in the photo, {mm} mm on the sheet (root mean square)")
        px, mm = calibration.reprojection_error_px, calibration.reprojection_error_mm
        console.print(template.format(px=format_decimal(px, 2), mm=format_decimal(mm, 2)))
        template = _("The sheet covered {share}% of the picture.")
        console.print(template.format(share=round(100 * calibration.coverage)))
        template = _("Lens: focal length {focal} px, centre at {x}, {y} px of {width} x {height}")
        focal, x, y = (format_decimal(value) for value in (lens.focal_px, *lens.centre_px))
        width, height = lens.size_wh
        console.print(template.format(focal=focal, x=x, y=y, width=width, height=height))
    template = _("Camera: {height} mm above the table, tilted by {tilt}° from straight down")
    plane = calibration.plane
    console.print(
        template.format(height=round(plane.camera_height_mm), tilt=format_decimal(plane.tilt_deg))
    )
    console.print(
        _(
            "All lengths are true only if the sheet was printed at 100%: check the length of the "
            "ruler on it."
        )
    )
    console.print(_("The calibration is in {file}.").format(file=printable(str(path))))


def _result_json(result: CalibrationResult, path: Path, *, plane_only: bool) -> Json:
    calibration, lens = result.calibration, result.calibration.lens
    return {
        "file": str(path),
        "plane_only": plane_only,
        "photos_used": 1 if plane_only else calibration.photo_count,
        "photos_refused": [
            {"photo": one.photo_name, "why": translate(one.reason)} for one in result.left_out
        ],
        **select_attributes(
            calibration, "reprojection_error_px", "reprojection_error_mm", "coverage"
        ),
        "focal_px": lens.focal_px,
        "centre_px": list(lens.centre_px),
        "distortion": lens.distortion.tolist(),
        "size": list(lens.size_wh),
        **select_attributes(calibration.plane, "camera_height_mm", "tilt_deg"),
    }
