"""Memory of the network's answers: tests teach the same pictures again and again."""

import hashlib

import pytest

from vision.editions import learning
from vision.patches import cut
from vision.patches.embedding import Embeddings, embed

KEPT_PATCHES = 50_000
"""Number of patches whose embeddings are kept, 60 MB."""


class Memory:
    """Embeddings of patches that were embedded, by a digest of their pixels."""

    def __init__(self):
        self.known: dict[bytes, Embeddings] = {}
        self.patches = 0

    def embed(self, patches):
        """Return the embeddings of patches (n, h, w, 3), from memory if they were embedded."""
        key = hashlib.blake2b(patches.tobytes(), digest_size=16).digest()
        if key in self.known:
            return self.known[key]
        embeddings = embed(patches)
        if self.patches + len(patches) <= KEPT_PATCHES:
            self.known[key] = embeddings
            self.patches += len(patches)
        return embeddings


@pytest.fixture(scope="session", autouse=True)
def patches_are_embedded_once():
    """Keep the embeddings of patches, which follow from their pixels alone."""
    memory = Memory()
    with pytest.MonkeyPatch.context() as patch:
        for module in (learning, cut):
            patch.setattr(module, "embed", memory.embed)
        yield
