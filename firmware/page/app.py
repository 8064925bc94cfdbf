"""Addresses of the page with their handlers; ``docs/page.md`` lists them.

Pages are made of the state that the appliance has published. A form carries out a command and leads
back to a page, so that everything works without a script; the script only follows changes.
"""

import logging
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from math import ceil
from threading import Lock
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route

from firmware.appliance.features.failure import FailureMode
from firmware.appliance.features.reviewing import CorrectPlaces, SetOwners
from firmware.appliance.features.scanning import AnswerSameTable
from firmware.appliance.result import Result, with_answer, with_score
from firmware.base import language
from firmware.base.errors import FirmwareError, OutputError, wrap_unexpected
from firmware.base.language import _, _n, in_language
from firmware.page import answer_undo, pictures, result_overview, result_values
from firmware.page.access import COOKIE
from firmware.page.api import routes as api_routes
from firmware.page.club_pages import ClubPages
from firmware.page.context import LANGUAGE_COOKIE, PageContext
from firmware.page.edition_pages import EditionPages
from firmware.page.event_streams import EventStreams
from firmware.page.page_request import (
    Handler,
    PageRequest,
    RequestRefused,
    api_error_response,
    client_address,
    is_api_path,
    multipart_fields,
    status_of_unusable,
)
from firmware.page.past_game_pages import PastGamePages
from firmware.page.phone_clock import PhoneClock
from firmware.page.phone_words import PHONE_WORDINGS
from firmware.page.photo_pages import PhotoPages
from firmware.page.player_pages import PlayerPages
from firmware.page.security import FORM_BYTES
from firmware.page.settings_form import SettingsForm
from firmware.page.setup_pages import SetupPages
from firmware.page.static_files import PageStaticFiles
from firmware.page.support_page import SupportPage
from firmware.page.wizard_pages import WizardPages
from firmware.screens.question_views import SpecialAnswer
from firmware.wording.problem_text import problem_line, translate
from vision.arrays import Image
from vision.errors import VisionError
from vision.message import Message
from vision.photo.load import MAX_PHOTO_BYTES
from vision.reading import Place

THREADS: Final = 4
"""Number of responses that are made at the same time."""
MAX_FIELDS: Final = 300
"""Largest number of fields of a form."""
UPLOAD: Final = "/photo"
CALIBRATE_UPLOAD: Final = "/calibrate/photo"
TEACH_UPLOAD: Final = "/teach/photo"

_YEAR_S: Final = 365 * 86_400

_log: Final = logging.getLogger(__name__)


@asynccontextmanager
async def _limit_threads(_app: Starlette) -> AsyncIterator[None]:
    from anyio.to_thread import current_default_thread_limiter

    current_default_thread_limiter().total_tokens = THREADS
    yield


