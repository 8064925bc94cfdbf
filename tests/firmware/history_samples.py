"""Scans to remember, and a clock that says what it is told."""

from datetime import UTC, datetime, timedelta

from firmware.history import History, ScanRecord, WallTime

START = datetime(2026, 11, 21, 15, 40, 38, tzinfo=UTC)
PHOTO = b"\xff\xd8 a photo \xff\xd9"


class Clock:
    """A wall clock that only goes when it is set."""

    def __init__(self, utc=START, *, known=True):
        self.now = WallTime(utc, known)

    def __call__(self):
        return self.now

    def jump(self, years, *, known=True):
        self.now = WallTime(self.now.utc + timedelta(days=365.25 * years), known)


def record(number=1, **changes):
    """A scan that says which one it is."""
    players = [
        {"name": "Ann", "final": 50 + number, "rank": 1},
        {"name": "Ben", "final": 50, "rank": 2},
    ]
    values = {
        "game": "between-two-cities",
        "variant": "standard",
        "level": 1,
        "edition": "my-copy",
        "reading": {"photo": f"photo {number}", "notes": ["ő", "line\nbreak"]},
        "table": {"game": "between-two-cities", "number": number},
        "sheet": {"players": players, "winners": [0]},
        "corrections": ("A:2,3=park", "B:0,0=none"),
        "health": ("under-voltage",),
    }
    return ScanRecord(**{**values, **changes})


def open_history(folder, **limits):
    """Return a history that is prepared for writing."""
    history = History(folder, **limits)
    history.prepare()
    return history


def numbers(history):
    """Return the numbers of the samples in a history, oldest first."""
    return [scan.record.table["number"] for scan in reversed(recent(history))]


def recent(history, limit=None):
    """The scans, latest first; refused where one is damaged."""
    scans, damaged = history.read_scans(limit)
    for error in damaged:
        raise error
    return scans
