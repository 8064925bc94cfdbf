"""Pages of past games: list, sheets, photos, statistics, exports."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from threading import Event, Lock
from time import monotonic
from typing import Any, Final
from zlib import crc32

from starlette.responses import Response

from firmware.appliance.features.past_games import DeletePhotos, ForgetDeletedGame, UseCorrectedGame
from firmware.appliance.features.players import SetNamesOfGame
from firmware.appliance.features.reviewing import CorrectPlaces
from firmware.appliance.past_result import load_past_result, record_of
from firmware.appliance.result import Result, past_seq, with_answer, with_score
from firmware.base.errors import FirmwareError, UsageError
from firmware.base.json_text import json_text
from firmware.base.language import _, current_language
from firmware.games.player_words import shown_name
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.history import History, HistoryError, StoredScan
from firmware.history.bg_stats import bg_stats_link, bg_stats_play
from firmware.history.bgg import bgg_link
from firmware.history.clock import parse_wall_time
from firmware.history.export import export_csv, export_json
from firmware.history.loaded_game import photo_as_read
from firmware.history.player_names import (
    given_names,
    is_person_name,
    named_seat_count,
    tidy_name,
    with_names,
)
from firmware.history.player_stats import summarize_players
from firmware.history.stats import BestKind, GameStats, compute_stats, find_new_bests
from firmware.history.stored_reading import decode_reading
from firmware.history.text import best_sentence, title_with_level
from firmware.page import joined_values, pictures, result_overview, result_values
from firmware.page.answer_undo import last_answer
from firmware.page.charts import Chart, ChartWords, column_chart
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused, with_changes_of_others
from firmware.report.share_picture import share_picture_of
from firmware.scan.corrections import correction_text
from firmware.screens.question_views import SpecialAnswer
from firmware.wording.problem_text import problem_line, translate
from vision.errors import VisionError
from vision.reading import Place

GAMES_A_PAGE: Final = 20
MAX_COLUMNS: Final = 24
"""Number of games in the chart of the winners' points, the latest ones."""
SAVE_LIMIT_S: Final = 3.0
"""Longest time in seconds to wait until a game is stored; a slow memory card takes one."""
_WHOLE_PHOTO: Final = 99
"""Number of the thumbnail of a photo without cities."""


