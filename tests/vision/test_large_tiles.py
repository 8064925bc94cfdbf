"""Tiles that fill the photo: the locator may see their drawings and not the tiles."""

from dataclasses import replace

import cv2
import numpy as np

from tests.vision.pictured import NAMES, described, edition_of, grid_of, photo_of, table_of
from vision.arrays import Image
from vision.editions.description import TileTurns
from vision.eye.read import read_tiles

BLACK, WHITE = (40, 36, 46), (232, 234, 236)
SIZE_WH = (1920, 1080)


def linocut(seed: int, side: int = 128) -> Image:
    """A tile in one ink, with a white edge, a figure, and marks of the knife."""
    rng = np.random.default_rng(seed)
    ground, ink = (BLACK, WHITE) if seed % 3 else (WHITE, BLACK)
    tile = np.full((side, side, 3), ground, np.uint8)
    cv2.rectangle(tile, (0, 0), (side - 1, side - 1), WHITE, 5)
    corners = (rng.uniform(-0.33, 0.33, (5, 2)) * side + side / 2).astype(np.int32)
    cv2.fillPoly(tile, [cv2.convexHull(corners)], ink, cv2.LINE_AA)
    for _ in range(26):
        start, angle = rng.integers(8, side - 8, 2), rng.uniform(-0.4, 0.4) + 1.2
        end = start + side / 12 * np.array([np.cos(angle), np.sin(angle)])
        end = np.clip(end, 6, side - 7).astype(int)
        cv2.line(tile, start.tolist(), end.tolist(), ink, 1, cv2.LINE_AA)
    return tile


def test_cities_of_large_tiles_are_all_read():
    game = replace(described(NAMES[:9], tile_turns=TileTurns.UPRIGHT), most_grids=4)
    edition = edition_of(game, linocut)
    table = table_of(edition, grid_of(game, 1), grid_of(game, 51), seed=1, size_wh=SIZE_WH)
    reading = read_tiles(photo_of(table.image), edition)
    assert len(reading.grids) == 2
