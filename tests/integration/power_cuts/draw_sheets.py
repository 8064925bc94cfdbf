"""Draw photos of the calibration sheet: ``python draw_sheets.py FOLDER``.

The checkout must be on the path.
"""

import sys
from pathlib import Path

import cv2

from tests.vision.calibration_scene import POSES, Camera, photograph

CAMERA = Camera(focal=620.0, centre=(366.0, 265.0), size_wh=(720, 540))

folder = Path(sys.argv[1])
folder.mkdir()
for number, pose in enumerate(POSES):
    cv2.imwrite(str(folder / f"{number}.png"), photograph(CAMERA, pose))
