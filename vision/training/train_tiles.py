"""Train the two tile readers: ``python -m vision.training.train_tiles {faces,emblem} ...``."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.arrays import Image
from vision.networks import (
    EMBLEM_CLASSES,
    EMBLEM_SHEET,
    EMBLEM_SIZE_PX,
    FACE_CLASSES,
    FACE_SHEET,
    Sheet,
)
from vision.simulate.scene import TileSource
from vision.training import sources
from vision.training.course import Shares, add_arguments, add_teacher, course_of, photos_of, trained
from vision.training.deployed import channels_of, with_weights_of
from vision.training.export import export
from vision.training.face_samples import (
    NO_EMBLEM,
    NO_TILE,
    Exhibit,
    background_sample,
    emblem_sample,
    face_sample,
    staged_exhibit,
)
from vision.training.lessons import (
    TEACHER_WEIGHT,
    corners_apart,
    faces_apart,
    names_apart,
    relit,
    tinted,
)
from vision.training.models import NARROW, EmblemReader, FaceReader, SheetReader, stem_of
from vision.training.streams import Sample, SampleMaker, image_tensor
from vision.training.truth import FACES, PhotoTruth

DRAWN_SHARE = 0.25
NO_TILE_SHARE = 0.2
BACKGROUND_SHARE = 0.12
BESIDE_TEACHER = 0.5
"""How much the truth counts if there is a teacher."""


class Exhibits:
    """Picks tiles to cut crops from: of ground-truthed photos, or of the drawn edition.

    Raises:
        ValueError: there are photos, but no tile of some face lies open in any of them.
    """

    def __init__(self, photos: Sequence[PhotoTruth]) -> None:
        self.photos = photos
        self.by_face: list[list[Exhibit]] = [[] for _ in FACES]
        for photo in photos:
            for tile in photo.tiles:
                if not tile.hidden:
                    exhibit = Exhibit(photo.image_bgr, tile.quad_px, tile.face)
                    self.by_face[tile.face].append(exhibit)
        lacking = [face.value for face, some in zip(FACES, self.by_face, strict=True) if not some]
        if photos and lacking:
            raise ValueError(f"the photos show no {', '.join(lacking)}; add some that do")
        self.drawn = sources.tile_source(sources.drawn_tiles())
        self.printed = [sources.tile_source(sources.photographed_tiles(p)) for p in photos]

    def pick(self, rng: np.random.Generator) -> Exhibit:
        """A tile, every face equally often, or what lies amid tiles and is none."""
        chance = rng.random()
        if chance < NO_TILE_SHARE:
            around = self.drawn
            if self.printed and rng.random() < 0.5:
                around = self.printed[int(rng.integers(len(self.printed)))]
            middle = sources.false_tile if rng.random() < 0.5 else None
            return self._staged(rng, around, middle)
        if not self.photos or chance < NO_TILE_SHARE + DRAWN_SHARE:
            return self._staged(rng, self.drawn, self.drawn)
        some = self.by_face[int(rng.integers(len(FACES)))]
        return some[int(rng.integers(len(some)))]

    def _staged(
        self, rng: np.random.Generator, around: TileSource, middle: TileSource | None
    ) -> Exhibit:
        size = int(rng.integers(110, 230))
        return staged_exhibit(rng, sources.table_top(rng, (size, size)), around, middle)

    def background(self, rng: np.random.Generator) -> Image:
        """A face crop of something that is no tile."""
        if self.photos and rng.random() < 0.6:
            photo = self.photos[int(rng.integers(len(self.photos)))]
            return background_sample(rng, photo.image_bgr, [t.quad_px for t in photo.tiles])
        return background_sample(rng, sources.table_top(rng, (400, 400)), [])


def face_maker(exhibits: Exhibits) -> SampleMaker:
    """Samples (crop, class, corner offsets)."""

    def make(rng: np.random.Generator) -> Sample:
        if rng.random() < BACKGROUND_SHARE:
            crop = exhibits.background(rng)
            return image_tensor(crop), np.int64(NO_TILE), np.zeros(8, np.float32)
        sample = face_sample(rng, exhibits.pick(rng))
        return image_tensor(sample.crop), np.int64(sample.label), sample.corners

    return make


def emblem_maker(exhibits: Exhibits) -> SampleMaker:
    """Samples (crop, class)."""

    def make(rng: np.random.Generator) -> Sample:
        if rng.random() < BACKGROUND_SHARE / 2:
            crop = cv2.resize(exhibits.background(rng), (EMBLEM_SIZE_PX, EMBLEM_SIZE_PX))
            return image_tensor(np.asarray(crop, np.uint8)), np.int64(NO_EMBLEM)
        crop, label = emblem_sample(rng, exhibits.pick(rng))
        return image_tensor(crop), np.int64(label)

    return make


def face_loss(out: Tensor, label: Tensor, corners: Tensor) -> Tensor:
    """Cross entropy of the classes, and L1 of the corners where there is a tile."""
    classes = functional.cross_entropy(out[:, :FACE_CLASSES], label, label_smoothing=0.01)
    tile = (label != NO_TILE).float()[:, None]
    return classes + corners_apart(out[:, FACE_CLASSES:], corners, tile)


def emblem_loss(out: Tensor, label: Tensor) -> Tensor:
    """Cross entropy."""
    return functional.cross_entropy(out, label, label_smoothing=0.01)


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the tile readers.

    Attributes:
        new_model: makes its network, with so many channels.
        maker: of what it learns from.
        loss: of what it says, from the labels.
        apart: how much two such readers disagree.
        classes: that it tells apart.
        sheet: on which it is used.
    """

    new_model: Callable[[int], FaceReader | EmblemReader]
    maker: Callable[[Exhibits], SampleMaker]
    loss: Callable[..., Tensor]
    apart: Callable[[Tensor, Tensor], Tensor]
    classes: int
    sheet: Sheet


