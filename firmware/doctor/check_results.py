"""Results of the checks of the parts of the appliance, and what the checks work with."""

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from firmware.base.problem import Problem
from firmware.camera.configured_camera import open_camera_of
from firmware.settings import (
    ButtonSettings,
    CameraSettings,
    DisplaySettings,
    Settings,
    SignalSettings,
)
from hardware.buttons import Buttons, open_buttons
from hardware.camera import Camera, Frame
from hardware.display import Display, open_display
from hardware.health import HealthSource, RaspberryHealth
from hardware.signals import Signals, open_signals

UNIT: Final = "stadtblick.service"
QUERY_TIMEOUT_S: Final = 5.0
"""Longest wait for an answer of systemd."""


class PartState(StrEnum):
    """State of a part."""

    FINE = "fine"
    UNUSED = "unused"
    """Not there, and nothing is wrong with that."""
    LOOK = "look"
    """Works, or can be done without, but a person should look at it."""
    BROKEN = "broken"
    """Missing or failing, and the appliance does not work without it."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of one check of a part.

    Attributes:
        state: State of the part.
        found: Problem with the part, or one line in the user's language where there is none.
    """

    state: PartState
    found: Problem | str


CheckResults = Iterator[CheckResult]


@dataclass(frozen=True, slots=True)
class Service:
    """State of the scanner's service, as the service manager reports it.

    Attributes:
        state: Systemd's word, such as ``active`` or ``failed``; empty if it is not installed.
        enabled: True if it starts at each boot.
    """

    state: str = ""
    enabled: bool = False


def query_service() -> Service:
    """Ask systemd for the state of the service; without systemd, it is not installed."""
    command = ("systemctl", "show", "--property=LoadState,ActiveState,UnitFileState", UNIT)
    try:
        output = subprocess.run(  # noqa: S603 - fixed words
            command, capture_output=True, text=True, timeout=QUERY_TIMEOUT_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return Service()
    properties = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    if properties.get("LoadState") != "loaded":
        return Service()
    is_enabled = properties.get("UnitFileState") == "enabled"
    return Service(properties.get("ActiveState", ""), is_enabled)


@dataclass(frozen=True, slots=True)
class Devices:
    """Functions that open the devices and return the time; tests replace them."""

    open_camera: Callable[[CameraSettings], Camera] = open_camera_of
    open_display: Callable[[DisplaySettings], Display] = open_display
    open_buttons: Callable[[ButtonSettings], Buttons] = open_buttons
    open_signals: Callable[[SignalSettings], Signals] = open_signals
    health: HealthSource = field(default_factory=RaspberryHealth)
    query_service: Callable[[], Service] = query_service
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(slots=True)
class CheckContext:
    """Input of the checks, and what later ones need from earlier ones.

    Attributes:
        devices: Ways to open the devices.
        settings: Settings of the appliance.
        warnings: Settings that cannot be used.
        is_interactive: True if a person answers questions and presses buttons.
        close_at_end: Devices to close when all parts are checked.
        service: State of the scanner's service.
        display: Open display, to show which button to press; None if there is none.
        frame: Picture that the camera took; None if it took none.
    """

    devices: Devices
    settings: Settings
    warnings: Sequence[Problem]
    is_interactive: bool
    close_at_end: ExitStack
    service: Service
    display: Display | None = None
    frame: Frame | None = None
