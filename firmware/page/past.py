"""Past games on the page: the list, each with its sheet and photo, figures, what is taken along."""

from functools import partial
from http import HTTPStatus
from threading import Lock
from typing import Any, Final
from zlib import crc32

from starlette.responses import Response

from firmware.appliance.features.checking import CorrectPlace
from firmware.appliance.features.past_games import DeleteGame, DeletePhotos
from firmware.appliance.recall import recall_result
from firmware.appliance.result import Result, with_answer, with_score
from firmware.base.errors import FirmwareError, error_line, translate
from firmware.base.json_text import json_text
from firmware.base.language import _, current_language
from firmware.games.game import Scan
from firmware.games.players import player_name
from firmware.games.registry import game_called
from firmware.history import StoredScan, record_of
from firmware.history.bg_stats import bg_stats_link, bg_stats_play
from firmware.history.stats import BestKind, beaten, stats_of
from firmware.history.text import best_words, export_csv, export_json, played_as
from firmware.page import content, pictures
from firmware.page.call import Call, Refused
from firmware.page.site import Site
from firmware.report.share_picture import share_picture_of
from firmware.screens.views import Other
from vision.errors import VisionError
from vision.reading import Place

PAGE_OF_GAMES: Final = 20


class PastGames:
    """Answers what is asked about them.

    Args:
        site: the page.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._putting_right = Lock()

    def history(self, call: Call) -> Response:
        """Page by page, the last one first."""
        given = call.asked("page")
        page = max(int(given), 1) if given.isascii() and given.isdigit() and len(given) < 6 else 1
        last = page * PAGE_OF_GAMES
        scans, damaged = self._site.history.readable(last + 1)
        shown = [content.past(scan) for scan in scans[last - PAGE_OF_GAMES : last]]
        more = len(scans) + len(damaged) > last
        broken = [error_line(error) for error in damaged]
        return self._site.page(call, "history", scans=shown, page=page, more=more, damaged=broken)

    def _stored(self, call: Call) -> StoredScan:
        return self._site.history.get(int(call.path("seq")))

    def game(self, call: Call) -> Response:
        """One of them with its sheet."""
        scan = self._stored(call)
        has_photo = self._site.history.photo_path(scan.record.photo) is not None
        told: dict[str, Any]
        try:
            told = content.sheet(recall_result(scan, None)) | {"has_picture": has_photo}
        except (FirmwareError, VisionError) as error:  # its edition is gone
            told = content.past_sheet(scan.record) | {"fault": translate(error)}
        told["records"] = [
            best_words(each, scan.record.game)
            for each in beaten(self._site.all_games(sheets_only=True), scan.seq)
        ]
        past = content.past(scan) | {"bg_stats": bg_stats_link(scan)}
        return self._site.page(call, "sheet", sheet=told, past=past, base=f"/history/{scan.seq}")

    def result(self, call: Call) -> Result:
        """One of them as it was left, with its photo."""
        scan = self._stored(call)
        try:
            return recall_result(scan, self._site.history.photo_path(scan.record.photo))
        except VisionError as error:
            raise Refused(HTTPStatus.NOT_FOUND, error) from error

    def correct(self, result: Result, place: Place, answer: str | Other) -> None:
        """Put a place right; what was before stays in the history.

        Raises:
            Refused: then the table cannot be scored.
        """
        last, seq = self._site.result(), -result.table
        if last is not None and last.seq == seq:
            self._site.wish(CorrectPlace(last.table, place, answer))
            return
        after = with_score(with_answer(result, place, answer))
        if not isinstance(after.outcome, Scan):
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, translate(after.outcome.message))
        record = record_of(after.outcome, after.corrections, read=after.read)
        before = tuple(map(str, result.corrections))
        history = self._site.history
        with self._putting_right:
            if history.get(seq).record.corrections != before:  # by another phone meanwhile
                raise self._site.busy()
            history.correct(seq, record)

    def share(self, call: Call) -> Response:
        """One picture to send to others."""
        scan = self._stored(call)
        photo = self._site.history.photo_path(scan.record.photo)
        key = "share", scan.seq, photo, crc32(repr(scan.record.sheet).encode()), current_language()
        make = partial(share_picture_of, scan, photo)
        try:
            return self._site.file(self._site.pictures.get(key, make))
        except VisionError as error:
            raise Refused(HTTPStatus.NOT_FOUND, error) from error

    def game_photo(self, call: Call) -> Response:
        """With what was read, or if that cannot be drawn any more as it was taken."""
        scan = self._stored(call)
        path = self._site.history.photo_path(scan.record.photo)
        if path is None:
            raise Refused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        try:
            result = recall_result(scan, path)
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
        data = json_text(play, indent=2).encode()
        return self._site.file(data, "application/json", f"stadtblick-{scan.seq}.bgsplay")

    def as_csv(self, _call: Call) -> Response:
        """All as a table."""
        data = export_csv(self._site.all_games()).encode("utf-8", "backslashreplace")
        return self._site.file(data, "text/csv", "stadtblick.csv")

    def as_json(self, _call: Call) -> Response:
        """All that is stored."""
        data = json_text(export_json(self._site.all_games()), indent=2).encode()
        return self._site.file(data, "application/json", "stadtblick.json")

    def statistics(self, call: Call) -> Response:
        """Figures over all of them."""
        figures = stats_of(self._site.all_games(sheets_only=True))
        games = [
            {
                "title": played_as(each.game, each.variant, each.level),
                "parts": [
                    (game_called(each.game).part_name(one.part), one, best.scan)
                    for one in each.parts
                    for best in each.best
                    if best.part == one.part
                ],
                "players": [(player_name(one.name), one) for one in each.players],
                "highest_by": player_name(each.highest.player),
                "lowest_by": player_name(each.lowest.player),
                "records": [
                    (best_words(one, each.game), one.scan)
                    for one in each.best
                    if one.kind is BestKind.CLOSEST
                ],
                "of": each,
            }
            for each in figures
        ]
        return self._site.page(call, "statistics", games=games)

    def delete(self, call: Call) -> Response:
        """Forget one and its photo."""
        scan = self._stored(call)
        self._site.wish(DeleteGame(scan.seq))
        return self._site.to("/history")

    def delete_photos(self, _call: Call) -> Response:
        """Forget all photos, also the one that the scanner holds; what fails is told."""
        self._site.wish(DeletePhotos())
        self._site.history.delete_photos()
        return self._site.to("/history")
