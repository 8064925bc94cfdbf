"""The file of the history: versions, migrations, and files that are no history."""

import json
import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from firmware.history import History, database
from firmware.history.database import APPLICATION_ID, MIGRATIONS, migrate, version_of
from firmware.history.store import FILE_NAME
from tests.firmware.history_samples import numbers, recent, record
from tests.refusals import refused

NO_DATABASE = b"no database " * 1000


def connected(path):
    return closing(sqlite3.connect(path, isolation_level=None))


def codes(history):
    return [warning.code for warning in history.warnings]


@pytest.fixture
def file(tmp_path):
    """A history of the present version with one scan."""
    with closing(History.open(tmp_path)) as history:
        history.add(record(1))
    return tmp_path / FILE_NAME


def test_what_was_committed_is_on_the_disk(tmp_path, monkeypatch):
    told, real = [], sqlite3.connect

    def connect(*arguments, **keywords):
        connection = real(*arguments, **keywords)
        connection.set_trace_callback(told.append)
        return connection

    monkeypatch.setattr(database.sqlite3, "connect", connect)
    History.open(tmp_path).close()
    assert "PRAGMA synchronous = FULL" in told
    with connected(tmp_path / FILE_NAME) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert version_of(connection) == len(MIGRATIONS)


class TestMigrations:
    NO_PLACES = ("A:2,3", "A:x,3=park", "something else", "A:1000,2=park", "")
    COUNTED_FROM_0 = (
        "A:2,3=park", "row:2=value-7", "B:tourist:1,2=yes", "A:column:0=none", "9,9=none",
        " A:0,0=tavern-food ", "C:tourist-red:10,99=no", "heap-1:4=value-12", *NO_PLACES,
    )  # fmt: skip
    COUNTED_FROM_1 = (
        "A:3,4=park", "row:3=value-7", "B:tourist:2,3=yes", "A:column:1=none", "10,10=none",
        " A:1,1=tavern-food ", "C:tourist-red:11,100=no", "heap-1:5=value-12", *NO_PLACES,
    )  # fmt: skip

    @pytest.fixture
    def version_1(self, file):
        """A file whose corrections count from 0, one of its rows damaged, the other without any."""
        damaged = {2: '["A:2,3=park"', 3: "[]", 4: "[7]", 5: "[" * 5000}
        with closing(History.open(file.parent)) as history:
            for number in damaged:
                history.add(record(number))
        with connected(file) as connection:
            for name in ("was", "patches", "replaced"):
                connection.execute(f"ALTER TABLE scans DROP COLUMN {name}")
            connection.execute("ALTER TABLE scans ADD COLUMN rescan_of INTEGER")
            connection.execute("PRAGMA user_version = 1")
            for seq, corrections in {1: json.dumps(self.COUNTED_FROM_0), **damaged}.items():
                connection.execute(
                    "UPDATE scans SET corrections = ? WHERE seq = ?", (corrections, seq)
                )
            return self.rows(connection)

    def rows(self, connection):
        return connection.execute("SELECT * FROM scans ORDER BY seq").fetchall()

    def test_corrections_count_from_1_and_all_else_stays(self, version_1, file):
        for _ in range(2):  # once, however often it is opened
            with closing(History.open(file.parent)) as history:
                assert codes(history) == []
                assert history.get(1).record == record(1, corrections=self.COUNTED_FROM_1)
                assert history.get(3).record == record(3, corrections=())
                with refused("scan-damaged"):
                    history.get(2)
            with connected(file) as connection:
                assert version_of(connection) == len(MIGRATIONS)
                after = [row[:-3] for row in self.rows(connection)]
                assert after[1:] == [row[:-1] for row in version_1[1:]], (
                    "what cannot be read stays as it is"
                )
                before = [
                    text for text in version_1[0][:-1] if text != json.dumps(self.COUNTED_FROM_0)
                ]
                assert [text for text in after[0] if text in before] == before

    def test_whoever_only_reads_finds_them_so_and_leaves_the_file_alone(self, version_1, file):
        before = file.read_bytes()
        reader = History.of_folder(file.parent)
        assert reader.get(1).record.corrections == self.COUNTED_FROM_1
        assert reader.numbers() == [1, 2, 3, 4, 5]
        assert file.read_bytes() == before
        shutil.copy(file, file.with_name("copy"))
        with connected(file.with_name("copy")) as connection:
            assert self.rows(connection) == version_1

    def test_it_is_done_whole_or_not_at_all(self, version_1, file, monkeypatch):
        def fails(connection):
            connection.execute("ALTER TABLE scans ADD COLUMN place TEXT")
            raise sqlite3.OperationalError("the power goes")

        with connected(file) as connection:
            with pytest.raises(sqlite3.OperationalError):
                migrate(connection, (*MIGRATIONS, fails))
            assert version_of(connection) == 1
            assert self.rows(connection) == version_1

    def test_a_file_of_a_newer_version_is_left_alone(self, file):
        with connected(file) as connection:
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        before = file.read_bytes()
        with closing(History.open(file.parent)) as history:
            (warning,) = history.warnings
            assert (warning.code, warning.where) == ("history-too-new", str(file))
            with refused("not-saved", "update Stadtblick"):
                history.add(record())
            with refused("history-too-new"):
                recent(history)
        assert file.read_bytes() == before
        assert not list(file.parent.glob("*.bad-*"))


