"""The addresses of the page, and what each shows or does; ``docs/page.md`` lists them.

What is shown is made of the state that the appliance has handed over. A form has a wish done, and
leads back to a page, so that it all works without a script; the script only follows what changes.
"""

import logging
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles

from firmware.appliance.features.aiming import AimingMode, StartAiming, StopAiming
from firmware.appliance.features.checking import CorrectPlace, SetOwners
from firmware.appliance.features.game_choice import ChooseGame
from firmware.appliance.features.scanning import AnswerSameTable, StartScanning
from firmware.appliance.result import Result
from firmware.appliance.stored_settings import ChangeSettings
from firmware.base import language
from firmware.base.errors import FirmwareError, OutputError, error_line, translate, wrap_unforeseen
from firmware.base.language import _, _n, in_language
from firmware.data import SAMPLE
from firmware.page import content, pictures
from firmware.page.access import COOKIE
from firmware.page.api import routes
from firmware.page.call import (
    Act,
    Call,
    Refused,
    address_of,
    endpoint,
    is_of_api,
    parts_of,
    refusal,
)
from firmware.page.event_streams import EventStreams
from firmware.page.guard import FORM_BYTES
from firmware.page.past import PastGames
from firmware.page.phone_words import ON_PHONE
from firmware.page.setting_up import SettingUp
from firmware.page.settings_form import SettingsForm
from firmware.page.site import LANGUAGE_COOKIE, Site
from firmware.page.support import SupportPage
from firmware.settings.rules import rule_of
from vision.arrays import Image
from vision.errors import VisionError
from vision.photo.load import MAX_BYTES, load_photo

THREADS: Final = 4
"""Answers that are made at the same time."""
MOST_FIELDS: Final = 300
"""Of a form."""
UPLOAD: Final = "/photo"
CALIBRATE_UPLOAD: Final = "/calibrate/photo"
TEACH_UPLOAD: Final = "/teach/photo"

_YEAR_S: Final = 365 * 86_400

_log: Final = logging.getLogger(__name__)


