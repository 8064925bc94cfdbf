"""Train the network that turns a patch into a vector.

python -m vision.lab.training.train_embedder --out FILE.onnx --steps N [--start FILE.pt|FILE.onnx]
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.lab.simulate.drawing import Rng
from vision.lab.training.patch_batches import PatchBatch, PatchBatches, relit
from vision.lab.training.train_locator import Residual, downsampling
from vision.lab.training.training_loop import (
    BatchStream,
    Shares,
    begin,
    make_parser,
    replay,
    start_from,
    train,
    write_onnx,
)
from vision.patches.embedding import (
    CORNER_SCALE,
    OUTPUT_NAMES,
    PART_CELLS,
    PART_COUNT,
    PART_VECTOR_SIZE,
    PATCH_PX,
    STRIDE_PX,
    VECTOR_SIZE,
    network_input,
)

BATCH_FACES, BATCH_VIEWS, BATCH_OTHERS = 48, 4, 40
"""Faces of a batch, patches of each, and patches of no tile."""
MAX_KEPT_BATCHES, MEAN_USES = 400, 4.0
"""Number of batches that are kept to be learned from again, and mean number of times for each."""
TEMPERATURE = 0.07
PART_TEMPERATURE = 0.1
PART_APART = 0.13
"""Difference of a part of two pictures, the root mean square of logarithms, above which the part
vectors must differ."""
CORNERS = slice(VECTOR_SIZE, VECTOR_SIZE + 8)
WHOLE = VECTOR_SIZE + 8


class PatchEmbedder(nn.Module):
    """Network from logarithms (n, 3, PATCH_PX, PATCH_PX) to (n, OUTPUTS)."""

    def __init__(self, fine: int = 24, coarse: int = 48) -> None:
        super().__init__()
        self.stem = downsampling(3, fine, 4)
        self.fine = nn.ModuleList([Residual(fine) for _ in range(3)])
        self.down = downsampling(fine, coarse, 2)
        self.coarse = nn.ModuleList([Residual(coarse) for _ in range(3)])
        self.out = nn.Conv2d(coarse, VECTOR_SIZE + 8 + 1, PATCH_PX // STRIDE_PX)
        self.parts = nn.Conv2d(coarse, PART_VECTOR_SIZE, PART_CELLS, stride=PART_CELLS)

    def forward(self, x: Tensor) -> Tensor:
        """Map patches (n, 3, PATCH_PX, PATCH_PX) to outputs."""
        x = self.features(x)
        parts = self.parts(x).flatten(2).transpose(1, 2).flatten(1)
        output: Tensor = torch.cat([self.out(x).flatten(1), parts], dim=1)
        return output

    def features(self, x: Tensor) -> Tensor:
        """Compute the features that both outputs are made of."""
        x = self.stem(x)
        for layer in self.fine:
            x = layer(x)
        x = self.down(x)
        for layer in self.coarse:
            x = layer(x)
        return x


class TwoOutputs(nn.Module):
    """Network with the outputs of its file, for patches (n, 3, PATCH_PX, PATCH_PX)."""

    def __init__(self, embedder: nn.Module) -> None:
        super().__init__()
        self.net = embedder

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Map patches to outputs (n, VECTOR_SIZE + 9, 1, 1) and vectors of parts.

        The last layer sees all patches beside one another, in one image: OpenCV then fetches its
        many weights once, not for each patch.
        """
        x = self.net.features(x)
        side = PATCH_PX // STRIDE_PX
        beside = x.permute(1, 2, 0, 3).reshape(1, self.net.out.in_channels, side, -1)
        said = functional.conv2d(beside, self.net.out.weight, self.net.out.bias, stride=side)
        return said.permute(3, 1, 0, 2), self.net.parts(x)


def make_batches(rng: Rng) -> Iterator[PatchBatch]:
    """Yield batches without end; each comes a few times, in another light each time."""
    source = PatchBatches(rng)
    drawn = replay(
        rng,
        lambda: source.draw(BATCH_FACES, BATCH_VIEWS, BATCH_OTHERS),
        MEAN_USES,
        MAX_KEPT_BATCHES,
        few=10,
    )
    for batch, is_new in drawn:
        yield batch if is_new else replace(batch, patches=relit(rng, batch.patches))


