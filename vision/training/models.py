"""The networks, small enough for a Raspberry Pi and made of layers every OpenCV runs.

Inputs are BGR images as float32 0 to 255, shape (n, 3, h, w); the first layer scales them. What is
used of them leaves that layer out, and takes pixels less ``vision.networks.GREY``.
"""

from copy import deepcopy

import torch
from torch import Tensor, nn

from vision.joints import STRIP_HW
from vision.networks import (
    EMBLEM_CLASSES,
    FACE_CLASSES,
    GREY,
    LEAST_CONTRAST,
    LOCATOR_CHANNELS,
    Sheet,
)

FACE_COUNT = 9


SPREAD = 64
"""Levels of brightness that are one for a network."""


class Scaled(nn.Module):
    """0..255 to -2..2."""

    def forward(self, images: Tensor) -> Tensor:
        """Pixels to what the next layer likes."""
        return (images - GREY) / SPREAD


def convolution(inputs: int, outputs: int, size: int = 3) -> nn.Module:
    """Convolution that keeps the size of the picture, batch normalisation, ReLU."""
    return _activated(nn.Conv2d(inputs, outputs, size, 1, size // 2, bias=False))


def patches(inputs: int, outputs: int, side: int) -> nn.Module:
    """One output for each patch of ``side`` x ``side``; quicker than overlapping ones."""
    return _activated(nn.Conv2d(inputs, outputs, side, side, bias=False))


def _activated(layer: nn.Conv2d) -> nn.Module:
    return nn.Sequential(
        layer,
        nn.BatchNorm2d(layer.out_channels),
        nn.ReLU(inplace=True),
    )


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

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            Scaled(),
            patches(3, 24, 4),
            patches(24, 40, 2),
            *[Residual(40) for _ in range(8)],
        )
        self.head = nn.Conv2d(40, LOCATOR_CHANNELS, 1)
        self.face_head = nn.Conv2d(40, FACE_COUNT, 1)

    def forward(self, images: Tensor) -> Tensor:
        """Images to the output that the class describes."""
        places: Tensor = self.head(self.trunk(images))
        return places

    def deployed(self) -> nn.Module:
        """The network as it is used: it takes pixels less GREY."""
        return nn.Sequential(unscaled(self.trunk), self.head)

    def with_faces(self, images: Tensor) -> Tensor:
        """The output followed by nine face logits, which help learning and are not exported."""
        features = self.trunk(images)
        return torch.cat([self.head(features), self.face_head(features)], dim=1)


class FaceReader(nn.Module):
    """A rectified tile of 48x48 pixels, a little margin round it, in any of four turns.

    Output (n, FACE_CLASSES + 8): logits of the nine faces upright, the nine turned clockwise by
    one, two and three quarters, and of 'no readable tile'; then where the four corners of the
    tile really lie, relative to where they were taken to be, in tile widths (x, y each).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Scaled(),
            patches(3, 16, 3),
            patches(16, 32, 2),
            *[Residual(32) for _ in range(5)],
            convolution(32, 16, size=1),
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

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Scaled(),
            patches(3, 16, 2),
            patches(16, 32, 2),
            *[Residual(32) for _ in range(3)],
            convolution(32, 16, size=1),
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
            _activated(nn.Conv2d(3, 12, 5, stride=(2, 1), padding=2, bias=False)),
            _activated(nn.Conv2d(12, 16, 3, stride=2, padding=1, bias=False)),
            _activated(nn.Conv2d(16, 24, 3, stride=(2, 1), padding=1, bias=False)),
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


def unscaled(layers: nn.Sequential) -> nn.Sequential:
    """The same for pixels less GREY as ``layers``, which begin with Scaled, for pixels."""
    first = deepcopy(layers[1])
    convolution = first[0]
    convolution.weight = nn.Parameter(convolution.weight.detach() / SPREAD)
    return nn.Sequential(first, *layers[2:])


class SheetReader(nn.Module):
    """A trained reader of tiles or emblems, reading several that lie side by side in one picture.

    It says the same as the reader of single ones: what lies between them is kept at zero, as is
    what a convolution meets beyond the edge of a picture. Input (n, 3, *sheet.size_hw), pixels
    less GREY; output (n, classes, sheet.rows, sheet.columns).
    """

    kept: Tensor

    def __init__(self, reader: nn.Module, sheet: Sheet) -> None:
        super().__init__()
        blocks = [n for n, layer in enumerate(reader.body) if isinstance(layer, Residual)]
        self.stem = unscaled(reader.body[: blocks[0]])
        self.blocks = reader.body[blocks[0] : blocks[-1] + 1]
        self.narrowing = reader.body[blocks[-1] + 1]
        side, pitch = sheet.crop_px // sheet.output_px, sheet.pitch_px // sheet.output_px
        weight = torch.cat([head.weight for head in reader.heads]).detach()
        self.classes = nn.Conv2d(weight.shape[1] // side**2, len(weight), side, stride=pitch)
        self.classes.weight = nn.Parameter(weight.reshape(len(weight), -1, side, side))
        self.classes.bias = nn.Parameter(torch.cat([head.bias for head in reader.heads]).detach())
        place = torch.zeros(pitch, pitch)
        place[:side, :side] = 1
        height, width = (length // sheet.output_px for length in sheet.size_hw)
        kept = place.repeat(1, 1, sheet.rows, sheet.columns)[:, :, :height, :width]
        self.register_buffer("kept", kept)

    def forward(self, images: Tensor) -> Tensor:
        """Images to the output that the class describes."""
        features = self.stem(images) * self.kept
        for block in self.blocks:
            features = block(features) * self.kept
        logits: Tensor = self.classes(self.narrowing(features))
        return logits
