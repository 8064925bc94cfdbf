"""``stadtblick aim``: live advice while the camera is being mounted."""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Final

from PIL import Image
from rich.live import Live
from rich.text import Text

from firmware.base.errors import ExitCode
from firmware.base.language import N_, _
from firmware.base.terminal import Json, print_lines, standard_output, write_json
from firmware.base.terminal_picture import picture_lines
from firmware.camera.aim_measurement import (
    Advice,
    AimMeasurement,
    calibrated_lens,
    measure_aim,
)
from firmware.camera.configured_camera import named_camera, open_camera_of
from firmware.report.aim_view import aim_picture, grouped_heights_cm
from firmware.settings import CameraSettings
from firmware.wording.problem_text import print_problem
from hardware.camera import Camera, Frame, SupervisedCamera
from hardware.errors import CameraError
from hardware.mount import FINE_TILE_PX, STEEPEST_TILT_DEG

EPILOG: Final = N_("""\
examples:
  stadtblick aim                             live, until Ctrl-C
  stadtblick aim --once                      one picture

Lay the printed calibration sheet (stadtblick print calibration) flat in the middle of the table,
its edges along those of the table. The running scanner holds the camera: use its menu, "Aim the
camera", or stop it first (sudo systemctl stop stadtblick).
exit codes: 0 all is well, 1 something has to be done, 3 the camera is missing or broken.
""")

AIM_CAPTURE_TIMEOUT_S: Final = 10.0
"""Longest time for a picture in seconds."""
PICTURE_WH: Final = (128, 72)
"""Largest size of the picture, in pixels; a character shows two or eight of them."""
BAR_LETTERS: Final = 24
"""Length of the bars of light and sharpness."""
FOCUS_AFTER: Final = 4
"""Blurred pictures in a row after which the camera is reopened, to find focus and exposure."""

_TEXT_ROWS: Final = 8
"""Rows of the terminal that the lines below the picture need."""
_BLURRED: Final = (Advice.OUT_OF_FOCUS, Advice.SHEET_UNCLEAR)

SENTENCES: Final = {
    Advice.GOOD: N_("All is well: the camera can stay where it is."),
    Advice.TOO_DARK: N_("Too dark: switch on a lamp."),
    Advice.TOO_BRIGHT: N_("Too bright: keep lamps and the sun out of the picture."),
    Advice.OUT_OF_FOCUS: N_("Out of focus: wait for the autofocus, or turn the ring of the lens."),
    Advice.NO_SHEET: N_(
        "Lay the printed calibration sheet flat in the middle, its edges along those of the table."
    ),
    Advice.SHEET_UNCLEAR: N_(
        "The sheet can hardly be made out: all of it into the picture, sharp and without glare."
    ),
    Advice.TOO_SLANTED: N_(
        "The camera is tilted by more than {most} degrees: let it look more from above."
    ),
    Advice.NOT_SQUARE: N_(
        "The picture is not square to the table, by {skew} degrees: turn the camera, or level it."
    ),
    Advice.TOO_NEAR: N_("Too near, cities of two players do not fit: mount the camera higher."),
    Advice.TOO_FAR: N_(
        "Too far away, a tile has {px} pixels and should have {least}: mount the camera lower."
    ),
}


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--camera",
        metavar=_("KIND|PATH"),
        help=_("camera for this time (default: that of the settings)"),
    )
    parser.add_argument(
        "--once", action="store_true", help=_("look at one picture only, as without a terminal")
    )
    parser.add_argument(
        "--json", action="store_true", help=_("print what one picture says, as JSON")
    )


def run(
    options: argparse.Namespace, open_camera: Callable[[CameraSettings], Camera] = open_camera_of
) -> ExitCode:
    """Measure pictures of the camera and give advice, once or until Ctrl-C."""
    settings = options.settings.camera
    if options.camera is not None:
        settings = named_camera(options.camera, settings)
    is_live = sys.stdout.isatty() and not options.once and not options.json
    with closing(SupervisedCamera(lambda: open_camera(settings), where=settings.where)) as camera:
        try:
            measured = _live(camera) if is_live else _once(camera, as_json=options.json)
        except CameraError as error:
            print_problem(error, as_json=options.json)
            return ExitCode.DEVICE
    return ExitCode.DONE if measured.advice is Advice.GOOD else ExitCode.NEEDS_A_PERSON


