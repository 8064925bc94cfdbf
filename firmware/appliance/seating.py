"""Who plays: names in seat order; those that were given before are offered first."""

from collections.abc import Iterator
from dataclasses import replace

from firmware.appliance.menus import Item, item
from firmware.appliance.modes import Seating
from firmware.appliance.moves import Turn, back, change, game_of, go, then, to
from firmware.appliance.spelling import begin
from firmware.appliance.state import State
from firmware.screens.words import MenuWord
from hardware.buttons import Button


def items(state: State, mode: Seating) -> tuple[Item, ...]:
    """What there is to choose for the next seat; never nothing."""
    return tuple(_items(state, mode))


def has_room(state: State, mode: Seating) -> bool:
    """Whether there is another seat."""
    return len(mode.names) < game_of(state).seats


def _items(state: State, mode: Seating) -> Iterator[Item]:
    last = state.settings.players
    if last and not mode.names:
        yield item(MenuWord.AS_LAST_TIME, back, str(sum(map(bool, last))))
    if has_room(state, mode):
        for name in dict.fromkeys([*state.choices.names, *last]):
            if name and name not in mode.names:
                yield item(name, to(Seating((*mode.names, name))))
    if mode.names:
        yield item(MenuWord.THAT_IS_ALL, lambda state: _done(state, mode.names))
        yield item(MenuWord.ONE_BACK, to(Seating(mode.names[:-1])))
    else:
        yield item(MenuWord.NO_NAMES, lambda state: _done(state, ()))


def _done(state: State, names: tuple[str, ...]) -> Turn:
    return then(change(state, players=names), back)


def pressed(state: State, mode: Seating, button: Button) -> Turn:
    """NEXT marks the next entry, OK chooses the marked one, SCAN writes a new name."""
    entries = items(state, mode)
    if button is Button.OK:
        return entries[mode.selected].choose(state)
    if button is Button.NEXT:
        return go(state, replace(mode, selected=(mode.selected + 1) % len(entries)))
    return go(state, begin(replace(mode, selected=0))) if has_room(state, mode) else (state, ())
