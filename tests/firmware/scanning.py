"""``stadtblick scan`` with an eye that sees what a test tells it."""

import json

from firmware.cli import main
from tests.firmware.fake_eye import EXAMPLE, FakeEye


def scan(*arguments, eye=None):
    return main(["scan", *map(str, arguments)], eye=eye or FakeEye(*EXAMPLE))


def scanned_json(capsys, *arguments, eye=None):
    """Exit code and sheet; nothing else may be printed."""
    code = scan(*arguments, "--json", eye=eye)
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, json.loads(printed.out)


def refused(capsys, *arguments, eye=None):
    """The error of a scan that is refused, as an object; its line for people is checked, too."""
    assert scan(*arguments, "--json", eye=eye) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    error = json.loads(printed.err)["error"]
    assert set(error) == {"code", "message", "where"}
    assert scan(*arguments, eye=eye) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("stadtblick: ")
    assert printed.err.count("\n") == 1
    assert error["where"] in printed.err
    return error
