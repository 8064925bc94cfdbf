"""Three starts that do not complete lead to safe mode; one that completes leads out of it."""

import os

import pytest

from firmware.base.failed_starts import FILE_NAME, count_start, needs_safe_mode, reset_start_count


def test_incomplete_starts_are_counted_until_one_completes(tmp_path):
    folder = tmp_path / "box"
    counted = [count_start(folder) for _ in range(5)]
    assert counted == [0, 1, 2, 3, 4]
    assert [needs_safe_mode(count) for count in (*counted, 999)] == [False] * 3 + [True] * 3
    reset_start_count(folder)
    before = (folder / FILE_NAME).stat().st_ino
    reset_start_count(folder)
    assert (folder / FILE_NAME).stat().st_ino == before, "writes once"
    assert [count_start(folder) for _ in range(2)] == [0, 1]


@pytest.mark.parametrize(
    ("data", "counted"),
    [
        *[(data, [0, 1]) for data in (b"", b"\0\0\0", b"x", b"-5", b"\xff", b"3 3")],
        (b"12", [12, 13]),  # a line that was cut short
        (b"998", [998, 999]),  # does not count for ever
        (b"2" * 1000, [999, 999]),
    ],
)
def test_a_damaged_count_is_begun_anew(tmp_path, data, counted):
    (tmp_path / FILE_NAME).write_bytes(data)
    assert [count_start(tmp_path) for _ in range(2)] == counted
    reset_start_count(tmp_path)
    assert count_start(tmp_path) == 0


def test_unwritable_folder_does_not_prevent_the_start(tmp_path):
    (tmp_path / "box").write_text("in the way")
    assert count_start(tmp_path / "box") == 0
    reset_start_count(tmp_path / "box")
    os.mkfifo(tmp_path / FILE_NAME)
    assert [count_start(tmp_path) for _ in range(2)] == [0, 0]
