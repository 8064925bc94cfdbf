"""Lines that another process writes, read with a limit of time."""

import os
import select
import time

LONG_S = 60.0
"""Far more than any line takes on a loaded machine; a test that gets there has failed."""


class ProcessLines:
    """Lines of a pipe, of which nobody else reads.

    Args:
        stream: Binary end of the pipe to read from.
    """

    def __init__(self, stream):
        self._file = stream.fileno()
        self._rest = b""

    def next_line(self, limit_s=LONG_S):
        """Return the next line with its end; empty at the end of the pipe."""
        until_s = time.monotonic() + limit_s
        while b"\n" not in self._rest:
            left_s = max(until_s - time.monotonic(), 0.0)
            ready, _w, _x = select.select([self._file], [], [], left_s)
            assert ready, f"no line within {limit_s:g} s, but {self._rest!r}"
            data = os.read(self._file, 65_536)
            if not data:
                rest, self._rest = self._rest, b""
                return rest.decode()
            self._rest += data
        line, _end, self._rest = self._rest.partition(b"\n")
        return f"{line.decode()}\n"

    def wait_for(self, words, limit_s=LONG_S):
        """Skip lines up to one with these words."""
        until_s = time.monotonic() + limit_s
        seen = []
        while words not in (line := self.next_line(max(until_s - time.monotonic(), 0.0))):
            assert line, f"ended without saying {words}, but {seen}"
            seen.append(line)
