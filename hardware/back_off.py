"""When to try again what has failed: soon at first, then ever more rarely."""

from dataclasses import dataclass, replace
from typing import Final

FIRST_S: Final = 1.0
LONGEST_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class BackOff:
    """How often something has failed, and when it may be tried again.

    Attributes:
        failures: in a row.
        next_try_s: monotonic seconds before which it is not tried.
    """

    failures: int = 0
    next_try_s: float = float("-inf")

    def due(self, now_s: float) -> bool:
        """Whether it may be tried."""
        return now_s >= self.next_try_s

    def after_failure(self, now_s: float) -> "BackOff":
        """One more failure: wait 1, 2, 4, … seconds, at most a minute."""
        doublings = min(self.failures, 10)  # enough for any limit, and never a huge number
        wait_s = min(FIRST_S * 2.0**doublings, LONGEST_S)
        return replace(self, failures=self.failures + 1, next_try_s=now_s + wait_s)
