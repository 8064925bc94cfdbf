"""Practice tables on disk: drawing one takes longer than learning from it.

python -m vision.training.practice_store --out DIR --chunks 0:100 [--seed N]

A chunk is one ``.npz`` file of ``CHUNK`` scenes, the same for the same seed and number.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.practice_tables import Boxes, Scene, practice_table

CHUNK = 200
JPEG_QUALITY = 96
COVERED_STRIDE_PX = 8


def make_chunk(seed: int, number: int) -> Iterator[Scene]:
    """The scenes of a chunk."""
    rng, boxes = np.random.default_rng([seed, number]), Boxes()
    for _ in range(CHUNK):
        yield practice_table(rng, boxes)


def write_chunk(path: Path, scenes: Iterator[Scene]) -> None:
    """Write scenes to a file."""
    pictures, kinds, quads, covered = [], [], [], []
    for scene in scenes:
        done, data = cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise RuntimeError("OpenCV could not encode a JPEG")
        pictures.append(np.asarray(data).ravel())
        kinds.append(scene.kinds)
        quads.append(scene.quads_px)
        small = tuple(side // COVERED_STRIDE_PX for side in scene.covered.shape)
        covered.append(cv2.resize(scene.covered, small, interpolation=cv2.INTER_AREA))
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        pictures=np.concatenate(pictures),
        picture_ends=np.cumsum([len(p) for p in pictures]),
        kinds=np.concatenate(kinds).astype(np.int8),
        quads=np.concatenate(quads),
        quad_ends=np.cumsum([len(k) for k in kinds]),
        covered=np.stack(covered),
    )
    part.replace(path)


class Store:
    """The scenes of a folder of chunks, some of which may be still to come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._chunks: list[dict[str, NDArray[np.generic]]] = []
        self._known: set[Path] = set()
        self.refresh()

    def refresh(self) -> None:
        """Load chunks that have come since."""
        for path in sorted(self._folder.glob("chunk-*.npz")):
            if path not in self._known and ".part" not in path.name:
                self._known.add(path)
                with np.load(path) as data:
                    self._chunks.append({name: data[name] for name in data.files})

    def __len__(self) -> int:
        return len(self._chunks) * CHUNK

    def __getitem__(self, index: int) -> Scene:
        """A scene; ``covered`` is smaller by ``COVERED_STRIDE_PX``."""
        chunk, n = self._chunks[index // CHUNK], index % CHUNK
        here = _slice(chunk["picture_ends"], n)
        image = cv2.imdecode(np.asarray(chunk["pictures"][here], np.uint8), cv2.IMREAD_COLOR)
        quads = _slice(chunk["quad_ends"], n)
        return Scene(
            np.asarray(image, np.uint8),
            np.asarray(chunk["kinds"][quads], np.int64),
            np.asarray(chunk["quads"][quads], np.float32),
            np.asarray(chunk["covered"][n], np.uint8),
        )


def _slice(ends: NDArray[np.generic], n: int) -> slice:
    return slice(int(ends[n - 1]) if n else 0, int(ends[n]))


def main() -> None:
    """Make chunks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--chunks", default="0:10", help="first and one after the last")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    first, end = (int(n) for n in options.chunks.split(":"))
    for number in range(first, end):
        path = options.out / f"chunk-{options.seed}-{number:05d}.npz"
        if not path.exists():
            write_chunk(path, make_chunk(options.seed, number))


if __name__ == "__main__":
    main()
