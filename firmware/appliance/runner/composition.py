"""Puts the appliance together: which devices, which files, who does what."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from firmware.appliance.events import Choices, Event, Started
from firmware.appliance.faults import Fault
from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.calibrator import Calibrator
from firmware.appliance.runner.camera_desk import CameraDesk
from firmware.appliance.runner.crew import Crew, InTurn
from firmware.appliance.runner.glass import Front, Glass
from firmware.appliance.runner.loop import Appliance
from firmware.appliance.runner.performer import Performer
from firmware.appliance.runner.power import PowerSwitch, ServiceManager, Switch
from firmware.appliance.runner.recorder import Recorder
from firmware.appliance.runner.scanner import Scanner, give_back_memory
from firmware.appliance.runner.teacher import Teacher, game_choices
from firmware.data import SAMPLE
from firmware.history import History, wall_time
from firmware.language import LANGUAGES
from firmware.scan import Eye
from firmware.settings import CameraSettings, Settings
from firmware.user_data import calibration_path
from hardware.camera import Camera, FileCamera, SteadyCamera, open_camera
from hardware.errors import CameraError
from hardware.health import HealthSource, RaspberryHealth

NO_CAMERA: Final = frozenset({"camera-missing", "camera-driver-missing", "camera-none"})
"""Codes of the errors that say that there is no camera, rather than one that does not work."""


@dataclass(slots=True)
class Ends:
    """Whether the program is to end, and what then."""

    wanted: bool = False
    restart: bool = False

    def __call__(self, *, restart: bool = False) -> None:
        """End after this turn; ``restart``: and start anew."""
        self.wanted = True
        self.restart = self.restart or restart


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """All that the appliance is made of and that differs between the real one and a test.

    Attributes:
        folder: of the user's own things.
        started: the first event.
        crew: does what takes long.
        glasses: make what shows the screens; each is given what takes its events.
        buttons: the three buttons.
        camera: makes a camera that is not open yet.
        stored_language: that of the settings on the disk, if another one is used this time.
        health: says how the computer is.
        service: the service manager.
        eye: what reads photos; None: the real eye.
        power: switches the computer off; it is given what takes its events and what ends the
            program.
        ends: is told when the program is to end.
        when_sound: called once it has run for a while.
    """

    folder: Path
    started: Started
    crew: Crew
    glasses: tuple[Callable[[Callable[[Event], None]], Glass], ...]
    buttons: ButtonDesk
    camera: Callable[[], SteadyCamera]
    stored_language: str | None = None
    health: HealthSource = field(default_factory=RaspberryHealth)
    service: ServiceManager = field(default_factory=ServiceManager)
    eye: Eye | None = None
    power: Callable[[Crew, Callable[[Event], None], Ends], Switch] = lambda crew, report, _ends: (
        PowerSwitch(crew, report)
    )
    ends: Ends = field(default_factory=Ends)
    when_sound: Callable[[], None] = lambda: None


def compose(parts: Parts) -> Appliance:
    """Put the appliance together; nothing is opened yet."""
    crew, settings = parts.crew, parts.started.settings
    events: deque[Event] = deque([parts.started])
    report = events.append
    heavy = InTurn(crew, "reading", give_back_memory)
    desk = CameraDesk(parts.camera, crew, report)
    recorder = Recorder(
        InTurn(crew, "storing"),
        lambda: _opened_history(parts.folder, settings),
        report,
        language=settings.language if parts.stored_language is not None else None,
        stored_language=parts.stored_language or "",
    )
    performer = Performer(
        front=Front([make(report) for make in parts.glasses]),
        desk=desk,
        heavy=heavy,
        scanner=Scanner(desk, crew, heavy, report, recorder.keep_photo, parts.eye),
        calibrator=Calibrator(desk, heavy, report),
        teacher=Teacher(desk, heavy, report),
        recorder=recorder,
        power=parts.power(crew, report, parts.ends),
        end=parts.ends,
    )
    return Appliance(
        events, crew, parts.buttons, performer, parts.health, parts.service, parts.when_sound
    )


def started(
    settings: Settings,
    now_s: float,
    *,
    safe_mode: bool = False,
    settings_fault: Fault | None = None,
) -> Started:
    """The first event.

    Args:
        settings: to start with.
        now_s: monotonic seconds.
        safe_mode: whether the last starts did not complete.
        settings_fault: why these are not the settings on the disk.
    """
    return Started(
        now_s=now_s,
        settings=settings,
        choices=Choices(
            games=game_choices(),
            languages=LANGUAGES,
        ),
        calibrated=calibration_path().exists(),
        clock_known=wall_time().known,
        safe_mode=safe_mode,
        settings_fault=settings_fault,
    )


def steady(settings: CameraSettings) -> SteadyCamera:
    """The camera of these settings, not open yet."""
    return SteadyCamera(lambda: open_camera(settings), place=settings.place)


def steady_or_sample(settings: CameraSettings) -> SteadyCamera:
    """The same; where there is no such camera, it gives the sample photo."""

    def opened() -> Camera:
        try:
            return open_camera(settings)
        except CameraError as error:
            if error.code not in NO_CAMERA:
                raise
            return FileCamera(SAMPLE)

    return SteadyCamera(opened, place=settings.place)


def with_language(settings: Settings, language: str | None) -> tuple[Settings, str | None]:
    """The settings for this run, and the language that they have on the disk if it is another."""
    if language is None or language == settings.language:
        return settings, None
    return replace(settings, language=language), settings.language


def _opened_history(folder: Path, settings: Settings) -> History:
    return History.open(
        folder,
        photos_max=settings.storage.photos_max,
        photos_max_mb=settings.storage.photos_max_mb,
    )
