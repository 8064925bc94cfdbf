"""Train the locator: ``python -m vision.training.train_locator --photos DIR --out FILE.onnx``."""

from argparse import ArgumentParser
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.networks import LOCATOR_CHANNELS, locator_features
from vision.stems import Stem
from vision.training import sources
from vision.training.course import Shares, add_arguments, add_teacher, course_of, photos_of, trained
from vision.training.export import export
from vision.training.lessons import TEACHER_WEIGHT, relit, tiles_apart, tinted
from vision.training.locator_samples import (
    PhotoLevels,
    composed_scene,
    photo_tiles,
    retaken_scene,
    targets,
)
from vision.training.models import WIDE, Locator
from vision.training.streams import Sample, SampleMaker, image_tensor
from vision.training.truth import PhotoTruth

SCENE_PX = 384
RETAKEN_SHARE = 0.4
DRAWN_SHARE = 0.4
EXAMPLE_SIZE_HW = (72, 128)
"""In features."""


def scene_maker(photos: Sequence[PhotoTruth], teacher: Path | None = None) -> SampleMaker:
    """Samples (picture, target maps, faces), and what the teacher says of it, if there is one."""
    drawn = sources.tile_source(sources.drawn_tiles())
    printed = photo_tiles(photos)
    pyramids = [PhotoLevels.of(photo) for photo in photos]

    def make(rng: np.random.Generator) -> Sample:
        if pyramids and rng.random() < RETAKEN_SHARE:
            scene = retaken_scene(rng, SCENE_PX, pyramids[int(rng.integers(len(pyramids)))])
        else:
            own = not printed or rng.random() < DRAWN_SHARE
            tiles = drawn if own else printed[int(rng.integers(len(printed)))]
            scene = composed_scene(rng, SCENE_PX, tiles, drawn)
        picture = image_tensor(scene.image)
        if teacher is None:
            return picture, *targets(scene)
        return picture, *targets(scene), taught_by(teacher, picture)

    return make


@cache
def _network(onnx: Path) -> tuple[Stem, cv2.dnn.Net]:
    stem = Stem.read(onnx.with_suffix(".npz").read_bytes())
    return stem, cv2.dnn.readNetFromONNX(str(onnx))


def taught_by(teacher: Path, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What another locator (as exported) says of a picture (3, h, w)."""
    stem, network = _network(teacher)
    network.setInput(locator_features(stem, picture.transpose(1, 2, 0)))
    said: NDArray[np.float32] = np.asarray(network.forward(), np.float32)[0]
    return said


def locator_loss(out: Tensor, maps: Tensor, faces: Tensor) -> Tensor:
    """Tile or not; its centre and shape; and, as a help, its face."""
    known = (maps[:, 0] >= 0).float()
    tile = functional.binary_cross_entropy_with_logits(
        out[:, 0], maps[:, 0].clamp(min=0), reduction="none"
    )
    focus = torch.where(maps[:, 0] > 0, 1.0, 0.6)
    places = functional.smooth_l1_loss(out[:, 1:8], maps[:, 1:8], reduction="none", beta=0.05)
    weight = maps[:, 8:9]
    in_tile_widths = torch.cat([torch.exp2(-maps[:, 3:4])] * 2 + [torch.ones_like(weight)] * 5, 1)
    places = places * in_tile_widths
    face = functional.cross_entropy(out[:, LOCATOR_CHANNELS:], faces, ignore_index=-1)
    return (
        4 * (tile * known * focus).sum() / known.sum()
        + 2 * (places * weight).sum() / (weight.sum() + 1)
        + 0.2 * torch.nan_to_num(face)
    )


def judge(model: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Shares]:
    """The loss, and how many cells within tiles are found and how many found ones are right."""
    images, maps, faces, *teacher = batch
    out = model.with_faces(tinted(relit(images.float())))
    said, tile, no_tile = out[:, 0] > 0, maps[:, 0] > 0, maps[:, 0] == 0
    hits, false_alarms = int((said & tile).sum()), int((said & no_tile).sum())
    shares = {"recall": (hits, int(tile.sum())), "precision": (hits, hits + false_alarms)}
    loss = locator_loss(out, maps, faces)
    for taught in teacher:
        loss = loss + TEACHER_WEIGHT * tiles_apart(out, taught, maps[:, 8:9])
    return loss, shares


def main() -> None:
    """Read the arguments, train, write the network."""
    parser = ArgumentParser(description=__doc__)
    add_arguments(parser, batch=12)
    add_teacher(parser)
    arguments = parser.parse_args()
    course = course_of(arguments)
    make = scene_maker(photos_of(arguments), arguments.teacher)
    new_model = partial(Locator, arguments.channels or WIDE)
    model = trained(course, new_model, make, judge, peak_rate=5e-3)
    shape = (len(model.stem.second_bias), *EXAMPLE_SIZE_HW)
    export(model, shape, course.out, model.deployed(), model.stem)


if __name__ == "__main__":
    main()
