"""Memory of what follows from pixels: tests teach and read the same photos again and again."""

import hashlib
import os
import pickle
from dataclasses import fields
from threading import Lock

import numpy as np
import pytest

from vision import networks
from vision.calibration import sheet
from vision.editions import learning
from vision.eye import locate
from vision.networks import count_work, measure_work
from vision.patches import cut
from vision.patches.embedding import PATCH_PX, Embeddings, embed
from vision.teaching import learn_groups
from vision.teaching.tile_groups import group_tiles

KEPT_PATCHES = 50_000
"""Number of patches whose embeddings are kept, those used last, 60 MB."""
MIN_SHARED_PATCHES = 400
"""Number of patches embedded at once from which they are shared with the other workers: tiles that
are taught, of which many tests teach the same."""


class Memory:
    """Embeddings of patches that were embedded, by a digest of their pixels.

    Args:
        shared_embed: Function that embeds many patches.
    """

    def __init__(self, shared_embed):
        self._shared_embed = shared_embed
        self._lock = Lock()  # a photo may be read in a thread
        self._slots: dict[bytes, int] = {}
        like = embed(np.empty((0, PATCH_PX, PATCH_PX, 3), np.uint8))
        self._kept = Embeddings(
            *[np.empty((KEPT_PATCHES, *each.shape[1:]), each.dtype) for each in arrays_of(like)]
        )

    def embed(self, patches):
        """Return the embeddings of patches (n, h, w, 3), from memory those that were embedded."""
        keys = [hashlib.sha256(patch).digest() for patch in np.ascontiguousarray(patches)]
        with self._lock:
            return self._embed(patches, keys)

    def _embed(self, patches, keys):
        slots = self._slots
        new = {key: n for n, key in enumerate(keys) if key not in slots}
        compute = embed if len(new) < MIN_SHARED_PATCHES else self._shared_embed
        answers = compute(patches if len(new) == len(keys) else patches[list(new.values())])
        spared, (height, width, channels) = len(keys) - len(new), patches.shape[1:]
        count_work("embed", (spared, channels, height, width), patches=spared)
        slots.update({key: slots.pop(key) for key in keys if key in slots})  # used last stands last
        for key in new:
            # The next free one, or that of the patch used the longest ago
            slots[key] = len(slots) if len(slots) < KEPT_PATCHES else slots.pop(next(iter(slots)))
        of_new = [slots[key] for key in new]
        for kept, answer in zip(arrays_of(self._kept), arrays_of(answers), strict=True):
            kept[of_new] = answer
        return answers if not spared else self._kept.take([slots[key] for key in keys])


def arrays_of(embeddings):
    """Return the arrays of embeddings, which have one row for each patch."""
    return [getattr(embeddings, field.name) for field in fields(embeddings)]


class ResultsInFiles:
    """Results of a function of a photo, in files that all workers share.

    The work of the networks is counted as if they had run.

    Args:
        folder: Folder of the files.
        function: Function whose results are kept.
        pixels_of: Function that returns the pixels of its first argument.
    """

    def __init__(self, folder, function, pixels_of):
        self._folder, self._function, self._pixels_of = folder, function, pixels_of

    def __call__(self, photo, *more):
        """Return the result, from its file if the function was called alike before."""
        pixels = np.ascontiguousarray(self._pixels_of(photo))
        digest = hashlib.blake2b(pixels, digest_size=16)
        digest.update(pickle.dumps((pixels.shape, self._function.__name__, more)))
        path = self._folder / f"{digest.hexdigest()}.pickle"
        if path.exists():
            result, work = pickle.loads(path.read_bytes())  # noqa: S301 - written below
        else:
            with measure_work() as work:
                result = self._function(photo, *more)
            unfinished = path.with_suffix(f".{os.getpid()}")
            unfinished.write_bytes(pickle.dumps((result, work)))
            unfinished.rename(path)
        add_work(work)
        return result


def add_work(more):
    """Add work to that which is measured."""
    work = networks._work.get()
    if work is not None:
        work.multiply_adds += more.multiply_adds
        work.patches += more.patches


KEPT = (
    (learn_groups, "group_tiles", group_tiles, lambda pyramid: pyramid.level(0)),
    (locate, "run_network", locate.run_network, lambda image: image),
    (sheet, "find_corners", sheet.find_corners, lambda image: image),
)
"""Module and name by which a function is called, the function, and its first argument's pixels."""


@pytest.fixture(scope="session", autouse=True)
def pixels_are_understood_once(tmp_path_factory):
    """Keep what follows from pixels alone."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    folder = folder / "understood"
    folder.mkdir(exist_ok=True)
    memory = Memory(ResultsInFiles(folder, embed, lambda patches: patches))
    with pytest.MonkeyPatch.context() as patch:
        for module in (learning, cut):
            patch.setattr(module, "embed", memory.embed)
        for module, name, function, pixels_of in KEPT:
            patch.setattr(module, name, ResultsInFiles(folder, function, pixels_of))
        yield
