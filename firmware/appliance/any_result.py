"""A result of any game: what is done with it alike, whatever it was read by."""

from firmware.appliance.board_result import (
    BoardAnswer,
    BoardResult,
    answered_board,
    board_options,
    scored_board,
)
from firmware.appliance.result import (
    Answer,
    Result,
    answered,
    forgotten,
    options,
    scored,
    scored_anew,
)
from firmware.board_games.spots import Spot
from firmware.screens.views import Other
from firmware.settings import Settings
from scoring.faces import Face, Place

AnyResult = Result | BoardResult
AnyPlace = Place | Spot
"""Of a tile in a city of Between Two Cities; of anything in the other games."""
AnyAnswer = Answer | BoardAnswer


def with_score(result: AnyResult, settings: Settings) -> AnyResult:
    """The result with the score that all corrections and settings give."""
    if isinstance(result, BoardResult):
        return scored_board(result, settings)
    return scored(result, settings)


def with_settings(result: AnyResult, settings: Settings) -> AnyResult:
    """The result after other settings, with all that it is compared with."""
    if isinstance(result, BoardResult):
        return scored_board(result, settings)
    return scored_anew(result, settings)


def offered_for(result: AnyResult, place: AnyPlace) -> tuple[AnyAnswer, ...]:
    """What to offer for a place of this result, the likeliest first."""
    if isinstance(result, BoardResult):
        return board_options(result, _spot(place))
    return options(result, _place(place))


def with_answer(result: AnyResult, place: AnyPlace, answer: AnyAnswer) -> AnyResult:
    """The result after a person chose one of the offers; not yet scored again."""
    if isinstance(result, BoardResult):
        return answered_board(result, _spot(place), answer)
    if answer is Other.LATER:
        return forgotten(result, _place(place))
    return answered(result, _place(place), answer if isinstance(answer, Face) else None)


def _spot(place: AnyPlace) -> Spot:
    assert isinstance(place, Spot)  # noqa: S101 - places are those of the result
    return place


def _place(place: AnyPlace) -> Place:
    assert not isinstance(place, Spot)  # noqa: S101 - the same
    return place
