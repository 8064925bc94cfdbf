"""SQL queries of the history, and conversion between scans and rows of its database."""

import dataclasses
import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from firmware.history.clock import TimeSinceBoot, WallTime
from firmware.history.database import (
    COLUMNS,
    DELETED_TABLE,
    POSSIBLE_EARLIER_TABLE,
    RENAMED_TABLE,
    UNDATED_TABLE,
    has_table,
)
from firmware.history.errors import HistoryError, damaged_scan
from firmware.history.player_names import with_name_replaced
from firmware.history.record import ScanRecord, StoredScan

_NAMES: Final = ", ".join(COLUMNS)
_EMPTY_COLUMN_VALUES: Final = {
    '"reading"': "'{}'",
    '"table"': "'{}'",
    '"eye_reading"': "NULL",
    '"patches"': "'{}'",
    '"replaced"': "NULL",
}
"""Values instead of the columns that are only needed to open a scan; they take the most time."""
INSERT: Final = f"INSERT INTO scans ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
PLAYER_NAMES: Final = """
    SELECT value FROM scans, json_each(scans."table", '$.players')
    WHERE json_valid(scans."table") AND json_each.type = 'text'
    GROUP BY value ORDER BY COUNT(*) DESC, MAX(seq) DESC
"""
_AS_JSON: Final = (
    "health",
    "corrections",
    "reading",
    "table",
    "sheet",
    "before_correction",
    "eye_reading",
    "unapplied_corrections",
    "read_as",
    "taken_over",
    "own_names",
    "patches",
    "replaced",
)
"""Fields of ``ScanRecord`` that are columns of JSON text."""
_MAX_RENAMED: Final = 100
"""Number of renamed players that are logged, the last ones."""
TIME_COLUMN_COUNT: Final = 2
"""Number of leading columns that stay when a scan is replaced."""


def select_from(sql_table: str = "scans", *, sheets_only: bool = False) -> str:
    """Return the query of all scans; ``sheets_only`` leaves readings and scored tables empty."""
    columns = [_EMPTY_COLUMN_VALUES.get(name, name) for name in COLUMNS] if sheets_only else COLUMNS
    return f"SELECT seq, {', '.join(columns)} FROM {sql_table}"  # noqa: S608 - names of our own


def select_with_name(sql_table: str) -> str:
    """Return the query of the scans that hold a text as the name of a player."""
    return (
        f'{select_from(sql_table)} WHERE instr({sql_table}."table" '
        "|| coalesce(before_correction, '') || coalesce(replaced, '') || own_names, ?)"
    )


def update_in(sql_table: str) -> str:
    """Return the statement that replaces a scan, except for its time."""
    return f"UPDATE {sql_table} SET {' = ?, '.join(COLUMNS[TIME_COLUMN_COUNT:])} = ? WHERE seq = ?"  # noqa: S608


def log_undated(connection: sqlite3.Connection, seq: int, since_boot: TimeSinceBoot) -> None:
    """Store the time of a scan since the boot, to date it later."""
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {UNDATED_TABLE} "
        "(seq INTEGER PRIMARY KEY, boot TEXT, since_s REAL)"
    )
    values = (seq, since_boot.boot_id, since_boot.seconds)
    connection.execute(f"INSERT INTO {UNDATED_TABLE} VALUES (?, ?, ?)", values)  # noqa: S608


def log_renamed(connection: sqlite3.Connection, old: str, new: str) -> int:
    """Log that a player was renamed; return the number of the entry."""
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {RENAMED_TABLE} "
        "(number INTEGER PRIMARY KEY AUTOINCREMENT, old TEXT NOT NULL, new TEXT NOT NULL)"
    )
    query = f"INSERT INTO {RENAMED_TABLE} (old, new) VALUES (?, ?)"  # noqa: S608 - names of our own
    number = connection.execute(query, (old, new)).lastrowid
    assert number is not None  # noqa: S101 - an INSERT has one
    connection.execute(f"DELETE FROM {RENAMED_TABLE} WHERE number <= ?", (number - _MAX_RENAMED,))  # noqa: S608
    return number


def renamed_after(connection: sqlite3.Connection, number: int) -> list[tuple[int, str, str]]:
    """Return later entries of renamed players: number, old name, new name."""
    if not has_table(connection, RENAMED_TABLE):
        return []
    query = f"SELECT number, old, new FROM {RENAMED_TABLE} WHERE number > ? ORDER BY number"  # noqa: S608
    return list(connection.execute(query, (number,)))


def put_possible_earlier(connection: sqlite3.Connection, seq: int, earlier_seq: int | None) -> None:
    """Store which earlier scan may show the table of a scan; None for none."""
    if earlier_seq is not None:
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {POSSIBLE_EARLIER_TABLE} "
            "(seq INTEGER PRIMARY KEY, earlier_seq INTEGER NOT NULL)"
        )
        query = f"REPLACE INTO {POSSIBLE_EARLIER_TABLE} VALUES (?, ?)"  # noqa: S608
        connection.execute(query, (seq, earlier_seq))
    elif has_table(connection, POSSIBLE_EARLIER_TABLE):
        connection.execute(f"DELETE FROM {POSSIBLE_EARLIER_TABLE} WHERE seq = ?", (seq,))  # noqa: S608


