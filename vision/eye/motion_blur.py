"""Motion blur: find out how the camera moved while it took a photo, and sharpen the photo by it.

Each point of such a photo is spread along a line, its movement. If it is spread evenly, the photo's
spectrum is zero at regular distances. So its cepstrum, the transform of the logarithm of the power
spectrum, has a narrow minimum at the movement (Cannon 1976, "Blind deconvolution of spatially
invariant image blurs with phase"), and Wiener's filter for the line sharpens the photo. Blur by an
uneven or curved movement stays.

Frames: ``_px`` pixels of the decoded image.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.arrays import Corners, Doubles, Floats, Image, floats, median, to_grey
from vision.editions.references import References
from vision.eye.recognise import RecognisedGrid
from vision.eye.reference_similarity import best_cosines
from vision.patches.cut import Pyramid, embed_quads, level_for_tiles
from vision.patches.embedding import TILE_PX

MIN_EVENNESS: Final = 0.55
"""``edge_evenness`` below which a photo is blurred because the camera moved. Larger: more tiles of
sharp photos are unsure; smaller: tiles in blurred ones are not."""
BLOCK_PX: Final = 128
"""Side of the blocks whose spectra are averaged, at the pyramid level for tiles: about two tiles.
Larger: there are fewer, and drawings do not average out; smaller: long movements do not fit in."""
SHORTEST_MOVEMENT: Final = 0.07
"""Length of the shortest movement that is looked for, in tile widths; shorter ones do no harm."""
SHORTEST_MOVEMENT_PX: Final = 5.0
"""The same at the pyramid level for tiles. Smaller: the middle of the cepstrum, which the drawings
make, is taken for a movement."""
LONGEST_MOVEMENT: Final = 0.36
"""Length of the longest movement that is looked for, in tile widths; with longer ones hardly any
tile is detected."""
CEPSTRUM_SMOOTHING_PX: Final = 0.7
"""Standard deviation of the smoothing of the cepstrum."""
MIN_COMMON_DEPTH: Final = 0.02
"""Minimum depth of the cepstrum at the movement that the grids of a photo have in common: 0.03 to
0.1 in photos that moved. Larger: photos stay blurred; smaller: drawings are taken for a movement,
and the photo is read twice."""
MIN_GRID_DEPTH: Final = 0.03
"""The same for the movement of a single grid, whose drawings average out less: 0.028 at most in 260
sharp grids."""
NOISE_TO_SIGNAL: Final = 0.015
"""Power of noise relative to that of the photo's details. Larger: the photo stays softer; smaller:
edges ring, and noise is amplified."""
FILTER_PER_LENGTH: Final = 10
"""Side of the sharpening filter relative to the movement. Larger: sharpening takes longer; smaller:
edges ring."""
MAX_FILTER_PX: Final = 600
"""Maximum side of the filter. Larger: it takes more than 100 MB; smaller: photos of large tiles
stay blurred."""
SHARPENED_OUTLINE: Final = 1.25
"""Size of the area that is sharpened with a grid, relative to the grid."""
MIN_OWN_GAIN: Final = 0.01
"""Gain in the mean cosine of a grid's tiles to known faces above which the grid is sharpened by its
own movement, not by the common one. Larger: of a photo that turned, grids far from the middle stay
blurred; smaller: an inexact movement is preferred by chance."""


class GridOutline(Protocol):
    """Outline of a grid in a photo."""

    @property
    def corners_px(self) -> Floats:
        """Corners (4, 2)."""

    @property
    def tile_px(self) -> float:
        """Side of a tile."""


class Movement(NamedTuple):
    """Movement of the camera while it took a photo, or a part of it.

    Attributes:
        x_px, y_px: Vector; its sign does not matter.
        depth: Depth of the cepstrum at this vector; the deeper, the surer.
    """

    x_px: float
    y_px: float
    depth: float

    @property
    def length_px(self) -> float:
        """Length of the vector."""
        return float(np.hypot(self.x_px, self.y_px))


def is_motion_blurred(pyramid: Pyramid, grids: Sequence[GridOutline]) -> bool:
    """Return whether the edges in grids are blurred by a camera that moved."""
    return bool(grids) and edge_evenness(pyramid, grids) < MIN_EVENNESS


def edge_evenness(pyramid: Pyramid, grids: Sequence[GridOutline]) -> float:
    """Return the strength of edges in their weakest direction relative to the strongest, 0 to 1.

    A moving camera blurs all edges except those along its motion, whichever way the tiles lie.
    Directions are eigenvectors of the structure tensor (Bigün and Granlund 1987), measured at the
    scale of patches.

    Args:
        pyramid: Pyramid of the photo.
        grids: At least one grid.
    """
    tile_px = _median_tile_px(grids)
    level = level_for_tiles(tile_px)
    image = pyramid.level(level)
    shrink = min(1.0, TILE_PX / tile_px) * 2**level
    xx = yy = xy = 0.0
    for grid in grids:
        outline = floats((grid.corners_px + 0.5) / 2**level - 0.5)
        left, top, wide, high = cv2.boundingRect(outline)
        right, bottom = left + wide, top + high
        left, top = max(left, 0), max(top, 0)
        part = image[top : max(bottom, 0), left : max(right, 0)]
        if not part.size:
            continue
        size_wh = [max(1, round(side * shrink)) for side in part.shape[1::-1]]
        small = cv2.resize(to_grey(part), size_wh, interpolation=cv2.INTER_AREA)
        mask = np.zeros(small.shape, np.uint8)
        outline_small = (outline - (left, top) + 0.5) * shrink - 0.5
        cv2.fillConvexPoly(mask, np.round(outline_small).astype(np.int32), 1)
        inside = mask > 0
        x, y = (np.asarray(v[inside], np.float32) for v in cv2.spatialGradient(small))
        xx, yy, xy = xx + float(x @ x), yy + float(y @ y), xy + float(x @ y)
    spread = float(np.hypot(xx - yy, 2 * xy))
    return (xx + yy - spread) / max(xx + yy + spread, 1e-9)


def shows_movement(pyramid: Pyramid, grids: Sequence[GridOutline]) -> bool:
    """Return whether any grid by itself is blurred by a camera that moved.

    A camera that turns blurs grids far from the middle alone.
    """
    return any(
        is_motion_blurred(pyramid, [grid])
        and _sure_movement(pyramid, [grid], MIN_GRID_DEPTH) is not None
        for grid in grids
    )


def find_movement(pyramid: Pyramid, grids: Sequence[GridOutline]) -> Movement | None:
    """Return the likeliest movement of the camera in grids.

    A still camera's photo has one, too, of little ``Movement.depth``.

    Args:
        pyramid: Pyramid of the photo.
        grids: At least one grid.

    Returns:
        None if the photo or its tiles are too small to show one.
    """
    tile_px = _median_tile_px(grids)
    level = level_for_tiles(tile_px)
    image = pyramid.level(level)
    if min(image.shape[:2]) < BLOCK_PX:
        return None
    outlines = [floats((grid.corners_px + 0.5) / 2**level - 0.5) for grid in grids]
    cepstrum = _mean_cepstrum(image, outlines)
    y, x = np.mgrid[:BLOCK_PX, :BLOCK_PX] - BLOCK_PX // 2
    length, tile = np.hypot(x, y), tile_px / 2**level
    shortest = max(SHORTEST_MOVEMENT * tile, SHORTEST_MOVEMENT_PX)
    # The other half is the same, as signs do not matter
    is_possible = (y >= 0) & (length >= shortest) & (length <= LONGEST_MOVEMENT * tile)
    if not is_possible.any():
        return None
    row, column = divmod(int(np.where(is_possible, cepstrum, np.inf).argmin()), BLOCK_PX)
    x_offset = column - BLOCK_PX // 2 + _vertex(cepstrum[row, column - 1 : column + 2])
    y_offset = row - BLOCK_PX // 2 + _vertex(cepstrum[row - 1 : row + 2, column])
    depth = -float(cepstrum[row, column])
    return Movement(x_offset * 2.0**level, y_offset * 2.0**level, depth)


def _median_tile_px(grids: Sequence[GridOutline]) -> float:
    return float(median([grid.tile_px for grid in grids]))


def _mean_cepstrum(image: Image, outlines: Sequence[Corners]) -> Doubles:
    """Return the mean cepstrum of blocks over grids, with offset (0, 0) in the middle.

    Args:
        image: Shape (h, w, 3), each side BLOCK_PX or more.
        outlines: Corners (4, 2) of grids in this image.

    Returns:
        Shape (BLOCK_PX, BLOCK_PX).
    """
    window = np.outer(np.hanning(BLOCK_PX), np.hanning(BLOCK_PX))
    height, width = image.shape[:2]
    log_power, count = np.zeros((BLOCK_PX, BLOCK_PX)), 0
    for outline in outlines:
        left, top, wide, high = cv2.boundingRect(outline)
        for y in _block_starts(top, high, height):
            for x in _block_starts(left, wide, width):
                # The logarithm makes dark grids count as much as bright ones
                levels = np.log1p(to_grey(image[y : y + BLOCK_PX, x : x + BLOCK_PX]).astype(float))
                power = np.abs(np.fft.fft2((levels - levels.mean()) * window)) ** 2
                log_power += np.log(power + 1e-6)
                count += 1
    cepstrum = np.fft.fftshift(np.fft.ifft2(log_power / count).real)
    return np.asarray(cv2.GaussianBlur(cepstrum, (0, 0), CEPSTRUM_SMOOTHING_PX), np.float64)


def _block_starts(start: int, length: int, limit: int) -> list[int]:
    """Return where blocks begin along one side of a grid, half a block apart or less."""
    last = max(start + length - BLOCK_PX, start)
    count = -(-2 * (last - start) // BLOCK_PX) + 1
    starts = np.clip(np.linspace(start, last, count), 0, limit - BLOCK_PX)
    return [int(each) for each in starts]


def _vertex(values: Doubles) -> float:
    """Return the offset of a parabola's lowest point from the middle of three values."""
    before, middle, after = values.tolist()
    curvature = before + after - 2 * middle
    return float(np.clip((before - after) / (2 * curvature), -0.5, 0.5)) if curvature > 0 else 0.0


