"""Networks as they are used, taken back to where they can learn."""

from pathlib import Path
from typing import TypeVar

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from vision.stems import Stem
from vision.training.models import GREY, SPREAD, Activated, EmblemReader, FaceReader, Locator

Learner = TypeVar("Learner", bound=Locator | FaceReader | EmblemReader)
Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weight (outputs, inputs, side, side) and bias (outputs,) of a convolution."""


def channels_of(path: Path) -> int:
    """How many channels a network (.onnx, with the .npz beside it) has."""
    return len(_stem(path).second_bias)


def with_weights_of(model: Learner, path: Path) -> Learner:
    """The model, that says what a network says that was exported from one of its kind.

    What helps learning and is not exported stays as it is.

    Args:
        model: with as many channels and layers; it is changed.
        path: the ``.onnx`` file, with the ``.npz`` file beside it.

    Raises:
        ValueError: the file holds a network of another kind or depth.
    """
    stem, (*middle, last) = _stem(path), _convolutions(path)
    layers = [module for module in model.modules() if isinstance(module, Activated)]
    for layer, (weight, bias) in zip(layers, [*_pixel_layers(stem), *middle], strict=True):
        _set(layer, weight, bias)
    if sum(len(head.bias) for head in model.heads) != len(last[1]):
        raise ValueError(f"{path} is a network of another kind")
    first = 0
    for head in model.heads:
        own = slice(first, first + len(head.bias))
        first = own.stop
        head.weight.data = torch.tensor(last[0][own]).reshape(head.weight.shape)
        head.bias.data = torch.tensor(last[1][own])
    return model


def _stem(path: Path) -> Stem:
    return Stem.read(path.with_suffix(".npz").read_bytes())


def _convolutions(path: Path) -> list[Layer]:
    """Those of an ONNX file, in the order in which they are computed."""
    graph = onnx.load(str(path)).graph
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    nodes = (node for node in graph.node if node.op_type == "Conv")
    return [(arrays[node.input[1]], arrays[node.input[2]]) for node in nodes]


def _pixel_layers(stem: Stem) -> tuple[Layer, Layer]:
    """The convolutions that were made a stem by ``vision.training.models.stem_of``."""
    bias = stem.first_bias + GREY * stem.first.sum(axis=0)
    return (_of_patches(stem.first * SPREAD, 3), bias), (
        _of_patches(stem.second, stem.first.shape[1]),
        stem.second_bias,
    )


def _of_patches(matrix: NDArray[np.float32], inputs: int) -> NDArray[np.float32]:
    """Rows for pixels row by row, their channels each, to (outputs, inputs, side, side)."""
    side = round(float(np.sqrt(len(matrix) / inputs)))
    by_pixel = matrix.reshape(side, side, inputs, matrix.shape[1])
    return np.ascontiguousarray(by_pixel.transpose(3, 2, 0, 1))


def _set(layer: Activated, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> None:
    """Let a layer compute just this, its normalisation moving nothing."""
    convolution, norm, _ = layer
    convolution.weight.data = torch.tensor(weight)
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.data.fill_(1)
    norm.bias.data = torch.tensor(bias)


def with_statistics_of(model: nn.Module, images: Tensor) -> None:
    """Let every normalisation of a model expect what it meets in some images (n, 3, h, w).

    What the model says does not change by that; without it, it would as soon as it learns.
    """

    def measure(norm: nn.BatchNorm2d, inputs: tuple[Tensor, ...]) -> None:
        (seen,) = inputs
        mean, variance = seen.mean(dim=(0, 2, 3)), seen.var(dim=(0, 2, 3), correction=0)
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        norm.bias.data = norm.bias + gain * (mean - norm.running_mean)
        norm.weight.data = gain * torch.sqrt(variance + norm.eps)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)

    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(measure) for norm in norms]
    with torch.no_grad():
        model.eval()(images)
    for hook in hooks:
        hook.remove()
