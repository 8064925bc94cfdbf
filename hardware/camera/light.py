"""How bright a picture is, and whether the light has changed."""

from typing import Final

from hardware.camera.frame import Image

SAME_LIGHT: Final = 1.6
"""A picture brighter or darker by more than this factor was taken in another light. Tiles laid
on a table change it by less, the sun going down or a lamp by more."""

_STEP_PX: Final = 16


def brightness(image_bgr: Image) -> float:
    """Mean of all pixels and colours, 0 to 255, from each 16th row and column."""
    return float(image_bgr[::_STEP_PX, ::_STEP_PX].mean())


def light_changed(before: float, now: float) -> bool:
    """Whether two brightnesses are those of different lights."""
    least = 1.0  # two black pictures are alike
    darker, brighter = sorted((max(before, least), max(now, least)))
    return brighter > darker * SAME_LIGHT
