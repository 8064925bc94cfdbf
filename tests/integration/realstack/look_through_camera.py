"""Looks through the virtual camera with the appliance's own adapter, and reads what it sees.

    python look_through_camera.py TRUTH.json

The camera shows TRUTH.jpg. Ends with a message and exit code 1 where something is not so.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

from firmware.appliance.runner.camera_desk import photo_of
from hardware.camera import Frame, open_camera
from hardware.settings import CameraSettings
from vision.editions.edition import GAME
from vision.editions.folder import own_edition
from vision.eye import read_tiles
from vision.figures.truth import load_truth
from vision.figures.verdict import compare

SIZE_WH = (2304, 1296)
COLOUR_TOLERANCE = 8
"""Of 255, on average: the picture was compressed, and was NV12 on its way."""


def check(what: str, fine: bool) -> None:
    """Go on or end."""
    if not fine:
        sys.exit(f"not so: {what}")
    sys.stdout.write(f"  {what}\n")


def look(times: int) -> list[Frame]:
    """Open the camera, take pictures, close it."""
    camera = open_camera(CameraSettings(kind="picamera", size_wh=SIZE_WH))
    frames = [camera.capture(timeout_s=20) for _ in range(times)]
    camera.close()
    return frames


def main() -> None:
    """Check what the camera gives."""
    truth_file = Path(sys.argv[1])
    first, second = look(times=2)
    check("a later picture was taken later", first.taken_s < second.taken_s)
    (frame,) = look(times=1)
    height, width = frame.image_bgr.shape[:2]
    check("opened again, it gives pictures of the size asked for", (width, height) == SIZE_WH)
    given = cv2.imread(str(truth_file.with_suffix(".jpg"))).astype(np.int16)
    off = np.abs(frame.image_bgr - given).mean()
    off_swapped = np.abs(frame.image_bgr[:, :, ::-1] - given).mean()
    said = f"{off:.1f} off, {off_swapped:.1f} if swapped"
    check(f"blue is blue and red is red: {said}", off < COLOUR_TOLERANCE < off_swapped)
    reading = read_tiles(photo_of(frame, "camera"), own_edition(GAME))
    verdict = compare(load_truth(truth_file, GAME), reading)
    check("every tile is read as it is", verdict.perfect)


if __name__ == "__main__":
    main()
