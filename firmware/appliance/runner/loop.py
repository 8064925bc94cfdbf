"""The loop: it owns the clock, feeds the machine with events and has its effects done.

A turn never waits for anything. Between two turns the loop sleeps until something is due, or until
a button, a signal or finished work wakes it.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from firmware.appliance.events import ClockChanged, Event, HealthChanged, Tick
from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.crew import Crew, Outcome
from firmware.appliance.runner.performer import Performer
from firmware.appliance.runner.power import ServiceManager
from firmware.appliance.state import State, first_state
from firmware.appliance.step import step
from firmware.history import wall_time
from hardware.errors import ButtonsError
from hardware.health import HealthSource

TICK_EVERY_S: Final = 0.5
LOOK_AFTER_HEALTH_EVERY_S: Final = 10.0
SOUND_AFTER_S: Final = 20.0
"""A program that has run for so long has started well."""

_NEVER: Final = float("inf")
_HEALTH: Final = "health"


class Appliance:
    """The machine with all that it works with.

    Args:
        events: what the machine has not heard of yet; all that works for it adds to them.
        crew: does what takes long.
        buttons: the three buttons.
        performer: does the effects.
        health: says how the computer is.
        service: is told that the loop turns.
        when_sound: called once, when the program has run for ``SOUND_AFTER_S``.
    """

    def __init__(
        self,
        events: deque[Event],
        crew: Crew,
        buttons: ButtonDesk,
        performer: Performer,
        health: HealthSource,
        service: ServiceManager,
        when_sound: Callable[[], None] = lambda: None,
    ) -> None:
        self._crew = crew
        self._buttons = buttons
        self.performer = performer
        self._health = health
        self._service = service
        self._when_sound = when_sound
        self._events = events
        self._told: ButtonsError | None = None
        self._health_is: tuple[HealthChanged, ClockChanged] | None = None
        self._next_tick_s = self._next_health_s = -_NEVER
        self._sound_s = crew.now_s() + SOUND_AFTER_S
        self.state: State = first_state()

    def turn(self) -> None:
        """Do all that is due, once; takes as long as drawing a screen or two."""
        self._crew.turn()
        now_s = self._crew.now_s()
        self._listen(now_s)
        if now_s >= self._next_tick_s:
            self._next_tick_s = now_s + TICK_EVERY_S
            self._events.append(Tick(now_s))
        if now_s >= self._next_health_s:
            self._next_health_s = now_s + LOOK_AFTER_HEALTH_EVERY_S
            if not self._crew.running(_HEALTH):
                self._crew.begin(_HEALTH, self._examine, then=self._examined)
        if now_s >= self._sound_s:
            self._sound_s = _NEVER
            self._crew.begin("start completed", self._when_sound)
        self._hear()
        self.performer.front.turn(now_s)
        if not self.performer.stuck:
            self._service.alive(now_s)

    def next_turn_s(self) -> float:
        """When the next turn has to be at the latest, in monotonic seconds."""
        return min(
            self._crew.next_limit_s(),
            self._buttons.next_turn_s(self._crew.now_s()),
            self._next_tick_s,
            self.performer.front.next_turn_s(),
        )

    def close(self) -> None:
        """Let go of all devices, in the background; ``is_closed`` says when that is done."""
        self._buttons.close()
        self.performer.close()

    @property
    def is_closed(self) -> bool:
        """Whether nothing is left to wait for; work that was given up is not."""
        return self._crew.idle

    def _listen(self, now_s: float) -> None:
        self._events.extend(self._buttons.presses(now_s))
        problem = self._buttons.problem
        if problem is not self._told:
            self._told = problem
            self.performer.front.hinder(problem)

    def _hear(self) -> None:
        """Let the machine hear all events, and begin what it wants done."""
        while self._events:
            self.state, effects = step(self.state, self._events.popleft())
            for effect in effects:
                self.performer.perform(effect)

    def _examine(self) -> tuple[HealthChanged, ClockChanged]:
        health = self._health.read()
        suffers = HealthChanged(
            under_voltage=health.under_voltage,
            too_hot=health.too_hot,
            throttled=health.throttled,
        )
        return suffers, ClockChanged(wall_time().known)

    def _examined(self, outcome: Outcome) -> None:
        if outcome.error is None and outcome.value != self._health_is:
            self._health_is = outcome.value
            self._events.extend(outcome.value)
