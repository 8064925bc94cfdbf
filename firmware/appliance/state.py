"""What the appliance knows at a moment: an immutable value, made by ``step`` alone.

A state has one mode, which is what the buttons act on, and beside it what holds in every mode:
settings, camera, the last result. Times are monotonic seconds.
"""

from dataclasses import dataclass, field

from firmware.appliance.effects import Show
from firmware.appliance.events import Choices, PageOpened
from firmware.appliance.faults import Fault
from firmware.appliance.modes import Mode, Ready, Step
from firmware.appliance.result import Result
from firmware.screens.words import Alert
from firmware.settings import Settings
from hardware.hotspot import Network
from hardware.timeouts import BackOff


@dataclass(frozen=True, slots=True)
class CameraState:
    """What is known of the camera.

    Attributes:
        fault: why it does not work; None: it works, or was not tried yet.
        opening_since_s: since when it is being opened; None: it is not.
        back_off: when to try again.
    """

    fault: Fault | None = None
    opening_since_s: float | None = None
    back_off: BackOff = field(default_factory=BackOff)


@dataclass(frozen=True, slots=True)
class State:
    """All that the appliance knows.

    Attributes:
        settings: those in use.
        choices: what there is to choose from.
        mode: what the buttons act on.
        now_s: the time of the last event that had one.
        next_job: number of the next job.
        camera: what is known of it.
        result: the last one, also of an earlier run; None: there is none.
        same_table: whether the table of ``result`` still lies there, so that the next scan is
            compared with it.
        calibrated: whether there is a calibration.
        clock_known: whether the computer knows the date and the time of day.
        safe_mode: whether the last starts did not complete, so that it has the defaults.
        settings_fault: why the defaults are used instead of the settings on the disk; None: they
            are not.
        edition_fault: why the built-in edition is used instead of that of the settings on the disk;
            None: it is not.
        settings_unsaved: whether the settings in use could not be stored.
        version: of the program.
        page: where a phone finds the page, or why it does not.
        hotspot: the scanner's own network; None: there is none.
        health: what the computer suffers from.
        display_lost: whether nothing can be shown.
        dimmed: whether the display is dimmed.
        used_s: when a button was pressed or a job ended.
        shown: what the display shows; None: nothing that is known.
        evening: whether it is still to be asked whether the players are those of the last time.
        steps: what is being asked, and what is asked after that.
    """

    settings: Settings
    choices: Choices
    mode: Mode = field(default_factory=Ready)
    now_s: float = 0.0
    next_job: int = 1
    camera: CameraState = CameraState()
    result: Result | None = None
    same_table: bool = False
    calibrated: bool = False
    clock_known: bool = True
    safe_mode: bool = False
    settings_fault: Fault | None = None
    edition_fault: Fault | None = None
    settings_unsaved: bool = False
    version: str = ""
    page: PageOpened = field(default_factory=PageOpened)
    hotspot: Network | None = None
    health: tuple[Alert, ...] = ()
    display_lost: bool = False
    dimmed: bool = False
    used_s: float = 0.0
    shown: Show | None = None
    evening: bool = False
    steps: tuple[Step, ...] = ()

    @property
    def last_result(self) -> Result:
        """The last one, in a mode that is only there with one."""
        assert self.result is not None  # noqa: S101 - see above
        return self.result
