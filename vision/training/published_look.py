"""Learn what the published and the drawn tiles of Between Two Cities look like.

    python -m vision.training.published_look PHOTOS [--out FILE]

Reads a folder of ground-truthed photos (``vision.training.truth``); every other one is left for
measuring. What is written holds vectors of a few typical tiles of each face, and no pictures.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.anytiles.embedding import looks_of
from vision.anytiles.eye import Model
from vision.anytiles.identify import References
from vision.anytiles.model_file import model_bytes
from vision.anytiles.parameters import PARAMETERS
from vision.anytiles.reading import empty_model, of_pictures
from vision.anytiles.rectify import Pyramid, rectified
from vision.anytiles.teach import teach_tiles
from vision.arrays import floats
from vision.editions.edition import GAME
from vision.editions.folder import STANDARD_MODELS, own_edition
from vision.training.truth import FACES, PhotoTruth, load_folder

TYPICAL: Final = 10
"""Tiles of each face that are kept of all photos."""


def main() -> None:
    """Learn and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--out", type=Path, default=STANDARD_MODELS / f"{GAME}.bin")
    options = parser.parse_args()
    photos = [photo for photo in load_folder(options.photos) if "teach" not in photo.name]
    standard = own_edition(GAME)
    model = empty_model(standard.description)
    for photo in photos[::2]:
        model = _with_tiles(photo, model)
    published, drawn = _typical(model.references), of_pictures(standard).references
    model = replace(model, references=published.joined(drawn))
    options.out.write_bytes(model_bytes(model))


def _with_tiles(photo: PhotoTruth, model: Model) -> Model:
    """The model with all tiles of a photo that nothing hides."""
    tiles = [tile for tile in photo.tiles if not tile.hidden]
    quads, picture = floats([tile.quad_px for tile in tiles]), Pyramid(photo.image_bgr)
    names = [FACES[tile.face].value for tile in tiles]
    looks = looks_of(rectified(picture, quads))
    return teach_tiles(picture, quads, looks, names, model, PARAMETERS)


def _typical(known: References) -> References:
    """The references of each face that together resemble all others of it best."""
    kept: list[int] = []
    for face in range(len(known.faces)):
        mine = np.flatnonzero(known.face == face)
        upright = known.vectors[mine, 0, 0]
        kept += mine[_covering(upright @ upright.T, TYPICAL)].tolist()
    return known.chosen(np.array(sorted(kept)))


def _covering(alike: NDArray[np.float32], count: int) -> list[int]:
    """So many rows of likenesses (n, n) whose greatest values, column by column, are greatest.

    One after the other (Nemhauser, Wolsey and Fisher 1978).
    """
    kept: list[int] = []
    reached = np.full(len(alike), -1.0, np.float32)
    for _ in range(min(count, len(alike))):
        gains = np.maximum(alike, reached).sum(axis=1)
        gains[kept] = -np.inf
        kept.append(int(gains.argmax()))
        reached = np.maximum(reached, alike[kept[-1]])
    return kept


if __name__ == "__main__":
    main()
