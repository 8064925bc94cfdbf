"""The pictures of the documentation show what the program shows today."""

import numpy as np
from PIL import Image

from tests.regenerate_images import FOLDER, images

CLEARLY = 60
"""Grey levels; the JPEG that is kept and another OpenCV make smaller differences."""


def test_images_of_the_docs_are_up_to_date():
    today = dict(images())
    assert {path.name for path in FOLDER.iterdir() if path.suffix in (".jpg", ".png")} == set(today)
    for name, image in today.items():
        with Image.open(FOLDER / name) as kept:
            assert kept.size == image.size, name
            before, now = (np.asarray(each.convert("L"), int) for each in (kept, image))
        # Else: python -m tests.regenerate_images
        assert (np.abs(before - now) > CLEARLY).mean() < 0.001, name
