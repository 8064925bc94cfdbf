"""Train the locator of an own edition of free tiles, on simulated photos.

``python -m vision.training.train_board_locator --game cities --photos DIR --out cities.onnx``
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial

import numpy as np

from vision.editions.folder import own_edition
from vision.training.board_photos import photos_of_tiles
from vision.training.course import add_arguments, course_of, names_held_out, trained
from vision.training.export import export
from vision.training.locator_samples import PhotoLevels, retaken_scene, targets
from vision.training.models import Locator
from vision.training.streams import Sample, SampleMaker, image_tensor
from vision.training.train_locator import EXAMPLE_SIZE_HW, SCENE_PX, judge

CHANNELS = 32
"""Tiles that are seen so large need fewer than those of Between Two Cities."""


def scene_maker(photos: Sequence[PhotoLevels]) -> SampleMaker:
    """Samples (picture, target maps, faces) of retaken photos."""

    def make(rng: np.random.Generator) -> Sample:
        scene = retaken_scene(rng, SCENE_PX, photos[int(rng.integers(len(photos)))])
        return image_tensor(scene.image), *targets(scene)

    return make


def main() -> None:
    """Read the arguments, train, write the network."""
    parser = ArgumentParser(description=__doc__)
    add_arguments(parser, batch=12)
    parser.add_argument("--game", default="cities", help="of whose own edition the tiles are")
    arguments = parser.parse_args()
    names = [face.name for face in own_edition(arguments.game).description.faces]
    photos = photos_of_tiles(arguments.photos, names, names_held_out(arguments))
    course = course_of(arguments)
    new_model = partial(Locator, CHANNELS, len(names))
    model = trained(course, new_model, scene_maker(photos), judge, peak_rate=7.5e-3)
    shape = (len(model.stem.second_bias), *EXAMPLE_SIZE_HW)
    export(model, shape, course.out, model.deployed(), model.stem)


if __name__ == "__main__":
    main()
