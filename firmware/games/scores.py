"""Points of a scored table in one form for all games."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scoring.faces import Cell


class PlayerResult(NamedTuple):
    """Points and rank of one player.

    Attributes:
        name: Name as the sheet has it.
        points: Final points.
        rank: Rank from 1; players with equal points may share one.
        won: True if the player wins, alone or together with others.
    """

    name: str
    points: int
    rank: int
    won: bool


@dataclass(frozen=True, slots=True)
class PointReason:
    """Points given for some cells of a city.

    Attributes:
        part: Identifier of the building type.
        points: Points.
        text: Sentence with the reason.
        cells: Cells that take part.
    """

    part: str
    points: int
    text: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class CityPoints:
    """Points of one city.

    Attributes:
        name: Letter of the city.
        total: Sum of its points.
        parts: Points by building type.
        reasons: Reasons that make up the total.
    """

    name: str
    total: int
    parts: Mapping[str, int]
    reasons: tuple[PointReason, ...] = ()


def results_from_totals(
    totals: Mapping[str, int], winners: Collection[str]
) -> tuple[PlayerResult, ...]:
    """Rank players by their total points.

    Args:
        totals: Points by player.
        winners: Names of those who win.
    """
    return tuple(
        PlayerResult(
            name, points, 1 + sum(other > points for other in totals.values()), name in winners
        )
        for name, points in totals.items()
    )
