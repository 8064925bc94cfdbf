"""Read a photo: what the eye saw of tiles, figures and loose pieces, as a reading."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, product
from time import perf_counter
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Floats, Image, apply_homography, floats
from vision.editions.description import Description, Turned
from vision.editions.edition import GAME, Edition
from vision.editions.learning import model_of
from vision.editions.model import Model
from vision.editions.references import TURNS
from vision.eye.exposure import (
    LIGHT_HIDES_NOTE,
    MAX_WHITE_SHARE,
    MUCH_LIGHT_NOTE,
    WHITE,
    find_white_areas,
    white_share,
)
from vision.eye.figures import decide_figures
from vision.eye.identify import MIN_SIMILARITY
from vision.eye.ledger import meets
from vision.eye.loose_pieces import read_loose_pieces
from vision.eye.photo_quads import overrun_edges, overrun_note, photo_quad, photo_quads
from vision.eye.photo_quality import (
    MIN_TILE_PX,
    city_quality_note,
    photo_notes,
    refuse_if_colourless,
    refuse_if_hopeless,
)
from vision.eye.recognise import MAX_HIDDEN_SIMILARITY, MIN_TYPICAL_SIMILARITY, RecognisedGrid
from vision.eye.stages import PhotoRead, read
from vision.eye.supply import limit_to_supply
from vision.eye.windows import MAX_ODD_WINDOW, windows_over_cell
from vision.patches.cut import UNIT_SQUARE, WHOLE_TILE, Pyramid, crop_window, points_in_quads
from vision.photo.load import Photo
from vision.reading import (
    Figure,
    GridReading,
    Note,
    NoteCode,
    Reading,
    Unread,
    note,
    sort_clockwise,
)

MANY_UNSURE = 8
"""With more unsure cells in a grid it is worth looking for a common cause."""
FEW_UNSURE = 3
"""With more unsure cells in a grid it is worth telling what makes it hard to read."""
WHITE_TILE = 0.3
"""An unsure tile of which so much is white with light lies in glare."""
TILE_SIDE_PX = 24
TILES_ACROSS = 20
"""A photo's side in tiles, where none was found to measure them by."""
CHANCE_GAIN: Final = 20.0
"""Factor from similarity to the logarithm of a face's probability, for ``limit_to_supply``."""

_Contents = tuple[tuple[str | None, ...], ...]
T = TypeVar("T")


def read_tiles(
    photo: Photo,
    edition: Edition,
    *,
    scale: float = 1.0,
    supply: Mapping[str, int] | None = None,
) -> Reading:
    """Read a table of any game.

    Args:
        photo: as loaded by ``vision.photo.load``.
        edition: what its tiles look like.
        scale: area at which to look for tiles first, relative to the usual one.
        supply: how many tiles of each face the game has; None: nothing is known of that.

    Raises:
        PhotoError: the photo has no colours, though the tiles have; or nothing was found, and it is
            too dark or too blurred to have shown it.
    """
    start = perf_counter()
    model = model_of(edition)
    pyramid = Pyramid(photo.image_bgr)
    found = read(pyramid, model, scale)
    grids = [grid_reading(grid, edition, model, photo, pyramid) for grid in found.grids]
    if supply is not None:
        chances = [_chances(grid) for grid in found.grids]
        grids = limit_to_supply(grids, chances, supply, model.references.faces)
    lit, light_notes = _hidden_by_light(photo, pyramid, found.grids, edition)
    other_edition = _edition_notes(found, edition, photo)
    code = (
        NoteCode.CITY_UNREADABLE if edition.description.game == GAME else NoteCode.GRID_UNREADABLE
    )
    code = NoteCode.NEW_LOOK if other_edition else code
    # Light that hides a place says more than that it cannot be read
    hidden = [floats(each.corners_px) for each in lit]
    others = [photo_quad(quad, photo) for quad in found.unread]
    unread = [
        *(Unread(quad, Note(code)) for quad in others if not meets(floats(quad), hidden)),
        *lit,
    ]
    if all(len(grid.unsure) == grid.confidence.size for grid in found.grids):
        refuse_if_hopeless(photo.image_bgr, photo.name)
    elif model.is_colourful:
        refuse_if_colourless(photo.image_bgr, photo.name)
    doubtful = bool(unread) or not grids or any(len(grid.unsure) > MANY_UNSURE for grid in grids)
    return Reading(
        photo=photo.name,
        game=edition.description.game,
        edition=edition.name,
        size_wh=photo.size_wh,
        grids=tuple(sort_clockwise(grids)),
        unread=tuple(unread),
        notes=(
            *other_edition,
            *light_notes,
            *([Note(NoteCode.SMEARED)] if found.smeared else ()),
            *([Note(NoteCode.FILE_END_MISSING)] if photo.is_end_missing else ()),
            *(photo_notes(photo.image_bgr) if doubtful else ()),
        ),
        timings_ms={
            "locate": found.locating_ms,
            "recognise": (perf_counter() - start) * 1000 - found.locating_ms,
        },
    )


