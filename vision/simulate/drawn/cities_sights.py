"""Sight fields of the Cities tiles: a landmark on its plaza. No landmark is on two tiles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vision.simulate.drawing import Board, from_hex
from vision.simulate.drawn import cities_grand as grand
from vision.simulate.drawn import cities_halls as halls
from vision.simulate.drawn import cities_towers as towers
from vision.simulate.drawn.cities_plaza import draw_passers_by, draw_plaza

_SHADOW = from_hex("#9a7c4e")


@dataclass(frozen=True, slots=True)
class Landmark:
    """A sight.

    Attributes:
        draw: draws it upright on 100 units per field.
        fields: rows and columns of fields that it covers.
    """

    draw: Callable[[Board], None]
    fields: tuple[int, int] = (1, 1)


LANDMARKS: Mapping[str, Landmark] = {
    "clock tower": Landmark(towers.clock_tower),
    "obelisk": Landmark(towers.obelisk),
    "windmill": Landmark(towers.windmill),
    "lighthouse": Landmark(towers.lighthouse),
    "lattice tower": Landmark(towers.lattice_tower),
    "pagoda": Landmark(towers.pagoda),
    "leaning tower": Landmark(towers.leaning_tower),
    "ferris wheel": Landmark(towers.ferris_wheel),
    "stepped pyramid": Landmark(towers.stepped_pyramid),
    "museum": Landmark(halls.museum),
    "theatre": Landmark(halls.theatre),
    "triumphal arch": Landmark(halls.triumphal_arch),
    "onion church": Landmark(halls.onion_church),
    "observatory": Landmark(halls.observatory),
    "domed mosque": Landmark(halls.domed_mosque),
    "city gate": Landmark(halls.city_gate),
    "town hall": Landmark(halls.town_hall),
    "glass pyramid": Landmark(halls.glass_pyramid),
    "carousel": Landmark(halls.carousel),
    "castle": Landmark(grand.castle, (1, 2)),
    "palace": Landmark(grand.palace, (1, 2)),
    "old bridge": Landmark(grand.old_bridge, (1, 2)),
    "cathedral": Landmark(grand.cathedral, (2, 1)),
    "television tower": Landmark(grand.television_tower, (2, 1)),
}


def draw_sight(
    board: Board, rng: np.random.Generator, name: str, size: tuple[float, float]
) -> None:
    """Draw a landmark on its plaza.

    Args:
        board: of its fields.
        rng: decides on paving and passers-by.
        name: a key of ``LANDMARKS``.
        size: width and height of the board in units.
    """
    variant = list(LANDMARKS).index(name)
    draw_plaza(board, rng, variant, size)
    foot = size[1] - 10.0
    board.oval(size[0] / 2 + 5, foot + 1, size[0] * 0.43, 6.5, _SHADOW)
    draw_passers_by(board, rng, variant, size)
    LANDMARKS[name].draw(board)
