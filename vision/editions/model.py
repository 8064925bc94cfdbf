"""What is to be read of a game: how its grids are laid out, and what its faces look like."""

from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Doubles, Floats
from vision.editions.references import References
from vision.eye.lattice import Layout


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What is to be read.

    Attributes:
        layout: of its grids.
        upright: whether all tiles of a grid lie the same way up.
        references: what its faces look like.
        rim: what lies round the plots of its printed board, if that is known: for each turn of the
            board (rows + 2, columns + 2, VECTOR_SIZE), of which those on the edge count.
        loose_faces: names of those that lie beside the cells of a board, never in them.
        loose: what these look like, and empty places for them.
        foot: diameter of the feet of figures that may stand on the tiles, in tiles; 0: there are
            none.
        paints: (kinds, 3) logarithms of the colours of figures.
    """

    layout: Layout
    upright: bool
    references: References
    rim: tuple[Floats, ...] = ()
    loose_faces: frozenset[str] = frozenset()
    loose: References = field(default_factory=References.none)
    foot: float = 0.0
    paints: Doubles = field(default_factory=lambda: np.empty((0, 3)))
