"""Write a trained network as ONNX with the batch normalisation folded in."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.stems import Stem


def export(
    model: nn.Module,
    shape: tuple[int, int, int],
    path: Path,
    deployed: nn.Module | None = None,
    stem: Stem | None = None,
) -> None:
    """Write a network, and beside it (.pt) the state to go on from.

    Args:
        model: as trained.
        shape: (channels, height, width) of what the written network sees.
        path: the ONNX file.
        deployed: the same network in the form in which it is used; None: as trained.
        stem: its first two layers, if the form in which it is used leaves them out; written beside
            it (.npz).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), path.with_suffix(".pt"))
    if stem is not None:
        arrays = {each.name: getattr(stem, each.name) for each in fields(stem) if each.init}
        np.savez(path.with_suffix(".npz"), **arrays)
    name = "images" if stem is None else "features"
    torch.onnx.export(
        (deployed or model).eval(),
        (torch.zeros((1, *shape)),),
        str(path),
        input_names=[name],
        output_names=["out"],
        dynamic_axes={name: {0: "n"}, "out": {0: "n"}},
        opset_version=13,
        dynamo=False,
    )
