"""Endless batches for PyTorch, made by worker processes, each with its own seeded generator."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.arrays import Image

Sample = tuple[NDArray[Any] | np.int64, ...]
"""What a network sees, (3, h, w) uint8, and what it should say."""

SampleMaker = Callable[[np.random.Generator], Sample]


USES = 2
"""How often each sample comes on average: making one takes longer than learning from it."""
KEPT_SAMPLES = 256
"""So many are kept to come again, so that the same one seldom comes twice in one batch."""


class Stream(IterableDataset[Sample]):
    """Calls ``make(rng)`` for ever, and gives each sample USES times on average."""

    def __init__(self, make: SampleMaker, seed: int) -> None:
        self.make = make
        self.seed = seed

    def __iter__(self) -> Iterator[Sample]:
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        kept: list[Sample] = []
        while True:
            place = int(rng.integers(KEPT_SAMPLES))
            if place >= len(kept):
                kept.append(self.make(rng))
                yield kept[-1]
                continue
            if rng.random() < 1 / USES:
                kept[place] = self.make(rng)
            yield kept[place]


def batches(make: SampleMaker, seed: int, size: int, workers: int) -> Iterator[list[torch.Tensor]]:
    """Batches of ``size`` samples."""
    loader = DataLoader(
        Stream(make, seed),
        batch_size=size,
        num_workers=workers,
        prefetch_factor=4 if workers else None,
    )
    return iter(loader)


def image_tensor(image: Image) -> Image:
    """(h, w, 3) to contiguous (3, h, w)."""
    return np.ascontiguousarray(image.transpose(2, 0, 1))
