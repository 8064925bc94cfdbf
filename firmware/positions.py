"""Where something lies in a photo, in words."""

from firmware.language import _
from firmware.quads import middle
from vision.reading import Quad, Reading


def position_in_photo(quad: Quad, size_wh: tuple[int, int]) -> str:
    """In which ninth of the photo the middle of a quad lies, such as ``upper left``.

    Args:
        quad: in pixels of the photo.
        size_wh: of the photo.
    """
    names = (
        (_("upper left"), _("top"), _("upper right")),
        (_("left"), _("middle"), _("right")),
        (_("lower left"), _("bottom"), _("lower right")),
    )
    x, y = middle(quad)
    width, height = size_wh
    return names[_third(y, height)][_third(x, width)]


def unread_positions(reading: Reading) -> str:
    """Where in the photo the cities lie that could not be read, with commas between them."""
    return ", ".join(
        position_in_photo(region.corners_px, reading.size_wh) for region in reading.unread
    )


def _third(at_px: float, size_px: int) -> int:
    return min(max(int(3 * at_px / size_px), 0), 2)
