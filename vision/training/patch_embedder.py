"""Train the network that turns a patch into a vector.

python -m vision.training.patch_embedder --out FILE.onnx --steps N [--seed N] [--start FILE.pt]
"""

import argparse
import copy
import dataclasses
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.embedding import (
    ACROSS,
    DOWN,
    NAMES,
    PART_CELLS,
    PART_VECTOR,
    PARTS,
    PATCH_PX,
    PITCH_PX,
    VECTOR,
    logarithms,
)
from vision.training.practice_patches import Lesson, Practice, relit
from vision.training.tile_locator import (
    Residual,
    follow,
    patches,
    start_from,
    store_in_half,
)

FACES, VIEWS, OTHERS = 48, 4, 40
LESSONS_KEPT = 400
USES = 4.0
TEMPERATURE = 0.07
PART_TEMPERATURE = 0.1
PART_APART = 0.13
"""Parts of pictures that differ by more (root mean square of logarithms) look different."""
CORNERS = slice(VECTOR, VECTOR + 8)
WHOLE = VECTOR + 8


class PatchEmbedder(nn.Module):
    """Logarithms (n, 3, PATCH_PX, PATCH_PX) to (n, OUTPUTS), see ``vision.embedding``."""

    def __init__(self, fine: int = 24, coarse: int = 48) -> None:
        super().__init__()
        self.stem = patches(3, fine, 4)
        self.fine = nn.ModuleList([Residual(fine) for _ in range(3)])
        self.down = patches(fine, coarse, 2)
        self.coarse = nn.ModuleList([Residual(coarse) for _ in range(3)])
        self.out = nn.Conv2d(coarse, VECTOR + 8 + 1, PATCH_PX // 8)
        self.parts = nn.Conv2d(coarse, PART_VECTOR, PART_CELLS, stride=PART_CELLS)

    def forward(self, x: Tensor) -> Tensor:
        """Patches one by one."""
        x = self.stem(x)
        for layer in self.fine:
            x = layer(x)
        x = self.down(x)
        for layer in self.coarse:
            x = layer(x)
        parts = self.parts(x).flatten(2).transpose(1, 2).flatten(1)
        said: Tensor = torch.cat([self.out(x).flatten(1), parts], dim=1)
        return said


class Sheet(nn.Module):
    """The same for a picture of ACROSS x DOWN patches with gaps, which are kept at zero."""

    def __init__(self, embedder: PatchEmbedder) -> None:
        super().__init__()
        self.net = embedder
        one = torch.zeros(PITCH_PX // 4, PITCH_PX // 4)
        one[: PATCH_PX // 4, : PATCH_PX // 4] = 1
        mask = one.repeat(DOWN, ACROSS)[None, None]
        self.register_buffer("fine_mask", mask)
        self.register_buffer("coarse_mask", mask[:, :, ::2, ::2].contiguous())

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Pictures (1, 3, DOWN * PITCH_PX, ACROSS * PITCH_PX) to what is said of all patches.

        Returns:
            (1, VECTOR + 9, DOWN, ACROSS); and vectors of parts at all cells, of which those where
            parts begin count.
        """
        x = self.net.stem(x) * self.fine_mask
        for layer in self.net.fine:
            x = layer(x) * self.fine_mask
        x = self.net.down(x)
        for layer in self.net.coarse:
            x = layer(x * self.coarse_mask)
        x = x * self.coarse_mask
        weight, bias = self.net.out.weight, self.net.out.bias
        said = functional.conv2d(x, weight, bias, stride=PITCH_PX // 8)
        return said, functional.conv2d(x, self.net.parts.weight, self.net.parts.bias)


class Lessons(torch.utils.data.IterableDataset[Lesson]):
    """Endless lessons; each comes a few times, in another light each time."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __iter__(self) -> Iterator[Lesson]:
        """Lessons."""
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        practice = Practice(rng)
        kept: list[Lesson] = []
        while True:
            if len(kept) < 10 or rng.random() < 1 / USES:
                kept.append(practice.lesson(FACES, VIEWS, OTHERS))
                if len(kept) > LESSONS_KEPT:
                    kept.pop(int(rng.integers(LESSONS_KEPT)))
                yield kept[-1]
                continue
            old = kept[int(rng.integers(len(kept)))]
            yield dataclasses.replace(old, patches=relit(rng, old.patches))


def loss_of(out: Tensor, lesson: Lesson) -> tuple[Tensor, tuple[float, ...]]:
    """The loss, and: share of nearest neighbours that are right, error of corners, of wholeness."""
    vectors = functional.normalize(out[:, :VECTOR], dim=1)
    faces = torch.from_numpy(lesson.faces)
    alike = torch.from_numpy(lesson.alike)[faces][:, faces]
    itself = torch.eye(len(faces), dtype=torch.bool)
    same = (faces[:, None] == faces[None]) & ~itself
    near = (vectors @ vectors.T) / TEMPERATURE
    near = near.masked_fill(itself | (alike & ~same), -1e4)
    asked = same.any(dim=1)
    log_share = (near - torch.logsumexp(near, dim=1, keepdim=True))[asked]
    loss = -(log_share * same[asked]).sum() / same.sum()
    right = same.gather(1, near.argmax(dim=1, keepdim=True))[asked].float().mean()
    whole = torch.from_numpy(lesson.whole)
    known = (whole >= 0).float()
    said = functional.binary_cross_entropy_with_logits(
        out[:, WHOLE], whole.clamp(min=0), reduction="none"
    )
    place = (whole > 0).float()
    corners = torch.from_numpy(lesson.corners).flatten(1)
    off = functional.smooth_l1_loss(out[:, CORNERS], corners * 10, reduction="none", beta=0.1).mean(
        dim=1
    )
    loss = loss + 0.3 * (said * known).sum() / known.sum() + 0.7 * (off * place).sum() / place.sum()
    miss = (out[:, CORNERS].detach() / 10 - corners).abs().mean(dim=1)
    wrong = ((out[:, WHOLE] > 0).float() != whole).float()
    of_parts, parts_right = parts_loss(out[:, WHOLE + 1 :], lesson)
    figures = (
        right,
        (miss * place).sum() / place.sum(),
        (wrong * known).sum() / known.sum(),
        parts_right,
    )
    return loss + 0.5 * of_parts, tuple(float(f) for f in figures)


def parts_loss(out: Tensor, lesson: Lesson) -> tuple[Tensor, Tensor]:
    """The loss of the vectors of parts, and the share of nearest neighbours that are right."""
    bare = torch.from_numpy(np.flatnonzero((lesson.pictures >= 0) & (lesson.whole > 0)))
    pictures = torch.from_numpy(lesson.pictures)[bare]
    vectors = functional.normalize(out[bare].unflatten(1, (PARTS, PART_VECTOR)), dim=2)
    near = torch.einsum("ipd,jpd->pij", vectors, vectors) / PART_TEMPERATURE
    itself = torch.eye(len(bare), dtype=torch.bool)
    same = (pictures[:, None] == pictures[None]) & ~itself
    apart = torch.from_numpy(lesson.apart)[pictures][:, pictures].permute(2, 0, 1) > PART_APART
    near = near.masked_fill(~(same | apart), -1e4)
    asked = (same & apart.any(dim=2, keepdim=True)).float()
    log_share = near - torch.logsumexp(near, dim=2, keepdim=True)
    loss = -(log_share * asked).sum() / asked.sum()
    asks = asked.any(dim=2)
    best = near.argmax(dim=2)
    right = torch.gather(same.expand(PARTS, -1, -1), 2, best[..., None])[..., 0]
    return loss, right[asks].float().mean()


def export(network: PatchEmbedder, path: Path) -> None:
    """Write it as ONNX, for sheets of patches."""
    still = Sheet(copy.deepcopy(network).float().eval())
    shape = (1, 3, DOWN * PITCH_PX, ACROSS * PITCH_PX)
    names = list(NAMES)
    torch.onnx.export(
        still, (torch.zeros(shape),), str(path), dynamo=False, opset_version=13, output_names=names
    )
    store_in_half(path)


def _load(network: PatchEmbedder, path: Path, seed: int) -> None:
    """Begin with what was trained earlier: the whole state, or an ONNX file of it."""
    if path.suffix != ".onnx":
        network.load_state_dict(torch.load(path))
        return
    first = next(iter(Lessons(seed)))
    start_from(network, path, torch.from_numpy(_seen(first)))


def _seen(lesson: Lesson) -> NDArray[np.float32]:
    """What the network sees of a lesson (n, 3, PATCH_PX, PATCH_PX)."""
    return np.ascontiguousarray(logarithms(lesson.patches)[0].transpose(0, 3, 1, 2))


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    network = PatchEmbedder()
    if options.start:
        _load(network, options.start, options.seed)
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    loader = torch.utils.data.DataLoader(
        Lessons(options.seed), batch_size=None, num_workers=1, prefetch_factor=8
    )
    started, sums = time.time(), np.zeros(5)
    for step, lesson in enumerate(loader):
        if step >= options.steps:
            break
        warm = min(1.0, (step + 1) / 200)
        for group in optimiser.param_groups:
            group["lr"] = (
                options.rate * warm * (0.5 + 0.5 * math.cos(math.pi * step / options.steps)) + 1e-5
            )
        network.train()
        x = torch.from_numpy(_seen(lesson))
        if step % 2:
            x = x[:, torch.randperm(3)]
        out = network(x.contiguous(memory_format=torch.channels_last))
        loss, figures = loss_of(out, lesson)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        follow(mean, network, step)
        sums += [float(loss.detach()), *figures]
        if step % 100 == 99:
            minutes = (time.time() - started) / 60
            loss_, right, off, wrong, parts = sums / 100
            print(
                f"{minutes:.1f} min, step {step + 1} of {options.steps}, loss {loss_:.3f}, "
                f"nearest right {right:.4f}, corners {off:.4f}, whole wrong {wrong:.4f}, "
                f"parts right {parts:.4f}",
                flush=True,
            )
            sums[:] = 0
            if step % 500 == 499:
                torch.save(mean.state_dict(), options.out.with_suffix(".pt"))
                export(mean, options.out)
    torch.save(mean.state_dict(), options.out.with_suffix(".pt"))
    export(mean, options.out)
    card = {
        "network": "patch embedder",
        "steps": options.steps,
        "seed": options.seed,
        "hours": round((time.time() - started) / 3600, 1),
    }
    options.out.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")


if __name__ == "__main__":
    main()
