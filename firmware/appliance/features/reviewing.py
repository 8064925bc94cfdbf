"""Review of a result: its unsure places, the owners of the grids, a place to correct."""

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from firmware.appliance.base import Command, Mode, StepResult
from firmware.appliance.features.learning_corrections import ConfirmLearning
from firmware.appliance.result import (
    Answer,
    Result,
    answers_to_offer,
    turn_at,
    with_answer,
    with_given_options,
    with_score,
)
from firmware.appliance.saving import save_result
from firmware.appliance.state import State
from firmware.appliance.transitions import continue_with, enter, show_result, to_mode
from firmware.games.registry import game_or_unscored
from firmware.scan.corrections import unknown_places
from firmware.screens.question_views import (
    DoubtView,
    FaceGroup,
    OwnersQuestionView,
    PlacesWithoutEffectView,
    SpecialAnswer,
)
from firmware.screens.view import PlayerLabel, TableMap, View
from firmware.settings import seat_names
from hardware.buttons import Button
from scoring.faces import city_name
from vision.reading import Place


@dataclass(frozen=True, slots=True)
class ReviewMode(Mode):
    """Question what lies at a place.

    Attributes:
        places: Places of this round.
        index: Index of the place that is shown.
        option: Index of the answer that is offered.
        face_group: Group whose faces are offered; None for all answers, among them groups if there
            are many faces.
        picker: Mode in which the place was chosen; None on the way through all unsure places.
        includes_places_without_effect: Whether places that change no rank are shown without asking.
    """

    forgets_menu: ClassVar[bool] = True
    needs_result: ClassVar[bool] = True
    ends_on_new_settings: ClassVar[bool] = True

    places: tuple[Place, ...]
    index: int = 0
    option: int = 0
    face_group: str | None = None
    picker: Mode | None = None
    includes_places_without_effect: bool = False

    @property
    def can_be_interrupted(self) -> bool:
        return True

    @property
    def place(self) -> Place:
        """Place that is shown."""
        return self.places[self.index]

    def answers(self, state: State) -> tuple[Answer, ...]:
        """Return the answers to choose from, the likeliest first."""
        return answers_to_offer(state.last_result, self.place, self.face_group)

    def view(self, state: State) -> View:
        result, answers = state.last_result, self.answers(state)
        scan = result.corrected_scan
        answer, game = answers[self.option], game_or_unscored(result.game_id)
        return DoubtView(
            number=self.index + 1,
            count=len(self.places),
            place=game.place_text(self.place, scan.naming),
            guess=game.piece(
                answer.name if isinstance(answer, FaceGroup) else answer, self.place.kind
            ),
            is_group=isinstance(answer, FaceGroup),
            grid=self.place.grid,
            option=self.option + 1,
            options=len(answers),
            crop=result.crop_at(self.place),
            turn=turn_at(result, self.place, answer) if game.turn_affects_score else None,
            table=TableMap.of(scan.reading),
        )

    def press(self, state: State, button: Button) -> StepResult:
        """OK takes what is offered, NEXT offers something else, SCAN goes back one place."""
        answers = self.answers(state)
        match button:
            case Button.NEXT:
                option = (self.option + 1) % len(answers)
                return enter(state, replace(self, option=option))
            case Button.SCAN:
                return self._go_back_one(state)
            case Button.OK:
                return self._answer(state, answers[self.option])

    def repeats_left(self, state: State, button: Button) -> int | None:
        if button is not Button.NEXT:
            return None
        return len(self.answers(state)) - 1 - self.option

    def show_changed_result(self, state: State, before: Result) -> StepResult:
        """Go on with the places that are still unsure; stay at a place with the same answers."""
        if self.picker is not None:
            return show_result(state)
        result = state.last_result
        rest = self.places[self.index :]
        places = tuple(place for place in rest if place in result.open_places)
        if self.place in places and answers_to_offer(before, self.place) == answers_to_offer(
            result, self.place
        ):
            return enter(state, replace(self, places=(*self.places[: self.index], *places)))
        if not places:
            return enter(state, state.standard_modes.result())
        return enter(
            state,
            ReviewMode(places, includes_places_without_effect=self.includes_places_without_effect),
        )

    def _answer(self, state: State, answer: Answer) -> StepResult:
        if isinstance(answer, FaceGroup):
            return enter(state, replace(self, face_group=answer.name, option=0))
        so_far = _save_if_changed(state, with_answer(state.last_result, self.place, answer))
        if self.index + 1 < len(self.places):
            return continue_with(so_far, self._go_on)
        return continue_with(so_far, partial(_finish_places, picked=self.picker is not None))

    def _go_on(self, state: State) -> StepResult:
        """Show the place that decides most now; ask before those that change no rank.

        Places that an answer about another one has settled are left out.
        """
        result = state.last_result
        kept = {*result.open_places, *(each.place for each in result.corrections)}
        rest = tuple(place for place in self.places[self.index + 1 :] if place in kept)
        if not rest:
            return _finish_places(state)
        rest = _in_order(rest, result.open_places)
        mode = ReviewMode(
            (*self.places[: self.index + 1], *rest),
            self.index + 1,
            includes_places_without_effect=self.includes_places_without_effect,
        )
        is_without_effect = all(place in result.places_without_effect for place in rest)
        if is_without_effect and not self.includes_places_without_effect:
            return enter(
                state,
                ConfirmPlacesWithoutEffect(replace(mode, includes_places_without_effect=True)),
            )
        return enter(state, mode)

    def _go_back_one(self, state: State) -> StepResult:
        """Go from the faces of a group to the groups, else to the place before, or leave."""
        if self.face_group is not None:
            groups = answers_to_offer(state.last_result, self.place)
            return enter(
                state,
                replace(self, face_group=None, option=groups.index(FaceGroup(self.face_group))),
            )
        if self.index:
            return enter(state, replace(self, index=self.index - 1, option=0))
        return enter(state, self.picker or state.standard_modes.result())


