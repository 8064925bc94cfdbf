"""Faces that hardly differ are sure only in photos that distinguish them."""

from dataclasses import replace
from functools import cache
from itertools import product

import cv2
import numpy as np

from tests.vision.described import FREE
from tests.vision.laid_out import learned_of, photo_of_layout
from vision.editions.description import FaceDescription, TileTurns
from vision.editions.description_toml import parse_description
from vision.editions.learning import model_of
from vision.eye.confusable_faces import list_confusable_faces
from vision.eye.read import read_tiles

INKS = {"hearts": (40, 40, 200), "spades": (30, 30, 30), "diamonds": (180, 60, 40)}
OUTLINES = {
    "hearts": [[80, 120], [50, 85], [65, 65], [80, 78], [95, 65], [110, 85]],
    "spades": [[80, 55], [110, 95], [88, 98], [92, 118], [68, 118], [72, 98], [50, 95]],
    "diamonds": [[80, 50], [112, 85], [80, 120], [48, 85]],
}
RANKS = {"hearts": "29K", "spades": "A7Q", "diamonds": "3J8"}
CARDS = tuple(f"{suit}-{rank}" for suit, ranks in RANKS.items() for rank in ranks)
"""Cards of one suit differ by a small sign in a corner alone."""


def draw_card(name):
    suit, rank = name.split("-")
    card = np.full((160, 160, 3), (240, 246, 248), np.uint8)
    cv2.fillPoly(card, [np.int32(OUTLINES[suit])], INKS[suit])
    cv2.putText(card, rank, (10, 28), 0, 0.75, INKS[suit], 2, cv2.LINE_AA)
    cv2.rectangle(card, (0, 134), (159, 159), (90, 140, 90), -1)
    cv2.rectangle(card, (0, 0), (159, 159), (150, 160, 165), 3)
    return card


PICTURES = {name: draw_card(name) for name in CARDS}


@cache
def edition_of_cards():
    faces = tuple(FaceDescription(name, (), ((name,),)) for name in CARDS)
    description = replace(
        parse_description(FREE, "here"),
        faces=faces,
        tile_turns=TileTurns.UPRIGHT,
        rows=4,
        columns=4,
    )
    layout = tuple(CARDS[n : n + 3] for n in range(0, 9, 3))
    return learned_of(description, *photo_of_layout(PICTURES, layout, tile_px=130), layout)


def read_cards(tile_px, seed):
    """The names of sixteen cards on a table, and their reading."""
    names = np.random.default_rng(seed).choice(CARDS, (4, 4)).tolist()
    photo, _ = photo_of_layout(PICTURES, names, tile_px=tile_px)
    (grid,) = read_tiles(photo, edition_of_cards()).grids
    return names, grid


def test_teaching_names_the_faces_that_hardly_differ():
    groups = list_confusable_faces(model_of(edition_of_cards()))
    suits = [tuple(sorted(name for name in CARDS if name.startswith(suit))) for suit in INKS]
    assert groups == sorted(suits)


def test_cards_read_wrong_are_asked_about():
    wrong = 0
    for tile_px, seed in product([110, 90, 55], range(3)):
        names, grid = read_cards(tile_px, seed)
        differing = {
            (row, column)
            for row, column in np.ndindex(4, 4)
            if grid.faces[row][column] != names[row][column]
        }
        assert differing <= set(grid.unsure)
        wrong += len(differing)
    assert wrong > 0
