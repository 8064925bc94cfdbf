"""Store results, photos and settings, and read past games."""

import logging
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2

from firmware.appliance.base import Event
from firmware.appliance.features.past_games import (
    ComputeStatistics,
    DeletePhotoFiles,
    HistoryChanged,
    ListPastGames,
    MoveGameToBin,
    OpenPastGame,
    PastGameEntry,
    PastGameOpened,
    PastGamesListed,
    PhotosDeleted,
    StatisticsComputed,
)
from firmware.appliance.features.players import NamesChanged, SetNamesOfGame
from firmware.appliance.job_mode import JobFailed
from firmware.appliance.past_result import load_past_result, past_game_entry, record_of
from firmware.appliance.result import Result, past_result_id, past_seq
from firmware.appliance.runner.tasks import SerialQueue, TaskResult, ignore, problem_from
from firmware.appliance.saving import (
    ForgetPossibleEarlier,
    LastResultLoaded,
    LoadLastResult,
    ResultNotSaved,
    ResultSaved,
    ResultSavedLater,
    SaveResult,
)
from firmware.appliance.stored_settings import SettingsNotStored, SettingsStored, UseSettings
from firmware.base.errors import FirmwareError, OutputError, wrap_unexpected
from firmware.base.problem import Problem
from firmware.history import (
    History,
    HistoryError,
    NotSavedError,
    ScanRecord,
    StoredScan,
    WallTime,
    wall_time,
)
from firmware.history.player_names import is_person_name
from firmware.history.stats import BestResult, compute_stats, find_new_bests
from firmware.history.stored_reading import decode_reading
from firmware.report.statistics_views import stats_views
from firmware.settings import Settings, store_settings
from firmware.wording.problem_text import problem_line
from vision.errors import VisionError
from vision.photo.load import Photo
from vision.rereading.matching import TableSameness, compare_tables

JPEG_QUALITY: Final = 90
MAX_NAMES: Final = 30
"""Largest number of known player names that are offered."""
MAX_LISTED_GAMES: Final = 100
"""Number of past games that the display lists, the latest ones."""
MAX_COMPARED_GAMES: Final = 10
"""Number of recent games that a new one is compared with."""
MAX_UNSAVED: Final = 100
"""Maximum number of results that wait until they can be stored; the oldest are dropped."""
SAVE_AGAIN_S: Final = 5.0
"""Seconds after which a failed save is tried again; each further save tries it again, too."""

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _PendingResult:
    """Result that waits until it is stored.

    Attributes:
        result_id: ``Result.result_id`` of the result.
        record: Record without photo.
        photo: ``Result.photo_reference``.
        earlier_result_id: Identifier of the earlier result of the same table; None if the table is
            new.
        at: Time of the scan.
        superseded_ids: Identifiers of the results whose saves are undone, the latest first: those
            of ``SaveResult``, then those that a waiting result which it supersedes had to undo.
        possible_earlier_id: Identifier of the result of ``Result.possible_earlier``; None without
            one.
    """

    result_id: int
    record: ScanRecord
    photo: str | None
    earlier_result_id: int | None
    at: WallTime
    superseded_ids: tuple[int, ...] = ()
    possible_earlier_id: int | None = None


