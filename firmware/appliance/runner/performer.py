"""Does what the machine wants done: each effect goes to who can do it."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from firmware.appliance import effects
from firmware.appliance.runner.calibrator import Calibrator
from firmware.appliance.runner.camera_desk import CameraDesk
from firmware.appliance.runner.crew import InTurn
from firmware.appliance.runner.glass import Front
from firmware.appliance.runner.power import Switch
from firmware.appliance.runner.recorder import Recorder
from firmware.appliance.runner.scanner import Scanner
from firmware.appliance.runner.teacher import Teacher
from firmware.language import use_language

WORK_LIMIT_S: Final = 600.0
"""Reading, learning or storing that lasts longer than this hangs."""

_log: Final = logging.getLogger(__name__)


class Ending(Protocol):
    """Is told that the program is to end."""

    def __call__(self, *, restart: bool = False) -> None:
        """End after this turn; ``restart``: and start anew."""
        ...


@dataclass(frozen=True, slots=True)
class Performer:
    """Who does what.

    Attributes:
        front: shows the views.
        desk: the camera.
        heavy: what reads, calibrates and learns.
        scanner: scans.
        calibrator: calibrates.
        teacher: teaches.
        recorder: stores results and settings.
        power: switches the computer off.
        end: ends the program.
    """

    front: Front
    desk: CameraDesk
    heavy: InTurn
    scanner: Scanner
    calibrator: Calibrator
    teacher: Teacher
    recorder: Recorder
    power: Switch
    end: Ending

    def perform(self, effect: effects.Effect) -> None:
        """Begin an effect, or do one that takes no time; answers are reported as events."""
        _WAYS[type(effect)](self, effect)

    def close(self) -> None:
        """Let go of camera, display and history; what is to be stored is still stored."""
        self.heavy.give_up()
        self.desk.close()
        self.front.close()
        self.recorder.close()

    @property
    def stuck(self) -> bool:
        """Whether something hangs in a way that only a new start of the program can end."""
        lasts_s = max(self.heavy.lasts_s(), self.recorder.lasts_s())
        return self.desk.stuck or lasts_s > WORK_LIMIT_S

    def cancel(self, effect: effects.CancelJob) -> None:
        """Wait for a job no longer."""
        for worker in (self.scanner, self.calibrator, self.teacher):
            worker.cancel(effect.job)

    def use(self, effect: effects.StoreSettings) -> None:
        """Use settings from now on, and store them."""
        use_language(effect.settings.language)
        self.front.use(effect.settings.display)
        self.scanner.make_ready(effect.settings)
        self.recorder.store_settings(effect)


def _log_fault(_performer: Performer, effect: effects.Log) -> None:
    fault = effect.fault
    _log.warning("%s: %s (%s)", fault.code, fault.message, fault.where or "appliance")


_WAYS: Final[Mapping[type, Callable[[Performer, Any], None]]] = {
    effects.Show: lambda it, effect: it.front.show(effect),
    effects.SetBrightness: lambda it, effect: it.front.dim(dimmed=effect.dimmed),
    effects.StartScan: lambda it, effect: it.scanner.start(effect),
    effects.CancelJob: Performer.cancel,
    effects.OpenCamera: lambda it, _effect: it.desk.open(),
    effects.TakeCalibrationPhoto: lambda it, effect: it.calibrator.take(effect),
    effects.SolveCalibration: lambda it, effect: it.calibrator.solve(effect),
    effects.StartTeaching: lambda it, effect: it.teacher.start(effect),
    effects.Save: lambda it, effect: it.recorder.save(effect),
    effects.StoreSettings: Performer.use,
    effects.Restart: lambda it, _effect: it.end(restart=True),
    effects.ShutDown: lambda it, _effect: it.power.switch_off(),
    effects.Log: _log_fault,
}
