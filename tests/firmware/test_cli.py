"""Behaviour that all commands of ``stadtblick`` share."""

import io
import json
import os
import re
import subprocess
import sys
from argparse import ArgumentTypeError
from collections import Counter
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path

import cv2
import pytest

from firmware.base.errors import ExitCode
from firmware.cli import main
from firmware.commands.options import parse_whole_number
from firmware.entry import run
from scoring.faces import Face
from tests.firmware.fake_eye import DARK, EXAMPLE, NOT_READ, FakeEye
from tests.limits import PROCESS_LIMIT_S

COMMANDS = [
    "scan", "read", "score", "demo", "run", "serve", "mqtt", "teach", "editions", "calibrate",
    "aim", "print", "simulate", "bench", "history", "doctor",
]  # fmt: skip
CITY = {"grid": [["shop"] * 2 + ["park", "house"]] * 4}
TABLE = json.dumps({"game": "between-two-cities", "cities": [CITY] * 3})


def score(*arguments, table=TABLE, stdout=subprocess.PIPE, encoding="utf-8", **options):
    """``stadtblick score`` as a process of its own, as a shell starts it."""
    return subprocess.run(
        [sys.executable, "-m", "firmware.cli", "score", *arguments],
        input=table.encode(),
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=PROCESS_LIMIT_S,
        check=False,
        **options,
    )


class TestInterrupted:
    def test_while_it_is_loaded_it_ends_without_a_traceback(self):
        code = (
            "import sys; from firmware.entry import run\n"
            "class Interrupting:\n"
            "    def find_spec(self, name, *_):\n"
            "        if name == 'firmware.settings': raise KeyboardInterrupt\n"
            "sys.meta_path.insert(0, Interrupting())\n"
            "sys.exit(run())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=False, timeout=PROCESS_LIMIT_S
        )
        assert (done.returncode, done.stderr) == (ExitCode.INTERRUPTED, b"")


def test_module_of_the_command_runs_it():
    done = subprocess.run(
        [sys.executable, "-m", "firmware.entry", "--version"],
        capture_output=True, check=False, timeout=PROCESS_LIMIT_S,
    )  # fmt: skip
    assert (done.returncode, done.stdout.split()[:1]) == (0, [b"stadtblick"])


class TestHelp:
    def test_names_every_command(self, capsys):
        assert main(["--help"]) == 0
        listed = re.findall(r"^    (\w+)\s", capsys.readouterr().out, re.MULTILINE)
        assert listed == COMMANDS
        assert main(["--version"]) == 0
        assert re.fullmatch(r"stadtblick \d+\.\d+\.\d+\n", capsys.readouterr().out)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_has_its_own(self, command, capsys):
        assert main([command, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"usage: stadtblick {command} ")
        assert main([command, "--lang", "de", "--help"]) == 0
        assert "Project-Id-Version" not in capsys.readouterr().out  # gettext's answer to no text

    def test_needs_neither_numpy_nor_opencv_nor_rich(self):
        code = (
            "import sys; from firmware.cli import main; main(['--help']); main(['scan']);"
            "print([name for name in ('numpy', 'cv2', 'PIL', 'rich') if name in sys.modules])"
        )
        result = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            timeout=PROCESS_LIMIT_S,
        )
        assert result.stdout.splitlines()[-1] == "[]"


def test_a_scan_loads_nothing_large_that_it_does_not_need():
    """Pillow, OpenSSL and the reader of package data take 12 MB together."""
    code = (
        "import sys; from firmware.cli import main; main(['scan', sys.argv[1]]);"
        "print([n for n in ('PIL', '_hashlib', 'importlib.metadata') if n in sys.modules])"
    )
    photo = files("firmware") / "data" / "between-two-cities.jpg"
    result = subprocess.run(
        [sys.executable, "-c", code, str(photo)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PROCESS_LIMIT_S,
    )
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("text", ["0000000000080801", "1000000000000000", "9", "x", "-1", "²", ""])
def test_number_outside_its_limits_is_refused(text):
    with pytest.raises(ArgumentTypeError, match="no"):
        parse_whole_number(text, 0, 8, "no")


def test_leading_zeros_of_a_number_count_nothing():
    assert parse_whole_number("0000000000000008", 0, 8, "no") == 8


@pytest.mark.parametrize(
    "line",
    ["", "fly", "scan", "read", "scan a.jpg --level one",
     "scan a.jpg --vari standard", "scan a.jpg --unknown", "score a b", "demo a.jpg"],
)  # fmt: skip
def test_wrong_use_is_told_in_one_line(line, capsys):
    assert main(line.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"stadtblick: .*\(command line\): .+--help\n", printed.err)


@pytest.mark.parametrize(
    "line", ["scan a.jpg --level x", "history show x", "print cities --out a --copies 1.5"]
)
def test_a_word_in_place_of_a_number_is_refused_in_plain_words(line, capsys):
    assert main(line.split()) == 2
    assert " is no whole number (command line)" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["scan --json", "read a.jpg --json --jsonl"])
