"""Work that must not be done twice at the same time: one piece after the other."""

from collections import deque
from collections.abc import Callable
from typing import Any

from firmware.appliance.runner.crew import Crew, Outcome, Task, Then


class InTurn:
    """Does pieces of work in the order in which they come, one at a time.

    Args:
        crew: does the work.
        name: of the work, for messages and threads.
        tidy: done beside the loop after each piece.
    """

    def __init__(self, crew: Crew, name: str, tidy: Callable[[], None] | None = None) -> None:
        self._crew = crew
        self._name = name
        self._tidy = tidy
        self._waiting: deque[tuple[Callable[[], Any], Then]] = deque()
        self._task: Task | None = None
        self._since_s = 0.0

    def begin(self, work: Callable[[], Any], then: Then) -> None:
        """Do this after all that was begun before.

        Args:
            work: what to do; its exceptions become the outcome.
            then: called on the loop's thread with what came of it.
        """
        self._waiting.append((work, then))
        self._next()

    def give_up(self) -> None:
        """Wait for nothing any longer, and begin nothing more of what was asked for."""
        self._waiting.clear()
        if self._task is not None:
            self._crew.give_up(self._task)

    @property
    def is_idle(self) -> bool:
        """Whether all is done."""
        return self._task is None and not self._waiting

    def lasts_s(self) -> float:
        """How long the present piece of work has lasted; 0: there is none."""
        return 0.0 if self._task is None else self._crew.now_s() - self._since_s

    def _next(self) -> None:
        if self._task is not None or not self._waiting:
            return
        work, then = self._waiting.popleft()
        self._since_s = self._crew.now_s()

        def done(outcome: Outcome) -> None:
            self._task = None
            try:
                then(outcome)
            finally:
                if self._tidy is not None:
                    self._crew.begin(f"{self._name}, tidying up", self._tidy)
                self._next()

        self._task = self._crew.begin(self._name, work, then=done)
