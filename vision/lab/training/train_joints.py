"""Train the network that distinguishes duplex tiles from two single ones (``vision.eye.duplex``).

python -m vision.lab.training.train_joints --photos DIR --out FILE.onnx --steps N [--scenes N]

DIR holds photos with their ground truth; scenes are cities that are simulated, each with the tiles
of one of the photos or with drawn ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.arrays import Corners, Image, floats
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition
from vision.editions.folder import built_in_edition
from vision.eye.duplex import STRIP_HW, cut_joint_strips, list_joints, normalise_contrast
from vision.lab.simulate.content import Content
from vision.lab.simulate.drawing import Rng, one_of
from vision.lab.simulate.games.between_two_cities import deal_cities
from vision.lab.simulate.simulated_table import Surroundings, simulate_table
from vision.lab.training.photos_with_truth import CityTiles, PhotoTiles, load_photos, tiles_of_table
from vision.lab.training.training_loop import Shares, begin, make_parser, train, write_onnx
from vision.patches.cut import cut_upright

SCENE_WH = 560, 560
TILE_PICTURE_PX = 80
TILE_ERROR = 0.012
"""Standard deviation of the error of a tile's corners that they share, in tile widths."""
CORNER_ERROR = 0.006
"""Standard deviation of the further error of each corner, in tile widths."""
TAKES = 6
"""Number of times the joints of a photo are cut out, each time a little off."""

Strips = tuple[NDArray[np.uint8], NDArray[np.bool_]]
"""(n, *STRIP_HW, 3), and for each whether it is a duplex tile's (n,)."""
Batch = tuple[Tensor, Tensor]


class JointReader(nn.Module):
    """Network from contrasted strips (n, 3, *STRIP_HW) to logits (n, 1) of a duplex tile."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inputs, outputs, side, stride in (
            (3, 12, 5, (2, 1)),
            (12, 16, 3, 2),
            (16, 24, 3, (2, 1)),
        ):
            convolution = nn.Conv2d(
                inputs, outputs, side, stride=stride, padding=side // 2, bias=False
            )
            layers += [convolution, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)]
        self.body = nn.Sequential(*layers)
        along, across = STRIP_HW[0] // 8, STRIP_HW[1] // 2
        self.mean, self.most = nn.AvgPool2d((along, 1)), nn.MaxPool2d((along, 1))
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.3),
            nn.Linear(2 * 24 * across, 48),
            nn.ReLU(inplace=True),
            nn.Linear(48, 1),
        )

    def forward(self, strips: Tensor) -> Tensor:
        """Map strips to logits."""
        features = self.body(strips)
        logits: Tensor = self.head(torch.cat([self.mean(features), self.most(features)], dim=1))
        return logits


def compose_city(rng: Rng, edition: Edition) -> PhotoTiles:
    """Simulate one city of an edition's tiles on a table."""
    surroundings = Surroundings(
        share=float(np.exp(rng.uniform(np.log(0.33), np.log(0.9)))),
        tilt=float(rng.uniform(0, 0.6) if rng.random() < 0.4 else abs(rng.normal(0, 0.12))),
        props=0,
        strays=0,
        carelessness=float(rng.choice([0.2, 0.5, 1.0, 1.0, 2.5])),
        strength=float(rng.uniform(0, 0.9)),
    )
    content = Content(tuple(deal_cities(rng, 1)))
    return tiles_of_table(
        simulate_table(int(rng.integers(2**31)), edition, content, SCENE_WH, surroundings)
    )


def make_editions(photos: Sequence[PhotoTiles]) -> Iterator[Edition]:
    """Yield the drawn edition, and one with the tiles of each photo in their own light."""
    drawn = built_in_edition(BETWEEN_TWO_CITIES)
    yield drawn
    for photo in photos:
        pictures: dict[str, list[Image]] = {}
        for city in photo.cities:
            for cell, quad in city.quads.items():
                whole = (0.005, 0.005, 0.995, 0.995)
                picture = cut_upright(photo.image, quad, whole, TILE_PICTURE_PX)
                pictures.setdefault(city.faces[cell], []).append(picture)
        if pictures:
            shown = {face: tuple(some) for face, some in pictures.items()}
            yield replace(drawn, pictures={**drawn.pictures, **shown})


