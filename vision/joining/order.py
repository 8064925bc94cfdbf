"""Order of grids round the table, from photos that show several of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Doubles
from vision.joining.common_plane import (
    CommonPlane,
    SightingOutline,
    connect_photos,
    fit_photo_plane,
    is_order_clear,
    order_clockwise,
)


@dataclass(frozen=True, slots=True)
class TableOrder:
    """Order of the grids of a table.

    Attributes:
        grids: Grids clockwise; a proposal where the order is not known.
        is_known: Whether the photos prove the order.
        planes: Common planes of photos that share grids, that of most grids first.
    """

    grids: tuple[int, ...]
    is_known: bool
    planes: tuple[CommonPlane, ...]


def table_order(photos: Sequence[Sequence[SightingOutline]], count: int) -> TableOrder:
    """Return the order of grids round the table, beginning with the first one of the first photo.

    If one photo shows all grids, their order is that in this photo. Otherwise photos with grids
    in common have a common plane. The order is known if one plane holds all grids, its photos
    agree, and all grids lie clearly in different directions from their middle.

    Args:
        photos: Grids in each photo, in the order of their reading.
        count: Number of grids.
    """
    if not count:
        return TableOrder((), is_known=True, planes=())
    fitted = {
        n: plane for n, each in enumerate(photos) if (plane := fit_photo_plane(each)) is not None
    }
    planes = tuple(connect_photos(fitted))
    first = next((each.grid for photo in photos for each in photo), 0)
    centres = _all_centres(photos, planes, count)
    order = _propose_order(photos, planes) if centres is None else order_clockwise(centres)
    return TableOrder(_beginning_with(order, first), is_known=centres is not None, planes=planes)


def _all_centres(
    photos: Sequence[Sequence[SightingOutline]], planes: Sequence[CommonPlane], count: int
) -> Mapping[int, Doubles] | None:
    """Return the centres of all grids in one photo or on one plane; None if they show no order."""
    for photo in photos:
        if len({each.grid for each in photo}) == count:
            return {each.grid: each.corners_px.mean(axis=0) for each in photo}
    if not planes or len(planes[0].grids) < count or not planes[0].is_consistent:
        return None
    return planes[0].centres if is_order_clear(planes[0].centres) else None


def _propose_order(
    photos: Sequence[Sequence[SightingOutline]], planes: Sequence[CommonPlane]
) -> list[int]:
    """Return the grids plane by plane, as their photos were taken walking round the table."""
    in_turn = sorted(planes, key=lambda each: min(each.photos))
    found = [grid for each in in_turn for grid in _arc(each.centres)]
    further = [each.grid for photo in photos for each in photo]
    return list(dict.fromkeys([*found, *further]))


def _arc(centres: Mapping[int, Doubles]) -> list[int]:
    """Return grids on one side of a table clockwise, beginning after the widest gap.

    Of two, the one on the right comes first, as seen from in front.
    """
    if len(centres) < 3:
        return sorted(centres, key=lambda grid: (-centres[grid][0], grid))
    order = order_clockwise(centres)
    middle = np.mean(list(centres.values()), axis=0)
    # Angle from the y axis, which falls clockwise as y points down
    angles = [np.arctan2(*(centres[grid] - middle)) for grid in order]
    gaps = [
        (before - angle) % (2 * np.pi)
        for before, angle in zip([angles[-1], *angles[:-1]], angles, strict=True)
    ]
    start = int(np.argmax(gaps))
    return order[start:] + order[:start]


def _beginning_with(order: Sequence[int], first: int) -> tuple[int, ...]:
    start = order.index(first) if first in order else 0
    return (*order[start:], *order[:start])
