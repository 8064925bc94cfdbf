"""Leafing through a result, and going through what is not sure about it."""

from dataclasses import replace
from typing import Final

from firmware.appliance.any_result import (
    AnyResult,
    offered_for,
    with_answer,
    with_score,
)
from firmware.appliance.modes import Checking, SharingOut, Viewing
from firmware.appliance.moves import Turn, go, home, keep, scan
from firmware.appliance.pages import result_pages
from firmware.appliance.result import OWNER_OPTIONS, Result
from firmware.appliance.state import State
from firmware.board_games.spots import Spot
from firmware.screens.views import ReadView, SidesWinnerView, WinnerView
from hardware.buttons import Button
from scoring.faces import Place

FIRST_PAGES: Final = (WinnerView, SidesWinnerView, ReadView)
"""What a result begins with, after what has changed since the scan before."""


def show_last(state: State) -> Turn:
    """The last result again; what is not sure about it is offered again."""
    if state.result is None:
        return home(state)
    result = replace(state.result, looked=False)
    return go(replace(state, result=result, same_table=True), Viewing())


def viewing_pressed(state: State, mode: Viewing, button: Button) -> Turn:
    """NEXT turns the page, OK looks at what is not sure or leaves, SCAN scans again."""
    result = state.result
    if result is None:
        return home(state)
    if button is Button.SCAN:
        return scan(state)
    pages = result_pages(result)
    ask = result.questions > 0 and not result.looked
    if button is Button.NEXT:
        at_winner = bool(pages) and isinstance(pages[mode.page % len(pages)], FIRST_PAGES)
        if ask and at_winner:
            return check(state)
        following = mode.page + 1
        return go(state, Viewing(following % len(pages) if pages else following))
    if ask:
        return check(state)
    return go(state, Viewing()) if mode.page and pages else home(state)


def check(state: State) -> Turn:
    """Go through all that is not sure, from the beginning."""
    result = state.result
    if result is None:
        return home(state)
    state = replace(state, same_table=True)
    return go(state, Checking(result.unsure)) if result.unsure else _after_tiles(state)


def check_tile(state: State, place: Place) -> Turn:
    """Look at one tile, however sure it is."""
    return go(replace(state, same_table=True), Checking((place,), chosen=True))


def check_spot(state: State, spot: Spot) -> Turn:
    """The same in a game known by pictures."""
    return go(replace(state, same_table=True), Checking((spot,), chosen=True))


def _after_tiles(state: State) -> Turn:
    if state.result is not None and state.result.owners_open:
        return go(state, SharingOut())
    return _looked(state)


def _looked(state: State) -> Turn:
    """To the result as it is now."""
    if state.result is None:
        return home(state)
    return go(replace(state, result=replace(state.result, looked=True)), Viewing())


def checking_pressed(state: State, mode: Checking, button: Button) -> Turn:
    """OK takes what is offered, NEXT offers something else, SCAN goes back one tile."""
    result = state.result
    if result is None:
        return home(state)
    place = mode.places[mode.index]
    offered = offered_for(result, place)
    if button is Button.NEXT:
        return go(state, replace(mode, option=(mode.option + 1) % len(offered)))
    if button is Button.SCAN:
        if mode.index == 0:
            return go(state, Viewing()) if mode.chosen else _looked(state)
        return go(state, replace(mode, index=mode.index - 1, option=0))
    state, effects = _change(state, with_answer(result, place, offered[mode.option]))
    if mode.index + 1 < len(mode.places):
        state, more = go(state, replace(mode, index=mode.index + 1, option=0))
    elif mode.chosen:
        state, more = go(state, Viewing())
    else:
        state, more = _after_tiles(state)
    return state, (*effects, *more)


def sharing_pressed(state: State, mode: SharingOut, button: Button) -> Turn:
    """OK takes the owners that are offered, NEXT offers others, SCAN leaves it open."""
    result = state.result
    if not isinstance(result, Result):
        return home(state)
    if button is Button.NEXT:
        return go(state, SharingOut((mode.option + 1) % len(OWNER_OPTIONS)))
    if button is Button.SCAN:
        return _looked(state)
    state, effects = _change(state, replace(result, owners=OWNER_OPTIONS[mode.option]))
    state, more = _looked(state)
    return state, (*effects, *more)


def _change(state: State, result: AnyResult) -> Turn:
    """The sheet follows what a person said; a result that is as before is not stored again."""
    before = state.result
    same = before is not None and before.said == result.said
    return (state, ()) if same else keep(state, with_score(result, state.settings))
