"""Scans and photos of the appliance, in one folder; ``record`` explains their numbers."""

import dataclasses
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

import msgspec

from firmware.base.errors import OutputError
from firmware.base.problem import Problem
from firmware.history import player_names
from firmware.history.clock import TimeSinceBoot, WallTime, wall_time
from firmware.history.database import (
    DELETED_TABLE,
    UNDATED_TABLE,
    Database,
    has_table,
    read_identity,
)
from firmware.history.errors import (
    HistoryError,
    damaged_scan,
    not_saved,
    unknown_player,
    unknown_scan,
)
from firmware.history.photo_folder import PhotoFolder
from firmware.history.record import ScanRecord, StoredScan, in_order_played
from firmware.history.rows import (
    INSERT,
    PLAYER_NAMES,
    TIME_COLUMN_COUNT,
    encode_row,
    log_renamed,
    log_undated,
    move_scan,
    photos_used,
    put_possible_earlier,
    put_time,
    read_possible_earlier,
    rename_in_table,
    renamed_after,
    scan_of,
    select_from,
    update_in,
)

FILE_NAME: Final = "history.sqlite"
PHOTOS_FOLDER: Final = "photos"
BYTES_PER_MB: Final = 1_000_000
MAX_IN_BIN: Final = 20
"""Number of deleted scans that can be brought back; the ones deleted first are forgotten."""