def _chances(grid: RecognisedGrid) -> dict[Cell, NDArray[np.float64]]:
    """How likely each cell shows each face of the model."""
    powers = np.exp(CHANCE_GAIN * (grid.similarity - grid.similarity.max(axis=2, keepdims=True)))
    shares = powers / powers.sum(axis=2, keepdims=True)
    return {(r, c): shares[r, c] for r, c in np.ndindex(*grid.confidence.shape)}


def _edition_notes(found: PhotoRead, edition: Edition, photo: Photo) -> tuple[Note, ...]:
    """What to say when most tiles do not look like those of the edition.

    In the dark, and out of focus, those of the edition do not, either.
    """
    if not found.typical or photo_notes(photo.image_bgr):
        return ()
    if float(np.median(found.typical)) >= MIN_TYPICAL_SIMILARITY:
        return ()
    return (note(NoteCode.OTHER_EDITION, name=edition.name),)


def _hidden_by_light(
    photo: Photo, pyramid: Pyramid, grids: Sequence[RecognisedGrid], edition: Edition
) -> tuple[list[Unread], list[Note]]:
    """Areas so white with light that a grid may lie there unseen, and a note if others are."""
    if len(grids) == edition.description.most_grids or (edition.description.board and grids):
        return [], []
    quads: list[Floats] = [quad for grid in grids for quad in grid.quads_px.reshape(-1, 4, 2)]
    height, width = photo.image_bgr.shape[:2]
    sides = [float(np.sqrt(cv2.contourArea(quad))) for quad in quads]
    tile_px = float(np.median(sides)) if sides else float(np.sqrt(width * height)) / TILES_ACROSS
    areas = find_white_areas(pyramid, tile_px, [grid.corners_px for grid in grids])
    lit = [a for a in areas if a.from_light]
    bright = len(areas) > len(lit) or white_share(pyramid) > MAX_WHITE_SHARE
    hidden = [Unread(photo_quad(area.outline_px, photo), LIGHT_HIDES_NOTE) for area in lit]
    return hidden, [MUCH_LIGHT_NOTE] if bright and edition.description.board is None else []


