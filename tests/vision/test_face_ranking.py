"""Faces that look alike, ranked by their tiles."""

import numpy as np

from scoring.faces import Face
from tests.vision.cities import STANDARD
from vision.arrays import floats
from vision.editions.built_in import tile_picture
from vision.editions.learning import model_of
from vision.eye.face_ranking import rank_pieces
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads

SIDE_PX = 60


def test_taught_tile_has_the_margin_of_its_reference_before_windows_are_compared():
    pyramid = Pyramid(np.hstack([tile_picture(each, SIDE_PX) for each in Face]))
    steps = np.stack([np.arange(len(Face)), np.zeros(len(Face))], axis=1)
    quads_px = floats((UNIT_SQUARE + steps[:, None]) * SIDE_PX - 0.5)
    references = model_of(STANDARD).references
    tiles = rank_pieces(pyramid, quads_px, embed_quads(pyramid, quads_px), references, (0,))
    assert len(pyramid.embedded) == len(Face), "no window was embedded"
    looks_alike = np.isfinite(tiles.ranking.relative_margin)
    assert looks_alike.sum() >= 4
    assert (tiles.ranking.relative_margin[looks_alike] > 0.65).all()
