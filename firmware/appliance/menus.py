"""What stands in each menu, and what choosing it does.

An entry with more behind it opens a menu below; one that sets something goes back up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from firmware.appliance import picking
from firmware.appliance.effects import Log, Restart, SwitchHotspot
from firmware.appliance.events import GameChoice, HotspotChanged
from firmware.appliance.modes import (
    EVENING,
    FIRST_START,
    Asking,
    Calibrating,
    Failed,
    Grouping,
    InHotspot,
    InMenu,
    MenuKind,
    MenuLevel,
    OnPhone,
    Teaching,
    Telling,
)
from firmware.appliance.moves import (
    Move,
    Turn,
    aim,
    ask,
    back,
    change,
    game_of,
    go,
    has_players,
    home,
    open_camera,
    switch_off,
    then,
    to,
)
from firmware.appliance.past import count, leaf_back
from firmware.appliance.result import Result
from firmware.appliance.scanning import check, new_game, show_last, undo_lesson, update_game
from firmware.appliance.spelling import begin
from firmware.appliance.state import State
from firmware.base.language import Phrase
from firmware.screens.views import MenuEntry, MenuLabel
from firmware.screens.words import PERCENT, MenuWord, Notice, Question
from firmware.settings import Settings
from firmware.settings.model import STANDARD_EDITION
from hardware.buttons import Button

CONTRASTS: Final = (26, 77, 128, 207, 255)
"""Of the display, from 0 to 255: what the eye takes for even steps, the usual one among them."""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a menu.

    Attributes:
        entry: what is shown.
        choose: what OK does.
    """

    entry: MenuEntry
    choose: Move


def item(
    label: MenuLabel, choose: Move, value: MenuLabel | None = None, *, ticked: bool = False
) -> Item:
    """An entry, what it shows at its right end, and whether it is the one in use."""
    return Item(MenuEntry(label=label, value=value, ticked=ticked), choose)


def open_menu(state: State) -> Turn:
    """Open the main menu."""
    return go(replace(state, steps=()), InMenu((MenuLevel(MenuKind.MAIN),)))


def pressed(state: State, mode: InMenu, button: Button) -> Turn:
    """NEXT marks the next entry, OK chooses the marked one, SCAN goes back."""
    level = mode.levels[-1]
    entries = items(state, mode)
    if button is Button.SCAN:
        return _up(state, mode)
    if button is Button.OK:
        return entries[marked(level, entries)].choose(state)
    following = replace(level, selected=(marked(level, entries) + 1) % len(entries))
    return go(state, InMenu((*mode.levels[:-1], following)))


def steps_left(state: State, mode: InMenu) -> int:
    """How far holding NEXT leads."""
    entries = items(state, mode)
    return len(entries) - 1 - marked(mode.levels[-1], entries)


def marked(level: MenuLevel, entries: Sequence[Item]) -> int:
    """Index of the marked entry: at first that of the choice in use."""
    if level.selected is not None:
        return min(level.selected, len(entries) - 1)
    return next((number for number, each in enumerate(entries) if each.entry.ticked), 0)


def items(state: State, mode: InMenu) -> tuple[Item, ...]:
    """The entries of the menu that is shown; never none."""
    return tuple(_MENUS[mode.levels[-1].kind][1](state, mode))


def title(mode: InMenu) -> MenuWord | str:
    """The title of the menu that is shown; for what is done with an edition its name."""
    level = mode.levels[-1]
    return _MENUS[level.kind][0] or level.subject


def game_title(state: State, name: str) -> Phrase | str:
    """What a game is called on the display; one that cannot be scanned by its identifier."""
    game = state.choices.game(name)
    return name if game is None else Phrase(game.title)


def _up(state: State, mode: InMenu) -> Turn:
    """To the menu before, or out of the menus."""
    return go(state, InMenu(mode.levels[:-1])) if len(mode.levels) > 1 else back(state)


def _below(mode: InMenu, kind: MenuKind, subject: str = "") -> Move:
    """Opens another menu, from which one comes back to this one."""
    return to(InMenu((*mode.levels, MenuLevel(kind, subject=subject))))


def _ask(question: Question, mode: InMenu) -> Move:
    return to(Asking(question, mode))


def word(name: str) -> MenuWord | str:
    """The word for an identifier; one without a word is shown as it is."""
    return MenuWord.__members__.get(name.upper().replace("-", "_"), name)


def _edition_word(name: str) -> MenuWord | str:
    return MenuWord.STANDARD_EDITION if name == STANDARD_EDITION else name


def _percent(contrast: int) -> Phrase:
    return PERCENT.fill(n=round(contrast / 2.55))