@dataclass(frozen=True, slots=True)
class ConfirmPlacesWithoutEffect(Mode):
    """Question whether to review places that change no rank. OK means yes, SCAN no.

    Attributes:
        rest: Mode that shows the first of them.
    """

    needs_result: ClassVar[bool] = True
    ends_on_new_settings: ClassVar[bool] = True

    rest: ReviewMode

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        return PlacesWithoutEffectView(count=len(self.rest.places) - self.rest.index)

    def press(self, state: State, button: Button) -> StepResult:
        match button:
            case Button.OK:
                return enter(state, self.rest)
            case Button.SCAN:
                return _finish_places(state)
            case Button.NEXT:
                return state, ()

    def show_changed_result(self, state: State, before: Result) -> StepResult:
        return show_result(state)


@dataclass(frozen=True, slots=True)
class OwnersMode(Mode):
    """Question who owns which grid.

    Attributes:
        option: Index of the owners that are offered.
    """

    needs_result: ClassVar[bool] = True
    ends_on_new_settings: ClassVar[bool] = True

    option: int = 0

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        result = state.last_result
        choices = result.owner_choices
        owners = choices[self.option]
        count = max(owners) + 1
        names = seat_names(result.options.players or (), count) or ("",) * count
        shares = tuple(
            (
                tuple(city_name(city) for city, owner in enumerate(owners) if owner == player),
                PlayerLabel(player + 1, name),
            )
            for player, name in enumerate(names)
        )
        return OwnersQuestionView(
            owners=shares,
            table=TableMap.of(result.reading_to_correct),
            option=self.option + 1,
            options=len(choices),
        )

    def press(self, state: State, button: Button) -> StepResult:
        """OK takes the owners that are offered, NEXT offers others, SCAN leaves it open."""
        result, shown = state.last_result, state.standard_modes.result()
        choices = result.owner_choices
        match button:
            case Button.NEXT:
                return enter(state, OwnersMode((self.option + 1) % len(choices)))
            case Button.SCAN:
                return enter(state, shown)
            case Button.OK:
                changed = _with_owners(result, choices[self.option])
                return continue_with(_save_if_changed(state, changed), to_mode(shown))

    def show_changed_result(self, state: State, before: Result) -> StepResult:
        return show_result(state)


