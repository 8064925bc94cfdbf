"""Simulated photos of tables of any game, under named conditions.

The same edition, condition, seed and size give the same photo.
"""

import zlib
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from vision.editions.description import Description
from vision.editions.edition import DescriptionError, Edition
from vision.lab.simulate.conditions import CONDITIONS, ORDINARY, Condition
from vision.lab.simulate.content import Content, Dealer, shuffle
from vision.lab.simulate.drawing import Rng, one_of
from vision.lab.simulate.games import random_tiles
from vision.lab.simulate.light import EFFECTS, encode_jpeg
from vision.lab.simulate.simulated_table import FULL_SIZE_WH, Surroundings, simulate_table
from vision.lab.simulate.table_tops import TABLE_TOPS
from vision.message import Message, list_names

SHORTEST_SIDE_PX: Final = 480
LONGEST_SIDE_PX: Final = 4608
MAX_ASPECT: Final = 2.0
_MAX_STRAY_FACES: Final = 20
_FEWER_COVERS: Final = 4
"""Divisor of the number of covering props on a board, whose tiles are small."""
_MANY_CELLS: Final = 48
"""Cells of a table, as of three cities of 4 x 4 tiles, from which on it gets all covering props."""


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedPhoto:
    """Photo as a JPEG file, and its ground truth as a JSON value."""

    jpeg: bytes
    truth: dict[str, Any]


def check_size(size_wh: tuple[int, int]) -> None:
    """Refuse sizes in which a table has no room.

    Raises:
        ValueError: A side, or the ratio of the sides, is out of range; with a ``Message``.
    """
    if min(size_wh) < SHORTEST_SIDE_PX or max(size_wh) > LONGEST_SIDE_PX:
        raise ValueError(
            Message(
                "sides run from {least} to {most} pixels",
                least=SHORTEST_SIDE_PX,
                most=LONGEST_SIDE_PX,
            )
        )
    if max(size_wh) > MAX_ASPECT * min(size_wh):
        raise ValueError(Message("one side may be at most {n} times the other", n=MAX_ASPECT))


def find_dealer(game: str) -> Dealer:
    """Find the dealer of a game; games without one of their own share a dealer."""
    name = f"vision.lab.simulate.games.{game.replace('-', '_')}"
    deal: Dealer = (import_module(name) if find_spec(name) is not None else random_tiles).deal
    return deal


def take_photo(
    edition: Edition,
    condition: str,
    seed: int,
    size_wh: tuple[int, int] = FULL_SIZE_WH,
    name: str = "photo",
) -> SimulatedPhoto:
    """Lay a table of an edition's game and photograph it.

    Args:
        edition: Edition with the pictures of the tiles.
        condition: Name of one of ``CONDITIONS``.
        seed: Seed, 0 or more.
        size_wh: Size of the photo, see ``check_size``.
        name: Name of the photo without ``.jpg``, for the truth.

    Raises:
        ValueError: The condition is unknown, the seed negative, or the size out of range.
        DescriptionError: ``edition-picture``; pictures of some faces are missing.
    """
    if condition not in CONDITIONS:
        raise ValueError(f"no condition {condition!r}; choose one of {', '.join(CONDITIONS)}")
    check_size(size_wh)
    _check_pictures(edition)
    chosen, game = CONDITIONS[condition], edition.description.game
    rng = np.random.default_rng([seed, *(zlib.crc32(word.encode()) for word in (condition, game))])
    content = _deal(rng, edition.description, chosen)
    surroundings, jpeg_quality = _random_surroundings(rng, chosen)
    surroundings = replace(
        surroundings, covered=_limit_covers(surroundings.covered, edition.description, content)
    )
    table = simulate_table(seed, edition, content, size_wh, surroundings)
    truth = {
        "photo": f"{name}.jpg",
        "kind": "table",
        "subset": condition,
        "size": list(size_wh),
        **table.truth,
        "conditions": {
            **{key: v for key, v in asdict(surroundings).items() if key not in ("effects", "tilt")},
            "cut_off": int(surroundings.cut_off),
            "tile_px": round(table.tile_px, 2),
            "tilt_deg": round(float(np.degrees(surroundings.tilt)), 2),
            "jpeg_quality": jpeg_quality,
        },
    }
    return SimulatedPhoto(encode_jpeg(table.image, jpeg_quality), truth)


def _check_pictures(edition: Edition) -> None:
    """Refuse an edition without pictures of some faces."""
    names = [face.name for face in edition.description.faces]
    untaught = [face for face in names if not edition.pictures.get(face)]
    if untaught:
        raise DescriptionError(
            "edition-picture",
            "no picture is named for {names}: list images, or learn them with stadtblick teach",
            edition.name,
            names=list_names(untaught),
        )


def _deal(rng: Rng, description: Description, condition: Condition) -> Content:
    """Deal the content of a table; under a condition without grids, only stray tiles."""
    content = find_dealer(description.game)(rng, description, condition.most_missing)
    if condition.has_grids:
        return content
    names = [face.name for face in description.faces]
    return Content((), tuple(shuffle(rng, names)[:_MAX_STRAY_FACES]))


def _limit_covers(props: int, description: Description, content: Content) -> int:
    """Return fewer covering props for a board, and for a table with few cells."""
    if description.board is not None:
        return -(-props // _FEWER_COVERS)
    cells = len(content.grids) * description.rows * description.columns
    return -(-props * min(cells, _MANY_CELLS) // _MANY_CELLS)


def _random_surroundings(rng: Rng, condition: Condition) -> tuple[Surroundings, int]:
    """Draw the surroundings of a table, and the quality of the JPEG."""
    drawn: dict[str, Any] = {}
    for key, (low, high) in {**ORDINARY, **condition.ranges}.items():
        if isinstance(low, int):
            drawn[key] = int(rng.integers(low, int(high) + 1))
        else:
            drawn[key] = round(float(rng.uniform(low, high)), 4)
    jpeg_quality = drawn.pop("jpeg_quality")
    surroundings = Surroundings(
        one_of(rng, condition.materials or tuple(TABLE_TOPS)),
        strength=0.2 if condition.light else 0.25,
        effects=(EFFECTS[condition.light],) if condition.light else (),
        cut_off=condition.cut_off,
        **drawn,
    )
    return surroundings, jpeg_quality
