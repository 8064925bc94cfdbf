"""Every threshold of the eye, as OpenCV's DetectorParameters has those of its detector."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LocateParameters:
    """How tiles are found.

    Attributes:
        likely: a cell of the network's map votes when it is at least this likely a tile or plot.
        same_tile: votes closer than this, in tile widths, mean the same tile.
        least_votes: votes of less likelihood together are chance.
    """

    likely: float = 0.4
    same_tile: float = 0.33
    least_votes: float = 0.8
