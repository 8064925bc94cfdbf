"""Named conditions for simulated photos."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.simulate import light
from vision.simulate.mishaps import Mishaps
from vision.simulate.photometry import Effect
from vision.simulate.table import Surroundings

FULL_SIZE_WH: Final = (2304, 1296)
SHORTEST_SIDE_PX: Final = 480
LONGEST_SIDE_PX: Final = 4608
MOST_ASPECT: Final = 2.0
_PATTERNED: Final = (
    "gingham", "chequerboard", "stripes", "polka-dots", "flowers", "cutting-mat", "play-mat",
    "wrapping", "ceramic", "rattan",
)  # fmt: skip

Setting = Callable[[np.random.Generator, Surroundings], Surroundings]
"""Changes an ordinary table."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A kind of photo.

    Attributes:
        setting: what differs from an ordinary table in good light.
        has_cities: whether there are cities to read.
        most_missing: tiles of one city that are not there, 1 to so many; 0: all are there.
        jpeg_quality: from, to.
    """

    setting: Setting = lambda _, around: around
    has_cities: bool = True
    most_missing: int = 0
    jpeg_quality: tuple[int, int] = (82, 95)


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photo as a JPEG file, and its ground truth, ready for JSON."""

    jpeg: bytes
    truth: dict[str, Any]


def check_size(size_wh: tuple[int, int]) -> None:
    """Refuse sizes in which a table has no room.

    Raises:
        ValueError: what is wrong with the size.
    """
    if min(size_wh) < SHORTEST_SIDE_PX or max(size_wh) > LONGEST_SIDE_PX:
        raise ValueError(f"sides run from {SHORTEST_SIDE_PX} to {LONGEST_SIDE_PX} pixels")
    if max(size_wh) > MOST_ASPECT * min(size_wh):
        raise ValueError(f"one side may be at most {MOST_ASPECT:g} times the other")


def _lit(*effects: Effect, strength: float = 0.2) -> Setting:
    return lambda _, around: replace(around, effects=effects, strength=strength)


def _handheld(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(
        around, tilt=float(rng.uniform(0.26, 0.55)), tile_px=around.tile_px * 0.85, margin=1.0
    )


def _wide(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(
        around, barrel=float(rng.uniform(0.12, 0.28)), tile_px=around.tile_px * 0.85, margin=2.0
    )


def _sloppy(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(around, carelessness=float(rng.uniform(2.0, 3.5)))


def _cluttered(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(around, props=int(rng.integers(25, 45)), strays=int(rng.integers(8, 20)))


def _patterned(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(around, material=_PATTERNED[int(rng.integers(len(_PATTERNED)))])


def _cut_off(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(around, mishaps=Mishaps(cut_off=int(rng.integers(1, 3))))


def _covered(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(around, mishaps=Mishaps(covered=int(rng.integers(4, 13))))


def _turned(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(around, mishaps=Mishaps(turned=int(rng.integers(3, 7))))


def _no_city(rng: np.random.Generator, around: Surroundings) -> Surroundings:
    return replace(
        around,
        props=int(rng.integers(8, 30)),
        strays=int(rng.integers(0, 12)),
        decoys=int(rng.integers(0, 5)),
    )


CONDITIONS: Final[Mapping[str, Condition]] = {
    "normal": Condition(),
    "sloppy": Condition(_sloppy),
    "handheld": Condition(_handheld),
    "wide": Condition(_wide),
    "patterned": Condition(_patterned),
    "cluttered": Condition(_cluttered),
    "dim": Condition(_lit(light.dim)),
    "glare": Condition(_lit(light.mirrored_lamps)),
    "blown": Condition(_lit(light.blown_out)),
    "shadow": Condition(_lit(light.deep_shadows)),
    "cast": Condition(_lit(light.colour_cast)),
    "blur": Condition(_lit(light.unsharp)),
    "noise": Condition(_lit(light.grain)),
    "jpeg": Condition(jpeg_quality=(8, 20)),
    "missing": Condition(most_missing=5),
    "edge": Condition(_cut_off),
    "covered": Condition(_covered),
    "turned": Condition(_turned),
    "no-city": Condition(_no_city, has_cities=False),
}
"""Every kind of photo by name; what each is: ``vision.simulate.condition_names``."""


def recorded(around: Surroundings) -> dict[str, Any]:
    """What was set, for the truth."""
    return {
        "material": around.material,
        "tile_px": round(around.tile_px, 2),
        "tilt_deg": round(float(np.degrees(around.tilt)), 2),
        "props": around.props,
        "strays": around.strays,
        "carelessness": round(around.carelessness, 3),
        "strength": around.strength,
        "barrel": round(around.barrel, 4),
        "decoys": around.decoys,
        **asdict(around.mishaps),
    }


def jpeg_file(image: Image, quality: int) -> bytes:
    """The picture as a JPEG file of this quality, 0 to 100."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("OpenCV could not encode a JPEG")
    return data.tobytes()
