"""Joining the readings of several photos to the reading of one table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.editions.description import Description
from vision.editions.edition import unreadable_note
from vision.joining.common_plane import CommonPlane, SightingOutline
from vision.joining.fusion import fuse, reading_quality
from vision.joining.grid_comparison import (
    GridMatch,
    GridSameness,
    compare_grids,
    face_frequencies,
)
from vision.joining.order import TableOrder, table_order
from vision.joining.picture import PicturePart
from vision.joining.sightings import Pair, Sighting, compare_sightings, identify_grids
from vision.reading import (
    GridReading,
    GridSighting,
    Join,
    JoinedPhoto,
    Note,
    Place,
    PlaceKind,
    Quad,
    Reading,
    Unread,
    as_quad,
)

SAME_PLACE_SHARE: Final = 0.5
"""Maximum distance of two centres for one place on the table, as a share of a grid's longer side.
Larger: neighbours are taken for one grid; smaller: a grid at the end of a chain of photos is taken
for two."""

MIN_SURE: Final = 6
"""Minimum number of sure cells of a grid in one of several photos; of a small grid half of its
cells suffice. One with fewer, such as a grid that the edge of the photo cuts, counts as not read:
nobody knows which grid it is."""

GridMatches = Mapping[Pair, GridMatch]
"""Comparisons of sightings, by the numbers of both."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedReading:
    """Reading of one photo with the place of the photo in the joined picture.

    Attributes:
        reading: Reading in pixels of the photo.
        part: Place of the photo in the joined picture.
    """

    reading: Reading
    part: PicturePart


