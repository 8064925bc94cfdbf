"""Pieces that lie in a heap: anywhere, at any angle."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import FloatImage, Points, floats
from vision.boards.compare import compared, roughly_apart
from vision.boards.description import Heap
from vision.boards.features import PictureIndex, Votes, features_of, votes_for, wrapped
from vision.boards.grid_compared import ComparedGrid
from vision.boards.judge import PLAINLY_ALIKE, answer_for
from vision.boards.known import KnownEdition
from vision.boards.looks import TILE_PX
from vision.boards.piece_colours import is_dazzling, parts_with_pieces
from vision.boards.pieces import READABLE, Piece, grid_xy, square
from vision.boards.strange import StrangeArea, strange_areas
from vision.boards.view import View, Window
from vision.boards.windows import Sheet

FEATURES_PX = 48
"""Pixels for each edge of a piece at which features are taken."""
CLOSE_PX = 68
"""The same where light or blur leaves little to see."""
SHARP = 1.05
"""Grids with less sharpness are blurred."""
HEAP_PX = 60
"""The same at which pieces are cut out."""
FEATURES_IN_SQUARE = 46
"""So many features are taken at most, on average, where a piece has room."""
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
LIKELY_TWISTS = 2
"""So many, that fit best when compared roughly, are compared in full."""
ROUGHLY = 0.3
"""A piece may be so much further from its picture roughly than in full."""
SPARE = 0.45
"""Shadows and slanted edges make pieces seem larger by so much of one."""


@dataclass(frozen=True, eq=False)
class _Part:
    """A part of a heap, searched by itself.

    Attributes:
        view: of the board.
        window: in grid coordinates.
        features_px: pixels for each edge of a piece at which features are taken.
    """

    view: View
    window: Window
    features_px: int = FEATURES_PX

    @cached_property
    def flat(self) -> FloatImage:
        """The part, softened, HEAP_PX pixels an edge of a piece."""
        return self.view.softened(self.window, HEAP_PX)

    def votes(self, index: PictureIndex) -> Votes:
        """What features say of where pieces lie, in pixels of a picture with ``features_px``."""
        image = self.view.surface.flat(self.view.picture, self.window, self.features_px)
        most = round(FEATURES_IN_SQUARE * image.shape[0] * image.shape[1] / self.features_px**2)
        return votes_for(index, features_of(image, most))

    def in_grid(self, pixels: Points) -> Points:
        """Grid coordinates (2,) of a pixel (2,) of a picture with ``features_px``."""
        return floats(floats(self.window[:2]) + (pixels + 0.5) / self.features_px)

    def upright(self, middle: Points, angle: float) -> FloatImage:
        """What lies about a place, turned back and TILE_PX pixels an edge, with a margin."""
        at = (middle - floats(self.window[:2])) * HEAP_PX - 0.5
        side = TILE_PX + 2 * MARGIN_PX
        scale = HEAP_PX / TILE_PX
        c, s = scale * np.cos(angle), scale * np.sin(angle)
        half = (side - 1) / 2
        matrix = np.array([[c, -s, at[0] - c * half + s * half],
                           [s, c, at[1] - s * half - c * half]])  # fmt: skip
        turned = cv2.warpAffine(
            self.flat,
            matrix,
            (side, side),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(turned, np.float32)


def pieces_in_heap(
    seen: ComparedGrid,
    known: KnownEdition,
    heap: Heap,
) -> tuple[list[Piece], list[tuple[str, int]]]:
    """The pieces of a heap, and a number for each thing in it that is none of the pieces.

    Args:
        seen: the grid of the board.
        known: the edition.
        heap: where it lies.
    """
    view, light = seen.view, seen.light
    if known.beside_index is None:
        return [], []
    left, top = grid_xy(known, *heap.area_mm[:2])
    right, bottom = grid_xy(known, *heap.area_mm[2:])
    window = (left, top, right, bottom)
    runs_off = _runs_off_the_photo(view, window)
    pieces: list[Piece] = []
    middles: list[Points] = []

    def take(part: _Part, pose: _Pose, farthest: float = READABLE) -> None:
        if any(np.hypot(*(pose.middle - other)) < APART for other in middles):
            return
        piece = _piece_at(part, pose, known, heap, farthest)
        if piece is not None:
            middles.append(pose.middle)
            pieces.append(replace(piece, number=len(pieces)))

    for part in _parts(seen, known, window, is_whole=not runs_off):
        for pose in _poses(part, known.beside_index):
            is_clear = pose.votes >= ENOUGH_AGREEING
            take(part, pose, READABLE if is_clear else PLAINLY_ALIKE)
    strange = strange_areas(view, known, window, light)
    for area in strange:
        if area.is_piece:
            take(_Part(view, _around(area.middle)), _Pose(area.middle, area.angle, 0))
    riddles = sum(not _is_explained(area, middles) for area in strange)
    riddles += runs_off or is_dazzling(view, window, light)
    return pieces, [(heap.name, len(pieces) + n) for n in range(riddles)]


def _parts(
    seen: ComparedGrid, known: KnownEdition, window: Window, *, is_whole: bool
) -> list[_Part]:
    """The parts of a heap that are searched, closely where little is to be seen."""
    windows = None
    if is_whole and seen.sharpness >= SHARP:
        windows = parts_with_pieces(seen.view, known, window, seen.light)
    if windows is None:
        return [_Part(seen.view, window, CLOSE_PX)]
    return [_Part(seen.view, part) for part in windows]


def _around(middle: Points) -> Window:
    x, y = (float(v) for v in middle)
    return x - 1, y - 1, x + 1, y + 1


def _runs_off_the_photo(view: View, window: Window) -> bool:
    """Whether pieces in a part of a heap cannot be seen because the photo ends there."""
    xs = np.linspace(window[0], window[2], SAMPLES)
    ys = np.linspace(window[1], window[3], SAMPLES)
    seen = view.surface.at(np.stack(np.meshgrid(xs, ys), axis=2).reshape(-1, 2))
    height, width = view.picture.image.shape[:2]
    inside = (seen >= 0).all(axis=1) & (seen < (width, height)).all(axis=1)
    return float((~inside).mean()) > MOST_OFF_THE_PHOTO


@dataclass(frozen=True, slots=True, eq=False)
class _Pose:
    """Where a piece may lie: its middle (2,), its angle, and how many votes say so."""

    middle: Points
    angle: float
    votes: int


def _piece_at(
    part: _Part, pose: _Pose, known: KnownEdition, heap: Heap, farthest: float
) -> Piece | None:
    """What lies at a place of a heap; None: no piece, or it is further from any picture."""
    half = TILE_PX / 2 + MARGIN_PX
    upright = np.hstack([part.upright(pose.middle, pose.angle + twist) for twist in TWISTS])
    middles = [(half + number * 2 * half, half) for number in range(len(TWISTS))]
    sheet = Sheet(upright)
    rough = roughly_apart(sheet, middles, known.beside).min(axis=1)
    if float(rough.min()) > min(farthest + ROUGHLY, READABLE):
        return None
    twists = np.argsort(rough, kind="stable")[:LIKELY_TWISTS]
    texture = compared(sheet, [middles[n] for n in twists], known.beside).texture
    best = int(texture.min(axis=1).argmin())
    # By texture alone: what is known of the light ends with the cells
    answer = answer_for(texture[best], known.beside, empty=None)
    if answer.face is None or answer.distance > farthest:
        return None
    if known.beside.names[answer.face] not in heap.faces:
        answer = replace(answer, is_sure=False)
    turn = pose.angle + TWISTS[int(twists[best])] + answer.turn * np.pi / 2
    return Piece(heap.name, 0, answer, part.view.surface.at(square(pose.middle, float(turn))))


def _is_explained(area: StrangeArea, middles: Sequence[Points]) -> bool:
    """Whether what looks unlike the board are pieces that were read."""
    inside = sum(np.hypot(*(middle - area.middle)) < area.reach for middle in middles)
    return bool(area.pieces <= inside + SPARE)


def _poses(part: _Part, index: PictureIndex) -> list[_Pose]:
    """Where pieces may lie in a part of a heap, the best supported first."""
    votes = part.votes(index)
    edge = part.features_px
    fits = (votes.widths > SAME_SIZE[0] * edge) & (votes.widths < SAME_SIZE[1] * edge)
    votes = votes.only(fits)
    centres, angles = votes.centres, votes.angles
    x, y = (centres[:, None, axis] - centres[:, axis] for axis in (0, 1))
    agree = (np.hypot(x, y) < SAME_PLACE * edge) & (
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
        found.append(_Pose(part.in_grid(floats(middle)), angle, len(group)))
        taken = np.linalg.norm(centres - middle, axis=1) <= APART * edge
        agree[taken] = False
        agree[:, taken] = False
    return found
