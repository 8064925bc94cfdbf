"""What every part of the page has in common, and every answer needs."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from firmware.appliance.base import Command
from firmware.appliance.fault import no_camera
from firmware.appliance.link import Link
from firmware.appliance.result import Result
from firmware.base import language
from firmware.base.errors import UsageError
from firmware.base.language import N_, _, _n
from firmware.history import History, StoredScan
from firmware.page import content, pictures
from firmware.page.access import COOKIE, Access
from firmware.page.call import Call, Refused
from vision.errors import PhotoError, VisionError
from vision.photo.load import Photo, decode_photo

LANGUAGE_COOKIE: Final = "language"
UPLOAD_NAME: Final = "upload"
_NO_HEIC: Final = N_(
    "this photo is in the HEIC format, which this scanner cannot read: send it as JPEG "
    "(on an iPhone: Settings, Camera, Formats, Most Compatible; then take it again)"
)
"""What a photo that was given to the page is called."""


def sentence(text: str) -> str:
    """Return a fault or note, which begins small and has no full stop, as a sentence."""
    end = "." if text and (text[-1].isalnum() or text[-1] in ")”“\"'") else ""
    return f"{text[:1].upper()}{text[1:]}{end}"


class Site:
    """The page of one appliance.

    Args:
        link: to the appliance.
        access: knows who may change something.
        start: tells this run of the program from others.
    """

    def __init__(self, link: Link, access: Access, start: str) -> None:
        self.link, self.access, self.start = link, access, start
        self.pictures = pictures.Pictures()
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
            "decimal": language.format_decimal,
            "percent": language.format_percent,
        }
        self._templates.globals.update(names)
        self._templates.filters["sentence"] = sentence

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

    def to(self, path: str) -> Response:
        """Lead to a page after something was done."""
        return RedirectResponse(path, HTTPStatus.SEE_OTHER)

    def file(self, data: bytes | None, kind: str = "image/jpeg", name: str = "") -> Response:
        """A picture, or a file to keep under a name."""
        if data is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}
        return Response(data, media_type=kind, headers=headers)

    def result(self) -> Result | None:
        """The latest one."""
        return self.link.state.result

    @property
    def history(self) -> History:
        """Past games."""
        return self.link.history

    def all_games(self, *, sheets_only: bool = False) -> list[StoredScan]:
        """Return all past games that can be read, oldest first.

        Args:
            sheets_only: True to leave readings and tables empty, which is quicker.
        """
        scans, _damaged = self.history.readable(sheets_only=sheets_only)
        return scans[::-1]

    def wish(self, wish: Command) -> None:
        """Have it done, unless somebody sets up the scanner just now.

        Raises:
            Refused: so it is; or a camera is needed where there is none.
        """
        if self.link.takes_photos and wish.needs_camera:
            raise Refused(HTTPStatus.CONFLICT, no_camera())
        if not wish.is_allowed(self.link.state):
            raise self.busy()
        self.link.ask(wish)

    def busy(self) -> Refused:
        """Why nothing is changed while somebody sets up the scanner."""
        said = N_("Somebody is using the scanner: try again when that is done.")
        return Refused(HTTPStatus.CONFLICT, UsageError("conflict", said, "request"))

    def photo(self, data: bytes) -> Photo:
        """A photo that was sent here.

        Raises:
            Refused: it cannot be used.
        """
        try:
            return decode_photo(data, UPLOAD_NAME)
        except VisionError as error:
            is_heic = error.code == "photo-heic-parts-missing"
            said = PhotoError(error.code, _NO_HEIC, UPLOAD_NAME) if is_heic else error
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, said) from error
