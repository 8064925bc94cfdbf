"""What all commands of ``stadtblick`` have in common."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import cli
from firmware.cli import main
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo

COMMANDS = ["scan", "read", "score", "demo"]
TABLE = json.dumps(
    {
        "game": "between-two-cities",
        "cities": [{"grid": [["shop"] * 2 + ["park", "house"]] * 4}] * 3,
    }
)


def run(*arguments, **options):
    """The program as a process of its own, as a shell starts it."""
    return subprocess.run(
        [sys.executable, "-m", "firmware.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


class TestHelp:
    def test_names_every_command(self, capsys):
        assert main(["--help"]) == 0
        listed = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
        assert listed == COMMANDS

    @pytest.mark.parametrize("command", COMMANDS)
    def test_of_each_command(self, capsys, command):
        assert main([command, "--help"]) == 0
        assert f"usage: stadtblick {command}" in capsys.readouterr().out

    def test_version(self, capsys):
        assert main(["--version"]) == 0
        assert re.fullmatch(r"stadtblick \d+\.\d+\.\d+\n", capsys.readouterr().out)

    def test_needs_neither_numpy_nor_opencv_nor_rich(self):
        code = (
            "import sys; from firmware.cli import main; main(['--help']); main(['scan']);"
            "print([name for name in ('numpy', 'cv2', 'PIL', 'rich') if name in sys.modules])"
        )
        result = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert result.stdout.splitlines()[-1] == "[]"


class TestWrongUse:
    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["fly"],
            ["scan"],
            ["read"],
            ["scan", "a.jpg", "b.jpg"],
            ["scan", "a.jpg", "--game", "chess"],
            ["scan", "a.jpg", "--variant", "solo"],
            ["scan", "a.jpg", "--level", "4"],
            ["scan", "a.jpg", "--level", "one"],
            ["scan", "a.jpg", "--vari", "standard"],
            ["scan", "a.jpg", "--unknown"],
            ["score", "a", "b"],
            ["demo", "a.jpg"],
        ],
        ids=" ".join,
    )
    def test_is_told_in_one_line(self, arguments, capsys):
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert re.fullmatch(r"stadtblick: .*\(command line\): .+--help\n", printed.err)

    @pytest.mark.parametrize(
        "arguments", [["scan", "--json"], ["read", "a.jpg", "--json", "--jsonl"]]
    )
    def test_with_json_is_told_in_one_object(self, arguments, capsys):
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        error = json.loads(printed.err)["error"]
        assert (error["code"], error["where"]) == ("usage", "command line")


class TestInterruption:
    def test_ctrl_c(self, tmp_path, capsys):
        def interrupted(photo, *, edition=None):
            raise KeyboardInterrupt

        photo = str(write_photo(tmp_path / "table.jpg"))
        assert main(["scan", photo], eye=interrupted) == 130
        assert capsys.readouterr() == ("", "")

    def test_a_reader_that_has_gone(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as gone:
            result = subprocess.run(
                [sys.executable, "-m", "firmware.cli", "score"],
                input=TABLE.encode(),
                stdout=gone,
                stderr=subprocess.PIPE,
                timeout=60,
                check=False,
            )
        assert result.returncode == 141
        assert result.stderr == b""

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
    @pytest.mark.parametrize("mode", [[], ["--json"], ["--jsonl"]])
    def test_a_full_disk(self, mode):
        with Path("/dev/full").open("w") as full:
            result = subprocess.run(
                [sys.executable, "-m", "firmware.cli", "score", *mode],
                input=TABLE.encode(),
                stdout=full,
                stderr=subprocess.PIPE,
                timeout=60,
                check=False,
            )
        assert result.returncode == 2
        assert result.stderr.count(b"\n") == 1
        assert b"standard output" in result.stderr

    def test_standard_output_closed(self):
        result = subprocess.run(
            ["/bin/sh", "-c", '"$0" -m firmware.cli score >&-', sys.executable],
            input=TABLE.encode(),
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
        assert (result.returncode, result.stderr) == (0, b"")


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
    def test_names_and_frames_that_the_terminal_lacks(self, encoding):
        table = json.loads(TABLE) | {"players": ["Ödön", "山田", "Ben"]}
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        result = subprocess.run(
            [sys.executable, "-m", "firmware.cli", "score"],
            input=json.dumps(table).encode(),
            capture_output=True,
            timeout=60,
            check=False,
            env=environment,
        )
        assert (result.returncode, result.stderr) == (0, b"")
        assert "share the victory" in result.stdout.decode(encoding)
        json_result = subprocess.run(
            [sys.executable, "-m", "firmware.cli", "score", "--json"],
            input=json.dumps(table).encode(),
            capture_output=True,
            timeout=60,
            check=True,
            env=environment,
        )
        sheet = json.loads(json_result.stdout.decode("utf-8"))
        assert [player["name"] for player in sheet["players"]] == ["Ödön", "山田", "Ben"]

    def test_ascii_has_no_frames_that_it_cannot_show(self, tmp_path):
        file = tmp_path / "table.json"
        file.write_text(TABLE)
        result = run("score", str(file), env={**os.environ, "PYTHONIOENCODING": "ascii"})
        assert result.returncode == 0
        assert "\\u" not in result.stdout


def test_narrow_and_wide_terminals(tmp_path, monkeypatch, capsys):
    photo = str(write_photo(tmp_path / "table.jpg"))
    for columns in (40, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["scan", photo, "--reasons"], eye=FakeEye(*EXAMPLE)) == 0
        printed = capsys.readouterr().out
        assert max(map(len, printed.splitlines())) <= columns
        assert "P4 wins" in printed


def test_the_program_of_the_package_is_this_one():
    from importlib.metadata import entry_points

    (entry,) = entry_points(group="console_scripts", name="stadtblick")
    assert entry.load() is cli.main
