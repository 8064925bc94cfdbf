"""The networks, small enough for a Raspberry Pi and made of layers every OpenCV runs.

Inputs are BGR images as float32 0 to 255, shape (n, 3, h, w); the first layer scales them. What is
used of them comes in two parts: the first two layers with weights as ``vision.stems`` has them, and
a network that takes what these say.
"""

from copy import deepcopy

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from vision.joints import STRIP_HW
from vision.networks import (
    EMBLEM_CLASSES,
    FACE_CLASSES,
    LEAST_CONTRAST,
    LOCATOR_CHANNELS,
    Sheet,
)
from vision.stems import Stem

FACE_COUNT = 9


GREY = 128
"""Level of brightness that is zero for a network."""
SPREAD = 64
"""Levels of brightness that are one for a network."""
WIDE, NARROW = 40, 24
"""Channels of the locator, and of the readers of faces and emblems."""


class Scaled(nn.Module):
    """0..255 to -2..2."""

    def forward(self, images: Tensor) -> Tensor:
        """Pixels to what the next layer likes."""
        return (images - GREY) / SPREAD


class Activated(nn.Sequential):
    """A convolution without bias, batch normalisation, ReLU."""

    def __init__(self, layer: nn.Conv2d) -> None:
        super().__init__(layer, nn.BatchNorm2d(layer.out_channels), nn.ReLU(inplace=True))


def convolution(inputs: int, outputs: int, size: int = 3) -> Activated:
    """Convolution that keeps the size of the picture."""
    return Activated(nn.Conv2d(inputs, outputs, size, 1, size // 2, bias=False))


def patches(inputs: int, outputs: int, side: int) -> Activated:
    """One output for each patch of ``side`` x ``side``; quicker than overlapping ones."""
    return Activated(nn.Conv2d(inputs, outputs, side, side, bias=False))


class Residual(nn.Module):
    """A convolution added to its input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = convolution(channels, channels)

    def forward(self, features: Tensor) -> Tensor:
        """Features to features of the same shape."""
        out: Tensor = features + self.body(features)
        return out


class Locator(nn.Module):
    """For every 8x8 pixels: is this inside a tile, and where does that tile lie?

    Output (n, LOCATOR_CHANNELS, h/8, w/8): the logit of lying inside a tile; the way to the
    tile's centre (x, y) in units of 32 px; and its shape as ``vision.locate.shape_of`` has it.
    """

    def __init__(self, channels: int = WIDE, faces: int = FACE_COUNT) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            Scaled(),
            patches(3, 24, 4),
            patches(24, channels, 2),
            *[Residual(channels) for _ in range(8)],
        )
        self.head = nn.Conv2d(channels, LOCATOR_CHANNELS, 1)
        self.face_head = nn.Conv2d(channels, faces, 1)

    @property
    def heads(self) -> tuple[nn.Module]:
        """The last layer."""
        return (self.head,)

    def forward(self, images: Tensor) -> Tensor:
        """Images to the output that the class describes."""
        places: Tensor = self.head(self.trunk(images))
        return places

    @property
    def stem(self) -> Stem:
        """The first two layers as they are used."""
        return stem_of(self.trunk)

    def deployed(self) -> nn.Module:
        """The other layers as they are used: they take what the first two say."""
        return nn.Sequential(self.trunk[3:], self.head)

    def with_faces(self, images: Tensor) -> Tensor:
        """The output followed by logits of the faces, which help learning and are not exported."""
        features = self.trunk(images)
        return torch.cat([self.head(features), self.face_head(features)], dim=1)


class FaceReader(nn.Module):
    """A rectified tile of 48x48 pixels, a little margin round it, in any of four turns.

    Output (n, FACE_CLASSES + 8): logits of the nine faces upright, the nine turned clockwise by
    one, two and three quarters, and of 'no readable tile'; then where the four corners of the
    tile really lie, relative to where they were taken to be, in tile widths (x, y each).
    """

    def __init__(self, channels: int = NARROW) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Scaled(),
            patches(3, 16, 3),
            patches(16, channels, 2),
            *[Residual(channels) for _ in range(5)],
            convolution(channels, 16, size=1),
            nn.Flatten(),
        )
        self.classes = nn.Linear(16 * 64, FACE_CLASSES)
        self.corners = nn.Linear(16 * 64, 8)

    @property
    def heads(self) -> tuple[nn.Module, nn.Module]:
        """The last layers, whose outputs lie side by side."""
        return self.classes, self.corners

    def forward(self, images: Tensor) -> Tensor:
        """Images to the output that the class describes."""
        features = self.body(images)
        return torch.cat([self.classes(features), self.corners(features)], dim=1)


class EmblemReader(nn.Module):
    """The top left of a tile as read upright, 32x32 pixels. Output (n, EMBLEM_CLASSES) logits."""

    def __init__(self, channels: int = NARROW) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Scaled(),
            patches(3, 16, 2),
            patches(16, channels, 2),
            *[Residual(channels) for _ in range(3)],
            convolution(channels, 16, size=1),
            nn.Flatten(),
            nn.Linear(16 * 64, EMBLEM_CLASSES),
        )

    @property
    def heads(self) -> tuple[nn.Module]:
        """The last layer."""
        return (self.body[-1],)

    def forward(self, images: Tensor) -> Tensor:
        """Images to the output that the class describes."""
        logits: Tensor = self.body(images)
        return logits


class Contrasted(nn.Module):
    """Each picture with mean 0 and standard deviation 1."""

    def forward(self, images: Tensor) -> Tensor:
        """As ``vision.networks.contrasted`` does it."""
        spread = images.std(dim=(1, 2, 3), keepdim=True, correction=0)
        return (images - images.mean(dim=(1, 2, 3), keepdim=True)) / (spread + LEAST_CONTRAST)


class JointReader(nn.Module):
    """The joint of two tiles, see ``vision.joints``: is it within one piece?

    Output (n, 1): the logit of a duplex tile.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Activated(nn.Conv2d(3, 12, 5, stride=(2, 1), padding=2, bias=False)),
            Activated(nn.Conv2d(12, 16, 3, stride=2, padding=1, bias=False)),
            Activated(nn.Conv2d(16, 24, 3, stride=(2, 1), padding=1, bias=False)),
        )
        along, across = STRIP_HW[0] // 8, STRIP_HW[1] // 2
        self.mean, self.most = nn.AvgPool2d((along, 1)), nn.MaxPool2d((along, 1))
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.3),
            nn.Linear(2 * 24 * across, 48),
            nn.ReLU(inplace=True),
            nn.Linear(48, 1),
        )

    def forward(self, images: Tensor) -> Tensor:
        """Images to the output that the class describes."""
        return self.contrasted(Contrasted()(images))

    def contrasted(self, images: Tensor) -> Tensor:
        """The same for pictures that are contrasted already."""
        features = self.body(images)
        both = torch.cat([self.mean(features), self.most(features)], dim=1)
        logits: Tensor = self.head(both)
        return logits


