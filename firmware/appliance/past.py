"""Past games: going through them, each with all its pages; deleting one; figures over all."""

from dataclasses import replace
from typing import Final

from firmware.appliance.effects import (
    CountGames,
    DeleteGame,
    DeletePhotos,
    OpenGame,
    ReadHistory,
    RecallLast,
)
from firmware.appliance.events import (
    GameOpened,
    GamesCounted,
    HistoryRead,
    LastRecalled,
    PhotosDeleted,
)
from firmware.appliance.modes import (
    Asking,
    Checking,
    InFigures,
    LeafingBack,
    Mode,
    Picking,
    SharingOut,
    Telling,
    Viewing,
)
from firmware.appliance.moves import Turn, back, begin, go, home, then
from firmware.appliance.result import result_pages
from firmware.appliance.state import State
from firmware.screens.words import Notice, Question
from hardware.buttons import Button

_OF_RESULT: Final = (Viewing, Checking, Picking, SharingOut)
"""What is only there with a result."""


def leaf_back(state: State) -> Turn:
    """Have the past games listed."""
    return begin(state, LeafingBack(), ReadHistory)


def count(state: State) -> Turn:
    """Have figures made of the past games."""
    return begin(state, InFigures(), CountGames)


def counted(state: State, _mode: InFigures, event: GamesCounted) -> Turn:
    """Show the first page of the figures."""
    mode = InFigures(pages=event.pages) if event.pages else Telling(Notice.NO_GAMES)
    return replace(state, mode=mode), ()


def figures_pressed(state: State, mode: InFigures, button: Button) -> Turn:
    """NEXT turns the page, SCAN leaves."""
    if button is Button.SCAN:
        return back(state)
    if button is Button.NEXT:
        return go(state, replace(mode, page=(mode.page + 1) % len(mode.pages)))
    return state, ()


def listed(state: State, mode: LeafingBack, event: HistoryRead) -> Turn:
    """Show the game at the place where one was."""
    if not event.games:
        mode_after: Mode = Telling(Notice.NO_GAMES)
    else:
        index = min(mode.index, len(event.games) - 1)
        mode_after = LeafingBack(games=event.games, index=index)
    return replace(state, mode=mode_after), ()


def forgotten(state: State, event: HistoryRead) -> Turn:
    """One that was deleted is no last result any more."""
    result = state.result
    if result is None or result.table != event.gone:
        return state, ()
    mode = state.mode
    if isinstance(mode, Asking) and isinstance(mode.before, _OF_RESULT):
        state = replace(state, mode=replace(mode, before=None))
    state = replace(state, result=None, same_table=False)
    turn: Turn = state, (RecallLast(),)
    return then(turn, home) if isinstance(mode, _OF_RESULT) else turn


def delete_photos(state: State) -> Turn:
    """Forget all photos."""
    return begin(state, LeafingBack(), DeletePhotos)


def photos_forgotten(state: State) -> Turn:
    """The last result has no photo any more."""
    result = state.result
    if result is None or (result.photo, result.picture) == (None, None):
        return state, ()
    return replace(state, result=replace(result.without_picture, photo=None)), ()


def photos_deleted(state: State, _mode: LeafingBack, _event: PhotosDeleted) -> Turn:
    """Say so."""
    return replace(state, mode=Telling(Notice.PHOTOS_DELETED)), ()


def opened(state: State, mode: LeafingBack, event: GameOpened) -> Turn:
    """Show the first page of a past game."""
    return replace(state, mode=replace(mode, job=None, result=event.result)), ()


def last_recalled(state: State, event: LastRecalled) -> Turn:
    """What was stored last is the last result, unless there is a newer one."""
    return (state if state.result is not None else replace(state, result=event.result)), ()


def pressed(state: State, mode: LeafingBack, button: Button) -> Turn:
    """NEXT goes on; OK opens a game, or leads back to the list; SCAN deletes it, or leaves."""
    if mode.result is not None:
        return _open_pressed(state, mode, button)
    if button is Button.SCAN:
        return back(state)
    if button is Button.NEXT:
        return go(state, replace(mode, index=(mode.index + 1) % len(mode.games)))
    seq = mode.games[mode.index].seq
    return begin(state, mode, lambda job: OpenGame(job, seq))


def _open_pressed(state: State, mode: LeafingBack, button: Button) -> Turn:
    if button is Button.SCAN:
        return go(state, Asking(Question.DELETE_GAME, mode))
    if button is Button.OK or mode.result is None:
        return go(state, replace(mode, result=None, page=0))
    return go(state, replace(mode, page=(mode.page + 1) % len(result_pages(mode.result))))


def delete(state: State, mode: LeafingBack) -> Turn:
    """Forget the game that is open."""
    seq = mode.games[mode.index].seq
    waiting = LeafingBack(games=mode.games, index=mode.index)
    return begin(state, waiting, lambda job: DeleteGame(job, seq))