def sharpen_grids(
    pyramid: Pyramid, grids: Sequence[RecognisedGrid], references: References
) -> Image | None:
    """Return a photo sharpened by how the camera moved; None if all grids stay as they are.

    Each grid is sharpened by the movement of all, by its own or not at all, whichever makes its
    tiles most like known faces; everything else by the movement of all.

    Args:
        pyramid: Pyramid of the photo.
        grids: At least one grid.
        references: References of the edition.
    """
    image = pyramid.level(0)
    common = _sure_movement(pyramid, grids, MIN_COMMON_DEPTH)
    everywhere = None if common is None else sharpen(image, common)
    chosen = [_sharpen_grid(pyramid, grid, everywhere, references) for grid in grids]
    if not any(each.is_sharpened for each in chosen):
        return None
    out = image.copy() if everywhere is None else everywhere
    # Of grids that touch, each keeps its own area
    for scale in (SHARPENED_OUTLINE, 1.0):
        for grid, each in zip(grids, chosen, strict=True):
            outline_px = _scale(grid.corners_px, scale) - floats(each.left_top_px)
            is_inside = np.zeros(each.image.shape[:2], np.uint8)
            cv2.fillConvexPoly(is_inside, np.round(outline_px).astype(np.int32), 1)
            left, top = each.left_top_px
            height, width = each.image.shape[:2]
            part = out[top : top + height, left : left + width]
            part[is_inside > 0] = each.image[is_inside > 0]
    return out