def _once(camera: SupervisedCamera, *, as_json: bool) -> AimMeasurement:
    measured = measure_aim(camera.capture(AIM_CAPTURE_TIMEOUT_S), calibrated_lens())
    if as_json:
        write_json(aim_json(measured))
    else:
        print_lines(*aim_lines(measured))
    return measured


def _live(camera: SupervisedCamera) -> AimMeasurement:
    """Show picture after picture until Ctrl-C; return the measurement of the last one."""
    lens, blurred = calibrated_lens(), 0
    measured = measure_aim(frame := camera.capture(AIM_CAPTURE_TIMEOUT_S), lens)
    with (
        standard_output() as console,
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        try:
            while True:
                live.update(Text("\n".join(_screen_lines(measured, frame))), refresh=True)
                blurred = blurred + 1 if measured.advice in _BLURRED else 0
                if blurred == FOCUS_AFTER:
                    camera.close()  # reopened, it finds focus and exposure
                    blurred = -2 * FOCUS_AFTER  # it needs some pictures for that
                measured = measure_aim(frame := camera.capture(AIM_CAPTURE_TIMEOUT_S), lens)
        except KeyboardInterrupt:
            return measured


def _screen_lines(measured: AimMeasurement, frame: Frame) -> Iterator[str]:
    """Yield the picture, as large as the terminal allows, and the lines below it."""
    columns, rows = shutil.get_terminal_size()
    bitmap = aim_picture(measured, frame.image_bgr, PICTURE_WH)
    picture = Image.new("1", PICTURE_WH)
    picture.paste(Image.frombytes("1", bitmap.size_wh, bitmap.bits), (0, 0))
    if rows < PICTURE_WH[1] // 2 + _TEXT_ROWS:  # then draw eight pixels a character
        columns = min(columns, PICTURE_WH[0] - 1)
    if columns >= PICTURE_WH[0] // 2:
        yield from picture_lines(picture, columns)
    yield from aim_lines(measured)


def aim_lines(measured: AimMeasurement) -> Iterator[str]:
    """Yield the advice, then the measurements, as lines."""
    pose = measured.pose
    values = {"most": round(STEEPEST_TILT_DEG), "least": FINE_TILE_PX, "px": 0, "skew": 0}
    if pose is not None:
        values |= {"px": round(pose.tile_px), "skew": round(pose.skew_deg)}
    yield _(SENTENCES[measured.advice]).format(**values)
    for name, share in ((_("light"), measured.light), (_("sharpness"), measured.sharpness)):
        full = round(share * BAR_LETTERS)
        yield f"{'█' * full}{'░' * (BAR_LETTERS - full)} {name}"
    if pose is not None:
        if pose.height_mm is not None:
            height = _("The camera is {cm} cm above the table.")
            yield height.format(cm=round(pose.height_mm / 10))
        slant = _("The camera is tilted by {tilt}°; the smallest tile has {px} pixels.")
        yield slant.format(tilt=round(pose.tilt_deg), px=values["px"])
        if pose.players:
            yield _("Cities of up to {n} players fit.").format(n=pose.players)
    heights = [
        _("{players} players {cm} cm").format(players=players, cm=height_cm)
        for players, height_cm in grouped_heights_cm(measured)
    ]
    if heights:
        yield _("From right above this lens needs: {heights}.").format(heights=", ".join(heights))


def aim_json(measured: AimMeasurement) -> Json:
    """Return advice and measurements as JSON."""
    fields: Json = {
        "advice": measured.advice.code,
        "message": next(aim_lines(measured)),
        "light": round(measured.light, 3),
        "sharpness": round(measured.sharpness, 3),
        "heights_mm": {
            str(players): round(height_mm) for players, height_mm in measured.heights_mm
        },
    }
    pose = measured.pose
    if pose is None:
        return fields
    height_mm = None if pose.height_mm is None else round(pose.height_mm)
    return fields | {
        "height_mm": height_mm,
        "tilt_deg": round(pose.tilt_deg, 1),
        "skew_deg": round(pose.skew_deg, 1),
        "tile_px": round(pose.tile_px, 1),
        "players": pose.players,
    }
