"""Endless batches for PyTorch, made by worker processes, each with its own seeded generator."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.arrays import Image

Sample = tuple[NDArray[Any] | np.int64, ...]
"""What a network sees, (3, h, w) uint8, and what it should say."""

SampleMaker = Callable[[np.random.Generator], Sample]


@dataclass(frozen=True, slots=True)
class Reuse:
    """How samples come again: making one takes longer than learning from it.

    Attributes:
        uses: how often each comes on average.
        kept: so many are kept to come again; with many the same one seldom comes twice in a batch.
    """

    uses: int = 2
    kept: int = 256


SELDOM = Reuse()


class Stream(IterableDataset[Sample]):
    """Calls ``make(rng)`` for ever, and gives each sample several times."""

    def __init__(self, make: SampleMaker, seed: int, reuse: Reuse) -> None:
        self.make = make
        self.seed = seed
        self.reuse = reuse

    def __iter__(self) -> Iterator[Sample]:
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        kept: list[Sample] = []
        while True:
            place = int(rng.integers(self.reuse.kept))
            if place >= len(kept):
                kept.append(self.make(rng))
                yield kept[-1]
                continue
            if rng.random() < 1 / self.reuse.uses:
                kept[place] = self.make(rng)
            yield kept[place]


def batches(
    make: SampleMaker, seed: int, size: int, workers: int, reuse: Reuse = SELDOM
) -> Iterator[list[torch.Tensor]]:
    """Batches of ``size`` samples."""
    loader = DataLoader(
        Stream(make, seed, reuse),
        batch_size=size,
        num_workers=workers,
        prefetch_factor=4 if workers else None,
    )
    return iter(loader)


def image_tensor(image: Image) -> Image:
    """(h, w, 3) to contiguous (3, h, w)."""
    return np.ascontiguousarray(image.transpose(2, 0, 1))
