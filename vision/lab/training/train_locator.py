"""Train the locator, which detects tiles and plots whatever is drawn on them.

python -m vision.lab.training.train_locator --out FILE.onnx --steps N [--seed N] [--start FILE]

``--start vision/weights/locate.onnx`` goes on from the locator in use; ``--rate`` should be low.
Averaged with that one by ``vision.lab.training.average_weights``, it keeps what that one could.
"""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.arrays import Floats, Image, floats
from vision.eye.locate import CHANNELS, FOLDED_CHANNELS, STRIDE_PX, UNIT_PX, encode_shapes, whiten
from vision.lab.simulate.drawing import Rng
from vision.lab.simulate.light import glare, motion_blur, several
from vision.lab.training.patch_batches import relit
from vision.lab.training.table_scenes import SCENE_PX, QuadKind, Scene, draw_table_scene
from vision.lab.training.tile_families import FamilyPool
from vision.lab.training.training_loop import (
    BatchStream,
    DirectedChannels,
    Shares,
    begin,
    make_parser,
    replay,
    start_folded,
    train,
    turned,
    write_onnx,
)

BATCH = 16
MAX_KEPT_SCENES, MEAN_USES = 2000, 26.0
"""Scenes that are kept, and how often a part of each is seen; they take some 2 GB."""
PART_PX = 352
"""Side of the part of a scene that is trained on."""
INNER = 0.74
"""Side of the inner part of a tile, as a share of the tile, in which map cells are taught as tile;
in the rim either answer is right."""
SMALLEST_PX, LARGEST_PX = 9.0, 80.0
"""Tiles beyond these sizes, in pixels of what the network sees, may be found or not."""
HALF = (STRIDE_PX - 1) / 2
"""Offset of the centre of a map cell from that of its first pixel."""
COVERED = 140
"""Mean of ``Scene.covered`` above which a map cell counts as covered."""
BURNT = 250
"""Minimum brightness in all channels of a map cell that shows nothing to learn from."""
GLARE = 0.15
"""Share of the scenes with the glare of lamps."""
MOVED = 0.25
"""Share of the scenes blurred by a movement of the camera."""
LONGEST_MOVEMENT = 0.35
"""Maximum movement in tile widths; beyond it, a tile cannot be told from its neighbours."""
NO_TILE_WEIGHT = 1.0
"""Weight of what is no tile beside that of tiles. Smaller: more of the table is taken for tiles."""
_DIRECTED = DirectedChannels(across=[2], down=[3], mirrored=[6, 8], exchanged=[5, 8])

Batch = tuple[NDArray[np.float32], NDArray[np.float32]]


class Residual(nn.Module):
    """3x3 convolution added to its input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Map features to features of the same shape."""
        return torch.relu(x + self.body(x))