class StorageService:
    """Stores and reads results, photos and settings in tasks, one at a time, in their order.

    The loop's thread calls the public methods. The tasks write ``_seqs``, ``_pending`` and
    ``_failed``; the loop only checks whether ``_pending`` is empty. The loop writes
    ``_pending_settings`` and the times. It also adds the reference of each photo to ``_photos``;
    the task that stores the photo sets its file name there.

    Args:
        disk: Queue that reads and writes, one task at a time.
        history: Past games, not prepared yet.
        report: Receiver of the events.
        language: Language of this run alone, which is not stored; None if there is none.
        stored_language: Language of the settings on the disk.
    """

    def __init__(
        self,
        disk: SerialQueue,
        history: History,
        report: Callable[[Event], None],
        *,
        language: str | None = None,
        stored_language: str = "",
    ) -> None:
        self._disk = disk
        self._history, self._is_prepared = history, False
        self._report = report
        self._language = language
        self._stored_language = stored_language
        self._seqs: dict[int, int] = {}
        self._photos: dict[str, str | None] = {}
        self._pending: dict[int, _PendingResult] = {}
        """Results still to be stored, by their identifiers, the oldest first."""
        self._failed: set[int] = set()
        """Identifiers of results that had an unforeseen error; each is logged once."""
        self._pending_settings: Settings | None = None
        self._next_try_s = math.inf
        """Time of the next attempt, in monotonic seconds."""

    def prepare(self) -> None:
        """Open the history, so that the first result need not wait, and report known names."""

        def report_names(task_result: TaskResult) -> None:
            if task_result.error is None and task_result.value:
                self._report(NamesChanged(task_result.value))

        def read_names() -> tuple[str, ...]:
            history = self._prepared_history()
            history.poll_renames()  # only later changes count
            return _names_of_people(history)

        self._disk.add(read_names, report_names)

    def look_for_changes(self, result: Result | None) -> None:
        """Report what another program, such as ``stadtblick history``, has changed meanwhile.

        Args:
            result: Last result; None if there is none.
        """

        def report_changes(task_result: TaskResult) -> None:
            if task_result.error is None and task_result.value is not None:
                self._report(task_result.value)

        if self._disk.is_idle:
            self._disk.add(lambda: self._changes(result), report_changes)

    def _changes(self, result: Result | None) -> HistoryChanged | None:
        history = self._prepared_history()
        renamed = history.poll_renames()
        if renamed is None:
            return None
        changes = HistoryChanged(_names_of_people(history), tuple(renamed))
        if result is None or result.seq is None or result.save_id is not None:
            return changes
        try:
            players = history.get(result.seq).record.table.get("players")
        except HistoryError as error:
            if error.code != "unknown-scan":
                return changes
            self._pending.pop(result.result_id, None)
            return replace(changes, deleted_result=result.result_id)
        if self._pending:  # the names on the disk may be older than those of the result
            return changes
        named = SetNamesOfGame(result.seq, None if players is None else tuple(players))
        return replace(changes, named=named)

    def date_scans(self) -> None:
        """Date the games that were stored before the time was known."""
        self._disk.add(lambda: self._prepared_history().date_scans(), ignore)

    def close(self) -> None:
        """Close the history, after storing all that waits."""
        self._disk.add(self._close, ignore)

    def running_s(self) -> float:
        """Return the run time of the present task so far; 0 if there is none."""
        return self._disk.running_s()

    def save(self, effect: SaveResult) -> None:
        """Store a result; an earlier one of the same table, or of the same scan, is replaced."""
        self._report_result(effect.save_id, lambda: self._save(effect), ResultNotSaved)

    def store_settings(self, effect: UseSettings) -> None:
        """Store the settings, except what holds for this run alone."""
        if not effect.is_stored:
            return
        settings = effect.settings
        if settings.language == self._language:
            settings = replace(settings, language=self._stored_language)

        def done(task_result: TaskResult) -> None:
            self._pending_settings = None if task_result.error is None else settings
            self._report(
                SettingsStored()
                if task_result.error is None
                else SettingsNotStored(problem_from(task_result.error))
            )

        self._disk.add(lambda: store_settings(settings), done)

    def run_due(self, now_s: float) -> None:
        """Retry failed saves from time to time.

        Args:
            now_s: Monotonic seconds.
        """
        waits = self._pending or self._pending_settings is not None
        if not waits:
            self._next_try_s = math.inf
        elif self._next_try_s == math.inf:
            self._next_try_s = now_s + SAVE_AGAIN_S
        elif now_s >= self._next_try_s and self._disk.is_idle:
            self._next_try_s = math.inf
            self._disk.add(self._save_waiting, self._on_waiting_saved)

    def _save_waiting(self) -> list[Event]:
        """Store waiting results, the oldest first, until one cannot be stored."""
        events: list[Event] = []
        with suppress(OutputError):  # reported when it failed first
            if self._pending_settings is not None:
                store_settings(self._pending_settings)
                events.append(SettingsStored())
            history = self._prepared_history()
            for pending in tuple(self._pending.values()):
                seq = self._try_again(history, pending)
                if seq is None:
                    break  # each may have to wait for seconds
                new_bests = _new_bests(history, seq)
                events.append(ResultSavedLater(pending.result_id, seq, new_bests))
        return events

    def _on_waiting_saved(self, task_result: TaskResult) -> None:
        error = task_result.error
        if error is not None:
            _log.warning("nothing is stored: %s", problem_line(wrap_unexpected(error)))
            return
        for event in task_result.value:
            if isinstance(event, SettingsStored):
                self._pending_settings = None
            self._report(event)

    def keep_photo(self, photo: Photo) -> str:
        """Store a photo later; one that cannot be stored is only logged.

        Returns:
            Reference for ``SaveResult``.
        """
        reference = f"photo {len(self._photos) + 1} of this run"
        self._photos[reference] = None
        self._disk.add(lambda: self._encode_and_store_photo(reference, photo), ignore)
        return reference

    def _encode_and_store_photo(self, reference: str, photo: Photo) -> None:
        try:
            encoded, jpeg = cv2.imencode(
                ".jpg", photo.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
            )
            if encoded:
                self._photos[reference] = self._prepared_history().keep_photo(jpeg.tobytes())
        except (NotSavedError, cv2.error, MemoryError) as error:
            _log.warning("the photo was not kept: %s", error)

    def _save(self, effect: SaveResult) -> ResultSaved:
        result = effect.result
        health = tuple(alert.code for alert in effect.health)
        # A result that still waits gives its place to its correction, or to what supersedes it
        waited_ids = effect.superseded_ids or (result.result_id,)
        found = [self._pending.pop(each, None) for each in waited_ids]
        waited = [each for each in found if each is not None]
        still_superseded_ids = (one for each in waited for one in each.superseded_ids)
        pending = _PendingResult(
            result.result_id,
            replace(record_of(result), health=health),
            result.photo_reference,
            None if result.earlier is None else result.earlier.result_id,
            waited[0].at if waited else wall_time(),
            (*effect.superseded_ids, *still_superseded_ids),
            None if result.possible_earlier is None else result.possible_earlier.result_id,
        )
        self._pending[result.result_id] = pending
        for result_id in tuple(self._pending)[:-MAX_UNSAVED]:
            del self._pending[result_id]
        history = self._prepared_history()
        # Older ones first, so that the numbers follow the order of play and each finds its game
        for waiting in tuple(self._pending.values())[:-1]:
            if self._try_again(history, waiting) is None:
                break
        # Only a new game may turn out to be of a table that is stored already
        is_new = self._seq(result.result_id) is None and result.earlier is None
        seq = self._store(history, pending)
        may_be_known = is_new and not pending.superseded_ids and result.possible_earlier is None
        game_with_same_cities = (
            _find_game_with_same_cities(history, seq, result) if may_be_known else None
        )
        if game_with_same_cities is not None:
            with suppress(FirmwareError):  # the result is stored all the same
                history.set_possible_earlier(seq, game_with_same_cities.seq)
        bests = _new_bests(history, seq)
        return ResultSaved(effect.save_id, seq, bests, game_with_same_cities, result.result_id)

    def _try_again(self, history: History, pending: _PendingResult) -> int | None:
        """Retry to store a result; return its number, None after an unforeseen error.

        After such an error it is moved behind the others, which may still be stored.

        Raises:
            NotSavedError: Nothing can be stored now.
        """
        try:
            return self._store(history, pending)
        except NotSavedError:
            raise
        except Exception as error:  # noqa: BLE001
            self._pending[pending.result_id] = self._pending.pop(pending.result_id)
            if pending.result_id not in self._failed:
                self._failed.add(pending.result_id)
                _log.warning("a result is not stored: %s", problem_line(wrap_unexpected(error)))
            return None

    def _store(self, history: History, pending: _PendingResult) -> int:
        result_id = pending.result_id
        record = replace(pending.record, photo=self._photo_name(pending.photo))
        seq = self._seq(result_id)
        is_past = past_seq(result_id) is not None
        store_record = history.save_corrected_past_game if is_past else history.save_corrected
        superseded_seqs = [self._seq(each) for each in pending.superseded_ids]
        earlier_id = pending.earlier_result_id
        if seq is None and earlier_id is not None:  # a rescan of a table that is stored
            seq = self._seq(earlier_id)
            # One that takes the place of another scan of the same game keeps what that replaced
            store_record = history.save_corrected if seq in superseded_seqs else history.save_rescan
        elif seq is None:  # number and time of a new game that it undoes stay
            seq = next((each for each in superseded_seqs if _is_new_game(history, each)), None)
        if seq is None or not _store_unless_deleted(store_record, seq, record):
            seq = history.add(record, pending.at)
        self._seqs[result_id] = seq
        for number, superseded_seq in enumerate(superseded_seqs, start=1):
            if superseded_seq is not None and superseded_seq != seq:
                with suppress(HistoryError):  # somebody has deleted it meanwhile
                    history.undo_rescan(superseded_seq)
            # If the next one fails, this one is not undone again
            rest = pending.superseded_ids[number:]
            self._pending[result_id] = replace(pending, superseded_ids=rest)
        possible_earlier_id = pending.possible_earlier_id
        if possible_earlier_id is not None:
            history.set_possible_earlier(seq, self._seq(possible_earlier_id))
        elif pending.superseded_ids:  # a person has said which game it is
            history.set_possible_earlier(seq, None)
        del self._pending[result_id]
        return seq

    def _photo_name(self, reference: str | None) -> str | None:
        """Return the file name of a photo; None without one, or if it could not be stored."""
        # The reference to the photo of a past game is its file name
        return None if reference is None else self._photos.get(reference, reference)

    def _seq(self, result_id: int) -> int | None:
        """Return the number in the history of a result; None if it is not stored."""
        own = past_seq(result_id)
        return self._seqs.get(result_id) if own is None else own

    def load_last(self, _effect: LoadLastResult) -> None:
        """Load the last result of the history; without one report nothing."""

        def load() -> Result | None:
            scans, _damaged = self._prepared_history().read_scans(1)
            if not scans:
                return None
            result, seq = load_past_result(scans[0], self._photo(scans[0])), scans[0].seq
            return replace(
                result,
                new_bests=_new_bests(self._prepared_history(), seq),
                possible_earlier=_possible_earlier(self._prepared_history(), seq),
            )

        def done(task_result: TaskResult) -> None:
            if task_result.error is not None:
                problem = problem_from(task_result.error)
                _log.warning("the last result was not loaded: %s", problem.message)
            elif task_result.value is not None:
                self._report(LastResultLoaded(task_result.value))

        self._disk.add(load, done)

    def forget_possible_earlier(self, effect: ForgetPossibleEarlier) -> None:
        """Forget which earlier game a result may belong to."""

        def forget() -> None:
            result_id = effect.result_id
            waiting, seq = self._pending.get(result_id), self._seq(result_id)
            if waiting is not None:
                self._pending[result_id] = replace(waiting, possible_earlier_id=None)
            if seq is not None:
                self._prepared_history().set_possible_earlier(seq, None)

        self._disk.add(forget, ignore)

    def list_past_games(self, effect: ListPastGames) -> None:
        """Report the list of past games."""
        self._report_result(effect.job_id, lambda: PastGamesListed(effect.job_id, self._games()))

    def compute_statistics(self, effect: ComputeStatistics) -> None:
        """Report statistics of all past games."""

        def compute() -> Event:
            scans, _damaged = self._prepared_history().read_scans(sheets_only=True)
            return StatisticsComputed(effect.job_id, stats_views(compute_stats(scans)))

        self._report_result(effect.job_id, compute)

    def open_game(self, effect: OpenPastGame) -> None:
        """Load a past game."""

        def load() -> Event:
            scan = self._prepared_history().get(effect.seq)
            return PastGameOpened(effect.job_id, load_past_result(scan, self._photo(scan)))

        self._report_result(effect.job_id, load)

    def move_to_bin(self, effect: MoveGameToBin) -> None:
        """Move a past game to the bin, from which it can be brought back with its photo."""

        def move() -> Event:
            history = self._prepared_history()
            if not effect.moved_by_page and effect.seq in history.seqs():
                history.move_to_bin(effect.seq)
            stored = (result_id for result_id, seq in self._seqs.items() if seq == effect.seq)
            deleted = (*stored, past_result_id(effect.seq))
            for result_id in deleted:
                self._pending.pop(result_id, None)
            return PastGamesListed(effect.job_id, self._games(), deleted_results=deleted)

        self._report_result(effect.job_id, move)

    def delete_photos(self, effect: DeletePhotoFiles) -> None:
        """Delete the photo files of the history."""

        def delete() -> Event:
            self._prepared_history().delete_photos()
            return PhotosDeleted(effect.job_id)

        self._report_result(effect.job_id, delete)

    def _report_result(
        self,
        request_id: int,
        work: Callable[[], Event],
        failed: Callable[[int, Problem], Event] = JobFailed,
    ) -> None:
        self._disk.add(
            work,
            lambda task_result: self._report(
                task_result.value
                if task_result.error is None
                else failed(request_id, problem_from(task_result.error))
            ),
        )

    def _games(self) -> tuple[PastGameEntry, ...]:
        scans, _damaged = self._prepared_history().read_scans(MAX_LISTED_GAMES)
        return tuple(map(past_game_entry, scans))

    def _photo(self, scan: StoredScan) -> Path | None:
        return self._prepared_history().photo_path(scan.record.photo)

    def _close(self) -> None:
        if self._pending or self._pending_settings is not None:
            with suppress(Exception):  # the last chance
                self._save_waiting()
        self._history.close()

    def _prepared_history(self) -> History:
        if not self._is_prepared:
            self._is_prepared = True
            self._history.prepare()
            for warning in self._history.warnings:
                _log.warning("%s: %s", warning.code, problem_line(warning))
        return self._history