def _main(state: State, mode: InMenu) -> Iterator[Item]:
    settings, game = state.settings, game_of(state)
    if state.result is not None:
        yield from _result_items(state, state.result)
    yield item(MenuWord.HISTORY, leaf_back)
    yield item(MenuWord.STATISTICS, count)
    if has_players(state):
        yield item(MenuWord.WHO_PLAYS, partial(ask, steps=EVENING))
    if len(state.choices.games) > 1 or game.name != settings.game:
        yield item(MenuWord.GAME, _below(mode, MenuKind.GAME), game_title(state, settings.game))
    if state.safe_mode:
        yield item(MenuWord.START_NORMALLY, _restart)
    if game.editions:
        chosen = _edition_word(settings.edition)
        yield item(MenuWord.EDITION, _below(mode, MenuKind.EDITION), chosen)
    if game.teachable:
        yield item(MenuWord.TEACH, _below(mode, MenuKind.TEACH))
    yield item(MenuWord.ON_PHONE, show_page)
    yield item(MenuWord.AIM, aim)
    whole = to(Calibrating(table_only=False))
    yield item(MenuWord.CALIBRATE, _below(mode, MenuKind.CALIBRATE) if state.calibrated else whole)
    yield item(MenuWord.SETTINGS, _below(mode, MenuKind.SETTINGS))
    yield item(MenuWord.SHUT_DOWN, switch_off)


def show_page(state: State) -> Turn:
    """Show where a phone finds the page, which is served from now on."""
    return then(go(state, OnPhone()), partial(change, page=replace(state.settings.page, on=True)))


def on_phone_pressed(state: State, _mode: OnPhone, button: Button) -> Turn:
    """OK leaves; NEXT no longer serves the page; SCAN leads to the scanner's own network."""
    if button is Button.NEXT:
        off = replace(state.settings.page, on=False)
        return then(change(state, page=off), back)
    if button is Button.SCAN:
        there_is_one = state.hotspot is not None
        return go(state, InHotspot() if there_is_one else Asking(Question.HOTSPOT, OnPhone()))
    return back(state)


def make_hotspot(state: State) -> Turn:
    """Make a network of the scanner's own, and show how it is joined."""
    return then(go(state, InHotspot()), lambda state: (state, (SwitchHotspot(on=True),)))


def hotspot_pressed(state: State, _mode: InHotspot, button: Button) -> Turn:
    """OK shows where the page is; NEXT ends the network."""
    if button is Button.NEXT:
        return replace(state, mode=OnPhone()), (SwitchHotspot(on=False),)
    return go(state, OnPhone()) if button is Button.OK else (state, ())


def hotspot_changed(state: State, event: HotspotChanged) -> Turn:
    """There is a network, or none; of what went wrong is told whoever waits, all is as before."""
    mode = state.mode
    if event.fault is None:
        has_ended = isinstance(mode, InHotspot) and event.network is None
        return replace(state, hotspot=event.network, mode=OnPhone() if has_ended else mode), ()
    waits = isinstance(mode, InHotspot | OnPhone)
    failed = Failed(event.fault, scans=False) if waits else mode
    return replace(state, mode=failed), (Log(event.fault),)


def _result_items(state: State, result: Result) -> Iterator[Item]:
    if state.same_table and result.earlier is not None:
        yield item(MenuWord.NEW_GAME, new_game)
    if state.same_table and result.perhaps is not None:
        yield item(MenuWord.SAME_GAME, update_game)
    if result.questions:
        yield item(MenuWord.CHECK_TILES, check, str(result.questions))
    if result.checked.reading.grids:
        yield item(MenuWord.CORRECT_TILE, picking.begin)
    if not state.same_table:
        yield item(MenuWord.LAST_RESULT, show_last)


def _safe(_state: State, mode: InMenu) -> Iterable[Item]:
    return (
        item(MenuWord.START_NORMALLY, _restart),
        item(MenuWord.GO_ON, lambda state: then(home(state), open_camera)),
        item(MenuWord.RESET_SETTINGS, _ask(Question.RESET_SETTINGS, mode)),
        item(MenuWord.SHUT_DOWN, switch_off),
    )


def _restart(state: State) -> Turn:
    return then(home(state), lambda state: (state, (Restart(),)))


def _games(state: State, mode: InMenu) -> Iterable[Item]:
    return (_game_item(state, mode, game) for game in state.choices.games)


def _game_item(state: State, mode: InMenu, game: GameChoice) -> Item:
    """Another game may not have the variant, the level and the edition that are set."""
    now = state.settings
    changes = game_changes(now, game)

    def choose(state: State) -> Turn:
        is_other = state.settings.game != game.name
        # Another game lies on the table from now on
        same_table, evening = state.same_table and not is_other, state.evening or is_other
        state = replace(state, same_table=same_table, evening=evening)
        if changes["edition"] == now.edition or not is_other:
            return _set(mode, **changes)(state)
        is_standard = changes["edition"] == STANDARD_EDITION
        notice = Notice.STANDARD_EDITION if is_standard else Notice.OTHER_EDITION
        return then(change(state, **changes), to(Telling(notice)))

    return item(game_title(state, game.name), choose, ticked=now.game == game.name)


def game_changes(now: Settings, game: GameChoice) -> dict[str, Any]:
    """The settings for another game, with what it has of those that are set."""
    fits = now.edition in game.editions or not game.editions
    return {
        "game": game.name,
        "variant": now.variant if now.variant in game.variants else game.variants[0],
        "level": now.level if now.level in game.levels else game.levels[0],
        "edition": now.edition if fits else game.editions[0],
    }


