"""The tables of the database, and how each version of them becomes the next one.

The version stands in the file itself (``PRAGMA user_version``). A migration is never changed after
it has been released: what is to be different comes as a further one.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final

APPLICATION_ID: Final = 0x53744256
"""In the header of the file, so that it is known as one of ours."""

Migration = tuple[str, ...]
"""The statements that lead from one version to the next one."""

MIGRATIONS: Final[tuple[Migration, ...]] = (
    (
        # AUTOINCREMENT: the number of a deleted scan is not given again
        """
        CREATE TABLE scans (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at_utc TEXT NOT NULL,
            time_known INTEGER NOT NULL CHECK (time_known IN (0, 1)),
            game TEXT NOT NULL,
            variant TEXT NOT NULL,
            level INTEGER NOT NULL,
            edition TEXT NOT NULL,
            photo TEXT,
            health TEXT NOT NULL,
            rescan_of INTEGER,
            corrections TEXT NOT NULL,
            reading TEXT NOT NULL,
            "table" TEXT NOT NULL,
            sheet TEXT NOT NULL
        )
        """,
    ),
)
"""From version 0, an empty file, to the newest one."""


class TooNewError(Exception):
    """A newer version of the program wrote the file.

    Attributes:
        version: of the file.
    """

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version}")
        self.version = version


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the tables in a file; 0: it has none yet."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring a file to the newest version: all steps or, if one fails, none.

    Args:
        connection: without a transaction of its own.
        migrations: all there are, from version 0 on.

    Raises:
        TooNewError: the file has a later version than the newest known one.
        sqlite3.Error: the file cannot be written, or its tables are not what they should be.
    """
    version = version_of(connection)
    if version > len(migrations):
        raise TooNewError(version)
    if version == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)  # another process may just have done it
        for statements in migrations[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