class PageApp:
    """Application that responds to phones and programs.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._past = PastGamePages(context)
        self._photos = PhotoPages(context, self._past)
        self._setup = SetupPages(context)
        self._players = PlayerPages(context)
        self._club = ClubPages(context)
        self._wizards = WizardPages(context)
        self._editions = EditionPages(context)
        self._settings = SettingsForm(context)
        self._support = SupportPage(context)
        self._answering = Lock()
        self._last_same_table: tuple[str, str] | None = None
        """Values of the form by which the same game was last confirmed or denied."""

    def build(self) -> Starlette:
        """Return the application with the routes of all addresses."""
        pages, changes = self._page_handlers(), self._change_handlers()
        routes: list[BaseRoute] = [
            *(self._route(path, handle, "GET") for path, handle in pages.items()),
            *(self._route(path, handle, "POST", changes=True) for path, handle in changes.items()),
            self._route("/pin", self._pin_given, "POST"),
            Route("/events", EventStreams(self._context).open, methods=["GET"]),
            *api_routes(self._context),
        ]
        error_handlers: dict[Any, Any] = {
            HTTPException: self._http_error,
            Exception: self._internal_error,
        }
        app = Starlette(routes=routes, lifespan=_limit_threads, exception_handlers=error_handlers)
        app.mount("/static", GZipMiddleware(PageStaticFiles()))
        return app

    def _page_handlers(self) -> dict[str, Handler]:
        """Return the handlers of pages, pictures and files by path."""
        past, setup = self._past, self._setup
        return {
            "/": self._sheet,
            "/reasons": self._reasons,
            "/better": self._better,
            "/photo.jpg": self._photo,
            "/photos/{index:int}.jpg": self._one_photo,
            "/failed.jpg": self._failed_photo,
            "/failed/{index:int}.jpg": self._unused_photo,
            "/grid/{index:int}.jpg": self._grid_picture,
            "/place/{place}": self._place,
            "/place/{place}/picture.jpg": self._place_picture,
            "/setup": setup.show,
            "/history": past.history,
            "/history/{seq:int}": past.game,
            "/history/{seq:int}/reasons": self._reasons,
            "/history/{seq:int}/better": self._better,
            "/history/{seq:int}/photos/{index:int}.jpg": self._one_photo,
            "/history/{seq:int}/grid/{index:int}.jpg": self._grid_picture,
            "/history/{seq:int}/place/{place}": self._place,
            "/history/{seq:int}/place/{place}/picture.jpg": self._place_picture,
            "/history/{seq:int}/share.jpg": past.share,
            "/history/{seq:int}/photo.jpg": past.game_photo,
            "/history/{seq:int}/game.bgsplay": past.bg_stats,
            "/history/scans.csv": past.as_csv,
            "/history/scans.json": past.as_json,
            "/history/{seq:int}/thumbnail.jpg": past.thumbnail,
            "/statistics": past.statistics,
            "/club": self._club.show,
            "/club/screen": self._club.screen,
            "/player-games.csv": self._players.as_csv,
            "/players/{name:path}": self._players.show,
            "/doctor": setup.doctor,
            "/camera": setup.camera,
            "/camera/picture.jpg": setup.camera_picture,
            "/calibrate": self._wizards.calibrate,
            "/calibrate/sheet.pdf": self._wizards.sheet_to_print,
            "/teach": self._wizards.teach,
            "/teach/group/{index:int}.jpg": self._wizards.group_picture,
            "/editions": self._editions.list,
            "/editions/{name}": self._editions.show,
            "/editions/{name}/sheet.png": self._editions.contact_sheet,
            "/settings": self._settings.show,
            "/support": self._support.show,
            "/pin": self._pin,
            "/P/{pin}": self._pin_scanned,
        }

    def _change_handlers(self) -> dict[str, Handler]:
        """Return the handlers of forms that change something, by path."""
        past, photos = self._past, self._photos
        return {
            "/scan": photos.scan,
            "/sample": photos.try_sample,
            UPLOAD: photos.upload,
            "/photos": photos.end_series,
            "/order": photos.set_order,
            "/same-city": photos.answer_same_city,
            "/place/{place}": self._correct,
            "/owners": self._choose_owners,
            "/same-table": self._answer_same_table,
            "/setup": self._setup.change,
            "/history/{seq:int}/place/{place}": self._correct,
            "/history/{seq:int}/order": photos.set_order,
            "/history/{seq:int}/same-city": photos.answer_same_city,
            "/history/{seq:int}": past.change,
            "/history/{seq:int}/delete": past.delete,
            "/history/{seq:int}/restore": past.restore,
            "/history/forget": past.empty_bin,
            "/players/{name:path}": self._players.rename,
            "/history/delete-photos": past.delete_photos,
            "/clock": PhoneClock(self._context).take,
            "/camera": self._setup.switch_aiming,
            "/calibrate": self._wizards.change_calibration,
            CALIBRATE_UPLOAD: self._wizards.take_over_photo,
            "/teach": self._wizards.change_teaching,
            TEACH_UPLOAD: self._wizards.take_over_photo,
            "/editions/{name}": self._editions.change,
            "/club": self._club.change,
            "/settings": self._settings.change,
            "/support": self._support.file,
        }

    def _route(self, path: str, handle: Handler, method: str, *, changes: bool = False) -> Route:
        respond = partial(self._respond, handle=handle, changes=changes)
        return Route(path, self._context.limit.make_endpoint(respond), methods=[method])

    # Steps of each response

    def _respond(self, http: Request, body: bytes, handle: Handler, *, changes: bool) -> Response:
        request = self._context.make_request(http, body)
        with in_language(request.language, PHONE_WORDINGS):
            try:
                if http.method == "POST":
                    request = self._with_form(request, changes=changes)
                if changes and not request.is_trusted:
                    return self._ask_pin(request)
                response = handle(request)
            except RequestRefused as error:
                response = self._error_page(request, error.status, error.reason)
            except OutputError as error:
                status = HTTPStatus.INSUFFICIENT_STORAGE
                response = self._error_page(request, status, translate(error))
            except (FirmwareError, VisionError) as error:
                # A page that is not there, or whose files are damaged, else a form
                is_page = http.method == "GET"
                status = HTTPStatus.NOT_FOUND if is_page else status_of_unusable(error)
                response = self._error_page(request, status, translate(error))
        if http.query_params.get("lang") in language.LANGUAGES:
            response.set_cookie(
                LANGUAGE_COOKIE, request.language, max_age=_YEAR_S, httponly=True, samesite="strict"
            )
        return response

    def _with_form(self, request: PageRequest, *, changes: bool) -> PageRequest:
        """Return the request with its form, which has to be one that was made for this phone."""
        form: dict[str, str] = {}
        body, content_type = request.body, request.http.headers.get("content-type", "")
        kind = content_type.partition(";")[0]
        try:
            if kind == "multipart/form-data":
                parts = multipart_fields(body, content_type, MAX_FIELDS)
                body = parts.pop("photo", b"")
                if any(len(value) > FORM_BYTES for value in parts.values()):
                    raise RequestRefused(HTTPStatus.BAD_REQUEST, _("This is no form."))
                form = {name: value.decode("utf-8") for name, value in parts.items()}
            elif kind == "application/x-www-form-urlencoded" and len(body) <= FORM_BYTES:
                text = body.decode("utf-8")
                form = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS))
            elif request.http.url.path != UPLOAD:
                raise RequestRefused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _("This is no form."))
        except ValueError as error:
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("This is no form.")) from error
        given = form.pop("form_token", request.http.headers.get("x-form-token", ""))
        if (
            changes
            and request.is_trusted
            and not self._context.access.is_form_token(given, request.token)
        ):
            raise RequestRefused(
                HTTPStatus.FORBIDDEN, _("This form is too old: load the page again.")
            )
        return replace(request, body=body, form=form)

    def _error_page(self, request: PageRequest, status: HTTPStatus, message: str) -> Response:
        return self._context.render(request, "error", status, message=message)

    async def _http_error(self, http: Request, error: HTTPException) -> Response:
        headers = {}
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            headers["Allow"] = ", ".join(sorted(_methods_of(http)))
        if is_api_path(http.url.path):
            with in_language(self._context.language_of(http)):
                return _api_error(HTTPStatus(error.status_code), headers)
        request = self._context.make_request(http)
        with in_language(request.language, PHONE_WORDINGS):
            message = {
                HTTPStatus.NOT_FOUND: _("There is no such page."),
                HTTPStatus.METHOD_NOT_ALLOWED: _("This cannot be done here."),
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE: _(
                    "This is too much, or comes too slowly: send less, or faster."
                ),
            }.get(HTTPStatus(error.status_code), error.detail)
            response = self._error_page(request, HTTPStatus(error.status_code), message)
        response.headers.update(headers)
        return response

    async def _internal_error(self, http: Request, error: Exception) -> Response:
        _log.warning("%s", problem_line(wrap_unexpected(error)))
        if is_api_path(http.url.path):
            status, why = (
                HTTPStatus.INTERNAL_SERVER_ERROR,
                Message("the page has failed: see its log"),
            )
            with in_language(self._context.language_of(http)):
                return api_error_response("internal-error", status, why)
        request = self._context.make_request(http)
        with in_language(request.language, PHONE_WORDINGS):
            message = _("This page failed, the scanner still works: load it again.")
            return self._error_page(request, HTTPStatus.INTERNAL_SERVER_ERROR, message)

    # The PIN

    def _ask_pin(self, request: PageRequest) -> Response:
        back = request.http.url.path
        return self._context.redirect(
            f"/pin?to={quote(back if back in _PAGES_TO_RETURN_TO else '/')}"
        )

    def _pin(
        self,
        request: PageRequest,
        message: str = "",
        status: HTTPStatus = HTTPStatus.OK,
        pin: str = "",
    ) -> Response:
        path = _own_path(request.form.get("to") or request.query_value("to"))
        return self._context.render(request, "pin", status, to=path, message=message, pin=pin)

    def _pin_given(self, request: PageRequest) -> Response:
        pin, path = request.form.get("pin", ""), request.form.get("to", "/")
        address = client_address(request.http)
        token = self._context.access.token_for("".join(pin.split())[:20], address)
        if token is None:
            wait_s = ceil(self._context.access.wait_s(address))
            message = _("This is not the PIN.")
            if wait_s:
                message = _n(
                    "Too many wrong PINs: try again in {n} second.",
                    "Too many wrong PINs: try again in {n} seconds.",
                    wait_s,
                )
            status = HTTPStatus.TOO_MANY_REQUESTS if wait_s else HTTPStatus.FORBIDDEN
            return self._pin(request, message, status)
        response = self._context.redirect(_own_path(path))
        response.set_cookie(COOKIE, token, max_age=_YEAR_S, httponly=True, samesite="strict")
        return response

    def _pin_scanned(self, request: PageRequest) -> Response:
        """Show the form with the PIN of the QR code on the display; it still has to be sent.

        Any page elsewhere can have a browser come here: if that alone sent a PIN, it would use up
        the tries of this phone's address.
        """
        return (
            self._context.redirect("/")
            if request.is_trusted
            else self._pin(request, pin=request.path_value("pin"))
        )

    # Pages

    def _sheet(self, request: PageRequest) -> Response:
        result = self._context.last_result()
        sheet_values = (
            None if result is None else result_overview.sheet_values_with_overview(result)
        )
        more = self._photos.series_values(request)
        more["undone"] = None if result is None else answer_undo.last_answer(request, result)
        return self._context.render(
            request, "sheet", sheet=sheet_values, past=None, game_path="", **more
        )

    def _reasons(self, request: PageRequest) -> Response:
        reasons = result_values.reason_values(self._shown_result(request))
        return self._context.render(request, "reasons", game_path=request.game_path, **reasons)

    def _better(self, request: PageRequest) -> Response:
        cities = result_values.better_values(self._shown_result(request))
        if not cities:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no such page."))
        return self._context.render(request, "better", game_path=request.game_path, cities=cities)

    def _shown_result(self, request: PageRequest) -> Result:
        """Return the result that the address is about: a past game, or the last result."""
        if request.game_path:
            return self._past.result(request)
        result = self._context.last_result()
        if result is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("Nothing was scanned yet."))
        return result

    def _key(self, result: Result) -> tuple[Any, ...]:
        """Return the cache key of a result's pictures, with the language of their words."""
        return (
            result.result_id,
            result.given_answers,
            id(result.scan_or_problem),
            language.current_language(),
        )

    def _picture(self, result: Result, key: Hashable, make: Callable[[], Image | None]) -> Response:
        if result.photo is None:  # deleted; what was drawn of it may still be in the cache
            return self._context.file_response(None)
        return self._context.file_response(self._context.pictures.get(key, make))

    def _photo(self, request: PageRequest) -> Response:
        result = self._shown_result(request)
        make = partial(pictures.annotated_photo, result)
        return self._picture(result, ("photo", *self._key(result)), make)

    def _failed_photo(self, _request: PageRequest) -> Response:
        """Return the last photo if nothing could be scored in it."""
        mode = self._context.channel.state.mode
        failed = mode.failed if isinstance(mode, FailureMode) else None
        drawn = None if failed is None else pictures.encode_jpeg(pictures.failed_photo(failed))
        return self._context.file_response(drawn)

    def _unused_photo(self, request: PageRequest) -> Response:
        """Return one of several photos none of which could be used."""
        mode, index = self._context.channel.state.mode, int(request.path_value("index"))
        unused = mode.unused if isinstance(mode, FailureMode) else ()
        photo = unused[index].photo if index < len(unused) else None
        drawn = None if photo is None else pictures.encode_jpeg(photo.image_bgr)
        return self._context.file_response(drawn)

    def _one_photo(self, request: PageRequest) -> Response:
        """Return one of several photos with all that was read."""
        result, index = self._shown_result(request), int(request.path_value("index"))
        join = result.reading_to_correct.join
        if join is None or index >= len(join.photos):
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        make = partial(pictures.annotated_single_photo, result, index)
        return self._picture(result, ("photo", index, *self._key(result)), make)

    def _grid_picture(self, request: PageRequest) -> Response:
        result, index = self._shown_result(request), int(request.path_value("index"))
        if index >= len(result.reading_to_correct.grids):
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        make = partial(pictures.grid_picture, result, index)
        return self._picture(result, ("grid", result_values.picture_version(result), index), make)

    def _found_place(self, request: PageRequest) -> tuple[Result, Place]:
        result = self._shown_result(request)
        place = result_values.find_place(request.path_value("place"), result.corrected_scan)
        if place is None:
            raise RequestRefused(
                HTTPStatus.NOT_FOUND, _("There is no such place in the last result.")
            )
        return result, place

    def _place(self, request: PageRequest) -> Response:
        result, place = self._found_place(request)
        return self._context.render(
            request,
            "place",
            game_path=request.game_path,
            place=result_overview.place_values_with_pictures(result, place),
            undone=answer_undo.last_answer(request, result),
        )

    def _place_picture(self, request: PageRequest) -> Response:
        result, place = self._found_place(request)
        make = partial(pictures.place_close_up, result, place)
        return self._picture(result, ("place", result_values.picture_version(result), place), make)

    # Changes

    def _correct(self, request: PageRequest) -> Response:
        result, place = self._found_place(request)
        # Forms have the result ID as ``table``
        if request.form.get("table") != str(result.result_id):
            raise self._context.other_table_refusal()
        answer = result_values.parse_choice(request.form.get("answer", ""), result, place)
        if answer is None:
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be there."))
        game_path = request.game_path
        if game_path:
            self._past.correct(result, place, answer)
        else:
            self._context.submit(CorrectPlaces(result.result_id, ((place, answer),)))
        after = self._shown_result(request)
        if "undo" in request.form:
            is_open = place in after.open_places
            here = f"{game_path}/place/{quote(request.path_value('place'), safe=':,')}"
            response = self._context.redirect(here if is_open else game_path or "/")
            answer_undo.forget_answer(response)
            return response
        before = result
        if answer_undo.has_answer(result, place, request.form["answer"]):
            before = with_score(with_answer(result, place, SpecialAnswer.LATER))
        response = self._context.redirect(_path_after_answer(before, after, place, game_path))
        answer_undo.remember_answer(response, before, place, request.form["answer"])
        return response

    def _choose_owners(self, request: PageRequest) -> Response:
        result = self._shown_result(request)
        given = request.form.get("owners", "")
        choice = next(
            (each for each in result.owner_choices if ",".join(map(str, each)) == given), None
        )
        if choice is None or request.form.get("table") != str(result.result_id):
            raise self._context.other_table_refusal()
        self._context.submit(SetOwners(result.result_id, choice))
        return self._context.redirect("/")

    def _answer_same_table(self, request: PageRequest) -> Response:
        table, answer = request.form.get("table"), request.form.get("same")
        with self._answering:
            if (table, answer) == self._last_same_table:  # a second tap; the result has a new ID
                return self._context.redirect("/")
            result = self._shown_result(request)
            if table != str(result.result_id):
                raise self._context.other_table_refusal()
            if answer not in ("yes", "no"):
                raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
            self._context.submit(AnswerSameTable(result.result_id, answer == "yes"))
            self._last_same_table = table, answer
        return self._context.redirect("/")


