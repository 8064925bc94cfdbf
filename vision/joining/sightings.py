"""Sightings of grids in several photos, and which of them are of one grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from vision.editions.description import Description
from vision.joining.grid_comparison import Frequencies, GridMatch, GridSameness, compare_grids
from vision.reading import GridReading

CLEAR_LEAD_NATS: Final = 9.0
"""Nats by which a grid has to be more like one grid of another photo than like the next one of it;
with less, a person is asked which of the two it is."""

Pair = tuple[int, int]
"""Numbers of two sightings, or of two grids, the lower one first."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """Reading of a grid in one photo. The sightings of all photos are numbered together.

    Attributes:
        photo_index: Index of the photo.
        grid: Reading of the grid.
    """

    photo_index: int
    grid: GridReading


@dataclass(frozen=True, slots=True)
class TableGrids:
    """Grids of a table, each with all its sightings.

    Attributes:
        grids: Numbers of the sightings of each grid, in order of their photos.
        perhaps_same: Pairs of grids that may be one.
    """

    grids: tuple[tuple[int, ...], ...]
    perhaps_same: tuple[Pair, ...]


def compare_sightings(
    sightings: Sequence[Sighting], frequencies: Frequencies, description: Description
) -> dict[Pair, GridMatch]:
    """Compare each grid with those of other photos."""
    return {
        (a, b): compare_grids(sightings[a].grid, sightings[b].grid, frequencies, description)
        for a, b in combinations(range(len(sightings)), 2)
        if sightings[a].photo_index != sightings[b].photo_index
    }


def identify_grids(sightings: Sequence[Sighting], matches: Mapping[Pair, GridMatch]) -> TableGrids:
    """Unite sightings that are certainly of one grid, the most alike first.

    Two grids of one photo are never united. A sighting that is much like two grids of another
    photo is united with neither; a person is asked.
    """
    group = list(range(len(sightings)))
    certain = [pair for pair, match in matches.items() if match.sameness is GridSameness.SAME]
    for pair in sorted(certain, key=lambda pair: (-matches[pair].evidence_nats, pair)):
        a, b = (group[sighting] for sighting in pair)
        photos = [
            {sightings[s].photo_index for s, g in enumerate(group) if g == each} for each in (a, b)
        ]
        if a != b and photos[0].isdisjoint(photos[1]) and _is_clear(pair, sightings, matches):
            group = [min(a, b) if each in (a, b) else each for each in group]
    grids = tuple(
        tuple(sighting for sighting, each in enumerate(group) if each == name)
        for name in dict.fromkeys(group)
    )
    perhaps = tuple(
        (a, b)
        for a, b in combinations(range(len(grids)), 2)
        if _may_be_same(grids[a], grids[b], sightings, matches)
    )
    return TableGrids(grids, perhaps)


def _is_clear(pair: Pair, sightings: Sequence[Sighting], matches: Mapping[Pair, GridMatch]) -> bool:
    """Return whether each is clearly less like any other grid in the photo of the other."""
    rival_limit = matches[pair].evidence_nats - CLEAR_LEAD_NATS
    rivals = (
        matches.get((min(sighting, rival), max(sighting, rival)))
        for sighting, other in (pair, pair[::-1])
        for rival in range(len(sightings))
        if rival != other and sightings[rival].photo_index == sightings[other].photo_index
    )
    return not any(
        match is not None
        and match.sameness is GridSameness.SAME
        and match.evidence_nats > rival_limit
        for match in rivals
    )


def _may_be_same(
    one: Sequence[int],
    other: Sequence[int],
    sightings: Sequence[Sighting],
    matches: Mapping[Pair, GridMatch],
) -> bool:
    """Return whether two grids may be one: not all pairs of their sightings say otherwise."""
    if not {sightings[s].photo_index for s in one}.isdisjoint(
        sightings[s].photo_index for s in other
    ):
        return False
    found = (matches[min(a, b), max(a, b)].sameness for a in one for b in other)
    return any(sameness is not GridSameness.OTHER for sameness in found)
