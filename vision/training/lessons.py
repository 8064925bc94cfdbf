"""What a network learns from an older one, beside the truth.

A teacher knows what can be known of a blurred or covered tile, which the truth does not tell
(G. Hinton, O. Vinyals, J. Dean, "Distilling the Knowledge in a Neural Network", 2015).
"""

import torch
from torch import Tensor
from torch.nn import functional

from vision.networks import FACE_CLASSES

TEACHER_WEIGHT = 2.0
"""How much a teacher's opinion counts."""
CORNER_UNITS = 10.0
"""Corners are told in tile widths; so much finer they weigh about as much as the names."""
AS_LIKELY_AS_NOT = 0.5
LIGHT, COLOUR = 0.15, 0.06
"""Standard deviation of the logarithm of a gain, of all channels and of each."""
OFFSET, MOST_NOISE = 8.0, 8.0
"""Grey levels."""
TINT, TINTED_SHARE = 0.25, 0.4
"""How much brighter or darker, as a logarithm, blue and red become; and how many samples get it."""


def names_apart(out: Tensor, taught: Tensor) -> Tensor:
    """How much two readers disagree about the names: Kullback and Leibler's divergence."""
    said, known = out.log_softmax(dim=1), taught.log_softmax(dim=1)
    return functional.kl_div(said, known, log_target=True, reduction="batchmean")


def faces_apart(out: Tensor, taught: Tensor) -> Tensor:
    """How much two face readers disagree: about names, and about corners where a tile lies."""
    names = names_apart(out[:, :FACE_CLASSES], taught[:, :FACE_CLASSES])
    tile = (taught[:, :FACE_CLASSES].softmax(dim=1)[:, -1:] < AS_LIKELY_AS_NOT).float()
    return names + corners_apart(out[:, FACE_CLASSES:], taught[:, FACE_CLASSES:], tile) / 2


def corners_apart(out: Tensor, known: Tensor, counts: Tensor) -> Tensor:
    """How far corners (n, 8) are from where they should be, where that counts (n, 1)."""
    apart = functional.smooth_l1_loss(
        out * CORNER_UNITS, known * CORNER_UNITS, reduction="none", beta=0.2
    )
    return (apart * counts).sum() / (counts.sum() * 8 + 1)


def tiles_apart(out: Tensor, taught: Tensor, inside: Tensor | None = None) -> Tensor:
    """How much two locators disagree: on what is a tile, and where within tiles it lies.

    Args:
        out: what one says, (n, LOCATOR_CHANNELS, h, w); what helps it learn may follow.
        taught: what the other says.
        inside: (n, 1, h, w) 1 within tiles; None: where the other sees some.
    """
    known = torch.sigmoid(taught[:, :1])
    where = (known > AS_LIKELY_AS_NOT).float() if inside is None else inside
    tile = functional.binary_cross_entropy_with_logits(out[:, :1], known)
    apart = functional.smooth_l1_loss(out[:, 1:8], taught[:, 1:8], reduction="none", beta=0.05)
    return 2 * tile + (apart * where).sum() / (where.sum() + 1)


def relit(images: Tensor) -> Tensor:
    """Images (n, 3, h, w) 0 to 255, half of them in other light and noisier.

    So a sample that comes again is not quite the same.
    """
    count = len(images)
    gain = LIGHT * torch.randn(count, 1, 1, 1) + COLOUR * torch.randn(count, 3, 1, 1)
    offset = OFFSET * torch.randn(count, 1, 1, 1)
    noise = MOST_NOISE * (2 * torch.rand(count, 1, 1, 1) - 1).clamp(min=0)
    other = images * torch.exp(gain) + offset + noise * torch.randn(images.shape)
    as_it_is = torch.rand(count, 1, 1, 1) < 0.5
    return torch.where(as_it_is, images, other.clamp(0, 255))


def tinted(images: Tensor) -> Tensor:
    """Images (n, 3, h, w) 0 to 255, some of them as a camera shows them that errs about the light.

    The teacher is to see them before, lest it teaches what a tint makes it believe.
    """
    count = len(images)
    cold, pale = TINT * torch.randn(count), TINT / 3 * torch.randn(count)
    gain = torch.exp(torch.stack([cold, pale, -cold], dim=1))[:, :, None, None]
    as_it_is = torch.rand(count, 1, 1, 1) < 1 - TINTED_SHARE
    return torch.where(as_it_is, images, (images * gain).clamp(0, 255))
