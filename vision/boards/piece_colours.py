"""Which parts of a heap may hold pieces, by the colours that their pictures have on the whole.

A piece is known by its features, but to look for these everywhere takes long. Most of a heap shows
the board as it is printed, or a table of other colours than any piece. Where light tells nothing
certain of colours, a piece may lie everywhere.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Points, floats
from vision.boards.known import KnownEdition, kept
from vision.boards.light import Light
from vision.boards.looks import TILE_PX, brightest, colour_shares, darkest
from vision.boards.view import View, Window

COLOUR_PX = 20
"""Pixels for each edge of a piece at which colours are compared."""
BOX_PX = 13
"""Side of the squares whose mean colours are compared; a piece fills them as it lies."""
STEP_PX = 3
NEAR_COLOUR = 0.08
"""Distance of colours, as shares of the three channels, up to which they may be a piece's."""
MOST_TOWARDS_WHITE = 0.25
"""Light on a piece brings its colours nearer to white by up to so much of the way."""
DAZZLING = 180.0
"""Levels of the darkest channel from which on light leaves little colour."""
MOST_DAZZLING = 0.25
"""Share of the board with such light up to which its colours tell something."""
MOSTLY_DAZZLING = 0.5
LIT = 1.3
"""Where the light is so much brighter than on the board's tiles in the mean, it is no white table
that dazzles."""
AS_PRINTED = 0.03
"""Difference of each share up to which a place shows the board."""
UNLIKE_PIECES = 0.05
"""Where the print is no further from the colours of pieces, one may lie there unseen."""
NEARLY_AS_PRINTED = 0.055
LEAST_PRINTED = 0.4
"""If less of the board looks nearly as printed, the light that falls there is not understood."""
_LEAST_SQUARE = 1e-9
ROOM = 0.85
"""Around the middles of pieces, in their edges; a square reaches 0.71 from its middle."""
MOST_IN_PARTS = 0.7
"""It takes less time to look at all of a heap at once than at parts with more of its area."""


def parts_with_pieces(
    view: View, known: KnownEdition, window: Window, light: Light | None
) -> list[Window] | None:
    """The parts of a heap in which pieces may lie; None: light does not tell.

    Args:
        view: of the board.
        known: the edition.
        window: of the heap, in grid coordinates.
        light: on the grid.
    """
    likely = None if light is None else _likely_middles(view, known, window, light)
    if likely is None:
        return None
    room = round(ROOM * COLOUR_PX / STEP_PX)
    grown = cv2.dilate(likely.astype(np.uint8), np.ones((2 * room + 1, 2 * room + 1), np.uint8))
    count, _labels, boxes, _middles = cv2.connectedComponentsWithStats(grown)
    areas = boxes[1:count, cv2.CC_STAT_WIDTH] * boxes[1:count, cv2.CC_STAT_HEIGHT]
    if areas.sum() > MOST_IN_PARTS * grown.size:
        return [window]
    pitch = STEP_PX / COLOUR_PX
    return [
        (
            window[0] + float(x) * pitch,
            window[1] + float(y) * pitch,
            min(window[0] + float(x + wide) * pitch, window[2]),
            min(window[1] + float(y + tall) * pitch, window[3]),
        )
        for x, y, wide, tall, _area in boxes[1:count]
    ]


def is_dazzling(view: View, window: Window, light: Light | None) -> bool:
    """Whether so much light falls on a heap that pieces in it may not be seen.

    Args:
        view: of the board.
        window: of the heap, in grid coordinates.
        light: on the grid; None: nothing is known of it.
    """
    flat = view.surface.flat(view.picture, window, COLOUR_PX).astype(np.float32)
    if float((darkest(_box_means(flat)) > DAZZLING).mean()) <= MOSTLY_DAZZLING:
        return False
    return light is None or float(light.factor(_middle(window)).max()) > LIT


def _middle(window: Window) -> Points:
    """The middle (1, 2) of a window."""
    return floats([[(window[0] + window[2]) / 2, (window[1] + window[3]) / 2]])


def _likely_middles(
    view: View, known: KnownEdition, window: Window, light: Light
) -> NDArray[np.bool_] | None:
    """Where the middles of pieces may lie, every STEP_PX; None: anywhere."""
    flat = view.surface.flat(view.picture, window, COLOUR_PX).astype(np.float32)
    seen = _box_means(flat)
    shares = colour_shares(seen * (view.gain / light.factor(_middle(window))[0]))
    printed = _printed_shares(known, window)
    apart = brightest(np.abs(shares - printed))
    away = _away_from_pieces(shares, known)
    shows_board = (np.nan_to_num(apart, nan=np.inf) < AS_PRINTED) & (away > UNLIKE_PIECES)
    dazzling = ~shows_board & (darkest(seen) > DAZZLING)
    on_board = np.isfinite(apart)
    if not on_board.any():  # nothing tells whether the light is understood
        return None
    nearly = float((apart[on_board] < NEARLY_AS_PRINTED).mean())
    if nearly < LEAST_PRINTED or float(dazzling[on_board].mean()) > MOST_DAZZLING:
        return None
    return np.asarray((~shows_board & (away < NEAR_COLOUR)) | dazzling, np.bool_)


def _box_means(flat: FloatImage) -> FloatImage:
    """The mean colour of the square round every STEP_PX-th pixel."""
    return np.asarray(cv2.blur(flat, (BOX_PX, BOX_PX))[::STEP_PX, ::STEP_PX], np.float32)


def _away_from_pieces(shares: FloatImage, known: KnownEdition) -> FloatImage:
    """How far colours (h, w, 3) are from those of the nearest piece, be it a little paler."""
    pieces = colour_shares(known.beside.looks.colour[known.beside.turns == 0])
    to_white = np.float32(1 / 3) - pieces
    away = shares.reshape(-1, 1, 3) - pieces
    along = (away * to_white).sum(axis=2) / np.maximum((to_white**2).sum(axis=1), _LEAST_SQUARE)
    away -= np.clip(along, 0, MOST_TOWARDS_WHITE)[..., None] * to_white
    nearest = np.sqrt((away**2).sum(axis=2).min(axis=1))
    return np.asarray(nearest.reshape(shares.shape[:2]), np.float32)


@kept
def _printed_shares(known: KnownEdition, window: Window) -> FloatImage:
    """The colours of the print in a window, as shares; not a number beyond the board's edge."""
    size = tuple(round((window[n + 2] - window[n]) * COLOUR_PX) for n in (0, 1))
    if known.board_flat is None:
        return _box_means(np.full((size[1], size[0], 3), np.nan, np.float32))
    scale = TILE_PX / COLOUR_PX
    left, top = (float(v) for v in known.board_offset[0])
    # (0, 0) is the centre of a pixel in both pictures
    offset = [(window[0] - left) * TILE_PX, (window[1] - top) * TILE_PX]
    matrix = np.array([[scale, 0, offset[0] + (scale - 1) / 2],
                       [0, scale, offset[1] + (scale - 1) / 2]])  # fmt: skip
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    inside = np.ones(known.board_flat.shape[:2], np.float32)
    drawn = cv2.warpAffine(known.board_flat, matrix, size, flags=flags)
    inside = np.asarray(cv2.warpAffine(inside, matrix, size, flags=flags), np.float32)
    shares = colour_shares(_box_means(np.asarray(drawn, np.float32)))
    shares[_box_means(inside) < 1 - 1e-4] = np.nan
    return shares