def test_wrong_use_with_json_is_told_in_one_object(line, capsys):
    assert main(line.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    error = json.loads(printed.err)["error"]
    assert (error["code"], error["where"]) == ("usage", "command line")


class TestUnforeseen:
    """An exception that nobody expects looks like no result, and is told in one line."""

    @pytest.mark.parametrize(
        ("error", "expected"),
        [
            (cv2.error("OpenCV(4): (-215:Assertion failed)\n !empty()"), "error OpenCV(4)"),
            (MemoryError(), "MemoryError"),
            (ValueError("one: two; three\nfour"), "ValueError one: two; three four"),
            (RuntimeError("x" * 10_000), "RuntimeError xxx"),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
    )
    @pytest.mark.parametrize("command", ["scan", "read"])
    def test_error(self, photo, capsys, monkeypatch, error, expected, command):
        def failing(photo, edition):
            raise error

        monkeypatch.delenv("STADTBLICK_TRACEBACK", raising=False)
        assert main([command, photo], reader=failing) == 70
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith(f"stadtblick: Stadtblick failed, {expected}")
        assert printed.err.count("\n") == 1
        assert len(printed.err) < 400
        assert main([command, photo, "--json"], reader=failing) == 70
        parsed = json.loads(capsys.readouterr().err)["error"]
        assert parsed["code"] == "internal-error"
        assert parsed["where"].startswith("test_cli.py, line ")
        for value, shown in (("1", True), ("0", False), ("", False)):
            monkeypatch.setenv("STADTBLICK_TRACEBACK", value)
            assert main([command, photo], reader=failing) == 70
            assert ("Traceback" in capsys.readouterr().err) == shown


class TestInterruption:
    def test_ctrl_c(self, photo, capsys):
        def interrupted(photo, edition):
            raise KeyboardInterrupt

        assert main(["scan", photo], reader=interrupted) == 130
        assert capsys.readouterr() == ("", "")

    def test_a_reader_that_has_gone(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as gone:
            result = score(stdout=gone)
        assert (result.returncode, result.stderr) == (141, b"")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
    @pytest.mark.parametrize("mode", [[], ["--jsonl"]])
    def test_a_full_disk(self, mode):
        with Path("/dev/full").open("w") as full:
            result = score(*mode, stdout=full)
        assert result.returncode == 2
        assert result.stderr.count(b"\n") == 1
        assert b"standard output" in result.stderr

    def test_standard_output_closed(self):
        result = subprocess.run(
            ["/bin/sh", "-c", '"$0" -m firmware.cli score >&-', sys.executable],
            input=TABLE.encode(),
            stderr=subprocess.PIPE,
            timeout=PROCESS_LIMIT_S,
            check=False,
        )
        assert (result.returncode, result.stderr) == (0, b"")


@pytest.fixture
def printed_in(monkeypatch):
    """Return a function that scores a table and returns what is printed in an encoding."""

    def score_in(encoding, table, *arguments):
        out = io.TextIOWrapper(io.BytesIO(), encoding)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(table.encode())))
        monkeypatch.setattr("sys.stdout", out)
        assert main(["score", "--lang", "en", *arguments]) == 0
        return out.buffer.getvalue()

    return score_in


@pytest.mark.parametrize("encoding", ["ascii", "cp437"])
def test_names_and_frames_that_the_terminal_lacks(printed_in, encoding):
    names = ["Ödön", "山田", "Ben"]
    table = json.dumps(json.loads(TABLE) | {"players": names})
    out = printed_in(encoding, table)
    assert "share the victory" in out.decode(encoding)
    frames = out.replace("Ödön".encode(encoding, "backslashreplace"), b"")
    assert b"\\u" not in frames.replace("山田".encode(encoding, "backslashreplace"), b"")
    if encoding == "ascii":
        sheet = json.loads(printed_in(encoding, table, "--json"))
        assert [player["name"] for player in sheet["players"]] == names


class TestWidthsOfTerminals:
    """Narrow terminals show everything that wide ones show."""

    CERTAIN = FakeEye(*EXAMPLE)
    DOUBTFUL = FakeEye(
        *EXAMPLE[:5],
        "SSSF/EBMD/OOPP/HHH.",
        "OOOO/OPPP/PHHH/SSHH",
        unsure={
            (2, (3, 3)): [Face.TAVERN_MUSIC, Face.TAVERN_FOOD],
            (4, (0, 0)): [Face.PARK, Face.OFFICE],
        },
        unread=[NOT_READ],
        notes=[DARK],
    )

    def words(self, capsys, monkeypatch, columns, arguments, eye):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(arguments, reader=eye) < 2
        printed = capsys.readouterr().out
        assert max(map(len, printed.splitlines())) <= columns
        assert "…" not in printed
        return Counter(re.findall(r"[\w:?=,-]+", printed))

    @pytest.mark.parametrize("eye", [CERTAIN, DOUBTFUL], ids=["certain", "doubtful"])
    def test_no_word_is_lost(self, photo, monkeypatch, capsys, eye):
        arguments = ["scan", photo, "--reasons"]
        wide = self.words(capsys, monkeypatch, 200, arguments, eye)
        for columns in (40, 44, 53, 61, 80, 100):
            narrow = self.words(capsys, monkeypatch, columns, arguments, eye)
            assert wide - narrow == Counter(), columns


def test_the_program_of_the_package_is_this_one():
    (entry,) = entry_points(group="console_scripts", name="stadtblick")
    assert entry.load() is run
