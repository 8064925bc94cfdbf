"""Train the locator: ``python -m vision.training.train_locator --photos DIR --out FILE.onnx``."""

from argparse import ArgumentParser
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.networks import LOCATOR_CHANNELS
from vision.training import sources
from vision.training.course import Shares, add_arguments, course_of, trained
from vision.training.export import export
from vision.training.locator_samples import (
    Pyramid,
    composed_scene,
    photo_tiles,
    retaken_scene,
    targets,
)
from vision.training.models import Locator
from vision.training.streams import Sample, SampleMaker, image_tensor
from vision.training.truth import PhotoTruth

SCENE_PX = 384
RETAKEN_SHARE = 0.4
DRAWN_SHARE = 0.4
EXAMPLE_SIZE_HW = (576, 1024)


def scene_maker(photos: Sequence[PhotoTruth]) -> SampleMaker:
    """Samples (picture, target maps, faces)."""
    drawn = sources.tile_source(sources.drawn_tiles())
    printed = photo_tiles(photos)
    pyramids = [Pyramid.of(photo) for photo in photos]

    def make(rng: np.random.Generator) -> Sample:
        if pyramids and rng.random() < RETAKEN_SHARE:
            scene = retaken_scene(rng, SCENE_PX, pyramids[int(rng.integers(len(pyramids)))])
        else:
            own = not printed or rng.random() < DRAWN_SHARE
            tiles = drawn if own else printed[int(rng.integers(len(printed)))]
            scene = composed_scene(rng, SCENE_PX, tiles, drawn)
        maps, faces = targets(scene)
        return image_tensor(scene.image), maps, faces

    return make


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
    images, maps, faces = batch
    out = model.with_faces(images.float())
    said, tile, no_tile = out[:, 0] > 0, maps[:, 0] > 0, maps[:, 0] == 0
    hits, false_alarms = int((said & tile).sum()), int((said & no_tile).sum())
    shares = {"recall": (hits, int(tile.sum())), "precision": (hits, hits + false_alarms)}
    return locator_loss(out, maps, faces), shares


def main() -> None:
    """Read the arguments, train, write the network."""
    parser = ArgumentParser(description=__doc__)
    add_arguments(parser, batch=12)
    course = course_of(parser.parse_args())
    model = trained(course, Locator, scene_maker(course.photos), judge, peak_rate=5e-3)
    export(model, EXAMPLE_SIZE_HW, course.out, model.deployed())


if __name__ == "__main__":
    main()
