"""Pieces that lie in a heap: anywhere, at any angle."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import FloatImage, Points, floats
from vision.boards.compare import compared, roughly_apart
from vision.boards.description import Heap
from vision.boards.features import Votes, features_of, votes_for, wrapped
from vision.boards.judge import PLAINLY_ALIKE, answer_for
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.looks import TILE_PX
from vision.boards.pieces import READABLE, Piece, grid_xy, square
from vision.boards.strange import HEAP_PX, StrangeArea, strange_areas
from vision.boards.view import View, Window
from vision.boards.windows import Sheet

FEATURES_PX = 68
"""Pixels for each edge of a piece at which features are taken."""
MOST_FEATURES = 1200
FEWEST_AGREEING, ENOUGH_AGREEING = 2, 3
"""Votes for a piece; with fewer than the latter, which may be two blobs side by side, it must be
plainly alike."""
SAME_PLACE = 0.25
"""Votes for one piece put its middle so near, in its edges."""
SAME_TURN = np.deg2rad(20)
SAME_SIZE = (0.75, 1.33)
"""Pieces seem so large relative to what is known of their size."""
APART = 0.6
"""Middles of two pieces that do not lie on one another are further apart than this."""
SAMPLES = 12
MOST_OFF_THE_PHOTO = 0.08
"""Share of a heap's area that may lie outside the photo."""
MARGIN_PX = 6
TWISTS = tuple(np.deg2rad((-8.0, -4.0, 0.0, 4.0, 8.0)).tolist())
"""Angles by which a piece may lie otherwise than a few features say, radians."""
SPARE = 0.45
"""Shadows and slanted edges make pieces seem larger by so much of one."""


def pieces_in_heap(
    view: View,
    known: KnownEdition,
    heap: Heap,
    light: Light | None,
) -> tuple[list[Piece], list[tuple[str, int]]]:
    """The pieces of a heap, and a number for each thing in it that is none of the pieces.

    Args:
        view: of the board.
        known: the edition.
        heap: where it lies.
        light: on the grid.
    """
    if known.beside_index is None:
        return [], []
    left, top = grid_xy(known, *heap.area_mm[:2])
    right, bottom = grid_xy(known, *heap.area_mm[2:])
    window = (left, top, right, bottom)
    image = view.surface.flat(view.picture, window, FEATURES_PX)
    features = features_of(image, MOST_FEATURES).enlarged(HEAP_PX / FEATURES_PX)
    votes = votes_for(known.beside_index, features)
    flat = view.softened(window, HEAP_PX)
    pieces: list[Piece] = []
    middles: list[Points] = []
    strange = strange_areas(view, known, window, light)

    def take(middle: Points, angle: float, farthest: float = READABLE) -> None:
        if any(np.hypot(*(middle - other)) < APART * HEAP_PX for other in middles):
            return
        piece = _piece_at(flat, middle, angle, view, known, heap, window)
        if piece is None or piece.answer.distance > farthest:
            return
        middles.append(middle)
        pieces.append(replace(piece, number=len(pieces)))

    for pose in _poses(votes):
        is_clear = pose.votes >= ENOUGH_AGREEING
        take(pose.middle, pose.angle, READABLE if is_clear else PLAINLY_ALIKE)
    for area in strange:
        if area.is_piece:
            take(area.middle, area.angle)
    riddles = sum(not _is_explained(area, middles) for area in strange)
    riddles += _runs_off_the_photo(view, window)
    return pieces, [(heap.name, len(pieces) + n) for n in range(riddles)]


def _runs_off_the_photo(view: View, window: Window) -> bool:
    """Whether pieces in a part of a heap cannot be seen because the photo ends there."""
    xs = np.linspace(window[0], window[2], SAMPLES)
    ys = np.linspace(window[1], window[3], SAMPLES)
    seen = view.surface.at(np.stack(np.meshgrid(xs, ys), axis=2).reshape(-1, 2))
    height, width = view.picture.image.shape[:2]
    inside = (seen >= 0).all(axis=1) & (seen < (width, height)).all(axis=1)
    return float((~inside).mean()) > MOST_OFF_THE_PHOTO


def _piece_at(
    flat: FloatImage,
    middle: Points,
    angle: float,
    view: View,
    known: KnownEdition,
    heap: Heap,
    window: Window,
) -> Piece | None:
    """What lies at a place of a heap's flat picture, turned by about an angle."""
    where = floats(floats([window[:2]]) + (middle + 0.5) / HEAP_PX)
    half = TILE_PX / 2 + MARGIN_PX
    twisted = np.hstack([_upright(flat, middle, angle + twist) for twist in TWISTS])
    middles = [(half + number * 2 * half, half) for number in range(len(TWISTS))]
    sheet = Sheet(twisted)
    if float(roughly_apart(sheet, middles, known.beside).min()) > READABLE:
        return None
    texture = compared(sheet, middles, known.beside).texture
    best = int(texture.min(axis=1).argmin())
    angle += TWISTS[best]
    # By texture alone: what is known of the light ends with the cells
    answer = answer_for(texture[best], known.beside, empty=None)
    if answer.face is None:
        return None
    if known.beside.names[answer.face] not in heap.faces:
        answer = replace(answer, is_sure=False)
    turn = angle + answer.turn * np.pi / 2
    return Piece(heap.name, 0, answer, view.surface.at(square(where[0], float(turn))))


def _is_explained(area: StrangeArea, middles: Sequence[Points]) -> bool:
    """Whether what looks unlike the board are pieces that were read."""
    inside = sum(np.hypot(*(middle - area.middle)) < area.reach_px for middle in middles)
    return bool(area.pieces <= inside + SPARE)


@dataclass(frozen=True, slots=True, eq=False)
class _Pose:
    """Where a piece may lie: its middle (2,) in pixels, its angle, and how many votes say so."""

    middle: Points
    angle: float
    votes: int


def _poses(votes: Votes) -> list[_Pose]:
    """Where pieces may lie, the best supported first."""
    fits = (votes.widths > SAME_SIZE[0] * HEAP_PX) & (votes.widths < SAME_SIZE[1] * HEAP_PX)
    votes = votes.only(fits)
    centres, angles = votes.centres, votes.angles
    x, y = (centres[:, None, axis] - centres[:, axis] for axis in (0, 1))
    agree = (np.hypot(x, y) < SAME_PLACE * HEAP_PX) & (
        np.abs(wrapped(angles[:, None] - angles)) < SAME_TURN
    )
    found: list[_Pose] = []
    while agree.any():
        counts = np.count_nonzero(agree, axis=1)
        best = int(counts.argmax())
        if counts[best] < FEWEST_AGREEING:
            break
        group = np.flatnonzero(agree[best])
        middle = np.median(centres[group], axis=0)
        first = angles[group[0]]
        angle = float(first + np.median(wrapped(angles[group] - first)))
        found.append(_Pose(floats(middle), angle, len(group)))
        taken = np.linalg.norm(centres - middle, axis=1) <= APART * HEAP_PX
        agree[taken] = False
        agree[:, taken] = False
    return found


def _upright(flat: FloatImage, middle: Points, angle: float) -> FloatImage:
    """What lies about a place, turned back and TILE_PX pixels an edge, with a margin."""
    side = TILE_PX + 2 * MARGIN_PX
    scale = HEAP_PX / TILE_PX
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    half = (side - 1) / 2
    matrix = np.array(
        [
            [c, -s, middle[0] - c * half + s * half],
            [s, c, middle[1] - s * half - c * half],
        ]
    )
    turned = cv2.warpAffine(
        flat,
        matrix,
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(turned, np.float32)
