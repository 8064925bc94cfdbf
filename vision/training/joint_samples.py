"""Training samples of the joint reader: joints of duplex tiles and of single ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, Image, floats
from vision.joints import Joint, joint_strips, joints_of
from vision.simulate.deal import deal_cities
from vision.simulate.photometry import photographed
from vision.simulate.scene import CityPlan, TableCanvas, TileSource, camera_view
from vision.training import sources
from vision.training.truth import PhotoTruth

SCENE_PX = 560
TOGETHER = 0.012
EACH = 0.006
"""By how much the corners that the eye finds are off, in tile widths: all alike, and each."""
TAKES = 6
"""How often the joints of a photo are cut out, each time a little off."""


@dataclass(frozen=True, slots=True)
class LaidCity:
    """A city in a picture.

    Attributes:
        image: (h, w, 3) BGR.
        quads: of its tiles that lie open, in pixels.
        duplexes: pairs of cells that are one piece.
    """

    image: Image
    quads: dict[Cell, Corners]
    duplexes: frozenset[Joint]

    @property
    def joints(self) -> list[Joint]:
        """Those between two tiles that lie open."""
        return [joint for joint in joints_of(4, 4) if all(cell in self.quads for cell in joint)]


def composed_city(rng: np.random.Generator, tiles: TileSource) -> LaidCity:
    """A city on a table of our own making."""
    view = camera_view(
        (SCENE_PX, SCENE_PX),
        tile_px=float(np.exp(rng.uniform(np.log(42), np.log(100)))),
        tilt=float(rng.uniform(0, 0.6) if rng.random() < 0.4 else abs(rng.normal(0, 0.12))),
        towards=float(rng.uniform(0, 2 * np.pi)),
        roll=float(rng.normal(0, 0.1)),
    )
    canvas = TableCanvas(sources.table_top(rng, (SCENE_PX, SCENE_PX)), view)
    careless = float(rng.choice([0.4, 0.7, 1.0, 1.0, 2.5]))
    (dealt,) = deal_cities(rng, 1)
    plan = CityPlan(
        centre=(0.0, 0.0),
        angle=float(rng.uniform(0, 2 * np.pi)),
        gap=0.004 + 0.02 * careless * float(rng.uniform(0.3, 1.3)),
        shift=0.01 * careless,
        twist=0.009 * careless,
        duplexes=dealt.duplexes,
    )
    canvas.lay_city(rng, 0, plan, tiles)
    picture = photographed(rng, canvas.finished(), float(rng.uniform(0, 0.9)))
    inside = {tile.cell: tile.quad_px for tile in canvas.tiles if _is_inside(tile.quad_px)}
    return LaidCity(picture, inside, frozenset(dealt.duplexes))


def _is_inside(quad: Corners) -> bool:
    return bool((quad > 0).all() and (quad < SCENE_PX - 1).all())


def photographed_cities(photo: PhotoTruth) -> Iterator[LaidCity]:
    """The cities of a ground-truthed photo that says where its duplex tiles lie."""
    for number, duplexes in photo.duplexes.items():
        quads = {
            tile.cell: tile.quad_px
            for tile in photo.tiles
            if tile.city == number and not tile.hidden
        }
        yield LaidCity(photo.image_bgr, quads, duplexes)


def strips_of(
    rng: np.random.Generator, city: LaidCity
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The strips of its joints (n, *STRIP_HW, 3), and for each whether it is a duplex tile's."""
    joints = city.joints
    sides = [np.sqrt(cv2.contourArea(quad)) for quad in city.quads.values()]
    width = float(np.median(sides)) if sides else 0.0
    off = {
        cell: floats(
            quad + rng.normal(0, TOGETHER * width, 2) + rng.normal(0, EACH * width, (4, 2))
        )
        for cell, quad in city.quads.items()
    }
    labels = [joint in city.duplexes for joint in joints]
    return joint_strips(city.image, off, joints), np.array(labels, np.int64)


class JointSamples:
    """Strips to draw samples from, half of them of duplex tiles, varied each time.

    Args:
        photos: ground-truthed ones; without any, drawn tiles alone are used.
        scenes: how many cities are composed.
        seed: all that is random follows from it.

    Raises:
        ValueError: there is nothing to learn from.
    """

    def __init__(self, photos: Sequence[PhotoTruth], scenes: int, seed: int) -> None:
        rng = np.random.default_rng([seed, 77])
        looks = [sources.tile_source(sources.drawn_tiles())]
        looks += [
            sources.tile_source(tiles) for tiles in map(sources.photographed_tiles, photos) if tiles
        ]
        composed = []
        for number in range(scenes):
            # Every second one of drawn tiles
            look = looks[0] if number % 2 else looks[int(rng.integers(len(looks)))]
            composed.append(strips_of(rng, composed_city(rng, look)))
        laid = [city for photo in photos for city in photographed_cities(photo)]
        taken = [strips_of(rng, city) for city in laid for _ in range(TAKES)]
        pools = [_by_label(some) for some in (composed, taken) if some]
        # Photos may show single tiles alone, of which half of the samples cannot be drawn
        self._pools = [pool for pool in pools if all(len(strips) for strips in pool)]
        if not self._pools:
            raise ValueError("no duplex tiles to learn from: compose scenes")

    def __call__(self, rng: np.random.Generator) -> tuple[NDArray[np.uint8], np.int64]:
        """A strip as (3, *STRIP_HW), and 1 if it is of a duplex tile."""
        pool = self._pools[int(rng.integers(len(self._pools)))]
        label = int(rng.integers(2))
        some = pool[label]
        strip = some[int(rng.integers(len(some)))]
        return np.ascontiguousarray(varied(rng, strip).transpose(2, 0, 1)), np.int64(label)


def _by_label(
    some: Sequence[tuple[NDArray[np.uint8], NDArray[np.int64]]],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    strips = np.concatenate([strips for strips, _ in some])
    labels = np.concatenate([labels for _, labels in some])
    return strips[labels == 0], strips[labels == 1]


def varied(rng: np.random.Generator, strip: Image) -> Image:
    """The strip mirrored, moved across, in other light, and with noise."""
    strip = strip[:: int(rng.choice([-1, 1])), :: int(rng.choice([-1, 1]))]
    strip = np.roll(strip, int(rng.integers(-3, 4)), axis=1)
    light = floats(strip * rng.uniform(0.8, 1.2, 3))
    if rng.random() < 0.3:
        light = floats(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 1.2))))
    light = floats(light + rng.normal(0, rng.uniform(0, 6), strip.shape))
    return np.clip(light, 0, 255).astype(np.uint8)
