"""Folders of photos with ground truth: ``NAME.jpg`` beside ``NAME.json``.

The JSON holds ``photo``, ``cities`` (each with ``grid`` of face names, ``tile_corners_px``: a quad
for each cell in reading order, corners top left, top right, bottom right, bottom left as read
upright, and perhaps ``occluded`` cells and ``duplexes``), and perhaps ``stray_tiles`` (``face``
and ``corners_px``), as ``stadtblick simulate`` writes them.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scoring.faces import Cell, Face
from vision.arrays import Corners, Image, floats
from vision.photo import MAX_DECODED_PIXELS

FACES = tuple(Face)


@dataclass(frozen=True, slots=True)
class TileTruth:
    """One tile.

    Attributes:
        face: index into ``FACES``.
        quad_px: its corners, top left first as read upright.
        city: index of its city; -1: a stray tile.
        hidden: whether something lies on it.
        cell: of its city.
    """

    face: int
    quad_px: Corners
    city: int
    hidden: bool
    cell: Cell = (0, 0)


@dataclass(frozen=True, slots=True)
class PhotoTruth:
    """One photo with all of its tiles; for each city, if told, the cells of its duplex tiles."""

    name: str
    image_bgr: Image
    tiles: tuple[TileTruth, ...]
    duplexes: Mapping[int, frozenset[tuple[Cell, Cell]]] = field(default_factory=dict)


def tiles_of(truth: dict[str, Any]) -> Iterator[TileTruth]:
    """Every tile that the ground truth names, those of cities first."""
    for number, city in enumerate(truth["cities"]):
        hidden = {tuple(cell) for cell in city.get("occluded", [])}
        columns = len(city["grid"][0])
        faces = [face for row in city["grid"] for face in row]
        for index, (face, quad) in enumerate(zip(faces, city["tile_corners_px"], strict=True)):
            if face is not None and quad is not None:
                cell = divmod(index, columns)
                index_of_face = FACES.index(Face(face))
                yield TileTruth(index_of_face, floats(quad), number, cell in hidden, cell)
    for stray in truth.get("stray_tiles", []):
        face, quad = FACES.index(Face(stray["face"])), floats(stray["corners_px"])
        yield TileTruth(face, quad, -1, hidden=False)


def duplexes_of(truth: dict[str, Any]) -> dict[int, frozenset[tuple[Cell, Cell]]]:
    """The duplex tiles of each city of which it is told, left or upper cell first."""
    return {
        number: frozenset(_pair(cells) for cells in city["duplexes"])
        for number, city in enumerate(truth["cities"])
        if "duplexes" in city
    }


def _pair(cells: list[list[int]]) -> tuple[Cell, Cell]:
    first, second = sorted((int(row), int(column)) for row, column in cells)
    return first, second


def load_folder(folder: Path) -> list[PhotoTruth]:
    """All ground-truthed photos of a folder, sorted by name."""
    photos = []
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        image = cv2.imread(str(folder / truth["photo"]))
        if image is None:
            raise FileNotFoundError(f"{folder / truth['photo']} is missing or not an image")
        tiles = tuple(tiles_of(truth))
        photo = PhotoTruth(path.stem, np.asarray(image, np.uint8), tiles, duplexes_of(truth))
        photos.append(as_decoded(photo))
    return photos


def as_decoded(photo: PhotoTruth) -> PhotoTruth:
    """The photo as the eye gets it: large ones are halved until they are small enough."""
    h, w = photo.image_bgr.shape[:2]
    if h * w <= MAX_DECODED_PIXELS:
        return photo
    image = cv2.resize(photo.image_bgr, (w // 2, h // 2), interpolation=cv2.INTER_AREA)
    tiles = tuple(
        replace(tile, quad_px=floats((tile.quad_px + 0.5) / 2 - 0.5)) for tile in photo.tiles
    )
    return as_decoded(replace(photo, image_bgr=np.asarray(image, np.uint8), tiles=tiles))
