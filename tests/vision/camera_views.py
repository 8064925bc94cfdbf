"""What a camera makes of a plane."""

import numpy as np

SIZE_WH = (1200, 800)
FOCAL_PX = 1000.0


def seen_by_camera(
    tilt=0.0, heading=0.0, roll=0.0, distance=9.0, focal_px=FOCAL_PX, middle=(2.0, 2.0)
):
    """The homography of a camera that looks at a grid, and its place in grid coordinates."""

    def turn_about(axis, angle):
        c, s = np.cos(angle), np.sin(angle)
        rows = {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}
        return np.array(rows[axis])

    rotation = turn_about("z", roll) @ turn_about("x", tilt) @ turn_about("z", heading)
    place = np.array([*middle, 0.0]) - distance * rotation[2]
    shift = -rotation @ place
    lens = np.array(
        [[focal_px, 0, (SIZE_WH[0] - 1) / 2], [0, focal_px, (SIZE_WH[1] - 1) / 2], [0, 0, 1]]
    )
    return lens @ np.column_stack([rotation[:, 0], rotation[:, 1], shift]), place