def _best_city(scan: StoredScan) -> int:
    """Return the index of the winner's city with the most points, for the thumbnail."""
    sheet = scan.record.sheet
    players, cities = sheet.get("players") or (), sheet.get("cities") or ()
    winners = [seat for seat in sheet.get("winners") or () if isinstance(seat, int)]
    if not scan.record.reading.get("cities"):
        return _WHOLE_PHOTO
    if not winners or winners[0] >= len(players):
        return 0
    own = [index for index in players[winners[0]].get("cities") or () if index < len(cities)]
    return max(own, key=lambda index: cities[index]["total"]) if own else winners[0]


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
        history, deleted = self._context.history, request.query_value("deleted")
        numbers = history.seqs_by_date()
        last, scans, broken = page * GAMES_A_PAGE, list[StoredScan](), list[tuple[int, str]]()
        for seq in numbers[last - GAMES_A_PAGE : last]:
            try:
                scans.append(history.get(seq))
            except HistoryError as error:
                broken.append((seq, problem_line(error)))
        shown = [result_values.past_game_values(scan) | self._thumbnail(scan) for scan in scans]
        for before, each in pairwise(shown):  # in the order in which they were stored
            each["month"] = each["month"] or before["month"]
        return self._context.render(
            request,
            "history",
            several=len({each["game"] for each in shown}) > 1,
            months=[(month, list(games)) for month, games in groupby(shown, itemgetter("month"))],
            page=page,
            more=len(numbers) > last,
            damaged=broken,
            deleted=deleted if deleted in map(str, history.seqs_in_bin()) else "",
            discarded=[
                (seq, scan and result_values.past_game_values(scan))
                for seq, scan in history.in_bin().items()
            ],
        )

    def _thumbnail(self, scan: StoredScan) -> dict[str, str]:
        """Return the address of the thumbnail of a game; empty if it has no photo any more."""
        photo = scan.record.photo
        if photo is None or self._context.history.photo_path(photo) is None:
            return {"thumbnail": ""}
        thumbnail_version = f"{photo.partition('.')[0]}-{_best_city(scan)}"
        return {"thumbnail": f"/history/{scan.seq}/thumbnail.jpg?v={thumbnail_version}"}

    def thumbnail(self, request: PageRequest) -> Response:
        """Return the best city of the winner in small; made once for each photo."""
        scan = self._stored_scan(request)
        city, photo = _best_city(scan), scan.record.photo

        def make(path: Path) -> bytes | None:
            with suppress(ValueError):
                reading = decode_reading(scan.record.reading)
                picture = photo_as_read(path, reading)
                return None if picture is None else pictures.thumbnail(picture, reading, city)
            return None

        history = self._context.history
        made = None if photo is None else history.thumbnail(photo, city, make)
        return self._context.file_response(made, lasts=True)

    def _stored_scan(self, request: PageRequest) -> StoredScan:
        return self._context.history.get(int(request.path_value("seq")))

    def game(self, request: PageRequest) -> Response:
        """Show a game with its sheet."""
        scan = self._stored_scan(request)
        has_photo = self._context.history.photo_path(scan.record.photo) is not None
        values: dict[str, Any]
        joined: dict[str, Any] = {}
        undone = None
        try:
            result = load_past_result(scan, None)
            values = result_overview.sheet_values_with_overview(result) | {"has_picture": has_photo}
            undone = last_answer(request, result)
            joined = joined_values.joined_values(
                result, joined_values.parse_order(request.query_value("order"))
            )
        except (FirmwareError, VisionError) as error:  # its edition is gone
            values = result_values.past_sheet_values(scan.record) | {"fault": translate(error)}
        values["bests"] = [
            best_sentence(each, scan.record.game)
            for each in find_new_bests(self._context.all_games(sheets_only=True), scan.seq)
        ]
        past = result_values.past_game_values(scan) | {
            "bg_stats": bg_stats_link(scan, self._context.history.identity),
            "bgg": bgg_link(scan.record.game),
            "names": given_names(scan.record),
            "known_names": self._context.channel.state.choices.names,
            "local_time": _local_time(scan),
            "people": [each for each in given_names(scan.record) if each],
        }
        game_path = f"/history/{scan.seq}"
        return self._context.render(
            request,
            "sheet",
            sheet=values,
            past=past,
            game_path=game_path,
            joined=joined,
            undone=undone,
            known_names=past["known_names"],
        )

    def result(self, request: PageRequest) -> Result:
        """Return the result of a game as it was left, with its photo."""
        scan = self._stored_scan(request)
        try:
            return load_past_result(scan, self._context.history.photo_path(scan.record.photo))
        except VisionError as error:
            raise RequestRefused(HTTPStatus.NOT_FOUND, error) from error

    def correct(self, result: Result, place: Place, answer: str | SpecialAnswer) -> None:
        """Correct a place of a past game, which keeps what was scored when it was played.

        The last result is corrected as on its own page: the new score takes the place of the old.

        Raises:
            RequestRefused: As ``store`` and ``PageContext.submit`` refuse it.
        """
        last, seq = self._context.last_result(), past_seq(result.result_id)
        if last is not None and last.seq == seq:
            self._context.submit(CorrectPlaces(last.result_id, ((place, answer),)))
            self._wait_until_saved(seq)  # the page of the game shows what is stored
            return
        self.store(result, with_score(with_answer(result, place, answer)))

    def store(self, result: Result, after: Result) -> None:
        """Store a game with a later answer; the earlier result stays in the history.

        Args:
            result: Game as it was left.
            after: Game with the answer.

        Raises:
            RequestRefused: It cannot be scored, or another phone has corrected it meanwhile.
        """
        if not isinstance(after.scan_or_problem, Scan):
            raise RequestRefused(
                HTTPStatus.UNPROCESSABLE_ENTITY, translate(after.scan_or_problem.message)
            )
        naming = result.corrected_scan.naming
        before = tuple(correction_text(each, naming) for each in result.corrections)
        history, seq = self._context.history, past_seq(result.result_id)
        assert seq is not None  # noqa: S101 - only past games are stored here
        command = UseCorrectedGame(after)
        if command.is_needed(self._context.channel.state):
            self._context.check_interruptible()
        with self._correcting:
            known = history.get(seq).record
            names = known.table.get("players") or ()
            is_as_seen = not named_seat_count(known) or tuple(names) == (
                result.options.players or ()
            )
            if known.corrections != before or not is_as_seen:  # by another phone meanwhile
                raise self._context.busy_refusal()
            history.save_corrected_past_game(seq, record_of(after))
        self._context.channel.notify_listeners()
        if command.is_needed(self._context.channel.state):  # perhaps only since a scan meanwhile
            self._context.submit(command)

    def share(self, request: PageRequest) -> Response:
        """Return one picture to send to others."""
        scan = self._stored_scan(request)
        photo = self._context.history.photo_path(scan.record.photo)
        key = "share", scan.seq, photo, crc32(repr(scan.record.sheet).encode()), current_language()
        make = partial(share_picture_of, scan, photo)
        try:
            return self._context.file_response(self._context.pictures.get(key, make))
        except VisionError as error:
            raise RequestRefused(HTTPStatus.NOT_FOUND, error) from error

    def game_photo(self, request: PageRequest) -> Response:
        """Return the annotated photo, or the plain one if its edition is gone."""
        scan = self._stored_scan(request)
        path = self._context.history.photo_path(scan.record.photo)
        if path is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        try:
            result = load_past_result(scan, path)
        except (FirmwareError, VisionError):
            return self._context.file_response(path.read_bytes())
        key = ("past", scan.seq, result.given_answers, current_language())
        drawn = self._context.pictures.get(key, partial(pictures.annotated_photo, result))
        return self._context.file_response(path.read_bytes() if drawn is None else drawn)

    def bg_stats(self, request: PageRequest) -> Response:
        """Return the file for the app BG Stats."""
        scan = self._stored_scan(request)
        play = bg_stats_play(scan, self._context.history.identity)
        if play is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("This game has no points."))
        data = json_text(play, indent=2).encode()
        return self._context.file_response(
            data, "application/json", f"stadtblick-{scan.seq}.bgsplay"
        )

    def as_csv(self, _request: PageRequest) -> Response:
        """Return all games as CSV."""
        data = export_csv(self._context.all_games()).encode("utf-8", "backslashreplace")
        return self._context.file_response(data, "text/csv", "stadtblick.csv")

    def as_json(self, _request: PageRequest) -> Response:
        """Return all games as JSON."""
        data = json_text(export_json(self._context.all_games()), indent=2).encode()
        return self._context.file_response(data, "application/json", "stadtblick.json")

    def statistics(self, request: PageRequest) -> Response:
        """Show statistics of all games."""
        scans = self._context.all_games(sheets_only=True)
        statistics = compute_stats(scans)
        games = [
            {
                "title": title_with_level(each.game, each.variant, each.level),
                "parts": [
                    (game_or_unscored(each.game).part_name(one.part), one, best.seq)
                    for one in each.parts
                    for best in each.best
                    if best.part == one.part
                ],
                "players": [
                    (shown_name(one.name), one, is_person_name(one.name)) for one in each.players
                ],
                "course": _course(each),
                "highest_by": shown_name(each.highest.player),
                "lowest_by": shown_name(each.lowest.player),
                "bests": [
                    (best_sentence(one, each.game), one.seq)
                    for one in each.best
                    if one.kind is BestKind.CLOSEST
                ],
                "of": each,
            }
            for each in statistics
        ]
        players = summarize_players(scans)
        return self._context.render(request, "statistics", games=games, players=players)

    def change(self, request: PageRequest) -> Response:
        """Give a game its names and its date."""
        scan, history = self._stored_scan(request), self._context.history
        known = {f"name{n}": name for n, name in enumerate(given_names(scan.record))}
        form = with_changes_of_others(request.form, known | {"when": _local_time(scan)})
        when = form.get("when", "").strip()
        is_dated = when != _local_time(scan)
        try:
            at = parse_wall_time(when) if when else replace(scan.at, known=False)
            if named_seat_count(scan.record):
                self._name(
                    scan, [form.get(f"name{n}", "") for n in range(named_seat_count(scan.record))]
                )
        except UsageError as error:
            if error.code in ("names-not-allowed", "date-invalid"):
                raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, error) from error
            raise
        if is_dated:
            history.set_time(scan.seq, at)
        self._context.channel.notify_listeners()
        return self._context.redirect(f"/history/{scan.seq}")

    def _name(self, scan: StoredScan, names: list[str]) -> None:
        if tuple(map(tidy_name, names)) == given_names(scan.record):
            return
        named = with_names(scan.record, names)
        players = named.table.get("players")
        command = SetNamesOfGame(scan.seq, None if players is None else tuple(players))
        self._context.check_interruptible()
        self._context.history.set_names(scan.seq, names)
        self._context.submit(command)

    def delete(self, request: PageRequest) -> Response:
        """Delete a game so that it can be brought back; a second tap leads to the same page."""
        seq, history = int(request.path_value("seq")), self._context.history
        try:
            _is_damaged(history, seq)  # can be deleted as well
            self._context.check_interruptible()
            self._wait_until_saved(seq)  # else it is stored once more after that
            history.move_to_bin(seq)
        except HistoryError:
            if seq not in history.seqs_in_bin():
                raise
        else:
            self._context.submit(ForgetDeletedGame(seq))
            self._context.channel.notify_listeners()
        return self._context.redirect(f"/history?deleted={seq}")

    def _wait_until_saved(self, seq: int | None) -> None:
        """Wait while the last result is being stored as this game, ``SAVE_LIMIT_S`` at most."""
        channel, changed, until_s = self._context.channel, Event(), monotonic() + SAVE_LIMIT_S
        stop = channel.listen(changed.set)
        while _is_being_saved(channel.state.result, seq):
            if not changed.wait(max(until_s - monotonic(), 0.0)):
                break
            changed.clear()
        stop()

    def restore(self, request: PageRequest) -> Response:
        """Bring back a game that was deleted; a second tap leads to the same page."""
        seq, history = int(request.path_value("seq")), self._context.history
        try:
            history.restore(seq)
        except HistoryError:
            if seq not in history.seqs():
                raise
        self._context.channel.notify_listeners()
        return self._context.redirect(
            "/history" if _is_damaged(history, seq) else f"/history/{seq}"
        )

    def empty_bin(self, _request: PageRequest) -> Response:
        """Delete for good what could be brought back."""
        self._context.history.empty_bin()
        return self._context.redirect("/history")

    def delete_photos(self, _request: PageRequest) -> Response:
        """Delete all photos, also the one that the scanner holds."""
        self._context.submit(DeletePhotos())
        self._context.history.delete_photos()
        return self._context.redirect("/history")


