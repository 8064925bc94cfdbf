"""Cut pictures of tiles and of boards out of a photo, and refuse unusable ones."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Image, floats
from vision.editions.description import Description
from vision.editions.edition import MAX_BOARD_PX, MAX_PICTURE_PX, EditionError
from vision.message import Message, list_names
from vision.patches.cut import UNIT_SQUARE, WHOLE_QUAD, cut_upright
from vision.photo.load import Photo
from vision.teaching.layout import Layout
from vision.teaching.layout_check import refuse_doubtful
from vision.teaching.locate_layout import check_corners, mean_sides
from vision.teaching.tile_quality import (
    CHECKED_PX,
    is_blown,
    is_blurred,
    is_dark,
    is_flat,
    sharpness,
)

MIN_TAUGHT_TILE_PX: Final = 40
"""Minimum side of a tile in the decoded image; photos with smaller ones are refused."""
MIN_TAUGHT_BOARD_PX: Final = 400
"""Minimum longer side of a board in the decoded image; a photo of a smaller one is refused."""
MAX_BLOWN_IN_GAME: Final = 0.4
"""Maximum share of a tile of a game that may be blown out; as paper is white, it is larger than
``tile_quality.MAX_BLOWN``, which holds for reference grids."""
MAX_BLURRED_FACES: Final = 0.25
"""Maximum share of the faces in a photo of which no tile may be sharp; plain faces look blurred.
Larger: blurred photos are learned; smaller: plain tiles are refused."""


class WhiteTiles(Enum):
    """Treatment of tiles that are white, by light or by their print."""

    REFUSED = "refused"
    """Nobody can be asked: they count as overexposed."""
    DOUBTED = "doubted"
    """A person is asked to confirm that they are white."""
    CONFIRMED = "confirmed"
    """A person has confirmed it."""

    @classmethod
    def if_confirmed(cls, *, confirmed: bool) -> "WhiteTiles":
        """Return the treatment for a person who can be asked."""
        return cls.CONFIRMED if confirmed else cls.DOUBTED


@dataclass(frozen=True, slots=True, eq=False)
class TilePicture:
    """Picture of a tile, cut out of a photo.

    Attributes:
        picture: Shape (n, n, 3), BGR, as it lies in the layout.
        sharpness: Value of ``tile_quality.sharpness``; 0 for an unusable picture.
    """

    picture: Image
    sharpness: float


def cut_layout_tiles(
    photo: Photo,
    quads_px: NDArray[np.float32],
    layout: Layout,
    *,
    strict: bool = False,
    white_tiles: WhiteTiles = WhiteTiles.REFUSED,
) -> dict[str, list[TilePicture]]:
    """Cut the tiles of a layout out of a photo.

    Args:
        photo: Photo of the whole layout.
        quads_px: Shape (rows, columns, 4, 2), in pixels of the decoded image.
        layout: Face of each place.
        strict: Whether a blurred tile, or one that light hides in part, is refused.
        white_tiles: Treatment of tiles that seem overexposed.

    Returns:
        Pictures of each face, the sharpest first.

    Raises:
        EditionError: ``teach-too-small``; ``teach-overexposed``, ``teach-too-dark`` or
            ``teach-blurred`` for faces of which no tile is usable; ``teach-doubtful`` instead of
            ``teach-overexposed`` where a person can be asked.
    """
    quads: dict[str, list[Corners]] = {}
    for names, row in zip(layout, quads_px, strict=True):
        for name, quad in zip(names, row, strict=True):
            if name is not None:
                quads.setdefault(name, []).append(floats(quad))
    return cut_tiles(photo, quads, strict=strict, white_tiles=white_tiles)


def cut_board(photo: Photo, corners_px: Corners, description: Description) -> Image:
    """Cut an empty board out of a photo, rectified to the aspect of its size.

    Args:
        photo: Photo of the whole empty board.
        corners_px: Corners of the board in pixels of the photo as viewers show it, from its top
            left clockwise.
        description: Description of a game with a printed board.

    Raises:
        EditionError: ``teach-no-board``, ``teach-corners``, ``teach-too-small``,
            ``teach-overexposed``, ``teach-too-dark`` or ``teach-blurred``.
    """
    if description.board is None:
        raise EditionError(
            "teach-no-board",
            "the tiles of this game lie free: leave out --board",
            photo.name,
        )
    wide, high = description.board.size_mm
    shape = Message("a board of {width} x {height} mm", width=wide, height=high)
    corners = check_corners(photo, corners_px, wide / high, shape)
    across, down = mean_sides(corners)
    seen_px = max(across, down)
    if seen_px < MIN_TAUGHT_BOARD_PX:
        raise EditionError(
            "teach-too-small",
            "the board is only {seen} pixels long, {least} are needed: go closer",
            photo.name,
            seen=round(seen_px),
            least=MIN_TAUGHT_BOARD_PX,
        )
    scale = min(seen_px, MAX_BOARD_PX) / max(wide, high)
    size = (round(wide * scale), round(high * scale))
    edges = floats(UNIT_SQUARE * floats(size) - 0.5)
    warp = cv2.getPerspectiveTransform(edges, corners)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(
        photo.image_bgr, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    picture = np.asarray(flat, np.uint8)
    fault = _find_fault(picture, strict=False)
    if fault is not None:
        raise EditionError(
            fault.code,
            "{what} the board: {advice}",
            photo.name,
            what=fault.what,
            advice=fault.advice,
        )
    return picture


def cut_tiles(
    photo: Photo,
    quads: Mapping[str, Sequence[Corners]],
    *,
    strict: bool = False,
    white_tiles: WhiteTiles = WhiteTiles.REFUSED,
) -> dict[str, list[TilePicture]]:
    """Cut the tiles of each face out of a photo.

    Args:
        photo: Photo of the tiles.
        quads: Quads of the tiles of each face, upright, in pixels of the decoded image.
        strict: See ``cut_layout_tiles``.
        white_tiles: See ``cut_layout_tiles``.

    Returns:
        Usable pictures of each face, the sharpest first; for a face that has none, its first tile,
        which may be a plain one.

    Raises:
        EditionError: See ``cut_layout_tiles``.
    """
    all_quads = [quad for of_face in quads.values() for quad in of_face]
    check_tile_size(all_quads, MIN_TAUGHT_TILE_PX, photo.name)
    pictures: dict[str, list[TilePicture]] = {}
    faults: dict[_Fault | None, list[str]] = {}
    for name, of_face in quads.items():
        checked = [cut_upright(photo.image_bgr, quad, WHOLE_QUAD, CHECKED_PX) for quad in of_face]
        wrong = [_find_fault(picture, strict=strict) for picture in checked]
        # If every tile of a face is white and a person confirmed it, accept overexposed ones
        has_usable = None in wrong
        is_white = not has_usable and white_tiles is WhiteTiles.CONFIRMED
        accepted = _OVEREXPOSED if is_white else None
        found = [
            TilePicture(_cut_tile(photo.image_bgr, quad), sharpness(picture))
            for quad, picture, fault in zip(of_face, checked, wrong, strict=True)
            if fault is accepted
        ]
        if found:
            pictures[name] = sorted(found, key=lambda tile: -tile.sharpness)
        else:
            faults.setdefault(wrong[0], []).append(name)
            pictures[name] = [TilePicture(_cut_tile(photo.image_bgr, of_face[0]), 0.0)]
    for fault in _FAULTS:
        named = faults.get(fault, [])
        # A plain face looks blurred, too, but a photo that is blurred shows it in most faces
        may_be_plain = fault.code == "teach-blurred" and not strict
        if len(named) > (MAX_BLURRED_FACES * len(quads) if may_be_plain else 0):
            names = list_names(named)
            if fault is _OVEREXPOSED and white_tiles is not WhiteTiles.REFUSED:
                white = Message("light hides much of {names}, or these are white", names=names)
                refuse_doubtful([white], photo.name)
            raise EditionError(
                fault.code,
                "{what} {named}: {advice}",
                photo.name,
                what=fault.what,
                named=names,
                advice=fault.advice,
            )
    return pictures


def _cut_tile(image: Image, quad_px: Corners) -> Image:
    """Cut out a tile with as many pixels as the photo has of it, within limits."""
    side = round(min(max(quad_side_px(quad_px), CHECKED_PX), MAX_PICTURE_PX))
    return cut_upright(image, quad_px, WHOLE_QUAD, side)


def quad_side_px(quad_px: Corners) -> float:
    """Return the side of a square with the area of a quad."""
    return float(np.sqrt(cv2.contourArea(quad_px)))


def check_tile_size(quads: Iterable[Corners], least: int, name: str) -> None:
    """Refuse tiles with sides shorter than ``least`` pixels.

    Raises:
        EditionError: ``teach-too-small``.
    """
    smallest = min(map(quad_side_px, quads))
    if smallest < least:
        raise EditionError(
            "teach-too-small",
            "the tiles are only {smallest} pixels wide, {least} are needed: go closer",
            name,
            smallest=round(smallest),
            least=least,
        )


class _Fault(NamedTuple):
    """Fault that may make a picture unusable.

    Attributes:
        code: Error code.
        what: Beginning of the message, before the names of the tiles.
        advice: End of the message.
        is_bad: Check of the picture of a tile or board.
        is_bad_if_strict: Check of the picture of a tile in a reference grid.
    """

    code: str
    what: str
    advice: str
    is_bad: Callable[[Image], bool]
    is_bad_if_strict: Callable[[Image], bool]


_OVEREXPOSED: Final = _Fault(
    code="teach-overexposed",
    what=Message("white spots of light hide part of"),
    advice=Message("move the light or tilt the camera a little"),
    is_bad=lambda picture: is_blown(picture, MAX_BLOWN_IN_GAME),
    is_bad_if_strict=is_blown,
)
_FAULTS: Final = (
    _OVEREXPOSED,
    _Fault(
        code="teach-too-dark",
        what=Message("too dark to see"),
        advice=Message("use more light"),
        is_bad=is_dark,
        is_bad_if_strict=lambda picture: is_dark(picture) or is_flat(picture),
    ),
    _Fault(
        code="teach-blurred",
        what=Message("not sharp enough:"),
        advice=Message("focus, hold the camera still, go closer"),
        is_bad=is_blurred,
        is_bad_if_strict=is_blurred,
    ),
)


def _find_fault(picture: Image, *, strict: bool) -> _Fault | None:
    """Find the first fault of a picture."""
    for fault in _FAULTS:
        if (fault.is_bad_if_strict if strict else fault.is_bad)(picture):
            return fault
    return None