KINDS: Mapping[str, Kind] = {
    "faces": Kind(FaceReader, face_maker, face_loss, faces_apart, FACE_CLASSES, FACE_SHEET),
    "emblem": Kind(
        EmblemReader, emblem_maker, emblem_loss, names_apart, EMBLEM_CLASSES, EMBLEM_SHEET
    ),
}


def judged(
    kind: Kind, teacher: nn.Module | None, model: nn.Module, batch: list[Tensor]
) -> tuple[Tensor, Shares]:
    """The loss of a reader, and how many crops it reads right."""
    images, label, *more = batch
    images = relit(images.float())
    out = model(tinted(images))
    loss = kind.loss(out, label, *more)
    if teacher is not None:
        with torch.no_grad():
            taught = teacher(images)
        loss = BESIDE_TEACHER * loss + TEACHER_WEIGHT * kind.apart(out, taught)
    right = int((out[:, : kind.classes].argmax(1) == label).sum())
    return loss, {"right": (right, len(label))}


def teacher_of(kind: Kind, path: Path) -> nn.Module:
    """A reader that was exported, to learn from."""
    return with_weights_of(kind.new_model(channels_of(path)), path).eval()


def main() -> None:
    """Read the arguments, train, write the network."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=list(KINDS))
    add_arguments(parser, batch=96)
    add_teacher(parser)
    arguments = parser.parse_args()
    kind, course = KINDS[arguments.kind], course_of(arguments)
    teacher = teacher_of(kind, arguments.teacher) if arguments.teacher else None
    make = kind.maker(Exhibits(photos_of(arguments)))
    new_model = partial(kind.new_model, arguments.channels or NARROW)
    model = trained(course, new_model, make, partial(judged, kind, teacher), peak_rate=4e-3)
    stem = stem_of(model.body)
    shape = (len(stem.second_bias), *kind.sheet.size_hw)
    export(model, shape, course.out, SheetReader(model, kind.sheet), stem)


if __name__ == "__main__":
    main()
