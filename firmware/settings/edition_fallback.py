"""Fallback to the built-in edition where the one in the settings cannot be used."""

from dataclasses import replace

from firmware.base.problem import Problem, Reportable
from firmware.settings.defaults import Settings
from firmware.settings.file import setting_location
from firmware.settings.rules import as_toml, make_consistent
from vision.editions.edition import STANDARD_EDITION
from vision.editions.folder import built_in_games
from vision.errors import VisionError
from vision.message import Message


def with_built_in_edition(settings: Settings, error: Reportable) -> tuple[Settings, Problem]:
    """Fall back to the built-in edition: another one is missing, damaged or of another game.

    Args:
        settings: Settings with the edition that cannot be used.
        error: Reason for that.

    Returns:
        Settings with the built-in edition of the game, or of the default game if it has none; and
        the warning ``setting-edition``.
    """
    after = replace(settings, edition=STANDARD_EDITION)
    replacement = Message(as_toml(STANDARD_EDITION))
    if settings.game not in built_in_games():
        after = make_consistent(replace(after, game=Settings().game))
        replacement = Message("{edition} of {game}", edition=replacement, game=as_toml(after.game))
    why: str = Problem.of(error).message
    if isinstance(error, VisionError):
        why = Message("{why}, in {file}: or set another edition", why=why, file=error.where)
    message = Message(
        "{edition} cannot be used, {replacement} is used instead; {why}",
        edition=as_toml(settings.edition),
        replacement=replacement,
        why=why,
    )
    return after, Problem("setting-edition", message, setting_location("edition"))
