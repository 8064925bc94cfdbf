"""Readiness of the whole appliance: one line that says whether it would score a game tonight."""

import http.client
import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.base.language import _
from firmware.doctor.check_results import CheckResult, PartState

APPLIANCE_LIMIT_S: Final = 5.0
"""Longest wait for an answer of the running scanner."""

_REPLACED_BY_PHONE: Final = frozenset({"camera", "display", "buttons"})
"""Parts that a phone replaces: it takes photos, shows results and has a button to scan."""
_NEEDED: Final = frozenset({"camera", "display"})
"""Parts without which there is nothing to scan or nothing to see, even if the settings say so."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """Verdict on all parts together.

    Attributes:
        state: ``FINE``, ``LOOK`` if it would score but something should be looked at, ``BROKEN``.
        message: One line in the language of the user.
    """

    state: PartState
    message: str


class ScannerSilentError(Exception):
    """The running scanner does not answer."""


def problem_of_running_scanner(programs_path: Path) -> str | None:
    """Ask the running scanner for its fault, at its socket for programs.

    Returns:
        Fault in the language of the scanner; None if it reports none.

    Raises:
        ScannerSilentError: There is no answer.
    """
    connection = http.client.HTTPConnection("localhost", timeout=APPLIANCE_LIMIT_S)
    with closing(connection), closing(socket.socket(socket.AF_UNIX)) as line:
        line.settimeout(APPLIANCE_LIMIT_S)
        try:
            line.connect(str(programs_path))
            connection.sock = line
            connection.request("GET", "/api/v1/status")
            fault: str | None = json.load(connection.getresponse())["fault"]
        except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
            raise ScannerSilentError from error
    return fault


def readiness_of_running(programs_path: Path) -> Readiness:
    """Return the readiness of a scanner that holds its devices, as it reports itself."""
    try:
        fault = problem_of_running_scanner(programs_path)
    except ScannerSilentError:
        text = _(
            "Tonight: not known, the running scanner does not answer: sudo systemctl restart "
            "stadtblick"
        )
        return Readiness(PartState.LOOK, text)
    if fault:
        text = _("Tonight: please look! The running scanner reports: {fault}")
        return Readiness(PartState.LOOK, text.format(fault=fault))
    return Readiness(PartState.FINE, _("Tonight: ready. The running scanner reports no problem."))


def readiness_of_parts(
    results: Mapping[str, Sequence[CheckResult]],
    names: Mapping[str, str],
    *,
    page_is_on: bool,
) -> Readiness:
    """Return the readiness that follows from the results of all checks.

    Args:
        results: Results of the checks by part.
        names: Name of each part for people.
        page_is_on: True if phones can open the page, which replaces camera, display and buttons.
    """
    states = {part: {result.state for result in found} for part, found in results.items()}
    missing = [
        part
        for part, found in states.items()
        if PartState.BROKEN in found or (part in _NEEDED and PartState.UNUSED in found)
    ]
    if missing:
        listed = ", ".join(names[part] for part in missing)
        if page_is_on and _REPLACED_BY_PHONE.issuperset(missing):
            text = _("Tonight: ready with your phone alone. Not working or not there: {parts}")
            return Readiness(PartState.LOOK, text.format(parts=listed))
        text = _("Tonight: NOT READY! Put right first: {parts}")
        return Readiness(PartState.BROKEN, text.format(parts=listed))
    doubtful = [names[part] for part, found in states.items() if PartState.LOOK in found]
    if doubtful:
        text = _("Tonight: ready, but please look at: {parts}")
        return Readiness(PartState.LOOK, text.format(parts=", ".join(doubtful)))
    return Readiness(PartState.FINE, _("Tonight: ready. Lay out a finished game and press SCAN."))
