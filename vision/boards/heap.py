"""Pieces that lie in a heap: anywhere, at any angle."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points, floats
from vision.boards.compare import compared, roughly_apart
from vision.boards.grid_compared import ComparedGrid
from vision.boards.heap_ground import UPRIGHT_PX, HeapGround
from vision.boards.heap_poses import APART, ENOUGH_AGREEING, Pose, poses_by_features
from vision.boards.hidden_print import hidden_print
from vision.boards.judge import PLAINLY_ALIKE, answer_for
from vision.boards.known import KnownEdition
from vision.boards.piece_colours import ANYWHERE, is_dazzling, where_pieces_may_lie
from vision.boards.pieces import READABLE, Piece, grid_xy, square
from vision.boards.strange import LEAST_PIECE, StrangeArea, strange_areas
from vision.boards.view import Window
from vision.boards.windows import Sheet
from vision.editions.description import Heap

TWISTS = np.deg2rad((-6.0, 0.0, 6.0))
"""Angles by which a piece may lie otherwise than a few features say, radians."""
LIKELY_TWISTS = 2
"""So many, that fit best when compared roughly, are compared in full."""
NEAR_BY = 0.22 * floats([(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)])
"""Ways, in its edges, by which a piece of which but two features tell may lie off."""
FAINT, FAINT_LONE = 0.75, 0.5
"""If such a piece is no more unlike its picture than this, it is asked about; the latter if but one
feature tells of it."""
LONE = 0.8
"""How unlike its picture that may be at first sight."""
ROUGHLY = 0.3
"""A piece may be so much further from its picture roughly than in full."""
SPARE = 0.45
"""Shadows and slanted edges make pieces seem larger by so much of one. An area in which none was
read is never excused by it, as nearly all of it is left over, unless light dazzles there or it lies
along the board's edge."""
BURNT_OUT = 1.0
"""Where light has burnt out so many pieces of the print, a piece may lie unseen."""
MOST_LEFT_OVER = 0.1
"""Beside the pieces that were read in an area may be so much of one; what is seen of a piece that
lies under another one is mostly more."""


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
    light = seen.light
    if known.beside_index is None:
        return [], []
    window = (*grid_xy(known, *heap.area_mm[:2]), *grid_xy(known, *heap.area_mm[2:]))
    ground = HeapGround(seen.view, window)
    runs_off = ground.runs_off_the_photo()
    where = ANYWHERE if runs_off else where_pieces_may_lie(ground, known, light)
    searched = ground.closer()
    poses = poses_by_features(searched, known.beside_index, where, _board(known))
    found = _pieces_at(searched, poses, known, heap)
    strange = strange_areas(ground, known, light)
    others = [Pose(area.middle, area.angle, 0) for area in strange if area.is_piece]
    for pose, piece in _pieces_at(searched, others, known, heap):
        if _is_apart(pose.middle, [other.middle for other, _ in found]):
            found.append((pose, piece))
    read = [pose for pose, _ in found]
    colours_tell = where.may_lie is not None
    riddles = sum(not _is_explained(area, read, colours_tell=colours_tell) for area in strange)
    riddles += runs_off or is_dazzling(ground, known, light)
    if not riddles:
        lying = [(pose.middle, pose.angle) for pose in read]
        hidden = hidden_print(ground, known, lying)
        riddles += hidden.by_things >= LEAST_PIECE or hidden.in_all >= BURNT_OUT
    pieces = [replace(piece, number=number) for number, (_, piece) in enumerate(found)]
    return pieces, [(heap.name, len(pieces) + n) for n in range(riddles)]


def _board(known: KnownEdition) -> Window:
    """The edges of the board in grid coordinates; it has some."""
    board = known.description.board
    width, height = (0.0, 0.0) if board is None else board.size_mm
    return (*grid_xy(known, 0.0, 0.0), *grid_xy(known, width, height))


def _is_apart(middle: Points, others: Sequence[Points]) -> bool:
    """Whether a piece would lie on none of the others."""
    return all(np.hypot(*(middle - other)) >= APART for other in others)