def grid_reading(
    grid: RecognisedGrid, edition: Edition, model: Model, photo: Photo, pyramid: Pyramid
) -> GridReading:
    """What was read of a grid, as the cells of its game."""
    description = edition.description
    tall, wide = description.tile_cells
    rows, columns = grid.quads_px.shape[:2]
    size_wh = photo.image_bgr.shape[1], photo.image_bgr.shape[0]
    places = list(product(range(rows), range(columns)))
    bare = {place for place in places if not _may_lie(place, description)}
    names = {p: None if p in bare else grid.faces[p[0]][p[1]] for p in places}
    turns = {p: int(grid.turns[p]) for p in places}
    doubtful = {
        p
        for p in places
        if p not in bare and (p in grid.unsure or overrun_edges(grid.quads_px[p], size_wh))
    }
    unsure = tuple(
        cell
        for cell in product(range(description.rows), range(description.columns))
        if (cell[0] // tall, cell[1] // wide) in doubtful
    )
    doubts = {} if description.board else _doubts(grid, description, photo.image_bgr)
    loose, unsure_slots = read_loose_pieces(pyramid, grid.quads_px, description, model.loose, photo)
    quads = photo_quads(list(grid.quads_px.reshape(-1, 4, 2)), photo)
    corners = photo_quad(_outline(grid), photo)

    def rows_of(values: dict[Cell, tuple[tuple[T, ...], ...]]) -> tuple[tuple[T, ...], ...]:
        """What the cells have, from what the cells of each tile have."""
        return tuple(
            tuple(chain.from_iterable(values[row, column][line] for column in range(columns)))
            for row in range(rows)
            for line in range(tall)
        )

    shown = {p: _contents(names[p], turns[p], description) for p in places}
    empty = {
        place
        for place, why in doubts.items()
        if why is NoteCode.NO_TILE and grid.evidence[place][0] < MIN_SIMILARITY
    }
    figures, unsure_figures = _figures(grid, shown, unsure, empty, description, photo)
    chances = {p: 1.0 if p in bare else round(float(grid.confidence[p]), 3) for p in places}
    return GridReading(
        corners_px=corners,
        grid=rows_of(shown),
        confidence=rows_of({p: ((chances[p],) * wide,) * tall for p in places}),
        unsure=unsure,
        tile_quads_px=tuple(
            tuple(quads[row * columns : (row + 1) * columns]) for row in range(rows)
        ),
        tiles=tuple(tuple(names[row, c] for c in range(columns)) for row in range(rows)),
        turns=tuple(
            tuple(None if names[row, c] is None else turns[row, c] for c in range(columns))
            for row in range(rows)
        ),
        alternatives={
            cell: _alternatives(cell, shown, grid, description)
            for cell in product(range(description.rows), range(description.columns))
        },
        figures=figures,
        unsure_figures=unsure_figures,
        loose=loose,
        unsure_slots=unsure_slots,
        notes=(
            *([overrun_note(edges)] if (edges := overrun_edges(corners, photo.size_wh)) else ()),
            *_tile_notes(doubts, description.tile_cells),
            *_notes(grid, photo.image_bgr, on_board=description.board is not None),
        ),
    )


def _figures(
    grid: RecognisedGrid,
    shown: Mapping[Cell, _Contents],
    unsure_cells: Sequence[Cell],
    empty: Collection[Cell],
    description: Description,
    photo: Photo,
) -> tuple[tuple[Figure, ...], tuple[Cell, ...]]:
    """The figures on a grid, and the cells on which one may stand or not, or another.

    Where a place of a tile is empty none stands, though nothing is sure of it.
    """
    if grid.figures is None:
        return (), ()
    stood, unsure = decide_figures(grid.figures, description)
    tall, wide = description.tile_cells
    figures = []
    for each in stood:
        x, y = each.foot[0] / wide, each.foot[1] / tall
        (row, r), (column, c) = divmod(each.cell[0], tall), divmod(each.cell[1], wide)
        foot = points_in_quads(grid.quads_px[row, column][None], floats([[[x - column, y - row]]]))[
            0
        ]
        at = photo.to_photo_px(foot)[0].tolist()
        kind = description.tokens[each.kind].kind
        figures.append(Figure(each.cell, kind, (round(at[0], 2), round(at[1], 2))))
        # What makes a tile look strange may look like a figure on it
        if each.cell in unsure_cells or shown[row, column][r][c] in description.no_tokens_on:
            unsure.append(each.cell)
    covered = [
        (row, column)
        for row, column in unsure_cells
        if (row // tall, column // wide) not in empty
        and grid.evidence[row // tall, column // wide][0] < MAX_HIDDEN_SIMILARITY
    ]
    stands = {each.cell for each in stood}
    odd = [
        (row * tall + r, column * wide + c)
        for row, column in np.argwhere((grid.windows < MAX_ODD_WINDOW).any(axis=(2, 3))).tolist()
        for r, c in product(range(tall), range(wide))
        if grid.windows[row, column][
            np.ix_(windows_over_cell(r, tall), windows_over_cell(c, wide))
        ].min()
        < MAX_ODD_WINDOW
    ]
    # What was read as a figure makes its window odd
    return tuple(figures), tuple(sorted({*unsure, *covered, *(set(odd) - stands)}))


def _outline(grid: RecognisedGrid) -> Floats:
    """The outer corners (4, 2): half way between those of the lattice and what tiles suggest."""
    rows, columns = grid.confidence.shape
    cells = np.argwhere(np.ones((rows, columns)))[:, None, ::-1] + UNIT_SQUARE
    places, corners = floats(cells).reshape(-1, 2), floats(grid.quads_px).reshape(-1, 2)
    warp, _ = cv2.findHomography(places, corners)
    if np.size(warp) != 9:  # OpenCV found none; its type information does not tell
        return grid.corners_px
    own = apply_homography(UNIT_SQUARE * floats([columns, rows]), np.asarray(warp, np.float64))
    return floats((own + grid.corners_px) / 2)


def _doubts(grid: RecognisedGrid, description: Description, image: Image) -> dict[Cell, NoteCode]:
    """What is known of uncertain tiles beyond that they are: their places, and why."""
    size_wh = image.shape[1], image.shape[0]
    why: dict[Cell, NoteCode] = {}
    for place in sorted(grid.unsure):
        quad, turn = grid.quads_px[place], int(grid.turns[place])
        similarity = float(grid.evidence[place][0])
        is_gone = grid.faces[place[0]][place[1]] is None
        if overrun_edges(quad, size_wh):
            continue
        if turn and not is_gone and description.turned is Turned.UPRIGHT:
            why[place] = NoteCode.UPSIDE_DOWN if turn == TURNS / 2 else NoteCode.ON_ITS_SIDE
        elif _white_share(image, quad) > WHITE_TILE:
            why[place] = NoteCode.GLARE
        elif is_gone:
            why[place] = NoteCode.NO_TILE
        elif similarity < MAX_HIDDEN_SIMILARITY:
            why[place] = NoteCode.HIDDEN
    return why


def _white_share(image: Image, quad_px: Floats) -> float:
    crop = crop_window(image, quad_px, WHOLE_TILE, TILE_SIDE_PX)
    return float(np.mean(cv2.inRange(crop, (WHITE,) * 3, (255,) * 3) > 0))


def _tile_notes(doubts: dict[Cell, NoteCode], tile_cells: tuple[int, int]) -> Iterator[Note]:
    """A note for each tile of which more is known than that it is unclear; one for all glare."""
    tall, wide = tile_cells
    bright: list[Cell] = []
    for (row, column), code in doubts.items():
        cells = [(row * tall + r, column * wide + c) for r, c in np.ndindex(tall, wide)]
        if code is NoteCode.GLARE:
            bright += cells
        else:
            yield note(code, *cells)
    if bright:
        yield note(NoteCode.GLARE, *bright)


def _notes(grid: RecognisedGrid, image: Image, *, on_board: bool) -> Iterator[Note]:
    """What is odd about a grid as a whole."""
    side = float(np.sqrt(cv2.contourArea(grid.corners_px) / grid.confidence.size))
    if side < MIN_TILE_PX:
        yield note(NoteCode.TOO_SMALL, n=round(side))
    elif len(grid.unsure) > FEW_UNSURE:
        cause = city_quality_note(image, grid.corners_px, side)
        if cause is not None:
            yield cause
    rows = [list(row) for row in grid.faces]
    ends = (rows[0], rows[-1], [row[0] for row in rows], [row[-1] for row in rows])
    if not on_board and any(not any(end) for end in ends):
        yield note(NoteCode.EDGE_ROW_EMPTY)
    elif not grid.certain:
        yield note(NoteCode.END_UNCERTAIN)
    elif not grid.upright:
        yield note(NoteCode.WAY_UP_UNCERTAIN)
    elif len(grid.unsure) == grid.confidence.size:
        yield note(NoteCode.ALL_UNCLEAR)


def _may_lie(tile: Cell, description: Description) -> bool:
    """Whether something may lie in the place of a tile: on a board, only on its plots."""
    board = description.board
    if board is None or not board.plots:
        return True
    tall, wide = description.tile_cells
    cells = product(range(tall), range(wide))
    return any((tile[0] * tall + r, tile[1] * wide + c) in board.plots for r, c in cells)


def _contents(name: str | None, turn: int, description: Description) -> _Contents:
    """What each cell of a tile shows."""
    if name is None:
        return ((None,) * description.tile_cells[1],) * description.tile_cells[0]
    face = next(face for face in description.faces if face.name == name)
    return face.turned_cells(turn)


def _alternatives(
    cell: Cell, shown: dict[Cell, _Contents], grid: RecognisedGrid, description: Description
) -> tuple[str | None, ...]:
    """What else a cell may show."""
    tall, wide = description.tile_cells
    tile = cell[0] // tall, cell[1] // wide
    row, column = cell[0] % tall, cell[1] % wide
    others = [
        _contents(name, turn, description)[row][column] for name, turn in grid.rivals.get(tile, ())
    ]
    return tuple(name for name in dict.fromkeys(others) if name != shown[tile][row][column])
