"""Tests that a grid passes from its detection to its reading, and its grades on the way.

All similarities are to known faces. "Whole" is the mean probability that each cell shows one whole
tile, aligned with the cell.

1. ``lattice.fit_grids``: a tile was detected in at least the share ``MIN_SEEN_SHARE`` of the cells.
2. ``is_reliable``: whole over ``MIN_REGISTERED_WHOLE``, position certain, mean similarity at least
   ``MIN_TYPICAL_SIMILARITY``. Others are weak. They are fitted again, and go on to test 4 even if
   nothing fits better.
3. ``is_confirmed``, for grids that a search found: whole at least ``MIN_CONFIRMED_WHOLE``, mean
   similarity as in test 2. Others are unconfirmed: left unread if they nearly are grids. While a
   grid grows, ``position_search.MIN_HYPOTHESIS_SCORE`` and ``growth.MIN_KNOWN_SCORE`` hold.
4. ``read._recognise_candidates``: tiles of the common size, and no more grids than the game has.
   Others are left unread, or rejected: those of another size if they are like no known face, those
   beyond the number of grids if they fail test 5.
5. ``acceptance.find_rejection_reason``: median similarity at least ``MIN_TYPICAL_SIMILARITY``, or
   no sign of something else. Others are rejected, as are grids of the backs of tiles
   (``acceptance.shows_tile_backs``), and grids like no face if no grid of the photo has known faces
   or a certain position (``recognise.recognise_grids``).
6. ``acceptance.is_readable``: median similarity at least ``MIN_TYPICAL_SIMILARITY``, and,
   below ``MIN_ONE_FACE_SIMILARITY``, no background that continues beside the grid;
   ``MIN_ONE_FACE_SIMILARITY`` where nearly all resemble one face, which is an empty plot or the
   tiles look the same; ``CHANCE_SIMILARITY`` for a whole grid that light has washed out
   and that ``stands_out_from_surroundings``. Others are left unread, or rejected if they lie on a
   face-down pile.
7. ``recognise.make_recognised_grid``: each outermost row is decided (a sure tile, all whole,
   or all empty), or no row beside the grid resembles known faces as it does
   (``stands_out_from_surroundings``). Others are left unread.

Printed boards skip tests 2, 3 and 7. A grid that passes can have sure faces only if
``RecognisedGrid.is_position_certain`` and ``is_turn_certain``.

Grades of a placed grid of free tiles, by which completion decides:

- registered: whole over ``MIN_REGISTERED_WHOLE``, position certain; no search is needed there,
  whatever its faces;
- reliable: registered, and of known faces; a first grid that can stay as it is;
- confirmed: whole at least ``MIN_CONFIRMED_WHOLE``, and of known faces; a grid found by a search
  that is kept, though it may lie a row off.

A reliable grid is confirmed, too. One that is not reliable, or has another tile size than the
others and no support above ``completion.CLEAR_SUPPORT``, is called weak: it is fitted again, and
stays as it is if nothing fits better, unless it overlaps another grid.
"""

from typing import Final

from vision.eye.acceptance import MIN_TYPICAL_SIMILARITY
from vision.eye.placement import CandidateGrid

MIN_REGISTERED_WHOLE: Final = 0.9
"""Mean probability of whole tiles above which a grid lies on its tiles. Smaller: grids that lie off
their tiles spoil the common tile size; larger: dim photos have no grid to learn it from."""
MIN_CONFIRMED_WHOLE: Final = 0.85
"""Minimum mean probability of whole tiles of a confirmed grid. Smaller: cloth and cards become
grids; larger: dim grids stay unread."""


def shows_known_faces(candidate: CandidateGrid) -> bool:
    """Return whether the tiles of a grid resemble known faces."""
    return candidate.mean_similarity >= MIN_TYPICAL_SIMILARITY


def is_registered(candidate: CandidateGrid) -> bool:
    """Return whether a grid's position is certain and its cells show whole tiles, of any face."""
    return candidate.mean_whole > MIN_REGISTERED_WHOLE and candidate.placed.is_position_certain


def is_reliable(candidate: CandidateGrid) -> bool:
    """Return whether a grid is registered and shows known faces."""
    return is_registered(candidate) and shows_known_faces(candidate)


def is_confirmed(candidate: CandidateGrid) -> bool:
    """Return whether cells very likely show whole tiles of known faces; the position may be off."""
    return candidate.mean_whole >= MIN_CONFIRMED_WHOLE and shows_known_faces(candidate)
