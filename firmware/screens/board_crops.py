"""What the photo shows at the places that are not sure, for games known by pictures."""

from typing import Final

from firmware import quads
from firmware.board_games.doubts import piece_at
from firmware.board_games.places_px import cell_quad, slot_quad
from firmware.board_games.scan import BoardScan
from firmware.board_games.spots import Spot, What
from firmware.screens.crop import tile_crop
from firmware.screens.doubt_views import Bitmap
from vision.photo import Photo
from vision.reading import Quad

MOST_CROPS: Final = 64
"""Nobody looks at more places one by one, and each takes a while to be made."""
MARGIN: Final = 1.4
"""A field is shown so much larger than it is: a figure is higher than its field."""
_LEAST_SIDE_PX: Final = 2.0
"""A piece that the eye has not seen has no extent."""


def spot_crops(photo: Photo, scan: BoardScan) -> dict[Spot, Bitmap]:
    """Pictures of the first places that are not sure, upright as their grid is read.

    Args:
        photo: which was read.
        scan: of that photo; places whose position is not known are left out.
    """
    spots = [doubt.spot for doubt in scan.doubts.places][:MOST_CROPS]
    found = ((spot, _quad(spot, scan)) for spot in spots)
    return {
        spot: tile_crop(photo, quad)
        for spot, quad in found
        if quad is not None and quads.mean_side(quad) >= _LEAST_SIDE_PX
    }


def _quad(spot: Spot, scan: BoardScan) -> Quad | None:
    grid = scan.reading.grids[spot.grid]
    if spot.what is What.TILE:
        quad = cell_quad(grid, scan.description, spot.cell)
        covers_one = scan.description.tile_cells == (1, 1)
        return quad if covers_one else _larger(quad)
    if spot.what is What.TOKEN:
        return _larger(cell_quad(grid, scan.description, spot.cell))
    piece = piece_at(grid, spot)
    if piece is not None:
        return piece.corners_px
    return slot_quad(grid, scan.description, *spot.piece)


def _larger(quad: Quad) -> Quad:
    middle_x, middle_y = quads.middle(quad)
    top_left, top_right, bottom_right, bottom_left = (
        (middle_x + (x - middle_x) * MARGIN, middle_y + (y - middle_y) * MARGIN) for x, y in quad
    )
    return top_left, top_right, bottom_right, bottom_left
