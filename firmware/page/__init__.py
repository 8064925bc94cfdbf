"""Page for phones: the latest sheet with its photo, to look at and to correct.

``server`` serves it, ``app`` has its addresses, ``api`` those for programs; ``security`` and
``access`` keep strangers out, ``connections`` and ``event_streams`` limit each client. It knows the
appliance by ``firmware.appliance.link`` alone. See docs/page.md.
"""