def _pieces_at(
    ground: HeapGround, poses: Sequence[Pose], known: KnownEdition, heap: Heap
) -> list[tuple[Pose, Piece]]:
    """What lies at some places of a heap, but for those with no piece."""
    poses = _where_they_fit(ground, poses, known)
    if not poses:
        return []
    angles = np.array([pose.angle for pose in poses])[:, None] + TWISTS
    where = floats([pose.middle for pose in poses])
    sheet, middles = _cut_out(ground, np.repeat(where, len(TWISTS), axis=0), angles.ravel())
    rough = roughly_apart(sheet, middles, known.beside).min(axis=1).reshape(angles.shape)
    farthest = np.array([_farthest(pose) for pose in poses])
    likely = np.flatnonzero(rough.min(axis=1) <= np.minimum(farthest + ROUGHLY, READABLE))
    twists = np.argsort(rough[likely], axis=1, kind="stable")[:, :LIKELY_TWISTS]
    tried = (likely[:, None] * len(TWISTS) + twists).ravel()
    texture = compared(sheet, [middles[n] for n in tried], known.beside).texture
    texture = texture.reshape(*twists.shape, texture.shape[1])
    found: list[tuple[Pose, Piece]] = []
    for number, twisted, distances in zip(likely.tolist(), twists, texture, strict=True):
        best = int(distances.min(axis=1).argmin())
        # By texture alone: what is known of the light ends with the cells
        answer = answer_for(distances[best], known.beside, empty=None)
        if answer.face is None or answer.distance > farthest[number]:
            continue
        pose = poses[number]
        if _is_faint(pose) and not _is_apart(pose.middle, [other.middle for other, _ in found]):
            continue
        is_doubtful = _is_faint(pose) and answer.distance > PLAINLY_ALIKE
        if is_doubtful or known.beside.names[answer.face] not in heap.faces:
            answer = replace(answer, is_sure=False)
        turn = float(angles[number, twisted[best]]) + answer.turn * np.pi / 2
        quad = ground.view.surface.at(square(pose.middle, turn))
        found.append((replace(pose, angle=turn), Piece(heap.name, 0, answer, quad)))
    return found


def _where_they_fit(ground: HeapGround, poses: Sequence[Pose], known: KnownEdition) -> list[Pose]:
    """Poses, those of which little is told moved a little to where a piece fits best.

    Those of which but one feature tells, and which are like no piece, are left out.
    """
    settled = [pose for pose in poses if not _is_faint(pose)]
    faint = [pose for pose in poses if _is_faint(pose)]
    tries = [
        [
            replace(pose, middle=pose.middle + off)
            for off in NEAR_BY[: None if pose.votes > 1 else 1]
        ]
        for pose in faint
    ]
    if not tries:
        return settled
    every = [each for some in tries for each in some]
    sheet, middles = _cut_out(
        ground, floats([each.middle for each in every]), np.array([each.angle for each in every])
    )
    rough = iter(roughly_apart(sheet, middles, known.beside).min(axis=1).tolist())
    for some in tries:
        distances = [next(rough) for _ in some]
        nearest = distances.index(min(distances))
        if some[nearest].votes > 1 or distances[nearest] <= LONE:
            settled.append(some[nearest])
    return settled


def _cut_out(
    ground: HeapGround, places: Points, angles: NDArray[np.floating]
) -> tuple[Sheet, list[tuple[float, float]]]:
    """What lies at places (n, 2) of a heap, turned back by angles (n,), and their middles."""
    middles = [((number + 0.5) * UPRIGHT_PX, UPRIGHT_PX / 2) for number in range(len(places))]
    return Sheet(ground.upright(places, angles)), middles


def _is_faint(pose: Pose) -> bool:
    """Whether a few features of one picture say that a piece lies there, which may be chance."""
    return pose.are_of_one and pose.votes < ENOUGH_AGREEING


def _farthest(pose: Pose) -> float:
    """How unlike its picture a piece may be: less where a few votes may agree by chance."""
    if _is_faint(pose):
        return FAINT if pose.votes > 1 else FAINT_LONE
    return READABLE if pose.votes == 0 or pose.votes >= ENOUGH_AGREEING else PLAINLY_ALIKE


def _is_explained(area: StrangeArea, read: Sequence[Pose], *, colours_tell: bool) -> bool:
    """Whether what looks unlike the board are pieces that were read, and nothing else beside them.

    Args:
        area: that looks unlike the board.
        read: where pieces were read.
        colours_tell: whether light leaves the board its colours.
    """
    inside = sum(np.hypot(*(pose.middle - area.middle)) < area.reach for pose in read)
    if area.pieces > inside + SPARE:
        return False
    if inside and not colours_tell:  # reflections beside a piece look like a part of something
        return True
    return area.left_over([(pose.middle, pose.angle) for pose in read]) <= MOST_LEFT_OVER
