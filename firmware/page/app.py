"""The addresses of the page, and what each shows or does; ``docs/page.md`` lists them.

What is shown is made of the state that the appliance has handed over. A form has a wish done, and
leads back to a page, so that it all works without a script; the script only follows what changes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from jinja2 import Environment, PackageLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles

from firmware import language
from firmware.appliance import modes, wishes
from firmware.appliance.events import Wish
from firmware.appliance.result import Result
from firmware.errors import FirmwareError, OutputError, error_line, internal_error, translated
from firmware.language import _, _n, speaking
from firmware.page import content, pictures
from firmware.page.access import COOKIE, Access
from firmware.page.api import routes
from firmware.page.call import Act, Call, Refused, endpoint, parts_of
from firmware.page.guard import FORM_BYTES
from firmware.page.link import Link
from firmware.page.past import PastGames
from firmware.page.setting_up import SettingUp
from firmware.page.settings_form import SettingsForm
from firmware.page.support import SupportPage
from firmware.settings.rules import rule_of
from vision.arrays import Image
from vision.errors import VisionError
from vision.photo import MAX_BYTES, Photo, decode_photo

LANGUAGE_COOKIE: Final = "language"
BEAT_S: Final = 20.0
"""So often a phone is told that the connection stands."""
GATHER_S: Final = 0.1
"""What changes so soon one after the other is told at once."""
WORK_BEAT_S: Final = 1.0
"""So often a phone is told how far a scan is, which loading pages would slow down."""
MOST_LISTENERS: Final = 24
"""Phones that are told what changes; others have to load the page anew."""
THREADS: Final = 4
"""Answers that are made at the same time."""
MOST_FIELDS: Final = 300
"""Of a form."""
UPLOAD: Final = "/photo"
CALIBRATE_UPLOAD: Final = "/calibrate/photo"
TEACH_UPLOAD: Final = "/teach/photo"
UPLOAD_NAME: Final = "upload"
"""What a photo that was given to the page is called."""

_YEAR_S: Final = 365 * 86_400

_log: Final = logging.getLogger(__name__)


class Site:
    """Answers the requests.

    Args:
        link: to the appliance.
        access: knows who may change something.
        start: tells this run of the program from others.
    """

    def __init__(self, link: Link, access: Access, start: str) -> None:
        self.link, self.access, self.start = link, access, start
        self.pictures = pictures.Pictures()
        self._past = PastGames(self)
        self._listeners = 0
        self._templates = Environment(
            loader=PackageLoader("firmware.page"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        names = {
            "_": _,
            "_n": _n,
            "languages": language.LANGUAGES,
            "quote": quote,
            "decimal": language.decimal,
        }
        self._templates.globals.update(names)

    def app(self) -> Starlette:
        """All addresses."""
        past, guide = self._past, SettingUp(self)
        settings, support = SettingsForm(self), SupportPage(self)
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
            UPLOAD: self._upload,
            "/place/{place}": self._correct,
            "/owners": self._share,
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
            Route("/events", self._events, methods=["GET"]),
            *routes(self),
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

    def call(self, request: Request, body: bytes = b"") -> Call:
        """What is known of a request."""
        token = request.cookies.get(COOKIE)
        return Call(
            request=request,
            body=body,
            token=token,
            may_change=self.access.allows(token),
            language=self._language(request),
            version=self.link.version,
        )

    def _language(self, request: Request) -> str:
        """That which was chosen on this phone, else the one it asks for, else the scanner's."""
        wanted = [request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)]
        accepted = request.headers.get("accept-language", "")[:200].split(",")
        wanted += [each.split(";")[0].strip()[:2].lower() for each in accepted]
        known = (each for each in wanted if each in language.LANGUAGES)
        return next(known, None) or self.link.state.settings.language

    def _answered(self, request: Request, body: bytes, act: Act, *, changes: bool) -> Response:
        call = self.call(request, body)
        with speaking(call.language):
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
                response = self._error(call, status, translated(error))
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
        if changes and call.may_change and not self.access.is_form_token(given, call.token):
            raise Refused(HTTPStatus.FORBIDDEN, _("This form is too old: load the page anew."))
        return replace(call, body=body, form=form)

    def page(
        self, call: Call, name: str, status: HTTPStatus = HTTPStatus.OK, **values: Any
    ) -> Response:
        """A template with what all of them show."""
        state = self.link.state
        text = self._templates.get_template(f"{name}.html").render(
            here=call.request.url.path,
            language=call.language,
            may_change=call.may_change,
            form_token=self.access.form_token(call.token),
            needs_pin=not self.access.open_to_all,
            takes_photos=self.link.takes_photos,
            status=content.status(state, takes_photos=self.link.takes_photos),
            version=f"{self.start}-{call.version}",
            name=name,
            **values,
        )
        return Response(text, status, media_type="text/html")

    def _error(self, call: Call, status: HTTPStatus, said: str) -> Response:
        return self.page(call, "error", status, said=said)

    async def _not_there(self, request: Request, error: HTTPException) -> Response:
        call = self.call(request)
        with speaking(call.language):
            said = {
                HTTPStatus.NOT_FOUND: _("There is no such page."),
                HTTPStatus.METHOD_NOT_ALLOWED: _("This cannot be done here."),
            }.get(HTTPStatus(error.status_code), error.detail)
            return self._error(call, HTTPStatus(error.status_code), said)

    async def _failed(self, request: Request, error: Exception) -> Response:
        _log.warning("%s", error_line(internal_error(error)))
        call = self.call(request)
        with speaking(call.language):
            said = _("The page has failed; the scanner goes on.")
            return self._error(call, HTTPStatus.INTERNAL_SERVER_ERROR, said)

    def to(self, path: str) -> Response:
        """Lead to a page after something was done."""
        return RedirectResponse(path, HTTPStatus.SEE_OTHER)

    def file(self, data: bytes | None, kind: str = "image/jpeg", name: str = "") -> Response:
        """A picture, or a file to keep under a name."""
        if data is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}
        return Response(data, media_type=kind, headers=headers)

    # The PIN

    def _ask_pin(self, call: Call) -> Response:
        back = call.request.url.path
        return self.to(f"/pin?to={quote(back if back in _FORMS else '/')}")

    def _pin(
        self, call: Call, said: str = "", status: HTTPStatus = HTTPStatus.OK, pin: str = ""
    ) -> Response:
        to = _own_path(call.form.get("to") or call.asked("to"))
        return self.page(call, "pin", status, to=to, said=said, pin=pin)

    def _pin_given(self, call: Call) -> Response:
        pin, to = call.form.get("pin", ""), call.form.get("to", "/")
        token = self.access.token_for("".join(pin.split())[:20])
        if token is None:
            wait_s = round(self.access.wait_s())
            said = _("This is not the PIN. The display shows it: menu, on the phone.")
            if wait_s:
                said = _n(
                    "Too many wrong PINs: try again in {n} second.",
                    "Too many wrong PINs: try again in {n} seconds.",
                    wait_s,
                )
            status = HTTPStatus.TOO_MANY_REQUESTS if wait_s else HTTPStatus.FORBIDDEN
            return self._pin(call, said, status)
        response = self.to(_own_path(to))
        response.set_cookie(COOKIE, token, max_age=_YEAR_S, httponly=True, samesite="strict")
        return response

    def _pin_scanned(self, call: Call) -> Response:
        """The QR code on the display leads here; the PIN still has to be sent.

        Any page elsewhere can have a browser come here, and would use up the tries of all.
        """
        return self.to("/") if call.may_change else self._pin(call, pin=call.path("pin"))

    # What is shown

    def result(self) -> Result | None:
        """The latest one."""
        return self.link.state.result

    def _sheet(self, call: Call) -> Response:
        result = self.result()
        told = None if result is None else content.sheet(result)
        return self.page(call, "sheet", sheet=told, past=None, base="")

    def _reasons(self, call: Call) -> Response:
        told = content.reasons(self._shown_result(call))
        return self.page(call, "reasons", base=_base(call), **told)

    def _better(self, call: Call) -> Response:
        cities = content.better(self._shown_result(call))
        if not cities:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no such page."))
        return self.page(call, "better", base=_base(call), cities=cities)

    def _shown_result(self, call: Call) -> Result:
        """The one that is asked about: a past game, or the latest one."""
        if _base(call):
            return self._past.result(call)
        result = self.result()
        if result is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("Nothing was scanned yet."))
        return result

    def _key(self, result: Result) -> tuple[Any, ...]:
        """Tells the looks of one result from another's; the language is in it by its letters."""
        return result.table, result.said, id(result.outcome), language.current_language()

    def _picture(self, result: Result, key: Hashable, make: Callable[[], Image | None]) -> Response:
        there = result.picture is not None  # else it was deleted, and what was drawn of it, too
        return self.file(self.pictures.get(key, make) if there else None)

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
        return self.page(call, "place", base=_base(call), place=content.place_page(result, place))

    def _place_picture(self, call: Call) -> Response:
        result, place = self._found_place(call)
        make = partial(pictures.place, result, place)
        return self._picture(result, ("place", result.table, place), make)

    def _setup(self, call: Call, said: str = "") -> Response:
        state = self.link.state
        settings, choices = state.settings, state.choices
        game = choices.game(settings.game) or choices.games[0]
        status = HTTPStatus.BAD_REQUEST if said else HTTPStatus.OK
        return self.page(
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
        from firmware.commands.doctor import lines_beside_appliance

        return self.page(call, "doctor", lines=lines_beside_appliance())

    def _camera(self, call: Call) -> Response:
        mode = self.link.state.mode
        seen = mode.seen if isinstance(mode, modes.Aiming) else None
        return self.page(call, "camera", seen=seen, picture_is_there=seen is not None)

    def _camera_picture(self, _call: Call) -> Response:
        mode = self.link.state.mode
        picture = mode.picture if isinstance(mode, modes.Aiming) else None
        if picture is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        return self.file(pictures.jpeg(pictures.shrunk(picture.image_bgr, pictures.AIM_PX)))

    # What is done

    def wish(self, wish: Wish) -> None:
        """Have it done, unless somebody sets up the scanner just now.

        Raises:
            Refused: so it is.
        """
        if not wishes.can_be_done(self.link.state, wish):
            raise self.busy()
        self.link.ask(wish)

    def busy(self) -> Refused:
        """Why nothing is changed while somebody sets up the scanner."""
        said = _("Somebody is using the scanner: try again when that is done.")
        return Refused(HTTPStatus.CONFLICT, said)

    def _scan(self, _call: Call) -> Response:
        self.wish(wishes.Scan())
        return self.to("/")

    def _upload(self, call: Call) -> Response:
        self.wish(wishes.Scan(self.photo(call.body)))
        return self.to("/")

    def photo(self, data: bytes) -> Photo:
        """A photo that was sent here.

        Raises:
            Refused: it cannot be used.
        """
        try:
            return decode_photo(data, UPLOAD_NAME)
        except VisionError as error:
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, translated(error)) from error

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
            self.wish(wishes.Correct(result.table, place, answer))
        if place not in result.unsure or not doubts:
            return self.to(base or "/")
        # On to the next one that is not sure
        behind = [each for each in doubts if result.unsure.index(each) > result.unsure.index(place)]
        following = content.place_id((behind or doubts)[0], result.checked)
        return self.to(f"{base}/place/{quote(following, safe=':,')}")

    def _share(self, call: Call) -> Response:
        result = self._shown_result(call)
        given = call.form.get("owners", "")
        choice = next(
            (each for each in result.owner_choices if ",".join(map(str, each)) == given), None
        )
        if choice is None or call.form.get("table") != str(result.table):
            raise _other_table()
        self.wish(wishes.Share(result.table, choice))
        return self.to("/")

    def _change(self, call: Call) -> Response:
        state, form = self.link.state, call.form
        if "game" in form:
            self.wish(wishes.ChooseGame(form["game"]))
            return self.to("/setup")
        game = state.choices.game(state.settings.game)
        changes: dict[str, Any] = {}
        if "players" in form:
            count = 0 if game is None else game.seats
            names = [" ".join(form.get(f"name{n}", "").split()) for n in range(count)]
            while names and not names[-1]:
                names.pop()
            players = rule_of("players").meant(names)
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
        self.wish(wishes.Change(tuple(changes.items()), table if follows else None))
        return self.to("/" if follows else "/setup")

    def _aim(self, call: Call) -> Response:
        stop = call.form.get("do") == "stop"
        self.wish(wishes.StopAiming() if stop else wishes.Aim())
        return self.to("/camera")

    # What changes

    async def _events(self, _request: Request) -> Response:
        """Tells a phone whenever there is something else to show."""
        if self._listeners >= MOST_LISTENERS:
            return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(self._changes(), media_type="text/event-stream", headers=headers)

    async def _changes(self) -> AsyncIterator[str]:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            with suppress(RuntimeError):  # the page is being closed
                loop.call_soon_threadsafe(changed.set)

        self._listeners += 1
        end = self.link.listen(listener)
        try:
            while True:
                changed.clear()
                yield f"retry: 2000\ndata: {self.start}-{self.link.version}\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), BEAT_S)
                    await asyncio.sleep(GATHER_S)
                    async with asyncio.timeout(WORK_BEAT_S):
                        while content.works(self.link.state):
                            changed.clear()
                            await changed.wait()
        finally:
            self._listeners -= 1
            end()


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
    said = _("Meanwhile another table was scanned, or the scanner started anew.")
    return Refused(HTTPStatus.CONFLICT, said)


def _own_path(given: str) -> str:
    """A path of this page, wherever it was meant to lead."""
    is_own = given.startswith("/") and given.isascii() and given.isprintable()
    return given if is_own and not given.startswith("//") and "\\" not in given else "/"
