"""Options shared by several commands, with defaults from the settings."""

import argparse
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from firmware.base.errors import UsageError, as_typed, shorten
from firmware.base.language import N_, _
from firmware.games.game import Game
from firmware.games.registry import games
from firmware.games.scoring_options import STANDARD_VARIANT, ScoringOptions
from firmware.settings import Settings
from firmware.settings.file import setting_location
from firmware.wording.problem_text import print_problem
from scoring.games import GAMES, find_rules
from vision.editions.description import READING_ONLY
from vision.editions.edition import STANDARD_EDITION, Edition
from vision.errors import VisionError

_MAX_DIGITS: Final = 12
"""Most digits of a number, without leading zeros."""


def parse_whole_number(text: str, low: int, high: int, refusal: str) -> int:
    """Parse a whole number within limits; any other text is refused by the message ``refusal``."""
    number = read_digits(text)
    if number is None or not low <= number <= high:
        raise argparse.ArgumentTypeError(refusal)
    return number


def parse_integer(text: str) -> int:
    """Parse a whole number; its limits are checked later."""
    try:
        return int(text)
    except ValueError as error:
        refusal = _("{text} is no whole number").format(text=repr(shorten(text)))
        raise argparse.ArgumentTypeError(refusal) from error


def read_digits(text: str) -> int | None:
    """Return a number written in digits alone; None for any other text, or a huge number."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for game, edition and calibration."""
    parser.add_argument(
        "--game",
        metavar=_("GAME"),
        help=_(
            "the game on the table: {games} (default: that of the edition, or of the settings)"
        ).format(games=", ".join((*GAMES, READING_ONLY))),
    )
    parser.add_argument(
        "--level",
        metavar="N",
        type=parse_integer,
        help=_("level of the game, if it has levels (default: that of the settings)"),
    )
    parser.add_argument(
        "--variant",
        metavar=_("VARIANT"),
        help=_("variant of the game, if it has variants (default: that of the settings)"),
    )
    parser.add_argument(
        "--edition",
        metavar=_("NAME"),
        help=_("edition of the tiles and the board (default: that of the settings)"),
    )
    parser.add_argument(
        "--no-calibration",
        dest="calibrated",
        action="store_false",
        help=_("without the calibration, for photos of another camera"),
    )


def fill_in_defaults(options: argparse.Namespace) -> ScoringOptions:
    """Fill in game, variant, level and edition where no option names them, and check all of them.

    An edition without a game stands for the edition's game. A game other than that of the settings
    gets the default variant, level and edition, as those of the settings belong to their game.
    """
    settings: Settings = options.settings
    if options.game is None and options.edition not in (None, STANDARD_EDITION):
        from firmware.teaching.user_editions import edition_game

        options.game = edition_game(options.edition)
    if options.game not in (None, settings.game):
        settings = replace(Settings(), game=options.game)
    elif settings.game in games() and settings.variant not in games()[settings.game].rules.VARIANTS:
        settings = replace(settings, variant=STANDARD_VARIANT)
    options.names_game = options.game is not None
    options.names_edition = options.edition is not None
    for name in ("game", "variant", "level", "edition"):
        if getattr(options, name) is None:
            setattr(options, name, getattr(settings, name))
    game, level, variant = options.game, options.level, options.variant
    _check_game(game)
    is_scored = game != READING_ONLY
    levels = find_rules(game).LEVELS if is_scored else (1,)
    variants = find_rules(game).VARIANTS if is_scored else (STANDARD_VARIANT,)
    listed = N_("{game} has the levels {known}: name one of them")
    none = N_("{game} has no levels: leave out --level")
    _check_choice("unknown-level", f"--level {level}", level, levels, game, listed, none)
    listed = N_("{game} has the variants {known}: name one of them")
    none = N_("{game} has no variants: leave out --variant")
    where = as_typed("--variant", variant)
    _check_choice("unknown-variant", where, variant, variants, game, listed, none)
    return ScoringOptions(level=level, variant=variant)


