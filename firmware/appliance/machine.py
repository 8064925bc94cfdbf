"""State machine of the appliance: ``step(state, event) -> (state, effects)``.

Pure function: it uses no clock, device or stored data, so equal input gives equal output as long as
the language of the process stays the same. It reads files of the program itself at their first use,
such as the eye's network, by which a rescan compares pictures of tiles. Values are cached only in
results, such as their views, and in scans, such as their doubts. The machine knows no feature:
modes, events and commands bring their own behaviour (``base``).
"""

from dataclasses import replace

from firmware.appliance.base import Event, JobEvent, StepResult
from firmware.appliance.display_transitions import refresh_display, signal_progress
from firmware.appliance.inputs import ButtonPressed
from firmware.appliance.state import State
from firmware.appliance.transitions import continue_with


def step(state: State, event: Event) -> StepResult:
    """Handle one event.

    Args:
        state: State before the event.
        event: Event to handle.

    Returns:
        The new state, and the effects to carry out in this order. ``Show`` is among them only if
        the display changes, after all other effects but signals.
    """
    applied = event.apply(state)
    after, effects = continue_with(applied, lambda applied_state: _deliver(applied_state, event))
    if after.menu is not None and after.mode.forgets_menu:
        after = replace(after, menu=None)
    if after.mode.job_id != state.mode.job_id:
        after = replace(after, last_use_s=after.now_s)
    after, shown = refresh_display(state, after)
    # No signal after a press: it may have cancelled the job, which did not finish
    signals = () if isinstance(event, ButtonPressed) else signal_progress(state, after)
    return after, (*effects, *shown, *signals)


def _deliver(state: State, event: Event) -> StepResult:
    """Hand a job's event to the mode that waits for it; a cancelled job changes nothing."""
    if not isinstance(event, JobEvent) or event.job_id != state.mode.job_id:
        return state, ()
    return state.mode.receive(state, event)
