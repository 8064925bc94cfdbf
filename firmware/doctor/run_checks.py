"""Run the checks of all parts in order; the results as lines or as JSON."""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from typing import Final

from firmware.base.language import N_, _
from firmware.base.problem import Problem
from firmware.base.terminal import Json
from firmware.doctor.check_results import (
    CheckContext,
    CheckResult,
    CheckResults,
    Devices,
    PartState,
    Service,
)
from firmware.doctor.device_checks import (
    check_buttons,
    check_camera,
    check_display,
    check_signals,
)
from firmware.doctor.system_checks import (
    check_calibration,
    check_computer,
    check_disk,
    check_editions,
    check_service,
    check_settings,
)
from firmware.settings import load_settings
from firmware.wording.problem_text import problem_line, translate
from hardware.errors import HardwareError

PARTS: Final[dict[str, tuple[str, Callable[[CheckContext], CheckResults]]]] = {
    "service": (N_("Service"), check_service),
    "settings": (N_("Settings"), check_settings),
    "camera": (N_("Camera"), check_camera),
    "display": (N_("Display"), check_display),
    "buttons": (N_("Buttons"), check_buttons),
    "signals": (N_("Buzzer and lamp"), check_signals),
    "disk": (N_("Disk"), check_disk),
    "computer": (N_("Computer"), check_computer),
    "calibration": (N_("Calibration"), check_calibration),
    "editions": (N_("Editions"), check_editions),
}
"""Name for people and check of each part, in order; a check may raise ``HardwareError``."""

EXCLUSIVE_PARTS: Final = frozenset({"camera", "display", "buttons", "signals"})
"""Parts that only one program can use, and that the running scanner holds."""

_PARTS_BESIDE_APPLIANCE: Final = ("settings", "disk", "computer", "calibration", "editions")

_SENTENCES: Final = {
    PartState.FINE: N_("{part}: fine. {found}"),
    PartState.UNUSED: N_("{part}: not used. {found}"),
    PartState.LOOK: N_("{part}: please look! {found}"),
    PartState.BROKEN: N_("{part}: BROKEN! {found}"),
}


def run_checks(
    context: CheckContext, parts: Collection[str]
) -> Iterator[tuple[str, list[CheckResult]]]:
    """Check parts one after another; yield each part and its results."""
    for part in parts:
        _name, check = PARTS[part]
        try:
            results = list(check(context))
        except HardwareError as error:
            results = [CheckResult(PartState.BROKEN, Problem.of(error))]
        yield part, results


def lines_beside_appliance() -> list[tuple[PartState, str]]:
    """Check all but devices and service, which the appliance uses; return the lines."""
    settings, warnings = load_settings()
    with ExitStack() as close_at_end:
        context = CheckContext(Devices(), settings, warnings, False, close_at_end, Service())  # noqa: FBT003
        return [
            (result.state, check_result_line(part, result))
            for part, results in run_checks(context, _PARTS_BESIDE_APPLIANCE)
            for result in results
        ]


def check_result_line(part: str, result: CheckResult) -> str:
    """Return a result of a check as one line."""
    name, _check = PARTS[part]
    found = result.found if isinstance(result.found, str) else problem_line(result.found)
    return _(_SENTENCES[result.state]).format(part=_(name), found=found)


def check_result_json(part: str, result: CheckResult) -> Json:
    """Return a result of a check as JSON."""
    found = result.found
    fields: Json = {"part": part, "state": result.state.value, "message": translate(found)}
    return fields | ({} if isinstance(found, str) else {"code": found.code, "where": found.where})
