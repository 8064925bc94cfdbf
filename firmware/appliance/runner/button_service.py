"""Poll the buttons, and open them again after a failure."""

import logging
from collections.abc import Callable
from typing import Final

from firmware.appliance.inputs import ButtonPressed
from hardware.buttons import Buttons
from hardware.errors import ButtonsError
from hardware.timeouts import BackOff

POLL_EVERY_S: Final = 0.04
"""Interval of polling in seconds. The driver keeps the time of each edge; a longer interval delays
only the answer to a press."""

_log: Final = logging.getLogger(__name__)


class ButtonService:
    """Buttons as events of the machine; all methods belong to the loop's thread.

    Args:
        open_buttons: Function that takes the lines of the buttons.
        poll_every_s: Interval of polling in seconds; infinity where presses wake the loop.

    Attributes:
        problem: Error because of which there are no buttons; None if they work.
    """

    def __init__(
        self, open_buttons: Callable[[], Buttons], *, poll_every_s: float = POLL_EVERY_S
    ) -> None:
        self._open_buttons = open_buttons
        self._poll_every_s = poll_every_s
        self._buttons: Buttons | None = None
        self._back_off = BackOff()
        self.problem: ButtonsError | None = None

    def poll(self, now_s: float) -> list[ButtonPressed]:
        """Return the presses since the last call, oldest first."""
        try:
            buttons = self._open_if_due(now_s)
            if buttons is None:
                return []
            actions = buttons.poll(now_s)
            self._back_off, self.problem = BackOff(), None
        except ButtonsError as error:
            self._handle_failure(error, now_s)
            return []
        return [ButtonPressed(each.button, each.kind, each.at_s, each.repeats) for each in actions]

    def next_due_s(self, now_s: float) -> float:
        """Return the latest time of the next call of ``poll``, in monotonic seconds."""
        if self._buttons is None:
            return self._back_off.next_try_s
        return now_s + self._poll_every_s

    def close(self) -> None:
        """Release the lines."""
        if self._buttons is not None:
            self._buttons.close()
        self._buttons = None
        self._back_off = BackOff(next_try_s=float("inf"))

    def _open_if_due(self, now_s: float) -> Buttons | None:
        if self._buttons is None and self._back_off.is_due(now_s):
            self._buttons = self._open_buttons()
        return self._buttons

    def _handle_failure(self, error: ButtonsError, now_s: float) -> None:
        if self.problem is None or self.problem.code != error.code:
            _log.error("%s: %s (%s)", error.code, error.message, error.where)
            self.problem = error
        self._back_off = self._back_off.after_failure(now_s)
        buttons, self._buttons = self._buttons, None
        if buttons is not None:
            buttons.close()
