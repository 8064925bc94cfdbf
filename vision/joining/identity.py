"""Identity of cities: which readings in different photos are of one city."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from vision.editions.description import Description
from vision.joining.same_city import CityMatch, CitySameness, Frequencies, match_city
from vision.reading import GridReading

CLEAR_LEAD_NATS: Final = 9.0
"""Nats by which a city has to be more like one city of another photo than like the next one of it;
with less, a person is asked which of the two it is."""

Pair = tuple[int, int]
"""Numbers of two sightings, or of two cities, the lower one first."""


@dataclass(frozen=True, slots=True, eq=False)
class CitySighting:
    """Reading of a city in one photo. The sightings of all photos are numbered together.

    Attributes:
        photo_index: Index of the photo.
        grid: Reading of the city.
    """

    photo_index: int
    grid: GridReading


@dataclass(frozen=True, slots=True)
class TableCities:
    """Cities of a table, each with all its sightings.

    Attributes:
        cities: Numbers of the sightings of each city, in order of their photos.
        perhaps_same: Pairs of cities that may be one.
    """

    cities: tuple[tuple[int, ...], ...]
    perhaps_same: tuple[Pair, ...]


def compare_sightings(
    sightings: Sequence[CitySighting], frequencies: Frequencies, description: Description
) -> dict[Pair, CityMatch]:
    """Compare each city with those of other photos."""
    return {
        (a, b): match_city(sightings[a].grid, sightings[b].grid, frequencies, description)
        for a, b in combinations(range(len(sightings)), 2)
        if sightings[a].photo_index != sightings[b].photo_index
    }


def identify_cities(
    sightings: Sequence[CitySighting], matches: Mapping[Pair, CityMatch]
) -> TableCities:
    """Unite sightings that are certainly of one city, the most alike first.

    Two cities of one photo are never united. A sighting that is much like two cities of another
    photo is united with neither; a person is asked.
    """
    group = list(range(len(sightings)))
    certain = [pair for pair, match in matches.items() if match.sameness is CitySameness.SAME]
    for pair in sorted(certain, key=lambda pair: (-matches[pair].evidence_nats, pair)):
        a, b = (group[sighting] for sighting in pair)
        photos = [
            {sightings[s].photo_index for s, g in enumerate(group) if g == each} for each in (a, b)
        ]
        if a != b and photos[0].isdisjoint(photos[1]) and _is_clear(pair, sightings, matches):
            group = [min(a, b) if each in (a, b) else each for each in group]
    cities = tuple(
        tuple(sighting for sighting, each in enumerate(group) if each == name)
        for name in dict.fromkeys(group)
    )
    perhaps = tuple(
        (a, b)
        for a, b in combinations(range(len(cities)), 2)
        if _may_be_same(cities[a], cities[b], sightings, matches)
    )
    return TableCities(cities, perhaps)


def _is_clear(
    pair: Pair, sightings: Sequence[CitySighting], matches: Mapping[Pair, CityMatch]
) -> bool:
    """Return whether each is clearly less like any other city in the photo of the other."""
    rival_limit = matches[pair].evidence_nats - CLEAR_LEAD_NATS
    rivals = (
        matches.get((min(sighting, rival), max(sighting, rival)))
        for sighting, other in (pair, pair[::-1])
        for rival in range(len(sightings))
        if rival != other and sightings[rival].photo_index == sightings[other].photo_index
    )
    return not any(
        match is not None
        and match.sameness is CitySameness.SAME
        and match.evidence_nats > rival_limit
        for match in rivals
    )


def _may_be_same(
    one: Sequence[int],
    other: Sequence[int],
    sightings: Sequence[CitySighting],
    matches: Mapping[Pair, CityMatch],
) -> bool:
    """Return whether two cities may be one: not all pairs of their sightings say otherwise."""
    if not {sightings[s].photo_index for s in one}.isdisjoint(
        sightings[s].photo_index for s in other
    ):
        return False
    found = (matches[min(a, b), max(a, b)].sameness for a in one for b in other)
    return any(sameness is not CitySameness.OTHER for sameness in found)
