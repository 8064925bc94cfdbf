"""A display without hardware that keeps what it shows."""

from typing import Any

from PIL import Image

from hardware.display.interface import (
    CONTRAST,
    SIZE_WH,
    checked_contrast,
    checked_image,
    closed_error,
)
from hardware.display.luma_hooks import no_exit_hook


class EmulatedDisplay:
    """A display without hardware: keeps the last picture and, if asked to, all of them.

    Args:
        size_wh: Width and height in pixels.
        keep_frames: Whether ``frames`` collects every picture shown.
    """

    def __init__(self, size_wh: tuple[int, int] = SIZE_WH, *, keep_frames: bool = False) -> None:
        from luma.core.device import dummy

        with no_exit_hook():
            self._device: Any = dummy(width=size_wh[0], height=size_wh[1], mode="1")
        self._keep_frames = keep_frames
        self._frames: list[Image.Image] = []
        self.contrast = CONTRAST
        """The level set last."""
        self.closed = False

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._device.width, self._device.height

    @property
    def image(self) -> Image.Image | None:
        """The picture shown last; None before the first one."""
        image: Image.Image | None = self._device.image
        return image

    @property
    def frames(self) -> tuple[Image.Image, ...]:
        """All pictures shown so far, oldest first; empty unless ``keep_frames``."""
        return tuple(self._frames)

    def show(self, image: Image.Image) -> None:
        """Keep the picture."""
        if self.closed:
            raise closed_error("emulated")
        self._device.display(checked_image(image, self.size_wh))
        if self._keep_frames:
            self._frames.append(image.copy())

    def set_contrast(self, level: int) -> None:
        """Keep the level."""
        if self.closed:
            raise closed_error("emulated")
        self.contrast = checked_contrast(level)

    def close(self) -> None:
        """Stop taking pictures; the last one stays readable."""
        self.closed = True
