"""Tiles and plots that the locator detected in an image, as evidence for lattices.

Frames: image and affine, see ``vision.eye.camera``; detections are in pixels of the reduced image,
see ``vision.eye.locate``.
"""

from dataclasses import dataclass
from typing import Final, Self

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, floats
from vision.editions.model import GridFormat
from vision.eye.camera import Correspondences, TableCamera
from vision.eye.components import Component
from vision.eye.locate import (
    PLOT,
    TILE,
    Detections,
    LocatorOutput,
    reduced_to_image_px,
    to_probabilities,
)

CERTAINTY_OFFSET: Final = 0.3
ERROR_WEIGHT: Final = 10
"""A detection has the weight p / (``CERTAINTY_OFFSET`` + ``ERROR_WEIGHT`` e) in a fit, with its
probability p and expected error e in tile widths."""
FIT_WEIGHTS: Final = (0.2, 2)
"""Range of the weight of a detection in a fit."""


@dataclass(frozen=True, slots=True, eq=False)
class DetectedTiles:
    """Tiles and plots that the locator detected, n of them, in the image.

    Attributes:
        output: Output of the locator.
        tile_or_plot_map: Shape (h, w), probability that a map cell lies in a tile or, for
            boards, a plot.
        points_px: Shape (n, 2), centres.
        weights: Shape (n,), weights in fits.
    """

    output: LocatorOutput
    tile_or_plot_map: Floats
    points_px: Doubles
    weights: Doubles

    @classmethod
    def of(cls, output: LocatorOutput, grid_format: GridFormat) -> Self:
        """Return what an output of the locator shows of grids of this format."""
        maps, detections = output.maps, output.detections
        logits = np.maximum(maps[TILE], maps[PLOT]) if grid_format.on_board else maps[TILE]
        points_px = reduced_to_image_px(detections.centres, output.reduction_xy).astype(np.float64)
        certainty = np.maximum(detections.tile_probability, detections.plot_probability) / (
            CERTAINTY_OFFSET + ERROR_WEIGHT * detections.centre_error
        )
        weights = np.clip(certainty, *FIT_WEIGHTS).astype(np.float64)
        return cls(output, to_probabilities(logits), points_px, weights)

    @property
    def detections(self) -> Detections:
        """Detections in pixels of the reduced image."""
        return self.output.detections

    @property
    def seed_scores(self) -> Doubles:
        """Scores (n,) by which tiles begin components, the highest first."""
        either = np.maximum(self.detections.tile_probability, self.detections.plot_probability)
        return (either - self.detections.centre_error).astype(np.float64)

    def correspondences(self, component: Component) -> Correspondences:
        """Return the cells of a component and where the image shows them."""
        return Correspondences(
            component.cells.astype(float),
            self.points_px[component.indices],
            self.weights[component.indices],
        )

    def affine_edges(self, camera: TableCamera) -> Doubles:
        """Return the edges (n, 2, 2) in the affine frame."""
        edges_px = self.detections.edges * self.output.reduction_xy
        return camera.edges_to_affine(self.points_px, edges_px)

    def sample_map(self, points_px: Doubles) -> Doubles:
        """Return the probability of a tile in each cell by the locator's map.

        Args:
            points_px: Shape (k, m, 2), m points of each cell.

        Returns:
            Shape (k,), means over the points of a cell.
        """
        on_map = floats(self.output.to_map(points_px))
        x, y = (np.ascontiguousarray(on_map[..., n]) for n in (0, 1))
        shown = cv2.remap(
            self.tile_or_plot_map,
            x,
            y,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=0,
        )
        return np.asarray(shown.mean(axis=1).astype(np.float64))
