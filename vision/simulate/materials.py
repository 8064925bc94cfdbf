"""Table tops for simulated photos, made up anew for every seed."""

from collections.abc import Mapping

import numpy as np

from vision.arrays import Image
from vision.simulate import cloths, surfaces
from vision.simulate.surfaces import Material

MATERIALS: Mapping[str, Material] = {
    "wood-light": surfaces.wood(("#8a6238", "#c79a63", "#e0bd8a", "#edd3a8")),
    "wood-dark": surfaces.wood(("#1d120b", "#3c2717", "#55371f", "#6e4a2b")),
    "wood-red": surfaces.wood(("#3a140b", "#7a3219", "#9b4a26", "#b9683a")),
    "wood-grey": surfaces.wood(("#4a4640", "#858078", "#a39d93", "#c2bcb0")),
    "laminate": surfaces.laminate,
    "marble": surfaces.marble,
    "concrete": surfaces.concrete,
    "ceramic": surfaces.ceramic,
    "glass": surfaces.glass,
    "paper": surfaces.paper,
    "cork": surfaces.cork,
    "rattan": surfaces.rattan,
    "felt": cloths.felt,
    "gingham": cloths.gingham,
    "chequerboard": cloths.chequerboard,
    "stripes": cloths.stripes,
    "polka-dots": cloths.polka_dots,
    "flowers": cloths.flowers,
    "cutting-mat": cloths.cutting_mat,
    "play-mat": cloths.play_mat,
    "wrapping": cloths.wrapping,
}
"""Every table top by name; each takes (generator, picture width and height, tile edge in px)."""


def table_material(
    rng: np.random.Generator,
    size_wh: tuple[int, int],
    tile_px: float = 64.0,
    name: str | None = None,
) -> Image:
    """Draw a table top, seen straight from above, turned by any angle.

    Args:
        rng: decides colours, sizes and angle, and the kind if none is named.
        size_wh: width and height of the picture in pixels.
        tile_px: edge of a game tile on this table, pixels; patterns scale with it.
        name: one of ``MATERIALS``; None for any.

    Returns:
        A BGR picture (height, width, 3).

    Raises:
        ValueError: unknown name, or a size that is not positive.
    """
    if name is not None and name not in MATERIALS:
        raise ValueError(f"no table material {name!r}; choose one of {', '.join(MATERIALS)}")
    if min(size_wh) < 1 or tile_px <= 0:
        raise ValueError(f"size_wh {size_wh} and tile_px {tile_px} must be positive")
    draw = MATERIALS[name or str(rng.choice(list(MATERIALS)))]
    return draw(rng, size_wh, tile_px)
