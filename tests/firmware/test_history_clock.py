"""When the wall clock can be trusted."""

from datetime import UTC, datetime

import pytest

from firmware.history import clock
from firmware.history.clock import WallTime, parsed_time, wall_time


class FrozenTime(datetime):
    """A computer whose clock stands at one moment."""

    moment = datetime(2026, 11, 21, 15, 40, 38, 999_999, tzinfo=UTC)

    @classmethod
    def now(cls, tz=None):
        return cls.moment.astimezone(tz)


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Whether the time is known on such a computer."""
    monkeypatch.setattr(clock, "datetime", FrozenTime)

    def time(moment, *, synchronised=False, rtc=None):
        monkeypatch.setattr(FrozenTime, "moment", moment)
        if synchronised:
            (tmp_path / "synchronised").touch()
        if rtc is not None:
            (tmp_path / "rtc").write_text(str(rtc))
        return wall_time(tmp_path / "synchronised", tmp_path / "rtc").known

    return time


NOW = datetime(2026, 11, 21, 15, 40, 38, tzinfo=UTC)


def test_a_computer_without_battery_and_network(known):
    assert not known(NOW)


def test_a_server_has_told_the_time(known):
    assert known(NOW, synchronised=True)


@pytest.mark.parametrize(
    ("rtc", "is_known"),
    [
        (f"{NOW.timestamp():.0f}\n", True),
        (f"{NOW.timestamp() + 7200:.0f}\n", True),  # it keeps local time
        (f"{NOW.timestamp() - 200_000:.0f}\n", False),
        ("120\n", False),  # it lost its battery
        ("", False),
        ("nan", False),
        ("x", False),
    ],
)
def test_a_clock_with_a_battery_must_agree(known, rtc, is_known):
    assert known(NOW, rtc=rtc) is is_known


def test_a_clock_that_was_never_set(known):
    assert not known(datetime(1970, 1, 1, 0, 2, tzinfo=UTC), synchronised=True, rtc="120")


def test_to_the_second_and_back():
    time = wall_time()
    assert parsed_time(time.iso) == time.utc
    assert WallTime(NOW, known=True).iso == "2026-11-21T15:40:38Z"
    early = WallTime(datetime(1, 2, 3, tzinfo=UTC), known=False)
    assert parsed_time(early.iso) == early.utc
