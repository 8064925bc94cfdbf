"""The wall clock is wrong, or jumps ten years: order and limits do not depend on it."""

import os
from contextlib import closing

import pytest

from firmware.base.failed_starts import count_start
from firmware.cli import main
from tests.firmware.history_samples import PHOTO, Clock, numbers, open_history, recent, record


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")


JUMPS = (0, 10, -10, -10, 10, 0.001, -30, 40)
"""Years from scan to scan."""


def set_time(path, years):
    moment = 1.8e9 + years * 3.15e7
    os.utime(path, (moment, moment))


def test_scans_stay_in_the_order_in_which_they_came(tmp_path):
    """Also over a start in another decade."""
    clock = Clock()
    for first in (1, 9):
        with closing(open_history(tmp_path, clock=clock)) as opened:
            for number, years in enumerate(JUMPS, start=first):
                clock.jump(years)
                assert opened.add(record(number)) == number
            assert numbers(opened) == list(range(1, first + len(JUMPS)))
            times = [scan.at.utc for scan in recent(opened)]
            assert times not in (sorted(times), sorted(times, reverse=True))
        clock = Clock()
        clock.jump(-20)


def test_the_oldest_photo_gives_way_and_not_that_with_the_oldest_date(tmp_path):
    with closing(open_history(tmp_path, photos_max=3)) as opened:
        for years in JUMPS:
            set_time(tmp_path / "photos" / opened.keep_photo(PHOTO), years)
    kept = sorted(path.name for path in tmp_path.glob("photos/*"))
    assert kept == ["000006.jpg", "000007.jpg", "000008.jpg"]


@pytest.mark.parametrize("years", [-56, -1900, 500, 7900])
def test_history_is_listed_and_exported_with_a_clock_far_off(tmp_path, capsys, years):
    clock = Clock()
    clock.jump(years)
    with closing(open_history(tmp_path, clock=clock)) as opened:
        opened.add(record(1))
        assert opened.get(1).at == clock.now
    assert main(["history"]) == main(["history", "export", "--csv"]) == 0
    assert "between-two-cities" in capsys.readouterr().out


def test_starts_are_counted_whatever_the_time_of_their_file(tmp_path):
    for counted, years in enumerate((0, 10, -10)):
        assert count_start(tmp_path) == counted
        set_time(tmp_path / "incomplete-boots", years)
