"""Undo of the last answer that a phone gave about a place, kept in a cookie of the phone."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from starlette.responses import Response

from firmware.appliance.result import Result
from firmware.base.language import _
from firmware.games.doubts import guesses_at
from firmware.games.player_words import shown_name
from firmware.page import result_values
from firmware.page.page_request import PageRequest
from firmware.scan.corrections import Correction
from firmware.scan.range_search import outcome_with
from vision.reading import Place

_COOKIE: Final = "undo"
_KEPT_S: Final = 600
_MAX_CHANGES: Final = 3
"""Players whose change is named: those whose points change, else those whose rank does."""
_MAX_COOKIE_CHARS: Final = 200
"""Longest cookie that is read."""


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """Answer that can be undone.

    Attributes:
        place_id: Place as it stands in an address.
        place: Place in words.
        answer: Answer in words.
        before_value: Value of the form that brings back what was there.
        effect: Changes of points and ranks by the answer, in words; empty without a score.
        result_id: ``Result.result_id`` of the result.
    """

    place_id: str
    place: str
    answer: str
    before_value: str
    effect: str
    result_id: int


def remember_answer(response: Response, result: Result, place: Place, value: str) -> None:
    """Remember an answer for undoing it.

    Args:
        response: Response to the phone that gave it.
        result: Result before the answer.
        place: Place of the answer.
        value: Answer as the form has it.
    """
    earlier = _correction_at(result, place)
    before_value = result_values.LATER if earlier is None else _value(earlier)
    place_id = result_values.place_id(place, result.corrected_scan)
    text = f"{_key(result)} {place_id} {before_value} {value}"
    response.set_cookie(_COOKIE, quote(text), max_age=_KEPT_S, httponly=True, samesite="strict")


def has_answer(result: Result, place: Place, value: str) -> bool:
    """Return whether a place has this answer already, as after the first of two taps."""
    correction = _correction_at(result, place)
    return correction is not None and _value(correction) == value


def forget_answer(response: Response) -> None:
    """Forget the answer, once it is undone."""
    response.delete_cookie(_COOKIE, httponly=True, samesite="strict")


def last_answer(request: PageRequest, result: Result) -> LastAnswer | None:
    """Return the last answer of a phone, if it is about this result and still holds."""
    given = unquote(request.http.cookies.get(_COOKIE, "")[:_MAX_COOKIE_CHARS]).split(" ")
    if len(given) != 4 or given[0] != _key(result):
        return None
    _result, place_id, before_value, value = given
    scan = result.corrected_scan
    place = result_values.find_place(place_id, scan)
    now = None if place is None else _correction_at(result, place)
    if place is None or now is None or _value(now) != value:  # somebody else has answered since
        return None
    return LastAnswer(
        place_id,
        result_values.place_name(place, scan),
        result_values.piece_name(result.game_id, now.content, place.kind),
        before_value,
        _effect(result, place, now, before_value),
        result.result_id,
    )


def _key(result: Result) -> str:
    """Return a text for a result and its number of cities, with which their letters may change."""
    return f"{result.result_id}/{len(result.reading_to_correct.grids)}"


def _value(correction: Correction) -> str:
    """Return the value of the form for an answer."""
    return result_values.NOTHING if correction.content is None else correction.content


def _effect(result: Result, place: Place, now: Correction, before_value: str) -> str:
    """Return the changes by an answer, with all other answers as they are now."""
    scan = result.scan
    if scan is None or scan.game is None:
        return ""
    face = None if before_value == result_values.NOTHING else before_value
    if before_value == result_values.LATER:
        face = guesses_at(result.reading_to_correct.grids[place.grid], place)[0]
    old, new = outcome_with(scan, place, face), outcome_with(scan, place, now.content)
    if old is None or new is None:
        return ""
    names = [shown_name(each.name) for each in scan.game.player_results(scan.sheet)]
    seats = sorted(range(len(names)), key=new.ranks.__getitem__)
    scored = [seat for seat in seats if old.finals[seat] != new.finals[seat]]
    changed = scored or [seat for seat in seats if old.ranks[seat] != new.ranks[seat]]
    if not changed:
        return _("No points and no ranks change.")
    parts = [
        _change(names[seat], new.finals[seat] - old.finals[seat], old.ranks[seat], new.ranks[seat])
        for seat in changed[:_MAX_CHANGES]
    ]
    return " · ".join(parts) + (" …" if len(changed) > _MAX_CHANGES else "")


def _change(name: str, points: int, old_rank: int, rank: int) -> str:
    """Return the change of a player: ``Ann +3, now rank 2``."""
    text = f"{name} {points:+d}".replace("-", "−") if points else name
    return text if rank == old_rank else _("{player}, now rank {n}").format(player=text, n=rank)


def _correction_at(result: Result, place: Place) -> Correction | None:
    return next((each for each in result.corrections if each.place == place), None)