def cut_strips(rng: Rng, image: Image, city: CityTiles) -> Strips:
    """Cut the joints between uncovered tiles, their corners off by the errors of the eye."""
    joints = [joint for joint in list_joints(4, 4) if all(cell in city.quads for cell in joint)]
    sides = [np.sqrt(cv2.contourArea(quad)) for quad in city.quads.values()]
    width = float(np.median(sides)) if sides else 0.0

    def found(quad: Corners) -> Corners:
        off = rng.normal(0, TILE_ERROR * width, 2) + rng.normal(0, CORNER_ERROR * width, (4, 2))
        return floats(quad + off)

    off = {cell: found(quad) for cell, quad in city.quads.items()}
    labels = [joint in (city.duplexes or ()) for joint in joints]
    return cut_joint_strips(image, off, joints), np.array(labels, bool)


def make_pools(rng: Rng, photos: Sequence[PhotoTiles], scenes: int) -> list[Strips]:
    """Return the strips of composed cities, and those of photos.

    Raises:
        ValueError: There is nothing to learn from.
    """
    editions, composed = list(make_editions(photos)), []
    for number in range(scenes):  # every second one of drawn tiles
        edition = editions[0] if number % 2 else one_of(rng, editions)
        composed.append(compose_city(rng, edition))
    pools = []
    for some, takes in ((composed, 1), (photos, TAKES)):
        known = [(s.image, city) for s in some for city in s.cities if city.duplexes is not None]
        cut = [cut_strips(rng, *one) for one in known for _ in range(takes)]
        if cut:
            strips, labels = (np.concatenate(parts) for parts in zip(*cut, strict=True))
            if labels.any() and not labels.all():
                pools.append((strips, labels))
    if not pools:
        raise ValueError("no duplex tiles to learn from: compose scenes")
    return pools


def make_batches(rng: Rng, pools: Sequence[Strips], size: int) -> Iterator[Batch]:
    """Yield contrasted strips without end, half of them of duplex tiles, varied each time."""
    while True:
        strips, labels = one_of(rng, pools)
        wanted = rng.random(size) < 0.5
        chosen = [int(rng.choice(np.flatnonzero(labels == label))) for label in wanted]
        pictures = np.stack([_varied(rng, strips[n]) for n in chosen])
        yield (
            torch.from_numpy(normalise_contrast(pictures)),
            torch.from_numpy(wanted.astype(np.float32)),
        )


def _varied(rng: Rng, strip: Image) -> Image:
    """Mirror a strip, move it across, change its light and add noise."""
    strip = strip[:: int(rng.choice([-1, 1])), :: int(rng.choice([-1, 1]))]
    strip = np.roll(strip, int(rng.integers(-3, 4)), axis=1)
    light = floats(strip * rng.uniform(0.8, 1.2, 3))
    if rng.random() < 0.3:
        light = floats(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 1.2))))
    light = floats(light + rng.normal(0, rng.uniform(0, 6), strip.shape))
    return np.clip(light, 0, 255).astype(np.uint8)


def compute_loss(network: nn.Module, batch: Batch) -> tuple[Tensor, Shares]:
    """Return the loss, and the number of joints read right."""
    strips, wanted = batch
    logits = network(strips)[:, 0]
    right = ((logits > 0) == (wanted > 0)).sum()
    loss = functional.binary_cross_entropy_with_logits(logits, wanted)
    return loss, {"right": (float(right), len(wanted))}


def main() -> None:
    """Read the arguments, train, write the network."""
    parser = make_parser(__doc__, steps=4000, rate=2e-3)
    parser.add_argument("--photos", type=Path, action="append", default=[], help="their folder")
    parser.add_argument("--scenes", type=int, default=3000, help="cities to compose")
    parser.add_argument("--batch", type=int, default=128)
    options = parser.parse_args()
    begin(options)
    rng = np.random.default_rng(options.seed)
    photos = [photo for folder in options.photos for photo in load_photos(folder)]
    pools = make_pools(rng, photos, options.scenes)

    def export(network: nn.Module, path: Path) -> None:
        write_onnx(network, (1, 3, *STRIP_HW), path, varying={0: "n"})

    train(JointReader(), options, make_batches(rng, pools, options.batch), compute_loss, export)


if __name__ == "__main__":
    main()
