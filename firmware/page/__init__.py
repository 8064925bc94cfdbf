"""Page for phones: the latest sheet with its photo, to look at and to correct.

``server`` serves it, ``app`` has its addresses, ``api`` those for programs; ``security`` and
``access`` keep strangers out, ``connections`` and ``event_streams`` limit each client. It reads the
state that ``firmware.appliance.page_channel`` publishes, and sends it commands of the appliance's
features. See docs/page.md.
"""
