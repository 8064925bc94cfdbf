"""Power the computer off."""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from firmware.appliance.base import Event
from firmware.appliance.features.power import ShutDownFailed
from firmware.appliance.problems import SHUT_DOWN_FAILED
from firmware.appliance.runner.tasks import TaskResult, TaskRunner

POWER_OFF: Final = ("systemctl", "--no-ask-password", "poweroff")
_LIMIT_S: Final = 30.0


def power_off(
    tasks: TaskRunner, report: Callable[[Event], None], command: Sequence[str] = POWER_OFF
) -> None:
    """Ask the system to power off, which then ends this program in order.

    Args:
        tasks: Runner of the command.
        report: Receiver of the event of a failure.
        command: Command that powers off.
    """

    def run() -> None:
        subprocess.run(  # noqa: S603 - a fixed command
            tuple(command), capture_output=True, text=True, timeout=_LIMIT_S, check=True
        )

    def report_failure(result: TaskResult) -> None:
        if result.error is not None:
            reason = str(getattr(result.error, "stderr", None) or result.error)
            report(ShutDownFailed(replace(SHUT_DOWN_FAILED, where=" ".join(reason.split())[:200])))

    tasks.start("power off", run, on_result=report_failure, limit_s=_LIMIT_S)
