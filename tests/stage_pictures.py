"""Pictures of each stage of the eye for the documentation."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image, floats
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.editions.learning import model_of
from vision.editions.references import WINDOW, WINDOWS, References, discriminative_windows
from vision.eye.camera import cell_quads_px
from vision.eye.locate import (
    STRIDE_PX,
    Floats,
    decode_detections,
    reduce_image,
    run_network,
)
from vision.eye.locator_runs import first_areas
from vision.eye.placement import make_candidates, place_grids
from vision.eye.read import recognise_image
from vision.eye.recognise import RecognisedGrid
from vision.patches.cut import UNIT_SQUARE, Pyramid, cut_patches
from vision.patches.embedding import MARGIN_PX, TILE_PX
from vision.photo.load import load_photo
from vision.teaching.find_layout import detect_grids

WIDTH = 640
ZOOM = 3
GREEN, BLUE, WHITE = (90, 220, 60), (255, 120, 20), (255, 255, 255)


def stage_pictures(path: Path) -> Iterator[tuple[str, Image]]:
    """Name and picture (h, w, 3) of each stage of reading a photo of Between Two Cities."""
    photo, model = load_photo(path).image_bgr, model_of(built_in_edition(BETWEEN_TWO_CITIES))
    pyramid = Pyramid(photo)
    yield "eye-locate", _located(photo)
    (found, *_) = detect_grids(pyramid, model.grid_format, first_areas(model.grid_format)[0])
    camera, seen = place_grids(pyramid, found, model)
    lattices = [
        cell_quads_px(camera, one.lattice_grid.lattice, one.lattice_grid.cells()) for one in seen
    ]
    yield "eye-lattice", _drawn(photo, lattices, GREEN)
    candidates = make_candidates(pyramid, camera, seen, model)
    patches = cut_patches(pyramid, candidates[0].placed.tile_quads_px)
    edge = [((0.0, 0.0, 1.0, 1.0), GREEN)]
    yield "eye-patches", _in_rows(_marked(patch, edge) for patch in patches)
    (city, *_) = recognise_image(Pyramid(photo), model).grids
    yield "eye-closer", _in_rows(_closer(pyramid, city, model.references))


def _located(photo: Image) -> Image:
    """Draw the tile probability of each map cell of the reduced photo, and the tiles detected."""
    small = reduce_image(photo, photo.shape[1] / 768)
    maps = run_network(small)
    likely = 1 / (1 + np.exp(-maps[0]))
    heat = np.kron(likely, np.ones((STRIDE_PX, STRIDE_PX), np.float32))[..., None]
    shown = np.asarray(small * (0.35 + 0.65 * heat), np.uint8)
    tiles = decode_detections(maps, plots=False)
    corners = (UNIT_SQUARE - 0.5)[None] @ tiles.edges + tiles.centres[:, None]
    return _drawn(shown, [floats(corners)], GREEN)


def _drawn(photo: Image, quads: list[Floats], colour: tuple[int, int, int]) -> Image:
    """A photo made smaller, with quads (n, 4, 2) in it."""
    scale = WIDTH / photo.shape[1]
    size = WIDTH, round(photo.shape[0] * scale)
    shown = cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
    lines = [np.round(quad * scale * 16).astype(np.int32) for each in quads for quad in each]
    cv2.polylines(shown, lines, True, colour, 1, cv2.LINE_AA, 4)
    return np.asarray(shown, np.uint8)


Box = tuple[float, float, float, float]


def _closer(pyramid: Pyramid, city: RecognisedGrid, known: References) -> Iterator[Image]:
    """The tiles of a city as it is read, where each was looked at closer, and how sure each is."""
    first = {
        known.faces[face]: n for n, face in reversed(list(enumerate(known.face_index.tolist())))
    }
    for cell in np.ndindex(*city.confidence.shape):
        patch = cut_patches(pyramid, city.quads_px[cell][None])[0]
        mine, (rival, _) = first[city.faces[cell[0]][cell[1]]], city.next_faces[cell][0]
        boxes: list[tuple[Box, tuple[int, int, int]]] = []
        if known.are_lookalikes(mine, first[rival]):
            windows = discriminative_windows(known, mine, first[rival])
            boxes = [((x, y, x + WINDOW, y + WINDOW), BLUE) for x, y in WINDOWS[list(windows)]]
        shown = _marked(patch, boxes)
        cv2.rectangle(shown, (0, 0), (62, 20), WHITE, -1)
        text = f"{city.confidence[cell]:.3f}"
        cv2.putText(shown, text, (4, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
        yield shown


def _marked(patch: Image, boxes: Iterable[tuple[Box, tuple[int, int, int]]]) -> Image:
    """A patch made larger, with boxes in tile widths."""
    shown = cv2.resize(patch, None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_CUBIC)
    for box, colour in boxes:
        left, top, right, bottom = (round(ZOOM * (MARGIN_PX + TILE_PX * side)) for side in box)
        cv2.rectangle(shown, (left, top), (right, bottom), colour, 1)
    return np.asarray(shown, np.uint8)


def _in_rows(patches: Iterable[Image]) -> Image:
    """Sixteen patches in four rows."""
    gap = cv2.BORDER_CONSTANT
    cells = [cv2.copyMakeBorder(each, 0, 4, 0, 4, gap, value=WHITE) for each in patches]
    rows = [np.hstack(cells[row : row + 4]) for row in range(0, 16, 4)]
    return np.asarray(np.vstack(rows), np.uint8)