def other_tables(path):
    with connected(path) as connection:
        connection.execute("CREATE TABLE scans (name TEXT)")


def damaged_page(path):
    with closing(History.open(path.parent)) as history:
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
        damaged_page,
    ],
    ids=["text", "zeros", "tables of another program", "page"],
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
    aside = path.with_name(f"{FILE_NAME}.bad-1").read_bytes()
    assert (aside[:16], aside[100:]) == (foreign[:16], foreign[100:])


def test_whoever_only_reads_leaves_files_that_are_no_history_alone(tmp_path):
    path = tmp_path / FILE_NAME
    path.write_bytes(NO_DATABASE)
    with refused("history-damaged", "start the appliance"):
        recent(History.of_folder(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]
    path.unlink()
    other_tables(path)
    with connected(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    with refused("history-unreadable", "no such column"):
        recent(History.of_folder(tmp_path))


def test_a_damaged_file_that_cannot_be_moved_or_a_folder_that_cannot_be_made_is_told(
    file, monkeypatch
):
    file.write_bytes(NO_DATABASE)
    monkeypatch.setattr(database, "set_aside", lambda *_: None)
    for folder, code, said in (
        (file.parent, "history-damaged", "move the file away"),
        (file, "not-saved", "the disk failed (File exists): try again"),
    ):
        with closing(History.open(folder)) as history:
            assert codes(history) == [code]
            with refused("not-saved", said):
                history.add(record())


def test_the_log_of_a_damaged_file_does_not_get_into_the_new_one(file):
    wal = file.with_name(f"{FILE_NAME}-wal")
    with connected(file) as keeps_the_log:
        keeps_the_log.execute("SELECT count(*) FROM scans").fetchone()
        with closing(History.open(file.parent)) as history:
            history.add(record(2))
        log = wal.read_bytes()
        assert log
    file.write_bytes(NO_DATABASE)
    wal.write_bytes(log)
    with closing(History.open(file.parent)) as history:
        assert codes(history) == ["history-set-aside"]
        assert recent(history) == []
        assert history.add(record(3)) == 1
    assert file.with_name(f"{FILE_NAME}.bad-1").read_bytes().startswith(b"no database ")
    with closing(History.open(file.parent)) as history:
        assert (history.warnings, numbers(history)) == ((), [3])


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_left_in_its_place_and_not_waited_for(file, ending, make):
    in_the_way = file.with_name(file.name + ending)
    in_the_way.unlink(missing_ok=True)
    make(in_the_way)
    with closing(History.open(file.parent)) as history:
        (warning,) = history.warnings
        assert (warning.code, warning.where) == ("history-unreadable", str(in_the_way))
        with refused("not-saved", "move it away"):
            history.add(record())
        with refused("history-unreadable", "move it away"):
            recent(history)
    assert in_the_way.exists()
    assert not in_the_way.is_file()
