"""Which single votes say the same about the place, turn and size of one picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.boards.features import Votes, wrapped


@dataclass(frozen=True, slots=True)
class Likeness:
    """How far two votes may differ.

    Attributes:
        apart: distance of the two centres, in widths of the picture.
        turn: radians.
        size: ratio of the larger width to the smaller one.
    """

    apart: float
    turn: float
    size: float


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Pairs of votes that agree; each vote agrees with itself.

    Attributes:
        votes: how many there are.
        one: (pairs,) number of a vote, in ascending order.
        other: (pairs,) number of one that agrees with it.
    """

    votes: int
    one: NDArray[np.intp]
    other: NDArray[np.intp]

    @classmethod
    def of(cls, votes: Votes, like: Likeness) -> "Agreement":
        """Of votes as much alike as that."""
        centres, reach = votes.centres, like.apart * votes.widths
        # Only those are compared whose centres lie near from left to right
        order = np.argsort(centres[:, 0], kind="stable")
        across = centres[order, 0]
        begin = np.searchsorted(across, centres[:, 0] - reach, side="left")
        count = np.searchsorted(across, centres[:, 0] + reach, side="right") - begin
        one = np.repeat(np.arange(len(votes)), count)
        skipped = np.cumsum(count) - count - begin
        other = order[np.arange(len(one)) - np.repeat(skipped, count)]

        near = np.abs(centres[one, 1] - centres[other, 1]) < reach[one]
        one, other = one[near], other[near]
        apart = np.linalg.norm(centres[one] - centres[other], axis=1) < reach[one]
        turn = np.abs(wrapped(votes.angles[one] - votes.angles[other])) < like.turn
        widths = np.log(votes.widths)
        size = np.abs(widths[one] - widths[other]) < np.log(like.size)
        agree = (apart & turn & size) | (one == other)
        return cls(len(votes), one[agree], other[agree])

    def largest(self, left: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
        """The votes with which most votes agree on one picture.

        Args:
            left: (votes,) which of them still count; None: all.
        """
        one, other = self.one, self.other
        if left is not None:
            both = left[one] & left[other]
            one, other = one[both], other[both]
        if len(one) == 0:
            return np.zeros(0, np.intp)
        most = int(np.bincount(one, minlength=self.votes).argmax())
        return np.sort(other[one == most])
