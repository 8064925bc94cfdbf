"""Make a network narrower, to go on learning: ``python -m vision.training.slim faces ...``.

Of the channels that run through all its layers, the one without which it says most nearly the same
is taken out, again and again (as in P. Molchanov et al., "Pruning Convolutional Neural Networks for
Resource Efficient Inference", ICLR 2017, but by trying instead of estimating). What is left knows
much less; it is to learn on with ``--start`` and the wide network as the ``--teacher``.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from vision.training.course import add_photos, photos_of
from vision.training.deployed import (
    channels_of,
    with_statistics_of,
    with_weights_of,
)
from vision.training.lessons import tiles_apart
from vision.training.models import EmblemReader, FaceReader, Locator, Residual
from vision.training.streams import Reuse, SampleMaker, batches
from vision.training.train_locator import scene_maker
from vision.training.train_tiles import KINDS, Exhibits, Kind
from vision.training.truth import PhotoTruth


@dataclass(frozen=True, slots=True)
class Network:
    """A network that can be made narrower.

    Attributes:
        new_model: makes one with so many channels.
        maker: of what it is tried with.
        apart: how much two of them disagree about the same images.
        samples: to try it with.
    """

    new_model: Callable[[int], Locator | FaceReader | EmblemReader]
    maker: Callable[[Sequence[PhotoTruth]], SampleMaker]
    apart: Callable[[Tensor, Tensor], Tensor]
    samples: int


def _of_reader(kind: Kind) -> Network:
    return Network(
        kind.new_model, lambda photos: kind.maker(Exhibits(photos)), kind.apart, samples=1500
    )


NETWORKS: Mapping[str, Network] = {
    "locator": Network(Locator, scene_maker, tiles_apart, samples=8),
    **{name: _of_reader(kind) for name, kind in KINDS.items()},
}


def most_telling(
    model: nn.Module,
    images: Tensor,
    channels: int,
    apart: Callable[[Tensor, Tensor], Tensor],
) -> Tensor:
    """The numbers, ascending, of so many channels with which a model says most nearly the same."""
    stream = [*_stream(model)]
    kept = torch.ones(_width(stream[0]))
    hooks = [
        layer.register_forward_hook(lambda _layer, _inputs, out: out * kept[:, None, None])
        for layer in stream
    ]
    with torch.no_grad():
        in_full = model.eval()(images)
        while int(kept.sum()) > channels:
            lost = []
            for channel in (tried := kept.nonzero().ravel().tolist()):
                kept[channel] = 0
                lost.append(float(apart(model(images), in_full)))
                kept[channel] = 1
            kept[tried[lost.index(min(lost))]] = 0
    for hook in hooks:
        hook.remove()
    return kept.nonzero().ravel()


def _stream(model: nn.Module) -> list[nn.Module]:
    """The layers through which the same channels run: the second one and those added to it."""
    layers = next(child for child in model.children() if isinstance(child, nn.Sequential))
    return [layers[2], *(layer for layer in layers if isinstance(layer, Residual))]


def _width(second: nn.Module) -> int:
    (norm,) = (module for module in second.modules() if isinstance(module, nn.BatchNorm2d))
    return int(norm.num_features)


def narrowed(wide: nn.Module, narrow: nn.Module, kept: Tensor) -> None:
    """Give the narrow model the weights that the wide one has for some of its channels."""
    state = wide.state_dict()
    for name, own in narrow.state_dict().items():
        weights = state[name]
        for dimension, (before, now) in enumerate(zip(weights.shape, own.shape, strict=True)):
            if before != now:
                weights = weights.index_select(dimension, kept)
        state[name] = weights
    narrow.load_state_dict(state)


def main() -> None:
    """Read the arguments, make the network narrower, write its state."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=list(NETWORKS))
    parser.add_argument("--wide", type=Path, required=True, help="the network (.onnx)")
    parser.add_argument("--channels", type=int, required=True, help="that are left")
    parser.add_argument("--out", type=Path, required=True, help="the state (.pt) to write")
    parser.add_argument("--seed", type=int, default=1)
    add_photos(parser)
    arguments = parser.parse_args()
    kind, width = NETWORKS[arguments.kind], channels_of(arguments.wide)
    if not 1 <= arguments.channels <= width:
        parser.error(f"--channels: {arguments.wide} has {width}")
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(arguments.seed)
    wide = with_weights_of(kind.new_model(width), arguments.wide)
    make = kind.maker(photos_of(arguments))
    every_once = Reuse(uses=1, kept=1)
    images, *_ = next(batches(make, arguments.seed, kind.samples, workers=0, reuse=every_once))
    images = images.float()
    narrow = kind.new_model(arguments.channels)
    narrowed(wide, narrow, most_telling(wide, images, arguments.channels, kind.apart))
    with_statistics_of(narrow, images)
    torch.save(narrow.state_dict(), arguments.out)


if __name__ == "__main__":
    main()