def compute_output_loss(out: Tensor, batch: PatchBatch) -> tuple[Tensor, tuple[float, ...]]:
    """Return the loss, and measures: faces right, corner error, wholeness wrong, parts right."""
    vectors = functional.normalize(out[:, :VECTOR_SIZE], dim=1)
    faces = torch.from_numpy(batch.faces)
    alike = torch.from_numpy(batch.alike)[faces][:, faces]
    itself = torch.eye(len(faces), dtype=torch.bool)
    same = (faces[:, None] == faces[None]) & ~itself
    near = (vectors @ vectors.T) / TEMPERATURE
    near = near.masked_fill(itself | (alike & ~same), -1e4)
    asked = same.any(dim=1)
    log_share = (near - torch.logsumexp(near, dim=1, keepdim=True))[asked]
    loss = -(log_share * same[asked]).sum() / same.sum()
    right = same.gather(1, near.argmax(dim=1, keepdim=True))[asked].float().mean()
    whole = torch.from_numpy(batch.whole)
    known = (whole >= 0).float()
    whole_loss = functional.binary_cross_entropy_with_logits(
        out[:, WHOLE], whole.clamp(min=0), reduction="none"
    )
    place = (whole > 0).float()
    corners = torch.from_numpy(batch.corners).flatten(1)
    off = functional.smooth_l1_loss(
        out[:, CORNERS], corners * CORNER_SCALE, reduction="none", beta=0.1
    ).mean(dim=1)
    loss = loss + 0.3 * (whole_loss * known).sum() / known.sum()
    loss = loss + 0.7 * (off * place).sum() / place.sum()
    miss = (out[:, CORNERS].detach() / CORNER_SCALE - corners).abs().mean(dim=1)
    wrong = ((out[:, WHOLE] > 0).float() != whole).float()
    of_parts, parts_right = compute_parts_loss(out[:, WHOLE + 1 :], batch)
    measures = (
        right,
        (miss * place).sum() / place.sum(),
        (wrong * known).sum() / known.sum(),
        parts_right,
    )
    return loss + 0.5 * of_parts, tuple(float(f) for f in measures)


def compute_parts_loss(out: Tensor, batch: PatchBatch) -> tuple[Tensor, Tensor]:
    """Return the loss of the part vectors, and the share of nearest neighbours that are right."""
    bare = torch.from_numpy(np.flatnonzero((batch.pictures >= 0) & (batch.whole > 0)))
    pictures = torch.from_numpy(batch.pictures)[bare]
    vectors = functional.normalize(out[bare].unflatten(1, (PART_COUNT, PART_VECTOR_SIZE)), dim=2)
    near = torch.einsum("ipd,jpd->pij", vectors, vectors) / PART_TEMPERATURE
    itself = torch.eye(len(bare), dtype=torch.bool)
    same = (pictures[:, None] == pictures[None]) & ~itself
    apart = torch.from_numpy(batch.apart)[pictures][:, pictures].permute(2, 0, 1) > PART_APART
    near = near.masked_fill(~(same | apart), -1e4)
    asked = (same & apart.any(dim=2, keepdim=True)).float()
    log_share = near - torch.logsumexp(near, dim=2, keepdim=True)
    loss = -(log_share * asked).sum() / asked.sum()
    asks = asked.any(dim=2)
    best = near.argmax(dim=2)
    right = torch.gather(same.expand(PART_COUNT, -1, -1), 2, best[..., None])[..., 0]
    return loss, right[asks].float().mean()


def compute_loss(network: nn.Module, batch: PatchBatch) -> tuple[Tensor, Shares]:
    """Return the loss, and measures on faces, corners, whole tiles and parts."""
    x = torch.from_numpy(_network_input(batch))
    if torch.rand(()) < 0.5:
        x = x[:, torch.randperm(3)]
    loss, measures = compute_output_loss(
        network(x.contiguous(memory_format=torch.channels_last)), batch
    )
    names = "nearest right", "corners", "whole wrong", "parts right"
    return loss, {name: (measure, 1.0) for name, measure in zip(names, measures, strict=True)}


def export(network: nn.Module, path: Path) -> None:
    """Write a network as ONNX, for any number of patches."""
    shape = 1, 3, PATCH_PX, PATCH_PX
    write_onnx(TwoOutputs(network), shape, path, tuple(OUTPUT_NAMES), {0: "n"})


def _network_input(batch: PatchBatch) -> NDArray[np.float32]:
    """Return the network's input (n, 3, PATCH_PX, PATCH_PX) for a batch."""
    return network_input(batch.patches)[0]


def main() -> None:
    """Train."""
    options = make_parser(__doc__, steps=20_000, rate=2e-3).parse_args()
    begin(options)
    network, batches = PatchEmbedder(), BatchStream(make_batches, options.seed)
    if options.start and options.start.suffix == ".onnx":
        start_from(network, [options.start], torch.from_numpy(_network_input(next(iter(batches)))))
    train(network, options, batches.prefetch(), compute_loss, export)


if __name__ == "__main__":
    main()
