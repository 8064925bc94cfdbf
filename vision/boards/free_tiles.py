"""Find the grids of free tiles in a photo: at a glance, or where that is not enough, closely."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Corners
from vision.boards.features import Features, PictureIndex, Votes, votes_for
from vision.boards.known import KnownEdition
from vision.boards.laid_tiles import LaidTiles, laid_tiles
from vision.boards.lattice import (
    FAIR_A_TILE,
    PLAIN_A_TILE,
    beside,
    faint_lattices,
    is_certain,
)
from vision.boards.lattice_growth import Lattice
from vision.boards.learned_look import LearnedLook, learned_look
from vision.boards.one_table import OneTable
from vision.boards.photo_features import (
    is_dazzling,
    looked_at_closely,
    photo_features,
    size_wh,
)
from vision.boards.tile_look import (
    TileLook,
    certain_lattices,
    full_grid,
    is_whole,
    off_others,
    outline,
)
from vision.exposure import white_share
from vision.pyramid import Pyramid

AT_A_GLANCE_PX = 330_000.0
FEATURES_AT_A_GLANCE = 2000
"""Tiles that are plain to see need no more."""
USUAL_AT_A_GLANCE, ENOUGH_AT_A_GLANCE = 32.0, 24.0
"""Pixels a tile of four grids that fill a photo, and those of the smallest that are seen plainly:
at the far end of a table that is seen at a slant they are smaller."""
CLOSEST = 2.0
"""By so much larger than is usual the smallest tiles are seen as closely as possible; then they are
about as large as those whose features are known."""
_LEAST_PX = 1.0
WHITE_AT_A_GLANCE = 0.02
"""Share of a photo that is white with light from which on a city may lie there unseen."""


def find_free_tiles(picture: Pyramid, known: KnownEdition) -> list[LaidTiles]:
    """The grids of free tiles, the best supported first.

    The network of the edition, if it has one, shows most of them, or else the features of a small
    copy of the photo do. If they do not show all plainly, or light may hide one, the rest of the
    photo is looked at closely; so are grids of which a row may be hidden. What the network alone
    takes for at least half a grid is one, perhaps.
    """
    seen = learned_look(picture, known)
    if len(seen.whole) == known.description.most_grids:
        return list(seen.whole)
    if _is_all(seen, picture, known):
        return [*seen.whole, *seen.perhaps]
    if known.small_tile_index is None:
        return []
    if is_dazzling(picture):
        # Features are gathered from several looks, as little is left of each
        found = _by_features(picture, known, known.small_tile_index, is_dazzling=True)
        return _and_those(found, [*seen.whole, *seen.perhaps])
    if seen.whole:
        return _and_those(_with_others(seen, picture, known), seen.perhaps)
    return _by_features(picture, known, known.small_tile_index, is_dazzling=False)


def _by_features(
    picture: Pyramid, known: KnownEdition, index: PictureIndex, *, is_dazzling: bool
) -> list[LaidTiles]:
    """The grids that features show, the best supported first.

    Args:
        picture: the photo.
        known: the edition.
        index: of its tiles in a small copy of a photo.
        is_dazzling: whether light leaves little contrast.
    """
    tiles, size = full_grid(known), size_wh(picture.image)
    features = photo_features(
        picture, AT_A_GLANCE_PX, FEATURES_AT_A_GLANCE, is_dazzling=is_dazzling
    )
    look = TileLook.of(votes_for(index, features), known)
    certain = certain_lattices(look.lattices, tiles)
    if certain and _shows_all(picture, look, certain, known):
        return laid_tiles([TileLook(look.votes, certain, are_of_one_size=True)], tiles, size)
    if not certain:
        look = _first_close_look(picture, known, look.votes, is_dazzling=is_dazzling)
        certain = certain_lattices(look.lattices, tiles)
        if not certain:
            return laid_tiles([look], tiles, size)
    whole = [lattice for lattice in certain if is_whole(lattice, tiles)]
    features = next(
        looked_at_closely(
            picture,
            larger=max(_larger(certain, picture, tiles), 1.0),
            but_for=[outline(lattice) for lattice in whole],
            is_dazzling=is_dazzling,
        )
    )
    gathered = beside(look.votes, whole) if is_dazzling else None
    closer = _closer(features, known, gathered, OneTable.of(certain), len(whole))
    others = [lattice for lattice in certain if lattice not in whole]
    kept = whole + off_others(others, look.votes, closer.lattices)
    return laid_tiles([TileLook(look.votes, kept, are_of_one_size=True), closer], tiles, size)


def _is_all(seen: LearnedLook, picture: Pyramid, known: KnownEdition) -> bool:
    """Whether no grid is likely to lie beside those that the network of an edition sees."""
    if len(seen.whole) > known.description.most_grids or not seen.is_plain:
        return False
    if seen.perhaps and is_dazzling(picture):
        return False
    return white_share(picture) <= WHITE_AT_A_GLANCE


def _with_others(seen: LearnedLook, picture: Pyramid, known: KnownEdition) -> list[LaidTiles]:
    """Whole grids, and those that a close look at the rest of the photo shows."""
    lattices = [grid.lattice for grid in seen.whole]
    tiles, size = full_grid(known), size_wh(picture.image)
    features = next(
        looked_at_closely(
            picture,
            larger=max(_larger(lattices, picture, tiles), 1.0),
            but_for=[outline(lattice) for lattice in lattices],
        )
    )
    look = _closer(features, known, None, OneTable.of(lattices), len(seen.whole))
    return [*seen.whole, *laid_tiles([look], tiles, size, seen.whole)]


def _and_those(found: Sequence[LaidTiles], others: Sequence[LaidTiles]) -> list[LaidTiles]:
    """Grids, and those of some others that lie on none of them."""
    outlines = [outline(grid.lattice) for grid in found]
    return [*found, *(grid for grid in others if not _lies_on(grid, outlines))]


def _lies_on(grid: LaidTiles, outlines: Sequence[Corners]) -> bool:
    """Whether the middle of a grid lies within one of some outlines."""
    x, y = outline(grid.lattice).mean(axis=0).tolist()
    return any(cv2.pointPolygonTest(each, (x, y), measureDist=False) >= 0 for each in outlines)


def find_more_tiles(
    picture: Pyramid,
    known: KnownEdition,
    others: Sequence[LaidTiles],
    outlines: Sequence[Corners],
) -> list[LaidTiles]:
    """Grids of free tiles besides others, the best supported first, looked for most closely.

    Args:
        picture: the photo.
        known: the edition.
        others: grids that lie there for certain.
        outlines: of these, pixels.
    """
    tiles, lattices = full_grid(known), [other.lattice for other in others]
    larger = _larger(lattices, picture, tiles) if lattices else 1.0
    features = next(
        looked_at_closely(
            picture,
            larger=min(max(larger * CLOSEST, 1.0), CLOSEST),
            but_for=outlines,
            is_dazzling=is_dazzling(picture),
        )
    )
    table = OneTable.of(lattices) if others else None
    look = _closer(features, known, None, table, len(others))
    return laid_tiles([look], tiles, size_wh(picture.image), others)


def _first_close_look(
    picture: Pyramid, known: KnownEdition, votes: Votes, *, is_dazzling: bool
) -> TileLook:
    """The first close look at a photo that shows any grid; the last one, if none does.

    Args:
        picture: the photo.
        known: the edition.
        votes: of a glance, which showed none for certain.
        is_dazzling: whether light leaves little contrast.
    """
    look = TileLook(votes, ())
    for features in looked_at_closely(picture, is_dazzling=is_dazzling):
        look = _closer(features, known, votes if is_dazzling else None)
        if look.lattices:
            break
    return look


def _closer(
    features: Features,
    known: KnownEdition,
    gathered: Votes | None,
    table: OneTable | None = None,
    besides: int = 0,
) -> TileLook:
    """What the features of a close look show.

    Args:
        features: of the photo.
        known: the edition.
        gathered: votes of a look before, where what little light leaves must be gathered; else
            more of them are wrong than right.
        table: on which the grids lie, if it is known.
        besides: how many grids are known already.
    """
    if known.tile_index is None:
        raise ValueError("this edition has no free tiles")
    votes = votes_for(known.tile_index, features)
    if gathered is not None:
        votes = votes.with_new(gathered)
    if table is not None:
        votes = table.only_on_it(votes)
    return TileLook.of(votes, known, besides, are_of_one_size=table is not None)


def _larger(certain: Sequence[Lattice], picture: Pyramid, tiles: tuple[int, int]) -> float:
    """By how much larger the photo is to be seen for its smallest tiles to be as large as usual."""
    return USUAL_AT_A_GLANCE / _least_tile_at_a_glance(certain, picture, tiles)


def _least_tile_at_a_glance(
    certain: Sequence[Lattice], picture: Pyramid, tiles: tuple[int, int]
) -> float:
    """How small tiles may be somewhere in the photo, in pixels of a glance."""
    width, height = size_wh(picture.image)
    least = OneTable.of(certain).least_width((width, height), tiles)
    return max(least * float(np.sqrt(AT_A_GLANCE_PX / (width * height))), _LEAST_PX)


def _shows_all(
    picture: Pyramid, glance: TileLook, certain: Sequence[Lattice], known: KnownEdition
) -> bool:
    """Whether nothing is likely to hide a grid besides those that a glance shows for certain."""
    tiles = full_grid(known)
    is_white = white_share(picture) > WHITE_AT_A_GLANCE
    if len(certain) >= known.description.most_grids:
        return not is_white or all(is_whole(lattice, tiles) for lattice in certain)
    if is_white or any(lattice not in certain for lattice in glance.lattices):
        return False
    if _least_tile_at_a_glance(certain, picture, tiles) < ENOUGH_AT_A_GLANCE:
        return False
    if all(is_certain(lattice, tiles, PLAIN_A_TILE) for lattice in certain):
        return True
    if any(len(lattice.votes) < FAIR_A_TILE * len(lattice.support) for lattice in certain):
        return False
    # Where these are not plain, those at the far end of a table or under things show but little
    left = OneTable.of(certain).only_on_it(beside(glance.votes, certain))
    return not faint_lattices(left, tiles)
