"""Scanning a table, leafing through its result, and going through what is not sure about it."""

from dataclasses import replace
from functools import partial

from firmware.appliance.effects import Effect, LearnCorrected, Log, UndoLesson
from firmware.appliance.events import JobFailed, LessonUndone, ScanFinished, TilesLearned
from firmware.appliance.faults import Fault
from firmware.appliance.modes import (
    Asking,
    Checking,
    Failed,
    Learned,
    Learning,
    Mode,
    Picking,
    Scanning,
    SharingOut,
    Telling,
    Unlearning,
    Vetting,
    Viewing,
)
from firmware.appliance.moves import (
    Turn,
    back,
    begin,
    change,
    go,
    home,
    keep,
    note,
    scan,
    take_number,
    then,
    to,
    with_picture,
)
from firmware.appliance.result import (
    Result,
    offered,
    options_of,
    outcome_of,
    result_pages,
    with_answer,
    with_score,
)
from firmware.appliance.same_table import as_new_game, recognised, with_known
from firmware.appliance.state import State
from firmware.report.result_pages import remark_views
from firmware.screens.views import Kind
from firmware.screens.words import Notice, Question
from firmware.settings import Settings
from firmware.settings.model import STANDARD_EDITION
from hardware.buttons import Button
from vision.reading import Place


def failed(state: State, _mode: Scanning, event: JobFailed) -> Turn:
    """There is no photo, or it shows nothing; an earlier result stays."""
    return note(replace(state, mode=Failed(event.fault)), event.fault)


def finished(state: State, _mode: Scanning, event: ScanFinished) -> Turn:
    """The photo was read: score it, and compare it with the scan before.

    A photo in which nothing was found takes no earlier result away: a hand may have been in front.
    """
    state = with_picture(state)
    fresh = _result_of(event, state.settings)
    result = recognised(fresh, state.result, state.settings, again=state.same_table)
    effects: tuple[Effect, ...] = ()
    if isinstance(result.outcome, Fault):
        effects = (Log(result.outcome),)
        if not event.reading.grids:
            remarks = remark_views(result.checked, event.crops)
            return replace(state, mode=Failed(result.outcome, remarks=remarks)), effects
    state = replace(state, mode=_mode_after(result, event), same_table=True)
    return then((state, effects), lambda state: keep(state, result))


def _mode_after(result: Result, event: ScanFinished) -> Mode:
    """The result; or, where somebody at the buttons scanned it, whether the table is the same."""
    if result.perhaps is None or event.is_upload or result.scan is None:
        return Viewing()
    return Asking(Question.SAME_TABLE, Viewing())


def _result_of(event: ScanFinished, settings: Settings) -> Result:
    """The score of what was read in a photo alone."""
    read = event.reading
    options = options_of(read, settings)
    return Result(
        table=event.job,
        seen=read,
        read=read,
        description=event.description,
        outcome=outcome_of(read, event.description, options),
        options=options,
        crops=event.crops,
        patch_at=event.patch_at,
        photo=event.photo,
        picture=event.picture,
        trial=event.trial,
    )


def update_game(state: State) -> Turn:
    """The table is the one that it may be: store its result in the place of the earlier one."""
    result = state.last_result
    if result.perhaps is None:
        return go(state, Viewing())
    state, number = take_number(state)
    joined = replace(with_known(result, result.perhaps, state.settings), table=number, seq=None)
    turn = go(replace(state, same_table=True), Viewing())
    return then(turn, lambda state: keep(state, joined, instead_of=result.table))


def new_game(state: State) -> Turn:
    """The table is another one after all: store its result apart, and the earlier one as it was."""
    result = state.last_result
    if result.earlier is None:
        return go(replace(state, result=replace(result, perhaps=None)), Viewing())
    state, number = take_number(state)
    apart = replace(as_new_game(result, state.settings), table=number)
    turn = go(replace(state, same_table=True), Viewing())
    return then(turn, lambda state: keep(state, apart, instead_of=result.table))


def show_last(state: State) -> Turn:
    """The last result again."""
    if state.result is None:
        return home(state)
    return go(replace(state, same_table=True), Viewing())


def viewing_pressed(state: State, mode: Viewing, button: Button) -> Turn:
    """NEXT turns the page, SCAN scans again; OK looks at what is not sure, or leaves.

    Only the first page leads to what is not sure, so that one can leave it open.
    """
    if button is Button.SCAN:
        return scan(state)
    if button is Button.NEXT:
        return go(state, Viewing((mode.page + 1) % len(result_pages(state.last_result))))
    return check(state) if mode.page == 0 and state.last_result.questions else home(state)


def check(state: State) -> Turn:
    """Go through all that is not sure, from the beginning."""
    unsure = state.last_result.unsure
    state = replace(state, same_table=True)
    return go(state, Checking(unsure)) if unsure else _after_tiles(state)


def check_place(state: State, place: Place, picked: Picking) -> Turn:
    """Look at one place, however sure it is."""
    return go(replace(state, same_table=True), Checking((place,), picked=picked))


