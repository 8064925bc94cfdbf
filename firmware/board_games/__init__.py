"""Photos of the games that are known by pictures: read, checked by their rules, scored.

``firmware.board_games.scan`` is the whole way from a reading to a sheet; each game with rules has
a module here that makes a table of a reading.
"""
