"""Turns the parts of the appliance by hand, with a clock that is moved and no waiting."""

import threading

from firmware.appliance.events import CameraBack, Choices, GameChoice, Started
from firmware.appliance.runner.crew import Crew
from firmware.appliance.state import State
from firmware.appliance.step import step
from firmware.screens.render import render
from firmware.settings import Settings
from tests.firmware.screen_looks import speaking
from tests.hardware.impatience import LONG_S


class HandClock:
    """Monotonic seconds that are moved by hand; also the clock of drivers."""

    def __init__(self, now_s=0.0):
        self.time_s = now_s

    def now_s(self):
        return self.time_s

    __call__ = now_s


class Knock:
    """A bell that a test can wait for."""

    def __init__(self):
        self._rung = threading.Event()
        self.ring = self._rung.set

    def wait(self):
        assert self._rung.wait(LONG_S)
        self._rung.clear()


def prompt_crew(clock):
    """A crew that does everything where it is begun, so that nothing runs beside the test."""
    return Crew(lambda: None, clock, lambda _name, work: work())


def ready_machine(now_s=0.0):
    """The machine after its start, with everything in order."""
    game = GameChoice(
        "between-two-cities", "Between Two Cities", ("standard", "two-player"), (1,), 7
    )
    choices = Choices((game,), ("en", "de", "hu"))
    state = State(Settings(language="en"), choices, now_s=now_s)
    return after(state, Started(), CameraBack())[0]


def after(state, *events):
    """The machine after these events, and all effects of them."""
    effects = []
    for event in events:
        state, more = step(state, event)
        effects += more
    return state, effects


def words_on(show):
    """All that the display says for an effect that shows something."""
    with speaking(show.language):
        return " ".join(text.shown for text in render(show.view).texts)


def of_kind(effects, kind):
    """The effects of one kind."""
    return [effect for effect in effects if isinstance(effect, kind)]
