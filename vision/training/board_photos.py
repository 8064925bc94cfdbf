"""Folders of photos of other games with ground truth, as ``stadtblick simulate`` writes them.

The JSON holds ``photo``, ``cities`` (each with ``tiles``, names row by row, and ``tile_corners_px``
in the same order) and ``stray_tiles`` (``face`` and ``corners_px``).
"""

import json
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.arrays import Corners, floats
from vision.training.course import refuse_unknown
from vision.training.locator_samples import PhotoLevels
from vision.training.sources import half

LEVELS = 3


def photos_of_tiles(
    folders: Sequence[Path], names: Sequence[str], held_out: Set[str] = frozenset()
) -> list[PhotoLevels]:
    """All photos of some folders that show free tiles, at half of their size.

    Of several thousand photos the whole would not fit into memory, and the locator sees less.

    Args:
        folders: of photos with ground truth.
        names: of the faces, which are numbered in this order.
        held_out: names of photos to leave out.

    Raises:
        FileNotFoundError: a photo is missing or not an image.
        ValueError: a photo to leave out is in none of the folders, or no photo shows any tile.
    """
    photos: list[PhotoLevels] = []
    paths = sorted(path for folder in folders for path in folder.glob("*.json"))
    refuse_unknown(held_out, [path.stem for path in paths])
    for path in (path for path in paths if path.stem not in held_out):
        truth = json.loads(path.read_text(encoding="utf-8"))
        tiles = list(_tiles_of(truth, names))
        if not tiles:
            continue
        image = cv2.imread(str(path.parent / truth["photo"]))
        if image is None:
            raise FileNotFoundError(f"{path.parent / truth['photo']} is missing or not an image")
        levels = [half(np.asarray(image, np.uint8))]
        while len(levels) < LEVELS:
            levels.append(half(levels[-1]))
        faces, quads = zip(*tiles, strict=True)
        quads_px = floats((floats(quads) + 0.5) / 2 - 0.5)
        photos.append(PhotoLevels(tuple(levels), quads_px, np.array(faces, np.int64)))
    if not photos:
        raise ValueError("--photos: there is no photo with tiles and ground truth in these folders")
    return photos


def _tiles_of(truth: dict[str, Any], names: Sequence[str]) -> Iterator[tuple[int, Corners]]:
    """The number of the face and the corners of every tile."""
    for city in truth["cities"]:
        faces = [face for row in city["tiles"] for face in row]
        for face, quad in zip(faces, city["tile_corners_px"], strict=True):
            if face is not None and quad is not None:
                yield names.index(face), floats(quad)
    for stray in truth.get("stray_tiles", []):
        if stray["face"] in names:
            yield names.index(stray["face"]), floats(stray["corners_px"])
