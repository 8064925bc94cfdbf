"""State of the scanner's data, as values that can be compared."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

EDITION: Final = "own-tiles"
"""Edition that is taught."""
UNSYNCED: Final = "never-synced"
"""File that is written without making it last."""

State = dict[str, Any]


def state_of(home: Path) -> State:
    """Return the digests of games with their photos, settings, calibration and edition."""
    return {
        "history": games(home),
        "settings": digest(home / "settings.toml"),
        "calibration": digest(home / "calibration.json"),
        "edition": {
            path.name: digest(path) for path in sorted((home / "editions" / EDITION).glob("*"))
        },
    }


def games(home: Path) -> dict[str, str]:
    """Return a digest of each stored game and its photo, by the number of the game.

    Raises:
        OSError: A photo is missing.
    """
    if not (home / "history.sqlite").exists():
        return {}
    uri = f"{(home / 'history.sqlite').as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=60)) as connection:
        connection.row_factory = sqlite3.Row
        rows = []
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'scans'").fetchone():
            rows = [dict(row) for row in connection.execute("SELECT * FROM scans ORDER BY seq")]
    return {
        str(row["seq"]): hashlib.sha256(
            json.dumps(row).encode() + (home / "photos" / row["photo"]).read_bytes()
        ).hexdigest()
        for row in rows
    }


def digest(path: Path) -> str:
    """Return the digest of a file, or ``missing``."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"
