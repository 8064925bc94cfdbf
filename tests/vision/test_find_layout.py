"""A layout is found in its place by itself, or not at all."""

import numpy as np
import pytest
from laid_out import photo_of_layout

from firmware.games.registry import game_or_unscored
from vision.editions.folder import built_in_edition, built_in_games
from vision.editions.model import empty_model
from vision.patches.cut import Pyramid
from vision.teaching.find_layout import NoGridError, find_layout

ARRANGEMENTS = [
    (game, name)
    for game in built_in_games()
    for name in list(game_or_unscored(game).arrangements(built_in_edition(game).description))[:4]
]
"""The dice board has four more, of the same signs in other colours."""

FOUND = {("cities", "tiles"), ("city-blocks", "blue"), ("city-blocks", "values")}
"""Arrangements whose tiles have no frames that make squares between them."""


def in_other_colours(picture):
    return np.ascontiguousarray(picture[:, ::-1, [1, 2, 0]])


@pytest.mark.parametrize(("game", "name"), ARRANGEMENTS)
@pytest.mark.parametrize("recolour", [np.asarray, in_other_colours], ids=["drawn", "other"])
def test_tiles_are_never_taught_from_between_them(game, name, recolour):
    """Frames of tiles that lie edge to edge make squares as well."""
    edition = built_in_edition(game)
    layout = game_or_unscored(game).arrangements(edition.description)[name]
    pictures = {face: recolour(shown[0]) for face, shown in edition.pictures.items()}
    photo, corners = photo_of_layout(pictures, layout, tile_px=120)
    shape = len(layout), len(layout[0])
    model = empty_model(edition.description)
    try:
        laid = find_layout(Pyramid(photo.image_bgr), shape, model)
    except NoGridError:
        assert (game, name) not in FOUND
        return
    outer = laid.quads_px[[0, 0, -1, -1], [0, -1, -1, 0], [0, 1, 2, 3]]
    assert np.abs(outer - corners).max() < 0.15 * 120