@dataclass(frozen=True, slots=True)
class CorrectPlaces(Command):
    """Correct places: all of them, or none if one is no longer there.

    Attributes:
        result_id: ``Result.result_id`` of the result.
        answers: Pairs of a place and its answer: a face, kind of figure, or ``SpecialAnswer``.
    """

    result_id: int
    answers: tuple[tuple[Place, str | SpecialAnswer], ...]

    def run(self, state: State) -> StepResult:
        answered = state.result
        if answered is None or answered.result_id != self.result_id:
            return self.refuse(state)
        reading, places = answered.corrected_scan.reading, [place for place, _ in self.answers]
        if unknown_places(reading, answered.description, places):
            return self.refuse(state)  # the last piece of a heap has gone meanwhile
        for place, answer in self.answers:
            answered = with_answer(answered, place, answer)
        return _apply_command_change(state, answered)


@dataclass(frozen=True, slots=True)
class SetOwners(Command):
    """Set the owners of the grids.

    Attributes:
        result_id: ``Result.result_id`` of the result.
        owners: Index of the player for each grid.
    """

    result_id: int
    owners: tuple[int, ...]

    def run(self, state: State) -> StepResult:
        result = state.result
        if result is None or result.result_id != self.result_id:
            return self.refuse(state)
        if len(self.owners) != len(result.reading_to_correct.grids):
            return self.refuse(state)
        return _apply_command_change(state, _with_owners(result, self.owners))


def review_result(state: State) -> StepResult:
    """Go through everything unsure, from the beginning."""
    result = state.last_result
    # Whoever answers looks at this table, so the next scan probably shows it
    state = replace(state, expects_same_table=True)
    if not result.open_places:
        return _finish_places(state)
    none_has_effect = all(place in result.places_without_effect for place in result.open_places)
    return enter(
        state, ReviewMode(result.open_places, includes_places_without_effect=none_has_effect)
    )


def review_place(state: State, place: Place, picker: Mode) -> StepResult:
    """Review a single place, however sure it is.

    Args:
        state: State before.
        place: Place to review.
        picker: Mode in which the place was chosen.
    """
    return enter(replace(state, expects_same_table=True), ReviewMode((place,), picker=picker))


def _in_order(places: tuple[Place, ...], order: tuple[Place, ...]) -> tuple[Place, ...]:
    """Sort places by ``order``; those that are not in it, such as corrected ones, come first."""
    return tuple(sorted(places, key=lambda place: order.index(place) if place in order else -1))


def _finish_places(state: State, *, picked: bool = False) -> StepResult:
    """Ask who owns the grids if that is open, and once whether to learn the corrections."""
    result = state.last_result
    asks_owners = bool(result.owner_choices) and not picked
    after = OwnersMode() if asks_owners else state.standard_modes.result()
    game = state.choices.game(result.game_id)
    if (
        result.asked_to_learn
        or not result.misread_tiles
        or game is None
        or not game.taught_on_device
    ):
        return enter(state, after)
    state = replace(state, result=replace(result, asked_to_learn=True))
    return enter(state, ConfirmLearning(after))


def _with_owners(result: Result, owners: tuple[int, ...]) -> Result:
    return with_given_options(result, owners=owners)


def _save_if_changed(state: State, result: Result) -> StepResult:
    """Score and store a result; one without a change is not stored again."""
    is_same = state.last_result.given_answers == result.given_answers
    return (state, ()) if is_same else save_result(state, with_score(result))


def _apply_command_change(state: State, result: Result) -> StepResult:
    """Use a result that a command has changed; the display follows."""
    before = state.last_result
    if before.given_answers == result.given_answers:
        return state, ()
    so_far = save_result(state, with_score(result))
    return continue_with(so_far, lambda state: state.mode.show_changed_result(state, before))
