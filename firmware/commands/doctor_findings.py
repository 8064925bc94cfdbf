"""What an examination finds, and how it is said."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware.errors import ExitCode, UsageError, error_line, translated
from firmware.language import N_, _
from firmware.terminal import Json


class Part(StrEnum):
    """What is examined, in this order."""

    SETTINGS = "settings"
    CAMERA = "camera"
    DISPLAY = "display"
    BUTTONS = "buttons"
    DISK = "disk"
    COMPUTER = "computer"
    CALIBRATION = "calibration"
    EDITIONS = "editions"


class State(StrEnum):
    """How a part is."""

    FINE = "fine"
    UNUSED = "unused"
    """Not there, and nothing is wrong with that."""
    LOOK = "look"
    """It works, or can be done without, but a person should look at it."""
    BROKEN = "broken"
    """The appliance does not work without it, and it is missing or fails."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found out about a part.

    Attributes:
        part: what was examined.
        state: how it is.
        message: one line; of a problem what is wrong, then after a colon what to do, in English.
        code: of a problem: short stable identifier.
        where: of a problem: the device or file that is meant.
    """

    part: Part
    state: State
    message: str
    code: str = ""
    where: str = ""


_NAMES: Final[Mapping[Part, str]] = {
    Part.SETTINGS: N_("Settings"),
    Part.CAMERA: N_("Camera"),
    Part.DISPLAY: N_("Display"),
    Part.BUTTONS: N_("Buttons"),
    Part.DISK: N_("Disk"),
    Part.COMPUTER: N_("Computer"),
    Part.CALIBRATION: N_("Calibration"),
    Part.EDITIONS: N_("Editions"),
}

_SENTENCES: Final[Mapping[State, str]] = {
    State.FINE: N_("{part}: fine. {found}"),
    State.UNUSED: N_("{part}: not used. {found}"),
    State.LOOK: N_("{part}: please look! {found}"),
    State.BROKEN: N_("{part}: BROKEN! {found}"),
}


def problem(code: str, message: str, where: str, part: Part, state: State) -> Finding:
    """A finding of something that is wrong."""
    return Finding(part, state, message, code, where)


def line(finding: Finding) -> str:
    """The finding in one line, in the user's language."""
    found = translated(finding.message)
    if finding.code:
        found = error_line(UsageError(finding.code, finding.message, finding.where))
    return _(_SENTENCES[finding.state]).format(part=_(_NAMES[finding.part]), found=found)


def as_json(finding: Finding) -> Json:
    """The finding for programs."""
    told: Json = {
        "part": finding.part.value,
        "state": finding.state.value,
        "message": translated(finding.message),
    }
    if finding.code:
        told |= {"code": finding.code, "where": finding.where}
    return told


def exit_code(findings: Iterable[Finding]) -> ExitCode:
    """The code of the worst of them."""
    states = {finding.state for finding in findings}
    if State.BROKEN in states:
        return ExitCode.DEVICE
    return ExitCode.NEEDS_A_PERSON if State.LOOK in states else ExitCode.DONE
