"""Memory of the network's answers: tests teach the same pictures again and again."""

import hashlib

import pytest

from vision.editions import learning
from vision.patches import cut
from vision.patches.embedding import Embeddings, embed

KEPT_PATCHES = 50_000
"""Number of patches whose embeddings are kept, 60 MB."""

_known: dict[bytes, Embeddings] = {}


@pytest.fixture(scope="session", autouse=True)
def patches_are_embedded_once():
    """Keep the embeddings of patches, which follow from their pixels alone."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (learning, cut):
            patch.setattr(module, "embed", _embed_once)
        yield


def _embed_once(patches):
    key = hashlib.blake2b(patches.tobytes(), digest_size=16).digest()
    if key in _known:
        return _known[key]
    embeddings = embed(patches)
    if _count_kept() + len(patches) <= KEPT_PATCHES:
        _known[key] = embeddings
    return embeddings


def _count_kept():
    return sum(len(embeddings.vectors) for embeddings in _known.values())
