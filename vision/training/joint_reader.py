"""The network that tells duplex tiles from two single ones, of layers that every OpenCV runs."""

import torch
from torch import Tensor, nn

from vision.joints import LEAST_CONTRAST, STRIP_HW


class Activated(nn.Sequential):
    """A convolution without bias, batch normalisation, ReLU."""

    def __init__(self, layer: nn.Conv2d) -> None:
        super().__init__(layer, nn.BatchNorm2d(layer.out_channels), nn.ReLU(inplace=True))


class Contrasted(nn.Module):
    """Each picture with mean 0 and standard deviation 1."""

    def forward(self, images: Tensor) -> Tensor:
        """As ``vision.joints.contrasted`` does it."""
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
