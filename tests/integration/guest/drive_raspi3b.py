"""Look for the parts of a Raspberry Pi 3B that qemu plays, with the appliance's own adapters."""

import sys
import time

from PIL import Image, ImageDraw

from hardware.buttons import open_buttons
from hardware.display import open_display
from hardware.gpio import lgpio_factory
from hardware.settings import ButtonSettings, DisplaySettings

MODEL, REVISION = "3B", "a02082"


def check(what: str, fine: bool) -> None:
    """Say whether something is so."""
    sys.stdout.write(f"{'ok   ' if fine else 'not so: '}{what}\n")
    sys.stdout.flush()


def main() -> None:
    """Look for board, display and buttons; an error of a driver ends the program."""
    factory = lgpio_factory()
    board = factory.board_info
    check(
        f"the board is recognised: {board.model}, {board.revision}",
        (board.model, board.revision) == (MODEL, REVISION),
    )
    factory.close()

    picture = Image.new("1", (128, 64))
    ImageDraw.Draw(picture).rectangle((8, 8, 119, 55), outline=1)
    display = open_display(DisplaySettings())
    display.show(picture)
    display.close()
    check("the display takes a picture on I2C bus 1, without an error of the bus", fine=True)

    buttons = open_buttons(ButtonSettings())
    events = []
    for _ in range(10):
        time.sleep(0.1)
        events += buttons.poll(time.monotonic())
    buttons.close()
    check("the lines of the buttons are opened on the header, and no button is pressed", not events)


if __name__ == "__main__":
    main()
