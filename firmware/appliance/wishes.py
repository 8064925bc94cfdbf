"""What somebody asks for on the page, done as if it had been chosen with the buttons.

Nothing of it takes a person at the buttons by surprise: while they set something up, wishes change
nothing, and the page says so (``is_free``). A wish about a result names it, so that one about an
earlier result changes nothing either.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from firmware.appliance import aiming, effects, modes, wizards
from firmware.appliance.events import Asked, Wish
from firmware.appliance.menus import game_changes
from firmware.appliance.moves import (
    Turn,
    aim,
    back,
    change,
    game_of,
    go,
    keep,
    scan,
    take_number,
    then,
)
from firmware.appliance.past import leaf_back
from firmware.appliance.result import Result, offered, with_answer, with_score
from firmware.appliance.state import State
from firmware.appliance.watch import time_passed, used
from firmware.corrections import corrected
from firmware.errors import UsageError
from firmware.screens.views import Other
from firmware.screens.words import MenuWord
from hardware.buttons import Button
from vision.photo import Photo
from vision.reading import Place


@dataclass(frozen=True, slots=True, eq=False)
class Scan(Wish):
    """Scan the table.

    Attributes:
        photo: read this one instead of taking one.
    """

    photo: Photo | None = None


@dataclass(frozen=True, slots=True)
class Correct(Wish):
    """Put a place right.

    Attributes:
        table: that of the result.
        place: which one.
        answer: a face or kind of figure, or that nothing is there, or *later*.
    """

    table: int
    place: Place
    answer: str | Other


@dataclass(frozen=True, slots=True)
class Share(Wish):
    """Say whose each grid is.

    Attributes:
        table: that of the result.
        owners: a player for each grid.
    """

    table: int
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChooseGame(Wish):
    """Another game lies on the table.

    Attributes:
        game: its identifier.
    """

    game: str


@dataclass(frozen=True, slots=True)
class Change(Wish):
    """Change settings.

    Attributes:
        changes: fields of ``Settings`` with their new values.
        table: of the result that is to follow; None: that of the table that still lies there.
    """

    changes: tuple[tuple[str, Any], ...]
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Delete(Wish):
    """Forget a past game.

    Attributes:
        seq: its number in the history.
    """

    seq: int


@dataclass(frozen=True, slots=True)
class DeletePhotos(Wish):
    """Forget all photos."""


@dataclass(frozen=True, slots=True)
class Aim(Wish):
    """Show picture after picture; or, if that is done, go on with it."""


@dataclass(frozen=True, slots=True)
class StopAiming(Wish):
    """The camera stands right."""


@dataclass(frozen=True, slots=True)
class Guide(Wish):
    """Begin a wizard.

    Attributes:
        mode: its first step.
        game: whose tiles are taught, which then lies on the table; empty: as it is set.
    """

    mode: modes.Wizard
    game: str = ""


@dataclass(frozen=True, slots=True)
class OfWizard(Wish):
    """Something that can be asked for while a wizard waits for a person.

    Attributes:
        calibrates: of which wizard: that which calibrates, or one that teaches.
    """

    calibrates: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class Photograph(OfWizard):
    """Take the photo of the step, or go on where it needs none.

    Attributes:
        photo: take this one; None: the camera takes one.
    """

    photo: Photo | None = None


@dataclass(frozen=True, slots=True)
class SayCorner(OfWizard):
    """Say where in the photo of the tiles the shop lies."""

    corner: MenuWord


@dataclass(frozen=True, slots=True)
class NameGroups(OfWizard):
    """Name all groups of tiles at once.

    Attributes:
        found_by: the job that found them.
        names: the face of each; None: it is left out.
    """

    found_by: int
    names: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Finish(OfWizard):
    """Keep the calibration that was found; use the edition that was taught."""


@dataclass(frozen=True, slots=True)
class Leave(OfWizard):
    """End the wizard, also while it works."""


@dataclass(frozen=True, slots=True)
class EditionGone(Wish):
    """An edition was removed.

    Attributes:
        name: its name; where it was used, the usual one is from now on.
    """

    name: str


_FREE: Final = (
    modes.Ready,
    modes.Viewing,
    modes.Failed,
    modes.Checking,
    modes.Picking,
    modes.SharingOut,
    modes.LeafingBack,
    modes.InFigures,
    modes.OnPhone,
    modes.InHotspot,
)


def is_free(state: State) -> bool:
    """Whether what is asked for on the page is done now."""
    mode = state.mode
    if state.safe_mode or state.steps:
        return False
    # A menu can be left at any time; one that asks about an edition belongs to a wizard
    in_menu = isinstance(mode, modes.InMenu) and not mode.levels[-1].subject
    return isinstance(mode, _FREE) or in_menu


def can_be_done(state: State, wish: Wish) -> bool:
    """Whether this is done now, and nobody taken by surprise."""
    mode = state.mode
    if isinstance(mode, modes.Wizard) and isinstance(wish, OfWizard):
        if wish.calibrates != isinstance(mode, modes.Calibrating):
            return False  # asked on a page of a wizard that was left meanwhile
        return isinstance(wish, Leave) or (mode.job is None and _fits(mode, wish))
    if isinstance(wish, EditionGone):
        return True  # it has gone, whatever else goes on
    is_aiming = isinstance(mode, modes.Aiming) and isinstance(wish, Aim | StopAiming)
    return not isinstance(wish, OfWizard) and (is_aiming or is_free(state))


def _fits(mode: modes.Wizard, wish: OfWizard) -> bool:
    """Whether a wizard has come to where this is asked."""
    match mode, wish:
        case modes.Grouping(), NameGroups():
            known = {None, *mode.faces}
            is_whole = len(wish.names) == len(mode.pictures) and known.issuperset(wish.names)
            return is_whole and bool(mode.pictures) and wish.found_by == mode.found_by
        case modes.Teaching(), SayCorner():
            return mode.step is modes.TeachStep.CORNER
        case modes.Teaching(), Finish():
            return mode.learned
        case modes.Calibrating(), Finish():
            return mode.found is not None
    return isinstance(wish, Photograph)


def asked(state: State, event: Asked) -> Turn:
    """Do what is asked for, if it can be done now."""
    turn, wish = then(time_passed(state, event.now_s), used), event.wish
    if not can_be_done(turn[0], wish):
        return turn
    do = _WISHES[type(wish)]
    return then(turn, lambda state: do(state, wish))


def _scan(state: State, wish: Scan) -> Turn:
    return scan(state, wish.photo)


def _correct(state: State, wish: Correct) -> Turn:
    result = state.result
    if result is None or result.table != wish.table:
        return state, ()
    answered = with_answer(result, wish.place, wish.answer)
    try:
        corrected(answered.read, answered.description, answered.corrections)
    except UsageError:  # the last piece of a heap has gone meanwhile
        return state, ()
    return _changed(state, answered)


def _share(state: State, wish: Share) -> Turn:
    result = state.result
    if result is None or result.table != wish.table or len(wish.owners) != len(result.read.grids):
        return state, ()
    return _changed(state, replace(result, options=replace(result.options, owners=wish.owners)))


def _changed(state: State, result: Result) -> Turn:
    """The result with what was said; the display follows."""
    before = state.last_result
    if before.said == result.said:
        return state, ()
    return then(keep(state, with_score(result)), partial(_follow, before=before))


def _follow(state: State, before: Result) -> Turn:
    """Show the changed result, unless somebody looks at other places of it."""
    mode, result = state.mode, state.last_result
    if isinstance(mode, modes.Checking) and mode.picked is None:
        unsure = result.unsure
        here, behind = mode.places[mode.index], mode.places[mode.index :]
        places = tuple(place for place in behind if place in unsure)
        if here in places and offered(before, here) == offered(result, here):
            index = len(mode.places) - len(behind)
            return go(state, replace(mode, places=(*mode.places[:index], *places)))
        mode_after = modes.Checking(places) if places else modes.Viewing()
        return go(state, mode_after)
    shown = (modes.Ready, modes.Viewing, modes.Failed, modes.Checking, modes.SharingOut)
    if isinstance(mode, (*shown, modes.Picking)):
        return go(replace(state, same_table=True), modes.Viewing())
    return state, ()


def _choose_game(state: State, wish: ChooseGame) -> Turn:
    game = state.choices.game(wish.game)
    if game is None or state.settings.game == game.name:
        return state, ()
    state = replace(state, same_table=False)
    return _change(state, Change(tuple(game_changes(state.settings, game).items())))


def _change(state: State, wish: Change) -> Turn:
    if state.result is not None and state.result.table == wish.table:
        state = replace(state, same_table=True)
    state, given = change(replace(state, evening=False), **dict(wish.changes))
    is_shown = isinstance(state.mode, modes.Viewing | modes.Checking | modes.SharingOut)
    if is_shown:
        state = replace(state, mode=modes.Viewing())
    return state, given


def _delete(state: State, wish: Delete) -> Turn:
    state, job = take_number(state)
    turn: Turn = state, (effects.DeleteGame(job, wish.seq),)
    return then(turn, leaf_back) if isinstance(state.mode, modes.LeafingBack) else turn


def _delete_photos(state: State, _wish: DeletePhotos) -> Turn:
    state, job = take_number(state)
    return state, (effects.DeletePhotos(job),)


def _aim(state: State, _wish: Aim) -> Turn:
    if isinstance(state.mode, modes.Aiming):
        return replace(state, mode=replace(state.mode, used_s=state.now_s)), ()
    return then(go(state, modes.Ready()), aim)


def _stop_aiming(state: State, _wish: StopAiming) -> Turn:
    mode = state.mode
    if not isinstance(mode, modes.Aiming):
        return state, ()
    return aiming.pressed(state, mode, Button.NEXT if mode.seen is None else Button.OK)


def _guide(state: State, wish: Guide) -> Turn:
    game = state.choices.game(wish.game)
    turn: Turn = go(state, modes.Ready())
    if game is not None and game.name != state.settings.game:
        turn = then(turn, lambda state: _choose_game(state, ChooseGame(game.name)))
    return then(turn, lambda state: go(state, wish.mode))


def _photograph(state: State, wish: Photograph) -> Turn:
    match state.mode:
        case modes.Calibrating() as mode:
            return wizards.take_sheet(state, replace(mode, found=None), wish.photo)
        case modes.Grouping() as mode:
            again = modes.Grouping(mode.edition, mode.add)
            return wizards.find_groups(state, again, wish.photo)
        case modes.Teaching() as mode:
            return wizards.learn(state, replace(mode, corner=None), wish.photo)
    return state, ()


def _say_corner(state: State, wish: SayCorner) -> Turn:
    mode = state.mode
    assert isinstance(mode, modes.Teaching)  # noqa: S101 - can_be_done
    return wizards.learn(state, replace(mode, corner=wish.corner), same_photo=True)


def _name_groups(state: State, wish: NameGroups) -> Turn:
    mode = state.mode
    assert isinstance(mode, modes.Grouping)  # noqa: S101 - can_be_done
    return wizards.learn_named(state, replace(mode, named=wish.names))


def _finish(state: State, _wish: Finish) -> Turn:
    mode = state.mode
    if isinstance(mode, modes.Teaching):
        return then(change(state, edition=mode.edition), back)
    assert isinstance(mode, modes.Calibrating)  # noqa: S101 - can_be_done
    return wizards.keep_found(state, mode)


def _edition_gone(state: State, wish: EditionGone) -> Turn:
    turn: Turn = state, (effects.LookForEditions(),)
    if state.edition_fault is not None:  # it was put right so, as a rule
        return then(turn, lambda state: change(state, edition=state.settings.edition))
    if state.settings.edition != wish.name:
        return turn
    game = game_of(state)
    rest = tuple(each for each in game.editions if each != wish.name)
    game = replace(game, editions=rest) if rest else state.choices.games[0]
    return then(turn, lambda state: change(state, **game_changes(state.settings, game)))


_WISHES: Final[Mapping[type[Wish], Callable[[State, Any], Turn]]] = {
    Scan: _scan,
    Correct: _correct,
    Share: _share,
    ChooseGame: _choose_game,
    Change: _change,
    Delete: _delete,
    DeletePhotos: _delete_photos,
    Aim: _aim,
    StopAiming: _stop_aiming,
    Guide: _guide,
    Photograph: _photograph,
    SayCorner: _say_corner,
    NameGroups: _name_groups,
    Finish: _finish,
    Leave: lambda state, _wish: back(state),
    EditionGone: _edition_gone,
}