def _variants(state: State, mode: InMenu) -> Iterable[Item]:
    return (_choice(state, mode, word(name), variant=name) for name in game_of(state).variants)


def _levels(state: State, mode: InMenu) -> Iterable[Item]:
    levels = game_of(state).levels
    return (_choice(state, mode, word(f"level-{level}"), level=level) for level in levels)


def _editions(state: State, mode: InMenu) -> Iterable[Item]:
    editions = game_of(state).editions
    return (_choice(state, mode, _edition_word(name), edition=name) for name in editions)


def _languages(state: State, mode: InMenu) -> Iterable[Item]:
    languages = state.choices.languages
    return (_choice(state, mode, word(name), language=name) for name in languages)


def _choice(state: State, mode: InMenu, label: MenuWord | str, **setting: str | int) -> Item:
    """An entry that gives a setting a value."""
    [(name, value)] = setting.items()
    return item(label, _set(mode, **setting), ticked=getattr(state.settings, name) == value)


def _set(mode: InMenu, **changes: Any) -> Move:
    return lambda state: then(change(state, **changes), partial(_up, mode=mode))


def _settings(state: State, mode: InMenu) -> Iterable[Item]:
    display = state.settings.display
    turned = replace(display, upside_down=not display.upside_down)
    turn = partial(change, display=turned)
    return (
        item(MenuWord.LANGUAGE, _below(mode, MenuKind.LANGUAGE), word(state.settings.language)),
        item(MenuWord.CONTRAST, _below(mode, MenuKind.CONTRAST), _percent(display.contrast)),
        item(MenuWord.UPSIDE_DOWN, turn, MenuWord.YES if display.upside_down else MenuWord.NO),
        item(MenuWord.DELETE_PHOTOS, _ask(Question.DELETE_PHOTOS, mode)),
        item(MenuWord.SET_UP, partial(ask, steps=FIRST_START)),
        item(MenuWord.RESET_SETTINGS, _ask(Question.RESET_SETTINGS, mode)),
        item(MenuWord.DEVICE, _below(mode, MenuKind.DEVICE)),
    )


def _device(state: State, mode: InMenu) -> Iterable[Item]:
    """How the scanner is; choosing leads back."""
    up = partial(_up, mode=mode)
    facts = (
        (MenuWord.CAMERA_WORKS, state.camera.fault is None),
        (MenuWord.CALIBRATED, state.calibrated),
        (MenuWord.TIME_KNOWN, state.clock_known),
    )
    for label, holds in facts:
        yield item(label, up, MenuWord.YES if holds else MenuWord.NO)
    yield item(MenuWord.VERSION, up, state.version)


def _contrasts(state: State, _mode: InMenu) -> Iterator[Item]:
    display = state.settings.display
    for contrast in CONTRASTS:
        choose = partial(change, display=replace(display, contrast=contrast))
        yield item(_percent(contrast), choose, ticked=display.contrast == contrast)


def _calibrate(_state: State, _mode: InMenu) -> Iterable[Item]:
    return (
        item(MenuWord.TABLE_ONLY, to(Calibrating(table_only=True))),
        item(MenuWord.LENS_AND_TABLE, to(Calibrating(table_only=False))),
    )


def _teach(state: State, mode: InMenu) -> Iterator[Item]:
    yield item(MenuWord.NEW_EDITION, to(begin(mode)))
    yield item(MenuWord.FROM_TABLE, to(Grouping(state.choices.next_edition)))
    for name in game_of(state).editions[1:]:
        yield item(name, _below(mode, MenuKind.TEACH_HOW, name))


def _teach_how(_state: State, mode: InMenu) -> Iterable[Item]:
    name = mode.levels[-1].subject
    return (
        item(MenuWord.ADD_EXAMPLES, to(Teaching(name, add=True))),
        item(MenuWord.UNDO_LESSON, partial(undo_lesson, edition=name)),
        item(MenuWord.LEARN_ANEW, _ask(Question.REPLACE_EDITION, mode)),
    )


_MENUS: Final[
    Mapping[MenuKind, tuple[MenuWord | None, Callable[[State, InMenu], Iterable[Item]]]]
] = {
    MenuKind.MAIN: (MenuWord.MENU, _main),
    MenuKind.SAFE: (MenuWord.SAFE_MODE, _safe),
    MenuKind.GAME: (MenuWord.GAME, _games),
    MenuKind.VARIANT: (MenuWord.VARIANT, _variants),
    MenuKind.LEVEL: (MenuWord.LEVEL, _levels),
    MenuKind.EDITION: (MenuWord.EDITION, _editions),
    MenuKind.SETTINGS: (MenuWord.SETTINGS, _settings),
    MenuKind.LANGUAGE: (MenuWord.LANGUAGE, _languages),
    MenuKind.CONTRAST: (MenuWord.CONTRAST, _contrasts),
    MenuKind.DEVICE: (MenuWord.DEVICE, _device),
    MenuKind.CALIBRATE: (MenuWord.CALIBRATE, _calibrate),
    MenuKind.TEACH: (MenuWord.TEACH, _teach),
    MenuKind.TEACH_HOW: (None, _teach_how),
}
"""The title of each menu, and what stands in it."""