def downsampling(inputs: int, outputs: int, factor: int) -> nn.Sequential:
    """Return a convolution of separate blocks that divides width and height by a factor.

    Beside 3x3 convolutions it is the quickest on a CPU.
    """
    layer = nn.Conv2d(inputs, outputs, factor, factor, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class TileLocator(nn.Module):
    """Network from whitened pictures (n, 3, h, w) to maps (n, CHANNELS, h/8, w/8)."""

    def __init__(self, c4: int = 16, c8: int = 32, c16: int = 64, c32: int = 96) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            downsampling(3, c4, 4),
            downsampling(c4, c8, 2),
            Residual(c8),
            Residual(c8),
        )
        self.middle = nn.Sequential(downsampling(c8, c16, 2), *[Residual(c16) for _ in range(5)])
        self.coarse = nn.Sequential(
            downsampling(c16, c32, 2),
            *[Residual(c32) for _ in range(4)],
            nn.Conv2d(c32, c16, 1),
        )
        self.joined = nn.Sequential(Residual(c16), Residual(c16), nn.Conv2d(c16, c8, 1))
        self.out = nn.Sequential(Residual(c8), Residual(c8), nn.Conv2d(c8, CHANNELS, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Map pictures to maps."""
        return self.locate(self.fold(x))

    def fold(self, x: Tensor) -> Tensor:
        """Describe map cells of 8 x 8 pixels, each by itself."""
        folded: Tensor = self.fine[:2](x)
        return folded

    def locate(self, folded: Tensor) -> Tensor:
        """Make the maps from descriptions of map cells."""
        fine = self.fine[2:](folded)
        middle = self.middle(fine)
        middle = torch.relu(middle + functional.interpolate(self.coarse(middle), scale_factor=2.0))
        maps: Tensor = self.out(
            torch.relu(fine + functional.interpolate(self.joined(middle), scale_factor=2.0))
        )
        return maps


def compute_targets(scene: Scene) -> NDArray[np.float32]:
    """Compute the maps that the locator should give for a scene.

    Returns:
        Shape (10, h/8, w/8): tile, and plot (1, 0; -1 if either is right); offset to the centre
        (x, y) in UNIT_PX; the five numbers of the shape; the weight of these.
    """
    h, w = (side // STRIDE_PX for side in scene.image.shape[:2])
    maps, quads = np.zeros((10, h, w), np.float32), scene.quads_px
    first, second, third, fourth = quads.transpose(1, 0, 2)
    right, down = (second + third - first - fourth) / 2, (third + fourth - first - second) / 2
    size = np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
    low = np.maximum(np.floor((quads.min(axis=1) - HALF) / STRIDE_PX), 0).astype(int)
    high = np.minimum(np.ceil((quads.max(axis=1) - HALF) / STRIDE_PX) + 1, (w, h)).astype(int)
    seen = np.flatnonzero((high > low).all(axis=1) & (size > 4))
    # Areas first, then plots, then what lies on them
    is_tile = np.isin(scene.kinds, (QuadKind.TILE, QuadKind.FACE_DOWN))
    rank = np.where(scene.kinds == QuadKind.LIKE_PLOTS, 0, 1 + is_tile)
    shapes, centres = encode_shapes(np.stack([right, down], axis=1)), quads.mean(axis=1)
    unit = floats([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    cells = np.stack(np.meshgrid(np.arange(w), np.arange(h)), axis=-1).astype(np.float32)
    pixels = cells * STRIDE_PX + HALF
    for n in seen[np.argsort(rank[seen], kind="stable")].tolist():
        part, kind = (slice(low[n, 1], high[n, 1]), slice(low[n, 0], high[n, 0])), scene.kinds[n]
        to_unit = cv2.getPerspectiveTransform(quads[n], unit)
        place = cv2.perspectiveTransform(pixels[part].reshape(-1, 1, 2), to_unit)
        off = np.abs(place).max(axis=-1).reshape(pixels[part].shape[:2])
        inside, core, window = off < 1, off < INNER, maps[:, part[0], part[1]]
        if kind == QuadKind.LIKE_PLOTS:
            window[1][inside] = -1
            continue
        ignored = not SMALLEST_PX <= size[n] <= LARGEST_PX
        if is_tile[n]:
            # What was a plot may be called one; a tile's rim may be anything
            window[1][inside & (window[1] == 1)] = -1
            window[0][inside & ((window[0] == 0) | ignored)] = -1
            window[0][core] = -1 if ignored or kind == QuadKind.FACE_DOWN else 1
        else:
            window[1][inside & (window[1] == 0)] = -1
            window[1][core] = -1 if ignored else 1
            if kind == QuadKind.DRAWN_PLOT:
                window[0][inside] = -1
        window[2:4, inside] = (centres[n] - pixels[part][inside]).T / UNIT_PX
        window[4:9, inside] = shapes[n][:, None]
        window[9][inside] = 0.0 if ignored else np.where(core, 1.0, 0.3)[inside]
    bright, covered = (
        cv2.resize(full, (w, h), interpolation=cv2.INTER_AREA)
        for full in (scene.image, scene.covered)
    )
    for hidden, share in ((bright.min(axis=2) >= BURNT, 0.0), (covered > COVERED, 0.3)):
        for channel in maps[:2]:
            channel[hidden & (channel == 1)] = -1
        maps[9][hidden] *= share
    return maps


def draw_sample(rng: Rng, scene: Scene) -> tuple[Image, NDArray[np.float32]]:
    """Cut a part of a scene at another scale and in other light; return it with its targets."""
    side = round(float(np.exp(rng.uniform(np.log(PART_PX), np.log(SCENE_PX)))))
    x, y = (int(v) for v in rng.integers(0, side - PART_PX + 1, 2))
    image, covered = (
        np.asarray(cv2.resize(full, (side, side), interpolation=cv2.INTER_AREA), np.uint8)[
            y : y + PART_PX, x : x + PART_PX
        ]
        for full in (scene.image, scene.covered)
    )
    quads = (scene.quads_px + 0.5) * np.float32(side / SCENE_PX) - 0.5 - floats([x, y])
    maps = compute_targets(Scene(image, scene.kinds, floats(quads), covered))
    if rng.random() < GLARE:
        light = several(glare, 1, 3)(rng, floats(image) / np.float32(255))
        image = np.clip(light * 255, 0, 255).astype(np.uint8)
    if rng.random() < MOVED:
        image = _moved(rng, image, floats(quads))
    image = relit(rng, image[None])[0]
    if rng.random() < 0.3:  # other colours, at times a negative
        image = image[..., rng.permutation(3)] ^ np.uint8(255 * (rng.random() < 0.1))
    return turned(rng, image, maps, _DIRECTED)


def _moved(rng: Rng, image: Image, quads_px: Floats) -> Image:
    """Blur a picture by a movement of the camera that is short beside its tiles (n, 4, 2)."""
    sides = np.linalg.norm(quads_px[:, 0] - quads_px[:, 1], axis=1)
    tile_px = float(np.median(sides)) if len(sides) else LARGEST_PX
    longest_px = max(2, round(LONGEST_MOVEMENT * min(tile_px, LARGEST_PX / 2)))
    blurred = motion_blur(rng, floats(image), longest_px)
    return np.clip(blurred, 0, 255).astype(np.uint8)


def make_batches(rng: Rng) -> Iterator[Batch]:
    """Yield batches without end: whitened pictures (n, 3, PART_PX, PART_PX), and targets."""
    pool = FamilyPool()
    scenes = replay(
        rng, lambda: draw_table_scene(rng, pool), MEAN_USES, MAX_KEPT_SCENES, few=2 * BATCH
    )
    while True:
        some = [draw_sample(rng, next(scenes)[0]) for _ in range(BATCH)]
        yield np.concatenate([whiten(i) for i, _ in some]), np.stack([maps for _, maps in some])


def compute_output_loss(out: Tensor, maps: Tensor) -> tuple[Tensor, Tensor]:
    """Return the loss, and the mean error of tile centres in tile widths."""
    loss = out.new_zeros(())
    for channel in range(2):
        truth = maps[:, channel]
        known = (truth >= 0).float()
        weight = known * torch.where(truth > 0, 1.0, NO_TILE_WEIGHT)
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


def compute_loss(network: nn.Module, batch: Batch) -> tuple[Tensor, Shares]:
    """Return the loss, and recall and precision of tiles and plots."""
    x, maps = map(torch.as_tensor, batch)
    out = network(x.contiguous(memory_format=torch.channels_last))
    loss, off = compute_output_loss(out, maps)
    shares: Shares = {"centre": (float(off), 1.0)}
    for channel, name in enumerate(("tiles", "plots")):
        found, there = out[:, channel] > 0, maps[:, channel] == 1
        hits = float((found & there).sum())
        shares[name] = hits, float(there.sum())
        shares[f"{name} right"] = hits, hits + float((found & (maps[:, channel] == 0)).sum())
    return loss, shares


def export(network: nn.Module, path: Path) -> None:
    """Write a network as ONNX, for pictures of any size."""
    write_onnx(network, (1, 3, 64, 96), path, ("maps",), {2: "h", 3: "w"})


class _Fold(nn.Module):
    """First part of a locator."""

    def __init__(self, whole: TileLocator) -> None:
        super().__init__()
        self.whole = whole

    def forward(self, x: Tensor) -> Tensor:
        """Describe map cells."""
        return self.whole.fold(x)


class _Locate(nn.Module):
    """Second part of a locator."""

    def __init__(self, whole: TileLocator) -> None:
        super().__init__()
        self.whole = whole

    def forward(self, folded: Tensor) -> Tensor:
        """Make the maps from descriptions of map cells."""
        return self.whole.locate(folded)


def export_parts(network: nn.Module, path: Path) -> None:
    """Write both parts of a locator as ONNX; the first as ``fold.onnx`` beside the second.

    OpenCV takes 9 MB to compute the coarse layers by Winograd's method, and gains little by it.
    """
    if not isinstance(network, TileLocator):
        raise TypeError(network)
    varying = {2: "h", 3: "w"}
    write_onnx(_Fold(network), (1, 3, 64, 96), path.with_name("fold.onnx"), ("folded",), varying)
    write_onnx(_Locate(network), (1, FOLDED_CHANNELS, 8, 12), path, ("maps",), varying)
    model = onnx.load(str(path))
    for node in model.graph.node:
        if node.op_type == "Conv" and "/coarse/" in node.name:
            node.attribute.append(onnx.helper.make_attribute("use_winograd", 0))
    onnx.save(model, str(path))


def main() -> None:
    """Train."""
    options = make_parser(__doc__, steps=60_000, rate=3e-3).parse_args()
    begin(options)
    network, batches = TileLocator(), BatchStream(make_batches, options.seed)
    if options.start and options.start.suffix == ".onnx":
        start_folded(network, (options.start.with_name("fold.onnx"), options.start))
    network = network.to(memory_format=torch.channels_last)
    train(network, options, batches.prefetch(), compute_loss, export_parts)


if __name__ == "__main__":
    main()
