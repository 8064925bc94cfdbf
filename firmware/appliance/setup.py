"""What the wizards have in common."""

from firmware.appliance.calibrating import with_problem
from firmware.appliance.faults import Fault
from firmware.appliance.modes import Calibrating, Teaching
from firmware.appliance.moves import Turn, go
from firmware.appliance.state import State
from firmware.appliance.teaching import not_learned


def give_up(state: State, mode: Calibrating | Teaching, fault: Fault) -> Turn:
    """Give up the job of a wizard; the step can be tried again."""
    again = with_problem(mode, fault) if isinstance(mode, Calibrating) else not_learned(mode, fault)
    return go(state, again)