class _SharpenedGrid(NamedTuple):
    """Part of a photo round a grid, in the version whose tiles are most like known faces.

    Attributes:
        left_top_px: Left and top of the part in the photo.
        image: Shape (h, w, 3).
        is_sharpened: True if that version is a sharpened one, not the photo as it is.
    """

    left_top_px: tuple[int, int]
    image: Image
    is_sharpened: bool


def _sharpen_grid(
    pyramid: Pyramid, grid: RecognisedGrid, everywhere: Image | None, references: References
) -> _SharpenedGrid:
    """Choose how a grid is sharpened.

    Args:
        pyramid: Pyramid of the photo.
        grid: Grid.
        everywhere: The photo sharpened by the movement of all grids, if that is sure.
        references: References of the edition.
    """
    left, top, right, bottom = _box_to_filter(grid, pyramid.size_wh)
    region = np.s_[top:bottom, left:right]
    image = pyramid.level(0)[region]
    versions = [image]
    if everywhere is not None:
        versions.append(everywhere[region].copy())
    own = _sure_movement(pyramid, [grid], MIN_GRID_DEPTH)
    if own is not None:
        versions.append(sharpen(image, own))
    best = 0
    if len(versions) > 1:
        quads = floats(grid.quads_px.reshape(-1, 4, 2) - (left, top))
        known = [
            float(best_cosines(embed_quads(Pyramid(version), quads), references).mean())
            for version in versions
        ]
        if everywhere is not None and own is not None:
            known[-1] -= MIN_OWN_GAIN
        best = int(np.argmax(known))
    return _SharpenedGrid((left, top), versions[best], best > 0)


