"""The small sums that are quicker than numpy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vision.arrays import median, percentile

LEVELS = arrays(np.uint8, array_shapes(max_dims=3, max_side=8))
NUMBERS = arrays(
    np.float32, array_shapes(max_dims=2, max_side=8), elements=st.floats(-9, 9, width=32)
)


@given(values=NUMBERS)
def test_median_equals_that_of_numpy(values):
    assert (median(values) == np.median(values, axis=0)).all()


@given(levels=LEVELS, percent=st.floats(0, 100))
def test_percentile_equals_that_of_numpy(levels, percent):
    assert percentile(levels, percent) == pytest.approx(np.percentile(levels, percent), abs=1e-6)


@given(levels=LEVELS, step=st.integers(1, 3))
def test_percentile_of_strided_levels_equals_that_of_numpy(levels, step):
    some = levels[::step]
    assert percentile(some, 95) == pytest.approx(np.percentile(some, 95), abs=1e-6)


def test_percentile_of_no_levels_is_refused():
    with pytest.raises(ValueError, match="no levels"):
        percentile(np.zeros((0, 3), np.uint8), 50)