@dataclass(frozen=True, slots=True, eq=False)
class _AlignedSighting:
    """Grid in a photo, in the turn of its best sighting.

    Attributes:
        sighting: Number of the sighting.
        photo_index: Index of the photo.
        grid: Reading in pixels of the photo.
    """

    sighting: int
    photo_index: int
    grid: GridReading


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Grids of a table with their order.

    Attributes:
        grids: Sightings of each grid, the best first.
        perhaps_same: Pairs of grids that may be one.
        order: Order of the grids.
    """

    grids: tuple[tuple[_AlignedSighting, ...], ...]
    perhaps_same: tuple[Pair, ...]
    order: TableOrder

    def list_by_letter(self) -> list[int]:
        """Return the grids in the order of their letters.

        While the order is open, grids that may be the same as another come last, so that few
        letters change if a person says that they are.
        """
        order = self.order.grids
        if self.order.is_known:
            return list(order)
        doubtful = {max(pair, key=order.index) for pair in self.perhaps_same}
        return sorted(order, key=lambda grid: grid in doubtful)


def join_readings(
    photos: Sequence[PlacedReading], description: Description, size_wh: tuple[int, int]
) -> Reading:
    """Join readings of several photos of one table, in pixels of the joined picture.

    Grids are listed clockwise as far as the photos show their order, beginning with the first
    one of the first photo.

    Args:
        photos: Readings of the photos, one at least.
        description: Description of the game.
        size_wh: Size of the joined picture.
    """
    photos = [
        replace(each, reading=_set_aside_unclear_grids(each.reading, description))
        for each in photos
    ]
    readings = [each.reading for each in photos]
    sightings = [Sighting(n, grid) for n, reading in enumerate(readings) for grid in reading.grids]
    frequencies = face_frequencies(
        [sighting.grid for sighting in sightings], len(description.grid_faces)
    )
    matches: GridMatches = compare_sightings(sightings, frequencies, description)
    table = _make_table(sightings, matches, len(photos))
    by_place = _settle_by_place(sightings, matches, table)
    if by_place != matches:
        table = _make_table(sightings, by_place, len(photos))
    listed = table.list_by_letter()
    placed = [
        [
            replace(each, grid=each.grid.transformed(photos[each.photo_index].part.to_picture))
            for each in table.grids[grid]
        ]
        for grid in listed
    ]
    perhaps_same = (_sorted_pair(listed.index(a), listed.index(b)) for a, b in table.perhaps_same)
    return Reading(
        photo_name=", ".join(reading.photo_name for reading in readings),
        game=readings[0].game,
        edition=readings[0].edition,
        size_wh=size_wh,
        grids=tuple(fuse([each.grid for each in sightings], description) for sightings in placed),
        unread=_list_unread(photos, table.order.planes),
        notes=tuple(_name_photo(note, each.photo_name) for each in readings for note in each.notes),
        timings_ms=_sum_timings(readings),
        join=Join(
            _joined_photos(photos, placed),
            tuple(range(len(listed))),
            table.order.is_known,
            tuple(sorted(perhaps_same)),
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class MergedReading:
    """Joined reading in which two grids are one; later ones have moved up by a number.

    Attributes:
        reading: Reading with the united grid.
        kept_grid: Index of the united grid, before and after.
        dropped_grid: Index of the grid that is no more.
        turn: Quarter turns clockwise of the dropped grid into the turn of the other.
        size: Rows and columns of the dropped grid before that turn.
        offsets: Rows and columns of cells by which places of the kept and of the dropped grid
            move; only one lies off, if any.
    """

    reading: Reading
    kept_grid: int
    dropped_grid: int
    turn: int
    size: tuple[int, int]
    offsets: tuple[tuple[int, int], tuple[int, int]]

    def moved(self, place: Place) -> Place | None:
        """Return where a place of the reading before lies; None beyond the edge of its grid."""
        is_dropped = place.grid == self.dropped_grid
        grid = self.kept_grid if is_dropped else place.grid
        found = replace(place, grid=grid - (grid > self.dropped_grid))
        if is_dropped:
            found = found.turned(self.size, self.turn)
        if grid != self.kept_grid or place.kind is PlaceKind.LOOSE:
            return found
        rows, columns = self.reading.grids[self.kept_grid].size
        (row, column), (down, right) = found.cell, self.offsets[is_dropped]
        cell = row + down, column + right
        is_inside = 0 <= cell[0] < rows and 0 <= cell[1] < columns
        return replace(found, at=cell) if is_inside else None


def merge_grids(
    reading: Reading, kept_grid: int, dropped_grid: int, description: Description
) -> MergedReading:
    """Unite two grids of a joined reading.

    Of readings that lie off each other by a row or more the better one counts alone.

    Args:
        reading: Joined reading.
        kept_grid: Index of the grid that stays, the lower one of the two.
        dropped_grid: Index of the other grid.
        description: Description of the game.
    """
    join = reading.join
    assert join is not None  # noqa: S101 - only joined tables have grids to unite

    def new_index(grid: int) -> int:
        grid = kept_grid if grid == dropped_grid else grid
        return grid - (grid > dropped_grid)

    frequencies = face_frequencies(reading.grids, len(description.grid_faces))
    one, other = reading.grids[kept_grid], reading.grids[dropped_grid]
    match = compare_grids(one, other, frequencies, description)
    pair = sorted((one, other.turned(match.turn)), key=reading_quality, reverse=True)
    worse = dropped_grid if pair[0] is one else kept_grid
    grids = list(reading.grids)
    grids[kept_grid] = fuse(pair if match.shift == (0, 0) else pair[:1], description)
    del grids[dropped_grid]
    photos = tuple(
        replace(
            photo,
            grids=tuple(
                replace(
                    sighting,
                    grid=new_index(sighting.grid),
                    is_best=sighting.is_best and sighting.grid != worse,
                )
                for sighting in photo.grids
            ),
        )
        for photo in join.photos
    )
    outlines = [
        [
            _outline(sighting.grid, sighting.corners_px, grids[sighting.grid])
            for sighting in photo.grids
        ]
        for photo in photos
    ]
    order = table_order(outlines, len(grids))
    before = tuple(new_index(grid) for grid in join.order if grid != dropped_grid)
    pairs = {_sorted_pair(new_index(a), new_index(b)) for a, b in join.perhaps_same}
    tile_rows, tile_columns = one.tile_cells
    down, right = match.shift[0] * tile_rows, match.shift[1] * tile_columns
    kept_lies_off = worse == kept_grid
    merged = replace(
        reading,
        grids=tuple(grids),
        join=Join(
            photos,
            order.grids if order.is_known else before,
            order.is_known,
            tuple(sorted((a, b) for a, b in pairs if a != b)),
        ),
    )
    offsets = ((down, right), (0, 0)) if kept_lies_off else ((0, 0), (-down, -right))
    return MergedReading(merged, kept_grid, dropped_grid, match.turn, other.size, offsets)


def _set_aside_unclear_grids(reading: Reading, description: Description) -> Reading:
    """Move grids with hardly a sure tile to the unread regions."""
    if description.board is not None:
        return reading
    mostly_unsure = [grid for grid in reading.grids if _is_mostly_unsure(grid)]
    why = unreadable_note(description)
    unread = (Unread(grid.corners_px, why) for grid in mostly_unsure)
    return replace(
        reading,
        grids=tuple(
            grid for grid in reading.grids if all(grid is not each for each in mostly_unsure)
        ),
        unread=(*reading.unread, *unread),
    )


def _is_mostly_unsure(grid: GridReading) -> bool:
    cells = grid.size[0] * grid.size[1]
    return cells - len(grid.unsure) < min(MIN_SURE, cells / 2)


def _make_table(sightings: Sequence[Sighting], matches: GridMatches, photo_count: int) -> _Table:
    found = identify_grids(sightings, matches)
    grids = tuple(_best_first(numbers, sightings, matches) for numbers in found.grids)
    outlines: list[list[SightingOutline]] = [[] for _photo in range(photo_count)]
    shown = ((each, n) for n, aligned in enumerate(grids) for each in aligned)
    for each, number in sorted(shown, key=lambda pair: pair[0].sighting):
        outlines[each.photo_index].append(_outline(number, each.grid.corners_px, each.grid))
    return _Table(grids, found.perhaps_same, table_order(outlines, len(grids)))


def _best_first(
    numbers: Sequence[int], sightings: Sequence[Sighting], matches: GridMatches
) -> tuple[_AlignedSighting, ...]:
    """Return the sightings of a grid, the best first, without those a row or more off it.

    Each is of another photo, so all were compared with the best one.
    """
    best = max(numbers, key=lambda sighting: (reading_quality(sightings[sighting].grid), -sighting))
    found = [_AlignedSighting(best, sightings[best].photo_index, sightings[best].grid)]
    for sighting in numbers:
        if sighting == best:
            continue
        match = matches[min(best, sighting), max(best, sighting)]
        if match.shift == (0, 0):
            turn = match.turn if best < sighting else -match.turn
            grid = sightings[sighting].grid.turned(turn)
            found.append(_AlignedSighting(sighting, sightings[sighting].photo_index, grid))
    return (found[0], *sorted(found[1:], key=lambda each: reading_quality(each.grid), reverse=True))


def _settle_by_place(
    sightings: Sequence[Sighting], matches: GridMatches, table: _Table
) -> GridMatches:
    """Settle what tiles leave open by where grids lie on a common plane.

    Grids that are perhaps the same are so if they lie in one place, and are not if they lie
    apart. Grids of different tiles in one place are a contradiction, which a person has to solve.
    """
    settled = dict(matches)
    grid_of = {each.sighting: n for n, aligned in enumerate(table.grids) for each in aligned}
    for pair, match in matches.items():
        if not grid_of.keys() >= set(pair):
            continue
        a, b = (grid_of[sighting] for sighting in pair)
        planes = (each for each in table.order.planes if {a, b} <= each.grids.keys())
        plane = next((each for each in planes if each.is_consistent), None)
        if a == b or plane is None:
            continue
        apart = float(np.hypot(*(plane.centres[a] - plane.centres[b])))
        side = max(len(sightings[pair[0]].grid.tiles), len(sightings[pair[0]].grid.tiles[0]))
        is_one_place = apart <= SAME_PLACE_SHARE * side
        if match.sameness is GridSameness.PERHAPS:
            sameness = GridSameness.SAME if is_one_place else GridSameness.OTHER
            settled[pair] = replace(match, sameness=sameness)
        elif match.sameness is GridSameness.OTHER and is_one_place:
            settled[pair] = replace(match, sameness=GridSameness.PERHAPS)
    return settled


def _sorted_pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)


def _outline(number: int, corners_px: Quad, grid: GridReading) -> SightingOutline:
    size = len(grid.tiles), len(grid.tiles[0])
    return SightingOutline(number, np.array(corners_px, np.float64), size)


def _joined_photos(
    photos: Sequence[PlacedReading], aligned: Sequence[Sequence[_AlignedSighting]]
) -> tuple[JoinedPhoto, ...]:
    return tuple(
        JoinedPhoto(
            each.reading.photo_name,
            each.reading.size_wh,
            each.part.corners_px,
            tuple(
                GridSighting(number, sighting.grid.corners_px, is_best=sighting is sightings[0])
                for number, sightings in enumerate(aligned)
                for sighting in sightings
                if sighting.photo_index == n
            ),
        )
        for n, each in enumerate(photos)
    )


def _list_unread(
    photos: Sequence[PlacedReading], planes: Sequence[CommonPlane]
) -> tuple[Unread, ...]:
    """Return the unread regions, except those of grids that another photo shows."""
    unread = []
    for n, each in enumerate(photos):
        plane = next((p for p in planes if n in p.photos and p.is_consistent), None)
        for region in each.reading.unread:
            if plane is None or not _is_grid_there(region, n, plane):
                quad = as_quad(each.part.to_picture(region.corners_px))
                unread.append(Unread(quad, _name_photo(region.reason, each.reading.photo_name)))
    return tuple(unread)


def _is_grid_there(region: Unread, photo: int, plane: CommonPlane) -> bool:
    centre = plane.photos[photo].to_plane(region.corners_px).mean(axis=0)
    seen = plane.photos[photo].grids
    return any(
        float(np.hypot(*(corners.mean(axis=0) - centre)))
        <= SAME_PLACE_SHARE * float(np.hypot(*(corners[1] - corners[0])))
        for grid, corners in plane.grids.items()
        if grid not in seen
    )


def _name_photo(note: Note, photo: str) -> Note:
    """Return a note that names its photo."""
    return replace(note, values=(("photo", photo), *note.values))


def _sum_timings(readings: Sequence[Reading]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for reading in readings:
        total.update(reading.timings_ms)
    return dict(total)
