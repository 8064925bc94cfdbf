"""Which parts of a heap may hold pieces, by the colours that their pictures have on the whole.

A piece is known by its features, but to look for these everywhere takes long. Most of a heap shows
the board as it is printed, or a table of other colours than any piece. Where light tells nothing
certain of colours, a piece may lie everywhere.
"""

from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage
from vision.boards.heap_ground import COARSE_PX, HeapGround, coarse_wh
from vision.boards.known import KnownEdition, kept
from vision.boards.light import Light
from vision.boards.looks import TILE_PX, brightest, colour_shares, darkest
from vision.boards.view import Window

BOX_PX = 13
"""Side of the squares whose mean colours are compared; a piece fills them as it lies."""
SMALL_BOX_PX = 5
"""The same where it is told whether the board shows."""
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
DARK_PRINT = 130.0
"""Levels of the darkest channel of print up to which only dazzling light makes it look white."""
LEAST_DARK_PRINT = 0.05
"""Of less of it, as a share of the heap, it is not told: a pale thing may lie on all of it."""
MOST_LOST = 0.95
"""If more of such print is dazzling, no piece can be seen however evenly the light falls."""
AS_PRINTED = 0.03
"""Difference of each share up to which a place shows the board."""
UNLIKE_PIECES = 0.05
"""Where the print is no further from the colours of pieces, one may lie there unseen."""
NEARLY_AS_PRINTED = 0.055
LEAST_PRINTED = 0.4
"""If less of the board looks nearly as printed, the light that falls there is not understood."""
_LEAST_SQUARE = 1e-9
ROOM = 0.75
"""Around the middles of pieces, in their edges; a square reaches 0.71 from its middle."""


class Whereabouts(NamedTuple):
    """Where pieces may lie on a heap's ground, by their colours.

    Both are squares (h, w) of the ground, STEP_PX pixels of its coarse picture wide. None: light
    does not tell, so it may be anywhere.

    Attributes:
        may_lie: 0 where no piece has a pixel.
        dazzled: 0 where no piece has a pixel that light may have bleached.
    """

    may_lie: NDArray[np.uint8] | None
    dazzled: NDArray[np.uint8] | None


ANYWHERE: Final = Whereabouts(None, None)


def where_pieces_may_lie(
    ground: HeapGround, known: KnownEdition, light: Light | None
) -> Whereabouts:
    """Where the pixels that pieces may cover lie on a heap's ground.

    Args:
        ground: of the heap.
        known: the edition.
        light: on the grid.
    """
    if light is None:
        return ANYWHERE
    middles = _likely_middles(ground, known, light)
    if middles is None:
        return ANYWHERE
    likely, dazzling = middles
    room = round(ROOM * COARSE_PX / STEP_PX)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * room + 1, 2 * room + 1))
    hidden = 1 - _bare(ground, known, light)
    may_lie, dazzled = (
        hidden * np.asarray(cv2.dilate(where.astype(np.uint8), disc), np.uint8)
        for where in (likely | dazzling, dazzling)
    )
    return Whereabouts(may_lie, dazzled)


def is_dazzling(ground: HeapGround, known: KnownEdition, light: Light | None) -> bool:
    """Whether so much light falls on a heap that pieces in it may not be seen.

    Args:
        ground: of the heap.
        known: the edition.
        light: on the grid; None: nothing is known of it.
    """
    if float((darkest(_colours(ground, BOX_PX)) > DAZZLING).mean()) <= MOSTLY_DAZZLING:
        return False
    if light is None or float(light.factor(ground.middle).max()) > LIT:
        return True
    dark = _dark_print(known, ground.window)
    if float(dark.mean()) < LEAST_DARK_PRINT:
        return False
    lost = darkest(_colours(ground, SMALL_BOX_PX))[dark] > DAZZLING
    return float(lost.mean()) > MOST_LOST


