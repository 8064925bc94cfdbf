"""Jobs about the camera itself: aim it, and calibrate it with photos of the sheet."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from firmware.appliance.features.aiming import AimingPictureTaken, TakeAimingPicture
from firmware.appliance.features.calibrating import (
    CalibrationPhotoTaken,
    CalibrationSolved,
    CalibrationStored,
    SolveCalibration,
    StoreCalibration,
    TakeCalibrationPhoto,
)
from firmware.appliance.runner.camera_service import photo_from_frame
from firmware.appliance.runner.job_runner import PHOTO_NAME, JobRunner
from firmware.base.user_data import calibration_path, write_safely
from firmware.screens.device_views import CalibratedView
from firmware.screens.words import Stage
from hardware.camera import Frame
from vision.message import Message
from vision.photo.load import Photo

if TYPE_CHECKING:
    from vision.calibration import Calibration, SheetDetection


class CalibrationJobs:
    """Aiming and calibrating the camera.

    Args:
        jobs: Runner of the jobs.
    """

    def __init__(self, jobs: JobRunner) -> None:
        self._jobs = jobs
        self._sheets: list[SheetDetection] = []
        self._calibration: Calibration | None = None

    def take_aiming_picture(self, effect: TakeAimingPicture) -> None:
        """Take a picture and measure how the camera stands."""
        self._jobs.begin_with_capture(effect.job_id, partial(self._measure, effect.job_id))

    def _measure(self, job_id: int, frame: Frame) -> None:
        self._jobs.run_in_queue(job_id, lambda: _measure_frame(job_id, frame), self._jobs.report)

    def photograph_sheet(self, effect: TakeCalibrationPhoto) -> None:
        """Take a photo and detect the calibration sheet in it."""
        if effect.drops_earlier:
            self._sheets = []
        self._jobs.begin_with_photo(
            effect.job_id, effect.photo, partial(self._find_sheet, effect.job_id), "photo"
        )

    def _find_sheet(self, job_id: int, get_photo: Callable[[], Photo]) -> None:
        name = Message("photo {n}", n=len(self._sheets) + 1)
        self._jobs.report_stage(job_id, Stage.CALIBRATE)
        self._jobs.run_in_queue(
            job_id, lambda: _detect_sheet(get_photo(), name), partial(self._add_sheet, job_id)
        )

    def _add_sheet(self, job_id: int, sheet: "SheetDetection") -> None:
        if self._jobs.is_current(job_id):
            self._sheets.append(sheet)
        self._jobs.report(CalibrationPhotoTaken(job_id))

    def solve(self, effect: SolveCalibration) -> None:
        """Solve lens and table from the photos of the sheet."""
        sheets, table_only = tuple(self._sheets), effect.table_only

        def keep(found: "Calibration") -> None:
            self._calibration = found
            view = CalibratedView.of(found, table_only=table_only)
            self._jobs.report(CalibrationSolved(effect.job_id, view))

        self._jobs.begin(effect.job_id)
        self._jobs.run_in_queue(
            effect.job_id, lambda: _solve_calibration(sheets, table_only=table_only), keep
        )

    def store(self, effect: StoreCalibration) -> None:
        """Store the last calibration."""
        found = self._calibration
        assert found is not None  # noqa: S101 - it was found before
        self._jobs.begin(effect.job_id)
        self._jobs.run_in_queue(
            effect.job_id,
            lambda: _store(found),
            lambda _stored: self._jobs.report(CalibrationStored(effect.job_id)),
        )


def _measure_frame(job_id: int, frame: Frame) -> AimingPictureTaken:
    from firmware.camera.aim_measurement import calibrated_lens, measure_aim
    from firmware.report.aim_view import aim_view

    view = aim_view(measure_aim(frame, calibrated_lens()), frame.image_bgr)
    return AimingPictureTaken(job_id, view, photo_from_frame(frame, PHOTO_NAME))


def _detect_sheet(photo: Photo, name: str) -> "SheetDetection":
    from vision.calibration import detect_sheet

    return detect_sheet(replace(photo, name=name))


def _solve_calibration(sheets: "tuple[SheetDetection, ...]", *, table_only: bool) -> "Calibration":
    from vision.calibration import calibrate, load_calibration, locate_table

    if table_only:
        return locate_table(load_calibration(calibration_path()), sheets[-1])
    return calibrate(sheets).calibration


def _store(calibration: "Calibration") -> None:
    from vision.calibration import calibration_to_bytes

    write_safely(calibration_path(), calibration_to_bytes(calibration))
