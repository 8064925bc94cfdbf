"""Who got what in a stored sheet, whatever the game."""

from dataclasses import dataclass

from firmware.terminal import Json


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player's part of a sheet.

    Attributes:
        name: as the sheet has it.
        points: the final ones.
        rank: 1, 1, 3 and so on.
        won: alone or together with others.
    """

    name: str
    points: int
    rank: int
    won: bool


def results_of(sheet: Json) -> tuple[PlayerResult, ...]:
    """The players of a sheet in its order; empty if it is none of a known form."""
    try:
        if "players" in sheet:
            return _from_players(sheet)
        return _from_totals(sheet)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ()


def _from_players(sheet: Json) -> tuple[PlayerResult, ...]:
    winners = set(sheet["winners"])
    return tuple(
        PlayerResult(
            str(player["name"]), int(player["final"]), int(player["rank"]), seat in winners
        )
        for seat, player in enumerate(sheet["players"])
    )


def _from_totals(sheet: Json) -> tuple[PlayerResult, ...]:
    totals = {str(name): int(points) for name, points in sheet["totals"].items()}
    winners = set(sheet["winners"])
    return tuple(
        PlayerResult(
            name,
            points,
            1 + sum(other > points for other in totals.values()),
            name in winners,
        )
        for name, points in totals.items()
    )
