"""Light that is far from the one in which an edition was taught."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import floats
from vision.editions.folder import built_in_edition
from vision.editions.learning import model_of
from vision.eye.light_fit import COLOUR_SPREAD, Light, fit_light
from vision.eye.reference_similarity import best_cosines, similarities
from vision.patches.embedding import VECTOR_SIZE, Embeddings, normalise

log_change = st.floats(-1.5, 1.5)


@given(
    change=st.tuples(log_change, log_change, log_change),
    tiles=st.integers(12, 60),
    seed=st.integers(0, 2**32 - 1),
)
def test_a_light_is_found_however_far_it_is_from_the_prior(change, tiles, seed):
    rng = np.random.default_rng(seed)
    taught = 4.7 + 0.1 * rng.standard_normal((tiles, 3))
    seen = taught + np.array(change) + 0.05 * rng.standard_normal((tiles, 3))
    light = fit_light(taught, seen, np.ones(tiles), Light.neutral())
    assert np.abs(light.apply(taught) - seen).mean() < COLOUR_SPREAD


@pytest.mark.parametrize("noise", [0.0, 0.9], ids=["clear", "dim"])
@pytest.mark.parametrize("change", list(product((-1.2, 1.2), repeat=3)))
def test_tiles_stay_known_in_a_strong_light_that_varies(change, noise):
    """Washed out or saturated colours are no affine map, and scatter more than in other photos."""
    rng = np.random.default_rng(1)
    references = model_of(built_in_edition("between-two-cities")).references
    own = np.arange(0, len(references.face_index), 5)[:32]
    scatter, directions = (rng.standard_normal((len(own), size)) for size in (3, VECTOR_SIZE))
    drawings = references.vectors[own, 0, 0] + noise * normalise(floats(directions))
    tiles = Embeddings(
        vectors=normalise(floats(drawings)),
        colours=floats(references.colours[own] + np.array(change) + 0.25 * scatter),
        corner_offsets=np.zeros((len(own), 4, 2), np.float32),
        whole_probability=np.ones(len(own), np.float32),
        parts=references.parts[own, 0],
    )
    similarity = similarities(tiles, references, grid_count=2).max(axis=(1, 2))
    lost_by_colours = best_cosines(tiles, references) - similarity
    assert np.median(lost_by_colours) < 0.15
