"""Options of the command line that were left out are taken from the settings."""

import argparse
from dataclasses import replace
from typing import Final

from firmware.errors import Diagnostic
from firmware.settings.file import load_settings
from firmware.settings.model import STANDARD_EDITION, Settings
from scoring.games import between_two_cities

_WITH_GAME: Final = ("scan", "read")
"""The commands that read photos."""


def fill_in(options: argparse.Namespace) -> tuple[Diagnostic, ...]:
    """Fill in language, game, variant, level and edition where they are None.

    Who names an edition and no game means the game of the edition. Who names another game than
    that of the settings gets the defaults of variant, level and edition: those of the settings
    were chosen for their own game.

    Args:
        options: as parsed; changed in place.

    Returns:
        What cannot be used in the settings.

    Raises:
        UsageError: nobody knows the edition.
        DescriptionError: the edition is damaged.
    """
    settings, warnings = load_settings(keep_damaged=True)
    if getattr(options, "lang", None) is None:
        options.lang = settings.language
    if options.command in _WITH_GAME:
        _fill_in_game(options, settings)
    return warnings


def _fill_in_game(options: argparse.Namespace, settings: Settings) -> None:
    if options.game is None and options.edition not in (None, STANDARD_EDITION):
        # Imported here: only who names an edition needs what reads one
        from firmware.board_editions import edition_game

        options.game = edition_game(options.edition)
    if options.game not in (None, settings.game):
        settings = replace(Settings(), game=options.game)
    elif settings.game != between_two_cities.NAME:  # no other game has variants
        settings = replace(settings, variant=Settings().variant)
    for name in ("game", "variant", "level", "edition"):
        if getattr(options, name) is None:
            setattr(options, name, getattr(settings, name))
