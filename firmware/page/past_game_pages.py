"""Pages of past games: list, sheets, photos, figures, exports."""

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
from firmware.base.errors import FirmwareError
from firmware.base.json_text import json_text
from firmware.base.language import _, current_language
from firmware.games.game import Scan
from firmware.games.players import player_name
from firmware.games.registry import game_called
from firmware.history import StoredScan, record_of
from firmware.history.bg_stats import bg_stats_link, bg_stats_play
from firmware.history.stats import BestKind, beaten, stats_of
from firmware.history.text import export_csv, export_json, record_sentence, title_with_level
from firmware.page import pictures, result_values, result_view
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused
from firmware.report.share_picture import share_picture_of
from firmware.scan.corrections import correction_text
from firmware.screens.question_views import SpecialAnswer
from firmware.wording.problems import problem_line, translate
from vision.errors import VisionError
from vision.reading import Place

GAMES_A_PAGE: Final = 20


class PastGamePages:
    """Pages of past games.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._correcting = Lock()

    def history(self, request: PageRequest) -> Response:
        """Show the list, page by page, the latest game first."""
        given = request.query_value("page")
        page = max(int(given), 1) if given.isascii() and given.isdigit() and len(given) < 6 else 1
        last = page * GAMES_A_PAGE
        scans, damaged = self._context.history.readable(last + 1)
        shown = [result_values.past_game_values(scan) for scan in scans[last - GAMES_A_PAGE : last]]
        more = len(scans) + len(damaged) > last
        broken = [problem_line(error) for error in damaged]
        return self._context.render(
            request, "history", scans=shown, page=page, more=more, damaged=broken
        )

    def _stored(self, request: PageRequest) -> StoredScan:
        return self._context.history.get(int(request.path_value("seq")))

    def game(self, request: PageRequest) -> Response:
        """Show a game with its sheet."""
        scan = self._stored(request)
        has_photo = self._context.history.photo_path(scan.record.photo) is not None
        told: dict[str, Any]
        try:
            told = result_view.sheet_values(recall_result(scan, None)) | {"has_picture": has_photo}
        except (FirmwareError, VisionError) as error:  # its edition is gone
            told = result_values.past_sheet_values(scan.record) | {"fault": translate(error)}
        told["records"] = [
            record_sentence(each, scan.record.game)
            for each in beaten(self._context.all_games(sheets_only=True), scan.seq)
        ]
        past = result_values.past_game_values(scan) | {"bg_stats": bg_stats_link(scan)}
        return self._context.render(
            request, "sheet", sheet=told, past=past, base=f"/history/{scan.seq}"
        )

    def result(self, request: PageRequest) -> Result:
        """Return the result of a game as it was left, with its photo."""
        scan = self._stored(request)
        try:
            return recall_result(scan, self._context.history.photo_path(scan.record.photo))
        except VisionError as error:
            raise RequestRefused(HTTPStatus.NOT_FOUND, error) from error

    def correct(self, result: Result, place: Place, answer: str | SpecialAnswer) -> None:
        """Correct a place; the earlier result stays in the history.

        Raises:
            RequestRefused: The corrected table cannot be scored.
        """
        last, seq = self._context.latest_result(), -result.table
        if last is not None and last.seq == seq:
            self._context.submit(CorrectPlace(last.table, place, answer))
            return
        after = with_score(with_answer(result, place, answer))
        if not isinstance(after.outcome, Scan):
            raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, translate(after.outcome.message))
        record = record_of(after.outcome, after.corrections, read=after.read)
        naming = result.checked.naming
        before = tuple(correction_text(each, naming) for each in result.corrections)
        history = self._context.history
        with self._correcting:
            if history.get(seq).record.corrections != before:  # by another phone meanwhile
                raise self._context.busy_refusal()
            history.correct(seq, record)

    def share(self, request: PageRequest) -> Response:
        """Return one picture to send to others."""
        scan = self._stored(request)
        photo = self._context.history.photo_path(scan.record.photo)
        key = "share", scan.seq, photo, crc32(repr(scan.record.sheet).encode()), current_language()
        make = partial(share_picture_of, scan, photo)
        try:
            return self._context.file_response(self._context.pictures.get(key, make))
        except VisionError as error:
            raise RequestRefused(HTTPStatus.NOT_FOUND, error) from error

    def game_photo(self, request: PageRequest) -> Response:
        """Return the annotated photo, or the plain one if its edition is gone."""
        scan = self._stored(request)
        path = self._context.history.photo_path(scan.record.photo)
        if path is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        try:
            result = recall_result(scan, path)
        except (FirmwareError, VisionError):
            return self._context.file_response(path.read_bytes())
        key = ("past", scan.seq, result.said, current_language())
        drawn = self._context.pictures.get(key, partial(pictures.annotated_photo, result))
        return self._context.file_response(path.read_bytes() if drawn is None else drawn)

    def bg_stats(self, request: PageRequest) -> Response:
        """Return the file for the app BG Stats."""
        scan = self._stored(request)
        play = bg_stats_play(scan)
        if play is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("This game has no points."))
        data = json_text(play, indent=2).encode()
        return self._context.file_response(
            data, "application/json", f"stadtblick-{scan.seq}.bgsplay"
        )

    def as_csv(self, _call: PageRequest) -> Response:
        """Return all games as CSV."""
        data = export_csv(self._context.all_games()).encode("utf-8", "backslashreplace")
        return self._context.file_response(data, "text/csv", "stadtblick.csv")

    def as_json(self, _call: PageRequest) -> Response:
        """Return all games as JSON."""
        data = json_text(export_json(self._context.all_games()), indent=2).encode()
        return self._context.file_response(data, "application/json", "stadtblick.json")

    def statistics(self, request: PageRequest) -> Response:
        """Show figures over all games."""
        figures = stats_of(self._context.all_games(sheets_only=True))
        games = [
            {
                "title": title_with_level(each.game, each.variant, each.level),
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
                    (record_sentence(one, each.game), one.scan)
                    for one in each.best
                    if one.kind is BestKind.CLOSEST
                ],
                "of": each,
            }
            for each in figures
        ]
        return self._context.render(request, "statistics", games=games)

    def delete(self, request: PageRequest) -> Response:
        """Delete a game and its photo."""
        scan = self._stored(request)
        self._context.submit(DeleteGame(scan.seq))
        return self._context.redirect("/history")

    def delete_photos(self, _call: PageRequest) -> Response:
        """Delete all photos, also the one that the scanner holds."""
        self._context.submit(DeletePhotos())
        self._context.history.delete_photos()
        return self._context.redirect("/history")
