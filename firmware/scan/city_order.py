"""Order of the cities of a table, as a person writes it: ``A,C,B``, or ``A=D,C,B``.

Each letter stands once, clockwise round the table. ``A=D``: A and D are one city, which two photos
show. The letters are those of the table before the answer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from firmware.base.errors import UsageError, as_typed
from firmware.scan.corrections import Correction, index_of_letters
from scoring.faces import city_name
from vision.editions.description import Description
from vision.joining import merge_grids
from vision.patches.comparison import Patch
from vision.reading import Place, Reading

_LETTERS: Final = re.compile(r"[A-Z]{1,2}(=[A-Z]{1,2})*(,[A-Z]{1,2}(=[A-Z]{1,2})*)*")


@dataclass(frozen=True, slots=True)
class OrderedTable:
    """Reading with the order that a person has given.

    Attributes:
        reading: Reading in which cities seen twice are one.
        corrections: Corrections, moved to the cities that are left.
        order: Grids clockwise.
    """

    reading: Reading
    corrections: tuple[Correction, ...]
    order: tuple[int, ...]


def apply_order(
    text: str,
    reading: Reading,
    corrections: Sequence[Correction],
    description: Description,
) -> OrderedTable:
    """Unite the cities that a person names as one, and return the order of all.

    Raises:
        UsageError: ``order-malformed``.
    """
    written = "".join(text.split()).upper()
    known = [city_name(grid) for grid in range(len(reading.grids))]
    groups = [each.split("=") for each in written.split(",")]
    named = [letters for group in groups for letters in group]
    is_united = any(len(group) > 1 for group in groups)
    if (
        _LETTERS.fullmatch(written) is None
        or sorted(named) != sorted(known)
        or (is_united and reading.join is None)
    ):
        raise UsageError(
            "order-malformed",
            "this is no order of the cities: name each of {known} once, clockwise, like {example}",
            as_typed("--order", text),
            known=", ".join(known),
            example=",".join(known),
        )
    indices = [[index_of_letters(letters) for letters in group] for group in groups]
    changed, moved = reading, tuple(corrections)
    pairs = sorted(
        ((min(group), other) for group in indices for other in group if other != min(group)),
        key=lambda pair: -pair[1],
    )
    for keep, drop in pairs:
        united = unite_cities(changed, moved, keep, drop, description)
        changed, moved = united.reading, united.corrections
    dropped = sorted(drop for _keep, drop in pairs)
    order = tuple(min(group) - sum(each < min(group) for each in dropped) for group in indices)
    if changed.join is not None:
        changed = replace(changed, join=replace(changed.join, perhaps_same=()))
    return OrderedTable(changed, moved, order)


@dataclass(frozen=True, slots=True, eq=False)
class UnitedCities:
    """Joined reading in which two cities are one, with all that was moved along.

    Attributes:
        reading: Reading with the united city.
        corrections: Corrections at their new places.
        patches: Pictures of corrected tiles by their new places, turned with their city.
    """

    reading: Reading
    corrections: tuple[Correction, ...]
    patches: dict[Place, Patch]


def unite_cities(
    reading: Reading,
    corrections: Sequence[Correction],
    keep: int,
    drop: int,
    description: Description,
    patches: Mapping[Place, Patch] | None = None,
) -> UnitedCities:
    """Unite two cities of a joined reading, and move corrections and their pictures along.

    Those of a city that was seen from another side are turned with it. Where both cities were
    corrected at one place, that of the city that is kept counts.

    Args:
        reading: Joined reading.
        corrections: Corrections of the reading.
        keep: Number of the city that stays, the lower one of the two.
        drop: Number of the other city.
        description: Description of the game.
        patches: Pictures of corrected tiles by place; None if there are none.
    """
    merged = merge_grids(reading, keep, drop, description)
    own = {merged.moved(each.place) for each in corrections if each.place.grid == keep}
    moved, moved_patches = [], {}
    for each in corrections:
        place, is_dropped = merged.moved(each.place), each.place.grid == drop
        if place is None or (is_dropped and place in own):
            continue
        moved.append(each if place == each.place else replace(each, place=place, written=""))
        patch = (patches or {}).get(each.place)
        if patch is not None:
            # ``rot90`` turns the other way round
            moved_patches[place] = np.rot90(patch, -merged.turn) if is_dropped else patch
    return UnitedCities(merged.reading, tuple(moved), moved_patches)
