"""The appliance: camera, three buttons and a display, from power on to power off.

All that it decides is one pure function, ``step(state, event) -> (state, effects)``. Events tell
what happened (``events``), effects name what is to be done (``effects``), and a state is an
immutable value (``state``). Whoever runs the machine does the effects and reports what became of
them; docs/appliance.md shows the whole of it.
"""
