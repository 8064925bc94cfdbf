"""Replacement of an edition of the settings that cannot be used by the built-in one."""

from dataclasses import replace

from firmware.base.problem import Problem, Reportable
from firmware.settings.file import setting_location
from firmware.settings.model import STANDARD_EDITION, Settings
from firmware.settings.rules import as_toml, consistent
from vision.editions.folder import built_in_games
from vision.errors import VisionError
from vision.message import Message


def without_edition(settings: Settings, error: Reportable) -> tuple[Settings, Problem]:
    """Replace an edition that is missing, damaged or of another game.

    Args:
        settings: Settings with this edition.
        error: Reason why it cannot be used.

    Returns:
        Settings with the built-in edition of the game, or of the default game if it has none; and
        the warning ``setting-edition``.
    """
    after = replace(settings, edition=STANDARD_EDITION)
    replacement = Message(as_toml(STANDARD_EDITION))
    if settings.game not in built_in_games():
        after = consistent(replace(after, game=Settings().game))
        replacement = Message("{edition} of {game}", edition=replacement, game=as_toml(after.game))
    why: str = Problem.of(error).message
    if isinstance(error, VisionError):
        why = Message("{why}, in {file}: or set another edition", why=why, file=error.where)
    message = Message(
        "{edition} cannot be used, so it is {replacement}; {why}",
        edition=as_toml(settings.edition),
        replacement=replacement,
        why=why,
    )
    return after, Problem("setting-edition", message, setting_location("edition"))
