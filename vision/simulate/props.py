"""What else lies on a table, as pictures with alpha, made up anew for every seed."""

from collections.abc import Mapping

import numpy as np

from vision.simulate.pieces import PIECES
from vision.simulate.printed import PRINTED
from vision.simulate.sprites import Prop, PropMaker
from vision.simulate.things import THINGS

PROPS: Mapping[str, PropMaker] = {**PRINTED, **PIECES, **THINGS}
"""Every prop by name; each takes (generator, pixels per tile edge)."""


def random_prop(
    rng: np.random.Generator, px_per_tile: float = 64.0, name: str | None = None
) -> Prop:
    """Draw something that lies on a table, seen from above and upright.

    Args:
        rng: decides colours and sizes, and the kind if none is named.
        px_per_tile: resolution: pixels along the edge of a game tile.
        name: one of ``PROPS``; None for any.

    Returns:
        The BGRA picture with straight alpha, and its width and height in tile edges.

    Raises:
        ValueError: unknown name, or a resolution that is not positive.
    """
    if name is not None and name not in PROPS:
        raise ValueError(f"no prop {name!r}; choose one of {', '.join(PROPS)}")
    if px_per_tile <= 0:
        raise ValueError(f"px_per_tile is {px_per_tile}; it must be positive")
    return PROPS[name or str(rng.choice(list(PROPS)))](rng, px_per_tile)
