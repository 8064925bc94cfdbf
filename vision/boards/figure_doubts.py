"""Which of the figures found on a grid stand there for certain.

What covers a tile, glare and drawings may look like a figure, too; but they hide too little or too
much, or are not of the colour of the other figures.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import FloatImage, floats, median
from vision.boards.figure_outline import Patches, Standing, lengths, median_colour, painted
from vision.boards.hue import between, degrees_apart, has_hue, hue, purest
from vision.boards.tokens import THERE, Figure, FlatGrid
from vision.boards.unexplained import A_LITTLE_OTHER, OTHER
from vision.editions.description import TokenDescription

HIDES = 0.5
"""Share of its outline in which a figure hides what is drawn there."""
MOST_OTHER_AROUND = 0.2
"""The same of what surrounds it, where something larger than a figure may lie."""
MOST_HIDDEN = 2.5
"""So many times its outline what hides the drawing may be as large, of which it is a part."""
GOOD_CONTRAST = 0.4
"""With less left under a veil, what looks like a figure may be something else."""
PLAIN_CONTRAST = 0.6
"""With less, drawings of nearly the colour of a figure may look like one."""
NEARLY_PAINT = 21.0
"""Degrees between the colours of such a drawing and of a figure, as directions."""
OTHER_PAINT = 9.0
"""Degrees by which the colour of a figure may differ from that of others of its kind."""
OTHER_HUE = 8.0
"""Degrees on the circle of hues by which its paint may differ from theirs where it is purest."""
UNKNOWN_HUE = 9.0
"""The same from the paint that the description has, where too few others tell."""
MOST_BRIGHTER = 1.4
"""So many times as bright as the others of its kind, or as dark, a figure may be."""
FEWEST_ALIKE = 3
FEWEST_PLAIN = 2
"""So many sure figures tell the colour of the player to whom a grid belongs."""
FOREIGN = 0.72
"""Share of the outline of a figure of another colour."""
PERHAPS_OWN = 0.4
"""The same where nobody knows which colour is the player's."""
THICK_PX = 3
"""Thinner things are lines that lie a little off, and hide nothing."""
GAP_PX = 5
"""Between tiles there is no drawing that could be hidden."""


def judged(
    figures: Sequence[Figure],
    grid: FlatGrid,
    apart: FloatImage,
    standing: Standing,
    contrasts: Mapping[Cell, float],
) -> list[Figure]:
    """The figures that may stand on a grid, those of which there is any doubt not sure.

    Args:
        figures: that were found.
        grid: on which they stand.
        apart: (h, w) by how many levels it differs from all that is drawn there.
        standing: how figures are seen in all these pictures.
        contrasts: share of its contrast that light leaves each tile; others are not sure.
    """
    figures = _apart_from_drawing(figures, apart, grid.unknown, standing)
    figures = [
        figure
        if figure.is_sure and _is_clear(figure, grid, standing, contrasts)
        else figure.unsure()
        for figure in figures
    ]
    figures = _alike(figures, grid.clear, standing)
    return _of_one_player(figures) if standing.description.one_kind_of_token else figures


def _apart_from_drawing(
    figures: Sequence[Figure], apart: FloatImage, unknown: NDArray[np.bool_], standing: Standing
) -> list[Figure]:
    """Figures, sure if they hide what is drawn under them and nothing around them.

    Nobody knows what lies around them beside a tile that is not sure.
    """
    if not any(figure.is_sure for figure in figures):
        return list(figures)
    other, hides = (apart > OTHER).view(np.uint8), (apart > A_LITTLE_OTHER).view(np.uint8)
    across_gaps = cv2.dilate(other, _square(GAP_PX))
    # Closing ends with eroding and opening begins with it: a larger square does both at once
    inner = cv2.erode(across_gaps, _square(GAP_PX + THICK_PX - 1))
    thick = cv2.dilate(inner, _square(THICK_PX))
    hidden = Patches.of(np.asarray(thick, np.uint8))
    around = other | unknown

    def is_apart(figure: Figure) -> bool:
        spot = standing.spot(standing.description.tokens[figure.kind], figure.foot)
        return (
            spot.painted_share(hides) >= HIDES
            and spot.painted_around(around) <= MOST_OTHER_AROUND
            and hidden.largest(spot) <= MOST_HIDDEN
        )

    return [
        figure.unsure() if figure.is_sure and not is_apart(figure) else figure for figure in figures
    ]


def _square(side: int) -> NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


