"""Inputs of the machine: buttons, commands and the clock. Times are monotonic seconds."""

from dataclasses import dataclass, replace

from firmware.appliance.base import Command, Event, RefuseCommand, StepResult
from firmware.appliance.camera_recovery import recover_camera
from firmware.appliance.display_transitions import dim_display, wake_display
from firmware.appliance.state import State
from firmware.appliance.transitions import continue_with, go_home
from hardware.buttons import Button, PressKind


@dataclass(frozen=True, slots=True)
class Tick(Event):
    """Time has passed; comes at least once a second.

    Attributes:
        now_s: Monotonic seconds.
    """

    now_s: float

    def apply(self, state: State) -> StepResult:
        return advance_clock(state, self.now_s)


@dataclass(frozen=True, slots=True)
class ButtonPressed(Event):
    """A button was pressed: briefly, for long, or it repeats while it is held.

    A short press comes when the button is released, a long one after ``LONG_PRESS_S``.

    Attributes:
        button: Button that was pressed.
        kind: ``short``, ``repeat`` or ``long``.
        now_s: Monotonic seconds.
        repeats: Number of repeats since the button went down, this one included.
    """

    button: Button
    kind: PressKind
    now_s: float
    repeats: int = 0

    def apply(self, state: State) -> StepResult:
        so_far = continue_with(advance_clock(state, self.now_s), wake_display)
        return continue_with(so_far, self._press)

    def _press(self, state: State) -> StepResult:
        """Pass the press to the mode.

        In modes in which a held button repeats, pass each repeat and ignore the release that
        follows.
        """
        mode = state.mode
        if not mode.takes_buttons:
            return state, ()
        if self.kind == "repeat":
            acts = (mode.repeats_left(state, self.button) or 0) > 0
        else:
            has_repeated_here = self.repeats and mode.repeats_left(state, self.button) is not None
            acts = not has_repeated_here
        if not acts:
            return state, ()
        # Where a button repeats, as in a list, a long press comes after repeats and does nothing
        return self._long_press(state) if self.kind == "long" else mode.press(state, self.button)

    def _long_press(self, state: State) -> StepResult:
        """SCAN opens the menu, NEXT leads to *ready*, OK asks whether to switch off."""
        match self.button:
            case Button.SCAN:
                return state.standard_modes.open_menu(state)
            case Button.NEXT:
                return go_home(state)
            case Button.OK:
                return state.standard_modes.ask_to_shut_down(state)


@dataclass(frozen=True, slots=True, eq=False)
class CommandReceived(Event):
    """Someone sent a command from the web page or the API.

    Attributes:
        command: Command to carry out if that disturbs nobody at the buttons.
        now_s: Monotonic seconds.
    """

    command: Command
    now_s: float

    def apply(self, state: State) -> StepResult:
        return continue_with(advance_clock(state, self.now_s), wake_display, self._run)

    def _run(self, state: State) -> StepResult:
        """Run the command; one that changes the mode does not lead back to the menu."""
        if not self.command.is_allowed(state):
            return state, (RefuseCommand(self.command, "busy"),)
        after, effects = self.command.run(state)
        return (after if after.mode is state.mode else replace(after, menu=None)), effects


def advance_clock(state: State, now_s: float) -> StepResult:
    """Set the clock, which never goes back, and do everything that is due."""
    state = replace(state, now_s=max(state.now_s, now_s))
    return continue_with(
        (state, ()), lambda state: state.mode.handle_tick(state), recover_camera, dim_display
    )
