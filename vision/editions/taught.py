"""The opinion of taught pictures on what a tile shows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import networks
from vision.arrays import Corners, Image, floats
from vision.editions.edition import FACES, Edition
from vision.editions.likeness import COMPARED_PX, SHIFT_PX, SHIFTS, all_windows, compared, middles
from vision.networks import FACE_MARGIN, FACE_SIZE_PX
from vision.rectify import crop_window

WHOLE_TILE = (0.0, 0.0, 1.0, 1.0)
SHARPNESS = 20.0
"""How fast a rival's chance falls with its distance: at a clear lead it is below 1 %."""
ALIKE = 0.6
"""Correlation from which on a tile is taken for one of the taught; others reach less."""
CLEAR_LEAD = 0.1
"""Share of the way between two faces by which the better one has to lead."""
FEWEST_KNOWN = 7
KNOWN = 0.8
"""The networks know a look if they read so many of its nine faces with so much certainty, be it as
another face: then the two opinions differ, which a person must settle."""
BATCH = 16
"""Tiles compared at once: keeps the working memory small."""


@dataclass(frozen=True, slots=True, eq=False)
class TaughtOpinion:
    """What the taught pictures say of one tile.

    Attributes:
        scores: correlation (9,) with the best example of each face.
        leads: for each face how far the best one leads it (9,), as a share of the way between the
            two: 1 if the tile looks just like the best one, 0 if it lies halfway or is the best.
        shift: how much further right and down the tile lies than its corners say, tile widths.
    """

    scores: NDArray[np.float32]
    leads: NDArray[np.float32]
    shift: tuple[float, float]

    @property
    def best(self) -> int:
        """Number of the likeliest face."""
        return int(np.argmax(self.scores))

    @property
    def likeness(self) -> float:
        """Correlation with the likeliest face."""
        return float(self.scores.max())

    @property
    def lead(self) -> float:
        """By how much the likeliest face leads the next one."""
        return float(np.delete(self.leads, self.best).min())

    @property
    def is_clear(self) -> bool:
        """Whether the tile looks like a taught one, and plainly like one rather than another."""
        return self.likeness >= ALIKE and self.lead >= CLEAR_LEAD

    @property
    def chances(self) -> NDArray[np.float32]:
        """Probabilities (9,) of the faces."""
        powers = np.exp(-SHARPNESS * np.maximum(self.leads, 0))
        return floats(powers / powers.sum())


class TaughtFaces:
    """The pictures of an edition, ready to be compared with tiles."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        # faces x (examples x shifts) x dimensions
        self._windows = floats(
            [
                np.concatenate([all_windows(compared(p)) for p in edition.examples[face]])
                for face in FACES
            ]
        )
        self.known_to_networks = self._networks_know_it()

    def _networks_know_it(self) -> bool:
        """Whether the networks read this look without being taught."""
        crops = [_as_face_crop(self.edition.examples[face][0]) for face in FACES]
        chances, _ = networks.read_faces(crops)
        return int((chances[:, :-1].max(axis=1) >= KNOWN).sum()) >= FEWEST_KNOWN

    def opinions(self, image: Image, quads: Sequence[Corners]) -> list[TaughtOpinion]:
        """Compare tiles, whose corners (as read upright) in the photo are given, with all faces."""
        found: list[TaughtOpinion] = []
        for start in range(0, len(quads), BATCH):
            tiles = [
                crop_window(image, quad, WHOLE_TILE, COMPARED_PX)
                for quad in quads[start : start + BATCH]
            ]
            found += _compared_with(self._windows, tiles)
        return found


def _compared_with(windows: NDArray[np.float32], tiles: Sequence[Image]) -> list[TaughtOpinion]:
    """Compare tiles with windows (faces, examples x shifts, dimensions)."""
    faces, per_face, dimensions = windows.shape
    seen = middles(tiles)
    # OpenCV's product, not numpy's: the threads of the two get in each other's way for 0.1 s a call
    products = cv2.gemm(seen, windows.reshape(-1, dimensions), 1, None, 0, flags=cv2.GEMM_2_T)  # type: ignore[call-overload] # None: nothing is added
    scores = floats(products).reshape(len(tiles), faces, per_face)
    where = scores.argmax(axis=2)
    found = []
    for tile_scores, places in zip(scores.max(axis=2), where, strict=True):
        best = int(tile_scores.argmax())
        models = windows[np.arange(faces), places]
        apart = np.maximum(1 - np.einsum("fd,d->f", models, models[best]), 1e-3)
        y, x = SHIFTS[int(places[best]) % len(SHIFTS)]
        # A window further left in the taught picture shows a tile that lies further right
        shift = ((SHIFT_PX - x) / COMPARED_PX, (SHIFT_PX - y) / COMPARED_PX)
        leads = (tile_scores[best] - tile_scores) / apart
        found.append(TaughtOpinion(floats(tile_scores), floats(leads), shift))
    return found


def _as_face_crop(picture: Image) -> Image:
    """A taught picture with a margin as the face reader expects it, its edge going on outside."""
    margin = round(picture.shape[0] * FACE_MARGIN)
    wider = np.pad(picture, ((margin, margin), (margin, margin), (0, 0)), mode="edge")
    size = (FACE_SIZE_PX, FACE_SIZE_PX)
    return np.asarray(cv2.resize(wider, size, interpolation=cv2.INTER_AREA), np.uint8)