class History:
    """Scans and photos of one folder; nothing is opened before it is needed.

    One object serves the whole process. Any thread may call any method: each is one transaction,
    and waits for the one before.

    On a full disk a few of the oldest photos give way to whatever is stored. If that is not enough,
    or the disk cannot be written, stored scans stay as they are, the caller keeps what is not
    stored (``NotSavedError``), and the next attempt may succeed.

    Args:
        folder: Folder of the user's own things.
        photos_max: Largest number of photos; 0 keeps none.
        photos_max_mb: Largest size of all photos together, in megabytes.
        photos_max_days: Largest age of photos in days; 0 for any age.
        clock: Function that returns the time.
    """

    def __init__(
        self,
        folder: Path,
        *,
        photos_max: int = 200,
        photos_max_mb: int = 500,
        photos_max_days: int = 0,
        clock: Callable[[], WallTime] = wall_time,
    ) -> None:
        self._photos = PhotoFolder(folder / PHOTOS_FOLDER, photos_max, photos_max_mb * BYTES_PER_MB)
        self._database = Database(folder / FILE_NAME, make_room=self._photos.drop_oldest)
        self._clock = clock
        self._photos_max_days = photos_max_days
        self._last_rename: int | None = None
        """Number of the last renamed player that is known of; None before the first look."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Problems met while the file was opened."""
        return self._database.warnings

    @property
    def identity(self) -> str:
        """Identifier of the file of past games, which stays as long as the file."""
        with self._database.reading() as connection:
            return read_identity(connection)

    def prepare(self) -> None:
        """Open the file for writing, or begin one, and drop photos beyond the limits.

        A damaged file is set aside and a new one begun. Never fails: problems stand in
        ``warnings``, and the next change tries again.
        """
        self._database.open_or_warn()
        self._photos.tidy()
        self._drop_old_photos()

    def add(self, record: ScanRecord, at: WallTime | None = None) -> int:
        """Store a scan; on a full disk delete some of the oldest photos for it.

        Args:
            record: Values of the scan.
            at: Time of the scan; None for now.

        Returns:
            Sequence number.

        Raises:
            NotSavedError: Nothing was changed.
        """
        now = self._clock()
        at = (at or now).dated_by(now)
        row = encode_row(record, at)

        def insert(connection: sqlite3.Connection) -> int:
            seq = connection.execute(INSERT, row).lastrowid
            assert seq is not None  # noqa: S101 - an INSERT has one
            if not at.known and at.since_boot is not None:
                log_undated(connection, seq, at.since_boot)
            return seq

        return self._database.apply(insert)

    def save_corrected(self, seq: int, record: ScanRecord) -> None:
        """Store a scan again, corrected after it was scanned.

        Its number and time stay, and so does ``ScanRecord.replaced``.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        with self._database.lock:
            before_rescan = self.get(seq).record.replaced
            self._overwrite(seq, dataclasses.replace(record, replaced=before_rescan))

    def _overwrite(self, seq: int, record: ScanRecord) -> None:
        """Store a record in the place of another one; number and time stay.

        Photos that no record refers to any more are removed.
        """
        row = encode_row(record, self._clock())[TIME_COLUMN_COUNT:]

        def overwrite(connection: sqlite3.Connection) -> set[str] | None:
            before = photos_used(connection)
            if not connection.execute(update_in("scans"), (*row, seq)).rowcount:
                return None
            return before - photos_used(connection)

        unused = self._database.apply(overwrite)
        if unused is None:
            raise unknown_scan(seq)
        self._remove_photos(unused)

    def _remove_photos(self, names: set[str]) -> None:
        for name in names:
            with suppress(OSError):  # ``drop_oldest`` removes it later
                self._photos.remove(name)

    def save_corrected_past_game(self, seq: int, record: ScanRecord) -> None:
        """Store corrections of a past game; photo and health stay.

        ``ScanRecord.before_correction`` keeps what was scored on the evening itself.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        with self._database.lock:
            self.save_corrected(seq, self.get(seq).record.with_later_corrections(record))

    def save_rescan(self, seq: int, record: ScanRecord) -> None:
        """Store a further scan of the same table; it replaces the earlier scan and keeps it.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        with self._database.lock:
            self._overwrite(seq, self.get(seq).record.with_rescan(record))

    def undo_rescan(self, seq: int) -> None:
        """Undo the last ``save_rescan`` of a scan; delete a scan that replaced none.

        Raises:
            HistoryError: ``unknown-scan`` or ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        with self._database.lock:
            before_rescan = self.get(seq).record.replaced
            if before_rescan is None:
                self.delete_for_good([seq])
                return
            try:
                record = msgspec.convert(before_rescan, ScanRecord)
            except msgspec.ValidationError as error:
                raise damaged_scan(seq, str(self._database.path)) from error
            self._overwrite(seq, record)

    def set_possible_earlier(self, seq: int, earlier_seq: int | None) -> None:
        """Store which earlier scan may show the table of a scan; None once a person has answered.

        Raises:
            NotSavedError: It is stored as before.
        """
        with self._database.lock:
            if self.possible_earlier_seq(seq) != earlier_seq:
                self._database.apply(
                    lambda connection: put_possible_earlier(connection, seq, earlier_seq)
                )

    def possible_earlier_seq(self, seq: int) -> int | None:
        """Return the number of the earlier scan that may show the table of a scan.

        Returns:
            Number, perhaps of a scan deleted since; None if there is none, or if a person has said
            whether the table is the same.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
        """
        with self._database.reading() as connection:
            return read_possible_earlier(connection, seq)

    def delete_photos(self) -> None:
        """Delete all photos; the scans stay.

        Raises:
            NotSavedError: The disk cannot be written; some photos may be left.
        """
        try:
            self._photos.remove_all()
        except OSError as error:
            raise not_saved(error, str(self._photos.folder)) from error

    def delete_for_good(self, seqs: Sequence[int]) -> None:
        """Delete scans and their photos for good; none if one of the numbers is unknown.

        Page and display delete by ``move_to_bin``, which can be undone.

        Raises:
            HistoryError: ``unknown-scan``.
            NotSavedError: The disk cannot be written; nothing is deleted.
        """
        known = set(self.seqs())
        for seq in seqs:
            if seq not in known:
                raise unknown_scan(seq)

        def remove(connection: sqlite3.Connection) -> set[str]:
            before = photos_used(connection)
            for seq in seqs:
                connection.execute("DELETE FROM scans WHERE seq = ?", (seq,))
                put_possible_earlier(connection, seq, None)
            return before - photos_used(connection)

        self._remove_photos(self._database.apply(remove))

    def move_to_bin(self, seq: int) -> None:
        """Move a scan to the bin, from which it can be brought back; its photo stays meanwhile.

        Of more than ``MAX_IN_BIN`` the first ones are deleted for good, with their photos.

        Raises:
            HistoryError: ``unknown-scan``.
            NotSavedError: The disk cannot be written; nothing is deleted.
        """

        def move(connection: sqlite3.Connection) -> set[str] | None:
            before = photos_used(connection)
            # Columns as in ``scans``, but without its AUTOINCREMENT: a scan keeps its number
            connection.execute(
                f"CREATE TABLE IF NOT EXISTS {DELETED_TABLE} AS SELECT * FROM scans WHERE FALSE"  # noqa: S608
            )
            if not move_scan(connection, seq, "scans", DELETED_TABLE):
                return None
            connection.execute(
                f"DELETE FROM {DELETED_TABLE} WHERE rowid NOT IN "  # noqa: S608 - names of our own
                f"(SELECT rowid FROM {DELETED_TABLE} ORDER BY rowid DESC LIMIT {MAX_IN_BIN})"
            )
            return before - photos_used(connection)

        unused = self._database.apply(move)
        if unused is None:
            raise unknown_scan(seq)
        self._remove_photos(unused)

    def restore(self, seq: int) -> None:
        """Bring a scan back from the bin; it has its number again.

        Raises:
            HistoryError: ``unknown-scan``: It is not in the bin.
            NotSavedError: It stays deleted.
        """

        def move(connection: sqlite3.Connection) -> bool:
            return has_table(connection, DELETED_TABLE) and move_scan(
                connection, seq, DELETED_TABLE, "scans"
            )

        if not self._database.apply(move):
            raise unknown_scan(seq)

    def in_bin(self) -> dict[int, StoredScan | None]:
        """Return the scans in the bin by number, the one deleted last first; None if damaged.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
        """
        found: dict[int, StoredScan | None] = {}
        with self._database.reading() as connection:
            if has_table(connection, DELETED_TABLE):
                query = select_from(DELETED_TABLE, sheets_only=True)
                for row in connection.execute(f"{query} ORDER BY rowid DESC"):
                    seq = row[0]
                    try:
                        found[seq] = scan_of(row, str(self._database.path))
                    except HistoryError:
                        found[seq] = None
        return found

    def seqs_in_bin(self) -> set[int]:
        """Return the numbers of the scans in the bin, damaged ones included.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
        """
        with self._database.reading() as connection:
            if not has_table(connection, DELETED_TABLE):
                return set()
            query = f"SELECT seq FROM {DELETED_TABLE}"  # noqa: S608 - a name of our own
            return {seq for (seq,) in connection.execute(query)}

    def empty_bin(self) -> None:
        """Delete the scans in the bin for good, with their photos.

        Raises:
            NotSavedError: The disk cannot be written; nothing is deleted.
        """

        def forget(connection: sqlite3.Connection) -> set[str]:
            before = photos_used(connection)
            connection.execute(f"DROP TABLE IF EXISTS {DELETED_TABLE}")
            return before - photos_used(connection)

        self._remove_photos(self._database.apply(forget))

    def set_names(self, seq: int, names: Sequence[str]) -> None:
        """Give the players of a game their names, in seat order.

        Args:
            seq: Sequence number of the game.
            names: Names; ``""`` for a seat without one, and seats at the end may be left out.

        Raises:
            HistoryError: ``game-without-names``, ``names-not-allowed``, ``unknown-scan`` or
                ``scan-damaged``.
            NotSavedError: It is stored as before.
        """
        with self._database.lock:
            self._overwrite(seq, player_names.with_names(self.get(seq).record, names))

    def set_time(self, seq: int, at: WallTime) -> None:
        """Set the time when a game was played.

        Raises:
            HistoryError: ``unknown-scan``.
            NotSavedError: It is stored as before.
        """

        def update(connection: sqlite3.Connection) -> bool:
            if has_table(connection, UNDATED_TABLE):
                connection.execute(f"DELETE FROM {UNDATED_TABLE} WHERE seq = ?", (seq,))  # noqa: S608
            return put_time(connection, "scans", seq, at)

        if not self._database.apply(update):
            raise unknown_scan(seq)

    def date_scans(self) -> int:
        """Date the games that were stored in this run of the computer before the time was known.

        Returns:
            Number of games; 0 while the time is not known.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
            NotSavedError: Nothing was changed.
        """
        now = self._clock()
        with self._database.reading() as connection:
            if not now.known or not has_table(connection, UNDATED_TABLE):
                return 0

        def date(connection: sqlite3.Connection) -> int:
            sql_tables = [name for name in ("scans", DELETED_TABLE) if has_table(connection, name)]
            changed = 0
            query = f"SELECT * FROM {UNDATED_TABLE}"  # noqa: S608 - a name of our own
            for seq, *since_boot_columns in connection.execute(query).fetchall():
                since_boot = TimeSinceBoot(*since_boot_columns)
                at = WallTime(now.utc, known=False, since_boot=since_boot).dated_by(now)
                if at.known:
                    changed += any(put_time(connection, each, seq, at) for each in sql_tables)
            # What is left is of earlier runs of the computer, whose start nobody knows
            connection.execute(f"DROP TABLE {UNDATED_TABLE}")
            return changed

        return self._database.apply(date)

    def rename_player(self, old: str, new: str) -> int:
        """Rename a player in all games; two players of one name become one.

        Returns:
            Number of games that had the player.

        Raises:
            HistoryError: ``unknown-player``, ``players-together`` or ``name-not-allowed``.
            NotSavedError: Nothing was changed.
        """
        new_name = player_names.check_player_name(new)

        def rename(connection: sqlite3.Connection) -> tuple[int, int]:
            changed = rename_in_table(connection, "scans", old, new_name)
            if has_table(connection, DELETED_TABLE):
                rename_in_table(connection, DELETED_TABLE, old, new_name)
            return changed, log_renamed(connection, old, new_name)

        if not player_names.is_person_name(old) or old not in self.player_names():
            raise unknown_player(old)
        if old == new_name:
            return 0
        with self._database.lock:
            changed, number = self._database.apply(rename)
            if self._last_rename is not None and self._last_rename == number - 1:
                self._last_rename = number
        return changed

    def poll_renames(self) -> list[tuple[str, str]] | None:
        """Return players whom another program has renamed, old and new name, in order.

        Returns:
            Players renamed since the last call, an empty list if nobody was; None at the first
            call, and if no other program has changed the history since the last one.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
        """
        with self._database.lock, self._database.reading() as connection:
            is_changed = self._database.was_changed_elsewhere()
            if not is_changed and self._last_rename is not None:
                return None
            entries = renamed_after(connection, self._last_rename or 0)
            is_first = self._last_rename is None
            self._last_rename = max(
                (number for number, _old, _new in entries), default=self._last_rename or 0
            )
            return None if is_first else [(old, new) for _number, old, new in entries]

    def seqs_by_date(self) -> list[int]:
        """Return the numbers of all scans, the game that was played last first.

        A game without a date counts as played right after the game stored before it.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
        """
        with self._database.reading() as connection:
            rows = connection.execute("SELECT seq, at_utc, time_known FROM scans")
            return in_order_played((seq, at if known else "") for seq, at, known in rows)[::-1]

    def read_scans(
        self, limit: int | None = None, *, sheets_only: bool = False
    ) -> tuple[list[StoredScan], list[HistoryError]]:
        """Return the scans that can be read, latest first, and the errors of the others.

        Args:
            limit: Largest number of scans, damaged ones included; None for all.
            sheets_only: True to leave readings and tables empty, which is quicker.

        Raises:
            HistoryError: ``history-too-new``, ``history-damaged`` or ``history-unreadable``.
        """
        scans: list[StoredScan] = []
        damaged: list[HistoryError] = []
        with self._database.reading() as connection:
            rows = connection.execute(
                f"{select_from(sheets_only=sheets_only)} ORDER BY seq DESC LIMIT ?",
                (-1 if limit is None else limit,),
            )
            for row in rows:
                try:
                    scans.append(scan_of(row, str(self._database.path)))
                except HistoryError as error:
                    damaged.append(error)
        return scans, damaged

    def seqs(self) -> list[int]:
        """Return the sequence numbers of all scans in order, damaged ones included.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
        """
        with self._database.reading() as connection:
            return [seq for (seq,) in connection.execute("SELECT seq FROM scans ORDER BY seq")]

    def player_names(self) -> list[str]:
        """Return the names of players of stored tables, most frequent first, then latest first.

        Raises:
            HistoryError: The history cannot be read, as for ``read_scans``.
        """
        with self._database.reading() as connection:
            return [name for (name,) in connection.execute(PLAYER_NAMES)]

    def get(self, seq: int) -> StoredScan:
        """Return a scan by its sequence number.

        Raises:
            HistoryError: ``unknown-scan``, or as ``read_scans``.
        """
        with self._database.reading() as connection:
            # More than 64 bits is no number of SQLite's
            number = seq if abs(seq) < 2**63 else 0
            row = connection.execute(f"{select_from()} WHERE seq = ?", (number,)).fetchone()
        if row is None:
            raise unknown_scan(seq)
        return scan_of(row, str(self._database.path))

    def keep_photo(self, jpeg: bytes) -> str | None:
        """Keep a photo; delete the oldest ones beyond the limits, on a full disk a few more.

        Returns:
            Its name, for ``ScanRecord.photo``; None if the limits allow no photo, or none so large.

        Raises:
            NotSavedError: The photo was not stored.
        """
        with self._database.lock:
            self._drop_old_photos()
            try:
                return self._photos.add(jpeg, after=self._last_photo())
            except OutputError as error:
                raise not_saved(error, error.where) from error

    def photo_path(self, name: str | None) -> Path | None:
        """Return the path of a photo; None if it is not kept."""
        return None if name is None else self._photos.path_of(name)

    def thumbnail(
        self, photo: str, number: int, make: Callable[[Path], bytes | None]
    ) -> bytes | None:
        """Return a small picture out of a photo, which is made once and kept as long as the photo.

        Args:
            photo: Name of the photo.
            number: Number of the picture, such as the index of a city.
            make: Function that makes it of the file of the photo, as JPEG.

        Returns:
            Picture; None without the photo, or if it cannot be made.
        """
        return self._photos.thumbnail(photo, number, make)

    def close(self) -> None:
        """Close the file; a second call does nothing, a later use opens it again."""
        self._database.close()

    def _drop_old_photos(self) -> None:
        """Remove photos beyond their largest age, as far as the dates are known."""
        now = self._clock()
        if not (self._photos_max_days and now.known):
            return
        oldest = WallTime(now.utc - timedelta(days=self._photos_max_days), known=True)
        with suppress(HistoryError, OSError), self._database.reading() as connection:
            for name in photos_used(connection, f"time_known AND at_utc < '{oldest.iso}'"):
                self._photos.remove(name)

    def _last_photo(self) -> str | None:
        with suppress(HistoryError), self._database.reading() as connection:
            return max(photos_used(connection), key=lambda name: (len(name), name), default=None)
        return None
