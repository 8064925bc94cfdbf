"""Memory of the network's answers: tests teach and read the same pictures again and again."""

import hashlib
from dataclasses import fields

import numpy as np
import pytest

from vision.editions import learning
from vision.networks import count_work
from vision.patches import cut
from vision.patches.embedding import Embeddings, embed

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


@pytest.fixture(scope="session", autouse=True)
def patches_are_embedded_once():
    """Keep the embeddings of patches, which follow from their pixels alone."""
    memory = Memory()
    with pytest.MonkeyPatch.context() as patch:
        for module in (learning, cut):
            patch.setattr(module, "embed", memory.embed)
        yield
