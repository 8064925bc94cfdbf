"""Looks through the virtual camera with the appliance's own adapter, and reads what it sees.

    python look_through_camera.py TRUTH.json

The camera shows TRUTH.jpg. Ends with a message and exit code 1 where something is not so.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

from firmware.appliance.runner.camera_service import photo_from_frame
from hardware.camera import Frame, open_camera
from hardware.settings import CameraSettings
from vision.arrays import Image
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.eye.read import read_tiles
from vision.lab.evaluation.photo_truth import load_truth
from vision.lab.evaluation.verdict import judge_reading

SIZE_WH = (2304, 1296)
COLOUR_TOLERANCE = 4
"""Mean difference, of 255: the picture was compressed, and was NV12 on its way."""
COLOURS_WH = (144, 81)
"""Colours are compared in so many pixels."""


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


def colours_off(seen: Image, given: Image) -> float:
    """Return the mean error of colours after fitting brightness and contrast.

    A file uses all levels from 0 to 255, video does not, and the virtual camera takes the one for
    the other. Small print is lost on the way.
    """
    here, there = (
        cv2.resize(image, COLOURS_WH, interpolation=cv2.INTER_AREA).astype(np.float64)
        for image in (seen, given)
    )
    gain, shift = np.polyfit(here.ravel(), there.ravel(), 1)
    return float(np.abs(here * gain + shift - there).mean())


def main() -> None:
    """Check what the camera gives."""
    truth_file = Path(sys.argv[1])
    first, second = look(times=2)
    check("a later picture was taken later", first.taken_s < second.taken_s)
    (frame,) = look(times=1)
    height, width = frame.image_bgr.shape[:2]
    check("opened again, it gives pictures of the size asked for", (width, height) == SIZE_WH)
    given = cv2.imread(str(truth_file.with_suffix(".jpg")))
    off, off_swapped = (
        colours_off(seen, given) for seen in (frame.image_bgr, frame.image_bgr[:, :, ::-1])
    )
    text = f"{off:.1f} off, {off_swapped:.1f} if swapped"
    check(f"blue is blue and red is red: {text}", off < COLOUR_TOLERANCE < off_swapped)
    reading = read_tiles(photo_from_frame(frame, "camera"), built_in_edition(BETWEEN_TWO_CITIES))
    verdict = judge_reading(load_truth(truth_file, BETWEEN_TWO_CITIES), reading)
    check("every tile is read as it is", verdict.perfect)


if __name__ == "__main__":
    main()
