"""A layout is found in its place by itself, or not at all."""

import cv2
import numpy as np
import pytest

from firmware.games.registry import game_or_unscored
from tests.vision.laid_out import photo_of_layout
from vision.editions.folder import built_in_edition, built_in_games
from vision.editions.model import empty_model
from vision.lab.simulate.table_tops import table_top
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
    off_px = np.abs(outer - corners).max()
    assert off_px < 0.15 * 120, (
        f"{game} {name}: found {off_px / 120:.1f} tiles beside its place; lay it larger or squarer"
    )


def photo_of_letters(table, tile_px, seed):
    """A photo of 4 x 4 plain tiles with a letter on each, on a patterned table."""
    rng, side = np.random.default_rng(seed), 10 * tile_px
    image = table_top(rng, (side, side), float(tile_px), table).copy()
    for (row, column), letter in zip(np.ndindex(4, 4), "AEKMRSTXZBDFGHPQ", strict=True):
        tile = np.full((tile_px, tile_px, 3), (214, 232, 238)) + rng.normal(
            0, 2, (tile_px, tile_px, 1)
        )
        tile = np.clip(tile, 0, 255).astype(np.uint8)
        at = round(0.3 * tile_px), round(0.72 * tile_px)
        thick = max(2, tile_px // 30)
        cv2.putText(tile, letter, at, 0, tile_px / 45, (40, 30, 30), thick, cv2.LINE_AA)
        tile = cv2.convertScaleAbs(tile, alpha=0.97 + 0.03 * rng.random())
        top, left = (3 + row) * tile_px, (3 + column) * tile_px
        image[top + 1 : top + tile_px - 1, left + 1 : left + tile_px - 1] = tile[1:-1, 1:-1]
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), 3, 1)
    image = cv2.warpAffine(image, turn, (side, side), borderMode=cv2.BORDER_REFLECT)
    return np.clip(image * 0.9 + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)


def has_clear_extent(image, shape):
    model = empty_model(built_in_edition("between-two-cities", pictured=False).description)
    placed = find_layout(Pyramid(image), shape, model).placed
    return placed.is_position_certain and placed.has_clear_border


@pytest.mark.parametrize(("table", "tile_px", "seed"), [("flowers", 100, 0), ("polka-dots", 60, 1)])
def test_plain_tiles_are_found_on_patterned_cloth(table, tile_px, seed):
    assert has_clear_extent(photo_of_letters(table, tile_px, seed), (4, 4))


@pytest.mark.parametrize("shape", [(3, 4), (4, 3)])
def test_a_part_of_a_larger_grid_is_not_taken_for_the_layout(shape):
    assert not has_clear_extent(photo_of_letters("paper", 60, 0), shape)
