"""Context of the page: its channel, access, templates and picture cache, for all handlers."""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, Undefined, UndefinedError
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from firmware.appliance.base import Command, is_interruptible
from firmware.appliance.page_channel import PageChannel
from firmware.appliance.problems import no_camera_error
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.base import language
from firmware.base.language import _, _n
from firmware.history import History, StoredScan, wall_time
from firmware.page import pictures
from firmware.page.access import COOKIE, Access
from firmware.page.page_request import ClientLimit, PageRequest, RequestRefused, request_problem
from firmware.page.phone_words import NO_HEIC
from firmware.page.static_files import static_stamp
from firmware.page.status_values import status_values
from firmware.settings import MAX_NAME_LETTERS
from vision.errors import PhotoError, VisionError
from vision.message import Message
from vision.photo.load import Photo, decode_photo

_KEPT_S: Final = 30 * 86_400
"""Seconds for which a phone keeps a picture that never changes."""
LANGUAGE_COOKIE: Final = "language"
UPLOAD_NAME: Final = "upload"
"""Name of an uploaded photo in readings and errors."""


def as_sentence(text: str) -> str:
    """Return a problem or note with a capital and a full stop."""
    end = "." if text and (text[-1].isalnum() or text[-1] in ")”“\"'") else ""
    return f"{text[:1].upper()}{text[1:]}{end}"


class UndefinedInPage(Undefined):
    """Name that a template uses and nothing gives it.

    Empty, as templates leave out what a page does not have; but one of our own values that lacks
    an attribute is a mistake in the template, which must not go unseen.
    """

    def __init__(self, hint: str | None = None, obj: Any = None, *more: Any, **named: Any) -> None:
        super().__init__(hint, obj, *more, **named)
        if is_dataclass(obj):
            raise UndefinedError(f"{type(obj).__name__} has no {self._undefined_name}")


