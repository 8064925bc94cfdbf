"""Ranges of points and ranks of a scan while some of its places are open."""

from dataclasses import dataclass

from vision.reading import Place


@dataclass(frozen=True, slots=True)
class Range:
    """Least and most points, or best and worst rank."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least}–{self.most}"

    @property
    def is_open(self) -> bool:
        """Whether it may still change."""
        return self.least != self.most


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of points and ranks over all that may lie at the open places of a scan.

    Attributes:
        cities: points of each city, in the order of the table; empty in games that score none.
        players: final score of each player, in seat order.
        ranks: rank of each player; 1 is best.
        winners: players who can win, in seat order.
        winner_certain: whether the same players win whatever lies at the open places; False if
            something else is open, such as a city that was not read.
        order: open places, those that decide most first.
        idle: open places that change no rank, whatever lies there; empty unless exact.
        is_exact: whether every value is taken by some combination; else the ranges are bounds.
    """

    cities: tuple[Range, ...]
    players: tuple[Range, ...]
    ranks: tuple[Range, ...]
    winners: tuple[int, ...]
    winner_certain: bool
    order: tuple[Place, ...]
    idle: frozenset[Place] = frozenset()
    is_exact: bool = True
