"""Reading of loose pieces beside the cells of a board: in slots, or anywhere in a heap.

Positions without a unit are in cells of the board: (0, 0) is the centre of the first cell, x to the
right and y down as the board is read upright.
"""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, apply_homography, floats
from vision.editions.description import BoardDescription, Description, Heap, Slots
from vision.editions.references import TURNS, References
from vision.eye.camera import cells_between
from vision.eye.confidence import SURE_CONFIDENCE
from vision.eye.face_ranking import RankedTiles, rank_pieces
from vision.eye.piece_detector import PIECE_PX, SIDE_DIVISOR_PX, detect_pieces
from vision.eye.quads import coincides_with_any, to_photo_quad
from vision.eye.reference_similarity import CHANCE_SIMILARITY
from vision.eye.windows import verify_by_windows
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads, warp_plane
from vision.patches.embedding import MIN_WHOLE, PART_COUNT, Embeddings
from vision.photo.load import Photo
from vision.reading import LoosePiece, PieceKey

_HEAP_MARGIN = 0.75
"""Margin round the area of a heap, in pieces."""
_MAX_SIDE_PX = 4096
"""Maximum longer side of a heap in the detector's input; a longer heap is not read."""
_ALIGNMENTS = 2
"""Number of times a piece is embedded again at the corners that the embedding shows."""
MIN_PIECE_PROBABILITY: Final = 0.07
"""Minimum probability of a map cell of the piece detector that shows a loose piece."""
MIN_PIECE_SHARE: Final = 0.09
"""Minimum detected share of a loose piece's area. Smaller: marks on the board become pieces."""


def read_loose_pieces(
    pyramid: Pyramid,
    quads_px: Floats,
    description: Description,
    references: References,
    photo: Photo,
) -> tuple[tuple[LoosePiece, ...], tuple[PieceKey, ...]]:
    """Read the pieces in the slots and heaps of a board.

    Args:
        pyramid: Pyramid of the decoded image.
        quads_px: Shape (rows, columns, 4, 2), cells of the board as it is read upright.
        description: Description of the game.
        references: References of the faces that lie beside the cells.
        photo: Photo, for coordinates.

    Returns:
        Pieces, and the slots and heaps with something that cannot be read.
    """
    board = description.board
    if board is None or not len(references.face_index):
        return (), ()
    to_image = _fit_board_homography(quads_px)
    if to_image is None:
        return (), ()
    side = description.tile_mm / np.array(board.cell_mm)
    containers: list[tuple[Slots | Heap, Floats]] = []
    for slots in board.slots:
        steps = np.arange(slots.count)[:, None] * np.array(slots.step_mm)
        middles = _to_cells(np.array(slots.first_mm) + steps, board)
        quads = apply_homography(
            (middles[:, None] + (UNIT_SQUARE - 0.5) * side).reshape(-1, 2), to_image
        )
        containers.append((slots, floats(quads).reshape(-1, 4, 2)))
    containers += [
        (heap, _detect_in_heap(pyramid, to_image, heap, board, side)) for heap in board.heaps
    ]
    if not containers:
        return (), ()
    # All at once, which fills the batches of the network
    moved, embeddings = _align(pyramid, np.concatenate([quads for _, quads in containers]))
    pieces: list[LoosePiece] = []
    unsure: list[PieceKey] = []
    start = 0
    for container, quads in containers:
        rows = slice(start, start + len(quads))
        start += len(quads)
        found, unread = _recognise_pieces(
            pyramid, moved[rows], embeddings.take(rows), container, references, photo
        )
        pieces += found
        unsure += unread
        if isinstance(container, Heap) and _may_hide_piece(
            container, board, to_image, side, pyramid
        ):
            unsure.append((container.name, len(found) + len(unread)))
    return tuple(pieces), tuple(unsure)


def _align(pyramid: Pyramid, quads_px: Floats) -> tuple[Floats, Embeddings]:
    """Move quads (n, 4, 2) to the corners of the pieces, and embed them there."""
    embeddings = embed_quads(pyramid, quads_px)
    for _ in range(_ALIGNMENTS):
        moved = floats(points_in_quads(quads_px, UNIT_SQUARE + embeddings.corner_offsets))
        there = (embeddings.whole_probability > MIN_WHOLE)[:, None, None]
        quads_px = np.where(there, moved, quads_px)
        embeddings = embed_quads(pyramid, quads_px)
    return quads_px, embeddings


def _may_hide_piece(
    heap: Heap, board: BoardDescription, to_image: Floats, side: np.ndarray, pyramid: Pyramid
) -> bool:
    """Return whether a piece of a heap could lie unseen beyond the edge of the image.

    Args:
        heap: Heap.
        board: Board.
        to_image: Homography (3, 3) from cells to the image.
        side: Shape (2,), width and height of a piece in cells.
        pyramid: Pyramid of the photo.
    """
    left, top, right, bottom = heap.area_mm
    ends = _to_cells(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]), board)
    inner = ends + (ends.mean(axis=0) > ends) * side / 2 - (ends.mean(axis=0) < ends) * side / 2
    seen = apply_homography(inner, to_image)
    width, height = pyramid.size_wh
    return bool(((seen < 0) | (seen > (width - 1, height - 1))).any())


