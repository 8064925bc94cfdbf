"""Learn the model of a built-in edition; to be run for a new drawing, and for each new network.

    python -m vision.lab.training.built_in_models GAME [PHOTOS] [--out DIR]

A drawn edition is learned from its pictures. Between Two Cities needs PHOTOS, a folder of
photos of the published tiles with their ground truth (``vision.lab.training.photos_with_truth``);
every other one is left for measuring. Photos of the drawn tiles are simulated.
A model holds vectors and no pictures, of Between Two Cities those of a few typical tiles of each
face.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats
from vision.editions.edition import BETWEEN_TWO_CITIES, BETWEEN_TWO_CITIES_FACES
from vision.editions.folder import BUILT_IN_MODEL_FOLDER, built_in_edition, built_in_games
from vision.editions.learning import learn_pictures
from vision.editions.model import Model, empty_model
from vision.editions.model_file import encode_model
from vision.editions.references import References
from vision.lab.simulate.games.between_two_cities import laid_out
from vision.lab.simulate.simulated_table import Surroundings, simulate_table
from vision.lab.training.photos_with_truth import PhotoTiles, load_photos, tiles_of_table
from vision.patches.cut import Pyramid, cut_patches
from vision.patches.embedding import embed
from vision.teaching.taught_tiles import add_tiles

TYPICAL: Final = 9
"""Tiles of each face that are kept, of the published and of the drawn ones."""
SEEDS: Final = range(1, 7)
"""Seeds of the simulated photos."""


def main() -> None:
    """Learn and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=built_in_games())
    parser.add_argument("photos", type=Path, nargs="?")
    parser.add_argument("--out", type=Path, default=BUILT_IN_MODEL_FOLDER)
    options = parser.parse_args()
    if not options.out.is_dir():
        parser.error(f"--out: no folder {options.out}; make it first")
    if (options.game == BETWEEN_TWO_CITIES) != (options.photos is not None):
        parser.error(f"PHOTOS belong to {BETWEEN_TWO_CITIES}, and to no other game")
    model = _between_two_cities(options.photos) if options.photos else _drawn(options.game)
    file = options.out / f"{options.game}.bin"
    file.write_bytes(encode_model(model))
    sys.stdout.write(f"{file}\n")


def _drawn(game: str) -> Model:
    """Learn the pictures of a drawn edition.

    Each is learned on a plain background. Amid other tiles, more figures are read wrong and sure: 5
    instead of 1 in 76 simulated photos of Cities.
    """
    edition = built_in_edition(game)
    return learn_pictures(empty_model(edition.description), edition, amid_others=False)


def _between_two_cities(folder: Path) -> Model:
    """Learn the published and the drawn tiles."""
    standard = built_in_edition(BETWEEN_TWO_CITIES)
    empty = empty_model(standard.description)
    published = _typical(load_photos(folder)[::2], empty)
    drawn = _typical(
        [_simulated(seed) for seed in SEEDS], learn_pictures(empty, standard, amid_others=False)
    )
    return replace(empty, references=published.joined(drawn))


def _simulated(seed: int) -> PhotoTiles:
    """Simulate a photo of the drawn tiles."""
    rng = np.random.default_rng(seed)
    grids = [
        [[BETWEEN_TWO_CITIES_FACES[n] for n in row] for row in grid]
        for grid in rng.integers(9, size=(4, 4, 4))
    ]
    surroundings = Surroundings(tilt=float(rng.uniform(0, 0.3)), props=0, strays=0)
    return tiles_of_table(
        simulate_table(
            seed, built_in_edition(BETWEEN_TWO_CITIES), laid_out(grids), surroundings=surroundings
        )
    )


def _typical(photos: Sequence[PhotoTiles], model: Model) -> References:
    """Choose the tiles of each face that together resemble all others of it best."""
    for photo in photos:
        tiles = [(q, city.faces[cell]) for city in photo.cities for cell, q in city.quads.items()]
        quads, picture = floats([quad for quad, _ in tiles]), Pyramid(photo.image)
        embeddings = embed(cut_patches(picture, quads))
        names = [face for _, face in tiles]
        model = add_tiles(picture, quads, embeddings, names, model)
    known = model.references
    kept: list[int] = []
    for face in range(len(known.faces)):
        mine = np.flatnonzero(known.face_index == face)
        upright = known.vectors[mine, 0, 0]
        kept += mine[_covering(upright @ upright.T, TYPICAL)].tolist()
    return known.take(np.array(sorted(kept)))


def _covering(similarity: NDArray[np.float32], count: int) -> list[int]:
    """Choose ``count`` rows of similarities (n, n) whose column maxima have the largest sum.

    One after the other (Nemhauser, Wolsey and Fisher 1978).
    """
    kept: list[int] = []
    reached = np.full(len(similarity), -1.0, np.float32)
    for _ in range(min(count, len(similarity))):
        gains = np.maximum(similarity, reached).sum(axis=1)
        gains[kept] = -np.inf
        kept.append(int(gains.argmax()))
        reached = np.maximum(reached, similarity[kept[-1]])
    return kept


if __name__ == "__main__":
    main()
