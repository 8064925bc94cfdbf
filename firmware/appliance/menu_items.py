"""What stands in each menu, and what choosing it does.

An entry with more behind it opens a menu below; one that sets something goes back up.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from firmware.appliance import preferences
from firmware.appliance.correcting import grid_items, place_items, result_items, row_items
from firmware.appliance.effects import Restart
from firmware.appliance.events import GameChoice
from firmware.appliance.menu import Choose, Item, below, item, word
from firmware.appliance.modes import Asking, Calibrating, InMenu, MenuKind, Teaching, Telling
from firmware.appliance.moves import Turn, go, home, open_camera, switch_off, up
from firmware.appliance.spelling import begin
from firmware.appliance.state import State
from firmware.language import Phrase
from firmware.screens.views import MenuWord, Notice, Question
from firmware.settings.model import STANDARD_EDITION

CONTRASTS: Final = (26, 77, 128, 207, 255)
"""Of the display, from 0 to 255: what the eye takes for even steps, the usual one among them."""


def items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """The entries of the menu that is shown; never none."""
    return _ITEMS[mode.levels[-1].kind](state, mode)


def title(mode: InMenu) -> MenuWord | str:
    """The title of the menu that is shown."""
    level = mode.levels[-1]
    return level.subject if level.kind is MenuKind.TEACH_HOW else _TITLES[level.kind]


def _main(state: State, mode: InMenu) -> tuple[Item, ...]:
    settings, game = state.settings, _game(state)
    found = list(result_items(state, mode))
    if game.seats:
        named = sum(map(bool, settings.players))
        value = str(named) if named else MenuWord.NONE
        found.append(item(MenuWord.PLAYERS, below(mode, MenuKind.PLAYERS), value))
    if len(state.choices.games) > 1 or game.name != settings.game:
        found.append(
            item(MenuWord.GAME, below(mode, MenuKind.GAME), game_title(state, settings.game))
        )
    if len(game.variants) > 1:
        chosen = word(settings.variant)
        found.append(item(MenuWord.VARIANT, below(mode, MenuKind.VARIANT), chosen))
    if len(game.levels) > 1:
        found.append(item(MenuWord.LEVEL, below(mode, MenuKind.LEVEL), str(settings.level)))
    edition = _edition_word(settings.edition)
    calibrate = (
        below(mode, MenuKind.CALIBRATE)
        if state.calibrated
        else partial(go, mode=Calibrating(table_only=False))
    )
    if state.safe_mode:
        found.append(item(MenuWord.START_NORMALLY, _restart))
    if game.editions:
        found.append(item(MenuWord.EDITION, below(mode, MenuKind.EDITION), edition))
    if game.teachable:
        found.append(item(MenuWord.TEACH, below(mode, MenuKind.TEACH)))
    return (
        *found,
        item(MenuWord.CALIBRATE, calibrate),
        item(MenuWord.SETTINGS, below(mode, MenuKind.SETTINGS)),
        item(MenuWord.SHUT_DOWN, switch_off),
    )


def _game(state: State) -> GameChoice:
    """What there is to choose from in the game that is set."""
    return state.choices.game(state.settings.game) or state.choices.games[0]


def game_title(state: State, name: str) -> Phrase | str:
    """What a game is called on the display; one that cannot be scanned by its identifier."""
    game = state.choices.game(name)
    return name if game is None else Phrase(game.title)


def _edition_word(name: str) -> MenuWord | str:
    return MenuWord.STANDARD_EDITION if name == STANDARD_EDITION else name


def _safe(_state: State, mode: InMenu) -> tuple[Item, ...]:
    return (
        item(MenuWord.START_NORMALLY, _restart),
        item(MenuWord.GO_ON, _go_on),
        item(MenuWord.RESET_SETTINGS, _ask(Question.RESET_SETTINGS, mode)),
        item(MenuWord.SHUT_DOWN, switch_off),
    )


def _restart(state: State) -> Turn:
    state, effects = home(state)
    return state, (*effects, Restart())


def _go_on(state: State) -> Turn:
    """Be ready, with the defaults."""
    state, effects = home(state)
    state, more = open_camera(state)
    return state, (*effects, *more)


def _games(state: State, mode: InMenu) -> tuple[Item, ...]:
    return tuple(_game_item(state, mode, game) for game in state.choices.games)


def _game_item(state: State, mode: InMenu, game: GameChoice) -> Item:
    """Another game may not have the variant, the level and the edition that are set."""
    now = state.settings
    fits = now.edition in game.editions or not game.editions
    changes = {
        "game": game.name,
        "variant": now.variant if now.variant in game.variants else game.variants[0],
        "level": now.level if now.level in game.levels else game.levels[0],
        "edition": now.edition if fits else game.editions[0],
    }

    def choose(state: State) -> Turn:
        is_other = state.settings.game != game.name
        # Another game lies on the table from now on
        state = replace(state, same_table=state.same_table and not is_other)
        if fits or not is_other:
            return _set(mode, **changes)(state)
        state, effects = preferences.change(state, **changes)
        is_standard = changes["edition"] == STANDARD_EDITION
        notice = Notice.STANDARD_EDITION if is_standard else Notice.OTHER_EDITION
        state, more = go(state, Telling(notice))
        return state, (*effects, *more)

    return item(game_title(state, game.name), choose, ticked=now.game == game.name)


def _variants(state: State, mode: InMenu) -> tuple[Item, ...]:
    variants = _game(state).variants
    return tuple(_choice(state, mode, word(name), "variant", name) for name in variants)


def _levels(state: State, mode: InMenu) -> tuple[Item, ...]:
    return tuple(
        _choice(state, mode, word(f"level-{level}"), "level", level)
        for level in _game(state).levels
    )


def _editions(state: State, mode: InMenu) -> tuple[Item, ...]:
    return tuple(
        _choice(state, mode, _edition_word(name), "edition", name) for name in _game(state).editions
    )


def _languages(state: State, mode: InMenu) -> tuple[Item, ...]:
    languages = state.choices.languages
    return tuple(_choice(state, mode, word(name), "language", name) for name in languages)


def _choice(
    state: State, mode: InMenu, label: MenuWord | str, setting: str, value: str | int
) -> Item:
    """An entry that gives a setting a value."""
    ticked = getattr(state.settings, setting) == value
    return item(label, _set(mode, **{setting: value}), ticked=ticked)


def _set(mode: InMenu, **changes: Any) -> Choose:
    def choose(state: State) -> Turn:
        state, effects = preferences.change(state, **changes)
        state, more = up(state, mode)
        return state, (*effects, *more)

    return choose


def _settings(state: State, mode: InMenu) -> tuple[Item, ...]:
    display = state.settings.display
    turn = partial(preferences.change_display, upside_down=not display.upside_down)
    return (
        item(MenuWord.LANGUAGE, below(mode, MenuKind.LANGUAGE), word(state.settings.language)),
        item(MenuWord.CONTRAST, below(mode, MenuKind.CONTRAST), _percent(display.contrast)),
        item(MenuWord.UPSIDE_DOWN, turn, MenuWord.YES if display.upside_down else MenuWord.NO),
        item(MenuWord.RESET_SETTINGS, _ask(Question.RESET_SETTINGS, mode)),
    )


def _contrasts(state: State, _mode: InMenu) -> tuple[Item, ...]:
    return tuple(
        item(
            _percent(contrast),
            partial(preferences.change_display, contrast=contrast),
            ticked=state.settings.display.contrast == contrast,
        )
        for contrast in CONTRASTS
    )


def _percent(contrast: int) -> str:
    return f"{round(contrast / 2.55)} %"


def _players(state: State, mode: InMenu) -> tuple[Item, ...]:
    names = state.settings.players
    seats = range(_game(state).seats)
    given = [names[seat] if seat < len(names) else "" for seat in seats]
    found = [
        item(str(seat + 1), partial(go, mode=begin(mode, seat, name)), name or MenuWord.NONE)
        for seat, name in zip(seats, given, strict=True)
    ]
    if any(names):
        found.append(item(MenuWord.CLEAR_NAMES, _ask(Question.CLEAR_NAMES, mode)))
    return tuple(found)


def _calibrate(_state: State, _mode: InMenu) -> tuple[Item, ...]:
    return (
        item(MenuWord.TABLE_ONLY, partial(go, mode=Calibrating(table_only=True))),
        item(MenuWord.LENS_AND_TABLE, partial(go, mode=Calibrating(table_only=False))),
    )


def _teach(state: State, mode: InMenu) -> tuple[Item, ...]:
    return (
        item(MenuWord.NEW_EDITION, partial(go, mode=begin(mode, None))),
        *(item(name, below(mode, MenuKind.TEACH_HOW, name)) for name in _game(state).editions[1:]),
    )


def _teach_how(_state: State, mode: InMenu) -> tuple[Item, ...]:
    name = mode.levels[-1].subject
    return (
        item(MenuWord.ADD_EXAMPLES, partial(go, mode=Teaching(name, add=True))),
        item(MenuWord.LEARN_ANEW, _ask(Question.REPLACE_EDITION, mode)),
    )


def _ask(question: Question, mode: InMenu) -> Choose:
    return partial(go, mode=Asking(question, mode))


_ITEMS: Final[Mapping[MenuKind, Callable[[State, InMenu], tuple[Item, ...]]]] = {
    MenuKind.MAIN: _main,
    MenuKind.SAFE: _safe,
    MenuKind.GAME: _games,
    MenuKind.VARIANT: _variants,
    MenuKind.LEVEL: _levels,
    MenuKind.EDITION: _editions,
    MenuKind.PLAYERS: _players,
    MenuKind.SETTINGS: _settings,
    MenuKind.LANGUAGE: _languages,
    MenuKind.CONTRAST: _contrasts,
    MenuKind.CALIBRATE: _calibrate,
    MenuKind.TEACH: _teach,
    MenuKind.TEACH_HOW: _teach_how,
    MenuKind.CORRECT_GRID: grid_items,
    MenuKind.CORRECT_ROW: row_items,
    MenuKind.CORRECT_PLACE: place_items,
}

_TITLES: Final[Mapping[MenuKind, MenuWord]] = {
    MenuKind.MAIN: MenuWord.MENU,
    MenuKind.SAFE: MenuWord.SAFE_MODE,
    MenuKind.GAME: MenuWord.GAME,
    MenuKind.VARIANT: MenuWord.VARIANT,
    MenuKind.LEVEL: MenuWord.LEVEL,
    MenuKind.EDITION: MenuWord.EDITION,
    MenuKind.PLAYERS: MenuWord.PLAYERS,
    MenuKind.SETTINGS: MenuWord.SETTINGS,
    MenuKind.LANGUAGE: MenuWord.LANGUAGE,
    MenuKind.CONTRAST: MenuWord.CONTRAST,
    MenuKind.CALIBRATE: MenuWord.CALIBRATE,
    MenuKind.TEACH: MenuWord.TEACH,
    MenuKind.CORRECT_GRID: MenuWord.CORRECT_TILE,
    MenuKind.CORRECT_ROW: MenuWord.CORRECT_TILE,
    MenuKind.CORRECT_PLACE: MenuWord.CORRECT_TILE,
}
