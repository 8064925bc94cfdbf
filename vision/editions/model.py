"""Model of an edition: format of its grids, and references of its faces."""

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats
from vision.editions.description import Description, TileTurns
from vision.editions.references import References
from vision.patches.embedding import LOG_OFFSET

MAX_TURNED_RIM_COSINE: Final = 0.9
"""Mean cosine of a board's rim and the same rim turned, above which it shows no way up (0.98 for a
plain rim; 0.3 and 0.7 for the boards of City Blocks and of the dice game). Larger: turns of boards
with a plain rim are asked about; smaller: boards are read in a wrong turn without a word."""
MIN_TINT_RANGE: Final = 0.3
"""Minimum range of the tints of an edition's faces, in logarithms, that a photo without colours has
lost. Smaller: grey photos of grey tiles are refused."""


@dataclass(frozen=True, slots=True)
class GridFormat:
    """Format of the grids on a game's tables: size and number, free or printed on boards.

    Attributes:
        rows: Rows of tiles or plots of one grid; ``Description.rows`` counts cells.
        columns: Columns of tiles or plots of one grid.
        most_grids: Largest number of grids; further ones in a photo are left unread.
        on_board: True if the grids are printed on boards and have plots instead of free tiles.
        tile_cells: Rows and columns of cells that one tile shows.
    """

    rows: int
    columns: int
    most_grids: int
    on_board: bool = False
    tile_cells: tuple[int, int] = (1, 1)

    @property
    def quarters_look_like_tiles(self) -> bool:
        """True if a quarter of a tile may look like a tile, as each of its cells has a picture."""
        return self.tile_cells != (1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Learned model of an edition: references of its faces, its board and the format of its grids.

    Attributes:
        grid_format: Format of its grids.
        tiles_are_upright: True if all tiles of a grid lie the same way up (``TileTurns.UPRIGHT``).
        references: References of its faces.
        rim: For each number of quarters anticlockwise by which its printed board may lie turned, an
            array (rows + 2, columns + 2, VECTOR_SIZE): vectors of the plots and of the ring of
            cells round them, of which only the ring counts; empty if they are not known.
        loose_faces: Names of the faces that lie beside the cells of a board, never in them.
        loose: References of these, and of empty places for them.
        foot_diameter: Diameter of the feet of figures that may stand on the tiles, in tiles; 0 if
            the game has none.
        figure_log_colours: Shape (kinds, 3), log colours of the kinds of figures.
    """

    grid_format: GridFormat
    tiles_are_upright: bool
    references: References
    rim: tuple[Floats, ...] = ()
    loose_faces: frozenset[str] = frozenset()
    loose: References = field(default_factory=References.empty)
    foot_diameter: float = 0.0
    figure_log_colours: Doubles = field(default_factory=lambda: np.empty((0, 3)))

    @property
    def rim_shows_way_up(self) -> bool:
        """True if the rim of the board does not look the same in any other turn."""
        if not self.rim:
            return False
        edge = np.ones(self.rim[0].shape[:2], bool)
        edge[1:-1, 1:-1] = False
        others = [rim for rim in self.rim[1:] if rim.shape == self.rim[0].shape]
        cosines = [float((self.rim[0] * rim).sum(axis=2)[edge].mean()) for rim in others]
        return max(cosines) < MAX_TURNED_RIM_COSINE

    @property
    def is_colourful(self) -> bool:
        """True if some faces differ by more than their brightness."""
        colours = self.references.colours
        tints = colours - colours.mean(axis=1, keepdims=True)
        return bool(len(tints)) and float(np.ptp(tints, axis=0).max()) > MIN_TINT_RANGE

    def without_board(self) -> "Model":
        """Return a model of the same faces, without its printed board and empty places."""
        references, loose = (
            known.of_faces([name for name in known.faces if name is not None])
            for known in (self.references, self.loose)
        )
        return replace(self, references=references, rim=(), loose=loose)


def empty_model(description: Description) -> Model:
    """Return a model of a game that knows no face yet."""
    grid_format = GridFormat(
        description.tile_rows,
        description.tile_columns,
        description.most_grids,
        description.board is not None,
        description.tile_cells,
    )
    colours = np.array([token.colour_bgr for token in description.tokens], np.float64)
    return Model(
        grid_format,
        description.tile_turns is TileTurns.UPRIGHT,
        References.empty(),
        loose_faces=description.loose_faces,
        foot_diameter=max((t.foot_mm for t in description.tokens), default=0.0)
        / description.tile_mm,
        figure_log_colours=np.log(colours.reshape(-1, 3) + LOG_OFFSET),
    )
