"""The ground truth of a simulated table, ready for JSON.

``game``; ``cities``, each with

- ``corners_px``: its outer corners; that of a missing tile is where its place has it;
- ``grid``: rows of faces as the city is read upright, null where there is no tile;
- ``duplexes``: pairs of cells that are one piece;
- ``tile_corners_px``: 16 quads in reading order, null where there is no tile, the corners top left,
  top right, bottom right, bottom left as the *city* is read upright, also of a turned tile;
- ``visible_share`` and ``blown_share``: 0 to 1 for each cell, how much of it nothing covers, and
  how much is so bright that no drawing is left;
- ``occluded``: cells of which something covers more than a twentieth;
- ``outside``: cells of which a part lies outside the picture;
- ``turned``: [row, column, quarter turns clockwise] of tiles that lie the wrong way;
- ``missing``: cells without a tile;

and ``stray_tiles`` (``face``, ``corners_px``). Corners are pixels of the photo, (0, 0) the centre
of the top left pixel.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from scoring.faces import Face
from vision.arrays import FloatImage, Image, Points, transformed
from vision.simulate.lens import Lens
from vision.simulate.mishaps import lies_outside, share_inside
from vision.simulate.scene import STRAY, CityPlan, PlacedTile, TableCanvas

GAME: Final = "between-two-cities"
COVERED_FROM: Final = 0.05
"""A tile of which less is hidden counts as in full view."""
BLOWN: Final = 250
"""From this value on in all three colours a pixel shows nothing but light."""

_FACES = tuple(Face)


def table_truth(
    canvas: TableCanvas,
    plans: Sequence[CityPlan],
    grids: Sequence[Sequence[Sequence[Face | None]]],
    lens: Lens,
    hidden: FloatImage | None,
    image: Image,
) -> dict[str, Any]:
    """The truth of a table.

    Args:
        canvas: with all tiles laid.
        plans: of the cities.
        grids: their faces.
        lens: through which the canvas was seen.
        hidden: how much of each pixel (h, w) of the canvas something covers; None: of none.
        image: the photo.
    """
    blown = (image.min(axis=2) >= BLOWN).astype(np.float32)
    cities = []
    for number, (plan, grid) in enumerate(zip(plans, grids, strict=True)):
        tiles = [tile for tile in canvas.tiles if tile.city == number]
        cities.append(_city_truth(canvas, plan, grid, tiles, lens, hidden, blown))
    strays = [
        {"face": _FACES[tile.face].value, "corners_px": _points(lens.seen(tile.quad_px))}
        for tile in canvas.tiles
        if tile.city == STRAY
    ]
    return {"game": GAME, "cities": cities, "stray_tiles": strays}


def _city_truth(
    canvas: TableCanvas,
    plan: CityPlan,
    grid: Sequence[Sequence[Face | None]],
    tiles: Sequence[PlacedTile],
    lens: Lens,
    hidden: FloatImage | None,
    blown: FloatImage,
) -> dict[str, Any]:
    cells = [(r, c) for r in range(plan.rows) for c in range(plan.columns)]
    flat = {tile.cell: tile.quad_px for tile in tiles}
    seen = {cell: lens.seen(quad) for cell, quad in flat.items()}
    covered = {
        cell: 0.0 if hidden is None else share_inside(hidden, quad) for cell, quad in flat.items()
    }
    bottom, right = plan.rows - 1, plan.columns - 1
    outer = []
    for corner, cell in enumerate(((0, 0), (0, right), (bottom, right), (bottom, 0))):
        quad = seen.get(cell)
        if quad is None:
            quad = lens.seen(transformed(plan.piece(cell, cell), canvas.view))
        outer.append(quad[corner])
    return {
        "corners_px": _points(np.array(outer)),
        "grid": [[face.value if face else None for face in row] for row in grid],
        "duplexes": [[list(cell) for cell in pair] for pair in plan.duplexes],
        "tile_corners_px": [_points(seen[cell]) if cell in seen else None for cell in cells],
        "visible_share": [round(1 - covered.get(cell, 0.0), 3) for cell in cells],
        "blown_share": [
            round(share_inside(blown, seen[cell]), 3) if cell in seen else 0.0 for cell in cells
        ],
        "occluded": [list(cell) for cell in cells if covered.get(cell, 0.0) > COVERED_FROM],
        "outside": [
            list(cell) for cell in cells if cell in seen and lies_outside(seen[cell], lens.size_wh)
        ],
        "turned": [[*cell, quarters] for cell, quarters in sorted(plan.turned.items())],
        "missing": [list(cell) for cell in sorted(plan.missing)],
    }


def _points(corners: Points) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in corners]
