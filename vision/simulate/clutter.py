"""Lay what else is on a table: score board, cards, notes, cups, pencils, tokens."""

import numpy as np

from vision.simulate.props import random_prop
from vision.simulate.scene import TableCanvas, rectangle


def scatter_props(
    rng: np.random.Generator,
    canvas: TableCanvas,
    reach: float,
    count: int,
    largest: float = 99.0,
    px_per_tile: float = 48.0,
) -> None:
    """Lay ``count`` random things within ``reach`` tile widths, none over ``largest`` wide."""
    for _ in range(count):
        picture, (width, height) = random_prop(rng, px_per_tile)
        if max(width, height) > largest:
            shrink = largest / max(width, height)
            width, height = width * shrink, height * shrink
        place = rng.uniform(-reach, reach, 2)
        corners = rectangle(place, float(rng.uniform(0, 2 * np.pi)), (width, height))
        shadow = (*rng.normal(0, 0.1, 2), float(rng.uniform(0.2, 0.6)))
        canvas.lay(picture, corners, shadow)
