"""Calibrating with the camera: photos of the sheet, then lens and table from all of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware.appliance.effects import SolveCalibration, TakeCalibrationPhoto
from firmware.appliance.events import (
    CalibrationFailed,
    CalibrationFinished,
    CalibrationPhotoFailed,
    CalibrationPhotoTaken,
    Event,
    StageReached,
)
from firmware.appliance.faults import Fault
from firmware.appliance.runner.camera_desk import CameraDesk, photo_of
from firmware.appliance.runner.crew import InTurn, Outcome, told
from firmware.screens.views import Stage
from hardware.camera import Frame

if TYPE_CHECKING:
    from vision.calibration import Calibration, SheetView


class Calibrator:
    """Does ``TakeCalibrationPhoto`` and ``SolveCalibration``.

    Args:
        desk: gives the pictures.
        heavy: looks for the sheet and solves, one at a time.
        report: takes the events.
    """

    def __init__(self, desk: CameraDesk, heavy: InTurn, report: Callable[[Event], None]) -> None:
        self._desk = desk
        self._heavy = heavy
        self._report = report
        self._job: int | None = None
        self._views: list[SheetView] = []

    def take(self, effect: TakeCalibrationPhoto) -> None:
        """Take a photo and find the sheet in it; the answer is reported."""
        self._job = effect.job
        if effect.first:
            self._views = []
        self._desk.capture(lambda picture: self._pictured(effect.job, picture))

    def solve(self, effect: SolveCalibration) -> None:
        """Find lens and table, and store them; the answer is reported."""
        self._job = effect.job
        views = tuple(self._views)

        def done(outcome: Outcome) -> None:
            if outcome.error is not None:
                self._report(CalibrationFailed(effect.job, told(outcome.error)))
                return
            found: Calibration = outcome.value
            self._report(
                CalibrationFinished(
                    job=effect.job,
                    error_px=found.reprojection_error_px,
                    coverage=found.coverage,
                    height_mm=found.plane.camera_height_mm,
                    photos=1 if effect.table_only else found.photo_count,
                )
            )

        self._heavy.begin(lambda: _solved_and_stored(views, table_only=effect.table_only), done)

    def cancel(self, job: int) -> None:
        """Nobody waits for this job any longer."""
        if job == self._job:
            self._job = None
            self._desk.cancel()

    def _pictured(self, job: int, picture: Frame | Fault) -> None:
        if isinstance(picture, Fault):
            self._report(CalibrationPhotoFailed(job, picture))
            return
        name = f"photo {len(self._views) + 1}"

        def done(outcome: Outcome) -> None:
            if outcome.error is not None:
                self._report(CalibrationPhotoFailed(job, told(outcome.error)))
                return
            if self._job == job:
                self._views.append(outcome.value)
            self._report(CalibrationPhotoTaken(job))

        self._report(StageReached(job, Stage.CALIBRATE))
        self._heavy.begin(lambda: _view_of(picture, name), done)


def _view_of(frame: Frame, name: str) -> "SheetView":
    from vision.calibration import detect_sheet

    return detect_sheet(photo_of(frame, name))


def _solved_and_stored(views: "tuple[SheetView, ...]", *, table_only: bool) -> "Calibration":
    from firmware.user_data import calibration_path, write_safely
    from vision.calibration import (
        calibrate,
        calibration_to_bytes,
        load_calibration,
        locate_table,
    )

    path = calibration_path()
    if table_only:
        calibration = locate_table(load_calibration(path), views[-1])
    else:
        calibration = calibrate(views).calibration
    write_safely(path, calibration_to_bytes(calibration))
    return calibration
