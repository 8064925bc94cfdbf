"""The scanner's data are those of all members of its group, and of nobody else."""

import errno
import json
import os
import stat
from dataclasses import replace
from pathlib import PosixPath

import pytest

from firmware.base import user_data
from firmware.base.errors import write_advice
from firmware.base.failed_starts import count_start
from firmware.base.user_data import calibration_path, user_folder, write_safely
from firmware.cli import main
from firmware.settings import create_settings_file
from firmware.teaching.user_editions import load_edition, save_edition
from tests.firmware.history_samples import open_history, record
from tests.refusals import refused
from vision.message import Message


def fill():
    """Store one of each thing; gives the mode of each file and folder by its name."""
    create_settings_file()
    count_start(user_folder())
    write_safely(calibration_path(), b"{}")
    drawn = load_edition("standard", "cities")
    save_edition(replace(drawn, description=replace(drawn.description, name="mine")))
    history = open_history(user_folder())
    history.add(record())
    history.keep_photo(b"jpeg")
    paths = list(user_folder().rglob("*"))
    assert len(paths) > 8
    modes = {path.name: path.stat().st_mode for path in paths}
    history.close()
    return modes


def test_files_are_writable_for_the_group(own_umask):
    user_folder().chmod(0o2770)
    own_umask(0o007)
    for name, mode in fill().items():
        assert mode & stat.S_IRGRP, name
        assert mode & stat.S_IWGRP, name


def test_elsewhere_only_whoever_stored_it(own_umask):
    user_folder().chmod(0o755)
    own_umask(0o022)
    for name, mode in fill().items():
        assert not mode & stat.S_IWGRP, name


@pytest.fixture
def own_umask():
    """Sets the mask of this process, until the end of the test."""
    before = os.umask(0o022)
    os.umask(before)
    yield os.umask
    os.umask(before)


@pytest.fixture
def _not_a_member(monkeypatch):
    """The superuser, who runs some of these tests, may do everything."""
    monkeypatch.setattr(user_data.os, "access", lambda path, _mode: path != user_folder())


@pytest.mark.usefixtures("_not_a_member")
def test_user_outside_group_is_told_how_to_reach_data(capsys):
    assert main(["doctor", "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "data-not-yours"
    assert error["where"] == str(user_folder())
    assert "write sudo before the command" in error["message"]
    assert "sudo adduser" in error["message"]
    assert main(["editions", "--help"]) == 0


@pytest.mark.usefixtures("_not_a_member")
def test_a_folder_that_is_for_no_group_is_another_users(capsys):
    user_folder().chmod(0o700)
    assert main(["history", "export", "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["code"], error["where"]) == ("data-not-yours", str(user_folder()))
    assert "choose another one with STADTBLICK_HOME" in error["message"]


def test_folder_below_an_unreadable_one_is_another_users(monkeypatch):
    class OfAnn(PosixPath):
        def stat(self):
            raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(user_data, "user_folder", lambda: OfAnn("/home/ann/stadtblick"))
    with refused("data-not-yours", "another user", "/home/ann/stadtblick"):
        user_data.check_folder_access()


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (["history", "export", "--csv"], "--out"),
        (["editions", "export", "standard", "--game", "cities"], "--out"),
        (["doctor"], "--bundle"),
    ],
)
def test_a_file_that_cannot_be_written_is_blamed_on_its_own_option(
    monkeypatch, capsys, tmp_path, command, option
):
    (tmp_path / "file").write_text("")
    assert main([*command, option, str(tmp_path / "file" / "x")]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.endswith(f": choose another place with {option}")


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "make room, or choose another folder"),
        (errno.EACCES, "check the permissions, or choose another folder"),
        (errno.EISDIR, "choose another folder"),
    ],
)
def test_advice_for_unwritable_file_fits_its_cause(number, advice):
    error = OSError(number, os.strerror(number))
    assert write_advice(error, Message("choose another folder")) == advice
