"""Cities of the standard edition, as tests lay and read them."""

from collections.abc import Sequence
from dataclasses import replace

from scoring.faces import Face
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition
from vision.editions.folder import built_in_edition
from vision.eye.read import read_tiles
from vision.lab.simulate.content import DuplexPair
from vision.lab.simulate.games.between_two_cities import laid_out
from vision.lab.simulate.simulated_table import SimulatedTable, Surroundings, simulate_table
from vision.photo.load import Photo
from vision.reading import Reading

STANDARD = built_in_edition(BETWEEN_TWO_CITIES)
ORDINARY = Surroundings()
SIZE_WH = (1536, 864)
"""Large enough to be read as well as a full photo, and drawn in a third of its time."""


def read_cities(photo: Photo, edition: Edition = STANDARD) -> Reading:
    """Read a photo of cities."""
    return read_tiles(photo, edition)


def table_of_cities(
    seed: int,
    grids: Sequence[Sequence[Sequence[Face | None]]],
    size_wh: tuple[int, int] = SIZE_WH,
    surroundings: Surroundings = ORDINARY,
    duplexes: Sequence[Sequence[DuplexPair]] | None = None,
    things: tuple[str, ...] = ("score-board",),
) -> SimulatedTable:
    """These cities, which may be of any size, on a table."""
    edition = STANDARD
    if grids:
        rows, columns = len(grids[0]), len(grids[0][0])
        edition = replace(
            edition, description=replace(edition.description, rows=rows, columns=columns)
        )
    return simulate_table(seed, edition, laid_out(grids, duplexes, things), size_wh, surroundings)
