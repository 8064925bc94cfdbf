"""From settings to what ``hardware`` opens."""

from pathlib import Path

from firmware.settings.model import ButtonSettings, CameraSettings, DisplaySettings
from hardware.buttons import ButtonWiring
from hardware.camera import CameraWiring
from hardware.display import DisplayWiring, Rest


def camera_wiring(settings: CameraSettings) -> CameraWiring:
    """The camera; its source without ``~``."""
    return CameraWiring(
        kind=settings.kind,
        size_wh=settings.size_wh,
        number=settings.number,
        source=Path(settings.source).expanduser() if settings.source else None,
        upside_down=settings.upside_down,
    )


def display_wiring(settings: DisplaySettings) -> DisplayWiring:
    """The display, if ``settings.kind`` says that there is one."""
    return DisplayWiring(
        connection=settings.connection,
        controller=settings.controller,
        i2c_port=settings.i2c_port,
        i2c_address=settings.i2c_address,
        spi_port=settings.spi_port,
        spi_device=settings.spi_device,
        gpio_dc=settings.gpio_dc,
        gpio_reset=settings.gpio_reset,
        upside_down=settings.upside_down,
        contrast=settings.contrast,
    )


def display_rest(settings: DisplaySettings) -> Rest:
    """When the display is dimmed, and how bright it is before."""
    return Rest(after_s=settings.dim_after_s, contrast=settings.contrast)


def button_wiring(settings: ButtonSettings) -> ButtonWiring:
    """The three buttons."""
    return ButtonWiring(
        scan_gpio=settings.scan_gpio, next_gpio=settings.next_gpio, ok_gpio=settings.ok_gpio
    )
