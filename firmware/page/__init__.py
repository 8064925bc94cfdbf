"""The page for phones: the latest sheet with its photo, to be looked at and put right.

``link`` is what it has in common with the appliance, ``server`` serves it, ``app`` has its
addresses, ``past`` those of past games, ``api`` those for programs; ``guard`` and ``access`` keep
strangers out. Only ``link`` and ``listening`` are imported where the page is not served. See
docs/page.md.
"""