def load_chosen_edition(options: argparse.Namespace) -> Edition:
    """Load the edition that ``fill_in_defaults`` has chosen, without its pictures.

    If the edition of the settings cannot be used, print a warning and take the built-in one of the
    game, or of the default game if that has none and no option names the game.

    Raises:
        UsageError: As ``load_edition``.
        DescriptionError: As ``load_edition``.
    """
    from firmware.teaching.user_editions import load_edition

    name, game = options.edition, options.game
    is_from_settings = not options.names_edition and name != STANDARD_EDITION
    where = setting_location("edition") if is_from_settings else "--edition"
    try:
        return load_edition(name, game, where=where, pictured=False)
    except (UsageError, VisionError) as error:
        if not is_from_settings:
            raise
        from firmware.settings.edition_fallback import with_built_in_edition

        fallback, warning = with_built_in_edition(Settings(game=game, edition=name), error)
        if options.names_game and fallback.game != game:
            raise
    options.game, options.edition = fallback.game, fallback.edition
    if not (options.json or getattr(options, "jsonl", False)):
        print_problem(warning)
    return load_edition(fallback.edition, fallback.game, pictured=False)


def _check_game(game: str) -> None:
    if game not in (*games(), READING_ONLY):
        raise UsageError(
            "unknown-game",
            N_(
                "there are no rules for {game}: known are {known}, and {reading_only} for editions "
                "without rules"
            ),
            "--game",
            game=game,
            known=", ".join(games()),
            reading_only=READING_ONLY,
        )


def _check_choice(
    code: str,
    where: str,
    given: object,
    known: Collection[object],
    game: str,
    listed: str,
    none: str,
) -> None:
    """Refuse a level or variant that a game does not have.

    The reason is ``listed``, which lists those known, or ``none`` if there is a single one.
    """
    if given not in known:
        reason = listed if len(known) > 1 else none
        raise UsageError(code, reason, where, game=game, known=", ".join(map(str, known)))


def add_edition_options(parser: argparse.ArgumentParser, default_game: str | None = None) -> None:
    """Add the options for the tiles of simulated or judged tables, independent of the settings.

    Args:
        parser: Parser of the command.
        default_game: Words of the help for the game without either option; None to name that of
            new settings.
    """
    parser.add_argument(
        "--game",
        metavar=_("GAME"),
        help=_("the game on the tables (default: that of the edition, or {game})").format(
            game=default_game or Settings().game
        ),
    )
    parser.add_argument(
        "--edition",
        metavar=_("NAME"),
        help=_("edition of the tiles and the board (default: the built-in one of the game)"),
    )


def load_named_edition(options: argparse.Namespace, *, pictured: bool = True) -> Edition:
    """Load the edition that the options of ``add_edition_options`` name."""
    from firmware.teaching.user_editions import edition_game, load_edition

    game, name = options.game, options.edition
    if game is None:
        is_own = name not in (None, STANDARD_EDITION)
        game = edition_game(name) if is_own else Settings().game
    _check_game(game)
    return load_edition(name, game, pictured=pictured)


def check_not_alone(option: str, given: object, needed: str, given_needed: object) -> None:
    """Refuse an option that does nothing without another one.

    Args:
        option: Name of the option.
        given: Value of the option; false if it is not given.
        needed: Name of the other one, or of several.
        given_needed: Value of the other one; false if it is not given.

    Raises:
        UsageError: ``usage``.
    """
    if given and not given_needed:
        raise UsageError(
            "usage",
            "{option} does nothing without {needed}: give both, or leave it out",
            option,
            option=option,
            needed=needed,
        )


def check_better(options: argparse.Namespace, game: Game) -> None:
    """Refuse ``--better`` for a game without an estimate of better scores.

    Raises:
        UsageError: ``usage``.
    """
    if options.better and not game.has_best_arrangements:
        raise UsageError(
            "usage",
            "of {game} it is not known what the tiles could have scored: leave out --better",
            "--better",
            game=game.name,
        )


def added_by_better(options: argparse.Namespace, game: Game | None, table: Any) -> dict[str, Any]:
    """Return what ``--better`` adds to a sheet as JSON."""
    if not options.better or game is None or table is None:
        return {}
    return {"better": game.better_json(table)}


def add_output_options(parser: argparse.ArgumentParser, *, lines: str = "") -> None:
    """Add the options for JSON and reasons; ``lines`` is the help of ``--jsonl``, if any."""
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help=_("print the sheet as JSON"))
    if lines:
        output.add_argument("--jsonl", action="store_true", help=lines)
    parser.add_argument(
        "--better", action="store_true", help=_("also say what the tiles could have scored")
    )
    parser.add_argument("--reasons", action="store_true", help=_("print why each point is given"))
