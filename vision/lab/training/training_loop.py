"""Shared parts of all training commands: arguments, steps, ONNX export."""

import copy
import json
import math
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.arrays import Image
from vision.lab.simulate.drawing import Rng, one_of

WARM_STEPS: Final = 300
MIN_RATE: Final = 1e-5
STEPS_A_REPORT: Final = 100
STEPS_A_COPY: Final = 500

Batch = TypeVar("Batch")
Thing = TypeVar("Thing")
Shares = dict[str, tuple[float, float]]
"""Measures of a batch by name: (numerator, denominator)."""


def make_parser(doc: str | None, steps: int, rate: float) -> ArgumentParser:
    """Return a parser with the arguments of a training command; numbers are defaults."""
    parser = ArgumentParser(description=doc)
    parser.add_argument("--out", type=Path, required=True, help="the .onnx file to write")
    parser.add_argument("--start", type=Path, help="network to go on from")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--rate", type=float, default=rate, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def begin(options: Namespace) -> None:
    """Seed PyTorch, and use one thread so that results depend on the seed alone."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)


def replay(
    rng: Rng, draw: Callable[[], Thing], uses: float, kept: int, few: int
) -> Iterator[tuple[Thing, bool]]:
    """Yield items without end, reusing them: drawing one takes longer than learning from it.

    Args:
        rng: Source of all choices.
        draw: Function that makes a new item.
        uses: Mean number of times that an item is used.
        kept: Maximum number of items kept.
        few: Number of items drawn before any is used again.

    Yields:
        An item, and True if it is new.
    """
    known: list[Thing] = []
    while True:
        is_new = len(known) < few or rng.random() < 1 / uses
        if is_new:
            known.append(draw())
            if len(known) > kept:
                known.pop(int(rng.integers(kept)))
        yield known[-1] if is_new else one_of(rng, known), is_new


class BatchStream(torch.utils.data.IterableDataset[Batch]):
    """Endless batches of a seeded generator."""

    def __init__(self, make: Callable[[Rng], Iterator[Batch]], seed: int) -> None:
        self.make, self.seed = make, seed

    def __iter__(self) -> Iterator[Batch]:
        """Iterate over batches; each worker process has a seed of its own."""
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        info = torch.utils.data.get_worker_info()
        return self.make(np.random.default_rng([self.seed, info.id if info else 0]))

    def prefetch(self) -> Iterable[Batch]:
        """Draw batches ahead in another process while a network learns."""
        loader: Iterable[Batch] = torch.utils.data.DataLoader(
            self, batch_size=None, num_workers=1, prefetch_factor=8
        )
        return loader


@dataclass(frozen=True, slots=True)
class DirectedChannels:
    """Channels of maps whose values change when the picture is turned.

    Attributes:
        across: Offsets to the right.
        down: Offsets downwards, in the order of ``across``.
        mirrored: Values that change sign in a mirror.
        exchanged: Values that change sign when x and y are exchanged.
    """

    across: list[int]
    down: list[int]
    mirrored: list[int]
    exchanged: list[int]


def turned(
    rng: Rng, image: Image, maps: NDArray[np.float32], channels: DirectedChannels
) -> tuple[Image, NDArray[np.float32]]:
    """Mirror and turn a picture (h, h, 3) and its maps (n, h, h) at random."""
    across, down = channels.across, channels.down
    maps = maps.copy()
    if rng.random() < 0.5:
        image, maps = image[:, ::-1], maps[:, :, ::-1].copy()
        maps[across + channels.mirrored] *= -1
    if rng.random() < 0.5:
        image, maps = image[::-1], maps[:, ::-1].copy()
        maps[down + channels.mirrored] *= -1
    if rng.random() < 0.5:
        image, maps = image.transpose(1, 0, 2), maps.transpose(0, 2, 1).copy()
        maps[across + down] = maps[down + across]
        maps[channels.exchanged] *= -1
    return np.ascontiguousarray(image), np.ascontiguousarray(maps)


def train(
    network: nn.Module,
    options: Namespace,
    batches: Iterable[Batch],
    compute_loss: Callable[[nn.Module, Batch], tuple[Tensor, Shares]],
    export: Callable[[nn.Module, Path], None],
) -> None:
    """Train a network, and write the moving average of its weights every ``STEPS_A_COPY`` steps.

    Args:
        network: Network to train.
        options: Arguments of ``make_parser``.
        batches: Batches without end.
        compute_loss: Function that runs the network on a batch; returns the loss and shares to
            report.
        export: Function that writes a network as ONNX.
    """
    if options.start and options.start.suffix == ".pt":
        network.load_state_dict(torch.load(options.start, weights_only=True))
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    started, sums = time.time(), dict[str, tuple[float, float]]()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    for step, batch in zip(range(1, options.steps + 1), batches, strict=False):
        falling = 0.5 + 0.5 * math.cos(math.pi * step / options.steps)
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1.0, step / WARM_STEPS) * falling + MIN_RATE
        network.train()
        loss, shares = compute_loss(network, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 4.0)
        optimiser.step()
        update_average(mean, network, step)
        for name, (part, whole) in {"loss": (float(loss.detach()), 1.0), **shares}.items():
            parts, wholes = sums.get(name, (0.0, 0.0))
            sums[name] = parts + float(part), wholes + float(whole)
        if step % STEPS_A_REPORT == 0 or step == options.steps:
            means = [
                f"{name} {part / max(whole, 1e-6):.4f}" for name, (part, whole) in sums.items()
            ]
            minutes = (time.time() - started) / 60
            print(f"{minutes:.1f} min, step {step} of {options.steps}:", *means, flush=True)
            sums.clear()
        if step % STEPS_A_COPY == 0 or step == options.steps:
            torch.save(mean.state_dict(), options.out.with_suffix(".pt"))
            export(copy.deepcopy(mean).eval(), options.out)
    card = {key: str(value) for key, value in vars(options).items() if value is not None}
    card["hours"] = f"{(time.time() - started) / 3600:.1f}"
    options.out.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")


def start_from(network: nn.Module, parts: Sequence[Path], x: Tensor) -> None:
    """Give a network the weights of its ONNX files, in which normalisation is folded.

    Normalisations are set so that the network's output for ``x`` does not change. Layers beyond
    those in the file stay as they are; where a shape differs, as much as both have is taken.
    """
    weights = [pair for part in parts for pair in _conv_weights(part)]
    layers = [m for m in network.modules() if isinstance(m, (nn.Conv2d, nn.BatchNorm2d))]
    convolutions = [m for m in layers if isinstance(m, nn.Conv2d)]
    biases: dict[nn.Module, Tensor] = {}
    with torch.no_grad():
        for (weight, bias), layer in zip(weights, convolutions, strict=False):
            kept = min(len(weight), len(layer.weight))
            layer.weight[:kept] = weight[:kept]
            if layer.bias is not None:
                layer.bias[:kept] = bias[:kept]
            else:
                biases[layers[layers.index(layer) + 1]] = bias

        def settle(norm: nn.Module, inputs: tuple[Tensor]) -> None:
            assert isinstance(norm, nn.BatchNorm2d)  # noqa: S101
            mean, variance = inputs[0].mean(dim=(0, 2, 3)), inputs[0].var(dim=(0, 2, 3))
            assert norm.running_mean is not None  # noqa: S101
            assert norm.running_var is not None  # noqa: S101
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.copy_(biases[norm] + mean)

        hooks = [norm.register_forward_pre_hook(settle) for norm in biases]
        network.eval()
        network(x)
    for hook in hooks:
        hook.remove()


def start_folded(network: nn.Module, parts: Sequence[Path]) -> None:
    """Give a network the weights of its ONNX files, and take its normalisations away.

    They are folded in these files; a network that is trained on at a low rate does without.
    """
    for sequence in [m for m in network.modules() if isinstance(m, nn.Sequential)]:
        for n, layer in enumerate(sequence):
            if isinstance(layer, nn.BatchNorm2d):
                sequence[n] = nn.Identity()
            elif isinstance(layer, nn.Conv2d) and layer.bias is None:
                layer.bias = nn.Parameter(torch.zeros(layer.out_channels))
    convolutions = [m for m in network.modules() if isinstance(m, nn.Conv2d)]
    weights = [pair for part in parts for pair in _conv_weights(part)]
    with torch.no_grad():
        for (weight, bias), layer in zip(weights, convolutions, strict=True):
            layer.weight.copy_(weight)
            assert layer.bias is not None  # noqa: S101
            layer.bias.copy_(bias)


def _conv_weights(part: Path) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield weight and bias of each convolution of an ONNX file, from input to output."""
    graph = onnx.load(str(part)).graph
    stored = {w.name: onnx.numpy_helper.to_array(w).astype(np.float32) for w in graph.initializer}
    for node in graph.node:
        if node.op_type == "Conv":
            weight, bias = (torch.from_numpy(stored[name]) for name in node.input[1:])
            yield weight, bias


