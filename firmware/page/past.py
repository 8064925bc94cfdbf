"""Past games on the page: the list, each with its sheet and photo, figures, what is taken along."""

import json
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from firmware.appliance import wishes
from firmware.appliance.runner.recall import recalled
from firmware.errors import FirmwareError, error_line, translated
from firmware.games import game_called
from firmware.games.colours import player_name
from firmware.history import History, StoredScan
from firmware.history.bg_stats import bg_stats_link, bg_stats_play
from firmware.history.stats import stats_of
from firmware.history.text import export_csv, export_json, played_as
from firmware.language import _, current_language
from firmware.page import content, pictures
from firmware.page.call import Call, Refused
from firmware.user_data import user_folder
from vision.errors import VisionError

if TYPE_CHECKING:
    from firmware.page.app import Site

PAGE_OF_GAMES: Final = 20


def stored_games() -> History:
    """What was scanned before."""
    return History.of_folder(user_folder())


def all_games() -> Sequence[StoredScan]:
    """All that can be read, the oldest first."""
    scans, _damaged = stored_games().readable()
    return scans[::-1]


class PastGames:
    """Answers what is asked about them.

    Args:
        site: the page.
    """

    def __init__(self, site: "Site") -> None:
        self._site = site

    def history(self, call: Call) -> Response:
        """Page by page, the last one first."""
        given = call.asked("page")
        page = max(int(given), 1) if given.isascii() and given.isdigit() and len(given) < 6 else 1
        last = page * PAGE_OF_GAMES
        scans, damaged = stored_games().readable(last + 1)
        shown = [content.past(scan) for scan in scans[last - PAGE_OF_GAMES : last]]
        more = len(scans) + len(damaged) > last
        broken = [error_line(error) for error in damaged]
        return self._site.page(call, "history", scans=shown, page=page, more=more, damaged=broken)

    def _stored(self, call: Call) -> StoredScan:
        return stored_games().get(int(call.path("seq")))

    def game(self, call: Call) -> Response:
        """One of them with its sheet."""
        scan = self._stored(call)
        has_photo = stored_games().photo_path(scan.record.photo) is not None
        told: dict[str, Any]
        try:
            told = content.sheet(recalled(scan, None)) | {"has_picture": has_photo}
        except (FirmwareError, VisionError) as error:  # its edition is gone
            told = content.past_sheet(scan.record) | {"fault": translated(error)}
        link = bg_stats_link(scan)
        past = content.past(scan) | {"bg_stats": link}
        return self._site.page(call, "sheet", sheet=told, past=past)

    def game_photo(self, call: Call) -> Response:
        """With what was read, or if that cannot be drawn any more as it was taken."""
        scan = self._stored(call)
        path = stored_games().photo_path(scan.record.photo)
        if path is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        try:
            result = recalled(scan, path)
        except (FirmwareError, VisionError):
            return self._site.file(path.read_bytes())
        key = ("past", scan.seq, result.said, current_language())
        drawn = self._site.pictures.get(key, partial(pictures.annotated, result))
        return self._site.file(path.read_bytes() if drawn is None else drawn)

    def bg_stats(self, call: Call) -> Response:
        """For the app BG Stats."""
        scan = self._stored(call)
        play = bg_stats_play(scan)
        if play is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("This game has no points."))
        data = json.dumps(play, indent=2).encode()
        return self._site.file(data, "application/json", f"stadtblick-{scan.seq}.bgsplay")

    def as_csv(self, _call: Call) -> Response:
        """All as a table."""
        data = export_csv(all_games()).encode("utf-8", "backslashreplace")
        return self._site.file(data, "text/csv", "stadtblick.csv")

    def as_json(self, _call: Call) -> Response:
        """All that is stored."""
        data = json.dumps(export_json(all_games()), indent=2).encode()
        return self._site.file(data, "application/json", "stadtblick.json")

    def statistics(self, call: Call) -> Response:
        """Figures over all of them."""
        figures = stats_of(all_games())
        games = [
            {
                "title": played_as(each.game, each.variant, each.level),
                "parts": [(game_called(each.game).part_name(one.part), one) for one in each.parts],
                "players": [(player_name(one.name), one) for one in each.players],
                "highest_by": player_name(each.highest.player),
                "lowest_by": player_name(each.lowest.player),
                "of": each,
            }
            for each in figures
        ]
        return self._site.page(call, "statistics", games=games)

    def game_reasons(self, call: Call) -> Response:
        """Why each point of one is given."""
        scan = self._stored(call)
        try:
            told = content.reasons(recalled(scan, None))
        except VisionError as error:
            raise Refused(HTTPStatus.NOT_FOUND, translated(error)) from error
        return self._site.page(call, "reasons", past=scan.seq, **told)

    def delete(self, call: Call) -> Response:
        """Forget one and its photo."""
        scan = self._stored(call)
        self._site.wish(wishes.Delete(scan.seq))
        return self._site.to("/history")
