"""Ranges of points and ranks of a scan while some of its places are open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from vision.reading import Place

RANGE_SIGN: Final = "–"
"""Sign between the least and the most."""


@dataclass(frozen=True, slots=True)
class Range:
    """Least and most points, or best and worst rank."""

    least: int
    most: int

    def __str__(self) -> str:
        return (
            str(self.least) if self.least == self.most else f"{self.least}{RANGE_SIGN}{self.most}"
        )

    @property
    def is_open(self) -> bool:
        """True while the number may still change."""
        return self.least != self.most


@dataclass(frozen=True, slots=True)
class UnboundedRange(Range):
    """Points that are shown as read, with a question mark, as only the rules limit them.

    Attributes:
        read: Points as read.
        mark: ``?``; empty where one follows anyway.
    """

    read: int
    mark: str = "?"

    def __str__(self) -> str:
        return f"{self.read}{self.mark}"


class RangeQuality(Enum):
    """Accuracy of ranges."""

    EXACT = auto()
    """Some assignment reaches each end of a range."""
    BOUNDS = auto()
    """The ranges may be wider than what can come."""
    UNBOUNDED = auto()
    """Open ranges are only what the rules allow on any table; they are shown as ``57?``."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of points and ranks over all that may lie at the open places of a scan.

    Attributes:
        cities: Points of each city, in the order of the table; empty in games that score none.
        players: Final score of each player, in seat order.
        ranks: Rank of each player; 1 is best.
        winners: Players who can win, in seat order.
        winner_certain: True if the same players win whatever lies at the open places; False if
            something else is open, such as a city that was not read.
        by_influence: Open places, those that decide most first; in reading order unless exact.
        without_effect: Open places that change no rank, whatever lies there; empty unless exact.
        quality: Quality of all ranges; the more combinations there are, the lower.
        parts: Points of each city for each building type, by index of the city and type; empty if
            there are too many combinations, and in games without such points.
    """

    cities: tuple[Range, ...]
    players: tuple[Range, ...]
    ranks: tuple[Range, ...]
    winners: tuple[int, ...]
    winner_certain: bool
    by_influence: tuple[Place, ...]
    without_effect: frozenset[Place] = frozenset()
    quality: RangeQuality = RangeQuality.EXACT
    parts: Mapping[tuple[int, str], Range] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownNumbers:
    """Points and ranks as people see them: ``57``, ``55–57``, or ``57?`` if more than that is open.

    Attributes:
        ranges: Ranges of the scan; None if every number stands alone.
        mark: ``?`` if more can change than ``ranges`` cover, such as a city that was not read; else
            empty.
    """

    ranges: Ranges | None = None
    mark: str = ""

    @property
    def is_open(self) -> bool:
        """True while any number or winner may still change."""
        return self.ranges is not None or bool(self.mark)

    @property
    def shows_bounds(self) -> bool:
        """True if open ranges are shown that may be wider than what can come."""
        ranges = self.ranges
        if ranges is None or ranges.quality is not RangeQuality.BOUNDS:
            return False
        return any(each.is_open for each in (*ranges.cities, *ranges.players, *ranges.ranks))

    @property
    def wins_anyway(self) -> bool:
        """True if something is open and the same players win anyway; False if nothing is open."""
        return self.ranges is not None and self.ranges.winner_certain

    @property
    def contenders(self) -> tuple[int, ...]:
        """Players who can win, in seat order, while that is open; else empty."""
        ranges = self.ranges
        if ranges is None or ranges.quality is RangeQuality.UNBOUNDED or ranges.winner_certain:
            return ()
        return ranges.winners if len(ranges.winners) > 1 else ()

    @property
    def may_others_win(self) -> bool:
        """True if the winner is open only because further players may win or share the victory.

        A further player is one of whom no piece was read for sure; an open place may show one.
        """
        ranges = self.ranges
        if ranges is None or ranges.quality is RangeQuality.UNBOUNDED or self.mark:
            return False
        return not ranges.winner_certain and len(ranges.winners) == 1

    def final(self, seat: int, points: int) -> str:
        """Return the final score of a player, which is ``points`` as read."""
        return self._shown(None if self.ranges is None else self.ranges.players, seat, points)

    def rank(self, seat: int, rank: int) -> str:
        """Return the rank of a player, which is ``rank`` as read."""
        return self._shown(None if self.ranges is None else self.ranges.ranks, seat, rank)

    def city(self, city: int, total: int, *, may_change: bool) -> str:
        """Return the points of a city, which are ``total`` as read.

        Args:
            city: Index of the city.
            total: Points as read.
            may_change: Whether something is open that its points depend on.
        """
        if not may_change:
            return str(total)
        return self._shown(None if self.ranges is None else self.ranges.cities, city, total)

    def part(self, city: int, part: str, points: int, *, may_change: bool) -> str:
        """Return the points of a city for a building type, which are ``points`` as read.

        Args:
            city: Index of the city.
            part: Building type.
            points: Points as read.
            may_change: Whether something is open that they may depend on.
        """
        if not may_change:
            return str(points)
        if self.ranges is None:
            return f"{points}{self.mark}"
        found = self.ranges.parts.get((city, part))
        return f"{points}?" if found is None else str(found)

    def _shown(self, ranges: Sequence[Range] | None, index: int, value: int) -> str:
        if self.ranges is None or ranges is None or index >= len(ranges):
            return f"{value}{self.mark}"
        if self.ranges.quality is RangeQuality.UNBOUNDED and ranges[index].is_open:
            return f"{value}?"
        return f"{ranges[index]}{self.mark}"
