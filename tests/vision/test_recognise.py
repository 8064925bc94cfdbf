"""A cell is sure only when the face, the emblem and the way the tile lies agree."""

import numpy as np
import pytest

from scoring.faces import Face
from vision.networks import FACE_CLASSES
from vision.recognise import SURE, CellReading, Look, turn_of_city, turned_cell

SQUARE = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32)


def opinion(face: Face, chance: float, size: int = 9) -> np.ndarray:  # type: ignore[type-arg]
    spread = np.full(size, (1 - chance) / (size - 1), np.float32)
    spread[list(Face).index(face)] = chance
    return spread


def cell(
    face: Face,
    emblem: Face,
    *,
    face_chance: float = 0.99,
    emblem_chance: float = 0.95,
    is_tile: float = 1.0,
    upright: float = 1.0,
) -> CellReading:
    return CellReading(
        SQUARE, is_tile, upright, opinion(face, face_chance), opinion(emblem, emblem_chance, 10)
    )


def test_two_opinions_that_agree_make_a_sure_tile() -> None:
    read = cell(Face.PARK, Face.PARK)
    assert (read.face, read.agreed) == (Face.PARK, True)
    assert read.confidence >= SURE


def test_opinions_that_differ_are_never_sure() -> None:
    read = cell(Face.TAVERN_BED, Face.TAVERN_FOOD)
    assert not read.agreed
    assert Face.TAVERN_FOOD in (read.face, *read.alternatives)


@pytest.mark.parametrize(
    "doubt", [{"is_tile": 0.6}, {"upright": 0.5}, {"face_chance": 0.5, "emblem_chance": 0.4}]
)
def test_any_doubt_lowers_the_confidence(doubt: dict[str, float]) -> None:
    assert cell(Face.SHOP, Face.SHOP, **doubt).confidence < SURE


def test_an_unreadable_emblem_asks_for_a_very_clear_face() -> None:
    blind = opinion(Face.SHOP, 0.1, 10)
    clear = CellReading(SQUARE, 1.0, 1.0, opinion(Face.SHOP, 0.999), blind)
    vague = CellReading(SQUARE, 1.0, 1.0, opinion(Face.SHOP, 0.9), blind)
    assert clear.agreed
    assert not vague.agreed


@pytest.mark.parametrize("turns", range(4))
def test_the_way_up_is_decided_by_the_vote_of_all_tiles(turns: int) -> None:
    chances = np.full((16, FACE_CLASSES), 1e-4, np.float32)
    for index in range(16):
        other_way = index in (3, 7)  # two tiles were laid the wrong way
        chances[index, 9 * ((turns + other_way) % 4) + index % 9] = 0.99
    looks = [Look(SQUARE, row, moved=0.0, is_tile=1.0, clarity=0.99) for row in chances]
    assert turn_of_city(looks) == turns


def test_turning_back_a_city_that_appears_turned_clockwise() -> None:
    # Turned clockwise by a quarter, the upright top left lies at the top right of the picture.
    assert turned_cell((0, 3), 4, 4, 1) == (0, 0)
    assert turned_cell((0, 0), 4, 4, 1) == (3, 0)
    assert turned_cell((0, 0), 4, 4, 2) == (3, 3)
    assert turned_cell((3, 0), 4, 4, 3) == (0, 0)
    assert turned_cell((1, 5), 3, 7, 0) == (1, 5)
