"""Train the network that finds figures and loose pieces.

python -m vision.training.piece_finder --out FILE.onnx --steps N [--seed N] [--start FILE.pt]
"""

from collections.abc import Iterator

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.locate import whitened
from vision.pieces import CHANNELS
from vision.training.course import Shares, begin, parser_of, train
from vision.training.practice_patches import relit
from vision.training.practice_pieces import PieceScene, figure_scene, loose_scene
from vision.training.practice_tables import Boxes
from vision.training.tile_locator import Residual, export, patches

BATCH = 20
KEPT = 2000
USES = 10.0
"""Each scene is seen about so many times, in other light and turns."""


class PieceFinder(nn.Module):
    """Whitened pictures (n, 3, h, w) to maps (n, CHANNELS, h/4, w/4) of ``vision.pieces``."""

    def __init__(self, fine: int = 20, coarse: int = 40) -> None:
        super().__init__()
        self.fine = nn.Sequential(patches(3, fine, 4), Residual(fine), Residual(fine))
        self.coarse = nn.Sequential(
            patches(fine, coarse, 2),
            *[Residual(coarse) for _ in range(4)],
            nn.Conv2d(coarse, fine, 1),
        )
        self.out = nn.Sequential(Residual(fine), Residual(fine), nn.Conv2d(fine, CHANNELS, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Pictures to maps."""
        fine = self.fine(x)
        wide = functional.interpolate(self.coarse(fine), scale_factor=2.0)
        maps: Tensor = self.out(torch.relu(fine + wide))
        return maps


def turned(
    rng: np.random.Generator, image: NDArray[np.uint8], maps: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A scene mirrored and turned by quarters at random."""
    maps = maps.copy()
    if rng.random() < 0.5:
        image, maps = image[:, ::-1], maps[:, :, ::-1]
        maps[[1, 4, 7]] *= -1
    if rng.random() < 0.5:
        image, maps = image[::-1], maps[:, ::-1]
        maps[[2, 5, 7]] *= -1
    if rng.random() < 0.5:
        image, maps = image.transpose(1, 0, 2), maps.transpose(0, 2, 1)[[0, 2, 1, 3, 5, 4, 6, 7]]
        maps[7] *= -1
    return np.ascontiguousarray(image), np.ascontiguousarray(maps)


class Samples(torch.utils.data.IterableDataset[tuple[NDArray[np.float32], NDArray[np.float32]]]):
    """Endless batches of scenes: whitened (n, 3, h, w) and maps."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __iter__(self) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Batches."""
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        boxes, kept = Boxes(), list[PieceScene]()
        while True:
            batch = []
            for _ in range(BATCH):
                if len(kept) < 2 * BATCH or rng.random() < 1 / USES:
                    draw = figure_scene if rng.random() < 0.55 else loose_scene
                    kept.append(draw(rng, boxes))
                    if len(kept) > KEPT:
                        kept.pop(int(rng.integers(KEPT)))
                    scene, image = kept[-1], kept[-1].image
                else:
                    scene = kept[int(rng.integers(len(kept)))]
                    image = relit(rng, scene.image[None])[0]
                image, maps = turned(rng, image, scene.maps)
                batch.append((whitened(image)[0], maps))
            yield np.stack([x for x, _ in batch]), np.stack([m for _, m in batch])


def loss_of(out: Tensor, maps: Tensor) -> tuple[Tensor, tuple[float, ...]]:
    """The loss; of figures and of loose pieces the squares missed and wrongly taken, ways off."""
    loss, figures = out.new_zeros(()), []
    for first, last in ((0, 3), (3, 8)):
        truth, said = maps[:, first], out[:, first]
        known, here = (truth >= 0).float(), (truth > 0).float()
        bce = functional.binary_cross_entropy_with_logits(
            said, truth.clamp(min=0), reduction="none"
        )
        weight, many = known * (1 + 2 * here), here.sum() + 1
        ways, true = out[:, first + 1 : last], maps[:, first + 1 : last]
        off = functional.smooth_l1_loss(ways, true, reduction="none", beta=0.1).sum(dim=1)
        loss = loss + 3 * (bce * weight).sum() / weight.sum() + (off * here).sum() / many
        positive = (said > 0).float()
        away = torch.linalg.vector_norm((ways[:, :2] - true[:, :2]).detach(), dim=1)
        figures += [
            ((1 - positive) * here).sum() / many,
            (positive * (truth == 0)).sum() / ((truth == 0).sum() + 1),
            (away * here).sum() / many,
        ]
    return loss, tuple(float(f) for f in figures)


def judge(network: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Shares]:
    """The loss, and of figures and loose pieces what is missed, wrongly taken, how far off."""
    x, maps = batch
    if torch.rand(()) < 0.5:
        x = x[:, torch.randperm(3)]
    loss, figures = loss_of(network(x.contiguous(memory_format=torch.channels_last)), maps)
    names = (f"{what} {how}" for what in ("figures", "loose") for how in ("missed", "taken", "off"))
    return loss, {name: (figure, 1.0) for name, figure in zip(names, figures, strict=True)}


def main() -> None:
    """Train."""
    options = parser_of(__doc__, steps=8000, rate=3e-3).parse_args()
    begin(options)
    loader = torch.utils.data.DataLoader(
        Samples(options.seed), batch_size=None, num_workers=1, prefetch_factor=8
    )
    train(PieceFinder(), options, loader, judge, export)


if __name__ == "__main__":
    main()
