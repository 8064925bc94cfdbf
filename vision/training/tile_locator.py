"""Train the network that finds tiles of any look.

python -m vision.training.tile_locator --scenes DIR --out FILE.onnx --steps N [--start FILE.pt]

DIR is made by ``vision.training.practice_store``; chunks may be added while training runs.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.arrays import Image, floats
from vision.locate import CHANNELS, STRIDE_PX, UNIT_PX, shapes_of, whitened
from vision.training.course import Shares, begin, parser_of, train, write_onnx
from vision.training.practice_store import COVERED_STRIDE_PX, Store
from vision.training.practice_tables import SCENE_PX, Kind, Scene

CROP_PX = 352
INNER = 0.74
"""Cells in this inner part of a tile must call themselves tile; those in the rim may choose."""
SMALLEST_PX, LARGEST_PX = 9.0, 80.0
"""Tiles beyond these sizes, in pixels of what the network sees, may be found or not."""
HALF = (STRIDE_PX - 1) / 2
COVERED = 140
BURNT = 250
"""A cell that is as bright as this in all channels shows nothing to learn from."""


class Residual(nn.Module):
    """A 3x3 convolution added to its input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Features of the same shape."""
        return torch.relu(x + self.body(x))


def patches(inputs: int, outputs: int, side: int) -> nn.Sequential:
    """One output for each square of inputs; beside 3x3 convolutions the quickest on a CPU."""
    layer = nn.Conv2d(inputs, outputs, side, side, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class TileLocator(nn.Module):
    """Whitened pictures (n, 3, h, w) to maps (n, CHANNELS, h/8, w/8) of ``vision.locate``."""

    def __init__(self, c4: int = 16, c8: int = 32, c16: int = 64, c32: int = 96) -> None:
        super().__init__()
        self.fine = nn.Sequential(patches(3, c4, 4), patches(c4, c8, 2), Residual(c8), Residual(c8))
        self.middle = nn.Sequential(patches(c8, c16, 2), *[Residual(c16) for _ in range(5)])
        self.coarse = nn.Sequential(
            patches(c16, c32, 2), *[Residual(c32) for _ in range(4)], nn.Conv2d(c32, c16, 1)
        )
        self.joined = nn.Sequential(Residual(c16), Residual(c16), nn.Conv2d(c16, c8, 1))
        self.out = nn.Sequential(Residual(c8), Residual(c8), nn.Conv2d(c8, CHANNELS, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Pictures to maps."""
        fine = self.fine(x)
        middle = self.middle(fine)
        middle = torch.relu(middle + functional.interpolate(self.coarse(middle), scale_factor=2.0))
        maps: Tensor = self.out(
            torch.relu(fine + functional.interpolate(self.joined(middle), scale_factor=2.0))
        )
        return maps


