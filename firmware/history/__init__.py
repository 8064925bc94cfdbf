"""Past games: stored scans and photos, statistics of them, exports. See docs/history.md."""

from firmware.history.clock import WallTime, wall_time
from firmware.history.errors import HistoryError, NotSavedError
from firmware.history.record import ScanRecord, StoredScan, make_record
from firmware.history.store import History

__all__ = [
    "History",
    "HistoryError",
    "NotSavedError",
    "ScanRecord",
    "StoredScan",
    "WallTime",
    "make_record",
    "wall_time",
]