def _names_of_people(history: History) -> tuple[str, ...]:
    """Return the names that people gave to players, without those of seats and pieces."""
    return tuple(filter(is_person_name, history.player_names()))[:MAX_NAMES]


def _new_bests(history: History, seq: int) -> tuple[BestResult, ...]:
    with suppress(HistoryError):  # the result is stored all the same
        return find_new_bests(history.read_scans(sheets_only=True)[0], seq)
    return ()


def _possible_earlier(history: History, seq: int) -> Result | None:
    """Return the earlier game that a game may be one with.

    None if a person has answered that question, or if the earlier game cannot be loaded.
    """
    with suppress(FirmwareError, VisionError):  # it is deleted, damaged, or its edition is gone
        earlier_seq = history.possible_earlier_seq(seq)
        return None if earlier_seq is None else load_past_result(history.get(earlier_seq), None)
    return None


def _find_game_with_same_cities(history: History, seq: int, result: Result) -> Result | None:
    """Return a recent game with the cities of a result just stored; None if there is none."""
    any_grid_turn = result.description.any_grid_turn
    with suppress(FirmwareError, VisionError):  # the result is stored all the same
        scans, _damaged = history.read_scans(MAX_COMPARED_GAMES + 1)
        for scan in scans:
            record = scan.record
            if scan.seq == seq or record.game != result.game_id:
                continue
            with suppress(FirmwareError, VisionError, ValueError):
                cities = decode_reading(record.reading).grids
                match = compare_tables(
                    cities, result.eye_reading.grids, any_grid_turn=any_grid_turn
                )
                if match.sameness is TableSameness.SAME:
                    return load_past_result(scan, None)
    return None


def _is_new_game(history: History, seq: int | None) -> bool:
    """Return whether a stored scan is the first one of its game; False without a number."""
    if seq is None:
        return False
    with suppress(HistoryError):  # somebody has deleted it meanwhile, or it is damaged
        return history.get(seq).record.replaced is None
    return False


def _store_unless_deleted(
    store_record: Callable[[int, ScanRecord], None], seq: int, record: ScanRecord
) -> bool:
    """Store a record in the place of another one; False if that was deleted meanwhile."""
    try:
        store_record(seq, record)
    except HistoryError as error:
        if error.code != "unknown-scan":
            raise
        return False
    return True
