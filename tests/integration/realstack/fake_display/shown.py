"""Check the picture on the display behind the fake I2C bus.

    python shown.py LOG                exit code 0 if anything is seen on it, 1 if it is dark
    python shown.py LOG contrast 10    exit code 0 if it is as bright as that, 1 if not
    python shown.py LOG save PNG       writes the picture

The folder of fake_oled.py has to be in ``PYTHONPATH``.
"""

import sys
from pathlib import Path

from fake_oled import FakeOled


def display_after(log: Path) -> FakeOled:
    """The display after all messages of the log; one that is not complete yet is left out."""
    oled = FakeOled()
    data = log.read_bytes()
    at = 0
    while at + 2 <= len(data):
        length = int.from_bytes(data[at : at + 2], "little")
        message = data[at + 2 : at + 2 + length]
        if len(message) == length > 0:
            oled.receive(message[0], message[1:])
        at += 2 + length
    return oled


def main() -> bool:
    """Return whether the display is as the arguments ask."""
    log, *asked = sys.argv[1:]
    oled = display_after(Path(log))
    match asked:
        case ["contrast", number]:
            return oled.contrast == int(number)
        case ["save", file]:
            oled.image().save(file)
            return True
    return oled.image().getbbox() is not None


if __name__ == "__main__":
    sys.exit(not main())