def _sure_movement(
    pyramid: Pyramid, grids: Sequence[GridOutline], min_depth: float
) -> Movement | None:
    """Return the movement in grids; None if none is sure, or its filter were too large."""
    found = find_movement(pyramid, grids)
    if found is None or found.depth <= min_depth or _filter_side(found) > MAX_FILTER_PX:
        return None
    return found


def _scale(corners_px: Corners, scale: float) -> Corners:
    """Return the outline of a grid, scaled about its middle."""
    centre = corners_px.mean(axis=0)
    return floats(centre + scale * (corners_px - centre))


def _box_to_filter(grid: RecognisedGrid, size_wh: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of all that a filter needs to sharpen a grid."""
    outline_px = _scale(grid.corners_px, SHARPENED_OUTLINE)
    border = round(FILTER_PER_LENGTH * LONGEST_MOVEMENT * grid.tile_px / 2)
    low, high = np.floor(outline_px.min(axis=0)) - border, np.ceil(outline_px.max(axis=0)) + border
    left, top = np.clip(low, 0, size_wh).astype(int).tolist()
    right, bottom = np.clip(high, 0, size_wh).astype(int).tolist()
    return left, top, right, bottom


def _filter_side(movement: Movement) -> int:
    """Return the odd side of the filter that sharpens a photo, in pixels."""
    return 2 * int(FILTER_PER_LENGTH * movement.length_px / 2) + 1


def sharpen(image: Image, movement: Movement) -> Image:
    """Return an image (h, w, 3) without the blur of a camera that moved."""
    frequency = np.fft.fftfreq(_filter_side(movement))
    # Fourier transform of a line
    blur = np.sinc(frequency * movement.x_px + frequency[:, None] * movement.y_px)
    inverse = (1 + NOISE_TO_SIGNAL) * blur / (blur**2 + NOISE_TO_SIGNAL)
    kernel = np.fft.fftshift(np.fft.ifft2(inverse).real)
    return np.asarray(cv2.filter2D(image, -1, floats(kernel)), np.uint8)
