"""Editions that can be scanned with, and the one in use, kept in memory."""

from collections.abc import Callable, Hashable

from firmware.appliance.base import Event
from firmware.appliance.choices import GameChoice
from firmware.appliance.features.game_choice import EditionsChanged
from firmware.appliance.runner.tasks import SerialQueue, TaskResult
from firmware.games.registry import game_or_unscored, games
from firmware.games.scoring_options import STANDARD_VARIANT
from firmware.settings.file import setting_location
from firmware.teaching.user_editions import edition_stamp, load_edition, stored_names
from vision.editions.description import READING_ONLY
from vision.editions.edition import STANDARD_EDITION, Edition
from vision.editions.folder import built_in_games


def game_choices() -> tuple[GameChoice, ...]:
    """Return the games that can be scanned; reading only if there is an edition for it."""
    found = [
        GameChoice(
            name=name,
            title=game.title,
            variants=tuple(game.rules.VARIANTS),
            levels=tuple(game.rules.LEVELS),
            named_seats=game.named_seats,
            editions=(
                *((STANDARD_EDITION,) if name in built_in_games() else ()),
                *stored_names(name),
            ),
            taught_on_device=game.taught_on_device,
        )
        for name, game in games().items()
    ]
    without_rules = tuple(stored_names(READING_ONLY))
    if without_rules:
        found.append(
            GameChoice(
                READING_ONLY,
                game_or_unscored(READING_ONLY).title,
                (STANDARD_VARIANT,),
                (1,),
                editions=without_rules,
            )
        )
    return tuple(choice for choice in found if choice.editions)


def list_editions(queue: SerialQueue, report: Callable[[Event], None]) -> None:
    """Look in a queue which editions there are, and report ``EditionsChanged``."""

    def report_choices(result: TaskResult) -> None:
        if result.error is None:
            report(EditionsChanged(result.value))

    queue.add(game_choices, report_choices)


class EditionInUse:
    """Cache of the edition that was used last; one that was taught since is loaded again."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, Edition] | None = None

    def load(self, name: str, game: str) -> Edition:
        """Return an edition; see ``firmware.teaching.user_editions.load_edition``."""
        source = name, game, edition_stamp(name)
        if self._kept is None or self._kept[0] != source:
            self._kept = None  # an exception must not leave the old one
            where = setting_location("edition")
            self._kept = source, load_edition(name, game, where, pictured=False)
        return self._kept[1]