def _likely_middles(
    ground: HeapGround, known: KnownEdition, light: Light
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
    """Where the middles of pieces lie by their colours, and where light hides these.

    Both every STEP_PX; None: they may lie anywhere.
    """
    seen = _colours(ground, BOX_PX)
    shares = _lit_shares(seen, ground, light)
    apart = brightest(np.abs(shares - _printed_shares(known, ground.window, BOX_PX)))
    away = _away_from_pieces(shares, known)
    shows_board = (np.nan_to_num(apart, nan=np.inf) < AS_PRINTED) & (away > UNLIKE_PIECES)
    dazzling = ~shows_board & (darkest(seen) > DAZZLING)
    on_board = np.isfinite(apart)
    if not on_board.any():  # nothing tells whether the light is understood
        return None
    nearly = float((apart[on_board] < NEARLY_AS_PRINTED).mean())
    if nearly < LEAST_PRINTED or float(dazzling[on_board].mean()) > MOST_DAZZLING:
        return None
    return ~shows_board & (away < NEAR_COLOUR), dazzling


def _bare(ground: HeapGround, known: KnownEdition, light: Light) -> NDArray[np.uint8]:
    """Where the print shows all round, which no piece looks like."""
    shares = _lit_shares(_colours(ground, SMALL_BOX_PX), ground, light)
    apart = brightest(np.abs(shares - _printed_shares(known, ground.window, SMALL_BOX_PX)))
    shows = (np.nan_to_num(apart, nan=np.inf) < AS_PRINTED) & _print_is_no_piece(
        known, ground.window
    )
    return np.asarray(cv2.erode(shows.astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8)


@kept
def _print_is_no_piece(known: KnownEdition, window: Window) -> NDArray[np.bool_]:
    """Where the print has other colours than any piece."""
    printed = np.nan_to_num(_printed_shares(known, window, BOX_PX))
    return _away_from_pieces(printed, known) > UNLIKE_PIECES


def _lit_shares(seen: FloatImage, ground: HeapGround, light: Light) -> FloatImage:
    """Colours of the ground as shares, in the light of the pictures."""
    return colour_shares(seen * (ground.view.gain / light.factor(ground.middle)[0]))


def _colours(ground: HeapGround, box_px: int) -> FloatImage:
    """The colours of the ground as they are compared, as bright as in the photo."""
    return _box_means(ground.coarse, box_px)


def _box_means(flat: FloatImage, box_px: int) -> FloatImage:
    """The mean colour of the square with this side round the middle of each STEP_PX pixels."""
    means = cv2.blur(flat, (box_px, box_px))
    return np.asarray(means[STEP_PX // 2 :: STEP_PX, STEP_PX // 2 :: STEP_PX], np.float32)


def _away_from_pieces(shares: FloatImage, known: KnownEdition) -> FloatImage:
    """How far colours (h, w, 3) are from those of the nearest piece, be it a little paler."""
    pieces = colour_shares(known.beside.looks.colour[known.beside.turns == 0]).astype(np.float64)
    to_white = 1 / 3 - pieces
    seen = shares.reshape(-1, 3).astype(np.float64)
    # Squares and products of the differences, which would take much longer one by one; a row for
    # each piece, as long rows are quicker than short ones
    squares = (pieces**2).sum(axis=1)[:, None] - 2 * pieces @ seen.T + (seen**2).sum(axis=1)
    along = to_white @ seen.T - (pieces * to_white).sum(axis=1)[:, None]
    whole = np.maximum((to_white**2).sum(axis=1), _LEAST_SQUARE)[:, None]
    share = np.clip(along / whole, 0, MOST_TOWARDS_WHITE)
    squares += share * (share * whole - 2 * along)
    nearest = np.sqrt(np.maximum(squares.min(axis=0), 0))
    return np.asarray(nearest.reshape(shares.shape[:2]), np.float32)


@kept
def _dark_print(known: KnownEdition, window: Window) -> NDArray[np.bool_]:
    """Where a channel of the print in a window is dark."""
    drawn, inside = _print_in(known, window)
    is_inside = _box_means(inside, SMALL_BOX_PX) >= 1 - 1e-4
    return np.asarray(is_inside & (darkest(_box_means(drawn, SMALL_BOX_PX)) < DARK_PRINT), np.bool_)


@kept
def _printed_shares(known: KnownEdition, window: Window, box_px: int) -> FloatImage:
    """The colours of the print in a window, as shares; not a number beyond the board's edge."""
    drawn, inside = _print_in(known, window)
    shares = colour_shares(_box_means(drawn, box_px))
    shares[_box_means(inside, box_px) < 1 - 1e-4] = np.nan
    return shares


def _print_in(known: KnownEdition, window: Window) -> tuple[FloatImage, FloatImage]:
    """The print (h, w, 3) in a window, as the coarse ground, and (h, w) 1 where the board is."""
    size = coarse_wh(window)
    if known.board_flat is None:
        return np.zeros((size[1], size[0], 3), np.float32), np.zeros(size[::-1], np.float32)
    scale = TILE_PX / COARSE_PX
    left, top = (float(v) for v in known.board_offset[0])
    # (0, 0) is the centre of a pixel in both pictures
    offset = [(window[0] - left) * TILE_PX, (window[1] - top) * TILE_PX]
    matrix = np.array([[scale, 0, offset[0] + (scale - 1) / 2],
                       [0, scale, offset[1] + (scale - 1) / 2]])  # fmt: skip
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    inside = np.ones(known.board_flat.shape[:2], np.float32)
    drawn = np.asarray(cv2.warpAffine(known.board_flat, matrix, size, flags=flags), np.float32)
    return drawn, np.asarray(cv2.warpAffine(inside, matrix, size, flags=flags), np.float32)