class ContrastedReader(nn.Module):
    """The joint reader as it is used: its pictures are contrasted."""

    def __init__(self, reader: JointReader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, images: Tensor) -> Tensor:
        """Contrasted pictures to logits."""
        return self.reader.contrasted(images)


def stem_of(layers: nn.Sequential) -> Stem:
    """The weights of ``layers``, which begin with Scaled and twice ``patches``, for pixels."""
    first, second = (
        fuse_conv_bn_eval(deepcopy(layers[n][0]).eval(), deepcopy(layers[n][1]).eval())
        for n in (1, 2)
    )
    weight = _as_matrix(first.weight) / SPREAD
    bias = _as_vector(first.bias) - GREY * weight.sum(axis=0)
    arrays = weight, bias, _as_matrix(second.weight), _as_vector(second.bias)
    return Stem(*(np.asarray(array, np.float32) for array in arrays))


def _as_matrix(weight: Tensor) -> NDArray[np.float64]:
    """The weight (outputs, inputs, side, side) of patches for pixels row by row, BGR each."""
    return _as_vector(weight.permute(2, 3, 1, 0)).reshape(-1, len(weight))


def _as_vector(values: Tensor) -> NDArray[np.float64]:
    return np.asarray(values.detach().double().numpy())


class SheetReader(nn.Module):
    """A trained reader of tiles or emblems without its first two layers, for several side by side.

    It says the same as the reader of single ones: what lies between them is kept at zero, as is
    what a convolution meets beyond the edge of a picture. Input (n, d, *sheet.size_hw), features
    laid out by the sheet; output (n, classes, sheet.rows, sheet.columns).
    """

    kept: Tensor

    def __init__(self, reader: nn.Module, sheet: Sheet) -> None:
        super().__init__()
        blocks = [n for n, layer in enumerate(reader.body) if isinstance(layer, Residual)]
        self.blocks = reader.body[blocks[0] : blocks[-1] + 1]
        self.narrowing = reader.body[blocks[-1] + 1]
        side = sheet.side
        weight = torch.cat([head.weight for head in reader.heads]).detach()
        self.classes = nn.Conv2d(weight.shape[1] // side**2, len(weight), side, stride=sheet.pitch)
        self.classes.weight = nn.Parameter(weight.reshape(len(weight), -1, side, side))
        self.classes.bias = nn.Parameter(torch.cat([head.bias for head in reader.heads]).detach())
        place = torch.zeros(sheet.pitch, sheet.pitch)
        place[:side, :side] = 1
        self.register_buffer("kept", place.repeat(1, 1, sheet.rows, sheet.columns))

    def forward(self, features: Tensor) -> Tensor:
        """Features to the output that the class describes."""
        for block in self.blocks:
            features = block(features) * self.kept
        logits: Tensor = self.classes(self.narrowing(features))
        return logits
