"""The supply of the box decides between alternatives, and hides no doubt."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from scoring.faces import Face
from vision.eye.supply import assign_faces, limit_to_supply
from vision.reading import GridReading, NoteCode, note

FACES = tuple(Face)
SHOP, PARK, HOUSE = Face.SHOP, Face.PARK, Face.HOUSE
BED, DRINK = Face.TAVERN_BED, Face.TAVERN_DRINK
QUAD = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


def chances(**named):
    """Probabilities of the faces named; the rest share what remains."""
    given = {Face(name.replace("_", "-")): chance for name, chance in named.items()}
    rest = (1 - sum(given.values())) / (len(FACES) - len(given))
    return np.array([given.get(face, rest) for face in FACES])


def city(by_face, unsure=(), missing=()):
    """A city of one row, read as the likeliest faces; its chances beside it."""
    cells = {(0, n): chance for n, chance in enumerate(by_face)}
    grid = tuple(
        None if cell in missing else FACES[int(np.argmax(chance))] for cell, chance in cells.items()
    )
    reading = GridReading(
        corners_px=QUAD,
        faces=(grid,),
        confidence=(tuple(round(float(max(chance)), 3) for chance in by_face),),
        unsure=tuple(unsure),
        tile_quads_px=((QUAD,) * len(by_face),),
        alternatives={
            cell: tuple(FACES[int(n)] for n in np.argsort(-cells[cell])[1:4]) for cell in unsure
        },
    )
    return reading, cells


def decided(*cities, limits):
    readings, cells = zip(*cities, strict=True)
    return limit_to_supply(readings, cells, limits, FACES)


def test_faces_within_the_supply_stay_as_read():
    table = city([chances(park=0.5, house=0.4), chances(shop=0.9)], unsure=[(0, 0)])
    assert decided(table, limits={PARK: 1, SHOP: 1, HOUSE: 1}) == [table[0]]
    table = city([chances(park=0.6), chances(park=0.99)], unsure=[(0, 0)], missing=[(0, 0)])
    assert decided(table, limits={PARK: 1}) == [table[0]]


def test_unsure_tile_gets_next_face_when_supply_is_used_up():
    table = city(
        [chances(tavern_bed=0.99), chances(tavern_bed=0.5, tavern_drink=0.4)], unsure=[(0, 1)]
    )
    (read,) = decided(table, limits={BED: 1, DRINK: 1})
    assert read.faces == ((BED, DRINK),)
    assert read.unsure == ((0, 1),)
    assert read.alternatives[0, 1][0] is BED
    assert DRINK not in read.alternatives[0, 1]
    assert read.confidence == ((0.99, 0.4),)


def test_the_whole_table_counts_and_not_one_city():
    first = city([chances(tavern_bed=0.99)])
    second = city([chances(tavern_bed=0.5, tavern_drink=0.4)], unsure=[(0, 0)])
    read = decided(first, second, limits={BED: 1})
    assert [c.faces for c in read] == [((BED,),), ((DRINK,),)]
    torn, firm = chances(park=0.45, house=0.4), chances(park=0.6, house=0.1)
    (read,) = decided(city([torn, firm], unsure=[(0, 0), (0, 1)]), limits={PARK: 1})
    assert read.faces == ((HOUSE, PARK),)
    by_face = np.array([chances(park=0.9), chances(park=0.8)])
    assert assign_faces(by_face, dict.fromkeys(FACES, 0) | {PARK: 1}, FACES) == [PARK, PARK]


def test_sure_tiles_keep_faces_and_least_certain_excess_is_flagged():
    table = city([chances(park=0.97, house=0.02), chances(park=0.95), chances(park=0.99)])
    (read,) = decided(table, limits={PARK: 2})
    assert read.faces == table[0].faces
    assert read.unsure == ((0, 1),)
    assert len(read.alternatives[0, 1]) == 3
    assert PARK not in read.alternatives[0, 1]
    assert read.notes == (note(NoteCode.OVER_SUPPLY, (0, 1), face="park"),)


def test_no_doubt_is_ever_hidden():
    rng = np.random.default_rng(3)
    for _ in range(50):
        by_face = rng.dirichlet([0.4] * len(FACES), 12)
        unsure = [(0, n) for n in range(12) if rng.random() < 0.5]
        table = city(list(by_face), unsure=unsure)
        limits = {face: int(rng.integers(0, 4)) for face in FACES}
        (read,) = decided(table, limits=limits)
        assert set(unsure) <= set(read.unsure)
        changed = {(0, n) for n in range(12) if read.faces[0][n] is not table[0].faces[0][n]}
        assert changed <= set(unsure)
        sure = Counter(face for n, face in enumerate(read.faces[0]) if (0, n) not in read.unsure)
        assert all(sure[face] <= limit for face, limit in limits.items())
        assert set(read.alternatives) == set(read.unsure)


@pytest.mark.parametrize("seed", range(20))
def test_no_other_choice_within_the_limits_is_likelier(seed):
    rng = np.random.default_rng(seed)
    tiles, known = 5, FACES[:4]
    by_face = np.zeros((tiles, len(FACES)))
    by_face[:, : len(known)] = rng.dirichlet([0.5] * len(known), tiles)
    limits = dict.fromkeys(FACES, 0) | {face: int(rng.integers(1, 3)) for face in known}

    def likelihood(faces):
        return sum(
            np.log(max(row[FACES.index(face)], 1e-6))
            for row, face in zip(by_face, faces, strict=True)
        )

    allowed = [
        faces
        for faces in product(known, repeat=tiles)
        if all(faces.count(face) <= limits[face] for face in known)
    ]
    chosen = assign_faces(by_face, limits, FACES)
    if allowed:
        assert all(chosen.count(face) <= limits[face] for face in known)
        assert likelihood(chosen) == pytest.approx(max(map(likelihood, allowed)))
