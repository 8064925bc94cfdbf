"""Undo of the last answer that a phone gave about a place, kept in a cookie of the phone."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from starlette.responses import Response

from firmware.appliance.result import Result
from firmware.page import result_values
from firmware.page.page_request import PageRequest
from firmware.scan.corrections import Correction
from vision.reading import Place

_COOKIE: Final = "undo"
_KEPT_S: Final = 600
_MOST_LETTERS: Final = 200
"""Longest cookie that is read."""


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """Answer that can be undone.

    Attributes:
        place_id: Place as it stands in an address.
        place: Place in words.
        said: Answer in words.
        before: Value of the form that brings back what was there.
        table: ``Result.scan_number`` of the result.
    """

    place_id: str
    place: str
    said: str
    before: str
    table: int


def remember_answer(response: Response, result: Result, place: Place) -> None:
    """Remember an answer for undoing it.

    Args:
        response: Response to the phone that gave it.
        result: Result before the answer.
        place: Place of the answer.
    """
    before = _correction_at(result, place)
    value = result_values.LATER
    if before is not None:
        value = result_values.NOTHING if before.said is None else before.said
    text = f"{result.scan_number} {result_values.place_id(place, result.checked)} {value}"
    response.set_cookie(_COOKIE, quote(text), max_age=_KEPT_S, httponly=True, samesite="strict")


def forget_answer(response: Response) -> None:
    """Forget the answer, once it is undone."""
    response.delete_cookie(_COOKIE, httponly=True, samesite="strict")


def last_answer(request: PageRequest, result: Result) -> LastAnswer | None:
    """Return the last answer of a phone, if it is about this result and still holds."""
    given = unquote(request.http.cookies.get(_COOKIE, "")[:_MOST_LETTERS]).split(" ")
    if len(given) != 3 or given[0] != str(result.scan_number):
        return None
    scan = result.checked
    place = result_values.find_place(given[1], scan)
    now = None if place is None else _correction_at(result, place)
    if place is None or now is None:
        return None
    return LastAnswer(
        given[1],
        result_values.place_name(place, scan),
        result_values.piece_name(result.game, now.said, place.kind),
        given[2],
        result.scan_number,
    )


def _correction_at(result: Result, place: Place) -> Correction | None:
    return next((each for each in result.corrections if each.place == place), None)
