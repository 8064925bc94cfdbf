"""How a display goes easy on itself while nobody looks.

The pixels of an OLED fade by being lit. So after some minutes without a button it is dimmed, and
then the picture moves by a pixel each minute, so that edges wear evenly. Whoever moves it wraps it
round at the edges: every pixel of it is still there.
"""

from dataclasses import dataclass
from typing import Final

from hardware.display.interface import CONTRAST

_PLACES_PX: Final = ((0, 0), (1, 0), (1, 1), (0, 1))
"""One after the other, x to the right and y down."""


@dataclass(frozen=True, slots=True)
class Rest:
    """When a display rests, and how.

    Attributes:
        after_s: seconds without use before it rests; 0: never.
        contrast: while it is used, 0 to 255.
        resting_contrast: while it rests; readable in a room, never dark.
        shift_every_s: seconds between two moves by a pixel while it rests.
    """

    after_s: float = 120.0
    contrast: int = CONTRAST
    resting_contrast: int = 1
    shift_every_s: float = 60.0

    def rests_at(self, idle_s: float) -> bool:
        """Whether it rests after so many seconds without use."""
        return self.after_s > 0 and idle_s >= self.after_s

    def contrast_at(self, idle_s: float) -> int:
        """The contrast after so many seconds without use; resting never makes it brighter."""
        if not self.rests_at(idle_s):
            return self.contrast
        return min(self.resting_contrast, self.contrast)

    def shift_at(self, idle_s: float) -> tuple[int, int]:
        """By how many pixels to the right and down the picture is moved, wrapped round."""
        if not self.rests_at(idle_s):
            return _PLACES_PX[0]
        moves = int((idle_s - self.after_s) / self.shift_every_s)
        return _PLACES_PX[moves % len(_PLACES_PX)]
