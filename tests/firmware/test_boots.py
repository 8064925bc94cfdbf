"""Three starts that come to nothing lead to safe mode; one that completes leads out of it."""

import os

import pytest

from firmware.boots import FILE_NAME, begin_boot, boot_complete, is_safe_mode


def test_incomplete_starts_are_counted(tmp_path):
    folder = tmp_path / "box"
    assert [begin_boot(folder) for _ in range(5)] == [0, 1, 2, 3, 4]
    boot_complete(folder)
    assert [begin_boot(folder) for _ in range(2)] == [0, 1]


def test_three_of_them_mean_safe_mode():
    assert [is_safe_mode(incomplete) for incomplete in (0, 1, 2, 3, 4, 999)] == [
        False, False, False, True, True, True,
    ]  # fmt: skip


def test_a_start_that_completes_leads_out_of_safe_mode(tmp_path):
    for _ in range(4):
        incomplete = begin_boot(tmp_path)
    assert is_safe_mode(incomplete)
    boot_complete(tmp_path)
    assert not is_safe_mode(begin_boot(tmp_path))


@pytest.mark.parametrize("data", [b"", b"\0\0\0", b"x", b"-5", b"\xff", b"3 3", b"2" * 1000])
def test_a_damaged_count_is_begun_anew(tmp_path, data):
    (tmp_path / FILE_NAME).write_bytes(data)
    assert begin_boot(tmp_path) in (0, 999)
    assert begin_boot(tmp_path) in (1, 999)
    boot_complete(tmp_path)
    assert begin_boot(tmp_path) == 0


def test_it_does_not_count_for_ever(tmp_path):
    (tmp_path / FILE_NAME).write_text("998")
    assert [begin_boot(tmp_path) for _ in range(3)] == [998, 999, 999]


def test_where_nothing_can_be_written_it_starts_nevertheless(tmp_path):
    (tmp_path / "box").write_text("in the way")
    assert begin_boot(tmp_path / "box") == 0
    boot_complete(tmp_path / "box")


def test_a_start_that_completes_twice_writes_once(tmp_path):
    begin_boot(tmp_path)
    boot_complete(tmp_path)
    before = (tmp_path / FILE_NAME).stat().st_ino
    boot_complete(tmp_path)
    assert (tmp_path / FILE_NAME).stat().st_ino == before


def test_a_pipe_in_place_of_the_count_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / FILE_NAME)
    assert begin_boot(tmp_path) == 0
    assert begin_boot(tmp_path) == 1