def _methods_of(http: Request) -> set[str]:
    """Return the methods of all routes of an address."""
    matching = (each for each in http.app.routes if each.matches(http.scope)[0] is not Match.NONE)
    return set().union(*(getattr(each, "methods", None) or () for each in matching))


def _api_error(status: HTTPStatus, headers: Mapping[str, str]) -> JSONResponse:
    """Return the response to a program for an HTTP error."""
    if status is HTTPStatus.NOT_FOUND:
        why = Message("there is no such address: see the description")
        return api_error_response("not-found", status, why, headers)
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        why = Message("use GET or POST: see the description")
        return api_error_response("method-not-allowed", status, why, headers)
    why = Message("too much, or too slow: send less, or faster")
    return api_error_response("too-much", status, why, headers)


def _path_after_answer(before: Result, after: Result, place: Place, game_path: str) -> str:
    """Return the address of the next open place, or of the result.

    The next one is the most decisive of those that followed, or of all if none followed. Places
    that the answer has settled are left out.

    Args:
        before: Result before the answer.
        after: Result with the answer.
        place: Place that was answered.
        game_path: Address of a past game; empty for the last result.
    """
    left = [each for each in after.open_places if each != place]
    if place not in before.open_places or not left:
        return game_path or "/"
    followers = before.open_places[before.open_places.index(place) + 1 :]
    following = next((each for each in left if each in followers), left[0])
    following_id = result_values.place_id(following, after.corrected_scan)
    return f"{game_path}/place/{quote(following_id, safe=':,')}"


MAX_BODY_BYTES: Final = {
    **dict.fromkeys((UPLOAD, CALIBRATE_UPLOAD, TEACH_UPLOAD, "/api/v1/scan"), MAX_PHOTO_BYTES),
    "/api/v1/score": 256 * 1024,
    "/api/v1/tables": 1024 * 1024,
}
"""Largest body in bytes by path, where it may exceed ``FORM_BYTES``."""

_PAGES_TO_RETURN_TO: Final = (
    *("/setup", "/camera", "/history", "/club"),
    *("/calibrate", "/teach", "/editions", "/settings", "/support"),
)
"""Paths whose form is shown again once the PIN was given; after other changes it is ``/``."""


def _own_path(given: str) -> str:
    """Return a path if it leads to this page, else ``/``."""
    is_own = given.startswith("/") and given.isascii() and given.isprintable()
    return given if is_own and not given.startswith("//") and "\\" not in given else "/"