class App:
    """Answers the requests.

    Args:
        site: the page.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._past = PastGames(site)

    def starlette(self) -> Starlette:
        """All addresses."""
        past, guide = self._past, SettingUp(self._site)
        settings, support = SettingsForm(self._site), SupportPage(self._site)
        shown: dict[str, Act] = {
            "/": self._sheet,
            "/reasons": self._reasons,
            "/better": self._better,
            "/photo.jpg": self._photo,
            "/grid/{index:int}.jpg": self._grid_picture,
            "/place/{place}": self._place,
            "/place/{place}/picture.jpg": self._place_picture,
            "/setup": self._setup,
            "/history": past.history,
            "/history/{seq:int}": past.game,
            "/history/{seq:int}/reasons": self._reasons,
            "/history/{seq:int}/better": self._better,
            "/history/{seq:int}/grid/{index:int}.jpg": self._grid_picture,
            "/history/{seq:int}/place/{place}": self._place,
            "/history/{seq:int}/place/{place}/picture.jpg": self._place_picture,
            "/history/{seq:int}/share.jpg": past.share,
            "/history/{seq:int}/photo.jpg": past.game_photo,
            "/history/{seq:int}/game.bgsplay": past.bg_stats,
            "/history/scans.csv": past.as_csv,
            "/history/scans.json": past.as_json,
            "/statistics": past.statistics,
            "/doctor": self._doctor,
            "/camera": self._camera,
            "/camera/picture.jpg": self._camera_picture,
            "/calibrate": guide.calibrate,
            "/calibrate/sheet.pdf": guide.sheet_to_print,
            "/teach": guide.teach,
            "/teach/group/{index:int}.jpg": guide.group_picture,
            "/editions": guide.editions,
            "/editions/{name}": guide.edition,
            "/editions/{name}/sheet.png": guide.contact_sheet,
            "/settings": settings.show,
            "/support": support.show,
            "/pin": self._pin,
            "/P/{pin}": self._pin_scanned,
        }
        done: dict[str, Act] = {
            "/scan": self._scan,
            "/sample": self._try_sample,
            UPLOAD: self._upload,
            "/place/{place}": self._correct,
            "/owners": self._share,
            "/same-table": self._say_table,
            "/setup": self._change,
            "/history/{seq:int}/place/{place}": self._correct,
            "/history/{seq:int}/delete": past.delete,
            "/history/delete-photos": past.delete_photos,
            "/camera": self._aim,
            "/calibrate": guide.calibrate_on,
            CALIBRATE_UPLOAD: guide.photo_given,
            "/teach": guide.teach_on,
            TEACH_UPLOAD: guide.photo_given,
            "/editions/{name}": guide.change_edition,
            "/settings": settings.change,
            "/support": support.file,
        }
        routes_: list[BaseRoute] = [
            Route(path, endpoint(partial(self._answered, act=act, changes=False)), methods=["GET"])
            for path, act in shown.items()
        ]
        routes_ += [
            Route(path, endpoint(partial(self._answered, act=act, changes=True)), methods=["POST"])
            for path, act in done.items()
        ]
        routes_ += [
            Route(
                "/pin",
                endpoint(partial(self._answered, act=self._pin_given, changes=False)),
                methods=["POST"],
            ),
            Route("/events", EventStreams(self._site).answer, methods=["GET"]),
            *routes(self._site),
        ]

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            from anyio.to_thread import current_default_thread_limiter

            current_default_thread_limiter().total_tokens = THREADS
            yield

        handlers: dict[Any, Any] = {
            HTTPException: self._not_there,
            Exception: self._failed,
        }
        app = Starlette(routes=routes_, lifespan=lifespan, exception_handlers=handlers)
        app.mount("/static", StaticFiles(packages=[("firmware.page", "static")]))
        return app

    # What every answer needs

    def _answered(self, request: Request, body: bytes, act: Act, *, changes: bool) -> Response:
        call = self._site.call(request, body)
        with in_language(call.language, ON_PHONE):
            try:
                if request.method == "POST":
                    call = self._with_form(call, changes=changes)
                if changes and not call.may_change:
                    return self._ask_pin(call)
                response = act(call)
            except Refused as error:
                response = self._error(call, error.status, error.said)
            except (FirmwareError, VisionError) as error:  # what is not there, or is damaged
                is_disk = isinstance(error, OutputError)
                status = HTTPStatus.INSUFFICIENT_STORAGE if is_disk else HTTPStatus.NOT_FOUND
                response = self._error(call, status, translate(error))
        if request.query_params.get("lang") in language.LANGUAGES:
            response.set_cookie(
                LANGUAGE_COOKIE, call.language, max_age=_YEAR_S, httponly=True, samesite="strict"
            )
        return response

    def _with_form(self, call: Call, *, changes: bool) -> Call:
        """The request with its form, which has to be one that was given to this phone."""
        form: dict[str, str] = {}
        body, content_type = call.body, call.request.headers.get("content-type", "")
        kind = content_type.partition(";")[0]
        try:
            if kind == "multipart/form-data":
                parts = parts_of(body, content_type, MOST_FIELDS)
                body = parts.pop("photo", b"")
                form = {name: said[:FORM_BYTES].decode("utf-8") for name, said in parts.items()}
            elif kind == "application/x-www-form-urlencoded" and len(body) <= FORM_BYTES:
                text = body.decode("utf-8")
                form = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS))
            elif call.request.url.path != UPLOAD:
                raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _("This is no form."))
        except ValueError as error:
            raise Refused(HTTPStatus.BAD_REQUEST, _("This is no form.")) from error
        given = form.pop("form_token", call.request.headers.get("x-form-token", ""))
        if changes and call.may_change and not self._site.access.is_form_token(given, call.token):
            raise Refused(HTTPStatus.FORBIDDEN, _("This form is too old: load the page again."))
        return replace(call, body=body, form=form)

    def _error(self, call: Call, status: HTTPStatus, said: str) -> Response:
        return self._site.page(call, "error", status, said=said)

    async def _not_there(self, request: Request, error: HTTPException) -> Response:
        if is_of_api(request.url.path):
            status = HTTPStatus(error.status_code)
            if status is HTTPStatus.NOT_FOUND:
                return refusal("not-found", status, "there is no such address: see the description")
            if status is HTTPStatus.METHOD_NOT_ALLOWED:
                return refusal("method-not-allowed", status, "use GET or POST: see the description")
            return refusal("too-much", status, f"{error.detail}: send less, or faster")
        call = self._site.call(request)
        with in_language(call.language, ON_PHONE):
            said = {
                HTTPStatus.NOT_FOUND: _("There is no such page."),
                HTTPStatus.METHOD_NOT_ALLOWED: _("This cannot be done here."),
            }.get(HTTPStatus(error.status_code), error.detail)
            return self._error(call, HTTPStatus(error.status_code), said)

    async def _failed(self, request: Request, error: Exception) -> Response:
        _log.warning("%s", error_line(wrap_unforeseen(error)))
        if is_of_api(request.url.path):
            status, why = HTTPStatus.INTERNAL_SERVER_ERROR, "the page has failed: see its log"
            return refusal("internal-error", status, why)
        call = self._site.call(request)
        with in_language(call.language, ON_PHONE):
            said = _("This page failed, the scanner still works: load it again.")
            return self._error(call, HTTPStatus.INTERNAL_SERVER_ERROR, said)

    # The PIN

    def _ask_pin(self, call: Call) -> Response:
        back = call.request.url.path
        return self._site.to(f"/pin?to={quote(back if back in _FORMS else '/')}")

    def _pin(
        self, call: Call, said: str = "", status: HTTPStatus = HTTPStatus.OK, pin: str = ""
    ) -> Response:
        to = _own_path(call.form.get("to") or call.asked("to"))
        return self._site.page(call, "pin", status, to=to, said=said, pin=pin)

    def _pin_given(self, call: Call) -> Response:
        pin, to = call.form.get("pin", ""), call.form.get("to", "/")
        address = address_of(call.request)
        token = self._site.access.token_for("".join(pin.split())[:20], address)
        if token is None:
            wait_s = round(self._site.access.wait_s(address))
            said = _("This is not the PIN.")
            if wait_s:
                said = _n(
                    "Too many wrong PINs: try again in {n} second.",
                    "Too many wrong PINs: try again in {n} seconds.",
                    wait_s,
                )
            status = HTTPStatus.TOO_MANY_REQUESTS if wait_s else HTTPStatus.FORBIDDEN
            return self._pin(call, said, status)
        response = self._site.to(_own_path(to))
        response.set_cookie(COOKIE, token, max_age=_YEAR_S, httponly=True, samesite="strict")
        return response

    def _pin_scanned(self, call: Call) -> Response:
        """The QR code on the display leads here; the PIN still has to be sent.

        Any page elsewhere can have a browser come here, and would use up the tries of all.
        """
        return self._site.to("/") if call.may_change else self._pin(call, pin=call.path("pin"))

    # What is shown

    def _sheet(self, call: Call) -> Response:
        result = self._site.result()
        told = None if result is None else content.sheet(result)
        return self._site.page(call, "sheet", sheet=told, past=None, base="")

    def _reasons(self, call: Call) -> Response:
        told = content.reasons(self._shown_result(call))
        return self._site.page(call, "reasons", base=_base(call), **told)

    def _better(self, call: Call) -> Response:
        cities = content.better(self._shown_result(call))
        if not cities:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no such page."))
        return self._site.page(call, "better", base=_base(call), cities=cities)

    def _shown_result(self, call: Call) -> Result:
        """The one that is asked about: a past game, or the latest one."""
        if _base(call):
            return self._past.result(call)
        result = self._site.result()
        if result is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("Nothing was scanned yet."))
        return result

    def _key(self, result: Result) -> tuple[Any, ...]:
        """Tells the looks of one result from another's; the language is in it by its letters."""
        return result.table, result.said, id(result.outcome), language.current_language()

    def _picture(self, result: Result, key: Hashable, make: Callable[[], Image | None]) -> Response:
        there = result.picture is not None  # else it was deleted, and what was drawn of it, too
        return self._site.file(self._site.pictures.get(key, make) if there else None)

    def _photo(self, call: Call) -> Response:
        result = self._shown_result(call)
        make = partial(pictures.annotated, result)
        return self._picture(result, ("photo", *self._key(result)), make)

    def _grid_picture(self, call: Call) -> Response:
        result, index = self._shown_result(call), int(call.path("index"))
        if index >= len(result.read.grids):
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        make = partial(pictures.grid, result, index)
        return self._picture(result, ("grid", result.table, index), make)

    def _found_place(self, call: Call) -> tuple[Result, Any]:
        result = self._shown_result(call)
        place = content.place_of(call.path("place"), result.checked)
        if place is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no such place in the last result."))
        return result, place

    def _place(self, call: Call) -> Response:
        result, place = self._found_place(call)
        return self._site.page(
            call, "place", base=_base(call), place=content.place_page(result, place)
        )

    def _place_picture(self, call: Call) -> Response:
        result, place = self._found_place(call)
        make = partial(pictures.place, result, place)
        return self._picture(result, ("place", result.table, place), make)

    def _setup(self, call: Call, said: str = "") -> Response:
        state = self._site.link.state
        settings, choices = state.settings, state.choices
        game = choices.game(settings.game) or choices.games[0]
        status = HTTPStatus.BAD_REQUEST if said else HTTPStatus.OK
        return self._site.page(
            call,
            "setup",
            status,
            settings=settings,
            game=game,
            games=choices.games,
            names=choices.names,
            result=state.result,
            said=said,
            version_of_program=state.version,
            calibrated=state.calibrated,
        )

    def _doctor(self, call: Call) -> Response:
        from firmware.doctor.examine import lines_beside_appliance

        return self._site.page(call, "doctor", lines=lines_beside_appliance())

    def _camera(self, call: Call) -> Response:
        mode = self._site.link.state.mode
        seen = mode.measured if isinstance(mode, AimingMode) else None
        return self._site.page(call, "camera", seen=seen, picture_is_there=seen is not None)

    def _camera_picture(self, _call: Call) -> Response:
        mode = self._site.link.state.mode
        picture = mode.photo if isinstance(mode, AimingMode) else None
        if picture is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        return self._site.file(pictures.jpeg(pictures.shrunk(picture.image_bgr, pictures.AIM_PX)))

    # What is done

    def _scan(self, _call: Call) -> Response:
        self._site.wish(StartScanning())
        return self._site.to("/")

    def _try_sample(self, _call: Call) -> Response:
        """Show what becomes of a photo to somebody who has none at hand."""
        self._site.wish(StartScanning(load_photo(SAMPLE), trial=True))
        return self._site.to("/")

    def _upload(self, call: Call) -> Response:
        self._site.wish(StartScanning(self._site.photo(call.body)))
        return self._site.to("/")

    def _correct(self, call: Call) -> Response:
        result, place = self._found_place(call)
        if call.form.get("table") != str(result.table):
            raise _other_table()
        answer = content.answer_of(call.form.get("said", ""), result, place)
        if answer is None:
            raise Refused(HTTPStatus.BAD_REQUEST, _("That cannot be there."))
        doubts = [each for each in result.unsure if each != place]
        base = _base(call)
        if base:
            self._past.correct(result, place, answer)
        else:
            self._site.wish(CorrectPlace(result.table, place, answer))
        if place not in result.unsure or not doubts:
            return self._site.to(base or "/")
        # On to the next one that is not sure
        behind = [each for each in doubts if result.unsure.index(each) > result.unsure.index(place)]
        following = content.place_id((behind or doubts)[0], result.checked)
        return self._site.to(f"{base}/place/{quote(following, safe=':,')}")

    def _share(self, call: Call) -> Response:
        result = self._shown_result(call)
        given = call.form.get("owners", "")
        choice = next(
            (each for each in result.owner_choices if ",".join(map(str, each)) == given), None
        )
        if choice is None or call.form.get("table") != str(result.table):
            raise _other_table()
        self._site.wish(SetOwners(result.table, choice))
        return self._site.to("/")

    def _say_table(self, call: Call) -> Response:
        result, said = self._shown_result(call), call.form.get("same")
        if call.form.get("table") != str(result.table):
            raise _other_table()
        if said not in ("yes", "no"):
            raise Refused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        self._site.wish(AnswerSameTable(result.table, said == "yes"))
        return self._site.to("/")

    def _change(self, call: Call) -> Response:
        state, form = self._site.link.state, call.form
        if "game" in form:
            self._site.wish(ChooseGame(form["game"]))
            return self._site.to("/setup")
        game = state.choices.game(state.settings.game)
        changes: dict[str, Any] = {}
        if "players" in form:
            count = 0 if game is None else game.seats
            names = [" ".join(form.get(f"name{n}", "").split()) for n in range(count)]
            while names and not names[-1]:
                names.pop()
            players = rule_of("players").convert(names)
            if players is None:
                said = _("Names are at most 18 letters long, and each player has another one.")
                return self._setup(call, said)
            changes["players"] = players
        allowed = (
            {}
            if game is None
            else {
                "variant": game.variants,
                "level": tuple(map(str, game.levels)),
                "edition": game.editions,
            }
        )
        for name, values in allowed.items():
            if name in form:
                if form[name] not in values:
                    raise Refused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
                changes[name] = int(form[name]) if name == "level" else form[name]
        table = state.result.table if state.result is not None else None
        follows = form.get("follows") == str(table)
        self._site.wish(ChangeSettings(tuple(changes.items()), table if follows else None))
        return self._site.to("/" if follows else "/setup")

    def _aim(self, call: Call) -> Response:
        stop = call.form.get("do") == "stop"
        self._site.wish(StopAiming() if stop else StartAiming())
        return self._site.to("/camera")


LARGE: Final = {
    **dict.fromkeys((UPLOAD, CALIBRATE_UPLOAD, TEACH_UPLOAD, "/api/v1/scan"), MAX_BYTES),
    "/api/v1/score": 256 * 1024,
}
"""Where more than a form may be sent, in bytes."""

_FORMS: Final = (
    *("/setup", "/camera", "/history"),
    *("/calibrate", "/teach", "/editions", "/settings", "/support"),
)


def _base(call: Call) -> str:
    """What the addresses of a past game begin with; empty: it is about the latest result."""
    seq = call.request.path_params.get("seq")
    return "" if seq is None else f"/history/{seq}"


def _other_table() -> Refused:
    """A form is about what is no longer the latest result."""
    said = _("Meanwhile another game was scanned, or the scanner was restarted.")
    return Refused(HTTPStatus.CONFLICT, said)


def _own_path(given: str) -> str:
    """A path of this page, wherever it was meant to lead."""
    is_own = given.startswith("/") and given.isascii() and given.isprintable()
    return given if is_own and not given.startswith("//") and "\\" not in given else "/"
