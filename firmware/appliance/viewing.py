"""Leafing through a result, and going through what is not sure about it."""

from dataclasses import replace

from firmware.appliance.modes import Checking, SharingOut, Viewing
from firmware.appliance.moves import Turn, go, home, keep, scan
from firmware.appliance.pages import result_pages, winner_page
from firmware.appliance.result import Result, offered, with_answer, with_score
from firmware.appliance.state import State
from hardware.buttons import Button
from vision.reading import Place


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
        if ask and pages and mode.page % len(pages) == winner_page(result):
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


def check_place(state: State, place: Place) -> Turn:
    """Look at one place, however sure it is."""
    return go(replace(state, same_table=True), Checking((place,), chosen=True))


def _after_tiles(state: State) -> Turn:
    if state.result is not None and state.result.owner_choices:
        return go(state, SharingOut())
    return _looked(state)


def _looked(state: State) -> Turn:
    """To the result as it is now."""
    if state.result is None:
        return home(state)
    return go(replace(state, result=replace(state.result, looked=True)), Viewing())


def checking_pressed(state: State, mode: Checking, button: Button) -> Turn:
    """OK takes what is offered, NEXT offers something else, SCAN goes back one place."""
    result = state.result
    if result is None:
        return home(state)
    place = mode.places[mode.index]
    answers = offered(result, place)
    if button is Button.NEXT:
        return go(state, replace(mode, option=(mode.option + 1) % len(answers)))
    if button is Button.SCAN:
        if mode.index == 0:
            return go(state, Viewing()) if mode.chosen else _looked(state)
        return go(state, replace(mode, index=mode.index - 1, option=0))
    state, effects = _change(state, with_answer(result, place, answers[mode.option]))
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
    choices = () if result is None else result.owner_choices
    if result is None or not choices:
        return home(state)
    if button is Button.NEXT:
        return go(state, SharingOut((mode.option + 1) % len(choices)))
    if button is Button.SCAN:
        return _looked(state)
    state, effects = _change(state, replace(result, owners=choices[mode.option]))
    state, more = _looked(state)
    return state, (*effects, *more)


def _change(state: State, result: Result) -> Turn:
    """The sheet follows what a person said; a result that is as before is not stored again."""
    before = state.result
    same = before is not None and before.said == result.said
    return (state, ()) if same else keep(state, with_score(result, state.settings))
