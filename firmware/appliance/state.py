"""State of the appliance: an immutable value that only ``machine.step`` replaces.

It holds the mode and, beside it, what is true in every mode: settings, camera, last result. Times
are monotonic seconds.
"""

from dataclasses import dataclass, field

from firmware.appliance.base import Mode, SetupStep, Show, StandardModes
from firmware.appliance.choices import Choices, GameChoice
from firmware.appliance.result import Result
from firmware.base.problem import Problem
from firmware.screens.words import Alert
from firmware.settings import Settings
from hardware.hotspot import Network
from hardware.timeouts import BackOff


@dataclass(frozen=True, slots=True)
class CameraState:
    """State of the camera.

    Attributes:
        problem: Problem of the camera; None if it works or was not tried yet.
        opening_since_s: Time at which opening it began; None if it is not being opened.
        back_off: Wait before it is opened again after a problem.
    """

    problem: Problem | None = None
    opening_since_s: float | None = None
    back_off: BackOff = field(default_factory=BackOff)


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Address of the web page for phones.

    Attributes:
        url: Address; empty while the page is not served.
        pin: Number that allows a phone to change something.
        problem: Reason why the page is not served; None if it is, or is switched off.
    """

    url: str = ""
    pin: str = ""
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class State:
    """State of the appliance.

    Attributes:
        settings: Settings in use.
        choices: Games, languages and names to choose from.
        standard_modes: Modes that every feature can lead to.
        mode: Mode, which decides on display and buttons.
        now_s: Monotonic seconds of the last event that had a time.
        next_id: Identifier of the next job, save or result.
        camera: Condition of the camera.
        result: Last result, also of an earlier run; None if there is none.
        result_before_trial: Last result before a trial, without its photo; None if ``result`` is no
            trial.
        expects_same_table: Whether the table of ``result`` probably still lies there, as it was
            scanned or looked at last: then half of its pieces are enough to recognise it.
        calibrated: Whether there is a calibration.
        clock_known: Whether the computer knows date and time.
        safe_mode: Whether earlier starts failed, so that the default settings are used.
        settings_problem: Reason why defaults replace the stored settings; None if they do not.
        edition_problem: Reason why the built-in edition replaces that of the settings; None if it
            does not.
        settings_unsaved: Whether the settings in use could not be stored.
        version: Version of the program.
        page: Address of the web page.
        hotspot: Wi-Fi network of the scanner; None if there is none.
        health: Alerts about the computer, the worst first.
        display_lost: Whether the display does not answer.
        dimmed: Whether the display is dimmed.
        last_use_s: Time of the last button press or command, or of the last start or end of a job.
        shown: Effect that showed what is on the display; None if that is unknown.
        must_ask_players: Whether *ready* still has to ask if the players are those of last time.
        setup_steps: Setup questions still to ask; the first one is on the display.
        menu: Menu that led to the mode, with the chosen entry marked, to come back to; None if the
            mode was entered otherwise.
    """

    settings: Settings
    choices: Choices
    standard_modes: StandardModes
    mode: Mode
    now_s: float = 0.0
    next_id: int = 1
    camera: CameraState = CameraState()
    result: Result | None = None
    result_before_trial: Result | None = None
    expects_same_table: bool = False
    calibrated: bool = False
    clock_known: bool = True
    safe_mode: bool = False
    settings_problem: Problem | None = None
    edition_problem: Problem | None = None
    settings_unsaved: bool = False
    version: str = ""
    page: PageAddress = field(default_factory=PageAddress)
    hotspot: Network | None = None
    health: tuple[Alert, ...] = ()
    display_lost: bool = False
    dimmed: bool = False
    last_use_s: float = 0.0
    shown: Show | None = None
    must_ask_players: bool = False
    setup_steps: tuple[SetupStep, ...] = ()
    menu: Mode | None = None

    @property
    def last_result(self) -> Result:
        """Last result, for modes that exist only with one."""
        assert self.result is not None  # noqa: S101 - see above
        return self.result

    @property
    def result_to_compare(self) -> Result | None:
        """Last result that is no trial, with which the next one is compared."""
        is_trial = self.result is not None and self.result.trial
        return self.result_before_trial if is_trial else self.result

    @property
    def game_choice(self) -> GameChoice:
        """Choices within the game of the settings; of the first game if that cannot be scanned."""
        return self.choices.game(self.settings.game) or self.choices.games[0]
