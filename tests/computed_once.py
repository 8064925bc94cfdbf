"""Memory of what follows from pixels: tests teach and read the same photos again and again."""

import hashlib
import os
import pickle
from dataclasses import fields

import numpy as np
import pytest

from vision.editions import learning
from vision.networks import count_work
from vision.patches import cut
from vision.patches.embedding import Embeddings, embed
from vision.teaching import learn_groups
from vision.teaching.tile_groups import group_tiles

KEPT_PATCHES = 50_000
"""Number of patches whose embeddings are kept, those used last, 60 MB."""


class Memory:
    """Embeddings of patches that were embedded, by a digest of their pixels.

    Attributes:
        known: Embeddings by digest: the batch and the row in it.
    """

    def __init__(self):
        self.known: dict[bytes, tuple[Embeddings, int]] = {}

    def embed(self, patches):
        """Return the embeddings of patches (n, h, w, 3), from memory those that were embedded."""
        keys = [hashlib.blake2b(patch.tobytes(), digest_size=16).digest() for patch in patches]
        new = {key: n for n, key in enumerate(keys) if key not in self.known}
        answers = embed(patches[list(new.values())])
        self.known.update((key, (answers, row)) for row, key in enumerate(new))
        spared, (height, width, channels) = len(keys) - len(new), patches.shape[1:]
        count_work("embed", (spared, channels, height, width), patches=spared)
        rows = [self.known[key] for key in keys]
        for key in keys:
            self.known[key] = self.known.pop(key)  # the last one used stands last
        while len(self.known) > KEPT_PATCHES:
            del self.known[next(iter(self.known))]
        if not spared:
            return answers
        return Embeddings(
            *(
                np.stack([getattr(batch, field.name)[row] for batch, row in rows])
                for field in fields(Embeddings)
            )
        )


class GroupsInFiles:
    """Groups of the tiles of photos, in files that all workers share.

    Args:
        folder: Folder of the files.
    """

    def __init__(self, folder):
        self._folder = folder

    def group_tiles(self, pyramid, model):
        """Return the groups of a photo, from their file if the same photo was seen before."""
        photo = pyramid.level(0)
        known = hashlib.blake2b(pickle.dumps((photo, model)), digest_size=16).hexdigest()
        path = self._folder / f"{known}.pickle"
        if path.exists():
            return pickle.loads(path.read_bytes())  # noqa: S301 - written below
        groups = group_tiles(pyramid, model)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(pickle.dumps(groups))
        unfinished.rename(path)
        return groups


@pytest.fixture(scope="session", autouse=True)
def pixels_are_understood_once(tmp_path_factory):
    """Keep embeddings of patches and groups of tiles, which follow from pixels alone."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    (folder / "groups").mkdir(exist_ok=True)
    memory, groups = Memory(), GroupsInFiles(folder / "groups")
    with pytest.MonkeyPatch.context() as patch:
        for module in (learning, cut):
            patch.setattr(module, "embed", memory.embed)
        patch.setattr(learn_groups, "group_tiles", groups.group_tiles)
        yield