def _after_tiles(state: State, *, picked: bool = False) -> Turn:
    """To what else is open; once it is asked whether what was put right is to be learned."""
    result = state.last_result
    after = SharingOut() if result.owner_choices and not picked else Viewing()
    game = state.choices.game(result.game)
    if result.asked or not result.put_right or game is None or not game.teachable:
        return go(state, after)
    asked = replace(state, result=replace(result, asked=True))
    return go(asked, Asking(Question.LEARN_TILES, after))


def vet(state: State, after: Mode) -> Turn:
    """Ask about each corrected tile that looks like another face, then learn."""
    result = state.last_result
    doubtful = tuple(filter(result.is_doubtful, result.put_right))
    learned = tuple(each for each in result.put_right if each not in doubtful)
    return _vetted(state, Vetting(doubtful, learned, after))


def vetting_pressed(state: State, mode: Vetting, button: Button) -> Turn:
    """OK learns the tile all the same, SCAN leaves it out."""
    if button is Button.NEXT:
        return state, ()
    asked, *rest = mode.doubtful
    learned = (*mode.learned, asked) if button is Button.OK else mode.learned
    return _vetted(state, Vetting(tuple(rest), learned, mode.after))


def _vetted(state: State, mode: Vetting) -> Turn:
    """Ask about the next tile, or learn; of the built-in edition a copy is made."""
    if mode.doubtful or not mode.learned:
        return go(state, mode if mode.doubtful else mode.after)
    result = state.last_result
    name = result.seen.edition
    if name == STANDARD_EDITION:
        name = state.choices.next_edition
    learning = Learning(edition=name, after=mode.after)
    return begin(state, learning, lambda job: LearnCorrected(job, result, name, mode.learned))


def learned(state: State, mode: Learning, _event: TilesLearned) -> Turn:
    """From now on it is read so; the copy is used where the built-in edition was."""
    settings, seen = state.settings, state.last_result.seen
    is_used = (settings.game, settings.edition) == (seen.game, seen.edition)
    is_new = mode.edition != seen.edition
    state = replace(state, mode=Learned(mode.edition, is_new))
    return change(state, edition=mode.edition) if is_used else (state, ())


def learned_pressed(state: State, mode: Learned, button: Button) -> Turn:
    """OK goes on, SCAN takes back what was learned."""
    if button is Button.SCAN:
        return undo_lesson(state, mode.edition, is_new=mode.is_new)
    return back(state) if button is Button.OK else (state, ())


def undo_lesson(state: State, edition: str, *, is_new: bool = False) -> Turn:
    """Take back what an edition learned last."""
    mode = Unlearning(edition=edition, is_new=is_new)
    return begin(state, mode, lambda job: UndoLesson(job, edition, is_new))


def lesson_undone(state: State, mode: Unlearning, _event: LessonUndone) -> Turn:
    """Say so; in the place of an edition that was removed the built-in one is used."""
    state = replace(state, mode=Telling(Notice.UNLEARNED))
    is_gone = mode.is_new and state.settings.edition == mode.edition
    return change(state, edition=STANDARD_EDITION) if is_gone else (state, ())


def checking_pressed(state: State, mode: Checking, button: Button) -> Turn:
    """OK takes what is offered, NEXT offers something else, SCAN goes back one place."""
    result, place = state.last_result, mode.places[mode.index]
    answers = offered(result, place, mode.kind)
    answer = answers[mode.option]
    if button is Button.NEXT:
        return go(state, replace(mode, option=(mode.option + 1) % len(answers)))
    if button is Button.SCAN:
        return _one_back(state, mode)
    if isinstance(answer, Kind):
        return go(state, replace(mode, kind=answer.name, option=0))
    answered = _change(state, with_answer(result, place, answer))
    if mode.index + 1 < len(mode.places):
        return then(answered, to(Checking(mode.places, mode.index + 1)))
    return then(answered, partial(_after_tiles, picked=mode.picked is not None))


def _one_back(state: State, mode: Checking) -> Turn:
    """From the faces of a kind to the kinds, else to the place before, or out."""
    if mode.kind is not None:
        kinds = offered(state.last_result, mode.places[mode.index])
        return go(state, replace(mode, kind=None, option=kinds.index(Kind(mode.kind))))
    if mode.index:
        return go(state, Checking(mode.places, mode.index - 1))
    return go(state, Viewing() if mode.picked is None else mode.picked)


def steps_left(state: State, mode: Checking) -> int:
    """How far holding NEXT leads through what is offered."""
    answers = offered(state.last_result, mode.places[mode.index], mode.kind)
    return len(answers) - 1 - mode.option


def sharing_pressed(state: State, mode: SharingOut, button: Button) -> Turn:
    """OK takes the owners that are offered, NEXT offers others, SCAN leaves it open."""
    result = state.last_result
    choices = result.owner_choices
    if button is Button.NEXT:
        return go(state, SharingOut((mode.option + 1) % len(choices)))
    if button is Button.SCAN:
        return go(state, Viewing())
    options = replace(result.options, owners=choices[mode.option])
    return then(_change(state, replace(result, options=options)), to(Viewing()))


def _change(state: State, result: Result) -> Turn:
    """The sheet follows what a person said; a result that is as before is not stored again."""
    same = state.last_result.said == result.said
    return (state, ()) if same else keep(state, with_score(result))