def _fit_board_homography(quads_px: Floats) -> Floats | None:
    """Fit the homography from cells to the image, without outliers; None if there is none.

    Tiles laid crookedly do not count, as slots and heaps are printed on the board.
    """
    rows, columns = quads_px.shape[:2]
    cells = cells_between((0, 0), (columns, rows))[:, None] + UNIT_SQUARE - 0.5
    found, _ = cv2.findHomography(
        floats(cells).reshape(-1, 2), floats(quads_px).reshape(-1, 2), cv2.RANSAC, 3.0
    )
    # OpenCV may return None, which its type information leaves out
    return floats(found) if np.size(found) == 9 else None


def _to_cells(points_mm: np.ndarray, board: BoardDescription) -> Floats:
    """Transform points (..., 2) on the board to cells."""
    return floats((points_mm - np.array(board.first_cell_mm)) / np.array(board.cell_mm))


def _detect_in_heap(
    pyramid: Pyramid,
    to_image: Floats,
    heap: Heap,
    board: BoardDescription,
    side: np.ndarray,
) -> Floats:
    """Detect the pieces of a heap; return their quads (n, 4, 2) in the image.

    ``to_image`` and ``side`` are those of ``_may_hide_piece``.
    """
    ends = _to_cells(np.array(heap.area_mm).reshape(2, 2), board)
    low, high = ends[0] - _HEAP_MARGIN * side, ends[1] + _HEAP_MARGIN * side
    size = [
        max(1, round(float(n) / SIDE_DIVISOR_PX)) * SIDE_DIVISOR_PX
        for n in (high - low) / side * PIECE_PX
    ]
    if max(size) > _MAX_SIDE_PX:
        return np.empty((0, 4, 2), np.float32)
    scale = (high - low) / np.array(size)
    to_cells = np.array([[scale[0], 0, low[0]], [0, scale[1], low[1]], [0, 0, 1]])
    flat = warp_plane(pyramid, to_image @ to_cells, (size[0], size[1]))
    middles, angles, seen = detect_pieces(flat, MIN_PIECE_PROBABILITY)
    in_cells = middles * scale + low
    in_image = apply_homography(in_cells, to_image)
    is_kept = (seen > MIN_PIECE_SHARE) & ((in_cells > ends[0]) & (in_cells < ends[1])).all(axis=1)
    is_kept &= ((in_image > 0) & (in_image < pyramid.size_wh)).all(axis=1)
    middles, angles = middles[is_kept], angles[is_kept]
    if not len(middles):
        return np.empty((0, 4, 2), np.float32)
    c, s = np.cos(angles), np.sin(angles)
    turn = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
    corners = middles[:, None] + (UNIT_SQUARE - 0.5) * np.float32(PIECE_PX) @ turn
    quads_px = apply_homography(corners.reshape(-1, 2) * scale + low, to_image)
    return floats(quads_px).reshape(-1, 4, 2)


@lru_cache(maxsize=64)
def _references_of(references: References, faces: tuple[str, ...]) -> References:
    """Return the references of these faces and of an empty place.

    Cached, since ``vision.editions.references`` caches differences between references by object.
    """
    return references.of_faces([*faces, None])


def _recognise_pieces(
    pyramid: Pyramid,
    quads_px: Floats,
    embeddings: Embeddings,
    container: Slots | Heap,
    references: References,
    photo: Photo,
) -> tuple[list[LoosePiece], list[PieceKey]]:
    """Identify the pieces in quads (n, 4, 2) of slots or of a heap."""
    if not len(quads_px):
        return [], []
    known = _references_of(references, container.faces)
    if not len(known.face_index):
        return [], [(container.name, n) for n in range(len(quads_px))]
    ranked = rank_pieces(pyramid, quads_px, embeddings, known, range(TURNS))
    matches, ranking, confidence = ranked.matches, ranked.ranking, _confidences(ranked)
    has_piece = embeddings.whole_probability > MIN_WHOLE
    is_heap = isinstance(container, Heap)
    pieces: list[LoosePiece] = []
    unsure: list[PieceKey] = []
    taken_px: list[Floats] = []
    for n in np.argsort(-confidence, kind="stable").tolist() if is_heap else range(len(quads_px)):
        quad = quads_px[n]
        order = [known.faces[face] for face in ranking.order[n].tolist()]
        if is_heap and coincides_with_any(quad, taken_px):
            continue
        number = len(taken_px) if is_heap else n
        if order[0] is None:
            if not is_heap and confidence[n] <= SURE_CONFIDENCE:
                unsure.append((container.name, number))
            continue
        if ranking.similarity[n] < CHANCE_SIMILARITY:
            if has_piece[n] or not is_heap:
                unsure.append((container.name, number))
                taken_px.append(quad)
            continue
        taken_px.append(quad)
        sure = bool(confidence[n] > SURE_CONFIDENCE and has_piece[n])
        turn = int(matches.turn[n, ranking.order[n, 0]])
        pieces.append(
            LoosePiece(
                container.name,
                number,
                order[0],
                to_photo_quad(np.roll(quad, turn, axis=0), photo),
                round(float(confidence[n]), 3),
                not sure,
                () if sure else tuple(name for name in order[1:] if name is not None),
            )
        )
    return pieces, unsure


def _confidences(pieces: RankedTiles) -> Doubles:
    """Return the confidences (n,) of ranked pieces."""
    covered = np.zeros((len(pieces.embeddings), PART_COUNT), bool)
    evidence = pieces.ranking.evidence(covered)
    of_edition = np.ones(len(pieces.embeddings), bool)
    return verify_by_windows(pieces, evidence, covered, of_edition).confidence
