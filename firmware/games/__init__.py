"""Games with their words, views and tables, a package each.

A package of a game has ``GAME``, an instance of a subclass of ``firmware.games.game.Game``, and the
modules ``json_forms``, ``text`` (terminal), ``views`` (display), ``words`` and ``printables``
(printing). ``firmware.games.registry`` finds the packages. The rules of a game are the module of
the same name in ``scoring.games``. The modules beside the packages hold what all games share, such
as ``scan``, ``doubts`` and ``text_layout``.
"""
