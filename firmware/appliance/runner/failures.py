"""From exceptions to faults that can be shown."""

from firmware.appliance.faults import Fault, Told, fault_of
from firmware.appliance.runner.crew import OverdueError
from firmware.errors import FirmwareError, internal_error
from hardware.errors import HardwareError
from scoring.errors import ScoringError
from vision.errors import VisionError


def told(error: Exception) -> Fault:
    """What to show for an exception; one that nobody foresaw says so."""
    if isinstance(error, FirmwareError | VisionError | ScoringError | HardwareError):
        known: Told = error
        return fault_of(known)
    if isinstance(error, MemoryError):
        return Fault("out-of-memory", "there is not enough memory: restart the scanner")
    if isinstance(error, OverdueError):
        return Fault("too-slow", f"{error.name} takes too long: try again")
    return fault_of(internal_error(error))
