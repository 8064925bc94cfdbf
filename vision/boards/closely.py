"""Doubtful places looked at once more, twice as closely.

The drawing is compared on its own, see ``evened``. Where light is mirrored in a print, or something
lies on it, often no more is left than fine lines, a number or a rim, which are lost when a tile is
brought to TILE_PX. What is burnt out counts as well: no dark line is drawn where it is white.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, Image
from vision.boards.evened import LEAST_DRAWN, LocalLooks, evened, unlike
from vision.boards.grid_compared import ComparedGrid
from vision.boards.judge import Answer, CloseLook, answer_looked_at_closely
from vision.boards.known import KnownEdition, kept
from vision.boards.local_contrast import evened_faces
from vision.boards.looks import TILE_PX, Windows, reaching, softened
from vision.boards.windows import windows_of
from vision.exposure import WHITE

CLOSE_PX: Final = 2 * TILE_PX
"""Side of a tile that is looked at closely."""
STRIDE_PX: Final = 4
"""Every so many-th of its pixels is compared."""
MARGIN_PX: Final = 12
"""What is seen around it: what lies further away hardly changes how its pixels are evened."""
MUCH_BURNT: Final = 0.1
"""With a larger share of a place burnt out, its colours and shades tell nothing."""


def answers_looked_at_closely(
    seen: ComparedGrid, cells: Sequence[Cell], answers: Mapping[Cell, Answer], known: KnownEdition
) -> dict[Cell, Answer]:
    """The answers of a grid, the doubtful ones by a closer look.

    Args:
        seen: the grid.
        cells: its places in order.
        answers: for each of them.
        known: the edition.
    """
    if all(answer.is_sure for answer in answers.values()):
        return dict(answers)
    has_board = known.description.board is not None
    on_board = seen.on_board(known) if has_board else None
    closer = dict(answers)
    for number, cell in enumerate(cells):
        if answers[cell].is_sure:
            continue
        plot = None if on_board is None else _plot(known, on_board[number])
        if _is_drawn(answers[cell], plot, known):
            look = _close_look(seen, number, plot, known)
            closer[cell] = answer_looked_at_closely(answers[cell], look, known.in_grid)
    return closer


def _is_drawn(answer: Answer, plot: LocalLooks | None, known: KnownEdition) -> bool:
    """Whether an answer has a drawing by which it could be known."""
    if answer.face is None:
        return plot is None or bool(plot.total[0] >= LEAST_DRAWN)
    totals = _pictures(known).total[known.in_grid.faces == answer.face]
    return bool(totals.max() >= LEAST_DRAWN)


def _close_look(
    seen: ComparedGrid, number: int, plot: LocalLooks | None, known: KnownEdition
) -> CloseLook:
    """A look at the place with this number, at which the empty board shows this plot."""
    x, y = seen.middles[number].tolist()
    reach = 0.5 + MARGIN_PX / CLOSE_PX
    window = x - reach, y - reach, x + reach, y + reach
    flat = seen.view.surface.flat(seen.view.picture, window, CLOSE_PX)
    even = _evened(flat)
    tiles = LocalLooks.of(_tiles(even))
    return CloseLook(
        _nearest(tiles, _pictures(known)),
        None if plot is None else float(_nearest(tiles, plot)[0]),
        _burnt_share(flat) > MUCH_BURNT,
    )


def _nearest(tiles: LocalLooks, pictures: LocalLooks) -> NDArray[np.float32]:
    """How unlike pictures (n,) the tile is that is most alike."""
    distances = unlike(tiles, None, pictures, 0.0, LEAST_DRAWN)
    return np.asarray(distances.min(axis=0), np.float32)


def _burnt_share(flat: Image) -> float:
    burnt = reaching(flat[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX], WHITE)
    return cv2.countNonZero(burnt) / burnt.size


def _evened(picture: Image) -> FloatImage:
    return evened(softened(picture))


def _tile(even: FloatImage, top: int, left: int) -> Windows:
    """The pixels (3, h, w) of the tile with this corner that are compared."""
    tile = even[top : top + CLOSE_PX : STRIDE_PX, left : left + CLOSE_PX : STRIDE_PX]
    return np.asarray(tile.transpose(2, 0, 1), np.float32)


def _tiles(even: FloatImage) -> Windows:
    """The same (9, 3, h, w) of the tile in the middle, and of those a compared pixel about it."""
    around = slice(MARGIN_PX - STRIDE_PX, MARGIN_PX + CLOSE_PX + STRIDE_PX, STRIDE_PX)
    thinned = np.ascontiguousarray(even[around, around].transpose(2, 0, 1))
    tiles = windows_of(thinned, CLOSE_PX // STRIDE_PX, CLOSE_PX // STRIDE_PX)
    return tiles.transpose(1, 2, 0, 3, 4).reshape(-1, 3, *tiles.shape[-2:])


@kept
def _pictures(known: KnownEdition) -> LocalLooks:
    """Those of all faces of the grid, in the order of ``known.in_grid``."""
    return LocalLooks.of(np.array([_tile(even, 0, 0) for even in evened_faces(known, CLOSE_PX)]))


@kept
def _plot(known: KnownEdition, on_board: tuple[float, float]) -> LocalLooks | None:
    """The empty board about a pixel (x, y) of its flat picture; None: it has no picture."""
    board = _board(known)
    if board is None:
        return None
    # Only a part at a time: with all in floating point a large board takes hundreds of megabytes
    lines = []
    for middle, size in zip(on_board[::-1], board.shape[:2], strict=True):
        first = round(middle * CLOSE_PX / TILE_PX) - CLOSE_PX // 2
        first = min(max(first, 0), max(size - CLOSE_PX, 0))
        line = np.arange(first - MARGIN_PX, first + CLOSE_PX + MARGIN_PX)
        lines.append(np.clip(line, 0, size - 1))
    even = _evened(np.ascontiguousarray(board[np.ix_(*lines)]))
    return LocalLooks.of(np.array([_tile(even, MARGIN_PX, MARGIN_PX)]))


@kept
def _board(known: KnownEdition) -> Image | None:
    return known.board_picture(CLOSE_PX)
