import json

import pytest

from firmware.cli import main
from tests.computed_once import pixels_are_understood_once  # noqa: F401 - for all tests
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo


@pytest.fixture
def photo(tmp_path):
    """The path of a photo for an eye that sees what it is told."""
    return str(write_photo(tmp_path / "table.jpg"))


@pytest.fixture
def prints(capsys):
    """Run a command, check its exit code and empty standard error, and return its output."""

    def run(*arguments, eye=None, code=0):
        capsys.readouterr()
        assert main([*map(str, arguments)], reader=eye or FakeEye(*EXAMPLE)) == code
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run


@pytest.fixture
def refuses(capsys):
    """The error of what is refused, as an object; its line for people is checked, too."""

    def run(*arguments, eye=None):
        words, calls = [*map(str, arguments)], []
        for form in ([], ["--json"]):
            assert main([*words, *form], reader=eye or FakeEye(*EXAMPLE)) == 2
            printed = capsys.readouterr()
            assert printed.out == ""
            calls.append(printed.err)
        line, error = calls[0], json.loads(calls[1])["error"]
        assert (
            {"code", "message", "where"} <= set(error) <= {"code", "message", "where", "breaches"}
        )
        assert line.startswith("stadtblick: ")
        assert line.count("\n") == 1
        assert f"{error['where']}): " in line, "says what to do after the place"
        return error

    return run
