"""Work that may take long or never end, done beside the loop; and how the loop waits.

Every piece of work runs in a thread of its own. What it gives comes back on the thread of the loop,
so that nothing else is ever shared between threads. Work that exceeds its time is given up: whoever
waits is told so, and what it may still give later goes to somebody who tidies up.
"""

import os
import queue
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from firmware.appliance.faults import Fault, fault_of
from firmware.base.errors import FirmwareError, wrap_unforeseen
from hardware.errors import HardwareError
from scoring.errors import ScoringError
from vision.errors import Message, VisionError

_MANY: Final = 4096
_CLOSED: Final = -1


class Doorbell:
    """A bell made of a pipe, so that waiting for it costs nothing."""

    def __init__(self) -> None:
        self._listen, self._push = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def ring(self) -> None:
        """Wake the loop."""
        with suppress(OSError):  # full: it has been rung already
            os.write(self._push, b".")

    def wait(self, timeout_s: float, files: Sequence[int] = ()) -> None:
        """Wait until it rings, one of the files can be read, or the time is over."""
        try:
            ready, _w, _x = select.select([self._listen, *files], [], [], max(0.0, timeout_s))
        except (OSError, ValueError):  # a terminal that has gone
            ready, _w, _x = select.select([self._listen], [], [], max(0.0, timeout_s))
        if self._listen in ready:
            with suppress(OSError):
                os.read(self._listen, _MANY)

    def close(self) -> None:
        """Free the pipe; who rings it after that is not heard."""
        listen, push = self._listen, self._push
        self._listen = self._push = _CLOSED
        os.close(listen)
        os.close(push)


class OverdueError(Exception):
    """Work did not end in its time; it may still be running."""

    def __init__(self, name: str, limit_s: float) -> None:
        super().__init__(f"{name} did not end within {limit_s:g} s")
        self.name = name
        self.limit_s = limit_s


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a piece of work: a value, or why there is none."""

    value: Any = None
    error: Exception | None = None


Then = Callable[[Outcome], None]


Launch = Callable[[str, Callable[[], None]], None]
"""Begins a piece of work of that name, and returns at once; ``in_thread`` is the real one."""


def in_thread(name: str, work: Callable[[], None]) -> None:
    """Run work in a thread of its own, which does not keep the program from ending."""
    threading.Thread(target=work, name=name, daemon=True).start()


@dataclass(slots=True, eq=False)
class Task:
    """A piece of work that was begun.

    Attributes:
        name: for messages.
        then: gets the outcome.
        late: gets the outcome of work that was given up before.
        limit_s: how long it may take; None: as long as it likes.
        until_s: monotonic seconds at which it is given up.
        given_up: nobody waits for it any more.
    """

    name: str
    then: Then
    late: Then
    limit_s: float | None
    until_s: float
    given_up: bool = False


_NEVER: Final = float("inf")


def nothing(_outcome: Outcome) -> None:
    """Nobody waits for it."""


@dataclass(slots=True)
class Crew:
    """Begins work and hands back what came of it; all methods belong to the thread of the loop.

    Args:
        ring: wakes the loop because something is ready to be handed back; from any thread.
        now_s: gives monotonic seconds, for the limits of time.
        launch: what runs the work.
    """

    ring: Callable[[], None]
    now_s: Callable[[], float] = time.monotonic
    launch: Launch = in_thread
    _tasks: list[Task] = field(default_factory=list)
    _calls: "queue.SimpleQueue[Callable[[], None]]" = field(default_factory=queue.SimpleQueue)

    def begin(
        self,
        name: str,
        work: Callable[[], Any],
        *,
        then: Then = nothing,
        limit_s: float | None = None,
        late: Then = nothing,
    ) -> Task:
        """Begin a piece of work.

        Args:
            name: for messages and the thread.
            work: what to do; its exceptions become the outcome.
            then: called by ``turn`` with what came of it, or with an ``OverdueError``.
            limit_s: after so many seconds it is given up; None: never.
            late: called by ``turn`` with what came of it after it was given up.
        """
        until_s = _NEVER if limit_s is None else self.now_s() + limit_s
        task = Task(name, then, late, limit_s, until_s)
        self._tasks.append(task)

        def run() -> None:
            try:
                outcome = Outcome(work())
            except Exception as error:  # noqa: BLE001 - whatever happens, the loop must hear of it
                outcome = Outcome(error=error)
            self.call(lambda: self._hand_back(task, outcome))

        try:
            self.launch(name, run)
        except RuntimeError as error:  # no more threads can be started
            failure = Outcome(error=error)
            self.call(lambda: self._hand_back(task, failure))
        return task

    def call(self, what: Callable[[], None]) -> None:
        """Have something done by the next ``turn``; the only method that any thread may call."""
        self._calls.put(what)
        self.ring()

    def give_up(self, task: Task) -> None:
        """Wait for a task no longer; ``late`` gets what may still come of it."""
        task.given_up = True
        task.until_s = _NEVER

    def turn(self) -> None:
        """Hand back what is ready, and give up what has exceeded its time."""
        for _count in range(self._calls.qsize()):
            self._calls.get_nowait()()
        for task in tuple(self._tasks):
            if self.now_s() >= task.until_s:
                self.give_up(task)
                task.then(Outcome(error=OverdueError(task.name, task.limit_s or 0.0)))

    def _hand_back(self, task: Task, outcome: Outcome) -> None:
        self._tasks.remove(task)
        (task.late if task.given_up else task.then)(outcome)

    def next_limit_s(self) -> float:
        """When ``turn`` has to be called at the latest; infinity: whenever the bell rings."""
        return min((task.until_s for task in self._tasks), default=_NEVER)

    def running(self, name: str) -> bool:
        """Whether such work is still running, even if it was given up."""
        return any(task.name == name for task in self._tasks)

    @property
    def idle(self) -> bool:
        """Whether nothing runs that somebody waits for."""
        return all(task.given_up for task in self._tasks)

    @property
    def is_free(self) -> bool:
        """Whether nothing runs at all, not even what was given up."""
        return not self._tasks


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


def told(error: Exception) -> Fault:
    """What to show for an exception; one that nobody foresaw says so."""
    if isinstance(error, FirmwareError | VisionError | ScoringError | HardwareError):
        return fault_of(error)
    if isinstance(error, MemoryError):
        return Fault("out-of-memory", Message("there is not enough memory: restart the scanner"))
    if isinstance(error, OverdueError):
        return Fault("too-slow", Message("{name} takes too long: try again", name=error.name))
    return fault_of(wrap_unforeseen(error))
