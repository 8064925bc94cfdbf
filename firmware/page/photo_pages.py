"""Photos that a phone sends: one or several of a table, and what several leave open."""

from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from firmware.appliance.features.joined_cities import (
    AnswerSameCity,
    SetCityOrder,
    is_complete_order,
    is_question_open,
    with_city_answer,
    with_order,
)
from firmware.appliance.features.photo_series import AddPhoto, EndPhotoSeries, room_for_photos
from firmware.appliance.features.scanning import ScanningMode, StartScan
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.base.language import _
from firmware.data import SAMPLE
from firmware.page import joined_values
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused
from firmware.page.past_game_pages import PastGamePages
from firmware.page.settings_form import names_refusal, parse_players
from firmware.settings import Settings
from vision.joining.picture import MAX_PHOTOS
from vision.photo.load import MAX_PHOTO_BYTES, load_photo

_MAX_KEY_CHARS: Final = 40
"""Longest key of a series; the page makes one of 20 characters at most."""


class PhotoPages:
    """Photos sent by phones, and answers about the cities of several photos.

    Args:
        context: Context of the page.
        past: Pages of past games.
    """

    def __init__(self, context: PageContext, past: PastGamePages) -> None:
        self._context, self._past = context, past

    def scan(self, _request: PageRequest) -> Response:
        """Scan the table with the camera."""
        self._context.submit_once(StartScan(), _is_scanning)
        return self._context.redirect("/")

    def try_sample(self, _request: PageRequest) -> Response:
        """Read the bundled photo, for someone without a photo at hand."""
        self._context.submit_once(StartScan(load_photo(SAMPLE), trial=True), _is_scanning)
        return self._context.redirect("/")

    def upload(self, request: PageRequest) -> Response:
        """Read a photo: the only one of a table, or one of several."""
        key = request.query_value("series")
        if len(key) > _MAX_KEY_CHARS:
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("This is no form."))
        if not key:
            self._context.submit(StartScan(self._context.decode_upload(request.body)))
            return self._context.redirect("/")
        number, count = _number_in(request, "number"), _number_in(request, "of")
        adds_to = _number_in(request, "adds") if request.query_value("adds") else None
        result = self._result(adds_to)
        room = MAX_PHOTOS if result is None else room_for_photos(result, self._settings)
        if count > room > 0:
            message = _("One game may have {n} photos at most: choose fewer.").format(n=MAX_PHOTOS)
            raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, message)
        command = AddPhoto(request.body, key, number, count, adds_to)
        state = self._context.channel.state
        if command.is_allowed(state) and not command.can_be_added(state):
            message = _("Meanwhile something else was scanned: send all photos of this game again.")
            raise RequestRefused(HTTPStatus.CONFLICT, message)
        self._context.submit(command)
        return self._context.redirect("/")

    def end_series(self, request: PageRequest) -> Response:
        """Score the photos that are there, or forget them."""
        is_scored = request.form.get("do") == "score"
        self._context.submit(EndPhotoSeries(request.form.get("series", ""), is_scored))
        return self._context.redirect("/")

    def set_order(self, request: PageRequest) -> Response:
        """Set the order of the cities round the table, and the players between them."""
        result, base = self._result_of_form(request)
        order = joined_values.parse_order(request.form.get("order", ""))
        if order is None or not is_complete_order(result, order):
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        has_names = "name0" in request.form
        named = parse_players(request.form, len(order)) if has_names else None
        if has_names and named is None:
            raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, names_refusal())
        if base:
            self._past.store(result, with_order(result, order, named))
        else:
            self._context.submit(SetCityOrder(result.result_id, order, named))
        return self._context.redirect(base or "/")

    def answer_same_city(self, request: PageRequest) -> Response:
        """Answer whether two cities are one, seen twice; a second tap changes nothing."""
        (result, base), same = self._result_of_form(request), request.form.get("same")
        found = joined_values.parse_order(request.form.get("cities", "")) or ()
        count = joined_values.parse_order(request.form.get("count", "")) or ()
        if len(found) != 2 or len(count) != 1 or same not in ("yes", "no"):
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        pair = found[0], found[1]
        if not base:
            answer = AnswerSameCity(result.result_id, pair, count[0], is_same=same == "yes")
            self._context.submit(answer)
        elif is_question_open(result, pair, count[0]):
            self._past.store(result, with_city_answer(result, pair, is_same=same == "yes"))
        return self._context.redirect(base or "/")

    def series_values(self, request: PageRequest) -> dict[str, Any]:
        """Return the values of the last result's photos for its page."""
        result = self._context.last_result()
        chosen_order = joined_values.parse_order(request.query_value("order"))
        joined = {} if result is None else joined_values.joined_values(result, chosen_order)
        room = 0 if result is None else room_for_photos(result, self._settings)
        return {
            "joined": joined | {"room": 0 if self._context.channel.has_devices else room},
            "series": joined_values.series_values(self._context.channel.state.mode),
            "most_photos": MAX_PHOTOS,
            "most_photo_bytes": MAX_PHOTO_BYTES,
            "known_names": self._context.channel.state.choices.names,
        }

    @property
    def _settings(self) -> Settings:
        return self._context.channel.state.settings

    def _result(self, table: int | None) -> Result | None:
        result = self._context.last_result()
        return result if result is not None and result.result_id == table else None

    def _result_of_form(self, request: PageRequest) -> tuple[Result, str]:
        """Return the result that a form is about, with the ``game_path`` to lead back to.

        The form has to name its result. The path is empty for the last result, also if the
        address is that of its game.
        """
        result, game_path = self._context.last_result(), request.game_path
        if game_path and (result is None or f"/history/{result.seq}" != game_path):
            result = self._past.result(request)
        elif game_path and result is not None:
            return result, ""
        if result is None or request.form.get("table") != str(result.result_id):
            raise self._context.other_table_refusal()
        return result, game_path


def _is_scanning(state: State) -> bool:
    return isinstance(state.mode, ScanningMode)


def _number_in(request: PageRequest, name: str) -> int:
    given = request.query_value(name)
    if not (given.isascii() and given.isdigit() and 0 < len(given) < 10 and int(given)):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, _("This is no form."))
    return int(given)
