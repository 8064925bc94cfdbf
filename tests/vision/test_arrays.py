"""What numpy computes as well, in less time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.arrays import median, percentile

SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 3))


@given(arrays(np.float32, SHAPES, elements=st.floats(-100, 100, width=32)))
def test_the_median_is_that_of_numpy(values):
    assert np.array_equal(median(values), np.median(values, axis=0))
    assert median(values[:, 0]).shape == ()


@given(arrays(np.uint8, SHAPES), st.floats(0, 100))
def test_a_percentile_of_levels_is_that_of_numpy(levels, percent):
    assert percentile(levels, percent) == pytest.approx(np.percentile(levels, percent), abs=1e-9)
