"""Drives display, buttons and camera of a virtual machine with the appliance's own adapters.

    python drive_devices.py I2C-BUS FOLDER-OF-LINES

The kernel's test drivers stand in for the devices: i2c-stub, which keeps what is written to it;
gpio-sim, whose lines are pulled by writing to FOLDER-OF-LINES/sim_gpioN/pull; vimc, a camera with
colour bars. Everything above them is as on a Raspberry Pi. Runs as the user of the service.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import smbus2
from PIL import Image, ImageDraw

from hardware.buttons import Button, ButtonAction, gpio_of_buttons, open_buttons
from hardware.camera import open_camera, picamera
from hardware.display import open_display
from hardware.settings import ButtonSettings, CameraSettings, DisplaySettings

ADDRESS, DATA = 0x3C, 0x40
BLOCK = 32
CAMERA_SIZE_WH = (960, 540)


def say(line: str) -> None:
    """Tell what was seen."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def check(what: str, fine: bool) -> None:
    """Say whether it is so."""
    say(f"{'ok   ' if fine else 'not so: '}{what}")


def drive_display(bus_number: int) -> None:
    """Show a picture; the stub still has its last block of 32 columns."""
    bus = smbus2.SMBus(bus_number)
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    for column in range(96, 128, 3):
        draw.line((column, 56, column, 63), fill=1)
    display = open_display(DisplaySettings(i2c_port=bus_number), i2c_bus=bus)
    display.show(picture)
    got = bus.read_i2c_block_data(ADDRESS, DATA, BLOCK)
    wanted = [255 if column % 3 == 0 else 0 for column in range(BLOCK)]
    check("the display has the picture, through luma, i2c-dev and i2c-stub", got == wanted)
    display.close()


def drive_buttons(lines: Path) -> None:
    """Press SCAN shortly and hold NEXT."""
    settings = ButtonSettings()
    pulls = {
        gpio: lines / f"sim_gpio{gpio}" / "pull" for gpio in gpio_of_buttons(settings).values()
    }
    buttons = open_buttons(settings)
    seen: list[ButtonAction] = []

    def during(seconds: float) -> None:
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            seen.extend(buttons.poll(time.monotonic()))
            time.sleep(0.05)

    during(0.5)
    check("no button is pressed to begin with", not seen)
    for gpio, seconds in ((settings.scan_gpio, 0.5), (settings.next_gpio, 3.5)):
        pulls[gpio].write_text("pull-down")
        during(seconds)
        pulls[gpio].write_text("pull-up")
        during(0.5)
    kinds = [(event.button, event.kind) for event in seen if event.kind != "repeat"]
    say(f"     | {kinds}")
    check(
        "a short and a long press arrive, through gpiozero, lgpio and gpio-sim",
        kinds
        == [
            (Button.SCAN, "short"),
            (Button.NEXT, "long"),
        ],
    )
    buttons.close()


def drive_camera() -> None:
    """Take pictures of the colour bars, close, open again."""
    picamera.PIXEL_FORMAT = "BGR888"  # vimc says that it has the other one, then does not start
    settings = CameraSettings(kind="picamera", size_wh=CAMERA_SIZE_WH)
    for time_opened in ("opened", "opened again"):
        camera = open_camera(settings)
        frame = camera.capture(timeout_s=30)
        height, width = frame.image_bgr.shape[:2]
        bars = len(
            {tuple(pixel) for pixel in frame.image_bgr[height // 4, :: width // 16].tolist()}
        )
        check(
            f"the camera, {time_opened}, shows bars of several colours, through the unpatched "
            "picamera2, libcamera and vimc",
            (width, height) == CAMERA_SIZE_WH and bars > 4,
        )
        camera.close()


def driven(what: str, drive: Callable[[], None]) -> None:
    """Go on with the next device whatever becomes of this one."""
    try:
        drive()
    except Exception as error:  # noqa: BLE001 - a failed check like any other
        check(f"{what}: {type(error).__name__}: {error}", fine=False)


def main() -> None:
    """Drive one after the other."""
    bus_number, lines = int(sys.argv[1]), Path(sys.argv[2])
    driven("display", lambda: drive_display(bus_number))
    driven("buttons", lambda: drive_buttons(lines))
    driven("camera", drive_camera)


if __name__ == "__main__":
    main()
