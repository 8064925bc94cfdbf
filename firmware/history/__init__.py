"""What the appliance remembers of its scans; see docs/history.md."""

from firmware.history.clock import WallTime, wall_time
from firmware.history.errors import HistoryError, NotSavedError
from firmware.history.record import ScanRecord, StoredScan, board_record_of, record_of
from firmware.history.store import History

__all__ = [
    "History",
    "HistoryError",
    "NotSavedError",
    "ScanRecord",
    "StoredScan",
    "WallTime",
    "board_record_of",
    "record_of",
    "wall_time",
]