@cache
def page_templates() -> Environment:
    """Return the templates of the pages; each is compiled once."""
    templates = Environment(
        loader=PackageLoader("firmware.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=UndefinedInPage,
    )
    names = {
        "_": _,
        "_n": _n,
        "languages": language.LANGUAGES,
        "language_names": language.LANGUAGE_NAMES,
        "quote": quote,
        "decimal": language.format_decimal,
        "percent": language.format_percent,
        "static_stamp": static_stamp(),
        "max_name_letters": MAX_NAME_LETTERS,
    }
    templates.globals.update(names)
    templates.filters["sentence"] = as_sentence
    return templates


class PageContext:
    """Context of the page of one appliance.

    Args:
        channel: Channel to the appliance.
        access: Access to changes.
        run_id: Identifier of this run of the program.
    """

    def __init__(self, channel: PageChannel, access: Access, run_id: str) -> None:
        self.channel, self.access, self.run_id = channel, access, run_id
        self.pictures = pictures.PictureCache()
        self.limit = ClientLimit()

    def make_request(self, http: Request, body: bytes = b"") -> PageRequest:
        """Return a request with its token, access and language."""
        token = http.cookies.get(COOKIE)
        return PageRequest(
            http=http,
            body=body,
            token=token,
            is_trusted=self.access.allows(token),
            language=self.language_of(http),
            change_count=self.channel.change_count,
        )

    def language_of(self, http: HTTPConnection) -> str:
        """Return the language chosen on this phone, else its own, else that of the scanner."""
        wanted = [http.query_params.get("lang"), http.cookies.get(LANGUAGE_COOKIE)]
        accepted = http.headers.get("accept-language", "")[:200].split(",")
        wanted += [each.split(";")[0].strip()[:2].lower() for each in accepted]
        known = (each for each in wanted if each in language.LANGUAGES)
        return next(known, None) or self.channel.state.settings.language

    def render(
        self, request: PageRequest, name: str, status: HTTPStatus = HTTPStatus.OK, **values: Any
    ) -> Response:
        """Render a template with the values that all of them show."""
        state = self.channel.state
        text = (
            page_templates()
            .get_template(f"{name}.html")
            .render(
                here=request.http.url.path,
                language=request.language,
                is_trusted=request.is_trusted,
                form_token=self.access.form_token(request.token),
                needs_pin=not self.access.open_to_all,
                wants_time=not (self.access.open_to_all or wall_time().known),
                has_devices=self.channel.has_devices,
                status=status_values(state, has_devices=self.channel.has_devices),
                page_version=f"{self.run_id}-{request.change_count}",
                name=name,
                **values,
            )
        )
        return Response(text, status, media_type="text/html")

    def redirect(self, path: str) -> Response:
        """Redirect to a page after a change."""
        return RedirectResponse(path, HTTPStatus.SEE_OTHER)

    def file_response(
        self, data: bytes | None, kind: str = "image/jpeg", name: str = "", *, lasts: bool = False
    ) -> Response:
        """Return a picture, or a file to download under a name.

        Args:
            data: Content; None if there is none.
            kind: Media type.
            name: File name to download it under; empty for a picture that is shown.
            lasts: True if the phone may keep it, as a changed picture has another address.
        """
        if data is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}
        if lasts:
            headers["Cache-Control"] = f"private, max-age={_KEPT_S}"
        return Response(data, media_type=kind, headers=headers)

    def last_result(self) -> Result | None:
        """Return the last result; None before the first one."""
        return self.channel.state.result

    @property
    def history(self) -> History:
        """Past games."""
        return self.channel.history

    def all_games(self, *, sheets_only: bool = False) -> list[StoredScan]:
        """Return all past games that can be read, oldest first.

        Args:
            sheets_only: True to leave readings and tables empty, which is quicker.
        """
        scans, _damaged = self.history.read_scans(sheets_only=sheets_only)
        return scans[::-1]

    def submit(self, command: Command) -> None:
        """Run a command, unless it would disturb a job or someone at the buttons.

        Raises:
            RequestRefused: It would, needs a camera where there is none, or no longer fits the
                state; or the loop has not come to it in time.
        """
        if command.needs_camera and not self.channel.has_devices:
            raise RequestRefused(HTTPStatus.CONFLICT, no_camera_error())
        if not command.is_allowed(self.channel.state):
            raise self.busy_refusal()
        match self.channel.submit(command):
            case "busy":
                raise self.busy_refusal()
            case "outdated":
                raise self.other_table_refusal()
            case "late":
                message = Message(
                    "The scanner has not answered yet: see whether this was changed before trying "
                    "again."
                )
                raise RequestRefused(
                    HTTPStatus.SERVICE_UNAVAILABLE, request_problem("too-slow", message)
                )

    def submit_once(self, command: Command, is_done: Callable[[State], bool]) -> None:
        """Run a command; a second tap, which finds it done or under way, does nothing.

        Args:
            command: Command.
            is_done: Function that returns whether a state is one after the command.

        Raises:
            RequestRefused: As ``submit`` refuses it, and it is not done.
        """
        try:
            self.submit(command)
        except RequestRefused:
            if not is_done(self.channel.state):
                raise

    def check_interruptible(self) -> None:
        """Refuse a change of the history while the scanner could not follow it.

        Raises:
            RequestRefused: A job runs, or someone is at the buttons.
        """
        if not is_interruptible(self.channel.state):
            raise self.busy_refusal()

    def busy_refusal(self) -> RequestRefused:
        """Return the refusal of a change while a job runs or someone is at the buttons."""
        message = Message("Somebody is using the scanner: try again when that is done.")
        return RequestRefused(HTTPStatus.CONFLICT, request_problem("conflict", message))

    def other_table_refusal(self) -> RequestRefused:
        """Return the refusal of a form about an earlier result."""
        message = Message(
            "Meanwhile another game was scanned, or the scanner was restarted: load the page again."
        )
        return RequestRefused(HTTPStatus.CONFLICT, request_problem("other-table", message))

    def decode_upload(self, data: bytes) -> Photo:
        """Decode an uploaded photo.

        Raises:
            RequestRefused: It cannot be used.
        """
        try:
            return decode_photo(data, UPLOAD_NAME)
        except VisionError as error:
            is_heic = error.code == "photo-heic-parts-missing"
            refusal = PhotoError(error.code, NO_HEIC, UPLOAD_NAME) if is_heic else error
            raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, refusal) from error
