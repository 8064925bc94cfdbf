"""The appliance: camera, three buttons and a display, from power on to power off.

Everything it decides is one pure function, ``step(state, event) -> (state, effects)`` in
``machine``. Each screen with its events, commands and effects is one module of ``features``; the
modules beside it have what several share. ``runner`` carries the effects out. ``docs/appliance.md``
describes what it does, ``docs/appliance-code.md`` how.
"""
