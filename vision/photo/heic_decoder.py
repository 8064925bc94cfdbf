"""Program that decodes one HEIC photo with pi-heif, as a separate process.

Decoders in C++ crash on damaged files, which ends this process alone. Its memory and time are
limited to what the largest allowed photo takes. Protocol on standard input and output:

    <- length of the file, 8 bytes, and the file
    -> a line: width, height, bytes of a row, mode
    <- a byte: decode it
    -> the rows, from the top; pixels are blue first, or grey
"""

import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

import pi_heif

MORE_MEMORY = 400 * 1024 * 1024
"""Bytes of address space beside those at the start; 25 megapixels take 120 MB."""
CPU_S = 60
"""Processor time; a Raspberry Pi Zero 2 W takes some seconds for 12 megapixels."""


def main() -> None:
    """Decode the photo at standard input."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    data = source.read(int.from_bytes(source.read(8), "big"))
    used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    for kind, most in (
        (resource.RLIMIT_AS, used + MORE_MEMORY),
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):  # a sandbox that sets its own
            resource.setrlimit(kind, (most, most))
    picture = pi_heif.open_heif(data, bgr_mode=True)
    del data
    width, height = picture.size
    target.write(f"{width} {height} {picture.stride} {picture.mode}\n".encode("ascii"))
    target.flush()
    if source.read(1):
        target.write(picture.data)
        target.flush()


if __name__ == "__main__":
    main()
