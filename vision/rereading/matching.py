"""Matching of the grids of two photos: whether the table is the same, and which grid is which.

Two questions have a comparison each:

- Could it be the same game? ``compare_tables``, by faces alone, wherever the grids lie: a grid is
  there again with three quarters of its tiles, and the table needs twelve equal tiles. The
  appliance asks it before it updates a stored game, and ``reorder_grids`` uses it to give the
  grids of a photo that was read in full the order and turns of the last result.
- Which letter has each grid of a table that is read again? ``match_grids``, by faces or else by
  places in the photo: half of the cells suffice. ``keeps_half_of_grids`` then tells whether the
  memory of the table holds, and ``order_by_letter`` orders the grids by their letters.
  ``vision.rereading.memory`` does all three.

In games of tiles alone both order the grids. ``reorder_grids`` runs first, as part of reading in
full, and also turns them; ``memory.remember`` may reorder them again, since it also knows grids
that were absent in the last photo. In games without a memory ``reorder_grids`` is all.

Here a reading is compared with an earlier one of what is probably the same table, so counting equal
tiles is enough. ``vision.joining.grid_comparison`` compares grids of photos of one table, most of
which are different ones, and weighs each tile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Final, NamedTuple

import cv2

from vision.arrays import Corners, floats
from vision.reading import GridReading, Reading, turned_rows

_MIN_OVERLAP: Final = 0.25
"""Minimum intersection over union of two grids in the same place.

A grid that moved by two tiles, or was turned by any angle, has more.
"""
_MIN_EQUAL_SHARE: Final = 0.5
"""Minimum share of equal cells of one grid in two photos.

Chance gives a ninth; a few exchanged or corrected tiles leave more.
"""
_MIN_CERTAIN_SHARE: Final = 0.75
"""Minimum share of equal tiles of a grid that is certainly the same.

Photos that were turned, reduced and compressed have 0.9 and more; grids of different games 0.2 on
average.
"""
_MIN_EQUAL_TILES: Final = 12
"""Minimum number of equal tiles of all grids together; fewer may be equal by chance."""

EarlierByNew = Mapping[int, int]
"""Index of the earlier grid of each new grid that has one."""
_Scores = Mapping[tuple[int, int], float]
"""Similarity, 0 to 1, of each pair of indices (new, earlier), as n and e below."""


class TableSameness(Enum):
    """Relation of the games in two photos."""

    SAME = "same"
    """Every grid is there again, in the same order round the table."""
    PERHAPS = "perhaps"
    """At least half of the grids of the photo with fewer are there again; others are missing,
    new or fuller."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class TableMatch:
    """Comparison of the grids of two photos by their faces.

    Attributes:
        sameness: Whether both photos show one game.
        earlier_by_new: Index of the earlier grid of each new grid that was there before.
        turn_to_earlier: Quarter turns clockwise that bring each of these new grids into the turn
            of its earlier reading (``GridReading.turned``); 0 where the tiles say which way is up.
    """

    sameness: TableSameness
    earlier_by_new: EarlierByNew
    turn_to_earlier: Mapping[int, int]


def compare_tables(
    earlier: Sequence[GridReading], new: Sequence[GridReading], *, any_grid_turn: bool = False
) -> TableMatch:
    """Compare two readings of grids by their faces alone, wherever the grids lie in the photos.

    Args:
        earlier: Earlier grids, in the order round the table.
        new: New grids, in the order round the table, beginning at any of them.
        any_grid_turn: Whether a grid may be read in another turn in each photo.
    """
    matches = {
        (n, e): _match_in_best_turn(new_grid, earlier_grid, any_grid_turn=any_grid_turn)
        for (n, new_grid), (e, earlier_grid) in product(enumerate(new), enumerate(earlier))
    }
    earlier_by_new = _best_pairs(
        {pair: match.share_of_earlier for pair, match in matches.items()},
        _MIN_CERTAIN_SHARE,
        {pair: match.share_of_fuller for pair, match in matches.items()},
    )
    turn_to_earlier = {pair[0]: matches[pair].turn for pair in earlier_by_new.items()}
    equal_tiles = sum(matches[pair].equal_tiles for pair in earlier_by_new.items())
    fewer = min(len(earlier), len(new))
    if not earlier_by_new or 2 * len(earlier_by_new) < fewer or equal_tiles < _MIN_EQUAL_TILES:
        return TableMatch(TableSameness.OTHER, {}, {})
    is_whole = len(earlier_by_new) == len(earlier) == len(new) and _keeps_order_round_table(
        earlier_by_new
    )
    is_same = is_whole and all(
        matches[pair].share_of_fuller >= _MIN_CERTAIN_SHARE for pair in earlier_by_new.items()
    )
    return TableMatch(
        TableSameness.SAME if is_same else TableSameness.PERHAPS, earlier_by_new, turn_to_earlier
    )


class _FaceMatch(NamedTuple):
    """Comparison of two grids in one turn.

    Attributes:
        equal_tiles: Number of equal tiles.
        share_of_earlier: Equal tiles as a share of those of the earlier grid.
        share_of_fuller: Equal tiles as a share of those of the fuller grid.
        turn: Quarter turns clockwise that bring the new grid into the turn of the earlier one.
    """

    equal_tiles: int = 0
    share_of_earlier: float = 0.0
    share_of_fuller: float = 0.0
    turn: int = 0


