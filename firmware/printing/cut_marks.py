"""Marks along which pieces are cut out."""

from collections.abc import Iterator, Sequence

from firmware.printing.page import Colour, Page, Rectangle, Spot

MARKS_MM = 4.5
"""The space around pieces that their cut marks need."""

HAIRLINE_MM = 0.1
HAIRLINE_GREY: Colour = (0.35, 0.35, 0.35)
"""Seen on light and on dark pictures."""

_AWAY_MM = 1.5
_DECIMALS = 4


def draw_cut_marks(page: Page, pieces: Sequence[Rectangle]) -> None:
    """Draw hairlines where pieces touch, and marks where their edges meet the rim of them all."""
    page.draw_lines(_common_edges(pieces), width=HAIRLINE_MM, colour=HAIRLINE_GREY)
    page.draw_lines(_marks(pieces), width=HAIRLINE_MM)


def _marks(pieces: Sequence[Rectangle]) -> Iterator[tuple[Spot, Spot]]:
    """For each straight line along edges, a mark beyond its first and last piece."""
    upright: dict[float, list[float]] = {}
    level: dict[float, list[float]] = {}
    for left, top, width, height in pieces:
        for x in (left, left + width):
            upright.setdefault(round(x, _DECIMALS), []).extend((top, top + height))
        for y in (top, top + height):
            level.setdefault(round(y, _DECIMALS), []).extend((left, left + width))
    for x, ends in upright.items():
        for near, far in _beyond(ends):
            yield (x, near), (x, far)
    for y, ends in level.items():
        for near, far in _beyond(ends):
            yield (near, y), (far, y)


def _beyond(ends: Sequence[float]) -> tuple[tuple[float, float], tuple[float, float]]:
    first, last = min(ends), max(ends)
    return (first - MARKS_MM, first - _AWAY_MM), (last + _AWAY_MM, last + MARKS_MM)


def _common_edges(pieces: Sequence[Rectangle]) -> Iterator[tuple[Spot, Spot]]:
    """The edges that two pieces of one size share."""
    corners = {(round(left, _DECIMALS), round(top, _DECIMALS)) for left, top, _, _ in pieces}
    for left, top, width, height in pieces:
        right, bottom = left + width, top + height
        if (round(right, _DECIMALS), round(top, _DECIMALS)) in corners:
            yield (right, top), (right, bottom)
        if (round(left, _DECIMALS), round(bottom, _DECIMALS)) in corners:
            yield (left, bottom), (right, bottom)