def update_average(mean: nn.Module, network: nn.Module, step: int) -> None:
    """Update the exponential moving average of a network's weights."""
    keep = min(0.9995, step / (step + 19))
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.lerp_(b.to(a.dtype), 1 - keep)
            else:
                a.copy_(b)


def write_onnx(
    network: nn.Module,
    shape: tuple[int, ...],
    path: Path,
    outputs: tuple[str, ...] = ("out",),
    varying: dict[int, str] | None = None,
) -> None:
    """Write a network as ONNX, normalisation folded in, weights as 16 bits.

    OpenCV computes with 32 bits all the same.

    Args:
        network: Network in the form in which it is used.
        shape: Shape of its input.
        path: File to write.
        outputs: Names of its outputs.
        varying: Names of the dimensions of its input that may have any size.
    """
    torch.onnx.export(
        network.float().eval().to(memory_format=torch.contiguous_format),
        (torch.zeros(shape),),
        str(path),
        dynamo=False,
        opset_version=13,
        input_names=["in"],
        output_names=list(outputs),
        dynamic_axes={"in": varying} if varying else None,
    )
    model = onnx.load(str(path))
    for weights in model.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT:
            values = onnx.numpy_helper.to_array(weights).astype(np.float16)
            weights.CopyFrom(onnx.numpy_helper.from_array(values, weights.name))
    onnx.save(model, str(path))
