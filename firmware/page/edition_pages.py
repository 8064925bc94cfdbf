"""Pages of the editions that were taught: list, contact sheets, actions."""

from http import HTTPStatus
from threading import Lock
from typing import Final
from zlib import crc32

from starlette.responses import Response

from firmware.appliance.features.game_choice import ChooseGame, DropEdition
from firmware.appliance.stored_settings import ChangeSettings
from firmware.base.errors import FirmwareError
from firmware.base.language import _
from firmware.games.registry import game_or_unscored
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused
from firmware.teaching.user_editions import (
    CONTACT_SHEET_FILE,
    edition_game,
    edition_stamp,
    editions_folder,
    has_previous_version,
    remove_edition,
    stored_names,
    undo_edition,
)
from firmware.wording.problem_text import translate
from vision.errors import VisionError
from vision.photo.regular_file import read_start

MAX_SHEET_BYTES: Final = 64 * 1024 * 1024
"""Largest contact sheet that is shown."""


def edition_key(edition: str) -> int:
    """Return a number that changes with the files of an edition, for addresses of its pictures."""
    return crc32(repr(edition_stamp(edition)).encode())


class EditionPages:
    """Pages of the editions.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._changing = Lock()

    def list(self, request: PageRequest) -> Response:
        """Show all editions that were taught, each with its game."""
        rows = []
        for name in stored_names():
            try:
                title = _(game_or_unscored(edition_game(name, name)).title)
            except (FirmwareError, VisionError) as error:
                title = translate(error)
            rows.append((name, title))
        in_use = self._context.channel.state.settings.edition
        return self._context.render(request, "editions", editions=rows, in_use=in_use, edition=None)

    def show(self, request: PageRequest) -> Response:
        """Show an edition with its contact sheet and its actions."""
        name = _named_edition(request)
        settings = self._context.channel.state.settings
        return self._context.render(
            request,
            "editions",
            edition=name,
            in_use=settings.edition,
            undoes=has_previous_version(name),
            stamp=edition_key(name),
        )

    def contact_sheet(self, request: PageRequest) -> Response:
        """Return the picture of all faces of an edition."""
        path = editions_folder() / _named_edition(request) / CONTACT_SHEET_FILE
        try:
            data = read_start(path, MAX_SHEET_BYTES)
        except (OSError, ValueError):
            data = None
        return self._context.file_response(data, "image/png")

    def change(self, request: PageRequest) -> Response:
        """Use an edition, undo its last teaching, or remove it.

        A tap that was meant for another version of the edition, such as the second one of a double
        tap, undoes nothing. The second tap that removes it leads to the same page.
        """
        if request.form.get("do") == "remove":
            return self._remove(request.path_value("name"))
        name, do = _named_edition(request), request.form.get("do")
        if do == "use":
            game = edition_game(name, name)
            if self._context.channel.state.choices.game(game) is None:
                raise RequestRefused(HTTPStatus.CONFLICT, _("That cannot be chosen."))
            if self._context.channel.state.settings.game != game:
                self._context.submit(ChooseGame(game))
            self._context.submit(ChangeSettings((("edition", name),)))
            return self._context.redirect("/editions")
        self._context.check_interruptible()
        if do != "undo":
            raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
        with self._changing:
            if request.form.get("stamp") == str(edition_key(name)):
                undo_edition(name)
        return self._context.redirect(f"/editions/{name}")

    def _remove(self, name: str) -> Response:
        with self._changing:
            is_there = name in stored_names()
            if is_there:
                self._context.check_interruptible()
                remove_edition(name)
        if is_there:
            self._context.submit(DropEdition(name))
        return self._context.redirect("/editions")


def _named_edition(request: PageRequest) -> str:
    """Return the edition that an address names."""
    name = request.path_value("name")
    if name not in stored_names():
        raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no such edition."))
    return name
