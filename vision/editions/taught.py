"""The opinion of taught pictures on what a tile shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import networks
from vision.arrays import Corners, Image, Images, floats
from vision.editions.alignment import best_fit, grey
from vision.editions.edition import FACES, Edition
from vision.editions.likeness import (
    COMPARED_PX,
    SHIFT_PX,
    SHIFTS,
    Vectors,
    all_windows,
    compared,
    middles,
)
from vision.networks import FACE_MARGIN, FACE_SIZE_PX
from vision.pyramid import Picture
from vision.rectify import crop_window, crop_windows

WHOLE_TILE = (0.0, 0.0, 1.0, 1.0)
SHARPNESS = 20.0
"""How fast a rival's chance falls with its distance: at a clear lead it is below 1 %."""
ALIKE = 0.6
"""Correlation from which on a tile is taken for one of the taught; others reach less."""
CLEAR_LEAD = 0.1
"""Share of the way between two faces by which the better one has to lead."""
PLAIN_LEAD = 0.4
"""Tiles with a smaller lead are laid over the taught picture and compared again."""
MARGIN = 0.125
"""Share of a tile that may be needed beyond its corners for that."""
_BLURS_PX = (2.0, 1.0)
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
        best: number of the likeliest face.
        likeness: correlation with its best example.
        lead: how far it leads the next face, as a share of the way between the two: 1 if the tile
            looks just like the best one, 0 if it lies halfway.
        chances: probabilities (9,) of the faces.
        shift: how much further right and down the tile lies than its corners say, tile widths.
    """

    best: int
    likeness: float
    lead: float
    chances: NDArray[np.float32]
    shift: tuple[float, float]

    @property
    def is_close(self) -> bool:
        """Whether the tile looks like a taught one, but not much more like one than another."""
        return self.likeness >= ALIKE and self.lead < PLAIN_LEAD

    @property
    def is_clear(self) -> bool:
        """Whether the tile looks like a taught one, and plainly like one rather than another."""
        return self.likeness >= ALIKE and self.lead >= CLEAR_LEAD


class TaughtFaces:
    """The pictures of an edition, ready to be compared with tiles."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        # faces x (examples x shifts) x dimensions
        self._windows = floats(
            [
                np.concatenate([all_windows(compared(p)) for p in edition.pictures[face]])
                for face in FACES
            ]
        )
        flat = self._windows.reshape(-1, self._windows.shape[2])
        self._likenesses = _products(flat, flat)
        self._models = [grey(compared(edition.pictures[face][0])) for face in FACES]
        self.known_to_networks = self._networks_know_it()

    def _networks_know_it(self) -> bool:
        """Whether the networks read this look without being taught."""
        crops = [_as_face_crop(self.edition.pictures[face][0]) for face in FACES]
        chances, _ = networks.read_faces(crops)
        return int((chances[:, :-1].max(axis=1) >= KNOWN).sum()) >= FEWEST_KNOWN

    def opinions(
        self, picture: Picture, quads: Sequence[Corners], *, twice: bool = True
    ) -> list[TaughtOpinion]:
        """Compare tiles with all faces.

        Args:
            picture: the photo.
            quads: corners of each tile as read upright.
            twice: whether to compare those again that are close between two faces.
        """
        found: list[TaughtOpinion] = []
        for start in range(0, len(quads), BATCH):
            some = quads[start : start + BATCH]
            found += self._compared(crop_windows(picture, some, WHOLE_TILE, COMPARED_PX))
        if not twice:
            return found
        return [
            self._looked_at_again(picture, quad, opinion) if opinion.is_close else opinion
            for quad, opinion in zip(quads, found, strict=True)
        ]

    def _looked_at_again(
        self, picture: Picture, quad_px: Corners, opinion: TaughtOpinion
    ) -> TaughtOpinion:
        """The opinion on a tile laid exactly over the picture it is most like.

        Corners a fiftieth of a tile off hide the little in which taverns differ.
        """
        window = (-MARGIN, -MARGIN, 1 + MARGIN, 1 + MARGIN)
        around = crop_window(picture, quad_px, window, round(COMPARED_PX * (1 + 2 * MARGIN)))
        offset = MARGIN * COMPARED_PX
        start = floats([[1, 0, offset], [0, 1, offset]])
        moved = best_fit(self._models[opinion.best], grey(around), start, _BLURS_PX)
        laid = cv2.warpAffine(
            around,
            moved,
            (COMPARED_PX, COMPARED_PX),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        (second,) = self._compared([np.asarray(laid, np.uint8)])
        return (
            replace(second, shift=opinion.shift) if second.likeness > opinion.likeness else opinion
        )

    def _compared(self, tiles: Images) -> list[TaughtOpinion]:
        faces, per_face, dimensions = self._windows.shape
        flat = self._windows.reshape(-1, dimensions)
        scores = _products(middles(tiles), flat).reshape(len(tiles), faces, per_face)
        firsts = np.arange(faces) * per_face
        return [
            self._opinion(of_tile.max(axis=1), firsts + of_tile.argmax(axis=1))
            for of_tile in scores
        ]

    def _opinion(self, scores: NDArray[np.float32], windows: NDArray[np.intp]) -> TaughtOpinion:
        """What the scores (9,) in the windows in which each face fits best mean."""
        best = int(scores.argmax())
        apart = np.maximum(1 - self._likenesses[windows, windows[best]], 1e-3)
        y, x = SHIFTS[int(windows[best]) % len(SHIFTS)]
        # A window further left in the taught picture shows a tile that lies further right
        shift = ((SHIFT_PX - x) / COMPARED_PX, (SHIFT_PX - y) / COMPARED_PX)
        leads = (scores[best] - scores) / apart
        powers = np.exp(-SHARPNESS * leads)
        return TaughtOpinion(
            best=best,
            likeness=float(scores[best]),
            lead=float(np.delete(leads, best).min()),
            chances=floats(powers / powers.sum()),
            shift=shift,
        )


@lru_cache(maxsize=2)
def taught_faces(edition: Edition) -> TaughtFaces:
    """The pictures of an edition, made ready once for all photos."""
    return TaughtFaces(edition)


def _products(first: Vectors, second: Vectors) -> NDArray[np.float32]:
    """Of each vector with each of the second ones, of which there may be many."""
    # OpenCV's product, not numpy's: the threads of the two get in each other's way for 0.1 s a call
    transposed = np.ascontiguousarray(first.T)
    return floats(cv2.gemm(second, transposed, 1, None, 0)).T  # type: ignore[call-overload] # None: nothing is added


def _as_face_crop(picture: Image) -> Image:
    """A taught picture with a margin as the face reader expects it, its edge going on outside."""
    margin = round(picture.shape[0] * FACE_MARGIN)
    wider = np.pad(picture, ((margin, margin), (margin, margin), (0, 0)), mode="edge")
    size = (FACE_SIZE_PX, FACE_SIZE_PX)
    return np.asarray(cv2.resize(wider, size, interpolation=cv2.INTER_AREA), np.uint8)