def read_possible_earlier(connection: sqlite3.Connection, seq: int) -> int | None:
    """Return the number of the scan that ``put_possible_earlier`` stored; None if there is none."""
    if not has_table(connection, POSSIBLE_EARLIER_TABLE):
        return None
    query = f"SELECT earlier_seq FROM {POSSIBLE_EARLIER_TABLE} WHERE seq = ?"  # noqa: S608
    row = connection.execute(query, (seq,)).fetchone()
    return None if row is None else row[0]


def put_time(connection: sqlite3.Connection, sql_table: str, seq: int, at: WallTime) -> bool:
    """Store the time of a scan; return False if it is not in the SQL table."""
    query = f"UPDATE {sql_table} SET at_utc = ?, time_known = ? WHERE seq = ?"  # noqa: S608
    return bool(connection.execute(query, (at.iso, int(at.known), seq)).rowcount)


def move_scan(connection: sqlite3.Connection, seq: int, source: str, target: str) -> bool:
    """Move a scan from one SQL table to another; return False if it is not in the first one."""
    columns = f"seq, {_NAMES}"
    number = seq if abs(seq) < 2**63 else 0  # more than 64 bits is no number of SQLite's
    connection.execute(
        f"INSERT INTO {target} ({columns}) SELECT {columns} FROM {source} WHERE seq = ?",  # noqa: S608
        (number,),
    )
    return bool(connection.execute(f"DELETE FROM {source} WHERE seq = ?", (number,)).rowcount)  # noqa: S608


def photos_used(connection: sqlite3.Connection, condition: str = "TRUE") -> set[str]:
    """Return the names of the photos of scans, and of the scans that they replaced.

    Scans that can be brought back count.

    Args:
        connection: Connection to the file.
        condition: SQL condition on the scans.
    """
    sql_tables = ("scans", DELETED_TABLE) if has_table(connection, DELETED_TABLE) else ("scans",)
    found: set[str] = set()
    for sql_table in sql_tables:
        rows = connection.execute(
            f"SELECT photo FROM {sql_table} WHERE {condition} UNION "  # noqa: S608
            f"SELECT json_extract(replaced, '$.photo') FROM {sql_table} "
            f"WHERE json_valid(replaced) AND {condition}"
        )
        found |= {str(name) for (name,) in rows if name is not None}
    return found


def encode_row(record: ScanRecord, at: WallTime) -> tuple[object, ...]:
    """Return the values of a row, in the order of ``COLUMNS``."""
    plain = (str, int, type(None))
    values = (getattr(record, one.name) for one in dataclasses.fields(record))
    kept = (value if isinstance(value, plain) else json.dumps(value) for value in values)
    return (at.iso, int(at.known), *kept)


def scan_of(row: Sequence[Any], where: str) -> StoredScan:
    """Return the scan of a row, which begins with its sequence number.

    Raises:
        HistoryError: ``scan-damaged``.
    """
    seq, at_utc, known, *kept = row
    try:
        values = dict(zip((one.name for one in dataclasses.fields(ScanRecord)), kept, strict=True))
        texts = {name: json.loads(values[name]) for name in _AS_JSON if values[name] is not None}
        record = msgspec.convert(values | texts, ScanRecord)
        utc = datetime.fromisoformat(at_utc).astimezone(UTC)
        return StoredScan(int(seq), WallTime(utc, bool(known)), record)
    except (ValueError, TypeError, RecursionError, msgspec.ValidationError) as error:
        raise damaged_scan(seq, where) from error


def rename_in_table(connection: sqlite3.Connection, sql_table: str, old: str, new: str) -> int:
    """Rename a player in an SQL table of scans; return how many games had the player.

    Raises:
        HistoryError: ``players-together``: both names are those of players of one game.
    """
    # Names are stored as ``json.dumps`` writes them
    changed = 0
    for row in connection.execute(select_with_name(sql_table), (json.dumps(old),)).fetchall():
        try:
            scan = scan_of(row, sql_table)
        except HistoryError:  # a damaged one stays as it is
            continue
        try:
            record = with_name_replaced(scan.record, old, new)
        except HistoryError:
            if sql_table == DELETED_TABLE:  # both names are in a game that nobody may want back
                continue
            raise
        values = encode_row(record, scan.at)[TIME_COLUMN_COUNT:]
        connection.execute(update_in(sql_table), (*values, scan.seq))
        # Games that had the name only before a rescan are changed, too, but not counted
        changed += old in (scan.record.table.get("players") or ())
    return changed
