"""Train the network that detects figures and loose pieces (``vision.eye.piece_detector``).

python -m vision.lab.training.train_piece_detector --out FILE.onnx --steps N [--seed N]
    [--start FILE.pt]
"""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.eye.locate import whiten
from vision.eye.piece_detector import CHANNELS
from vision.lab.simulate.drawing import Rng
from vision.lab.training.patch_batches import relit
from vision.lab.training.piece_scenes import PieceScene, draw_figure_scene, draw_loose_scene
from vision.lab.training.tile_families import FamilyPool
from vision.lab.training.train_locator import Residual, downsampling, export
from vision.lab.training.training_loop import (
    BatchStream,
    DirectedChannels,
    Shares,
    begin,
    make_parser,
    replay,
    train,
    turned,
)

BATCH = 20
MAX_KEPT_SCENES, MEAN_USES = 2000, 10.0
"""Scenes that are kept, and how often each is seen, in other light and turns."""
_DIRECTED = DirectedChannels(across=[1, 4], down=[2, 5], mirrored=[7], exchanged=[7])

Batch = tuple[NDArray[np.float32], NDArray[np.float32]]


class PieceDetector(nn.Module):
    """Network from whitened pictures (n, 3, h, w) to maps (n, CHANNELS, h/4, w/4)."""

    def __init__(self, fine: int = 20, coarse: int = 40) -> None:
        super().__init__()
        self.fine = nn.Sequential(downsampling(3, fine, 4), Residual(fine), Residual(fine))
        self.coarse = nn.Sequential(
            downsampling(fine, coarse, 2),
            *[Residual(coarse) for _ in range(4)],
            nn.Conv2d(coarse, fine, 1),
        )
        self.out = nn.Sequential(Residual(fine), Residual(fine), nn.Conv2d(fine, CHANNELS, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Map pictures to maps."""
        fine = self.fine(x)
        wide = functional.interpolate(self.coarse(fine), scale_factor=2.0)
        maps: Tensor = self.out(torch.relu(fine + wide))
        return maps


def make_batches(rng: Rng) -> Iterator[Batch]:
    """Yield batches without end: whitened pictures (n, 3, h, w), and maps."""
    pool = FamilyPool()

    def draw() -> PieceScene:
        return (draw_figure_scene if rng.random() < 0.55 else draw_loose_scene)(rng, pool)

    scenes = replay(rng, draw, MEAN_USES, MAX_KEPT_SCENES, few=2 * BATCH)
    while True:
        seen, maps = [], []
        for _ in range(BATCH):
            scene, is_new = next(scenes)
            image = scene.image if is_new else relit(rng, scene.image[None])[0]
            image, target = turned(rng, image, scene.maps, _DIRECTED)
            seen.append(whiten(image))
            maps.append(target)
        yield np.concatenate(seen), np.stack(maps)


def compute_output_loss(out: Tensor, maps: Tensor) -> tuple[Tensor, tuple[float, ...]]:
    """Return the loss, and map cells missed and wrongly taken and offsets, for both kinds."""
    loss, measures = out.new_zeros(()), []
    for first, last in ((0, 3), (3, 8)):
        truth, logits = maps[:, first], out[:, first]
        known, here = (truth >= 0).float(), (truth > 0).float()
        bce = functional.binary_cross_entropy_with_logits(
            logits, truth.clamp(min=0), reduction="none"
        )
        weight, many = known * (1 + 2 * here), here.sum() + 1
        ways, true = out[:, first + 1 : last], maps[:, first + 1 : last]
        off = functional.smooth_l1_loss(ways, true, reduction="none", beta=0.1).sum(dim=1)
        loss = loss + 3 * (bce * weight).sum() / weight.sum() + (off * here).sum() / many
        positive = (logits > 0).float()
        away = torch.linalg.vector_norm((ways[:, :2] - true[:, :2]).detach(), dim=1)
        measures += [
            ((1 - positive) * here).sum() / many,
            (positive * (truth == 0)).sum() / ((truth == 0).sum() + 1),
            (away * here).sum() / many,
        ]
    return loss, tuple(float(f) for f in measures)


def compute_loss(network: nn.Module, batch: Batch) -> tuple[Tensor, Shares]:
    """Return the loss, and shares missed, wrongly taken, and offsets of both kinds by name."""
    x, maps = map(torch.as_tensor, batch)
    if torch.rand(()) < 0.5:
        x = x[:, torch.randperm(3)]
    loss, measures = compute_output_loss(
        network(x.contiguous(memory_format=torch.channels_last)), maps
    )
    names = (f"{what} {how}" for what in ("figures", "loose") for how in ("missed", "taken", "off"))
    return loss, {name: (measure, 1.0) for name, measure in zip(names, measures, strict=True)}


def main() -> None:
    """Train."""
    options = make_parser(__doc__, steps=8000, rate=3e-3).parse_args()
    begin(options)
    train(
        PieceDetector(),
        options,
        BatchStream(make_batches, options.seed).prefetch(),
        compute_loss,
        export,
    )


if __name__ == "__main__":
    main()
