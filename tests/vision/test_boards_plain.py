"""Faces that have no drawing at all, only a colour."""

import numpy as np
import pytest
from pictured import described, drawn_face, edition_of

from vision.arrays import FloatImage
from vision.boards.evened import NOTHING_ALIKE
from vision.boards.known import KnownEdition, kept
from vision.boards.local_contrast import (
    LocalGrid,
    local_faces,
    nearest_others,
)
from vision.boards.looks import TILE_PX, softened
from vision.editions.edition import Edition

COLOURS = {"red": (40, 40, 200), "yellow": (40, 200, 220), "white": (235, 235, 235)}


def plain(colour: tuple[int, int, int], side: int = 96) -> np.ndarray:
    return np.full((side, side, 3), colour, np.uint8)


@pytest.fixture(scope="module")
def known() -> KnownEdition:
    """Three plain faces and a drawn one."""
    description = described((*COLOURS, "drawn"))
    pictures = {name: (plain(colour),) for name, colour in COLOURS.items()}
    return KnownEdition(Edition(description, {**pictures, "drawn": (drawn_face(3),)}))


def place(colour: tuple[int, int, int], noise: float) -> FloatImage:
    """A flat picture of a plain tile."""
    rng = np.random.default_rng(1)
    seen = plain(colour, 2 * TILE_PX) + rng.normal(0, noise, (2 * TILE_PX, 2 * TILE_PX, 3))
    return softened(np.clip(seen, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("noise", [0.0, 0.4, 3.0])
@pytest.mark.parametrize("colour", COLOURS.values(), ids=COLOURS.keys())
def test_a_drawing_says_nothing_of_them(known, colour, noise):
    grid = LocalGrid.of(place(colour, noise), 1.0)
    distances = grid.distances([(TILE_PX, TILE_PX)], local_faces(known).full)[0]
    is_plain = known.in_grid.faces < len(COLOURS)
    assert distances[is_plain] == pytest.approx(NOTHING_ALIKE)
    assert distances[~is_plain].min() > 0.6


def test_they_are_like_no_other_face(known):
    assert nearest_others(known)[: len(COLOURS)] == pytest.approx(NOTHING_ALIKE)


def test_a_single_face_is_like_no_other() -> None:
    alone = KnownEdition(edition_of(described(("a",))))
    assert nearest_others(alone) == pytest.approx(NOTHING_ALIKE)


def test_what_is_made_of_an_edition_is_made_once_and_kept_by_it(known) -> None:
    made: list[int] = []

    @kept
    def doubled(edition: KnownEdition, number: int) -> int:
        made.append(number)
        return 2 * number

    assert [doubled(known, 2), doubled(known, 3), doubled(known, 2)] == [4, 6, 4]
    assert made == [2, 3]
