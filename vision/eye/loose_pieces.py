"""Pieces beside the cells of a board: in slots, or anywhere in a heap.

Places are in cells of the board: (0, 0) is the middle of the first cell, x to the right and y down
as it is read upright.
"""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, apply_homography, floats
from vision.editions.description import BoardDescription, Description, Heap, Slots
from vision.editions.references import TURNS, References
from vision.eye.confidence import SURE_CONFIDENCE, tile_evidence
from vision.eye.identify import MIN_SIMILARITY, RankedTiles, best_matches, rank_faces, similarities
from vision.eye.ledger import meets
from vision.eye.photo_quads import photo_quad
from vision.eye.piece_detector import MULTIPLE_PX, PIECE_PX, detect_pieces
from vision.eye.windows import judge_by_windows
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads, points_in_quads, warp_plane
from vision.patches.embedding import MIN_WHOLE, PART_COUNT, Embeddings
from vision.photo.load import Photo
from vision.reading import LoosePiece, PieceKey

_ROOM = 0.75
"""Beside a heap's area, in pieces."""
_MOST_PX = 4096
"""A heap that is longer in what the network would see is left out."""
_ALIGNINGS = 2
"""So often a piece is embedded anew where its corners are seen."""
MIN_PIECE_PROBABILITY: Final = 0.07
"""Least probability of a square of the piece detector that shows a loose piece."""
MIN_PIECE_SHARE: Final = 0.09
"""Least share of its area in which a loose piece is detected. Smaller: marks on the board become
pieces."""


def read_loose_pieces(
    pyramid: Pyramid,
    quads_px: Floats,
    description: Description,
    references: References,
    photo: Photo,
) -> tuple[tuple[LoosePiece, ...], tuple[PieceKey, ...]]:
    """What lies in the slots and heaps of a board, and the slots in which something else lies.

    Args:
        pyramid: the photo as decoded.
        quads_px: (rows, columns, 4, 2) of the cells of the board, as it is read upright.
        description: of the game.
        references: of the faces that lie beside the cells.
        photo: for the pixels of the full photo.
    """
    board = description.board
    if board is None or not len(references.face):
        return (), ()
    to_photo = _homography(quads_px)
    if to_photo is None:
        return (), ()
    side = description.tile_mm / np.array(board.cell_mm)
    places: list[tuple[Slots | Heap, Floats]] = []
    for slots in board.slots:
        steps = np.arange(slots.count)[:, None] * np.array(slots.step_mm)
        middles = _in_cells(np.array(slots.first_mm) + steps, board)
        quads = apply_homography(
            (middles[:, None] + (UNIT_SQUARE - 0.5) * side).reshape(-1, 2), to_photo
        )
        places.append((slots, floats(quads).reshape(-1, 4, 2)))
    places += [(heap, _pieces_in(pyramid, to_photo, heap, board, side)) for heap in board.heaps]
    if not places:
        return (), ()
    # All at once, as the network embeds many as quickly as few
    moved, embeddings = _aligned(pyramid, np.concatenate([quads for _, quads in places]))
    pieces: list[LoosePiece] = []
    unsure: list[PieceKey] = []
    first = 0
    for place, quads in places:
        mine = slice(first, first + len(quads))
        first += len(quads)
        found, riddles = _identified(
            pyramid, moved[mine], embeddings.take(mine), place, references, photo
        )
        pieces += found
        unsure += riddles
        if isinstance(place, Heap) and _runs_off(place, board, to_photo, side, pyramid):
            unsure.append((place.name, len(found) + len(riddles)))
    return tuple(pieces), tuple(unsure)


def _aligned(pyramid: Pyramid, quads_px: Floats) -> tuple[Floats, Embeddings]:
    """Quads (n, 4, 2) moved to where the corners of pieces are seen, and embeddings there."""
    embeddings = embed_quads(pyramid, quads_px)
    for _ in range(_ALIGNINGS):
        moved = floats(points_in_quads(quads_px, UNIT_SQUARE + embeddings.corners))
        there = (embeddings.whole > MIN_WHOLE)[:, None, None]
        quads_px = np.where(there, moved, quads_px)
        embeddings = embed_quads(pyramid, quads_px)
    return quads_px, embeddings


def _runs_off(
    heap: Heap, board: BoardDescription, to_photo: Floats, side: np.ndarray, pyramid: Pyramid
) -> bool:
    """Whether there is room for a piece in a heap beyond the photo."""
    left, top, right, bottom = heap.area_mm
    ends = _in_cells(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]), board)
    inner = ends + (ends.mean(axis=0) > ends) * side / 2 - (ends.mean(axis=0) < ends) * side / 2
    seen = apply_homography(inner, to_photo)
    height, width = pyramid.level(0).shape[:2]
    return bool(((seen < 0) | (seen > (width - 1, height - 1))).any())