def _is_clear(
    figure: Figure, grid: FlatGrid, standing: Standing, contrasts: Mapping[Cell, float]
) -> bool:
    """Whether no light on its tile may make a drawing look like a figure."""
    token = standing.description.tokens[figure.kind]
    tall, wide = standing.description.tile_cells
    contrast = contrasts.get((figure.cell[0] // tall, figure.cell[1] // wide), 0.0)
    if contrast >= PLAIN_CONTRAST:
        return True
    drawn = standing.spot(token, figure.foot).colour(grid.expected)
    is_drawn = bool(degrees_apart(drawn, floats(token.colour_bgr)) < NEARLY_PAINT)
    return contrast >= GOOD_CONTRAST and not is_drawn


def _alike(figures: Sequence[Figure], clear: FloatImage, standing: Standing) -> list[Figure]:
    """Figures, sure if they look like the others of their kind, those that are not sure, too."""
    odd: set[int] = set()
    for kind, token in enumerate(standing.description.tokens):
        numbers = [
            n for n, figure in enumerate(figures) if figure.kind == kind and figure.share >= THERE
        ]
        if not any(figures[n].is_sure for n in numbers):
            continue
        pixels = [standing.spot(token, figures[n].foot).under(clear.shape) for n in numbers]
        colours = clear.reshape(-1, 3).take(np.concatenate(pixels), axis=0)
        ends = accumulate(map(len, pixels), initial=0)
        parts = [slice(first, last) for first, last in pairwise(ends)]
        is_odd = _are_of_other_hue(colours, parts, token)
        if len(numbers) >= FEWEST_ALIKE:
            is_odd |= _are_odd(floats([median_colour(colours[part]) for part in parts]))
        odd.update(np.array(numbers)[is_odd].tolist())
    return [
        figure.unsure() if figure.is_sure and number in odd else figure
        for number, figure in enumerate(figures)
    ]


def _are_of_other_hue(
    colours: NDArray[np.float32], parts: Sequence[slice], token: TokenDescription
) -> NDArray[np.bool_]:
    """Which figures have a paint of another hue than most, or than a few should have.

    Args:
        colours: (n, 3) of all figures, BGR.
        parts: which of them are those of each figure.
        token: what they should be.
    """
    if not has_hue(token.colour_bgr):
        return np.zeros(len(parts), np.bool_)
    own = hue(floats(token.colour_bgr))
    if not colours.size:
        return np.ones(len(parts), np.bool_)
    is_paint = painted(colours[None], lengths(colours[None]), token.colour_bgr)[0]
    paints = [part.start + np.flatnonzero(is_paint[part]) for part in parts]
    # Of a figure that has its paint only under a veil that was taken off, the hue is not known
    away = np.full(len(parts), np.nan, np.float32)
    seen = [number for number, paint in enumerate(paints) if len(paint)]
    for number, colour in zip(seen, purest(colours, [paints[n] for n in seen]), strict=True):
        away[number] = between(hue(colour), own)
    is_known = ~np.isnan(away)
    if np.count_nonzero(is_known) < FEWEST_ALIKE:
        is_alike = np.abs(away) <= UNKNOWN_HUE
    else:
        is_alike = np.abs(away - median(away[is_known])) <= OTHER_HUE
    return np.asarray(~is_alike, np.bool_)


def _are_odd(colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which colours (n, 3) are another paint than most, or much brighter or darker."""
    lengths = np.maximum(np.linalg.norm(colours, axis=1), 1.0)
    usual = floats(median(colours / lengths[:, None]))
    brighter = lengths / median(lengths)
    is_as_bright = (brighter >= 1 / MOST_BRIGHTER) & (brighter <= MOST_BRIGHTER)
    return np.asarray((degrees_apart(colours, usual) > OTHER_PAINT) | ~is_as_bright, np.bool_)


def _of_one_player(figures: Sequence[Figure]) -> list[Figure]:
    """Figures of a grid on which all should be of one kind.

    Of another kind than most of them only what looks just like a figure is mentioned, and never as
    sure. Where figures of several kinds stand and none of them is plain, none is sure, and the
    cells of all are asked about.
    """
    main = _main_kind([figure for figure in figures if figure.is_sure])
    is_plain = main is not None
    if main is None:
        main = _main_kind(
            [figure for figure in figures if figure.share > 0 and not figure.near_edge]
        )
    if not is_plain and len({figure.kind for figure in figures}) > 1:
        figures = [figure.unsure() for figure in figures]
    if main is None:
        return list(figures)
    own = [figure for figure in figures if figure.kind == main]
    others = [figure for figure in figures if figure.kind != main]
    least = FOREIGN if is_plain else PERHAPS_OWN
    mentioned = {figure.kind for figure in others if figure.share >= least}
    foreign = [
        figure.unsure() if figure.share >= FOREIGN else figure.perhaps()
        for figure in others
        if figure.share >= least or (figure.share == 0 and figure.kind in mentioned)
    ]
    return sorted([*own, *foreign], key=lambda figure: figure.cell)


def _main_kind(figures: Sequence[Figure]) -> int | None:
    """The kind that has most of several figures."""
    shares: dict[int, list[float]] = {}
    for figure in figures:
        shares.setdefault(figure.kind, []).append(figure.share)
    several = {kind: sum(found) for kind, found in shares.items() if len(found) >= FEWEST_PLAIN}
    return max(several, key=lambda kind: several[kind]) if several else None
