"""The file of the history: versions, migrations, and files that are no history."""

import os
import sqlite3
from contextlib import closing

import pytest

from firmware.history import History, HistoryError, NotSavedError
from firmware.history.database import open_for_writing
from firmware.history.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from firmware.history.store import FILE_NAME
from tests.firmware.history_samples import numbers, record


def connected(path):
    return closing(sqlite3.connect(path, isolation_level=None))


@pytest.fixture
def old(tmp_path):
    """A history of the present version with one scan."""
    with closing(History.open(tmp_path)) as history:
        history.add(record(1))
    return tmp_path / FILE_NAME


def test_what_was_committed_is_on_the_disk(tmp_path):
    connection, moved = open_for_writing(tmp_path / FILE_NAME)
    with closing(connection):
        assert moved is None
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert version_of(connection) == len(MIGRATIONS)


def test_an_older_file_is_brought_up_to_date(old):
    newer = (*MIGRATIONS, ("ALTER TABLE scans ADD COLUMN place TEXT DEFAULT 'home'",))
    connection, moved = open_for_writing(old, newer)
    with closing(connection):
        assert (moved, version_of(connection)) == (None, len(newer))
        row = connection.execute("SELECT seq, photo, place FROM scans").fetchall()
        assert row == [(1, None, "home")]


def test_a_migration_that_fails_changes_nothing(old):
    broken = (*MIGRATIONS, ("ALTER TABLE scans ADD COLUMN place TEXT", "DROP TABLE no_such"))
    with connected(old) as connection:
        with pytest.raises(sqlite3.OperationalError):
            migrate(connection, broken)
        assert version_of(connection) == len(MIGRATIONS)
        columns = [row[1] for row in connection.execute("PRAGMA table_info(scans)")]
        assert "place" not in columns
    assert numbers(History.of_folder(old.parent)) == [1]


def test_a_file_of_a_newer_version_is_left_alone(old):
    with connected(old) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = old.read_bytes()
    with closing(History.open(old.parent)) as history:
        (warning,) = history.warnings
        assert (warning.code, warning.where) == ("history-too-new", str(old))
        with pytest.raises(NotSavedError, match="update Stadtblick"):
            history.add(record())
        with pytest.raises(HistoryError) as refused:
            history.recent()
        assert refused.value.code == "history-too-new"
    assert old.read_bytes() == before
    assert not list(old.parent.glob("*.bad-*"))


def other_tables(path):
    with connected(path) as connection:
        connection.execute("CREATE TABLE scans (name TEXT)")


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(b"no database " * 1000),
        lambda path: path.write_bytes(bytes(8192)),
        other_tables,
    ],
    ids=["text", "zeros", "tables of another program"],
)
def test_a_file_that_is_no_history_is_set_aside(tmp_path, make):
    path = tmp_path / FILE_NAME
    make(path)
    foreign = path.read_bytes()
    with closing(History.open(tmp_path)) as history:
        (warning,) = history.warnings
        assert (warning.code, warning.where) == ("history-set-aside", str(path))
        assert f"{FILE_NAME}.bad-1" in warning.line
        assert history.add(record(5)) == 1
        assert numbers(history) == [5]
    assert (tmp_path / f"{FILE_NAME}.bad-1").read_bytes()[:16] == foreign[:16]


def test_whoever_only_reads_leaves_a_damaged_file_alone(tmp_path):
    path = tmp_path / FILE_NAME
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(HistoryError) as refused:
        History.of_folder(tmp_path).recent()
    assert refused.value.code == "history-damaged"
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


def test_the_log_of_a_damaged_file_does_not_get_into_the_new_one(old):
    with connected(old) as keeps_the_log:
        keeps_the_log.execute("SELECT count(*) FROM scans").fetchone()
        with closing(History.open(old.parent)) as history:
            history.add(record(2))
        log = old.with_name(f"{FILE_NAME}-wal").read_bytes()
        assert log
    old.write_bytes(b"no database " * 1000)
    old.with_name(f"{FILE_NAME}-wal").write_bytes(log)
    with closing(History.open(old.parent)) as history:
        assert [warning.code for warning in history.warnings] == ["history-set-aside"]
        assert history.recent() == []
        assert history.add(record(3)) == 1
    assert old.with_name(f"{FILE_NAME}.bad-1").read_bytes().startswith(b"no database ")
    with closing(History.open(old.parent)) as history:
        assert (history.warnings, numbers(history)) == ((), [3])


def test_pages_that_are_damaged_are_noticed(old):
    data = bytearray(old.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    old.write_bytes(data)
    with closing(History.open(old.parent)) as history:
        assert [warning.code for warning in history.warnings] == ["history-set-aside"]
    assert old.with_name(f"{FILE_NAME}.bad-1").read_bytes() == data


def test_a_folder_in_the_way(tmp_path):
    (tmp_path / FILE_NAME).mkdir()
    with closing(History.open(tmp_path)) as history:
        assert len(history.warnings) == 1
        with pytest.raises(NotSavedError):
            history.add(record())
        with pytest.raises(HistoryError) as refused:
            history.recent()
        assert refused.value.code == "history-unreadable"
    assert (tmp_path / FILE_NAME).is_dir()


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
def test_a_named_pipe_in_the_way_is_not_waited_for(old, ending):
    pipe = old.with_name(old.name + ending)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    with closing(History.open(old.parent)) as history:
        assert [(warning.code, warning.where) for warning in history.warnings] == [
            ("history-unreadable", str(pipe))
        ]
        with pytest.raises(NotSavedError, match="move it away"):
            history.add(record())
        with pytest.raises(HistoryError, match="move it away"):
            history.recent()
    pipe.unlink()
    with closing(History.open(old.parent)) as history:
        assert history.warnings == ()
