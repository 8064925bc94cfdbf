"""Write a trained network as ONNX with the batch normalisation folded in."""

from pathlib import Path

import torch
from torch import nn


def export(
    model: nn.Module,
    shape: tuple[int, int, int],
    path: Path,
    deployed: nn.Module | None = None,
) -> None:
    """Write a network, and beside it (.pt) the state to go on from.

    Args:
        model: as trained.
        shape: (channels, height, width) of what the written network sees.
        path: the ONNX file.
        deployed: the same network in the form in which it is used; None: as trained.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), path.with_suffix(".pt"))
    torch.onnx.export(
        (deployed or model).eval(),
        (torch.zeros((1, *shape)),),
        str(path),
        input_names=["images"],
        output_names=["out"],
        dynamic_axes={"images": {0: "n"}, "out": {0: "n"}},
        opset_version=13,
        dynamo=False,
    )