def _match_in_best_turn(
    new: GridReading, earlier: GridReading, *, any_grid_turn: bool
) -> _FaceMatch:
    """Compare two grids in the turn with the most equal tiles."""
    filled = sum(face is not None for row in earlier.faces for face in row)
    most = max(filled, sum(face is not None for row in new.faces for face in row))
    best = _FaceMatch()
    faces = new.faces
    for turn in range(4 if any_grid_turn else 1):
        if turn:
            faces = turned_rows(faces)
        if (len(faces), len(faces[0])) != earlier.size or not filled:
            continue
        equal = sum(
            one is not None and one == other
            for row, other_row in zip(faces, earlier.faces, strict=True)
            for one, other in zip(row, other_row, strict=True)
        )
        if equal > best.equal_tiles:
            best = _FaceMatch(equal, equal / filled, equal / most, turn)
    return best


def reorder_grids(
    reading: Reading, earlier: Sequence[GridReading], *, any_grid_turn: bool = False
) -> Reading:
    """Order and turn the grids of a reading as in an earlier photo of the same table.

    Args:
        reading: Reading of the new photo.
        earlier: Grids of the earlier photo in the order of their letters; empty without one.
        any_grid_turn: Whether a grid may be read in another turn in each photo.

    Returns:
        The reading as it is if the grids are not those of the earlier photo.
    """
    match = compare_tables(earlier, reading.grids, any_grid_turn=any_grid_turn)
    if not match.earlier_by_new or not _keeps_order_round_table(match.earlier_by_new):
        return reading
    grids = [grid.turned(match.turn_to_earlier.get(n, 0)) for n, grid in enumerate(reading.grids)]
    order = order_by_letter(match.earlier_by_new, len(grids))
    return replace(reading, grids=tuple(grids[number] for number in order))


def match_grids(earlier: Sequence[GridReading], new: Sequence[GridReading]) -> EarlierByNew:
    """Match new grids with earlier ones.

    Grids are matched by their tiles, so that letters survive a move of the camera. If that would
    change the order round the table, they are matched by their places instead. Grids without a
    match are tried the other way. New grids without any match are left out.

    Args:
        earlier: Earlier grids in the order round the table.
        new: New grids in the order round the table.
    """
    equal_shares, overlaps = _equal_shares(earlier, new), _overlaps(earlier, new)
    by_tiles = _best_pairs(equal_shares, _MIN_EQUAL_SHARE, overlaps)
    by_place = _best_pairs(overlaps, _MIN_OVERLAP, equal_shares)
    first, second = (
        (by_tiles, by_place) if _keeps_order_round_table(by_tiles) else (by_place, by_tiles)
    )
    earlier_by_new = dict(first)
    for n, e in second.items():
        if n not in earlier_by_new and e not in earlier_by_new.values():
            earlier_by_new[n] = e
    return earlier_by_new


def keeps_half_of_grids(
    earlier: Sequence[GridReading], new: Sequence[GridReading], earlier_by_new: EarlierByNew
) -> bool:
    """Return whether at least half of the grids show the same tiles as before.

    Otherwise another game lies there, whose grids may lie in the same places.
    """
    equal_shares = _equal_shares(earlier, new)
    kept = sum(equal_shares[pair] >= _MIN_EQUAL_SHARE for pair in earlier_by_new.items())
    return 2 * kept >= min(len(earlier), len(new))


def order_by_letter(earlier_by_new: EarlierByNew, count: int) -> list[int]:
    """Return the indices of ``count`` new grids in the order of their letters.

    Letters follow the order round the table; the grid that had the first letter keeps it.
    """
    first = min(earlier_by_new, key=earlier_by_new.__getitem__) if earlier_by_new else 0
    return [(first + number) % count for number in range(count)]


def _best_pairs(scores: _Scores, minimum: float, tie_scores: _Scores) -> EarlierByNew:
    """Pair grids greedily by score, each index once."""
    earlier_by_new: dict[int, int] = {}
    for n, e in sorted(scores, key=lambda pair: (-scores[pair], -tie_scores[pair], pair)):
        enough = scores[n, e] >= minimum
        if enough and n not in earlier_by_new and e not in earlier_by_new.values():
            earlier_by_new[n] = e
    return earlier_by_new


def _keeps_order_round_table(earlier_by_new: EarlierByNew) -> bool:
    """Return whether paired grids have the same cyclic order round the table."""
    numbers = [earlier_by_new[new] for new in sorted(earlier_by_new)]
    following = [*numbers[1:], *numbers[:1]]
    return sum(one > other for one, other in zip(numbers, following, strict=True)) <= 1


def _equal_shares(earlier: Sequence[GridReading], new: Sequence[GridReading]) -> _Scores:
    """Return the share of cells with the same face in both."""
    shares = {}
    for (n, new_grid), (e, earlier_grid) in product(enumerate(new), enumerate(earlier)):
        cells = [
            (one, other)
            for row, other_row in zip(new_grid.faces, earlier_grid.faces, strict=False)
            for one, other in zip(row, other_row, strict=False)
        ]
        same = sum(one is not None and one == other for one, other in cells)
        shares[n, e] = same / len(cells) if new_grid.size == earlier_grid.size else 0.0
    return shares


def _overlaps(earlier: Sequence[GridReading], new: Sequence[GridReading]) -> _Scores:
    """Return the intersection over union of each pair of grids."""
    return {
        (n, e): _overlap(floats(new_grid.corners_px), floats(earlier_grid.corners_px))
        for (n, new_grid), (e, earlier_grid) in product(enumerate(new), enumerate(earlier))
    }


def _overlap(one: Corners, other: Corners) -> float:
    common, _ = cv2.intersectConvexConvex(one, other)
    both = cv2.contourArea(one) + cv2.contourArea(other) - common
    return float(common / both) if both > 0 else 0.0
