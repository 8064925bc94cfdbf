"""Grades of a placed grid of free tiles: how far its place and its faces can be trusted.

All similarities are to known faces. "Whole" is the mean probability that the cells show whole tiles
in their place.

| grade | whole | place certain | mean similarity | used for |
| --- | --- | --- | --- | --- |
| registered | over 0.9 | yes | any | a grid that needs no search, whatever its faces |
| reliable | over 0.9 | yes | from 0.69 | a first grid that can stay as it is |
| confirmed | from 0.85 | no | from 0.69 | a grid found by a search that is kept |

A reliable grid is registered and confirmed. A confirmed one may lie a row off. A grid that is not
reliable, or has another tile size than the others, is called weak and is fitted again.
"""

from typing import Final

from vision.eye.placement import Candidate

MIN_REGISTERED_WHOLE: Final = 0.9
"""Mean probability of whole tiles above which a grid lies on its tiles. Smaller: grids that lie off
their tiles spoil the common tile size; larger: dim photos have no grid to learn it from."""
MIN_CONFIRMED_WHOLE: Final = 0.85
"""Least mean probability of whole tiles of a confirmed grid. Smaller: cloth and cards become grids;
larger: dim grids stay unread."""
MIN_KNOWN_SIMILARITY: Final = 0.69
"""Least mean similarity to known faces of a grid that shows them. Smaller: squared cloth and cards
become grids; larger: dim photos have no reliable grid, and dim grids stay unread. It may differ
from ``acceptance.MIN_TYPICAL_SIMILARITY``, which decides what is read."""


def shows_known_faces(candidate: Candidate) -> bool:
    """Return whether the tiles of a grid resemble known faces."""
    return candidate.mean_similarity >= MIN_KNOWN_SIMILARITY


def is_registered(candidate: Candidate) -> bool:
    """Return whether the place of a grid is certain and its cells show whole tiles, of any face."""
    return candidate.mean_whole > MIN_REGISTERED_WHOLE and candidate.placed.place_certain


def is_reliable(candidate: Candidate) -> bool:
    """Return whether a grid is registered and shows known faces."""
    return is_registered(candidate) and shows_known_faces(candidate)


def is_confirmed(candidate: Candidate) -> bool:
    """Return whether cells very likely show whole tiles of known faces; the place may be off."""
    return candidate.mean_whole >= MIN_CONFIRMED_WHOLE and shows_known_faces(candidate)
