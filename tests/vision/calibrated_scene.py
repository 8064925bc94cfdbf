"""The calibration that the camera of a scene would have, if all went well."""

import numpy as np

from tests.vision.rescan_scene import SIZE_WH, Scene
from vision.calibration import Calibration, Lens, TablePlane

TILE_MM = 44.0


def lens_of(barrel: float) -> Lens:
    """Brown's model of the lens of a scene; it differs from that by a pixel at most."""
    focal, half_diagonal = 0.77 * max(SIZE_WH), float(np.hypot(*SIZE_WH)) / 2
    seen = np.linspace(0.001, 1, 400)
    ideal = seen * (1 + barrel * seen**2) / (1 + barrel)
    middle_focal = focal * (1 + barrel)
    straight, bent = ideal * half_diagonal / focal, seen * half_diagonal / middle_focal
    powers = np.stack([straight**3, straight**5, straight**7], axis=1)
    k1, k2, k3 = np.linalg.lstsq(powers, bent - straight, rcond=None)[0]
    x, y = (np.array(SIZE_WH) - 1) / 2
    matrix = np.array([[middle_focal, 0, x], [0, middle_focal, y], [0, 0, 1]])
    return Lens(matrix, np.array([k1, k2, 0, 0, k3]), SIZE_WH)


def calibration_of(scene: Scene, *, sheet_turned_deg: float = 0.0) -> Calibration:
    """Made where the camera stands, with the sheet under its middle, turned as it may be."""
    x, y = (np.array(SIZE_WH) - 1) / 2
    focal = 0.77 * max(SIZE_WH)
    seen = np.linalg.inv([[focal, 0, x], [0, focal, y], [0, 0, 1]]) @ scene.homography()
    seen /= np.linalg.norm(seen[:, 0])
    upright = np.column_stack([seen[:, 0], seen[:, 1], np.cross(seen[:, 0], seen[:, 1])])
    c, s = np.cos(np.radians(sheet_turned_deg)), np.sin(np.radians(sheet_turned_deg))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    plane = TablePlane(upright @ turn, seen[:, 2] * TILE_MM)
    return Calibration(lens_of(scene.barrel), plane, 0.1, 0.1, 0.6, 10)