def _is_damaged(history: History, seq: int) -> bool:
    """Return whether a game is damaged.

    Raises:
        HistoryError: ``unknown-scan``, or the history cannot be read.
    """
    try:
        history.get(seq)
    except HistoryError as error:
        if error.code != "scan-damaged":
            raise
        return True
    return False


def _is_being_saved(result: Result | None, seq: int | None) -> bool:
    return result is not None and result.seq == seq and result.save_id is not None


def _local_time(scan: StoredScan) -> str:
    """Return the time of a game as a form has it; empty if it is not known."""
    if not scan.at.known:
        return ""
    return scan.at.utc.astimezone().replace(tzinfo=None).isoformat(timespec="minutes")


def _course(stats: GameStats) -> Chart | None:
    """Return the chart of the winners' points, game by game; None for a single game."""
    shown = stats.winning[-MAX_COLUMNS:]
    if len(shown) < 2:
        return None
    first = len(stats.winning) - len(shown) + 1
    columns = [(str(number), points, points) for number, points in enumerate(shown, first)]
    words = ChartWords(
        f"course-{stats.game}-{stats.variant}-{stats.level}",
        _("Points of the winner, game by game"),
        (_("game"), _("points")),
    )
    return column_chart(words, columns, [(label, str(points)) for label, points, _p in columns])