def _homography(quads_px: Floats) -> Floats | None:
    """The homography from places to the photo; None: the cells lie in no plane."""
    rows, columns = quads_px.shape[:2]
    cells = np.argwhere(np.ones((rows, columns)))[:, None, ::-1] + UNIT_SQUARE - 0.5
    found, _ = cv2.findHomography(
        floats(cells).reshape(-1, 2), floats(quads_px).reshape(-1, 2), cv2.RANSAC, 3.0
    )
    # OpenCV may find none; its type information does not tell
    return floats(found) if np.size(found) == 9 else None


def _in_cells(points_mm: np.ndarray, board: BoardDescription) -> Floats:
    return floats((points_mm - np.array(board.first_cell_mm)) / np.array(board.cell_mm))


def _pieces_in(
    pyramid: Pyramid,
    to_photo: Floats,
    heap: Heap,
    board: BoardDescription,
    side: np.ndarray,
) -> Floats:
    """Quads (n, 4, 2) of what looks like pieces in a heap, in the photo."""
    ends = _in_cells(np.array(heap.area_mm).reshape(2, 2), board)
    low, high = ends[0] - _ROOM * side, ends[1] + _ROOM * side
    size = [
        max(1, round(float(n) / MULTIPLE_PX)) * MULTIPLE_PX for n in (high - low) / side * PIECE_PX
    ]
    if max(size) > _MOST_PX:
        return np.empty((0, 4, 2), np.float32)
    scale = (high - low) / np.array(size)
    to_cells = np.array([[scale[0], 0, low[0]], [0, scale[1], low[1]], [0, 0, 1]])
    flat = warp_plane(pyramid, to_photo @ to_cells, (size[0], size[1]))
    middles, angles, seen = detect_pieces(flat, MIN_PIECE_PROBABILITY)
    places = middles * scale + low
    height, width = pyramid.level(0).shape[:2]
    at = apply_homography(places, to_photo)
    right = (seen > MIN_PIECE_SHARE) & ((places > ends[0]) & (places < ends[1])).all(axis=1)
    right &= ((at > 0) & (at < (width, height))).all(axis=1)
    middles, angles = middles[right], angles[right]
    if not len(middles):
        return np.empty((0, 4, 2), np.float32)
    c, s = np.cos(angles), np.sin(angles)
    turn = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
    corners = middles[:, None] + (UNIT_SQUARE - 0.5) * np.float32(PIECE_PX) @ turn
    in_photo = apply_homography(corners.reshape(-1, 2) * scale + low, to_photo)
    return floats(in_photo).reshape(-1, 4, 2)


@lru_cache(maxsize=64)
def _may_lie_there(references: References, faces: tuple[str, ...]) -> References:
    """What may lie in a place; kept, as what tells its faces apart is, too."""
    return references.of_faces([*faces, None])


def _identified(
    pyramid: Pyramid,
    quads_px: Floats,
    embeddings: Embeddings,
    place: Slots | Heap,
    references: References,
    photo: Photo,
) -> tuple[list[LoosePiece], list[PieceKey]]:
    """What lies in quads (n, 4, 2): of slots one each, of a heap what was seen there."""
    if not len(quads_px):
        return [], []
    known = _may_lie_there(references, place.faces)
    is_heap = isinstance(place, Heap)
    if not len(known.face):
        return [], [(place.name, n) for n in range(len(quads_px))]
    similarity = similarities(embeddings, known)
    matches = best_matches(known, similarity, tuple(range(TURNS)))
    bare = np.zeros((len(embeddings), PART_COUNT), bool)
    ranking = rank_faces(pyramid, quads_px, embeddings, matches, known, bare)
    evidence = tile_evidence(ranking.similarity, ranking.margin, ranking.lead, ranking.parts, bare)
    tiles = RankedTiles(pyramid, quads_px, embeddings, matches, ranking, known)
    every = np.ones(len(embeddings), bool)
    confidence = judge_by_windows(tiles, evidence, bare, every).confidence
    pieces: list[LoosePiece] = []
    unsure: list[PieceKey] = []
    taken: list[Floats] = []
    for n in np.argsort(-confidence, kind="stable").tolist() if is_heap else range(len(embeddings)):
        quad = quads_px[n]
        order = [known.faces[face] for face in ranking.order[n].tolist()]
        sure = bool(confidence[n] > SURE_CONFIDENCE and embeddings.whole[n] > MIN_WHOLE)
        if is_heap and meets(quad, taken):
            continue
        number = len(taken) if is_heap else n
        if order[0] is None:
            if not is_heap and confidence[n] <= SURE_CONFIDENCE:
                unsure.append((place.name, number))
            continue
        if ranking.similarity[n] < MIN_SIMILARITY:
            if embeddings.whole[n] > MIN_WHOLE or not is_heap:
                unsure.append((place.name, number))
                taken.append(quad)
            continue
        taken.append(quad)
        turn = int(matches.turn[n, ranking.order[n, 0]])
        pieces.append(
            LoosePiece(
                place.name,
                number,
                order[0],
                photo_quad(np.roll(quad, turn, axis=0), photo),
                round(float(confidence[n]), 3),
                not sure,
                () if sure else tuple(name for name in order[1:] if name is not None),
            )
        )
    return pieces, unsure
