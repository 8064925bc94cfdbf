"""Database file of the history: its version, and files that are no history."""

import os
import sqlite3
from contextlib import closing

import pytest

from firmware.history import History, database
from firmware.history.database import APPLICATION_ID, SCHEMA_VERSION, schema_version
from firmware.history.store import FILE_NAME
from firmware.wording.problem_text import problem_line
from tests.firmware.history_samples import numbers, open_history, recent, record
from tests.refusals import refused

NO_DATABASE = b"no database " * 1000


def connected(path):
    return closing(sqlite3.connect(path, isolation_level=None))


def codes(history):
    return [warning.code for warning in history.warnings]


@pytest.fixture
def file(tmp_path):
    """A history of the present version with one scan."""
    with closing(open_history(tmp_path)) as history:
        history.add(record(1))
    return tmp_path / FILE_NAME


def test_commit_is_synchronised_to_the_disk(tmp_path, monkeypatch):
    calls, real = [], sqlite3.connect

    def connect(*arguments, **keywords):
        connection = real(*arguments, **keywords)
        connection.set_trace_callback(calls.append)
        return connection

    monkeypatch.setattr(database.sqlite3, "connect", connect)
    open_history(tmp_path).close()
    assert "PRAGMA synchronous = FULL" in calls
    with connected(tmp_path / FILE_NAME) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert schema_version(connection) == SCHEMA_VERSION


def test_a_file_of_a_newer_version_is_left_alone(file):
    with connected(file) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = file.read_bytes()
    with closing(open_history(file.parent)) as history:
        (warning,) = history.warnings
        assert (warning.code, warning.where) == ("history-too-new", str(file))
        with refused("not-saved", "update Stadtblick"):
            history.add(record())
        with refused("history-too-new"):
            recent(history)
    assert file.read_bytes() == before
    assert not list(file.parent.glob("*.bad-*"))


def test_reader_finds_no_scans_in_file_without_tables(tmp_path):
    (tmp_path / FILE_NAME).touch()
    assert recent(History(tmp_path)) == []


def other_tables(path):
    with connected(path) as connection:
        connection.execute("CREATE TABLE scans (name TEXT)")


def tables_that_lack_a_column(path):
    with closing(open_history(path.parent)) as history:
        history.add(record(1))
    with connected(path) as connection:
        connection.execute("ALTER TABLE scans DROP COLUMN replaced")


def damaged_page(path):
    with closing(open_history(path.parent)) as history:
        history.add(record(1))
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    path.write_bytes(data)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(NO_DATABASE),
        lambda path: path.write_bytes(bytes(8192)),
        other_tables,
        tables_that_lack_a_column,
        damaged_page,
    ],
    ids=["text", "zeros", "tables of another program", "missing column", "page"],
)
def test_a_file_that_is_no_history_is_set_aside(tmp_path, make):
    path = tmp_path / FILE_NAME
    make(path)
    foreign = path.read_bytes()
    with closing(open_history(tmp_path)) as history:
        (warning,) = history.warnings
        assert (warning.code, warning.where) == ("history-set-aside", str(path))
        assert f"{FILE_NAME}.bad-1" in problem_line(warning)
        assert history.add(record(5)) == 1
        assert numbers(history) == [5]
    aside = path.with_name(f"{FILE_NAME}.bad-1").read_bytes()
    assert (aside[:16], aside[100:]) == (foreign[:16], foreign[100:])


def test_reading_leaves_a_foreign_file_alone(tmp_path):
    path = tmp_path / FILE_NAME
    path.write_bytes(NO_DATABASE)
    with refused("history-damaged", "start the scanner"):
        recent(History(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]
    path.unlink()
    other_tables(path)
    with connected(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    with refused("history-damaged", "start the scanner"):
        recent(History(tmp_path))


def test_damaged_file_or_folder_that_cannot_be_mended_is_told(file, monkeypatch):
    file.write_bytes(NO_DATABASE)
    monkeypatch.setattr(database, "set_aside", lambda *_: None)
    for folder, code, text in (
        (file.parent, "history-damaged", "move it away"),
        (file, "not-saved", "the disk failed (File exists): try again"),
    ):
        with closing(open_history(folder)) as history:
            assert codes(history) == [code]
            with refused("not-saved", text):
                history.add(record())


def test_log_of_damaged_file_stays_out_of_new_one(file):
    wal = file.with_name(f"{FILE_NAME}-wal")
    with connected(file) as keeps_the_log:
        keeps_the_log.execute("SELECT count(*) FROM scans").fetchone()
        with closing(open_history(file.parent)) as history:
            history.add(record(2))
        log = wal.read_bytes()
        assert log
    file.write_bytes(NO_DATABASE)
    wal.write_bytes(log)
    with closing(open_history(file.parent)) as history:
        assert codes(history) == ["history-set-aside"]
        assert recent(history) == []
        assert history.add(record(3)) == 1
    assert file.with_name(f"{FILE_NAME}.bad-1").read_bytes().startswith(b"no database ")
    with closing(open_history(file.parent)) as history:
        assert (history.warnings, numbers(history)) == ((), [3])


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_special_file_is_left_alone_without_waiting(file, ending, make):
    in_the_way = file.with_name(file.name + ending)
    in_the_way.unlink(missing_ok=True)
    make(in_the_way)
    with closing(open_history(file.parent)) as history:
        (warning,) = history.warnings
        assert (warning.code, warning.where) == ("history-unreadable", str(in_the_way))
        with refused("not-saved", "move it away"):
            history.add(record())
        with refused("history-unreadable", "move it away"):
            recent(history)
    assert in_the_way.exists()
    assert not in_the_way.is_file()