def targets(scene: Scene) -> NDArray[np.float32]:
    """What the locator should say of a scene whose ``covered`` is smaller by STRIDE_PX.

    Returns:
        (10, h/8, w/8): tile, and plot (1, 0; -1: either is right); way to the centre (x, y) in
        UNIT_PX; the five numbers of the shape; the weight of these.
    """
    h, w = (side // STRIDE_PX for side in scene.image.shape[:2])
    maps = np.zeros((10, h, w), np.float32)
    q = scene.quads_px
    right, down = (
        (q[:, 1] + q[:, 2] - q[:, 0] - q[:, 3]) / 2,
        (q[:, 2] + q[:, 3] - q[:, 0] - q[:, 1]) / 2,
    )
    size = np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
    first = np.maximum(np.floor((q.min(axis=1) - HALF) / STRIDE_PX), 0).astype(int)
    last = np.minimum(np.ceil((q.max(axis=1) - HALF) / STRIDE_PX) + 1, (w, h)).astype(int)
    seen = np.flatnonzero((last > first).all(axis=1) & (size > 4))
    # Areas first, then plots, then what lies on them
    rank = np.where(
        scene.kinds == Kind.NO_PLOT,
        0,
        np.where(np.isin(scene.kinds, (Kind.TILE, Kind.EITHER)), 2, 1),
    )
    order = seen[np.argsort(rank[seen], kind="stable")]
    shapes, centres = shapes_of(np.stack([right, down], axis=1)), q.mean(axis=1)
    unit = floats([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    cells = np.stack(np.meshgrid(np.arange(w), np.arange(h)), axis=-1).astype(np.float32)
    pixels = cells * STRIDE_PX + HALF
    for n, rank_, kind in zip(
        order.tolist(), rank[order].tolist(), scene.kinds[order].tolist(), strict=True
    ):
        (x0, y0), (x1, y1) = first[n], last[n]
        to_unit = cv2.getPerspectiveTransform(q[n], unit)
        place = cv2.perspectiveTransform(pixels[y0:y1, x0:x1].reshape(-1, 1, 2), to_unit)
        off = cv2.max(*cv2.split(np.abs(place))).reshape(y1 - y0, x1 - x0)
        inside, core = off < 1, off < INNER
        window = maps[:, y0:y1, x0:x1]
        if rank_ == 0:
            window[1][inside] = -1
            continue
        ignored = not SMALLEST_PX <= size[n] <= LARGEST_PX
        if rank_ == 2:
            # What was a plot may be called one; a tile's rim may be anything
            window[1][inside & (window[1] == 1)] = -1
            window[0][inside & ((window[0] == 0) | ignored)] = -1
            window[0][core] = -1 if ignored or kind == int(Kind.EITHER) else 1
        else:
            window[1][inside & (window[1] == 0)] = -1
            window[1][core] = -1 if ignored else 1
            if kind == int(Kind.DRAWN_PLOT):
                window[0][inside] = -1
        window[2:4, inside] = (centres[n] - pixels[y0:y1, x0:x1][inside]).T / UNIT_PX
        window[4:9, inside] = shapes[n][:, None]
        window[9][inside] = 0.0 if ignored else np.where(core, 1.0, 0.3)[inside]
    small = cv2.resize(scene.image, (w, h), interpolation=cv2.INTER_AREA)
    for hidden, share in ((small.min(axis=2) >= BURNT, 0.0), (scene.covered > COVERED, 0.3)):
        maps[0][hidden & (maps[0] == 1)] = -1
        maps[1][hidden & (maps[1] == 1)] = -1
        maps[9][hidden] *= share
    return maps


def sample(rng: np.random.Generator, scene: Scene) -> tuple[Image, NDArray[np.float32]]:
    """A part of a scene at another scale, and its targets."""
    side = round(float(np.exp(rng.uniform(np.log(CROP_PX), np.log(SCENE_PX)))))
    image = cv2.resize(scene.image, (side, side), interpolation=cv2.INTER_AREA)
    x, y = (int(v) for v in rng.integers(0, side - CROP_PX + 1, 2))
    quads = (scene.quads_px + 0.5) * np.float32(side / SCENE_PX) - 0.5 - floats([x, y])
    steps = (np.arange(CROP_PX // STRIDE_PX) + 0.5) * STRIDE_PX
    rows, columns = (
        ((steps + v) * SCENE_PX / side / COVERED_STRIDE_PX).astype(int) for v in (y, x)
    )
    covered = scene.covered[rows[:, None], columns[None]]
    part = Scene(
        np.asarray(image, np.uint8)[y : y + CROP_PX, x : x + CROP_PX],
        scene.kinds,
        floats(quads),
        covered,
    )
    return relit(rng, part.image), targets(part)


@cache
def _grain() -> NDArray[np.uint8]:
    """Noise about 128 of which parts are used."""
    rng = np.random.default_rng(0)
    return rng.normal(128, 40, (SCENE_PX * 2, SCENE_PX * 2, 3)).clip(0, 255).astype(np.uint8)


GLARE = 0.35


def _with_lamps(rng: np.random.Generator, image: Image) -> Image:
    """Reflections of one to three lamps, as on glossy tiles and on the table beneath."""
    h, w = image.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    light = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        wide, turn = (
            w * float(np.exp(rng.uniform(np.log(0.03), np.log(0.3)))),
            rng.uniform(0, np.pi),
        )
        dx, dy = x - rng.uniform(0, w), y - rng.uniform(0, h)
        along = dx * np.cos(turn) + dy * np.sin(turn)
        across = (dy * np.cos(turn) - dx * np.sin(turn)) * rng.uniform(1, 2.5)
        light += float(rng.uniform(0.3, 1.4)) * np.exp(-(along**2 + across**2) / wide**2)
    share = np.minimum(light, float(rng.uniform(0.75, 0.97)))[..., None]
    return np.asarray(image + (255 - image.astype(np.float32)) * share, np.uint8)


def relit(rng: np.random.Generator, image: Image) -> Image:
    """The same place in other colours, and noisier."""
    if rng.random() < GLARE:
        image = _with_lamps(rng, image)
    mixed = np.eye(3)
    if rng.random() < 0.3:
        mixed = mixed[rng.permutation(3)]
    if rng.random() < 0.4:
        mixed = np.diag(np.exp2(rng.normal(0, 0.3, 3) + rng.normal(0, 0.3))) @ mixed
    if rng.random() < 0.3:
        colour = float(rng.choice([0.0, 0.4, 0.7, 1.5]))
        mixed = (colour * np.eye(3) + (1 - colour) / 3) @ mixed
    lift = np.zeros((3, 1))
    if rng.random() < 0.03:
        mixed, lift = -mixed, lift + 255
    out = cv2.transform(image, np.hstack([mixed, lift]))
    if rng.random() < 0.3:
        x, y = (int(v) for v in rng.integers(0, 2 * SCENE_PX - CROP_PX, 2))
        grain, level = (
            _grain()[y : y + out.shape[0], x : x + out.shape[1]],
            float(abs(rng.normal(0, 0.25))),
        )
        out = cv2.addWeighted(out, 1.0, grain, level, -128 * level)
    return np.asarray(out, np.uint8)


def turned(
    rng: np.random.Generator, x: NDArray[np.float32], maps: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mirrored and turned by quarters at random: x (3, h, w) with its targets."""
    maps = maps.copy()
    if rng.random() < 0.5:
        x, maps = x[:, :, ::-1], maps[:, :, ::-1].copy()
        maps[[2, 6, 8]] *= -1
    if rng.random() < 0.5:
        x, maps = x[:, ::-1], maps[:, ::-1].copy()
        maps[[3, 6, 8]] *= -1
    if rng.random() < 0.5:
        x, maps = x.transpose(0, 2, 1), maps.transpose(0, 2, 1).copy()
        maps[[2, 3]] = maps[[3, 2]]
        maps[[5, 8]] *= -1
    return np.ascontiguousarray(x), np.ascontiguousarray(maps)


class Samples(torch.utils.data.IterableDataset[tuple[NDArray[np.float32], NDArray[np.float32]]]):
    """Endless samples of a store, the same for the same seed and store."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed

    def __iter__(self):  # type: ignore[no-untyped-def]
        """Pictures whitened (3, CROP_PX, CROP_PX) and targets."""
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        store, drawn = Store(self.folder), 0
        while True:
            image, maps = sample(rng, store[int(rng.integers(len(store)))])
            drawn += 1
            if drawn % 4000 == 0:
                store.refresh()
            yield turned(rng, whitened(image)[0], maps)


def loss_of(out: Tensor, maps: Tensor) -> tuple[Tensor, Tensor]:
    """The loss, and the mean error of what is inside tiles, in tile widths or like units."""
    loss = out.new_zeros(())
    for channel in range(2):
        truth = maps[:, channel]
        known = (truth >= 0).float()
        weight = known * torch.where(truth > 0, 1.0, 0.7)
        bce = functional.binary_cross_entropy_with_logits(
            out[:, channel], truth.clamp(min=0), reduction="none"
        )
        loss = loss + (3.0 if channel == 0 else 1.5) * (bce * weight).sum() / weight.sum()
    weight = maps[:, 9]
    off = functional.smooth_l1_loss(out[:, 2:9], maps[:, 2:9], reduction="none", beta=0.04)
    per_tile = torch.exp2(-maps[:, 4:5])
    off = (torch.cat([off[:, :2] * per_tile * 2, off[:, 2:]], dim=1)).sum(dim=1)
    total = weight.sum() + 1
    centre = torch.linalg.vector_norm((out[:, 2:4] - maps[:, 2:4]).detach(), dim=1) * per_tile[:, 0]
    log_error = out[:, 9].clamp(-6, 3)
    sure = centre * torch.exp(-log_error) + log_error
    loss = loss + 1.5 * (off * weight).sum() / total + 0.2 * (sure * weight).sum() / total
    return loss, (centre * weight).sum() / total


def judge(network: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Shares]:
    """The loss, how many tiles and plots are found, and how many of those found are some."""
    x, maps = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = network(x.contiguous(memory_format=torch.channels_last))
    loss, off = loss_of(out.float(), maps)
    shares: Shares = {"centre": (float(off), 1.0)}
    for channel, name in enumerate(("tiles", "plots")):
        said, there = out[:, channel] > 0, maps[:, channel] == 1
        hits = float((said & there).sum())
        shares[name] = hits, float(there.sum())
        shares[f"{name} right"] = hits, hits + float((said & (maps[:, channel] == 0)).sum())
    return loss, shares


def export(network: nn.Module, path: Path) -> None:
    """Write it as ONNX, for pictures of any size."""
    write_onnx(network, (1, 3, 64, 96), path, ("maps",), {2: "h", 3: "w"})


def main() -> None:
    """Train."""
    parser = parser_of(__doc__, steps=60_000, rate=3e-3)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--batch", type=int, default=16)
    options = parser.parse_args()
    begin(options)
    samples = Samples(options.scenes, options.seed)
    loader = torch.utils.data.DataLoader(samples, batch_size=options.batch)
    network = TileLocator().to(memory_format=torch.channels_last)
    train(network, options, loader, judge, export)


if __name__ == "__main__":
    main()
